/* shift.c - a trace's times, moved and stretched */

/*
 * A stage changes the time columns and marks the events as changed; the writer
 * copies their records and puts the new times in. To count from zero the stage
 * first looks for the least time of each clock, in a pass of its own.
 */

#include <dmtrace/ops.h>

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "events/pipeline.h"
#include "events/select.h"
#include "ops/op.h"
#include "trace/reader.h"
#include "trace/writer.h"

#define SCALE_MAX 1000000000
#define SCALED_MAX (UINT64_C(1) << 62)	/* so that a sum does not overflow */

/* What the times of a thread are counted from. */
struct time_base {
	uint64_t cpu_us;
	uint64_t wall_us;
};

struct shift_stage {
	struct dmtrace_source source;
	struct dmtrace_shift_options options;
	int64_t by_us;
	bool comparable;		/* all threads share the wall clock */
	bool learned;			/* bases are known */
	struct time_base *bases;	/* by thread index */
	size_t base_count;
	size_t base_capacity;
};

/* There is a base for every thread that was seen; at first, first_us. */
static enum dmtrace_status
grow_bases(struct shift_stage *stage, uint64_t first_us)
{
	const size_t count = stage->source.indexes->thread_count;

	if (stage->base_count == count)
		return DMTRACE_OK;
	struct time_base *const bases = dmt_array_grow(stage->bases,
	    &stage->base_capacity, count, sizeof(*bases));
	if (bases == NULL)
		return dmt_error_memory(&stage->source.error);
	stage->bases = bases;
	while (stage->base_count < count)
		bases[stage->base_count++] =
		    (struct time_base){ first_us, first_us };
	return DMTRACE_OK;
}

static void
take_least(struct shift_stage *stage, const struct dmt_batch *batch)
{
	for (size_t i = 0; i < batch->kept; i++) {
		const size_t at = batch->keep[i];
		struct time_base *const base =
		    &stage->bases[batch->thread[at]];

		if (batch->cpu_ns[at] / 1000 < base->cpu_us)
			base->cpu_us = batch->cpu_ns[at] / 1000;
		if (batch->wall_ns[at] / 1000 < base->wall_us)
			base->wall_us = batch->wall_ns[at] / 1000;
	}
}

/* Finds the bases, and goes back to the first event. */
static enum dmtrace_status
learn_bases(struct shift_stage *stage)
{
	struct dmtrace_source *const from = stage->source.from;
	uint64_t least_us = UINT64_MAX;
	struct dmt_batch *batch;

	do {
		if (dmt_pull(from, &batch) != DMTRACE_OK)
			return from->error.status;
		if (grow_bases(stage, UINT64_MAX) != DMTRACE_OK)
			return stage->source.error.status;
		if (batch != NULL)
			take_least(stage, batch);
	} while (batch != NULL);
	for (size_t i = 0; i < stage->base_count; i++)
		if (stage->bases[i].wall_us < least_us)
			least_us = stage->bases[i].wall_us;
	for (size_t i = 0; i < stage->base_count && stage->comparable; i++)
		stage->bases[i].wall_us = least_us;
	stage->learned = true;
	return dmtrace_source_rewind(from);
}

/* Exact, and cut to whole microseconds. false: far too much. */
static bool
scale_time(const struct dmtrace_shift_options *options, uint64_t *time_us)
{
	const uint64_t up = options->scale_up, down = options->scale_down;
	const uint64_t whole = *time_us / down;

	if (whole >= SCALED_MAX / up)
		return false;
	*time_us = whole * up + *time_us % down * up / down;
	return true;
}

/* false: the new time does not fit a record. */
static bool
change_time(const struct shift_stage *stage, uint64_t *time_ns,
    uint64_t base_us)
{
	const struct dmtrace_shift_options *const options = &stage->options;
	uint64_t time_us;

	if (*time_ns == DMTRACE_NO_TIME)
		return true;
	time_us = *time_ns / 1000 - base_us;
	if (options->scale_up != options->scale_down &&
	    !scale_time(options, &time_us))
		return false;
	const int64_t moved_us = (int64_t)time_us + stage->by_us;
	*time_ns = (uint64_t)moved_us * 1000;
	return moved_us >= 0 && moved_us <= UINT32_MAX;
}

static enum dmtrace_status
refuse_times(struct shift_stage *stage, uint64_t offset, uint64_t cpu_ns,
    uint64_t wall_ns)
{
	struct dmtrace_error *const error = &stage->source.error;

	if (cpu_ns != DMTRACE_NO_TIME && wall_ns != DMTRACE_NO_TIME)
		return dmt_error_at(error, DMTRACE_ERR_RANGE,
		    DMTRACE_PLACE_OFFSET, offset, "the times %" PRIu64
		    " and %" PRIu64 " us (CPU, wall) would not both be from 0"
		    " to %" PRIu32 " us", cpu_ns / 1000, wall_ns / 1000,
		    UINT32_MAX);
	return dmt_error_at(error, DMTRACE_ERR_RANGE, DMTRACE_PLACE_OFFSET,
	    offset, "the time %" PRIu64 " us would not be from 0 to %" PRIu32
	    " us", (cpu_ns != DMTRACE_NO_TIME ? cpu_ns : wall_ns) / 1000,
	    UINT32_MAX);
}

static enum dmtrace_status
pull_shifted(struct dmtrace_source *source, struct dmt_batch **out)
{
	struct shift_stage *const stage = (struct shift_stage *)source;

	const enum dmtrace_status status =
	    stage->learned ? DMTRACE_OK : learn_bases(stage);

	if (status != DMTRACE_OK)
		return status;
	if (dmt_pull(source->from, out) != DMTRACE_OK)
		return source->from->error.status;
	struct dmt_batch *const batch = *out;
	if (batch == NULL)
		return DMTRACE_OK;
	if (grow_bases(stage, 0) != DMTRACE_OK)
		return source->error.status;
	for (size_t i = 0; i < batch->kept; i++) {
		const size_t at = batch->keep[i];
		const struct time_base *const base =
		    &stage->bases[batch->thread[at]];
		const uint64_t cpu_ns = batch->cpu_ns[at];
		const uint64_t wall_ns = batch->wall_ns[at];

		if (!change_time(stage, &batch->cpu_ns[at], base->cpu_us) ||
		    !change_time(stage, &batch->wall_ns[at], base->wall_us))
			return refuse_times(stage,
			    dmt_batch_offset(source, batch, at), cpu_ns,
			    wall_ns);
		batch->flags[at] |= DMT_EVENT_CHANGED;
	}
	return DMTRACE_OK;
}

static enum dmtrace_status
rewind_shifted(struct dmtrace_source *source)
{
	return dmtrace_source_rewind(source->from);
}

static void
want_columns(struct dmtrace_source *source, unsigned columns)
{
	dmt_want(source->from, columns | DMT_COLUMN_THREAD | DMT_COLUMN_CPU |
	    DMT_COLUMN_WALL);
}

static void
fini_shifted(struct dmtrace_source *source)
{
	free(((struct shift_stage *)source)->bases);
}

static const struct dmt_input_kind shift_kind = {
	pull_shifted, rewind_shifted, want_columns, fini_shifted
};

/* NULL: no memory, and from is freed. */
static struct dmtrace_source *
shift_events(struct dmtrace_source *from,
    const struct dmtrace_shift_options *options)
{
	struct shift_stage *const stage = from == NULL ? NULL :
	    calloc(1, sizeof(*stage));

	if (stage == NULL) {
		dmtrace_source_free(from);
		return NULL;
	}
	dmt_stage_init(&stage->source, &shift_kind, from);
	stage->source.changes |= DMT_COLUMN_CPU | DMT_COLUMN_WALL;
	stage->options = *options;
	stage->by_us = options->by_ns / 1000;
	stage->comparable = dmt_times_comparable(from->key, from->layout);
	stage->learned = !options->to_zero;
	if (options->to_zero)
		dmt_want_pass(from);
	return &stage->source;
}

static enum dmtrace_status
check_options(struct dmtrace_op *op,
    const struct dmtrace_shift_options *options)
{
	const uint64_t up = options->scale_up, down = options->scale_down;

	if (up > SCALE_MAX || down > SCALE_MAX)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "scale %" PRIu64 "/%" PRIu64 ": both are from 1 to 10^9",
		    up, down);
	if (options->by_ns % 1000 != 0)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "by %" PRId64 " ns: times are whole microseconds",
		    options->by_ns);
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_shift(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer,
    const struct dmtrace_shift_options *given)
{
	struct dmtrace_shift_options options = { 0 };

	dmt_op_begin(op);
	if (given != NULL)
		options = *given;
	if (options.scale_up == 0)
		options.scale_up = 1;
	if (options.scale_down == 0)
		options.scale_down = 1;
	if (dmt_op_check_like(op, reader, writer) != DMTRACE_OK ||
	    check_options(op, &options) != DMTRACE_OK)
		return op->error.status;
	struct dmtrace_source *const source =
	    shift_events(dmtrace_source_new(reader), &options);
	if (source == NULL)
		return dmt_error_memory(&op->error);
	dmt_op_copy(op, source, writer, NULL);
	dmtrace_source_free(source);
	return op->error.status;
}
