/* cmd_help.c - list the commands, or describe one */

#include <stddef.h>

#include "cli/opt.h"

static int
run_help(const struct cmd *cmd, int argc, char **argv)
{
	const struct opt options[] = {
		OPT_END
	};
	const int status = opt_parse(cmd, options, &argc, argv);

	if (status != OPT_GO)
		return status;
	if (argc == 0) {
		cmd_list();
		return CMD_OK;
	}
	if (argc > 1)
		return opt_usage(cmd, "more than one command");
	const struct cmd *about = cmd_find(argv[0]);
	if (about == NULL) {
		cmd_missing(argv[0]);
		return CMD_TROUBLE;
	}
	char help[] = "--help";
	char *words[] = { argv[0], help, NULL };
	return about->run(about, 2, words);
}

const struct cmd cmd_help = {
	.name = "help",
	.group = "other",
	.synopsis = "[COMMAND]",
	.summary = "list the commands, or describe one",
	.run = run_help,
};
