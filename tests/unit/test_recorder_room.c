/* test_recorder_room.c - joined files that begin with room for their key */

#include "helpers/recorded.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define PAGE 4096

/* Records calls of methods that are interned first; 10 bytes an event. */
static void
record_calls(struct dmtrace_recorder *recorder, char letter, unsigned calls)
{
	const uint32_t method = method_of(recorder, letter);

	for (unsigned i = 0; i < calls; i++) {
		dmtrace_recorder_enter(recorder, method);
		dmtrace_recorder_exit(recorder, method);
	}
}

static void
intern_long_names(struct dmtrace_recorder *recorder, unsigned count)
{
	char name[200];
	const struct dmtrace_recorder_method names = {
		.class_name = "T", .name = name
	};
	uint32_t method;

	memset(name, 'x', sizeof(name));
	for (unsigned i = 0; i < count; i++) {
		snprintf(name + 180, 20, "%u", i);
		ck_assert_int_eq(dmtrace_recorder_intern(recorder, &names,
		    &method), DMTRACE_OK);
	}
}

/* Returns where the data header is in a file. */
static size_t
header_at(const char *path)
{
	size_t len, at = 0;
	char *const bytes = file_get(path, &len);

	ck_assert_ptr_nonnull(bytes);
	while (at + 10 <= len && memcmp(bytes + at, "*end\nSLOW", 9) != 0)
		at++;
	free(bytes);
	return at + 5;
}

static bool
is_padded(const char *path)
{
	struct dmtrace_reader *const reader = opened(path);
	const bool padded = dmtrace_key_option_find(dmtrace_reader_key(reader),
	    "dmtrace-padding") != NULL;

	dmtrace_reader_free(reader);
	return padded;
}

static const struct {
	const char *label;
	unsigned before;	/* methods with long names before the first
				   write, */
	unsigned after;		/* and after it */
	unsigned calls;
	size_t buffer;		/* 0: the default */
	int journal;
	bool padded;
} rooms[] = {
	{ "a large file", 0, 0, 100000, 0, 0, true },
	{ "with a journal", 0, 0, 100000, 0, 1, true },
	{ "with many methods", 3000, 0, 1000000, 0, 0, true },
	{ "with many methods and a journal", 3000, 100, 1000000, 0, 1, true },
	{ "methods that fit in twice the room", 500, 400, 200000, 0, 0, true },
	{ "methods that do not", 500, 2000, 200000, 0, 1, false },
	{ "the key is a tenth of the file", 0, 0, 20000, 0, 0, false },
	{ "never flushed", 0, 0, 1000, 0, 0, false },
	{ "in small buffers", 0, 0, 100000, 32768, 0, false },
};

START_TEST(leaves_records_where_they_are)
{
	struct dmtrace_recorder_options options = default_options();
	struct stat about;

	options.journal = rooms[_i].journal;
	options.buffer_size = rooms[_i].buffer;
	file_put("x.trace", "old", 3);
	ck_assert_int_eq(chmod("x.trace", 0640), 0);
	struct dmtrace_recorder *const recorder = started("x.trace", &options);
	intern_long_names(recorder, rooms[_i].before);
	record_calls(recorder, 'a', rooms[_i].calls / 2);
	intern_long_names(recorder, rooms[_i].before + rooms[_i].after);
	record_calls(recorder, 'b', rooms[_i].calls / 2);
	ck_assert_uint_eq(stopped(recorder).events, 2 * rooms[_i].calls);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(file_count("."), 1);
	ck_assert_uint_eq(assert_sound("x.trace"), 2 * rooms[_i].calls);
	ck_assert_int_eq(is_padded("x.trace"), rooms[_i].padded);
	ck_assert_int_eq(stat("x.trace", &about), 0);
	ck_assert_int_eq(about.st_mode & 0777, 0640);
	const size_t at = header_at("x.trace");
	ck_assert_int_eq(about.st_size, (off_t)(at + 32 + 20 *
	    rooms[_i].calls));
	if (rooms[_i].padded)
		ck_assert_uint_eq((at + 32) % PAGE, 0);
}
END_TEST

/* A link to another folder keeps leading there, and gets no padding. */
START_TEST(writes_through_a_link)
{
	struct stat about;

	ck_assert_int_eq(mkdir("folder", 0777), 0);
	ck_assert_int_eq(symlink(_i == 0 ? "folder/y.trace" : "folder/y.data",
	    _i == 0 ? "x.trace" : "x.trace.data"), 0);
	struct dmtrace_recorder *const recorder = started("x.trace", NULL);
	record_calls(recorder, 'a', 100000);
	stopped(recorder);
	dmtrace_recorder_free(recorder);
	ck_assert_int_eq(lstat("x.trace", &about), 0);
	ck_assert_int_eq(S_ISLNK(about.st_mode), _i == 0);
	ck_assert_uint_eq(assert_sound("x.trace"), 200000);
	ck_assert(!is_padded("x.trace"));
}
END_TEST

/* What is there before the stop: a trace without names, to which those of a
 * journal belong. */
START_TEST(is_a_trace_while_it_grows)
{
	static const char *const names[] = { "x.trace", "x.trace.data" };
	struct dmtrace_recorder_options options = default_options();
	struct dmtrace_op *const op = dmtrace_op_new();
	const struct dmtrace_file out = { .path = "y.trace" };

	options.journal = _i % 2;
	options.version = 1 + (unsigned)_i / 2;
	struct dmtrace_recorder *const recorder = started("x.trace", &options);
	record_calls(recorder, 'a', 100000);
	for (size_t i = 0; i < ROWS(names); i++) {
		const struct dmtrace_file in = { .path = names[i] };
		ck_assert_msg(dmtrace_repair(op, &in, &out, NULL, NULL) ==
		    DMTRACE_OK, "%s", dmtrace_op_error(op)->message);
		ck_assert_uint_gt(assert_sound("y.trace"), 100000);
		assert_option("y.trace", "clock", "wall");
		ck_assert(!is_padded("y.trace"));
		char *const events = events_of("y.trace");
		ck_assert_int_eq(events[2], _i % 2 == 0 ? '0' : 'a');
		free(events);
	}
	dmtrace_op_free(op);
	stopped(recorder);
	dmtrace_recorder_free(recorder);
}
END_TEST

/* The key outgrew the room, and there is no space for a copy: both halves
 * stay. Every command reads such a pair, and it can be joined. */
START_TEST(leaves_a_pair_whose_data_has_a_room)
{
	struct dmtrace_recorder_options options = default_options();
	const struct rlimit limit = { 2000000, RLIM_INFINITY };
	const struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY };
	const struct dmtrace_file key = { .path = "x.trace.key" };
	const struct dmtrace_file data = { .path = "x.trace.data" };
	const struct dmtrace_file joined = { .path = "y.trace" };
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_recorder_result result;
	struct dmtrace_validity validity;

	signal(SIGXFSZ, SIG_IGN);
	options.journal = _i;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	struct dmtrace_recorder *const recorder = started("x.trace", &options);
	record_calls(recorder, 'a', 50000);
	intern_long_names(recorder, 1000);
	record_calls(recorder, 'b', 80000);
	ck_assert_int_eq(dmtrace_recorder_stop(recorder, &result),
	    DMTRACE_ERR_IO);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(file_count("."), 2);
	ck_assert_uint_eq((header_at("x.trace.data") + 32) % PAGE, 0);
	ck_assert_uint_eq(assert_sound("x.trace.key"), result.events);
	ck_assert_uint_eq(assert_sound("x.trace.data"), result.events);
	ck_assert_uint_eq(assert_sound("x.trace"), result.events);
	ck_assert_int_eq(dmtrace_validate(op, &key, &validity), DMTRACE_OK);
	ck_assert_uint_eq(validity.findings[DMTRACE_ERROR], 0);
	ck_assert_msg(dmtrace_join(op, &key, &data, &joined, 0) == DMTRACE_OK,
	    "%s", dmtrace_op_error(op)->message);
	ck_assert_uint_eq(assert_sound("y.trace"), result.events);
	ck_assert(!is_padded("y.trace"));
	dmtrace_op_free(op);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("recorder_room");
	TCase *tcase = unit_tcase(suite, "room");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	ADD_CASES(tcase, leaves_records_where_they_are, rooms);
	tcase_add_loop_test(tcase, writes_through_a_link, 0, 2);
	tcase_add_loop_test(tcase, is_a_trace_while_it_grows, 0, 6);
	tcase_add_loop_test(tcase, leaves_a_pair_whose_data_has_a_room, 0, 2);
	return unit_main(suite);
}
