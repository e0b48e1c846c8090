/* profile.h - profiles of sources that can be rewound */
/* layer: profile */
#ifndef DMT_PRIVATE_PROFILE_H
#define DMT_PRIVATE_PROFILE_H

#include <dmtrace/profile.h>

/* dmtrace_profile_add for a source that can be rewound: it is not copied to a
 * temporary file, and its progress counts one pass. */
enum dmtrace_status
dmt_profile_add(struct dmtrace_profile *profile,
    struct dmtrace_source *source);

#endif
