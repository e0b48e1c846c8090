/* inputs.h - the operands of a command that merges them */
#ifndef INPUTS_H
#define INPUTS_H

#include <dmtrace.h>
#include <stdbool.h>

#include "opt.h"

struct inputs {
	struct dmtrace_merge_input *items;
	char **names;			/* before their threads', or NULLs */
	char **operands;		/* the caller's */
	size_t count;
};

/* One for each operand; with prefixes of their names if they are wanted.
 * False, which is said: no memory. inputs_fini ends both. */
bool
inputs_init(struct inputs *inputs, char **operands, size_t count,
    bool prefixes);

void
inputs_fini(struct inputs *inputs);

/* Takes the values of --offset, FILE=DUR each. False, which is said: one of
 * them is none, or names no operand. */
bool
inputs_take_offsets(struct inputs *inputs, const struct opt_list *offsets);

/* Whether the output is what the operand is read from, which is said: a file,
 * its other half, or what a base name leads to. Nothing is opened for it. */
bool
inputs_clash_operand(const char *operand, const struct dmtrace_file *out);

/* Whether standard input is an operand twice, or an operand or its other half
 * is the output, which is said. */
bool
inputs_clash(const struct inputs *inputs, const struct dmtrace_file *out);

#endif
