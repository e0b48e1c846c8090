/* test_scan.c - a scan says of a window what a selector says */

#include "data/record_decode.h"
#include "events/scan.h"
#include "faults.h"
#include "records.h"

enum { EVENTS = 400, THREADS = 3, DEPTH = 6 };

static const char key_text[] = "*version\n2\nclock=wall\n*threads\n1\tmain\n"
    "2\tother\n*methods\n*end\n";

static const struct dialect kinds[] = {
	{ 1, CPU, 9 }, { 1, WALL, 9 }, { 2, WALL, 10 }, { 3, DUAL, 14 },
	{ 3, DUAL, 20 },
};

/* Calls that nest, as the records of a layout. Times go on by leaps, over the
 * end of their field, and now and then a little back. */
struct calls {
	uint8_t records[EVENTS * 20];
	struct dmtrace_event events[EVENTS];
	uint64_t frames[THREADS][DEPTH];
	unsigned depths[THREADS];
	uint32_t us[THREADS];
};

static void
make_one(struct calls *calls, size_t i, uint64_t *seed,
    const struct dmtrace_layout *layout)
{
	const unsigned thread = (unsigned)(next_random(seed) >> 9) % THREADS;
	unsigned *const depth = &calls->depths[thread];
	const bool enters = *depth == 0 ||
	    (*depth < DEPTH && (next_random(seed) >> 11) % 2 == 0);
	const uint64_t method = enters ? (next_random(seed) >> 20) % 5 * 4 :
	    calls->frames[thread][*depth - 1];

	calls->us[thread] += (uint32_t)(next_random(seed) >> 7) %
	    ((next_random(seed) >> 5) % 20 == 0 ? 1u << 30 : 50);
	if ((next_random(seed) >> 13) % 30 == 0)
		calls->us[thread] -= 20;
	const struct dmtrace_event event = {
		.method = method,
		.cpu_ns = (uint64_t)(calls->us[thread] / 2) * 1000,
		.wall_ns = (uint64_t)calls->us[thread] * 1000,
		.thread = thread + 1,
		.action = enters ? DMTRACE_ENTER :
		    (next_random(seed) >> 8) % 3 == 0 ? DMTRACE_UNROLL :
		    DMTRACE_EXIT
	};
	if (enters)
		calls->frames[thread][(*depth)++] = method;
	else
		--*depth;
	ck_assert_int_eq(dmtrace_record_encode(
	    calls->records + i * layout->record_size, layout, &event),
	    DMTRACE_OK);
}

static void
ignore(void *context, unsigned oddities, size_t index)
{
	(void)context;
	(void)oddities;
	(void)index;
}

static void
make(struct calls *calls, uint64_t seed, const struct dmtrace_layout *layout)
{
	const struct dmt_watch watch = { ignore, NULL };
	struct dmt_clocks *const clocks = dmt_clocks_new(layout);

	memset(calls, 0, sizeof(*calls));
	for (unsigned i = 0; i < THREADS; i++)
		calls->us[i] = i * 7;
	for (size_t i = 0; i < EVENTS; i++)
		make_one(calls, i, &seed, layout);
	dmt_records_decode(calls->events, layout, calls->records, EVENTS,
	    clocks, &watch);
	dmt_clocks_free(clocks);
}

static struct dmtrace_selection *
make_selection(uint64_t from, uint64_t to, bool one,
    const struct dmtrace_layout *layout)
{
	struct dmtrace_selection *const selection = dmtrace_selection_new();
	struct dmtrace_key *const key = dmtrace_key_new();
	size_t used;

	ck_assert_int_eq(dmtrace_key_decode(key, key_text,
	    sizeof(key_text) - 1, &used, NULL, NULL), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_selection_set_window(selection, from, to, 0),
	    DMTRACE_OK);
	if (one)
		dmtrace_selection_add(selection, DMTRACE_SELECT_THREAD,
		    "2,3");
	ck_assert_int_eq(dmtrace_selection_resolve(selection, key, layout),
	    DMTRACE_OK);
	dmtrace_key_free(key);
	return selection;
}

static void
assert_same_list(const struct dmt_cuts *cuts,
    const struct dmtrace_event *events, size_t count)
{
	ck_assert_uint_eq(cuts->count, count);
	for (size_t i = 0; i < count; i++)
		assert_same_event(&cuts->events[i], &events[i]);
}

static void
compare(const struct calls *calls, struct dmtrace_selection *selection,
    const struct dmtrace_layout *layout)
{
	struct dmtrace_selector *const selector =
	    dmtrace_selector_new(selection);
	uint8_t wanted[EVENTS], learned[EVENTS], selected[EVENTS];
	struct dmt_scan scan;
	size_t count;

	dmtrace_selector_learn(selector, calls->events, EVENTS);
	dmtrace_selector_learned(selector);
	dmtrace_selector_select(selector, calls->events, EVENTS, wanted);
	ck_assert(dmt_scan_init(&scan, selection, layout));
	dmt_scan_learn(&scan, calls->records, EVENTS, learned);
	dmt_scan_learned(&scan);
	dmt_scan_select(&scan, calls->records, EVENTS, selected);
	ck_assert(!scan.odd && !scan.failed);
	ck_assert_int_eq(memcmp(wanted, learned, EVENTS), 0);
	ck_assert_int_eq(memcmp(wanted, selected, EVENTS), 0);
	const struct dmtrace_event *events =
	    dmtrace_selector_opened(selector, &count);
	assert_same_list(&scan.opened, events, count);
	events = dmtrace_selector_closed(selector, &count);
	assert_same_list(&scan.closed, events, count);
	dmt_scan_fini(&scan);
	dmtrace_selector_free(selector);
}

START_TEST(says_what_a_selector_says)
{
	const struct dmtrace_layout layout = layout_of(&kinds[_i]);
	static struct calls calls;

	for (uint64_t seed = 1; seed <= 60; seed++) {
		make(&calls, seed, &layout);
		const struct dmtrace_event *const first =
		    &calls.events[seed * 3];
		const struct dmtrace_event *const last =
		    &calls.events[EVENTS / 2 + seed];
		uint64_t from = layout.wall.width != 0 ? first->wall_ns :
		    first->cpu_ns;
		uint64_t to = (layout.wall.width != 0 ? last->wall_ns :
		    last->cpu_ns) + seed % 2000;

		if (from >= to)
			to = seed % 2 == 0 ? UINT64_MAX : from + 1000000;
		struct dmtrace_selection *const selection =
		    make_selection(from, to, seed % 3 == 0, &layout);
		compare(&calls, selection, &layout);
		dmtrace_selection_free(selection);
	}
}
END_TEST

/* An exit over another frame is not for a scan. */
START_TEST(tells_odd_calls)
{
	static const uint8_t odd[] = "\1\4\0\0\0\1\0\0\0"
	    "\1\x08\0\0\0\2\0\0\0" "\1\5\0\0\0\3\0\0\0";
	const struct dmtrace_layout *const layout =
	    dmtrace_layout_find(1, WALL);
	struct dmtrace_selection *const selection =
	    make_selection(1, 5000, false, layout);
	struct dmt_scan scan;
	uint8_t keep[3];

	ck_assert(dmt_scan_fits(selection));
	ck_assert(dmt_scan_init(&scan, selection, layout));
	dmt_scan_learn(&scan, odd, 2, keep);
	ck_assert(!scan.odd);
	dmt_scan_learn(&scan, odd + 18, 1, keep);
	ck_assert(scan.odd);
	dmt_scan_fini(&scan);
	dmtrace_selection_free(selection);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("scan");
	TCase *tcase = unit_tcase(suite, "scan");

	ADD_CASES(tcase, says_what_a_selector_says, kinds);
	tcase_add_test(tcase, tells_odd_calls);
	return unit_main(suite);
}
