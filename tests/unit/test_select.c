/* test_select.c - conditions on events, one by one and together */

#include <dmtrace.h>
#include <string.h>

#include "helpers/array_source.h"
#include "helpers/asks.h"
#include "helpers/failing.h"
#include "helpers/records.h"
#include "private/key.h"

#define END UINT64_MAX

static const char key_text[] =
    "*version\n2\nclock=wall\n*threads\n"
    "1\tmain\n2\tworker-1\n3\tworker-2\n65540\tbig\n9\t7\n"
    "10\tbig,main\n11\t1,2\n12\tbig,\n"
    "*methods\n"
    "0x4\tcom/a/Main\trun\t()V\tMain.java\t1\n"
    "0x8\tcom/a/Main\tgo\t(ILjava/lang/String;)V\tMain.java\t2\n"
    "0xc\tcom.b.Other\trun\t()I\tOther.java\t3\n"
    "0x10\tnative\n"
    "0x14\tcom/a/Main\ta/b\t()V\tMain.java\t4\n"
    "*end\n";

#define RUN_M 0x4
#define GO 0x8
#define OTHER 0xc
#define NATIVE 0x10
#define SLASH 0x14
#define UNLISTED 0x40

#define ENTER(t, m, us) { m, NO_TIME, us * US, t, DMTRACE_ENTER }
#define LEAVE(t, m, us) { m, NO_TIME, us * US, t, DMTRACE_EXIT }

/* Two threads by turns; the last frame stays open. */
static const struct dmtrace_event events[] = {
	LEAVE(1, NATIVE, 5),		/* 0: of a call from before */
	ENTER(1, RUN_M, 10),		/* 1 */
	ENTER(2, GO, 15),		/* 2 */
	ENTER(1, GO, 20),		/* 3 */
	ENTER(1, OTHER, 30),		/* 4 */
	LEAVE(1, OTHER, 40),		/* 5 */
	LEAVE(2, GO, 45),		/* 6 */
	ENTER(4, UNLISTED, 50),		/* 7 */
	LEAVE(1, GO, 60),		/* 8 */
	ENTER(1, OTHER, 70),		/* 9 */
	LEAVE(4, UNLISTED, 75),		/* 10 */
	LEAVE(1, RUN_M, 80),		/* 11: over OTHER */
	ENTER(5, RUN_M, 90),		/* 12: stays open */
	{ NATIVE, NO_TIME, 95 * US, 5, DMTRACE_RESERVED },	/* 13 */
};

enum { EVENTS = ROWS(events) };

static const struct {
	const char *label;
	struct ask ask;
	const char *kept;		/* of the events */
} rows[] = {
	{ "nothing asked", { .to = END }, "11111111111111" },
	{ "an id", { .threads = { "1" } }, "11011100110100" },
	{ "two ids with a comma", { .threads = { "2,1" } },
	    "11111110110100" },
	{ "two ids", { .threads = { "2", "1" } }, "11111110110100" },
	{ "a name and an id with a comma", { .threads = { "main,2" } },
	    "11111110110100" },
	{ "a glob and a name", { .threads = { "*-1,big" } },
	    "00100011001000" },
	{ "a name with a comma, before its parts",
	    { .threads = { "big,main", "worker-1" } }, "00100010000000" },
	{ "also of numbers", { .threads = { "1,2", "5" } },
	    "00000000000011" },
	{ "a comma at its end is of a name", { .threads = { "big,", "5" } },
	    "00000000000011" },
	{ "an id that no row lists", { .threads = { "5" } },
	    "00000000000011" },
	{ "a listed id, modulo 2^16", { .threads = { "65540" } },
	    "00000001001000" },
	{ "the number that its records have", { .threads = { "4" } },
	    "00000001001000" },
	{ "a name", { .threads = { "worker-1" } }, "00100010000000" },
	{ "a glob of names", { .threads = { "*rk?r-[*", "w*-1" } },
	    "00100010000000" },
	{ "a glob without end", { .threads = { "*" } }, "11111111111100" },
	{ "an expression on names", { .threads = { "/^w.*-1$/" } },
	    "00100010000000" },
	{ "one with a comma, and a name",
	    { .threads = { "/^work{1,2}er/,big" } }, "00100011001000" },
	{ "one that begins with a comma, and an id",
	    { .threads = { "/,/,5" } }, "00000000000011" },
	{ "all but what an expression matches", { .threads = { "!/^m/" } },
	    "00100011001011" },
	{ "all but a list", { .threads = { "!/^w/,main" } },
	    "00000001001011" },

	{ "a method by name", { .methods = { "com.a.Main.run" } },
	    "01000000000110" },
	{ "slashes are dots in classes", { .methods = { "com/a/Main.run" } },
	    "01000000000110" },
	{ "and dots slashes", { .methods = { "com/b/Other.run" } },
	    "00001100010000" },
	{ "with the signature", { .methods = { "com.a.Main.run()V" } },
	    "01000000000110" },
	{ "a class in the signature",
	    { .methods = { "*.go(?Ljava.lang.String;)V" } },
	    "00110010100000" },
	{ "a glob", { .methods = { "*.run" } }, "01001100010110" },
	{ "a star takes the signature too", { .methods = { "com.a.*" } },
	    "01110010100110" },
	{ "a method without a class", { .methods = { "native" } },
	    "10000000000001" },
	{ "two methods", { .methods = { "native", "com.a.Main.g?" } },
	    "10110010100001" },
	{ "a regular expression", { .methods = { "/^com.[ab].*run$/" } },
	    "01001100010110" },
	{ "with the signature in it", { .methods = { "/run\\(\\)I/" } },
	    "00001100010000" },
	{ "dots in its classes", { .methods = { "/com\\.a\\./" } },
	    "01110010100110" },
	{ "slashes in its classes", { .methods = { "/com\\/b\\/O/" } },
	    "00001100010000" },
	{ "all but a method", { .methods = { "!*.run" } }, "10110011101001" },
	{ "all but an expression", { .methods = { "!/run$/" } },
	    "10110011101001" },
	{ "a glob without another", { .methods = { "com.a.*", "!*.go" } },
	    "01000000000110" },
	{ "one that no row lists", { .methods = { "0x40" } },
	    "00000001001000" },
	{ "that and another", { .methods = { "native", "0x40" } },
	    "10000001001001" },
	{ "it with zeros in front", { .methods = { "0x0040" } },
	    "00000001001000" },
	{ "a glob of ids", { .methods = { "0x4?" } }, "00000001001000" },
	{ "an expression on ids", { .methods = { "/^0x[0-9a-f]+$/" } },
	    "00000001001000" },
	{ "a glob of all names and ids", { .methods = { "*" } },
	    "11111111111111" },
	{ "nothing but that", { .methods = { "!*" } }, "00000000000000" },
	{ "all but the ids", { .methods = { "!0x*" } }, "11111110110111" },
	{ "an id without all ids", { .methods = { "0x40", "!0x*" } },
	    "00000000000000" },
	{ "under ids", { .under = "0x*" }, "00000001001000" },
	{ "hidden ids", { .hide = "/0x/" }, "11111110110111" },
	{ "the id of a row is no name", { .methods = { "0x4", "native" } },
	    "10000000000001" },
	{ "hidden, and in no row", { .hide = "0x40" }, "11111110110111" },
	{ "hidden ones", { .hide = "*.run*" }, "10110011101001" },

	{ "depth 1", { .first = 1, .last = 1 }, "01100011001110" },
	{ "depths 2 to 3", { .first = 2, .last = 3 }, "00011100110000" },
	{ "from depth 3", { .first = 3, .last = UINT32_MAX },
	    "00001100000000" },
	{ "under a method", { .under = "com.a.Main.go" },
	    "00111110100000" },
	{ "at least 25 us", { .min = 25 * US }, "01110011101100" },
	{ "at least 30 us", { .min = 30 * US }, "01110010100100" },
	{ "at least 31 us", { .min = 31 * US }, "01010000100100" },

	{ "a raw window", { .from = 20 * US, .to = 60 * US, .raw = 1 },
	    "00011111000000" },
	{ "from the first nanosecond after",
	    { .from = 20 * US + 1, .to = 60 * US + 1, .raw = 1 },
	    "00001111100000" },
	{ "a window", { .from = 20 * US, .to = 60 * US }, "00011111000000" },
	{ "a window with an open end", { .from = 75 * US, .to = END },
	    "00000000001111" },

	{ "threads and methods", { .threads = { "1" },
	    .methods = { "*.go" } }, "00010000100000" },
	{ "threads and depth", { .threads = { "1" }, .first = 2, .last = 2 },
	    "00010000110000" },
	{ "methods and depth", { .methods = { "*.run" }, .first = 1,
	    .last = 1 }, "01000000000110" },
	{ "under and time", { .under = "com.a.Main.run", .min = 40 * US },
	    "01010000100100" },
	{ "under and window", { .under = "com.a.Main.run", .from = 30 * US,
	    .to = 65 * US }, "00001100100000" },
	{ "under and hidden", { .under = "com.a.Main.run",
	    .hide = "com.a.Main.go" }, "01001100010110" },

	{ "everything but a thread", { .threads = { "1" }, .invert = 1 },
	    "00100011001011" },
	{ "everything but a method", { .methods = { "*.run" }, .invert = 1 },
	    "10110011101001" },
	{ "everything but both", { .threads = { "1" },
	    .methods = { "*.run" }, .invert = 1 }, "10110011101011" },
	{ "everything but a depth", { .first = 1, .last = 1, .invert = 1 },
	    "10011100110001" },
	{ "everything but a raw window", { .from = 20 * US, .to = 60 * US,
	    .raw = 1, .invert = 1 }, "11100000111111" },
	{ "everything but a thread, with a method hidden",
	    { .threads = { "1" }, .hide = "*.go", .invert = 1 },
	    "00000001001011" },
	{ "nothing", { .invert = 1 }, "00000000000000" },
};

static struct dmtrace_key *
make_key(const char *text)
{
	struct dmtrace_key *key = dmt_key_new();
	size_t used;

	ck_assert_ptr_nonnull(key);
	ck_assert_int_eq(dmt_key_decode_bytes(key, text, strlen(text), &used,
	    NULL, NULL), DMTRACE_OK);
	return key;
}

static enum dmtrace_status
select_all(const struct ask *asked, size_t batch, char *kept)
{
	struct dmtrace_key *const key = make_key(key_text);
	struct dmt_selection *const selection = dmt_selection_new();
	struct selected_events found;
	size_t count = 0;

	ck_assert_int_eq(ask(selection, asked), DMTRACE_OK);
	ck_assert_int_eq(dmt_selection_resolve(selection, key,
	    dmt_layout_find(2, WALL)), DMTRACE_OK);
	struct dmtrace_source *const source = dmt_source_select(
	    array_source_new(key, dmt_layout_find(2, WALL), events,
	    EVENTS, batch), selection);
	ck_assert_ptr_nonnull(source);
	const enum dmtrace_status status =
	    select_events(source, EVENTS, &found);
	for (size_t i = 0; i < EVENTS; i++)
		count += found.kept[i] == '1';
	ck_assert_uint_eq(dmt_selection_count(selection),
	    count + found.opened_count + found.closed_count);
	strcpy(kept, found.kept);
	dmtrace_source_free(source);
	dmt_selection_free(selection);
	dmt_key_free(key);
	return status;
}

START_TEST(selects)
{
	char kept[EVENTS + 1];

	for (size_t batch = 1; batch <= EVENTS; batch++) {
		ck_assert_int_eq(select_all(&rows[_i].ask, batch, kept),
		    DMTRACE_OK);
		ck_assert_msg(strcmp(kept, rows[_i].kept) == 0,
		    "%s: %s, not %s", rows[_i].label, kept, rows[_i].kept);
	}
}
END_TEST

/* The same conditions, in the options of the API. */
START_TEST(selects_by_options)
{
	const struct ask *const asked = &rows[_i].ask;
	const struct dmtrace_select_options options = {
		.threads = (const char *[]){ asked->threads[0],
		    asked->threads[1], NULL },
		.methods = (const char *[]){ asked->methods[0],
		    asked->methods[1], NULL },
		.under = (const char *[]){ asked->under, NULL },
		.hidden = (const char *[]){ asked->hide, NULL },
		.from_ns = asked->from, .to_ns = asked->to,
		.raw = asked->raw, .invert = asked->invert,
		.first_depth = asked->first, .last_depth = asked->last,
		.min_ns = asked->min,
	};
	struct dmtrace_key *const key = make_key(key_text);
	struct dmtrace_source *const source = dmtrace_select(
	    array_source_new(key, dmt_layout_find(2, WALL), events, EVENTS,
	    5), &options);
	struct selected_events found;

	ck_assert_int_eq(select_events(source, EVENTS, &found), DMTRACE_OK);
	ck_assert_str_eq(found.kept, rows[_i].kept);
	dmtrace_source_free(source);
	dmt_key_free(key);
}
END_TEST

static const struct {
	const char *label;
	struct ask ask;
} refused[] = {
	{ "an empty thread", { .threads = { "" } } },
	{ "an empty method", { .methods = { "" } } },
	{ "an expression without end", { .methods = { "/abc" } } },
	{ "an empty expression", { .methods = { "//" } } },
	{ "half an expression", { .methods = { "/" } } },
	{ "no expression", { .under = "/a(/" } },
	{ "no expression to hide", { .hide = "/[/" } },
	{ "no expression for threads", { .threads = { "/a(/" } } },
	{ "an expression without end in a list",
	    { .threads = { "main,/a" } } },
	{ "only a negation", { .methods = { "!" } } },
	{ "two negations", { .methods = { "!!native" } } },
	{ "two negations of a thread", { .threads = { "!!main" } } },
	{ "a window without room", { .from = 5, .to = 5 } },
	{ "a window backwards", { .from = 6, .to = 5 } },
	{ "depth 0", { .first = 0, .last = 3 } },
	{ "depths backwards", { .first = 4, .last = 3 } },
};

START_TEST(refuses)
{
	struct dmt_selection *const selection = dmt_selection_new();

	ck_assert_int_eq(ask(selection, &refused[_i].ask),
	    DMTRACE_ERR_RANGE);
	dmt_selection_free(selection);
}
END_TEST

START_TEST(refuses_everything_but_a_window)
{
	struct dmtrace_key *const key = make_key(key_text);
	struct dmt_selection *const selection = dmt_selection_new();

	dmt_selection_set_invert(selection, 1);
	dmt_selection_set_window(selection, 1, 2, 0);
	ck_assert_int_eq(dmt_selection_resolve(selection, key,
	    dmt_layout_find(2, WALL)), DMTRACE_ERR_RANGE);
	dmt_selection_free(selection);
	dmt_key_free(key);
}
END_TEST

/* Names and ids that no row of the key matches: some match no event either,
 * some are found later in an event. */
START_TEST(reports_what_nothing_matches)
{
	static const char *const threads[] = {
		"main", "6", "nobody", "5", "x*", "3", "7", "0000000000000077",
		"main,8,none", "big,main", "main,,"
	};
	struct dmtrace_key *const key = make_key(key_text);
	struct dmt_selection *const selection = dmt_selection_new();
	struct dmt_unmatched unmatched;
	struct selected_events found;

	for (size_t i = 0; i < ROWS(threads); i++)
		ask_add(selection, DMT_SELECT_THREAD, threads[i]);
	ask_add(selection, DMT_SELECT_METHOD, "*.no");
	ask_add(selection, DMT_SELECT_HIDE, "a.b");
	ask_add(selection, DMT_SELECT_UNDER, "/nothing/");
	ask_add(selection, DMT_SELECT_METHOD, "0xdead0");
	ask_add(selection, DMT_SELECT_HIDE, "0x40");
	ask_add(selection, DMT_SELECT_HIDE, "0x4?");
	dmt_selection_resolve(selection, key,
	    dmt_layout_find(2, WALL));
	static const struct dmt_unmatched before[] = {
		{ DMT_SELECT_THREAD, "6", 0, 1, 1 },
		{ DMT_SELECT_THREAD, "nobody", 0, 0, 0 },
		{ DMT_SELECT_THREAD, "5", 0, 1, 1 },
		{ DMT_SELECT_THREAD, "x*", 1, 0, 0 },
		{ DMT_SELECT_THREAD, "0000000000000077", 0, 1, 1 },
		{ DMT_SELECT_THREAD, "8", 0, 1, 1 },
		{ DMT_SELECT_THREAD, "none", 0, 0, 0 },
		{ DMT_SELECT_THREAD, "main,,", 0, 0, 0 },
		{ DMT_SELECT_METHOD, "*.no", 1, 0, 1 },
		{ DMT_SELECT_HIDE, "a.b", 0, 0, 0 },
		{ DMT_SELECT_UNDER, "/nothing/", 1, 0, 1 },
		{ DMT_SELECT_METHOD, "0xdead0", 0, 1, 1 },
		{ DMT_SELECT_HIDE, "0x40", 0, 1, 1 },
		{ DMT_SELECT_HIDE, "0x4?", 1, 0, 1 },
	};
	for (size_t i = 0; i < ROWS(before); i++) {
		ck_assert_int_eq(dmt_selection_unmatched(selection, i,
		    &unmatched), 0);
		ck_assert_int_eq(unmatched.condition, before[i].condition);
		ck_assert_str_eq(unmatched.value, before[i].value);
		ck_assert_int_eq(unmatched.is_pattern, before[i].is_pattern);
		ck_assert_int_eq(unmatched.is_number, before[i].is_number);
		ck_assert_int_eq(unmatched.is_late, before[i].is_late);
	}
	ck_assert_int_eq(dmt_selection_unmatched(selection, ROWS(before),
	    &unmatched), 1);

	struct dmtrace_source *const source = dmt_source_select(
	    array_source_new(key, dmt_layout_find(2, WALL), events,
	    EVENTS, EVENTS), selection);
	ck_assert_int_eq(select_events(source, EVENTS, &found), DMTRACE_OK);
	dmt_selection_unmatched(selection, 2, &unmatched);
	ck_assert_str_eq(unmatched.value, "x*");
	dmt_selection_unmatched(selection, 10, &unmatched);
	ck_assert_str_eq(unmatched.value, "0xdead0");
	ck_assert_int_eq(dmt_selection_unmatched(selection, 11,
	    &unmatched), 1);
	dmtrace_source_free(source);
	dmt_selection_free(selection);
	dmt_key_free(key);
}
END_TEST

START_TEST(asks_threads_and_methods)
{
	struct dmtrace_key *const key = make_key(key_text);
	struct dmt_selection *const selection = dmt_selection_new();

	uint64_t from_ns, to_ns;

	ck_assert(dmt_selection_is_all(selection));
	dmt_selection_get_window(selection, &from_ns, &to_ns);
	ck_assert_uint_eq(from_ns, 0);
	ck_assert_uint_eq(to_ns, UINT64_MAX);
	dmt_selection_set_window(selection, 3, 5, 0);
	dmt_selection_get_window(selection, &from_ns, &to_ns);
	ck_assert_uint_eq(from_ns, 3);
	ck_assert_uint_eq(to_ns, 5);
	dmt_selection_set_window(selection, 0, UINT64_MAX, 0);
	ask_add(selection, DMT_SELECT_THREAD, "big");
	ask_add(selection, DMT_SELECT_METHOD, "*.run");
	ask_add(selection, DMT_SELECT_HIDE, "*()I");
	ck_assert(!dmt_selection_is_all(selection));
	dmt_selection_resolve(selection, key,
	    dmt_layout_find(2, WALL));
	ck_assert(dmt_selection_wants_thread(selection, 4));
	ck_assert(!dmt_selection_wants_thread(selection, 1));
	ck_assert(!dmt_selection_wants_thread(selection, 65540));
	ck_assert(dmt_selection_wants_method(selection, RUN_M));
	ck_assert(dmt_selection_wants_method(selection, RUN_M | 2));
	ck_assert(!dmt_selection_wants_method(selection, OTHER));
	ck_assert(!dmt_selection_wants_method(selection, GO));
	ck_assert(!dmt_selection_wants_method(selection, UNLISTED));
	dmt_selection_free(selection);
	dmt_key_free(key);
}
END_TEST

/* A name may have the signs of a glob, and a slash that is no class's. */
START_TEST(takes_names_before_globs)
{
	struct dmtrace_key *const key = make_key(
	    "*version\n2\n*threads\n1\ta*\n2\tab\n*methods\n"
	    "0x4\tA\tx/y\t()V\n0x8\tA\tx.y\t()V\n*end\n");
	struct dmt_selection *const selection = dmt_selection_new();

	ask_add(selection, DMT_SELECT_THREAD, "a*");
	ask_add(selection, DMT_SELECT_METHOD, "A.x/y");
	dmt_selection_resolve(selection, key,
	    dmt_layout_find(2, WALL));
	ck_assert(dmt_selection_wants_thread(selection, 1));
	ck_assert(!dmt_selection_wants_thread(selection, 2));
	ck_assert(dmt_selection_wants_method(selection, 4));
	ck_assert(!dmt_selection_wants_method(selection, 8));
	dmt_selection_free(selection);
	dmt_key_free(key);
}
END_TEST

/* Resolves it twice, as for the second trace of a comparison; what the first
 * time has made is freed, or the program fails when it exits. */
START_TEST(survives_a_failing_allocation)
{
	const struct ask asked = {
		.threads = { "1", "/^m/,x" }, .methods = { "*.run", "/a/" },
		.under = "com.a.Main.run", .from = 20 * US, .to = 60 * US,
		.first = 1, .last = 9, .min = 10 * US
	};
	struct dmtrace_key *const key = make_key(key_text);
	struct failing failing = { .kind = FAULT_ALLOC };
	struct selected_events found;

	do {
		enum dmtrace_status status = DMTRACE_ERR_MEMORY;
		struct dmtrace_source *source = NULL;

		failing_arm(&failing);
		struct dmt_selection *const selection =
		    dmt_selection_new();
		if (selection != NULL)
			status = ask(selection, &asked);
		for (int i = 0; i < 2 && status == DMTRACE_OK; i++)
			status = dmt_selection_resolve(selection, key,
			    dmt_layout_find(2, WALL));
		if (status == DMTRACE_OK)
			source = dmt_source_select(array_source_new(key,
			    dmt_layout_find(2, WALL), events, EVENTS, 5),
			    selection);
		status = source == NULL ? DMTRACE_ERR_MEMORY :
		    select_events(source, EVENTS, &found);
		failing_reported(&failing, status);
		dmtrace_source_free(source);
		dmt_selection_free(selection);
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 0);
	dmt_key_free(key);
}
END_TEST

START_TEST(refuses_a_stack_without_end)
{
	struct dmtrace_key *const key = make_key(key_text);
	struct dmt_selection *const selection = dmt_selection_new();
	static const struct dmtrace_event deeper[] = { ENTER(1, RUN_M, 1) };
	struct dmt_batch *batch;

	dmt_selection_set_depth(selection, 1, 2);
	dmt_selection_resolve(selection, key,
	    dmt_layout_find(2, WALL));
	struct dmtrace_source *const all = array_source_new(key,
	    dmt_layout_find(2, WALL), deeper, 1, 1);
	struct dmtrace_source *const source = dmt_source_select(all, selection);
	uint32_t depth = 0;
	enum dmtrace_status status;

	dmt_want(source, DMT_COLUMN_ALL);
	while ((status = dmt_pull(source, &batch)) == DMTRACE_OK) {
		ck_assert_int_eq(all->kind->rewind(all), DMTRACE_OK);
		depth++;
	}
	ck_assert_int_eq(status, DMTRACE_ERR_LIMIT);
	ck_assert_uint_eq(depth, 1048576);
	ck_assert_ptr_nonnull(strstr(dmtrace_source_error(source)->message,
	    "thread 1 has 1048576 open frames"));
	dmtrace_source_free(source);
	dmt_selection_free(selection);
	dmt_key_free(key);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("select");
	TCase *tcase = unit_tcase(suite, "conditions");

	ADD_CASES(tcase, selects, rows);
	ADD_CASES(tcase, selects_by_options, rows);
	ADD_CASES(tcase, refuses, refused);
	tcase_add_test(tcase, refuses_everything_but_a_window);
	tcase_add_test(tcase, reports_what_nothing_matches);
	tcase_add_test(tcase, asks_threads_and_methods);
	tcase_add_test(tcase, takes_names_before_globs);
	tcase_add_test(tcase, survives_a_failing_allocation);
	tcase_add_test(tcase, refuses_a_stack_without_end);
	return unit_main(suite);
}
