/* dmtrace.c - the program: finds the command and runs it */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/msg.h"
#include "cli/opt.h"
#include "cli/packer.h"
#include "cli/signals.h"
#include "cmd.h"

/* Makes sure that descriptors 0, 1 and 2 are open, so that no other file gets
 * one of these numbers, and messages in it. Reading from 0 and writing to the
 * others still fails. */
static void
fill_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null",
			    fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Detects a full disk at the latest here. A reader that closes a pipe is not a
 * failure. */
static int
close_output(int status)
{
	if (fclose(stdout) == 0 || errno == EPIPE)
		return status;
	msg_error("cannot write to standard output: %s", strerror(errno));
	return CMD_TROUBLE;
}

static int
run_command(int argc, char **argv)
{
	const struct cmd *cmd = cmd_find(argv[0]);

	if (argv[0][0] == '-') {
		msg_error("no option \"%s\" before a command; see "
		    "\"dmtrace help\"", argv[0]);
		return CMD_TROUBLE;
	}
	if (cmd == NULL) {
		cmd_missing(argv[0]);
		return CMD_TROUBLE;
	}
	msg_set_command(cmd->name);
	return cmd->run(cmd, argc, argv);
}

int
main(int argc, char **argv)
{
	fill_standard_files();
	signals_catch();
	packer_use();
	if (argc < 2) {
		cmd_list();
		return close_output(CMD_TROUBLE);
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
		opt_print_version();
	else if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		cmd_list();
	else
		return close_output(run_command(argc - 1, argv + 1));
	return close_output(CMD_OK);
}
