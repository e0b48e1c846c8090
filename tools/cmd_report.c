/* cmd_report.c - profile traces */

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "cli/cli_files.h"
#include "cli/clock_option.h"
#include "cli/msg.h"
#include "cli/progress.h"
#include "cli/selection.h"
#include "cli/table.h"
#include "cli/trace_events.h"
#include "report/dmtracedump.h"
#include "report/report.h"
#include "report/traceview.h"

/* --by: one of the profile's, or threads. */
enum report_by {
	REPORT_BY_METHOD,
	REPORT_BY_NAME,
	REPORT_BY_CLASS,
	REPORT_BY_PACKAGE,
	REPORT_BY_THREAD
};

/* What text has unless it is asked for; other forms have every row. */
#define TEXT_ROWS 30
#define TEXT_BRANCH_PERCENT 0.5

/* Neither --top nor --sort is given. */
#define TOP_USUAL UINT64_MAX
#define SORT_USUAL (REPORT_SORT_NAME + 1)

struct report_job {
	unsigned form, by, sort, clock;
	const char *output;
	uint64_t top;			/* 0: all; TOP_USUAL: as the form */
	double threshold;		/* percent; below 0: as the form */
	bool callers, callees, tree, bottom_up, calls, per_thread;
	bool compensate, merge_runs, dmtracedump, signatures;
	bool quiet, progress;
	struct selection selection;	/* begun */
};

static const enum dmtrace_profile_by bys[] = {
	[REPORT_BY_METHOD] = DMTRACE_PROFILE_BY_METHOD,
	[REPORT_BY_NAME] = DMTRACE_PROFILE_BY_NAME,
	[REPORT_BY_CLASS] = DMTRACE_PROFILE_BY_CLASS,
	[REPORT_BY_PACKAGE] = DMTRACE_PROFILE_BY_PACKAGE,
	[REPORT_BY_THREAD] = DMTRACE_PROFILE_BY_METHOD
};

/* One report, and the profiles that it is made of: one for each run, or one
 * for all traces. */
struct report_state {
	const struct report_job *job;
	struct report report;
	struct report_unreadable *unreadable;	/* of the report */
	struct trace_events events;
	struct dmtrace_profile **profiles;
	size_t count;
	bool is_whole;			/* the report, with what it lacks */
	bool begins_on_wall;		/* the first trace has wall time */
	struct strbuf title;		/* "app.trace and 2 more" */
	const char *first_read;		/* NULL: none */
	size_t read_count;		/* operands that were, to their end */
};

static unsigned
things_to_keep(const struct report_job *job)
{
	return (job->callers || job->callees ? DMTRACE_PROFILE_EDGES : 0) |
	    (job->tree || job->bottom_up || job->form == REPORT_HTML ?
	    DMTRACE_PROFILE_TREE : 0) |
	    (job->calls ? DMTRACE_PROFILE_CALLS : 0) |
	    (job->per_thread ? DMTRACE_PROFILE_THREADS : 0) |
	    (job->compensate ? DMTRACE_PROFILE_COMPENSATE : 0);
}

/* Adds a profile, which the next traces go to. */
static bool
add_report_profile(struct report_state *state)
{
	const struct report_job *job = state->job;
	struct dmtrace_profile_options options = { 0 };

	options.keep = things_to_keep(job);
	options.by = bys[job->by];
	if (job->clock != CLOCK_ANY)
		options.clock = clock_of_profile(
		    (enum dmtrace_profile_clock)job->clock);
	if (job->dmtracedump)
		options = dmtracedump_options();
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	if (profile == NULL) {
		msg_memory();
		return false;
	}
	state->profiles[state->count++] = profile;
	state->events.profile = profile;
	return true;
}

/* dmtracedump reads the first time of a record. */
static unsigned
wanted_clock(const struct report_state *state)
{
	return !state->job->dmtracedump ? state->job->clock :
	    state->report.summary.has_clock[DMTRACE_PROFILE_CPU] ?
	    DMTRACE_PROFILE_CPU : DMTRACE_PROFILE_WALL;
}

/* How long calls took is known on the clock of the first trace. */
static int
check_calls(const struct report_state *state)
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
choose_report_clock(struct report_state *state)
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
print_form(struct report_state *state)
{
	struct report *report = &state->report;

	if (state->job->dmtracedump)
		return dmtracedump_put(report,
		    dmtrace_reader_key(state->events.reader));
	if (state->job->merge_runs)
		return report_runs(report, state->profiles, state->count);
	if (report->table.form == REPORT_HTML)
		return report_html(report);
	return report_print(report);
}

/* In what order, and how many. Trees come by inclusive time: what took long is
 * at their top. */
static void
set_extent(struct report *report, const struct report_job *job)
{
	const bool is_text = job->form == FORM_TEXT;
	const uint64_t top = job->top != TOP_USUAL ? job->top :
	    is_text ? TEXT_ROWS : 0;

	report->top = top == 0 || top > SIZE_MAX ? SIZE_MAX : (size_t)top;
	report->threshold = job->threshold < 0 ? 0 : job->threshold;
	report->branch_threshold = job->threshold >= 0 ? job->threshold :
	    is_text ? TEXT_BRANCH_PERCENT : 0;
	report->sort = report->branch_sort = (enum report_sort)job->sort;
	if (job->sort == SORT_USUAL) {
		report->branch_sort = REPORT_SORT_INCLUSIVE;
		report->sort = is_text && job->by != REPORT_BY_THREAD ?
		    REPORT_SORT_EXCLUSIVE : REPORT_SORT_INCLUSIVE;
	}
}

static int
print_report_rows(struct report_state *state)
{
	const struct report_job *job = state->job;
	struct report *report = &state->report;

	if (state->count == 0 &&
	    (job->dmtracedump || job->form == REPORT_HTML))
		return CMD_TROUBLE;
	if (state->count > 0 && choose_report_clock(state) != CMD_OK)
		return CMD_TROUBLE;
	report->profile = state->count == 0 ? NULL : state->profiles[0];
	set_extent(report, job);
	report->signatures = job->signatures;
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
combine_summaries(struct report_state *state)
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
note_clock(struct report_state *state)
{
	struct dmtrace_profile_summary summary;

	dmtrace_profile_summary_get(state->events.profile, &summary);
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
note_unreadable(struct report_state *state, const char *file)
{
	const struct dmtrace_error *error = &state->events.failure;

	if (error->status == DMTRACE_OK || error->status == DMTRACE_ERR_MEMORY)
		return false;
	if (!state->job->merge_runs &&
	    dmtrace_profile_error(state->events.profile)->status != DMTRACE_OK)
		return false;
	state->unreadable[state->report.unreadable_count++] =
	    (struct report_unreadable){ file, *error };
	return true;
}

/* Of what could be read or, if nothing could, of the first operand. */
static void
make_title(struct report_state *state, const char *operand)
{
	const struct dmtrace_file file = files_input(
	    state->first_read == NULL ? operand : state->first_read);

	strbuf_string(&state->title, files_name(&file));
	if (state->read_count > 1)
		strbuf_printf(&state->title, " and %zu more",
		    state->read_count - 1);
	strbuf_put(&state->title, "", 1);
}

/* What could be read is reported, even if another trace could not be. */
static int
read_and_print(struct report_state *state, char **files)
{
	const struct dmtrace_file first = files_input(files[0]);
	int status = CMD_OK;

	for (size_t i = 0; files[i] != NULL; i++) {
		if ((state->count == 0 || state->job->merge_runs) &&
		    !add_report_profile(state))
			return CMD_TROUBLE;
		const int added = trace_events_add(&state->events, files[i]);
		note_clock(state);
		if (added == CMD_TROUBLE && !note_unreadable(state, files[i]))
			return CMD_TROUBLE;
		if (added != CMD_TROUBLE && state->read_count++ == 0)
			state->first_read = files[i];
		status = cmd_worse(status, added);
	}
	make_title(state, files[0]);
	const int selected = selection_finish(state->events.selection,
	    files_name(&first));
	if (selected == CMD_TROUBLE)
		return selected;
	if (state->title.failed)
		return msg_fail_memory();
	combine_summaries(state);
	status = cmd_worse(status, selected);
	return cmd_worse(status, print_report_rows(state));
}

/* Reads the files, up to NULL, and puts the report. Returns the exit
 * status. */
static int
report_files(struct report_job *job, char **files)
{
	struct report_state state = {
		.job = job,
		.events = {
			.selection = &job->selection,
			.quiet = job->quiet
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
	progress_init(&state.events.progress, job->quiet, job->progress);
	if (state.profiles == NULL || state.unreadable == NULL) {
		msg_memory();
	} else if (table_open(table, job->output)) {
		state.events.out = &table->out.file;
		status = read_and_print(&state, files);
		table->lost |= !state.is_whole;
		status = table_close(table, status);
	}
	for (size_t i = 0; i < state.count; i++)
		dmtrace_profile_free(state.profiles[i]);
	dmtrace_reader_free(state.events.reader);
	free(state.profiles);
	free(state.unreadable);
	strbuf_fini(&state.title);
	return status;
}

static const char *const by_words[] = {
	[REPORT_BY_METHOD] = "method",
	[REPORT_BY_NAME] = "name",
	[REPORT_BY_CLASS] = "class",
	[REPORT_BY_PACKAGE] = "package",
	[REPORT_BY_THREAD] = "thread",
	[REPORT_BY_THREAD + 1] = NULL
};

static const char *const report_form_words[] = {
	[FORM_TEXT] = "text",
	[FORM_TSV] = "tsv",
	[FORM_CSV] = "csv",
	[FORM_JSON] = "json",
	[REPORT_HTML] = "html",
	[REPORT_HTML + 1] = NULL
};

static const char *const sort_words[] = {
	[REPORT_SORT_INCLUSIVE] = "inclusive",
	[REPORT_SORT_EXCLUSIVE] = "exclusive",
	[REPORT_SORT_CALLS] = "calls",
	[REPORT_SORT_PER_CALL] = "per-call",
	[REPORT_SORT_OFF_CPU] = "off-cpu",
	[REPORT_SORT_NAME] = "name",
	[REPORT_SORT_NAME + 1] = NULL
};

/* Tables of another program, which have no room for what is asked besides.
 * Returns NULL or what is wrong. */
static const char *
refuse_beside_tables(const struct report_job *job, bool traceview)
{
	const bool sets_rows = job->by != REPORT_BY_METHOD ||
	    job->sort != SORT_USUAL || job->top != TOP_USUAL ||
	    job->threshold >= 0 || job->signatures || job->clock != CLOCK_ANY ||
	    job->compensate || job->form != FORM_TEXT;

	if (job->dmtracedump && traceview)
		return "--dmtracedump cannot be used with --traceview";
	if (sets_rows)
		return "--dmtracedump and --traceview do not support --by, "
		    "--sort, --top, --threshold, --clock, --compensate "
		    "and --format";
	return NULL;
}

static bool
adds_tables(const struct report_job *job)
{
	return job->callers || job->callees || job->tree || job->bottom_up ||
	    job->calls || job->per_thread;
}

/* NULL or what is wrong. */
static const char *
find_report_misuse(const struct report_job *job, bool traceview, int files)
{
	const bool old = job->dmtracedump || traceview;

	if (files == 0)
		return "no file is named";
	if (old && files > 1)
		return "--dmtracedump and --traceview take one trace";
	if (old && (adds_tables(job) || job->merge_runs))
		return "--dmtracedump and --traceview do not support other "
		    "tables";
	if (job->merge_runs && (adds_tables(job) ||
	    job->by == REPORT_BY_THREAD || job->threshold >= 0 ||
	    job->sort == REPORT_SORT_OFF_CPU))
		return "--merge-runs cannot be used with other tables, "
		    "--threshold or --sort=off-cpu";
	if (job->form == REPORT_HTML && (job->tree || job->bottom_up ||
	    job->merge_runs || job->by == REPORT_BY_THREAD))
		return "-f html does not support --tree, --bottom-up, "
		    "--merge-runs and --by=thread";
	if (job->by == REPORT_BY_THREAD && adds_tables(job))
		return "--by=thread cannot be used with tables of methods";
	return old ? refuse_beside_tables(job, traceview) : NULL;
}

static int
select_and_report(struct report_job *job, bool traceview, char **files)
{
	int status = selection_begin(&job->selection);

	if (status == OPT_GO && traceview)
		status = view_file(files[0], &job->selection, job->output,
		    job->quiet, job->progress);
	else if (status == OPT_GO)
		status = report_files(job, files);
	return status;
}

static int
check_and_report(const struct cmd *cmd, struct report_job *job,
    bool traceview, int argc, char **argv)
{
	const char *wrong = find_report_misuse(job, traceview, argc);

	if (wrong != NULL)
		return opt_usage(cmd, wrong);
	argv[argc] = NULL;
	return select_and_report(job, traceview, argv);
}

static int
run_report(const struct cmd *cmd, int argc, char **argv)
{
	bool traceview = false;
	struct report_job job = {
		.clock = CLOCK_ANY, .sort = SORT_USUAL, .top = TOP_USUAL,
		.threshold = -1, .selection = SELECTION
	};
	const struct opt options[] = {
		OPT_CHOICE(0, "by", "WHAT", &job.by, by_words,
		    "group by method, name, class, package or thread [method]"),
		OPT_FLAG(0, "callers", &job.callers,
		    "print the callers of each method"),
		OPT_FLAG(0, "callees", &job.callees,
		    "print the callees of each method"),
		OPT_FLAG(0, "tree", &job.tree, "print the call tree"),
		OPT_FLAG(0, "bottom-up", &job.bottom_up,
		    "print a tree of methods and their callers"),
		OPT_FLAG(0, "calls", &job.calls,
		    "print minimum, median, maximum ... of calls"),
		OPT_FLAG(0, "per-thread", &job.per_thread,
		    "print a report for each thread"),
		OPT_CHOICE(0, "sort", "KEY", &job.sort, sort_words,
		    "inclusive, exclusive, calls, per-call, off-cpu or name"),
		OPT_TOP(&job.top, "print the first N rows of each table, or "
		    "all [30 in text]"),
		OPT_PERCENT(0, "threshold", "PERCENT", &job.threshold,
		    "print what takes at least PERCENT of the total [0]"),
		OPT_FLAG(0, "signatures", &job.signatures,
		    "print signatures of all methods in text"),
		OPT_CLOCK(&job.clock),
		OPT_FLAG(0, "compensate", &job.compensate,
		    "subtract the time that reading the clock took"),
		OPT_FLAG(0, "merge-runs", &job.merge_runs,
		    "compare runs: minimum, median, maximum over FILEs"),
		OPT_FLAG(0, "dmtracedump", &job.dmtracedump,
		    "print the report of dmtracedump"),
		OPT_FLAG(0, "traceview", &traceview,
		    "print the tables of traceview -r"),
		OPT_SELECTION(&job.selection),
		OPT_GROUP("Output"),
		OPT_CHOICE('f', "format", "FORM", &job.form,
		    report_form_words, "text, tsv, csv, json or html [text]"),
		OPT_OUTPUT(&job.output),
		OPT_QUIET(&job.quiet),
		OPT_PROGRESS(&job.progress),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO)
		status = check_and_report(cmd, &job, traceview, argc, argv);
	selection_end(&job.selection);
	return status;
}

const struct cmd cmd_report = {
	.name = "report",
	.group = "profile",
	.synopsis = "[OPTION]... FILE...",
	.summary = "profile traces: show where the time was spent",
	.run = run_report,
};
