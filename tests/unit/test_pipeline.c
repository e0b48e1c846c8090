/* test_pipeline.c - sources over readers: passes, rewinds, findings */

#include <dmtrace.h>
#include <string.h>

#include "events/pipeline.h"
#include "helpers/records.h"
#include "helpers/unit.h"
#include "private/select.h"
#include "private/trace.h"

#define US UINT64_C(1000)
#define IN(m, cpu, wall) { m, cpu * US, wall * US, 1, DMTRACE_ENTER }
#define OUT(m, cpu, wall) { m, cpu * US, wall * US, 1, DMTRACE_EXIT }

/* The CPU clock goes back once, the wall clock does not. */
static const struct dmtrace_event events[] = {
	IN(0x4, 10, 10), IN(0x8, 20, 20), OUT(0x8, 15, 30), OUT(0x4, 40, 40)
};

/* A writer that holds a trace of the first count events. */
static struct dmtrace_writer *
write_trace(size_t count, const void **bytes, size_t *len)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_write(writer, events, count),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	*bytes = dmtrace_writer_memory(writer, len);
	return writer;
}

static struct dmtrace_reader *
open_trace(const void *bytes, size_t len)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	ck_assert_int_eq(dmtrace_reader_open_memory(reader, bytes, len),
	    DMTRACE_OK);
	return reader;
}

/* How many findings of that name the reader has made. */
static uint64_t
count_findings(struct dmtrace_reader *reader, const char *name)
{
	for (size_t i = 0; i < dmt_reader_finding_count(reader); i++) {
		const struct dmtrace_finding *const finding =
		    dmtrace_reader_finding_get(reader, i);

		if (strcmp(finding->name, name) == 0)
			return finding->count;
	}
	return 0;
}

/* Reads to the end, a few events at a time. */
static size_t
read_all(struct dmtrace_source *source)
{
	struct dmtrace_row read[3];
	size_t count, all = 0;

	do {
		ck_assert_int_eq(dmtrace_source_read(source, read, 3, &count),
		    DMTRACE_OK);
		for (size_t i = 0; i < count; i++)
			assert_same_event(&read[i].event, &events[all + i]);
		all += count;
	} while (count > 0);
	return all;
}

struct noted {
	uint64_t done, total;
};

static int
note_progress(void *context, uint64_t done, uint64_t total)
{
	*(struct noted *)context = (struct noted){ done, total };
	return 0;
}

/* Each pass reports the same last time, before its last batch. */
START_TEST(pass_counts_by_its_weight)
{
	const uint64_t weights[] = { 1, 3, 1 }, before[] = { 0, 1, 4 };
	uint64_t last = 0;
	struct noted noted = { .done = 0 };
	const void *bytes;
	size_t len;
	struct dmtrace_writer *const writer = write_trace(4, &bytes, &len);
	struct dmtrace_reader *const reader = open_trace(bytes, len);
	struct dmtrace_source *const source = dmtrace_source_new(reader);

	dmt_source_set_progress(source, note_progress, &noted);
	dmt_want_pass(source, 3);
	dmt_want_pass(source, 1);
	for (size_t pass = 0; pass < 3; pass++) {
		if (pass == 1)
			dmt_weigh_pass(source, 3);
		ck_assert_uint_eq(read_all(source), 4);
		if (pass == 0)
			last = noted.done;
		ck_assert_uint_gt(last, 0);
		ck_assert_uint_eq(noted.done,
		    before[pass] * len + weights[pass] * last);
		ck_assert_uint_eq(noted.total, 5 * len);
		ck_assert_int_eq(dmt_source_rewind(source), DMTRACE_OK);
	}
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	dmtrace_writer_free(writer);
}
END_TEST

static int
note_total(void *context, uint64_t done, uint64_t total)
{
	uint64_t *const last = context;

	ck_assert_uint_le(done, total);
	*last = total;
	return 0;
}

/* Each pass adds its bytes to the total. */
START_TEST(reads_memory_again_without_keep)
{
	uint64_t total = 0;
	const void *bytes;
	size_t len;
	struct dmtrace_writer *const writer = write_trace(4, &bytes, &len);
	struct dmtrace_reader *const reader = open_trace(bytes, len);
	struct dmtrace_source *const source = dmtrace_source_new(reader);

	dmt_source_set_progress(source, note_total, &total);
	for (size_t times = 0; times < 3; times++) {
		ck_assert_uint_eq(read_all(source), 4);
		ck_assert_uint_eq(total, (times + 1) * len);
		ck_assert_int_eq(dmt_source_rewind(source), DMTRACE_OK);
	}
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	dmtrace_writer_free(writer);
}
END_TEST

START_TEST(reads_one_by_one_to_the_end)
{
	const void *bytes;
	size_t len;
	struct dmtrace_writer *const writer = write_trace(4, &bytes, &len);
	struct dmtrace_reader *const reader = open_trace(bytes, len);
	struct dmtrace_source *const source = dmtrace_source_new(reader);
	struct dmtrace_event event;

	for (size_t i = 0; i < 4; i++) {
		ck_assert_int_eq(dmtrace_source_next(source, &event),
		    DMTRACE_OK);
		assert_same_event(&event, &events[i]);
	}
	ck_assert_int_eq(dmtrace_source_next(source, &event), DMTRACE_END);
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	dmtrace_writer_free(writer);
}
END_TEST

/* Records are of 14 bytes; the last one ends the trace. */
START_TEST(rows_have_depths_indexes_by_first_sight_and_offsets)
{
	const uint32_t methods[] = { 0, 1, 1, 0 };
	const uint32_t depths[] = { 1, 2, 2, 1 };
	const void *bytes;
	size_t len, count;
	struct dmtrace_writer *const writer = write_trace(4, &bytes, &len);
	struct dmtrace_reader *const reader = open_trace(bytes, len);
	struct dmtrace_source *const source = dmtrace_source_new(reader);

	for (size_t i = 0; i < 4; i++) {
		struct dmtrace_row row;

		ck_assert_int_eq(dmtrace_source_read(source, &row, 1,
		    &count), DMTRACE_OK);
		ck_assert_uint_eq(count, 1);
		assert_same_event(&row.event, &events[i]);
		ck_assert_uint_eq(row.thread_index, 0);
		ck_assert_uint_eq(row.method_index, methods[i]);
		ck_assert_uint_eq(row.depth, depths[i]);
		ck_assert_uint_eq(row.offset, len - 14 * (4 - i));
	}
	ck_assert_int_eq(dmtrace_source_read(source,
	    &(struct dmtrace_row){ .offset = 0 }, 1, &count), DMTRACE_OK);
	ck_assert_uint_eq(count, 0);
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	dmtrace_writer_free(writer);
}
END_TEST

/* What a pipe, read to its end, cannot do. */
struct pipe_bytes {
	const uint8_t *bytes;
	size_t len;
};

static ptrdiff_t
read_pipe(void *context, void *out, size_t len)
{
	struct pipe_bytes *const pipe = context;
	const size_t count = len < pipe->len ? len : pipe->len;

	memcpy(out, pipe->bytes, count);
	pipe->bytes += count;
	pipe->len -= count;
	return (ptrdiff_t)count;
}

START_TEST(reads_a_pipe_again_if_kept)
{
	const void *bytes;
	size_t len;
	struct dmtrace_writer *const writer = write_trace(4, &bytes, &len);
	struct pipe_bytes pipe = { bytes, len };
	const struct dmtrace_input input = { read_pipe, &pipe };
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	const unsigned times = (unsigned)_i;

	ck_assert_int_eq(dmtrace_reader_open_input(reader, &input),
	    DMTRACE_OK);
	struct dmtrace_source *const source = dmtrace_source_new(reader);
	dmt_source_keep(source, times);
	ck_assert_uint_eq(read_all(source), 4);
	ck_assert_int_eq(dmt_source_rewind(source), times > 1 ?
	    DMTRACE_OK : DMTRACE_ERR_STATE);
	if (times > 1)
		ck_assert_uint_eq(read_all(source), 4);
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	dmtrace_writer_free(writer);
}
END_TEST

/* The findings of a column that only the second pass fills. */
START_TEST(reports_findings_of_all_columns)
{
	const void *bytes;
	size_t len;
	struct dmtrace_writer *const writer = write_trace(4, &bytes, &len);
	struct dmtrace_reader *const reader = open_trace(bytes, len);
	struct dmt_selection *const selection = dmt_selection_new();

	dmt_selection_set_min_time(selection, 10 * US);
	ck_assert_int_eq(dmt_selection_resolve(selection,
	    dmtrace_reader_key(reader), dmt_reader_layout(reader)),
	    DMTRACE_OK);
	struct dmtrace_source *const source =
	    dmt_source_select(dmtrace_source_new(reader), selection);
	ck_assert_uint_eq(read_all(source), 4);
	ck_assert_uint_eq(count_findings(reader, "time-back"), 1);
	dmtrace_source_free(source);
	dmt_selection_free(selection);
	dmtrace_reader_free(reader);
	dmtrace_writer_free(writer);
}
END_TEST

/* A reader without events may have been read to its end. */
START_TEST(takes_a_reader_at_its_first_event)
{
	const void *bytes;
	size_t len;
	struct dmtrace_writer *const writer =
	    write_trace((size_t)_i, &bytes, &len);
	struct dmtrace_reader *const reader = open_trace(bytes, len);
	struct dmtrace_event event;

	dmtrace_reader_next(reader, &event);
	struct dmtrace_source *const source = dmtrace_source_new(reader);
	ck_assert_ptr_nonnull(source);
	ck_assert_int_eq(dmtrace_source_next(source, &event),
	    _i == 0 ? DMTRACE_END : DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmt_source_rewind(source),
	    _i == 0 ? DMTRACE_OK : DMTRACE_ERR_STATE);
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	dmtrace_writer_free(writer);
}
END_TEST

START_TEST(refuses_a_reader_that_others_use)
{
	const void *bytes;
	size_t len;
	struct dmtrace_writer *const writer = write_trace(4, &bytes, &len);
	struct dmtrace_reader *const reader = open_trace(bytes, len);
	struct dmtrace_source *const source = dmtrace_source_new(reader);
	struct dmtrace_event event;

	dmt_source_keep(source, 2);
	dmtrace_reader_next(reader, &event);
	ck_assert_int_eq(dmtrace_source_next(source, &event),
	    DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmtrace_source_error(source)->status,
	    DMTRACE_ERR_STATE);
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	dmtrace_writer_free(writer);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("pipeline");
	TCase *tcase = unit_tcase(suite, "sources");

	tcase_add_test(tcase, pass_counts_by_its_weight);
	tcase_add_test(tcase, reads_memory_again_without_keep);
	tcase_add_test(tcase, reads_one_by_one_to_the_end);
	tcase_add_test(tcase,
	    rows_have_depths_indexes_by_first_sight_and_offsets);
	tcase_add_loop_test(tcase, reads_a_pipe_again_if_kept, 1, 3);
	tcase_add_test(tcase, reports_findings_of_all_columns);
	tcase_add_loop_test(tcase, takes_a_reader_at_its_first_event, 0, 2);
	tcase_add_test(tcase, refuses_a_reader_that_others_use);
	return unit_main(suite);
}
