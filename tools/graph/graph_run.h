/* graph_run.h - what "graph" is asked for, and doing it */
#ifndef GRAPH_RUN_H
#define GRAPH_RUN_H

#include "cli/selection.h"
#include "graph/graph_focus.h"

enum graph_form {
	GRAPH_DOT,			/* the others are dot's own words */
	GRAPH_SVG,
	GRAPH_PNG
};

extern const char *const graph_form_words[];

#define GRAPH_THRESHOLD_ANY UINT64_MAX	/* 20, or 0 with --around */

struct graph_job {
	unsigned form, clock;
	const char *output;
	uint64_t threshold;		/* percent */
	uint64_t hops;
	bool per_thread, compensate, quiet, progress;
	struct selection selection;	/* begun */
	struct graph_focus focus;		/* begun */
};

/* Reads the file and puts its graph. Returns the exit status. */
int
graph_job(struct graph_job *job, const char *file);

#endif
