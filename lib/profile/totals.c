/* totals.c - calls and times by method, by edge and by path */

/*
 * There are four kinds of totals: cells, one for each method; edges, one for
 * each pair of caller and callee; paths, one for each sequence of calls from
 * the top; and the distribution of the durations of each method's calls.
 *
 * Edges and paths are arrays in the order of their first calls. Edges have a
 * hash table, which fits in the CPU's cache; paths have a map from parent and
 * method to the index. A call looks its path up when it is entered, because the
 * paths of the calls that it makes are found from it.
 *
 * Durations are counted in eight buckets for each power of two, so that a
 * percentile is right to within a sixteenth; that of few calls is exact, as the
 * first durations are kept. Mean and deviation are computed in one pass, by
 * Welford's method.
 *
 * Before totals are read they are settled: edges are sorted, and paths get
 * their children and their inclusive times. The hash table and the map are then
 * gone; to add more totals later, they are built again.
 */

#include "profile/totals.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"

#define FIRST_BITS 6		/* of the first hash table of edges */

/* Cells. */

bool
dmt_totals_reserve(struct dmt_totals *totals, size_t methods)
{
	size_t capacity = totals->method_count;
	size_t lists = capacity;

	if (methods <= capacity)
		return true;
	struct dmt_cell *const cells = dmt_array_grow_zero(totals->cells,
	    &capacity, methods, sizeof(*cells));
	if (cells == NULL)
		return false;
	totals->cells = cells;
	struct dmt_durations **const durations = dmt_array_grow_zero(
	    totals->durations, &lists, capacity, sizeof(*durations));
	if (durations == NULL)
		return false;
	totals->durations = durations;
	totals->method_count = capacity;
	return true;
}

/* Returns the index that a method of added totals has: see
 * dmt_totals_add_copy. */
static inline uint32_t
place_method(const uint32_t *places, size_t method)
{
	return places == NULL ? (uint32_t)method : places[method];
}

static void
add_cells(struct dmt_totals *to, const struct dmt_totals *from,
    const uint32_t *places)
{
	for (size_t i = 0; i < from->method_count; i++) {
		const uint64_t *const in = (const uint64_t *)&from->cells[i];
		uint64_t *const out =
		    (uint64_t *)&to->cells[place_method(places, i)];

		for (size_t n = 0; n < sizeof(*to->cells) / sizeof(*out); n++)
			out[n] += in[n];
	}
}

/* Edges. */

/* Returns the place of an edge, or the free place where it belongs. */
static uint32_t *
probe_edges(const struct dmt_edges *edges, uint64_t key)
{
	const size_t home = dmt_edge_home(edges, key);
	size_t step = 0;

	while (edges->places[home ^ step] != 0 &&
	    edges->items[edges->places[home ^ step]].key != key)
		step++;
	return &edges->places[home ^ step];
}

/* Makes space for one more edge, and for as many again, by which they are
 * sorted; and a hash table with at most a quarter of its places used. The
 * factor of the hash depends on the address of the table, so that no file can
 * be made whose keys all have the same place. */
static bool
reserve_edge(struct dmt_edges *edges)
{
	struct dmt_edge *const items = dmt_array_grow(edges->items,
	    &edges->capacity, 2 * edges->count + 2, sizeof(*items));
	unsigned bits = edges->places == NULL ? FIRST_BITS : 64 - edges->shift;

	if (items == NULL)
		return false;
	edges->items = items;
	if (edges->count == 0)
		items[edges->count++] = (struct dmt_edge){ .key = 0 };
	while (edges->count > (size_t)1 << (bits - 2))
		bits++;
	if (edges->places != NULL && bits == 64 - edges->shift)
		return true;
	uint32_t *const places = bits > 31 ? NULL :
	    dmt_array_new((size_t)1 << bits, sizeof(*places));
	if (places == NULL)
		return false;
	free(edges->places);
	edges->places = places;
	edges->shift = 64 - bits;
	edges->factor = ((uintptr_t)places ^
	    UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9) | 1;
	for (size_t i = 1; i < edges->count; i++)
		*probe_edges(edges, items[i].key) = (uint32_t)i;
	return true;
}

bool
dmt_edges_begin(struct dmt_edges *edges)
{
	return edges->places != NULL || reserve_edge(edges);
}

struct dmt_edge *
dmt_edge_get(struct dmt_edges *edges, uint64_t key)
{
	if (!dmt_edges_begin(edges))
		return NULL;
	const uint32_t known = *probe_edges(edges, key);
	if (known != 0)
		return &edges->items[known];
	if (!reserve_edge(edges))
		return NULL;
	*probe_edges(edges, key) = (uint32_t)edges->count;
	edges->items[edges->count] = (struct dmt_edge){ .key = key };
	return &edges->items[edges->count++];
}

static bool
add_edges(struct dmt_edges *to, const struct dmt_edges *from,
    const uint32_t *places)
{
	for (size_t i = 1; i < from->count; i++) {
		const struct dmt_edge *const in = &from->items[i];
		struct dmt_edge *const out = dmt_edge_get(to, dmt_edge_key(
		    dmt_edge_end(place_method(places,
		    dmt_edge_caller(in->key)), in->key >> 32 & 1),
		    dmt_edge_end(place_method(places,
		    dmt_edge_callee(in->key)), in->key & 1)));
		if (out == NULL)
			return false;
		out->calls += in->calls & ~DMT_EDGE_PARTIAL;
		out->calls |= in->calls & DMT_EDGE_PARTIAL;
		for (int clock = 0; clock < DMT_CLOCKS; clock++)
			out->inclusive[clock] += in->inclusive[clock];
	}
	return true;
}

void
dmt_totals_count_callees(struct dmt_totals *totals)
{
	for (size_t i = 1; i < totals->edges.count; i++) {
		const struct dmt_edge *const edge = &totals->edges.items[i];
		const uint32_t caller = dmt_edge_caller(edge->key);
		const unsigned caller_recursive = edge->key >> 32 & 1;
		const unsigned recursive = edge->key & 1;

		struct dmt_cell *const cell =
		    &totals->cells[dmt_edge_callee(edge->key)];
		cell->calls[recursive] += edge->calls & ~DMT_EDGE_PARTIAL;
		for (int clock = 0; clock < DMT_CLOCKS; clock++) {
			const uint64_t inclusive = edge->inclusive[clock];

			cell->inclusive[clock] += recursive ? 0 : inclusive;
			cell->exclusive[recursive][clock] += inclusive;
			if (caller != DMTRACE_PROFILE_TOP)
				totals->cells[caller].exclusive[
				    caller_recursive][clock] -= inclusive;
		}
	}
}

/* Returns a number by which edges are sorted: by the two methods, then by
 * whether their calls are recursive, as public edges are. */
static uint64_t
edge_order(uint64_t key)
{
	return key >> 33 << 33 | (key & (UINT32_MAX - 1)) << 1 |
	    (key >> 31 & 2) | (key & 1);
}

/* Moves edges, sorted by eight bits of their order. */
static void
sort_edges_by(struct dmt_edge *to, const struct dmt_edge *from, size_t count,
    unsigned shift)
{
	size_t places[257] = { 0 };

	for (size_t i = 0; i < count; i++)
		places[(edge_order(from[i].key) >> shift & 255) + 1]++;
	for (size_t digit = 1; digit < 256; digit++)
		places[digit] += places[digit - 1];
	for (size_t i = 0; i < count; i++)
		to[places[edge_order(from[i].key) >> shift & 255]++] = from[i];
}

/* Sorts by each byte in which orders differ, the lowest first. */
static void
settle_edges(struct dmt_edges *edges)
{
	uint64_t differ = 0;

	if (edges->places == NULL)
		return;
	const size_t count = edges->count - 1;
	struct dmt_edge *from = edges->items + 1, *to = from + count;
	for (size_t i = 0; i < count; i++)
		differ |= edge_order(from[i].key ^ from[0].key);
	for (unsigned shift = 0; shift < 64; shift += 8)
		if (differ >> shift & 255) {
			sort_edges_by(to, from, count, shift);
			struct dmt_edge *const sorted = to;
			to = from;
			from = sorted;
		}
	if (from != edges->items + 1)
		memcpy(edges->items + 1, from, count * sizeof(*from));
	free(edges->places);
	edges->places = NULL;
}

/* Paths. */

uint32_t
dmt_path_add(struct dmt_call_paths *paths, uint32_t parent, uint32_t method)
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

/* The root is stored as its own child, by DMTRACE_PROFILE_TOP, which is the
 * method of no call: so its key in by_step is its own. */
bool
dmt_paths_begin(struct dmt_call_paths *paths)
{
	return paths->count > 0 ||
	    dmt_path_add(paths, 0, DMTRACE_PROFILE_TOP) != UINT32_MAX;
}

static bool
add_path_totals(struct dmt_call_paths *to, const struct dmt_call_paths *from,
    const uint32_t *places)
{
	if (from->count == 0)
		return true;
	uint32_t *const paths = dmt_array_new(from->count, sizeof(*paths));
	bool done = paths != NULL;

	/* Settled paths have no map: build it again. */
	for (size_t i = to->by_step.count; i < to->count && done; i++)
		done = dmt_idmap_add(&to->by_step,
		    (uint64_t)to->items[i].parent << 32 |
		    to->items[i].method, (uint32_t)i);
	done = done && dmt_paths_begin(to);
	for (size_t i = 0; i < from->count && done; i++) {
		const struct dmt_path *const in = &from->items[i];

		if (i > 0)
			paths[i] = dmt_path_index(to, paths[in->parent],
			    place_method(places, in->method));
		done = paths[i] != UINT32_MAX;
		if (!done)
			break;
		struct dmt_path *const out = &to->items[paths[i]];
		out->calls += in->calls;
		for (int clock = 0; clock < DMT_CLOCKS; clock++)
			out->exclusive[clock] += in->exclusive[clock];
		out->exclusive_partial |= in->exclusive_partial;
	}
	free(paths);
	return done;
}

bool
dmt_paths_add(struct dmt_call_paths *to, struct dmt_call_paths *from)
{
	if (to->count == 0) {
		*to = *from;
		*from = (struct dmt_call_paths){ 0 };
		return true;
	}
	const bool added = add_path_totals(to, from, NULL);
	dmt_paths_fini(from);
	return added;
}

/* Links the paths to their children and computes the inclusive times. The loop
 * runs backwards, so that it sees children before their parents. */
static void
sum_paths(struct dmt_call_paths *paths)
{
	for (size_t i = 0; i < paths->count; i++) {
		struct dmt_path *const path = &paths->items[i];

		path->first_child = 0;
		memcpy(path->inclusive, path->exclusive,
		    sizeof(path->inclusive));
		path->inclusive_partial = path->exclusive_partial;
	}
	for (size_t i = paths->count; i-- > 1; ) {
		struct dmt_path *const path = &paths->items[i];
		struct dmt_path *const parent = &paths->items[path->parent];

		path->next_sibling = parent->first_child;
		parent->first_child = (uint32_t)i;
		for (int clock = 0; clock < DMT_CLOCKS; clock++)
			parent->inclusive[clock] += path->inclusive[clock];
		parent->inclusive_partial |= path->inclusive_partial;
	}
}

void
dmt_paths_fini(struct dmt_call_paths *paths)
{
	free(paths->items);
	dmt_idmap_fini(&paths->by_step);
	*paths = (struct dmt_call_paths){ 0 };
}

/* Durations. */

/* Each duration below 8 ns has a bucket of its own. */
static unsigned
find_duration_bucket(int64_t ns)
{
	if (ns < 8)
		return ns < 0 ? 0 : (unsigned)ns;
	const unsigned octave = (unsigned)dmt_last_bit((uint64_t)ns >> 3);
	return (octave + 1) * 8 + ((unsigned)(ns >> octave) & 7);
}

/* Returns the duration in the middle of a bucket. */
static int64_t
bucket_middle_ns(unsigned bucket)
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
	if (durations->count < DMT_DURATIONS_FEW)
		durations->few_ns[durations->count] = ns;
	durations->count++;
	durations->mean_ns += from_mean / (double)durations->count;
	durations->squares += from_mean * ((double)ns - durations->mean_ns);
	add_to_bucket(&durations->buckets[find_duration_bucket(ns)], 1);
	return true;
}

/* Adds the distributions of from. The mean of two is weighted by their counts;
 * the distance of the means adds to the squares. false: no memory. */
static bool
add_durations(struct dmt_totals *to, const struct dmt_totals *from,
    const uint32_t *places)
{
	for (size_t i = 0; i < from->method_count; i++) {
		const struct dmt_durations *const in = from->durations[i];

		if (in == NULL)
			continue;
		struct dmt_durations *const out =
		    get_durations(to, place_method(places, i));
		if (out == NULL)
			return false;
		const double apart = in->mean_ns - out->mean_ns;
		const double share =
		    (double)in->count / (double)(out->count + in->count);

		widen_range(out, in->min_ns, in->max_ns);
		out->squares += in->squares +
		    apart * apart * (double)out->count * share;
		out->mean_ns += apart * share;
		for (uint64_t n = 0; n < in->count &&
		    out->count + n < DMT_DURATIONS_FEW; n++)
			out->few_ns[out->count + n] = in->few_ns[n];
		out->count += in->count;
		for (unsigned n = 0; n < DMT_DURATION_BUCKETS; n++)
			add_to_bucket(&out->buckets[n], in->buckets[n]);
	}
	return true;
}

static int
compare_durations(const void *a, const void *b)
{
	const int64_t *const left = a;
	const int64_t *const right = b;

	return (*left > *right) - (*left < *right);
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
	if (durations->count <= DMT_DURATIONS_FEW) {
		int64_t few_ns[DMT_DURATIONS_FEW];
		const size_t count = (size_t)durations->count;

		memcpy(few_ns, durations->few_ns, count * sizeof(*few_ns));
		qsort(few_ns, count, sizeof(*few_ns), compare_durations);
		while (seen + 1 < count && (double)(seen + 1) < wanted)
			seen++;
		return few_ns[seen];
	}
	for (; bucket < DMT_DURATION_BUCKETS; bucket++) {
		seen += durations->buckets[bucket];
		if (seen > 0 && (double)seen >= wanted)
			break;
	}
	if (bucket >= DMT_DURATION_BUCKETS || percent >= 100)
		return durations->max_ns;
	const int64_t middle = bucket_middle_ns(bucket);
	if (middle < durations->min_ns)
		return durations->min_ns;
	return middle > durations->max_ns ? durations->max_ns : middle;
}

/* All kinds of totals together. */

void
dmt_totals_fini(struct dmt_totals *totals)
{
	for (size_t i = 0; i < totals->method_count; i++)
		free(totals->durations[i]);
	free(totals->durations);
	free(totals->cells);
	free(totals->edges.items);
	free(totals->edges.places);
	dmt_paths_fini(&totals->paths);
	*totals = (struct dmt_totals){ 0 };
}

bool
dmt_totals_add_copy(struct dmt_totals *to, const struct dmt_totals *from,
    const uint32_t *places)
{
	to->settled = false;
	if (places == NULL && !dmt_totals_reserve(to, from->method_count))
		return false;
	add_cells(to, from, places);
	return add_durations(to, from, places) &&
	    add_edges(&to->edges, &from->edges, places) &&
	    add_path_totals(&to->paths, &from->paths, places);
}

bool
dmt_totals_add(struct dmt_totals *to, struct dmt_totals *from)
{
	if (to->method_count == 0) {
		*to = *from;
		*from = (struct dmt_totals){ 0 };
		return true;
	}
	const bool added = dmt_totals_add_copy(to, from, NULL);
	dmt_totals_fini(from);
	return added;
}

void
dmt_totals_settle(struct dmt_totals *totals)
{
	if (totals->settled)
		return;
	settle_edges(&totals->edges);
	sum_paths(&totals->paths);
	dmt_idmap_fini(&totals->paths.by_step);
	totals->settled = true;
}
