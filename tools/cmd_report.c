/* cmd_report.c - profile traces */

#include "cli/clock_option.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "report/report.h"
#include "report/report_job.h"
#include "report/traceview.h"

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
	    job->sort != REPORT_SORT_INCLUSIVE || job->top != 0 ||
	    job->threshold != 0 || job->clock != CLOCK_ANY ||
	    job->compensate || job->form != FORM_TEXT;

	if (job->dmtracedump && traceview)
		return "--dmtracedump and --traceview are two reports";
	if (sets_rows)
		return "old tables stay as they are: no --by, --sort, --top, "
		    "--threshold, --clock, --compensate and --format";
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
		return "old tables are of one trace";
	if (old && (adds_tables(job) || job->merge_runs))
		return "old tables have nothing beside them";
	if (job->merge_runs && (adds_tables(job) ||
	    job->by == REPORT_BY_THREAD || job->threshold != 0 ||
	    job->sort == REPORT_SORT_OFF_CPU))
		return "--merge-runs is a table of its own";
	if (job->form == REPORT_HTML && (job->tree || job->bottom_up ||
	    job->merge_runs || job->by == REPORT_BY_THREAD))
		return "-f html unfolds calls by itself: no --tree, "
		    "--bottom-up, --merge-runs and --by=thread";
	if (job->by == REPORT_BY_THREAD && adds_tables(job))
		return "--by=thread has no methods to report";
	return old ? refuse_beside_tables(job, traceview) : NULL;
}

static int
report(struct report_job *job, bool traceview, char **files)
{
	int status = selection_begin(&job->selection);

	if (status == OPT_GO && traceview)
		status = view_file(files[0], &job->selection, job->output,
		    job->quiet, job->progress);
	else if (status == OPT_GO)
		status = report_job(job, files);
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
	return report(job, traceview, argv);
}

static int
run_report(const struct cmd *cmd, int argc, char **argv)
{
	bool traceview = false;
	struct report_job job = {
		.clock = CLOCK_ANY, .selection = SELECTION
	};
	const struct opt options[] = {
		OPT_CHOICE(0, "by", "WHAT", &job.by, by_words,
		    "method, name, class, package or thread [method]"),
		OPT_FLAG(0, "callers", &job.callers, "with who called each"),
		OPT_FLAG(0, "callees", &job.callees,
		    "with whom each called"),
		OPT_FLAG(0, "tree", &job.tree, "the tree of calls"),
		OPT_FLAG(0, "bottom-up", &job.bottom_up,
		    "the tree from below: methods, and who called them"),
		OPT_FLAG(0, "calls", &job.calls,
		    "with the shortest, longest and usual calls"),
		OPT_FLAG(0, "per-thread", &job.per_thread,
		    "all of it for each thread"),
		OPT_CHOICE(0, "sort", "KEY", &job.sort, sort_words,
		    "inclusive, exclusive, calls, per-call, off-cpu or name"),
		OPT_UINT(0, "top", "N", &job.top,
		    "the first N rows of a table or branch [all]"),
		OPT_RANGE(0, "threshold", "PERCENT", &job.threshold, 0, 100,
		    "only what takes that much of the total [0]"),
		OPT_CLOCK(&job.clock),
		OPT_FLAG(0, "compensate", &job.compensate,
		    "subtract what reading the clock took"),
		OPT_FLAG(0, "merge-runs", &job.merge_runs,
		    "least, median and most of each FILE"),
		OPT_FLAG(0, "dmtracedump", &job.dmtracedump,
		    "the report of dmtracedump"),
		OPT_FLAG(0, "traceview", &traceview,
		    "the tables of traceview -r"),
		OPT_SELECTION(&job.selection),
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
	.summary = "profile traces: where the time was spent",
	.run = run_report,
};
