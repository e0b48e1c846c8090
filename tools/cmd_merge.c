/* cmd_merge.c - several traces to one */

#include <dmtrace.h>

#include <inttypes.h>

#include "cli/cli_files.h"
#include "cli/job.h"
#include "cli/merge_operands.h"
#include "cli/msg.h"
#include "cli/table.h"
#include "split/split_pieces.h"

static const char *const thread_words[] = {
	"keep", "renumber", "union", NULL
};

/* As enum dmtrace_merge_align has them, behind AUTO. */
static const char *const align_words[] = { "start", "zero", "none", NULL };

#define ALIGN_AUTO 3			/* none of them is asked for */

struct merge {
	struct job job;
	struct merge_operands inputs;
	struct dmtrace_file out;
	struct dmtrace_merge_options options;
};

/* How the events are ordered, and on what time line. */
static void
tell_order(const struct merge *merge,
    const struct dmtrace_merge_result *result)
{
	if (!result->by_time)
		msg_error("%s: one input stands behind the other",
		    merge->options.align == DMTRACE_ALIGN_NONE ?
		    "--align=none" : "there are no wall times that can be"
		    " compared");
	else if (result->align == DMTRACE_ALIGN_START)
		msg_error("events are in the order of their wall times, from"
		    " the start times of the inputs");
	else if (merge->options.align == DMTRACE_ALIGN_ZERO)
		msg_error("events are in the order of their wall times, as if"
		    " all inputs began together");
	else
		msg_error("the start times cannot be compared: events are in"
		    " the order of their wall times, as if all inputs began"
		    " together; --align or --offset decides otherwise");
}

static void
tell_count(uint64_t count, const char *what)
{
	if (count > 0)
		msg_error("%" PRIu64 " %s", count, what);
}

static void
tell_result(const struct merge *merge,
    const struct dmtrace_merge_result *result)
{
	if (merge->inputs.count > 1)
		tell_order(merge, result);
	tell_count(result->late, "events come behind later ones of their"
	    " input, and stay there; \"dmtrace sort\" puts them in order");
	tell_count(result->cpu_dropped, "events lost their thread CPU time,"
	    " which the output has no room for or another input has not");
	tell_count(result->wall_dropped, "events lost their wall time, which"
	    " another input has not");
	tell_count(result->renamed, "names cannot be written as they are:"
	    " \"?\" stands for what is missing or cannot be");
	tell_count(result->named, "methods have no name: their ids in the"
	    " output are their names");
}

static int
merge_inputs(struct merge *merge)
{
	struct dmtrace_merge_result result = { .size = sizeof(result) };

	if (merge_operands_clash(&merge->inputs, &merge->out) ||
	    files_terminal(&merge->out) || !job_begin(&merge->job))
		return CMD_TROUBLE;
	const enum dmtrace_status status = dmtrace_merge(merge->job.op,
	    merge->inputs.items, merge->inputs.count, &merge->out,
	    &merge->options, &result);
	job_report(&merge->job);
	if (status == DMTRACE_OK && !merge->job.quiet)
		tell_result(merge, &result);
	return job_end(&merge->job, status);
}

/* What is asked, as the options have it. */
struct asked {
	const char *output;
	unsigned threads;
	unsigned align;
	uint64_t version;		/* 0: not asked for */
	struct opt_list offsets;
	bool prefix, whole, sync;
};

static int
merge_asked(struct merge *merge, const struct asked *asked, char **files,
    size_t count)
{
	merge->out = files_output(asked->output);
	merge->options = (struct dmtrace_merge_options){
		.size = sizeof(merge->options),
		.version = (unsigned)asked->version,
		.threads = (enum dmtrace_merge_threads)asked->threads,
		.align = asked->align == ALIGN_AUTO ? DMTRACE_ALIGN_AUTO :
		    (enum dmtrace_merge_align)(asked->align + 1),
		.flags = asked->sync ? DMTRACE_SYNC : 0
	};
	const int status =
	    merge_operands_init(&merge->inputs, files, count, asked->prefix) &&
	    merge_operands_take_offsets(&merge->inputs, &asked->offsets) ?
	    merge_inputs(merge) : CMD_TROUBLE;
	merge_operands_fini(&merge->inputs);
	return status;
}

/* Pieces know how they belong together: nothing else can be asked. */
static bool
is_plain(const struct asked *asked)
{
	return !asked->prefix && asked->version == 0 &&
	    asked->align == ALIGN_AUTO &&
	    asked->threads == DMTRACE_THREADS_KEEP &&
	    asked->offsets.count == 0;
}

static int
merge_or_rejoin(const struct cmd *cmd, struct merge *merge,
    const struct asked *asked, int argc, char **argv)
{
	if (argc == 0)
		return opt_usage(cmd, "no file is named");
	if (!asked->whole)
		return merge_asked(merge, asked, argv, (size_t)argc);
	if (!is_plain(asked))
		return opt_usage(cmd, "--rejoin goes with -o, -q, --progress "
		    "and --sync alone");
	return pieces_rejoin(&merge->job, (const char *const *)argv,
	    (size_t)argc, asked->output, asked->sync);
}

static int
run(const struct cmd *cmd, int argc, char **argv)
{
	struct merge merge = { .options = { .size = 0 } };
	struct asked asked = {
		.threads = DMTRACE_THREADS_KEEP, .align = ALIGN_AUTO
	};
	const struct opt options[] = {
		OPT_OUTPUT(&asked.output),
		OPT_CHOICE(0, "threads", "HOW", &asked.threads, thread_words,
		    "keep, renumber or union of ids [keep]"),
		OPT_FLAG(0, "prefix", &asked.prefix,
		    "put the input's name before the thread's"),
		OPT_CHOICE(0, "align", "HOW", &asked.align, align_words,
		    "by start, at zero or none [start, else zero]"),
		OPT_LIST(0, "offset", "FILE=DUR", &asked.offsets,
		    "move the times of an input"),
		OPT_RANGE('V', "data-version", "N", &asked.version, 1, 3,
		    "1, 2 or 3 [the first that fits]"),
		OPT_FLAG(0, "rejoin", &asked.whole,
		    "put the pieces of a trace together again"),
		OPT_SYNC(&asked.sync),
		OPT_JOB(&merge.job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO)
		status = merge_or_rejoin(cmd, &merge, &asked, argc, argv);
	opt_list_fini(&asked.offsets);
	return status;
}

const struct cmd cmd_merge = {
	.name = "merge",
	.group = "change",
	.synopsis = "[OPTION]... [-o FILE] FILE...",
	.summary = "merge several traces to one",
	.run = run,
};
