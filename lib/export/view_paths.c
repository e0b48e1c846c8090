/* view_paths.c - the paths of many calls, of which the short ones are folded */

/*
 * The number of distinct paths is only limited by the number of calls, so the
 * tree of paths is folded whenever it has grown too large: leaves with little
 * time become part of "(other)" of their caller, again and again, until only
 * paths of more time are left. All sums of subtrees stay as they are. A path
 * that was folded and is called again begins anew, so its figures are lower
 * bounds; what it lacks is in "(other)" of the same caller. Counting all paths
 * in a file, and sorting it, would be exact, but takes several times as long.
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

void
dmt_view_paths_release(struct dmt_view_paths *paths)
{
	free(paths->kept);
	paths->kept = NULL;
	paths->kept_capacity = 0;
}

static int
why_path_kept(const struct dmt_view_paths *paths, size_t path)
{
	return path < paths->kept_capacity ? paths->kept[path] : 0;
}

/* Adds the sums of a path to another one. */
static void
add_path_sums(struct dmt_path *to, const struct dmt_path *from)
{
	to->calls += from->calls;
	to->exclusive_partial |= from->exclusive_partial;
	for (int clock = 0; clock < DMT_CLOCKS; clock++)
		to->exclusive[clock] += from->exclusive[clock];
}

bool
dmt_view_paths_fold(struct dmt_view_paths *paths, int clock, uint64_t ns,
    uint32_t **places)
{
	struct dmt_call_paths *const old = &paths->paths;
	const size_t count = old->count;
	struct dmt_view_paths made = { .kept = NULL };
	uint64_t *const time = dmt_array_new(count, sizeof(*time));
	uint8_t *const stays = dmt_array_new(count, 1);
	uint32_t *const place = dmt_array_new(count, sizeof(*place));
	bool done = time != NULL && stays != NULL && place != NULL &&
	    dmt_view_paths_begin(&made);

	/* Decide which paths stay. Callees have higher indexes. */
	if (done) {
		memset(time, 0, count * sizeof(*time));
		memset(stays, 0, count);
		stays[0] = 1;
	}
	for (size_t i = count; done && i-- > 1; ) {
		const struct dmt_path *const path = &old->items[i];

		/* Of a path that is shown, its callees' time was subtracted. */
		if ((int64_t)path->exclusive[clock] > 0)
			time[i] += path->exclusive[clock];
		time[path->parent] += time[i];
		if (path->method == DMT_OTHER_PATHS)
			continue;
		stays[i] |= why_path_kept(paths, i) != 0 || time[i] >= ns;
		stays[path->parent] |= stays[i];
	}

	/* The others are added to the next path outside of them that stays. */
	for (size_t i = 0; done && i < count; i++) {
		const struct dmt_path *const path = &old->items[i];
		const bool inside = i > 0 && path->method != DMT_OTHER_PATHS &&
		    stays[i];

		place[i] = i == 0 ? 0 : inside ? dmt_path_index(&made.paths,
		    place[path->parent], path->method) :
		    stays[path->parent] ? dmt_path_index(&made.paths,
		    place[path->parent], DMT_OTHER_PATHS) :
		    place[path->parent];
		done = place[i] != UINT32_MAX && (!inside ||
		    !(why_path_kept(paths, i) & DMT_PATH_SHOWN) ||
		    dmt_view_paths_keep(&made, place[i], DMT_PATH_SHOWN));
		if (done)
			add_path_sums(&made.paths.items[place[i]], path);
	}
	free(time);
	free(stays);
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
dmt_view_paths_fini(struct dmt_view_paths *paths)
{
	dmt_paths_fini(&paths->paths);
	free(paths->kept);
	*paths = (struct dmt_view_paths){ .kept = NULL };
}
