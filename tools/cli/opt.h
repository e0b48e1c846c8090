/* opt.h - parses the options of a command into its local variables */
#ifndef OPT_H
#define OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd.h"

enum opt_kind {
	OPT_KIND_END,
	OPT_KIND_GROUP,
	OPT_KIND_REFUSED,
	OPT_KIND_FLAG,
	OPT_KIND_UINT,
	OPT_KIND_TOP,
	OPT_KIND_PERCENT,
	OPT_KIND_TIME,
	OPT_KIND_SIZE,
	OPT_KIND_STRING,
	OPT_KIND_OUTPUT,
	OPT_KIND_LIST,
	OPT_KIND_FILES,
	OPT_KIND_CHOICE,
	OPT_KIND_HELP,
	OPT_KIND_VERSION
};

/* The values of an option that may be given several times. */
struct opt_list {
	const char **items;
	size_t count;
	size_t capacity;
};

struct opt {
	enum opt_kind kind;
	char letter;			/* 0: it has only a long name */
	const char *name;
	const char *argument;		/* name of its value in --help */
	const char *text;		/* for --help */
	union {
		bool *flag;
		uint64_t *number;
		double *percent;
		const char **string;
		struct opt_list *list;
		unsigned *choice;
	} value;			/* variable that receives the value;
					   only set if the option is given */
	bool optional;			/* the value may be missing: a number is
					   usual then, and a string "" */
	uint64_t usual;
	uint64_t min, max;		/* range of a number */
	const char *const *words;	/* suggested values for completion or,
					   for a choice, all values; ended by
					   NULL */
	const unsigned *meanings;	/* of the words of a choice; NULL: their
					   indexes */
	const char *ending;		/* usual end of the name of an
					   output */
};

#define OPT_FLAG(l, n, v, t) \
	{ .kind = OPT_KIND_FLAG, .letter = l, .name = n, .text = t, \
	  .value = { .flag = v } }

/* A heading in --help for the rows that follow. */
#define OPT_GROUP(t) \
	{ .kind = OPT_KIND_GROUP, .text = t }

/* An option of other commands that this one does not have, and why: the message
 * is "no option -d: TEXT". It is nowhere else. */
#define OPT_REFUSED(l, n, t) \
	{ .kind = OPT_KIND_REFUSED, .letter = l, .name = n, .text = t }

/* A decimal number from 0 or low to UINT64_MAX or high; K, M and G multiply by
 * 1,000: 1M is a million. */
#define OPT_UINT(l, n, a, v, t) \
	OPT_RANGE(l, n, a, v, 0, UINT64_MAX, t)
#define OPT_RANGE(l, n, a, v, low, high, t) \
	{ .kind = OPT_KIND_UINT, .letter = l, .name = n, .argument = a, \
	  .text = t, .value = { .number = v }, .min = low, .max = high }

/* The same; --name alone is --name=usual. */
#define OPT_OPTIONAL(n, a, v, low, high, u, t) \
	{ .kind = OPT_KIND_UINT, .name = n, .argument = a, .text = t, \
	  .value = { .number = v }, .min = low, .max = high, \
	  .optional = true, .usual = u }

/* A number of rows; "all" is 0. */
#define OPT_TOP(v, t) \
	{ .kind = OPT_KIND_TOP, .name = "top", .argument = "N", .text = t, \
	  .value = { .number = v }, .max = UINT64_MAX }

/* A percentage from 0 to 100, with or without a percent sign. */
#define OPT_PERCENT(l, n, a, v, t) \
	{ .kind = OPT_KIND_PERCENT, .letter = l, .name = n, .argument = a, \
	  .text = t, .value = { .percent = v } }

#define OPT_STRING(l, n, a, v, t) \
	OPT_STRING_LIKE(l, n, a, v, NULL, t)
#define OPT_STRING_LIKE(l, n, a, v, offered, t) \
	{ .kind = OPT_KIND_STRING, .letter = l, .name = n, .argument = a, \
	  .text = t, .value = { .string = v }, .words = offered }

/* A string that may be left out with its "=": then v receives "". */
#define OPT_MAYBE(l, n, a, v, t) \
	{ .kind = OPT_KIND_STRING, .letter = l, .name = n, .argument = a, \
	  .text = t, .value = { .string = v }, .optional = true }

/* The one output of a command, which is not a folder. */
#define OPT_OUTPUT_FILE(v, t, e) \
	{ .kind = OPT_KIND_OUTPUT, .letter = 'o', .name = "output", \
	  .argument = "FILE", .text = t, .value = { .string = v }, \
	  .ending = e }

/* A duration of at least 0, in nanoseconds; see decimal.h. */
#define OPT_TIME(l, n, a, v, t) \
	{ .kind = OPT_KIND_TIME, .letter = l, .name = n, .argument = a, \
	  .text = t, .value = { .number = v } }

/* A number of bytes; K, M, G and T multiply by 1,024. */
#define OPT_SIZE(l, n, a, v, t) \
	{ .kind = OPT_KIND_SIZE, .letter = l, .name = n, .argument = a, \
	  .text = t, .value = { .number = v } }

/* Each value is added to a list, which must be freed by opt_list_fini. */
#define OPT_LIST(l, n, a, v, t) \
	OPT_LIST_LIKE(l, n, a, v, NULL, t)
#define OPT_LIST_LIKE(l, n, a, v, offered, t) \
	{ .kind = OPT_KIND_LIST, .letter = l, .name = n, .argument = a, \
	  .text = t, .value = { .list = v }, .words = offered }

/* The same; operands that follow the option, up to the next such option, are
 * added, too, as a shell expands "--base a*.trace". */
#define OPT_FILES(l, n, a, v, t) \
	{ .kind = OPT_KIND_FILES, .letter = l, .name = n, .argument = a, \
	  .text = t, .value = { .list = v } }

/* One of a list of words; v receives what meanings has at its index. */
#define OPT_MEANING(l, n, a, v, list, means, t) \
	{ .kind = OPT_KIND_CHOICE, .letter = l, .name = n, .argument = a, \
	  .text = t, .value = { .choice = v }, .words = list, \
	  .meanings = means }

/* One of a list of words; v receives its index in the list. */
#define OPT_CHOICE(l, n, a, v, list, t) \
	{ .kind = OPT_KIND_CHOICE, .letter = l, .name = n, .argument = a, \
	  .text = t, .value = { .choice = v }, .words = list }

/* The end of the rows. --help and --version need no rows. */
#define OPT_END { .kind = OPT_KIND_END }

#define OPT_GO (-1)

/*
 * The argument that makes opt_parse print the rows of the options for
 * completion in a shell. The columns, separated by TABs, are the name with
 * "--"; the letter with "-", or nothing; the name of the value, or nothing;
 * the possible values, separated by blanks; and the text.
 */
#define OPT_ROWS "--print-rows"

/*
 * Parses the arguments after argv[0]. Options may be before, between or after
 * operands, up to "--"; "-" is an operand. -h, --help and --version are
 * recognised anywhere before "--", even if other arguments are wrong. Long
 * names may be abbreviated if that is unambiguous.
 *
 * Returns OPT_GO; then the operands that no OPT_FILES has taken are argv[0] to
 * argv[*argc - 1]. Otherwise returns the exit status of the command, as
 * everything has been reported.
 */
int
opt_parse(const struct cmd *cmd, const struct opt *options, int *argc,
    char **argv);

/* false: no memory, which was reported. */
bool
opt_list_add(struct opt_list *list, const char *item);

void
opt_list_fini(struct opt_list *list);

/* Sets the variable of an option; shown is what the user wrote: "-f" or
 * "--format". Returns OPT_GO, or CMD_TROUBLE, which was reported. */
int
opt_set_value(const struct opt *opt, const char *shown, const char *value);

/* Prints the version and, if built from a checkout, the id of its commit.
 * Returns CMD_OK. */
int
opt_print_version(void);

/* Reports that the operands do not match the synopsis; returns CMD_TROUBLE. */
int
opt_usage(const struct cmd *cmd, const char *what);

#endif
