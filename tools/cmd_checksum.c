/* cmd_checksum.c - what the events of traces come to, in one number each */

#include <dmtrace.h>

#include <stddef.h>

#include "checksum/checksum_print.h"
#include "cli/cli_files.h"
#include "cli/job.h"
#include "cli/msg.h"
#include "cli/out.h"

enum {
	CLOCK_ALL,
	CLOCK_WALL,
	CLOCK_CPU,
	CLOCK_NONE
};

static const char *const clock_words[] = {
	"all", "wall", "thread-cpu", "none", NULL
};

static const unsigned clocks[] = {
	[CLOCK_ALL] = DMTRACE_CHECKSUM_CPU | DMTRACE_CHECKSUM_WALL,
	[CLOCK_WALL] = DMTRACE_CHECKSUM_WALL,
	[CLOCK_CPU] = DMTRACE_CHECKSUM_CPU,
	[CLOCK_NONE] = 0,
};

struct checksum {
	struct job job;
	struct dmtrace_checksum_options options;
	unsigned form;
	bool adds;			/* --sum: all operands are one */
	bool compares;
	bool brief;
	bool lost;			/* the report is not whole */
	struct out out;
	const char *file;		/* the operand that is read */
	const char *first_file;		/* NULL: none was read */
	struct checksum_rows first;	/* to compare with, or to add to */
};

static void
lose(struct checksum *checksum)
{
	checksum->lost = true;
	checksum->job.status = CMD_TROUBLE;
}

static void
flush(struct checksum *checksum, struct strbuf *buffer)
{
	if (buffer->failed) {
		msg_memory();
		lose(checksum);
	}
	out_put(&checksum->out, buffer->bytes, buffer->len);
	strbuf_fini(buffer);
}

static void
put(struct checksum *checksum, const char *file,
    const struct checksum_rows *sums)
{
	struct strbuf buffer = { 0 };

	checksum_print(&buffer, (enum form)checksum->form, file, sums,
	    checksum->brief);
	flush(checksum, &buffer);
}

static void
compare(struct checksum *checksum, const struct checksum_rows *sums)
{
	struct strbuf buffer = { 0 };

	if (sum_is_same(&sums->sum, &checksum->first.sum) &&
	    sums->records == checksum->first.records)
		return;
	checksum->job.status = cmd_worse(checksum->job.status, CMD_NO);
	if (checksum->form == FORM_TEXT)
		checksum_print_difference(&buffer, checksum->file, sums,
		    checksum->first_file, &checksum->first);
	flush(checksum, &buffer);
}

/* Of one operand. */
static void
take(struct checksum *checksum, const struct dmtrace_checksum *result)
{
	struct checksum_rows sums = { .rows = NULL };

	if (checksum->adds || checksum->first_file == NULL) {
		if (!checksum_rows_add(&checksum->first, result))
			lose(checksum);
		if (!checksum->adds)
			put(checksum, checksum->file, &checksum->first);
		checksum->first_file = checksum->file;
		return;
	}
	if (!checksum_rows_add(&sums, result)) {
		lose(checksum);
	} else {
		put(checksum, checksum->file, &sums);
		if (checksum->compares)
			compare(checksum, &sums);
	}
	checksum_rows_fini(&sums);
}

/* The operand has a row that says why there is no sum. */
static void
fail(struct checksum *checksum, const struct dmtrace_error *error)
{
	const struct dmtrace_file in = files_input(checksum->file);
	struct strbuf buffer = { 0 };

	progress_erase(&checksum->job.progress);
	msg_failure(files_name(&in), error);
	checksum_print_unreadable(&buffer, (enum form)checksum->form,
	    checksum->file, error->words);
	flush(checksum, &buffer);
	checksum->job.status = CMD_TROUBLE;
}

static void
read_one(struct checksum *checksum, struct dmtrace_reader *reader)
{
	const struct dmtrace_file in = files_input(checksum->file);
	struct dmtrace_checksum result;

	if (files_open(reader, checksum->file) != DMTRACE_OK) {
		msg_findings(files_name(&in), reader, checksum->job.quiet);
		fail(checksum, dmtrace_reader_error(reader));
		return;
	}
	if (files_clash_trace(reader, checksum->file, &checksum->out.file)) {
		lose(checksum);
		return;
	}
	const enum dmtrace_status status = dmtrace_checksum(
	    checksum->job.op, reader, &checksum->options, &result);
	job_report(&checksum->job);
	if (msg_findings(files_name(&in), reader, checksum->job.quiet))
		checksum->job.status =
		    cmd_worse(checksum->job.status, CMD_NO);
	if (status != DMTRACE_OK) {
		fail(checksum, dmtrace_op_error(checksum->job.op));
		return;
	}
	take(checksum, &result);
	dmtrace_checksum_fini(&result);
}

static void
read_all(struct checksum *checksum, int argc, char **argv)
{
	struct strbuf names = { 0 };

	checksum_print_names(&names, (enum form)checksum->form);
	flush(checksum, &names);
	for (int i = 0; i < argc; i++) {
		struct dmtrace_reader *const reader = dmtrace_reader_new();

		checksum->file = argv[i];
		if (reader == NULL) {
			msg_memory();
			lose(checksum);
			return;
		}
		read_one(checksum, reader);
		dmtrace_reader_free(reader);
	}
	if (checksum->adds && checksum->job.status != CMD_TROUBLE)
		put(checksum, NULL, &checksum->first);
}

static int
check_usage(const struct cmd *cmd, const struct checksum *checksum, int argc)
{
	if (argc == 0)
		return opt_usage(cmd, "no trace is named");
	if (checksum->adds && checksum->compares)
		return opt_usage(cmd, "--sum leaves nothing to --compare");
	if (checksum->compares && argc == 1)
		return opt_usage(cmd, "--compare needs two traces");
	return OPT_GO;
}

static int
write_report(struct checksum *checksum, const char *output, int argc,
    char **argv)
{
	if (!job_begin(&checksum->job))
		return CMD_TROUBLE;
	if (out_open(&checksum->out, output)) {
		read_all(checksum, argc, argv);
		checksum->job.status =
		    out_close_report(&checksum->out, checksum->job.status,
		    !checksum->lost);
	} else {
		checksum->job.status = CMD_TROUBLE;
	}
	checksum_rows_fini(&checksum->first);
	dmtrace_op_free(checksum->job.op);
	return checksum->job.status;
}

static int
run(const struct cmd *cmd, int argc, char **argv)
{
	struct checksum checksum = { .form = FORM_TEXT };
	unsigned clock = CLOCK_ALL;
	const char *output = NULL;
	const struct opt options[] = {
		OPT_FLAG('b', "brief", &checksum.brief,
		    "in text, only the total of each trace"),
		OPT_CHOICE(0, "clock", "CLOCK", &clock, clock_words,
		    "times that count: all, wall, thread-cpu, none"),
		OPT_FLAG(0, "compare", &checksum.compares,
		    "exit 1 unless all are the first one's"),
		OPT_FLAG(0, "sum", &checksum.adds,
		    "add all traces up, as parts of one"),
		OPT_FORM(&checksum.form),
		OPT_OUTPUT(&output),
		OPT_JOB(&checksum.job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO)
		status = check_usage(cmd, &checksum, argc);
	if (status != OPT_GO)
		return status;
	dmtrace_checksum_options_init(&checksum.options);
	checksum.options.clocks = clocks[clock];
	return write_report(&checksum, output, argc, argv);
}

const struct cmd cmd_checksum = {
	.name = "checksum",
	.group = "look",
	.synopsis = "[OPTION]... TRACE...",
	.summary = "sum the events of traces up",
	.run = run,
};
