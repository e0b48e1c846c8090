/* merger.h - a source that merges several sources by time */
#ifndef DMT_OPS_MERGE_MERGER_H
#define DMT_OPS_MERGE_MERGER_H

#include "events/pipeline.h"

/* The highest sort key. */
#define DMT_ORDER_LAST (UINT64_MAX - 1)

/*
 * Returns a source of all events of the inputs. The batches of an input have
 * records of layout, and sort keys (order) that never fall and are at most
 * DMT_ORDER_LAST. Events are returned by rising sort key, those with equal
 * ones by the number of their input. The merger returns records, and decodes
 * the columns that are asked for from them with the indexes, which belong to
 * the caller, as key does.
 *
 * The merger owns the sources, but not the array. It asks the sources for
 * their records only. It cannot be rewound. NULL: no memory; then the inputs
 * are freed.
 */
struct dmtrace_source *
dmt_merger_new(struct dmtrace_source *const *inputs, size_t count,
    const struct dmtrace_key *key, const struct dmt_layout *layout,
    struct dmt_indexes *indexes);

/* Returns how many events each batch should have with that many inputs: all
 * batches together fit in the CPU's cache, unless there are very many. */
size_t
dmt_merger_events(size_t inputs);

#endif
