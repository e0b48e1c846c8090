/* test_calls.c - what is odd about calls, and about who makes them */

#include <dmtrace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults.h"
#include "unit.h"

/* What each sample's calls come to, "NAME SEVERITY COUNT @BYTE" for each. */
static const struct {
	const char *sample;
	const char *findings;
} samples[] = {
	{ "good-v1-cpu.trace", "" },
	{ "good-v3-dual.trace", "" },
	{ "good-unroll.trace", "" },
	{ "good-exit-first.trace", "exit-before note 2 @199\n" },
	{ "good-open-end.trace", "call-open note 3\n" },
	{ "bad-exit-other.trace",
	    "exit-mismatch error 1 @219\nexit-before note 1 @229\n" },
	{ "bad-exit-stray.trace",
	    "exit-stray error 1 @209\nmethod-unlisted warning 1 @209\n" },
	{ "good-method-unlisted.trace", "method-unlisted warning 1 @166\n" },
	{ "good-thread-unlisted.trace", "thread-unlisted warning 1 @198\n" },
};

static void
add(char *out, const struct dmtrace_finding *finding)
{
	out += strlen(out);
	out += sprintf(out, "%s %s %u", finding->name,
	    dmtrace_severity_name(finding->severity),
	    (unsigned)finding->count);
	if (finding->place == DMTRACE_PLACE_OFFSET)
		out += sprintf(out, " @%u", (unsigned)finding->at);
	strcpy(out, "\n");
}

static void
step_all(struct dmtrace_calls *calls, struct dmtrace_reader *reader)
{
	struct dmtrace_event event;
	struct dmtrace_step step;

	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK)
		ck_assert_int_eq(dmtrace_calls_step(calls, &event,
		    dmtrace_reader_offset(reader), &step), DMTRACE_OK);
	dmtrace_calls_end(calls);
}

START_TEST(finds_what_samples_hold)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();
	char path[4096], found[1024] = "";

	snprintf(path, sizeof(path), "%s/tests/data/%s", getenv("srcdir"),
	    samples[_i].sample);
	ck_assert_int_eq(dmtrace_reader_open_path(reader, path), DMTRACE_OK);
	struct dmtrace_calls *calls = dmtrace_calls_new(
	    dmtrace_reader_key(reader), dmtrace_reader_layout(reader));
	step_all(calls, reader);
	for (size_t i = 0; i < dmtrace_calls_finding_count(calls); i++)
		add(found, dmtrace_calls_finding_get(calls, i));
	ck_assert_str_eq(found, samples[_i].findings);
	dmtrace_calls_free(calls);
	dmtrace_reader_free(reader);
}
END_TEST

static struct dmtrace_key *
key_new(void)
{
	struct dmtrace_key *key = dmtrace_key_new();
	const struct dmtrace_thread thread = { 1, { "main", 4 } };
	const struct dmtrace_method method = { .id = 4,
	    .class_name = { "A", 1 }, .name = { "m", 1 },
	    .line = DMTRACE_NO_LINE };

	ck_assert_int_eq(dmtrace_key_thread_add(key, &thread), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_key_method_add(key, &method), DMTRACE_OK);
	return key;
}

static void
count_finding(void *context, const struct dmtrace_finding *finding)
{
	unsigned *told = context;

	ck_assert_uint_eq(finding->count, 1);
	++*told;
}

/* Each thread once, each call of a method, none twice for its exit. */
START_TEST(tells_threads_once_and_methods_by_call)
{
	static const struct dmtrace_event events[] = {
		{ 8, 0, 0, 1, DMTRACE_ENTER }, { 8, 0, 0, 1, DMTRACE_EXIT },
		{ 8, 0, 0, 1, DMTRACE_ENTER }, { 8, 0, 0, 1, DMTRACE_UNROLL },
		{ 4, 0, 0, 2, DMTRACE_ENTER }, { 4, 0, 0, 2, DMTRACE_EXIT },
		{ 4, 0, 0, 70000, DMTRACE_EXIT },
		{ 4, 0, 0, 70000, DMTRACE_EXIT },
		{ 12, 0, 0, 1, DMTRACE_RESERVED },
	};
	struct dmtrace_key *key = key_new();
	struct dmtrace_calls *calls = dmtrace_calls_new(key,
	    dmtrace_layout_find(3, DMTRACE_CLOCK_DUAL));
	struct dmtrace_step step;
	char found[1024] = "";
	unsigned told = 0;

	dmtrace_calls_set_report(calls, count_finding, &told);
	for (size_t i = 0; i < ROWS(events); i++)
		ck_assert_int_eq(dmtrace_calls_step(calls, &events[i], i,
		    &step), DMTRACE_OK);
	dmtrace_calls_end(calls);
	for (size_t i = 0; i < dmtrace_calls_finding_count(calls); i++)
		add(found, dmtrace_calls_finding_get(calls, i));
	ck_assert_str_eq(found, "method-unlisted warning 3 @0\n"
	    "thread-unlisted warning 2 @4\nexit-before note 2 @6\n");
	ck_assert_uint_eq(told, 7);
	dmtrace_calls_free(calls);
	dmtrace_key_free(key);
}
END_TEST

/* A listed thread 70001 is the record's 4465 in two bytes. */
START_TEST(matches_threads_by_low_bytes)
{
	static const struct dmtrace_event event =
	    { 4, 0, 0, 4465, DMTRACE_EXIT };
	const struct dmtrace_thread far = { 70001, { "far", 3 } };
	struct dmtrace_key *key = key_new();
	struct dmtrace_step step;

	ck_assert_int_eq(dmtrace_key_thread_add(key, &far), DMTRACE_OK);
	struct dmtrace_calls *calls = dmtrace_calls_new(key,
	    dmtrace_layout_find(2, DMTRACE_CLOCK_WALL));
	dmtrace_calls_step(calls, &event, 0, &step);
	ck_assert_uint_eq(dmtrace_calls_finding_count(calls), 1);
	ck_assert_str_eq(dmtrace_calls_finding_get(calls, 0)->name,
	    "exit-before");
	dmtrace_calls_free(calls);
	dmtrace_key_free(key);
}
END_TEST

START_TEST(survives_a_lack_of_memory)
{
	struct dmtrace_key *key = key_new();
	const struct dmtrace_layout *layout =
	    dmtrace_layout_find(3, DMTRACE_CLOCK_DUAL);

	for (unsigned n = 1; n <= 2; n++) {
		fault_arm(FAULT_ALLOC, n);
		struct dmtrace_calls *calls = dmtrace_calls_new(key, layout);
		ck_assert(fault_disarm());
		ck_assert_ptr_null(calls);
	}
	dmtrace_calls_free(NULL);
	dmtrace_key_free(key);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("calls");
	TCase *tcase = unit_tcase(suite, "calls");

	ADD_CASES(tcase, finds_what_samples_hold, samples);
	tcase_add_test(tcase, tells_threads_once_and_methods_by_call);
	tcase_add_test(tcase, matches_threads_by_low_bytes);
	tcase_add_test(tcase, survives_a_lack_of_memory);
	return unit_main(suite);
}
