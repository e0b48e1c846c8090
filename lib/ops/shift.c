/* shift.c - shifts and scales the times of a trace */

/*
 * A stage changes the time columns and marks the events as changed; the writer
 * copies their records and stores the new times in them. To count from zero,
 * the stage first finds the lowest time of each clock, in a separate pass.
 * Times are computed in the unit of the trace, microseconds or nanoseconds.
 */

#include <dmtrace/ops.h>

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "data/v2.h"
#include "events/pipeline.h"
#include "events/select.h"
#include "ops/op.h"
#include "trace/dialect.h"
#include "trace/reader.h"
#include "trace/writer.h"

#define SCALE_MAX 1000000000
#define SCALED_MAX (UINT64_C(1) << 62)	/* keeps a sum from overflowing, */
#define HIGHEST (INT64_MAX / 2)		/* and this a sum with a shift */

/* The origin of a thread's times, by clock. */
struct time_base {
	uint64_t cpu;			/* in units of the trace */
	uint64_t wall;
};

struct shift_stage {
	struct dmtrace_source source;
	struct dmtrace_shift_options options;
	unsigned unit_ns;
	uint64_t highest;		/* the highest time that fits a
					   record */
	int64_t by;			/* in units of the trace */
	bool comparable;		/* threads share the wall clock */
	bool learned;			/* bases are set */
	bool still;			/* all times stay as they are */
	struct time_base *bases;	/* by thread index */
};

static bool
begin_base(void *owner, uint32_t thread, void *base)
{
	const struct shift_stage *const stage = owner;
	const uint64_t first = stage->learned ? 0 : UINT64_MAX;

	(void)thread;
	*(struct time_base *)base = (struct time_base){ first, first };
	return true;
}

/* Returns a time in units of the trace, without a division by a variable. */
static inline uint64_t
in_units(const struct shift_stage *stage, uint64_t time_ns)
{
	return stage->unit_ns == 1 ? time_ns : time_ns / 1000;
}

/* Finds the bases, and returns to the first event. */
static enum dmtrace_status
learn_bases(struct shift_stage *stage)
{
	struct dmtrace_source *const from = stage->source.from;
	uint64_t least = UINT64_MAX;
	struct dmt_batch *batch;

	for (;;) {
		if (dmt_pull(from, &batch) != DMTRACE_OK)
			return from->error.status;
		if (batch == NULL)
			break;
		for (size_t i = 0; i < batch->kept; i++) {
			const size_t at = batch->keep[i];
			struct time_base *const base =
			    &stage->bases[batch->thread[at]];

			if (batch->cpu_ns[at] < base->cpu)
				base->cpu = batch->cpu_ns[at];
			if (batch->wall_ns[at] < base->wall)
				base->wall = batch->wall_ns[at];
		}
	}
	const size_t count = from->indexes->thread_count;
	for (size_t i = 0; i < count; i++) {
		struct time_base *const base = &stage->bases[i];

		base->cpu = in_units(stage, base->cpu);
		base->wall = in_units(stage, base->wall);
		if (base->wall < least)
			least = base->wall;
	}
	for (size_t i = 0; i < count && stage->comparable; i++)
		stage->bases[i].wall = least;
	stage->learned = true;
	return dmt_source_rewind(from);
}

/* Computes the new time. false: it does not fit a record. */
static bool
change_time(const struct shift_stage *stage, uint64_t *time_ns,
    uint64_t base)
{
	const uint64_t up = stage->options.scale_up;
	const uint64_t down = stage->options.scale_down;

	if (*time_ns == DMTRACE_NO_TIME)
		return true;
	uint64_t time = in_units(stage, *time_ns) - base;
	if (up != down) {
		/* The product is exact, and rounded down to whole units. */
		if (time / down >= SCALED_MAX / up)
			return false;
		time = time / down * up + time % down * up / down;
	}
	if (time > HIGHEST)
		return false;
	const int64_t moved = (int64_t)time + stage->by;
	*time_ns = (uint64_t)moved * stage->unit_ns;
	return moved >= 0 && (uint64_t)moved <= stage->highest;
}

static enum dmtrace_status
refuse_times(struct shift_stage *stage, uint64_t offset, uint64_t cpu_ns,
    uint64_t wall_ns)
{
	struct dmtrace_error *const error = &stage->source.error;
	const uint64_t highest_us =
	    stage->unit_ns == 1 ? stage->highest / 1000 : stage->highest;

	if (cpu_ns != DMTRACE_NO_TIME && wall_ns != DMTRACE_NO_TIME)
		return dmt_error_at(error, DMTRACE_ERR_RANGE,
		    DMTRACE_PLACE_OFFSET, offset, "the event has CPU "
		    "time %" PRIu64 " us and wall time %" PRIu64 " us; shifted,"
		    " one of them is below 0 or above %" PRIu64 " us",
		    cpu_ns / 1000, wall_ns / 1000, highest_us);
	return dmt_error_at(error, DMTRACE_ERR_RANGE, DMTRACE_PLACE_OFFSET,
	    offset, "the event has time %" PRIu64 " us; shifted, it is below "
	    "0 or above %" PRIu64 " us", (cpu_ns != DMTRACE_NO_TIME ? cpu_ns :
	    wall_ns) / 1000, highest_us);
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
	if (batch == NULL || stage->still)
		return DMTRACE_OK;
	for (size_t i = 0; i < batch->kept; i++) {
		const size_t at = batch->keep[i];
		const struct time_base *const base =
		    &stage->bases[batch->thread[at]];
		const uint64_t cpu_ns = batch->cpu_ns[at];
		const uint64_t wall_ns = batch->wall_ns[at];

		if (!change_time(stage, &batch->cpu_ns[at], base->cpu) ||
		    !change_time(stage, &batch->wall_ns[at], base->wall))
			return refuse_times(stage,
			    dmt_batch_offset(source, batch, at), cpu_ns,
			    wall_ns);
		batch->flags[at] |= DMT_EVENT_CHANGED;
	}
	return DMTRACE_OK;
}

static void
want_shifted(struct dmtrace_source *source, unsigned columns)
{
	dmt_want(source->from, columns | DMT_COLUMN_THREAD | DMT_COLUMN_CPU |
	    DMT_COLUMN_WALL);
}

static const struct dmt_input_kind shift_kind = {
	pull_shifted, NULL, want_shifted, NULL
};

/* NULL: no memory; then from is freed. */
static struct dmtrace_source *
new_shift_stage(struct dmtrace_source *from, bool has_ns,
    const struct dmtrace_shift_options *options)
{
	struct shift_stage *const stage = from == NULL ? NULL :
	    calloc(1, sizeof(*stage));

	if (stage == NULL) {
		dmtrace_source_free(from);
		return NULL;
	}
	dmt_stage_init(&stage->source, &shift_kind, from);
	stage->options = *options;
	stage->still = !options->to_zero && options->by_ns == 0 &&
	    options->scale_up == options->scale_down;
	if (!stage->still)
		stage->source.changes |= DMT_COLUMN_CPU | DMT_COLUMN_WALL;
	stage->unit_ns = has_ns ? 1 : 1000;
	stage->highest = has_ns ? HIGHEST : UINT32_MAX;
	stage->by = options->by_ns / (int64_t)stage->unit_ns;
	if (stage->by > HIGHEST)
		stage->by = HIGHEST;
	if (stage->by < -HIGHEST)
		stage->by = -HIGHEST;
	stage->comparable = dmt_times_comparable(from->key, from->layout);
	stage->learned = !options->to_zero;
	if (options->to_zero)
		dmt_want_pass(from, 1);
	dmt_attach(from, &stage->bases, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*stage->bases),
	    .init = begin_base, .owner = stage });
	return &stage->source;
}

enum dmtrace_status
dmtrace_shift(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer,
    const struct dmtrace_shift_options *given)
{
	struct dmtrace_shift_options options = { 0 };

	if (dmt_op_begin_call(op, __func__, reader == NULL || writer == NULL) !=
	    DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (given != NULL)
		options = *given;
	if (options.scale_up == 0)
		options.scale_up = 1;
	if (options.scale_down == 0)
		options.scale_down = 1;
	if (dmt_op_check_like(op, __func__, reader, writer) != DMTRACE_OK)
		return op->error.status;
	if (options.scale_up > SCALE_MAX || options.scale_down > SCALE_MAX)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "scale %" PRIu64 "/%" PRIu64 ": both must be from 1 to "
		    "10^9", options.scale_up, options.scale_down);
	if (options.by_ns % 1000 != 0)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "by %" PRId64 " ns: times are whole microseconds",
		    options.by_ns);
	struct dmt_trace_format format;
	dmt_reader_format(reader, &format);
	struct dmtrace_source *const source = new_shift_stage(
	    dmtrace_source_new(reader), format.ns, &options);
	if (source == NULL)
		return dmt_error_memory(&op->error);
	dmt_op_copy(op, source, writer, NULL);
	dmtrace_source_free(source);
	return op->error.status;
}
