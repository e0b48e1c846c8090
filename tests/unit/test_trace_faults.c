/* test_trace_faults.c - every input and every failure ends in a status */

#include <dmtrace.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>

#include "helpers/failing.h"
#include "helpers/files.h"
#include "helpers/traces.h"
#include "helpers/unit.h"
#include "private/trace.h"

#define BATCH 3
#define LARGE 240000		/* records of 10 bytes: several writes */

static bool
may_end_an_open(enum dmtrace_status status)
{
	return status == DMTRACE_ERR_NOT_TRACE ||
	    status == DMTRACE_ERR_TRUNCATED ||
	    status == DMTRACE_ERR_CORRUPT || status == DMTRACE_ERR_VERSION ||
	    status == DMTRACE_ERR_UNSUPPORTED ||
	    status == DMTRACE_ERR_FOREIGN;
}

/* Reads to the end; how many records there were. */
static uint64_t
drain(struct dmtrace_reader *reader)
{
	struct dmtrace_event events[BATCH];
	size_t count;

	do
		ck_assert_int_eq(dmtrace_reader_read(reader, events, BATCH,
		    &count), DMTRACE_OK);
	while (count > 0);
	return dmt_reader_position(reader);
}

/* UINT64_MAX: it could not be opened. */
static uint64_t
records_of(const void *bytes, size_t len)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();
	uint64_t records = UINT64_MAX;

	const enum dmtrace_status status = dmtrace_reader_open_memory(reader,
	    bytes, len);
	if (status == DMTRACE_OK)
		records = drain(reader);
	else
		ck_assert_msg(may_end_an_open(status), "%d", status);
	dmtrace_reader_free(reader);
	return records;
}

START_TEST(every_prefix_ends_in_a_status)
{
	const struct trace *trace = &traces[_i];
	size_t len = 0;

	while (len < trace->len && records_of(trace->bytes, len) > 99)
		len++;
	ck_assert_uint_ge(len, trace->key_len + 16);
	for (uint64_t records = 0; len <= trace->len; len++) {
		const uint64_t more = records_of(trace->bytes, len);
		ck_assert_uint_ge(more, records);
		records = more;
		if (len == trace->len)
			ck_assert_uint_eq(records, trace->records);
	}
}
END_TEST

START_TEST(every_changed_byte_ends_in_a_status)
{
	static const uint8_t changes[] = { 0x01, 0x20, 0x80, 0xff };
	const struct trace *trace = &traces[_i];
	uint8_t *bytes = malloc(trace->len);

	memcpy(bytes, trace->bytes, trace->len);
	for (size_t at = 0; at < trace->len; at++)
		for (size_t i = 0; i < ROWS(changes); i++) {
			bytes[at] ^= changes[i];
			records_of(bytes, trace->len);
			bytes[at] ^= changes[i];
		}
	free(bytes);
}
END_TEST

/* Opens and reads path; the first failure, if any. */
static enum dmtrace_status
read_path(const char *path, uint64_t *records)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct dmt_count count;

	*records = 0;
	if (reader == NULL)
		return DMTRACE_ERR_MEMORY;
	enum dmtrace_status status = dmtrace_reader_open_path(reader, path);
	if (status == DMTRACE_OK)
		status = dmt_reader_count(reader, &count);
	if (status == DMTRACE_OK) {
		*records = count.records;
		dmt_count_fini(&count);
	}
	dmtrace_reader_free(reader);
	return status;
}

static const struct {
	const char *label;
	const char *path;
	enum fault kind;
	unsigned at_least;
} read_faults[] = {
	{ "allocations", "x.trace", FAULT_ALLOC, 9 },
	{ "allocations, pair", "y", FAULT_ALLOC, 9 },
	{ "reads", "x.trace", FAULT_READ, 2 },
	{ "reads, pair", "y", FAULT_READ, 4 },
};

START_TEST(no_failure_of_a_reader_is_lost)
{
	struct failing failing = { .kind = read_faults[_i].kind };
	uint64_t records;

	file_put("x.trace", KEY_2 HEADER_2 RECORDS_2,
	    sizeof(KEY_2 HEADER_2 RECORDS_2) - 1);
	file_put("y.key", KEY_2, sizeof(KEY_2) - 1);
	file_put("y.data", HEADER_2 RECORDS_2,
	    sizeof(HEADER_2 RECORDS_2) - 1);
	do {
		failing_arm(&failing);
		const bool reported = failing_reported(&failing,
		    read_path(read_faults[_i].path, &records));
		ck_assert_uint_eq(records, reported ? 0 : 2);
	} while (failing.failed);
	ck_assert_uint_ge(failing.reported, read_faults[_i].at_least);
}
END_TEST

START_TEST(reads_what_came_before_a_failed_read)
{
	const size_t len = sizeof(KEY_2 HEADER_2) - 1 + 10 * LARGE;
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct dmtrace_event event;
	char *bytes = calloc(len, 1);

	memcpy(bytes, KEY_2 HEADER_2, sizeof(KEY_2 HEADER_2) - 1);
	file_put("x.trace", bytes, len);
	free(bytes);
	ck_assert_int_eq(dmtrace_reader_open_path(reader, "x.trace"),
	    DMTRACE_OK);
	fault_arm(FAULT_READ, 1);
	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK)
		;
	ck_assert(fault_disarm());
	ck_assert_uint_eq(dmt_reader_position(reader),
	    (256 * 1024 - sizeof(KEY_2 HEADER_2) + 1) / 10);
	ck_assert_int_eq(dmtrace_reader_next(reader, &event),
	    DMTRACE_ERR_IO);
	ck_assert_int_eq(dmtrace_reader_error(reader)->status,
	    DMTRACE_ERR_IO);
	dmtrace_reader_free(reader);
}
END_TEST

/* A whole trace of many records in small batches; the status of its close. */
static enum dmtrace_status
write_path(const char *path, bool complete, bool sync)
{
	static const struct dmtrace_event events[100] = { { .thread = 1 } };
	struct dmtrace_writer *writer = dmtrace_writer_new();

	if (writer == NULL)
		return DMTRACE_ERR_MEMORY;
	dmtrace_writer_set_sync(writer, sync);
	enum dmtrace_status status = dmtrace_writer_open_path(writer, path);
	if (status == DMTRACE_OK && complete)
		dmtrace_writer_complete(writer);
	for (int i = 0; status == DMTRACE_OK && i < LARGE / 100; i++)
		dmtrace_writer_write(writer, events, 100);
	if (status == DMTRACE_OK)
		status = dmtrace_writer_close(writer);
	dmtrace_writer_free(writer);
	return status;
}

static const struct {
	const char *label;
	const char *path;
	bool complete;
	enum fault kind;
	unsigned at_least;
} write_faults[] = {
	{ "allocations", "x.trace", false, FAULT_ALLOC, 9 },
	{ "allocations, pair", "x.key", false, FAULT_ALLOC, 9 },
	{ "writes", "x.trace", false, FAULT_WRITE, 5 },
	{ "writes, complete", "x.trace", true, FAULT_WRITE, 3 },
	{ "writes, pair", "x.key", false, FAULT_WRITE, 4 },
	{ "reading back", "x.trace", false, FAULT_READ, 3 },
	{ "close", "x.trace", false, FAULT_CLOSE, 2 },
	{ "close, pair", "x.key", false, FAULT_CLOSE, 2 },
	{ "rename", "x.trace", false, FAULT_NAME, 1 },
	{ "rename, pair", "x.key", false, FAULT_NAME, 2 },
	{ "forcing to disk", "x.trace", false, FAULT_SYNC, 2 },
	{ "forcing to disk, pair", "x.key", false, FAULT_SYNC, 4 },
};

/* What may fail without harm: to close a temporary that is read already. */
START_TEST(no_file_is_left_after_a_failure)
{
	struct failing failing = {
		.kind = write_faults[_i].kind, .harmless = FAULT_CLOSE
	};

	do {
		failing_arm(&failing);
		const bool reported = failing_reported(&failing, write_path(
		    write_faults[_i].path, write_faults[_i].complete,
		    failing.kind == FAULT_SYNC));
		ck_assert_int_eq(file_count(".") > 0, !reported);
		unlink("x.trace");
		unlink("x.key");
		unlink("x.data");
	} while (failing.failed);
	ck_assert_uint_gt(failing.nth, write_faults[_i].at_least);
}
END_TEST

START_TEST(old_files_survive_a_failure)
{
	file_put("x.key", "old key", 7);
	file_put("x.data", "old data", 8);
	fault_arm(FAULT_NAME, 1);
	ck_assert_int_eq(write_path("x.key", false, false), DMTRACE_ERR_IO);
	ck_assert(fault_disarm());
	assert_file("x.key", "old key", 7);
	assert_file("x.data", "old data", 8);
	ck_assert_uint_eq(file_count("."), 2);
}
END_TEST

START_TEST(reports_of_a_limit_on_file_sizes)
{
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	const rlim_t old = limit.rlim_cur;
	limit.rlim_cur = 300000;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	const enum dmtrace_status status = write_path(
	    _i % 2 ? "x.trace" : "x.data", _i / 2, false);
	limit.rlim_cur = old;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_int_eq(status, DMTRACE_ERR_IO);
	ck_assert_uint_eq(file_count("."), 0);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("trace_faults");
	TCase *tcase = unit_tcase(suite, "trace_faults");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	ADD_CASES(tcase, every_prefix_ends_in_a_status, traces);
	ADD_CASES(tcase, every_changed_byte_ends_in_a_status, traces);
	ADD_CASES(tcase, no_failure_of_a_reader_is_lost, read_faults);
	tcase_add_test(tcase, reads_what_came_before_a_failed_read);
	ADD_CASES(tcase, no_file_is_left_after_a_failure, write_faults);
	tcase_add_test(tcase, old_files_survive_a_failure);
	tcase_add_loop_test(tcase, reports_of_a_limit_on_file_sizes, 0, 4);
	return unit_main(suite);
}
