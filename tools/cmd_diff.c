/* cmd_diff.c - compare traces */

#include <string.h>

#include "cli/clock_option.h"
#include "cli/msg.h"
#include "cli/progress.h"
#include "diff/diff_run.h"

static const char *const sort_words[] = {
	[DIFF_SORT_INCLUSIVE] = "inclusive",
	[DIFF_SORT_EXCLUSIVE] = "exclusive",
	[DIFF_SORT_CALLS] = "calls",
	[DIFF_SORT_PERCENT] = "percent",
	[DIFF_SORT_P] = "p",
	[DIFF_SORT_NAME] = "name",
	[DIFF_SORT_NAME + 1] = NULL
};

/* Returns what is wrong with the options, or NULL. */
static const char *
find_diff_misuse(const struct diff_job *job)
{
	const size_t base = job->sides[DMTRACE_DIFF_BASE].count;
	const size_t new = job->sides[DMTRACE_DIFF_NEW].count;
	/* Options that only apply to the table of methods. */
	const bool sets_rows = job->sort != DIFF_SORT_INCLUSIVE ||
	    job->threshold != 0 || job->clock != CLOCK_ANY ||
	    job->find.patterns.count > 0 || job->rules.count > 0 ||
	    job->alpha != NULL || job->slower ||
	    job->signatures;
	size_t streams = 0;

	if (base == 0 || new == 0)
		return "two traces are needed, or --base and --new";
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++)
		for (size_t i = 0; i < job->sides[side].count; i++)
			streams += strcmp(job->sides[side].items[i], "-") == 0;
	if (streams > 1)
		return "standard input is one trace";
	if (job->calls && job->dmtracedump)
		return "--trees cannot be used with --dmtracedump";
	if ((job->calls || job->dmtracedump) && base + new > 2)
		return "--trees and --dmtracedump compare two traces";
	if (job->calls && job->find.patterns.count > 0)
		return "--trees has no --find, as it shows no times that could"
		    " stay: select calls by -m or --under";
	if ((job->calls || job->dmtracedump) && sets_rows)
		return "--trees and --dmtracedump have no --find, --sort,"
		    " --slower, --threshold, --clock, --signatures, --fail-if"
		    " and --alpha";
	if (job->dmtracedump && (job->form != FORM_TEXT ||
	    job->top != DIFF_TOP_UNSET))
		return "--dmtracedump cannot be used with --format or --top";
	if (!job->calls && job->context != DIFF_CONTEXT)
		return "--context is for --trees";
	return NULL;
}

static int
run_diff(const struct cmd *cmd, int argc, char **argv)
{
	struct diff_job job = {
		.clock = CLOCK_ANY, .context = DIFF_CONTEXT,
		.top = DIFF_TOP_UNSET, .selection = SELECTION
	};
	struct opt_list *const sides = job.sides;
	const char *wrong = NULL;
	const struct opt options[] = {
		OPT_FILES(0, "base", "TRACE", &sides[DMTRACE_DIFF_BASE],
		    "compare this and the following traces ..."),
		OPT_FILES(0, "new", "TRACE", &sides[DMTRACE_DIFF_NEW],
		    "... to this and the following traces"),
		OPT_LIST(0, "fail-if", "RULE", &job.rules,
		    "exit 1 if it holds, as in 'inclusive(*) > +5%'"),
		OPT_STRING(0, "alpha", "P", &job.alpha,
		    "significance level for several runs [0.05]"),
		OPT_FIND(&job.find),
		OPT_CHOICE(0, "sort", "KEY", &job.sort, sort_words,
		    "inclusive, exclusive, calls, percent, p or name"),
		OPT_FLAG(0, "slower", &job.slower,
		    "print only methods that became slower"),
		OPT_TOP(&job.top,
		    "print the first N rows, or all [30 in text]"),
		OPT_FLAG(0, "signatures", &job.signatures,
		    "print signatures of all methods in text"),
		OPT_PERCENT(0, "threshold", "PERCENT", &job.threshold,
		    "count changes of at least PERCENT of the total [0]"),
		OPT_CLOCK(&job.clock),
		OPT_FLAG(0, "trees", &job.calls,
		    "compare the call trees"),
		OPT_RANGE(0, "context", "N", &job.context, 0, 100,
		    "print N calls around each difference [3]"),
		OPT_FLAG(0, "dmtracedump", &job.dmtracedump,
		    "print what dmtracedump -d prints"),
		OPT_SELECTION(&job.selection),
		OPT_GROUP("Output"),
		OPT_CHECK_FORM(&job.form),
		OPT_OUTPUT(&job.io.output),
		OPT_JOB(&job.io),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	/* Two operands stand for --base and --new. */
	if (argc > 0 && (argc != 2 || sides[0].count + sides[1].count > 0))
		wrong = "two traces are needed, or --base and --new";
	for (int i = 0; status == OPT_GO && wrong == NULL && i < argc; i++)
		if (!opt_list_add(&sides[i], argv[i]))
			status = CMD_TROUBLE;
	if (wrong == NULL)
		wrong = find_diff_misuse(&job);
	if (status == OPT_GO && wrong != NULL)
		status = opt_usage(cmd, wrong);

	job.selection.several = true;
	job.selection.each = job.rules.count > 0;
	job.selection.empty_status = CMD_TROUBLE;
	if (status == OPT_GO)
		status = selection_begin(&job.selection);
	if (status == OPT_GO)
		status = find_rows_begin(&job.find);
	if (status == OPT_GO)
		status = diff_run(&job);
	/* No row differs: perhaps because none was meant. */
	if ((status == CMD_OK || job.find.no_memory) &&
	    find_rows_finish(&job.find) != CMD_OK)
		status = CMD_TROUBLE;
	find_rows_end(&job.find);
	selection_end(&job.selection);
	opt_list_fini(&sides[DMTRACE_DIFF_BASE]);
	opt_list_fini(&sides[DMTRACE_DIFF_NEW]);
	opt_list_fini(&job.rules);
	return status;
}

const struct cmd cmd_diff = {
	.name = "diff",
	.group = "inspect",
	.synopsis = "[OPTION]... A B, or --base=A... --new=B...",
	.summary = "compare the calls and times, or call trees, of traces",
	.examples = {
		"dmtrace diff old.trace new.trace",
		"dmtrace diff -q --fail-if='inclusive(*) > +10% "
		"and > +1ms' a.trace b.trace",
	},
	.run = run_diff,
};
