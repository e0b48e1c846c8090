/* cmd.h - a command: its name, help and function; a row of cmd.c */
#ifndef CMD_H
#define CMD_H

/* Exit statuses; of several results the highest is returned. */
enum {
	CMD_OK = 0,		/* done, positive */
	CMD_NO = 1,		/* done, negative: an error was found */
	CMD_TROUBLE = 2		/* not done: usage, input or output, memory */
};

/* Returns the status that counts, of two results. */
static inline int
cmd_worse(int a, int b)
{
	return a > b ? a : b;
}

struct cmd {
	const char *name;
	const char *group;	/* its heading in "dmtrace help" */
	const char *synopsis;	/* options and operands */
	const char *summary;
	const char *examples[2];	/* for --help */

	/* argv[0] is the command's name. Returns the exit status. */
	int (*run)(const struct cmd *cmd, int argc, char **argv);
};

/* Returns the command of that name; NULL: there is none. */
const struct cmd *
cmd_find(const char *name);

/* Reports that there is no such command, and similar names; for the name of a
 * file, the command that summarizes it. */
void
cmd_missing(const char *name);

/* Prints all commands by group. */
void
cmd_list(void);

/* Prints for each command its name, a TAB and its summary. */
void
cmd_list_rows(void);

#endif
