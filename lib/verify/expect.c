/* expect.c - all events of a trace, past what is expected of them */

#include "verify/expect.h"

#include <dmtrace/rewind.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

#define BATCH 512			/* events */

static enum dmtrace_status
no_memory(struct dmt_expect *expect)
{
	return dmt_error_memory(&expect->error);
}

/* Events that no record is: the edges of a window. */
static enum dmtrace_status
take_added(struct dmt_expect *expect, const struct dmtrace_event *events,
    size_t count)
{
	for (size_t i = 0; i < count; i++) {
		expect->now.record = 0;
		expect->now.at = 0;
		if (dmt_expect_take(expect, &events[i]) != DMTRACE_OK)
			return expect->error.status;
	}
	return DMTRACE_OK;
}

static enum dmtrace_status
take_batch(struct dmt_expect *expect, const struct dmtrace_event *events,
    size_t count, const uint8_t *keep)
{
	const uint64_t first =
	    dmtrace_reader_position(expect->reader) - count + 1;
	const uint64_t at = dmtrace_reader_offset(expect->reader);
	const size_t size = expect->reader->layout.record_size;

	for (size_t i = 0; i < count; i++) {
		if (!keep[i])
			continue;
		expect->now.record = first + i;
		expect->now.at = at + i * size;
		expect->records++;
		if (dmt_expect_take(expect, &events[i]) != DMTRACE_OK)
			return expect->error.status;
	}
	return DMTRACE_OK;
}

static enum dmtrace_status
keep_error(struct dmt_expect *expect, const struct dmtrace_error *error)
{
	if (expect->error.status == DMTRACE_OK)
		expect->error = *error;
	return expect->error.status;
}

static enum dmtrace_status
progress(struct dmt_expect *expect)
{
	return dmt_op_progress(expect->op,
	    dmtrace_reader_offset(expect->reader),
	    dmt_source_size(expect->reader->source)) == DMTRACE_OK ?
	    DMTRACE_OK : keep_error(expect, &expect->op->error);
}

/* The first time, if the selection needs one. */
static enum dmtrace_status
learn_all(struct dmt_expect *expect, struct dmtrace_event *events)
{
	struct dmtrace_reader *const reader = expect->reader;
	size_t count;

	if (dmtrace_reader_hold(reader) != DMTRACE_OK)
		return keep_error(expect, &reader->error);
	do {
		if (dmtrace_reader_read(reader, events, BATCH, &count) !=
		    DMTRACE_OK)
			return keep_error(expect, &reader->error);
		if (dmtrace_selector_learn(expect->selector, events, count) !=
		    DMTRACE_OK)
			return keep_error(expect, dmtrace_selector_error(
			    expect->selector));
		if (progress(expect) != DMTRACE_OK)
			return expect->error.status;
	} while (count > 0);
	if (dmtrace_selector_learned(expect->selector) != DMTRACE_OK)
		return keep_error(expect,
		    dmtrace_selector_error(expect->selector));
	return dmtrace_reader_rewind(reader) == DMTRACE_OK ? DMTRACE_OK :
	    keep_error(expect, &reader->error);
}

static enum dmtrace_status
take_all(struct dmt_expect *expect, struct dmtrace_event *events,
    uint8_t *keep)
{
	size_t count;

	for (;;) {
		if (dmtrace_reader_read(expect->reader, events, BATCH,
		    &count) != DMTRACE_OK)
			return keep_error(expect, &expect->reader->error);
		if (count == 0)
			return DMTRACE_OK;
		if (expect->selector != NULL && dmtrace_selector_select(
		    expect->selector, events, count, keep) != DMTRACE_OK)
			return keep_error(expect, dmtrace_selector_error(
			    expect->selector));
		if (take_batch(expect, events, count, keep) != DMTRACE_OK ||
		    progress(expect) != DMTRACE_OK)
			return expect->error.status;
	}
}

static enum dmtrace_status
take_selected(struct dmt_expect *expect, struct dmtrace_event *events,
    uint8_t *keep)
{
	const struct dmtrace_event *edges;
	size_t count;

	if (dmtrace_selector_learns(expect->selector) &&
	    learn_all(expect, events) != DMTRACE_OK)
		return expect->error.status;
	edges = dmtrace_selector_opened(expect->selector, &count);
	if (take_added(expect, edges, count) != DMTRACE_OK ||
	    take_all(expect, events, keep) != DMTRACE_OK)
		return expect->error.status;
	edges = dmtrace_selector_closed(expect->selector, &count);
	return take_added(expect, edges, count);
}

static enum dmtrace_status
begin_selection(struct dmt_expect *expect)
{
	struct dmtrace_selection *const selection = expect->spec->selection;

	if (selection == NULL || dmtrace_selection_is_all(selection))
		return DMTRACE_OK;
	if (dmtrace_selection_resolve(selection, expect->reader->key,
	    &expect->reader->layout) != DMTRACE_OK)
		return keep_error(expect,
		    dmtrace_selection_error(selection));
	expect->selector = dmtrace_selector_new(selection);
	return expect->selector != NULL ? DMTRACE_OK : no_memory(expect);
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
begin(struct dmt_expect *expect)
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

static enum dmtrace_status
run(struct dmt_expect *expect, struct dmtrace_event *events, uint8_t *keep)
{
	for (size_t i = 0; i < BATCH; i++)
		keep[i] = 1;
	if (begin_selection(expect) != DMTRACE_OK)
		return expect->error.status;
	if ((expect->selector == NULL ? take_all(expect, events, keep) :
	    take_selected(expect, events, keep)) != DMTRACE_OK)
		return expect->error.status;
	expect->ending = true;
	for (size_t i = 0; i < expect->lane_count; i++)
		if (dmt_expect_end_lane(expect, &expect->lanes[i]) !=
		    DMTRACE_OK)
			return expect->error.status;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_expect_run(struct dmt_expect *expect)
{
	struct dmtrace_event *events;
	uint8_t keep[BATCH];

	if (dmtrace_reader_layout(expect->reader) == NULL ||
	    dmtrace_reader_position(expect->reader) > 0)
		return dmt_error_set(&expect->error, DMTRACE_ERR_STATE,
		    "the reader is not open at its first record");
	if (!begin(expect) ||
	    (events = dmt_array_new(BATCH, sizeof(*events))) == NULL)
		return no_memory(expect);
	const enum dmtrace_status status = run(expect, events, keep);
	free(events);
	return status;
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
	dmtrace_selector_free(expect->selector);
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
