/* merge_operands.h - the operands of a command that merges them */
#ifndef MERGE_OPERANDS_H
#define MERGE_OPERANDS_H

#include <dmtrace.h>
#include <stdbool.h>

#include "cli/opt.h"

struct merge_operands {
	struct dmtrace_merge_input *items;
	char **names;			/* before their threads', or NULLs */
	char **operands;		/* the caller's */
	size_t count;
};

/* One for each operand; with prefixes of their names if they are wanted.
 * False, which is said: no memory. merge_operands_fini ends both. */
bool
merge_operands_init(struct merge_operands *inputs, char **operands,
    size_t count,
    bool prefixes);

void
merge_operands_fini(struct merge_operands *inputs);

/* Takes the values of --offset, FILE=DUR each. False, which is said: one of
 * them is none, or names no operand. */
bool
merge_operands_take_offsets(struct merge_operands *inputs,
    const struct opt_list *offsets);

/* Whether the output is what the operand is read from, which is said: a file,
 * its other half, or what a base name leads to. Nothing is opened for it. */
bool
files_clash_operand(const char *operand, const struct dmtrace_file *out);

/* Whether standard input is an operand twice, or an operand or its other half
 * is the output, which is said. */
bool
merge_operands_clash(const struct merge_operands *inputs,
    const struct dmtrace_file *out);

#endif
