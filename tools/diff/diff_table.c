/* diff_table.c - the methods that are different, as text and as rows */

#include "diff/diff_run.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/clock_option.h"
#include "cli/method_name.h"

/* Text */

/* Microseconds, or calls; a half of one is only shown where there is one. */
static void
put_diff_value(struct strbuf *buffer, int width, double value)
{
	const bool whole = value == (double)(int64_t)value;

	strbuf_printf(buffer, whole ? "%*.0f" : "%*.1f", width, value);
}

static void
put_diff_column(struct diff *diff, const struct diff_row *row,
    enum diff_column column)
{
	struct strbuf *const buffer = &diff->table.buffer;
	const bool is_time = column != DIFF_COLUMN_CALLS;
	const int width = is_time ? 11 : 8;
	const struct dmtrace_diff_change *const change =
	    &row->changes[diff_figure(diff, column)];

	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++) {
		strbuf_string(buffer, column + side == 0 ? "" : " ");
		if (row->method.runs[side] == 0)
			strbuf_printf(buffer, "%*s", width, "-");
		else
			put_diff_value(buffer, width, change->medians[side] /
			    (is_time ? 1000 : 1));
	}
	if (is_time && change->shift != 0)
		table_colour(&diff->table, change->shift > 0 ? TABLE_RED :
		    TABLE_GREEN);
	if (is_time && change->shift == 0)
		strbuf_printf(buffer, " %9s", "=");
	else if (is_time && change->medians[DMTRACE_DIFF_BASE] == 0)
		strbuf_printf(buffer, " %9s", "-");
	else if (is_time)
		strbuf_printf(buffer, " %+9.2f", change->percent);
	if (is_time && change->shift != 0)
		table_colour(&diff->table, TABLE_DEFAULT);
}

/* Statistics are those of what the rows are sorted by. */
static enum diff_column
tested_column(const struct diff *diff)
{
	return diff->job->sort == DIFF_SORT_CALLS ? DIFF_COLUMN_CALLS :
	    diff_time_column(diff);
}

static void
put_test(struct diff *diff, const struct diff_row *row)
{
	struct strbuf *const buffer = &diff->table.buffer;
	const struct dmtrace_diff_change *const change =
	    &row->changes[diff_figure(diff, tested_column(diff))];
	const double base = change->medians[DMTRACE_DIFF_BASE];

	strbuf_printf(buffer, " %8.2g%s %+6.2f", change->p,
	    change->different ? "*" : " ", change->delta);
	if (change->detectable < 0 || base == 0)
		strbuf_printf(buffer, " %8s", "-");
	else
		strbuf_printf(buffer, " %8.2f", 100 * change->detectable /
		    (base < 0 ? -base : base));
}

static void
put_side(struct diff *diff, const char *name, int side)
{
	struct strbuf *const buffer = &diff->table.buffer;
	const struct opt_list *const runs = &diff->job->sides[side];

	strbuf_printf(buffer, "%-11s ", name);
	for (size_t i = 0; i < runs->count && i < 3; i++) {
		strbuf_string(buffer, i == 0 ? "" : " ");
		strbuf_text(buffer, escape_plain, runs->items[i],
		    strlen(runs->items[i]));
	}
	if (runs->count > 1)
		strbuf_printf(buffer, "%s, %zu runs",
		    runs->count > 3 ? " ..." : "", runs->count);
	strbuf_printf(buffer, "; %" PRIu64 " records\n",
	    diff->summary.records[side]);
}

static void
put_total(struct diff *diff)
{
	struct strbuf *const buffer = &diff->table.buffer;
	struct dmtrace_diff_change total;

	dmtrace_diff_change_get(diff->diff, DMTRACE_PROFILE_TOP,
	    diff_figure(diff, DIFF_COLUMN_INCLUSIVE), &total);
	strbuf_printf(buffer, "%-11s ", "total");
	put_diff_value(buffer, 0, total.medians[DMTRACE_DIFF_BASE] / 1000);
	strbuf_string(buffer, " to ");
	put_diff_value(buffer, 0, total.medians[DMTRACE_DIFF_NEW] / 1000);
	strbuf_printf(buffer, " us of %s time", clock_names[diff->clock]);
	if (total.shift != 0 && total.medians[DMTRACE_DIFF_BASE] != 0)
		strbuf_printf(buffer, ", %+.2f %%", total.percent);
	if (diff->summary.tested)
		strbuf_printf(buffer, ", p %.2g", total.p);
	strbuf_string(buffer, "\n");
}

static void
put_changed_counts(struct diff *diff)
{
	struct strbuf *const buffer = &diff->table.buffer;
	static const char *const sides[] = { "base", "new" };

	strbuf_printf(buffer, "%-11s %zu of %zu rows", "changed",
	    diff->row_count, dmtrace_diff_method_count(diff->diff));
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++)
		if (diff->only[side] > 0)
			strbuf_printf(buffer, ", %zu only in %s",
			    diff->only[side], sides[side]);
	strbuf_string(buffer, "\n");
	if (diff->summary.lower_bounds)
		strbuf_string(buffer, "note        a buffer was full: calls"
		    " and times are lower bounds\n");
}

/* Tests that cannot find anything are no sign of peace. */
static void
put_power(struct diff *diff)
{
	struct strbuf *const buffer = &diff->table.buffer;
	const size_t *const runs = diff->summary.runs;
	size_t count = 0;

	for (size_t i = 0; i < diff->row_count; i++)
		count += diff->rows[i].different;
	strbuf_printf(buffer, "%-11s %zu (*), by a rank test at %g; p is"
	    " %.2g at least\n", "significant",
	    count, diff->alpha, dmtrace_diff_least_p(runs[0], runs[1]));
}

static void
put_headings(struct diff *diff)
{
	struct strbuf *const buffer = &diff->table.buffer;

	strbuf_printf(buffer, "\n%33s %33s %17s", "inclusive us",
	    "exclusive us", "calls");
	if (diff->summary.tested) {
		static const char *const of[] = { "inclusive", "exclusive",
			"calls" };

		strbuf_printf(buffer, " %25s", of[tested_column(diff)]);
	}
	strbuf_printf(buffer, "\n%11s %11s %9s %11s %11s %9s %8s %8s", "base",
	    "new", "%", "base", "new", "%", "base", "new");
	if (diff->summary.tested)
		strbuf_printf(buffer, " %8s  %6s %8s", "p", "delta",
		    "least %");
	strbuf_string(buffer, "  name\n");
}

/* Of new to base: of all methods that take time on both sides, whatever rows
 * are shown. */
static void
put_geometric_mean(struct diff *diff)
{
	struct strbuf *const buffer = &diff->table.buffer;
	const enum diff_column times[] = { DIFF_COLUMN_INCLUSIVE,
		DIFF_COLUMN_EXCLUSIVE };

	for (int i = 0; i < 2; i++) {
		double sum = 0;
		size_t count = 0;

		for (size_t method = DMTRACE_PROFILE_TOP + 1; method <
		    dmtrace_diff_method_count(diff->diff); method++) {
			struct dmtrace_diff_change change;

			dmtrace_diff_change_get(diff->diff, method,
			    diff_figure(diff, times[i]), &change);
			if (change.medians[DMTRACE_DIFF_BASE] > 0 &&
			    change.medians[DMTRACE_DIFF_NEW] > 0) {
				sum += log(change.medians[DMTRACE_DIFF_NEW] /
				    change.medians[DMTRACE_DIFF_BASE]);
				count++;
			}
		}
		column_blank(buffer, i == 0 ? 23 : 24);
		if (count == 0)
			strbuf_printf(buffer, " %9s", "-");
		else
			strbuf_printf(buffer, " %+9.2f",
			    100 * (exp(sum / (double)count) - 1));
	}
	column_blank(buffer, diff->summary.tested ? 18 + 26 : 18);
	strbuf_string(buffer, "  (geometric mean)\n");
}

static void
put_diff_text(struct diff *diff)
{
	table_use_colours(&diff->table);
	put_side(diff, "base", DMTRACE_DIFF_BASE);
	put_side(diff, "new", DMTRACE_DIFF_NEW);
	put_total(diff);
	put_changed_counts(diff);
	if (diff->summary.tested)
		put_power(diff);
	if (diff_shown(diff) > 0)
		put_headings(diff);
	for (size_t i = 0; i < diff_shown(diff); i++) {
		const struct diff_row *const row = &diff->rows[i];

		for (int column = 0; column < DIFF_COLUMNS; column++)
			put_diff_column(diff, row, (enum diff_column)column);
		if (diff->summary.tested)
			put_test(diff, row);
		strbuf_string(&diff->table.buffer, "  ");
		diff_put_name(&diff->table.buffer, &row->method);
		strbuf_string(&diff->table.buffer, "\n");
	}
	if (diff_shown(diff) > 0)
		put_geometric_mean(diff);
}

/* Rows for other programs */

static const char *const figures[] = {
	[DMTRACE_DIFF_CALLS] = "calls",
	[DMTRACE_DIFF_INCLUSIVE_CPU] = "inclusive_cpu_ns",
	[DMTRACE_DIFF_INCLUSIVE_WALL] = "inclusive_wall_ns",
	[DMTRACE_DIFF_EXCLUSIVE_CPU] = "exclusive_cpu_ns",
	[DMTRACE_DIFF_EXCLUSIVE_WALL] = "exclusive_wall_ns",
};

static const enum dmtrace_profile_clock clocks[] = {
	[DMTRACE_DIFF_INCLUSIVE_CPU] = DMTRACE_PROFILE_CPU,
	[DMTRACE_DIFF_INCLUSIVE_WALL] = DMTRACE_PROFILE_WALL,
	[DMTRACE_DIFF_EXCLUSIVE_CPU] = DMTRACE_PROFILE_CPU,
	[DMTRACE_DIFF_EXCLUSIVE_WALL] = DMTRACE_PROFILE_WALL,
};

static const char *const columns[] = {
	"kind", "class", "name", "signature", "base_runs", "new_runs",
	"figure", "base", "new", "shift", "percent", "p", "p_adjusted",
	"delta", "detectable", "different", NULL
};

/* Medians, and means of two differences, may have a half. */
static void
put_half(struct table *table, double value)
{
	if (value == (double)(int64_t)value)
		table_signed(table, (int64_t)value);
	else
		table_printf(table, "%.1f", value);
}

static void
put_figure_row(struct diff *diff, const struct diff_row *from,
    enum dmtrace_diff_figure figure)
{
	const struct dmtrace_diff_method *const method = &from->method;
	const struct dmtrace_diff_change *const change =
	    &from->changes[figure];
	struct table *const table = &diff->table;

	table_string(table, from->index == DMTRACE_PROFILE_TOP ? "top" :
	    "method");
	method_name_cells(table, method->class_name, method->name,
	    method->signature);
	table_number(table, method->runs[DMTRACE_DIFF_BASE]);
	table_number(table, method->runs[DMTRACE_DIFF_NEW]);
	table_string(table, figures[figure]);
	put_half(table, change->medians[DMTRACE_DIFF_BASE]);
	put_half(table, change->medians[DMTRACE_DIFF_NEW]);
	put_half(table, change->shift);
	if (change->medians[DMTRACE_DIFF_BASE] == 0)
		table_absent(table, 1);
	else
		table_printf(table, "%.4f", change->percent);
	if (!diff->summary.tested) {
		table_absent(table, 4);
	} else {
		table_printf(table, "%.6g", change->p);
		table_printf(table, "%.6g", change->p_adjusted);
		table_printf(table, "%.4f", change->delta);
		if (change->detectable < 0)
			table_absent(table, 1);
		else
			put_half(table, change->detectable);
	}
	table_truth(table, change->different);
	table_end_row(table);
}

void
diff_put_rows(struct diff *diff)
{
	if (diff->table.form == FORM_TEXT) {
		put_diff_text(diff);
		return;
	}
	table_set_columns(&diff->table, columns);
	for (size_t i = 0; i < diff_shown(diff); i++)
		for (int figure = 0; figure < DMTRACE_DIFF_FIGURES; figure++)
			if (figure == DMTRACE_DIFF_CALLS ||
			    diff->summary.has_clock[clocks[figure]])
				put_figure_row(diff, &diff->rows[i],
				    (enum dmtrace_diff_figure)figure);
}
