/* report_edges.c - callers and callees of each method */

#include "report/report.h"

#include <stdlib.h>

#include "cli/msg.h"

/* The edges of a table, which the profile has sorted by caller. */
struct report_edges {
	size_t table;
	size_t *begin[2];	/* by method: the index of its first edge, by
				   caller and by callee; the last element is
				   the number of edges */
	size_t *by_callee;	/* indexes of edges */
	struct report_row *rows;	/* space for those of one method */
};

static struct dmtrace_profile_edge
get_report_edge(const struct report *report, size_t index)
{
	struct dmtrace_profile_edge edge;

	dmtrace_profile_edge_get(report->profile, report->edges->table,
	    index, &edge);
	return edge;
}

bool
report_edges_begin(struct report *report, size_t table)
{
	const size_t methods = dmtrace_profile_method_count(report->profile);
	const size_t count =
	    dmtrace_profile_edge_count(report->profile, table);
	struct report_edges *const edges = calloc(1, sizeof(*edges));
	size_t most = 0;

	report->edges = edges;
	if (edges == NULL)
		goto no_memory;
	edges->table = table;
	edges->by_callee = calloc(count + 1, sizeof(*edges->by_callee));
	for (int by = 0; by < 2; by++)
		edges->begin[by] = calloc(methods + 2, sizeof(**edges->begin));
	if (edges->begin[0] == NULL || edges->begin[1] == NULL ||
	    edges->by_callee == NULL)
		goto no_memory;

	/* Count, then sum: begin[i] becomes the first edge of method i. By
	 * callee it is one element further on, until the edges are stored. */
	for (size_t i = 0; i < count; i++) {
		const struct dmtrace_profile_edge edge =
		    get_report_edge(report, i);

		edges->begin[0][edge.caller + 1]++;
		edges->begin[1][edge.callee + 2]++;
	}
	for (size_t i = 0; i <= methods; i++) {
		edges->begin[0][i + 1] += edges->begin[0][i];
		edges->begin[1][i + 1] += edges->begin[1][i];
	}
	for (size_t i = 0; i < count; i++)
		edges->by_callee[edges->begin[1]
		    [get_report_edge(report, i).callee + 1]++] = i;

	for (size_t i = 0; i < 2 * methods; i++) {
		const size_t *const begin = &edges->begin[i % 2][i / 2];

		most = begin[1] - begin[0] > most ? begin[1] - begin[0] : most;
	}
	edges->rows = calloc(most + 1, sizeof(*edges->rows));
	if (edges->rows != NULL)
		return true;

no_memory:
	msg_memory();
	return false;
}

void
report_edges_end(struct report *report)
{
	if (report->edges == NULL)
		return;
	free(report->edges->begin[0]);
	free(report->edges->begin[1]);
	free(report->edges->by_callee);
	free(report->edges->rows);
	free(report->edges);
	report->edges = NULL;
}

/* Adds an edge to the row of the other method, which is new or one of the last
 * two. */
static void
add_edge_row(const struct report *report, size_t *count, size_t other,
    bool recursive, const struct dmtrace_profile_edge *edge)
{
	struct report_row *rows = report->edges->rows;
	size_t i = *count;

	while (i > 0 && *count - i < 2 && (rows[i - 1].index != other ||
	    rows[i - 1].recursive != recursive))
		i--;
	if (i == 0 || *count - i == 2) {
		i = ++*count;
		rows[i - 1].index = other;
		rows[i - 1].recursive = recursive;
		dmtrace_profile_method_get(report->profile,
		    report->edges->table, other, &rows[i - 1].method);
		rows[i - 1].method.calls = 0;
		for (int c = 0; c < DMTRACE_PROFILE_CLOCKS; c++)
			rows[i - 1].method.inclusive_ns[c] = 0;
		rows[i - 1].method.inclusive_partial = 0;
	}
	rows[i - 1].method.calls += edge->calls;
	for (int c = 0; c < DMTRACE_PROFILE_CLOCKS; c++)
		rows[i - 1].method.inclusive_ns[c] += edge->inclusive_ns[c];
	rows[i - 1].method.inclusive_partial |= edge->inclusive_partial;
}

const struct report_row *
report_edges_get(struct report *report, size_t method, bool callers,
    size_t *count)
{
	const struct report_edges *edges = report->edges;
	const size_t *begin = edges->begin[callers];

	*count = 0;
	for (size_t i = begin[method]; i < begin[method + 1]; i++) {
		const struct dmtrace_profile_edge edge = get_report_edge(report,
		    callers ? edges->by_callee[i] : i);

		add_edge_row(report, count, callers ? edge.caller : edge.callee,
		    callers ? edge.callee_recursive : edge.caller_recursive,
		    &edge);
	}
	for (size_t i = 0; i < *count; i++)
		edges->rows[i].weight =
		    (double)edges->rows[i].method.inclusive_ns[report->clock];
	report_rows_sort(edges->rows, *count);
	return edges->rows;
}
