/* cmd_tail.c - print the events of a trace while it is written */

#include <dmtrace.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli_files.h"
#include "cli/msg.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "cli/table.h"
#include "dump/dump_lines.h"
#include "private/trace.h"

#define ROWS 1024		/* rows that are read at a time */
#define WAIT_NS 20000000	/* between reads of a file */
#define FOR_EVER UINT64_MAX

/* The forms that have lines; the others have an end. */
static const char *const form_words[] = {
	[FORM_TEXT] = "text",
	[FORM_TSV] = "tsv",
	[FORM_CSV] = "csv",
	[FORM_JSONL] = "jsonl",
	[FORM_JSONL + 1] = NULL
};

struct tail {
	char *path;			/* NULL: standard input */
	const char *name;		/* for messages */
	enum form form;
	uint64_t timeout_ns;		/* FOR_EVER: no timeout */
	uint64_t idle_ns;		/* time without new bytes */
	uint64_t read;			/* bytes, so far */
	struct dmtrace_reader *reader;
	struct dmtrace_source *source;
	struct dump_lines lines;
	uint64_t renames;		/* of threads, that lines know */
	bool unread;			/* the reader of the output has gone */
	bool begun;			/* lines, including the column names,
					   were printed */
};

/* false: nothing was written for too long, which was reported. */
static bool
wait_for_more(struct tail *tail)
{
	const struct timespec wait = { 0, WAIT_NS };

	if (tail->idle_ns >= tail->timeout_ns) {
		msg_error("%s: --timeout expired before the summary was "
		    "written", tail->name);
		return false;
	}
	nanosleep(&wait, NULL);
	tail->idle_ns += WAIT_NS;
	return true;
}

/* Returns true for a regular file: what else has ended does not go on. */
static bool
may_grow(const struct tail *tail)
{
	struct stat about;

	return (tail->path == NULL ? fstat(STDIN_FILENO, &about) :
	    stat(tail->path, &about)) == 0 && S_ISREG(about.st_mode);
}

/* Waits for the header. Returns CMD_OK, or CMD_NO or CMD_TROUBLE, which was
 * reported. */
static int
open_tail(struct tail *tail)
{
	const off_t begin = lseek(STDIN_FILENO, 0, SEEK_CUR);	/* -1: a pipe */

	for (;;) {
		tail->reader = dmtrace_reader_new();
		if (tail->reader == NULL)
			return msg_fail_memory();
		const bool is_input = tail->path == NULL;
		const enum dmtrace_status status = is_input ?
		    dmt_reader_follow_fd(tail->reader, STDIN_FILENO) :
		    dmt_reader_follow_path(tail->reader, tail->path);

		if (status == DMTRACE_OK)
			break;
		if (status != DMTRACE_ERR_TRUNCATED || !may_grow(tail) ||
		    (is_input && lseek(STDIN_FILENO, begin, SEEK_SET) < 0)) {
			msg_failure(tail->name,
			    dmtrace_reader_error(tail->reader));
			return CMD_TROUBLE;
		}
		dmtrace_reader_free(tail->reader);
		tail->reader = NULL;
		if (!wait_for_more(tail))
			return CMD_NO;
	}
	tail->source = dmtrace_source_new(tail->reader);
	return tail->source == NULL ? msg_fail_memory() : CMD_OK;
}

/* Prints all rows that are there now; *count is their number. */
static int
print_new_rows(struct tail *tail, size_t *count)
{
	struct dmtrace_row rows[ROWS];
	struct out out;
	int status = CMD_OK;

	*count = 0;
	if (!out_open(&out, NULL))
		return CMD_TROUBLE;
	if (!tail->begun) {
		dump_lines_init(&tail->lines, tail->form, tail->source,
		    dmtrace_reader_key(tail->reader),
		    dmt_reader_layout(tail->reader), false, out.columns);
		dump_lines_widen(&tail->lines);
		tail->begun = true;
		if (!dump_lines_put_names(&tail->lines, &out))
			status = msg_fail_memory();
	}
	if (status == CMD_OK && dmtrace_source_read(tail->source, rows, ROWS,
	    count) != DMTRACE_OK)
		status = CMD_TROUBLE;
	const uint64_t renames = dmt_reader_follow_renames(tail->reader);
	if (renames != tail->renames)
		dump_lines_rename(&tail->lines);
	tail->renames = renames;
	for (size_t i = 0; status == CMD_OK && i < *count; i++)
		if (!dump_lines_put(&tail->lines, &out, &rows[i]))
			status = msg_fail_memory();
	status = out_close(&out, status, true);
	tail->unread = out.unread;
	return status;
}

static int
follow_tail(struct tail *tail)
{
	static const char *const why[] = {
		[DMT_FOLLOW_CLOSED] = "the input has ended",
		[DMT_FOLLOW_REMOVED] = "the file was removed",
	};
	int status = open_tail(tail);

	while (status == CMD_OK) {
		size_t count;

		status = print_new_rows(tail, &count);
		if (status != CMD_OK || tail->unread)
			break;
		const enum dmt_follow state =
		    dmt_reader_follow_state(tail->reader);
		const uint64_t read = dmt_reader_follow_read(tail->reader);
		if (read != tail->read)
			tail->idle_ns = 0;
		tail->read = read;
		if (count > 0)
			continue;
		if (state == DMT_FOLLOW_ENDED)
			break;
		if (state != DMT_FOLLOW_GROWS) {
			msg_error("%s: %s before its summary", tail->name,
			    why[state]);
			status = CMD_NO;
		} else if (!wait_for_more(tail)) {
			status = CMD_NO;
		}
	}
	return status;
}

/* Reports what is wrong with the trace. A failure to decode it is an error
 * among the findings, too. */
static int
report_trouble(const struct tail *tail, bool quiet, int status)
{
	const struct dmtrace_error *const error =
	    dmtrace_source_error(tail->source);
	const bool found = msg_errors(tail->name, tail->reader, quiet);

	if (error->status != DMTRACE_OK && (!found || quiet ||
	    error->status != DMTRACE_ERR_CORRUPT))
		msg_failure(tail->name, error);
	return found && status == CMD_OK ? CMD_NO : status;
}

static int
run_tail(const struct cmd *cmd, int argc, char **argv)
{
	struct tail tail = { .timeout_ns = FOR_EVER };
	unsigned form = FORM_TEXT;
	bool quiet = false;
	const struct opt options[] = {
		OPT_CHOICE('f', "format", "FORM", &form, form_words,
		    "text, tsv, csv or jsonl [text]"),
		OPT_TIME(0, "timeout", "TIME", &tail.timeout_ns,
		    "end if nothing is written for TIME"),
		OPT_QUIET(&quiet),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO && argc != 1)
		status = opt_usage(cmd, argc == 0 ? "no file" :
		    "only one file");
	if (status != OPT_GO)
		return status;
	const bool is_input = strcmp(argv[0], "-") == 0;
	tail.name = is_input ? "standard input" : argv[0];
	tail.path = is_input ? NULL : files_joined(argv[0]);
	if (!is_input && tail.path == NULL)
		return CMD_TROUBLE;
	tail.form = (enum form)form;
	status = follow_tail(&tail);
	if (tail.source != NULL)
		status = report_trouble(&tail, quiet, status);
	if (tail.begun)
		dump_lines_fini(&tail.lines);
	dmtrace_source_free(tail.source);
	dmtrace_reader_free(tail.reader);
	free(tail.path);
	return status;
}

const struct cmd cmd_tail = {
	.name = "tail",
	.group = "inspect",
	.synopsis = "[-q] [-f FORM] [--timeout=TIME] FILE",
	.summary = "print the events of a trace while it is written",
	.examples = {
		"dmtrace tail live.trace",
		"dmtrace tail -f jsonl --timeout=10s live.trace",
	},
	.run = run_tail,
};
