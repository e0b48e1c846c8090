/* merge_place.c - plain records to their places in the output */

#include <string.h>

#include "data/record.h"
#include "ops/merge.h"

enum { RECORD_MAX = 14 };		/* bytes, of the output's */

struct placing {
	struct dmt_merge_input *input;
	const struct dmtrace_layout *to;
	const uint8_t *in;
	size_t count;
	uint8_t *out;
	struct dmt_places places;
};

/*
 * Stops at the first record that is of another thread or asks for more care:
 * one of a method that the table has not, with a reserved action, or whose CPU
 * time falls or is too high. Wall times of plain records do neither.
 */
DMT_INLINE size_t
place_same(const struct placing *placing, const struct dmtrace_layout *from,
    const struct dmtrace_layout *to, struct dmt_merge_thread *thread)
{
	const struct dmt_remap methods = placing->input->methods;
	const uint32_t shift_us = (uint32_t)placing->input->shift_us;
	const uint32_t first = placing->places.first - shift_us;
	uint16_t *const by_key = placing->places.by_key;
	uint8_t *const start = placing->out;
	const uint8_t *in = placing->in;
	const uint8_t *const end = in + placing->count * from->record_size;
	const uint64_t number = dmt_field_get(from->thread, in);
	const uint32_t thread_to = thread->to - 1;
	uint32_t cpu_us = thread->clocks.cpu.low_us, wall_us = 0;

	for (; in < end; in += from->record_size) {
		const uint32_t word = (uint32_t)dmt_field_get(from->method, in);
		const uint32_t method = dmt_remap_look_up(&methods,
		    word & ~UINT32_C(3)) | (word & 3);

		if (dmt_field_get(from->thread, in) != number ||
		    (method & 3) == 3)
			break;
		if (from->cpu.width != 0) {
			const uint32_t now_us =
			    (uint32_t)dmt_field_get(from->cpu, in);

			if (now_us < cpu_us)
				break;
			cpu_us = now_us;
		}
		wall_us = (uint32_t)dmt_field_get(from->wall, in);
		uint8_t *const out = start +
		    by_key[wall_us - first]++ * (size_t)to->record_size;
		dmt_field_put(to->thread, out, thread_to);
		dmt_field_put(to->method, out, method);
		dmt_field_put(to->cpu, out, cpu_us);
		dmt_field_put(to->wall, out, wall_us + shift_us);
	}
	if (in == placing->in)
		return 0;
	thread->clocks.cpu.low_us = cpu_us;
	thread->clocks.wall.low_us = wall_us;
	placing->input->last_us = wall_us + shift_us;
	return (size_t)(in - placing->in) / from->record_size;
}

/* Stops at a record that asks for more care. */
DMT_INLINE size_t
place_to(const struct placing *placing, const struct dmtrace_layout *from,
    const struct dmtrace_layout *to)
{
	struct placing rest = *placing;

	while (rest.count > 0) {
		struct dmt_merge_thread *const thread = dmt_merge_thread_find(
		    rest.input, (size_t)dmt_field_get(from->thread, rest.in));
		if (thread == NULL || thread->clocks.cpu.wraps > 0)
			break;
		const size_t done = place_same(&rest, from, to, thread);
		if (done == 0)
			break;
		rest.in += done * from->record_size;
		rest.count -= done;
	}
	return placing->count - rest.count;
}

/* The output's layout is one of these, too. */
DMT_INLINE size_t
place_run(const void *context, const struct dmtrace_layout *from)
{
	const struct placing *const placing = context;

	switch (dmt_layout_row(placing->to)) {
	case DMT_LAYOUT_1_WALL:
		return place_to(placing, from,
		    &dmt_layouts[DMT_LAYOUT_1_WALL]);
	case DMT_LAYOUT_2_WALL:
	case DMT_LAYOUT_3_WALL:
		return place_to(placing, from,
		    &dmt_layouts[DMT_LAYOUT_2_WALL]);
	default:
		return place_to(placing, from,
		    &dmt_layouts[DMT_LAYOUT_3_DUAL]);
	}
}

/* Where the input's next record is in its file. */
static uint64_t
find_offset(const struct dmt_merge_input *input)
{
	return input->offset - (input->count - input->head) *
	    (uint64_t)input->layout.record_size;
}

/* One record, with all care. */
static enum dmtrace_status
place_one(struct dmt_merge *merge, struct placing *placing)
{
	struct dmt_merge_input *const input = placing->input;
	const size_t size = placing->to->record_size;
	uint8_t record[RECORD_MAX];
	uint32_t key;
	const struct dmt_merge_run run = {
		placing->in, 1, find_offset(input), record, &key
	};

	if (dmt_merge_convert(merge, input, &run) != DMTRACE_OK)
		return merge->op->error.status;
	memcpy(placing->out + size *
	    placing->places.by_key[key - placing->places.first]++, record,
	    size);
	return DMTRACE_OK;
}

static void
skip(struct placing *placing, size_t count)
{
	placing->in += count * placing->input->layout.record_size;
	placing->count -= count;
	placing->input->head += count;
}

enum dmtrace_status
dmt_merge_place(struct dmt_merge *merge, struct dmt_merge_input *input,
    size_t count, const struct dmt_places *places, uint8_t *out)
{
	struct placing placing = {
		input, &merge->layout, input->records +
		    input->head * input->layout.record_size,
		count, out, *places
	};

	while (placing.count > 0) {
		skip(&placing, dmt_loop(place_run, &placing, &input->layout));
		if (placing.count == 0)
			break;
		if (place_one(merge, &placing) != DMTRACE_OK)
			return merge->op->error.status;
		skip(&placing, 1);
	}
	return DMTRACE_OK;
}
