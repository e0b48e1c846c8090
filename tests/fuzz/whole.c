/* whole.c - any bytes as a trace: opened, judged, fixed, counted and merged */

/*
 * The bytes are those of a file. Options are chosen by their number, so that
 * samples are seeds as they are.
 */

#include <dmtrace.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/targets.h"
#include "private/header.h"
#include "private/trace.h"
#include "trace/reader.h"
#include "trace/reader_source.h"

/* Moves to the beginning of a file that was written. */
static const struct dmtrace_file *
rewound(const struct dmtrace_file *file)
{
	demand(lseek(file->fd, 0, SEEK_SET) == 0, "it is a file");
	return file;
}

/* Bytes that a callback gives, few at a time. */
struct given {
	const uint8_t *at, *end;
};

static ptrdiff_t
give_some(void *context, void *out, size_t len)
{
	struct given *const given = context;
	const size_t left = (size_t)(given->end - given->at);
	const size_t some = len < 7 ? len : 7;
	const size_t taken = some < left ? some : left;

	memcpy(out, given->at, taken);
	given->at += taken;
	return (ptrdiff_t)taken;
}

/* Reads all that a reader that was opened has. Returns the number of events. */
static uint64_t
read_all(struct dmtrace_reader *reader)
{
	struct dmtrace_reader_info info;
	struct dmtrace_event event;
	uint64_t count = 0;

	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK) {
		dmtrace_reader_thread_name(reader, event.thread);
		dmtrace_reader_method_name(reader, event.method);
		count++;
	}
	dmtrace_reader_info_get(reader, &info);
	for (size_t i = 0; dmtrace_reader_finding_get(reader, i) != NULL; i++)
		demand(i < 1000, "findings end");
	return count;
}

/* Counts and reads by way of a source; both are the same. */
static void
read_source(struct dmtrace_reader *reader)
{
	struct dmtrace_source *const source = dmtrace_source_new(reader);
	struct dmtrace_row rows[64];
	uint64_t records, total = 0;
	size_t count;

	if (dmt_input_count(source, &records) == DMTRACE_OK) {
		while (dmtrace_source_read(source, rows, 64, &count) ==
		    DMTRACE_OK && count > 0)
			total += count;
		demand(total == records || dmtrace_source_error(source)->status
		    != DMTRACE_OK, "as many events are read as were counted");
	}
	dmtrace_source_free(source);
}

static void
put_file(const char *path, const uint8_t *bytes, size_t len)
{
	FILE *const file = fopen(path, "wb");

	demand(file != NULL && fwrite(bytes, 1, len, file) == len &&
	    fclose(file) == 0, "there is room for a file");
}

/* Opens a file, or those that belong to it, or a pair if there are two. Returns
 * the number of its events. */
static uint64_t
read_files(const char *path, const char *data)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	if (data == NULL)
		dmtrace_reader_open_path(reader, path);
	else
		dmtrace_reader_open_pair(reader, path, data);
	const uint64_t count = read_all(reader);
	dmtrace_reader_free(reader);
	return count;
}

/* Opens the files of a pair by both names, also swapped, by one from which the
 * others are found, and each alone; half is where the data begin. */
static void
open_files(const uint8_t *bytes, size_t half, size_t len)
{
	char pair[SCRATCH_PATH], key[SCRATCH_PATH], data[SCRATCH_PATH];

	scratch_path(pair, "half");
	scratch_path(key, "half.key");
	scratch_path(data, "half.data");
	put_file(key, bytes, half);
	put_file(data, bytes + half, len - half);
	demand(read_files(pair, NULL) == read_files(key, NULL),
	    "a pair is the same by its name and its key's");
	read_files(data, NULL);
	read_files(key, data);
	read_files(data, key);
	unlink(key);
	read_files(data, NULL);
	unlink(data);
	put_file(key, bytes, half);
	read_files(key, NULL);
	unlink(key);
}

/* By a callback, the bytes are what they are in memory; then as a pair, of
 * which the data begin where a header does, and some of them as files; and with
 * limits. */
void
run_open(const uint8_t *bytes, size_t len)
{
	struct dmtrace_reader *readers[4];
	struct given given = { bytes, bytes + len };
	const struct dmtrace_input input = { give_some, &given };
	size_t half = 0;

	for (int i = 0; i < 4; i++)
		readers[i] = dmtrace_reader_new();
	while (half + 4 < len && memcmp(bytes + half, "SLOW", 4) != 0)
		half++;
	demand(dmtrace_reader_open_memory(readers[0], bytes, len) ==
	    dmtrace_reader_open_input(readers[1], &input),
	    "a callback opens as memory does");
	demand(read_all(readers[0]) == read_all(readers[1]),
	    "a callback has the events of memory");
	demand(dmtrace_reader_error(readers[0])->status ==
	    dmtrace_reader_error(readers[1])->status,
	    "a callback ends as memory does");

	if (dmt_reader_open_memory_pair(readers[2], bytes, half, bytes + half,
	    len - half) == DMTRACE_OK)
		read_source(readers[2]);
	if (len % 8 == 0)
		open_files(bytes, half, len);
	dmtrace_reader_set_limit(readers[3], DMTRACE_LIMIT_KEY, len / 2);
	dmtrace_reader_set_limit(readers[3], DMTRACE_LIMIT_LINE, 20);
	dmtrace_reader_open_memory(readers[3], bytes, len);
	read_all(readers[3]);
	for (int i = 0; i < 4; i++)
		dmtrace_reader_free(readers[i]);
}

/* What is fixed for a reader is read by it, and has no error. */
static void
check_fixed(struct dmtrace_op *op, const struct dmtrace_file *file,
    unsigned readers)
{
	struct dmtrace_verdict verdicts[DMTRACE_READERS];
	struct dmtrace_validity validity;

	demand(dmtrace_judge(op, rewound(file), verdicts, &validity) ==
	    DMTRACE_OK, "what was fixed is judged");
	demand(validity.findings[DMTRACE_ERROR] == 0,
	    "what was fixed has no error");
	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		demand((readers & DMTRACE_READER_BIT(i)) == 0 ||
		    verdicts[i].reception == DMTRACE_READS,
		    "what was fixed for a reader is read by it");
}

void
run_judge(const uint8_t *bytes, size_t len)
{
	const struct dmtrace_file in = { NULL, scratch_file(0, bytes, len) };
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_verdict verdicts[DMTRACE_READERS];
	struct dmtrace_validity validity;

	if (dmtrace_judge(op, &in, verdicts, &validity) == DMTRACE_OK)
		demand(validity.records <= len, "a record has a byte at least");
	dmtrace_op_free(op);
}

void
run_fix(const uint8_t *bytes, size_t len)
{
	const struct dmtrace_file in = { NULL, scratch_file(0, bytes, len) };
	const struct dmtrace_file out = { NULL, scratch_file(1, NULL, 0) };
	const struct dmtrace_fix_options options = {
		.readers = (unsigned)(len % (1u << DMTRACE_READERS)),
		.strict = (unsigned)(len % 3)
	};
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_fix_result result;

	if (dmtrace_fix(op, &in, &out, &options, &result) == DMTRACE_OK &&
	    result.fixed)
		check_fixed(op, &out, options.readers);
	dmtrace_op_free(op);
}

/* What is merged has all events; but bytes of events may be packets of a stream
 * of version 0xf2 whose records are four bytes longer. */
void
run_merge(const uint8_t *bytes, size_t len)
{
	const struct dmtrace_merge_input inputs[] = {
		{ .file = { NULL, scratch_file(0, bytes, len) } },
		{ .file = { NULL, scratch_file(2, bytes, len) },
		  .prefix = "b", .offset_ns = (int64_t)(len % 5) * 1000 },
	};
	const struct dmtrace_file out = { NULL, scratch_file(1, NULL, 0) };
	const struct dmtrace_merge_options options = {
		.dialect = (enum dmtrace_dialect)(len % 10),
		.threads = (enum dmtrace_merge_threads)(len / 10 % 3),
		.align = (enum dmtrace_merge_align)(len / 30 % 4),
	};
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_merge_result result;
	struct dmt_count count = { 0 };

	if (dmtrace_merge(op, inputs, 2, &out, &options, &result) ==
	    DMTRACE_OK) {
		demand(dmtrace_reader_open_fd(reader, rewound(&out)->fd) ==
		    DMTRACE_OK, "what was merged opens");
		demand(dmt_reader_count(reader, &count) == DMTRACE_OK,
		    "what was merged is counted");
		demand(count.records == result.events ||
		    options.dialect == DMTRACE_DIALECT_F2,
		    "what was merged has all events");
		dmt_count_fini(&count);
	}
	dmtrace_reader_free(reader);
	dmtrace_op_free(op);
}
