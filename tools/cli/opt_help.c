/* opt_help.c - a command's options for --help */

#include "cli/opt_help.h"

#include <dmtrace.h>

#include <stdio.h>

const struct opt opt_everywhere[] = {
	{ .kind = OPT_KIND_HELP, .letter = 'h', .name = "help",
	  .text = "print this help" },
	{ .kind = OPT_KIND_VERSION, .name = "version",
	  .text = "print the version" },
	OPT_END
};

static int
print_option(const struct opt *opt, int width)
{
	const char letter[] = { '-', opt->letter, ',', '\0' };
	char names[64];
	const int used = snprintf(names, sizeof(names), "%3s --%s%s%s",
	    opt->letter == '\0' ? "" : letter, opt->name,
	    opt->argument == NULL ? "" : "=",
	    opt->argument == NULL ? "" : opt->argument);

	if (width > 0)
		printf("  %-*s   %s\n", width, names, opt->text);
	return used;
}

/* Prints the rows, or with width 0 only measures them. */
static int
print_options(const struct opt *options, int width)
{
	int widest = 0;

	for (; options->kind != OPT_KIND_END; options++) {
		const int used = print_option(options, width);

		widest = used > widest ? used : widest;
	}
	return widest;
}

int
opt_print_help(const struct cmd *cmd, const struct opt *options)
{
	const int own = print_options(options, 0);
	const int common = print_options(opt_everywhere, 0);
	const int width = own > common ? own : common;

	printf("usage: dmtrace %s %s\n%s\n\n", cmd->name, cmd->synopsis,
	    cmd->summary);
	print_options(options, width);
	print_options(opt_everywhere, width);
	return CMD_OK;
}

int
opt_print_version(void)
{
	printf("dmtrace %s\n", dmtrace_version());
	return CMD_OK;
}
