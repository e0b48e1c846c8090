/* diff_run.c - compares traces method by method */

/*
 * Each operand is a run: its profile is added to one of the two sides, and the
 * library computes the change of each method and figure, with a statistical
 * test if sides have several runs. Rows are the methods that have changed;
 * diff_table.c prints them, and diff_rule.c judges them for --fail-if. --trees
 * and --dmtracedump are separate comparisons.
 */

#include "diff/diff_run.h"

#include <stdlib.h>

#include "cli/clock_option.h"
#include "cli/method_name.h"
#include "cli/msg.h"
#include "private/trace.h"

int
diff_read_operand(struct diff *diff, const char *operand)
{
	const struct job *const job = diff->events.job;
	const int status = trace_events_add(&diff->events, operand);

	if (status != CMD_NO || !dmt_reader_is_cut(job->reader))
		return status == CMD_TROUBLE ? status : CMD_OK;
	/* Why nothing is compared is said with -q, too. */
	if (job->quiet)
		msg_errors(job->name, job->reader, false);
	return CMD_TROUBLE;
}

/* Reads a run and adds its profile. */
static int
add_run(struct diff *diff, enum dmtrace_diff_side side, const char *operand)
{
	struct dmtrace_profile *const profile = dmtrace_profile_new(NULL);

	if (profile == NULL)
		return msg_fail_memory();
	diff->events.profile = profile;
	int status = diff_read_operand(diff, operand);
	const enum dmtrace_status added = status == CMD_TROUBLE ? DMTRACE_OK :
	    dmtrace_diff_add(diff->diff, side, profile);
	if (added != DMTRACE_OK) {
		msg_failure(operand, dmtrace_diff_error(diff->diff));
		status = CMD_TROUBLE;
	}
	dmtrace_profile_free(profile);
	return status;
}

/* Rows. */

static double
absolute_value(double number)
{
	return number < 0 ? -number : number;
}

enum dmtrace_diff_figure
diff_figure(enum dmtrace_profile_clock clock, enum diff_column column)
{
	static const enum dmtrace_diff_figure figures[DIFF_COLUMNS][2] = {
		[DIFF_COLUMN_INCLUSIVE] = { DMTRACE_DIFF_INCLUSIVE_CPU,
		    DMTRACE_DIFF_INCLUSIVE_WALL },
		[DIFF_COLUMN_EXCLUSIVE] = { DMTRACE_DIFF_EXCLUSIVE_CPU,
		    DMTRACE_DIFF_EXCLUSIVE_WALL },
		[DIFF_COLUMN_CALLS] = { DMTRACE_DIFF_CALLS,
		    DMTRACE_DIFF_CALLS },
	};

	return figures[column][clock];
}

enum diff_column
diff_time_column(const struct diff *diff)
{
	return diff->job->sort == DIFF_SORT_EXCLUSIVE ?
	    DIFF_COLUMN_EXCLUSIVE : DIFF_COLUMN_INCLUSIVE;
}

static double
weigh_diff_row(const struct diff *diff, const struct diff_row *row)
{
	const struct dmtrace_diff_change *const inclusive =
	    &row->changes[diff_figure(diff->clock, DIFF_COLUMN_INCLUSIVE)];

	switch (diff->job->sort) {
	case DIFF_SORT_INCLUSIVE:
		return absolute_value(inclusive->shift);
	case DIFF_SORT_EXCLUSIVE:
		return absolute_value(row->changes[diff_figure(diff->clock,
		    DIFF_COLUMN_EXCLUSIVE)].shift);
	case DIFF_SORT_CALLS:
		return absolute_value(row->changes[DMTRACE_DIFF_CALLS].shift);
	case DIFF_SORT_PERCENT:
		return absolute_value(inclusive->percent);
	case DIFF_SORT_P:
		return -inclusive->p;
	default:
		return 0;
	}
}

struct method_name
diff_method_name(const struct dmtrace_diff_method *method)
{
	return (struct method_name){
		.class_name = method->class_name, .name = method->name,
		.signature = method->signature, .listed = method->listed
	};
}

/* Significant changes come first. */
static int
compare_diff_rows(const void *left, const void *right)
{
	const struct diff_row *const a = left, *const b = right;
	const struct method_name x = diff_method_name(&a->method);
	const struct method_name y = diff_method_name(&b->method);

	if (a->different != b->different)
		return a->different ? -1 : 1;
	if (a->weight < b->weight || a->weight > b->weight)
		return a->weight < b->weight ? 1 : -1;
	const int order = method_name_compare(&x, &y);
	if (order != 0)
		return order;
	return (a->index > b->index) - (a->index < b->index);
}

/* Returns true if the method has a row: it has changed, and is a large enough
 * part of the base's total; with --slower, only if its time has increased. */
static bool
fill_diff_row(struct diff *diff, struct diff_row *row, size_t index)
{
	struct dmtrace_diff_change total;
	double largest = 0;
	bool changed = false;

	*row = (struct diff_row){ .index = index };
	dmtrace_diff_method_get(diff->diff, index, &row->method);
	if (diff->job->find.asked != NULL && (index == DMTRACE_PROFILE_TOP ||
	    !find_rows_wants(&diff->job->find, row->method.class_name,
	    row->method.name, row->method.signature, 0)))
		return false;
	for (int i = 0; i < DMTRACE_DIFF_FIGURES; i++)
		dmtrace_diff_change_get(diff->diff, index,
		    (enum dmtrace_diff_figure)i, &row->changes[i]);
	for (int column = 0; column < DIFF_COLUMNS; column++) {
		const struct dmtrace_diff_change *const change =
		    &row->changes[diff_figure(diff->clock,
		    (enum diff_column)column)];

		if (diff->job->slower && (change->shift <= 0 ||
		    (enum diff_column)column != diff_time_column(diff)))
			continue;
		changed |= change->shift != 0;
		row->different |= change->different != 0;
		if (column != DIFF_COLUMN_CALLS &&
		    absolute_value(change->shift) > largest)
			largest = absolute_value(change->shift);
	}
	row->weight = weigh_diff_row(diff, row);
	if (!changed && !row->different)
		return false;
	dmtrace_diff_change_get(diff->diff, DMTRACE_PROFILE_TOP,
	    diff_figure(diff->clock, DIFF_COLUMN_INCLUSIVE), &total);
	return 100 * largest >= diff->job->threshold *
	    absolute_value(total.medians[DMTRACE_DIFF_BASE]);
}

/* Makes the rows, in order. false: no memory, which was reported. */
static bool
make_diff_rows(struct diff *diff)
{
	const size_t count = dmtrace_diff_method_count(diff->diff);

	diff->rows = calloc(count + 1, sizeof(*diff->rows));
	if (diff->rows == NULL) {
		msg_memory();
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		struct diff_row *const row = &diff->rows[diff->row_count];

		if (!fill_diff_row(diff, row, i))
			continue;
		diff->row_count++;
		for (int side = 0; side < DMTRACE_DIFF_SIDES; side++)
			diff->only[side] += row->method.runs[!side] == 0;
	}
	if (diff->row_count > 1)
		qsort(diff->rows, diff->row_count, sizeof(*diff->rows),
		    compare_diff_rows);
	return true;
}

size_t
diff_shown(const struct diff *diff)
{
	return diff->job->top == 0 || diff->job->top > diff->row_count ?
	    diff->row_count : (size_t)diff->job->top;
}

/* The command. */

/* Compares method by method. */
static int
diff_methods(struct diff *diff)
{
	int status = CMD_OK;
	bool different = false;

	diff->diff = dmtrace_diff_new();
	if (diff->diff == NULL)
		return msg_fail_memory();
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++) {
		const struct opt_list *const runs = &diff->job->sides[side];

		for (size_t i = 0; i < runs->count; i++)
			status = cmd_worse(status, add_run(diff,
			    (enum dmtrace_diff_side)side, runs->items[i]));
	}
	if (status != CMD_TROUBLE)
		status = cmd_worse(status, selection_finish(
		    &diff->job->selection, NULL));
	if (status == CMD_TROUBLE)
		return status;

	dmtrace_diff_summary_get(diff->diff, &diff->summary);
	if (!clock_choose(&diff->clock, diff->job->clock,
	    diff->summary.has_clock, "all traces"))
		return CMD_TROUBLE;
	if (dmtrace_diff_compare(diff->diff, diff->clock, diff->alpha) !=
	    DMTRACE_OK)
		return msg_fail_memory();

	if (!make_diff_rows(diff))
		return CMD_TROUBLE;
	if (!check_report_has_cases(&diff->checks) && !diff_put_rows(diff))
		return CMD_TROUBLE;
	if (diff->job->rules.count > 0)
		return cmd_worse(status, diff_rules_judge(diff));
	for (size_t i = 0; i < diff->row_count; i++)
		different |= diff->rows[i].different;
	if (check_report_has_cases(&diff->checks) && different) {
		struct dmt_output line = { 0 };

		dmt_put_format(&line, "%zu method%s changed\n",
		    diff->row_count, diff->row_count == 1 ? " has" : "s have");
		check_report_put_lines(&diff->checks, &line);
	}
	check_report_end_case(&diff->checks, "the same calls and times",
	    different ? CMD_NO : CMD_OK);
	return different ? cmd_worse(status, CMD_NO) : status;
}

int
diff_run(struct diff_job *job)
{
	struct diff diff = {
		.job = job, .alpha = DIFF_ALPHA,
		.table.form = job->form,
		.events = {
			.job = &job->io, .selection = &job->selection
		}
	};

	if (job->alpha != NULL && (!dmt_decimal_parse(job->alpha,
	    &diff.alpha) ||
	    !(diff.alpha > 0 && diff.alpha < 1))) {
		msg_error("--alpha: \"%s\" is not a number between 0 and 1, "
		    "such as 0.05", job->alpha);
		return CMD_TROUBLE;
	}
	int status = diff_rules_begin(&diff);
	if (status == OPT_GO && !table_open(&diff.table, job->io.output))
		status = CMD_TROUBLE;
	diff.checks = (struct check_report){
		.table = diff.table, .command = "diff", .failure = "changed"
	};
	if (status == OPT_GO && check_report_has_cases(&diff.checks)) {
		/* Why traces were not compared is part of the report. */
		msg_copy_errors(&diff.checks.lines);
		status = job->calls ? diff_calls(&diff) : diff_methods(&diff);
		if (status == CMD_TROUBLE && diff.checks.errors == 0)
			check_report_end_case(&diff.checks,
			    "the traces can be compared", status);
		msg_copy_errors(NULL);
		status = check_report_close(&diff.checks, status);
	} else if (status == OPT_GO) {
		status = job->dmtracedump ? diff_dmtracedump(&diff) :
		    job->calls ? diff_calls(&diff) : diff_methods(&diff);
		diff.table.lost |= status == CMD_TROUBLE;
		status = table_close(&diff.table, status);
	}
	diff_rules_end(&diff);
	job_fini(&job->io);
	dmtrace_diff_free(diff.diff);
	free(diff.rows);
	free(diff.names);
	return status;
}
