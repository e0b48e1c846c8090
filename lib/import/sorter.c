/* sorter.c - sorts any number of items in bounded memory */

/*
 * Items fill a block of memory. A full block is sorted and appended to a spool
 * as a run; if it follows the previous run in order, it extends that run, so
 * that items which come in order make a single one, read back sequentially. At
 * the end a heap of the runs returns the least of their next items. Each item
 * is written and read once. If one block was enough, there is no spool.
 *
 * "dmtrace sort" has runs of records, whose keys are times and whose merger
 * returns batches of events; what is sorted here are not yet events, and by
 * more than a time.
 */

#include "import/sorter.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

#define READ_MIN 4096			/* bytes that a run reads ahead */

void
dmt_sorter_init(struct dmt_sorter *sorter, size_t item_size,
    dmt_sorter_compare *compare, size_t memory)
{
	*sorter = (struct dmt_sorter){
		.compare = compare, .item_size = item_size,
		.block = memory / item_size, .ordered = true
	};
	dmt_spool_init(&sorter->spool);
}

static bool
fail_memory(struct dmt_sorter *sorter)
{
	dmt_error_memory(&sorter->error);
	return false;
}

static uint8_t *
item_at(const struct dmt_sorter *sorter, size_t index)
{
	return sorter->items + index * sorter->item_size;
}

static void
sort_items(struct dmt_sorter *sorter)
{
	if (!sorter->ordered)
		qsort(sorter->items, sorter->count, sorter->item_size,
		    sorter->compare);
	sorter->ordered = true;
}

/* Appends the items in memory to the spool: to the last run, if they follow
 * it in order. */
static bool
spool_block(struct dmt_sorter *sorter)
{
	const size_t size = sorter->item_size;

	sort_items(sorter);
	if (sorter->run_count == 0) {
		sorter->last = malloc(size);
		if (sorter->last == NULL)
			return fail_memory(sorter);
		if (dmt_spool_open(&sorter->spool, NULL) != DMTRACE_OK) {
			sorter->error = sorter->spool.error;
			return false;
		}
	}
	if (sorter->run_count == 0 ||
	    sorter->compare(sorter->last, sorter->items) > 0) {
		struct dmt_sorter_run *const runs = dmt_array_grow(
		    sorter->runs, &sorter->run_capacity,
		    sorter->run_count + 1, sizeof(*runs));

		if (runs == NULL)
			return fail_memory(sorter);
		sorter->runs = runs;
		runs[sorter->run_count++] = (struct dmt_sorter_run){
			.at = dmt_spool_len(&sorter->spool)
		};
	}
	memcpy(sorter->last, item_at(sorter, sorter->count - 1), size);
	dmt_output_write(&sorter->spool.output, sorter->items,
	    sorter->count * size);
	sorter->runs[sorter->run_count - 1].end =
	    dmt_spool_len(&sorter->spool);
	sorter->count = 0;
	if (sorter->spool.output.error.status == DMTRACE_OK)
		return true;
	sorter->error = sorter->spool.output.error;
	return false;
}

bool
dmt_sorter_add(struct dmt_sorter *sorter, const void *item)
{
	if (sorter->error.status != DMTRACE_OK ||
	    (sorter->count > 0 && sorter->count >= sorter->block &&
	    !spool_block(sorter)))
		return false;
	uint8_t *const items = dmt_array_grow(sorter->items,
	    &sorter->capacity, sorter->count + 1, sorter->item_size);
	if (items == NULL)
		return fail_memory(sorter);
	sorter->items = items;
	sorter->ordered = sorter->ordered && (sorter->count == 0 ||
	    sorter->compare(item_at(sorter, sorter->count - 1), item) <= 0);
	memcpy(item_at(sorter, sorter->count), item, sorter->item_size);
	sorter->count++;
	sorter->total++;
	return true;
}

/* Reads the next items of a run if those in memory were returned. false: the
 * run is at its end, or it failed. */
static bool
fill_run(struct dmt_sorter *sorter, struct dmt_sorter_run *run)
{
	const size_t size = sorter->item_size;
	const size_t room = sorter->block * size / sorter->run_count;
	const size_t most = (room < READ_MIN ? READ_MIN : room) / size;
	const uint64_t left = (run->end - run->at) / size;

	if (run->next < run->count)
		return true;
	run->next = 0;
	run->count = left < most ? (size_t)left : most;
	if (run->count == 0)
		return false;
	if (run->items == NULL)
		run->items = dmt_array_new(run->count, size);
	if (run->items == NULL)
		return fail_memory(sorter);
	if (dmt_spool_read(&sorter->spool, run->at, run->items,
	    run->count * size) != DMTRACE_OK) {
		sorter->error = sorter->spool.error;
		return false;
	}
	run->at += run->count * size;
	return true;
}

static const uint8_t *
front_of(const struct dmt_sorter *sorter, size_t place)
{
	const struct dmt_sorter_run *const run =
	    &sorter->runs[sorter->heap[place]];

	return run->items + run->next * sorter->item_size;
}

/* Moves the run at a place of the heap down, until none below is less. */
static void
sink_run(struct dmt_sorter *sorter, size_t place)
{
	for (;;) {
		size_t least = 2 * place + 1;

		if (least >= sorter->heap_count)
			return;
		if (least + 1 < sorter->heap_count && sorter->compare(
		    front_of(sorter, least + 1), front_of(sorter, least)) < 0)
			least++;
		if (sorter->compare(front_of(sorter, place),
		    front_of(sorter, least)) <= 0)
			return;
		const size_t run = sorter->heap[place];
		sorter->heap[place] = sorter->heap[least];
		sorter->heap[least] = run;
		place = least;
	}
}

bool
dmt_sorter_finish(struct dmt_sorter *sorter)
{
	if (sorter->error.status != DMTRACE_OK)
		return false;
	if (sorter->run_count == 0) {
		sort_items(sorter);
		return true;
	}
	if (!spool_block(sorter))
		return false;
	free(sorter->items);
	sorter->items = NULL;
	sorter->capacity = 0;
	if (dmt_spool_finish(&sorter->spool) != DMTRACE_OK) {
		sorter->error = sorter->spool.error;
		return false;
	}
	sorter->heap = dmt_array_new(sorter->run_count, sizeof(size_t));
	if (sorter->heap == NULL)
		return fail_memory(sorter);
	for (size_t i = 0; i < sorter->run_count; i++)
		if (fill_run(sorter, &sorter->runs[i]))
			sorter->heap[sorter->heap_count++] = i;
	for (size_t i = sorter->heap_count; i > 0; i--)
		sink_run(sorter, i - 1);
	return sorter->error.status == DMTRACE_OK;
}

const void *
dmt_sorter_next(struct dmt_sorter *sorter)
{
	if (sorter->error.status != DMTRACE_OK)
		return NULL;
	if (sorter->run_count == 0)
		return sorter->next == sorter->count ? NULL :
		    item_at(sorter, sorter->next++);
	if (sorter->started && sorter->heap_count > 0) {
		struct dmt_sorter_run *const run =
		    &sorter->runs[sorter->heap[0]];

		run->next++;
		if (!fill_run(sorter, run))
			sorter->heap[0] = sorter->heap[--sorter->heap_count];
		sink_run(sorter, 0);
	}
	sorter->started = true;
	return sorter->heap_count == 0 || sorter->error.status != DMTRACE_OK ?
	    NULL : front_of(sorter, 0);
}

void
dmt_sorter_fini(struct dmt_sorter *sorter)
{
	for (size_t i = 0; i < sorter->run_count; i++)
		free(sorter->runs[i].items);
	free(sorter->runs);
	free(sorter->heap);
	free(sorter->items);
	free(sorter->last);
	dmt_spool_fini(&sorter->spool);
	*sorter = (struct dmt_sorter){ .count = 0 };
}
