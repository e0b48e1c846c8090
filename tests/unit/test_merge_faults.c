/* test_merge_faults.c - merges of many and of large traces, and failures */

#include <dmtrace.h>
#include <inttypes.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

#include "helpers/cancel.h"
#include "helpers/failing.h"
#include "helpers/files.h"
#include "helpers/reported.h"
#include "helpers/traces.h"
#include "helpers/unit.h"
#include "private/key.h"
#include "private/trace.h"

#define MANY 2000
#define RECORDS 20000			/* more than an input holds */

static const struct dmtrace_file out = { .path = "out" };

/* A trace of version 2 with count events of thread 1: its i-th is at first +
 * i * step us, of method 4, or 8 if odd is set. */
static void
put_trace(const char *name, uint64_t first, uint64_t step, uint64_t count,
    bool odd)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmtrace_key *const key = dmtrace_writer_key(writer);
	const struct dmtrace_method method = {
		.id = odd ? 8 : 4, .name = { odd ? "b" : "a", 1 },
		.line = DMTRACE_NO_LINE
	};

	dmt_writer_set_layout(writer,
	    dmt_layout_find(2, DMTRACE_CLOCK_WALL));
	dmtrace_key_thread_add(key, &(struct dmtrace_thread){
	    1, { "main", 4 } });
	dmtrace_key_method_add(key, &method);
	ck_assert_int_eq(dmtrace_writer_open_path(writer, name), DMTRACE_OK);
	for (uint64_t i = 0; i < count; i++)
		dmtrace_writer_write(writer, &(struct dmtrace_event){
		    .method = method.id, .thread = 1,
		    .cpu_ns = DMTRACE_NO_TIME,
		    .wall_ns = (first + i * step) * 1000,
		    .action = i % 2 == 0 ? DMTRACE_ENTER : DMTRACE_EXIT }, 1);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	dmtrace_writer_free(writer);
}

static enum dmtrace_status
merge(const struct dmtrace_merge_input *inputs, size_t count,
    unsigned version)
{
	struct dmtrace_merge_options options = { 0 };

	options.dialect = (enum dmtrace_dialect)version;
	options.flags = DMTRACE_SYNC;
	return dmtrace_merge(op, inputs, count, &out, &options, NULL);
}

/* The times of out rise, each thread's by its step; how many there are. */
static uint64_t
check_times(uint64_t step)
{
	static uint64_t last[65536];
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event event;
	uint64_t before = 0, count = 0;

	memset(last, 0, sizeof(last));
	ck_assert_int_eq(dmtrace_reader_open_path(reader, "out"),
	    DMTRACE_OK);
	for (; dmtrace_reader_next(reader, &event) == DMTRACE_OK; count++) {
		ck_assert_uint_ge(event.wall_ns, before);
		before = event.wall_ns;
		if (last[event.thread] != 0)
			ck_assert_uint_eq(event.wall_ns -
			    last[event.thread], step * 1000);
		last[event.thread] = event.wall_ns;
	}
	dmtrace_reader_free(reader);
	return count;
}

static const struct dmtrace_merge_input two[] = {
	{ .file = { .path = "a" } }, { .file = { .path = "b" } },
};

static const struct {
	const char *label;
	uint64_t first[2];
	uint64_t step;
	uint64_t count[2];
} shapes[] = {
	{ "side by side", { 1, 2 }, 3, { RECORDS, RECORDS } },
	{ "one after the other", { 1, 100000 }, 4, { RECORDS, RECORDS } },
	{ "far apart", { 1, 50 }, 100000, { RECORDS, RECORDS } },
	{ "of very different size", { 1, 2 }, 5, { RECORDS, 7 } },
	{ "one of them empty", { 1, 2 }, 5, { RECORDS, 0 } },
	{ "all at one moment", { 77, 77 }, 0, { RECORDS, RECORDS } },
};

START_TEST(merges_more_than_fits_in_memory)
{
	put_trace("a", shapes[_i].first[0], shapes[_i].step,
	    shapes[_i].count[0], false);
	put_trace("b", shapes[_i].first[1], shapes[_i].step,
	    shapes[_i].count[1], true);
	ck_assert_int_eq(merge(two, 2, 0), DMTRACE_OK);
	ck_assert_uint_eq(check_times(shapes[_i].step),
	    shapes[_i].count[0] + shapes[_i].count[1]);
}
END_TEST

/* Few of them may be open at a time. The i-th has two events. */
START_TEST(merges_2000_traces)
{
	struct dmtrace_merge_input *const inputs =
	    calloc(MANY, sizeof(*inputs));
	char (*const names)[8] = calloc(MANY, sizeof(*names));
	struct rlimit limit;

	for (size_t i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]), "%zu", i);
		put_trace(names[i], 1 + i % 7, MANY + i, 2, i % 2 != 0);
		inputs[i].file.path = names[i];
	}
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	limit.rlim_cur = 40;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	ck_assert_int_eq(merge(inputs, MANY, 0), DMTRACE_OK);

	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event event;
	uint64_t before = 0, count = 0;

	ck_assert_int_eq(dmtrace_reader_open_path(reader, "out"),
	    DMTRACE_OK);
	ck_assert_uint_eq(dmtrace_key_thread_count(
	    dmtrace_reader_key(reader)), MANY);
	ck_assert_uint_eq(dmtrace_key_method_count(
	    dmtrace_reader_key(reader)), 2);
	for (; dmtrace_reader_next(reader, &event) == DMTRACE_OK; count++) {
		const uint64_t i = event.thread - 1;

		ck_assert_uint_ge(event.wall_ns, before);
		before = event.wall_ns;
		ck_assert_uint_eq(event.wall_ns / 1000, 1 + i % 7 +
		    (event.action == DMTRACE_ENTER ? 0 : MANY + i));
		ck_assert_uint_eq(event.method, i % 2 == 0 ? 4 : 8);
	}
	ck_assert_uint_eq(count, 2 * MANY);
	dmtrace_reader_free(reader);
	free(inputs);
	free(names);
}
END_TEST

/* 65,536 threads of which 65,535 have a number to get. */
START_TEST(refuses_more_threads_than_numbers)
{
	struct dmtrace_key *const key = dmt_key_new();
	FILE *const file = fopen("a", "w");

	fputs("*version\n2\nclock=wall\n*threads\n", file);
	for (unsigned i = 1; i <= 65535; i++)
		fprintf(file, "%u\tt\n", i);
	fputs("*methods\n*end\n", file);
	fwrite(HEADER_2, 1, sizeof(HEADER_2) - 1, file);
	fclose(file);
	dmt_key_free(key);
	put_trace("b", 1, 1, 2, false);
	ck_assert_int_eq(merge(two, 1, 0), DMTRACE_OK);
	unlink("out");
	ck_assert_int_eq(merge(two, 2, 0), DMTRACE_ERR_RANGE);
	ck_assert_ptr_nonnull(strstr(dmtrace_op_error(op)->message,
	    "more than 65535 threads"));
	ck_assert_uint_eq(file_count("."), 2);
}
END_TEST

START_TEST(whatever_fails_leaves_all_or_nothing)
{
	struct failing failing = {
		.kind = all_faults[_i], .harmless = FAULT_CLOSE
	};
	size_t len;

	put_trace("a", 1, 3, 3000, false);
	put_trace("b", 2, 3, 3000, true);
	ck_assert_int_eq(merge(two, 2, 0), DMTRACE_OK);
	char *const bytes = file_get("out", &len);
	do {
		unlink("out");
		failing_arm(&failing);
		const enum dmtrace_status status = merge(two, 2, 0);
		if (failing_reported(&failing, status)) {
			ck_assert_int_eq(dmtrace_op_error(op)->status, status);
			ck_assert_uint_eq(file_count("."), 2);
		} else {
			assert_file("out", bytes, len);
		}
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 0);
	free(bytes);
}
END_TEST

START_TEST(short_and_interrupted_reads_change_nothing)
{
	static const size_t lens[] = { 1, 2, 3, 7 };
	size_t len;

	put_trace("a", 1, 3, 300, false);
	put_trace("b", 2, 3, 300, true);
	ck_assert_int_eq(merge(two, 2, 0), DMTRACE_OK);
	char *const bytes = file_get("out", &len);
	for (size_t i = 0; i < ROWS(lens); i++) {
		fault_interrupt(lens[i]);
		ck_assert_int_eq(merge(two, 2, 0), DMTRACE_OK);
		fault_disarm();
		assert_file("out", bytes, len);
	}
	free(bytes);
}
END_TEST

START_TEST(a_progress_that_cancels_leaves_no_output)
{
	unsigned calls = 2;

	put_trace("a", 1, 3, RECORDS, false);
	put_trace("b", 2, 3, RECORDS, true);
	dmtrace_op_set_progress(op, cancel_after, &calls);
	ck_assert_int_eq(merge(two, 2, 0), DMTRACE_ERR_CANCELLED);
	ck_assert_uint_eq(calls, 0);
	ck_assert_uint_eq(file_count("."), 2);
}
END_TEST

/* Another file of that name, put there while the merge is under way. */
static int
swap(void *context, uint64_t done, uint64_t total)
{
	bool *const swapped = context;

	(void)done;
	(void)total;
	if (!*swapped)
		rename("c", "b");
	*swapped = true;
	return 0;
}

START_TEST(a_file_that_is_another_now_is_refused)
{
	bool swapped = false;

	put_trace("a", 1, 3, 10, false);
	put_trace("b", 2, 3, 10, true);
	put_trace("c", 2, 3, 10, true);
	dmtrace_op_set_progress(op, swap, &swapped);
	ck_assert_int_eq(merge(two, 2, 0), DMTRACE_ERR_IO);
	ck_assert_str_eq(dmtrace_op_error_file(op)->path, "b");
	ck_assert_uint_eq(file_count("."), 2);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("merge_faults");
	TCase *const tcase = unit_tcase(suite, "merge_faults");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, reported_begin, op_end);
	ADD_CASES(tcase, merges_more_than_fits_in_memory, shapes);
	tcase_add_test(tcase, merges_2000_traces);
	tcase_add_test(tcase, refuses_more_threads_than_numbers);
	ADD_CASES(tcase, whatever_fails_leaves_all_or_nothing, all_faults);
	tcase_add_test(tcase, short_and_interrupted_reads_change_nothing);
	tcase_add_test(tcase, a_progress_that_cancels_leaves_no_output);
	tcase_add_test(tcase, a_file_that_is_another_now_is_refused);
	return unit_main(suite);
}
