/* call_pairs.c - which thread of the one trace is which of the other */

#include "verify/call_diff.h"

#include <stdlib.h>

#include "base/array.h"

/* A lane of either side, to be sorted. */
struct entry {
	const struct dmt_call_lane *lane;
	uint32_t index;
	uint32_t partner;
};

/* Those of one side, and where the next name begins and ends. */
struct list {
	struct entry *entries;
	size_t count;
	size_t begin, end;
};

static int
compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* What they did, all of it. */
static int
compare_calls(const struct entry *a, const struct entry *b)
{
	int order = compare_numbers(a->lane->calls, b->lane->calls);

	if (order == 0)
		order = compare_numbers(a->lane->sum.low, b->lane->sum.low);
	return order != 0 ? order :
	    compare_numbers(a->lane->sum.high, b->lane->sum.high);
}

static int
compare(const void *left, const void *right)
{
	const struct entry *const a = left, *const b = right;
	int order = compare_numbers(a->lane->name, b->lane->name);

	if (order == 0)
		order = compare_calls(a, b);
	return order != 0 ? order : compare_numbers(a->index, b->index);
}

static int
by_index(const void *left, const void *right)
{
	const struct entry *const a = left, *const b = right;

	return compare_numbers(a->index, b->index);
}

static bool
make_list(struct list *list, const struct dmt_call_side *side)
{
	*list = (struct list){
		.entries = dmt_array_new(side->count + 1,
		    sizeof(*list->entries)),
		.count = side->count
	};
	if (list->entries == NULL)
		return false;
	for (size_t i = 0; i < side->count; i++)
		list->entries[i] = (struct entry){ &side->lanes[i],
		    (uint32_t)i, DMT_NO_LANE };
	qsort(list->entries, list->count, sizeof(*list->entries), compare);
	return true;
}

static void
bind(struct entry *a, struct entry *b)
{
	a->partner = b->index;
	b->partner = a->index;
}

/* Of one name, those that do the same. */
static void
bind_same(struct list *a, struct list *b)
{
	size_t i = a->begin, j = b->begin;

	while (i < a->end && j < b->end) {
		const int order = compare_calls(&a->entries[i],
		    &b->entries[j]);

		if (order == 0)
			bind(&a->entries[i], &b->entries[j]);
		i += order <= 0;
		j += order >= 0;
	}
}

static void
sort_group(struct list *list)
{
	if (list->end - list->begin > 1)
		qsort(list->entries + list->begin, list->end - list->begin,
		    sizeof(*list->entries), by_index);
}

/* The others, in the order of their first events. */
static void
bind_rest(struct list *a, struct list *b)
{
	size_t j = b->begin;

	sort_group(a);
	sort_group(b);
	for (size_t i = a->begin; i < a->end; i++) {
		if (a->entries[i].partner != DMT_NO_LANE)
			continue;
		while (j < b->end && b->entries[j].partner != DMT_NO_LANE)
			j++;
		if (j == b->end)
			return;
		bind(&a->entries[i], &b->entries[j]);
	}
}

static void
find_group(struct list *list, uint32_t name)
{
	list->begin = list->end;
	while (list->end < list->count &&
	    list->entries[list->end].lane->name == name)
		list->end++;
}

static void
bind_all(struct list *a, struct list *b, size_t names)
{
	for (uint32_t name = 0; name < names; name++) {
		find_group(a, name);
		find_group(b, name);
		bind_same(a, b);
		bind_rest(a, b);
	}
	a->begin = b->begin = 0;
	a->end = a->count;
	b->end = b->count;
	sort_group(a);
	sort_group(b);
}

static const struct dmt_call_lane *
lane_of(const struct dmtrace_call_diff *diff,
    const struct dmt_call_pair *pair, int side)
{
	return pair->lanes[side] == DMT_NO_LANE ? NULL :
	    &diff->sides[side].lanes[pair->lanes[side]];
}

static void
add(struct dmtrace_call_diff *diff, uint32_t base, uint32_t new)
{
	struct dmt_call_pair *const pair = &diff->pairs[diff->pair_count++];

	*pair = (struct dmt_call_pair){ .lanes = { base, new } };
	const struct dmt_call_lane *const a = lane_of(diff, pair, 0);
	const struct dmt_call_lane *const b = lane_of(diff, pair, 1);
	pair->calls[0] = a == NULL ? 0 : a->calls;
	pair->calls[1] = b == NULL ? 0 : b->calls;
	pair->same = a != NULL && b != NULL && a->calls == b->calls &&
	    a->sum.low == b->sum.low && a->sum.high == b->sum.high;
}

bool
dmt_call_pairs_make(struct dmtrace_call_diff *diff)
{
	struct list a, b = { .entries = NULL };
	const bool fine = make_list(&a, &diff->sides[DMTRACE_DIFF_BASE]) &&
	    make_list(&b, &diff->sides[DMTRACE_DIFF_NEW]) &&
	    (diff->pairs = dmt_array_new(a.count + b.count + 1,
	    sizeof(*diff->pairs))) != NULL;

	if (fine) {
		bind_all(&a, &b, diff->threads.count);
		for (size_t i = 0; i < a.count; i++)
			add(diff, a.entries[i].index, a.entries[i].partner);
		for (size_t i = 0; i < b.count; i++)
			if (b.entries[i].partner == DMT_NO_LANE)
				add(diff, DMT_NO_LANE, b.entries[i].index);
	}
	free(a.entries);
	free(b.entries);
	return fine;
}

size_t
dmtrace_call_diff_thread_count(const struct dmtrace_call_diff *diff)
{
	return diff->pair_count;
}

void
dmtrace_call_diff_thread_get(const struct dmtrace_call_diff *diff,
    size_t index, struct dmtrace_call_diff_thread *thread)
{
	const struct dmt_call_pair *const pair = &diff->pairs[index];

	*thread = (struct dmtrace_call_diff_thread){ .same = pair->same };
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++) {
		const struct dmt_call_lane *const lane =
		    lane_of(diff, pair, side);

		if (lane == NULL)
			continue;
		const struct dmt_name *const name =
		    &diff->threads.items[lane->name];
		thread->name = name->name;
		thread->listed = name->listed;
		thread->present[side] = 1;
		thread->numbers[side] = lane->number;
		thread->calls[side] = pair->calls[side];
	}
}
