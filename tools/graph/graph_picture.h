/* graph_picture.h - makes pictures of graphs with the program dot */
#ifndef GRAPH_PICTURE_H
#define GRAPH_PICTURE_H

#include <stdio.h>

#include "cli/out.h"

/* Makes a temporary file for a graph. NULL: it failed, which was reported. */
FILE *
graph_picture_temporary(void);

/*
 * Runs "dot -Tform" on a file with a graph, from its beginning, and writes the
 * result to out. Messages of dot are reported; if quiet, only after a failure.
 * Returns CMD_OK or CMD_TROUBLE, which was reported.
 */
int
graph_picture_print(struct out *out, const char *form, FILE *graph, bool quiet);

#endif
