/* progress.h - shows the progress of long commands on standard error */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/opt.h"

struct progress {
	bool records;			/* amounts are records, not bytes, */
	bool files;			/* or files */
	bool wanted;
	bool terminal;			/* lines overwrite each other */
	bool shown;			/* a line must be erased */
	int64_t next_ms;		/* time of the next update */
	int64_t begun_ms;		/* when done was 0, for the rate */
	uint64_t done;			/* at the last update */
};

#define OPT_PROGRESS(v) \
	OPT_FLAG(0, "progress", v, \
	    "show the progress, even if not on a terminal")

/* Shows progress on a terminal unless quiet, and elsewhere only if asked. */
void
progress_init(struct progress *progress, bool quiet, bool asked);

/* A dmtrace_progress_fn; context is a struct progress. */
int
progress_show(void *context, uint64_t done, uint64_t total);

/* Called before another message, and at the end. */
void
progress_erase(struct progress *progress);

#endif
