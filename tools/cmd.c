/* cmd.c - the table of commands */

#include "cmd.h"

#include <stddef.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/msg.h"
#include "private/suggestion.h"

extern const struct cmd cmd_checksum;
extern const struct cmd cmd_convert;
extern const struct cmd cmd_corrupt;
extern const struct cmd cmd_diff;
extern const struct cmd cmd_dump;
extern const struct cmd cmd_eventlog;
extern const struct cmd cmd_expect;
extern const struct cmd cmd_export;
extern const struct cmd cmd_filter;
extern const struct cmd cmd_generate;
extern const struct cmd cmd_flame;
extern const struct cmd cmd_graph;
extern const struct cmd cmd_help;
extern const struct cmd cmd_import;
extern const struct cmd cmd_info;
extern const struct cmd cmd_join;
extern const struct cmd cmd_shift;
extern const struct cmd cmd_sort;
extern const struct cmd cmd_repair;
extern const struct cmd cmd_merge;
extern const struct cmd cmd_record;
extern const struct cmd cmd_rename;
extern const struct cmd cmd_report;
extern const struct cmd cmd_split;
extern const struct cmd cmd_tail;
extern const struct cmd cmd_undump;
extern const struct cmd cmd_validate;
extern const struct cmd cmd_view;

/* To add a command, add a row here, in the order of "dmtrace help". */
static const struct cmd *const commands[] = {
	&cmd_info,
	&cmd_dump,
	&cmd_tail,
	&cmd_validate,
	&cmd_diff,
	&cmd_checksum,
	&cmd_expect,
	&cmd_undump,
	&cmd_generate,
	&cmd_corrupt,
	&cmd_record,
	&cmd_import,
	&cmd_join,
	&cmd_split,
	&cmd_convert,
	&cmd_sort,
	&cmd_shift,
	&cmd_repair,
	&cmd_rename,
	&cmd_filter,
	&cmd_merge,
	&cmd_report,
	&cmd_graph,
	&cmd_flame,
	&cmd_view,
	&cmd_export,
	&cmd_eventlog,
	&cmd_help,
};

static const char *const groups[] = {
	"inspect", "create", "change", "profile", "other"
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };
enum { GROUPS = sizeof(groups) / sizeof(groups[0]) };

const struct cmd *
cmd_find(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

void
cmd_missing(const char *name)
{
	char similar[DMT_SUGGESTION_TEXT_MAX];
	struct dmt_suggestion suggestion = { .wanted = name };

	static const char *const ends[] = { "", ".key", ".trace" };
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		snprintf(path, sizeof(path), "%s%s", name, ends[i]);
		if (access(path, F_OK) == 0) {
			msg_error("no command \"%s\"; to summarize this file, "
			    "run \"dmtrace info %s\"", name, name);
			return;
		}
	}
	for (size_t i = 0; i < COMMANDS; i++)
		dmt_suggestion_offer(&suggestion, commands[i]->name);
	msg_error("no command \"%s\"%s; see \"dmtrace help\"", name,
	    dmt_suggestion_text(&suggestion, "", similar));
}

static void
list_group(const char *group)
{
	const char *heading = group;

	for (size_t i = 0; i < COMMANDS; i++) {
		if (strcmp(commands[i]->group, group) != 0)
			continue;
		if (heading != NULL)
			printf("\n%s\n", heading);
		heading = NULL;
		printf("  %-10s %s\n", commands[i]->name,
		    commands[i]->summary);
	}
}

void
cmd_list_rows(void)
{
	for (size_t i = 0; i < COMMANDS; i++)
		printf("%s\t%s\n", commands[i]->name, commands[i]->summary);
}

void
cmd_list(void)
{
	puts("usage: dmtrace COMMAND [OPTION]... [OPERAND]...");
	for (size_t i = 0; i < GROUPS; i++)
		list_group(groups[i]);
	puts("\nSee \"dmtrace help COMMAND\" for its options.");
}
