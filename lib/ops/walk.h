/* walk.h - calls that threads might make, as events, the same for a seed */
#ifndef DMT_OPS_WALK_H
#define DMT_OPS_WALK_H

#include <dmtrace/ops.h>
#include <stdbool.h>

struct dmt_walk;

/*
 * A walk of options->records events, an even number. method_ids has
 * options->methods of them and must live as long as the walk. rebased: wall
 * times start anew in every thread. NULL: no memory.
 */
struct dmt_walk *
dmt_walk_new(const struct dmtrace_generate_options *options,
    const uint32_t *method_ids, bool rebased);

/* NULL is allowed. */
void
dmt_walk_free(struct dmt_walk *walk);

/* Nanoseconds from the start to the last event, below 2^32 us. */
uint64_t
dmt_walk_elapsed(const struct dmtrace_generate_options *options);

/* Makes up to capacity events and returns how many; 0: that was all. */
size_t
dmt_walk_next(struct dmt_walk *walk, struct dmtrace_event *events,
    size_t capacity);

#endif
