/* diff_lines.h - calls that are different, line by line */
#ifndef DIFF_LINES_H
#define DIFF_LINES_H

#include "diff/diff_run.h"

/* Puts the threads that differ. Returns the exit status. */
int
diff_lines(struct diff *diff, const struct dmtrace_call_diff *calls);

#endif
