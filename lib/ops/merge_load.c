/* merge_load.c - the next records of an input */

#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "data/record.h"
#include "ops/merge.h"

enum { SIMPLE_MAX = 16 };		/* bytes of a record */

/* What may be plain, if its times let it: a table has the methods, and the
 * records are no longer than they need to be. */
static bool
is_simple(const struct dmt_merge *merge, const struct dmt_merge_input *input)
{
	return merge->result.by_time && input->layout.wall.width != 0 &&
	    input->layout.record_size <= SIMPLE_MAX && input->methods.len > 0;
}

/* Of the records that the input holds now. */
static size_t
held_size(const struct dmt_merge *merge, const struct dmt_merge_input *input)
{
	return input->plain ? input->layout.record_size :
	    merge->layout.record_size;
}

/* What is left moves to the front of the chunk. false: no memory. */
static bool
make_room(struct dmt_merge *merge, struct dmt_merge_input *input)
{
	const size_t left = input->count - input->head;
	const size_t size = held_size(merge, input);

	if (input->records == NULL)
		input->records = dmt_array_new(merge->chunk,
		    is_simple(merge, input) ? SIMPLE_MAX :
		    merge->layout.record_size);
	if (input->records == NULL)
		return false;
	memmove(input->records, input->records + input->head * size,
	    left * size);
	if (!input->plain && left > 0)
		memmove(input->keys, input->keys + input->head,
		    left * sizeof(*input->keys));
	input->head = 0;
	input->count = left;
	return true;
}

struct times {
	const uint8_t *records;
	size_t count;
	uint32_t last_us;		/* before them */
};

/* How many records there are before the first whose wall time falls. */
DMT_INLINE size_t
count_rising(const void *context, const struct dmtrace_layout *layout)
{
	const struct times *const times = context;
	const size_t size = layout->record_size;
	const uint8_t *in = times->records;
	const uint8_t *const end = in + times->count * size;
	uint32_t last_us = times->last_us;

	for (; in < end; in += size) {
		const uint32_t now_us =
		    (uint32_t)dmt_field_get(layout->wall, in);

		if (now_us < last_us)
			break;
		last_us = now_us;
	}
	return (size_t)(in - times->records) / size;
}

/* The field of a record, or of the last one of the output before it. */
static uint32_t
last_field(const struct dmt_merge_input *input)
{
	const int64_t last_us = (int64_t)input->last_us - input->shift_us;

	if (input->count > 0)
		return (uint32_t)dmt_field_get(input->layout.wall,
		    input->records + (input->count - 1) *
		    input->layout.record_size);
	return last_us < 0 ? 0 : last_us > UINT32_MAX ? UINT32_MAX :
	    (uint32_t)last_us;
}

static bool
fits(const struct dmt_merge_input *input, const uint8_t *in)
{
	const uint64_t wall_us = dmt_field_get(input->layout.wall, in);

	return (wall_us + (uint64_t)input->shift_us) >> 32 == 0;
}

/* Whether count records that were read behind the plain ones can be plain:
 * their times do not fall, have never wrapped, and fit the output. */
static bool
are_plain(const struct dmt_merge_input *input, const uint8_t *in,
    size_t count)
{
	const size_t size = input->layout.record_size;
	const struct times times = { in, count, last_field(input) };

	if (input->odd[DMT_MERGE_WRAPPED].count > 0)
		return false;
	return count == 0 || (fits(input, in) &&
	    fits(input, in + (count - 1) * size) &&
	    dmt_loop(count_rising, &times, &input->layout) == count);
}

/* Times that the output has no field for. */
static void
note_dropped(struct dmt_merge *merge, const struct dmtrace_layout *from,
    size_t count)
{
	struct dmtrace_merge_result *const result = &merge->result;

	if (from->cpu.width != 0 && merge->layout.cpu.width == 0)
		result->cpu_dropped += count;
	if (from->wall.width != 0 && merge->layout.wall.width == 0)
		result->wall_dropped += count;
	result->events += count;
}

/* Makes records of the output, behind those that are held, of the last ones
 * that were read. */
static enum dmtrace_status
append(struct dmt_merge *merge, struct dmt_merge_input *input,
    const uint8_t *in, size_t count)
{
	const struct dmt_merge_run run = {
		.in = in,
		.count = count,
		.at = input->offset - count * input->layout.record_size,
		.out = input->records +
		    input->count * merge->layout.record_size,
		.keys = input->keys + input->count
	};

	input->count += count;
	return dmt_merge_convert(merge, input, &run);
}

static bool
make_keys(struct dmt_merge *merge, struct dmt_merge_input *input)
{
	if (input->keys == NULL)
		input->keys = dmt_array_new(merge->chunk,
		    sizeof(*input->keys));
	return input->keys != NULL;
}

enum dmtrace_status
dmt_merge_make(struct dmt_merge *merge, struct dmt_merge_input *input)
{
	const size_t count = input->count - input->head;
	const size_t size = input->layout.record_size;

	if (!input->plain)
		return DMTRACE_OK;
	if (!make_keys(merge, input))
		return dmt_error_memory(&merge->op->error);
	memcpy(merge->pool.buffer, input->records + input->head * size,
	    count * size);
	input->plain = false;
	input->head = 0;
	input->count = 0;
	return append(merge, input, merge->pool.buffer, count);
}

/* Reads behind plain records, all of which may be plain no more then. */
static enum dmtrace_status
load_plain(struct dmt_merge *merge, struct dmt_merge_input *input)
{
	uint8_t *const in = input->records +
	    input->count * input->layout.record_size;
	size_t count;

	if (dmt_merge_input_read(merge, input, in,
	    merge->chunk - input->count, &count) != DMTRACE_OK)
		return merge->op->error.status;
	note_dropped(merge, &input->layout, count);
	const bool plain = are_plain(input, in, count);
	input->count += count;
	return plain ? DMTRACE_OK : dmt_merge_make(merge, input);
}

static enum dmtrace_status
load_made(struct dmt_merge *merge, struct dmt_merge_input *input)
{
	uint8_t *const in = merge->pool.buffer;
	const size_t room = merge->chunk - input->count;
	const size_t most = DMT_BLOCK_SIZE / input->layout.record_size;
	size_t count;

	if (!make_keys(merge, input))
		return dmt_error_memory(&merge->op->error);
	if (dmt_merge_input_read(merge, input, in, room < most ? room : most,
	    &count) != DMTRACE_OK)
		return merge->op->error.status;
	note_dropped(merge, &input->layout, count);
	return append(merge, input, in, count);
}

enum dmtrace_status
dmt_merge_load(struct dmt_merge *merge, struct dmt_merge_input *input)
{
	if (!make_room(merge, input))
		return dmt_error_memory(&merge->op->error);
	if (input->count == 0)
		input->plain = is_simple(merge, input);
	return input->plain ? load_plain(merge, input) :
	    load_made(merge, input);
}
