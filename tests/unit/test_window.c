/* test_window.c - the frames that a window of time opens and closes */

#include <dmtrace.h>
#include <string.h>

#include "helpers/array_source.h"
#include "helpers/failing.h"
#include "helpers/records.h"
#include "private/key.h"
#include "private/select.h"

#define US UINT64_C(1000)
#define END UINT64_MAX
#define A 0x4
#define B 0x8
#define C 0xc

#define KEY(version, options) "*version\n" version "\n" options \
	"*threads\n1\tmain\n2\tworker\n*methods\n" \
	"0x4\tx\ta\t()V\n0x8\tx\tb\t()V\n0xc\tx\tc\t()V\n*end\n"

#define EVENT(t, m, cpu, wall, action) { m, cpu, wall, t, action }
#define IN(t, m, us) EVENT(t, m, NO_TIME, us * US, DMTRACE_ENTER)
#define OUT(t, m, us) EVENT(t, m, NO_TIME, us * US, DMTRACE_EXIT)
#define CPU_IN(t, m, us) EVENT(t, m, us * US, NO_TIME, DMTRACE_ENTER)
#define CPU_OUT(t, m, us) EVENT(t, m, us * US, NO_TIME, DMTRACE_EXIT)
#define DUAL_IN(t, m, cpu, us) EVENT(t, m, cpu * US, us * US, DMTRACE_ENTER)
#define DUAL_OUT(t, m, cpu, us) EVENT(t, m, cpu * US, us * US, DMTRACE_EXIT)

enum { MOST = 10 };

struct list {
	struct dmtrace_event items[MOST];
	size_t count;
};

/* Thread 2 first, and it stops in the middle of its calls. */
#define WALL_EVENTS { { \
	IN(2, A, 5), IN(2, B, 6), IN(1, A, 10), IN(1, B, 20), OUT(1, B, 30), \
	IN(1, C, 40), OUT(1, C, 50), OUT(1, A, 60) }, 8 }

/* The same calls of two threads, on each one's own clock. */
#define CPU_EVENTS { { \
	CPU_IN(1, A, 10), CPU_IN(2, B, 0), CPU_OUT(1, A, 20), \
	CPU_IN(1, C, 30), CPU_OUT(1, C, 40), CPU_IN(2, A, 3) }, 6 }

#define DUAL_EVENTS { { \
	DUAL_IN(1, A, 1, 10), DUAL_IN(1, B, 2, 20), DUAL_OUT(1, B, 3, 40), \
	DUAL_OUT(1, A, 4, 50) }, 4 }

static const struct {
	const char *label;
	const char *key;
	unsigned version;
	enum dmtrace_clock clock;
	struct list events;
	uint64_t from, to;
	const char *method;		/* conditions besides the window */
	uint64_t min;
	uint32_t depth;
	struct list opened, closed;
	const char *kept;
} rows[] = {
	{ "the whole trace", KEY("2", ""), 2, WALL, WALL_EVENTS,
	    0, 61 * US, NULL, 0, 0, { .count = 0 }, { .count = 0 },
	    "11111111" },
	{ "frames at both edges", KEY("2", ""), 2, WALL, WALL_EVENTS,
	    15 * US, 45 * US, NULL, 0, 0,
	    { { IN(1, A, 15), IN(2, A, 15), IN(2, B, 15) }, 3 },
	    { { OUT(1, C, 45), OUT(1, A, 45), OUT(2, B, 45), OUT(2, A, 45) },
	    4 }, "00011100" },
	{ "edges at records", KEY("2", ""), 2, WALL, WALL_EVENTS,
	    20 * US, 40 * US, NULL, 0, 0,
	    { { IN(1, A, 20), IN(2, A, 20), IN(2, B, 20) }, 3 },
	    { { OUT(1, A, 40), OUT(2, B, 40), OUT(2, A, 40) }, 3 },
	    "00011000" },
	{ "edges between microseconds", KEY("2", ""), 2, WALL, WALL_EVENTS,
	    19 * US + 1, 40 * US + 1, NULL, 0, 0,
	    { { IN(1, A, 20), IN(2, A, 20), IN(2, B, 20) }, 3 },
	    { { OUT(1, C, 41), OUT(1, A, 41), OUT(2, B, 41), OUT(2, A, 41) },
	    4 }, "00011100" },
	{ "no record in between", KEY("2", ""), 2, WALL, WALL_EVENTS,
	    21 * US, 29 * US, NULL, 0, 0,
	    { { IN(1, A, 21), IN(1, B, 21), IN(2, A, 21), IN(2, B, 21) }, 4 },
	    { { OUT(1, B, 29), OUT(1, A, 29), OUT(2, B, 29), OUT(2, A, 29) },
	    4 }, "00000000" },
	{ "an open end closes nothing", KEY("2", ""), 2, WALL, WALL_EVENTS,
	    55 * US, END, NULL, 0, 0,
	    { { IN(1, A, 55), IN(2, A, 55), IN(2, B, 55) }, 3 },
	    { .count = 0 }, "00000001" },
	{ "after the last record", KEY("2", ""), 2, WALL, WALL_EVENTS,
	    61 * US, END, NULL, 0, 0, { .count = 0 }, { .count = 0 },
	    "00000000" },
	{ "only the method's frames", KEY("2", ""), 2, WALL, WALL_EVENTS,
	    15 * US, 45 * US, "x.a", 0, 0,
	    { { IN(1, A, 15), IN(2, A, 15) }, 2 },
	    { { OUT(1, A, 45), OUT(2, A, 45) }, 2 }, "00000000" },
	{ "only the depth's frames", KEY("2", ""), 2, WALL, WALL_EVENTS,
	    15 * US, 45 * US, NULL, 0, 2, { { IN(2, B, 15) }, 1 },
	    { { OUT(1, C, 45), OUT(2, B, 45) }, 2 }, "00011100" },
	{ "only frames that last", KEY("2", ""), 2, WALL, WALL_EVENTS,
	    15 * US, 45 * US, NULL, 11 * US, 0, { { IN(1, A, 15) }, 1 },
	    { { OUT(1, A, 45) }, 1 }, "00000000" },

	{ "each thread's own clock", KEY("2", ""), 2, CPU, CPU_EVENTS,
	    2 * US, 35 * US, NULL, 0, 0, { { CPU_IN(2, B, 2) }, 1 },
	    { { CPU_OUT(1, C, 35) }, 1 }, "101101" },
	{ "global is each thread's own", KEY("1", "clock=global\n"), 1, WALL,
	    { { IN(1, A, 1), IN(2, B, 0), IN(1, B, 50) }, 3 }, 10 * US,
	    40 * US, NULL, 0, 0, { { IN(1, A, 10) }, 1 },
	    { { OUT(1, A, 40) }, 1 }, "000" },
	{ "wall of dalvik, version 1", KEY("1", "vm=dalvik\nclock=wall\n"),
	    1, WALL, { { IN(1, A, 1), IN(2, B, 0), IN(1, B, 50) }, 3 },
	    10 * US, 40 * US, NULL, 0, 0, { { IN(1, A, 10) }, 1 },
	    { { OUT(1, A, 40) }, 1 }, "000" },
	{ "wall of dalvik, version 2", KEY("2", "vm=dalvik\nclock=wall\n"),
	    2, WALL, { { IN(1, A, 1), IN(2, B, 0), IN(1, B, 50) }, 3 },
	    10 * US, 40 * US, NULL, 0, 0,
	    { { IN(1, A, 10), IN(2, B, 10) }, 2 },
	    { { OUT(1, A, 40), OUT(2, B, 40) }, 2 }, "000" },
	{ "both clocks", KEY("3", "clock=dual\n"), 3, DUAL, DUAL_EVENTS,
	    15 * US, 45 * US, NULL, 0, 0, { { DUAL_IN(1, A, 1, 15) }, 1 },
	    { { DUAL_OUT(1, A, 3, 45) }, 1 }, "0110" },

	{ "CPU time between two events", KEY("3", "clock=dual\n"), 3, DUAL,
	    { { DUAL_IN(1, A, 8000, 153000), DUAL_OUT(1, A, 38008000,
	    40153000) }, 2 }, 2153000 * US, 35153000 * US, NULL, 0, 0,
	    { { DUAL_IN(1, A, 1908000, 2153000) }, 1 },
	    { { DUAL_OUT(1, A, 33258000, 35153000) }, 1 }, "00" },
	{ "CPU time that is never more", KEY("3", "clock=dual\n"), 3, DUAL,
	    { { DUAL_IN(1, A, 1, 10), DUAL_IN(1, B, 91, 40),
	    DUAL_OUT(1, B, 85, 60) }, 3 }, 15 * US, 50 * US, NULL, 0, 0,
	    { { DUAL_IN(1, A, 6, 15) }, 1 },
	    { { DUAL_OUT(1, B, 91, 50), DUAL_OUT(1, A, 91, 50) }, 2 },
	    "010" },
	{ "CPU time after the last event", KEY("3", "clock=dual\n"), 3, DUAL,
	    { { DUAL_IN(2, A, 1, 10), DUAL_IN(1, B, 2, 12),
	    DUAL_IN(1, C, 5, 30), DUAL_IN(2, C, 20, 60) }, 4 }, 20 * US,
	    50 * US, NULL, 0, 0,
	    { { DUAL_IN(1, B, 3, 20), DUAL_IN(2, A, 4, 20) }, 2 },
	    { { EVENT(1, C, NO_TIME, 50 * US, DMTRACE_EXIT),
	    EVENT(1, B, NO_TIME, 50 * US, DMTRACE_EXIT),
	    DUAL_OUT(2, A, 16, 50) }, 3 }, "0010" },

	{ "time that goes back", KEY("2", ""), 2, WALL,
	    { { IN(1, A, 10), IN(1, B, 30), OUT(1, B, 15), IN(1, C, 50),
	    OUT(1, C, 35), OUT(1, A, 60) }, 6 }, 20 * US, 40 * US, NULL, 0, 0,
	    { { IN(1, A, 20) }, 1 }, { { OUT(1, A, 40) }, 1 }, "011000" },
	{ "exits that match nothing", KEY("2", ""), 2, WALL,
	    { { OUT(1, A, 10), OUT(1, B, 30), IN(1, C, 31), OUT(1, A, 32),
	    OUT(1, C, 50) }, 5 }, 20 * US, 40 * US, NULL, 0, 0,
	    { .count = 0 }, { { OUT(1, C, 40) }, 1 }, "01110" },
	{ "a frame that another's exit ends", KEY("2", ""), 2, WALL,
	    { { IN(1, A, 10), IN(1, B, 20), OUT(1, A, 30), IN(1, C, 40) }, 4 },
	    25 * US, 35 * US, NULL, 0, 0,
	    { { IN(1, A, 25), IN(1, B, 25) }, 2 }, { .count = 0 }, "0010" },
};

/* The selected events of a row; NULL: no memory. */
static struct dmtrace_source *
open_row(int row, struct dmtrace_key *key, struct dmt_selection *selection)
{
	const struct dmt_layout *const layout =
	    dmt_layout_find(rows[row].version, rows[row].clock);
	size_t used;

	enum dmtrace_status status = dmt_key_decode_bytes(key, rows[row].key,
	    strlen(rows[row].key), &used, NULL, NULL);
	if (status == DMTRACE_OK)
		status = dmt_selection_set_window(selection,
		    rows[row].from, rows[row].to, 0);
	if (status == DMTRACE_OK && rows[row].method != NULL)
		status = dmt_selection_add(selection,
		    DMT_SELECT_METHOD, rows[row].method);
	if (status == DMTRACE_OK && rows[row].depth != 0)
		status = dmt_selection_set_depth(selection,
		    rows[row].depth, rows[row].depth);
	dmt_selection_set_min_time(selection, rows[row].min);
	if (status == DMTRACE_OK)
		status = dmt_selection_resolve(selection, key, layout);
	return status != DMTRACE_OK ? NULL : dmt_source_select(
	    array_source_new(key, layout, rows[row].events.items,
	    rows[row].events.count, 3), selection);
}

static void
assert_same_list(const char *label, const struct dmtrace_event *found,
    size_t count, const struct list *expected)
{
	ck_assert_msg(count == expected->count, "%s: %zu, not %zu", label,
	    count, expected->count);
	for (size_t i = 0; i < count; i++)
		assert_same_event(&found[i], &expected->items[i]);
}

START_TEST(cuts_frames)
{
	struct dmtrace_key *const key = dmt_key_new();
	struct dmt_selection *const selection = dmt_selection_new();
	struct dmtrace_source *const source = open_row(_i, key, selection);
	struct selected_events found;

	ck_assert_ptr_nonnull(source);
	for (int times = 0; times < 2; times++) {
		ck_assert_int_eq(select_events(source, rows[_i].events.count,
		    &found), DMTRACE_OK);
		assert_same_list("opened", found.opened, found.opened_count,
		    &rows[_i].opened);
		ck_assert_str_eq(found.kept, rows[_i].kept);
		assert_same_list("closed", found.closed, found.closed_count,
		    &rows[_i].closed);
		ck_assert_int_eq(dmt_source_rewind(source), DMTRACE_OK);
	}
	dmtrace_source_free(source);
	dmt_selection_free(selection);
	dmt_key_free(key);
}
END_TEST

/* In a row whose window has frames at both edges. */
START_TEST(survives_a_failing_allocation)
{
	struct failing failing = { .kind = FAULT_ALLOC };
	struct selected_events found;

	do {
		enum dmtrace_status status = DMTRACE_ERR_MEMORY;
		struct dmtrace_source *source = NULL;

		failing_arm(&failing);
		struct dmtrace_key *const key = dmt_key_new();
		struct dmt_selection *const selection =
		    dmt_selection_new();
		if (key != NULL && selection != NULL)
			source = open_row(1, key, selection);
		if (source != NULL)
			status = select_events(source, rows[1].events.count,
			    &found);
		failing_reported(&failing, status);
		dmtrace_source_free(source);
		dmt_selection_free(selection);
		dmt_key_free(key);
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 0);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("window");
	TCase *tcase = unit_tcase(suite, "window");

	ADD_CASES(tcase, cuts_frames, rows);
	tcase_add_test(tcase, survives_a_failing_allocation);
	return unit_main(suite);
}
