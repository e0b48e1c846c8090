/* view_paths.c - paths of many calls, of which the short ones are left out */

/*
 * The number of distinct paths is only limited by the number of calls. So the
 * events are read twice: a first pass finds the paths that are kept, and a
 * second one sums up the calls.
 *
 * In the first pass, the tree of paths is folded whenever it has grown too
 * large: leaves below a limit are added to their caller, and forgotten. One
 * that is called again begins anew, with a note of how much it may have lost:
 * the limit at that time, which only rises. What it had since then and what it
 * may have lost is its bound; a path is folded when its bound is below the
 * limit. This is lossy counting: each path of more time than the last limit is
 * there at the end. What remains is the kept set, and its sums are of no use.
 *
 * In the second pass, each call counts for its path, or if that is not kept,
 * for "(other)" of its deepest caller that is. All figures are exact then. If
 * nothing was folded, those of the first pass are, and there is no second.
 *
 * Counting all paths in a file, and sorting it, would be exact in one pass, but
 * takes several times as long.
 */

#include "export/view_paths.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/idmap.h"

#define COUNT_MAX (UINT32_C(1) << 30)
#define FIRST_PLACES 16

/* Returns the place of a path, or the free place where it belongs. */
static uint32_t *
probe_paths(const struct dmt_view_paths *paths, uint32_t parent,
    uint32_t method)
{
	const size_t mask = paths->place_count - 1;
	size_t at = (size_t)dmt_idmap_hash(paths->places,
	    (uint64_t)parent << 32 | method) & mask;

	for (; paths->places[at] != 0; at = (at + 1) & mask) {
		const struct dmt_view_path *const path =
		    &paths->items[paths->places[at]];

		if (path->parent == parent && path->method == method)
			break;
	}
	return &paths->places[at];
}

/* Finds places for all paths again. At most half of the places are used. false:
 * no memory. */
static bool
place_paths(struct dmt_view_paths *paths, size_t place_count)
{
	uint32_t *const places = dmt_array_new(place_count, sizeof(*places));

	if (places == NULL)
		return false;
	free(paths->places);
	paths->places = places;
	paths->place_count = place_count;
	for (uint32_t i = 1; i < paths->count; i++)
		*probe_paths(paths, paths->items[i].parent,
		    paths->items[i].method) = i;
	return true;
}

/* Adds a path. Returns its index; UINT32_MAX: no memory. */
static uint32_t
add_view_path(struct dmt_view_paths *paths, uint32_t parent, uint32_t method)
{
	const size_t index = paths->count;
	struct dmt_view_path *const items = index >= COUNT_MAX ? NULL :
	    dmt_array_grow(paths->items, &paths->capacity, index + 1,
	    sizeof(*items));

	if (items == NULL)
		return UINT32_MAX;
	paths->items = items;
	if (index >= paths->place_count / 2 &&
	    !place_paths(paths, paths->place_count * 2))
		return UINT32_MAX;
	items[index] = (struct dmt_view_path){
		.parent = parent & (COUNT_MAX - 1), .method = method
	};
	*probe_paths(paths, parent, method) = (uint32_t)index;
	paths->count++;
	return (uint32_t)index;
}

bool
dmt_view_paths_begin(struct dmt_view_paths *paths)
{
	return place_paths(paths, FIRST_PLACES) &&
	    add_view_path(paths, 0, 0) != UINT32_MAX;
}

uint32_t
dmt_view_paths_add(struct dmt_view_paths *paths, uint32_t parent,
    uint32_t method, uint64_t lost_ns)
{
	const uint32_t known = *probe_paths(paths, parent, method);

	if (known != 0)
		return known;
	const uint32_t path = add_view_path(paths, parent, method);
	if (path == UINT32_MAX || (lost_ns == 0 && paths->lost_ns == NULL))
		return path;
	uint64_t *const lost = dmt_array_grow_zero(paths->lost_ns,
	    &paths->lost_capacity, paths->capacity, sizeof(*lost));
	if (lost == NULL)
		return UINT32_MAX;
	paths->lost_ns = lost;
	lost[path] = lost_ns;
	return path;
}

uint64_t *
dmt_view_paths_bounds(const struct dmt_view_paths *paths, int clock)
{
	const size_t count = paths->count;
	uint64_t *const bounds = dmt_array_new(count, sizeof(*bounds));

	if (bounds == NULL)
		return NULL;

	/* Sum up the times. Callees have higher indexes. Of a path that is
	 * shown, its callees' time was subtracted. */
	memset(bounds, 0, count * sizeof(*bounds));
	for (size_t i = count; i-- > 0; ) {
		const struct dmt_view_path *const path = &paths->items[i];

		if ((int64_t)path->exclusive[clock] > 0)
			bounds[i] += path->exclusive[clock];
		if (i > 0)
			bounds[path->parent] += bounds[i];
	}

	/* A caller has at least the bound of each callee. */
	for (size_t i = 0; i < count; i++)
		if (i == 0 || paths->items[i].shown || paths->items[i].open)
			bounds[i] = UINT64_MAX;
		else if (paths->lost_ns != NULL)
			bounds[i] += paths->lost_ns[i];
	for (size_t i = count; i-- > 0; ) {
		const uint32_t parent = paths->items[i].parent;

		if (bounds[parent] < bounds[i])
			bounds[parent] = bounds[i];
	}
	return bounds;
}

/* Gives back the memory after the first count items of an array. */
static void *
shrink_array(void *items, size_t *capacity, size_t count, size_t item_size)
{
	void *const shrunk = realloc(items, count * item_size);

	if (shrunk == NULL)
		return items;
	*capacity = count;
	return shrunk;
}

bool
dmt_view_paths_fold(struct dmt_view_paths *paths, int clock, uint64_t ns,
    uint32_t **places)
{
	const size_t count = paths->count;
	uint64_t *const bounds = dmt_view_paths_bounds(paths, clock);
	uint32_t *const place = dmt_array_new(count, sizeof(*place));
	size_t place_count = FIRST_PLACES;

	if (bounds == NULL || place == NULL) {
		free(bounds);
		free(place);
		return false;
	}
	paths->count = 0;
	for (size_t i = 0; i < count; i++) {
		struct dmt_view_path path = paths->items[i];

		path.parent = place[path.parent] & (COUNT_MAX - 1);
		path.open = 0;
		if (bounds[i] < ns) {
			place[i] = path.parent;
			for (int one = 0; one < DMTRACE_PROFILE_CLOCKS; one++)
				paths->items[path.parent].exclusive[one] +=
				    path.exclusive[one];
			continue;
		}
		place[i] = (uint32_t)paths->count++;
		paths->items[place[i]] = path;
		if (paths->lost_ns != NULL)
			paths->lost_ns[place[i]] = paths->lost_ns[i];
	}
	free(bounds);
	paths->items = shrink_array(paths->items, &paths->capacity,
	    paths->count, sizeof(*paths->items));
	if (paths->lost_ns != NULL)
		paths->lost_ns = shrink_array(paths->lost_ns,
		    &paths->lost_capacity, paths->count,
		    sizeof(*paths->lost_ns));
	while (place_count / 2 <= paths->count)
		place_count *= 2;
	if (!place_paths(paths, place_count)) {
		free(place);
		return false;
	}
	*places = place;
	return true;
}

void
dmt_view_paths_fix(struct dmt_view_paths *paths)
{
	for (size_t i = 0; i < paths->count; i++) {
		struct dmt_view_path *const path = &paths->items[i];

		path->calls = 0;
		path->partial = 0;
		memset(path->exclusive, 0, sizeof(path->exclusive));
	}
	free(paths->lost_ns);
	paths->lost_ns = NULL;
	paths->lost_capacity = 0;
}

uint32_t
dmt_view_paths_find(struct dmt_view_paths *paths, uint32_t parent,
    uint32_t method)
{
	if (paths->items[parent].method == DMT_OTHER_PATHS)
		return parent;
	const uint32_t path = *probe_paths(paths, parent, method);
	return path != 0 ? path : dmt_view_paths_add(paths, parent,
	    DMT_OTHER_PATHS, 0);
}

void
dmt_view_paths_fini(struct dmt_view_paths *paths)
{
	free(paths->items);
	free(paths->places);
	free(paths->lost_ns);
	*paths = (struct dmt_view_paths){ .items = NULL };
}
