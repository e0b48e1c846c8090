/* expect.c - all events of a trace, past what is expected of them */

#include "verify/expect.h"

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

enum dmtrace_status
dmt_expect_run(struct dmt_expect *expect)
{
	if (dmtrace_reader_layout(expect->reader) == NULL ||
	    dmtrace_reader_position(expect->reader) > 0)
		return dmt_error_set(&expect->error, DMTRACE_ERR_STATE,
		    "the reader is not open at its first record");
	if (!begin(expect))
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
