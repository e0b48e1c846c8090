/* opt.c - the options of a command, as rows bound to its locals */

#include "cli/opt.h"

#include <dmtrace.h>

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/decimal.h"
#include "cli/git_id.h"
#include "cli/msg.h"
#include "cli/suggestion.h"

static const struct opt opt_everywhere[] = {
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
		if (options->kind == OPT_KIND_GROUP) {
			if (width > 0)
				printf("\n%s:\n", options->text);
			continue;
		}
		const int used = print_option(options, width);
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
	return CMD_OK;
}

/* See OPT_ROWS. */
static void
print_option_rows(const struct opt *options)
{
	for (; options->kind != OPT_KIND_END; options++) {
		if (options->kind == OPT_KIND_GROUP)
			continue;
		const char letter[] = { '-', options->letter, '\0' };

		printf("--%s\t%s\t%s\t", options->name,
		    options->letter == '\0' ? "" : letter,
		    options->argument == NULL ? "" : options->argument);
		for (unsigned i = 0; options->kind == OPT_KIND_CHOICE &&
		    options->words[i] != NULL; i++)
			printf("%s%s", i == 0 ? "" : " ", options->words[i]);
		printf("\t%s\n", options->text);
	}
}

int
opt_print_version(void)
{
	printf("dmtrace %s%s\n", dmtrace_version(), GIT_ID);
	return CMD_OK;
}

/* Reads digits and returns what follows them; NULL: there are none, or
 * they do not fit. */
static const char *
read_option_number(const char *in, uint64_t *number)
{
	const char *const begin = in;

	for (*number = 0; *in >= '0' && *in <= '9'; in++) {
		const unsigned digit = (unsigned)(*in - '0');

		if (*number > (UINT64_MAX - digit) / 10)
			return NULL;
		*number = *number * 10 + digit;
	}
	return in == begin ? NULL : in;
}

/* The factor of a unit, a power of base; 0: no such unit, or too large. */
static uint64_t
find_factor(const char *unit, uint64_t base)
{
	static const char letters[] = "KMGT";
	uint64_t factor = 1;

	if (unit[0] == '\0')
		return 1;
	const char *const letter = strchr(letters, unit[0]);
	if (letter == NULL || unit[1] != '\0')
		return 0;
	for (long i = 0; i <= letter - letters; i++)
		factor *= base;
	return factor;
}

/* Reads digits and a unit. False: the value is something else, or too
 * large. */
static bool
read_scaled_number(const char *value, uint64_t base, uint64_t *number)
{
	const char *const unit = read_option_number(value, number);
	const uint64_t factor = unit == NULL ? 0 : find_factor(unit, base);

	if (factor == 0 || *number > UINT64_MAX / factor)
		return false;
	*number *= factor;
	return true;
}

static int
set_number_option(const struct opt *opt, const char *shown, const char *value)
{
	uint64_t number;

	if (!read_scaled_number(value, 1000, &number) || number < opt->min ||
	    number > opt->max) {
		if (opt->max == UINT64_MAX)
			msg_error("%s: \"%s\" is not a whole number of at "
			    "least %" PRIu64, shown, value, opt->min);
		else
			msg_error("%s: \"%s\" is not a whole number from %"
			    PRIu64 " to %" PRIu64, shown, value, opt->min,
			    opt->max);
		return CMD_TROUBLE;
	}
	*opt->value.number = number;
	return OPT_GO;
}

static int
set_top_option(const struct opt *opt, const char *shown, const char *value)
{
	uint64_t number = 0;

	if (strcmp(value, "all") != 0 &&
	    !read_scaled_number(value, 1000, &number)) {
		msg_error("%s: \"%s\" is not a whole number or \"all\"",
		    shown, value);
		return CMD_TROUBLE;
	}
	*opt->value.number = number;
	return OPT_GO;
}

/* Up to nine digits and, after a point, up to six: a double holds them. */
static int
set_percent_option(const struct opt *opt, const char *shown, const char *value)
{
	const char *at = value;
	double number = 0, scale = 1;

	for (; *at >= '0' && *at <= '9' && at - value < 9; at++)
		number = number * 10 + (*at - '0');
	bool fine = at > value;
	if (fine && *at == '.') {
		for (at++; *at >= '0' && *at <= '9' && scale < 1e6; at++) {
			number = number * 10 + (*at - '0');
			scale *= 10;
		}
		fine = scale > 1;
	}
	at += *at == '%';
	if (!fine || *at != '\0' || number > 100 * scale) {
		msg_error("%s: \"%s\" is not a percentage from 0 to 100, such "
		    "as 0.5", shown, value);
		return CMD_TROUBLE;
	}
	*opt->value.percent = number / scale;
	return OPT_GO;
}

static int
set_time_option(const struct opt *opt, const char *shown, const char *value)
{
	int64_t ns;

	if (!duration_parse(value, &ns) || ns < 0) {
		msg_error("%s: \"%s\" is not a time: a number with a unit ("
		    DURATION_UNITS "), such as 1.5ms", shown, value);
		return CMD_TROUBLE;
	}
	*opt->value.number = (uint64_t)ns;
	return OPT_GO;
}

static int
set_size_option(const struct opt *opt, const char *shown, const char *value)
{
	uint64_t number;

	if (!read_scaled_number(value, 1024, &number)) {
		msg_error("%s: \"%s\" is not a number of bytes, with "
		    "K, M, G or T", shown, value);
		return CMD_TROUBLE;
	}
	*opt->value.number = number;
	return OPT_GO;
}

static int
set_choice_option(const struct opt *opt, const char *shown, const char *value)
{
	char list[256];
	size_t used = 0;

	for (unsigned i = 0; opt->words[i] != NULL; i++) {
		if (strcmp(opt->words[i], value) == 0) {
			*opt->value.choice = i;
			return OPT_GO;
		}
		used += (size_t)snprintf(list + used, sizeof(list) - used,
		    "%s%s", i == 0 ? "" : ", ", opt->words[i]);
	}
	msg_error("%s: \"%s\" is not one of %s", shown, value, list);
	return CMD_TROUBLE;
}

bool
opt_list_add(struct opt_list *list, const char *item)
{
	const char **const items = realloc(list->items,
	    (list->count + 1) * sizeof(*items));

	if (items == NULL) {
		msg_error("no memory");
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
	switch (opt->kind) {
	case OPT_KIND_UINT:
		return set_number_option(opt, shown, value);
	case OPT_KIND_TOP:
		return set_top_option(opt, shown, value);
	case OPT_KIND_PERCENT:
		return set_percent_option(opt, shown, value);
	case OPT_KIND_TIME:
		return set_time_option(opt, shown, value);
	case OPT_KIND_SIZE:
		return set_size_option(opt, shown, value);
	case OPT_KIND_LIST:
	case OPT_KIND_FILES:
		return opt_list_add(opt->value.list, value) ? OPT_GO :
		    CMD_TROUBLE;
	case OPT_KIND_CHOICE:
		return set_choice_option(opt, shown, value);
	default:
		*opt->value.string = value;
		return OPT_GO;
	}
}

struct parse {
	const struct cmd *cmd;
	const struct opt *options;
	char **next;			/* the word to look at */
	char **end;
	char **operand;			/* where the next one goes */
	const struct opt *files;	/* what takes them instead */
	char shown[64];			/* the option: "-f" or "--format" */
};

static const struct opt *
find_option_row(const struct opt *options, const char *shown)
{
	for (; options->kind != OPT_KIND_END; options++)
		if (options->kind != OPT_KIND_GROUP && (shown[1] == '-' ?
		    strcmp(options->name, shown + 2) == 0 :
		    options->letter == shown[1] && shown[2] == '\0'))
			return options;
	return NULL;
}

/* Adds the options that begin so, each as "--name", to a list of at most size
 * bytes. Returns the last one, or before. */
static const struct opt *
find_longer_options(const struct opt *options, const char *begin,
    const struct opt *before, unsigned *count, char *list, size_t size)
{
	for (; options->kind != OPT_KIND_END; options++) {
		if (options->kind == OPT_KIND_GROUP ||
		    strncmp(options->name, begin, strlen(begin)) != 0)
			continue;
		const size_t used = strlen(list);
		snprintf(list + used, size - used, "%s--%s",
		    (*count)++ == 0 ? "" : ", ", options->name);
		before = options;
	}
	return before;
}

static void
offer_options(struct suggestion *suggestion, const struct opt *options)
{
	for (; options->kind != OPT_KIND_END; options++)
		if (options->kind != OPT_KIND_GROUP)
			suggestion_offer(suggestion, options->name);
}

static int
report_no_option(const struct parse *parse)
{
	char similar[SUGGESTION_TEXT_MAX];
	struct suggestion suggestion = { .wanted = parse->shown + 2 };

	if (parse->shown[1] == '-') {
		offer_options(&suggestion, parse->options);
		offer_options(&suggestion, opt_everywhere);
	}
	msg_error("no option %s%s; see \"dmtrace %s --help\"", parse->shown,
	    suggestion_text(&suggestion, "--", similar), parse->cmd->name);
	return CMD_TROUBLE;
}

static int
set_option_value(struct parse *parse, const struct opt *opt, const char *value)
{
	if (opt->kind == OPT_KIND_FILES)
		parse->files = opt;
	switch (opt->kind) {
	case OPT_KIND_FLAG:
		*opt->value.flag = true;
		return OPT_GO;
	case OPT_KIND_HELP:
		return print_help(parse->cmd, parse->options);
	case OPT_KIND_VERSION:
		return opt_print_version();
	default:
		return opt_set_value(opt, parse->shown, value);
	}
}

/* Takes the value that is glued to the option, or else the next word. */
static int
parse_option_value(struct parse *parse, const struct opt *opt,
    const char *glued)
{
	if (opt->argument == NULL && glued != NULL) {
		msg_error("%s takes no value, found \"%s\"", parse->shown,
		    glued);
		return CMD_TROUBLE;
	}
	if (opt->argument == NULL || glued != NULL)
		return set_option_value(parse, opt, glued);
	if (parse->next == parse->end) {
		msg_error("%s wants a value: %s", parse->shown,
		    opt->argument);
		return CMD_TROUBLE;
	}
	return set_option_value(parse, opt, *parse->next++);
}

static const struct opt *
find_shown(const struct parse *parse)
{
	const struct opt *opt = find_option_row(parse->options, parse->shown);

	return opt == NULL ? find_option_row(opt_everywhere, parse->shown) :
	    opt;
}

static int
parse_long_option(struct parse *parse, const char *word)
{
	const size_t len = strcspn(word, "=");

	snprintf(parse->shown, sizeof(parse->shown), "%.*s",
	    len > INT_MAX ? INT_MAX : (int)len, word);
	const struct opt *opt = find_shown(parse);
	if (opt == NULL) {
		char longer[256] = "";
		unsigned count = 0;

		opt = find_longer_options(parse->options, parse->shown + 2,
		    NULL, &count, longer, sizeof(longer));
		opt = find_longer_options(opt_everywhere, parse->shown + 2,
		    opt, &count, longer, sizeof(longer));
		if (opt == NULL)
			return report_no_option(parse);
		if (count > 1) {
			msg_error("%s is ambiguous: %s", parse->shown, longer);
			return CMD_TROUBLE;
		}
		snprintf(parse->shown, sizeof(parse->shown), "%s", longer);
	}
	return parse_option_value(parse, opt, word[len] == '=' ?
	    word + len + 1 : NULL);
}

static int
parse_letters(struct parse *parse, const char *letters)
{
	while (*letters != '\0') {
		snprintf(parse->shown, sizeof(parse->shown), "-%c",
		    *letters++);
		const struct opt *opt = find_shown(parse);
		if (opt == NULL)
			return report_no_option(parse);
		if (opt->argument != NULL)
			return parse_option_value(parse, opt,
			    *letters == '\0' ? NULL : letters);
		const int status = set_option_value(parse, opt, NULL);
		if (status != OPT_GO)
			return status;
	}
	return OPT_GO;
}

/* Whoever asks for help gets it, whatever else is wrong. */
static int
parse_help(struct parse *parse)
{
	for (char **word = parse->next; word < parse->end &&
	    strcmp(*word, "--") != 0; word++) {
		if (strcmp(*word, OPT_ROWS) == 0) {
			print_option_rows(parse->options);
			print_option_rows(opt_everywhere);
			return CMD_OK;
		}
		const struct opt *opt = **word == '-' ?
		    find_option_row(opt_everywhere, *word) : NULL;

		if (opt != NULL)
			return set_option_value(parse, opt, NULL);
	}
	return OPT_GO;
}

static int
take_option_operand(struct parse *parse, char *word)
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
	int status = parse_help(&parse);
	bool plain = false;

	while (status == OPT_GO && parse.next < parse.end) {
		char *word = *parse.next++;

		if (plain || word[0] != '-' || word[1] == '\0')
			status = take_option_operand(&parse, word);
		else if (word[1] != '-')
			status = parse_letters(&parse, word + 1);
		else if (word[2] != '\0')
			status = parse_long_option(&parse, word);
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
