/* export_dot.c - the call graph of a profile, for Graphviz */

#include <dmtrace/export.h>

#include <inttypes.h>
#include <stdlib.h>

#include "export/graph.h"
#include "export/put.h"
#include "private/export.h"
#include "private/sink.h"
#include "profile/profile.h"

#define LABEL_MAX 160		/* bytes of a class or name in the picture */

/* Of each in a tooltip. Graphviz refuses a string of more than 16,384 bytes,
 * and an escaped byte takes five of them at most. */
#define TOOLTIP_MAX 1000

static struct dmt_dot_options
with_defaults(const struct dmt_dot_options *options)
{
	struct dmt_dot_options all = { 0 };

	if (options != NULL)
		all = *options;
	if (all.threshold == 0)
		all.threshold = 0.5;
	if (all.hops == 0)
		all.hops = 1;
	else if (all.hops == DMTRACE_NONE)
		all.hops = 0;
	return all;
}

/* node3, or thread1node3 */
static void
put_node_name(const struct dmt_graph *graph, struct dmt_sink *sink,
    uint32_t method)
{
	if (graph->table > 0)
		dmt_put_format(sink, "thread%zu", graph->table);
	dmt_put_format(sink, "node%" PRIu32, graph->references[method]);
}

/* "100 us (66.7 %)": of the total. */
static void
put_dot_time(const struct dmt_graph *graph, struct dmt_sink *sink, int64_t ns)
{
	dmt_put_duration(sink, ns);
	dmt_put(sink, " (");
	dmt_put_share(sink, ns, graph->total_ns);
	dmt_put(sink, ")");
}

/* The name, inclusive and exclusive time, and calls if it has any. */
static void
put_dot_label(const struct dmt_graph *graph, struct dmt_sink *sink,
    const struct dmtrace_profile_method *method)
{
	dmt_put(sink, " [label=\"");
	dmt_put_method(sink, DMT_PUT_DOT, method, LABEL_MAX);
	dmt_put(sink, "\\n");
	put_dot_time(graph, sink, dmt_graph_time(graph, method));
	dmt_put(sink, "\\nself ");
	put_dot_time(graph, sink, method->exclusive_ns[graph->clock]);
	if (method->calls + method->recursive_calls > 0) {
		dmt_put(sink, "\\n");
		dmt_put_count(sink, method->calls + method->recursive_calls,
		    "call");
	}
	if (method->recursive_calls > 0)
		dmt_put_format(sink, ", %" PRIu64 " recursive",
		    method->recursive_calls);
	dmt_put(sink, "\"");
}

/* A saturation, in thousandths: twice the share of the total, up to 0.7. */
static unsigned
share_to_redness(const struct dmt_graph *graph, int64_t ns)
{
	const double part = graph->total_ns <= 0 || ns <= 0 ? 0 :
	    2000.0 * (double)ns / (double)graph->total_ns;

	return part > 700 ? 700 : (unsigned)part;
}

/* The more of the total time is its own, the redder, up to 35 %. */
static void
put_node(const struct dmt_graph *graph, struct dmt_sink *sink,
    uint32_t index, const struct dmtrace_profile_method *method)
{
	put_node_name(graph, sink, index);
	put_dot_label(graph, sink, method);
	dmt_put(sink, ", tooltip=\"");
	dmt_put_method(sink, DMT_PUT_DOT, method, TOOLTIP_MAX);
	if (method->signature.len > 0)
		dmt_put(sink, " ");
	dmt_put_name(sink, DMT_PUT_DOT, method->signature, TOOLTIP_MAX);
	dmt_put_format(sink, "\", fillcolor=\"0.050 0.%03u 1.000\"];\n",
	    share_to_redness(graph, method->exclusive_ns[graph->clock]));
}

static unsigned
count_bits(uint64_t number)
{
	unsigned count = 0;

	for (; number > 0; number /= 2)
		count++;
	return count;
}

/* The line is wider each time that calls double: 1 point to 5. */
static void
put_edge(const struct dmt_graph *graph, struct dmt_sink *sink,
    const struct dmtrace_profile_edge *link)
{
	const unsigned most = count_bits(graph->most_calls);
	const unsigned tenths = most < 2 ? 10 :
	    10 + 40 * (count_bits(link->calls) - 1) / (most - 1);

	put_node_name(graph, sink, link->caller);
	dmt_put(sink, " -> ");
	put_node_name(graph, sink, link->callee);
	dmt_put(sink, " [label=\"");
	dmt_put_count(sink, link->calls, "call");
	dmt_put(sink, "\\n");
	if (link->callee_recursive)
		dmt_put(sink, "recursive");
	else
		put_dot_time(graph, sink,
		    link->inclusive_ns[graph->clock]);
	dmt_put_format(sink, "\", penwidth=%u.%u];\n", tenths / 10,
	    tenths % 10);
}

static void
put_graph(const struct dmt_graph *graph, struct dmt_sink *sink)
{
	struct dmt_link_walk walk = { graph->profile, graph->table, 0 };
	struct dmtrace_profile_edge link;

	if (dmt_graph_has(graph, DMTRACE_PROFILE_TOP))
		put_node(graph, sink, DMTRACE_PROFILE_TOP, &graph->top);
	for (size_t i = 0; i < graph->count; i++)
		if (dmt_graph_has(graph, graph->items[i].index))
			put_node(graph, sink, graph->items[i].index,
			    &graph->items[i].method);
	while (dmt_graph_next(graph, &walk, &link))
		put_edge(graph, sink, &link);
}

/* A thread of which no method is shown has none. */
static void
put_cluster(const struct dmt_graph *graph, struct dmt_sink *sink)
{
	struct dmtrace_profile_thread thread;

	if (graph->shown == 0)
		return;
	dmtrace_profile_thread_get(graph->profile, graph->table - 1, &thread);
	dmt_put_format(sink, "subgraph cluster%zu {\nlabel=\"", graph->table);
	dmt_put_name(sink, DMT_PUT_DOT, thread.name, LABEL_MAX);
	dmt_put_format(sink, "%s(%" PRIu32 ")\";\n",
	    thread.name.len > 0 ? " " : "", thread.number);
	put_graph(graph, sink);
	dmt_put(sink, "}\n");
}

static bool
put_table(struct dmt_graph *graph, struct dmt_sink *sink, size_t table)
{
	const bool fine = dmt_graph_choose(graph, table);

	if (fine && table > 0)
		put_cluster(graph, sink);
	else if (fine)
		put_graph(graph, sink);
	dmt_graph_fini(graph);
	return fine;
}

/* All threads together, or each of them. */
static bool
put_dot_tables(struct dmt_graph *graph, struct dmt_sink *sink, size_t *shown)
{
	const size_t threads = dmtrace_profile_thread_count(graph->profile);
	const bool each = graph->options->per_thread;
	bool fine = true;

	for (size_t i = each; fine && i <= (each ? threads : 0); i++) {
		fine = put_table(graph, sink, i);
		*shown += graph->shown;
	}
	return fine;
}

static enum dmtrace_status
check_dot_options(const struct dmtrace_profile *profile,
    const struct dmt_dot_options *options)
{
	const unsigned needed = DMTRACE_PROFILE_EDGES |
	    (options->per_thread ? DMTRACE_PROFILE_THREADS : 0);

	if ((profile->keep & needed) != needed || profile->method_count == 0)
		return DMTRACE_ERR_STATE;
	for (size_t i = 0; i < options->around_count; i++)
		if (options->around[i] >= profile->method_count)
			return DMTRACE_ERR_RANGE;
	return DMTRACE_OK;
}

/* What figures and colours mean, below the graph. */
static void
put_legend(const struct dmtrace_profile *profile,
    const struct dmt_dot_options *options, struct dmt_sink *sink)
{
	const enum dmtrace_profile_clock clock =
	    dmt_profile_clock(options->clock);

	dmt_put(sink, "label=\"box: method, inclusive ");
	dmt_put(sink, clock == DMTRACE_PROFILE_WALL ? "wall" :
	    "CPU");
	dmt_put(sink, " time, time in itself, calls; redder: more in itself"
	    "\\narrow: calls and their time; wider: more calls\\n");
	dmt_put(sink, options->per_thread ? "percentages are of the thread's "
	    "time" : "percentages are of ");
	if (!options->per_thread) {
		dmt_put_duration(sink,
		    profile->summary.total_ns[clock]);
		dmt_put(sink, ", the sum over ");
		dmt_put_count(sink, profile->thread_count, "thread");
	}
	if (options->threshold > 0) {
		dmt_put(sink, "; methods below ");
		dmt_put_parts(sink, options->threshold * 100, 100);
		dmt_put(sink, " % are left out");
	}
	if (profile->summary.lower_bounds)
		dmt_put(sink, "\\nthe buffer was full: calls and times are "
		    "lower bounds");
	dmt_put(sink, "\";\n");
}

enum dmtrace_status
dmt_export_dot(const struct dmtrace_profile *profile,
    const struct dmt_dot_options *options, struct dmt_sink *sink,
    size_t *shown)
{
	const struct dmt_dot_options all = with_defaults(options);
	const enum dmtrace_status status = check_dot_options(profile, &all);
	size_t count = 0;

	if (status != DMTRACE_OK)
		return status;
	const enum dmtrace_profile_clock clock = dmt_profile_clock(all.clock);
	uint32_t *const references = dmt_references(profile, clock);
	struct dmt_graph graph = {
		.profile = profile, .options = &all, .clock = clock,
		.references = references
	};
	if (references == NULL)
		return DMTRACE_ERR_MEMORY;
	dmt_put(sink, "digraph dmtrace {\n"
	    "graph [charset=\"UTF-8\", fontname=\"sans-serif\", "
	    "fontsize=9];\n"
	    "node [shape=box, style=filled, fontname=\"sans-serif\", "
	    "fontsize=10];\n"
	    "edge [fontname=\"sans-serif\", fontsize=8, "
	    "color=\"#606060\"];\n");
	put_legend(profile, &all, sink);
	const bool fine = put_dot_tables(&graph, sink, &count);
	dmt_put(sink, "}\n");
	free(references);
	if (fine && shown != NULL)
		*shown = count;
	return fine ? DMTRACE_OK : DMTRACE_ERR_MEMORY;
}
