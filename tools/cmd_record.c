/* cmd_record.c - run a program that has hooks, and record its calls */

#include <dmtrace.h>

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/msg.h"
#include "cli/opt.h"
#include "record/preload.h"
#include "record/program.h"

#define SIGNALED 128
#define SIZE_LEAST 4096		/* of buffers and memory */

static const char *const clock_words[] = {
	"wall", "thread-cpu", "dual", NULL
};

enum { CLOCKS = sizeof(clock_words) / sizeof(clock_words[0]) - 1 };

static const char *const full_words[] = { "flush", "stop", "ring", NULL };

enum { FULLS = sizeof(full_words) / sizeof(full_words[0]) - 1 };

#define NOT_GIVEN UINT64_MAX

/* What is not given, or the last word, is left to the environment and the
 * recorder. */
struct record {
	const char *output;		/* NULL: PROGRAM.trace */
	struct opt_list methods;
	uint64_t buffer, memory, version, depth, functions, max_time_ns;
	unsigned clock, full;
	bool allow_unhooked, force, fork, journal, no_rotate, no_signals;
	bool streaming, quiet;
};

static void
set_variable(const char *name, const char *value)
{
	setenv(name, value, 1);
}

/* NULL: it is not given. */
static void
set_word_variable(const char *name, const char *value)
{
	if (value != NULL)
		set_variable(name, value);
}

static void
set_number_variable(const char *name, uint64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	if (value != NOT_GIVEN)
		set_variable(name, digits);
}

static void
set_flag_variable(const char *name, bool given, const char *value)
{
	if (given)
		set_variable(name, value);
}

/* The patterns, a line each. False, which is reported: no memory. */
static bool
set_filter_variable(const struct opt_list *patterns)
{
	size_t len = 1;

	for (size_t i = 0; i < patterns->count; i++)
		len += strlen(patterns->items[i]) + 1;
	char *const list = calloc(1, len);
	if (list == NULL) {
		msg_memory();
		return false;
	}
	for (size_t i = 0; i < patterns->count; i++) {
		strcat(list, patterns->items[i]);
		if (i + 1 < patterns->count)
			strcat(list, "\n");
	}
	if (patterns->count > 0)
		set_variable("DMTRACE_FILTER", list);
	free(list);
	return true;
}

static bool
set_recorder_options(const struct record *record)
{
	set_variable("DMTRACE_OUTPUT", record->output);
	set_word_variable("DMTRACE_CLOCK", clock_words[record->clock]);
	set_word_variable("DMTRACE_FULL", full_words[record->full]);
	set_number_variable("DMTRACE_BUFFER", record->buffer);
	set_number_variable("DMTRACE_MEMORY", record->memory);
	set_number_variable("DMTRACE_VERSION", record->version);
	set_number_variable("DMTRACE_DEPTH", record->depth);
	set_number_variable("DMTRACE_FUNCTIONS", record->functions);
	set_number_variable("DMTRACE_MAX_TIME",
	    record->max_time_ns == NOT_GIVEN ?
	    NOT_GIVEN : record->max_time_ns / 1000);
	set_flag_variable("DMTRACE_FORK", record->fork, "1");
	set_flag_variable("DMTRACE_JOURNAL", record->journal, "1");
	set_flag_variable("DMTRACE_ROTATE", record->no_rotate, "0");
	set_flag_variable("DMTRACE_SIGNALS", record->no_signals, "0");
	set_flag_variable("DMTRACE_STREAMING", record->streaming, "1");
	return set_filter_variable(&record->methods);
}

static void
explain_no_hooks(const char *program)
{
	switch (program_hooks(program)) {
	case PROGRAM_BARE:
		msg_error("%s has no hooks, so nothing is recorded; compile "
		    "it with -finstrument-functions", program);
		break;
	case PROGRAM_STATIC:
		msg_error("%s is linked statically, so nothing is recorded; "
		    "link it without -static", program);
		break;
	case PROGRAM_HOOKED:
		msg_error("%s has hooks, but has called none, so nothing is "
		    "recorded", program);
		break;
	case PROGRAM_UNKNOWN:
		msg_error("%s and what it has run called no hooks, so nothing "
		    "is recorded; compile with -finstrument-functions",
		    program);
		break;
	}
}

static const char *
signal_words(int status)
{
	return status > SIGNALED ? strsignal(status - SIGNALED) : "";
}

/* Returns the exit status of all: nothing recorded is trouble, whatever the
 * program's is. */
static int
report_recording(const struct record *record, const char *program, int status)
{
	struct preload_report told = { .path = NULL };

	if (status > SIGNALED && !record->quiet)
		msg_error("%s was killed: %s", program, signal_words(status));
	preload_report_print(&told, record->quiet);
	const bool unhooked = told.started == 0 && told.failed == 0;
	if (unhooked)
		explain_no_hooks(program);
	else if (told.stopped < told.started)
		msg_error(record->streaming ?
		    "%s: not finished; it holds what was flushed, if anything "
		    "was" : record->journal ?
		    "%s: not finished; what was flushed, if anything was, is "
		    "in the journal, its key and data" :
		    "%s: not finished; --journal or --streaming keeps what is "
		    "flushed",
		    told.path);
	preload_report_fini(&told);
	return unhooked && !record->allow_unhooked ? CMD_TROUBLE : status;
}

static int
run_program(const struct record *record, char **argv)
{
	struct preload_report none = { .path = NULL };

	if (!set_recorder_options(record) || !preload_hooks() ||
	    !preload_report_init())
		return CMD_TROUBLE;
	const int status = program_run(argv);
	if (status >= 0)
		return report_recording(record, argv[0], status);
	msg_error("cannot run %s: %s", argv[0], strerror(errno));
	preload_report_fini(&none);
	return CMD_TROUBLE;
}

/* False, which is reported: nothing can be written there. */
static bool
check_folder(const char *output)
{
	char folder[PATH_MAX];
	struct stat about;
	const char *const slash = strrchr(output, '/');

	if (stat(output, &about) == 0 && S_ISDIR(about.st_mode)) {
		msg_error("%s is a folder", output);
		return false;
	}
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

/* The name for a program's trace. False, which is reported: there is one. */
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

static bool
is_template(const char *name)
{
	for (; (name = strchr(name, '%')) != NULL; name += 2)
		if (name[1] == '\0' || strchr("pn%", name[1]) == NULL)
			return false;
	return true;
}

static bool
is_pair_name(const char *name)
{
	const char *const suffix = strrchr(name, '.');

	return suffix != NULL && (strcmp(suffix, ".key") == 0 ||
	    strcmp(suffix, ".data") == 0);
}

static bool
has_empty(const struct opt_list *patterns)
{
	for (size_t i = 0; i < patterns->count; i++)
		if (patterns->items[i][strspn(patterns->items[i], "!")] ==
		    '\0')
			return true;
	return false;
}

/* NULL: they go together. */
static const char *
find_number_misuse(const struct record *record)
{
	const uint64_t time_ns = record->max_time_ns;

	if (record->buffer < SIZE_LEAST)
		return "--buffer is at least 4K";
	if (record->memory < SIZE_LEAST)
		return "--memory is at least 4K";
	if (record->buffer != NOT_GIVEN && record->buffer > record->memory)
		return "--buffer is more than --memory";
	if (time_ns < 1000 || (time_ns != NOT_GIVEN &&
	    time_ns / 1000 > UINT32_MAX))
		return "--max-time is 1us to 4294967295us";
	if (record->streaming && record->version != NOT_GIVEN &&
	    record->version != (record->clock == 2 ? 3 : 2))
		return "--streaming has version 2, or 3 with the clock dual";
	return record->clock == 2 && record->version < 3 ?
	    "the clock dual needs --data-version=3" : NULL;
}

static const char *
find_record_misuse(const struct record *record)
{
	const char *const output = record->output;

	if (output != NULL && output[0] == '\0')
		return "-o is empty";
	if (output != NULL && strcmp(output, "-") == 0)
		return "standard output is the program's";
	if (output != NULL && !is_template(output))
		return "in the name of the trace, % precedes p, n or %";
	if (has_empty(&record->methods))
		return "a pattern is empty";
	if (record->streaming && record->journal)
		return "--streaming needs no --journal";
	if (record->streaming && output != NULL && is_pair_name(output))
		return "a stream is one file, not a key and data";
	return find_number_misuse(record);
}

static int
check_and_record(const struct cmd *cmd, struct record *record, int argc,
    char **argv)
{
	char name[PATH_MAX];

	if (argc == 0)
		return opt_usage(cmd, "no program to run");
	const char *const problem = find_record_misuse(record);
	if (problem != NULL)
		return opt_usage(cmd, problem);
	argv[argc] = NULL;		/* options came after */
	if (record->output == NULL) {
		if (!make_trace_name(record, argv[0], name))
			return CMD_TROUBLE;
		record->output = name;
	}
	return check_folder(record->output) ? run_program(record, argv) :
	    CMD_TROUBLE;
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
		.clock = CLOCKS,
		.full = FULLS
	};
	const struct opt options[] = {
		OPT_STRING('o', "output", "FILE", &record.output,
		    "write the trace to FILE [PROGRAM.trace]"),
		OPT_LIST('m', "method", "PATTERN", &record.methods,
		    "record functions that match, or with \"!\" do not"),
		OPT_CHOICE(0, "clock", "CLOCK", &record.clock, clock_words,
		    "wall, thread-cpu or dual [wall]"),
		OPT_RANGE('V', "data-version", "N", &record.version, 1, 3,
		    "1, 2 or 3 [2, or 3 for dual]"),
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
		    "keep flushed records if the program is killed"),
		OPT_FLAG(0, "no-signals", &record.no_signals,
		    "do not catch fatal signals to complete the trace"),
		OPT_FLAG(0, "streaming", &record.streaming,
		    "write a stream, which can be read meanwhile"),
		OPT_FLAG(0, "allow-unhooked", &record.allow_unhooked,
		    "do not fail if nothing was recorded"),
		OPT_FLAG(0, "force", &record.force,
		    "replace PROGRAM.trace"),
		OPT_FLAG('q', "quiet", &record.quiet,
		    "print errors only"),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO)
		status = check_and_record(cmd, &record, argc, argv);
	opt_list_fini(&record.methods);
	return status;
}

const struct cmd cmd_record = {
	.name = "record",
	.group = "create",
	.synopsis = "[OPTION]... [-o FILE] -- PROGRAM [ARGUMENT]...",
	.summary = "record the calls of a program compiled with hooks",
	.run = run_record,
};
