/* engine.h - the events of a trace become calls and times of a profile */
#ifndef DMT_PROFILE_ENGINE_H
#define DMT_PROFILE_ENGINE_H

#include "profile/profile.h"

/*
 * Adds all events of a source, with overhead_ns subtracted from the time
 * before each. Returns DMTRACE_OK, the status of the profile's error, or that
 * of the source's; then what came before it is added.
 */
enum dmtrace_status
dmt_profile_take(struct dmtrace_profile *profile,
    struct dmtrace_source *source, uint64_t overhead_ns);

#endif
