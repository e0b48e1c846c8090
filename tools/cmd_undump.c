/* cmd_undump.c - write the trace that a text describes */

#include <dmtrace.h>

#include "cli/cli_files.h"
#include "cli/msg.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "private/text_form.h"
#include "private/trace.h"

#define DIALECT_ANY DMT_DIALECTS	/* no -d */

static int
undump_file(const char *operand, const char *output,
    enum dmtrace_dialect dialect)
{
	const struct dmtrace_file in = files_input(operand);
	const struct dmtrace_file target = files_output(output);
	struct dmtrace_error error;
	struct out out;
	int status = CMD_OK;

	if (files_terminal(&target) || files_clash(&in, &target) ||
	    !out_open(&out, output))
		return CMD_TROUBLE;
	if (dmt_text_undump(&in, &out.output, dialect, &error) != DMTRACE_OK) {
		msg_failure(files_name(&in), &error);
		status = CMD_TROUBLE;
	}
	return out_close(&out, status, status != CMD_TROUBLE);
}

static int
run_undump(const struct cmd *cmd, int argc, char **argv)
{
	const char *output = NULL;
	unsigned dialect = DIALECT_ANY;
	const struct opt options[] = {
		OPT_CHOICE('d', "dialect", "NAME", &dialect,
		    dmt_dialect_names, "of a text that names none: v1 to v5, "
		    "or f2 to f5 [v3]"),
		OPT_OUTPUT_FILE(&output, "write to FILE", ".trace"),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status != OPT_GO)
		return status;
	if (argc > 1)
		return opt_usage(cmd, "more than one file is named");
	return undump_file(argc == 0 ? "-" : argv[0], output,
	    dialect == DIALECT_ANY ? (enum dmtrace_dialect)0 :
	    (enum dmtrace_dialect)(dialect + 1));
}

const struct cmd cmd_undump = {
	.name = "undump",
	.group = "create",
	.synopsis = "[-d NAME] [-o FILE] [TEXT]",
	.summary = "write the trace that a text describes",
	.examples = {
		"dmtrace undump -o app.trace app.dmt",
		"printf 'clock=wall\\n0 1 Main.main\\n' | dmtrace "
		"undump -d v2 -o main.trace",
	},
	.run = run_undump,
};
