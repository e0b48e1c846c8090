/* totals.c - what calls add up to: by method, by edge, by path */

/*
 * Four things are counted: cells, one for each method; edges, one for each
 * pair of caller and callee; paths, one for each sequence of calls from the
 * top; and durations, the distribution of how long the calls of a method took.
 *
 * Edges and paths are arrays in the order of their first call, each with a map
 * from what identifies an item to its index. A call looks its edge and its path
 * up once, when it is entered, and keeps the indexes until it is left.
 *
 * Durations are counted in eight buckets for each power of two, so that a
 * percentile is right to within a sixteenth; mean and deviation are kept as
 * Welford did, in one pass.
 *
 * Totals are settled to be looked at: edges are sorted, and paths know their
 * children and their inclusive times. The maps are then wrong or useless; more
 * can still be added, which makes them anew.
 */

#include "profile/totals.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Cells. */

bool
dmt_totals_reserve(struct dmt_totals *totals, size_t methods)
{
	const size_t old = totals->method_count;
	size_t capacity = old;

	if (methods <= old)
		return true;
	struct dmt_cell *const cells = dmt_array_grow(totals->cells,
	    &capacity, methods, sizeof(*cells));
	if (cells == NULL)
		return false;
	totals->cells = cells;
	struct dmt_durations **const durations =
	    realloc(totals->durations, capacity * sizeof(*durations));
	if (durations == NULL)
		return false;
	totals->durations = durations;
	memset(cells + old, 0, (capacity - old) * sizeof(*cells));
	for (size_t i = old; i < capacity; i++)
		durations[i] = NULL;
	totals->method_count = capacity;
	return true;
}

static void
add_cells(struct dmt_totals *to, const struct dmt_totals *from)
{
	for (size_t i = 0; i < from->method_count; i++) {
		const uint64_t *const in = (const uint64_t *)&from->cells[i];
		uint64_t *const out = (uint64_t *)&to->cells[i];

		for (size_t n = 0; n < sizeof(*to->cells) / sizeof(*out); n++)
			out[n] += in[n];
	}
}

/* Edges. */

static bool
map_edges(struct dmt_totals *totals)
{
	for (size_t i = totals->by_edge.count; i < totals->edge_count; i++)
		if (!dmt_idmap_add(&totals->by_edge, totals->edges[i].key,
		    (uint32_t)i))
			return false;
	return true;
}

uint32_t
dmt_edge_add(struct dmt_totals *totals, uint64_t key)
{
	const size_t index = totals->edge_count;
	struct dmt_edge *const edges = dmt_array_grow(totals->edges,
	    &totals->edge_capacity, index + 1, sizeof(*edges));

	if (edges == NULL)
		return UINT32_MAX;
	totals->edges = edges;
	if (index >= UINT32_MAX || !dmt_idmap_add(&totals->by_edge, key,
	    (uint32_t)index))
		return UINT32_MAX;
	edges[index] = (struct dmt_edge){ .key = key };
	totals->edge_count++;
	return (uint32_t)index;
}

static bool
add_edges(struct dmt_totals *to, const struct dmt_totals *from)
{
	if (!map_edges(to))
		return false;
	for (size_t i = 0; i < from->edge_count; i++) {
		const struct dmt_edge *const in = &from->edges[i];
		const uint32_t index = dmt_edge_index(to, in->key);

		if (index == UINT32_MAX)
			return false;
		to->edges[index].calls += in->calls;
		for (int clock = 0; clock < DMT_CLOCKS; clock++)
			to->edges[index].inclusive[clock] +=
			    in->inclusive[clock];
	}
	return true;
}

static int
compare_edges(const void *a, const void *b)
{
	const uint64_t one = ((const struct dmt_edge *)a)->key;
	const uint64_t other = ((const struct dmt_edge *)b)->key;

	return (one > other) - (one < other);
}

/* Paths. */

uint32_t
dmt_path_add(struct dmt_paths *paths, uint32_t parent, uint32_t method)
{
	const size_t index = paths->count;
	struct dmt_path *const items = dmt_array_grow(paths->items,
	    &paths->capacity, index + 1, sizeof(*items));

	if (items == NULL)
		return UINT32_MAX;
	paths->items = items;
	if (index >= UINT32_MAX || !dmt_idmap_add(&paths->by_step,
	    (uint64_t)parent << 32 | method, (uint32_t)index))
		return UINT32_MAX;
	items[index] = (struct dmt_path){ .parent = parent, .method = method };
	paths->count++;
	return (uint32_t)index;
}

/* The root is the only child of its own: no call is of the top. */
bool
dmt_paths_begin(struct dmt_paths *paths)
{
	return paths->count > 0 ||
	    dmt_path_add(paths, 0, DMTRACE_PROFILE_TOP) != UINT32_MAX;
}

static bool
map_paths(struct dmt_paths *paths)
{
	for (size_t i = paths->by_step.count; i < paths->count; i++) {
		const struct dmt_path *const path = &paths->items[i];

		if (!dmt_idmap_add(&paths->by_step,
		    (uint64_t)path->parent << 32 | path->method, (uint32_t)i))
			return false;
	}
	return true;
}

static bool
add_paths(struct dmt_paths *to, const struct dmt_paths *from)
{
	if (from->count == 0)
		return true;
	uint32_t *const places = dmt_array_new(from->count, sizeof(*places));
	bool done = places != NULL && map_paths(to) && dmt_paths_begin(to);
	for (size_t i = 0; i < from->count && done; i++) {
		const struct dmt_path *const in = &from->items[i];

		if (i > 0)
			places[i] = dmt_path_index(to, places[in->parent],
			    in->method);
		done = places[i] != UINT32_MAX;
		if (!done)
			break;
		struct dmt_path *const out = &to->items[places[i]];
		out->calls += in->calls;
		for (int clock = 0; clock < DMT_CLOCKS; clock++)
			out->exclusive[clock] += in->exclusive[clock];
	}
	free(places);
	return done;
}

bool
dmt_paths_add(struct dmt_paths *to, struct dmt_paths *from)
{
	if (to->count == 0) {
		*to = *from;
		*from = (struct dmt_paths){ 0 };
		return true;
	}
	const bool added = add_paths(to, from);
	dmt_paths_fini(from);
	return added;
}

/* From the last one on: children before their parents. */
static void
sum_paths(struct dmt_paths *paths)
{
	for (size_t i = 0; i < paths->count; i++) {
		struct dmt_path *const path = &paths->items[i];

		path->first_child = 0;
		memcpy(path->inclusive, path->exclusive,
		    sizeof(path->inclusive));
	}
	for (size_t i = paths->count; i-- > 1; ) {
		struct dmt_path *const path = &paths->items[i];
		struct dmt_path *const parent = &paths->items[path->parent];

		path->next_sibling = parent->first_child;
		parent->first_child = (uint32_t)i;
		for (int clock = 0; clock < DMT_CLOCKS; clock++)
			parent->inclusive[clock] += path->inclusive[clock];
	}
}

void
dmt_paths_fini(struct dmt_paths *paths)
{
	free(paths->items);
	dmt_idmap_fini(&paths->by_step);
	*paths = (struct dmt_paths){ 0 };
}

/* Durations. */

/* Below 8 each number has a bucket of its own. */
static unsigned
find_bucket(int64_t ns)
{
	unsigned octave = 0;

	if (ns < 8)
		return ns < 0 ? 0 : (unsigned)ns;
	for (uint64_t rest = (uint64_t)ns >> 3; rest > 1; rest >>= 1)
		octave++;
	return (octave + 1) * 8 + ((unsigned)(ns >> octave) & 7);
}

/* The number in the middle of a bucket. */
static int64_t
bucket_middle(unsigned bucket)
{
	if (bucket < 8)
		return (int64_t)bucket;
	const unsigned octave = bucket / 8 - 1;
	const int64_t low = (int64_t)(8 + bucket % 8) << octave;
	return low + ((INT64_C(1) << octave) >> 1);
}

static void
widen_range(struct dmt_durations *durations, int64_t min_ns, int64_t max_ns)
{
	if (durations->count == 0 || min_ns < durations->min_ns)
		durations->min_ns = min_ns;
	if (durations->count == 0 || max_ns > durations->max_ns)
		durations->max_ns = max_ns;
}

static void
add_to_bucket(uint32_t *bucket, uint32_t calls)
{
	*bucket += calls < UINT32_MAX - *bucket ? calls :
	    UINT32_MAX - *bucket;
}

static struct dmt_durations *
get_durations(struct dmt_totals *totals, size_t method)
{
	if (totals->durations[method] == NULL)
		totals->durations[method] =
		    dmt_array_new(1, sizeof(struct dmt_durations));
	return totals->durations[method];
}

bool
dmt_durations_take(struct dmt_totals *totals, uint32_t method, int64_t ns)
{
	struct dmt_durations *const durations = get_durations(totals, method);

	if (durations == NULL)
		return false;
	const double from_mean = (double)ns - durations->mean_ns;
	widen_range(durations, ns, ns);
	durations->count++;
	durations->mean_ns += from_mean / (double)durations->count;
	durations->squares += from_mean * ((double)ns - durations->mean_ns);
	add_to_bucket(&durations->buckets[find_bucket(ns)], 1);
	return true;
}

static void
add_distribution(struct dmt_durations *to, const struct dmt_durations *from)
{
	const double apart = from->mean_ns - to->mean_ns;
	const double share =
	    (double)from->count / (double)(to->count + from->count);

	widen_range(to, from->min_ns, from->max_ns);
	to->squares += from->squares +
	    apart * apart * (double)to->count * share;
	to->mean_ns += apart * share;
	to->count += from->count;
	for (unsigned i = 0; i < DMT_DURATION_BUCKETS; i++)
		add_to_bucket(&to->buckets[i], from->buckets[i]);
}

static bool
add_durations(struct dmt_totals *to, const struct dmt_totals *from)
{
	for (size_t i = 0; i < from->method_count; i++) {
		if (from->durations[i] == NULL)
			continue;
		struct dmt_durations *const out = get_durations(to, i);
		if (out == NULL)
			return false;
		add_distribution(out, from->durations[i]);
	}
	return true;
}

int64_t
dmt_durations_percentile(const struct dmt_durations *durations,
    double percent)
{
	const double wanted = percent / 100 * (double)durations->count;
	uint64_t seen = 0;
	unsigned bucket = 0;

	if (percent <= 0)
		return durations->min_ns;
	for (; bucket < DMT_DURATION_BUCKETS; bucket++) {
		seen += durations->buckets[bucket];
		if (seen > 0 && (double)seen >= wanted)
			break;
	}
	if (bucket >= DMT_DURATION_BUCKETS || percent >= 100)
		return durations->max_ns;
	const int64_t middle = bucket_middle(bucket);
	if (middle < durations->min_ns)
		return durations->min_ns;
	return middle > durations->max_ns ? durations->max_ns : middle;
}

/* All of it. */

void
dmt_totals_fini(struct dmt_totals *totals)
{
	for (size_t i = 0; i < totals->method_count; i++)
		free(totals->durations[i]);
	free(totals->durations);
	free(totals->cells);
	free(totals->edges);
	dmt_idmap_fini(&totals->by_edge);
	dmt_paths_fini(&totals->paths);
	*totals = (struct dmt_totals){ 0 };
}

bool
dmt_totals_add_copy(struct dmt_totals *to, const struct dmt_totals *from)
{
	if (!dmt_totals_reserve(to, from->method_count))
		return false;
	add_cells(to, from);
	return add_durations(to, from) && add_edges(to, from) &&
	    add_paths(&to->paths, &from->paths);
}

bool
dmt_totals_add(struct dmt_totals *to, struct dmt_totals *from)
{
	if (to->method_count == 0) {
		*to = *from;
		*from = (struct dmt_totals){ 0 };
		return true;
	}
	const bool added = dmt_totals_add_copy(to, from);
	dmt_totals_fini(from);
	return added;
}

bool
dmt_totals_settle(struct dmt_totals *totals, unsigned keep)
{
	if ((keep & DMTRACE_PROFILE_TREE) && !dmt_paths_begin(&totals->paths))
		return false;
	if (totals->edge_count > 1)
		qsort(totals->edges, totals->edge_count,
		    sizeof(*totals->edges), compare_edges);
	dmt_idmap_fini(&totals->by_edge);
	sum_paths(&totals->paths);
	dmt_idmap_fini(&totals->paths.by_step);
	return true;
}
