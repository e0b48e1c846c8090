/* generate.h - a source of generated calls */
#ifndef DMT_OPS_GENERATE_H
#define DMT_OPS_GENERATE_H

#include <dmtrace/ops.h>
#include <stdbool.h>

#include "events/pipeline.h"

/*
 * Returns a source of options->records events, an even number; the same
 * options give the same events. method_ids has options->methods ids; it must
 * live as long as the source, and so must key and layout. rebased: wall times
 * start anew in every thread. wraps: times are modulo 2^32 us. NULL: no memory.
 */
struct dmtrace_source *
dmt_generator_new(const struct dmtrace_generate_options *options,
    const struct dmtrace_key *key, const struct dmt_layout *layout,
    const uint32_t *method_ids, bool rebased, bool wraps);

/* Returns the nanoseconds from the start to the end: the duration or, if it is
 * 0, one that fits the number of records, less than 2^32 us. */
uint64_t
dmt_generator_elapsed(const struct dmtrace_generate_options *options);

#endif
