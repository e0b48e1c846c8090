/* progress.h - how far a long command is, on standard error */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/opt.h"

struct progress {
	bool records;			/* they are counted, not bytes */
	bool wanted;
	bool terminal;			/* lines are written over */
	bool shown;			/* there is one to be erased */
	int64_t next_ms;		/* not before */
	int64_t begun_ms;		/* when done was 0, for the rate */
	uint64_t done;			/* the last one that was shown */
};

#define OPT_PROGRESS(v) \
	OPT_FLAG(0, "progress", v, \
	    "show the progress, even if not on a terminal")

/* On a terminal unless quiet; elsewhere only if it is asked for. */
void
progress_init(struct progress *progress, bool quiet, bool asked);

/* A dmtrace_progress_fn; context is a struct progress. */
int
progress_show(void *context, uint64_t done, uint64_t total);

/* Before another message, and at the end. */
void
progress_erase(struct progress *progress);

#endif
