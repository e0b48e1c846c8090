/* blocks.h - buffers full of records, and how many of them there may be */
#ifndef DMT_RECORD_BLOCKS_H
#define DMT_RECORD_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DMT_BLOCK_HEAD 64	/* bytes before the records, which the system
				   copies best from a line of the cache */

/* At the beginning of its pages; the records follow. */
struct dmt_block {
	struct dmt_block *next;
	size_t size;		/* bytes of all */
	size_t used;		/* bytes of records */
	uint32_t thread;	/* whose records they are */
};

/* A queue, the oldest first, and the account of all blocks that there are,
 * in it or not. */
struct dmt_blocks {
	struct dmt_block *first;
	struct dmt_block *last;
	size_t total;		/* bytes */
	size_t limit;
};

static inline uint8_t *
dmt_block_bytes(struct dmt_block *block)
{
	return (uint8_t *)block + DMT_BLOCK_HEAD;
}

/* NULL: no memory, or over the limit. */
struct dmt_block *
dmt_block_new(struct dmt_blocks *blocks, size_t size);

/* NULL is allowed. */
void
dmt_block_free(struct dmt_blocks *blocks, struct dmt_block *block);

/* Gives back the pages that no record of the block is on. */
void
dmt_block_trim(struct dmt_blocks *blocks, struct dmt_block *block);

void
dmt_blocks_push(struct dmt_blocks *blocks, struct dmt_block *block);

/* The oldest, out of the queue; NULL: it is empty. */
struct dmt_block *
dmt_blocks_shift(struct dmt_blocks *blocks);

#endif
