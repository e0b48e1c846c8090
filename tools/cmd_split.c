/* cmd_split.c - a trace to its key and its data, or to smaller traces */

#include <dmtrace.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli_files.h"
#include "cli/job.h"
#include "cli/msg.h"
#include "cli/opt.h"

struct pieces {
	struct job *job;
	const char *by;			/* --by: its word and value */
	const char *output;		/* -o; NULL: beside the trace */
	uint64_t max_files;
	bool force;
	bool sync;
};

enum { WAYS = DMTRACE_PIECES_SIZE + 1 };

static int
report_bad_way(const char *by)
{
	msg_error("--by: \"%s\" is not one of thread, time=DUR, records=N, "
	    "size=N", by);
	return CMD_TROUBLE;
}

static int
set_split_way(struct dmtrace_pieces_options *options, const char *by)
{
	const struct opt ways[WAYS] = {
		[DMTRACE_PIECES_THREAD] = { .name = "thread" },
		[DMTRACE_PIECES_TIME] = OPT_TIME(0, "time", "DUR",
		    &options->amount, NULL),
		[DMTRACE_PIECES_RECORDS] = OPT_UINT(0, "records", "N",
		    &options->amount, NULL),
		[DMTRACE_PIECES_SIZE] = OPT_SIZE(0, "size", "N",
		    &options->amount, NULL),
	};
	const size_t len = strcspn(by, "=");
	unsigned i = 0;

	while (i < WAYS && (strlen(ways[i].name) != len ||
	    memcmp(ways[i].name, by, len) != 0))
		i++;
	if (i == WAYS || (ways[i].argument == NULL) != (by[len] == '\0'))
		return report_bad_way(by);
	options->by = (enum dmtrace_pieces_by)i;
	return by[len] == '\0' ? OPT_GO :
	    opt_set_value(&ways[i], "--by", by + len + 1);
}

static bool
is_folder(const char *name)
{
	const size_t len = strlen(name);
	struct stat about;

	return (len > 0 && name[len - 1] == '/') ||
	    (stat(name, &about) == 0 && S_ISDIR(about.st_mode));
}

static const char *
last_path_part(const char *name)
{
	const char *const slash = strrchr(name, '/');

	return slash == NULL ? name : slash + 1;
}

/* NULL, which is reported: no memory. */
static char *
concat_names(const char *first, const char *second, const char *third)
{
	const size_t size =
	    strlen(first) + strlen(second) + strlen(third) + 1;
	char *const all = malloc(size);

	if (all == NULL) {
		msg_memory();
		return NULL;
	}
	strcpy(all, first);
	strcat(all, second);
	return strcat(all, third);
}

/* What precedes the number or the thread's name in the name of a piece:
 * that of the trace, of -o, or of the trace in the folder of -o. */
static char *
make_before(const char *output, const char *name)
{
	if (output == NULL)
		return files_rename(name, "-");
	if (!is_folder(output))
		return files_rename(output, "-");
	char *const base = files_rename(last_path_part(name), "-");
	char *const before = base == NULL ? NULL : concat_names(output,
	    output[strlen(output) - 1] == '/' ? "" : "/", base);
	free(base);
	return before;
}

/* The message of the limit names the option. */
static int
split_trace(const struct pieces *pieces, struct dmtrace_reader *reader,
    const struct dmtrace_pieces_options *options, const char *operand)
{
	struct job *const job = pieces->job;
	uint64_t count;

	if (!job_begin(job))
		return CMD_TROUBLE;
	const enum dmtrace_status status = dmtrace_split_pieces(job->op, reader,
	    options, &count);
	if (count <= options->max_files)
		return job_end(job, status);
	job_end(job, DMTRACE_OK);
	msg_error("%s: there are more pieces than %" PRIu64 ";"
	    " --max-files allows more", operand, options->max_files);
	return CMD_TROUBLE;
}

/* A failure to open is reported. */
static int
open_and_split_trace(const struct pieces *pieces,
    const struct dmtrace_pieces_options *options, const char *operand)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	int status = CMD_TROUBLE;

	if (reader == NULL)
		return msg_fail_memory();
	if (files_open(reader, operand) != DMTRACE_OK)
		msg_failure(operand, dmtrace_reader_error(reader));
	else
		status = split_trace(pieces, reader, options, operand);
	dmtrace_reader_free(reader);
	return status;
}

/* -o with a '%' in its last part is both halves of a name. */
static int
split_template(const struct pieces *pieces,
    struct dmtrace_pieces_options *options, const char *operand)
{
	char *const before = concat_names(pieces->output, "", "");
	int status;

	if (before == NULL)
		return CMD_TROUBLE;
	char *const mark = strrchr(before, '%');
	*mark = '\0';
	options->before = before;
	options->after = mark + 1;
	status = open_and_split_trace(pieces, options, operand);
	free(before);
	return status;
}

static int
split_plain(const struct pieces *pieces,
    struct dmtrace_pieces_options *options, const char *operand)
{
	char *const before = make_before(pieces->output, operand);
	int status;

	if (before == NULL)
		return CMD_TROUBLE;
	options->before = before;
	options->after = ".trace";
	status = open_and_split_trace(pieces, options, operand);
	free(before);
	return status;
}

/* How many times '%' is in the last part of -o. */
static unsigned
count_marks(const struct pieces *pieces)
{
	unsigned count = 0;

	if (pieces->output == NULL)
		return 0;
	for (const char *at = last_path_part(pieces->output); *at != '\0'; at++)
		count += *at == '%';
	return count;
}

static int
check_split_output(const struct cmd *cmd, const struct pieces *pieces,
    const char *operand)
{
	const bool is_input = strcmp(operand, "-") == 0;

	if (count_marks(pieces) > 1)
		return opt_usage(cmd, "-o has more than one \"%\"");
	if (pieces->output != NULL && strcmp(pieces->output, "-") == 0)
		return opt_usage(cmd,
		    "pieces do not go to standard output");
	if (is_input && (pieces->output == NULL ||
	    (count_marks(pieces) == 0 && is_folder(pieces->output))))
		return opt_usage(cmd, "standard input has no name: "
		    "pieces of it need -o NAME");
	return OPT_GO;
}

/* "dmtrace split --by": the trace of operand. Returns the exit status. */
static int
pieces_split(const struct cmd *cmd, const struct pieces *pieces,
    const char *operand)
{
	struct dmtrace_pieces_options options = { 0 };

	options.max_files = pieces->max_files;
	options.flags = (pieces->force ? 0 : DMTRACE_NO_REPLACE) |
	    (pieces->sync ? DMTRACE_SYNC : 0);
	int status = set_split_way(&options, pieces->by);
	if (status == OPT_GO)
		status = check_split_output(cmd, pieces, operand);
	if (status != OPT_GO)
		return status;
	return count_marks(pieces) == 1 ?
	    split_template(pieces, &options, operand) :
	    split_plain(pieces, &options, operand);
}

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
		    "split by thread, time=DUR, records=N or size=N"),
		OPT_STRING('o', "output", "FILE", &split.output,
		    "write FILE as .key and .data, or FILE-*.trace"),
		OPT_FLAG(0, "force", &split.force,
		    "replace existing files"),
		OPT_RANGE(0, "max-files", "N", &split.max_files, 1,
		    UINT32_MAX, "fail if there would be more traces [1000]"),
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
	.summary = "split a trace into key and data, or smaller traces",
	.run = run_split,
};
