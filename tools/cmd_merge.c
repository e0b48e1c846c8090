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
#include "cli/suggestion.h"
#include "cli/table.h"

static const char *const thread_words[] = {
	"keep", "renumber", "union", NULL
};

/* As enum dmtrace_merge_align has them, after AUTO. */
static const char *const align_words[] = { "start", "zero", "none", NULL };

#define ALIGN_AUTO 3			/* none of them is asked for */

/* The operands. */
struct merge_inputs {
	struct dmtrace_merge_input *items;
	char **names;			/* prefixes of their threads' */
	char **operands;		/* the caller's */
	size_t count;
};

struct merge {
	struct job job;
	struct merge_inputs inputs;
	struct dmtrace_file out;
	struct dmtrace_merge_options options;
};

/* The operand without folders and suffix. */
static char *
make_prefix(const char *operand, const char *end)
{
	const char *const slash = strrchr(operand, '/');

	return files_rename(strcmp(operand, "-") == 0 ? "stdin" :
	    slash == NULL ? operand : slash + 1, end);
}

/* Sets names[index], which no earlier operand has: of operands that differ in
 * their folders alone, the second one's is "name#2" if it is that of the
 * second input. NULL: no memory, which was reported. */
static const char *
add_prefix(char **names, char *const *operands, size_t index)
{
	char number[24];

	names[index] = make_prefix(operands[index], "");
	for (size_t i = 0; i < index && names[index] != NULL; i++) {
		if (strcmp(names[i], names[index]) != 0)
			continue;
		snprintf(number, sizeof(number), "#%zu", index + 1);
		free(names[index]);
		names[index] = make_prefix(operands[index], number);
		break;
	}
	return names[index];
}

static bool
init_inputs(struct merge_inputs *inputs, char **operands, size_t count)
{
	*inputs = (struct merge_inputs){
		.items = calloc(count, sizeof(*inputs->items)),
		.names = calloc(count, sizeof(*inputs->names)),
		.operands = operands,
		.count = count
	};
	if (inputs->items == NULL || inputs->names == NULL) {
		msg_memory();
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		inputs->items[i].file = files_input(operands[i]);
		inputs->items[i].prefix =
		    add_prefix(inputs->names, operands, i);
		if (inputs->items[i].prefix == NULL)
			return false;
	}
	return true;
}

/*
 * --offset: a name may contain "=", a duration does not. An operand that is
 * named twice is moved twice.
 */
static bool
set_offset(struct merge_inputs *inputs, const char *offset)
{
	const char *const equals = strrchr(offset, '=');
	char similar[SUGGESTION_TEXT_MAX];
	bool found = false;
	int64_t offset_ns;

	if (equals == NULL || !duration_parse(equals + 1, &offset_ns) ||
	    offset_ns % 1000 != 0) {
		msg_error("--offset: \"%s\" is not FILE=DUR, such as"
		    " a.trace=1.5ms, of whole microseconds", offset);
		return false;
	}
	char *const name = strndup(offset, (size_t)(equals - offset));
	struct suggestion suggestion = { .wanted = name };
	if (name == NULL) {
		msg_memory();
		return false;
	}
	for (size_t i = 0; i < inputs->count; i++) {
		suggestion_offer(&suggestion, inputs->operands[i]);
		if (strcmp(inputs->operands[i], name) != 0)
			continue;
		inputs->items[i].offset_ns = offset_ns;
		found = true;
	}
	if (!found)
		msg_error("--offset: %s is not an input%s", name,
		    suggestion_text(&suggestion, "", similar));
	free(name);
	return found;
}

static bool
inputs_clash(const struct merge_inputs *inputs,
    const struct dmtrace_file *out)
{
	size_t streams = 0;

	for (size_t i = 0; i < inputs->count; i++) {
		streams += strcmp(inputs->operands[i], "-") == 0;
		if (files_clash_halves(inputs->operands[i], out))
			return true;
	}
	if (streams > 1)
		msg_error("standard input is one trace, not %zu", streams);
	return streams > 1;
}

/* How the events are ordered, and on what time line. */
static void
report_order(const struct merge *merge,
    const struct dmtrace_merge_result *result)
{
	if (!result->by_time)
		msg_note("%s: inputs were concatenated",
		    merge->options.align == DMTRACE_ALIGN_NONE ?
		    "--align=none" : "their wall times cannot be compared");
	else if (result->align == DMTRACE_ALIGN_START)
		msg_note("events are in the order of their wall times, from"
		    " the start times of the inputs");
	else if (merge->options.align == DMTRACE_ALIGN_ZERO)
		msg_note("events are in the order of their wall times, as if"
		    " all inputs began together");
	else
		msg_note("the start times cannot be compared: events are in"
		    " the order of their wall times, as if all inputs began"
		    " together; --align or --offset decides otherwise");
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
	if (result->mixed && merge->options.version == 0)
		msg_note("inputs have several versions: the output has version"
		    " %u, the oldest that holds all of them", result->version);
	report_count(result->prefixed, msg_note, "threads have names that other"
	    " inputs have, too; each is prefixed with its input's name");
	report_count(result->late, msg_note, "events follow later ones of their"
	    " input and were not moved; \"dmtrace sort\" sorts them");
	report_count(result->cpu_dropped, msg_warning, "events lost their"
	    " thread CPU time, which the output cannot hold or another"
	    " input lacks");
	report_count(result->wall_dropped, msg_warning, "events lost their"
	    " wall time, which another input lacks");
	report_count(result->renamed, msg_note, "names are missing or have"
	    " bytes that a key cannot hold: they became \"?\"");
	report_count(result->named, msg_note, "methods have no name: their ids"
	    " in the output are used as names");
}

static int
merge_traces(struct merge *merge)
{
	struct dmtrace_merge_result result = { 0 };

	if (inputs_clash(&merge->inputs, &merge->out) ||
	    files_terminal(&merge->out) || !job_begin(&merge->job))
		return CMD_TROUBLE;
	const enum dmtrace_status status = dmtrace_merge(merge->job.op,
	    merge->inputs.items, merge->inputs.count, &merge->out,
	    &merge->options, &result);
	progress_erase(&merge->job.progress);
	if (status == DMTRACE_OK && !merge->job.quiet &&
	    merge->inputs.count > 1)
		report_order(merge, &result);
	job_report(&merge->job);
	if (status == DMTRACE_OK && !merge->job.quiet)
		report_merge_result(merge, &result);
	return job_end(&merge->job, status);
}

/* What is asked, as the options have it. */
struct asked {
	const char *output;
	unsigned threads;
	unsigned align;
	uint64_t version;		/* 0: not asked for */
	struct opt_list offsets;
	bool prefix, strict, whole, sync;
};

static int
merge_asked(struct merge *merge, const struct asked *asked, char **files,
    size_t count)
{
	merge->out = files_output(asked->output);
	merge->options = (struct dmtrace_merge_options){
		.version = (unsigned)asked->version,
		.threads = (enum dmtrace_merge_threads)asked->threads,
		.align = asked->align == ALIGN_AUTO ? DMTRACE_ALIGN_AUTO :
		    (enum dmtrace_merge_align)(asked->align + 1),
		.flags = asked->sync ? DMTRACE_SYNC : 0,
		.prefix_shared = !asked->prefix,
		.strict = asked->strict
	};
	bool fine = init_inputs(&merge->inputs, files, count);
	for (size_t i = 0; fine && i < asked->offsets.count; i++)
		fine = set_offset(&merge->inputs, asked->offsets.items[i]);
	const int status = fine ? merge_traces(merge) : CMD_TROUBLE;

	for (size_t i = 0; merge->inputs.names != NULL && i < count; i++)
		free(merge->inputs.names[i]);
	free(merge->inputs.names);
	free(merge->inputs.items);
	return status;
}

static int
rejoin_operands(struct job *job, const char *const *names, size_t count,
    const char *output, bool sync)
{
	const struct dmtrace_file out = files_output(output);
	int exact = 0;

	for (size_t i = 0; i < count; i++) {
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
	    count, &out, sync ? DMTRACE_SYNC : 0, &exact);
	if (status == DMTRACE_OK && !job->quiet)
		msg_note(exact == 1 ? "byte for byte the original trace, if no "
		    "piece was changed" : exact == 2 ?
		    "the events of the original trace in the same order, if "
		    "no piece was changed; packets are new" :
		    "the records of each thread are in their original order; "
		    "across threads, times alone cannot restore it");
	return job_end(job, status);
}

static int
run_merge_command(const struct cmd *cmd, int argc, char **argv)
{
	struct merge merge = { .options = { 0 } };
	struct asked asked = {
		.threads = DMTRACE_THREADS_KEEP, .align = ALIGN_AUTO
	};
	const struct opt options[] = {
		OPT_OUTPUT(&asked.output),
		OPT_CHOICE(0, "threads", "HOW", &asked.threads, thread_words,
		    "keep or renumber thread ids, or union [keep]"),
		OPT_FLAG(0, "prefix", &asked.prefix,
		    "put the name of the input before thread names"),
		OPT_CHOICE(0, "align", "HOW", &asked.align, align_words,
		    "align times by start, zero or none [start, or zero]"),
		OPT_LIST(0, "offset", "FILE=DUR", &asked.offsets,
		    "add DUR to the times of the input FILE"),
		OPT_FLAG(0, "strict", &asked.strict,
		    "fail if an input would lose one of its clocks"),
		OPT_RANGE('V', "data-version", "N", &asked.version, 1, 3,
		    "write version 1, 2 or 3 [the first that fits]"),
		OPT_FLAG(0, "rejoin", &asked.whole,
		    "join the pieces that split --by wrote"),
		OPT_SYNC(&asked.sync),
		OPT_JOB(&merge.job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	/* Pieces know how they belong together: nothing else can be asked. */
	const bool asks_more = asked.prefix || asked.strict ||
	    asked.version != 0 || asked.align != ALIGN_AUTO ||
	    asked.threads != DMTRACE_THREADS_KEEP || asked.offsets.count > 0;

	if (status == OPT_GO && argc == 0)
		status = opt_usage(cmd, "no file is named");
	if (status == OPT_GO && asked.whole && asks_more)
		status = opt_usage(cmd, "--rejoin can only be used with -o, "
		    "-q, --progress and --sync");
	if (status == OPT_GO)
		status = asked.whole ? rejoin_operands(&merge.job,
		    (const char *const *)argv, (size_t)argc, asked.output,
		    asked.sync) :
		    merge_asked(&merge, &asked, argv, (size_t)argc);
	opt_list_fini(&asked.offsets);
	return status;
}

const struct cmd cmd_merge = {
	.name = "merge",
	.group = "change",
	.synopsis = "[OPTION]... [-o FILE] FILE...",
	.summary = "merge several traces into one",
	.run = run_merge_command,
};
