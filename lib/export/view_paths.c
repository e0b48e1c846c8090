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

bool
dmt_view_paths_begin(struct dmt_view_paths *paths)
{
	return dmt_paths_begin(&paths->paths);
}

uint32_t
dmt_view_paths_add(struct dmt_view_paths *paths, uint32_t parent,
    uint32_t method, uint64_t lost_ns)
{
	const size_t count = paths->paths.count;
	const uint32_t path = dmt_path_index(&paths->paths, parent, method);

	if (paths->paths.count == count || lost_ns == 0)
		return path;
	if (path >= paths->lost_capacity) {
		uint64_t *const lost_ns_of = dmt_array_grow_zero(
		    paths->lost_ns, &paths->lost_capacity,
		    paths->paths.capacity, sizeof(*lost_ns_of));

		if (lost_ns_of == NULL)
			return UINT32_MAX;
		paths->lost_ns = lost_ns_of;
	}
	paths->lost_ns[path] = lost_ns;
	return path;
}

bool
dmt_view_paths_keep(struct dmt_view_paths *paths, uint32_t path, int reason)
{
	if (path >= paths->kept_capacity) {
		uint8_t *const kept = dmt_array_grow_zero(paths->kept,
		    &paths->kept_capacity, paths->paths.capacity, 1);

		if (kept == NULL)
			return false;
		paths->kept = kept;
	}
	paths->kept[path] |= (uint8_t)reason;
	return true;
}

static int
why_path_kept(const struct dmt_view_paths *paths, size_t path)
{
	return path < paths->kept_capacity ? paths->kept[path] : 0;
}

static uint64_t
time_path_lost(const struct dmt_view_paths *paths, size_t path)
{
	return path < paths->lost_capacity ? paths->lost_ns[path] : 0;
}

uint64_t *
dmt_view_paths_bounds(const struct dmt_view_paths *paths, int clock)
{
	const size_t count = paths->paths.count;
	uint64_t *const bounds = dmt_array_new(count, sizeof(*bounds));

	if (bounds == NULL)
		return NULL;

	/* Sum up the times. Callees have higher indexes. Of a path that is
	 * shown, its callees' time was subtracted. */
	memset(bounds, 0, count * sizeof(*bounds));
	for (size_t i = count; i-- > 0; ) {
		const struct dmt_path *const path = &paths->paths.items[i];

		if ((int64_t)path->exclusive[clock] > 0)
			bounds[i] += path->exclusive[clock];
		if (i > 0)
			bounds[path->parent] += bounds[i];
	}

	/* A caller has at least the bound of each callee. */
	for (size_t i = 0; i < count; i++)
		if (i == 0 || why_path_kept(paths, i) != 0)
			bounds[i] = UINT64_MAX;
		else
			bounds[i] += time_path_lost(paths, i);
	for (size_t i = count; i-- > 0; ) {
		const uint32_t parent = paths->paths.items[i].parent;

		if (bounds[parent] < bounds[i])
			bounds[parent] = bounds[i];
	}
	return bounds;
}

bool
dmt_view_paths_fold(struct dmt_view_paths *paths, int clock, uint64_t ns,
    uint32_t **places)
{
	const size_t count = paths->paths.count;
	struct dmt_view_paths made = { .kept = NULL };
	uint64_t *const bounds = dmt_view_paths_bounds(paths, clock);
	uint32_t *const place = dmt_array_new(count, sizeof(*place));
	bool done = bounds != NULL && place != NULL &&
	    dmt_view_paths_begin(&made);

	for (size_t i = 0; done && i < count; i++) {
		const struct dmt_path *const path = &paths->paths.items[i];
		const bool stays = bounds[i] >= ns;

		place[i] = i == 0 ? 0 : !stays ? place[path->parent] :
		    dmt_view_paths_add(&made, place[path->parent],
		    path->method, time_path_lost(paths, i));
		done = place[i] != UINT32_MAX && (!stays ||
		    !(why_path_kept(paths, i) & DMT_PATH_SHOWN) ||
		    dmt_view_paths_keep(&made, place[i], DMT_PATH_SHOWN));
		if (done) {
			struct dmt_path *const to = &made.paths.items[place[i]];

			for (int one = 0; one < DMT_CLOCKS; one++)
				to->exclusive[one] += path->exclusive[one];
		}
	}
	free(bounds);
	dmt_view_paths_fini(done ? paths : &made);
	if (!done) {
		free(place);
		return false;
	}
	*paths = made;
	*places = place;
	return true;
}

void
dmt_view_paths_fix(struct dmt_view_paths *paths)
{
	for (size_t i = 0; i < paths->paths.count; i++) {
		struct dmt_path *const path = &paths->paths.items[i];

		path->calls = 0;
		path->exclusive_partial = false;
		memset(path->exclusive, 0, sizeof(path->exclusive));
	}
	free(paths->kept);
	free(paths->lost_ns);
	paths->kept = NULL;
	paths->lost_ns = NULL;
	paths->kept_capacity = paths->lost_capacity = 0;
}

uint32_t
dmt_view_paths_find(struct dmt_view_paths *paths, uint32_t parent,
    uint32_t method)
{
	if (parent > 0 &&
	    paths->paths.items[parent].method == DMT_OTHER_PATHS)
		return parent;
	const uint32_t *const path = dmt_idmap_find(&paths->paths.by_step,
	    (uint64_t)parent << 32 | method);
	return path != NULL ? *path : dmt_path_index(&paths->paths, parent,
	    DMT_OTHER_PATHS);
}

void
dmt_view_paths_fini(struct dmt_view_paths *paths)
{
	dmt_paths_fini(&paths->paths);
	free(paths->kept);
	free(paths->lost_ns);
	*paths = (struct dmt_view_paths){ .kept = NULL };
}
