/* record_columns.c - decodes records to columns of a batch, and encodes them */

/*
 * Each column has a loop of its own, which is compiled once for each row of
 * layouts.h, so that offsets and widths are constants in it. A column that was
 * not asked for is not decoded. Several loops over the records of a batch are
 * fast because these stay in the CPU's cache.
 */

#include "data/record_columns.h"

#include <string.h>

#include "data/record.h"

struct decoding {
	struct dmt_batch *batch;
	struct dmt_indexes *indexes;
	struct dmt_clocks *clocks;
	const struct dmt_watch *watch;
};

DMT_INLINE size_t
decode_threads(const void *context, const struct dmt_layout *layout)
{
	const struct decoding *const run = context;
	uint32_t *const out = run->batch->thread;
	const uint8_t *in = run->batch->records;
	const size_t count = run->batch->count;

	const uint32_t *const direct = run->indexes->direct;

	DMT_UNROLL
	for (size_t i = 0; i < count; i++, in += layout->record_size) {
		const uint32_t number =
		    (uint32_t)dmt_field_get(layout->thread, in);

		out[i] = layout->thread.width > 2 &&
		    number >= DMT_DIRECT_THREADS ? UINT32_MAX :
		    direct[number] - 1;
		if (DMT_UNLIKELY(out[i] == UINT32_MAX))
			out[i] = dmt_thread_index_find(run->indexes, number);
	}
	return count;
}

DMT_INLINE size_t
decode_methods(const void *context, const struct dmt_layout *layout)
{
	const struct decoding *const run = context;
	uint32_t *const out = run->batch->method;
	const uint8_t *in = run->batch->records;
	const size_t count = run->batch->count;

	DMT_UNROLL
	for (size_t i = 0; i < count; i++, in += layout->record_size)
		out[i] = dmt_method_index(run->indexes,
		    dmt_field_get(layout->method, in) & ~UINT64_C(3));
	return count;
}

DMT_INLINE size_t
decode_actions(const void *context, const struct dmt_layout *layout)
{
	const struct decoding *const run = context;
	uint8_t *const out = run->batch->action;
	const uint8_t *in = run->batch->records;
	const size_t count = run->batch->count;

	DMT_UNROLL
	for (size_t i = 0; i < count; i++, in += layout->record_size) {
		out[i] = (uint8_t)dmt_action_get(layout, in);
		if (DMT_UNLIKELY(out[i] == DMTRACE_RESERVED))
			run->watch->odd(run->watch->context, DMT_ODD_RESERVED,
			    i);
	}
	return count;
}

/* Decodes the next time of a thread's clock: unwrapped, in nanoseconds. */
DMT_INLINE uint64_t
take_time(struct dmt_field field, const uint8_t *in, struct dmt_clock *clock,
    unsigned *odd)
{
	if (field.width == 0)
		return DMTRACE_NO_TIME;
	if (field.width == DMT_WIDTH_NS)
		return dmt_field_get(field, in);
	const uint32_t time_us = (uint32_t)dmt_field_get(field, in);
	if (DMT_UNLIKELY(time_us < clock->low_us))
		*odd |= dmt_clock_turn(clock, time_us);
	clock->low_us = time_us;
	return dmt_clock_us(clock) * 1000;
}

DMT_INLINE size_t
decode_times(const struct decoding *run, const struct dmt_layout *layout,
    bool cpu, bool wall)
{
	struct dmt_batch *const batch = run->batch;
	const uint8_t *in = batch->records;
	const size_t count = batch->count;

	for (size_t i = 0; i < count; i++, in += layout->record_size) {
		struct dmt_clocks *const clocks = dmt_layout_has_ns(layout) ?
		    run->clocks :
		    &run->clocks[dmt_field_get(layout->thread, in)];
		unsigned odd = 0;

		if (cpu)
			batch->cpu_ns[i] = take_time(layout->cpu, in,
			    &clocks->cpu, &odd);
		if (wall)
			batch->wall_ns[i] = take_time(layout->wall, in,
			    &clocks->wall, &odd);
		if (DMT_UNLIKELY(odd != 0))
			run->watch->odd(run->watch->context, odd, i);
	}
	return count;
}

DMT_INLINE size_t
decode_cpu(const void *context, const struct dmt_layout *layout)
{
	return decode_times(context, layout, true, false);
}

DMT_INLINE size_t
decode_wall(const void *context, const struct dmt_layout *layout)
{
	return decode_times(context, layout, false, true);
}

DMT_INLINE size_t
decode_both(const void *context, const struct dmt_layout *layout)
{
	return decode_times(context, layout, true, true);
}

void
dmt_columns_decode(struct dmt_batch *batch, unsigned columns,
    struct dmt_indexes *indexes, const struct dmt_layout *layout,
    struct dmt_clocks *clocks, const struct dmt_watch *watch)
{
	const struct decoding run = { batch, indexes, clocks, watch };
	const bool cpu = (columns & DMT_COLUMN_CPU) != 0;
	const bool wall = (columns & DMT_COLUMN_WALL) != 0;

	if (columns & DMT_COLUMN_THREAD)
		dmt_loop(decode_threads, &run, layout);
	if (columns & DMT_COLUMN_METHOD)
		dmt_loop(decode_methods, &run, layout);
	if (columns & DMT_COLUMN_ACTION)
		dmt_loop(decode_actions, &run, layout);
	if (cpu && wall)
		dmt_loop(decode_both, &run, layout);
	else if (cpu)
		dmt_loop(decode_cpu, &run, layout);
	else if (wall)
		dmt_loop(decode_wall, &run, layout);
}

struct encoding {
	uint8_t *out;
	const struct dmt_batch *batch;
	const uint16_t *keep;		/* positions of the events */
	size_t count;
	const struct dmt_indexed_thread *threads;
	const struct dmt_indexed_method *methods;
	unsigned changes;
	bool modulo;			/* store times modulo the width of the
					   field */
};

DMT_INLINE bool
put_time(struct dmt_field field, uint8_t *out, uint64_t time_ns, bool modulo)
{
	if (field.width == 0)
		return true;
	if (time_ns == DMTRACE_NO_TIME ||
	    (!modulo && !dmt_fits(field.width, time_ns / dmt_unit_ns(field))))
		return false;
	dmt_field_put(field, out, time_ns / dmt_unit_ns(field));
	return true;
}

/* Stores the given columns of one event in its record. false: a value does not
 * fit. */
DMT_INLINE bool
encode_event(uint8_t *out, const struct dmt_layout *layout,
    const struct encoding *run, size_t at, unsigned columns)
{
	const struct dmt_batch *const batch = run->batch;

	if (columns & DMT_COLUMN_THREAD) {
		const uint32_t number =
		    run->threads[batch->thread[at]].number;
		if (!dmt_fits(layout->thread.width, number))
			return false;
		dmt_field_put(layout->thread, out, number);
	}
	if (columns & DMT_COLUMN_METHOD) {
		const uint64_t id = run->methods[batch->method[at]].id;
		if (!dmt_fits(layout->method.width, id))
			return false;
		dmt_field_put(layout->method, out, id | batch->action[at]);
	}
	return (!(columns & DMT_COLUMN_CPU) || put_time(layout->cpu, out,
	    batch->cpu_ns[at], run->modulo)) &&
	    (!(columns & DMT_COLUMN_WALL) || put_time(layout->wall, out,
	    batch->wall_ns[at], run->modulo));
}

/* Encodes whole records. The copy of *context is in registers; loads from it
 * would follow each store of a byte. */
DMT_INLINE size_t
make_records(const void *context, const struct dmt_layout *layout)
{
	const struct encoding run = *(const struct encoding *)context;
	uint8_t *out = run.out;

	for (size_t i = 0; i < run.count; i++, out += layout->record_size) {
		if (dmt_layout_fields_size(layout) < layout->record_size)
			memset(out, 0, layout->record_size);
		if (!encode_event(out, layout, &run, run.keep[i],
		    DMT_COLUMN_ALL))
			return i;
	}
	return run.count;
}

size_t
dmt_columns_encode(uint8_t *out, const struct dmt_layout *layout,
    const struct dmt_batch *batch, size_t first, size_t count,
    const struct dmt_indexes *indexes, unsigned changes)
{
	const struct encoding run = {
		out, batch, batch->keep + first, count, indexes->threads,
		indexes->methods, changes, false
	};

	return dmt_file_loop(make_records, &run, layout);
}

DMT_INLINE size_t
copy_records(const void *context, const struct dmt_layout *layout)
{
	const struct encoding *const run = context;
	const uint16_t *const keep = run->keep;
	const uint8_t *const in = run->batch->records;
	const size_t count = run->count, size = layout->record_size;
	uint8_t *out = run->out;

	DMT_UNROLL
	for (size_t i = 0; i < count; i++, out += size)
		memcpy(out, in + keep[i] * size, size);
	return count;
}

/* Changes copies of the raw records. */
DMT_INLINE size_t
change_records(const void *context, const struct dmt_layout *layout)
{
	const struct encoding run = *(const struct encoding *)context;
	uint8_t *out = run.out;

	for (size_t i = 0; i < run.count; i++, out += layout->record_size) {
		const size_t at = run.keep[i];

		if ((run.batch->flags[at] & DMT_EVENT_CHANGED) &&
		    !encode_event(out, layout, &run, at, run.changes))
			return i;
	}
	return run.count;
}

size_t
dmt_columns_copy(uint8_t *out, const struct dmt_layout *layout,
    const struct dmt_batch *batch, size_t first, size_t count,
    const struct dmt_indexes *indexes, unsigned changes)
{
	const struct encoding run = {
		out, batch, batch->keep + first, count, indexes->threads,
		indexes->methods, changes, true
	};
	const size_t size = layout->record_size;

	if (batch->records == NULL)
		return dmt_file_loop(make_records, &run, layout);
	if (count > 0 && run.keep[count - 1] - run.keep[0] == (int)count - 1)
		memcpy(out, batch->records + run.keep[0] * size, count * size);
	else
		dmt_file_loop(copy_records, &run, layout);
	return changes == 0 ? count :
	    dmt_file_loop(change_records, &run, layout);
}

struct translating {
	uint8_t *records;
	const struct dmt_batch *batch;
	size_t first;
	struct dmt_translation *to;
};

DMT_INLINE size_t
translate_events(const void *context, const struct dmt_layout *layout)
{
	const struct translating *const run = context;
	const struct dmt_batch *const batch = run->batch;
	const uint32_t *const threads = run->to->threads;
	const uint32_t *const methods = run->to->methods;
	uint64_t *const order = run->to->order;
	const bool has_cpu = layout->cpu.width != 0;
	const bool has_wall = layout->wall.width != 0;
	const bool has_ns = dmt_layout_has_ns(layout);
	const unsigned unit_ns = has_ns ? 1 : 1000;
	const unsigned bits = has_ns ? 63 : 32;
	const uint64_t wall_shift = run->to->shift_us * (1000 / unit_ns);
	const uint64_t cpu_shift = has_wall ? 0 : wall_shift;
	const size_t count = batch->count;
	uint8_t *out = run->records + run->first * layout->record_size;
	uint64_t last = run->to->last, late = 0;
	size_t i;

	for (i = run->first; i < count; i++) {
		const uint32_t thread = threads[batch->thread[i]];
		const uint32_t method = methods[batch->method[i]];
		const uint64_t cpu = has_cpu ?
		    batch->cpu_ns[i] / unit_ns + cpu_shift : 0;
		const uint64_t wall = has_wall ?
		    batch->wall_ns[i] / unit_ns + wall_shift : 0;

		if (DMT_UNLIKELY((cpu | wall) >> bits != 0 ||
		    thread == 0 || method == 0))
			break;
		dmt_field_put(layout->thread, out, thread - 1);
		dmt_field_put(layout->method, out,
		    (method - 1) | batch->action[i]);
		dmt_field_put(layout->cpu, out, cpu);
		dmt_field_put(layout->wall, out, wall);
		late += wall < last;
		last = wall < last ? last : wall;
		order[i] = last;
		out += layout->record_size;
	}
	run->to->last = last;
	run->to->late += late;
	return i;
}

size_t
dmt_columns_translate(uint8_t *records, const struct dmt_layout *layout,
    const struct dmt_batch *batch, size_t first,
    struct dmt_translation *translation)
{
	const struct translating run = { records, batch, first, translation };

	return dmt_loop(translate_events, &run, layout);
}
