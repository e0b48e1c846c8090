/* traceview.h - the tables of "traceview -r" */
#ifndef TRACEVIEW_H
#define TRACEVIEW_H

#include <stdbool.h>

#include "cli/selection.h"

/*
 * Prints the tables of the trace of an operand, as far as it is selected, to
 * the file of -o; with as much memory as all calls need. Returns the exit
 * status.
 */
int
view_file(const char *operand, struct selection *selection,
    const char *output, bool quiet, bool asked);

#endif
