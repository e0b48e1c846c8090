/* graph_picture.h - pictures of graphs, by the program dot */
#ifndef GRAPH_PICTURE_H
#define GRAPH_PICTURE_H

#include <stdio.h>

#include "cli/out.h"

/*
 * Runs "dot -Tform" on the graph in a file, from its beginning, and puts what
 * it makes to out. Messages of dot are reported, unless quiet if all went well.
 * Returns CMD_OK or, which is reported, CMD_TROUBLE.
 */
int
graph_picture_print(struct out *out, const char *form, FILE *graph, bool quiet);

#endif
