/* cmd_join.c - join a key and its data into one trace */

#include <dmtrace.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_files.h"
#include "cli/job.h"
#include "cli/msg.h"
#include "private/trace.h"

struct join {
	struct job job;
	bool exact;
	bool force;			/* accept foreign data, replace
					   existing files */
};

static int
join_to(struct join *join, const char *key_name, const char *data_name,
    const char *output)
{
	const struct dmtrace_file key = files_input(key_name);
	const struct dmtrace_file data = files_input(data_name);
	const struct dmtrace_file out = files_output(output);
	const bool replace = join->job.output != NULL || join->force;
	const unsigned flags = (replace ? 0 : DMTRACE_NO_REPLACE) |
	    (join->exact ? DMTRACE_JOIN_EXACT : 0) |
	    (join->force ? DMTRACE_JOIN_FORCE : 0) |
	    (join->job.sync ? DMTRACE_SYNC : 0);

	if (files_clash(&key, &out) || files_clash(&data, &out) ||
	    files_terminal(&out) || !job_begin(&join->job))
		return CMD_TROUBLE;
	return job_end(&join->job, dmtrace_join(join->job.op, &key, &data,
	    &out, flags));
}

/* Returns true, and reports it, if there is no key and base is a trace in one
 * file, or another file. */
static bool
is_no_half(const char *base, const char *key)
{
	struct dmtrace_reader *const reader = access(key, F_OK) == 0 ? NULL :
	    dmtrace_reader_new();
	const enum dmtrace_status status = reader == NULL ? DMTRACE_END :
	    dmtrace_reader_open_path(reader, base);
	const bool joined = status == DMTRACE_OK &&
	    dmt_reader_container(reader) != DMTRACE_CONTAINER_DATA;
	const bool other = status == DMTRACE_ERR_NOT_TRACE;

	if (joined)
		msg_error("%s: this trace is joined already: key and data "
		    "are in this file, and %s does not exist",
		    dmt_reader_key_path(reader), key);
	else if (other)
		msg_failure(base, dmtrace_reader_error(reader));
	dmtrace_reader_free(reader);
	return joined || other;
}

/* Joins a key and its data. Without -o, the name is that of both, with another
 * ending. */
static int
join_named(const struct cmd *cmd, struct join *join, const char *key,
    const char *data)
{
	char *const trace = files_rename(key, ".trace");
	char *const other = files_rename(data, ".trace");
	const int status = trace == NULL || other == NULL ? CMD_TROUBLE :
	    join->job.output == NULL && (strcmp(trace, other) != 0 ||
	    strcmp(key, "-") == 0) ?
	    opt_usage(cmd, "a key and its data with different names need "
	    "-o") : join_to(join, key, data,
	    join->job.output == NULL ? trace : join->job.output);

	free(other);
	free(trace);
	return status;
}

/* The names of key, data and, without -o, the trace are derived from base. */
static int
join_base(struct join *join, const char *base)
{
	char *const key = files_packed(files_rename(base, ".key"));
	char *const data = files_packed(files_rename(base, ".data"));
	char *const trace = files_rename(base, ".trace");
	const int status = key == NULL || data == NULL || trace == NULL ||
	    is_no_half(base, key) ? CMD_TROUBLE :
	    join_to(join, key, data,
	    join->job.output == NULL ? trace : join->job.output);

	free(trace);
	free(data);
	free(key);
	return status;
}

static int
check_join_usage(const struct cmd *cmd, int argc, char **argv)
{
	if (argc < 1)
		return opt_usage(cmd, "no base name");
	if (argc > 2)
		return opt_usage(cmd, "more than a key and its data; \"dmtrace"
		    " merge --rejoin\" joins pieces");
	if (argc == 1 && strcmp(argv[0], "-") == 0)
		return opt_usage(cmd, "standard input can be only one half");
	if (argc == 2 && strcmp(argv[0], "-") == 0 &&
	    strcmp(argv[1], "-") == 0)
		return opt_usage(cmd, "standard input can be only one half");
	return OPT_GO;
}

static int
run_join(const struct cmd *cmd, int argc, char **argv)
{
	struct join join = { .exact = false };
	const struct opt options[] = {
		OPT_OUTPUT_FILE(&join.job.output, "write to FILE", ".trace"),
		OPT_FLAG(0, "exact", &join.exact,
		    "copy all bytes unchanged, with fewer checks"),
		OPT_FLAG(0, "force", &join.force,
		    "join halves that do not match; replace BASE.trace"),
		OPT_REFUSED('d', "dialect",
		    "the bytes of both files are kept; \"dmtrace convert "
		    "-d\" reads the output"),
		OPT_SYNC(&join.job.sync),
		OPT_JOB(&join.job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO)
		status = check_join_usage(cmd, argc, argv);
	if (status != OPT_GO)
		return status;
	return argc == 1 ? join_base(&join, argv[0]) :
	    join_named(cmd, &join, argv[0], argv[1]);
}

const struct cmd cmd_join = {
	.name = "join",
	.group = "change",
	.synopsis = "[OPTION]... BASE, or [OPTION]... [-o FILE] KEY DATA",
	.summary = "join a key and its data into one trace",
	.examples = {
		"dmtrace join app",
		"dmtrace join -o app.trace app.key app.data",
	},
	.run = run_join,
};
