/* runs.c - runs of records that are in order each */

#include "ops/runs.h"

#include <stdlib.h>

#include "base/array.h"

/* A key of the index-th run. */
struct edge {
	uint64_t key;
	size_t index;
};

bool
dmt_runs_add(struct dmt_runs *runs, const struct dmt_run *run)
{
	struct dmt_run *const grown = dmt_array_grow(runs->items,
	    &runs->capacity, runs->count + 1, sizeof(*grown));

	if (grown == NULL)
		return false;
	runs->items = grown;
	runs->items[runs->count++] = *run;
	return true;
}

static int
compare(const void *a, const void *b)
{
	const struct edge *const left = a, *const right = b;

	if (left->key != right->key)
		return left->key < right->key ? -1 : 1;
	return left->index < right->index ? -1 : left->index > right->index;
}

/* Where both edges are the same, a run begins before another ends. */
static size_t
most_open(const struct edge *firsts, const struct edge *lasts, size_t count)
{
	size_t ended = 0, most = 0;

	for (size_t begun = 1; begun <= count; begun++) {
		while (lasts[ended].key < firsts[begun - 1].key)
			ended++;
		if (begun - ended > most)
			most = begun - ended;
	}
	return most;
}

/* edges has room for two of each run. */
static void
fill(struct edge *edges, const struct dmt_runs *runs)
{
	for (size_t i = 0; i < runs->count; i++) {
		edges[i] = (struct edge){ runs->items[i].first, i };
		edges[runs->count + i] =
		    (struct edge){ runs->items[i].last, i };
	}
	qsort(edges, runs->count, sizeof(*edges), compare);
	qsort(edges + runs->count, runs->count, sizeof(*edges), compare);
}

size_t *
dmt_runs_order(const struct dmt_runs *runs, size_t *overlap)
{
	struct edge *const edges =
	    dmt_array_new(runs->count, 2 * sizeof(*edges));
	size_t *const order = dmt_array_new(runs->count, sizeof(*order));

	if (edges == NULL || order == NULL) {
		free(edges);
		free(order);
		return NULL;
	}
	fill(edges, runs);
	*overlap = most_open(edges, edges + runs->count, runs->count);
	for (size_t i = 0; i < runs->count; i++)
		order[i] = edges[i].index;
	free(edges);
	return order;
}

void
dmt_runs_fini(struct dmt_runs *runs)
{
	free(runs->items);
	*runs = (struct dmt_runs){ 0 };
}
