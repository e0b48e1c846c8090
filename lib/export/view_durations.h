/* view_durations.h - how long the calls of each method took */
#ifndef DMT_EXPORT_VIEW_DURATIONS_H
#define DMT_EXPORT_VIEW_DURATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "private/output.h"

#define DMT_SLOWEST 20

/* A call that the page does not show otherwise. */
struct dmt_slow_call {
	uint64_t took_ns;
	uint64_t start_ns;
	uint32_t thread;
};

/* The calls of a method: their number by bits of their duration in ns, and the
 * slowest of those that the page does not show, as a heap with the fastest of
 * them first. */
struct dmt_view_durations {
	uint32_t by_bits[65];
	uint32_t shown;			/* calls that the page shows */
	uint32_t slow_count;
	struct dmt_slow_call slow[];
};

/* A zeroed struct is valid and empty. */
struct dmt_view_methods {
	struct dmt_view_durations **items;	/* by method; NULL: no calls */
	size_t count;
	size_t most;			/* slow calls of each method */
};

/* false: no memory. */
bool
dmt_view_methods_begin(struct dmt_view_methods *methods, size_t count);

/* Adds a call. shown: the page shows it. false: no memory. */
bool
dmt_view_methods_add(struct dmt_view_methods *methods, uint32_t method,
    const struct dmt_slow_call *call, bool shown);

/*
 * Writes each method as numbers: its index, how many durations, each as bits
 * and calls, how many slow calls, and each as the place of its thread, start
 * after from_ns and duration, signed, in units of scale_ns.
 */
void
dmt_view_methods_put(const struct dmt_view_methods *methods,
    struct dmt_output *out, const uint32_t *places, uint64_t from_ns,
    uint64_t scale_ns);

void
dmt_view_methods_fini(struct dmt_view_methods *methods);

#endif
