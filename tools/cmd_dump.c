/* cmd_dump.c - print the records of a trace, one per line */

#include <dmtrace.h>

#include <stdbool.h>

#include "cli/job.h"
#include "cli/msg.h"
#include "cli/out.h"
#include "cli/table.h"
#include "dump/dump_lines.h"
#include "report/dmtracedump.h"

#define ROWS 1024		/* that are read at once */

/* Ends early when nobody reads what is written. Returns CMD_OK, or
 * CMD_TROUBLE, which is reported. */
static int
print_records(const struct job *job, struct dmtrace_source *source,
    struct dump_lines *lines, struct out *out)
{
	struct dmtrace_row rows[ROWS];
	size_t count;

	dump_lines_put_names(lines, out);
	do {
		if (dmtrace_source_read_rows(source, rows, ROWS, &count) !=
		    DMTRACE_OK) {
			msg_failure(job->name, dmtrace_source_error(source));
			return CMD_TROUBLE;
		}
		for (size_t i = 0; i < count; i++)
			if (!dump_lines_put(lines, out, &rows[i]))
				return msg_fail_memory();
	} while (count > 0 && out_room(out, 1) != NULL);
	return CMD_OK;
}

static int
print_dump(const struct job *job, struct dmtrace_source *source,
    bool as_dmtracedump, enum form form)
{
	const struct dmtrace_key *const key = dmtrace_reader_key(job->reader);
	struct dump_lines lines;
	struct out out;
	int status;

	if (!out_open(&out, job->output))
		return CMD_TROUBLE;
	if (as_dmtracedump) {
		status = dmtracedump_list(&out, source, key, job->name) ?
		    CMD_OK : CMD_TROUBLE;
	} else {
		dump_lines_init(&lines, form, key,
		    dmtrace_reader_layout(job->reader));
		status = print_records(job, source, &lines, &out);
		dump_lines_fini(&lines);
	}
	if (status == CMD_OK &&
	    msg_errors(job->name, job->reader, job->quiet))
		status = CMD_NO;
	return out_close(&out, status, status != CMD_TROUBLE);
}

static int
dump_trace(struct job *job, const char *operand, bool as_dmtracedump,
    enum form form)
{
	if (job_open(job, operand) != CMD_OK)
		return CMD_TROUBLE;
	struct dmtrace_source *const source = dmtrace_source_new(job->reader);
	if (source == NULL)
		return msg_fail_memory();
	const int status = print_dump(job, source, as_dmtracedump, form);
	dmtrace_source_free(source);
	return status;
}

static int
run_dump(const struct cmd *cmd, int argc, char **argv)
{
	struct job job = { .output = NULL };
	unsigned form = FORM_TEXT;
	bool as_dmtracedump = false;
	const struct opt options[] = {
		OPT_FLAG(0, "dmtracedump", &as_dmtracedump,
		    "the lines of dmtracedump -o"),
		OPT_FORM(&form),
		OPT_OUTPUT(&job.output),
		OPT_QUIET(&job.quiet),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO)
		status = job_check_operand(cmd, argc, "file");
	if (status == OPT_GO && as_dmtracedump && form != FORM_TEXT)
		status = opt_usage(cmd, "--dmtracedump has no other form");
	if (status == OPT_GO)
		status = dump_trace(&job, argv[0], as_dmtracedump,
		    (enum form)form);
	job_fini(&job);
	return status;
}

const struct cmd cmd_dump = {
	.name = "dump",
	.group = "inspect",
	.synopsis = "[-q] [-f FORM] [-o FILE] FILE",
	.summary = "print the records of a trace, one per line",
	.run = run_dump,
};
