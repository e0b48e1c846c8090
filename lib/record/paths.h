/* paths.h - the names of the files of a trace, without malloc */
#ifndef DMT_RECORD_PATHS_H
#define DMT_RECORD_PATHS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct dmt_paths {
	char whole[PATH_MAX];	/* as named, and numbered */
	char key[PATH_MAX];
	char data[PATH_MAX];
	char target[PATH_MAX];	/* where links lead from what comes last */
	char temporary[PATH_MAX];	/* its name until then */
	bool joined;		/* what comes last is whole, not the key */
};

/* Bytes of path before ".trace", ".key" or ".data"; all without one. */
size_t
dmt_files_stem(const char *path);

/* The files of path, the number-th of its name: the first has no number. All
 * return false with errno set, ENAMETOOLONG if there is no room. */
bool
dmt_paths_set(struct dmt_paths *paths, const char *path, unsigned number);

/* Follows the links of what comes last. */
bool
dmt_paths_resolve(struct dmt_paths *paths);

/* Whether there may be new files beside the target; errno says why not. */
bool
dmt_paths_may_create(const struct dmt_paths *paths);

/* A name for the temporary beside the target. */
bool
dmt_paths_try(struct dmt_paths *paths, unsigned number);

/* The name of what comes last. */
const char *
dmt_paths_last(const struct dmt_paths *paths);

#endif
