/* again.h - calls that an exit without entry makes recursive, later on */
#ifndef DMT_PROFILE_AGAIN_H
#define DMT_PROFILE_AGAIN_H

#include "profile/profile.h"

/*
 * An exit without entry was the next one of its thread, with calls of its
 * method before that may be the thread's own: these lie in it. false: no
 * memory.
 */
bool
dmt_again_note(struct dmt_thread *thread, uint32_t method);

/* After the events, when the calls that were open have ended. */
void
dmt_again_begin(struct dmtrace_profile *profile);

/* Takes the events for the second time. */
enum dmtrace_status
dmt_again_add(struct dmtrace_profile *profile,
    const struct dmtrace_event *events, size_t count);

/* The same from a reader: see dmtrace_profile_read. *count is 0, too, when
 * there is no more to find. */
enum dmtrace_status
dmt_again_read(struct dmtrace_profile *profile,
    struct dmtrace_reader *reader, size_t *count);

#endif
