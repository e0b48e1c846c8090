/* calls.c - how long the single calls of a method took */

#include "profile/calls.h"

/* Below 8 each number has one of its own. */
static unsigned
bucket_of(int64_t ns)
{
	unsigned octave = 0;

	if (ns < 8)
		return ns < 0 ? 0 : (unsigned)ns;
	for (uint64_t rest = (uint64_t)ns >> 3; rest > 1; rest >>= 1)
		octave++;
	return (octave + 1) * 8 + ((unsigned)(ns >> octave) & 7);
}

/* The number in the middle of a bucket. */
static int64_t
middle_of(unsigned bucket)
{
	if (bucket < 8)
		return (int64_t)bucket;
	const unsigned octave = bucket / 8 - 1;
	const int64_t low = (int64_t)(8 + bucket % 8) << octave;
	return low + ((INT64_C(1) << octave) >> 1);
}

static void
widen(struct dmt_calls *calls, int64_t min_ns, int64_t max_ns)
{
	if (calls->count == 0 || min_ns < calls->min_ns)
		calls->min_ns = min_ns;
	if (calls->count == 0 || max_ns > calls->max_ns)
		calls->max_ns = max_ns;
}

static void
add_to(uint32_t *bucket, uint32_t calls)
{
	*bucket += calls < UINT32_MAX - *bucket ? calls :
	    UINT32_MAX - *bucket;
}

void
dmt_calls_take(struct dmt_calls *calls, int64_t ns)
{
	const double from_mean = (double)ns - calls->mean_ns;

	widen(calls, ns, ns);
	calls->count++;
	calls->mean_ns += from_mean / (double)calls->count;
	calls->squares += from_mean * ((double)ns - calls->mean_ns);
	add_to(&calls->buckets[bucket_of(ns)], 1);
}

void
dmt_calls_add(struct dmt_calls *to, const struct dmt_calls *from)
{
	if (from->count == 0)
		return;
	const double apart = from->mean_ns - to->mean_ns;
	const double share =
	    (double)from->count / (double)(to->count + from->count);

	widen(to, from->min_ns, from->max_ns);
	to->squares += from->squares +
	    apart * apart * (double)to->count * share;
	to->mean_ns += apart * share;
	to->count += from->count;
	for (unsigned i = 0; i < DMT_CALL_BUCKETS; i++)
		add_to(&to->buckets[i], from->buckets[i]);
}

int64_t
dmt_calls_percentile(const struct dmt_calls *calls, double percent)
{
	const double wanted = percent / 100 * (double)calls->count;
	uint64_t seen = 0;
	unsigned bucket = 0;

	if (percent <= 0)
		return calls->min_ns;
	for (; bucket < DMT_CALL_BUCKETS; bucket++) {
		seen += calls->buckets[bucket];
		if (seen > 0 && (double)seen >= wanted)
			break;
	}
	if (bucket >= DMT_CALL_BUCKETS || percent >= 100)
		return calls->max_ns;
	const int64_t middle = middle_of(bucket);
	if (middle < calls->min_ns)
		return calls->min_ns;
	return middle > calls->max_ns ? calls->max_ns : middle;
}
