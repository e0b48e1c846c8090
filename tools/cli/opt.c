/* opt.c - parses the options of a command into its local variables */

#include "cli/opt.h"

#include <dmtrace.h>

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_files.h"
#include "cli/decimal.h"
#include "cli/git_id.h"
#include "cli/msg.h"
#include "private/array.h"
#include "private/output.h"
#include "private/put.h"
#include "private/status.h"
#include "private/suggestion.h"

static const struct opt opt_everywhere[] = {
	{ .kind = OPT_KIND_HELP, .letter = 'h', .name = "help",
	  .text = "print this help" },
	{ .kind = OPT_KIND_VERSION, .letter = 'V', .name = "version",
	  .text = "print the version" },
	OPT_END
};

/* Returns this row, or the next one that is an option: first those of the
 * command, then those of all commands; NULL: there are no more. */
static const struct opt *
find_next_option(const struct opt *row)
{
	while (row->kind == OPT_KIND_GROUP || row->kind == OPT_KIND_REFUSED)
		row++;
	if (row->kind != OPT_KIND_END)
		return row;
	return row == opt_everywhere + 2 ? NULL : opt_everywhere;
}

/* shown is "-f", or the complete "--format". */
static bool
is_shown_as(const struct opt *opt, const char *shown)
{
	return shown[1] == '-' ? strcmp(opt->name, shown + 2) == 0 :
	    opt->letter == shown[1] && shown[2] == '\0';
}

static const struct opt *
find_option(const struct opt *options, const char *shown)
{
	for (const struct opt *opt = find_next_option(options); opt != NULL;
	    opt = find_next_option(opt + 1))
		if (is_shown_as(opt, shown))
			return opt;
	return NULL;
}

/* Prints the rows; if width is 0, only measures them. */
static int
print_options(const struct opt *options, int width)
{
	int widest = 0;

	for (const struct opt *opt = options; opt->kind != OPT_KIND_END;
	    opt++) {
		if (opt->kind == OPT_KIND_REFUSED)
			continue;
		if (opt->kind == OPT_KIND_GROUP) {
			if (width > 0)
				printf("%s%s:\n", opt == options ? "" : "\n",
				    opt->text);
			continue;
		}
		const char letter[] = { '-', opt->letter, ',', '\0' };
		char names[64];
		const int used = snprintf(names, sizeof(names),
		    "%3s --%s%s%s%s", opt->letter == '\0' ? "" : letter,
		    opt->name, opt->argument == NULL ? "" :
		    opt->optional ? "[=" : "=",
		    opt->argument == NULL ? "" : opt->argument,
		    opt->optional ? "]" : "");

		if (width > 0)
			printf("  %-*s   %s\n", width, names, opt->text);
		widest = used > widest ? used : widest;
	}
	return widest;
}

static int
print_help(const struct cmd *cmd, const struct opt *options)
{
	const int own = print_options(options, 0);
	const int common = print_options(opt_everywhere, 0);
	const int width = own > common ? own : common;

	printf("usage: dmtrace %s %s\n%s\n\n", cmd->name, cmd->synopsis,
	    cmd->summary);
	print_options(options, width);
	print_options(opt_everywhere, width);
	printf("\nExamples:\n");
	for (size_t i = 0; i < 2; i++)
		printf("  %s\n", cmd->examples[i]);
	printf("\nThe manual page is dmtrace-%s(1).\n", cmd->name);
	return CMD_OK;
}

/* See OPT_ROWS. */
static int
print_option_rows(const struct opt *options)
{
	for (const struct opt *opt = find_next_option(options); opt != NULL;
	    opt = find_next_option(opt + 1)) {
		const char letter[] = { '-', opt->letter, '\0' };

		printf("--%s\t%s\t%s\t", opt->name,
		    opt->letter == '\0' ? "" : letter,
		    opt->argument == NULL || opt->optional ? "" :
		    opt->argument);
		for (unsigned i = 0; opt->words != NULL &&
		    opt->words[i] != NULL; i++)
			printf("%s%s", i == 0 ? "" : " ", opt->words[i]);
		printf("\t%s\n", opt->text);
	}
	return CMD_OK;
}

int
opt_print_version(void)
{
	printf("dmtrace %s%s\n", dmtrace_version(), GIT_ID);
	return CMD_OK;
}

/* Reads up to nine digits and, after a decimal point, up to six, which a
 * double can hold. */
static bool
read_percentage(const char *in, double *percent)
{
	const char *const begin = in;
	double number = 0, scale = 1;

	for (; *in >= '0' && *in <= '9' && in - begin < 9; in++)
		number = number * 10 + (*in - '0');
	if (in == begin)
		return false;
	if (*in == '.') {
		for (in++; *in >= '0' && *in <= '9' && scale < 1e6; in++) {
			number = number * 10 + (*in - '0');
			scale *= 10;
		}
		if (scale == 1)
			return false;
	}
	in += *in == '%';
	if (*in != '\0' || number > 100 * scale)
		return false;
	*percent = number / scale;
	return true;
}

static int
set_choice(const struct opt *opt, const char *shown, const char *value)
{
	struct dmt_output list = { 0 };

	for (unsigned i = 0; opt->words[i] != NULL; i++) {
		if (strcmp(opt->words[i], value) == 0) {
			*opt->value.choice = opt->meanings == NULL ? i :
			    opt->meanings[i];
			return OPT_GO;
		}
	}
	for (unsigned i = 0; opt->words[i] != NULL; i++)
		dmt_put_format(&list, "%s%s", i == 0 ? "" : ", ",
		    opt->words[i]);
	if (dmt_output_failed(&list))
		msg_memory();
	else
		msg_error("%s: \"%s\" is not one of %.*s", shown, value,
		    (int)list.len, list.bytes);
	dmt_output_fini(&list);
	return CMD_TROUBLE;
}

bool
opt_list_add(struct opt_list *list, const char *item)
{
	const char **const items = dmt_array_grow(list->items,
	    &list->capacity, list->count + 1, sizeof(*items));

	if (items == NULL) {
		msg_memory();
		return false;
	}
	items[list->count++] = item;
	list->items = items;
	return true;
}

void
opt_list_fini(struct opt_list *list)
{
	free(list->items);
	*list = (struct opt_list){ 0 };
}

int
opt_set_value(const struct opt *opt, const char *shown, const char *value)
{
	uint64_t number;
	int64_t ns;

	switch (opt->kind) {
	case OPT_KIND_UINT:
		if (dmt_count_parse(value, 1000, &number) &&
		    number >= opt->min && number <= opt->max) {
			*opt->value.number = number;
			return OPT_GO;
		}
		if (opt->max == UINT64_MAX)
			msg_error("%s: \"%s\" is not a whole number of at "
			    "least %" PRIu64 ", such as 500, 1e6 or 1.5M",
			    shown, value, opt->min);
		else
			msg_error("%s: \"%s\" is not a whole number from %"
			    PRIu64 " to %" PRIu64, shown, value, opt->min,
			    opt->max);
		return CMD_TROUBLE;
	case OPT_KIND_TOP:
		if (dmt_count_parse(strcmp(value, "all") == 0 ? "0" : value,
		    1000, opt->value.number))
			return OPT_GO;
		msg_error("%s: \"%s\" is not a whole number or \"all\"",
		    shown, value);
		return CMD_TROUBLE;
	case OPT_KIND_PERCENT:
		if (read_percentage(value, opt->value.percent))
			return OPT_GO;
		msg_error("%s: \"%s\" is not a percentage from 0 to 100, such "
		    "as 0.5", shown, value);
		return CMD_TROUBLE;
	case OPT_KIND_TIME:
		if (duration_parse(value, &ns) && ns >= 0) {
			*opt->value.number = (uint64_t)ns;
			return OPT_GO;
		}
		msg_error("%s: \"%s\" is not a time: a number with a unit ("
		    DURATION_UNITS "), such as 1.5ms", shown, value);
		return CMD_TROUBLE;
	case OPT_KIND_SIZE:
		if (dmt_count_parse(value, 1024, opt->value.number))
			return OPT_GO;
		msg_error("%s: \"%s\" is not a number of bytes, such as "
		    "4096, 64K or 1.5M", shown, value);
		return CMD_TROUBLE;
	case OPT_KIND_LIST:
	case OPT_KIND_FILES:
		return opt_list_add(opt->value.list, value) ? OPT_GO :
		    CMD_TROUBLE;
	case OPT_KIND_CHOICE:
		return set_choice(opt, shown, value);
	default:
		*opt->value.string = value;
		return OPT_GO;
	}
}

struct parse {
	const struct cmd *cmd;
	const struct opt *options;
	char **next;			/* the next argument */
	char **end;
	const struct opt *files;	/* the option that takes the operands,
					   or NULL */
	char shown[64];			/* the current option: "-f" or
					   "--format" */
};

/* Processes an option. value is the part after the letter or "="; NULL: if the
 * option needs a value, it is the next argument. */
static int
parse_option(struct parse *parse, const struct opt *opt, const char *value)
{
	if (opt->argument == NULL && value != NULL) {
		msg_error("%s takes no value, found \"%s\"", parse->shown,
		    value);
		return CMD_TROUBLE;
	}
	if (opt->optional && value == NULL) {
		if (opt->kind == OPT_KIND_STRING)
			*opt->value.string = "";
		else
			*opt->value.number = opt->usual;
		return OPT_GO;
	}
	if (opt->optional && value[0] == '\0') {
		msg_error("%s= has no value: leave out the \"=\", or give a "
		    "%s", parse->shown, opt->argument);
		return CMD_TROUBLE;
	}
	if (opt->argument != NULL && value == NULL) {
		if (parse->next == parse->end) {
			msg_error("%s needs a value: %s", parse->shown,
			    opt->argument);
			return CMD_TROUBLE;
		}
		value = *parse->next++;
	}
	switch (opt->kind) {
	case OPT_KIND_FLAG:
		*opt->value.flag = true;
		return OPT_GO;
	case OPT_KIND_HELP:
		return print_help(parse->cmd, parse->options);
	case OPT_KIND_VERSION:
		return opt_print_version();
	case OPT_KIND_FILES:
		parse->files = opt;
		break;
	default:
		break;
	}
	return opt_set_value(opt, parse->shown, value);
}

static int
report_no_option(const struct parse *parse)
{
	char similar[DMT_SUGGESTION_TEXT_MAX];
	struct dmt_suggestion suggestion = { .wanted = parse->shown + 2 };
	const struct opt *opt = parse->shown[1] == '-' ?
	    find_next_option(parse->options) : NULL;

	for (const struct opt *row = parse->options; row->kind != OPT_KIND_END;
	    row++)
		if (row->kind == OPT_KIND_REFUSED &&
		    is_shown_as(row, parse->shown)) {
			msg_error("no option %s: %s", parse->shown, row->text);
			return CMD_TROUBLE;
		}
	for (; opt != NULL; opt = find_next_option(opt + 1))
		dmt_suggestion_offer(&suggestion, opt->name);
	msg_error("no option %s%s; see \"dmtrace %s --help\"", parse->shown,
	    dmt_suggestion_text(&suggestion, "--", similar), parse->cmd->name);
	return CMD_TROUBLE;
}

static int
parse_long_option(struct parse *parse, const char *word)
{
	const size_t len = strcspn(word, "=");
	const char *const value = word[len] == '=' ? word + len + 1 : NULL;

	snprintf(parse->shown, sizeof(parse->shown), "%.*s",
	    len > INT_MAX ? INT_MAX : (int)len, word);
	const struct opt *opt = find_option(parse->options, parse->shown);
	if (opt != NULL)
		return parse_option(parse, opt, value);

	/* The name is incomplete: find the options that begin with it. */
	const char *const begin = parse->shown + 2;
	char longer[256] = "";
	unsigned count = 0;

	for (const struct opt *row = find_next_option(parse->options);
	    row != NULL; row = find_next_option(row + 1))
		if (strncmp(row->name, begin, strlen(begin)) == 0) {
			const size_t used = strlen(longer);

			snprintf(longer + used, sizeof(longer) - used,
			    "%s--%s", count++ == 0 ? "" : ", ", row->name);
			opt = row;
		}
	if (count == 0)
		return report_no_option(parse);
	if (count > 1) {
		msg_error("%s is ambiguous: %s", parse->shown, longer);
		return CMD_TROUBLE;
	}
	snprintf(parse->shown, sizeof(parse->shown), "--%s", opt->name);
	return parse_option(parse, opt, value);
}

static int
parse_letters(struct parse *parse, const char *letters)
{
	while (*letters != '\0') {
		snprintf(parse->shown, sizeof(parse->shown), "-%c",
		    *letters++);
		const struct opt *opt = find_option(parse->options,
		    parse->shown);
		if (opt == NULL)
			return report_no_option(parse);
		if (opt->argument != NULL)
			return parse_option(parse, opt,
			    *letters == '\0' ? NULL : letters);
		const int status = parse_option(parse, opt, NULL);
		if (status != OPT_GO)
			return status;
	}
	return OPT_GO;
}

/* Refuses an output that is a folder. The suggestion is the name of the operand
 * or, unless there is exactly one, that of the command. */
static int
refuse_folder(const struct parse *parse, int argc, char **argv)
{
	const struct opt *opt = parse->options;

	while (opt != NULL && opt->kind != OPT_KIND_OUTPUT)
		opt = find_next_option(opt + 1);
	if (opt == NULL || *opt->value.string == NULL ||
	    !files_is_folder(*opt->value.string))
		return OPT_GO;

	const char *const folder = *opt->value.string;
	char *const name = files_rename(argc == 1 && strcmp(argv[0], "-") != 0 ?
	    files_last_part(argv[0]) : parse->cmd->name, opt->ending);
	if (name != NULL)
		msg_error("%s is a folder; name a file in it, such as"
		    " %s%s%s", folder, folder,
		    folder[strlen(folder) - 1] == '/' ? "" : "/", name);
	free(name);
	return CMD_TROUBLE;
}

int
opt_parse(const struct cmd *cmd, const struct opt *options, int *argc,
    char **argv)
{
	struct parse parse = {
		.cmd = cmd, .options = options,
		.next = argv + 1, .end = argv + *argc
	};
	char **operand = argv;
	bool plain = false;
	int status = OPT_GO;

	/* Help is printed even if other arguments are wrong. */
	for (char **word = parse.next; word < parse.end &&
	    strcmp(*word, "--") != 0; word++) {
		if (strcmp(*word, OPT_ROWS) == 0)
			return print_option_rows(options);
		const struct opt *opt = **word == '-' ?
		    find_option(opt_everywhere, *word) : NULL;
		if (opt != NULL)
			return parse_option(&parse, opt, NULL);
	}

	while (status == OPT_GO && parse.next < parse.end) {
		char *word = *parse.next++;

		if (plain || word[0] != '-' || word[1] == '\0') {
			if (parse.files == NULL)
				*operand++ = word;
			else
				status = opt_set_value(parse.files,
				    parse.shown, word);
		} else if (word[1] != '-')
			status = parse_letters(&parse, word + 1);
		else if (word[2] != '\0')
			status = parse_long_option(&parse, word);
		else
			plain = true;
	}
	*argc = (int)(operand - argv);
	return status == OPT_GO ? refuse_folder(&parse, *argc, argv) : status;
}

int
opt_usage(const struct cmd *cmd, const char *what)
{
	msg_error("%s; usage: dmtrace %s %s", what, cmd->name, cmd->synopsis);
	return CMD_TROUBLE;
}
