/* view_paths.h - paths of many calls, of which the short ones are left out */
#ifndef DMT_EXPORT_VIEW_PATHS_H
#define DMT_EXPORT_VIEW_PATHS_H

#include <dmtrace/profile.h>
#include <stdbool.h>
#include <stddef.h>

/* The method of a path that stands for paths that are not kept: "(other)". */
#define DMT_OTHER_PATHS UINT32_MAX

/* Indexes of paths have 30 bits. */
struct dmt_view_path {
	uint32_t parent : 30;		/* index of the path */
	uint32_t shown : 1;		/* the page shows calls of it, */
	uint32_t open : 1;		/* or one is open: it is not folded */
	uint32_t method;
	uint64_t calls : 63;
	uint64_t partial : 1;		/* its CPU time is: see profile.h */
	uint64_t exclusive[DMTRACE_PROFILE_CLOCKS];
};

/* A call tree, in which parents come before their children; the first item is
 * the root. */
struct dmt_view_paths {
	struct dmt_view_path *items;
	size_t count;
	size_t capacity;
	uint32_t *places;		/* indexes of items, with open
					   addressing; 0: a free place */
	size_t place_count;		/* a power of two */
	uint64_t *lost_ns;		/* by path: what it may have had when
					   it was folded; NULL: nothing */
	size_t lost_capacity;
};

/* Adds the root. paths is zeroed. false: no memory. */
bool
dmt_view_paths_begin(struct dmt_view_paths *paths);

/* Returns the index of the path that continues parent with a call of method,
 * which is added if it is new; then it may have lost that much before.
 * UINT32_MAX: no memory. */
uint32_t
dmt_view_paths_add(struct dmt_view_paths *paths, uint32_t parent,
    uint32_t method, uint64_t lost_ns);

/* Returns for each path the most time that it has in all, by clock, and
 * UINT64_MAX for one that is not folded; to be freed. NULL: no memory. */
uint64_t *
dmt_view_paths_bounds(const struct dmt_view_paths *paths, int clock);

/*
 * Folds the paths whose bounds are below ns: adds them to their caller. None is
 * open afterwards. Paths get new indexes: *places, to be freed, has that of
 * each old one.
 * false: no memory.
 */
bool
dmt_view_paths_fold(struct dmt_view_paths *paths, int clock, uint64_t ns,
    uint32_t **places);

/* Sets all sums to 0; from now on, no path is added but DMT_OTHER_PATHS. */
void
dmt_view_paths_fix(struct dmt_view_paths *paths);

/* Of paths that are fixed, returns the index of the one that continues parent
 * with a call of method. If it was not kept, that of the "(other)" which has
 * its calls. UINT32_MAX: no memory. */
uint32_t
dmt_view_paths_find(struct dmt_view_paths *paths, uint32_t parent,
    uint32_t method);

void
dmt_view_paths_fini(struct dmt_view_paths *paths);

#endif
