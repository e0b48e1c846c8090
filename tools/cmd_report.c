/* cmd_report.c - profile traces */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_files.h"
#include "cli/clock_option.h"
#include "cli/jobs.h"
#include "cli/msg.h"
#include "cli/selection.h"
#include "cli/table.h"
#include "cli/trace_events.h"
#include "private/profile.h"
#include "report/dmtracedump.h"
#include "report/report.h"
#include "report/slowest.h"
#include "report/traceview.h"

/* Values of --by: those of a profile, and threads. */
enum report_by {
	REPORT_BY_METHOD,
	REPORT_BY_NAME,
	REPORT_BY_CLASS,
	REPORT_BY_PACKAGE,
	REPORT_BY_THREAD
};

/* Defaults of text; other forms have every row. */
#define TEXT_ROWS 30
#define TEXT_BRANCH_PERCENT 0.5

/* No --top, no --sort. */
#define TOP_USUAL UINT64_MAX
#define SORT_USUAL (REPORT_SORT_NAME + 1)

/* The options, the report, and the profiles that it is made of: one for each
 * run, or one for all traces. */
struct report_job {
	struct report report;
	unsigned by, sort, clock;
	struct job io;
	uint64_t top;			/* 0: all; TOP_USUAL: depends on the
					   form */
	double threshold;		/* in percent; negative: depends on the
					   form */
	uint64_t slowest;		/* 0: no --slowest */
	bool compensate, merge_runs, dmtracedump, traceview;
	struct selection selection;	/* selection_begin was called */

	uint64_t workers;		/* --jobs */

	struct trace_events events;
	char **files;
	const char *first_file;		/* that was read; NULL: none */
	size_t read;			/* files that were */
	int status;			/* the worst of a file */
	bool stopped;			/* there can be no report, which was
					   reported */
	struct dmtrace_profile **profiles;
	size_t count;
	struct dmtrace_profile *own;	/* of a worker */
	struct report_unreadable *unreadable;	/* of the report */
	struct dmt_output title;		/* "app.trace and 2 more" */
	bool begins_on_wall;		/* the first trace has wall times */
	bool is_whole;			/* nothing is missing in the report
					   except for operands listed as
					   unreadable */
};

static const enum dmtrace_profile_by bys[] = {
	[REPORT_BY_METHOD] = DMTRACE_PROFILE_BY_METHOD,
	[REPORT_BY_NAME] = DMTRACE_PROFILE_BY_NAME,
	[REPORT_BY_CLASS] = DMTRACE_PROFILE_BY_CLASS,
	[REPORT_BY_PACKAGE] = DMTRACE_PROFILE_BY_PACKAGE,
	[REPORT_BY_THREAD] = DMTRACE_PROFILE_BY_METHOD
};

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
	[FORM_JSONL] = "jsonl",
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

/* Returns NULL, or what is wrong with the options. */
static const char *
find_misuse(const struct report_job *job, int files)
{
	const struct report *const report = &job->report;
	const bool adds_tables = report->callers || report->callees ||
	    report->tree || report->bottom_up || report->calls ||
	    report->per_thread;
	const bool sets_rows = job->by != REPORT_BY_METHOD ||
	    job->sort != SORT_USUAL || job->top != TOP_USUAL ||
	    job->threshold >= 0 || report->signatures ||
	    job->clock != CLOCK_ANY || job->compensate ||
	    report->table.form != FORM_TEXT;
	const bool is_old = job->dmtracedump || job->traceview;

	if (files == 0)
		return "no file is named";
	if (is_old && files > 1)
		return "--dmtracedump and --traceview take one trace";
	if (is_old && (adds_tables || job->merge_runs))
		return "--dmtracedump and --traceview do not support other "
		    "tables";
	if (job->merge_runs && (adds_tables || job->by == REPORT_BY_THREAD ||
	    job->threshold >= 0 || job->sort == REPORT_SORT_OFF_CPU))
		return "--merge-runs cannot be used with other tables, "
		    "--threshold or --sort=off-cpu";
	if (report->table.form == REPORT_HTML && (report->tree ||
	    report->bottom_up || job->merge_runs ||
	    job->by == REPORT_BY_THREAD))
		return "-f html does not support --tree, --bottom-up, "
		    "--merge-runs and --by=thread";
	if (job->slowest > 0 && (adds_tables || is_old || job->merge_runs ||
	    job->by != REPORT_BY_METHOD || job->top != TOP_USUAL ||
	    job->threshold >= 0 || report->signatures || job->compensate ||
	    report->table.form == REPORT_HTML || (job->sort != SORT_USUAL &&
	    job->sort != REPORT_SORT_INCLUSIVE &&
	    job->sort != REPORT_SORT_EXCLUSIVE)))
		return "--slowest lists calls, not methods: it takes --clock, "
		    "--find, --sort=inclusive or exclusive, and a selection";
	if (report->find.patterns.count > 0 && (is_old ||
	    report->table.form == REPORT_HTML))
		return "--dmtracedump, --traceview and -f html have no --find";
	if (report->unfold && !report->tree)
		return "--unfold cannot be used without --tree";
	if (job->by == REPORT_BY_THREAD && adds_tables)
		return "--by=thread cannot be used with tables of methods";
	if (job->dmtracedump && job->traceview)
		return "--dmtracedump cannot be used with --traceview";
	if (is_old && sets_rows)
		return "--dmtracedump and --traceview do not support --by, "
		    "--sort, --top, --threshold, --clock, --compensate "
		    "and --format";
	return NULL;
}

/* Returns a profile for the report. NULL: no memory, which was reported. */
static struct dmtrace_profile *
new_profile(const struct report_job *job)
{
	const struct report *const report = &job->report;
	struct dmtrace_profile_options options = {
		.keep =
		    (report->callers || report->callees ?
		    DMTRACE_PROFILE_EDGES : 0) |
		    (report->tree || report->bottom_up ||
		    report->table.form == REPORT_HTML ?
		    DMTRACE_PROFILE_TREE : 0) |
		    (report->calls ? DMTRACE_PROFILE_CALLS : 0) |
		    (report->per_thread ? DMTRACE_PROFILE_THREADS : 0) |
		    (job->compensate ? DMTRACE_PROFILE_COMPENSATE : 0),
		.by = bys[job->by]
	};

	/* A worker takes the clock that the first trace has chosen. */
	if (job->clock != CLOCK_ANY)
		options.clock = clock_of_profile(
		    (enum dmtrace_profile_clock)job->clock);
	else if (job->count > 0 && !job->begins_on_wall)
		options.clock = DMTRACE_CLOCK_THREAD_CPU;
	if (job->dmtracedump)
		options = dmtracedump_options();
	struct dmtrace_profile *const profile = dmtrace_profile_new(&options);
	if (profile == NULL)
		msg_memory();
	return profile;
}

/* Returns the profile that the next trace is added to; NULL: no memory, which
 * was reported. */
static struct dmtrace_profile *
next_profile(struct report_job *job)
{
	if (job->count > 0 && !job->merge_runs)
		return job->profiles[0];
	struct dmtrace_profile *const profile = new_profile(job);
	if (profile != NULL)
		job->profiles[job->count++] = profile;
	return profile;
}

/* Says so if a trace was made of samples, as import does. */
static void
note_samples(const struct job *io)
{
	const struct dmtrace_option *const period = dmtrace_key_option_find(
	    dmtrace_reader_key(io->reader), "dmtrace-sampled");

	if (period != NULL && !io->quiet)
		msg_note("note: %s: made of samples, one about every %.*s ns: "
		    "counts of calls are estimates", io->name,
		    (int)period->value.len, period->value.bytes);
}

/* What became of a trace. */
struct trace_result {
	int status;
	bool stops;			/* there can be no report, which was
					   reported */
	bool fits;			/* the profile has no error */
	bool follows;			/* a worker passes it on */
	struct dmtrace_error failure;	/* why it could not be read */
};

/* Adds a trace to a profile; NULL: there was no memory for one. */
static struct trace_result
profile_trace(struct report_job *job, const char *file,
    struct dmtrace_profile *profile)
{
	struct trace_result result = { .status = CMD_TROUBLE, .stops = true };

	if (profile == NULL)
		return result;
	job->events.profile = profile;
	result.status = trace_events_add(&job->events, file);
	result.failure = job->events.failure;
	result.fits = dmtrace_profile_error(profile)->status == DMTRACE_OK;
	result.stops = result.status == CMD_TROUBLE &&
	    (result.failure.status == DMTRACE_OK ||
	    result.failure.status == DMTRACE_ERR_MEMORY ||
	    (!job->merge_runs && !result.fits));
	if (result.status != CMD_TROUBLE)
		note_samples(job->events.job);
	return result;
}

/* Notes for the report what became of a trace. A trace that cannot be read is
 * recorded in it. */
static void
note_trace(struct report_job *job, const char *file,
    const struct trace_result *result)
{
	struct dmtrace_profile_summary summary;

	job->stopped |= result->stops;
	if (job->stopped)
		return;
	dmtrace_profile_summary_get(job->profiles[job->count - 1], &summary);
	if (summary.traces == 1)
		job->begins_on_wall = summary.has_clock[DMTRACE_PROFILE_WALL];
	if (result->status == CMD_TROUBLE)
		job->unreadable[job->report.unreadable_count++] =
		    (struct report_unreadable){ file, result->failure };
	else if (job->read++ == 0)
		job->first_file = file;
}

static int
handle_trace(void *context, size_t index)
{
	struct report_job *const job = context;

	if (job->stopped)
		return CMD_TROUBLE;
	const struct trace_result result = profile_trace(job,
	    job->files[index], next_profile(job));
	note_trace(job, job->files[index], &result);
	return result.status;
}

/* With --jobs, a worker has a profile of its traces, which it passes on after
 * the last one. Statistics of calls are rounded when they are added: so that
 * this is the same with and without --jobs, traces are added one by one. */
static int
work_on_trace(void *context, size_t index, bool last,
    struct dmt_output *out)
{
	struct report_job *const job = context;

	if (job->own == NULL && !job->stopped)
		job->own = new_profile(job);
	struct trace_result result = profile_trace(job, job->files[index],
	    job->stopped ? NULL : job->own);
	job->stopped |= result.stops;
	result.follows = result.fits &&
	    (last || job->report.calls || job->merge_runs);
	dmt_output_write(out, &result, sizeof(result));
	if (result.follows)
		dmt_profile_put(job->own, out);
	if (result.follows || !result.fits) {
		dmtrace_profile_free(job->own);
		job->own = NULL;
	}
	return result.status;
}

static void
take_trace(void *context, size_t index, const char *bytes)
{
	struct report_job *const job = context;
	const struct dmtrace_file file = files_input(job->files[index]);
	struct dmtrace_profile *const profile = job->stopped ? NULL :
	    next_profile(job);
	struct trace_result result;

	memcpy(&result, bytes, sizeof(result));
	if (profile == NULL) {
		job->stopped = true;
		return;
	}
	if (result.follows && dmt_profile_add_bytes(profile,
	    bytes + sizeof(result)) != DMTRACE_OK) {
		msg_failure(files_name(&file), dmtrace_profile_error(profile));
		result.stops = true;
	}
	note_trace(job, job->files[index], &result);
}

/* Reads the traces into the profiles. false: there can be no report, which was
 * reported. */
static bool
read_traces(struct report_job *job, size_t count)
{
	struct progress *const progress = &job->io.progress;
	size_t alone = 0;

	progress_init(progress, job->io.quiet, job->io.asked);
	job->io.begun = true;
	/* The clock of the first trace is that of all statistics of calls. */
	for (; job->report.calls && alone < count && job->read == 0; alone++)
		job->status = cmd_worse(job->status,
		    handle_trace(job, alone));
	job->files += alone;
	const struct jobs jobs = {
		.operands = count - alone,
		.workers = dmt_selection_is_all(job->selection.asked) ?
		    job->workers : 1,
		.context = job, .status = &job->status, .progress = progress,
		.handle = handle_trace, .work = work_on_trace,
		.take_result = take_trace, .stop = &job->stopped
	};
	progress->files = jobs.workers > 1 && jobs.operands > 1;
	job->stopped |= !jobs_run(&jobs);
	progress_erase(progress);
	if (job->stopped)
		return false;

	const struct dmtrace_file file = files_input(job->first_file == NULL ?
	    job->files[-(ptrdiff_t)alone] : job->first_file);
	dmt_put(&job->title, files_name(&file));
	if (job->read > 1)
		dmt_put_format(&job->title, " and %zu more", job->read - 1);
	dmt_output_write(&job->title, "", 1);
	return true;
}

/* Combines the summaries of all profiles for the report. A profile without a
 * trace is removed. */
static void
combine_summaries(struct report_job *job)
{
	struct dmtrace_profile_summary *sum = &job->report.summary;
	size_t kept = 0;

	*sum = (struct dmtrace_profile_summary){ .has_clock = { 1, 1 } };
	for (size_t i = 0; i < job->count; i++) {
		struct dmtrace_profile *const profile = job->profiles[i];
		struct dmtrace_profile_summary one;

		dmtrace_profile_summary_get(profile, &one);
		if (one.traces == 0 ||
		    dmtrace_profile_error(profile)->status != DMTRACE_OK) {
			dmtrace_profile_free(profile);
			continue;
		}
		job->profiles[kept++] = profile;
		if (kept == 1) {
			*sum = one;
			continue;
		}
		sum->records += one.records;
		sum->lower_bounds |= one.lower_bounds;
		sum->has_clock[0] &= one.has_clock[0];
		sum->has_clock[1] &= one.has_clock[1];
	}
	job->count = kept;
}

/* Chooses the clock that the report shows. false: the traces do not have it,
 * which was reported. */
static bool
choose_clock(struct report_job *job)
{
	struct report *const report = &job->report;
	const int *const has_clock = report->summary.has_clock;
	/* dmtracedump reads the first time of a record. */
	const unsigned wanted = !job->dmtracedump ? job->clock :
	    has_clock[DMTRACE_PROFILE_CPU] ?
	    DMTRACE_PROFILE_CPU : DMTRACE_PROFILE_WALL;

	report->both = has_clock[0] && has_clock[1];
	if (job->sort == REPORT_SORT_OFF_CPU && !report->both) {
		msg_error("--sort=off-cpu: not all traces have CPU and wall "
		    "time");
		return false;
	}
	if (!clock_choose(&report->clock, wanted, has_clock, "all traces"))
		return false;

	/* Statistics of single calls are on the clock of the first trace. */
	if (report->calls && job->clock == CLOCK_ANY &&
	    report->clock != DMTRACE_PROFILE_WALL && job->begins_on_wall) {
		msg_error("--durations: not all traces have wall time, as the "
		    "first one has; ask for --clock=cpu");
		return false;
	}
	return true;
}

/* Prints the report. Returns the exit status. */
static int
print_profiles(struct report_job *job)
{
	struct report *const report = &job->report;
	const bool is_text = report->table.form == FORM_TEXT;
	const uint64_t top = job->top != TOP_USUAL ? job->top :
	    is_text ? TEXT_ROWS : 0;

	combine_summaries(job);
	if (job->count == 0 &&
	    (job->dmtracedump || report->table.form == REPORT_HTML))
		return CMD_TROUBLE;
	if (job->count > 0 && !choose_clock(job))
		return CMD_TROUBLE;
	report->profile = job->count == 0 ? NULL : job->profiles[0];
	report->threads = job->by == REPORT_BY_THREAD;
	report->classes = job->by == REPORT_BY_CLASS ||
	    job->by == REPORT_BY_PACKAGE;
	report->groups = bys[job->by] != DMTRACE_PROFILE_BY_METHOD;
	report->title = job->title.bytes;
	report->unreadable = job->unreadable;

	/* Choose the number and the order of rows. Trees are sorted by
	 * inclusive time, so that the longest calls are at the top. */
	report->top = top == 0 || top > SIZE_MAX ? SIZE_MAX : (size_t)top;
	report->threshold = job->threshold < 0 ? 0 : job->threshold;
	report->branch_threshold = job->threshold >= 0 ? job->threshold :
	    is_text && report->find.asked == NULL ? TEXT_BRANCH_PERCENT : 0;
	report->sort = report->branch_sort = (enum report_sort)job->sort;
	if (job->sort == SORT_USUAL) {
		report->branch_sort = REPORT_SORT_INCLUSIVE;
		report->sort = is_text && job->by != REPORT_BY_THREAD ?
		    REPORT_SORT_EXCLUSIVE : REPORT_SORT_INCLUSIVE;
	}

	if (job->dmtracedump)
		job->is_whole = dmtracedump_put(report,
		    dmtrace_reader_key(job->io.reader));
	else if (job->merge_runs)
		job->is_whole = report_runs(report, job->profiles, job->count);
	else
		job->is_whole = report_print(report);
	return !job->is_whole ? CMD_TROUBLE : job->count == 0 ? CMD_OK :
	    find_rows_finish(&report->find);
}

/* Reads the files and prints the report, even if some of them could not be
 * read. */
static int
read_and_report(struct report_job *job, char **files, size_t count)
{
	const struct dmtrace_file first = files_input(files[0]);

	job->files = files;
	if (!read_traces(job, count))
		return CMD_TROUBLE;
	const int selected = selection_finish(&job->selection,
	    files_name(&first));
	if (selected == CMD_TROUBLE)
		return CMD_TROUBLE;
	if (dmt_output_failed(&job->title))
		return msg_fail_memory();
	/* The report needs memory, and of the reader only dmtracedump. */
	if (!job->dmtracedump)
		job_fini(&job->io);
	return cmd_worse(cmd_worse(job->status, selected),
	    print_profiles(job));
}

static int
report_files(struct report_job *job, char **files, size_t count)
{
	struct table *const table = &job->report.table;
	int status = CMD_TROUBLE;

	job->selection.several = count > 1;
	job->events = (struct trace_events){
		.job = &job->io, .selection = &job->selection
	};
	job->profiles = calloc(count, sizeof(*job->profiles));
	job->unreadable = calloc(count, sizeof(*job->unreadable));
	if (job->profiles == NULL || job->unreadable == NULL) {
		msg_memory();
	} else if (table_open(table, job->io.output)) {
		status = read_and_report(job, files, count);
		table->lost |= !job->is_whole;
		status = table_close(table, status);
	}
	for (size_t i = 0; i < job->count; i++)
		dmtrace_profile_free(job->profiles[i]);
	job_fini(&job->io);
	free(job->profiles);
	free(job->unreadable);
	dmt_output_fini(&job->title);
	return status;
}

static int
run_report(const struct cmd *cmd, int argc, char **argv)
{
	struct report_job job = {
		.clock = CLOCK_ANY, .sort = SORT_USUAL, .top = TOP_USUAL,
		.threshold = -1, .selection = SELECTION, .workers = 1
	};
	const struct opt options[] = {
		OPT_CHOICE(0, "by", "WHAT", &job.by, by_words,
		    "by method, name, class, package or thread [method]"),
		OPT_FLAG(0, "callers", &job.report.callers,
		    "print the callers of each method"),
		OPT_FLAG(0, "callees", &job.report.callees,
		    "print the callees of each method"),
		OPT_FLAG(0, "tree", &job.report.tree, "print the call tree"),
		OPT_FLAG(0, "unfold", &job.report.unfold,
		    "print a line of --tree for each call of a chain"),
		OPT_FLAG(0, "bottom-up", &job.report.bottom_up,
		    "print a tree of methods and their callers"),
		OPT_FLAG(0, "durations", &job.report.calls,
		    "print minimum, median, maximum ... of calls"),
		OPT_OPTIONAL("slowest", "N", &job.slowest, 1, UINT32_MAX, 10,
		    "list the N slowest calls [10]"),
		OPT_FLAG(0, "per-thread", &job.report.per_thread,
		    "print a report for each thread"),
		OPT_FIND(&job.report.find),
		OPT_CHOICE(0, "sort", "KEY", &job.sort, sort_words,
		    "inclusive, exclusive, calls, per-call, off-cpu, name"),
		OPT_TOP(&job.top,
		    "print the first N rows, or all [30 in text]"),
		OPT_PERCENT(0, "threshold", "PERCENT", &job.threshold,
		    "print rows of at least PERCENT [0; in trees 0.5]"),
		OPT_FLAG(0, "signatures", &job.report.signatures,
		    "print signatures of all methods in text"),
		OPT_CLOCK(&job.clock),
		OPT_FLAG(0, "compensate", &job.compensate,
		    "subtract the time that reading the clock took"),
		OPT_FLAG(0, "merge-runs", &job.merge_runs,
		    "compare runs: minimum, median, maximum over FILEs"),
		OPT_FLAG(0, "dmtracedump", &job.dmtracedump,
		    "print the report of dmtracedump"),
		OPT_FLAG(0, "traceview", &job.traceview,
		    "print the tables of traceview -r"),
		OPT_SELECTION(&job.selection),
		OPT_GROUP("Output"),
		OPT_JOBS(&job.workers),
		OPT_CHOICE('f', "format", "FORM", &job.report.table.form,
		    report_form_words,
		    "text, tsv, csv, json, jsonl or html [text]"),
		OPT_OUTPUT(&job.io.output),
		OPT_JOB(&job.io),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);
	const char *const wrong = status != OPT_GO ? NULL :
	    find_misuse(&job, argc);

	if (wrong != NULL)
		status = opt_usage(cmd, wrong);
	if (status == OPT_GO)
		status = selection_begin(&job.selection);
	if (status == OPT_GO)
		status = find_rows_begin(&job.report.find);
	argv[argc] = NULL;
	if (status == OPT_GO && job.traceview)
		status = view_file(&job.io, argv[0], &job.selection);
	else if (status == OPT_GO && job.slowest > 0)
		status = slowest_files(&job.io, &job.selection,
		    &(struct slowest_options){
			.count = job.slowest,
			.form = job.report.table.form, .clock = job.clock,
			.by_exclusive = job.sort == REPORT_SORT_EXCLUSIVE,
			.workers = job.workers,
			.find = &job.report.find
		}, argv);
	else if (status == OPT_GO)
		status = report_files(&job, argv, (size_t)argc);
	selection_end(&job.selection);
	find_rows_end(&job.report.find);
	return status;
}

const struct cmd cmd_report = {
	.name = "report",
	.group = "profile",
	.synopsis = "[OPTION]... TRACE...",
	.summary = "profile traces: show where the time was spent",
	.examples = {
		"dmtrace report --clock=cpu -t main --from=2s "
		"--to=3s app.trace",
		"dmtrace report --tree --depth=..8 app.trace",
	},
	.run = run_report,
};
