/* test_call_diff.c - two traces compared call by call */

#include <dmtrace.h>

#include <string.h>

#include "helpers/failing.h"
#include "helpers/profiles.h"
#include "helpers/unit.h"
#include "private/verify.h"

#define EVENTS 64

/* Gives events to one side, in batches. */
static enum dmtrace_status
give(struct dmt_call_diff *diff, enum dmtrace_diff_side side,
    const struct dmtrace_key *key, const struct dmtrace_event *events,
    size_t count)
{
	struct dmtrace_source *const source = array_source_new(key,
	    dmt_layout_find(3, DMTRACE_CLOCK_WALL), events, count,
	    count > 1000 ? DMT_BATCH_EVENTS : 7);

	if (source == NULL)
		return DMTRACE_ERR_MEMORY;
	const enum dmtrace_status status =
	    dmt_call_diff_add(diff, side, source);
	dmtrace_source_free(source);
	return status;
}

/* Threads 1 and 2 are main, 3 is other; nobody lists the others. */
static struct dmtrace_key *
key_of_threads(void)
{
	static const char *const names[] = { "main", "main", "other" };
	struct dmtrace_key *const key = key_of_methods();

	for (uint32_t i = 0; i < 3; i++) {
		const struct dmtrace_thread thread = {
			.id = i + 1, .name = { names[i], strlen(names[i]) }
		};

		ck_assert_int_eq(dmtrace_key_thread_add(key, &thread),
		    DMTRACE_OK);
	}
	return key;
}

static struct dmt_call_diff *
compare(const char *base, const char *new,
    const struct dmt_call_diff_options *options)
{
	struct dmt_call_diff *const diff = dmt_call_diff_new(options);
	struct dmtrace_key *const key = key_of_threads();
	struct dmtrace_event a[EVENTS], b[EVENTS];
	const size_t a_count = events_of(a, base);
	const size_t b_count = events_of(b, new);

	do {
		ck_assert_int_eq(give(diff, DMTRACE_DIFF_BASE, key, a,
		    a_count), DMTRACE_OK);
		ck_assert_int_eq(give(diff, DMTRACE_DIFF_NEW, key, b,
		    b_count), DMTRACE_OK);
	} while (dmt_call_diff_again(diff));
	dmt_key_free(key);
	return diff;
}

/* "main 3/4: 1 -2A +2B": how many calls, then the lines, each with its depth;
 * "|" begins lines that are apart, "^" is a caller, "'" a return. */
static void
diff_text(char out[TEXT_MAX], const struct dmt_call_diff *diff)
{
	static const char *const kinds[] = { "=", "-", "+", "^" };
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < dmt_call_diff_thread_count(diff); i++) {
		struct dmt_call_diff_thread thread;
		struct dmt_call_diff_line line;

		dmt_call_diff_thread_get(diff, i, &thread);
		if (thread.same)
			continue;
		used += (size_t)snprintf(out + used, TEXT_MAX - used,
		    "%.*s %d/%d:", (int)thread.name.len, thread.name.bytes,
		    thread.present[0] ? (int)thread.calls[0] : -1,
		    thread.present[1] ? (int)thread.calls[1] : -1);
		for (size_t j = 0; dmt_call_diff_line_get(diff, i, j,
		    &line) == 0; j++)
			used += (size_t)snprintf(out + used, TEXT_MAX - used,
			    "%s%s%u%.*s%s", line.first ? " |" : " ",
			    kinds[line.kind], (unsigned)line.depth,
			    (int)line.name.len, line.name.bytes,
			    line.before ? "'" : "");
		used += (size_t)snprintf(out + used, TEXT_MAX - used, "; ");
	}
}

static const struct {
	const char *label;
	const char *base, *new;
	const char *text;		/* with a context of 1 */
} cases[] = {
	{ "nothing", "", "", "" },
	{ "the same", "1+A0 1+B1 1-B2 1-A3", "1+A0 1+B1 1-B2 1-A3", "" },
	{ "other times", "1+A0 1+B1 1-B2 1-A3", "1+A9 1+B9 1-B19 1-A99", "" },
	{ "other turns", "1+A0 3+B1 3-B2 1-A3", "3+B0 1+A1 1-A2 3-B3", "" },
	{ "an exception", "1+A0 1-A3", "1+A0 1*A3", "" },
	{ "open at the end", "1+A0 1+B1", "1+A0 1+B1 1-B2 1-A3", "" },
	{ "an exit that ends two", "1+A0 1+B1 1-A2 1+C3",
	    "1+A0 1+B1 1-B2 1-A2 1+C3", "" },
	{ "a stray exit, and the reserved action", "1+A0 1-B1 1?A2 1-A3",
	    "1+A0 1-A3", "" },
	{ "another method", "1+A0 1+B1 1-B2 1-A3", "1+A0 1+C1 1-C2 1-A3",
	    "main 2/2: |=1A -2B +2C; " },
	{ "another depth", "1+A0 1+B1 1-B2 1-A3", "1+A0 1-A1 1+B2 1-B3",
	    "main 2/2: |=1A -2B +1B; " },
	{ "one more", "1+A0 1-A1", "1+A0 1+B0 1-B1 1-A1",
	    "main 1/2: |=1A +2B; " },
	{ "one less, at the beginning", "1+B0 1-B1 1+A2 1-A3", "1+A2 1-A3",
	    "main 2/1: |-1B =1A; " },
	{ "two that are apart",
	    "1+A0 1-A0 1+B0 1-B0 1+C0 1-C0 1+D0 1-D0 1+E0 1-E0",
	    "1+B0 1-B0 1+C0 1-C0 1+D0 1-D0 1+A0 1-A0 1+E0 1-E0",
	    "main 5/5: |-1A =1B |=1D +1A =1B; " },
	{ "callers", "1+A0 1+B0 1+C0 1+D0 1-D0 1+E0",
	    "1+A0 1+B0 1+C0 1+D0 1-D0 1+F0",
	    "main 5/5: |^1A ^2B ^3C =4D -4B +40x18; " },
	{ "what was entered before", "1-A0 1-B0 1+C0", "1-A0 1-C0 1+C0",
	    "main 3/3: |=0A' -0B' +0C' =1C; " },
	{ "threads that only one has", "1+A0 3+A0 3-A1 9+A0",
	    "1+A0 2+B1", "other 1/-1:;  1/-1:; main -1/1:; " },
	{ "threads of one name, in another order",
	    "1+A0 2+B0", "1+B0 2+A0", "" },
	{ "of which one differs", "1+A0 2+B0", "1+B0 2+C0",
	    "main 1/1: |-1A +1C; " },
	{ "threads that nobody lists", "7+A0 8+B0", "5+B0 6+A0", "" },
	{ "a method that nobody lists", "1+F0", "1+A0",
	    "main 1/1: |-10x18 +1A; " },
};

START_TEST(reports_the_differences)
{
	const struct dmt_call_diff_options options = {
		.context = 1, .lines = 20
	};
	struct dmt_call_diff *const diff = compare(cases[_i].base,
	    cases[_i].new, &options);
	char text[TEXT_MAX];

	diff_text(text, diff);
	ck_assert_msg(strcmp(text, cases[_i].text) == 0, "%s: %s",
	    cases[_i].label, text);
	dmt_call_diff_free(diff);
}
END_TEST

/* A long run of calls, one of which is another one. */
struct run {
	size_t calls;
	size_t other;			/* which; from 1, 0: none */
};

static enum dmtrace_status
give_run(struct dmt_call_diff *diff, enum dmtrace_diff_side side,
    const struct dmtrace_key *key, const struct run *run)
{
	struct dmtrace_event *const events =
	    malloc(2 * run->calls * sizeof(*events));

	for (size_t i = 0; events != NULL && i < run->calls; i++) {
		events[2 * i] = (struct dmtrace_event){
			.thread = 1, .action = DMTRACE_ENTER,
			.method = i + 1 == run->other ? 16 :
			    4 + (i + 1) % 3 * 4
		};
		events[2 * i + 1] = events[2 * i];
		events[2 * i + 1].action = DMTRACE_EXIT;
	}
	const enum dmtrace_status status = events == NULL ?
	    DMTRACE_ERR_MEMORY : give(diff, side, key, events,
	    2 * run->calls);
	free(events);
	return status;
}

static const struct {
	struct run base, new;
	uint64_t at[2];			/* of the lines that differ */
} runs[] = {
	{ { 300000, 0 }, { 300000, 1 }, { 1, 1 } },
	{ { 300000, 0 }, { 300000, 2 }, { 2, 2 } },
	{ { 300000, 150000 }, { 300000, 0 }, { 150000, 150000 } },
	{ { 300000, 131072 }, { 300000, 0 }, { 131072, 131072 } },
	{ { 300000, 131073 }, { 300000, 0 }, { 131073, 131073 } },
	{ { 300000, 0 }, { 300000, 300000 }, { 300000, 300000 } },
	{ { 300000, 0 }, { 299999, 0 }, { 300000, 0 } },
	{ { 60, 0 }, { 300000, 0 }, { 0, 61 } },
	{ { 4000, 3999 }, { 4000, 0 }, { 3999, 3999 } },
	{ { 700000, 0 }, { 700000, 699000 }, { 699000, 699000 } },
};

START_TEST(finds_one_call_of_many)
{
	struct dmt_call_diff *const diff = dmt_call_diff_new(NULL);
	struct dmtrace_key *const key = key_of_threads();
	struct dmt_call_diff_line line;
	uint64_t found[2] = { 0, 0 };
	int times = 0;

	do {
		ck_assert_int_eq(give_run(diff, DMTRACE_DIFF_BASE, key,
		    &runs[_i].base), DMTRACE_OK);
		ck_assert_int_eq(give_run(diff, DMTRACE_DIFF_NEW, key,
		    &runs[_i].new), DMTRACE_OK);
		ck_assert_int_lt(++times, 6);
	} while (dmt_call_diff_again(diff));
	for (size_t i = 0; dmt_call_diff_line_get(diff, 0, i, &line) == 0;
	    i++) {
		if (line.kind == DMT_CALL_DIFF_BASE && found[0] == 0)
			found[0] = line.at[0];
		if (line.kind == DMT_CALL_DIFF_NEW && found[1] == 0)
			found[1] = line.at[1];
	}
	ck_assert_uint_eq(found[0], runs[_i].at[0]);
	ck_assert_uint_eq(found[1], runs[_i].at[1]);
	dmt_call_diff_free(diff);
	dmt_key_free(key);
}
END_TEST

START_TEST(refuses_calls_that_are_too_deep)
{
	enum { DEPTH = 1048576 };
	struct dmt_call_diff *const diff = dmt_call_diff_new(NULL);
	struct dmtrace_key *const key = key_of_threads();
	struct dmtrace_event *const events =
	    malloc((DEPTH + 1) * sizeof(*events));

	for (size_t i = 0; i <= DEPTH; i++)
		events[i] = (struct dmtrace_event){
			.thread = 1, .method = 4, .action = DMTRACE_ENTER
		};
	ck_assert_int_eq(give(diff, DMTRACE_DIFF_BASE, key, events, DEPTH),
	    DMTRACE_OK);
	ck_assert_int_eq(give(diff, DMTRACE_DIFF_BASE, key, events,
	    DEPTH + 1), DMTRACE_ERR_LIMIT);
	ck_assert_int_eq(dmt_call_diff_error(diff)->status,
	    DMTRACE_ERR_LIMIT);
	ck_assert_int_eq(dmt_call_diff_again(diff), 0);
	dmt_call_diff_free(diff);
	dmt_call_diff_free(NULL);
	dmt_key_free(key);
	free(events);
}
END_TEST

static enum dmtrace_status
run_once(const struct dmtrace_key *key)
{
	static const struct run base = { 70, 0 }, new = { 90, 65 };
	struct dmt_call_diff *const diff = dmt_call_diff_new(NULL);
	enum dmtrace_status status = DMTRACE_OK;

	if (diff == NULL)
		return DMTRACE_ERR_MEMORY;
	do {
		status = give_run(diff, DMTRACE_DIFF_BASE, key, &base);
		if (status == DMTRACE_OK)
			status = give_run(diff, DMTRACE_DIFF_NEW, key, &new);
	} while (status == DMTRACE_OK && dmt_call_diff_again(diff));
	if (status == DMTRACE_OK)
		status = dmt_call_diff_error(diff)->status;
	dmt_call_diff_free(diff);
	return status;
}

START_TEST(survives_every_failing_allocation)
{
	struct dmtrace_key *const key = key_of_threads();
	struct failing failing = { .kind = FAULT_ALLOC };

	do {
		failing_arm(&failing);
		failing_reported(&failing, run_once(key));
	} while (failing.failed);
	ck_assert_uint_ge(failing.reported, 29);
	dmt_key_free(key);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("call_diff");
	TCase *tcase = unit_tcase(suite, "call_diff");

	ADD_CASES(tcase, reports_the_differences, cases);
	ADD_CASES(tcase, finds_one_call_of_many, runs);
	tcase_add_test(tcase, refuses_calls_that_are_too_deep);
	tcase_add_test(tcase, survives_every_failing_allocation);
	return unit_main(suite);
}
