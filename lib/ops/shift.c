/* shift.c - a trace's times, moved and stretched */

#include <dmtrace/shift.h>

#include <dmtrace/rewind.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/options.h"
#include "events/select.h"
#include "ops/op.h"
#include "trace/reader.h"
#include "trace/writer.h"

#define SCALE_MAX 1000000000
#define SCALED_MAX (UINT64_C(1) << 62)	/* so that a sum does not overflow */

/* What times are counted from, by thread. */
struct base {
	uint64_t cpu_us;
	uint64_t wall_us;
};

/* One shift, as long as it lasts. */
struct shift {
	struct dmtrace_op *op;
	struct dmtrace_reader *reader;
	struct dmtrace_writer *writer;
	struct dmtrace_shift_options options;
	int64_t by_us;
	bool scales;
	struct dmt_clocks *clocks;
	struct base *bases;
};

void
dmtrace_shift_options_init(struct dmtrace_shift_options *options)
{
	*options = (struct dmtrace_shift_options){
		.size = sizeof(*options),
		.scale_up = 1,
		.scale_down = 1,
	};
}

static struct dmtrace_shift_options
with_defaults(const struct dmtrace_shift_options *options)
{
	struct dmtrace_shift_options all;

	dmtrace_shift_options_init(&all);
	dmt_options_take(&all, sizeof(all), options);
	return all;
}

/* Exact, and cut to whole microseconds. False: far too much. */
DMT_INLINE bool
scale(const struct dmtrace_shift_options *options, uint64_t *time_us)
{
	const uint64_t up = options->scale_up, down = options->scale_down;
	const uint64_t whole = *time_us / down;

	if (whole >= SCALED_MAX / up)
		return false;
	*time_us = whole * up + *time_us % down * up / down;
	return true;
}

/* False: the new time does not fit. */
DMT_INLINE bool
change(const struct shift *shift, uint64_t time_us, uint64_t base_us,
    uint32_t *out)
{
	uint64_t scaled = time_us - base_us;

	if (shift->scales && !scale(&shift->options, &scaled))
		return false;
	const int64_t moved = (int64_t)scaled + shift->by_us;
	*out = (uint32_t)moved;
	return moved >= 0 && moved <= UINT32_MAX;
}

struct batch {
	const struct shift *shift;
	const uint8_t *in;
	uint8_t *out;			/* with a copy of what is at in */
	size_t count;
	const struct dmt_watch *watch;
};

DMT_INLINE bool
change_field(const struct shift *shift, struct dmt_field field,
    const struct dmt_clock *clock, uint64_t base_us, uint8_t *out)
{
	uint32_t time_us;

	if (field.width == 0)
		return true;
	if (!change(shift, dmt_clock_us(clock), base_us, &time_us))
		return false;
	dmt_field_put(field, out, time_us);
	return true;
}

/* Up to the first record whose times do not fit. */
DMT_INLINE size_t
change_run(const void *context, const struct dmtrace_layout *layout)
{
	const struct batch *const batch = context;
	const struct shift *const shift = batch->shift;
	const uint8_t *in = batch->in;
	uint8_t *out = batch->out;
	size_t i;

	for (i = 0; i < batch->count; i++) {
		const size_t thread = (size_t)dmt_field_get(layout->thread, in);
		struct dmt_clocks *const clocks = &shift->clocks[thread];
		const struct base *const base = &shift->bases[thread];

		dmt_clocks_take(clocks, layout, in, i, batch->watch);
		if (!change_field(shift, layout->cpu, &clocks->cpu,
		    base->cpu_us, out) ||
		    !change_field(shift, layout->wall, &clocks->wall,
		    base->wall_us, out))
			break;
		in += layout->record_size;
		out += layout->record_size;
	}
	return i;
}

DMT_INLINE void
lower(uint64_t *least, uint64_t time_us)
{
	if (time_us < *least)
		*least = time_us;
}

DMT_INLINE size_t
find_bases(const void *context, const struct dmtrace_layout *layout)
{
	const struct batch *const batch = context;
	const struct shift *const shift = batch->shift;
	const uint8_t *in = batch->in;
	size_t i;

	for (i = 0; i < batch->count; i++, in += layout->record_size) {
		const size_t thread = (size_t)dmt_field_get(layout->thread, in);
		struct dmt_clocks *const clocks = &shift->clocks[thread];

		dmt_clocks_take(clocks, layout, in, i, batch->watch);
		lower(&shift->bases[thread].cpu_us,
		    dmt_clock_us(&clocks->cpu));
		lower(&shift->bases[thread].wall_us,
		    dmt_clock_us(&clocks->wall));
	}
	return i;
}

static enum dmtrace_status
fail(struct shift *shift, const struct dmtrace_error *error)
{
	return dmt_op_fail(shift->op, NULL, error);
}

static enum dmtrace_status
refuse_times(struct shift *shift, uint64_t at, const struct dmt_clocks *clocks)
{
	const struct dmtrace_layout *const layout = &shift->reader->layout;
	const uint64_t cpu_us = dmt_clock_us(&clocks->cpu);
	const uint64_t wall_us = dmt_clock_us(&clocks->wall);

	if (layout->cpu.width != 0 && layout->wall.width != 0)
		return dmt_error_at(&shift->op->error, DMTRACE_ERR_RANGE,
		    DMTRACE_PLACE_OFFSET, at, "the times %" PRIu64 " and %"
		    PRIu64 " us (CPU, wall) would not both be from 0 to %"
		    PRIu32 " us", cpu_us, wall_us, UINT32_MAX);
	return dmt_error_at(&shift->op->error, DMTRACE_ERR_RANGE,
	    DMTRACE_PLACE_OFFSET, at, "the time %" PRIu64 " us would not be"
	    " from 0 to %" PRIu32 " us",
	    layout->wall.width != 0 ? wall_us : cpu_us, UINT32_MAX);
}

/* number: of the record, from 0. */
static enum dmtrace_status
refuse(struct shift *shift, uint64_t number, const uint8_t *record)
{
	const struct dmtrace_reader *const reader = shift->reader;
	const struct dmt_source *const source = reader->source;
	const uint64_t size = reader->layout.record_size;
	const struct dmt_clocks *const clocks = &shift->clocks[
	    dmt_field_get(reader->layout.thread, record)];

	/* The window begins with the records that were taken last. */
	return refuse_times(shift, source->offset + reader->records_len -
	    (reader->position - number) * size, clocks);
}

/* Writes count records that are at in, the number-th and on. */
static enum dmtrace_status
write_changed(struct shift *shift, const uint8_t *in, size_t count,
    uint64_t number, const struct dmt_watch *watch)
{
	const struct dmtrace_layout *const layout = &shift->reader->layout;
	const size_t len = count * layout->record_size;
	struct dmt_sink *const sink = &shift->writer->sink;
	uint8_t *const out = dmt_sink_reserve(sink, len);

	if (out != NULL) {
		const struct batch batch = { shift, in, out, count, watch };

		memcpy(out, in, len);
		const size_t done = dmt_loop(change_run, &batch, layout);
		if (done < count)
			return refuse(shift, number + done,
			    in + done * layout->record_size);
		dmt_sink_advance(sink, len);
	}
	dmt_writer_check(shift->writer);
	return fail(shift, &shift->writer->error);
}

/* Records of a block. */
static size_t
block(const struct shift *shift)
{
	return DMT_BLOCK_SIZE / shift->reader->layout.record_size;
}

static uint64_t
total(const struct shift *shift)
{
	return dmt_source_size(shift->reader->source) *
	    (shift->options.to_zero ? 2 : 1);
}

/* Writes, or looks for the least times. pass: from 0. */
static enum dmtrace_status
read_all(struct shift *shift, bool writes, unsigned pass)
{
	struct dmtrace_reader *const reader = shift->reader;
	const struct dmt_watch watch = dmt_reader_watch(reader);
	size_t count;

	while ((count = dmt_reader_take(reader, block(shift))) > 0) {
		const struct batch batch = { shift, reader->records, NULL,
		    count, &watch };

		if (!writes)
			dmt_loop(find_bases, &batch, &reader->layout);
		else
			write_changed(shift, reader->records, count,
			    reader->position - count, &watch);
		if (shift->op->error.status != DMTRACE_OK ||
		    dmt_op_progress(shift->op, reader->source->offset +
		    pass * dmt_source_size(reader->source), total(shift)) !=
		    DMTRACE_OK)
			return shift->op->error.status;
	}
	dmt_reader_end(reader);
	return fail(shift, &reader->error);
}

/* The least wall time of all threads is that of each. */
static void
share_base(struct shift *shift)
{
	const size_t numbers =
	    dmt_layout_thread_numbers(&shift->reader->layout);
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < numbers; i++)
		lower(&least, shift->bases[i].wall_us);
	for (size_t i = 0; i < numbers; i++)
		shift->bases[i].wall_us = least;
}

static enum dmtrace_status
read_twice(struct shift *shift)
{
	struct dmtrace_reader *const reader = shift->reader;

	if (read_all(shift, false, 0) != DMTRACE_OK)
		return shift->op->error.status;
	if (dmt_times_comparable(reader->key, &reader->layout))
		share_base(shift);
	if (dmtrace_reader_rewind(reader) != DMTRACE_OK)
		return fail(shift, &reader->error);
	shift->clocks = reader->clocks;
	return read_all(shift, true, 1);
}

static enum dmtrace_status
prepare(struct shift *shift)
{
	const size_t numbers =
	    dmt_layout_thread_numbers(&shift->reader->layout);

	if (shift->writer->state == DMT_WRITER_OPEN &&
	    dmtrace_writer_complete(shift->writer) != DMTRACE_OK)
		return fail(shift, &shift->writer->error);
	shift->clocks = shift->reader->clocks;
	shift->bases = dmt_array_new(numbers, sizeof(*shift->bases));
	if (shift->bases == NULL)
		return dmt_error_memory(&shift->op->error);
	if (!shift->options.to_zero)
		return DMTRACE_OK;
	memset(shift->bases, 0xff, numbers * sizeof(*shift->bases));
	dmtrace_reader_hold(shift->reader);
	return fail(shift, &shift->reader->error);
}

static bool
is_scale(uint64_t value)
{
	return value > 0 && value <= SCALE_MAX;
}

static enum dmtrace_status
check(struct shift *shift)
{
	const struct dmtrace_shift_options *const options = &shift->options;

	if (dmt_op_check_like(shift->op, shift->reader, shift->writer) !=
	    DMTRACE_OK)
		return shift->op->error.status;
	if (!is_scale(options->scale_up) || !is_scale(options->scale_down))
		return dmt_error_set(&shift->op->error, DMTRACE_ERR_RANGE,
		    "scale %" PRIu64 "/%" PRIu64 ": both are from 1 to 10^9",
		    options->scale_up, options->scale_down);
	if (options->by_ns % 1000 != 0)
		return dmt_error_set(&shift->op->error, DMTRACE_ERR_RANGE,
		    "by %" PRId64 " ns: times are whole microseconds",
		    options->by_ns);
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_shift(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer,
    const struct dmtrace_shift_options *options)
{
	struct shift shift = {
		.op = op,
		.reader = reader,
		.writer = writer,
		.options = with_defaults(options),
	};

	dmt_op_begin(op);
	if (check(&shift) != DMTRACE_OK)
		return op->error.status;
	shift.by_us = shift.options.by_ns / 1000;
	shift.scales = shift.options.scale_up != shift.options.scale_down;
	if (prepare(&shift) == DMTRACE_OK) {
		if (shift.options.to_zero)
			read_twice(&shift);
		else
			read_all(&shift, true, 0);
	}
	free(shift.bases);
	return op->error.status;
}
