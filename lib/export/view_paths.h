/* view_paths.h - paths of many calls, of which the short ones are left out */
#ifndef DMT_EXPORT_VIEW_PATHS_H
#define DMT_EXPORT_VIEW_PATHS_H

#include "profile/totals.h"

/* The method of a path that stands for paths that are not kept: "(other)". */
#define DMT_OTHER_PATHS UINT32_MAX

/* Why a path is not folded: the page shows calls of it, or one is open. */
enum { DMT_PATH_SHOWN = 1, DMT_PATH_OPEN = 2 };

struct dmt_view_paths {
	struct dmt_call_paths paths;
	uint8_t *kept;			/* by path: sum of reasons */
	size_t kept_capacity;
	uint64_t *lost_ns;		/* by path: what it may have had when
					   it was folded */
	size_t lost_capacity;
};

/* false: no memory. */
bool
dmt_view_paths_begin(struct dmt_view_paths *paths);

/* Returns the index of the path that continues parent with a call of method,
 * which is added if it is new; then it may have lost that much before.
 * UINT32_MAX: no memory. */
uint32_t
dmt_view_paths_add(struct dmt_view_paths *paths, uint32_t parent,
    uint32_t method, uint64_t lost_ns);

/* Keeps a path, and thus those that it continues, for a reason. false: no
 * memory. */
bool
dmt_view_paths_keep(struct dmt_view_paths *paths, uint32_t path, int reason);

/* Returns for each path the most time that it has in all, by clock, and
 * UINT64_MAX for one that is kept; to be freed. NULL: no memory. */
uint64_t *
dmt_view_paths_bounds(const struct dmt_view_paths *paths, int clock);

/*
 * Folds the paths whose bounds are below ns: adds them to their caller. The
 * reason DMT_PATH_OPEN ends. Paths get new indexes: *places, to be freed, has
 * that of each old one.
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
