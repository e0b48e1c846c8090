/* cmd_merge.c - merge several traces into one */

#include <dmtrace.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_files.h"
#include "cli/decimal.h"
#include "cli/job.h"
#include "cli/msg.h"
#include "cli/table.h"
#include "private/suggestion.h"
#include "private/trace.h"

static const char *const thread_words[] = {
	"keep", "renumber", "union", NULL
};

/* In the order of enum dmtrace_merge_align, after AUTO. */
static const char *const align_words[] = { "start", "zero", "none", NULL };

enum {
	ALIGN_START,
	ALIGN_ZERO,
	ALIGN_NONE,
	ALIGN_AUTO			/* no --align */
};

#define DIALECT_ANY DMT_DIALECTS	/* after the last index */

struct merge {
	struct job job;
	unsigned threads;
	unsigned align;
	unsigned dialect;		/* its index; DIALECT_ANY: no
					   --dialect */
	struct opt_list offsets;
	bool prefix, strict, rejoin;

	struct dmtrace_merge_input *inputs;
	char **names;			/* prefixes for the names of threads */
	char **operands;
	size_t count;
};

/* Returns the operand without directories, with that suffix instead of its own.
 * To be freed. NULL: no memory, which was reported. */
static char *
make_prefix(const char *operand, const char *suffix)
{
	return files_rename(strcmp(operand, "-") == 0 ? "stdin" :
	    files_last_part(operand), suffix);
}

/* Chooses the prefixes of the inputs: if names are equal without directories,
 * the second one's prefix is "name#2" if it is the second input. false: no
 * memory, which was reported. */
static bool
init_inputs(struct merge *merge)
{
	char number[24];

	merge->inputs = calloc(merge->count, sizeof(*merge->inputs));
	merge->names = calloc(merge->count, sizeof(*merge->names));
	if (merge->inputs == NULL || merge->names == NULL) {
		msg_memory();
		return false;
	}
	for (size_t i = 0; i < merge->count; i++) {
		const char *const operand = merge->operands[i];
		char *name = make_prefix(operand, "");

		for (size_t j = 0; j < i && name != NULL; j++) {
			if (strcmp(merge->names[j], name) != 0)
				continue;
			snprintf(number, sizeof(number), "#%zu", i + 1);
			free(name);
			name = make_prefix(operand, number);
			break;
		}
		if (name == NULL)
			return false;
		merge->names[i] = name;
		merge->inputs[i].file = files_input(operand);
		merge->inputs[i].prefix = name;
	}
	return true;
}

/*
 * Parses --offset. The operand may contain "=", the duration does not. If an
 * operand is given twice, both inputs are shifted.
 */
static bool
set_offset(struct merge *merge, const char *offset)
{
	const char *const equals = strrchr(offset, '=');
	char similar[DMT_SUGGESTION_TEXT_MAX];
	bool found = false;
	int64_t offset_ns;

	if (equals == NULL || !duration_parse(equals + 1, &offset_ns) ||
	    offset_ns % 1000 != 0) {
		msg_error("--offset: \"%s\" is not FILE=TIME, such as"
		    " a.trace=1.5ms, of whole microseconds", offset);
		return false;
	}
	char *const name = strndup(offset, (size_t)(equals - offset));
	struct dmt_suggestion suggestion = { .wanted = name };
	if (name == NULL) {
		msg_memory();
		return false;
	}
	for (size_t i = 0; i < merge->count; i++) {
		dmt_suggestion_offer(&suggestion, merge->operands[i]);
		if (strcmp(merge->operands[i], name) != 0)
			continue;
		merge->inputs[i].offset_ns = offset_ns;
		found = true;
	}
	if (!found)
		msg_error("--offset: %s is not an input%s", name,
		    dmt_suggestion_text(&suggestion, "", similar));
	free(name);
	return found;
}

/* Reports how the events are ordered, and on what time line. */
static void
report_order(const struct merge *merge,
    const struct dmtrace_merge_result *result)
{
	if (!result->by_time)
		msg_note("inputs were concatenated%s",
		    merge->align == ALIGN_NONE ? "" :
		    ": their wall times cannot be compared");
	else if (result->align == DMTRACE_ALIGN_START)
		msg_note("events are in the order of their wall times, counted"
		    " from the start times of the inputs");
	else if (merge->align == ALIGN_ZERO)
		msg_note("events are in the order of their wall times, as if"
		    " all inputs began together");
	else
		msg_note("the start times cannot be compared: events are in"
		    " the order of their wall times, as if all inputs began"
		    " together (--align=zero); --align=none or --offset "
		    "changes that");
}

static void
report_count(uint64_t count, msg_fn *print, const char *what)
{
	char number[COUNT_MAX];

	if (count > 0)
		print("%s%s %s", print == msg_warning ? "warning: " : "",
		    count_format(number, count), what);
}

static void
report_merge_result(const struct merge *merge,
    const struct dmtrace_merge_result *result)
{
	if (result->mixed && merge->dialect == DIALECT_ANY)
		msg_note("inputs have several versions: the output has version"
		    " %u, the oldest that holds all of them", result->version);
	report_count(result->names_dropped, msg_note, "earlier names of threads"
	    " that were renamed are left out; their last name is kept");
	report_count(result->prefixed, msg_note, "threads have names that other"
	    " inputs have, too; each is prefixed with its input's name");
	report_count(result->late, msg_note, "events follow later ones of their"
	    " input and were not moved; \"dmtrace sort\" sorts them");
	report_count(result->cpu_dropped, msg_warning, "events lost their"
	    " thread CPU time, which the output cannot hold or another"
	    " input lacks");
	report_count(result->wall_dropped, msg_warning, "events lost their"
	    " wall time, which another input lacks");
	report_count(result->rounded, msg_warning, "events lost the"
	    " nanoseconds of their times, which the output cannot hold");
	report_count(result->renamed, msg_note, "names are missing or have"
	    " bytes that a key cannot hold: they became \"?\"");
	report_count(result->pieces, msg_note, "inputs are pieces of traces and"
	    " were merged as traces of their own; \"dmtrace merge --rejoin\""
	    " joins all pieces of one trace");
	report_count(result->named, msg_note, "methods have no name: their ids"
	    " in the output are used as names");
}

static void
report_rejoined(const char *before, int exact)
{
	msg_note("%s%s", before, exact == 1 ?
	    "byte for byte the original trace, if no piece was changed" :
	    exact == 2 ? "the events of the original trace in the same order, "
	    "if no piece was changed; the same bytes, if dmtrace wrote it" :
	    "the events of each thread are in their original order; across "
	    "threads, times alone cannot restore it");
}

static int
merge_traces(struct merge *merge)
{
	const struct dmtrace_file out = files_output(merge->job.output);
	const struct dmtrace_merge_options options = {
		.dialect = merge->dialect == DIALECT_ANY ? 0 :
		    (enum dmtrace_dialect)(merge->dialect + 1),
		.threads = (enum dmtrace_merge_threads)merge->threads,
		.align = merge->align == ALIGN_AUTO ? DMTRACE_ALIGN_AUTO :
		    (enum dmtrace_merge_align)(merge->align + 1),
		.flags = merge->job.sync ? DMTRACE_SYNC : 0,
		.prefix_shared = !merge->prefix,
		.strict = merge->strict
	};
	struct dmtrace_merge_result result = { 0 };
	size_t streams = 0;

	if (!init_inputs(merge))
		return CMD_TROUBLE;
	for (size_t i = 0; i < merge->offsets.count; i++)
		if (!set_offset(merge, merge->offsets.items[i]))
			return CMD_TROUBLE;
	for (size_t i = 0; i < merge->count; i++) {
		streams += strcmp(merge->operands[i], "-") == 0;
		if (files_clash_halves(merge->operands[i], &out))
			return CMD_TROUBLE;
	}
	if (streams > 1) {
		msg_error("standard input is one trace, not %zu", streams);
		return CMD_TROUBLE;
	}
	if (files_terminal(&out) || !job_begin(&merge->job))
		return CMD_TROUBLE;

	const enum dmtrace_status status = dmtrace_merge(merge->job.op,
	    merge->inputs, merge->count, &out, &options, &result);
	progress_erase(&merge->job.progress);
	const bool reports = status == DMTRACE_OK && !merge->job.quiet;
	if (reports && result.rejoined)
		report_rejoined("the inputs are all pieces of one trace and"
		    " were joined, as by --rejoin: ", result.exact);
	else if (reports && merge->count > 1)
		report_order(merge, &result);
	job_report(&merge->job);
	if (reports && !result.rejoined)
		report_merge_result(merge, &result);
	return job_end(&merge->job, status);
}

static int
rejoin_operands(struct merge *merge)
{
	struct job *const job = &merge->job;
	const char *const *const names = (const char *const *)merge->operands;
	const struct dmtrace_file out = files_output(job->output);
	int exact = 0;

	for (size_t i = 0; i < merge->count; i++) {
		const struct dmtrace_file in = files_input(names[i]);

		if (in.path == NULL) {
			msg_error("standard input cannot be a piece: "
			    "pieces are read twice");
			return CMD_TROUBLE;
		}
		if (files_clash(&in, &out))
			return CMD_TROUBLE;
	}
	if (files_terminal(&out) || !job_begin(job))
		return CMD_TROUBLE;
	job->target = &out;
	const enum dmtrace_status status = dmtrace_join_pieces(job->op, names,
	    merge->count, &out, merge->job.sync ? DMTRACE_SYNC : 0, &exact);
	if (status == DMTRACE_OK && !job->quiet)
		report_rejoined("", exact);
	return job_end(job, status);
}

static int
run_merge_command(const struct cmd *cmd, int argc, char **argv)
{
	struct merge merge = {
		.threads = DMTRACE_THREADS_KEEP, .align = ALIGN_AUTO,
		.dialect = DIALECT_ANY
	};
	const struct opt options[] = {
		OPT_OUTPUT_FILE(&merge.job.output, "write to FILE", ".trace"),
		OPT_CHOICE(0, "threads", "HOW", &merge.threads, thread_words,
		    "keep or renumber thread ids, or union [keep]"),
		OPT_FLAG(0, "prefix", &merge.prefix,
		    "put the name of the input before thread names"),
		OPT_CHOICE(0, "align", "HOW", &merge.align, align_words,
		    "align times by start, zero or none [start, or zero]"),
		OPT_LIST(0, "offset", "FILE=TIME", &merge.offsets,
		    "add TIME to the times of the input FILE"),
		OPT_FLAG(0, "strict", &merge.strict,
		    "fail if an input would lose one of its clocks"),
		OPT_CHOICE('d', "dialect", "NAME", &merge.dialect,
		    dmt_dialect_names,
		    "v1 to v5, or f2 to f5 (streams) [first that fits]"),
		OPT_FLAG(0, "rejoin", &merge.rejoin,
		    "join the pieces that split --by wrote"),
		OPT_SYNC(&merge.job.sync),
		OPT_JOB(&merge.job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	/* The pieces themselves determine how they are joined: options of a
	 * normal merge do not apply. */
	const bool asks_more = merge.prefix || merge.strict ||
	    merge.dialect != DIALECT_ANY || merge.align != ALIGN_AUTO ||
	    merge.threads != DMTRACE_THREADS_KEEP || merge.offsets.count > 0;

	if (status == OPT_GO && argc == 0)
		status = opt_usage(cmd, "no file is named");
	if (status == OPT_GO && merge.rejoin && asks_more)
		status = opt_usage(cmd, "--rejoin can only be used with -o, "
		    "-q, --progress and --sync");
	merge.operands = argv;
	merge.count = (size_t)argc;
	if (status == OPT_GO)
		status = merge.rejoin ? rejoin_operands(&merge) :
		    merge_traces(&merge);
	for (size_t i = 0; merge.names != NULL && i < merge.count; i++)
		free(merge.names[i]);
	free(merge.names);
	free(merge.inputs);
	opt_list_fini(&merge.offsets);
	return status;
}

const struct cmd cmd_merge = {
	.name = "merge",
	.group = "change",
	.synopsis = "[OPTION]... [-o FILE] TRACE...",
	.summary = "merge several traces into one",
	.examples = {
		"dmtrace merge -o all.trace one.trace two.trace",
		"dmtrace merge --align=zero --prefix -o all.trace "
		"one.trace two.trace",
	},
	.run = run_merge_command,
};
