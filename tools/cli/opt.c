/* opt.c - the options of a command, as rows bound to its locals */

#include "cli/opt.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/msg.h"
#include "cli/opt_help.h"
#include "cli/opt_value.h"
#include "cli/suggestion.h"

struct parse {
	const struct cmd *cmd;
	const struct opt *options;
	char **next;			/* the word to look at */
	char **end;
	char **operand;			/* where the next one goes */
	const struct opt *files;	/* what takes them instead */
	char shown[64];			/* the option: "-f" or "--format" */
};

/* shown is "-f" or "--format". */
static bool
matches(const struct opt *opt, const char *shown)
{
	return shown[1] == '-' ? strcmp(opt->name, shown + 2) == 0 :
	    opt->letter == shown[1] && shown[2] == '\0';
}

static const struct opt *
find(const struct opt *options, const char *shown)
{
	for (; options->kind != OPT_KIND_END; options++)
		if (matches(options, shown))
			return options;
	return NULL;
}

static void
offer(struct suggestion *near, const struct opt *options)
{
	for (; options->kind != OPT_KIND_END; options++)
		suggestion_offer(near, options->name);
}

static int
refuse_unknown(const struct parse *parse)
{
	char words[SUGGESTION_TEXT_MAX];
	struct suggestion near = { .wanted = parse->shown + 2 };

	if (parse->shown[1] == '-') {
		offer(&near, parse->options);
		offer(&near, opt_everywhere);
	}
	msg_error("no option %s%s; see \"dmtrace %s --help\"", parse->shown,
	    suggestion_text(&near, "--", words), parse->cmd->name);
	return CMD_TROUBLE;
}

static int
set(struct parse *parse, const struct opt *opt, const char *value)
{
	if (opt->kind == OPT_KIND_FILES)
		parse->files = opt;
	switch (opt->kind) {
	case OPT_KIND_FLAG:
		*opt->value.flag = true;
		return OPT_GO;
	case OPT_KIND_HELP:
		return opt_print_help(parse->cmd, parse->options);
	case OPT_KIND_VERSION:
		return opt_print_version();
	default:
		return opt_set_value(opt, parse->shown, value);
	}
}

/* Takes the value that is glued to the option, or else the next word. */
static int
take(struct parse *parse, const struct opt *opt, const char *glued)
{
	if (opt->argument == NULL && glued != NULL) {
		msg_error("%s takes no value, found \"%s\"", parse->shown,
		    glued);
		return CMD_TROUBLE;
	}
	if (opt->argument == NULL || glued != NULL)
		return set(parse, opt, glued);
	if (parse->next == parse->end) {
		msg_error("%s wants a value: %s", parse->shown,
		    opt->argument);
		return CMD_TROUBLE;
	}
	return set(parse, opt, *parse->next++);
}

static const struct opt *
find_shown(const struct parse *parse)
{
	const struct opt *opt = find(parse->options, parse->shown);

	return opt == NULL ? find(opt_everywhere, parse->shown) : opt;
}

static int
take_long(struct parse *parse, const char *word)
{
	const size_t len = strcspn(word, "=");

	snprintf(parse->shown, sizeof(parse->shown), "%.*s",
	    len > INT_MAX ? INT_MAX : (int)len, word);
	const struct opt *opt = find_shown(parse);
	if (opt == NULL)
		return refuse_unknown(parse);
	return take(parse, opt, word[len] == '=' ? word + len + 1 : NULL);
}

static int
take_letters(struct parse *parse, const char *letters)
{
	while (*letters != '\0') {
		snprintf(parse->shown, sizeof(parse->shown), "-%c",
		    *letters++);
		const struct opt *opt = find_shown(parse);
		if (opt == NULL)
			return refuse_unknown(parse);
		if (opt->argument != NULL)
			return take(parse, opt,
			    *letters == '\0' ? NULL : letters);
		const int status = set(parse, opt, NULL);
		if (status != OPT_GO)
			return status;
	}
	return OPT_GO;
}

/* Whoever asks for help gets it, whatever else is wrong. */
static int
help_first(struct parse *parse)
{
	for (char **word = parse->next; word < parse->end &&
	    strcmp(*word, "--") != 0; word++) {
		const struct opt *opt = **word == '-' ?
		    find(opt_everywhere, *word) : NULL;

		if (opt != NULL)
			return set(parse, opt, NULL);
	}
	return OPT_GO;
}

static int
take_operand(struct parse *parse, char *word)
{
	if (parse->files != NULL)
		return opt_set_value(parse->files, parse->shown, word);
	*parse->operand++ = word;
	return OPT_GO;
}

int
opt_parse(const struct cmd *cmd, const struct opt *options, int *argc,
    char **argv)
{
	struct parse parse = {
		.cmd = cmd, .options = options,
		.next = argv + 1, .end = argv + *argc, .operand = argv
	};
	int status = help_first(&parse);
	bool plain = false;

	while (status == OPT_GO && parse.next < parse.end) {
		char *word = *parse.next++;

		if (plain || word[0] != '-' || word[1] == '\0')
			status = take_operand(&parse, word);
		else if (word[1] != '-')
			status = take_letters(&parse, word + 1);
		else if (word[2] != '\0')
			status = take_long(&parse, word);
		else
			plain = true;
	}
	*argc = (int)(parse.operand - argv);
	return status;
}

int
opt_usage(const struct cmd *cmd, const char *what)
{
	msg_error("%s; usage: dmtrace %s %s", what, cmd->name, cmd->synopsis);
	return CMD_TROUBLE;
}
