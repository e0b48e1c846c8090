/* call_diff.c - whether two traces made the same calls, in order */

#include "verify/call_diff.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/options.h"

enum {
	CONTEXT_MAX = 100,
	LINES_MAX = 200,
	NEAR = 4096,			/* calls that can be kept */
	AHEAD = 512			/* of them, behind what is different */
};

void
dmtrace_call_diff_options_init(struct dmtrace_call_diff_options *options)
{
	*options = (struct dmtrace_call_diff_options){
		.size = sizeof(*options), .context = 3, .lines = 20
	};
}

static void
take_options(struct dmtrace_call_diff *diff,
    const struct dmtrace_call_diff_options *options)
{
	struct dmtrace_call_diff_options *const own = &diff->options;

	dmtrace_call_diff_options_init(own);
	if (options != NULL)
		dmt_options_take(own, sizeof(*own), options);
	own->context = own->context > CONTEXT_MAX ? CONTEXT_MAX :
	    own->context;
	own->lines = own->lines > LINES_MAX ? LINES_MAX : own->lines;
}

struct dmtrace_call_diff *
dmtrace_call_diff_new(const struct dmtrace_call_diff_options *options)
{
	struct dmtrace_call_diff *const diff =
	    dmt_array_new(1, sizeof(*diff));

	if (diff == NULL)
		return NULL;
	take_options(diff, options);
	diff->seed = ((uintptr_t)diff ^ (uintptr_t)&options) *
	    UINT64_C(0x9e3779b97f4a7c15);
	return diff;
}

void
dmtrace_call_diff_free(struct dmtrace_call_diff *diff)
{
	if (diff == NULL)
		return;
	for (int i = 0; i < DMTRACE_DIFF_SIDES; i++)
		dmt_call_side_fini(&diff->sides[i]);
	for (size_t i = 0; i < diff->pair_count; i++)
		free(diff->pairs[i].lines);
	free(diff->pairs);
	dmt_names_fini(&diff->methods);
	dmt_names_fini(&diff->threads);
	free(diff);
}

const struct dmtrace_error *
dmtrace_call_diff_error(const struct dmtrace_call_diff *diff)
{
	return &diff->error;
}

static struct dmt_call_lane *
lane_of(struct dmtrace_call_diff *diff, const struct dmt_call_pair *pair,
    int side)
{
	return &diff->sides[side].lanes[pair->lanes[side]];
}

/* From a little before the last place where both were the same. */
static bool
keep_calls(struct dmtrace_call_diff *diff, struct dmt_call_pair *pair,
    uint64_t from, uint64_t within)
{
	const uint64_t back = from < diff->options.context ? from :
	    diff->options.context;
	bool fine = true;

	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++)
		fine = fine && dmt_call_lane_keep(lane_of(diff, pair, side),
		    from - back, (size_t)(back + within) + AHEAD);
	pair->kept = true;
	return fine;
}

/* What is to be done for a pair that differs; false: no memory. */
static bool
come_closer(struct dmtrace_call_diff *diff, struct dmt_call_pair *pair)
{
	uint64_t within;

	if (pair->kept) {
		pair->found = true;
		return dmt_call_lines_make(diff, pair);
	}
	const uint64_t from = dmt_call_lanes_part(lane_of(diff, pair, 0),
	    lane_of(diff, pair, 1), &within);
	if (within <= NEAR)
		return keep_calls(diff, pair, from, within);
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++)
		dmt_call_lane_refine(lane_of(diff, pair, side), from, within);
	return true;
}

static bool
is_sought(const struct dmt_call_pair *pair)
{
	return !pair->same && !pair->found &&
	    pair->lanes[0] != DMT_NO_LANE && pair->lanes[1] != DMT_NO_LANE;
}

static void
rest_all(struct dmtrace_call_diff *diff)
{
	for (int i = 0; i < DMTRACE_DIFF_SIDES; i++)
		for (size_t j = 0; j < diff->sides[i].count; j++)
			diff->sides[i].lanes[j].active = false;
}

int
dmtrace_call_diff_again(struct dmtrace_call_diff *diff)
{
	size_t threads = 0;
	int again = 0;
	bool fine = diff->error.status == DMTRACE_OK &&
	    (diff->pairs != NULL || dmt_call_pairs_make(diff));

	rest_all(diff);
	for (size_t i = 0; fine && i < diff->pair_count &&
	    threads < DMTRACE_CALL_DIFF_THREADS; i++) {
		struct dmt_call_pair *const pair = &diff->pairs[i];

		threads += pair->found;
		if (!is_sought(pair))
			continue;
		threads++;
		fine = come_closer(diff, pair);
		for (int side = 0; side < 2 && !pair->found; side++)
			lane_of(diff, pair, side)->active = true;
		again |= !pair->found;
	}
	if (!fine)
		dmt_error_memory(&diff->error);
	return fine && again;
}
