/* thread_calls.c - the calls of one thread: sums over them, and a window */

/*
 * Two threads made the same calls if the sums over all their calls are equal.
 * The first difference is found without keeping calls: a thread keeps its sum
 * at up to 64 checkpoints at regular distances. In the first pass the number of
 * calls is not known yet, so the checkpoints begin close together; when there
 * are 64, every other one is dropped and the stride doubles. The difference is
 * between the last checkpoint at which both sums are equal and the next one.
 * The next pass has its checkpoints, or its window of calls, between these two.
 */

#include "verify/diff/thread_calls.h"

#include <stdlib.h>

#include "base/array.h"
#include "ops/digest.h"

#define FIRST_STRIDE 64		/* a power of two, as all strides are */

void
dmt_thread_calls_begin(struct dmt_thread_calls *thread)
{
	struct dmt_checkpoints *const checkpoints = thread->checkpoints;

	thread->calls = 0;
	thread->sum = (struct dmt_call_sum){ 0, 0 };
	thread->next_checkpoint = checkpoints == NULL ? FIRST_STRIDE :
	    checkpoints->from + checkpoints->stride;
	if (checkpoints != NULL)
		checkpoints->count = 0;
	if (thread->window != NULL)
		thread->window->count = 0;
}

/* false: no memory. */
static bool
add_checkpoint(struct dmt_thread_calls *thread)
{
	if (thread->checkpoints == NULL) {
		thread->checkpoints =
		    dmt_array_new(1, sizeof(*thread->checkpoints));
		if (thread->checkpoints == NULL)
			return false;
		thread->checkpoints->stride = FIRST_STRIDE;
		thread->checkpoints->grows = true;
	}

	struct dmt_checkpoints *const checkpoints = thread->checkpoints;
	checkpoints->sums[checkpoints->count++] = thread->sum;
	if (checkpoints->count == DMT_CHECKPOINTS && checkpoints->grows) {
		for (size_t i = 0; i < DMT_CHECKPOINTS / 2; i++)
			checkpoints->sums[i] = checkpoints->sums[2 * i + 1];
		checkpoints->count = DMT_CHECKPOINTS / 2;
		checkpoints->stride *= 2;
	}
	thread->next_checkpoint = checkpoints->count == DMT_CHECKPOINTS ?
	    UINT64_MAX : checkpoints->from +
	    (checkpoints->count + 1) * checkpoints->stride;
	return true;
}

bool
dmt_thread_calls_add(struct dmt_thread_calls *thread, struct dmt_call call,
    uint64_t seed)
{
	const uint64_t word = (uint64_t)call.depth << 32 | call.token;
	struct dmt_call_window *const window = thread->window;

	if (window != NULL && thread->calls >= window->from &&
	    window->count < window->room)
		window->calls[window->count++] = call;
	thread->calls++;
	thread->sum.low = dmt_digest_mix(thread->sum.low + (word ^ seed));
	thread->sum.high = dmt_digest_mix(thread->sum.high ^
	    (word * dmt_digest_high.step + (seed ^ dmt_digest_high.cpu)));
	return thread->calls != thread->next_checkpoint ||
	    add_checkpoint(thread);
}

void
dmt_thread_calls_fini(struct dmt_thread_calls *thread)
{
	free(thread->checkpoints);
	if (thread->window == NULL)
		return;
	free(thread->window->calls);
	free(thread->window->callers);
	free(thread->window);
}

/* Returns true if the sums after that many calls are equal. Both threads have a
 * checkpoint there. */
static bool
same_sum(const struct dmt_checkpoints *a, const struct dmt_checkpoints *b,
    uint64_t calls)
{
	const struct dmt_call_sum *const x = &a->sums[calls / a->stride - 1];
	const struct dmt_call_sum *const y = &b->sums[calls / b->stride - 1];

	return x->low == y->low && x->high == y->high;
}

/* The checkpoints of both begin at the same call. If the sums are equal at one
 * of them, they are equal at all earlier ones, so that checkpoints which only
 * one thread has can be left out. */
uint64_t
dmt_thread_calls_part(const struct dmt_thread_calls *a,
    const struct dmt_thread_calls *b, uint64_t *within)
{
	const struct dmt_checkpoints *const x = a->checkpoints;
	const struct dmt_checkpoints *const y = b->checkpoints;

	*within = FIRST_STRIDE;
	if (x == NULL || y == NULL)
		return 0;
	const uint64_t x_end = x->count * x->stride;
	const uint64_t y_end = y->count * y->stride;
	const uint64_t end = x_end < y_end ? x_end : y_end;
	const uint64_t stride = x->stride > y->stride ? x->stride : y->stride;
	uint64_t calls = 0;
	while (calls + stride <= end && same_sum(x, y, calls + stride))
		calls += stride;
	*within = stride;
	return x->from + calls;
}

void
dmt_thread_calls_refine(struct dmt_thread_calls *thread, uint64_t from,
    uint64_t within)
{
	thread->checkpoints->from = from;
	thread->checkpoints->stride = within / DMT_CHECKPOINTS;
	thread->checkpoints->grows = false;
}

bool
dmt_thread_calls_keep(struct dmt_thread_calls *thread, uint64_t from,
    size_t room)
{
	struct dmt_call_window *const window =
	    dmt_array_new(1, sizeof(*window));

	thread->window = window;
	if (window == NULL)
		return false;
	window->from = from;
	window->room = room;
	window->calls = dmt_array_new(room, sizeof(*window->calls));
	return window->calls != NULL;
}
