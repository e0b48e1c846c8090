/* export.c - exports and imports that are misused */

#include "misuse.h"

#include <math.h>

static const struct dmtrace_file file = { .path = "x.trace" };
static const struct dmtrace_file out = { .path = "out" };

static int
export_with(const struct dmtrace_export_options *options)
{
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	make_trace(file.path);
	OK(dmtrace_reader_open_path(reader, file.path));
	struct dmtrace_source *const source = dmtrace_source_new(reader);
	const int status = dmtrace_export(op, source, &out, options, NULL);
	HOLDS(exists(out.path) == (status == DMTRACE_OK));
	HOLDS(file_count() == 1 + (status == DMTRACE_OK));
	unlink(out.path);
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	dmtrace_op_free(op);
	return status;
}

static void
choices_that_a_format_lacks_are_refused(void)
{
	static const struct dmtrace_export_label bad[] = {
		{ NULL, NULL }, { "", "" }, { "a", NULL }, { NULL, "b" }
	};
	static const struct dmtrace_export_options rows[] = {
		{ .format = "nosuch" }, { .format = "" },
		{ .format = "CHROME" }, { .format = "chrome\n" },
		{ .format = "collapsed",
		    .weight = (enum dmtrace_export_weight)3 },
		{ .format = "collapsed",
		    .weight = (enum dmtrace_export_weight)-1 },
		{ .format = "collapsed", .weight = DMTRACE_EXPORT_CPU },
		{ .rows = (enum dmtrace_export_rows)99 },
		{ .format = "parquet", .rows = (enum dmtrace_export_rows)-1 },
		{ .format = "collapsed", .labels = bad, .label_count = 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		IS(export_with(&rows[i]), DMTRACE_ERR_RANGE);
	for (size_t i = 0; i < 4; i++)
		HOLDS(export_with(&(struct dmtrace_export_options){
		    .format = "parquet", .labels = &bad[i],
		    .label_count = 1 }) != DMTRACE_OK);
	HOLDS(export_with(&(struct dmtrace_export_options){
	    .format = "parquet", .label_count = 5 }) != DMTRACE_OK);
}

/* Names of any bytes, in every format. */
static void
a_name_of_a_trace_may_be_any_bytes(void)
{
	const struct dmtrace_export_format *format;
	char *const name = letters(100000);

	for (size_t i = 0; (format = dmtrace_export_format_get(i)) != NULL;
	    i++) {
		OK(export_with(&(struct dmtrace_export_options){
		    .format = format->name, .name = "</script>\n\"\xff\\" }));
		OK(export_with(&(struct dmtrace_export_options){
		    .format = format->name, .name = name }));
		OK(export_with(&(struct dmtrace_export_options){
		    .format = format->name, .name = "" }));
	}
	HOLDS(dmtrace_export_format_get(SIZE_MAX) == NULL);
	free(name);
}

static int
export_profile_with(unsigned keep,
    const struct dmtrace_export_profile_options *options, int is_empty)
{
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_profile *const profile = dmtrace_profile_new(
	    &(struct dmtrace_profile_options){ .keep = keep });

	make_trace(file.path);
	OK(dmtrace_reader_open_path(reader, file.path));
	struct dmtrace_source *const source = dmtrace_source_new(reader);
	if (!is_empty)
		OK(dmtrace_profile_add(profile, source));
	const int status = dmtrace_export_profile(op, profile, &out, options);
	HOLDS(exists(out.path) == (status == DMTRACE_OK));
	unlink(out.path);
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	dmtrace_profile_free(profile);
	dmtrace_op_free(op);
	return status;
}

static void
profiles_without_what_a_format_needs_are_refused(void)
{
	for (int format = DMTRACE_PROFILE_HTML;
	    format <= DMTRACE_PROFILE_FLAME; format++) {
		const struct dmtrace_export_profile_options options = {
			.format = (enum dmtrace_profile_format)format
		};
		const struct dmtrace_export_profile_options threads = {
			.format = (enum dmtrace_profile_format)format,
			.per_thread = 1
		};

		IS(export_profile_with(0, &options, 0), DMTRACE_ERR_STATE);
		IS(export_profile_with(7, &options, 1), DMTRACE_ERR_STATE);
		HOLDS(export_profile_with(7, &threads, 0) != DMTRACE_OK);
		OK(export_profile_with(15, &options, 0));
	}
}

static void
numbers_of_a_profile_may_be_any(void)
{
	static const double thresholds[] = { -1, -1e300, 1e300, 100, 101 };
	static const struct dmtrace_export_profile_options rows[] = {
		{ .format = (enum dmtrace_profile_format)3 },
		{ .format = (enum dmtrace_profile_format)-1 },
		{ .clock = DMTRACE_CLOCK_THREAD_CPU },
		{ .clock = (enum dmtrace_clock)99 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		IS(export_profile_with(15, &rows[i], 0), DMTRACE_ERR_RANGE);
	for (size_t i = 0; i < 7; i++) {
		const struct dmtrace_export_profile_options options = {
			.format = DMTRACE_PROFILE_DOT,
			.threshold = i < 5 ? thresholds[i] : i == 5 ? NAN :
			    INFINITY
		};
		const int status = export_profile_with(15, &options, 0);

		HOLDS(status == DMTRACE_OK || status == DMTRACE_ERR_RANGE);
	}
}

static void
an_import_without_its_options_is_refused(void)
{
	static const struct dmtrace_import_options rows[] = {
		{ .format = DMTRACE_IMPORT_LINES },
		{ .format = DMTRACE_IMPORT_LINES, .lines = "(" },
		{ .format = DMTRACE_IMPORT_LINES, .lines = "(.*)" },
		{ .format = DMTRACE_IMPORT_LINES, .lines = "(.*)",
		    .fields = "" },
		{ .format = DMTRACE_IMPORT_LINES, .lines = "(.*)",
		    .fields = "nosuch" },
		{ .format = DMTRACE_IMPORT_LINES, .lines = "(.*)",
		    .fields = "time,time,time" },
		{ .format = DMTRACE_IMPORT_CSV, .lines = "(.*)" },
		{ .format = (enum dmtrace_import_format)-1 },
		{ .dialect = (enum dmtrace_dialect)99 },
		{ .dialect = (enum dmtrace_dialect)-1 },
	};
	const struct dmtrace_file in = { .path = "in" };
	struct dmtrace_op *const op = dmtrace_op_new();

	write_text("in", "[{\"ph\":\"B\",\"ts\":1,\"name\":\"a\"}]\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		IS(dmtrace_import(op, &in, &out, &rows[i], NULL),
		    DMTRACE_ERR_RANGE);
		HOLDS(file_count() == 1);
	}
	dmtrace_op_free(op);
}

/* An import over its own input. */
static void
an_import_over_its_input_is_whole_or_refused(void)
{
	const struct dmtrace_file in = { .path = "in" };
	struct dmtrace_op *const op = dmtrace_op_new();

	write_text("in", "[{\"ph\":\"X\",\"ts\":1,\"dur\":5,\"pid\":1,"
	    "\"tid\":1,\"name\":\"a\"}]\n");
	if (dmtrace_import(op, &in, &in, NULL, NULL) == DMTRACE_OK)
		HOLDS(events_of("in") == 2);
	HOLDS(file_count() == 1);
	IS(dmtrace_import(op, &(struct dmtrace_file){ .path = "." }, &out,
	    NULL, NULL), DMTRACE_ERR_IO);
	dmtrace_op_free(op);
}

static const struct misuse cases[] = {
	CASE(choices_that_a_format_lacks_are_refused),
	CASE(a_name_of_a_trace_may_be_any_bytes),
	CASE(profiles_without_what_a_format_needs_are_refused),
	CASE(numbers_of_a_profile_may_be_any),
	CASE(an_import_without_its_options_is_refused),
	CASE(an_import_over_its_input_is_whole_or_refused)
};

MISUSE_MAIN(cases)
