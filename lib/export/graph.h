/* graph.h - which methods and calls of a profile are in a graph */
#ifndef DMT_EXPORT_GRAPH_H
#define DMT_EXPORT_GRAPH_H

#include <stdbool.h>

#include "export/items.h"
#include "private/export.h"

#define DMT_FAR UINT32_MAX	/* not in the graph */

/* The graph of one table of a profile. */
struct dmt_graph {
	const struct dmtrace_profile *profile;
	const struct dmt_dot_options *options;
	enum dmtrace_profile_clock clock;
	size_t table;			/* 0: all threads */
	const uint32_t *references;	/* by method */
	uint32_t *far;			/* hops to each method, or DMT_FAR */
	struct dmt_item *items;
	size_t count;
	size_t shown;			/* of the items */
	struct dmtrace_profile_method top;
	int64_t total_ns;
	uint64_t most_calls;		/* of an edge */
};

/* Chooses what is in the graph of a table; references are in it already. Free
 * items and far with dmt_graph_fini in any case. false: no memory. */
bool
dmt_graph_choose(struct dmt_graph *graph, size_t table);
void
dmt_graph_fini(struct dmt_graph *graph);

static inline bool
dmt_graph_has(const struct dmt_graph *graph, uint32_t method)
{
	return graph->far[method] != DMT_FAR;
}

static inline int64_t
dmt_graph_time(const struct dmt_graph *graph,
    const struct dmtrace_profile_method *method)
{
	return method->inclusive_ns[graph->clock];
}

/* The next call between two that are in it; false: there is none. */
bool
dmt_graph_next(const struct dmt_graph *graph, struct dmt_link_walk *walk,
    struct dmtrace_profile_edge *link);

#endif
