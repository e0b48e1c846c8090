/* test_misuse.c - calls with NULL, out of order, or with unknown indexes */

#include <dmtrace.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "helpers/unit.h"

/*
 * Every function of the library is called with NULL, at least for its object
 * (check_symbols.sh looks for the names here). One row a call: it returns
 * DMTRACE_ERR_STATE, or nothing there is.
 */
#define REFUSES(call) ck_assert_int_eq(call, DMTRACE_ERR_STATE)
#define NOTHING(call) ck_assert_ptr_null(call)
#define ZERO(call) ck_assert_uint_eq((uint64_t)(call), 0)
#define NULL_ERROR(call) ck_assert_int_eq((call)->status, DMTRACE_ERR_STATE)

/* The call is refused, and the error of its object names it. */
#define NAMED(object_error, function, arguments) do { \
	REFUSES(function arguments); \
	ck_assert_ptr_nonnull(strstr((object_error)->message, #function)); \
} while (0)

static const struct dmtrace_file file = { .path = "misuse.trace" };
static const struct dmtrace_file none = { .path = "misuse.none" };

static const char trace[] = "*version\n2\nclock=wall\n*threads\n1\tmain\n"
    "*methods\n0x4\ta\tb\t()V\n*end\n"
    "SLOW\2\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
    "\1\0\4\0\0\0\0\0\0\0";

static struct dmtrace_reader *
open_reader(void)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	ck_assert_int_eq(dmtrace_reader_open_memory(reader, trace,
	    sizeof(trace) - 1), DMTRACE_OK);
	return reader;
}

START_TEST(readers_refuse_null)
{
	struct dmtrace_reader_info info;
	struct dmtrace_event event;
	size_t count = 77;

	dmtrace_reader_free(NULL);
	NULL_ERROR(dmtrace_reader_error(NULL));
	REFUSES(dmtrace_reader_set_limit(NULL, DMTRACE_LIMIT_KEY, 1));
	REFUSES(dmtrace_reader_set_report(NULL, NULL, NULL));
	REFUSES(dmtrace_reader_open_path(NULL, "x"));
	REFUSES(dmtrace_reader_open_pair(NULL, "x", "y"));
	REFUSES(dmtrace_reader_open_fd(NULL, 0));
	REFUSES(dmtrace_reader_open_memory(NULL, "", 0));
	REFUSES(dmtrace_reader_open_input(NULL, NULL));
	REFUSES(dmtrace_reader_info_get(NULL, &info));
	REFUSES(dmtrace_reader_next(NULL, &event));
	REFUSES(dmtrace_reader_read(NULL, &event, 1, &count));
	ZERO(count);
	NOTHING(dmtrace_reader_key(NULL));
	NOTHING(dmtrace_reader_thread_name(NULL, 1));
	NOTHING(dmtrace_reader_method_name(NULL, 4));
	NOTHING(dmtrace_reader_finding_get(NULL, 0));
}
END_TEST

START_TEST(writers_refuse_null)
{
	size_t len;

	dmtrace_writer_free(NULL);
	NULL_ERROR(dmtrace_writer_error(NULL));
	REFUSES(dmtrace_writer_set_layout(NULL, 3, DMTRACE_CLOCK_DUAL));
	REFUSES(dmtrace_writer_set_dialect(NULL, DMTRACE_DIALECT_V3,
	    DMTRACE_STAGE_ANY, DMTRACE_CLOCK_MISSING));
	REFUSES(dmtrace_writer_set_start(NULL, 1));
	REFUSES(dmtrace_writer_set_sync(NULL, 1));
	REFUSES(dmtrace_writer_set_strict(NULL, 1));
	ck_assert_uint_eq(dmtrace_writer_rounded(NULL), 0);
	REFUSES(dmtrace_writer_set_like(NULL, NULL));
	NOTHING(dmtrace_writer_key(NULL));
	REFUSES(dmtrace_writer_add_thread(NULL, 1, "a"));
	REFUSES(dmtrace_writer_add_method(NULL, 4, "a", "b"));
	REFUSES(dmtrace_writer_open_path(NULL, "x"));
	REFUSES(dmtrace_writer_open_fd(NULL, 0));
	REFUSES(dmtrace_writer_open_memory(NULL));
	REFUSES(dmtrace_writer_open_output(NULL, NULL));
	REFUSES(dmtrace_writer_complete(NULL));
	REFUSES(dmtrace_writer_write(NULL, NULL, 0));
	REFUSES(dmtrace_writer_enter(NULL, 1, 4, 0));
	REFUSES(dmtrace_writer_exit(NULL, 1, 4, 0));
	REFUSES(dmtrace_writer_close(NULL));
	NOTHING(dmtrace_writer_memory(NULL, &len));
	NOTHING(dmtrace_writer_memory(NULL, NULL));
}
END_TEST

START_TEST(keys_refuse_null)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmtrace_key *const key = dmtrace_writer_key(writer);

	ZERO(dmtrace_key_option_count(NULL));
	ZERO(dmtrace_key_thread_count(NULL));
	ZERO(dmtrace_key_method_count(NULL));
	NOTHING(dmtrace_key_option_get(NULL, 0));
	NOTHING(dmtrace_key_thread_get(NULL, 0));
	NOTHING(dmtrace_key_method_get(NULL, 0));
	NOTHING(dmtrace_key_option_get(key, 99));
	NOTHING(dmtrace_key_thread_get(key, 0));
	NOTHING(dmtrace_key_method_get(key, 0));
	NOTHING(dmtrace_key_option_find(NULL, "vm"));
	NOTHING(dmtrace_key_option_find(key, NULL));
	NOTHING(dmtrace_key_thread_find(NULL, 1));
	NOTHING(dmtrace_key_method_find(NULL, 4));
	REFUSES(dmtrace_key_option_set(NULL, "vm", "art"));
	REFUSES(dmtrace_key_thread_add(NULL, NULL));
	REFUSES(dmtrace_key_method_add(NULL, NULL));
	REFUSES(dmtrace_key_option_set(key, "vm", NULL));
	REFUSES(dmtrace_writer_complete(writer));
	ck_assert_ptr_nonnull(strstr(dmtrace_writer_error(writer)->message,
	    "dmtrace_key_option_set"));
	dmtrace_writer_free(writer);
}
END_TEST

START_TEST(sources_refuse_null)
{
	struct dmtrace_reader *const reader = open_reader();
	struct dmtrace_source *const source =
	    dmtrace_select(dmtrace_source_new(reader), NULL);
	struct dmtrace_event event;
	struct dmtrace_row row;
	size_t count = 77;

	NOTHING(dmtrace_source_new(NULL));
	NOTHING(dmtrace_select(NULL, NULL));
	dmtrace_source_free(NULL);
	NULL_ERROR(dmtrace_source_error(NULL));
	REFUSES(dmtrace_source_next(NULL, &event));
	REFUSES(dmtrace_source_read(NULL, &row, 1, &count));
	ZERO(count);
	count = 77;
	NAMED(dmtrace_source_error(source), dmtrace_source_read,
	    (source, NULL, 1, &count));
	ZERO(count);
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(operations_refuse_null)
{
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_verdict verdicts[DMTRACE_READERS];
	struct dmtrace_checksum_result checksum;
	struct dmtrace_expected expected;
	struct dmtrace_fix_result fixed;
	struct dmtrace_validity validity;

	dmtrace_op_free(NULL);
	NULL_ERROR(dmtrace_op_error(NULL));
	NOTHING(dmtrace_op_error_file(NULL));
	dmtrace_op_set_report(NULL, NULL, NULL);
	dmtrace_op_set_progress(NULL, NULL, NULL);
	dmtrace_checksum_fini(NULL);

	REFUSES(dmtrace_split(NULL, &file, &none, &none, 0));
	REFUSES(dmtrace_join(NULL, &file, &file, &none, 0));
	REFUSES(dmtrace_generate(NULL, NULL, NULL));
	REFUSES(dmtrace_corrupt(NULL, &file, &none, NULL));
	REFUSES(dmtrace_split_pieces(NULL, NULL, NULL, NULL));
	REFUSES(dmtrace_join_pieces(NULL, NULL, 0, &none, 0, NULL));
	REFUSES(dmtrace_filter(NULL, &file, &none, NULL));
	REFUSES(dmtrace_merge(NULL, NULL, 0, &none, NULL, NULL));
	REFUSES(dmtrace_sort(NULL, NULL, NULL, NULL));
	REFUSES(dmtrace_shift(NULL, NULL, NULL, NULL));
	REFUSES(dmtrace_rename(NULL, NULL, NULL, NULL, NULL));
	REFUSES(dmtrace_convert(NULL, NULL, &none, NULL, NULL));
	REFUSES(dmtrace_checksum(NULL, NULL, NULL, &checksum));
	REFUSES(dmtrace_repair(NULL, &file, &none, NULL, NULL));
	REFUSES(dmtrace_validate(NULL, &file, &validity));
	REFUSES(dmtrace_validate_memory(NULL, "", 0, &validity));
	REFUSES(dmtrace_judge(NULL, &file, verdicts, &validity));
	REFUSES(dmtrace_fix(NULL, &file, &none, NULL, &fixed));
	REFUSES(dmtrace_expect(NULL, NULL, NULL, NULL, NULL, &expected));
	REFUSES(dmtrace_import(NULL, &file, &none, NULL, NULL));
	REFUSES(dmtrace_export(NULL, NULL, &none, NULL, NULL));
	REFUSES(dmtrace_export_profile(NULL, NULL, &none, NULL));

#define OP(function, arguments) \
	NAMED(dmtrace_op_error(op), function, arguments)
	OP(dmtrace_split, (op, NULL, NULL, NULL, 0));
	OP(dmtrace_join, (op, NULL, NULL, NULL, 0));
	OP(dmtrace_generate, (op, NULL, NULL));
	OP(dmtrace_corrupt, (op, NULL, NULL, NULL));
	OP(dmtrace_split_pieces, (op, NULL, NULL, NULL));
	OP(dmtrace_join_pieces, (op, NULL, 1, NULL, 0, NULL));
	OP(dmtrace_filter, (op, NULL, NULL, NULL));
	OP(dmtrace_merge, (op, NULL, 1, NULL, NULL, NULL));
	OP(dmtrace_sort, (op, NULL, NULL, NULL));
	OP(dmtrace_shift, (op, NULL, NULL, NULL));
	OP(dmtrace_rename, (op, NULL, NULL, NULL, NULL));
	OP(dmtrace_convert, (op, NULL, NULL, NULL, NULL));
	OP(dmtrace_checksum, (op, NULL, NULL, NULL));
	OP(dmtrace_repair, (op, NULL, NULL, NULL, NULL));
	OP(dmtrace_validate, (op, NULL, NULL));
	OP(dmtrace_validate_memory, (op, NULL, 1, NULL));
	OP(dmtrace_judge, (op, NULL, NULL, NULL));
	OP(dmtrace_fix, (op, NULL, NULL, NULL, NULL));
	OP(dmtrace_expect, (op, NULL, NULL, NULL, NULL, NULL));
	OP(dmtrace_import, (op, NULL, NULL, NULL, NULL));
	OP(dmtrace_export, (op, NULL, NULL, NULL, NULL));
	OP(dmtrace_export_profile, (op, NULL, NULL, NULL));
	dmtrace_op_free(op);
}
END_TEST

START_TEST(profiles_refuse_null)
{
	struct dmtrace_profile *const profile = dmtrace_profile_new(NULL);
	struct dmtrace_profile_summary summary;
	struct dmtrace_profile_method method;
	struct dmtrace_profile_edge edge;
	struct dmtrace_profile_node node;
	struct dmtrace_profile_calls calls;
	struct dmtrace_profile_thread thread;

	dmtrace_profile_free(NULL);
	NULL_ERROR(dmtrace_profile_error(NULL));
	REFUSES(dmtrace_profile_add(NULL, NULL));
	for (size_t table = 0; table < 2; table++) {
		const struct dmtrace_profile *const given =
		    table == 0 ? NULL : profile;

		dmtrace_profile_summary_get(given, &summary);
		ZERO(summary.traces);
		ZERO(dmtrace_profile_edge_count(given, table));
		ZERO(dmtrace_profile_node_count(given, table));
		ZERO(dmtrace_profile_thread_count(given));
		dmtrace_profile_method_get(given, table, 99, &method);
		ZERO(method.calls);
		dmtrace_profile_edge_get(given, table, 99, &edge);
		ZERO(edge.calls);
		dmtrace_profile_node_get(given, table, 99, &node);
		ZERO(node.calls);
		dmtrace_profile_calls_get(given, table, 99, &calls);
		ZERO(calls.calls);
		ZERO(dmtrace_profile_percentile(given, table, 99, 50));
		dmtrace_profile_thread_get(given, 99, &thread);
		ZERO(thread.records);
	}
	ZERO(dmtrace_profile_method_count(NULL));
	NAMED(dmtrace_profile_error(profile), dmtrace_profile_add,
	    (profile, NULL));
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(diffs_and_specifications_refuse_null)
{
	struct dmtrace_diff *const diff = dmtrace_diff_new();
	struct dmtrace_spec *const spec = dmtrace_spec_new();
	struct dmtrace_diff_summary summary;
	struct dmtrace_diff_method method;
	struct dmtrace_diff_change change;

	dmtrace_diff_free(NULL);
	REFUSES(dmtrace_diff_add(NULL, DMTRACE_DIFF_BASE, NULL));
	NULL_ERROR(dmtrace_diff_error(NULL));
	NAMED(dmtrace_diff_error(diff), dmtrace_diff_add,
	    (diff, DMTRACE_DIFF_BASE, NULL));
	REFUSES(dmtrace_diff_compare(NULL, DMTRACE_PROFILE_WALL, 0.05));
	NAMED(dmtrace_diff_error(diff), dmtrace_diff_compare,
	    (diff, DMTRACE_PROFILE_WALL, 0.05));
	ck_assert_int_eq(dmtrace_diff_compare(diff,
	    (enum dmtrace_profile_clock)77, 0.05), DMTRACE_ERR_RANGE);
	ck_assert_ptr_nonnull(strstr(dmtrace_diff_error(diff)->message,
	    "dmtrace_diff_compare"));
	ZERO(dmtrace_diff_method_count(NULL));
	dmtrace_diff_summary_get(NULL, &summary);
	ZERO(summary.runs[DMTRACE_DIFF_BASE]);
	dmtrace_diff_method_get(diff, 99, &method);
	ZERO(method.runs[DMTRACE_DIFF_BASE]);
	dmtrace_diff_change_get(diff, 0, DMTRACE_DIFF_CALLS, &change);
	ck_assert(change.p == 0);
	dmtrace_diff_free(diff);

	dmtrace_spec_free(NULL);
	NULL_ERROR(dmtrace_spec_error(NULL));
	REFUSES(dmtrace_spec_decode(NULL, "", 0));
	REFUSES(dmtrace_spec_read(NULL, NULL));
	NAMED(dmtrace_spec_error(spec), dmtrace_spec_read, (spec, NULL));
	dmtrace_spec_free(spec);
}
END_TEST

START_TEST(event_logs_refuse_null)
{
	struct dmtrace_eventlog_reader *const reader =
	    dmtrace_eventlog_reader_new(NULL);
	struct dmtrace_eventlog_writer *const writer =
	    dmtrace_eventlog_writer_new();
	struct dmtrace_tags *const tags = dmtrace_tags_new();
	struct dmtrace_entry entry;

	dmtrace_eventlog_reader_free(NULL);
	NULL_ERROR(dmtrace_eventlog_reader_error(NULL));
	REFUSES(dmtrace_eventlog_reader_open(NULL, &file));
	REFUSES(dmtrace_eventlog_reader_read(NULL, &entry));
	NAMED(dmtrace_eventlog_reader_error(reader),
	    dmtrace_eventlog_reader_read, (reader, &entry));
	dmtrace_eventlog_reader_free(reader);

	dmtrace_eventlog_writer_free(NULL);
	NULL_ERROR(dmtrace_eventlog_writer_error(NULL));
	REFUSES(dmtrace_eventlog_writer_open(NULL, &file));
	REFUSES(dmtrace_eventlog_writer_write(NULL, NULL));
	REFUSES(dmtrace_eventlog_writer_close(NULL));
	NAMED(dmtrace_eventlog_writer_error(writer),
	    dmtrace_eventlog_writer_write, (writer, NULL));
	dmtrace_eventlog_writer_free(writer);

	dmtrace_tags_free(NULL);
	NULL_ERROR(dmtrace_tags_error(NULL));
	REFUSES(dmtrace_tags_load(NULL, "x", NULL, NULL));
	NAMED(dmtrace_tags_error(tags), dmtrace_tags_load,
	    (tags, NULL, NULL, NULL));
	NOTHING(dmtrace_tags_find(NULL, 1));
	dmtrace_tags_free(tags);
}
END_TEST

/* NULL for the recorder is the default one. */
START_TEST(recorders_refuse_null)
{
	const struct dmtrace_recorder_method nameless = { .name = NULL };
	struct dmtrace_recorder_result result = { .events = 77 };
	uint32_t method;

	dmtrace_recorder_free(NULL);
	NAMED(dmtrace_recorder_error(NULL), dmtrace_recorder_start,
	    (NULL, NULL, NULL));
	NAMED(dmtrace_recorder_error(NULL), dmtrace_recorder_stop,
	    (NULL, &result));
	ck_assert_uint_eq(result.events, 77);
	NAMED(dmtrace_recorder_error(NULL), dmtrace_recorder_intern,
	    (NULL, NULL, &method));
	ck_assert_int_eq(dmtrace_recorder_intern(NULL, &nameless, &method),
	    DMTRACE_ERR_RANGE);
	ck_assert_str_eq(dmtrace_recorder_error(NULL)->message,
	    "dmtrace_recorder_intern: a method has no name");
	ck_assert_int_eq(dmtrace_start("misuse.trace", NULL), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_recorder_error(NULL)->status, DMTRACE_OK);
	ck_assert_int_eq(dmtrace_is_recording(), 1);
	NAMED(dmtrace_recorder_error(NULL), dmtrace_recorder_start,
	    (NULL, "other.trace", NULL));
	ck_assert_int_eq(dmtrace_stop(&result), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_recorder_error(NULL)->status, DMTRACE_OK);
	NAMED(dmtrace_recorder_error(NULL), dmtrace_recorder_stop,
	    (NULL, &result));
	ZERO(result.events);
	ZERO(result.refused);
}
END_TEST

/*
 * A call without a status is refused: stop returns the first one, by name, and
 * the next stop does not. The trace holds the one call of a method that there
 * is.
 */
#define STOP_NAMES(function, arguments) do { \
	ck_assert_int_eq(dmtrace_start("misuse.trace", NULL), DMTRACE_OK); \
	const uint32_t there_is = dmtrace_intern("a", "b"); \
	dmtrace_enter(there_is); \
	function arguments; \
	dmtrace_recorder_name_thread(NULL, NULL); \
	dmtrace_exit(there_is); \
	check_stop(#function); \
} while (0)

static void
check_stop(const char *function)
{
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_recorder_result result;
	struct dmtrace_validity validity;

	ck_assert_int_eq(dmtrace_stop(&result), DMTRACE_ERR_RANGE);
	const struct dmtrace_error *const error = dmtrace_last_error();
	ck_assert_int_eq(result.error.status, DMTRACE_ERR_RANGE);
	ck_assert_str_eq(result.error.message, error->message);
	ck_assert_msg(strncmp(error->message, function, strlen(function)) ==
	    0, "%s: %s", function, error->message);
	ck_assert_uint_eq(result.refused, 2);
	ck_assert_uint_eq(result.events, 2);
	ck_assert_int_eq(dmtrace_validate(op, &file, &validity), DMTRACE_OK);
	ZERO(validity.findings[DMTRACE_ERROR]);
	ZERO(validity.findings[DMTRACE_WARNING]);
	dmtrace_op_free(op);
	ck_assert_int_eq(dmtrace_start("misuse.trace", NULL), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_stop(NULL), DMTRACE_OK);
}

START_TEST(stop_names_a_call_that_was_refused)
{
	const struct dmtrace_event reserved = { .method = 4,
		.action = DMTRACE_RESERVED };
	const struct dmtrace_event wide = { .method = UINT64_C(1) << 32 | 4 };
	static const uint32_t stack[] = { 8 };

	STOP_NAMES(dmtrace_recorder_enter, (NULL, 0));
	STOP_NAMES(dmtrace_recorder_enter, (NULL, 8));
	STOP_NAMES(dmtrace_recorder_enter, (NULL, 0x40000004));
	STOP_NAMES(dmtrace_recorder_exit, (NULL, 7));
	STOP_NAMES(dmtrace_recorder_unroll, (NULL, UINT32_MAX));
	STOP_NAMES(dmtrace_recorder_enter_at, (NULL, 1, 0));
	STOP_NAMES(dmtrace_recorder_exit_at, (NULL, 2, 0));
	STOP_NAMES(dmtrace_recorder_event, (NULL, NULL));
	STOP_NAMES(dmtrace_recorder_event, (NULL, &reserved));
	STOP_NAMES(dmtrace_recorder_event, (NULL, &wide));
	STOP_NAMES(dmtrace_recorder_enter_key, (NULL, 0));
	STOP_NAMES(dmtrace_recorder_exit_key, (NULL, 1));
	STOP_NAMES(dmtrace_recorder_unroll_key, (NULL, 0));
	STOP_NAMES(dmtrace_recorder_name_thread, (NULL, NULL));
	STOP_NAMES(dmtrace_recorder_sample,
	    (NULL, NULL, 3, DMTRACE_NO_TIME));
	STOP_NAMES(dmtrace_intern, ("a", NULL));
	STOP_NAMES(dmtrace_intern, ("a", "b\n"));

	/* A sample ends the calls that are not in it: it comes alone. */
	ck_assert_int_eq(dmtrace_start("misuse.trace", NULL), DMTRACE_OK);
	dmtrace_recorder_sample(NULL, stack, 1, DMTRACE_NO_TIME);
	ck_assert_int_eq(dmtrace_stop(NULL), DMTRACE_ERR_RANGE);
	ck_assert_ptr_nonnull(strstr(dmtrace_last_error()->message,
	    "dmtrace_recorder_sample: 0x8 "));
}
END_TEST

/* An instrumented program calls them at any time. */
START_TEST(nothing_is_refused_while_nothing_is_recorded)
{
	const struct dmtrace_event reserved = { .method = 4,
		.action = DMTRACE_RESERVED };
	struct dmtrace_recorder_result result;

	dmtrace_recorder_enter(NULL, 99);
	dmtrace_recorder_exit(NULL, 99);
	dmtrace_recorder_enter_key(NULL, 0);
	dmtrace_recorder_event(NULL, NULL);
	dmtrace_recorder_event(NULL, &reserved);
	dmtrace_recorder_sample(NULL, NULL, 3, DMTRACE_NO_TIME);
	dmtrace_recorder_forget_keys(NULL, 9, 2);
	ck_assert_int_eq(dmtrace_recording, 0);
	ck_assert_int_eq(dmtrace_start("misuse.trace", NULL), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_stop(&result), DMTRACE_OK);
	ZERO(result.events);
	ZERO(result.dropped);
	ZERO(result.refused);
}
END_TEST

/* The handles of one recorder are not those of another. */
START_TEST(another_recorder_has_its_own_methods)
{
	struct dmtrace_recorder *const recorder = dmtrace_recorder_new();
	struct dmtrace_recorder_result result;
	const uint32_t method = dmtrace_intern("a", "b");

	ck_assert_int_eq(dmtrace_recorder_start(recorder, "misuse.trace",
	    NULL), DMTRACE_OK);
	dmtrace_recorder_enter(recorder, method);
	dmtrace_recorder_exit(recorder, method);
	ck_assert_int_eq(dmtrace_recorder_stop(recorder, &result),
	    DMTRACE_ERR_RANGE);
	ck_assert_uint_eq(result.refused, 2);
	ck_assert_uint_eq(result.dropped, 2);
	ZERO(result.events);
	dmtrace_recorder_free(recorder);
}
END_TEST

START_TEST(names_of_other_numbers_are_empty)
{
	ck_assert_str_ne(dmtrace_strerror((enum dmtrace_status)99), "");
	ck_assert_str_ne(dmtrace_version(), "");
	ck_assert_str_eq(dmtrace_severity_name((enum dmtrace_severity)99),
	    "");
	ck_assert_str_eq(dmtrace_action_name((enum dmtrace_action)99), "");
	ck_assert_str_eq(dmtrace_clock_name((enum dmtrace_clock)99), "");
	ck_assert_str_eq(dmtrace_loss_name((enum dmtrace_loss)99), "");
	ck_assert_str_eq(dmtrace_damage_name((enum dmtrace_damage_kind)99),
	    "");
	ck_assert_str_eq(dmtrace_other_reader_name(
	    (enum dmtrace_other_reader)99), "");
	ck_assert_str_eq(dmtrace_reception_name(
	    (enum dmtrace_reception)99), "");
	NOTHING(dmtrace_export_format_get(999));
}
END_TEST

START_TEST(readers_name_the_call_out_of_order)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct dmtrace_event event;
	size_t count;

	NAMED(dmtrace_reader_error(reader), dmtrace_reader_read,
	    (reader, &event, 1, &count));
	dmtrace_reader_free(reader);
	reader = dmtrace_reader_new();
	NAMED(dmtrace_reader_error(reader), dmtrace_reader_open_path,
	    (reader, NULL));
	dmtrace_reader_free(reader);
	reader = open_reader();
	NAMED(dmtrace_reader_error(reader), dmtrace_reader_open_path,
	    (reader, "misuse.trace"));
	REFUSES(dmtrace_reader_next(reader, &event));
	dmtrace_reader_free(reader);
	reader = open_reader();
	NAMED(dmtrace_reader_error(reader), dmtrace_reader_set_limit,
	    (reader, DMTRACE_LIMIT_KEY, 1));
	dmtrace_reader_free(reader);
}
END_TEST

/* What an operation on a reader of that state returns. */
#define READS(function, arguments) do { \
	struct dmtrace_reader *const given = reader_in_state(_i); \
	const struct dmtrace_error *const error = dmtrace_op_error(op); \
	if (_i == FAILED) \
		ck_assert_int_eq(function arguments, DMTRACE_ERR_IO); \
	else \
		NAMED(error, function, arguments); \
	if (_i == FAILED) \
		ck_assert_str_eq(error->message, \
		    dmtrace_reader_error(given)->message); \
	dmtrace_reader_free(given); \
} while (0)

enum { NEW, FAILED, READ, READER_STATES };

static struct dmtrace_reader *
reader_in_state(int state)
{
	struct dmtrace_reader *const reader =
	    state == READ ? open_reader() : dmtrace_reader_new();
	struct dmtrace_event event;

	if (state == FAILED)
		ck_assert_int_eq(dmtrace_reader_open_path(reader,
		    none.path), DMTRACE_ERR_IO);
	if (state == READ)
		ck_assert_int_eq(dmtrace_reader_next(reader, &event),
		    DMTRACE_OK);
	return reader;
}

START_TEST(operations_name_the_reader_they_cannot_read)
{
	const struct dmtrace_pieces_options pieces = {
		.by = DMTRACE_PIECES_RECORDS, .amount = 1
	};
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_spec *const spec = dmtrace_spec_new();
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmtrace_reader *const reader = reader_in_state(_i);
	struct dmtrace_source *const source = dmtrace_source_new(reader);
	struct dmtrace_checksum_result checksum;
	struct dmtrace_expected expected;
	struct dmtrace_event event;

	READS(dmtrace_sort, (op, given, writer, NULL));
	READS(dmtrace_shift, (op, given, writer, NULL));
	READS(dmtrace_convert, (op, given, &none, NULL, NULL));
	READS(dmtrace_checksum, (op, given, NULL, &checksum));
	READS(dmtrace_split_pieces, (op, given, &pieces, NULL));
	READS(dmtrace_expect, (op, spec, given, NULL, NULL, &expected));
	ck_assert_int_eq(dmtrace_source_next(source, &event), _i == FAILED ?
	    DMTRACE_ERR_IO : DMTRACE_ERR_STATE);
	ck_assert_ptr_nonnull(strstr(dmtrace_source_error(source)->message,
	    _i == FAILED ? none.path : "dmtrace_source_new: "));
	if (_i == FAILED)
		ck_assert_int_eq(dmtrace_reader_next(reader, &event),
		    DMTRACE_ERR_IO);
	ck_assert_int_ne(access(none.path, F_OK), 0);
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	dmtrace_writer_free(writer);
	dmtrace_spec_free(spec);
	dmtrace_op_free(op);
}
END_TEST

START_TEST(operations_name_the_writer_they_cannot_write)
{
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_reader *const reader = open_reader();
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	OP(dmtrace_generate, (op, writer, NULL));
	OP(dmtrace_sort, (op, reader, writer, NULL));
	OP(dmtrace_shift, (op, reader, writer, NULL));
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	OP(dmtrace_sort, (op, reader, writer, NULL));
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	OP(dmtrace_generate, (op, writer, NULL));
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
	dmtrace_op_free(op);
}
END_TEST

/* A value that an option does not have. */
#define UNKNOWN(function, arguments) do { \
	ck_assert_int_eq(function arguments, DMTRACE_ERR_RANGE); \
	ck_assert_ptr_nonnull(strstr(dmtrace_op_error(op)->message, \
	    #function)); \
} while (0)

START_TEST(operations_refuse_unknown_flags)
{
	const struct dmtrace_merge_input input = { .file = file };
	const char *const path = file.path;
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_profile *const profile = dmtrace_profile_new(NULL);
	struct dmtrace_reader *const reader = open_reader();
	struct dmtrace_source *const source = dmtrace_source_new(reader);
	struct dmtrace_checksum_result checksum;
	struct dmtrace_fix_result fixed;
	const struct dmtrace_repair_options repair = { .flags = 0x100 };
	const struct dmtrace_fix_options fix = { .flags = 0x100 };
	const struct dmtrace_fix_options strict = { .strict = 3 };
	const struct dmtrace_merge_options merge = { .flags = 0x100 };
	const struct dmtrace_convert_options convert = { .flags = 0x100 };
	const struct dmtrace_convert_options universal = {
		.dialect = DMTRACE_DIALECT_V2, .universal = 1
	};
	const struct dmtrace_checksum_options clocks = { .clocks = 0x100 };
	const struct dmtrace_pieces_options pieces = { .flags = 0x100 };
	const struct dmtrace_pieces_options by = {
		.by = (enum dmtrace_pieces_by)77
	};
	const struct dmtrace_export_options export = { .flags = 0x100 };
	const struct dmtrace_export_profile_options page = { .flags = 0x100 };
	const struct dmtrace_import_options import = { .flags = 0x100 };
	const struct dmtrace_import_options format = {
		.format = (enum dmtrace_import_format)77
	};

	UNKNOWN(dmtrace_split, (op, &file, &none, &file, 0x100));
	UNKNOWN(dmtrace_join, (op, &file, &file, &none, 0x100));
	UNKNOWN(dmtrace_join_pieces, (op, &path, 1, &none, 0x100, NULL));
	UNKNOWN(dmtrace_repair, (op, &file, &none, &repair, NULL));
	UNKNOWN(dmtrace_fix, (op, &file, &none, &fix, &fixed));
	UNKNOWN(dmtrace_fix, (op, &file, &none, &strict, &fixed));
	UNKNOWN(dmtrace_merge, (op, &input, 1, &none, &merge, NULL));
	UNKNOWN(dmtrace_convert, (op, reader, &none, &convert, NULL));
	UNKNOWN(dmtrace_convert, (op, reader, &none, &universal, NULL));
	UNKNOWN(dmtrace_checksum, (op, reader, &clocks, &checksum));
	UNKNOWN(dmtrace_split_pieces, (op, reader, &pieces, NULL));
	UNKNOWN(dmtrace_split_pieces, (op, reader, &by, NULL));
	UNKNOWN(dmtrace_export, (op, source, &none, &export, NULL));
	UNKNOWN(dmtrace_export_profile, (op, profile, &none, &page));
	UNKNOWN(dmtrace_import, (op, &file, &none, &import, NULL));
	UNKNOWN(dmtrace_import, (op, &file, &none, &format, NULL));
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	dmtrace_profile_free(profile);
	dmtrace_op_free(op);
}
END_TEST

START_TEST(split_refuses_one_file_for_both_halves)
{
	struct dmtrace_op *const op = dmtrace_op_new();

	OP(dmtrace_split, (op, &file, &none, &none, 0));
	dmtrace_op_free(op);
}
END_TEST

/* A specification that failed is never reported as met. */
START_TEST(expect_refuses_a_specification_that_failed)
{
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_spec *const spec = dmtrace_spec_new();
	struct dmtrace_reader *const reader = open_reader();
	struct dmtrace_expected expected = { .unmet = 77 };

	ck_assert_int_eq(dmtrace_spec_decode(spec, "nonsense\n", 9),
	    DMTRACE_ERR_CORRUPT);
	ck_assert_int_eq(dmtrace_expect(op, spec, reader, NULL, NULL,
	    &expected), DMTRACE_ERR_CORRUPT);
	ck_assert_str_eq(dmtrace_op_error(op)->message,
	    dmtrace_spec_error(spec)->message);
	ck_assert_uint_eq(expected.unmet, 77);
	dmtrace_reader_free(reader);
	dmtrace_spec_free(spec);
	dmtrace_op_free(op);
}
END_TEST

START_TEST(profiles_refuse_unknown_options)
{
	const struct dmtrace_profile_options options[] = {
		{ .keep = 0x100 }, { .by = (enum dmtrace_profile_by)77 }
	};

	for (size_t i = 0; i < 2; i++) {
		struct dmtrace_profile *const profile =
		    dmtrace_profile_new(&options[i]);
		struct dmtrace_reader *const reader = open_reader();
		struct dmtrace_source *const source =
		    dmtrace_source_new(reader);

		ck_assert_int_eq(dmtrace_profile_add(profile, source),
		    DMTRACE_ERR_RANGE);
		ck_assert_ptr_nonnull(strstr(
		    dmtrace_profile_error(profile)->message,
		    "dmtrace_profile_new"));
		dmtrace_source_free(source);
		dmtrace_reader_free(reader);
		dmtrace_profile_free(profile);
	}
}
END_TEST

START_TEST(inputs_and_outputs_have_functions)
{
	const struct dmtrace_input input = { NULL, NULL };
	const struct dmtrace_output output = { NULL, NULL };
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	NAMED(dmtrace_reader_error(reader), dmtrace_reader_open_input,
	    (reader, &input));
	NAMED(dmtrace_writer_error(writer), dmtrace_writer_open_output,
	    (writer, &output));
	dmtrace_reader_free(reader);
	dmtrace_writer_free(writer);
}
END_TEST

/* A pointer to the key that was kept for too long. */
START_TEST(a_complete_key_refuses_changes)
{
	const struct dmtrace_thread thread = { 1, DMTRACE_TEXT("a") };
	const struct dmtrace_method method = {
		.id = 4, .name = DMTRACE_TEXT("a")
	};
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmtrace_key *const key = dmtrace_writer_key(writer);

	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_complete(writer), DMTRACE_OK);
	REFUSES(dmtrace_key_option_set(key, "vm", "art"));
	REFUSES(dmtrace_key_thread_add(key, &thread));
	REFUSES(dmtrace_key_method_add(key, &method));
	ck_assert_str_eq(dmtrace_writer_error(writer)->message,
	    "dmtrace_key_option_set: the key is complete");
	REFUSES(dmtrace_writer_close(writer));
	dmtrace_writer_free(writer);
}
END_TEST

START_TEST(writers_name_the_call_out_of_order)
{
	struct dmtrace_writer *writer = dmtrace_writer_new();

	NAMED(dmtrace_writer_error(writer), dmtrace_writer_enter,
	    (writer, 1, 4, 0));
	dmtrace_writer_free(writer);
	writer = dmtrace_writer_new();
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	NAMED(dmtrace_writer_error(writer), dmtrace_writer_set_layout,
	    (writer, 2, DMTRACE_CLOCK_WALL));
	dmtrace_writer_free(writer);
	writer = dmtrace_writer_new();
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	NAMED(dmtrace_writer_error(writer), dmtrace_writer_set_dialect,
	    (writer, DMTRACE_DIALECT_F3, DMTRACE_STAGE_ANY,
	    DMTRACE_CLOCK_MISSING));
	dmtrace_writer_free(writer);
	writer = dmtrace_writer_new();
	ck_assert_int_eq(dmtrace_writer_set_dialect(writer,
	    DMTRACE_DIALECT_F3, DMTRACE_STAGE_E, DMTRACE_CLOCK_MISSING),
	    DMTRACE_ERR_RANGE);
	dmtrace_writer_free(writer);
	writer = dmtrace_writer_new();
	ck_assert_int_eq(dmtrace_writer_set_dialect(writer,
	    DMTRACE_DIALECT_V1, DMTRACE_STAGE_ANY, DMTRACE_CLOCK_DUAL),
	    DMTRACE_ERR_RANGE);
	dmtrace_writer_free(writer);
	writer = dmtrace_writer_new();
	ck_assert_int_eq(dmtrace_writer_set_layout(writer, 2,
	    DMTRACE_CLOCK_DUAL), DMTRACE_ERR_RANGE);
	ck_assert_int_eq(dmtrace_writer_open_memory(writer),
	    DMTRACE_ERR_RANGE);
	dmtrace_writer_free(writer);
	writer = dmtrace_writer_new();
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	NAMED(dmtrace_writer_error(writer), dmtrace_writer_enter,
	    (writer, 1, 4, 0));
	REFUSES(dmtrace_writer_add_thread(writer, 1, "a"));
	REFUSES(dmtrace_writer_close(writer));
	dmtrace_writer_free(writer);
}
END_TEST

START_TEST(writers_name_the_call_that_was_given_null)
{
	struct dmtrace_writer *writer = dmtrace_writer_new();

	NAMED(dmtrace_writer_error(writer), dmtrace_writer_open_path,
	    (writer, NULL));
	dmtrace_writer_free(writer);
	writer = dmtrace_writer_new();
	NAMED(dmtrace_writer_error(writer), dmtrace_writer_open_output,
	    (writer, NULL));
	dmtrace_writer_free(writer);
	writer = dmtrace_writer_new();
	NAMED(dmtrace_writer_error(writer), dmtrace_writer_set_like,
	    (writer, NULL));
	dmtrace_writer_free(writer);
}
END_TEST

START_TEST(writers_name_the_number_that_was_not_added)
{
	struct dmtrace_writer *writer = dmtrace_writer_new();

	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_enter(writer, 1, 4, 0),
	    DMTRACE_ERR_RANGE);
	ck_assert_str_eq(dmtrace_writer_error(writer)->message,
	    "dmtrace_writer_enter: no thread 1 was added");
	dmtrace_writer_free(writer);
	writer = dmtrace_writer_new();
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_add_thread(writer, 1, "a"),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_exit(writer, 1, 4, 0),
	    DMTRACE_ERR_RANGE);
	ck_assert_str_eq(dmtrace_writer_error(writer)->message,
	    "dmtrace_writer_exit: no method 0x4 was added");
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_ERR_RANGE);
	dmtrace_writer_free(writer);
}
END_TEST

/* Numbers that a function of the caller must not return. */
static ptrdiff_t
read_too_much(void *context, void *out, size_t len)
{
	(void)context;
	memset(out, 'x', len);
	return (ptrdiff_t)len + 1;
}

static ptrdiff_t
write_too_much(void *context, const void *bytes, size_t len)
{
	(void)context;
	(void)bytes;
	return (ptrdiff_t)len + 1;
}

/* errno is left as it is. */
static ptrdiff_t
fail_to_read(void *context, void *out, size_t len)
{
	(void)context;
	(void)out;
	(void)len;
	return -1;
}

START_TEST(functions_of_the_caller_return_a_number_in_range)
{
	const struct dmtrace_input inputs[] = {
		{ read_too_much, NULL }, { fail_to_read, NULL }
	};
	const struct dmtrace_output output = { write_too_much, NULL };
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	for (size_t i = 0; i < 2; i++) {
		struct dmtrace_reader *const reader = dmtrace_reader_new();

		errno = EINTR;
		ck_assert_int_eq(dmtrace_reader_open_input(reader,
		    &inputs[i]), DMTRACE_ERR_IO);
		ck_assert_int_eq(dmtrace_reader_error(reader)->sys_errno,
		    i == 0 ? EOVERFLOW : EIO);
		dmtrace_reader_free(reader);
	}
	ck_assert_int_eq(dmtrace_writer_open_output(writer, &output),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_ERR_IO);
	ck_assert_int_eq(dmtrace_writer_error(writer)->sys_errno, EOVERFLOW);
	dmtrace_writer_free(writer);
}
END_TEST

/* A length, and no bytes. */
START_TEST(texts_have_bytes)
{
	static const struct dmtrace_text missing = { NULL, 5 };
	const struct dmtrace_thread thread = { 1, missing };
	const struct dmtrace_method methods[] = {
		{ .id = 4, .name = missing },
		{ .id = 4, .name = DMTRACE_TEXT("a"), .class_name = missing },
		{ .id = 4, .name = DMTRACE_TEXT("a"), .signature = missing },
		{ .id = 4, .name = DMTRACE_TEXT("a"), .file = missing }
	};
	const struct dmtrace_value value = {
		.type = DMTRACE_VALUE_STRING, .text = missing
	};
	const struct dmtrace_entry entries[] = {
		{ .header = 1, .value_count = 3 },
		{ .header = 1, .values = &value, .value_count = 1 },
		{ .header = 1, .rest = missing },
		{ .header = 1, .kind = DMTRACE_ENTRY_TEXT, .name = missing },
		{ .header = 1, .kind = DMTRACE_ENTRY_TEXT,
		    .message = missing },
		{ .kind = DMTRACE_ENTRY_RAW, .bytes = missing }
	};

	for (size_t i = 0; i < 5; i++) {
		struct dmtrace_writer *const writer = dmtrace_writer_new();
		struct dmtrace_key *const key = dmtrace_writer_key(writer);

		if (i == 4)
			NAMED(dmtrace_writer_error(writer),
			    dmtrace_key_thread_add, (key, &thread));
		else
			NAMED(dmtrace_writer_error(writer),
			    dmtrace_key_method_add, (key, &methods[i]));
		dmtrace_writer_free(writer);
	}
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		struct dmtrace_eventlog_writer *const writer =
		    dmtrace_eventlog_writer_new();

		ck_assert_int_eq(dmtrace_eventlog_writer_open(writer, &file),
		    DMTRACE_OK);
		NAMED(dmtrace_eventlog_writer_error(writer),
		    dmtrace_eventlog_writer_write, (writer, &entries[i]));
		dmtrace_eventlog_writer_free(writer);
	}
}
END_TEST

START_TEST(a_capacity_of_no_events_is_refused)
{
	struct dmtrace_reader *reader = open_reader();
	struct dmtrace_source *const source = dmtrace_source_new(reader);
	struct dmtrace_event event;
	struct dmtrace_row row;
	size_t count = 77;

	ck_assert_int_eq(dmtrace_source_read(source, &row, 0, &count),
	    DMTRACE_ERR_RANGE);
	ck_assert_str_eq(dmtrace_source_error(source)->message,
	    "dmtrace_source_read: a capacity of 0 events");
	ck_assert_uint_eq(count, 0);
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	reader = open_reader();
	count = 77;
	ck_assert_int_eq(dmtrace_reader_read(reader, &event, 0, &count),
	    DMTRACE_ERR_RANGE);
	ck_assert_str_eq(dmtrace_reader_error(reader)->message,
	    "dmtrace_reader_read: a capacity of 0 events");
	ck_assert_uint_eq(count, 0);
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(readers_name_the_call_that_reads_before_the_open)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event event;

	NAMED(dmtrace_reader_error(reader), dmtrace_reader_next,
	    (reader, &event));
	dmtrace_reader_free(reader);
}
END_TEST

/* A source belongs to that which was made of it, or to the call that read
 * it. */
START_TEST(a_source_has_one_owner)
{
	const struct dmtrace_select_options deep = { .last_depth = 3 };
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_profile *const profile = dmtrace_profile_new(NULL);
	struct dmtrace_reader *reader = open_reader();
	struct dmtrace_source *source = dmtrace_source_new(reader);
	struct dmtrace_event event;
	struct dmtrace_row row;
	size_t count;

	struct dmtrace_source *selected = dmtrace_select(source, &deep);
	NAMED(dmtrace_source_error(source), dmtrace_source_next,
	    (source, &event));
	NOTHING(dmtrace_select(source, &deep));
	REFUSES(dmtrace_source_read(selected, &row, 1, &count));
	dmtrace_source_free(selected);
	dmtrace_reader_free(reader);

	/* Also if it selects everything, or is malformed. */
	const struct dmtrace_select_options malformed = {
		.from_ns = 5, .to_ns = 5
	};
	for (int i = 0; i < 2; i++) {
		reader = open_reader();
		source = dmtrace_source_new(reader);
		selected = dmtrace_select(source, i == 0 ? NULL : &malformed);
		NOTHING(dmtrace_select(source, &deep));
		NOTHING(dmtrace_select(source, NULL));
		dmtrace_source_free(selected);
		dmtrace_reader_free(reader);
	}

	reader = open_reader();
	source = dmtrace_source_new(reader);
	ck_assert_int_eq(dmtrace_source_next(source, &event), DMTRACE_OK);
	source = dmtrace_select(source, &deep);
	REFUSES(dmtrace_source_next(source, &event));
	ck_assert_str_eq(dmtrace_source_error(source)->message,
	    "dmtrace_select: events of the source were read before");
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);

	reader = open_reader();
	source = dmtrace_source_new(reader);
	ck_assert_int_eq(dmtrace_source_next(source, &event), DMTRACE_OK);
	NAMED(dmtrace_source_error(source), dmtrace_profile_add,
	    (profile, source));
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);

	reader = open_reader();
	source = dmtrace_source_new(reader);
	ck_assert_int_eq(dmtrace_profile_add(profile, source), DMTRACE_OK);
	NAMED(dmtrace_op_error(op), dmtrace_export,
	    (op, source, &none, NULL, NULL));
	ck_assert_int_ne(access(none.path, F_OK), 0);
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	dmtrace_profile_free(profile);
	dmtrace_op_free(op);
}
END_TEST

/* What set_like would replace. */
START_TEST(a_writer_is_like_one_reader)
{
	const struct dmtrace_thread thread = { 7, DMTRACE_TEXT("more") };
	struct dmtrace_reader *const reader = open_reader();
	struct dmtrace_writer *writer = dmtrace_writer_new();
	struct dmtrace_key *const key = dmtrace_writer_key(writer);

	ck_assert_int_eq(dmtrace_writer_set_like(writer, reader), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_key_thread_add(key, &thread), DMTRACE_OK);
	ck_assert_uint_eq(dmtrace_key_thread_count(key), 2);
	NAMED(dmtrace_writer_error(writer), dmtrace_writer_set_like,
	    (writer, reader));
	dmtrace_writer_free(writer);

	writer = dmtrace_writer_new();
	ck_assert_int_eq(dmtrace_writer_add_thread(writer, 1, "lost"),
	    DMTRACE_OK);
	NAMED(dmtrace_writer_error(writer), dmtrace_writer_set_like,
	    (writer, reader));
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(the_clock_option_is_that_of_the_records)
{
	static const struct {
		enum dmtrace_clock clock;
		const char *named;
		enum dmtrace_status status;
	} clocks[] = {
		{ DMTRACE_CLOCK_DUAL, "wall", DMTRACE_ERR_RANGE },
		{ DMTRACE_CLOCK_WALL, "dual", DMTRACE_ERR_RANGE },
		{ DMTRACE_CLOCK_WALL, "cpu", DMTRACE_ERR_RANGE },
		{ DMTRACE_CLOCK_WALL, "global", DMTRACE_OK },
		{ DMTRACE_CLOCK_DUAL, "dual", DMTRACE_OK },
	};

	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		struct dmtrace_writer *const writer = dmtrace_writer_new();

		ck_assert_int_eq(dmtrace_writer_set_layout(writer, 3,
		    clocks[i].clock), DMTRACE_OK);
		ck_assert_int_eq(dmtrace_key_option_set(
		    dmtrace_writer_key(writer), "clock", clocks[i].named),
		    DMTRACE_OK);
		ck_assert_int_eq(dmtrace_writer_open_memory(writer),
		    DMTRACE_OK);
		ck_assert_int_eq(dmtrace_writer_close(writer),
		    clocks[i].status);
		dmtrace_writer_free(writer);
	}
}
END_TEST

/* A message says which part of the event it is. */
START_TEST(events_that_do_not_fit_say_why)
{
	static const struct {
		struct dmtrace_event event;
		const char *why;
	} unfit[] = {
		{ { 5, 0, 0, 1, DMTRACE_ENTER },
		    "method id not a multiple of 4" },
		{ { UINT64_C(1) << 32, 0, 0, 1, DMTRACE_ENTER },
		    "method id too large" },
		{ { 4, 0, 0, 65536, DMTRACE_ENTER },
		    "thread number too large" },
		{ { 4, 0, 0, 1, (enum dmtrace_action)4 }, "unknown action" },
		{ { 4, DMTRACE_NO_TIME, 0, 1, DMTRACE_ENTER },
		    "no CPU time" },
		{ { 4, 0, DMTRACE_NO_TIME, 1, DMTRACE_ENTER },
		    "no wall time" },
		{ { 4, UINT64_C(4294967296000), 0, 1, DMTRACE_ENTER },
		    "CPU time too large" },
		{ { 4, 0, UINT64_C(4294967296000), 1, DMTRACE_ENTER },
		    "wall time too large" },
	};

	for (size_t i = 0; i < sizeof(unfit) / sizeof(unfit[0]); i++) {
		struct dmtrace_writer *const writer = dmtrace_writer_new();

		ck_assert_int_eq(dmtrace_writer_open_memory(writer),
		    DMTRACE_OK);
		ck_assert_int_eq(dmtrace_writer_write(writer,
		    &unfit[i].event, 1), DMTRACE_ERR_RANGE);
		const char *const message =
		    dmtrace_writer_error(writer)->message;
		const char *const why = strrchr(message, ':');
		ck_assert_ptr_nonnull(why);
		ck_assert_str_eq(why + 2, unfit[i].why);
		dmtrace_writer_free(writer);
	}
}
END_TEST

/* They would wait for a lock that their caller holds, with signals blocked. */
static int
name_with_calls(void *context, uint64_t key,
    struct dmtrace_recorder_method *method)
{
	struct dmtrace_recorder *const recorder = *(void **)context;
	const struct dmtrace_recorder_method described = { .name = "a" };
	uint32_t handle;

	(void)key;
	(void)method;
	NAMED(dmtrace_recorder_error(recorder), dmtrace_recorder_intern,
	    (recorder, &described, &handle));
	NAMED(dmtrace_recorder_error(recorder), dmtrace_recorder_stop,
	    (recorder, NULL));
	dmtrace_recorder_name_thread(recorder, "a");
	dmtrace_recorder_forget_keys(recorder, 2, 99);
	dmtrace_recorder_enter_key(recorder, 88);
	dmtrace_recorder_free(recorder);
	ZERO(dmtrace_intern("a", "b"));
	return 0;
}

static void
end_with_calls(void *context, enum dmtrace_recorder_end why)
{
	struct dmtrace_recorder *const recorder = *(void **)context;

	ck_assert_int_eq(why, DMTRACE_RECORDER_TIMEOUT);
	NAMED(dmtrace_recorder_error(recorder), dmtrace_recorder_stop,
	    (recorder, NULL));
	NAMED(dmtrace_recorder_error(recorder), dmtrace_recorder_start,
	    (recorder, "misuse.trace", NULL));
}

START_TEST(functions_of_the_options_cannot_call_the_recorder)
{
	struct dmtrace_recorder *recorder = dmtrace_recorder_new();
	const struct dmtrace_recorder_options options = {
		.name = name_with_calls, .ended = end_with_calls,
		.max_time_us = 20000, .no_rotate = 1, .context = &recorder
	};
	struct dmtrace_recorder_result result;

	ck_assert_int_eq(dmtrace_recorder_start(recorder, "misuse.trace",
	    &options), DMTRACE_OK);
	dmtrace_recorder_enter_key(recorder, 77);
	while (dmtrace_recorder_error(recorder)->status == DMTRACE_OK)
		dmtrace_recorder_exit_key(recorder, 77);
	ck_assert_int_eq(dmtrace_recorder_stop(recorder, &result),
	    DMTRACE_OK);
	ck_assert_int_eq(result.ended, DMTRACE_RECORDER_TIMEOUT);
	dmtrace_recorder_free(recorder);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("misuse");
	TCase *const tcase = unit_tcase(suite, "misuse");

	tcase_add_test(tcase, readers_refuse_null);
	tcase_add_test(tcase, writers_refuse_null);
	tcase_add_test(tcase, keys_refuse_null);
	tcase_add_test(tcase, sources_refuse_null);
	tcase_add_test(tcase, operations_refuse_null);
	tcase_add_test(tcase, profiles_refuse_null);
	tcase_add_test(tcase, diffs_and_specifications_refuse_null);
	tcase_add_test(tcase, event_logs_refuse_null);
	tcase_add_test(tcase, recorders_refuse_null);
	tcase_add_test(tcase, stop_names_a_call_that_was_refused);
	tcase_add_test(tcase, nothing_is_refused_while_nothing_is_recorded);
	tcase_add_test(tcase, another_recorder_has_its_own_methods);
	tcase_add_test(tcase, names_of_other_numbers_are_empty);
	tcase_add_test(tcase, readers_name_the_call_out_of_order);
	tcase_add_loop_test(tcase,
	    operations_name_the_reader_they_cannot_read, 0, READER_STATES);
	tcase_add_test(tcase, operations_name_the_writer_they_cannot_write);
	tcase_add_test(tcase, operations_refuse_unknown_flags);
	tcase_add_test(tcase, split_refuses_one_file_for_both_halves);
	tcase_add_test(tcase, expect_refuses_a_specification_that_failed);
	tcase_add_test(tcase, profiles_refuse_unknown_options);
	tcase_add_test(tcase, inputs_and_outputs_have_functions);
	tcase_add_test(tcase, a_complete_key_refuses_changes);
	tcase_add_test(tcase, writers_name_the_call_out_of_order);
	tcase_add_test(tcase, writers_name_the_call_that_was_given_null);
	tcase_add_test(tcase, writers_name_the_number_that_was_not_added);
	tcase_add_test(tcase,
	    functions_of_the_caller_return_a_number_in_range);
	tcase_add_test(tcase, texts_have_bytes);
	tcase_add_test(tcase, a_capacity_of_no_events_is_refused);
	tcase_add_test(tcase,
	    readers_name_the_call_that_reads_before_the_open);
	tcase_add_test(tcase, a_source_has_one_owner);
	tcase_add_test(tcase, a_writer_is_like_one_reader);
	tcase_add_test(tcase, the_clock_option_is_that_of_the_records);
	tcase_add_test(tcase, events_that_do_not_fit_say_why);
	tcase_add_test(tcase,
	    functions_of_the_options_cannot_call_the_recorder);
	return unit_main(suite);
}
