/* cmd_help.c - list the commands, or the options of a command */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/opt.h"

static int
run_help(const struct cmd *cmd, int argc, char **argv)
{
	bool complete = false;
	const struct opt options[] = {
		OPT_FLAG(0, "complete", &complete,
		    "print rows for the shells' completion"),
		OPT_END
	};
	const int status = opt_parse(cmd, options, &argc, argv);

	if (status != OPT_GO)
		return status;
	if (argc == 0) {
		if (complete)
			cmd_list_rows();
		else
			cmd_list();
		return CMD_OK;
	}
	int worst = CMD_OK;
	for (int i = 0; i < argc; i++) {
		const struct cmd *const about = cmd_find(argv[i]);
		char help[] = "--help", rows[] = OPT_ROWS;
		char *arguments[] = { argv[i], complete ? rows : help, NULL };

		if (about == NULL) {
			cmd_missing(argv[i]);
			worst = CMD_TROUBLE;
			continue;
		}
		if (i > 0 && !complete)
			putchar('\n');
		worst = cmd_worse(worst, about->run(about, 2, arguments));
	}
	return worst;
}

const struct cmd cmd_help = {
	.name = "help",
	.group = "other",
	.synopsis = "[--complete] [COMMAND]...",
	.summary = "list the commands, or the options of a command",
	.examples = {
		"dmtrace help",
		"dmtrace help report diff",
	},
	.run = run_help,
};
