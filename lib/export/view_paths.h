/* view_paths.h - the paths of many calls, of which the short ones are folded */
#ifndef DMT_EXPORT_VIEW_PATHS_H
#define DMT_EXPORT_VIEW_PATHS_H

#include "profile/totals.h"

/* The method of a path that stands for paths of little time: "(other)". */
#define DMT_OTHER_PATHS UINT32_MAX

/* Why a path is not folded: the page shows calls of it, or one is open. */
enum { DMT_PATH_SHOWN = 1, DMT_PATH_OPEN = 2 };

struct dmt_view_paths {
	struct dmt_call_paths paths;
	uint8_t *kept;			/* by path: sum of reasons */
	size_t kept_capacity;
};

/* false: no memory. */
bool
dmt_view_paths_begin(struct dmt_view_paths *paths);

/* Keeps a path, and thus those that it continues, for a reason. false: no
 * memory. */
bool
dmt_view_paths_keep(struct dmt_view_paths *paths, uint32_t path, int reason);

/* Ends the keeping of paths. */
void
dmt_view_paths_release(struct dmt_view_paths *paths);

/*
 * Folds paths that have less than ns in all, by clock: a path without others
 * that continue it, and is not kept, is added to the path DMT_OTHER_PATHS of
 * its caller. The reason DMT_PATH_OPEN ends. Paths get new indexes: *places,
 * to be freed, has that of each old one.
 * false: no memory.
 */
bool
dmt_view_paths_fold(struct dmt_view_paths *paths, int clock, uint64_t ns,
    uint32_t **places);

void
dmt_view_paths_fini(struct dmt_view_paths *paths);

#endif
