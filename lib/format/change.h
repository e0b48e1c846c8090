/* change.h - a tally of changes: how many of each kind */
#ifndef DMT_FORMAT_CHANGE_H
#define DMT_FORMAT_CHANGE_H

#include <dmtrace/key.h>

#include "format/finding.h"

/* A zeroed struct is an empty tally. */
struct dmt_changes {
	struct dmt_tally tallies[DMT_ROW_COUNT];
};

/* Counts n changes. For the first one, the place and the message are kept: the
 * message of the row and, unless format is NULL, ": " and the formatted
 * text. */
void
dmt_change_add(struct dmt_changes *changes, enum dmt_finding which,
    uint64_t n, enum dmtrace_place place, uint64_t at, const char *format,
    ...) DMT_PRINTF(6, 7);

/* Returns the number of changes, without those that are only reported. */
uint64_t
dmt_changes_count(const struct dmt_changes *changes);

/* Reports all changes in the order of the rows, then the end of the report.
 * Returns DMTRACE_OK, or DMTRACE_ERR_CANCELLED, which is then set in error. */
enum dmtrace_status
dmt_changes_report(const struct dmt_changes *changes,
    dmtrace_change_fn *change, void *context, struct dmtrace_error *error);

/* Adds the counts of more to changes. */
void
dmt_changes_merge(struct dmt_changes *changes,
    const struct dmt_changes *more);

/*
 * Returns the value of an option line with what was added, dropped and lost,
 * "exit-stray:2,...", including the counts of an earlier value (NULL: none).
 * To be freed; NULL: no memory. An empty string: there were no such changes.
 */
char *
dmt_changes_option(const struct dmt_changes *changes,
    const struct dmtrace_option *old);

#endif
