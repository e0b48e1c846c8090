/* edits.h - what a key has other than its text */
#ifndef DMT_KEY_EDITS_H
#define DMT_KEY_EDITS_H

#include "key/key.h"

/* Both return DMTRACE_OK, or with the key as it was and its error set
 * DMTRACE_ERR_MEMORY or DMTRACE_ERR_LIMIT. */

/* Adds a line at the end of a section, *index-th of those that were. */
enum dmtrace_status
dmt_edits_add(struct dmtrace_key *key, enum dmt_section section,
    struct dmtrace_text line, size_t *index);

/* Puts a line in place of len bytes of the text, and of an earlier one that
 * was put there. */
enum dmtrace_status
dmt_edits_change(struct dmtrace_key *key, size_t at, size_t len,
    struct dmtrace_text line);

/* Puts a line in place of one that was added. */
enum dmtrace_status
dmt_edits_change_added(struct dmtrace_key *key, enum dmt_section section,
    size_t index, struct dmtrace_text line);

/* Makes the place in the text where lines of section will be added, below
 * heading, behind earlier ones of the same place. false: no memory. */
bool
dmt_edits_open(struct dmt_edits *edits, enum dmt_section section, size_t at,
    struct dmtrace_text heading);

void
dmt_edits_fini(struct dmt_edits *edits);

#endif
