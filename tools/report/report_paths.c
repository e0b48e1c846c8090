/* report_paths.c - the nodes of a tree in the order of their ways up */

#include "report/report_paths.h"

#include <stdlib.h>
#include <string.h>

/*
 * Of a skew binary list: from p to its jump is as far as from there to the
 * next one, so that what lies above both can be had in one step.
 */
static uint32_t
far_above(const struct path *items, uint32_t parent)
{
	const struct path *p = &items[parent];
	const struct path *jump = &items[p->jump];

	return p->depth - jump->depth == jump->depth -
	    items[jump->jump].depth ? jump->jump : parent;
}

uint32_t
paths_above(const struct paths *paths, uint32_t node, uint32_t steps)
{
	const struct path *items = paths->items;
	const uint32_t depth = items[node].depth - steps;

	while (items[node].depth > depth)
		node = items[items[node].jump].depth >= depth ?
		    items[node].jump : items[node].parent;
	return node;
}

static void
fill_paths(struct paths *paths, const struct report *report, size_t table)
{
	for (uint32_t i = 0; i < paths->count; i++) {
		struct dmtrace_profile_node node;

		dmtrace_profile_node_get(report->profile, table, i, &node);
		paths->items[i] = (struct path){
			.parent = node.parent,
			.jump = i == 0 ? 0 :
			    far_above(paths->items, node.parent),
			.depth = i == 0 ? 0 :
			    paths->items[node.parent].depth + 1,
			.method = node.method
		};
	}
}

static void
fill_sums(struct paths *paths, const struct report *report, size_t table)
{
	struct path_sum sum = { .calls = 0 };

	for (size_t i = 0; i < paths->count; i++) {
		struct dmtrace_profile_node node;

		dmtrace_profile_node_get(report->profile, table,
		    paths->order[i], &node);
		paths->sums[i] = sum;
		sum.calls += node.calls;
		for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++)
			sum.exclusive_ns[clock] +=
			    (uint64_t)node.exclusive_ns[clock];
	}
	paths->sums[paths->count] = sum;
}

/*
 * The order by the first so many steps of the way up: rank is the place of a
 * node in it, of equals the same, and above the node that these steps lead to.
 * The two together order by twice as many steps.
 */
struct sort {
	uint32_t *rank;
	uint32_t *above;
	uint32_t *order;
	uint32_t *other;		/* room */
	uint32_t *ends;			/* of the nodes of a rank */
	size_t ranks;
	size_t count;
};

static bool
sort_begin(struct sort *sort, const struct paths *paths, size_t ranks)
{
	const size_t most = ranks > paths->count ? ranks : paths->count;

	*sort = (struct sort){
		.rank = malloc(paths->count * sizeof(*sort->rank)),
		.above = malloc(paths->count * sizeof(*sort->above)),
		.order = paths->order,
		.other = malloc(paths->count * sizeof(*sort->other)),
		.ends = malloc(most * sizeof(*sort->ends)),
		.ranks = ranks, .count = paths->count
	};
	if (sort->rank == NULL || sort->above == NULL ||
	    sort->other == NULL || sort->ends == NULL)
		return false;
	for (uint32_t i = 0; i < paths->count; i++) {
		sort->order[i] = i;
		sort->rank[i] = paths->items[i].method;
		sort->above[i] = paths->items[i].parent;
	}
	return true;
}

static void
sort_end(struct sort *sort)
{
	free(sort->rank);
	free(sort->above);
	free(sort->other);
	free(sort->ends);
}

/* Puts the nodes of from in order by their rank or, if high, that of the node
 * above. What is equal stays as it is. */
static void
sort_by(struct sort *sort, uint32_t *to, const uint32_t *from, bool high)
{
	uint32_t *const ends = sort->ends, *const rank = sort->rank;
	uint32_t end = 0;

	memset(ends, 0, sort->ranks * sizeof(*ends));
	for (size_t i = 0; i < sort->count; i++)
		ends[rank[high ? sort->above[i] : i]]++;
	for (size_t i = 0; i < sort->ranks; i++)
		ends[i] = end += ends[i];
	for (size_t i = sort->count; i-- > 0; ) {
		const uint32_t node = from[i];

		to[--ends[rank[high ? sort->above[node] : node]]] = node;
	}
}

static bool
is_same_path(const struct sort *sort, uint32_t a, uint32_t b)
{
	return sort->rank[a] == sort->rank[b] &&
	    sort->rank[sort->above[a]] == sort->rank[sort->above[b]];
}

/* New ranks, and twice as many steps; a parent precedes its children. */
static void
sort_rank(struct sort *sort)
{
	uint32_t *const fresh = sort->other;

	sort->ranks = 0;
	for (size_t i = 0; i < sort->count; i++) {
		if (i == 0 || !is_same_path(sort, sort->order[i],
		    sort->order[i - 1]))
			sort->ranks++;
		fresh[sort->order[i]] = (uint32_t)sort->ranks - 1;
	}
	sort->other = sort->rank;
	sort->rank = fresh;
	for (size_t i = sort->count; i-- > 0; )
		sort->above[i] = sort->above[sort->above[i]];
}

/* The way of no node is that of another: the top ends it. */
static bool
sort_paths(struct paths *paths, size_t methods)
{
	struct sort sort;
	const bool begun = sort_begin(&sort, paths, methods);

	if (begun)
		do {
			sort_by(&sort, sort.other, sort.order, true);
			sort_by(&sort, sort.order, sort.other, false);
			sort_rank(&sort);
		} while (sort.ranks < sort.count);
	sort_end(&sort);
	return begun;
}

bool
paths_init(struct paths *paths, const struct report *report, size_t table)
{
	const size_t count =
	    dmtrace_profile_node_count(report->profile, table);

	*paths = (struct paths){
		.items = malloc(count * sizeof(*paths->items)),
		.order = malloc(count * sizeof(*paths->order)),
		.count = count
	};
	if (paths->items == NULL || paths->order == NULL)
		return false;
	fill_paths(paths, report, table);
	if (!sort_paths(paths, dmtrace_profile_method_count(report->profile)))
		return false;
	paths->sums = malloc((count + 1) * sizeof(*paths->sums));
	if (paths->sums == NULL)
		return false;
	fill_sums(paths, report, table);
	return true;
}

void
paths_fini(struct paths *paths)
{
	free(paths->items);
	free(paths->order);
	free(paths->sums);
}
