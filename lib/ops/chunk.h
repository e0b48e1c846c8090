/* chunk.h - as many records as memory holds, sorted there */
#ifndef DMT_OPS_CHUNK_H
#define DMT_OPS_CHUNK_H

#include "ops/sort_key.h"
#include "trace/replay.h"

struct dmt_chunk_item {
	uint64_t key;
	uint32_t index;			/* of its record */
};

struct dmt_chunk {
	const struct dmtrace_layout *layout;
	struct dmt_sort_keys keys;
	size_t capacity;		/* records */
	size_t count;
	uint8_t *records;		/* as they were read */
	struct dmt_chunk_item *items;	/* in their order */
	struct dmt_chunk_item *spare;
};

/*
 * A chunk that takes about memory bytes, and no more than total records need.
 * false: no memory. In any case end it with dmt_chunk_fini.
 */
bool
dmt_chunk_init(struct dmt_chunk *chunk, const struct dmtrace_layout *layout,
    uint64_t memory, uint64_t total);

/* Reads count records, at most the capacity, from the at-th on, and sorts
 * them. All chunks of a trace are read in their order. */
enum dmtrace_status
dmt_chunk_read(struct dmt_chunk *chunk, struct dmt_replay *replay,
    uint64_t at, size_t count);

static inline const uint8_t *
dmt_chunk_record(const struct dmt_chunk *chunk, size_t place)
{
	return chunk->records + (size_t)chunk->items[place].index *
	    chunk->layout->record_size;
}

void
dmt_chunk_fini(struct dmt_chunk *chunk);

#endif
