/* path.h - names of files, and what failed on them */
#ifndef DMT_BASE_PATH_H
#define DMT_BASE_PATH_H

#include <dmtrace/status.h>
#include <stdbool.h>

/* Returns both strings as one, which the caller frees; NULL: no memory. */
char *
dmt_path_concat(const char *first, const char *second);

/* name in the folder that path is in; to be freed; NULL: no memory. */
char *
dmt_path_beside(const char *path, const char *name);

/* Whether path, which may be NULL, ends in suffix. */
bool
dmt_path_ends(const char *path, const char *suffix);

/*
 * A name that leads to no file may be the base of a trace's: the names that
 * path may be short for, from 0 on, which is path itself, in the order that
 * they are tried in. To be freed; NULL: no memory.
 */
#define DMT_PATH_NAMES 4
char *
dmt_path_name(const char *path, unsigned which);

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
