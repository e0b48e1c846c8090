/* opt_help.h - a command's options for --help */
#ifndef OPT_HELP_H
#define OPT_HELP_H

#include "cli/opt.h"

/* The options of all commands. */
extern const struct opt opt_everywhere[];

/* Each prints to standard output and returns CMD_OK. */
int
opt_print_help(const struct cmd *cmd, const struct opt *options);
int
opt_print_version(void);

#endif
