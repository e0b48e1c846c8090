/* test_record_sense.c - bytes that make sense as records, and others */

#include <dmtrace.h>
#include <string.h>

#include "data/record_sense.h"
#include "helpers/unit.h"
#include "private/key.h"

/* Thread 1 and method 0x10 are listed, in the tables that a row has. */
enum { NO_TABLES, THREADS, BOTH };

/*
 * Version 1: thread, method and action, time. A listed thread counts 2, a
 * listed method 3, an action that is known 1, a time that rises 2.
 */
static const struct {
	const char *label;
	int tables;
	size_t len;
	uint8_t bytes[36];
	unsigned sense;
} rows[] = {
	{ "no record", BOTH, 0, { 0 }, 1000 },
	{ "part of one", BOTH, 8, { 0 }, 500 },
	{ "two, and part of one", BOTH, 20,
	    { 1, 0x10, 0, 0, 0, 5, 0, 0, 0, 1, 0x11, 0, 0, 0, 5, 0, 0, 0,
	    7, 7 }, 1000 },
	{ "another thread", BOTH, 9, { 2, 0x10, 0, 0, 0, 5, 0, 0, 0 },
	    6 * 1000 / 8 },
	{ "another method", BOTH, 9, { 1, 0x14, 0, 0, 0, 5, 0, 0, 0 },
	    5 * 1000 / 8 },
	{ "the reserved action", BOTH, 9, { 1, 0x13, 0, 0, 0, 5, 0, 0, 0 },
	    7 * 1000 / 8 },
	{ "a time that falls", BOTH, 18,
	    { 1, 0x10, 0, 0, 0, 5, 0, 0, 0, 1, 0x11, 0, 0, 0, 4, 0, 0, 0 },
	    14 * 1000 / 16 },
	{ "that falls in another thread", BOTH, 18,
	    { 1, 0x10, 0, 0, 0, 5, 0, 0, 0, 2, 0x11, 0, 0, 0, 4, 0, 0, 0 },
	    14 * 1000 / 16 },
	{ "that wraps", BOTH, 18,
	    { 1, 0x10, 0, 0, 0, 255, 255, 255, 255,
	    1, 0x11, 0, 0, 0, 4, 0, 0, 0 }, 1000 },
	{ "no methods are listed", THREADS, 9,
	    { 2, 0x14, 0, 0, 0, 5, 0, 0, 0 }, 3 * 1000 / 5 },
	{ "nothing is listed", NO_TABLES, 9,
	    { 2, 0x17, 0, 0, 0, 5, 0, 0, 0 }, 2 * 1000 / 3 },
};

static struct dmtrace_key *
make_key(int tables)
{
	static const struct dmtrace_thread thread = { 1, { "main", 4 } };
	static const struct dmtrace_method method = {
		.id = 0x10, .class_name = { "A", 1 }, .name = { "b", 1 },
		.signature = { "()V", 3 }, .line = DMTRACE_NO_LINE
	};
	struct dmtrace_key *const key = dmt_key_new();

	if (tables >= THREADS)
		ck_assert_int_eq(dmtrace_key_thread_add(key, &thread),
		    DMTRACE_OK);
	if (tables == BOTH)
		ck_assert_int_eq(dmtrace_key_method_add(key, &method),
		    DMTRACE_OK);
	return key;
}

START_TEST(judges)
{
	const struct dmt_layout *const layout =
	    dmt_layout_find(1, DMTRACE_CLOCK_WALL);
	struct dmtrace_key *const key = make_key(rows[_i].tables);
	bool failed = false;

	ck_assert_uint_eq(dmt_records_sense(key, layout, rows[_i].bytes,
	    rows[_i].len, &failed), rows[_i].sense);
	ck_assert(!failed);
	ck_assert_int_eq(dmt_records_make_sense(key, layout, rows[_i].bytes,
	    rows[_i].len), rows[_i].sense >= 800);
	dmt_key_free(key);
}
END_TEST

/* The first 4,096 are listed, the others are not. */
START_TEST(judges_the_first_records)
{
	static uint8_t bytes[5000 * 10];
	const struct dmt_layout *const layout =
	    dmt_layout_find(2, DMTRACE_CLOCK_THREAD_CPU);
	struct dmtrace_key *const key = make_key(BOTH);
	bool failed = false;

	for (size_t i = 0; i < 4096; i++) {
		bytes[10 * i] = 1;
		bytes[10 * i + 2] = 0x10;
	}
	ck_assert_uint_eq(dmt_records_sense(key, layout, bytes,
	    sizeof(bytes), &failed), 1000);
	ck_assert_uint_eq(dmt_records_sense(key, layout, bytes + 10,
	    sizeof(bytes) - 10, &failed), (4095 * 8 + 3) * 1000 / (4096 * 8));
	dmt_key_free(key);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("record_sense");
	TCase *tcase = unit_tcase(suite, "record_sense");

	ADD_CASES(tcase, judges, rows);
	tcase_add_test(tcase, judges_the_first_records);
	return unit_main(suite);
}
