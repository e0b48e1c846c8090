/* cmd_record.c - run a program that has hooks, and record its calls */

#include <dmtrace.h>

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/clock_option.h"
#include "cli/escapes.h"
#include "cli/msg.h"
#include "cli/opt.h"
#include "private/output.h"
#include "private/packing.h"
#include "private/select.h"
#include "record/preload.h"
#include "record/program.h"

#define SIGNALED 128
#define SIZE_LEAST 4096		/* smallest buffer and memory */

static const char *const dialect_words[] = { "v1", "v2", "v3", NULL };

#define DIALECT_ANY 3			/* no --dialect */

static const char *const full_words[] = { "flush", "stop", "ring", NULL };

enum { FULLS = sizeof(full_words) / sizeof(full_words[0]) - 1 };

#define NOT_GIVEN UINT64_MAX

/* A number that is not given is NOT_GIVEN, and a word is the index after the
 * last one: then the environment or the recorder decides. */
struct record {
	const char *output;		/* NULL: PROGRAM.trace */
	struct opt_list methods;
	uint64_t buffer, memory, version, depth, functions, max_time_ns;
	unsigned clock, full;
	bool allow_unhooked, force, fork, journal, no_rotate, no_signals;
	bool streaming, quiet;
};

/* Passes the options to the recorder in the program. false: no memory, which
 * was reported. */
static bool
set_environment(const struct record *record)
{
	const struct {
		const char *name;
		const char *value;	/* NULL: not given */
	} texts[] = {
		{ "DMTRACE_OUTPUT", record->output },
		{ "DMTRACE_CLOCK", record->clock == DMTRACE_CLOCK_MISSING ?
		    NULL : dmtrace_clock_name(
		    (enum dmtrace_clock)record->clock) },
		{ "DMTRACE_FULL", full_words[record->full] },
		{ "DMTRACE_FORK", record->fork ? "1" : NULL },
		{ "DMTRACE_JOURNAL", record->journal ? "1" : NULL },
		{ "DMTRACE_ROTATE", record->no_rotate ? "0" : NULL },
		{ "DMTRACE_SIGNALS", record->no_signals ? "0" : NULL },
		{ "DMTRACE_STREAMING", record->streaming ? "1" : NULL },
	};
	const struct {
		const char *name;
		uint64_t value;
	} numbers[] = {
		{ "DMTRACE_BUFFER", record->buffer },
		{ "DMTRACE_MEMORY", record->memory },
		{ "DMTRACE_VERSION", record->version },
		{ "DMTRACE_DEPTH", record->depth },
		{ "DMTRACE_FUNCTIONS", record->functions },
		{ "DMTRACE_MAX_TIME", record->max_time_ns == NOT_GIVEN ?
		    NOT_GIVEN : record->max_time_ns / 1000 },
	};
	struct dmt_output patterns = { 0 };	/* lines */
	char digits[24];

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i].value != NULL &&
		    !preload_setting(texts[i].name, texts[i].value))
			return false;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].value != NOT_GIVEN) {
			snprintf(digits, sizeof(digits), "%" PRIu64,
			    numbers[i].value);
			if (!preload_setting(numbers[i].name, digits))
				return false;
		}

	for (size_t i = 0; i < record->methods.count; i++) {
		dmt_put(&patterns, record->methods.items[i]);
		dmt_put(&patterns, "\n");
	}
	dmt_output_write(&patterns, "", 1);
	bool is_set = !dmt_output_failed(&patterns);
	if (!is_set)
		msg_memory();
	else if (record->methods.count > 0)
		is_set = preload_setting("DMTRACE_FILTER", patterns.bytes);
	dmt_output_fini(&patterns);
	return is_set;
}

/* Returns the exit status of the command: if no hook was called, it failed,
 * whatever the program's status. */
static int
report_recording(const struct record *record, const char *program, int status,
    bool killed)
{
	static const char *const no_calls[] = {
		[PROGRAM_BARE] = "has no hooks, so nothing is recorded; "
		    "compile it with -finstrument-functions",
		[PROGRAM_STATIC] = "is linked statically, so nothing is "
		    "recorded; link it without -static",
		[PROGRAM_HOOKED] = "has hooks, but has called none, so nothing "
		    "is recorded",
		[PROGRAM_UNKNOWN] = "and what it has run called no hooks, so "
		    "nothing is recorded; compile with -finstrument-functions"
	};
	struct preload_report report = { .path = NULL };

	/* If nobody reads the messages, the status is still the program's. */
	signal(SIGPIPE, SIG_IGN);
	if (killed && !record->quiet)
		msg_note("%s was killed: %s", program,
		    strsignal(status - SIGNALED));
	preload_report_read(&report, record->quiet);
	const bool unhooked = report.started == 0 && report.failed == 0;
	if (unhooked)
		msg_error("%s %s", program, no_calls[program_hooks(program)]);
	else if (report.unfinished_count > 0)
		msg_warning("%s: not finished; %s",
		    dmt_path_shown(report.unfinished[0]),
		    record->streaming ?
		    "it holds what was flushed, if anything was" :
		    record->journal ? "what was flushed, if anything was, is "
		    "in the journal, its key and data" :
		    "--journal or --streaming keeps what is flushed");
	else if (report.stopped > 0 && report.records == 0 &&
	    record->methods.count > 0)
		msg_warning("%s: warning: nothing was recorded: -m \"%s\"%s "
		    "no function that was called", report.path,
		    record->methods.items[0], record->methods.count > 1 ?
		    " and the other patterns select" : " selects");
	preload_report_fini(&report);
	return unhooked && !record->allow_unhooked ? CMD_TROUBLE : status;
}

/* false: files cannot be created there, which was reported. */
static bool
check_folder(const char *output)
{
	char folder[PATH_MAX];
	const char *const slash = strrchr(output, '/');

	if (slash == NULL)
		strcpy(folder, ".");
	else
		snprintf(folder, sizeof(folder), "%.*s",
		    (int)(slash - output) + 1, output);
	if (strchr(folder, '%') != NULL || access(folder, W_OK | X_OK) == 0)
		return true;
	msg_error("cannot create %s: %s", output, strerror(errno));
	return false;
}

/* Makes the name of a program's trace. false: the file exists, which was
 * reported. */
static bool
make_trace_name(const struct record *record, const char *program, char *name)
{
	const char *const slash = strrchr(program, '/');
	size_t len = 0;

	for (const char *at = slash == NULL ? program : slash + 1;
	    *at != '\0' && len < PATH_MAX - 16; at++) {
		name[len++] = *at;
		if (*at == '%')
			name[len++] = '%';
	}
	strcpy(name + len, ".trace");
	if (record->force || access(name, F_OK) != 0)
		return true;
	msg_error("%s exists; --force replaces it, -o names another", name);
	return false;
}

/* Returns what is wrong with the combination of options, or NULL. */
static const char *
find_record_misuse(const struct record *record)
{
	const char *const output = record->output;
	const char *const suffix = output == NULL ? NULL :
	    strrchr(output, '.');
	const uint64_t time_ns = record->max_time_ns;

	if (output != NULL && output[0] == '\0')
		return "-o is empty";
	if (output != NULL && strcmp(output, "-") == 0)
		return "standard output is the program's";
	if (output != NULL && !dmt_path_is_template(output))
		return "in the name of the trace, % precedes p, n or %";
	if (dmt_packing_of_name(output) != NULL)
		return "a trace is not compressed while it is recorded: leave"
		    " the suffix out, and compress the file afterwards";
	if (suffix != NULL && strcmp(suffix, ".dmt") == 0)
		return "a trace is not written as text while it is recorded";
	if (record->streaming && record->journal)
		return "--streaming needs no --journal";
	if (record->streaming && suffix != NULL &&
	    (strcmp(suffix, ".key") == 0 || strcmp(suffix, ".data") == 0))
		return "a stream is one file, not a key and data";

	if (record->buffer < SIZE_LEAST)
		return "--buffer must be at least 4K";
	if (record->memory < SIZE_LEAST)
		return "--memory must be at least 4K";
	if (record->buffer != NOT_GIVEN && record->buffer > record->memory)
		return "--buffer is more than --memory";
	if (time_ns < 1000 || (time_ns != NOT_GIVEN &&
	    time_ns / 1000 > UINT32_MAX))
		return "--max-time is 1us to 4294967295us";
	const bool is_dual = record->clock == DMTRACE_CLOCK_DUAL;
	if (record->streaming && record->version != NOT_GIVEN &&
	    record->version != (is_dual ? 3 : 2))
		return "--streaming has version 2, or 3 with the clock dual";
	return is_dual && record->version < 3 ?
	    "the clock dual needs --dialect=v3" : NULL;
}

/* false: it was reported. The program compiles the patterns for itself. */
static bool
check_patterns(const struct opt_list *patterns)
{
	struct dmtrace_error error = { .status = DMTRACE_OK };

	for (size_t i = 0; i < patterns->count; i++)
		if (dmt_pattern_check(patterns->items[i], &error) !=
		    DMTRACE_OK) {
			msg_error("-m: \"%s\": %s", patterns->items[i],
			    error.message);
			return false;
		}
	return true;
}

/* Names the trace from the root: the program may run in another folder. The
 * folder's "%" is doubled, as the name is a template. false: it is too long,
 * which was reported. */
static bool
anchor_output(const char **output, char name[PATH_MAX])
{
	char folder[PATH_MAX];
	const char *at = folder;
	size_t len = 0;

	if ((*output)[0] == '/' || getcwd(folder, sizeof(folder)) == NULL)
		return true;
	for (; *at != '\0' && len + 2 < PATH_MAX; at++) {
		name[len++] = *at;
		if (*at == '%')
			name[len++] = '%';
	}
	if (*at != '\0' || len + strlen(*output) + 2 > PATH_MAX) {
		msg_error("cannot create %s: %s", *output,
		    strerror(ENAMETOOLONG));
		return false;
	}
	name[len++] = '/';
	strcpy(name + len, *output);
	*output = name;
	return true;
}

/* Runs a program that records its calls, and reports its trace. */
static int
record_program(const struct cmd *cmd, struct record *record, int argc,
    char **argv)
{
	struct preload_report none = { .path = NULL };
	char name[PATH_MAX], anchored[PATH_MAX];

	if (argc == 0)
		return opt_usage(cmd, "no program to run");
	const char *const problem = find_record_misuse(record);
	if (problem != NULL)
		return opt_usage(cmd, problem);
	argv[argc] = NULL;		/* options may follow it */
	if (record->output == NULL) {
		if (!make_trace_name(record, argv[0], name))
			return CMD_TROUBLE;
		record->output = name;
	}
	if (!check_patterns(&record->methods) ||
	    !check_folder(record->output) ||
	    !anchor_output(&record->output, anchored) ||
	    !set_environment(record) ||
	    !preload_hooks() || !preload_report_init())
		return CMD_TROUBLE;

	bool killed = false;
	const int status = program_run(argv, &killed);
	if (status >= 0)
		return report_recording(record, argv[0], status, killed);
	msg_error("cannot run %s: %s", argv[0], strerror(errno));
	preload_report_fini(&none);
	return CMD_TROUBLE;
}

static int
run_record(const struct cmd *cmd, int argc, char **argv)
{
	struct record record = {
		.buffer = NOT_GIVEN,
		.memory = NOT_GIVEN,
		.version = NOT_GIVEN,
		.depth = NOT_GIVEN,
		.functions = NOT_GIVEN,
		.max_time_ns = NOT_GIVEN,
		.clock = DMTRACE_CLOCK_MISSING,
		.full = FULLS
	};
	unsigned dialect = DIALECT_ANY;
	const struct opt options[] = {
		OPT_OUTPUT_FILE(&record.output,
		    "write the trace to FILE [PROGRAM.trace]", ".trace"),
		OPT_LIST('m', "method", "PATTERN", &record.methods,
		    "record functions that match, or with \"!\" do not"),
		OPT_MEANING(0, "clock", "CLOCK", &record.clock,
		    clock_recorded_words, clock_written_meanings,
		    "cpu, wall or dual [wall]"),
		OPT_CHOICE('d', "dialect", "NAME", &dialect, dialect_words,
		    "v1, v2 or v3 [v2, or v3 for dual]"),
		OPT_CHOICE(0, "full", "WHAT", &record.full, full_words,
		    "when memory is full: flush, stop or ring [flush]"),
		OPT_SIZE(0, "buffer", "SIZE", &record.buffer,
		    "use SIZE bytes of memory for each thread [256K]"),
		OPT_SIZE(0, "memory", "SIZE", &record.memory,
		    "use SIZE bytes of memory for all threads [64M]"),
		OPT_RANGE(0, "max-depth", "N", &record.depth, 1, 1 << 24,
		    "maximum depth of calls [131072]"),
		OPT_RANGE(0, "functions", "N", &record.functions, 1, 1 << 26,
		    "maximum number of functions [262144]"),
		OPT_TIME(0, "max-time", "TIME", &record.max_time_ns,
		    "maximum time of one file [71min 34s]"),
		OPT_FLAG(0, "no-rotate", &record.no_rotate,
		    "end after --max-time, do not start another file"),
		OPT_FLAG(0, "fork", &record.fork,
		    "also record forked children"),
		OPT_FLAG(0, "journal", &record.journal,
		    "keep flushed events if the program is killed"),
		OPT_FLAG(0, "no-signals", &record.no_signals,
		    "do not catch fatal signals to complete the trace"),
		OPT_FLAG(0, "streaming", &record.streaming,
		    "write a stream, which can be read meanwhile"),
		OPT_FLAG(0, "allow-unhooked", &record.allow_unhooked,
		    "do not fail if PROGRAM has no hooks"),
		OPT_FLAG(0, "force", &record.force,
		    "replace PROGRAM.trace"),
		OPT_FLAG('q', "quiet", &record.quiet,
		    "print errors only"),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (dialect != DIALECT_ANY)
		record.version = dialect + 1;
	if (status == OPT_GO)
		status = record_program(cmd, &record, argc, argv);
	opt_list_fini(&record.methods);
	return status;
}

const struct cmd cmd_record = {
	.name = "record",
	.group = "create",
	.synopsis = "[OPTION]... [-o FILE] -- PROGRAM [ARGUMENT]...",
	.summary = "record the calls of a program compiled with hooks",
	.examples = {
		"dmtrace record -- ./program input.txt",
		"dmtrace record --clock=dual -m '!std::*' -o "
		"run.trace -- ./program",
	},
	.run = run_record,
};
