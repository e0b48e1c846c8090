/* changes.h - what the tests of sort, shift and checksum share */

#ifndef CHANGES_H
#define CHANGES_H

#include <dmtrace.h>
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "helpers/random.h"
#include "private/trace.h"

/* Bytes of a trace in memory; the caller frees them. */
struct made {
	char *bytes;
	size_t len;
	size_t records_at;
	size_t record_size;
};

static inline struct made
made_copy(struct dmtrace_writer *writer)
{
	struct made made = { 0 };
	const void *const bytes = dmtrace_writer_memory(writer, &made.len);

	ck_assert_ptr_nonnull(bytes);
	made.bytes = malloc(made.len + 1);
	ck_assert_ptr_nonnull(made.bytes);
	memcpy(made.bytes, bytes, made.len);
	return made;
}

/* A generated trace; global clocks are read as wall. */
static inline struct made
made_generate(unsigned version, enum dmtrace_clock clock, uint64_t seed,
    uint64_t records, uint32_t threads)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmtrace_op *const op = dmtrace_op_new();
	const struct dmt_layout *const layout =
	    dmt_layout_find(version, clock);
	struct dmtrace_generate_options options = { 0 };

	options.seed = seed;
	options.records = records;
	options.threads = threads;
	options.methods = 40;
	ck_assert_int_eq(dmt_writer_set_layout(writer, layout),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_generate(op, writer, &options), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	struct made made = made_copy(writer);

	made.record_size = dmt_layout_record_size(layout);
	made.records_at = made.len - records * made.record_size;
	dmtrace_writer_free(writer);
	dmtrace_op_free(op);
	return made;
}

/* Moves stretches of records, of at most longest each, anywhere: the order of
 * the events of a thread is another then, too. */
static inline void
made_shuffle(struct made *made, uint64_t seed, size_t longest)
{
	const size_t size = made->record_size;
	const size_t count = (made->len - made->records_at) / size;
	char *const records = made->bytes + made->records_at;
	char *const spare = malloc(count * size + 1);

	ck_assert_ptr_nonnull(spare);
	for (int turn = 0; turn < 8 && count > 0; turn++) {
		const size_t from = next_random(&seed) % count;
		size_t len = 1 + next_random(&seed) % longest;

		if (len > count - from)
			len = count - from;
		/* to the front, and what was before it after it */
		memcpy(spare, records + from * size, len * size);
		memmove(records + len * size, records, from * size);
		memcpy(records, spare, len * size);
	}
	free(spare);
}

/* Opened on a trace in memory. */
static inline struct dmtrace_reader *
made_open(const void *bytes, size_t len)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	ck_assert_ptr_nonnull(reader);
	ck_assert_int_eq(dmtrace_reader_open_memory(reader, bytes, len),
	    DMTRACE_OK);
	return reader;
}

#endif
