/* cancel.h - a progress that cancels */

#ifndef CANCEL_H
#define CANCEL_H

#include <check.h>
#include <stdint.h>

/* A dmtrace_progress_fn; context is how many more calls there may be: the
 * last of them cancels. */
static inline int
cancel_after(void *context, uint64_t done, uint64_t total)
{
	unsigned *const calls = context;

	if (total > 0)			/* else it is not known */
		ck_assert_uint_le(done, total);
	ck_assert_uint_gt(*calls, 0);
	return --*calls == 0;
}

#endif
