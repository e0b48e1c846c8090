/* calls.c - what is odd about the calls of a trace */

#include "events/calls.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "events/stack.h"
#include "format/finding.h"

enum { PLACES_MIN = 8192, PLACES_MAX = 1 << 20 };

struct dmtrace_calls {
	const struct dmtrace_key *key;
	const struct dmtrace_layout *layout;
	struct dmtrace_stacks *stacks;
	size_t threads;			/* that were looked at */
	struct dmt_findings findings;
	struct dmt_recent recent;
};

/* Twice as many places as methods, at most PLACES_MAX. Place 0 alone may be
 * asked for id 0. */
static bool
init_recent(struct dmt_recent *recent, size_t methods)
{
	size_t places = PLACES_MIN;

	while (places / 2 < methods && places < PLACES_MAX)
		places *= 2;
	recent->ids = dmt_array_new(places, sizeof(*recent->ids));
	if (recent->ids == NULL)
		return false;
	recent->mask = places - 1;
	recent->ids[0] = UINT64_MAX;
	return true;
}

struct dmtrace_calls *
dmtrace_calls_new(const struct dmtrace_key *key,
    const struct dmtrace_layout *layout)
{
	struct dmtrace_calls *calls = dmt_array_new(1, sizeof(*calls));

	if (calls == NULL)
		return NULL;
	calls->key = key;
	calls->layout = layout;
	calls->stacks = dmtrace_stacks_new();
	if (calls->stacks != NULL && init_recent(&calls->recent,
	    dmtrace_key_method_count(key)))
		return calls;
	dmtrace_calls_free(calls);
	return NULL;
}

void
dmtrace_calls_free(struct dmtrace_calls *calls)
{
	if (calls == NULL)
		return;
	dmtrace_stacks_free(calls->stacks);
	free(calls->recent.ids);
	free(calls);
}

void
dmtrace_calls_set_report(struct dmtrace_calls *calls,
    dmtrace_finding_fn *report, void *context)
{
	calls->findings.report = report;
	calls->findings.context = context;
}

struct dmtrace_stacks *
dmtrace_calls_stacks(struct dmtrace_calls *calls)
{
	return calls->stacks;
}

static void
tell(struct dmtrace_calls *calls, enum dmt_finding which,
    const struct dmtrace_event *event, uint64_t at)
{
	dmt_finding_add(&calls->findings, which, DMTRACE_PLACE_OFFSET, at,
	    "0x%" PRIx64 " in thread %" PRIu32, event->method, event->thread);
}

const struct dmt_recent *
dmt_calls_recent(const struct dmtrace_calls *calls)
{
	return &calls->recent;
}

bool
dmt_calls_lists(struct dmtrace_calls *calls, uint64_t method)
{
	if (dmt_recent_has(&calls->recent, method))
		return true;
	if (dmtrace_key_method_find(calls->key, method) == NULL)
		return false;
	calls->recent.ids[method / 4 & calls->recent.mask] = method;
	return true;
}

/* What becomes of an event but an exit that matches. */
static void
look(struct dmtrace_calls *calls, const struct dmtrace_event *event,
    uint64_t at, enum dmtrace_step_kind kind)
{
	if (kind == DMTRACE_STEP_BEFORE)
		tell(calls, DMT_EXIT_BEFORE, event, at);
	else if (kind == DMTRACE_STEP_STRAY)
		tell(calls, DMT_EXIT_STRAY, event, at);
	if (!dmt_calls_lists(calls, event->method))
		tell(calls, DMT_METHOD_UNLISTED, event, at);
	if (dmt_stacks_count(calls->stacks) == calls->threads)
		return;
	calls->threads++;
	if (dmtrace_key_thread_match(calls->key, calls->layout,
	    event->thread) == NULL)
		dmt_finding_add(&calls->findings, DMT_THREAD_UNLISTED,
		    DMTRACE_PLACE_OFFSET, at, "%" PRIu32, event->thread);
}

/* Most events, without a guess whether they enter or leave: those of listed
 * methods in threads that came before. */
static inline bool
step_soon(struct dmtrace_calls *calls, const struct dmtrace_event *event,
    struct dmtrace_step *step)
{
	struct dmt_stack *const stack =
	    dmt_stacks_find(calls->stacks, event->thread);
	const bool enters = event->action == DMTRACE_ENTER;

	if (stack == NULL || (event->method & 3) != 0 ||
	    !dmt_recent_has(&calls->recent, event->method) ||
	    !dmt_stack_take(stack, event->method | event->action, UINT32_MAX))
		return false;
	*step = (struct dmtrace_step){
		.kind = enters ? DMTRACE_STEP_ENTERED : DMTRACE_STEP_LEFT,
		.depth = stack->depth + !enters
	};
	return true;
}

/* A frame that is left was looked at when it was entered. */
enum dmtrace_status
dmtrace_calls_step(struct dmtrace_calls *calls,
    const struct dmtrace_event *event, uint64_t at, struct dmtrace_step *step)
{
	if (step_soon(calls, event, step))
		return DMTRACE_OK;
	const enum dmtrace_status status =
	    dmtrace_stacks_step(calls->stacks, event, step);

	if (status != DMTRACE_OK || step->kind == DMTRACE_STEP_LEFT)
		return status;
	if (step->kind == DMTRACE_STEP_UNWOUND)
		tell(calls, DMT_EXIT_MISMATCH, event, at);
	else
		look(calls, event, at, step->kind);
	return DMTRACE_OK;
}

/* One finding for each, the innermost first. */
static void
tell_open(struct dmtrace_calls *calls, uint32_t thread)
{
	for (uint32_t depth = dmtrace_stacks_depth(calls->stacks, thread);
	    depth > 0; depth--)
		dmt_finding_add(&calls->findings, DMT_CALL_OPEN,
		    DMTRACE_PLACE_NONE, 0, "0x%" PRIx64 " in thread %" PRIu32,
		    dmtrace_stacks_method(calls->stacks, thread, depth),
		    thread);
}

void
dmtrace_calls_end(struct dmtrace_calls *calls)
{
	for (size_t i = 0; i < dmt_stacks_count(calls->stacks); i++)
		tell_open(calls, dmt_stacks_thread(calls->stacks, i));
}

size_t
dmtrace_calls_finding_count(const struct dmtrace_calls *calls)
{
	return calls->findings.used;
}

const struct dmtrace_finding *
dmtrace_calls_finding_get(struct dmtrace_calls *calls, size_t index)
{
	return dmt_finding_get(&calls->findings, index);
}
