/* cmd_split.c - a trace to its key and its data, or to smaller traces */

#include <dmtrace.h>

#include <stdlib.h>
#include <string.h>

#include "cli/cli_files.h"
#include "cli/job.h"
#include "cli/msg.h"
#include "split/split_pieces.h"

#define MAX_FILES 1000

struct split {
	struct job job;
	const char *by;			/* NULL: to its halves */
	uint64_t max_files;
	const char *output;		/* -o; NULL: names are derived, */
	bool force;			/* even those of other files */
	bool sync;
};

static unsigned
split_flags(const struct split *split)
{
	const bool replace = split->output != NULL || split->force;

	return (replace ? 0 : DMTRACE_NO_REPLACE) |
	    (split->sync ? DMTRACE_SYNC : 0);
}

static int
split_to(struct split *split, const struct dmtrace_file *in,
    const char *key_path, const char *data_path)
{
	const struct dmtrace_file key = { .path = key_path };
	const struct dmtrace_file data = { .path = data_path };

	if (files_clash(in, &key) || files_clash(in, &data) ||
	    !job_begin(&split->job))
		return CMD_TROUBLE;
	return job_end(&split->job, dmtrace_split(split->job.op, in, &key,
	    &data, split_flags(split)));
}

/* What is called like one of its halves most likely is one. */
static int
refuse_half(const char *name)
{
	msg_error("%s: named as half of a pair; where it is none, -o names "
	    "the halves", name);
	return CMD_TROUBLE;
}

/* The names of the halves are those of base. */
static int
split_beside(struct split *split, const struct dmtrace_file *in,
    const char *base)
{
	char *const key = files_rename(base, ".key");
	char *const data = files_rename(base, ".data");
	int status = CMD_TROUBLE;

	if (key != NULL && data != NULL)
		status = split->output == NULL && (strcmp(base, key) == 0 ||
		    strcmp(base, data) == 0) ? refuse_half(base) :
		    split_to(split, in, key, data);

	free(data);
	free(key);
	return status;
}

static int
split_file(struct split *split, const char *operand)
{
	char *const name = files_joined(operand);

	if (name == NULL)
		return CMD_TROUBLE;
	const struct dmtrace_file in = files_input(name);
	const int status = split_beside(split, &in,
	    split->output == NULL ? name : split->output);
	free(name);
	return status;
}

static int
check_split_usage(const struct cmd *cmd, const struct split *split, int argc,
    char **argv)
{
	if (argc != 1)
		return opt_usage(cmd, argc == 0 ? "no file is named" :
		    "more than one file");
	if (split->output != NULL && split->output[0] == '\0')
		return opt_usage(cmd, "-o is empty");
	if (split->by != NULL)
		return OPT_GO;
	if (split->max_files != MAX_FILES)
		return opt_usage(cmd, "--max-files goes with --by");
	if (split->output == NULL && strcmp(argv[0], "-") == 0)
		return opt_usage(cmd, "standard input needs -o");
	if (split->output != NULL && strcmp(split->output, "-") == 0)
		return opt_usage(cmd, "two files do not go to standard output");
	return OPT_GO;
}

static int
split_pieces(const struct cmd *cmd, struct split *split, const char *operand)
{
	const struct pieces pieces = {
		.job = &split->job,
		.by = split->by,
		.output = split->output,
		.max_files = split->max_files,
		.force = split->force,
		.sync = split->sync
	};

	return pieces_split(cmd, &pieces, operand);
}

static int
run_split(const struct cmd *cmd, int argc, char **argv)
{
	struct split split = { .max_files = MAX_FILES };
	const struct opt options[] = {
		OPT_STRING(0, "by", "WHAT", &split.by,
		    "to traces: thread, time=DUR, records=N or size=N"),
		OPT_STRING('o', "output", "FILE", &split.output,
		    "write FILE's base .key and .data, or FILE-*.trace"),
		OPT_FLAG(0, "force", &split.force,
		    "replace files of the derived names"),
		OPT_RANGE(0, "max-files", "N", &split.max_files, 1,
		    UINT32_MAX, "refuse to make more traces [1000]"),
		OPT_SYNC(&split.sync),
		OPT_JOB(&split.job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO)
		status = check_split_usage(cmd, &split, argc, argv);
	if (status != OPT_GO)
		return status;
	return split.by == NULL ? split_file(&split, argv[0]) :
	    split_pieces(cmd, &split, argv[0]);
}

const struct cmd cmd_split = {
	.name = "split",
	.group = "change",
	.synopsis = "[OPTION]... [--by WHAT] [-o FILE] FILE",
	.summary = "split a trace into its halves, or smaller traces",
	.run = run_split,
};
