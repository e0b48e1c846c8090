/* merge_order.c - the records of all inputs, in the order of their times */

#include <stdlib.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "ops/merge.h"
#include "trace/writer.h"

enum {
	CHUNKS = 131072,		/* records that all inputs hold, */
	CHUNK_MIN = 2048,		/* and one of them */
	CHUNK_MAX = 8192
};

#define NO_END (UINT64_C(1) << 32)	/* above any key */

/* Inputs that are not at their end, in the order of the command. */
struct order {
	struct dmt_merge *merge;
	struct dmt_merge_input **left;
	size_t count;
	struct dmt_strand *runs;	/* of the window, one for each */
	struct dmt_sorter *sorter;
	uint8_t *out;			/* where the window's records go */
	size_t ahead;			/* records of an input in a window */
};

static enum dmtrace_status
put(struct dmt_merge *merge, const uint8_t *records, size_t count)
{
	if (dmt_merge_threads_follow(merge, records, count) != DMTRACE_OK)
		return merge->op->error.status;
	return dmtrace_writer_write_records(merge->writer, records, count) ==
	    DMTRACE_OK ? DMTRACE_OK : dmt_op_fail(merge->op, merge->out_file,
	    dmtrace_writer_error(merge->writer));
}

static size_t
held(const struct dmt_merge_input *input)
{
	return input->count - input->head;
}

/* The key of a record that is left. */
static uint32_t
key_at(const struct dmt_merge_input *input, size_t index)
{
	const struct dmtrace_layout *const layout = &input->layout;
	const size_t at = input->head + index;

	return input->plain ? (uint32_t)input->shift_us +
	    dmt_get_le32(input->records + at * layout->record_size +
	    layout->wall.offset) : input->keys[at];
}

/* Makes the input hold more than least records, or all that are left. */
static enum dmtrace_status
hold(struct dmt_merge *merge, struct dmt_merge_input *input, size_t least)
{
	while (held(input) <= least && !input->ended)
		if (dmt_merge_load(merge, input) != DMTRACE_OK)
			return merge->op->error.status;
	return DMTRACE_OK;
}

/* An input that is at its end gives its memory back. */
static enum dmtrace_status
hold_all(struct order *order)
{
	size_t count = 0;

	for (size_t i = 0; i < order->count; i++) {
		struct dmt_merge_input *const input = order->left[i];

		if (hold(order->merge, input, order->ahead) != DMTRACE_OK)
			return order->merge->op->error.status;
		if (held(input) > 0) {
			order->left[count++] = input;
			continue;
		}
		free(input->records);
		free(input->keys);
		input->records = NULL;
		input->keys = NULL;
	}
	order->count = count;
	return DMTRACE_OK;
}

/* The least key that an input has behind the records that may be in the
 * window: whatever is below it is held. */
static uint64_t
find_end(const struct order *order)
{
	uint64_t end = NO_END;

	for (size_t i = 0; i < order->count; i++) {
		const struct dmt_merge_input *const input = order->left[i];

		if (held(input) > order->ahead &&
		    key_at(input, order->ahead) < end)
			end = key_at(input, order->ahead);
	}
	return end;
}

/* How many of the first records of an input have a key below end. */
static size_t
count_below(const struct dmt_merge_input *input, size_t most, uint64_t end)
{
	size_t low = 0, high = held(input) < most ? held(input) : most;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (key_at(input, middle) < end)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct dmt_strand
run_of(const struct order *order, const struct dmt_merge_input *input,
    size_t count)
{
	return input->plain ? (struct dmt_strand){
		.records = input->records +
		    input->head * input->layout.record_size,
		.count = count,
		.shift_us = (uint32_t)input->shift_us,
		.layout = &input->layout
	} : (struct dmt_strand){
		.records = input->records +
		    input->head * order->merge->layout.record_size,
		.keys = input->keys + input->head,
		.count = count
	};
}

/* The runs below end; how many records they are. */
static size_t
find_runs(struct order *order, uint64_t end)
{
	size_t sum = 0;

	for (size_t i = 0; i < order->count; i++) {
		const struct dmt_merge_input *const input = order->left[i];
		const size_t count = count_below(input, order->ahead, end);

		order->runs[i] = run_of(order, input, count);
		sum += count;
	}
	return sum;
}

static enum dmtrace_status
put_run(struct order *order, size_t i, const struct dmt_places *places)
{
	struct dmt_merge *const merge = order->merge;
	struct dmt_merge_input *const input = order->left[i];
	const size_t count = order->runs[i].count;

	if (input->plain)
		return dmt_merge_place(merge, input, count, places,
		    order->out);
	dmt_interleave_put(places, order->out, &merge->layout,
	    &order->runs[i]);
	input->head += count;
	return DMTRACE_OK;
}

/* Keys that lie far from each other are not counted. */
static enum dmtrace_status
sort_runs(struct order *order)
{
	struct dmt_merge *const merge = order->merge;

	for (size_t i = 0; i < order->count; i++) {
		struct dmt_merge_input *const input = order->left[i];
		const size_t count = order->runs[i].count;

		if (dmt_merge_make(merge, input) != DMTRACE_OK)
			return merge->op->error.status;
		order->runs[i] = run_of(order, input, count);
		input->head += count;
	}
	dmt_interleave(order->sorter, order->out, &merge->layout,
	    order->runs, order->count);
	return DMTRACE_OK;
}

static enum dmtrace_status
place_runs(struct order *order)
{
	struct dmt_places places;

	if (!dmt_interleave_begin(order->sorter, order->runs, order->count,
	    &places))
		return sort_runs(order);
	for (size_t i = 0; i < order->count; i++)
		if (put_run(order, i, &places) != DMTRACE_OK)
			return order->merge->op->error.status;
	return DMTRACE_OK;
}

/* Records go where they are written from. */
static enum dmtrace_status
put_runs(struct order *order, size_t sum)
{
	struct dmt_merge *const merge = order->merge;
	const size_t len = sum * merge->layout.record_size;

	order->out = dmt_writer_reserve(merge->writer, len);
	if (order->out == NULL)
		return dmt_op_fail(merge->op, merge->out_file,
		    dmtrace_writer_error(merge->writer));
	if (place_runs(order) != DMTRACE_OK ||
	    dmt_merge_threads_follow(merge, order->out, sum) != DMTRACE_OK)
		return merge->op->error.status;
	dmt_writer_advance(merge->writer, len);
	return DMTRACE_OK;
}

/* All records of one input with that key, of which there may be many. */
static enum dmtrace_status
put_same(struct dmt_merge *merge, struct dmt_merge_input *input,
    uint64_t key)
{
	const size_t size = merge->layout.record_size;

	for (;;) {
		if (dmt_merge_make(merge, input) != DMTRACE_OK)
			return merge->op->error.status;
		const size_t count = count_below(input, held(input), key + 1);

		if (put(merge, input->records + input->head * size, count) !=
		    DMTRACE_OK)
			return merge->op->error.status;
		input->head += count;
		if (held(input) > 0 || input->ended)
			return DMTRACE_OK;
		if (hold(merge, input, 0) != DMTRACE_OK)
			return merge->op->error.status;
	}
}

/* The first key is that of more records than a window can have. */
static enum dmtrace_status
put_moment(struct order *order, uint64_t key)
{
	for (size_t i = 0; i < order->count; i++)
		if (put_same(order->merge, order->left[i], key) != DMTRACE_OK)
			return order->merge->op->error.status;
	return DMTRACE_OK;
}

/*
 * All records below one key, sorted by counting. Where few inputs have many
 * of them, each is looked at further ahead.
 */
static enum dmtrace_status
put_window(struct order *order)
{
	uint64_t end = find_end(order);
	size_t sum = find_runs(order, end);

	while (sum > DMT_INTERLEAVE_MAX) {
		order->ahead /= 2;
		end = find_end(order);
		sum = find_runs(order, end);
	}
	if (sum == 0)
		return put_moment(order, end);
	if (sum < DMT_INTERLEAVE_MAX / 4 &&
	    order->ahead < order->merge->chunk / 4)
		order->ahead *= 2;
	return put_runs(order, sum);
}

/* As many records of each as make a window together. */
static size_t
first_ahead(const struct dmt_merge *merge)
{
	const size_t ahead = DMT_INTERLEAVE_MAX / merge->count;

	return ahead == 0 ? 1 : ahead < merge->chunk / 4 ? ahead :
	    merge->chunk / 4;
}

static enum dmtrace_status
put_windows(struct order *order)
{
	struct dmt_merge *const merge = order->merge;

	order->left = dmt_array_new(merge->count, sizeof(*order->left));
	order->runs = dmt_array_new(merge->count, sizeof(*order->runs));
	order->sorter = dmt_sorter_new();
	if (order->left == NULL || order->runs == NULL ||
	    order->sorter == NULL)
		return dmt_error_memory(&merge->op->error);
	for (size_t i = 0; i < merge->count; i++)
		order->left[i] = &merge->inputs[i];
	order->count = merge->count;
	order->ahead = first_ahead(merge);
	while (hold_all(order) == DMTRACE_OK && order->count > 0)
		if (put_window(order) != DMTRACE_OK)
			break;
	return merge->op->error.status;
}

static enum dmtrace_status
put_by_time(struct dmt_merge *merge)
{
	struct order order = { .merge = merge };
	const enum dmtrace_status status = put_windows(&order);

	dmt_sorter_free(order.sorter);
	free(order.runs);
	free(order.left);
	return status;
}

/* One behind the other. */
static enum dmtrace_status
put_input(struct dmt_merge *merge, struct dmt_merge_input *input)
{
	while (!input->ended) {
		input->head = input->count;
		if (dmt_merge_load(merge, input) != DMTRACE_OK ||
		    put(merge, input->records, input->count) != DMTRACE_OK)
			return merge->op->error.status;
	}
	free(input->records);
	free(input->keys);
	input->records = NULL;
	input->keys = NULL;
	return DMTRACE_OK;
}

/* Together they fit a cache, unless there are very many inputs. */
static size_t
choose_chunk(size_t count)
{
	const size_t chunk = CHUNKS / count;

	return chunk < CHUNK_MIN ? CHUNK_MIN :
	    chunk > CHUNK_MAX ? CHUNK_MAX : chunk;
}

enum dmtrace_status
dmt_merge_records(struct dmt_merge *merge)
{
	merge->chunk = choose_chunk(merge->count);
	if (merge->result.by_time)
		return put_by_time(merge);
	merge->result.late = 0;
	for (size_t i = 0; i < merge->count; i++)
		if (put_input(merge, &merge->inputs[i]) != DMTRACE_OK)
			return merge->op->error.status;
	merge->result.late = 0;
	return DMTRACE_OK;
}
