/* profile.h - profiles of sources that can be rewound, or of other processes */
/* layer: profile */
#ifndef DMT_PRIVATE_PROFILE_H
#define DMT_PRIVATE_PROFILE_H

#include <dmtrace/profile.h>

struct dmt_output;

/* dmtrace_profile_add for a source that can be rewound: it is not copied to a
 * temporary file, and its progress counts one pass. */
enum dmtrace_status
dmt_profile_add(struct dmtrace_profile *profile,
    struct dmtrace_source *source);

/* Writes a profile, which has no error, for dmt_profile_add_bytes in another
 * process of this program. */
void
dmt_profile_put(const struct dmtrace_profile *profile, struct dmt_output *out);

/*
 * Adds what dmt_profile_put wrote for a profile with the same options: its
 * traces as if they were added here. Exactly these bytes must be passed; they
 * are not checked.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_LIMIT  times add up to more than 2^63 ns
 */
enum dmtrace_status
dmt_profile_add_bytes(struct dmtrace_profile *profile, const char *bytes);

#endif
