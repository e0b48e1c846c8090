/* traceview.h - prints the tables of "traceview -r" */
#ifndef TRACEVIEW_H
#define TRACEVIEW_H

#include "cli/job.h"
#include "cli/selection.h"

/* Prints the tables of the selected events of an operand; needs memory for all
 * calls. Returns the exit status. */
int
view_file(struct job *job, const char *operand, struct selection *selection);

#endif
