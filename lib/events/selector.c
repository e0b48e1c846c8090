/* selector.c - a walk over events that tells which are selected */

#include "events/selector.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

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
	selector->stacks = dmtrace_stacks_new();
	selector->lanes = dmt_array_new(selection->numbers,
	    sizeof(*selector->lanes));
	if (selector->stacks != NULL && selector->lanes != NULL)
		return selector;
	dmtrace_selector_free(selector);
	return NULL;
}

static void
free_lanes(struct dmtrace_selector *selector)
{
	for (size_t i = 0; selector->lanes != NULL &&
	    i < selector->selection->numbers; i++)
		free(selector->lanes[i].frames);
	free(selector->lanes);
	dmtrace_stacks_free(selector->stacks);
}

void
dmtrace_selector_free(struct dmtrace_selector *selector)
{
	if (selector == NULL)
		return;
	free_lanes(selector);
	dmt_marks_fini(&selector->lasting);
	free(selector->opened.items);
	free(selector->opened.events);
	free(selector->closed.items);
	free(selector->closed.events);
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

/* The conditions on the frame at depth but min_ns. */
static void
judge_frame(const struct dmtrace_selector *selector,
    const struct dmtrace_event *event, uint32_t depth)
{
	const struct dmtrace_selection *const asked = selector->selection;
	struct dmt_frame *const frame =
	    &selector->lanes[event->thread].frames[depth - 1];

	frame->under = asked->kinds[DMTRACE_SELECT_UNDER] == 0 ||
	    (depth > 1 && frame[-1].under) ||
	    (dmt_selection_method(asked, event->method) & DMT_METHOD_UNDER);
	frame->holds = frame->under && (asked->first_depth == 0 ||
	    (depth >= asked->first_depth && depth <= asked->last_depth));
}

static enum dmtrace_status
enter(struct dmtrace_selector *selector, const struct dmtrace_event *event,
    uint32_t depth)
{
	struct dmt_lane *const lane = &selector->lanes[event->thread];
	struct dmt_frame *const frames = dmt_array_grow(lane->frames,
	    &lane->capacity, depth, sizeof(*frames));

	if (frames == NULL)
		return no_memory(selector);
	lane->frames = frames;
	frames[depth - 1].call = selector->calls++;
	frames[depth - 1].entered_ns = dmt_event_time(event);
	judge_frame(selector, event, depth);
	return DMTRACE_OK;
}

/* Takes the event to the stacks. */
static enum dmtrace_status
step(struct dmtrace_selector *selector, const struct dmtrace_event *event,
    struct dmtrace_step *step)
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
	    enter(selector, event, step->depth);
}

/* The frames of depths first to last end at time_ns. */
static void
measure(struct dmtrace_selector *selector, const struct dmt_lane *lane,
    uint32_t first, uint32_t last, uint64_t time_ns)
{
	for (uint32_t i = first; i <= last; i++) {
		const struct dmt_frame *const frame = &lane->frames[i - 1];

		if (time_ns >= frame->entered_ns && time_ns -
		    frame->entered_ns >= selector->selection->min_ns)
			dmt_marks_add(&selector->lasting, frame->call);
	}
}

static enum dmtrace_status
learn(struct dmtrace_selector *selector, const struct dmtrace_event *event)
{
	struct dmt_lane *const lane = &selector->lanes[event->thread];
	const uint64_t time_ns = dmt_event_time(event);
	struct dmtrace_step taken;

	if (selector->cuts &&
	    !dmt_window_pass(selector, event->thread, time_ns))
		return no_memory(selector);
	if (step(selector, event, &taken) != DMTRACE_OK)
		return selector->error.status;
	if (selector->selection->min_ns > 0 &&
	    (taken.kind == DMTRACE_STEP_LEFT ||
	    taken.kind == DMTRACE_STEP_UNWOUND))
		measure(selector, lane, taken.depth,
		    taken.depth + taken.dropped, time_ns);
	lane->came = true;
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

/* Back to what is known before the first event. */
static bool
start_anew(struct dmtrace_selector *selector)
{
	free_lanes(selector);
	selector->calls = 0;
	selector->stacks = dmtrace_stacks_new();
	selector->lanes = dmt_array_new(selector->selection->numbers,
	    sizeof(*selector->lanes));
	return selector->stacks != NULL && selector->lanes != NULL;
}

enum dmtrace_status
dmtrace_selector_learned(struct dmtrace_selector *selector)
{
	const size_t numbers = selector->selection->numbers;

	if (selector->error.status != DMTRACE_OK)
		return selector->error.status;
	for (uint32_t i = 0; i < numbers && selector->selection->min_ns > 0;
	    i++)
		measure(selector, &selector->lanes[i], 1,
		    dmtrace_stacks_depth(selector->stacks, i),
		    selector->lanes[i].latest_ns);
	if ((selector->cuts && !dmt_window_end(selector)) ||
	    !start_anew(selector))
		return no_memory(selector);
	return keep_error(selector);
}

static bool
is_in_window(struct dmtrace_selector *selector,
    const struct dmtrace_event *event)
{
	const struct dmtrace_selection *const asked = selector->selection;
	uint64_t time_ns = dmt_event_time(event);

	if (!asked->windowed)
		return true;
	if (!asked->raw) {
		struct dmt_lane *const lane = &selector->lanes[event->thread];

		if (time_ns > lane->latest_ns)
			lane->latest_ns = time_ns;
		time_ns = lane->latest_ns;
	}
	return time_ns >= asked->from_ns && time_ns < asked->to_ns;
}

/* Whether the event enters or leaves a frame that is meant. */
static bool
is_of_frame(struct dmtrace_selector *selector,
    const struct dmtrace_event *event)
{
	struct dmtrace_step taken;

	if (step(selector, event, &taken) != DMTRACE_OK || taken.depth == 0)
		return false;
	const struct dmt_frame *const frame =
	    &selector->lanes[event->thread].frames[taken.depth - 1];
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
	const bool of_frame = !selector->framed ||
	    is_of_frame(selector, event);
	return is_in_window(selector, event) && of_frame &&
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

	for (size_t i = 0; i < count; i++) {
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
