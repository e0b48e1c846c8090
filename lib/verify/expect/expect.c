/* expect.c - all events of a trace, past what is expected of them */

#include "verify/expect/expect.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "events/pipeline.h"

static enum dmtrace_status
no_memory(struct dmt_expect *expect)
{
	return dmt_error_memory(&expect->error);
}

static enum dmtrace_status
keep_error(struct dmt_expect *expect, const struct dmtrace_error *error)
{
	if (expect->error.status == DMTRACE_OK)
		expect->error = *error;
	return expect->error.status;
}

/* The events of the trace, or those that the specification selects. */
static enum dmtrace_status
open_source(struct dmt_expect *expect)
{
	struct dmtrace_selection *const selection = expect->spec->selection;
	const bool all =
	    selection == NULL || dmtrace_selection_is_all(selection);

	if (!all && dmtrace_selection_resolve(selection, expect->reader->key,
	    &expect->reader->layout) != DMTRACE_OK)
		return keep_error(expect,
		    dmtrace_selection_error(selection));
	expect->source = dmtrace_source_new(expect->reader);
	if (!all)
		expect->source = dmtrace_select(expect->source, selection);
	if (expect->source == NULL)
		return no_memory(expect);
	dmtrace_source_set_progress(expect->source, expect->op->progress,
	    expect->op->progress_context);
	dmt_want(expect->source, DMT_COLUMN_ALL & ~DMT_COLUMN_FLAGS);
	return DMTRACE_OK;
}

/* The edges of a window have no record. */
static enum dmtrace_status
take_events(struct dmt_expect *expect)
{
	struct dmtrace_event event;
	struct dmt_batch *batch;

	for (;;) {
		if (dmt_pull(expect->source, &batch) != DMTRACE_OK)
			return keep_error(expect,
			    dmtrace_source_error(expect->source));
		if (batch == NULL)
			return DMTRACE_OK;
		for (size_t i = 0; i < batch->kept; i++) {
			const size_t at = batch->keep[i];
			const bool has_record = batch->records != NULL;

			dmt_batch_get(&event, batch, at, expect->source);
			expect->now.record =
			    has_record ? batch->first + at + 1 : 0;
			expect->now.at =
			    dmt_batch_offset(expect->source, batch, at);
			expect->records += has_record;
			if (dmt_expect_take(expect, &event) != DMTRACE_OK)
				return expect->error.status;
		}
	}
}

static bool
begin_rules(struct dmt_expect *expect)
{
	const struct dmtrace_spec *const spec = expect->spec;

	expect->verdicts = dmt_array_new(spec->rule_count,
	    sizeof(*expect->verdicts));
	expect->lane_of_block = dmt_array_new(spec->block_count,
	    sizeof(*expect->lane_of_block));
	expect->block_came = dmt_array_new(spec->block_count,
	    sizeof(*expect->block_came));
	if (expect->verdicts == NULL)
		return false;
	for (size_t i = 0; i < spec->rule_count; i++) {
		expect->verdicts[i].method = DMT_NONE;
		expect->verdicts[i].place.lane = DMT_NONE;
		expect->verdicts[i].place.time_ns = DMTRACE_NO_TIME;
		expect->charges |= spec->rules[i].kind == DMT_RULE_EXCLUSIVE;
		expect->sized |= spec->rules[i].kind == DMT_RULE_DEPTH;
	}
	return expect->lane_of_block != NULL && expect->block_came != NULL;
}

static bool
begin_expect(struct dmt_expect *expect)
{
	const struct dmtrace_layout *const layout = &expect->reader->layout;

	expect->has_time[DMT_TIME_CPU] = layout->cpu.width != 0;
	expect->has_time[DMT_TIME_WALL] = layout->wall.width != 0;
	expect->stacks = dmtrace_stacks_new();
	expect->lane_of = dmt_array_new(dmt_layout_thread_numbers(layout),
	    sizeof(*expect->lane_of));
	return expect->stacks != NULL && expect->lane_of != NULL &&
	    dmt_matches_init(&expect->names, expect->spec,
	    expect->reader->key) && begin_rules(expect);
}

enum dmtrace_status
dmt_expect_run(struct dmt_expect *expect)
{
	if (dmtrace_reader_layout(expect->reader) == NULL ||
	    dmtrace_reader_position(expect->reader) > 0)
		return dmt_error_set(&expect->error, DMTRACE_ERR_STATE,
		    "the reader is not open at its first record");
	if (!begin_expect(expect))
		return no_memory(expect);
	if (open_source(expect) != DMTRACE_OK ||
	    take_events(expect) != DMTRACE_OK)
		return expect->error.status;
	expect->ending = true;
	for (size_t i = 0; i < expect->lane_count; i++)
		if (dmt_expect_end_lane(expect, &expect->lanes[i]) !=
		    DMTRACE_OK)
			return expect->error.status;
	return DMTRACE_OK;
}

void
dmt_expect_fini(struct dmt_expect *expect)
{
	for (size_t i = 0; i < expect->lane_count; i++) {
		free(expect->lanes[i].methods);
		free(expect->lanes[i].blocks);
		free(expect->lanes[i].open);
		dmt_match_free(expect->lanes[i].match);
		dmt_grown_fini(&expect->lanes[i].grown);
	}
	free(expect->lanes);
	free(expect->lane_of);
	free(expect->verdicts);
	free(expect->lane_of_block);
	free(expect->block_came);
	dmtrace_stacks_free(expect->stacks);
	dmtrace_source_free(expect->source);
	dmt_matches_fini(&expect->names);
}

enum dmtrace_status
dmtrace_expect(struct dmtrace_op *op, struct dmtrace_spec *spec,
    struct dmtrace_reader *reader, dmtrace_expectation_fn *told,
    void *context, struct dmtrace_expected *expected)
{
	struct dmt_expect expect = { .op = op, .spec = spec,
	    .reader = reader };
	struct dmtrace_expected result = { 0 };

	dmt_op_begin(op);
	if (dmt_expect_run(&expect) == DMTRACE_OK)
		result.unmet = dmt_expect_tell(&expect, told, context,
		    &result.expectations);
	if (expect.error.status == DMTRACE_OK) {
		result.records = expect.records;
		*expected = result;
	}
	const enum dmtrace_status status =
	    dmt_op_fail(op, NULL, &expect.error);
	dmt_expect_fini(&expect);
	return status;
}

struct dmtrace_text
dmt_expect_thread_name(const struct dmt_expect *expect,
    const struct dmt_expect_lane *lane)
{
	const struct dmtrace_thread *const row = dmtrace_key_thread_match(
	    expect->reader->key, &expect->reader->layout, lane->thread);

	return row == NULL ? (struct dmtrace_text){ "", 0 } : row->name;
}

static bool
give_tree(struct dmt_expect *expect, struct dmt_expect_lane *lane,
    size_t index)
{
	expect->lane_of_block[index] =
	    (uint32_t)(lane - expect->lanes) + 1;
	lane->match = dmt_match_new(expect->spec,
	    &expect->spec->blocks[index]);
	return lane->match != NULL;
}

/* The first tree for such a name that no thread has yet; DMT_NONE: none. */
static size_t
find_tree(const struct dmt_expect *expect, struct dmtrace_text name)
{
	const struct dmtrace_spec *const spec = expect->spec;

	for (size_t i = 0; i < spec->block_count; i++)
		if (spec->blocks[i].kind != DMT_BLOCK_RULES &&
		    expect->lane_of_block[i] == 0 &&
		    dmt_wanted_has_name(&spec->blocks[i].name, name))
			return i;
	return DMT_NONE;
}

/* The rules of its name hold for it. Returns whether there are any. */
static bool
find_rules(struct dmt_expect *expect, struct dmt_expect_lane *lane,
    struct dmtrace_text name)
{
	bool found = false;

	for (size_t i = 0; i < expect->spec->block_count; i++) {
		const struct dmt_spec_block *const block =
		    &expect->spec->blocks[i];

		if (block->kind != DMT_BLOCK_RULES ||
		    !dmt_wanted_has_name(&block->name, name))
			continue;
		lane->blocks[i / 8] |= (uint8_t)(1u << i % 8);
		expect->block_came[i] = true;
		found = true;
	}
	return found;
}

/* A thread that nothing in the spec is about. */
static void
note_other(struct dmt_expect *expect)
{
	for (size_t i = 0; i < expect->spec->rule_count; i++) {
		struct dmt_verdict *const verdict = &expect->verdicts[i];

		if (expect->spec->rules[i].kind != DMT_RULE_NO_OTHERS ||
		    verdict->broken)
			continue;
		verdict->broken = true;
		verdict->place = expect->now;
	}
}

static bool
begin_lane(struct dmt_expect *expect, struct dmt_expect_lane *lane)
{
	const struct dmtrace_text name = dmt_expect_thread_name(expect, lane);
	const size_t tree = find_tree(expect, name);

	lane->last_ns[0] = expect->time_ns[0];
	lane->last_ns[1] = expect->time_ns[1];
	lane->blocks = dmt_array_new((expect->spec->block_count + 7) / 8, 1);
	if (lane->blocks == NULL)
		return false;
	expect->now.lane = (uint32_t)(lane - expect->lanes);
	lane->ruled = find_rules(expect, lane, name);
	lane->treed = tree != DMT_NONE;
	if (!lane->ruled && !lane->treed)
		note_other(expect);
	dmt_rules_thread(expect, lane);
	return tree == DMT_NONE || give_tree(expect, lane, tree);
}

static struct dmt_expect_lane *
add_lane(struct dmt_expect *expect, uint32_t thread)
{
	struct dmt_expect_lane *const lanes = dmt_array_grow(expect->lanes,
	    &expect->lane_capacity, expect->lane_count + 1, sizeof(*lanes));

	if (lanes == NULL)
		return NULL;
	expect->lanes = lanes;
	lanes[expect->lane_count] =
	    (struct dmt_expect_lane){ .thread = thread };
	expect->lane_of[thread] = (uint32_t)++expect->lane_count;
	return begin_lane(expect, &lanes[expect->lane_count - 1]) ?
	    &lanes[expect->lane_count - 1] : NULL;
}

static bool
make_room(struct dmt_expect_lane *lane)
{
	uint32_t *const methods = dmt_array_grow(lane->methods,
	    &lane->capacity, lane->depth + (size_t)1, sizeof(*methods));

	if (methods != NULL)
		lane->methods = methods;
	return methods != NULL;
}

static bool
enter_call(struct dmt_expect *expect, struct dmt_expect_lane *lane,
    uint32_t method)
{
	if (lane->depth == lane->capacity && !make_room(lane))
		return false;
	if (!dmt_rules_enter(expect, lane, method) ||
	    (expect->update != NULL && !dmt_grown_enter(&lane->grown)) ||
	    (lane->match != NULL && !dmt_match_enter(lane->match,
	    &expect->names, method, lane->depth + 1, &expect->now)))
		return false;
	lane->methods[lane->depth++] = method;
	return true;
}

/* The innermost one. */
static bool
leave_call(struct dmt_expect *expect, struct dmt_expect_lane *lane)
{
	const uint32_t method = lane->methods[--lane->depth];

	dmt_rules_leave(expect, lane, method);
	if (lane->match != NULL)
		dmt_match_leave(lane->match, method, lane->depth + 1,
		    &expect->now, expect->ending);
	return expect->update == NULL || dmt_update_leave(expect->update,
	    &expect->names, &lane->grown, method);
}

static enum dmtrace_status
fail_step(struct dmt_expect *expect, enum dmtrace_status status,
    const struct dmtrace_event *event)
{
	return status == DMTRACE_ERR_MEMORY ? no_memory(expect) :
	    dmt_error_at(&expect->error, status, DMTRACE_PLACE_OFFSET,
	    expect->now.at, "thread %" PRIu32 " has too many calls open",
	    event->thread);
}

/* The lines of a spec grow by the depth. */
static enum dmtrace_status
fail_depth(struct dmt_expect *expect, const struct dmtrace_event *event)
{
	return dmt_error_at(&expect->error, DMTRACE_ERR_LIMIT,
	    DMTRACE_PLACE_OFFSET, expect->now.at, "calls of thread %" PRIu32
	    " nest deeper than %d; select a depth", event->thread,
	    DMT_UPDATE_DEPTH);
}

static void
set_now(struct dmt_expect *expect, const struct dmtrace_event *event)
{
	expect->time_ns[DMT_TIME_CPU] = event->cpu_ns;
	expect->time_ns[DMT_TIME_WALL] = event->wall_ns;
	expect->now.time_ns = event->wall_ns != DMTRACE_NO_TIME ?
	    event->wall_ns : event->cpu_ns;
}

/* The thread's lane, a new one if it has none; NULL: no memory. */
static struct dmt_expect_lane *
find_lane(struct dmt_expect *expect, uint32_t thread)
{
	const uint32_t at = expect->lane_of[thread];
	struct dmt_expect_lane *const lane = at != 0 ?
	    &expect->lanes[at - 1] : add_lane(expect, thread);

	if (lane != NULL)
		expect->now.lane = (uint32_t)(lane - expect->lanes);
	return lane;
}

/* A frame that was entered, or those that an exit has closed. */
static bool
take_step(struct dmt_expect *expect, struct dmt_expect_lane *lane,
    uint32_t method, const struct dmtrace_step *step)
{
	if (step->kind == DMTRACE_STEP_ENTERED)
		return enter_call(expect, lane, method);
	while (step->depth > 0 && lane->depth >= step->depth)
		if (!leave_call(expect, lane))
			return false;
	return true;
}

enum dmtrace_status
dmt_expect_take(struct dmt_expect *expect, const struct dmtrace_event *event)
{
	struct dmtrace_step step;

	set_now(expect, event);
	struct dmt_expect_lane *const lane = find_lane(expect, event->thread);
	if (lane == NULL)
		return no_memory(expect);
	const uint32_t method = dmt_matches_get(&expect->names, event->method);
	if (method == DMT_NONE)
		return no_memory(expect);
	dmt_rules_charge(expect, lane);
	const enum dmtrace_status status =
	    dmtrace_stacks_step(expect->stacks, event, &step);
	if (status != DMTRACE_OK)
		return fail_step(expect, status, event);
	if (expect->update != NULL && step.depth > DMT_UPDATE_DEPTH)
		return fail_depth(expect, event);
	return take_step(expect, lane, method, &step) ?
	    expect->error.status : no_memory(expect);
}

enum dmtrace_status
dmt_expect_end_lane(struct dmt_expect *expect, struct dmt_expect_lane *lane)
{
	expect->time_ns[0] = lane->last_ns[0];
	expect->time_ns[1] = lane->last_ns[1];
	expect->now = (struct dmt_place){
		.time_ns = DMTRACE_NO_TIME,
		.lane = (uint32_t)(lane - expect->lanes)
	};
	while (lane->depth > 0)
		if (!leave_call(expect, lane))
			return no_memory(expect);
	if (lane->match != NULL)
		dmt_match_end(lane->match, &expect->now);
	return expect->error.status;
}
