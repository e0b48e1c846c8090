/* diff_cells.c - what is different, for other programs */

#include "diff/diff_run.h"

#include <stdio.h>

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
	"delta", "detectable", "different"
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* A number, which is JSON in every form. */
static void
put_json(struct row *row, const char *name, const char *number)
{
	struct strbuf json = { 0 };

	strbuf_string(&json, number);
	row_json(row, name, &json);
	strbuf_fini(&json);
}

static void
put_real(struct row *row, const char *name, int places, double value)
{
	char text[400];

	snprintf(text, sizeof(text), "%.*f", places, value);
	put_json(row, name, text);
}

static void
put_p(struct row *row, const char *name, double p)
{
	char text[32];

	snprintf(text, sizeof(text), "%.6g", p);
	put_json(row, name, text);
}

/* Medians, and means of two differences, may have a half. */
static void
put_half(struct row *row, const char *name, double value)
{
	if (value == (double)(int64_t)value)
		row_signed(row, name, (int64_t)value);
	else
		put_real(row, name, 1, value);
}

static void
put_tests(struct row *row, const struct dmtrace_diff_change *change,
    bool tested)
{
	if (!tested) {
		for (int i = 11; i < 15; i++)
			row_absent(row, columns[i]);
		return;
	}
	put_p(row, columns[11], change->p);
	put_p(row, columns[12], change->p_adjusted);
	put_real(row, columns[13], 4, change->delta);
	if (change->detectable < 0)
		row_absent(row, columns[14]);
	else
		put_half(row, columns[14], change->detectable);
}

static void
put_change(struct diff *diff, struct row *row,
    const struct dmtrace_diff_change *change)
{
	put_half(row, columns[7], change->medians[DMTRACE_DIFF_BASE]);
	put_half(row, columns[8], change->medians[DMTRACE_DIFF_NEW]);
	put_half(row, columns[9], change->shift);
	if (change->medians[DMTRACE_DIFF_BASE] == 0)
		row_absent(row, columns[10]);
	else
		put_real(row, columns[10], 4, change->percent);
	put_tests(row, change, diff->summary.tested);
}

static void
put_line(struct diff *diff, const struct diff_row *from,
    enum dmtrace_diff_figure figure)
{
	const struct dmtrace_diff_method *const method = &from->method;
	struct row row;

	row_begin(&row, &diff->buffer, (enum form)diff->job->form);
	row_string(&row, columns[0], from->index == DMTRACE_PROFILE_TOP ?
	    "top" : "method");
	method_name_cell(&row, columns[1], method->class_name);
	method_name_cell(&row, columns[2], method->name);
	method_name_cell(&row, columns[3], method->signature);
	row_number(&row, columns[4], method->runs[DMTRACE_DIFF_BASE]);
	row_number(&row, columns[5], method->runs[DMTRACE_DIFF_NEW]);
	row_string(&row, columns[6], figures[figure]);
	put_change(diff, &row, &from->changes[figure]);
	put_json(&row, columns[15], from->changes[figure].different ? "true" :
	    "false");
	row_line(&row);
}

static void
put_names(struct diff *diff)
{
	struct row row;

	if (diff->job->form == FORM_JSON)
		return;
	row_begin(&row, &diff->buffer, (enum form)diff->job->form);
	for (int i = 0; i < COLUMNS; i++)
		row_string(&row, columns[i], columns[i]);
	row_line(&row);
}

void
diff_cells(struct diff *diff)
{
	put_names(diff);
	for (size_t i = 0; i < diff_shown(diff); i++)
		for (int figure = 0; figure < DMTRACE_DIFF_FIGURES; figure++)
			if (figure == DMTRACE_DIFF_CALLS ||
			    diff->summary.has_clock[clocks[figure]])
				put_line(diff, &diff->rows[i],
				    (enum dmtrace_diff_figure)figure);
}
