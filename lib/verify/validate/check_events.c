/* check_events.c - the checks of the events of a trace */

/*
 * Each event of a batch is checked in three steps: its thread, if this is the
 * thread's first event; its times, against those of the thread's first event
 * and of the event before; its call, against the open calls of the thread.
 * Times that go back or wrap within a thread, and reserved actions, were
 * reported by the source when it filled the columns. Nearly all events have no
 * finding, so the loop only compares columns; everything else about a finding
 * is in functions that are seldom called.
 */

#include "verify/validate/check_events.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/escape.h"
#include "events/select.h"
#include "private/text.h"
#include "verify/validate/quirks.h"

#define SLACK_NS 20000000	/* two ticks of a slow CPU clock */

void
dmt_event_checks_init(struct dmt_event_checks *checks)
{
	struct dmtrace_source *const source = checks->source;
	const struct dmt_layout *const layout = source->layout;

	dmt_callstacks_attach(&checks->stacks, source,
	    sizeof(struct dmt_call_frame));
	dmt_attach(source, &checks->threads, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*checks->threads) });
	checks->dual = dmt_layout_has_cpu(layout) &&
	    dmt_layout_has_wall(layout);
	checks->comparable = dmt_layout_has_wall(layout) &&
	    dmt_times_comparable(source->key, layout);
	dmt_want(source, DMT_COLUMN_ALL & ~DMT_COLUMN_FLAGS);
}

void
dmt_event_checks_fini(struct dmt_event_checks *checks)
{
	dmt_callstacks_fini(&checks->stacks);
}

/* An event of a batch that has a finding. */
struct checked_event {
	struct dmt_event_checks *checks;
	const struct dmt_batch *batch;
	size_t at;
	uint32_t number;		/* number of its thread */
	uint64_t id;			/* id of its method */
};

static struct checked_event
get_event(struct dmt_event_checks *checks, const struct dmt_batch *batch,
    size_t at)
{
	const struct dmt_indexes *const indexes = checks->source->indexes;

	return (struct checked_event){
		.checks = checks, .batch = batch, .at = at,
		.number = indexes->threads[batch->thread[at]].number,
		.id = indexes->methods[batch->method[at]].id,
	};
}

static uint64_t
event_offset(const struct checked_event *event)
{
	return dmt_batch_offset(event->checks->source, event->batch,
	    event->at);
}

static void
report_thread(const struct checked_event *event, enum dmt_finding which)
{
	dmt_finding_add(event->checks->findings, which, DMTRACE_PLACE_OFFSET,
	    event_offset(event), "thread %" PRIu32, event->number);
}

/* Room for "class.name (id)". */
#define CALL_NAME_MAX (2 * DMT_ESCAPED_MAX + 24)

/* Writes the name of a method and its id, or the id alone. Returns out. */
static const char *
put_call_name(char out[CALL_NAME_MAX], const struct dmt_indexed_method *method)
{
	const struct dmtrace_method *const row = method->row;
	char class_name[DMT_ESCAPED_MAX], name[DMT_ESCAPED_MAX];

	if (row == NULL || row->name.len == 0) {
		snprintf(out, CALL_NAME_MAX, "0x%" PRIx64, method->id);
		return out;
	}
	const struct dmt_method_scope scope =
	    dmt_method_scope(row->class_name, row->signature);
	dmt_escape(class_name, sizeof(class_name), scope.text.bytes,
	    scope.text.len);
	for (char *at = class_name; scope.separator[0] == '.' &&
	    *at != '\0'; at++)
		*at = *at == '/' ? '.' : *at;
	dmt_escape(name, sizeof(name), row->name.bytes, row->name.len);
	snprintf(out, CALL_NAME_MAX, "%s%s%s (0x%" PRIx64 ")", class_name,
	    scope.separator, name, method->id);
	return out;
}

static void
report_call(const struct checked_event *event, enum dmt_finding which)
{
	const struct dmt_batch *const batch = event->batch;
	const struct dmt_indexes *const indexes =
	    event->checks->source->indexes;
	char name[CALL_NAME_MAX];

	dmt_finding_add(event->checks->findings, which, DMTRACE_PLACE_OFFSET,
	    event_offset(event), "%s in thread %" PRIu32, put_call_name(name,
	    &indexes->methods[batch->method[event->at]]), event->number);
}

/* Checks the thread of an event that is its first one. */
static void
check_new_thread(const struct checked_event *event)
{
	struct dmt_event_checks *const checks = event->checks;
	const struct dmt_batch *const batch = event->batch;
	const size_t numbers =
	    dmt_layout_thread_numbers(checks->source->layout);

	checks->threads[checks->met++] = (struct dmt_checked_thread){
		.first_cpu_ns = batch->cpu_ns[event->at],
		.first_wall_ns = batch->wall_ns[event->at],
	};
	checks->beyond |= event->number > DMT_DUMP_THREADS &&
	    !checks->mismatch;
	if (event->number >= numbers / 2)
		dmt_finding_add(checks->findings, DMT_THREAD_HIGH,
		    DMTRACE_PLACE_OFFSET, event_offset(event), "%" PRIu32,
		    event->number);
}

static bool
is_high(uint64_t time_ns)
{
	return time_ns >= DMT_HIGH_NS && time_ns != DMTRACE_NO_TIME;
}

/* Returns whether more CPU time than wall time has gone by since the thread's
 * first event. */
static bool
is_cpu_ahead(const struct dmt_checked_thread *thread, uint64_t cpu_ns,
    uint64_t wall_ns)
{
	const int64_t cpu = (int64_t)(cpu_ns - thread->first_cpu_ns);
	const int64_t wall = (int64_t)(wall_ns - thread->first_wall_ns);

	return cpu > wall && (uint64_t)cpu - (uint64_t)wall > SLACK_NS;
}

static void
check_times(struct dmt_event_checks *checks, const struct dmt_batch *batch,
    size_t at)
{
	const uint32_t index = batch->thread[at];
	const uint64_t cpu_ns = batch->cpu_ns[at];
	const uint64_t wall_ns = batch->wall_ns[at];
	const struct dmt_indexes *const indexes = checks->source->indexes;
	struct dmt_checked_thread *const thread = &checks->threads[index];

	if (!thread->high &&
	    (cpu_ns >= DMT_HIGH_NS || wall_ns >= DMT_HIGH_NS) &&
	    (is_high(cpu_ns) || is_high(wall_ns))) {
		const struct checked_event event =
		    get_event(checks, batch, at);

		thread->high = true;
		report_thread(&event, DMT_TIME_HIGH);
	}
	if (checks->dual && !thread->ahead &&
	    is_cpu_ahead(thread, cpu_ns, wall_ns)) {
		const struct checked_event event =
		    get_event(checks, batch, at);

		thread->ahead = true;
		report_thread(&event, DMT_CPU_AHEAD);
	}
	if (checks->comparable && wall_ns < checks->last_wall_ns &&
	    index != checks->last_thread) {
		const struct checked_event event =
		    get_event(checks, batch, at);

		dmt_finding_add(checks->findings, DMT_TIME_ACROSS,
		    DMTRACE_PLACE_OFFSET, event_offset(&event), "thread %"
		    PRIu32 " after %" PRIu32, event.number,
		    indexes->threads[checks->last_thread].number);
	}
	checks->last_wall_ns = wall_ns;
	checks->last_thread = index;
}

/* Returns the action to judge a reserved action by. Some readers take it for an
 * exit, which is worse than calls that do not match. */
static unsigned
judge_reserved(struct dmt_event_checks *checks,
    const struct dmt_callstack *stack, uint32_t method)
{
	if (stack->depth == 0)
		return DMTRACE_RESERVED;
	const struct dmt_call_frame *const innermost =
	    dmt_frame_at(&checks->stacks, stack, stack->depth);
	if (innermost->method == method)
		return checks->reserved_ends ? DMTRACE_EXIT : DMTRACE_RESERVED;
	checks->reserved_other = true;
	return DMTRACE_RESERVED;
}

static void
check_depth(const struct checked_event *event, uint32_t depth)
{
	struct dmt_event_checks *const checks = event->checks;

	if (depth <= DMT_DEEP)
		return;
	dmt_finding_add(checks->findings, DMT_CALL_DEEP, DMTRACE_PLACE_OFFSET,
	    event_offset(event), "thread %" PRIu32 ", %" PRIu32,
	    event->number, depth);
	if (depth > checks->deepest)
		checks->deepest = depth;
}

/* Reports findings about a step, unless it is a call that begins or ends
 * normally. A call that ends was checked when it began. */
static void
check_step(const struct checked_event *event, const struct dmt_step *step,
    bool first)
{
	struct dmt_event_checks *const checks = event->checks;
	const struct dmt_indexes *const indexes = checks->source->indexes;
	const struct dmt_batch *const batch = event->batch;

	if (step->kind == DMT_STEP_LEFT)
		return;
	checks->mismatch |= step->kind == DMT_STEP_UNWOUND ||
	    step->kind == DMT_STEP_STRAY;
	if (step->kind == DMT_STEP_UNWOUND) {
		report_call(event, DMT_EXIT_MISMATCH);
		return;
	}
	if (step->kind == DMT_STEP_BEFORE)
		report_call(event, DMT_EXIT_BEFORE);
	else if (step->kind == DMT_STEP_STRAY)
		report_call(event, DMT_EXIT_STRAY);
	if (indexes->methods[batch->method[event->at]].row == NULL)
		report_call(event, DMT_METHOD_UNLISTED);
	if (first && indexes->threads[batch->thread[event->at]].row == NULL)
		dmt_finding_add(checks->findings, DMT_THREAD_UNLISTED,
		    DMTRACE_PLACE_OFFSET, event_offset(event), "%" PRIu32,
		    event->number);
	if (step->kind == DMT_STEP_ENTERED)
		check_depth(event, step->depth);
}

/* Checks an event; first: it is the first one of its thread. There is no branch
 * on enter or exit before a finding is likely: the processor cannot guess which
 * of the two comes next, and a wrong guess costs as much as the whole check. */
static inline enum dmtrace_status
check_event(struct dmt_event_checks *checks, const struct dmt_batch *batch,
    size_t at, bool first, const struct dmt_indexed_method *methods)
{
	const uint32_t method = batch->method[at];
	const bool listed = methods[method].row != NULL;
	struct dmt_callstack *const stack =
	    &checks->stacks.items[batch->thread[at]];
	unsigned action = batch->action[at];
	struct dmt_step step;

	check_times(checks, batch, at);
	if (action == DMTRACE_RESERVED)
		action = judge_reserved(checks, stack, method);
	const enum dmtrace_status status = dmt_callstack_step(&checks->stacks,
	    stack, method, action, &step);
	if (status != DMTRACE_OK)
		return dmt_callstack_fail(&checks->stacks, stack, status,
		    checks->source->indexes->threads[batch->thread[at]].number,
		    dmt_batch_offset(checks->source, batch, at),
		    &checks->error);
	if (step.kind > DMT_STEP_LEFT || !listed || step.depth > DMT_DEEP ||
	    first) {
		const struct checked_event event =
		    get_event(checks, batch, at);

		check_step(&event, &step, first);
	}
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_event_checks_take(struct dmt_event_checks *checks,
    const struct dmt_batch *batch)
{
	const struct dmt_indexed_method *const methods =
	    checks->source->indexes->methods;
	const uint64_t *const times = dmt_clock_times(checks->source, batch);
	uint64_t latest_ns = checks->latest_ns;

	for (size_t i = 0; i < batch->kept; i++) {
		const size_t at = batch->keep[i];
		const bool first = batch->thread[at] == checks->met;

		if (first) {
			const struct checked_event event =
			    get_event(checks, batch, at);

			check_new_thread(&event);
		}
		latest_ns = times[at] > latest_ns ? times[at] : latest_ns;
		if (check_event(checks, batch, at, first, methods) !=
		    DMTRACE_OK)
			return checks->error.status;
	}
	checks->latest_ns = latest_ns;
	return DMTRACE_OK;
}

/* Each open call is a finding; the innermost call of a thread comes first. */
void
dmt_event_checks_end(struct dmt_event_checks *checks)
{
	const struct dmt_indexes *const indexes = checks->source->indexes;

	for (size_t i = 0; i < checks->met; i++) {
		const struct dmt_callstack *const stack =
		    &checks->stacks.items[i];

		for (uint32_t depth = stack->depth; depth > 0; depth--) {
			const struct dmt_call_frame *const frame =
			    dmt_frame_at(&checks->stacks, stack, depth);

			char name[CALL_NAME_MAX];

			dmt_finding_add(checks->findings, DMT_CALL_OPEN,
			    DMTRACE_PLACE_NONE, 0, "%s in thread %" PRIu32,
			    put_call_name(name,
			    &indexes->methods[frame->method]),
			    indexes->threads[i].number);
		}
	}
}
