/* view_strips.h - what threads did over time, at a glance */
#ifndef DMT_EXPORT_VIEW_STRIPS_H
#define DMT_EXPORT_VIEW_STRIPS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "private/output.h"

#define DMT_STRIP_LEVELS 20		/* of the CPU share */

/* Part of a thread's time: the call that was open, and what it used. */
struct dmt_strip_part {
	uint64_t from_ns, to_ns;
	uint64_t cpu_ns;
	uint32_t method;		/* of the innermost call, */
	uint32_t package;		/* and its package */
};

struct dmt_strip_thread;
struct dmt_strip_weight;

struct dmt_strips {
	uint64_t from_ns;		/* where the first bin begins */
	uint64_t width_ns;		/* of a bin */
	size_t bins;
	size_t packages;
	struct dmt_strip_thread *threads;
	struct dmt_strip_weight *weights;	/* by thread and package */
	uint32_t *cells;		/* by thread and bin */
	size_t thread_count;
};

/* Begins to count. strips is zeroed. false: no memory. */
bool
dmt_strips_begin(struct dmt_strips *strips, uint64_t from_ns, uint64_t to_ns,
    size_t threads, size_t packages);

/* Adds the next part of a thread. */
void
dmt_strips_add(struct dmt_strips *strips, size_t thread,
    const struct dmt_strip_part *part);

/*
 * Writes the bins of a thread as numbers, of each run of equal ones: how many;
 * twice the CPU share in twentieths, plus 1 if calls were open for half of the
 * time; and, unless the share is 0, a method of the package that used most.
 */
void
dmt_strips_put(struct dmt_strips *strips, struct dmt_output *out,
    size_t thread);

void
dmt_strips_fini(struct dmt_strips *strips);

#endif
