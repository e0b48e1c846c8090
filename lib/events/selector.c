/* selector.c - a walk over events that tells which are selected */

#include "events/selector.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

/* What is known before the first event. false: no memory. */
static bool
start(struct dmtrace_selector *selector)
{
	selector->stacks = dmtrace_stacks_new();
	selector->lane_of = dmt_array_new(selector->selection->numbers,
	    sizeof(*selector->lane_of));
	return selector->stacks != NULL && selector->lane_of != NULL;
}

struct dmtrace_selector *
dmtrace_selector_new(struct dmtrace_selection *selection)
{
	struct dmtrace_selector *const selector =
	    dmt_array_new(1, sizeof(*selector));

	if (selector == NULL)
		return NULL;
	selector->selection = selection;
	selector->lasting.most = selection->memory;
	selector->framed = selection->first_depth > 0 ||
	    selection->min_ns > 0 || selection->kinds[DMTRACE_SELECT_UNDER] > 0;
	selector->cuts = selection->windowed && !selection->raw;
	if (start(selector))
		return selector;
	dmtrace_selector_free(selector);
	return NULL;
}

static void
free_lanes(struct dmtrace_selector *selector)
{
	for (size_t i = 0; i < selector->lane_count; i++)
		free(selector->lanes[i].frames);
	free(selector->lanes);
	free(selector->lane_of);
	dmtrace_stacks_free(selector->stacks);
}

void
dmtrace_selector_free(struct dmtrace_selector *selector)
{
	if (selector == NULL)
		return;
	free_lanes(selector);
	dmt_marks_fini(&selector->lasting);
	dmt_cuts_fini(&selector->opened);
	dmt_cuts_fini(&selector->closed);
	free(selector);
}

const struct dmtrace_error *
dmtrace_selector_error(const struct dmtrace_selector *selector)
{
	return &selector->error;
}

int
dmtrace_selector_learns(const struct dmtrace_selector *selector)
{
	return selector->cuts || selector->selection->min_ns > 0;
}

static enum dmtrace_status
no_memory(struct dmtrace_selector *selector)
{
	return dmt_error_memory(&selector->error);
}

/* The lane of an event's thread, which may be a new one; NULL: no memory. */
static struct dmt_selector_lane *
get_lane(struct dmtrace_selector *selector, uint32_t thread)
{
	if (selector->lane_of[thread] != 0)
		return dmt_lane_find(selector, thread);
	struct dmt_selector_lane *const lanes = dmt_array_grow(selector->lanes,
	    &selector->lane_capacity, selector->lane_count + 1,
	    sizeof(*lanes));
	if (lanes == NULL) {
		no_memory(selector);
		return NULL;
	}
	selector->lanes = lanes;
	lanes[selector->lane_count] =
	    (struct dmt_selector_lane){ .thread = thread };
	selector->lane_of[thread] = (uint32_t)++selector->lane_count;
	return &lanes[selector->lane_count - 1];
}

/* The conditions on the frame at depth but min_ns. */
static void
judge_frame(const struct dmtrace_selector *selector,
    struct dmt_selector_frame *frame,
    uint64_t method, uint32_t depth)
{
	const struct dmtrace_selection *const asked = selector->selection;

	frame->under = asked->kinds[DMTRACE_SELECT_UNDER] == 0 ||
	    (depth > 1 && frame[-1].under) ||
	    (dmt_selection_method(asked, method) & DMT_METHOD_UNDER);
	frame->holds = frame->under && (asked->first_depth == 0 ||
	    (depth >= asked->first_depth && depth <= asked->last_depth));
}

static enum dmtrace_status
enter(struct dmtrace_selector *selector, struct dmt_selector_lane *lane,
    const struct dmtrace_event *event, uint32_t depth)
{
	struct dmt_selector_frame *const frames = dmt_array_grow(lane->frames,
	    &lane->capacity, depth, sizeof(*frames));

	if (frames == NULL)
		return no_memory(selector);
	lane->frames = frames;
	frames[depth - 1].call = selector->calls++;
	frames[depth - 1].entered_ns = dmt_event_time(event);
	judge_frame(selector, &frames[depth - 1], event->method, depth);
	return DMTRACE_OK;
}

/* Takes the event to the stacks. */
static enum dmtrace_status
step(struct dmtrace_selector *selector, struct dmt_selector_lane *lane,
    const struct dmtrace_event *event, struct dmtrace_step *step)
{
	const enum dmtrace_status status =
	    dmtrace_stacks_step(selector->stacks, event, step);

	if (status == DMTRACE_ERR_LIMIT)
		return dmt_error_set(&selector->error, status, "thread %"
		    PRIu32 " has %" PRIu32 " open frames, which is the limit",
		    event->thread, dmtrace_stacks_depth(selector->stacks,
		    event->thread));
	if (status != DMTRACE_OK)
		return no_memory(selector);
	return step->kind != DMTRACE_STEP_ENTERED ? DMTRACE_OK :
	    enter(selector, lane, event, step->depth);
}

/* The frames of depths first to last end at time_ns. */
static void
measure(struct dmtrace_selector *selector, const struct dmt_selector_lane *lane,
    uint32_t first, uint32_t last, uint64_t time_ns)
{
	for (uint32_t i = first; i <= last; i++) {
		const struct dmt_selector_frame *const frame =
		    &lane->frames[i - 1];

		if (time_ns >= frame->entered_ns && time_ns -
		    frame->entered_ns >= selector->selection->min_ns)
			dmt_marks_add(&selector->lasting, frame->call);
	}
}

static enum dmtrace_status
learn(struct dmtrace_selector *selector, const struct dmtrace_event *event)
{
	struct dmt_selector_lane *const lane =
	    get_lane(selector, event->thread);
	const uint64_t time_ns = dmt_event_time(event);
	struct dmtrace_step taken;

	if (lane == NULL)
		return selector->error.status;
	if (selector->cuts && !dmt_window_pass(selector, lane, time_ns))
		return no_memory(selector);
	if (step(selector, lane, event, &taken) != DMTRACE_OK)
		return selector->error.status;
	if (selector->selection->min_ns > 0 &&
	    (taken.kind == DMTRACE_STEP_LEFT ||
	    taken.kind == DMTRACE_STEP_UNWOUND))
		measure(selector, lane, taken.depth,
		    taken.depth + taken.dropped, time_ns);
	lane->cpu_ns = event->cpu_ns;
	if (time_ns > lane->latest_ns)
		lane->latest_ns = time_ns;
	return selector->lasting.error.status;
}

static enum dmtrace_status
keep_error(struct dmtrace_selector *selector)
{
	if (selector->lasting.error.status != DMTRACE_OK)
		selector->error = selector->lasting.error;
	return selector->error.status;
}

enum dmtrace_status
dmtrace_selector_learn(struct dmtrace_selector *selector,
    const struct dmtrace_event *events, size_t count)
{
	enum dmtrace_status status = selector->error.status;

	for (size_t i = 0; i < count && status == DMTRACE_OK; i++) {
		const uint64_t time_ns = dmt_event_time(&events[i]);

		if (time_ns > selector->reach_ns)
			selector->reach_ns = time_ns;
		if (dmt_selection_has_thread(selector->selection,
		    events[i].thread))
			status = learn(selector, &events[i]);
	}
	return keep_error(selector);
}

/* For the next walk over the same events. */
static bool
again(struct dmtrace_selector *selector)
{
	free_lanes(selector);
	selector->lanes = NULL;
	selector->lane_count = 0;
	selector->lane_capacity = 0;
	selector->calls = 0;
	return start(selector);
}

enum dmtrace_status
dmtrace_selector_learned(struct dmtrace_selector *selector)
{
	if (selector->error.status != DMTRACE_OK)
		return selector->error.status;
	for (size_t i = 0; i < selector->lane_count; i++) {
		const struct dmt_selector_lane *const lane =
		    &selector->lanes[i];

		if (selector->selection->min_ns > 0)
			measure(selector, lane, 1, dmtrace_stacks_depth(
			    selector->stacks, lane->thread),
			    lane->latest_ns);
	}
	if ((selector->cuts && !dmt_window_end(selector)) ||
	    !again(selector))
		return no_memory(selector);
	return keep_error(selector);
}

static bool
is_in_window(const struct dmtrace_selector *selector,
    struct dmt_selector_lane *lane,
    const struct dmtrace_event *event)
{
	const struct dmtrace_selection *const asked = selector->selection;
	uint64_t time_ns = dmt_event_time(event);

	if (!asked->windowed)
		return true;
	if (!asked->raw) {
		if (time_ns > lane->latest_ns)
			lane->latest_ns = time_ns;
		time_ns = lane->latest_ns;
	}
	return time_ns >= asked->from_ns && time_ns < asked->to_ns;
}

/* Whether the event enters or leaves a frame that is meant. */
static bool
is_of_frame(struct dmtrace_selector *selector, struct dmt_selector_lane *lane,
    const struct dmtrace_event *event)
{
	struct dmtrace_step taken;

	if (step(selector, lane, event, &taken) != DMTRACE_OK ||
	    taken.depth == 0)
		return false;
	const struct dmt_selector_frame *const frame =
	    &lane->frames[taken.depth - 1];
	return frame->holds && (selector->selection->min_ns == 0 ||
	    dmt_marks_has(&selector->lasting, frame->call));
}

/* All that has a memory is asked, even if it does not decide any more. */
static bool
holds(struct dmtrace_selector *selector, const struct dmtrace_event *event,
    unsigned bits)
{
	const struct dmtrace_selection *const asked = selector->selection;

	if (!dmt_selection_has_thread(asked, event->thread))
		return false;
	struct dmt_selector_lane *const lane =
	    get_lane(selector, event->thread);
	if (lane == NULL)
		return false;
	const bool of_frame = !selector->framed ||
	    is_of_frame(selector, lane, event);
	return is_in_window(selector, lane, event) && of_frame &&
	    (asked->kinds[DMTRACE_SELECT_METHOD] == 0 ||
	    (bits & DMT_METHOD_WANTED));
}

enum dmtrace_status
dmtrace_selector_select(struct dmtrace_selector *selector,
    const struct dmtrace_event *events, size_t count, uint8_t *keep)
{
	struct dmtrace_selection *const asked = selector->selection;
	const bool named = asked->kinds[DMTRACE_SELECT_METHOD] +
	    asked->kinds[DMTRACE_SELECT_HIDE] > 0;

	for (size_t i = 0; i < count &&
	    selector->error.status == DMTRACE_OK; i++) {
		const struct dmtrace_event *const event = &events[i];
		const unsigned bits = !named ? 0 :
		    dmt_selection_method(asked, event->method);

		asked->seen[event->thread & (asked->numbers - 1)] = 1;
		keep[i] = holds(selector, event, bits) != asked->invert &&
		    !(bits & DMT_METHOD_HIDDEN);
	}
	dmt_selection_note_seen(asked);
	return keep_error(selector);
}

enum dmtrace_status
dmtrace_selector_rewind(struct dmtrace_selector *selector)
{
	if (selector->error.status == DMTRACE_OK && !again(selector))
		return no_memory(selector);
	return selector->error.status;
}

const struct dmtrace_event *
dmtrace_selector_opened(const struct dmtrace_selector *selector,
    size_t *count)
{
	*count = selector->opened.events == NULL ? 0 : selector->opened.count;
	return selector->opened.events;
}

const struct dmtrace_event *
dmtrace_selector_closed(const struct dmtrace_selector *selector,
    size_t *count)
{
	*count = selector->closed.events == NULL ? 0 : selector->closed.count;
	return selector->closed.events;
}
