/* cmd_graph.c - draw the calls of a trace as a graph */

#include "cli/clock_option.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "graph/graph_run.h"

static int
check_and_draw(const struct cmd *cmd, struct graph_job *job, bool sets_hops,
    int argc,
    char **argv)
{
	if (argc != 1)
		return opt_usage(cmd, argc == 0 ? "no file is named" :
		    "more than one file");
	if (sets_hops && job->focus.words.count == 0)
		return opt_usage(cmd, "--hops are counted from --around");
	int status = selection_begin(&job->selection);
	if (status == OPT_GO)
		status = graph_focus_begin(&job->focus);
	return status == OPT_GO ? graph_job(job, argv[0]) : status;
}

static int
run_graph(const struct cmd *cmd, int argc, char **argv)
{
	uint64_t hops = UINT64_MAX;
	struct graph_job job = {
		.clock = CLOCK_ANY, .threshold = GRAPH_THRESHOLD_ANY,
		.selection = SELECTION
	};
	const struct opt options[] = {
		OPT_RANGE(0, "threshold", "PERCENT", &job.threshold, 0, 100,
		    "only methods that take that much of the total [20]"),
		OPT_LIST(0, "around", "METHOD", &job.focus.words,
		    "only what is near METHOD: a name, glob or /regex/"),
		OPT_RANGE(0, "hops", "N", &hops, 0, UINT32_MAX,
		    "how many calls away is near [1]"),
		OPT_FLAG(0, "per-thread", &job.per_thread,
		    "a graph for each thread"),
		OPT_CLOCK(&job.clock),
		OPT_FLAG(0, "compensate", &job.compensate,
		    "subtract what reading the clock took"),
		OPT_SELECTION(&job.selection),
		OPT_CHOICE('f', "format", "FORM", &job.form,
		    graph_form_words, "dot, svg or png [dot]"),
		OPT_OUTPUT(&job.output),
		OPT_QUIET(&job.quiet),
		OPT_PROGRESS(&job.progress),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	job.hops = hops == UINT64_MAX ? 1 : hops;
	if (status == OPT_GO)
		status = check_and_draw(cmd, &job, hops != UINT64_MAX, argc,
		    argv);
	graph_focus_end(&job.focus);
	selection_end(&job.selection);
	return status;
}

const struct cmd cmd_graph = {
	.name = "graph",
	.group = "profile",
	.synopsis = "[OPTION]... FILE",
	.summary = "draw the calls of a trace as a graph",
	.run = run_graph,
};
