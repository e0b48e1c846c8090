/* sort_scan.c - whether records are in order, and where their runs end */

#include "ops/sort.h"

#include "base/error.h"

/* The run that ends before the record of that number. */
DMT_COLD static void
end_run(struct dmt_sort *sort, uint64_t number)
{
	sort->run.count = number - sort->run.at;
	if (sort->many || sort->run.count == 0)
		return;
	if (sort->runs.count == sort->runs_max)
		sort->many = true;
	else if (!dmt_runs_add(&sort->runs, &sort->run))
		dmt_error_memory(&sort->op->error);
}

DMT_COLD static void
begin_run(struct dmt_sort *sort, uint64_t number, uint64_t key)
{
	end_run(sort, number);
	sort->run = (struct dmt_run){ number, 0, key, key };
}

struct batch {
	struct dmt_sort *sort;
	const uint8_t *in;
	size_t count;
	size_t index;			/* of its first record in the window, */
	uint64_t number;		/* in the file */
	const struct dmt_watch *watch;
};

/* Of the other clock, or the action. */
DMT_INLINE bool
has_odd_rest(const struct dmt_clocks *clocks,
    const struct dmtrace_layout *layout, const uint8_t *in)
{
	return dmt_action_get(layout, in) == DMTRACE_RESERVED ||
	    (layout->wall.width != 0 && layout->cpu.width != 0 &&
	    (uint32_t)dmt_field_get(layout->cpu, in) < clocks->cpu.low_us);
}

/* As long as every wall time is at least the one before it, nothing is to be
 * known of a thread but its last times. Returns how many records are so, and
 * have nothing odd. */
DMT_INLINE size_t
scan_order(const void *context, const struct dmtrace_layout *layout)
{
	const struct batch *const batch = context;
	struct dmt_clocks *const clocks = batch->sort->keys.clocks;
	const struct dmt_field field = dmt_sort_field(layout);
	const uint8_t *in = batch->in;
	uint32_t last = (uint32_t)batch->sort->run.last;
	size_t i;

	for (i = 0; i < batch->count; i++, in += layout->record_size) {
		struct dmt_clocks *const own =
		    &clocks[dmt_field_get(layout->thread, in)];
		const uint32_t time_us = (uint32_t)dmt_field_get(field, in);

		if (time_us < last || has_odd_rest(own, layout, in))
			break;
		dmt_sort_clock(own, layout)->low_us = time_us;
		if (layout->wall.width != 0)
			own->cpu.low_us =
			    (uint32_t)dmt_field_get(layout->cpu, in);
		last = time_us;
	}
	batch->sort->run.last = last;
	return i;
}

/* Finds where runs end. */
DMT_INLINE size_t
scan_runs(const void *context, const struct dmtrace_layout *layout)
{
	const struct batch *const batch = context;
	struct dmt_sort *const sort = batch->sort;
	const uint8_t *in = batch->in;
	uint64_t last = sort->run.last;
	size_t i;

	for (i = 0; i < batch->count; i++, in += layout->record_size) {
		const uint64_t key = dmt_sort_key(&sort->keys, layout, in,
		    batch->index + i, batch->watch);

		if (key - last > UINT32_MAX) {	/* or below it */
			sort->run.last = last;
			begin_run(sort, batch->number + i, key);
		}
		last = key;
	}
	sort->run.last = last;
	return i;
}

static bool
is_sorted(const struct dmt_sort *sort)
{
	return sort->runs.count == 0 && !sort->many;
}

/* As long as all is in order, it is copied. */
static enum dmtrace_status
copy(struct dmt_sort *sort, size_t count)
{
	if (!sort->copies)
		return DMTRACE_OK;
	if (!is_sorted(sort)) {
		sort->copies = false;
		dmt_writer_rewind(sort->writer);
		dmt_writer_check(sort->writer);
		return dmt_sort_write_fail(sort);
	}
	dmtrace_writer_write_records(sort->writer, sort->reader->records,
	    count);
	return dmt_sort_write_fail(sort);
}

/* The times of all threads, when the first step back is met. */
static void
leave_order(struct dmt_sort *sort)
{
	const struct dmtrace_layout *const layout = &sort->reader->layout;
	const size_t numbers = dmt_layout_thread_numbers(layout);

	for (size_t i = 0; i < numbers; i++)
		sort->keys.tops[i] = dmt_clock_us(
		    dmt_sort_clock(&sort->keys.clocks[i], layout));
	sort->ordered = false;
}

/* Which loop takes the record at in, behind those that were in order. */
static bool
is_step_back(const struct dmt_sort *sort, const uint8_t *in)
{
	return dmt_field_get(dmt_sort_field(&sort->reader->layout), in) <
	    sort->run.last;
}

/* A record that is merely odd is taken alone. */
static void
scan_batch(struct dmt_sort *sort, size_t count, const struct dmt_watch *watch)
{
	const struct dmtrace_layout *const layout = &sort->reader->layout;
	struct batch batch = { .sort = sort, .watch = watch };

	while (batch.index < count) {
		batch.in = sort->reader->records +
		    batch.index * layout->record_size;
		batch.count = count - batch.index;
		batch.number = sort->reader->position - batch.count;
		if (!sort->ordered) {
			batch.index += dmt_loop(scan_runs, &batch, layout);
			continue;
		}
		const size_t plain = dmt_loop(scan_order, &batch, layout);
		batch.index += plain;
		if (plain == batch.count)
			break;
		batch.in += plain * layout->record_size;
		batch.number += plain;
		batch.count = 1;
		if (is_step_back(sort, batch.in))
			leave_order(sort);
		batch.index += dmt_loop(scan_runs, &batch, layout);
	}
}

/* The first run begins with the first record. */
static void
begin_scan(struct dmt_sort *sort)
{
	struct dmtrace_reader *const reader = sort->reader;
	const uint8_t *bytes;

	sort->ordered = true;
	if (dmt_source_peek(reader->source, reader->layout.record_size,
	    &bytes) >= reader->layout.record_size)
		sort->run.first = dmt_field_get(
		    dmt_sort_field(&reader->layout), bytes);
}

enum dmtrace_status
dmt_sort_scan(struct dmt_sort *sort)
{
	struct dmtrace_reader *const reader = sort->reader;
	const struct dmt_watch watch = dmt_reader_watch(reader);
	size_t count;

	begin_scan(sort);
	while ((count = dmt_reader_take(reader, SIZE_MAX)) > 0) {
		scan_batch(sort, count, &watch);
		if (copy(sort, count) != DMTRACE_OK ||
		    dmt_op_progress(sort->op, reader->source->offset,
		    dmt_sort_total(sort)) != DMTRACE_OK)
			return sort->op->error.status;
	}
	if (dmt_reader_end(reader) == DMTRACE_OK)
		end_run(sort, reader->position);
	return dmt_sort_read_fail(sort);
}
