/* traceview.h - prints the tables of "traceview -r" */
#ifndef TRACEVIEW_H
#define TRACEVIEW_H

#include <stdbool.h>

#include "cli/selection.h"

/*
 * Prints the tables of the selected events of an operand to the file of -o;
 * needs memory for all calls. Returns the exit status.
 */
int
view_file(const char *operand, struct selection *selection,
    const char *output, bool quiet, bool asked);

#endif
