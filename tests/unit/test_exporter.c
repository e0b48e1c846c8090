/* test_exporter.c - exports of traces, and how their failures are returned */

#include "helpers/exports.h"
#include "private/export.h"
#include "private/select.h"

enum { FORMATS = 11, TABLES = 5, PARQUET = 8 };

/* Calls in calls, some of which begin before or end after the events; two
 * threads, and two methods of one name. */
static const char *const events_text =
    "1-B5/10 1+A10/20 2+C0/25 1+B12/30 1+H14/35 1-A20/40 2-C3/50 1+F60/60"
    " 2+E9/70 1*F80/90";

/* One in a thread of the trace, one in none, one after the trace. */
static const struct dmt_export_instant instants[] = {
	{ 1000012000, 1, { "in", 2 }, { "detail", 6 } },
	{ 1000012000, 99, { "out", 3 }, { "", 0 } },
	{ 2000000000, 1, { "late", 4 }, { "", 0 } },
};

static enum dmtrace_status
export_events(const struct dmtrace_export_format *format,
    const struct dmt_exporter_options *options, struct dmt_output *sink,
    unsigned traces, struct dmtrace_export_counts *counts,
    enum fault kind, unsigned nth)
{
	struct dmtrace_key *const key = key_of_methods();
	struct dmtrace_event events[64];
	const size_t count = events_of(events, events_text);
	enum dmtrace_status status = DMTRACE_OK;

	if (nth > 0)
		fault_arm(kind, nth);
	struct dmt_exporter *const exporter =
	    dmt_exporter_new(format, options, sink);
	if (exporter == NULL)
		status = DMTRACE_ERR_MEMORY;
	for (; traces > 0 && status == DMTRACE_OK; traces--) {
		struct dmtrace_source *const source = array_source_new(key,
		    layout_of_times(events, count), events, count, 3);

		if (format->instants)
			dmt_exporter_set_instants(exporter, instants, 3,
			    1000000000);
		status = source == NULL ? DMTRACE_ERR_MEMORY :
		    dmt_exporter_add(exporter, source, "a.trace");
		dmtrace_source_free(source);
	}
	if (status == DMTRACE_OK)
		status = dmt_exporter_finish(exporter, counts);
	const enum dmtrace_status closed = dmt_output_close(sink);
	dmt_exporter_free(exporter);
	dmt_key_free(key);
	return status != DMTRACE_OK ? status : closed;
}

static enum dmtrace_status
export_to(FILE *file, int format, unsigned traces,
    struct dmtrace_export_counts *counts, enum fault kind, unsigned nth)
{
	struct dmt_output sink = sink_to(file);
	const enum dmtrace_status status = export_events(
	    dmtrace_export_format_get((size_t)format), NULL, &sink, traces,
	    counts, kind, nth);

	dmt_output_fini(&sink);
	return status;
}

START_TEST(every_format_has_a_name_and_a_program)
{
	const struct dmtrace_export_format *const format =
	    dmtrace_export_format_get((size_t)_i);

	ck_assert_ptr_nonnull(format);
	ck_assert_uint_gt(strlen(format->name), 0);
	ck_assert_uint_gt(strlen(format->viewers), 0);
	ck_assert_uint_gt(strlen(format->open), 0);
	ck_assert_ptr_null(dmtrace_export_format_get(FORMATS));
}
END_TEST

START_TEST(exports_are_reproducible)
{
	FILE *const one = tmpfile(), *const two = tmpfile();

	ck_assert_int_eq(export_to(one, _i, 2, NULL, FAULT_ALLOC, 0),
	    DMTRACE_OK);
	ck_assert_int_eq(export_to(two, _i, 2, NULL, FAULT_ALLOC, 0),
	    DMTRACE_OK);
	fseek(one, 0, SEEK_END);
	fseek(two, 0, SEEK_END);
	const long len = ftell(one);
	ck_assert_int_gt(len, 0);
	ck_assert_int_eq(len, ftell(two));
	char *const first = text_of(one), *const second = text_of(two);
	ck_assert_mem_eq(first, second, (size_t)len);
	free(first);
	free(second);
}
END_TEST

START_TEST(no_memory_is_a_status)
{
	struct failing failing = { .kind = FAULT_ALLOC };

	do {
		FILE *const file = tmpfile();

		failing.nth++;
		failing_reported(&failing, export_to(file, _i, 2, NULL,
		    failing.kind, failing.nth));
		fclose(file);
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 5);
}
END_TEST

START_TEST(no_memory_for_a_table_is_a_status)
{
	const struct dmtrace_export_label label = { "build", "12" };
	const struct dmt_exporter_options options = {
		.rows = (enum dmtrace_export_rows)_i, .per_thread = 1,
		.labels = &label, .label_count = 1
	};
	struct failing failing = { .kind = FAULT_ALLOC };

	do {
		FILE *const file = tmpfile();
		struct dmt_output sink = sink_to(file);

		failing.nth++;
		failing_reported(&failing, export_events(
		    dmtrace_export_format_get(PARQUET), &options, &sink, 2,
		    NULL, failing.kind, failing.nth));
		dmt_output_fini(&sink);
		fclose(file);
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 5);
}
END_TEST

START_TEST(refuses_a_label_with_the_name_of_a_column)
{
	const struct dmtrace_export_label labels[] = {
		{ "build", "12" }, { "Thread", "x" }
	};
	const struct dmt_exporter_options options = {
		.labels = labels, .label_count = 2
	};

	for (size_t i = 0; i < FORMATS; i++) {
		const struct dmtrace_export_format *const format =
		    dmtrace_export_format_get(i);
		FILE *const file = tmpfile();
		struct dmt_output sink = sink_to(file);

		ck_assert_int_eq(export_events(format, &options, &sink, 1,
		    NULL, FAULT_ALLOC, 0), format->labels ?
		    DMTRACE_ERR_RANGE : DMTRACE_OK);
		dmt_output_fini(&sink);
		fclose(file);
	}
}
END_TEST

struct progress {
	uint64_t done, total;
	bool fine;
};

static int
check_progress(void *context, uint64_t done, uint64_t total)
{
	struct progress *const progress = context;

	progress->fine &= done >= progress->done && done <= total &&
	    (progress->total == 0 || total == progress->total);
	progress->done = done;
	progress->total = total;
	return 0;
}

START_TEST(progress_counts_all_passes)
{
	FILE *const file = tmpfile();
	struct dmt_output sink = sink_to(file);
	struct dmtrace_key *const key = key_of_methods();
	struct dmtrace_event events[64];
	const size_t count = events_of(events, events_text);
	struct progress progress = { .fine = true };
	struct dmt_exporter *const exporter = dmt_exporter_new(
	    dmtrace_export_format_get((size_t)_i), NULL, &sink);
	struct dmtrace_source *const source = array_source_new(key,
	    layout_of_times(events, count), events, count, 3);

	dmt_source_set_progress(source, check_progress, &progress);
	ck_assert_int_eq(dmt_exporter_add(exporter, source, "a.trace"),
	    DMTRACE_OK);
	ck_assert(progress.fine);
	ck_assert_uint_gt(progress.total, 0);
	ck_assert_uint_eq(progress.done, progress.total);
	dmtrace_source_free(source);
	dmt_exporter_free(exporter);
	dmt_output_fini(&sink);
	dmt_key_free(key);
	fclose(file);
}
END_TEST

START_TEST(a_failing_write_is_a_status)
{
	struct failing failing = { .kind = FAULT_WRITE };

	do {
		FILE *const file = tmpfile();

		failing.nth++;
		failing_reported(&failing, export_to(file, _i, 1, NULL,
		    failing.kind, failing.nth));
		fclose(file);
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 0);
}
END_TEST

START_TEST(no_trace_is_an_empty_file_of_the_format)
{
	FILE *const file = tmpfile();
	struct dmtrace_export_counts counts = { .events = 7 };

	ck_assert_int_eq(export_to(file, _i, 0, &counts, FAULT_ALLOC, 0),
	    DMTRACE_OK);
	ck_assert_uint_eq(counts.events, 0);
	fclose(file);
}
END_TEST

/* By hand: B was open before thread 1; H is left by the exit of A, as is B;
 * E is open at the end. H is another id of A's names. */
START_TEST(counts_what_is_not_as_in_the_trace)
{
	FILE *const file = tmpfile();
	struct dmtrace_export_counts counts;

	ck_assert_int_eq(export_to(file, 0, 1, &counts, FAULT_ALLOC, 0),
	    DMTRACE_OK);
	ck_assert_uint_eq(counts.events, 10);
	ck_assert_uint_eq(counts.unentered, 1);
	ck_assert_uint_eq(counts.unended, 1);
	ck_assert_uint_eq(counts.unwound, 2);
	ck_assert_uint_eq(counts.strays, 0);
	ck_assert_uint_eq(counts.set_back, 0);
	fclose(file);
}
END_TEST

START_TEST(refuses_a_weight_that_the_format_lacks)
{
	const struct dmt_exporter_options options = {
		.weight = DMTRACE_EXPORT_CALLS
	};
	FILE *const file = tmpfile();
	struct dmt_output sink = sink_to(file);

	ck_assert_int_eq(export_events(dmtrace_export_format_get(0), &options,
	    &sink, 1, NULL, FAULT_ALLOC, 0), DMTRACE_ERR_RANGE);
	dmt_output_fini(&sink);
	fclose(file);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("exporter");
	TCase *tcase = unit_tcase(suite, "exporter");

	tcase_add_loop_test(tcase, every_format_has_a_name_and_a_program, 0,
	    FORMATS);
	tcase_add_loop_test(tcase, exports_are_reproducible, 0, FORMATS);
	tcase_add_loop_test(tcase, no_memory_is_a_status, 0, FORMATS);
	tcase_add_loop_test(tcase, no_memory_for_a_table_is_a_status, 0,
	    TABLES);
	tcase_add_test(tcase, refuses_a_label_with_the_name_of_a_column);
	tcase_add_loop_test(tcase, progress_counts_all_passes, 0, FORMATS);
	tcase_add_loop_test(tcase, a_failing_write_is_a_status, 0, FORMATS);
	tcase_add_loop_test(tcase, no_trace_is_an_empty_file_of_the_format, 0,
	    FORMATS);
	tcase_add_test(tcase, counts_what_is_not_as_in_the_trace);
	tcase_add_test(tcase, refuses_a_weight_that_the_format_lacks);
	return unit_main(suite);
}
