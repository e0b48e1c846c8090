/* path.h - file names, and messages about files */
#ifndef DMT_BASE_PATH_H
#define DMT_BASE_PATH_H

#include <dmtrace/status.h>
#include <stdbool.h>

#include "base/packing.h"
#include "private/output.h"

/* Returns the two strings concatenated, to be freed; NULL: no memory. */
char *
dmt_path_concat(const char *first, const char *second);

/* Returns the path of name in the directory of path, to be freed; NULL: no
 * memory. */
char *
dmt_path_beside(const char *path, const char *name);

/*
 * The name of a missing file may be the base name of a trace. Returns the
 * names to try, from which = 0 on, in order; the first is path itself, and
 * those of compressed files are the last. To be freed; NULL: no memory.
 */
#define DMT_PATH_PLAIN_NAMES 4
#define DMT_PATH_NAMES (DMT_PATH_PLAIN_NAMES + 3 * DMT_PACKINGS)
char *
dmt_path_name(const char *path, unsigned which);

/*
 * Returns the name of the other file of a pair: X.data for X.key, X.key.gz for
 * X.data.gz; from which = 1 on other names to try, as one of the two may be
 * compressed. path must end (dmt_path_ends) in one of the two. To be freed;
 * NULL: no memory.
 */
#define DMT_PATH_PARTNERS (2 + DMT_PACKINGS)
char *
dmt_path_partner(const char *path, unsigned which);

/*
 * Returns the path of the file that symbolic links at path lead to; it need
 * not exist. To be freed; NULL with errno set: no memory, the links form a
 * loop, or path is empty.
 */
char *
dmt_path_resolve(const char *path);

/* Returns path with the working folder before it, so that it stays the same
 * file when that changes; as it is, if that is too long or unknown. Frees path
 * unless it is returned; NULL: no memory. */
char *
dmt_path_anchor(char *path);

/* Calls dmt_error_system for a failure on path, which may be NULL. */
enum dmtrace_status
dmt_path_failed(struct dmtrace_error *error, const char *what,
    const char *path);

#endif
