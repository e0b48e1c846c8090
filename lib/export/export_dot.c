/* export_dot.c - the call graph of a profile, for Graphviz */

/*
 * A graph shows one table of the profile: all threads together, or each thread
 * as a cluster. First the methods to show are chosen: hops[] is the number of
 * calls between a method and the nearest method that the user asked for (0 for
 * all methods if the user named none), or NOT_SHOWN. A method that was not
 * called, or whose share of the time is below the threshold, is never shown,
 * and paths through the top, which calls everything, do not count. Each round
 * visits all edges once, so h hops cost h rounds; graphs of more than a few
 * hops are not readable anyway. Then the methods and the edges between them are
 * printed, with line widths relative to the most frequent edge.
 */

#include <dmtrace/export.h>

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "export/graph_page.h"
#include "export/labels.h"
#include "private/export.h"
#include "private/output.h"
#include "private/put.h"
#include "private/text.h"
#include "profile/profile.h"

#define LABEL_MAX 160		/* bytes of a class or name in a label */

/* Bytes of a class or name in a tooltip. Graphviz refuses strings of more than
 * 16,384 bytes, and an escaped byte becomes five at most. */
#define TOOLTIP_MAX 1000

#define NOT_SHOWN UINT32_MAX

struct item {
	int64_t time_ns;		/* inclusive */
	uint32_t index;
	struct dmtrace_profile_method method;
};

struct link_walk {
	const struct dmtrace_profile *profile;
	size_t table;
	size_t next;
};

/* The graph of one table of a profile. */
struct dot_graph {
	const struct dmtrace_profile *profile;
	const struct dmt_dot_options *options;
	enum dmtrace_profile_clock clock;
	size_t table;			/* 0: all threads */
	const uint32_t *references;	/* by method */
	uint32_t *hops;			/* by method, or NOT_SHOWN */
	struct item *items;
	size_t count;
	size_t shown;			/* number of items */
	struct dmtrace_profile_method top;
	int64_t total_ns;
	size_t edges;			/* of all tables so far */
	uint64_t most_calls;		/* of any edge */
};

static int
compare_items(const void *left, const void *right)
{
	const struct item *const a = left, *const b = right;
	int order = (a->time_ns < b->time_ns) - (a->time_ns > b->time_ns);

	if (order == 0)
		order = dmt_text_compare(a->method.class_name,
		    b->method.class_name);
	if (order == 0)
		order = dmt_text_compare(a->method.name, b->method.name);
	if (order == 0)
		order = dmt_text_compare(a->method.signature,
		    b->method.signature);
	return order != 0 ? order : (a->index > b->index) -
	    (a->index < b->index);
}

/* Returns the methods of a table that were called, without the top, sorted by
 * falling inclusive time, then by name. To be freed. NULL: no memory. */
static struct item *
list_items(const struct dmtrace_profile *profile, size_t table,
    enum dmtrace_profile_clock clock, size_t *count)
{
	const size_t methods = dmtrace_profile_method_count(profile);
	struct item *const items =
	    dmt_array_new(methods > 0 ? methods : 1, sizeof(*items));
	size_t used = 0;

	if (items == NULL)
		return NULL;
	for (size_t i = DMTRACE_PROFILE_TOP + 1; i < methods; i++) {
		struct item *const item = &items[used];

		dmtrace_profile_method_get(profile, table, i, &item->method);
		if (item->method.calls + item->method.recursive_calls == 0)
			continue;
		item->index = (uint32_t)i;
		item->time_ns = item->method.inclusive_ns[clock];
		used++;
	}
	qsort(items, used, sizeof(*items), compare_items);
	*count = used;
	return items;
}

/* Returns the number of each method in node names: its rank, from 1 on, by
 * inclusive time in all threads; 0: it was not called. To be freed. NULL: no
 * memory. */
static uint32_t *
number_methods(const struct dmtrace_profile *profile,
    enum dmtrace_profile_clock clock)
{
	const size_t methods = dmtrace_profile_method_count(profile);
	size_t count;
	struct item *const items = list_items(profile, 0, clock,
	    &count);
	uint32_t *const references = items == NULL ? NULL :
	    dmt_array_new(methods > 0 ? methods : 1, sizeof(*references));

	for (size_t i = 0; references != NULL && i < count; i++)
		references[items[i].index] = (uint32_t)i + 1;
	free(items);
	return references;
}

/*
 * Gets the next link: the sum of all edges between one caller and one callee,
 * which differ in recursion only. inclusive_ns is the time of calls that are
 * not inside another call of the callee; callee_recursive: there are no such
 * calls. false: the end.
 */
static bool
next_link(struct link_walk *walk, struct dmtrace_profile_edge *link)
{
	const size_t count =
	    dmtrace_profile_edge_count(walk->profile, walk->table);
	struct dmtrace_profile_edge edge;
	bool found = false;

	for (; walk->next < count; walk->next++) {
		dmtrace_profile_edge_get(walk->profile, walk->table,
		    walk->next, &edge);
		if (!found)
			*link = (struct dmtrace_profile_edge){
				.caller = edge.caller, .callee = edge.callee,
				.caller_recursive = 1, .callee_recursive = 1
			};
		else if (edge.caller != link->caller ||
		    edge.callee != link->callee)
			break;
		found = true;
		link->calls += edge.calls;
		link->caller_recursive &= edge.caller_recursive;
		link->callee_recursive &= edge.callee_recursive;
		for (int i = 0; i < DMTRACE_PROFILE_CLOCKS &&
		    !edge.callee_recursive; i++)
			link->inclusive_ns[i] += edge.inclusive_ns[i];
		link->inclusive_partial |= edge.inclusive_partial;
	}
	return found;
}

/*
 * Runs one round: marks the methods that call, or are called by, one that is
 * hops - 1 calls away. Returns true if there are any.
 */
static bool
mark_neighbours(struct dot_graph *graph, const uint8_t *allowed,
    uint32_t hops)
{
	struct link_walk walk = { graph->profile, graph->table, 0 };
	struct dmtrace_profile_edge link;
	bool any = false;

	while (next_link(&walk, &link)) {
		const uint32_t ends[2] = { link.caller, link.callee };

		for (int i = 0; i < 2; i++) {
			const uint32_t from = ends[i], to = ends[!i];

			if (graph->hops[from] != hops - 1 ||
			    (from == DMTRACE_PROFILE_TOP && hops > 1) ||
			    graph->hops[to] != NOT_SHOWN || !allowed[to])
				continue;
			graph->hops[to] = hops;
			any = true;
		}
	}
	return any;
}

/* Fills hops and shown. false: no memory. */
static bool
choose_methods(struct dot_graph *graph)
{
	const struct dmt_dot_options *const options = graph->options;
	const size_t methods = dmtrace_profile_method_count(graph->profile);
	uint8_t *const allowed = dmt_array_new(methods, 1);
	struct dmtrace_profile_method method;

	if (allowed == NULL)
		return false;
	allowed[DMTRACE_PROFILE_TOP] = 1;
	for (size_t i = 0; i < graph->count; i++) {
		const int64_t ns = graph->items[i].time_ns;

		allowed[graph->items[i].index] = !(options->threshold > 0) ||
		    (ns > 0 && 100.0 * (double)ns >=
		    options->threshold * (double)graph->total_ns);
	}
	for (size_t i = 0; i < methods; i++)
		graph->hops[i] = options->around == NULL && allowed[i] ?
		    0 : NOT_SHOWN;

	/* A method that the user asked for is shown even if it took no time. */
	for (size_t i = 0; i < options->around_count; i++) {
		dmtrace_profile_method_get(graph->profile, graph->table,
		    options->around[i], &method);
		if (method.calls + method.recursive_calls > 0 ||
		    options->around[i] == DMTRACE_PROFILE_TOP)
			graph->hops[options->around[i]] = 0;
	}
	if (options->around != NULL)
		for (uint32_t hops = 1; hops != 0 && hops <= options->hops;
		    hops++)
			if (!mark_neighbours(graph, allowed, hops))
				break;
	free(allowed);
	for (size_t i = 0; i < graph->count; i++)
		graph->shown +=
		    graph->hops[graph->items[i].index] != NOT_SHOWN;
	return true;
}

/* Gets the next link between two methods that are shown; false: the end. */
static bool
next_shown_link(const struct dot_graph *graph, struct link_walk *walk,
    struct dmtrace_profile_edge *link)
{
	while (next_link(walk, link))
		if (graph->hops[link->caller] != NOT_SHOWN &&
		    graph->hops[link->callee] != NOT_SHOWN)
			return true;
	return false;
}

/* Writes "node3" or "thread1node3". */
static void
put_node_name(const struct dot_graph *graph, struct dmt_output *out,
    uint32_t method)
{
	if (graph->table > 0)
		dmt_put_format(out, "thread%zu", graph->table);
	dmt_put_format(out, "node%" PRIu32, graph->references[method]);
}

/* Writes "100 us (66.7 %)": the share of the total; or "at least 100 us" if it
 * is CPU time of which a part is not known. */
static void
put_dot_time(const struct dot_graph *graph, struct dmt_output *out, int64_t ns,
    int partial)
{
	const bool lacks = graph->clock == DMTRACE_PROFILE_CPU && partial;

	dmt_put(out, lacks ? "at least " : "");
	dmt_put_duration(out, ns);
	if (lacks || (graph->clock == DMTRACE_PROFILE_CPU &&
	    graph->top.inclusive_partial))
		return;
	dmt_put(out, " (");
	dmt_put_share(out, ns, graph->total_ns);
	dmt_put(out, ")");
}

/* Writes the name, inclusive and exclusive time, and the number of calls
 * unless it is 0. */
static void
put_dot_label(const struct dot_graph *graph, struct dmt_output *out,
    const struct dmtrace_profile_method *method)
{
	dmt_put(out, " [label=\"");
	dmt_put_method(out, DMT_PUT_DOT, method, LABEL_MAX);
	dmt_put(out, "\\n");
	put_dot_time(graph, out, method->inclusive_ns[graph->clock],
	    method->inclusive_partial);
	dmt_put(out, "\\nself ");
	put_dot_time(graph, out, method->exclusive_ns[graph->clock],
	    method->exclusive_partial);
	if (method->calls + method->recursive_calls > 0) {
		dmt_put(out, "\\n");
		dmt_put_count(out, method->calls + method->recursive_calls,
		    "call");
	}
	if (method->recursive_calls > 0)
		dmt_put_format(out, ", %" PRIu64 " recursive",
		    method->recursive_calls);
	dmt_put(out, "\"");
}

/* Returns a saturation in thousandths: twice the share of the total, at most
 * 0.7. */
static unsigned
share_to_redness(const struct dot_graph *graph, int64_t ns)
{
	const double part = graph->total_ns <= 0 || ns <= 0 ? 0 :
	    2000.0 * (double)ns / (double)graph->total_ns;

	return part > 700 ? 700 : (unsigned)part;
}

/* A method is the redder, the larger its share of exclusive time, up to 35
 * %. */
static void
put_node(const struct dot_graph *graph, struct dmt_output *out,
    uint32_t index, const struct dmtrace_profile_method *method)
{
	put_node_name(graph, out, index);
	put_dot_label(graph, out, method);
	dmt_put(out, ", tooltip=\"");
	dmt_put_method(out, DMT_PUT_DOT, method, TOOLTIP_MAX);
	if (method->signature.len > 0)
		dmt_put(out, " ");
	dmt_put_name(out, DMT_PUT_DOT, method->signature, TOOLTIP_MAX);
	dmt_put_format(out, "\", fillcolor=\"0.050 0.%03u 1.000\"];\n",
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

/* The line gets wider with each doubling of the calls: 1 point to 5. */
static void
put_edge(const struct dot_graph *graph, struct dmt_output *out,
    const struct dmtrace_profile_edge *link)
{
	const unsigned most = count_bits(graph->most_calls);
	const unsigned tenths = most < 2 ? 10 :
	    10 + 40 * (count_bits(link->calls) - 1) / (most - 1);

	put_node_name(graph, out, link->caller);
	dmt_put(out, " -> ");
	put_node_name(graph, out, link->callee);
	dmt_put(out, " [label=\"");
	dmt_put_count(out, link->calls, "call");
	dmt_put(out, "\\n");
	if (link->callee_recursive)
		dmt_put(out, "recursive");
	else
		put_dot_time(graph, out, link->inclusive_ns[graph->clock],
		    link->inclusive_partial);
	dmt_put_format(out, "\", penwidth=%u.%u];\n", tenths / 10,
	    tenths % 10);
}

static void
put_shown(const struct dot_graph *graph, struct dmt_output *out)
{
	struct link_walk walk = { graph->profile, graph->table, 0 };
	struct dmtrace_profile_edge link;

	if (graph->hops[DMTRACE_PROFILE_TOP] != NOT_SHOWN)
		put_node(graph, out, DMTRACE_PROFILE_TOP, &graph->top);
	for (size_t i = 0; i < graph->count; i++)
		if (graph->hops[graph->items[i].index] != NOT_SHOWN)
			put_node(graph, out, graph->items[i].index,
			    &graph->items[i].method);
	while (next_shown_link(graph, &walk, &link))
		put_edge(graph, out, &link);
}

/*
 * Writes the graph of one table; a thread is a cluster, and left out if no
 * method is shown. false: no memory.
 */
static bool
put_dot_table(struct dot_graph *graph, struct dmt_output *out, size_t table)
{
	struct link_walk walk = { graph->profile, table, 0 };
	struct dmtrace_profile_edge link;
	struct dmtrace_profile_thread thread;

	graph->table = table;
	graph->shown = 0;
	graph->most_calls = 0;
	dmtrace_profile_method_get(graph->profile, table,
	    DMTRACE_PROFILE_TOP, &graph->top);
	graph->total_ns = graph->top.inclusive_ns[graph->clock];
	graph->hops = dmt_array_new(
	    dmtrace_profile_method_count(graph->profile),
	    sizeof(*graph->hops));
	graph->items = list_items(graph->profile, table, graph->clock,
	    &graph->count);
	const bool fine = graph->hops != NULL && graph->items != NULL &&
	    choose_methods(graph);

	while (fine && next_shown_link(graph, &walk, &link)) {
		graph->edges++;
		if (link.calls > graph->most_calls)
			graph->most_calls = link.calls;
	}
	if (fine && table == 0)
		put_shown(graph, out);
	else if (fine && graph->shown > 0) {
		dmtrace_profile_thread_get(graph->profile, table - 1,
		    &thread);
		dmt_put_format(out, "subgraph cluster%zu {\nlabel=\"",
		    table);
		dmt_put_name(out, DMT_PUT_DOT, thread.name, LABEL_MAX);
		dmt_put_format(out, "%s(%" PRIu32 ")\";\n",
		    thread.name.len > 0 ? " " : "", thread.number);
		put_shown(graph, out);
		dmt_put(out, "}\n");
	}
	free(graph->items);
	free(graph->hops);
	return fine;
}

/* Puts a legend below the graph: what its figures and colours mean. */
static void
put_legend(const struct dmtrace_profile *profile,
    const struct dmt_dot_options *options, struct dmt_output *out)
{
	const enum dmtrace_profile_clock clock =
	    dmt_profile_clock(options->clock);

	dmt_put(out, "label=\"box: method, inclusive ");
	dmt_put(out, clock == DMTRACE_PROFILE_WALL ? "wall" :
	    "CPU");
	dmt_put(out, " time, exclusive (self) time, calls; redder: more "
	    "exclusive time"
	    "\\narrow: calls and their time; wider: more calls\\n");
	dmt_put(out, options->per_thread ? "percentages are of the thread's "
	    "time" : "percentages are of ");
	const bool lacks = clock == DMTRACE_PROFILE_CPU &&
	    profile->summary.total_partial;
	if (!options->per_thread) {
		dmt_put(out, lacks ? "at least " : "");
		dmt_put_duration(out,
		    profile->summary.total_ns[clock]);
		dmt_put(out, profile->thread_count == 1 ?
		    ", the time of " : ", the sum over ");
		dmt_put_count(out, profile->thread_count, "thread");
	}
	if (options->threshold > 0) {
		dmt_put(out, "; methods below ");
		dmt_put_parts(out, options->threshold * 100, 100);
		dmt_put(out, " % are left out");
	}
	if (lacks)
		dmt_put(out, "\\nat least: a thread has no event after the "
		    "window, and used an unknown CPU time in it");
	if (profile->summary.lower_bounds)
		dmt_put(out, "\\nthe buffer was full: calls and times are "
		    "lower bounds");
	dmt_put(out, "\";\n");
}

enum dmtrace_status
dmt_export_dot(const struct dmtrace_profile *profile,
    const struct dmt_dot_options *options, struct dmt_output *out,
    struct dmt_dot_size *size)
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

	const unsigned needed = DMTRACE_PROFILE_EDGES |
	    (all.per_thread ? DMTRACE_PROFILE_THREADS : 0);
	const size_t methods = dmtrace_profile_method_count(profile);
	if ((profile->keep & needed) != needed || methods == 0)
		return DMTRACE_ERR_STATE;
	for (size_t i = 0; i < all.around_count; i++)
		if (all.around[i] >= methods)
			return DMTRACE_ERR_RANGE;

	const enum dmtrace_profile_clock clock = dmt_profile_clock(all.clock);
	uint32_t *const references = number_methods(profile, clock);
	struct dot_graph graph = {
		.profile = profile, .options = &all, .clock = clock,
		.references = references
	};
	if (references == NULL)
		return DMTRACE_ERR_MEMORY;
	dmt_put(out, "digraph dmtrace {\n"
	    "graph [charset=\"UTF-8\", fontname=\"sans-serif\", "
	    "fontsize=9];\n"
	    "node [shape=box, style=filled, fontname=\"sans-serif\", "
	    "fontsize=10];\n"
	    "edge [fontname=\"sans-serif\", fontsize=8, "
	    "color=\"#606060\"];\n");
	put_legend(profile, &all, out);

	/* Table 0 is all threads together. */
	const size_t last = all.per_thread ?
	    dmtrace_profile_thread_count(profile) : 0;
	size_t count = 0;
	bool fine = true;

	for (size_t i = all.per_thread; fine && i <= last; i++) {
		fine = put_dot_table(&graph, out, i);
		count += graph.shown;
	}
	dmt_put(out, "}\n");
	free(references);
	if (fine && size != NULL)
		*size = (struct dmt_dot_size){ count, graph.edges };
	return fine ? DMTRACE_OK : DMTRACE_ERR_MEMORY;
}

void
dmt_export_dot_put_parts(struct dmt_output *out)
{
	dmt_put(out, "\n<style>\n");
	dmt_put_lines(out, dmt_graph_style);
	dmt_put(out, "</style>\n<script><![CDATA[\n(() => {\n"
	    "\"use strict\";\n");
	dmt_put_lines(out, dmt_graph_script);
	dmt_put(out, "})();\n]]></script>");
}
