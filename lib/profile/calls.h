/* calls.h - how long the single calls of a method took */
#ifndef DMT_PROFILE_CALLS_H
#define DMT_PROFILE_CALLS_H

#include <stdint.h>

/* Eight for each power of two. */
#define DMT_CALL_BUCKETS 488

/* Two kilobytes. Zero has no calls. */
struct dmt_calls {
	uint64_t count;
	int64_t min_ns;
	int64_t max_ns;
	double mean_ns;
	double squares;		/* of the differences from the mean */
	uint32_t buckets[DMT_CALL_BUCKETS];
};

void
dmt_calls_take(struct dmt_calls *calls, int64_t ns);

void
dmt_calls_add(struct dmt_calls *to, const struct dmt_calls *from);

/* See dmtrace_profile_percentile. */
int64_t
dmt_calls_percentile(const struct dmt_calls *calls, double percent);

#endif
