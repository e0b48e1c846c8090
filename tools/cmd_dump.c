/* cmd_dump.c - print the records of a trace, one per line */

#include <dmtrace.h>

#include <stdbool.h>

#include "cli/cli_files.h"
#include "cli/msg.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "dump/dump_lines.h"
#include "report/dmtracedump.h"

#define ROWS 1024		/* that are read at once */

struct dump {
	const char *name;		/* of the file, for messages */
	bool quiet;			/* no findings to standard error */
	bool dmtracedump;		/* the lines of dmtracedump -o */
	struct dmtrace_reader *reader;
	struct dmtrace_source *source;
	struct dump_lines lines;
	struct out out;
};

static int
fail(const struct dump *dump, const struct dmtrace_error *error)
{
	msg_failure(dump->name, error);
	return CMD_TROUBLE;
}

static int
fail_memory(void)
{
	msg_memory();
	return CMD_TROUBLE;
}

/* Ends early when nobody reads what is written. */
static int
print_all(struct dump *dump)
{
	struct dmtrace_row rows[ROWS];
	size_t count;

	dump_lines_put_names(&dump->lines, &dump->out);
	do {
		if (dmtrace_source_read_rows(dump->source, rows, ROWS,
		    &count) != DMTRACE_OK)
			return fail(dump, dmtrace_source_error(dump->source));
		for (size_t i = 0; i < count; i++)
			if (!dump_lines_put(&dump->lines, &dump->out, &rows[i]))
				return fail_memory();
	} while (count > 0 && out_room(&dump->out, 1) != NULL);
	return msg_errors(dump->name, dump->reader, dump->quiet) ? CMD_NO :
	    CMD_OK;
}

static int
print_as_dmtracedump(struct dump *dump, const char *output)
{
	if (!out_open(&dump->out, output))
		return CMD_TROUBLE;
	int status = CMD_TROUBLE;
	if (dmtracedump_list(&dump->out, dump->source,
	    dmtrace_reader_key(dump->reader), dump->name))
		status = msg_errors(dump->name, dump->reader, dump->quiet) ?
		    CMD_NO : CMD_OK;
	return out_close(&dump->out, status);
}

static int
print(struct dump *dump, enum form form, const char *output)
{
	const struct dmtrace_key *key = dmtrace_reader_key(dump->reader);
	const struct dmtrace_layout *layout =
	    dmtrace_reader_layout(dump->reader);
	int status = CMD_TROUBLE;

	dump_lines_init(&dump->lines, form, key, layout);
	if (out_open(&dump->out, output))
		status = out_close(&dump->out, print_all(dump));
	dump_lines_fini(&dump->lines);
	return status;
}

static int
open_and_print(struct dump *dump, const char *operand, enum form form,
    const char *output)
{
	const struct dmtrace_file in = files_input(operand);
	const struct dmtrace_file out = files_output(output);

	dump->name = files_name(&in);
	if (dump->reader == NULL)
		return fail_memory();
	if (files_open(dump->reader, operand) != DMTRACE_OK)
		return fail(dump, dmtrace_reader_error(dump->reader));
	if (files_clash_trace(dump->reader, operand, &out))
		return CMD_TROUBLE;
	dump->source = dmtrace_source_new(dump->reader);
	if (dump->source == NULL)
		return fail_memory();
	return dump->dmtracedump ? print_as_dmtracedump(dump, output) :
	    print(dump, form, output);
}

static int
check_usage(const struct cmd *cmd, int argc, bool as_dmtracedump,
    enum form form)
{
	if (argc != 1)
		return opt_usage(cmd, argc == 0 ? "no file is named" :
		    "more than one file");
	if (as_dmtracedump && form != FORM_TEXT)
		return opt_usage(cmd, "--dmtracedump has no other form");
	return OPT_GO;
}

static int
run(const struct cmd *cmd, int argc, char **argv)
{
	unsigned form = FORM_TEXT;
	const char *output = NULL;
	bool quiet = false, as_dmtracedump = false;
	const struct opt options[] = {
		OPT_FLAG(0, "dmtracedump", &as_dmtracedump,
		    "the lines of dmtracedump -o"),
		OPT_FORM(&form),
		OPT_OUTPUT(&output),
		OPT_QUIET(&quiet),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO)
		status = check_usage(cmd, argc, as_dmtracedump,
		    (enum form)form);
	if (status != OPT_GO)
		return status;
	struct dump dump = {
		.quiet = quiet,
		.dmtracedump = as_dmtracedump,
		.reader = dmtrace_reader_new()
	};
	status = open_and_print(&dump, argv[0], (enum form)form, output);
	dmtrace_source_free(dump.source);
	dmtrace_reader_free(dump.reader);
	return status;
}

const struct cmd cmd_dump = {
	.name = "dump",
	.group = "look",
	.synopsis = "[-q] [-f FORM] [-o FILE] FILE",
	.summary = "print the records of a trace, one per line",
	.run = run,
};
