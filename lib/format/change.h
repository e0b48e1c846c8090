/* change.h - how many changes of each kind were made */
#ifndef DMT_FORMAT_CHANGE_H
#define DMT_FORMAT_CHANGE_H

#include <dmtrace/key.h>

#include "format/finding.h"

/* Zero is an empty tally. */
struct dmt_changes {
	struct dmt_change_tally {
		uint64_t count;
		enum dmtrace_place place;	/* of the first */
		uint64_t at;
		char message[DMTRACE_MESSAGE_MAX];
	} tallies[DMT_ROW_COUNT];
};

/* Counts n changes. Of the first one the place and the message are kept: that
 * of the row and, unless format is NULL, ": " and what format says. */
void
dmt_change_add(struct dmt_changes *changes, enum dmt_finding which,
    uint64_t n, enum dmtrace_place place, uint64_t at, const char *format,
    ...) DMT_PRINTF(6, 7);

/* How many there are but for those that are only reported. */
uint64_t
dmt_changes_count(const struct dmt_changes *changes);

/* Reports all, in the order of the rows, and then their end. Returns DMTRACE_OK
 * or DMTRACE_ERR_CANCELLED, which error has then. */
enum dmtrace_status
dmt_changes_report(const struct dmt_changes *changes,
    dmtrace_change_fn *change, void *context, struct dmtrace_error *error);

/* Adds those of more. */
void
dmt_changes_merge(struct dmt_changes *changes,
    const struct dmt_changes *more);

/*
 * What was added, dropped and lost as the value of an option line, with
 * the counts of an earlier value (NULL: none) added: "exit-stray:2,...". To
 * be freed; NULL: no memory. Empty: nothing.
 */
char *
dmt_changes_option(const struct dmt_changes *changes,
    const struct dmtrace_option *old);

#endif
