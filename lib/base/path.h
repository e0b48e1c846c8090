/* path.h - names of files, and what failed on them */
#ifndef DMT_BASE_PATH_H
#define DMT_BASE_PATH_H

#include <dmtrace/status.h>
#include <stdbool.h>

/* Both strings as one, to be freed by the caller; NULL: no memory. */
char *
dmt_path_concat(const char *first, const char *second);

/* name in the folder that path is in; to be freed; NULL: no memory. */
char *
dmt_path_beside(const char *path, const char *name);

/* Whether path, which may be NULL, ends in suffix. */
bool
dmt_path_ends(const char *path, const char *suffix);

/* The name of the other half of a pair: X.data for X.key, X.key for X.data.
 * path ends in one of them. To be freed; NULL: no memory. */
char *
dmt_path_partner(const char *path);

/*
 * The file that path leads to through symbolic links; there need not be one.
 * To be freed; NULL with errno set: no memory, the links are a loop, or path
 * is empty.
 */
char *
dmt_path_resolve(const char *path);

/* dmt_error_system for what was tried on path, which may be NULL. */
enum dmtrace_status
dmt_path_failed(struct dmtrace_error *error, const char *what,
    const char *path);

#endif
