/* chunk.c - as many records as memory holds, sorted there */

#include "ops/chunk.h"

#include <stdlib.h>

#include "base/array.h"

enum {
	DIGIT_BITS = 8,
	DIGITS = 1 << DIGIT_BITS
};

bool
dmt_chunk_init(struct dmt_chunk *chunk, const struct dmtrace_layout *layout,
    uint64_t memory, uint64_t total)
{
	const size_t numbers = dmt_layout_thread_numbers(layout);
	uint64_t capacity = memory /
	    (layout->record_size + 2 * sizeof(*chunk->items));

	if (capacity > total)
		capacity = total;
	if (capacity > UINT32_MAX)
		capacity = UINT32_MAX;
	if (capacity == 0)
		capacity = 1;
	*chunk = (struct dmt_chunk){
		.layout = layout,
		.capacity = (size_t)capacity,
		.keys.clocks = dmt_clocks_new(layout),
		.keys.tops = dmt_array_new(numbers, sizeof(uint64_t)),
		.records = dmt_array_new((size_t)capacity,
		    layout->record_size),
		.items = dmt_array_new((size_t)capacity,
		    sizeof(*chunk->items)),
		.spare = dmt_array_new((size_t)capacity,
		    sizeof(*chunk->spare)),
	};
	return chunk->keys.clocks != NULL && chunk->keys.tops != NULL &&
	    chunk->records != NULL && chunk->items != NULL &&
	    chunk->spare != NULL;
}

void
dmt_chunk_fini(struct dmt_chunk *chunk)
{
	dmt_clocks_free(chunk->keys.clocks);
	free(chunk->keys.tops);
	free(chunk->records);
	free(chunk->items);
	free(chunk->spare);
	*chunk = (struct dmt_chunk){ 0 };
}

/* For struct dmt_watch: all was told when the records were read first. */
static void
tell_nobody(void *context, unsigned oddities, size_t index)
{
	(void)context;
	(void)oddities;
	(void)index;
}

DMT_INLINE size_t
find_keys(const void *context, const struct dmtrace_layout *layout)
{
	struct dmt_chunk *const chunk = *(struct dmt_chunk *const *)context;
	const struct dmt_watch watch = { tell_nobody, NULL };
	const uint8_t *in = chunk->records;
	size_t i;

	for (i = 0; i < chunk->count; i++) {
		chunk->items[i].key =
		    dmt_sort_key(&chunk->keys, layout, in, i, &watch);
		chunk->items[i].index = (uint32_t)i;
		in += layout->record_size;
	}
	return i;
}

/* Moves the items to the spare ones, by one digit of their keys. */
static void
move(struct dmt_chunk *chunk, uint64_t least, unsigned shift)
{
	struct dmt_chunk_item *const from = chunk->items;
	struct dmt_chunk_item *const to = chunk->spare;
	size_t places[DIGITS] = { 0 };
	size_t place = 0;

	for (size_t i = 0; i < chunk->count; i++)
		places[(from[i].key - least) >> shift & (DIGITS - 1)]++;
	for (size_t digit = 0; digit < DIGITS; digit++) {
		const size_t count = places[digit];

		places[digit] = place;
		place += count;
	}
	for (size_t i = 0; i < chunk->count; i++)
		to[places[(from[i].key - least) >> shift & (DIGITS - 1)]++] =
		    from[i];
	chunk->items = to;
	chunk->spare = from;
}

/* By the digits that differ, from the lowest on: each move is stable. */
static void
sort(struct dmt_chunk *chunk)
{
	uint64_t least = UINT64_MAX, most = 0;

	for (size_t i = 0; i < chunk->count; i++) {
		if (chunk->items[i].key < least)
			least = chunk->items[i].key;
		if (chunk->items[i].key > most)
			most = chunk->items[i].key;
	}
	if (chunk->count == 0)
		return;
	for (unsigned shift = 0; shift < 64 && (most - least) >> shift > 0;
	    shift += DIGIT_BITS)
		move(chunk, least, shift);
}

enum dmtrace_status
dmt_chunk_read(struct dmt_chunk *chunk, struct dmt_replay *replay,
    uint64_t at, size_t count)
{
	const size_t size = chunk->layout->record_size;

	chunk->count = count;
	if (dmt_replay_read(replay, at * size, chunk->records,
	    count * size) != DMTRACE_OK)
		return replay->error.status;
	dmt_loop(find_keys, &chunk, chunk->layout);
	sort(chunk);
	return DMTRACE_OK;
}
