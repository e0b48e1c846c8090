/* report_job.c - what "report" is asked for, and doing it */

#include "report/report_job.h"

#include <stdlib.h>

#include "cli/cli_files.h"
#include "cli/clock_option.h"
#include "cli/msg.h"
#include "cli/trace_events.h"
#include "report/dmtracedump.h"
#include "report/report.h"

static const enum dmtrace_profile_by bys[] = {
	[REPORT_BY_METHOD] = DMTRACE_PROFILE_BY_METHOD,
	[REPORT_BY_NAME] = DMTRACE_PROFILE_BY_NAME,
	[REPORT_BY_CLASS] = DMTRACE_PROFILE_BY_CLASS,
	[REPORT_BY_PACKAGE] = DMTRACE_PROFILE_BY_PACKAGE,
	[REPORT_BY_THREAD] = DMTRACE_PROFILE_BY_METHOD
};

/* One report, and the profiles that it is made of: one for each run, or one
 * for all traces. */
struct state {
	const struct report_job *job;
	struct report report;
	struct report_unreadable *unreadable;	/* of the report */
	struct trace_events gather;
	struct dmtrace_profile **profiles;
	size_t count;
	bool is_whole;			/* the report, with what it lacks */
	bool begins_on_wall;		/* the first trace has wall time */
	struct strbuf title;
};

static unsigned
things_to_keep(const struct report_job *job)
{
	return (job->callers || job->callees ||
	    job->form == REPORT_HTML ? DMTRACE_PROFILE_EDGES : 0) |
	    (job->tree || job->bottom_up ? DMTRACE_PROFILE_TREE : 0) |
	    (job->calls ? DMTRACE_PROFILE_CALLS : 0) |
	    (job->per_thread ? DMTRACE_PROFILE_THREADS : 0) |
	    (job->compensate ? DMTRACE_PROFILE_COMPENSATE : 0);
}

/* Adds a profile, which the next traces go to. */
static bool
add_profile(struct state *state)
{
	const struct report_job *job = state->job;
	struct dmtrace_profile_options options;

	dmtrace_profile_options_init(&options);
	options.keep = things_to_keep(job);
	options.by = bys[job->by];
	if (job->clock != CLOCK_ANY)
		options.clock = (enum dmtrace_profile_clock)job->clock;
	if (job->dmtracedump)
		options = dmtracedump_options();
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	if (profile == NULL) {
		msg_memory();
		return false;
	}
	state->profiles[state->count++] = profile;
	state->gather.profile = profile;
	return true;
}

/* dmtracedump reads the first time of a record. */
static unsigned
wanted_clock(const struct state *state)
{
	return !state->job->dmtracedump ? state->job->clock :
	    state->report.summary.has_clock[DMTRACE_PROFILE_CPU] ?
	    DMTRACE_PROFILE_CPU : DMTRACE_PROFILE_WALL;
}

/* How long calls took is known on the clock of the first trace. */
static int
check_calls(const struct state *state)
{
	if (!state->job->calls || state->job->clock != CLOCK_ANY ||
	    state->report.clock == DMTRACE_PROFILE_WALL ||
	    !state->begins_on_wall)
		return CMD_OK;
	msg_error("--calls: not all traces have wall time, as the first one "
	    "has; ask for --clock=cpu");
	return CMD_TROUBLE;
}

static int
choose_report_clock(struct state *state)
{
	const int *const has_clock = state->report.summary.has_clock;

	state->report.both = has_clock[0] && has_clock[1];
	if (state->job->sort == REPORT_SORT_OFF_CPU && !state->report.both) {
		msg_error("--sort=off-cpu: not all traces have CPU and wall "
		    "time");
		return CMD_TROUBLE;
	}
	return clock_choose(&state->report.clock, wanted_clock(state),
	    has_clock, "all traces") ? check_calls(state) : CMD_TROUBLE;
}

static bool
print_form(struct state *state)
{
	struct report *report = &state->report;

	if (state->job->dmtracedump)
		return dmtracedump_put(report,
		    dmtrace_reader_key(state->gather.reader));
	if (state->job->merge_runs)
		return report_runs(report, state->profiles, state->count);
	if (report->table.form == REPORT_HTML)
		return report_html(report);
	return report_print(report);
}

static int
print_report_rows(struct state *state)
{
	const struct report_job *job = state->job;
	struct report *report = &state->report;

	if (state->count == 0 &&
	    (job->dmtracedump || job->form == REPORT_HTML))
		return CMD_TROUBLE;
	if (state->count > 0 && choose_report_clock(state) != CMD_OK)
		return CMD_TROUBLE;
	report->profile = state->count == 0 ? NULL : state->profiles[0];
	report->sort = (enum report_sort)job->sort;
	report->top = job->top == 0 || job->top > SIZE_MAX ? SIZE_MAX :
	    (size_t)job->top;
	report->threshold = (double)job->threshold;
	report->threads = job->by == REPORT_BY_THREAD;
	report->groups = bys[job->by] != DMTRACE_PROFILE_BY_METHOD;
	report->callers = job->callers;
	report->callees = job->callees;
	report->tree = job->tree;
	report->bottom_up = job->bottom_up;
	report->calls = job->calls;
	report->per_thread = job->per_thread;
	report->title = state->title.bytes;
	report->unreadable = state->unreadable;
	state->is_whole = print_form(state);
	return state->is_whole ? CMD_OK : CMD_TROUBLE;
}

/* What there is in all profiles. A profile without a trace goes. */
static void
combine_summaries(struct state *state)
{
	struct dmtrace_profile_summary *sum = &state->report.summary;
	size_t kept = 0;

	*sum = (struct dmtrace_profile_summary){ .has_clock = { 1, 1 } };
	for (size_t i = 0; i < state->count; i++) {
		struct dmtrace_profile_summary one;

		dmtrace_profile_summary_get(state->profiles[i], &one);
		if (one.traces == 0 ||
		    dmtrace_profile_error(state->profiles[i])->status !=
		    DMTRACE_OK) {
			dmtrace_profile_free(state->profiles[i]);
			continue;
		}
		state->profiles[kept++] = state->profiles[i];
		if (kept == 1) {
			*sum = one;
			continue;
		}
		sum->records += one.records;
		sum->lower_bounds |= one.lower_bounds;
		sum->has_clock[0] &= one.has_clock[0];
		sum->has_clock[1] &= one.has_clock[1];
	}
	state->count = kept;
}

/* Of the first trace that could be read. */
static void
note_clock(struct state *state)
{
	struct dmtrace_profile_summary summary;

	dmtrace_profile_summary_get(state->gather.profile, &summary);
	if (summary.traces == 1)
		state->begins_on_wall =
		    summary.has_clock[DMTRACE_PROFILE_WALL];
}

static size_t
count_files(char **files)
{
	size_t count = 0;

	while (files[count] != NULL)
		count++;
	return count;
}

/* False: what failed is more than one operand, so that there is no report. */
static bool
note_unreadable(struct state *state, const char *file)
{
	const struct dmtrace_error *error = &state->gather.failure;

	if (error->status == DMTRACE_OK || error->status == DMTRACE_ERR_MEMORY)
		return false;
	if (!state->job->merge_runs &&
	    dmtrace_profile_error(state->gather.profile)->status != DMTRACE_OK)
		return false;
	state->unreadable[state->report.unreadable_count++] =
	    (struct report_unreadable){ file, *error };
	return true;
}

/* What could be read is reported, even if another trace could not be. */
static int
read_and_print(struct state *state, char **files)
{
	const struct dmtrace_file first = files_input(files[0]);
	int status = CMD_OK;

	for (size_t i = 0; files[i] != NULL; i++) {
		if ((state->count == 0 || state->job->merge_runs) &&
		    !add_profile(state))
			return CMD_TROUBLE;
		const int added = trace_events_add(&state->gather, files[i]);
		note_clock(state);
		if (added == CMD_TROUBLE && !note_unreadable(state, files[i]))
			return CMD_TROUBLE;
		status = cmd_worse(status, added);
	}
	const int selected = selection_finish(state->gather.selection,
	    files_name(&first));
	if (selected == CMD_TROUBLE)
		return selected;
	combine_summaries(state);
	status = cmd_worse(status, selected);
	return cmd_worse(status, print_report_rows(state));
}

/* "app.trace and 2 more". */
static void
make_title(struct state *state, char **files)
{
	const struct dmtrace_file file = files_input(files[0]);
	const size_t count = count_files(files);

	strbuf_string(&state->title, files_name(&file));
	if (count > 1)
		strbuf_printf(&state->title, " and %zu more", count - 1);
	strbuf_put(&state->title, "", 1);
}

int
report_job(struct report_job *job, char **files)
{
	struct state state = {
		.job = job,
		.gather = {
			.selection = &job->selection,
			.quiet = job->quiet, .keeps_reader = true
		},
		.profiles = calloc(count_files(files) + 1,
		    sizeof(*state.profiles)),
		.unreadable = calloc(count_files(files) + 1,
		    sizeof(*state.unreadable))
	};
	struct table *const table = &state.report.table;
	int status = CMD_TROUBLE;

	table->form = job->form;
	job->selection.several = files[1] != NULL;
	progress_init(&state.gather.progress, job->quiet, job->progress);
	make_title(&state, files);
	if (state.profiles == NULL || state.unreadable == NULL ||
	    state.title.failed) {
		msg_memory();
	} else if (table_open(table, job->output)) {
		state.gather.out = &table->out.file;
		status = read_and_print(&state, files);
		table->lost |= !state.is_whole;
		status = table_close(table, status);
	}
	for (size_t i = 0; i < state.count; i++)
		dmtrace_profile_free(state.profiles[i]);
	dmtrace_reader_free(state.gather.reader);
	free(state.profiles);
	free(state.unreadable);
	strbuf_fini(&state.title);
	return status;
}
