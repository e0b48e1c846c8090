/* diff_cells.c - what is different, for other programs */

#include "diff/diff_run.h"

#include "cli/method_name.h"

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
put_change(struct table *table, const struct dmtrace_diff_change *change,
    bool tested)
{
	put_half(table, change->medians[DMTRACE_DIFF_BASE]);
	put_half(table, change->medians[DMTRACE_DIFF_NEW]);
	put_half(table, change->shift);
	if (change->medians[DMTRACE_DIFF_BASE] == 0)
		table_absent(table, 1);
	else
		table_printf(table, "%.4f", change->percent);
	if (!tested) {
		table_absent(table, 4);
		return;
	}
	table_printf(table, "%.6g", change->p);
	table_printf(table, "%.6g", change->p_adjusted);
	table_printf(table, "%.4f", change->delta);
	if (change->detectable < 0)
		table_absent(table, 1);
	else
		put_half(table, change->detectable);
}

static void
put_figure_row(struct diff *diff, const struct diff_row *from,
    enum dmtrace_diff_figure figure)
{
	const struct dmtrace_diff_method *const method = &from->method;
	struct table *const table = &diff->table;

	table_string(table, from->index == DMTRACE_PROFILE_TOP ? "top" :
	    "method");
	method_name_cells(table, method->class_name, method->name,
	    method->signature);
	table_number(table, method->runs[DMTRACE_DIFF_BASE]);
	table_number(table, method->runs[DMTRACE_DIFF_NEW]);
	table_string(table, figures[figure]);
	put_change(table, &from->changes[figure], diff->summary.tested);
	table_truth(table, from->changes[figure].different);
	table_end_row(table);
}

void
diff_cells(struct diff *diff)
{
	table_set_columns(&diff->table, columns);
	for (size_t i = 0; i < diff_shown(diff); i++)
		for (int figure = 0; figure < DMTRACE_DIFF_FIGURES; figure++)
			if (figure == DMTRACE_DIFF_CALLS ||
			    diff->summary.has_clock[clocks[figure]])
				put_figure_row(diff, &diff->rows[i],
				    (enum dmtrace_diff_figure)figure);
}
