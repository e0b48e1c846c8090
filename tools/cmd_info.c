/* cmd_info.c - summarize traces: format, clock, threads, record counts */

#include <dmtrace.h>

#include "cli/cli_files.h"
#include "cli/table.h"
#include "info/trace_info.h"

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
	for (int i = 0; i < argc; i++) {
		const bool clash = files_clash_operand(argv[i],
		    &table.out.file);

		table.lost |= clash;
		status = cmd_worse(status, clash ? CMD_TROUBLE :
		    trace_info_print(&table, argv[i], quiet));
	}
	return table_close(&table, status);
}

const struct cmd cmd_info = {
	.name = "info",
	.group = "inspect",
	.synopsis = "[-q] [-f FORM] [-o FILE] FILE...",
	.summary = "summarize traces: format, clock, threads, record counts",
	.run = run_info,
};
