/* merge_plan.c - clocks, version, order, and the time line of each input */

#include <inttypes.h>
#include <stddef.h>

#include "base/error.h"
#include "ops/merge/merge.h"

static bool
has_clock(const struct dmtrace_layout *layout, bool wall)
{
	return wall ? dmt_layout_has_wall(layout) : dmt_layout_has_cpu(layout);
}

/* The first input without that clock; NULL: all have it. */
static const struct dmt_merge_input *
find_without(const struct dmt_merge *merge, bool wall)
{
	for (size_t i = 0; i < merge->count; i++)
		if (!has_clock(&merge->inputs[i].layout, wall))
			return &merge->inputs[i];
	return NULL;
}

/* No clock is in all of them: the second input that lacks one is named. */
static enum dmtrace_status
fail_clocks(struct dmt_merge *merge)
{
	const struct dmt_merge_input *const no_wall =
	    find_without(merge, true);
	const struct dmt_merge_input *const no_cpu =
	    find_without(merge, false);
	struct dmtrace_error error = { .status = DMTRACE_OK };

	dmt_error_set(&error, DMTRACE_ERR_FOREIGN, "has only %s times, and"
	    " input %td only %s times: no clock is in all traces",
	    no_wall > no_cpu ? "thread CPU" : "wall",
	    (no_wall > no_cpu ? no_cpu : no_wall) - merge->inputs + 1,
	    no_wall > no_cpu ? "wall" : "thread CPU");
	return dmt_merge_fail(merge, no_wall > no_cpu ? no_wall : no_cpu,
	    &error);
}

/* The clocks that all inputs have; versions 1 and 2 hold one of them. */
static enum dmtrace_status
choose_clock(struct dmt_merge *merge, enum dmtrace_clock *clock)
{
	const unsigned version = merge->options.version;
	const bool wall = find_without(merge, true) == NULL;
	const bool cpu = find_without(merge, false) == NULL;

	if (!wall && !cpu)
		return fail_clocks(merge);
	*clock = !wall ? DMTRACE_CLOCK_THREAD_CPU :
	    !cpu || version == 1 || version == 2 ? DMTRACE_CLOCK_WALL :
	    DMTRACE_CLOCK_DUAL;
	return DMTRACE_OK;
}

bool
dmt_merge_is_global(const struct dmt_merge *merge)
{
	for (size_t i = 0; i < merge->count; i++)
		if (!merge->inputs[i].comparable)
			return true;
	return false;
}

static bool
has_wide_thread(const struct dmt_merge *merge)
{
	const struct dmt_merge_tables *const tables = &merge->tables;

	for (size_t i = 0; i < tables->row_count; i++)
		if (tables->rows[tables->rows[i].same].id > UINT8_MAX)
			return true;
	return false;
}

/* Also where version 1 would say that the threads' wall times start anew. */
static bool
needs_version_2(const struct dmt_merge *merge, enum dmtrace_clock clock)
{
	return merge->again || has_wide_thread(merge) ||
	    (clock == DMTRACE_CLOCK_WALL && dmt_merge_is_dalvik(merge) &&
	    !dmt_merge_is_global(merge));
}

static enum dmtrace_status
choose_layout(struct dmt_merge *merge)
{
	enum dmtrace_clock clock = DMTRACE_CLOCK_WALL;
	unsigned version = merge->options.version;

	if (choose_clock(merge, &clock) != DMTRACE_OK)
		return merge->op->error.status;
	if (version == 0)
		version = clock == DMTRACE_CLOCK_DUAL ? 3 :
		    needs_version_2(merge, clock) ? 2 : 1;
	merge->layout = *dmtrace_layout_find(version, clock);
	merge->result.version = version;
	merge->result.clock = clock;
	return DMTRACE_OK;
}

/* One number, from whatever the start time is kept in. */
static uint64_t
start_us(const struct dmtrace_header *header)
{
	return dmtrace_header_start_kind(header) == DMTRACE_START_SEC_USEC ?
	    (header->start >> 32) * 1000000 + (uint32_t)header->start :
	    header->start;
}

static bool
is_epoch(const struct dmtrace_header *header)
{
	return dmtrace_header_start_kind(header) != DMTRACE_START_BOOT;
}

/* The first input whose start counts from another moment than that of the
 * first; NULL: there is none. */
static const struct dmt_merge_input *
find_other_start(const struct dmt_merge *merge)
{
	for (size_t i = 1; i < merge->count; i++)
		if (is_epoch(&merge->inputs[i].header) !=
		    is_epoch(&merge->inputs[0].header))
			return &merge->inputs[i];
	return NULL;
}

static enum dmtrace_status
fail_start(struct dmt_merge *merge, const struct dmt_merge_input *other)
{
	struct dmtrace_error error = { .status = DMTRACE_OK };

	dmt_error_set(&error, DMTRACE_ERR_FOREIGN, "starts at %" PRIu64 " us"
	    " since %s, the first trace since %s: these cannot be compared",
	    start_us(&other->header), is_epoch(&other->header) ? "1970" :
	    "boot", is_epoch(&other->header) ? "boot" : "1970");
	return dmt_merge_fail(merge, other, &error);
}

static const struct dmt_merge_input *
find_earliest(const struct dmt_merge *merge)
{
	const struct dmt_merge_input *earliest = merge->inputs;

	for (size_t i = 1; i < merge->count; i++)
		if (start_us(&merge->inputs[i].header) <
		    start_us(&earliest->header))
			earliest = &merge->inputs[i];
	return earliest;
}

/* By how much an input starts later, in a number that a sum can hold. */
static int64_t
later_us(const struct dmt_merge_input *input,
    const struct dmt_merge_input *earliest)
{
	const uint64_t later =
	    start_us(&input->header) - start_us(&earliest->header);

	return later > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)later;
}

/* The time lines begin where the headers say. */
static void
align_starts(struct dmt_merge *merge)
{
	const struct dmt_merge_input *const earliest = find_earliest(merge);

	for (size_t i = 0; i < merge->count; i++)
		merge->inputs[i].shift_us +=
		    later_us(&merge->inputs[i], earliest);
	dmtrace_writer_set_start(merge->writer, earliest->header.start);
}

/* Wall times of all threads of all inputs count from one moment. */
static bool
are_comparable(const struct dmt_merge *merge)
{
	if (!dmt_layout_has_wall(&merge->layout) ||
	    merge->options.align == DMTRACE_ALIGN_NONE)
		return false;
	return !dmt_merge_is_global(merge);
}

static enum dmtrace_status
align(struct dmt_merge *merge)
{
	const enum dmtrace_merge_align asked = merge->options.align;
	const struct dmt_merge_input *const other = find_other_start(merge);

	for (size_t i = 0; i < merge->count; i++)
		merge->inputs[i].shift_us =
		    merge->inputs[i].asked->offset_ns / 1000;
	merge->result.by_time = are_comparable(merge);
	merge->result.align = !merge->result.by_time ? DMTRACE_ALIGN_NONE :
	    asked == DMTRACE_ALIGN_ZERO || other != NULL ?
	    DMTRACE_ALIGN_ZERO : DMTRACE_ALIGN_START;
	if (asked == DMTRACE_ALIGN_START && other != NULL &&
	    merge->result.by_time)
		return fail_start(merge, other);
	dmtrace_writer_set_start(merge->writer,
	    merge->inputs[0].header.start);
	if (merge->result.align == DMTRACE_ALIGN_START)
		align_starts(merge);
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_merge_plan(struct dmt_merge *merge)
{
	struct dmtrace_key *const key = merge->tables.key;

	if (choose_layout(merge) != DMTRACE_OK || align(merge) != DMTRACE_OK)
		return merge->op->error.status;
	dmtrace_writer_set_sync(merge->writer,
	    (merge->options.flags & DMTRACE_SYNC) != 0);
	if (dmtrace_writer_set_layout(merge->writer, &merge->layout) !=
	    DMTRACE_OK || (merge->layout.clock == DMTRACE_CLOCK_WALL &&
	    dmt_merge_is_global(merge) && dmtrace_key_option_set(key, "clock",
	    dmtrace_clock_word(DMTRACE_CLOCK_GLOBAL)) != DMTRACE_OK))
		return dmt_op_fail(merge->op, NULL, dmtrace_key_error(key));
	return DMTRACE_OK;
}
