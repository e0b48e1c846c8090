/* diff_run.c - what "diff" is asked for, and doing it */

#include "diff/diff_run.h"

#include <stdlib.h>

#include "cli/cli_files.h"
#include "cli/clock_option.h"
#include "cli/msg.h"

int
diff_read_operand(struct diff *diff, const char *operand)
{
	return trace_events_add(&diff->events, operand) == CMD_TROUBLE ?
	    CMD_TROUBLE : CMD_OK;
}

/* One run. */
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
	if (added == DMTRACE_ERR_MEMORY) {
		status = msg_fail_memory();
	} else if (added != DMTRACE_OK) {
		msg_error("%s: times of a method add up to more than 2^60 ns"
		    " (36 years)", operand);
		status = CMD_TROUBLE;
	}
	dmtrace_profile_free(profile);
	return status;
}

static int
add_runs(struct diff *diff)
{
	int status = CMD_OK;

	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++) {
		const struct opt_list *const runs = &diff->job->sides[side];

		for (size_t i = 0; i < runs->count; i++)
			status = cmd_worse(status, add_run(diff,
			    (enum dmtrace_diff_side)side, runs->items[i]));
	}
	return status;
}

static int
compare_runs(struct diff *diff)
{
	dmtrace_diff_summary_get(diff->diff, &diff->summary);
	if (!clock_choose(&diff->clock, diff->job->clock,
	    diff->summary.has_clock, "all traces"))
		return CMD_TROUBLE;
	return dmtrace_diff_compare(diff->diff, diff->clock, diff->alpha) ==
	    DMTRACE_OK ? CMD_OK : msg_fail_memory();
}

static size_t
count_different(const struct diff *diff)
{
	size_t count = 0;

	for (size_t i = 0; i < diff->row_count; i++)
		count += diff->rows[i].different;
	return count;
}

static int
put_methods(struct diff *diff)
{
	if (!diff_rows_make(diff))
		return CMD_TROUBLE;
	if (diff->table.form == FORM_TEXT)
		diff_text(diff);
	else
		diff_cells(diff);
	if (!table_flush(&diff->table))
		return CMD_TROUBLE;
	if (diff->job->rules.count > 0)
		return diff_rules_judge(diff);
	return count_different(diff) > 0 ? CMD_NO : CMD_OK;
}

/* Method by method. */
static int
diff_methods(struct diff *diff)
{
	diff->diff = dmtrace_diff_new();
	if (diff->diff == NULL)
		return msg_fail_memory();
	int status = add_runs(diff);
	if (status != CMD_TROUBLE)
		status = cmd_worse(status, selection_finish(
		    &diff->job->selection, NULL));
	if (status != CMD_TROUBLE)
		status = cmd_worse(status, compare_runs(diff));
	return status == CMD_TROUBLE ? status : cmd_worse(status,
	    put_methods(diff));
}

static int
run_diff_kind(struct diff *diff)
{
	if (diff->job->dmtracedump)
		return diff_dmtracedump(diff);
	return diff->job->calls ? diff_calls(diff) : diff_methods(diff);
}

static int
set_alpha(struct diff *diff)
{
	const char *const words = diff->job->alpha;

	diff->alpha = DIFF_ALPHA;
	if (words == NULL || (diff_number(words, &diff->alpha) &&
	    diff->alpha > 0 && diff->alpha < 1))
		return OPT_GO;
	msg_error("--alpha: \"%s\" is not a number between 0 and 1, such as"
	    " 0.05", words);
	return CMD_TROUBLE;
}

int
diff_run(struct diff_job *job)
{
	struct diff diff = {
		.job = job,
		.table.form = job->form,
		.events = {
			.selection = &job->selection, .quiet = job->quiet
		}
	};

	progress_init(&diff.events.progress, job->quiet, job->progress);
	int status = set_alpha(&diff);
	if (status == OPT_GO)
		status = diff_rules_begin(&diff);
	if (status == OPT_GO && !table_open(&diff.table, job->output))
		status = CMD_TROUBLE;
	if (status == OPT_GO) {
		diff.events.out = &diff.table.out.file;
		status = run_diff_kind(&diff);
		diff.table.lost |= status == CMD_TROUBLE;
		status = table_close(&diff.table, status);
	}
	diff_rules_end(&diff);
	dmtrace_reader_free(diff.events.reader);
	dmtrace_diff_free(diff.diff);
	free(diff.rows);
	return status;
}
