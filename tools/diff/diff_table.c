/* diff_table.c - prints the methods that differ, as text and as rows */

#include "diff/diff_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/clock_option.h"
#include "cli/decimal.h"
#include "cli/method_name.h"

/* Text. */

#define TOP_IN_TEXT 30		/* rows, as in reports */
#define PERCENT_MAX 340		/* digits of a double */
#define PERCENT_COUNTED_MAX 1e18

/* Widths of columns, each with a blank before it. */
enum {
	WIDTH_TIME = 10,
	WIDTH_PERCENT = 10,
	WIDTH_CALLS = 9,
	WIDTH_P = 9,
	WIDTH_EFFECT = 8,
	WIDTH_DETECTABLE = 12
};

/* Statistics are those of the column that rows are sorted by. */
static enum diff_column
tested_column(const struct diff *diff)
{
	return diff->job->sort == DIFF_SORT_CALLS ? DIFF_COLUMN_CALLS :
	    diff_time_column(diff);
}

static size_t
statistics_width(const struct diff *diff)
{
	return diff->summary.tested ?
	    WIDTH_P + WIDTH_EFFECT + WIDTH_DETECTABLE : 0;
}

/* On a terminal that is too narrow, only the time that rows are sorted by is
 * shown, and calls if there is space. */
static bool
is_column_shown(const struct diff *diff, enum diff_column column)
{
	const size_t time = 2 * WIDTH_TIME + WIDTH_PERCENT;
	const size_t others = 2 * WIDTH_CALLS + statistics_width(diff);

	if (column == DIFF_COLUMN_CALLS)
		return !diff->summary.tested ||
		    tested_column(diff) == DIFF_COLUMN_CALLS ||
		    table_has_room(&diff->table, time + others);
	return column == diff_time_column(diff) ||
	    table_has_room(&diff->table, 2 * time + others);
}

/* Writes "+10.0 %" or "+25,981 %". */
static const char *
format_percent(char out[PERCENT_MAX], double percent)
{
	const double size = fabs(percent);
	char count[COUNT_MAX];

	if (size < 1000 || size > PERCENT_COUNTED_MAX)
		snprintf(out, PERCENT_MAX, "%+.*f %%", size < 1000 ? 1 : 0,
		    percent);
	else
		snprintf(out, PERCENT_MAX, "%c%s %%", percent < 0 ? '-' : '+',
		    count_format(count, (uint64_t)(size + 0.5)));
	return out;
}

static void
put_percent(struct diff *diff, double percent)
{
	char text[PERCENT_MAX];

	column_string(&diff->table.buffer, WIDTH_PERCENT,
	    format_percent(text, percent));
}

static void
put_diff_column(struct diff *diff, const struct diff_row *row,
    enum diff_column column)
{
	struct dmt_output *const buffer = &diff->table.buffer;
	const bool is_time = column != DIFF_COLUMN_CALLS;
	const struct dmtrace_diff_change *const change =
	    &row->changes[diff_figure(diff->clock, column)];

	if (change->missing) {
		column_blank(buffer, 2 * WIDTH_TIME + WIDTH_PERCENT);
		return;
	}
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++) {
		const double median = change->medians[side];
		char text[32];

		if (row->method.runs[side] == 0) {
			column_string(buffer,
			    is_time ? WIDTH_TIME : WIDTH_CALLS, "-");
		} else if (is_time) {
			column_duration(buffer, WIDTH_TIME, (int64_t)median);
		} else if (median == (double)(uint64_t)median) {
			column_count(buffer, WIDTH_CALLS, (uint64_t)median);
		} else {
			/* The median of two numbers of calls may have a
			 * half. */
			snprintf(text, sizeof(text), "%.1f", median);
			column_string(buffer, WIDTH_CALLS, text);
		}
	}
	if (!is_time)
		return;
	if (change->shift != 0)
		table_colour(&diff->table, change->shift > 0 ? TABLE_RED :
		    TABLE_GREEN);
	if (change->shift == 0)
		column_string(buffer, WIDTH_PERCENT, "=");
	else if (change->medians[DMTRACE_DIFF_BASE] == 0)
		column_string(buffer, WIDTH_PERCENT, "-");
	else
		put_percent(diff, change->percent);
	if (change->shift != 0)
		table_colour(&diff->table, TABLE_DEFAULT);
}

static void
put_test(struct diff *diff, const struct diff_row *row)
{
	struct dmt_output *const buffer = &diff->table.buffer;
	const struct dmtrace_diff_change *const change =
	    &row->changes[diff_figure(diff->clock, tested_column(diff))];
	const double base = change->medians[DMTRACE_DIFF_BASE];

	if (change->missing) {
		column_blank(buffer, statistics_width(diff));
		return;
	}
	dmt_put_format(buffer, " %*.2g%s %+*.2f", WIDTH_P - 2, change->p,
	    change->different ? "*" : " ", WIDTH_EFFECT - 1, change->delta);
	if (change->detectable < 0 || base == 0)
		column_string(buffer, WIDTH_DETECTABLE, "-");
	else
		dmt_put_format(buffer, " %*.1f %%", WIDTH_DETECTABLE - 3,
		    100 * change->detectable / (base < 0 ? -base : base));
}

/* Prints what is compared, and how many methods have changed. */
static void
put_diff_summary(struct diff *diff)
{
	static const char *const names[] = { "base", "new" };
	const struct dmtrace_diff_summary *const summary = &diff->summary;
	struct dmt_output *const buffer = &diff->table.buffer;
	char count[COUNT_MAX], base[DURATION_MAX], new[DURATION_MAX];

	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++) {
		const struct opt_list *const runs = &diff->job->sides[side];

		dmt_put_format(buffer, "%-11s ", names[side]);
		for (size_t i = 0; i < runs->count && i < 3; i++) {
			dmt_put(buffer, i == 0 ? "" : " ");
			escape_put(buffer, escape_plain, runs->items[i],
			    strlen(runs->items[i]));
		}
		if (runs->count > 1)
			dmt_put_format(buffer, "%s, %zu runs",
			    runs->count > 3 ? " ..." : "", runs->count);
		dmt_put_format(buffer, "; %s event%s\n",
		    count_format(count, summary->records[side]),
		    summary->records[side] == 1 ? "" : "s");
	}

	struct dmtrace_diff_change total;
	char percent[PERCENT_MAX];
	dmtrace_diff_change_get(diff->diff, DMTRACE_PROFILE_TOP,
	    diff_figure(diff->clock, DIFF_COLUMN_INCLUSIVE), &total);
	dmt_put_format(buffer, "%-11s %s time, sum over threads: ", "total",
	    clock_names[diff->clock]);
	if (total.missing)
		dmt_put(buffer, "unknown");
	else
		dmt_put_format(buffer, "%s to %s", duration_round(base,
		    (int64_t)total.medians[DMTRACE_DIFF_BASE]),
		    duration_round(new,
		    (int64_t)total.medians[DMTRACE_DIFF_NEW]));
	if (total.shift != 0 && total.medians[DMTRACE_DIFF_BASE] != 0)
		dmt_put_format(buffer, ", %s",
		    format_percent(percent, total.percent));
	if (summary->tested && !total.missing)
		dmt_put_format(buffer, ", p %.2g", total.p);

	dmt_put_format(buffer, "\n%-11s %s of ",
	    diff->job->slower ? "slower" : "changed",
	    count_format(count, diff->row_count));
	dmt_put_format(buffer, "%s rows",
	    count_format(count, dmtrace_diff_method_count(diff->diff)));
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++)
		if (diff->only[side] > 0)
			dmt_put_format(buffer, ", %s only in %s",
			    count_format(count, diff->only[side]),
			    names[side]);
	dmt_put(buffer, "\n");
	if (summary->lower_bounds)
		dmt_put(buffer, "note        a buffer was full: calls"
		    " and times are lower bounds\n");

	/* With few runs, no change can be significant. */
	if (summary->tested) {
		size_t significant = 0;

		for (size_t i = 0; i < diff->row_count; i++)
			significant += diff->rows[i].different;
		dmt_put_format(buffer, "%-11s %zu (*), by a rank test at %g; p "
		    "is at least %.2g\n", "significant",
		    significant, diff->alpha,
		    dmt_diff_least_p(summary->runs[0], summary->runs[1]));
	}
}

static void
put_headings(struct diff *diff)
{
	static const char *const names[DIFF_COLUMNS] =
	    { "inclusive", "exclusive", "calls" };
	struct dmt_output *const buffer = &diff->table.buffer;

	dmt_put(buffer, "\n");
	for (int column = 0; column < DIFF_COLUMNS; column++)
		if (is_column_shown(diff, (enum diff_column)column))
			column_string(buffer, column == DIFF_COLUMN_CALLS ?
			    2 * WIDTH_CALLS : 2 * WIDTH_TIME + WIDTH_PERCENT,
			    names[column]);
	if (diff->summary.tested)
		column_string(buffer, statistics_width(diff),
		    names[tested_column(diff)]);
	dmt_put(buffer, "\n");
	for (int column = 0; column < DIFF_COLUMNS; column++) {
		const size_t width = column == DIFF_COLUMN_CALLS ?
		    WIDTH_CALLS : WIDTH_TIME;

		if (!is_column_shown(diff, (enum diff_column)column))
			continue;
		column_string(buffer, width, "base");
		column_string(buffer, width, "new");
		if (column != DIFF_COLUMN_CALLS)
			column_string(buffer, WIDTH_PERCENT, "change");
	}
	if (diff->summary.tested) {
		column_string(buffer, WIDTH_P - 1, "p");
		column_string(buffer, WIDTH_EFFECT + 1, "effect");
		column_string(buffer, WIDTH_DETECTABLE, "detectable");
	}
	dmt_put(buffer, "  method\n");
}

/* Prints the geometric mean of new/base over all methods that take time on
 * both sides, whether they are shown or not. */
static void
put_geometric_mean(struct diff *diff)
{
	struct dmt_output *const buffer = &diff->table.buffer;

	for (int column = 0; column < DIFF_COLUMN_CALLS; column++) {
		double sum = 0;
		size_t count = 0;

		if (!is_column_shown(diff, (enum diff_column)column))
			continue;
		for (size_t method = DMTRACE_PROFILE_TOP + 1; method <
		    dmtrace_diff_method_count(diff->diff); method++) {
			struct dmtrace_diff_change change;

			dmtrace_diff_change_get(diff->diff, method,
			    diff_figure(diff->clock, (enum diff_column)column),
			    &change);
			if (change.medians[DMTRACE_DIFF_BASE] > 0 &&
			    change.medians[DMTRACE_DIFF_NEW] > 0) {
				sum += log(change.medians[DMTRACE_DIFF_NEW] /
				    change.medians[DMTRACE_DIFF_BASE]);
				count++;
			}
		}
		column_blank(buffer, 2 * WIDTH_TIME);
		if (count == 0)
			column_string(buffer, WIDTH_PERCENT, "-");
		else
			put_percent(diff,
			    100 * (exp(sum / (double)count) - 1));
	}
	column_blank(buffer, statistics_width(diff) +
	    (is_column_shown(diff, DIFF_COLUMN_CALLS) ? 2 * WIDTH_CALLS : 0));
	dmt_put(buffer, "  (geometric mean)\n");
}

/* Lists the names of all methods: ambiguous ones are printed with signatures.
 * false: no memory, which was reported. */
static bool
list_diff_names(struct diff *diff)
{
	const size_t count = dmtrace_diff_method_count(diff->diff);

	diff->names = calloc(count + 1, sizeof(*diff->names));
	if (diff->names == NULL) {
		msg_memory();
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		struct dmtrace_diff_method method;

		dmtrace_diff_method_get(diff->diff, i, &method);
		diff->names[i] = diff_method_name(&method);
	}
	method_names_sort(diff->names, count);
	return true;
}

static void
put_diff_row(struct diff *diff, const struct diff_row *row)
{
	struct dmt_output *const buffer = &diff->table.buffer;
	const size_t begin = buffer->len;
	struct method_name name = diff_method_name(&row->method);

	for (int column = 0; column < DIFF_COLUMNS; column++)
		if (is_column_shown(diff, (enum diff_column)column))
			put_diff_column(diff, row, (enum diff_column)column);
	if (diff->summary.tested)
		put_test(diff, row);
	dmt_put(buffer, "  ");
	const size_t name_begin = buffer->len;
	name.bare = !diff->job->signatures && method_names_bare(diff->names,
	    dmtrace_diff_method_count(diff->diff), &name);
	method_name_put(buffer, &name);
	table_end_line(&diff->table, begin, name_begin);
}

static bool
put_diff_text(struct diff *diff)
{
	const size_t shown = diff->job->top != DIFF_TOP_UNSET ||
	    diff->row_count < TOP_IN_TEXT ? diff_shown(diff) : TOP_IN_TEXT;
	char more[COUNT_MAX];

	if (!list_diff_names(diff))
		return false;
	table_use_colours(&diff->table);
	put_diff_summary(diff);
	if (shown > 0)
		put_headings(diff);
	for (size_t i = 0; i < shown; i++)
		put_diff_row(diff, &diff->rows[i]);
	if (shown < diff->row_count)
		dmt_put_format(&diff->table.buffer,
		    "%s more row%s (--top=all)\n",
		    count_format(more, diff->row_count - shown),
		    diff->row_count - shown == 1 ? "" : "s");
	if (shown > 0)
		put_geometric_mean(diff);
	return true;
}

/* Rows for other programs. */

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
	"effect", "detectable", "different", NULL
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
	if (change->missing) {
		table_absent(table, 9);
		table_end_row(table);
		return;
	}
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

bool
diff_put_rows(struct diff *diff)
{
	if (diff->table.form == FORM_TEXT)
		return put_diff_text(diff) && table_flush(&diff->table);
	table_set_columns(&diff->table, columns);
	for (size_t i = 0; i < diff_shown(diff); i++)
		for (int figure = 0; figure < DMTRACE_DIFF_FIGURES; figure++)
			if (figure == DMTRACE_DIFF_CALLS ||
			    diff->summary.has_clock[clocks[figure]])
				put_figure_row(diff, &diff->rows[i],
				    (enum dmtrace_diff_figure)figure);
	return table_flush(&diff->table);
}
