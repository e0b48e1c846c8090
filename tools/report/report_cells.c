/* report_cells.c - a report for other programs */

#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* One line, whatever it is about. */
struct line {
	const char *kind;
	size_t table;
	size_t index;			/* 0: none, as the next two */
	size_t of;			/* the line that it belongs to */
	size_t depth;			/* and 1 */
	const struct dmtrace_profile_method *method;
	bool has_id, has_recursive;
	bool has_inclusive, has_exclusive;
	const struct dmtrace_profile_calls *calls;	/* NULL: none */
	int64_t percentiles[3];
};

static const double percents[] = { 50, 90, 99 };

static const char *const columns[] = {
	"kind", "thread", "thread_name", "index", "of", "depth",
	"class", "name", "signature", "id", "calls", "recursive_calls",
	"inclusive_cpu_ns", "inclusive_wall_ns", "exclusive_cpu_ns",
	"exclusive_wall_ns", "lower_bounds"
};
static const char *const call_columns[] = {
	"min_ns", "mean_ns", "max_ns", "deviation_ns", "p50_ns", "p90_ns",
	"p99_ns"
};

enum {
	COLUMNS = sizeof(columns) / sizeof(columns[0]),
	CALL_COLUMNS = sizeof(call_columns) / sizeof(call_columns[0]),
	COLUMN_INDEX = 3, COLUMN_TIMES = 12
};

static void
put_count(struct row *row, const char *name, uint64_t number)
{
	if (number == 0)
		row_absent(row, name);
	else
		row_number(row, name, number);
}

static void
put_thread(const struct report *report, struct row *row, size_t table)
{
	struct dmtrace_profile_thread thread;

	if (table == 0) {
		row_absent(row, columns[1]);
		row_absent(row, columns[2]);
		return;
	}
	dmtrace_profile_thread_get(report->profile, table - 1, &thread);
	row_number(row, columns[1], thread.number);
	if (thread.listed)
		row_text(row, columns[2], thread.name.bytes, thread.name.len);
	else
		row_absent(row, columns[2]);
}

static void
put_id(struct row *row, bool has_id, uint64_t number)
{
	char id[24];

	snprintf(id, sizeof(id), "0x%" PRIx64, number);
	if (has_id)
		row_string(row, columns[9], id);
	else
		row_absent(row, columns[9]);
}

static void
put_times(const struct report *report, struct row *row,
    const int64_t *ns, const char *const *names)
{
	for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++)
		if (ns == NULL || !report->summary.has_clock[clock])
			row_absent(row, names[clock]);
		else
			row_signed(row, names[clock], ns[clock]);
}

static int64_t
whole(double number)
{
	return (int64_t)(number < 0 ? number - 0.5 : number + 0.5);
}

static void
put_calls(struct row *row, const struct line *line)
{
	if (line->calls == NULL || line->calls->calls == 0) {
		for (int i = 0; i < CALL_COLUMNS; i++)
			row_absent(row, call_columns[i]);
		return;
	}
	row_signed(row, call_columns[0], line->calls->min_ns);
	row_signed(row, call_columns[1], whole(line->calls->mean_ns));
	row_signed(row, call_columns[2], line->calls->max_ns);
	row_signed(row, call_columns[3], whole(line->calls->deviation_ns));
	for (int i = 0; i < 3; i++)
		row_signed(row, call_columns[4 + i], line->percentiles[i]);
}

void
report_put_bounds(const struct report *report, struct row *row)
{
	struct strbuf truth = { 0 };

	strbuf_string(&truth, report->summary.lower_bounds ? "true" :
	    "false");
	row_json(row, "lower_bounds", &truth);
	strbuf_fini(&truth);
}

void
report_put_error(struct row *row, const struct report_unreadable *unreadable)
{
	if (unreadable == NULL) {
		row_absent(row, "file");
		row_absent(row, "error");
	} else {
		row_string(row, "file", unreadable->file);
		row_string(row, "error", unreadable->error.words);
	}
}

static bool
put_line(struct report *report, const struct line *line)
{
	const struct dmtrace_profile_method *method = line->method;
	struct row row;

	row_begin(&row, &report->buffer, report->form);
	row_string(&row, columns[0], line->kind);
	put_thread(report, &row, line->table);
	put_count(&row, columns[COLUMN_INDEX], line->index);
	put_count(&row, columns[COLUMN_INDEX + 1], line->of);
	if (line->depth == 0)
		row_absent(&row, columns[COLUMN_INDEX + 2]);
	else
		row_number(&row, columns[COLUMN_INDEX + 2], line->depth - 1);
	report_put_names(&row, method);
	put_id(&row, line->has_id && !report->groups, method->id);
	row_number(&row, columns[10], method->calls);
	if (line->has_recursive)
		row_number(&row, columns[11], method->recursive_calls);
	else
		row_absent(&row, columns[11]);
	put_times(report, &row, line->has_inclusive ? method->inclusive_ns :
	    NULL, columns + COLUMN_TIMES);
	put_times(report, &row, line->has_exclusive ? method->exclusive_ns :
	    NULL, columns + COLUMN_TIMES + 2);
	report_put_bounds(report, &row);
	if (report->calls)
		put_calls(&row, line);
	report_put_error(&row, NULL);
	row_line(&row);
	return report_flush(report);
}

static void
put_names(struct report *report)
{
	struct row row;

	if (report->form == FORM_JSON)
		return;
	row_begin(&row, &report->buffer, report->form);
	for (int i = 0; i < COLUMNS; i++)
		row_string(&row, columns[i], columns[i]);
	for (int i = 0; i < CALL_COLUMNS && report->calls; i++)
		row_string(&row, call_columns[i], call_columns[i]);
	row_string(&row, "file", "file");
	row_string(&row, "error", "error");
	row_line(&row);
}

static void
put_unreadable(struct report *report)
{
	for (size_t i = 0; i < report->unreadable_count; i++) {
		struct row row;

		row_begin(&row, &report->buffer, report->form);
		row_string(&row, columns[0], "unreadable");
		for (int j = 1; j < COLUMNS; j++)
			row_absent(&row, columns[j]);
		for (int j = 0; j < CALL_COLUMNS && report->calls; j++)
			row_absent(&row, call_columns[j]);
		report_put_error(&row, &report->unreadable[i]);
		row_line(&row);
	}
}

bool
report_cells_node(struct report *report, const struct report_node *node)
{
	struct dmtrace_profile_method method;
	const struct line line = {
		.kind = node->kind, .table = node->table,
		.index = node->index, .of = node->parent,
		.depth = node->depth + 1, .method = &method,
		.has_id = node->method != DMTRACE_PROFILE_TOP,
		.has_inclusive = node->has_inclusive, .has_exclusive = true
	};

	dmtrace_profile_method_get(report->profile, node->table,
	    node->method, &method);
	method.calls = node->calls;
	for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++) {
		method.inclusive_ns[clock] = node->inclusive_ns[clock];
		method.exclusive_ns[clock] = node->exclusive_ns[clock];
	}
	return put_line(report, &line);
}

static bool
put_edges(struct report *report, size_t table, size_t method, bool callers)
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

		if (!put_line(report, &line))
			return false;
	}
	return true;
}

static bool
put_row(struct report *report, size_t table, const struct report_row *row)
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
	return put_line(report, &line) &&
	    (!report->callers || put_edges(report, table, row->index, true)) &&
	    (!report->callees || put_edges(report, table, row->index, false));
}

static bool
put_table(struct report *report, size_t table)
{
	size_t count;
	struct report_row *rows = report_rows(report, table, &count);
	bool fine = rows != NULL;

	if ((report->callers || report->callees) && fine)
		fine = report_edges_begin(report, table);
	for (size_t i = 0; fine && i < report_shown(report, count); i++)
		fine = put_row(report, table, &rows[i]);
	report_edges_end(report);
	free(rows);
	return fine;
}

static bool
put_tables(struct report *report, size_t table)
{
	report_begin_table(report, table);
	return (!report_has_table(report) || put_table(report, table)) &&
	    (!report->tree || report_tree(report, table)) &&
	    (!report->bottom_up || report_bottom_up(report, table));
}

static bool
put_threads(struct report *report)
{
	size_t count;
	struct report_row *rows = report_thread_rows(report, &count);
	bool fine = rows != NULL;

	for (size_t i = 0; fine && i < report_shown(report, count); i++) {
		struct line line = {
			.kind = "thread", .table = rows[i].index + 1,
			.method = &rows[i].method, .has_inclusive = true,
			.has_exclusive = true
		};

		rows[i].method.name.len = 0;
		rows[i].method.listed = 1;
		fine = put_line(report, &line);
	}
	free(rows);
	return fine;
}

bool
report_cells(struct report *report)
{
	put_names(report);
	put_unreadable(report);
	if (report->summary.traces == 0)
		return report_flush(report);
	if (report->threads)
		return put_threads(report) && report_flush(report);
	if (!report->per_thread)
		return put_tables(report, 0) && report_flush(report);
	for (size_t i = 0; i < dmtrace_profile_thread_count(report->profile);
	    i++)
		if (!put_tables(report, i + 1))
			return false;
	return report_flush(report);
}
