/* test_names.c - the names of actions, clocks, containers and start times */

#include <dmtrace.h>
#include <string.h>

#include "format/header.h"
#include "format/names.h"
#include "helpers/unit.h"
#include "private/trace.h"

static const char *
action(int number)
{
	return dmtrace_action_name((enum dmtrace_action)number);
}

static const char *
clock_word(int number)
{
	return dmtrace_clock_name((enum dmtrace_clock)number);
}

static const char *
container(int number)
{
	return dmt_container_name((enum dmtrace_container)number);
}

static const char *
start_kind(int number)
{
	return dmt_start_kind_name((enum dmtrace_start_kind)number);
}

static const struct {
	const char *(*name)(int number);
	int number;
	const char *word;
} rows[] = {
	{ action, DMTRACE_ENTER, "enter" },
	{ action, DMTRACE_EXIT, "exit" },
	{ action, DMTRACE_UNROLL, "unroll" },
	{ action, DMTRACE_RESERVED, "reserved" },
	{ action, 4, "" },
	{ action, -1, "" },
	{ clock_word, DMTRACE_CLOCK_MISSING, "" },
	{ clock_word, DMTRACE_CLOCK_THREAD_CPU, "thread-cpu" },
	{ clock_word, DMTRACE_CLOCK_WALL, "wall" },
	{ clock_word, DMTRACE_CLOCK_GLOBAL, "global" },
	{ clock_word, DMTRACE_CLOCK_DUAL, "dual" },
	{ clock_word, DMTRACE_CLOCK_UNKNOWN, "" },
	{ clock_word, 6, "" },
	{ clock_word, -1, "" },
	{ container, DMTRACE_CONTAINER_JOINED, "joined" },
	{ container, DMTRACE_CONTAINER_PAIR, "pair" },
	{ container, DMTRACE_CONTAINER_KEY, "key" },
	{ container, DMTRACE_CONTAINER_DATA, "data" },
	{ container, DMTRACE_CONTAINER_STREAM, "stream" },
	{ container, DMTRACE_CONTAINER_PACKETS, "packets" },
	{ container, 6, "" },
	{ start_kind, DMTRACE_START_BOOT, "boot" },
	{ start_kind, DMTRACE_START_EPOCH, "epoch" },
	{ start_kind, DMTRACE_START_SEC_USEC, "sec_usec" },
	{ start_kind, 3, "" },
};

START_TEST(has_a_name_for_every_number)
{
	ck_assert_str_eq(rows[_i].name(rows[_i].number), rows[_i].word);
}
END_TEST

static const struct {
	const char *word;
	enum dmtrace_clock clock;
} clocks[] = {
	{ "thread-cpu", DMTRACE_CLOCK_THREAD_CPU },
	{ "wall", DMTRACE_CLOCK_WALL },
	{ "global", DMTRACE_CLOCK_GLOBAL },
	{ "dual", DMTRACE_CLOCK_DUAL },
	{ "", DMTRACE_CLOCK_UNKNOWN },
	{ "wal", DMTRACE_CLOCK_UNKNOWN },
	{ "walls", DMTRACE_CLOCK_UNKNOWN },
	{ "Wall", DMTRACE_CLOCK_UNKNOWN },
	{ " wall", DMTRACE_CLOCK_UNKNOWN },
	{ "wall ", DMTRACE_CLOCK_UNKNOWN },
	{ "thread_cpu", DMTRACE_CLOCK_UNKNOWN },
};

START_TEST(finds_a_clock_by_its_name)
{
	ck_assert_int_eq(
	    dmt_clock_find(clocks[_i].word, strlen(clocks[_i].word)),
	    clocks[_i].clock);
}
END_TEST

START_TEST(reads_no_more_than_the_name)
{
	ck_assert_int_eq(dmt_clock_find("wallpaper", 4), DMTRACE_CLOCK_WALL);
	ck_assert_int_eq(dmt_clock_find("wall\0", 5), DMTRACE_CLOCK_UNKNOWN);
	ck_assert_int_eq(dmt_clock_find("", 0), DMTRACE_CLOCK_UNKNOWN);
}
END_TEST

START_TEST(versions_have_the_names_of_their_dialects)
{
	ck_assert_str_eq(dmt_version_of((enum dmtrace_dialect)(_i + 1))->name,
	    dmt_dialect_names[_i]);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("names");
	TCase *tcase = unit_tcase(suite, "names");

	ADD_CASES(tcase, has_a_name_for_every_number, rows);
	ADD_CASES(tcase, finds_a_clock_by_its_name, clocks);
	tcase_add_test(tcase, reads_no_more_than_the_name);
	tcase_add_loop_test(tcase, versions_have_the_names_of_their_dialects, 0,
	    DMT_DIALECTS);
	return unit_main(suite);
}
