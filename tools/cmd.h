/* cmd.h - a command is a value: a row of cmd.c */
#ifndef CMD_H
#define CMD_H

/* Exit statuses; of several results the highest counts. */
enum {
	CMD_OK = 0,		/* done, and yes */
	CMD_NO = 1,		/* done, and no: an error was found */
	CMD_TROUBLE = 2		/* not done: usage, input or output, memory */
};

/* Of two results, the one that counts. */
static inline int
cmd_worse(int a, int b)
{
	return a > b ? a : b;
}

struct cmd {
	const char *name;
	const char *group;	/* a heading of "dmtrace help" */
	const char *synopsis;	/* options and operands */
	const char *summary;

	/* argv[0] is the command's name. Returns the exit status. */
	int (*run)(const struct cmd *cmd, int argc, char **argv);
};

/* NULL: there is no command of that name. */
const struct cmd *
cmd_find(const char *name);

/* Reports that there is none, and which have a similar name. */
void
cmd_missing(const char *name);

/* Prints all commands by group. */
void
cmd_list(void);

/* Prints the name of each, a TAB and what it does. */
void
cmd_list_rows(void);

#endif
