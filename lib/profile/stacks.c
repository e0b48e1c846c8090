/* stacks.c - which call an exit ends, where methods of one index are many */

#include "profile/profile.h"

bool
dmt_profile_make_stacks(struct dmtrace_profile *profile)
{
	const enum dmtrace_profile_by by = profile->options.by;

	dmtrace_stacks_free(profile->stacks);
	profile->stacks = NULL;
	if (by == DMTRACE_PROFILE_BY_METHOD || by == DMTRACE_PROFILE_BY_ROW)
		return true;
	profile->stacks = dmtrace_stacks_new();
	if (profile->stacks == NULL)
		return dmt_profile_no_memory(profile);
	dmtrace_stacks_set_limit(profile->stacks, profile->options.max_depth);
	return true;
}

/* What goes too deep for the stacks does so for the thread, which says it. */
bool
dmt_profile_step(struct dmtrace_profile *profile,
    const struct dmtrace_event *event, struct dmtrace_step *step)
{
	*step = (struct dmtrace_step){ DMTRACE_STEP_IGNORED, 0, 0 };
	return profile->stacks == NULL || dmtrace_stacks_step(
	    profile->stacks, event, step) != DMTRACE_ERR_MEMORY ||
	    dmt_profile_no_memory(profile);
}
