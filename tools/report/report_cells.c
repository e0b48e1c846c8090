/* report_cells.c - prints a report for other programs */

#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>

/* Any row of a report. */
struct line {
	const char *kind;
	size_t table;
	size_t index;			/* 0: none, as the next two */
	size_t of;			/* the row that it belongs to */
	size_t depth;			/* depth + 1 */
	const struct dmtrace_profile_method *method;
	bool has_id, has_recursive;
	bool has_inclusive, has_exclusive;
	const struct dmtrace_profile_calls *calls;	/* NULL: none */
	int64_t percentiles[3];
};

static const double percents[] = { 50, 90, 99 };

#define COLUMNS \
	"kind", "thread", "thread_name", "index", "of", "depth", \
	"class", "name", "signature", "id", "calls", "recursive_calls", \
	"inclusive_cpu_ns", "inclusive_wall_ns", "exclusive_cpu_ns", \
	"exclusive_wall_ns", "lower_bounds"
#define CALL_COLUMNS \
	"min_ns", "mean_ns", "max_ns", "deviation_ns", "p50_ns", "p90_ns", \
	"p99_ns"

static const char *const columns[] = { COLUMNS, "file", "error", NULL };
static const char *const columns_with_calls[] =
    { COLUMNS, CALL_COLUMNS, "file", "error", NULL };

enum { COLUMN_COUNT = 17, CALL_COLUMN_COUNT = 7 };

static void
put_time_cells(struct report *report, bool present, const int64_t *ns,
    int partial)
{
	for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++)
		if (!present || !report->summary.has_clock[clock] ||
		    (partial != 0 && clock == DMTRACE_PROFILE_CPU))
			table_absent(&report->table, 1);
		else
			table_signed(&report->table, ns[clock]);
}

static int64_t
round_to_whole(double number)
{
	return (int64_t)(number < 0 ? number - 0.5 : number + 0.5);
}

static void
put_line_cells(struct report *report, const struct line *line)
{
	const struct dmtrace_profile_method *const method = line->method;
	struct table *const table = &report->table;

	table_string(table, line->kind);
	if (line->table == 0) {
		table_absent(table, 2);
	} else {
		struct dmtrace_profile_thread thread;

		dmtrace_profile_thread_get(report->profile, line->table - 1,
		    &thread);
		table_number(table, thread.number);
		if (thread.listed)
			table_text(table, thread.name.bytes, thread.name.len);
		else
			table_absent(table, 1);
	}
	table_number_if(table, line->index > 0, line->index);
	table_number_if(table, line->of > 0, line->of);
	table_number_if(table, line->depth > 0, line->depth - 1);

	report_put_names(table, method);
	if (line->has_id && !report->groups) {
		char id[24];

		snprintf(id, sizeof(id), "0x%" PRIx64, method->id);
		table_string(table, id);
	} else {
		table_absent(table, 1);
	}
	table_number(table, method->calls);
	table_number_if(table, line->has_recursive, method->recursive_calls);
	put_time_cells(report, line->has_inclusive, method->inclusive_ns,
	    method->inclusive_partial);
	put_time_cells(report, line->has_exclusive, method->exclusive_ns,
	    method->exclusive_partial);
	table_truth(table, report->summary.lower_bounds);

	if (report->calls &&
	    (line->calls == NULL || line->calls->calls == 0)) {
		table_absent(table, CALL_COLUMN_COUNT);
	} else if (report->calls) {
		table_signed(table, line->calls->min_ns);
		table_signed(table, round_to_whole(line->calls->mean_ns));
		table_signed(table, line->calls->max_ns);
		table_signed(table, round_to_whole(line->calls->deviation_ns));
		for (int i = 0; i < 3; i++)
			table_signed(table, line->percentiles[i]);
	}
	report_put_error(table, NULL);
	table_end_row(table);
}

static void
put_report_columns(struct report *report)
{
	table_set_columns(&report->table,
	    report->calls ? columns_with_calls : columns);
	report_put_unreadable(report, "unreadable",
	    COLUMN_COUNT + (report->calls ? CALL_COLUMN_COUNT : 0));
}

static void
put_node_row(struct report *report, const struct report_node *node)
{
	const struct line line = {
		.kind = node->kind, .table = node->table,
		.index = node->index, .of = node->parent,
		.depth = node->depth + (node->has_inclusive ? 1 : 2),
		.method = &node->figures,
		.has_id = node->method != DMTRACE_PROFILE_TOP,
		.has_inclusive = node->has_inclusive, .has_exclusive = true
	};

	put_line_cells(report, &line);
}

static void
put_edge_rows(struct report *report, size_t table, size_t method,
    bool callers)
{
	static const char *const kinds[2][2] = {
		{ "callee", "callee-recursive" },
		{ "caller", "caller-recursive" }
	};
	size_t count;
	const struct report_row *rows = report_edges_get(report, method,
	    callers, &count);

	for (size_t i = 0; i < report_shown(report, count); i++) {
		const struct line line = {
			.kind = kinds[callers][rows[i].recursive],
			.table = table, .index = rows[i].index + 1,
			.of = method + 1, .method = &rows[i].method,
			.has_id = rows[i].index != DMTRACE_PROFILE_TOP,
			.has_inclusive = true
		};

		put_line_cells(report, &line);
	}
}

static void
put_method_rows(struct report *report, size_t table,
    const struct report_row *row)
{
	struct dmtrace_profile_calls calls;
	struct line line = {
		.kind = row->index == DMTRACE_PROFILE_TOP ? "top" : "method",
		.table = table, .index = row->index + 1,
		.method = &row->method,
		.has_id = row->index != DMTRACE_PROFILE_TOP,
		.has_recursive = true,
		.has_inclusive = true, .has_exclusive = true
	};

	if (report->calls) {
		dmtrace_profile_calls_get(report->profile, table, row->index,
		    &calls);
		line.calls = &calls;
		for (int i = 0; i < 3; i++)
			line.percentiles[i] = dmtrace_profile_percentile(
			    report->profile, table, row->index, percents[i]);
	}
	put_line_cells(report, &line);
	if (report->callers)
		put_edge_rows(report, table, row->index, true);
	if (report->callees)
		put_edge_rows(report, table, row->index, false);
}

static void
put_report_thread_row(struct report *report, struct report_row *row)
{
	const struct line line = {
		.kind = "thread", .table = row->index + 1,
		.method = &row->method, .has_inclusive = true,
		.has_exclusive = true
	};

	row->method.name.len = 0;
	row->method.listed = 1;
	put_line_cells(report, &line);
}

/* The column names are printed once, before all tables. */
const struct report_printer report_row_printer = {
	.put_beginning = put_report_columns,
	.put_thread = put_report_thread_row,
	.put_method = put_method_rows,
	.put_node = put_node_row,
	.up_lines = SIZE_MAX,
};
