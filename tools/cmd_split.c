/* cmd_split.c - split a trace into key and data, or into smaller traces */

#include <dmtrace.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_files.h"
#include "cli/decimal.h"
#include "cli/job.h"
#include "cli/msg.h"
#include "cli/opt.h"
#include "private/packing.h"

#define MAX_FILES 1000

enum { WAYS = DMTRACE_PIECES_SIZE + 1 };

struct split {
	struct job job;
	const char *by;			/* --by: its word and value; NULL:
					   split into key and data */
	uint64_t max_files;
	const char *output;		/* -o; NULL: derive the names */
	bool force;			/* replace existing files */
};

static int
set_split_way(struct dmtrace_pieces_options *options, const char *by)
{
	const struct opt ways[WAYS] = {
		[DMTRACE_PIECES_THREAD] = { .name = "thread" },
		[DMTRACE_PIECES_TIME] = OPT_TIME(0, "time", "TIME",
		    &options->amount, NULL),
		[DMTRACE_PIECES_RECORDS] = OPT_UINT(0, "events", "N",
		    &options->amount, NULL),
		[DMTRACE_PIECES_SIZE] = OPT_SIZE(0, "size", "N",
		    &options->amount, NULL),
	};
	const size_t len = strcspn(by, "=");
	unsigned i = 0;

	while (i < WAYS && (strlen(ways[i].name) != len ||
	    memcmp(ways[i].name, by, len) != 0))
		i++;
	if (i == WAYS || (ways[i].argument == NULL) != (by[len] == '\0')) {
		msg_error("--by: \"%s\" is not one of thread, time=TIME, "
		    "events=N, size=N", by);
		return CMD_TROUBLE;
	}
	options->by = (enum dmtrace_pieces_by)i;
	return by[len] == '\0' ? OPT_GO :
	    opt_set_value(&ways[i], "--by", by + len + 1);
}

/* Returns how often '%' is in the last part of -o. */
static unsigned
count_marks(const char *output)
{
	unsigned count = 0;

	if (output == NULL)
		return 0;
	for (const char *at = files_last_part(output); *at != '\0'; at++)
		count += *at == '%';
	return count;
}

/*
 * Returns the name of an output: the base of -o or, without it or in the folder
 * that it names, that of the trace, and an ending. NULL: no memory, which was
 * reported.
 */
static char *
make_output_name(const char *output, const char *name, const char *ending)
{
	if (output == NULL)
		return files_rename(name, ending);
	if (!files_is_folder(output))
		return ending[0] == '.' ?
		    files_rename_output(output, ending) :
		    files_rename(output, ending);
	char *const base = files_rename(files_last_part(name), ending);
	char *const all = base == NULL ? NULL :
	    files_in_folder(output, base);
	free(base);
	return all;
}

/* Returns what precedes the number or the thread's name in the name of a
 * piece, as make_output_name does, or the part of -o before the "%". */
static char *
make_before(const char *output, const char *name)
{
	if (count_marks(output) != 1)
		return make_output_name(output, name, "-");
	char *const before = strndup(output,
	    (size_t)(strrchr(output, '%') - output));

	if (before == NULL)
		msg_memory();
	return before;
}

static int
check_by_usage(const struct cmd *cmd, const char *output, const char *operand)
{
	const unsigned marks = count_marks(output);

	if (marks > 1)
		return opt_usage(cmd, "-o has more than one \"%\"");
	if (output != NULL && strcmp(output, "-") == 0)
		return opt_usage(cmd,
		    "pieces cannot be written to standard output");
	if (dmt_packing_of_name(output) != NULL && !files_is_folder(output))
		return opt_usage(cmd, "pieces are not compressed: leave the"
		    " suffix out of -o, and compress the files afterwards");
	if (strcmp(operand, "-") == 0 &&
	    (output == NULL || (marks == 0 && files_is_folder(output))))
		return opt_usage(cmd, "standard input has no name: "
		    "pieces of it need -o NAME");
	return OPT_GO;
}

/* Splits into pieces. */
static int
split_by(const struct cmd *cmd, struct split *split, const char *operand)
{
	const char *const output = split->output;
	struct dmtrace_pieces_options options = {
		.max_files = split->max_files,
		.flags = (split->force ? 0 : DMTRACE_NO_REPLACE) |
		    (split->job.sync ? DMTRACE_SYNC : 0),
		.after = count_marks(output) == 1 ?
		    strrchr(output, '%') + 1 : ".trace"
	};
	char most[COUNT_MAX];
	uint64_t count = 0;
	int status = set_split_way(&options, split->by);

	if (status == OPT_GO)
		status = check_by_usage(cmd, output, operand);
	if (status != OPT_GO)
		return status;

	char *const before = make_before(output, operand);
	if (before == NULL)
		return CMD_TROUBLE;
	options.before = before;
	if (job_open(&split->job, operand) != CMD_OK ||
	    !job_begin(&split->job)) {
		status = CMD_TROUBLE;
	} else {
		const enum dmtrace_status split_status = dmtrace_split_pieces(
		    split->job.op, split->job.reader, &options, &count);
		const bool too_many = count > options.max_files;

		/* The message about this limit names the option. */
		status = job_end(&split->job,
		    too_many ? DMTRACE_OK : split_status);
		if (status != CMD_TROUBLE && msg_findings(split->job.name,
		    split->job.reader, split->job.quiet))
			status = CMD_NO;
		if (too_many) {
			msg_error("%s: there are more than %s pieces; "
			    "--max-files allows more", split->job.name,
			    count_format(most, options.max_files));
			status = CMD_TROUBLE;
		}
	}
	job_fini(&split->job);
	free(before);
	return status;
}

/* Splits into key and data, with names from -o or from the trace. */
static int
split_to_halves(struct split *split, const char *operand)
{
	char *const name = files_joined(operand);
	if (name == NULL)
		return CMD_TROUBLE;
	char *const key_path = make_output_name(split->output, name, ".key");
	char *const data_path = make_output_name(split->output, name, ".data");
	const struct dmtrace_file in = files_input(name);
	const struct dmtrace_file key = { .path = key_path };
	const struct dmtrace_file data = { .path = data_path };
	const bool replace = split->force || (split->output != NULL &&
	    !files_is_folder(split->output));
	int status = CMD_TROUBLE;

	if (key_path == NULL || data_path == NULL)
		goto done;

	/* An operand with the name of a key or data file probably is one. */
	if (split->output == NULL && (strcmp(name, key_path) == 0 ||
	    strcmp(name, data_path) == 0)) {
		msg_error("%s: named as half of a pair; where it is none, -o "
		    "names the halves", name);
		goto done;
	}
	if (!files_clash(&in, &key) && !files_clash(&in, &data) &&
	    job_begin(&split->job))
		status = job_end(&split->job, dmtrace_split(split->job.op,
		    &in, &key, &data, (replace ? 0 : DMTRACE_NO_REPLACE) |
		    (split->job.sync ? DMTRACE_SYNC : 0)));
done:
	free(data_path);
	free(key_path);
	free(name);
	return status;
}

static int
check_split_usage(const struct cmd *cmd, const struct split *split, int argc,
    char **argv)
{
	const int status = job_check_operand(cmd, argc, "file");

	if (status != OPT_GO)
		return status;
	if (split->output != NULL && split->output[0] == '\0')
		return opt_usage(cmd, "-o is empty");
	if (split->by != NULL)
		return OPT_GO;
	if (split->max_files != MAX_FILES)
		return opt_usage(cmd, "--max-files needs --by");
	if (split->output == NULL && strcmp(argv[0], "-") == 0)
		return opt_usage(cmd, "standard input needs -o");
	if (split->output != NULL && strcmp(argv[0], "-") == 0 &&
	    files_is_folder(split->output))
		return opt_usage(cmd, "standard input has no name: -o must be"
		    " a file");
	if (split->output != NULL && strcmp(split->output, "-") == 0)
		return opt_usage(cmd, "two files cannot be written to "
		    "standard output");
	return OPT_GO;
}

static const char *const by_words[] =
    { "thread", "time=", "events=", "size=", NULL };

static int
run_split(const struct cmd *cmd, int argc, char **argv)
{
	struct split split = { .max_files = MAX_FILES };
	const struct opt options[] = {
		OPT_STRING_LIKE(0, "by", "WHAT", &split.by, by_words,
		    "split by thread, time=TIME, events=N or size=N"),
		OPT_STRING('o', "output", "FILE", &split.output,
		    "write FILE as .key and .data, or FILE-*.trace"),
		OPT_FLAG(0, "force", &split.force,
		    "replace existing files"),
		OPT_RANGE(0, "max-files", "N", &split.max_files, 1,
		    UINT32_MAX, "fail if there would be more traces [1000]"),
		OPT_REFUSED('d', "dialect",
		    "pieces keep the dialect, for merge --rejoin; use "
		    "\"dmtrace convert -d\" before"),
		OPT_SYNC(&split.job.sync),
		OPT_JOB(&split.job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO)
		status = check_split_usage(cmd, &split, argc, argv);
	if (status != OPT_GO)
		return status;
	return split.by == NULL ? split_to_halves(&split, argv[0]) :
	    split_by(cmd, &split, argv[0]);
}

const struct cmd cmd_split = {
	.name = "split",
	.group = "change",
	.synopsis = "[OPTION]... [--by WHAT] [-o FILE] TRACE",
	.summary = "split a trace into key and data, or smaller traces",
	.examples = {
		"dmtrace split app.trace",
		"dmtrace split --by=time=10s -o part-%.trace app.trace",
	},
	.run = run_split,
};
