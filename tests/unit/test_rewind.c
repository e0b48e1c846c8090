/* test_rewind.c - records read again, from memory, a file and a pipe */

#include <dmtrace.h>
#include <string.h>
#include <unistd.h>

#include "helpers/failing.h"
#include "helpers/files.h"
#include "helpers/traces.h"
#include "helpers/unit.h"
#include "private/trace.h"
#include "trace/reader.h"

static void
open_reader(struct dmtrace_reader *reader, const struct trace *trace,
    int way, int *fds)
{
	enum dmtrace_status status;

	if (way == 0) {
		status = dmtrace_reader_open_memory(reader, trace->bytes,
		    trace->len);
	} else if (way == 1) {
		file_put("x.trace", trace->bytes, trace->len);
		status = dmtrace_reader_open_path(reader, "x.trace");
	} else {
		ck_assert_int_eq(pipe(fds), 0);
		ck_assert_int_eq(write(fds[1], trace->bytes, trace->len),
		    (ssize_t)trace->len);
		close(fds[1]);
		status = dmtrace_reader_open_fd(reader, fds[0]);
	}
	ck_assert_int_eq(status, DMTRACE_OK);
}

/* One at a time; returns how many, and their bytes. */
static size_t
read_all(struct dmtrace_reader *reader, uint8_t *records)
{
	const size_t size =
	    dmt_layout_record_size(dmt_reader_layout(reader));
	struct dmtrace_event event;
	size_t count = 0;

	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK)
		memcpy(records + count++ * size,
		    dmt_reader_records(reader), size);
	return count;
}

static uint64_t
count_findings(struct dmtrace_reader *reader)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < dmt_reader_finding_count(reader); i++)
		sum += dmtrace_reader_finding_get(reader, i)->count;
	return sum;
}

START_TEST(a_file_that_shrinks_is_not_read_again)
{
	const struct trace *const trace = &traces[_i];
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event event;
	enum dmtrace_status status;
	int fds[2];

	open_reader(reader, trace, 1, fds);
	ck_assert_int_eq(dmt_reader_hold(reader), DMTRACE_OK);
	while ((status = dmtrace_reader_next(reader, &event)) == DMTRACE_OK)
		continue;
	ck_assert_int_eq(status, DMTRACE_END);
	ck_assert_int_eq(truncate("x.trace", (off_t)trace->len - 1), 0);
	status = dmt_reader_rewind(reader);
	while (status == DMTRACE_OK)
		status = dmtrace_reader_next(reader, &event);
	ck_assert_int_eq(status, DMTRACE_ERR_IO);
	ck_assert_str_eq(dmtrace_reader_error(reader)->message,
	    "the input changed while it was read");
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(reads_the_same_again)
{
	const struct trace *const trace = &traces[_i];
	uint8_t first[100], again[100];

	for (int way = 0; way < 3; way++) {
		struct dmtrace_reader *const reader = dmtrace_reader_new();
		int fds[2] = { -1, -1 };

		open_reader(reader, trace, way, fds);
		ck_assert_int_eq(dmt_reader_rewind(reader),
		    DMTRACE_ERR_STATE);
		ck_assert_int_eq(dmt_reader_hold(reader), DMTRACE_OK);
		memset(first, 0, sizeof(first));
		const size_t count = read_all(reader, first);
		ck_assert_uint_eq(count, trace->records);
		const uint64_t findings = count_findings(reader);
		for (int i = 0; i < 2; i++) {
			memset(again, 0, sizeof(again));
			ck_assert_int_eq(dmt_reader_rewind(reader),
			    DMTRACE_OK);
			ck_assert_uint_eq(dmt_reader_position(reader), 0);
			ck_assert_uint_eq(read_all(reader, again), count);
			ck_assert_int_eq(memcmp(first, again,
			    sizeof(first)), 0);
		}
		ck_assert_uint_eq(count_findings(reader), findings);
		dmtrace_reader_free(reader);
		if (fds[0] >= 0)
			close(fds[0]);
	}
}
END_TEST

START_TEST(holds_before_the_first_read)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event event;

	ck_assert_int_eq(dmt_reader_hold(reader), DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmtrace_reader_open_memory(reader, traces[0].bytes,
	    traces[0].len), DMTRACE_OK);
	dmtrace_reader_next(reader, &event);
	ck_assert_int_eq(dmt_reader_hold(reader), DMTRACE_ERR_STATE);
	dmtrace_reader_free(reader);
}
END_TEST

static const enum fault faults[] = { FAULT_ALLOC, FAULT_READ, FAULT_WRITE };

START_TEST(reports_what_fails)
{
	struct failing failing = { .kind = faults[_i] };
	/* Of records that are zero, and more bytes than an open reads. */
	char bytes[2000] = { 0 };
	const struct trace trace = { .bytes = bytes, .len = sizeof(bytes) };

	memcpy(bytes, traces[0].bytes, traces[0].len);
	do {
		struct dmtrace_reader *const reader = dmtrace_reader_new();
		int fds[2];

		open_reader(reader, &trace, 2, fds);
		failing_arm(&failing);
		enum dmtrace_status status = dmt_reader_hold(reader);
		if (status == DMTRACE_OK)
			status = dmt_reader_rewind(reader);
		failing_reported(&failing, status);
		dmtrace_reader_free(reader);
		close(fds[0]);
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 0);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("rewind");
	TCase *tcase = unit_tcase(suite, "rewind");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	ADD_CASES(tcase, a_file_that_shrinks_is_not_read_again, traces);
	ADD_CASES(tcase, reads_the_same_again, traces);
	tcase_add_test(tcase, holds_before_the_first_read);
	ADD_CASES(tcase, reports_what_fails, faults);
	return unit_main(suite);
}
