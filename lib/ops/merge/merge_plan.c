/* merge_plan.c - plans the output: clocks, version, order, time lines */

/*
 * The output has the clocks that all inputs have. Unless a version was asked
 * for, it is the lowest one that can hold these clocks, their nanoseconds and
 * the ids of the threads, and that shows what wall times are relative to.
 *
 * Events are ordered by wall time if the wall times of all threads of all
 * inputs can be compared; otherwise one input follows the other. The time line
 * of an input begins at its own start. It is shifted by the offset that the
 * caller gave, and by the time between the start of the earliest input and its
 * own start, unless all inputs are to begin at zero. Start times count from
 * boot or from 1970: if inputs differ in that, they cannot be compared, and
 * all begin at zero.
 */

#include "ops/merge/merge_plan.h"

#include <inttypes.h>
#include <stddef.h>

#include "base/error.h"
#include "format/header.h"
#include "private/key.h"
#include "trace/writer.h"

/* Returns the first input without the wall clock, or without the CPU clock;
 * NULL: all have it. */
static const struct dmt_merge_input *
find_without(const struct dmt_merge_plan *plan, bool wall)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct dmt_layout *const layout =
		    &plan->inputs[i].layout;

		if (!(wall ? dmt_layout_has_wall(layout) :
		    dmt_layout_has_cpu(layout)))
			return &plan->inputs[i];
	}
	return NULL;
}

/* Returns true if the wall times of an input start anew in every thread. */
static bool
is_merge_global(const struct dmt_merge_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		if (!plan->inputs[i].comparable)
			return true;
	return false;
}

bool
dmt_merge_plan_is_wide(const struct dmt_merge_plan *plan)
{
	if (plan->asked.dialect != NULL)
		return dmt_layout_is_wide(&plan->asked.layout);
	for (size_t i = 0; i < plan->count; i++)
		if (plan->inputs[i].wide || (plan->again &&
		    dmt_layout_is_wide(&plan->inputs[i].layout)))
			return true;
	return false;
}

/* Returns true if version 1 will not do: it has 256 thread numbers, and with
 * vm=dalvik it means that the wall times of threads start anew. */
static bool
needs_version_2(const struct dmt_merge_plan *plan, enum dmtrace_clock clock,
    uint32_t highest)
{
	return plan->again || highest > UINT8_MAX ||
	    (clock == DMTRACE_CLOCK_WALL && !is_merge_global(plan) &&
	    dmt_merge_common_is_dalvik(&plan->common));
}

/* With strict: fails if the output lacks a clock that an input has. */
static enum dmtrace_status
check_clocks(struct dmt_merge_plan *plan)
{
	const bool wall = dmt_layout_has_wall(&plan->output.layout);
	const bool cpu = dmt_layout_has_cpu(&plan->output.layout);
	struct dmtrace_error error = { .status = DMTRACE_OK };

	for (size_t i = 0; i < plan->count && plan->options.strict; i++) {
		const struct dmt_merge_input *const input = &plan->inputs[i];
		const bool loses_wall =
		    dmt_layout_has_wall(&input->layout) && !wall;

		if (!loses_wall && (cpu ||
		    !dmt_layout_has_cpu(&input->layout)))
			continue;
		const struct dmt_merge_input *const without =
		    find_without(plan, loses_wall);
		const char *const clock = loses_wall ? "wall" : "thread CPU";
		if (without == NULL)
			dmt_error_set(&error, DMTRACE_ERR_RANGE, "its %s"
			    " times would be lost: version %u has one clock",
			    clock, plan->output.layout.version);
		else
			dmt_error_set(&error, DMTRACE_ERR_RANGE, "its %s"
			    " times would be lost: input %td has none", clock,
			    without - plan->inputs + 1);
		return dmt_merge_input_fail(input, &error);
	}
	return DMTRACE_OK;
}

/* Chooses the dialect if the caller asked for none. One with wide numbers is
 * streaming if all inputs are. */
static enum dmtrace_dialect
choose_dialect(const struct dmt_merge_plan *plan, enum dmtrace_clock clock,
    uint32_t highest)
{
	const bool dual = clock == DMTRACE_CLOCK_DUAL;
	bool streaming = true;

	if (!dmt_merge_plan_is_wide(plan))
		return dual ? DMTRACE_DIALECT_V3 :
		    needs_version_2(plan, clock, highest) ? DMTRACE_DIALECT_V2 :
		    DMTRACE_DIALECT_V1;
	for (size_t i = 0; i < plan->count; i++)
		streaming = streaming && plan->inputs[i].header.version >
		    DMT_VERSION_STREAMING;
	return streaming ? dual ? DMTRACE_DIALECT_F5 : DMTRACE_DIALECT_F4 :
	    dual ? DMTRACE_DIALECT_V5 : DMTRACE_DIALECT_V4;
}

/* Chooses the clocks and the format. */
static enum dmtrace_status
choose_merge_format(struct dmt_merge_plan *plan,
    struct dmt_trace_format *format, uint32_t highest)
{
	enum dmtrace_stage stage = DMTRACE_STAGE_ANY;
	const struct dmt_merge_input *const no_wall =
	    find_without(plan, true);
	const struct dmt_merge_input *const no_cpu =
	    find_without(plan, false);
	const bool one_clock = plan->asked.dialect != NULL &&
	    plan->asked.layout.clock != DMTRACE_CLOCK_DUAL;
	enum dmtrace_clock clock = DMTRACE_CLOCK_DUAL;
	struct dmtrace_error error = { .status = DMTRACE_OK };

	for (size_t i = 1; i < plan->count; i++)
		plan->output.result.mixed |= plan->inputs[i].header.version !=
		    plan->inputs[0].header.version;

	/* If no clock is in all inputs, two inputs show it: report the later
	 * one, and name the other. */
	if (no_wall != NULL && no_cpu != NULL) {
		const bool wall_later = no_wall > no_cpu;

		dmt_error_set(&error, DMTRACE_ERR_FOREIGN, "has only %s times,"
		    " and input %td only %s times: no clock is in all traces",
		    wall_later ? "thread CPU" : "wall",
		    (wall_later ? no_cpu : no_wall) - plan->inputs + 1,
		    wall_later ? "wall" : "thread CPU");
		return dmt_merge_input_fail(wall_later ? no_wall : no_cpu,
		    &error);
	}
	if (no_wall != NULL)
		clock = DMTRACE_CLOCK_THREAD_CPU;
	else if (no_cpu != NULL || one_clock)
		clock = DMTRACE_CLOCK_WALL;

	if (dmt_format_choose(format, plan->asked.dialect != NULL ?
	    plan->options.dialect : choose_dialect(plan, clock, highest),
	    DMTRACE_STAGE_ANY, clock, NULL, &error) != DMTRACE_OK) {
		dmt_error_clear(&error);
		dmt_error_set(&error, DMTRACE_ERR_RANGE, "has only %s times, "
		    "and the dialect has two clocks; \"dmtrace convert\" "
		    "adds the other", no_wall != NULL ? "thread CPU" : "wall");
		return dmt_merge_input_fail(no_wall != NULL ? no_wall :
		    no_cpu, &error);
	}
	/* The output has nanoseconds if an input with stages has them. */
	for (size_t i = 0; i < plan->count; i++) {
		const struct dmt_trace_format *const from =
		    &plan->inputs[i].format;

		if (from->dialect->set_stage != NULL)
			stage = from->ns || stage == DMTRACE_STAGE_E ?
			    DMTRACE_STAGE_E : DMTRACE_STAGE_C;
	}
	if (format->dialect->set_stage != NULL)
		format->dialect->set_stage(format, stage, NULL);
	plan->output.layout = format->layout;
	plan->output.result.version = plan->output.layout.version;
	plan->output.result.clock = clock;
	return DMTRACE_OK;
}

/* Returns true if the start counts from 1970, not from boot. */
static bool
is_epoch(const struct dmt_header *header)
{
	return dmt_header_start_kind(header) != DMTRACE_START_BOOT;
}

static enum dmtrace_status
align_inputs(struct dmt_merge_plan *plan, struct dmtrace_writer *writer)
{
	const enum dmtrace_merge_align asked = plan->options.align;
	const struct dmt_merge_input *const first = plan->inputs;
	const struct dmt_merge_input *earliest = first, *other = NULL;
	struct dmtrace_merge_result *const result = &plan->output.result;
	struct dmtrace_error error = { .status = DMTRACE_OK };

	/* Find the first input with another kind of start, and the earliest
	 * one. */
	for (size_t i = 0; i < plan->count; i++) {
		struct dmt_merge_input *const input = &plan->inputs[i];

		input->shift_us = input->asked->offset_ns / 1000;
		if (other == NULL && is_epoch(&input->header) !=
		    is_epoch(&first->header))
			other = input;
		if (dmt_header_start_us(&input->header) <
		    dmt_header_start_us(&earliest->header))
			earliest = input;
	}

	result->by_time = dmt_layout_has_wall(&plan->output.layout) &&
	    asked != DMTRACE_ALIGN_NONE && !is_merge_global(plan);
	if (result->by_time && asked == DMTRACE_ALIGN_START && other != NULL) {
		dmt_error_set(&error, DMTRACE_ERR_FOREIGN, "starts at %" PRIu64
		    " us since %s, the first trace since %s: these cannot be"
		    " compared", dmt_header_start_us(&other->header),
		    is_epoch(&other->header) ? "1970" : "boot",
		    is_epoch(&other->header) ? "boot" : "1970");
		return dmt_merge_input_fail(other, &error);
	}
	result->align = !result->by_time ? DMTRACE_ALIGN_NONE :
	    asked == DMTRACE_ALIGN_ZERO || other != NULL ?
	    DMTRACE_ALIGN_ZERO : DMTRACE_ALIGN_START;

	/* How much later than the earliest input each one starts, limited so
	 * that the sum of two shifts cannot overflow. */
	if (result->align != DMTRACE_ALIGN_START)
		earliest = first;
	for (size_t i = 0; i < plan->count &&
	    result->align == DMTRACE_ALIGN_START; i++) {
		struct dmt_merge_input *const input = &plan->inputs[i];
		const uint64_t later = dmt_header_start_us(&input->header) -
		    dmt_header_start_us(&earliest->header);

		input->shift_us += later > INT64_MAX / 2 ? INT64_MAX / 2 :
		    (int64_t)later;
	}
	dmtrace_writer_set_start(writer, earliest->header.start);
	dmt_writer_set_start_rest(writer, earliest->start_ns);
	return DMTRACE_OK;
}

bool
dmt_merge_plan_misleads(const struct dmt_merge_plan *plan)
{
	return plan->output.layout.version == 1 &&
	    dmt_layout_has_wall(&plan->output.layout) &&
	    dmt_merge_common_is_dalvik(&plan->common) &&
	    !is_merge_global(plan);
}

enum dmtrace_status
dmt_merge_plan_make(struct dmt_merge_plan *plan, struct dmtrace_writer *writer,
    uint32_t highest)
{
	struct dmtrace_key *const key = dmtrace_writer_key(writer);
	struct dmt_trace_format format;

	if (choose_merge_format(plan, &format, highest) != DMTRACE_OK ||
	    check_clocks(plan) != DMTRACE_OK ||
	    align_inputs(plan, writer) != DMTRACE_OK)
		return plan->op->error.status;
	dmtrace_writer_set_sync(writer,
	    (plan->options.flags & DMTRACE_SYNC) != 0);
	if (dmt_writer_set_format(writer, &format) != DMTRACE_OK ||
	    (plan->output.layout.clock == DMTRACE_CLOCK_WALL &&
	    is_merge_global(plan) && dmtrace_key_option_set(key,
	    DMT_OPTION_CLOCK, dmtrace_clock_name(DMTRACE_CLOCK_GLOBAL)) !=
	    DMTRACE_OK))
		return dmt_op_fail(plan->op, NULL, dmt_key_error(key));
	return DMTRACE_OK;
}
