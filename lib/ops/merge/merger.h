/* merger.h - several sources of events to one, in order */
#ifndef DMT_OPS_MERGE_MERGER_H
#define DMT_OPS_MERGE_MERGER_H

#include "events/pipeline.h"

/* The highest place in the order. */
#define DMT_ORDER_LAST (UINT64_MAX - 1)

/*
 * A source of all events of the inputs. The batches of an input have records
 * of layout, and an order that never falls and is at most DMT_ORDER_LAST:
 * events come by rising order, those of equal order by the number of their
 * input. The merger hands out records; columns that are asked for it decodes
 * from them, with the indexes, which belong to the caller as key does.
 *
 * The merger owns the sources, not the array. They are asked for no column
 * but those that they need for themselves. The merger cannot be rewound.
 * NULL: no memory; then the inputs are freed.
 */
struct dmtrace_source *
dmt_merger_new(struct dmtrace_source *const *inputs, size_t count,
    const struct dmtrace_key *key, const struct dmt_layout *layout,
    struct dmt_indexes *indexes);

/* How many events a batch of each of so many inputs should have: all of them
 * together fit a cache, unless there are very many. */
size_t
dmt_merger_events(size_t inputs);

#endif
