/* call_lane.c - the calls of one thread, as they go by */

#include "verify/call_lane.h"

#include <stdlib.h>

#include "base/array.h"
#include "ops/digest.h"

#define FIRST_STEP 64		/* a power of two, as all steps are */

static uint64_t
first_mark(const struct dmt_call_lane *lane)
{
	return lane->marks == NULL ? FIRST_STEP :
	    lane->marks->from + lane->marks->step;
}

void
dmt_call_lane_begin(struct dmt_call_lane *lane)
{
	lane->calls = 0;
	lane->sum = (struct dmt_call_sum){ 0, 0 };
	lane->next_mark = first_mark(lane);
	if (lane->marks != NULL)
		lane->marks->count = 0;
	if (lane->window != NULL)
		lane->window->count = 0;
}

static bool
make_marks(struct dmt_call_lane *lane)
{
	lane->marks = dmt_array_new(1, sizeof(*lane->marks));
	if (lane->marks == NULL)
		return false;
	lane->marks->step = FIRST_STEP;
	lane->marks->grows = true;
	return true;
}

static void
thin_out(struct dmt_call_marks *marks)
{
	for (size_t i = 0; i < DMT_MARKS / 2; i++)
		marks->sums[i] = marks->sums[2 * i + 1];
	marks->count = DMT_MARKS / 2;
	marks->step *= 2;
}

static bool
mark(struct dmt_call_lane *lane)
{
	if (lane->marks == NULL && !make_marks(lane))
		return false;
	struct dmt_call_marks *const marks = lane->marks;
	marks->sums[marks->count++] = lane->sum;
	if (marks->count == DMT_MARKS && marks->grows)
		thin_out(marks);
	lane->next_mark = marks->count == DMT_MARKS ? UINT64_MAX :
	    marks->from + (marks->count + 1) * marks->step;
	return true;
}

static void
keep(struct dmt_call_lane *lane, struct dmt_call call)
{
	struct dmt_window *const window = lane->window;

	if (lane->calls >= window->from && window->count < window->room)
		window->calls[window->count++] = call;
}

bool
dmt_call_lane_take(struct dmt_call_lane *lane, struct dmt_call call,
    uint64_t seed)
{
	const uint64_t word = (uint64_t)call.depth << 32 | call.token;

	if (lane->window != NULL)
		keep(lane, call);
	lane->calls++;
	lane->sum.low = dmt_digest_mix(lane->sum.low + (word ^ seed));
	lane->sum.high = dmt_digest_mix(lane->sum.high ^
	    (word * dmt_digest_high.step + (seed ^ dmt_digest_high.cpu)));
	return lane->calls != lane->next_mark || mark(lane);
}

static void
free_window(struct dmt_window *window)
{
	if (window == NULL)
		return;
	free(window->calls);
	free(window->callers);
	free(window);
}

void
dmt_call_lane_fini(struct dmt_call_lane *lane)
{
	free(lane->marks);
	free_window(lane->window);
}

/* Sums after as many calls; both lanes have one there. */
static bool
same_at(const struct dmt_call_marks *a, const struct dmt_call_marks *b,
    uint64_t calls)
{
	const struct dmt_call_sum *const x = &a->sums[calls / a->step - 1];
	const struct dmt_call_sum *const y = &b->sums[calls / b->step - 1];

	return x->low == y->low && x->high == y->high;
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Both begin at the same call; what is the same up to a mark is so up to all
 * before it. */
uint64_t
dmt_call_lanes_part(const struct dmt_call_lane *a,
    const struct dmt_call_lane *b, uint64_t *within)
{
	const struct dmt_call_marks *const x = a->marks, *const y = b->marks;

	*within = FIRST_STEP;
	if (x == NULL || y == NULL)
		return 0;
	const uint64_t step = x->step > y->step ? x->step : y->step;
	const uint64_t end = least(x->count * x->step, y->count * y->step);
	uint64_t calls = 0;
	while (calls + step <= end && same_at(x, y, calls + step))
		calls += step;
	*within = step;
	return x->from + calls;
}

void
dmt_call_lane_refine(struct dmt_call_lane *lane, uint64_t from,
    uint64_t within)
{
	lane->marks->from = from;
	lane->marks->step = within / DMT_MARKS;
	lane->marks->grows = false;
}

bool
dmt_call_lane_keep(struct dmt_call_lane *lane, uint64_t from, size_t room)
{
	lane->window = dmt_array_new(1, sizeof(*lane->window));
	if (lane->window == NULL)
		return false;
	lane->window->from = from;
	lane->window->room = room;
	lane->window->calls = dmt_array_new(room,
	    sizeof(*lane->window->calls));
	return lane->window->calls != NULL;
}
