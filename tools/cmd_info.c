/* cmd_info.c - summarize traces: format, clock, threads, record counts */

#include <dmtrace.h>

#include "cli/cli_files.h"
#include "cli/msg.h"
#include "cli/table.h"
#include "info/trace_info.h"

/* A text after the first one has a blank line before it. Errors are in the
 * text, where people find them. */
static int
print_trace_info(struct table *table, const char *file, bool quiet)
{
	struct trace_info info;

	if (files_clash_operand(file, &table->out.file)) {
		table->lost = true;
		return CMD_TROUBLE;
	}
	const int status = trace_info_read(&info, file);
	if (table_has_rows(table)) {
		trace_info_put_row(table, &info);
	} else {
		strbuf_string(&table->buffer,
		    table->out.at == NULL ? "" : "\n");
		trace_info_put_text(table, &info);
	}
	table_flush(table);
	if (status != CMD_TROUBLE)
		msg_errors(file, info.reader, quiet || !table_has_rows(table));
	trace_info_fini(&info);
	return status;
}

static int
run_info(const struct cmd *cmd, int argc, char **argv)
{
	struct table table = { .form = FORM_TEXT };
	const char *output = NULL;
	bool quiet = false;
	const struct opt options[] = {
		OPT_FORM(&table.form),
		OPT_OUTPUT(&output),
		OPT_QUIET(&quiet),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status != OPT_GO)
		return status;
	if (argc == 0)
		return opt_usage(cmd, "no file is named");
	if (!table_open(&table, output))
		return CMD_TROUBLE;
	table_set_columns(&table, trace_info_columns);
	status = CMD_OK;
	for (int i = 0; i < argc; i++)
		status = cmd_worse(status,
		    print_trace_info(&table, argv[i], quiet));
	return table_close(&table, status);
}

const struct cmd cmd_info = {
	.name = "info",
	.group = "inspect",
	.synopsis = "[-q] [-f FORM] [-o FILE] FILE...",
	.summary = "summarize traces: format, clock, threads, record counts",
	.run = run_info,
};
