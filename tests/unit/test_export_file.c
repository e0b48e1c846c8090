/* test_export_file.c - traces and profiles exported to files in one call */

#include <dmtrace.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "helpers/cancel.h"
#include "helpers/files.h"
#include "helpers/unit.h"

#define TRACE "*version\n2\nclock=wall\n*threads\n1\tmain\n*methods\n" \
	"0x4\ta\tb\t()V\n0x8\ta\tc\t()V\n*end\n" \
	"SLOW\2\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" \
	"\1\0\4\0\0\0\0\0\0\0" "\1\0\x8\0\0\0\x0a\0\0\0" \
	"\1\0\x9\0\0\0\x1e\0\0\0" "\1\0\5\0\0\0\x28\0\0\0"

static struct dmtrace_op *op;
static struct dmtrace_reader *reader;
static struct dmtrace_source *source;
static const struct dmtrace_file out = { .path = "x.out" };

static void
begin(void)
{
	unlink("x.out");
	op = dmtrace_op_new();
	reader = dmtrace_reader_new();
	ck_assert_int_eq(dmtrace_reader_open_memory(reader, TRACE,
	    sizeof(TRACE) - 1), DMTRACE_OK);
	source = dmtrace_source_new(reader);
}

static void
end(void)
{
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	dmtrace_op_free(op);
}

static void
check_file(const char *expected)
{
	size_t len;
	char *const bytes = file_get("x.out", &len);

	ck_assert_uint_eq(len, strlen(expected));
	ck_assert_int_eq(memcmp(bytes, expected, len), 0);
	free(bytes);
}

/* The names of columns are in the schema, in the last bytes of the file. */
static bool
file_has(const char *text)
{
	const size_t wanted = strlen(text);
	size_t len;
	char *const bytes = file_get("x.out", &len);
	bool found = false;

	for (size_t i = 0; i + wanted <= len && !found; i++)
		found = memcmp(bytes + i, text, wanted) == 0;
	free(bytes);
	return found;
}

START_TEST(exports_tables_with_labels)
{
	static const char *const columns[] = {
		"recursive", "action", "inclusive_cpu_ns", "line", "events"
	};
	const struct dmtrace_export_label label = { "build", "b1234" };
	const struct dmtrace_export_options options = {
		.format = "parquet",
		.rows = (enum dmtrace_export_rows)_i,
		.labels = &label, .label_count = 1
	};

	ck_assert_int_eq(dmtrace_export(op, source, &out, &options, NULL),
	    DMTRACE_OK);
	ck_assert(file_has(columns[_i]));
	ck_assert(file_has("build") && file_has("b1234"));
}
END_TEST

static const struct dmtrace_export_label unfit_label = { "name", "x" };
static const struct {
	struct dmtrace_export_options options;
	const char *message;
} unfit[] = {
	{ { .format = "chrome", .rows = DMTRACE_ROWS_EVENTS },
	    "the format \"chrome\" has no table of such rows" },
	{ { .format = "parquet", .rows = (enum dmtrace_export_rows)5 },
	    "the format \"parquet\" has no table of such rows" },
	{ { .format = "chrome", .labels = &unfit_label, .label_count = 1 },
	    "the format \"chrome\" has no labels" },
	{ { .format = "parquet", .labels = &unfit_label, .label_count = 1 },
	    "name" },
};

START_TEST(refuses_rows_and_labels_that_a_format_lacks)
{
	ck_assert_int_eq(dmtrace_export(op, source, &out, &unfit[_i].options,
	    NULL), DMTRACE_ERR_RANGE);
	ck_assert_ptr_nonnull(strstr(dmtrace_op_error(op)->message,
	    unfit[_i].message));
	ck_assert_int_ne(access("x.out", F_OK), 0);
}
END_TEST

/* b: 40 us, of which 20 in c. */
START_TEST(exports_paths)
{
	const struct dmtrace_export_options options = {
		.format = "collapsed", .per_thread = 1
	};
	struct dmtrace_export_counts counts;

	ck_assert_int_eq(dmtrace_export(op, source, &out, &options, &counts),
	    DMTRACE_OK);
	check_file("main (1);a.b 20000\nmain (1);a.b;a.c 20000\n");
	ck_assert_uint_eq(counts.unentered, 0);
}
END_TEST

START_TEST(exports_selected_events)
{
	const struct dmtrace_select_options select = {
		.methods = (const char *[]){ "a.c", NULL }
	};
	const struct dmtrace_export_options options = {
		.format = "collapsed"
	};

	source = dmtrace_select(source, &select);
	ck_assert_int_eq(dmtrace_export(op, source, &out, &options, NULL),
	    DMTRACE_OK);
	check_file("a.c 20000\n");
}
END_TEST

static const struct {
	struct dmtrace_export_options options;
	enum dmtrace_status status;
	const char *message;
} refused[] = {
	{ { .format = "gif" }, DMTRACE_ERR_RANGE, "\"gif\"" },
	{ { .format = "collapsed", .weight = DMTRACE_EXPORT_CPU },
	    DMTRACE_ERR_RANGE, "no CPU time" },
	{ { .format = "chrome", .weight = DMTRACE_EXPORT_CALLS },
	    DMTRACE_ERR_RANGE, "weight" },
};

START_TEST(refuses_what_cannot_be_exported)
{
	ck_assert_int_eq(dmtrace_export(op, source, &out,
	    &refused[_i].options, NULL), refused[_i].status);
	ck_assert_ptr_nonnull(strstr(dmtrace_op_error(op)->message,
	    refused[_i].message));
	ck_assert_int_eq(access("x.out", F_OK), -1);
}
END_TEST

START_TEST(a_selection_that_is_malformed_fails_at_the_first_event)
{
	const struct dmtrace_select_options select = {
		.from_ns = 5, .to_ns = 5
	};
	struct dmtrace_event event;

	source = dmtrace_select(source, &select);
	ck_assert_int_eq(dmtrace_source_next(source, &event),
	    DMTRACE_ERR_RANGE);
	ck_assert_str_ne(dmtrace_source_error(source)->message, "");
	ck_assert_int_eq(dmtrace_export(op, source, &out, NULL, NULL),
	    DMTRACE_ERR_RANGE);
	ck_assert_int_eq(access("x.out", F_OK), -1);
}
END_TEST

START_TEST(can_be_cancelled)
{
	unsigned calls = 1;

	dmtrace_op_set_progress(op, cancel_after, &calls);
	ck_assert_int_eq(dmtrace_export(op, source, &out, NULL, NULL),
	    DMTRACE_ERR_CANCELLED);
	ck_assert_uint_eq(calls, 0);
	ck_assert_int_eq(access("x.out", F_OK), -1);
}
END_TEST

/* How each form of a profile begins. */
static const struct {
	enum dmtrace_profile_format format;
	unsigned keep;
	const char *begins;
} forms[] = {
	{ DMTRACE_PROFILE_HTML, DMTRACE_PROFILE_TREE, "<!DOCTYPE html>" },
	{ DMTRACE_PROFILE_DOT, DMTRACE_PROFILE_EDGES, "digraph" },
	{ DMTRACE_PROFILE_FLAME, DMTRACE_PROFILE_TREE, "<?xml" },
};

static enum dmtrace_status
export_form(enum dmtrace_profile_format format, unsigned keep,
    enum dmtrace_clock clock)
{
	const struct dmtrace_profile_options kept = { .keep = keep };
	const struct dmtrace_export_profile_options options = {
		.format = format, .clock = clock
	};
	struct dmtrace_profile *const profile = dmtrace_profile_new(&kept);

	ck_assert_int_eq(dmtrace_profile_add(profile, source), DMTRACE_OK);
	const enum dmtrace_status status =
	    dmtrace_export_profile(op, profile, &out, &options);
	dmtrace_profile_free(profile);
	return status;
}

START_TEST(exports_profiles)
{
	size_t len;

	ck_assert_int_eq(export_form(forms[_i].format, forms[_i].keep,
	    DMTRACE_CLOCK_MISSING), DMTRACE_OK);
	char *const bytes = file_get("x.out", &len);
	ck_assert_int_eq(strncmp(bytes, forms[_i].begins,
	    strlen(forms[_i].begins)), 0);
	free(bytes);
}
END_TEST

START_TEST(refuses_a_profile_that_keeps_too_little)
{
	ck_assert_int_eq(export_form(forms[_i].format, 0,
	    DMTRACE_CLOCK_MISSING), DMTRACE_ERR_STATE);
	ck_assert_int_eq(access("x.out", F_OK), -1);
}
END_TEST

START_TEST(refuses_a_time_that_is_not_there)
{
	ck_assert_int_eq(export_form(forms[_i].format, forms[_i].keep,
	    DMTRACE_CLOCK_THREAD_CPU), DMTRACE_ERR_RANGE);
	ck_assert_int_eq(access("x.out", F_OK), -1);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("export_file");
	TCase *const tcase = unit_tcase(suite, "export_file");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_loop_test(tcase, exports_tables_with_labels, 0, 5);
	ADD_CASES(tcase, refuses_rows_and_labels_that_a_format_lacks, unfit);
	tcase_add_test(tcase, exports_paths);
	tcase_add_test(tcase, exports_selected_events);
	ADD_CASES(tcase, refuses_what_cannot_be_exported, refused);
	tcase_add_test(tcase,
	    a_selection_that_is_malformed_fails_at_the_first_event);
	tcase_add_test(tcase, can_be_cancelled);
	ADD_CASES(tcase, exports_profiles, forms);
	ADD_CASES(tcase, refuses_a_profile_that_keeps_too_little, forms);
	ADD_CASES(tcase, refuses_a_time_that_is_not_there, forms);
	return unit_main(suite);
}
