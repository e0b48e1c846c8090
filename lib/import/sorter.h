/* sorter.h - sorts any number of items in bounded memory */
#ifndef DMT_IMPORT_SORTER_H
#define DMT_IMPORT_SORTER_H

#include <stdbool.h>

#include "trace/spool.h"

/* Compares two items, as for qsort; never 0 for different items, so that the
 * order does not depend on the size of blocks. */
typedef int
dmt_sorter_compare(const void *a, const void *b);

/* A sorted part of the spool that is being read. */
struct dmt_sorter_run {
	uint64_t at, end;		/* bytes of the spool not yet read */
	uint8_t *items;			/* read ahead: items[next] to
					   items[count - 1] */
	size_t next, count;
};

struct dmt_sorter {
	dmt_sorter_compare *compare;
	size_t item_size;
	size_t block;			/* items that are sorted in memory */
	uint8_t *items;
	size_t count, capacity;
	size_t next;			/* to be returned, if there are no
					   runs */
	bool ordered;			/* the items in memory are in order */
	uint64_t total;			/* items that were added */
	struct dmt_spool spool;
	uint8_t *last;			/* item of the last run */
	struct dmt_sorter_run *runs;
	size_t run_count, run_capacity;
	size_t *heap;			/* runs, by their next item */
	size_t heap_count;
	bool started;			/* the item of heap[0] was returned */
	struct dmtrace_error error;	/* the first failure */
};

/* Sorts with that many bytes of memory, and about as many more for reading. */
void
dmt_sorter_init(struct dmt_sorter *sorter, size_t item_size,
    dmt_sorter_compare *compare, size_t memory);

/* Adds an item, which is copied. false: it failed, see error. */
bool
dmt_sorter_add(struct dmt_sorter *sorter, const void *item);

/* Ends the adding. false: it failed. */
bool
dmt_sorter_finish(struct dmt_sorter *sorter);

/* Returns the next item in order, valid until the next call; NULL: there are no
 * more, or it failed. */
const void *
dmt_sorter_next(struct dmt_sorter *sorter);

void
dmt_sorter_fini(struct dmt_sorter *sorter);

#endif
