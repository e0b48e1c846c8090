/* blocks.c - buffers full of records, and how many of them there may be */

#include "record/blocks.h"

#include "record/system.h"

struct dmt_block *
dmt_block_new(struct dmt_blocks *blocks, size_t size)
{
	if (size > blocks->limit || blocks->total > blocks->limit - size)
		return NULL;
	struct dmt_block *block = dmt_pages_new(size);
	if (block == NULL)
		return NULL;
	block->size = size;
	blocks->total += size;
	return block;
}

void
dmt_block_free(struct dmt_blocks *blocks, struct dmt_block *block)
{
	if (block == NULL)
		return;
	blocks->total -= block->size;
	dmt_pages_free(block, block->size);
}

void
dmt_block_trim(struct dmt_blocks *blocks, struct dmt_block *block)
{
	const size_t size = dmt_pages_trim(block, block->size,
	    DMT_BLOCK_HEAD + block->used);

	blocks->total -= block->size - size;
	block->size = size;
}

void
dmt_blocks_push(struct dmt_blocks *blocks, struct dmt_block *block)
{
	block->next = NULL;
	if (blocks->last == NULL)
		blocks->first = block;
	else
		blocks->last->next = block;
	blocks->last = block;
}

struct dmt_block *
dmt_blocks_shift(struct dmt_blocks *blocks)
{
	struct dmt_block *block = blocks->first;

	if (block == NULL)
		return NULL;
	blocks->first = block->next;
	if (blocks->first == NULL)
		blocks->last = NULL;
	return block;
}
