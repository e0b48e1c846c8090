/* opt_value.h - the value of an option, from its words */
#ifndef OPT_VALUE_H
#define OPT_VALUE_H

#include "cli/opt.h"

/* Sets where the row is bound to. shown is the option as it was given.
 * Returns OPT_GO or, after saying what is wrong, an exit status. */
int
opt_set_value(const struct opt *opt, const char *shown, const char *value);

#endif
