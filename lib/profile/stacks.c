/* stacks.c - which call an exit ends, where ids share an index */

#include "profile/profile.h"

bool
dmt_profile_make_stacks(struct dmtrace_profile *profile)
{
	dmtrace_stacks_free(profile->stacks);
	profile->stacks = NULL;
	if (!profile->shares)
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
	struct dmtrace_event taken = *event;

	if (taken.action == DMTRACE_RESERVED &&
	    (profile->keep & DMTRACE_PROFILE_AS_DMTRACEDUMP))
		taken.action = DMTRACE_EXIT;
	*step = (struct dmtrace_step){ DMTRACE_STEP_IGNORED, 0, 0 };
	return profile->stacks == NULL || dmtrace_stacks_step(
	    profile->stacks, &taken, step) != DMTRACE_ERR_MEMORY ||
	    dmt_profile_no_memory(profile);
}
