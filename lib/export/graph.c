/* graph.c - which methods and calls of a profile are in a graph */

#include "export/graph.h"

#include <stdlib.h>

#include "base/array.h"
#include "private/export.h"

/* Whether a method may be in the graph: it was called, and long enough. */
static void
allow_node(const struct dmt_graph *graph, uint8_t *allowed)
{
	allowed[DMTRACE_PROFILE_TOP] = 1;
	for (size_t i = 0; i < graph->count; i++)
		allowed[graph->items[i].index] = (uint8_t)dmt_is_long(
		    dmt_graph_time(graph, &graph->items[i].method),
		    graph->total_ns, graph->options->threshold);
}

/* What is outside of methods calls them all: no way leads over it. */
static bool
reaches_threshold(const struct dmt_graph *graph, uint32_t from, uint32_t hop)
{
	return graph->far[from] == hop - 1 &&
	    (from != DMTRACE_PROFILE_TOP || hop == 1);
}

/* Those that are hop calls away, after those that are less. Returns whether
 * there are any. */
static bool
spread_marks(struct dmt_graph *graph, const uint8_t *allowed, uint32_t hop)
{
	struct dmt_link_walk walk = { graph->profile, graph->table, 0 };
	struct dmtrace_profile_edge link;
	bool any = false;

	while (dmt_link_next(&walk, &link)) {
		const uint32_t ends[2] = { link.caller, link.callee };

		for (int i = 0; i < 2; i++) {
			uint32_t *const far = &graph->far[ends[!i]];

			if (*far != DMT_FAR || !allowed[ends[!i]] ||
			    !reaches_threshold(graph, ends[i], hop))
				continue;
			*far = hop;
			any = true;
		}
	}
	return any;
}

static void
mark_around(struct dmt_graph *graph, const uint8_t *allowed)
{
	const struct dmt_dot_options *const options = graph->options;

	for (size_t i = 0; i < options->around_count; i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(graph->profile, graph->table,
		    options->around[i], &method);
		if (method.calls + method.recursive_calls > 0 ||
		    options->around[i] == DMTRACE_PROFILE_TOP)
			graph->far[options->around[i]] = 0;
	}
	for (uint32_t hop = 1; hop != 0 && hop <= options->hops; hop++)
		if (!spread_marks(graph, allowed, hop))
			return;
}

/* Which methods are in the graph. */
static bool
mark_nodes(struct dmt_graph *graph)
{
	const size_t methods = dmtrace_profile_method_count(graph->profile);
	uint8_t *const allowed = dmt_array_new(methods, 1);

	if (allowed == NULL)
		return false;
	allow_node(graph, allowed);
	for (size_t i = 0; i < methods; i++)
		graph->far[i] = graph->options->around == NULL &&
		    allowed[i] ? 0 : DMT_FAR;
	if (graph->options->around != NULL)
		mark_around(graph, allowed);
	free(allowed);
	for (size_t i = 0; i < graph->count; i++)
		graph->shown += graph->far[graph->items[i].index] != DMT_FAR;
	return true;
}

static void
find_most_calls(struct dmt_graph *graph)
{
	struct dmt_link_walk walk = { graph->profile, graph->table, 0 };
	struct dmtrace_profile_edge link;

	while (dmt_graph_next(graph, &walk, &link))
		if (link.calls > graph->most_calls)
			graph->most_calls = link.calls;
}

bool
dmt_graph_choose(struct dmt_graph *graph, size_t table)
{
	graph->table = table;
	graph->shown = 0;
	graph->most_calls = 0;
	dmtrace_profile_method_get(graph->profile, table,
	    DMTRACE_PROFILE_TOP, &graph->top);
	graph->total_ns = dmt_graph_time(graph, &graph->top);
	graph->far = dmt_array_new(
	    dmtrace_profile_method_count(graph->profile),
	    sizeof(*graph->far));
	graph->items = dmt_items(graph->profile, table,
	    graph->clock, DMT_HTML_INCLUSIVE, &graph->count);
	if (graph->far == NULL || graph->items == NULL || !mark_nodes(graph))
		return false;
	find_most_calls(graph);
	return true;
}

void
dmt_graph_fini(struct dmt_graph *graph)
{
	free(graph->items);
	free(graph->far);
	graph->items = NULL;
	graph->far = NULL;
}

bool
dmt_graph_next(const struct dmt_graph *graph, struct dmt_link_walk *walk,
    struct dmtrace_profile_edge *link)
{
	while (dmt_link_next(walk, link))
		if (dmt_graph_has(graph, link->caller) &&
		    dmt_graph_has(graph, link->callee))
			return true;
	return false;
}
