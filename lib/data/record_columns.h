/* record_columns.h - decodes records to columns of a batch, and encodes them */
#ifndef DMT_DATA_RECORD_COLUMNS_H
#define DMT_DATA_RECORD_COLUMNS_H

#include "data/unwrap.h"
#include "events/batch.h"
#include "events/indexes.h"

/*
 * Fills columns of a batch from the batch->count records of layout at
 * batch->records. Times continue from clocks, which are indexed by thread
 * number. watch is called with the position of each unusual record: a reserved
 * action, if the action is asked for, or a time that goes back or wraps, if a
 * time is.
 */
void
dmt_columns_decode(struct dmt_batch *batch, unsigned columns,
    struct dmt_indexes *indexes, const struct dmt_layout *layout,
    struct dmt_clocks *clocks, const struct dmt_watch *watch);

/*
 * Both encode count events of the batch as records of layout, that of a file,
 * at out; the events are at the positions keep[first] and following, which
 * rise. out has space for count records. They return how many events were
 * encoded: less than count if the next one does not fit the layout.
 *
 * dmt_columns_encode makes all records from the columns.
 *
 * dmt_columns_copy is for events that were read from records of that layout.
 * The raw records of the batch, if any, are copied, and the columns in changes
 * are stored in those of CHANGED events; otherwise all columns are. Times are
 * stored modulo the width of their field.
 */
typedef size_t
dmt_columns_fn(uint8_t *out, const struct dmt_layout *layout,
    const struct dmt_batch *batch, size_t first, size_t count,
    const struct dmt_indexes *indexes, unsigned changes);
size_t
dmt_columns_encode(uint8_t *out, const struct dmt_layout *layout,
    const struct dmt_batch *batch, size_t first, size_t count,
    const struct dmt_indexes *indexes, unsigned changes);
size_t
dmt_columns_copy(uint8_t *out, const struct dmt_layout *layout,
    const struct dmt_batch *batch, size_t first, size_t count,
    const struct dmt_indexes *indexes, unsigned changes);

/* How to express the events of one trace in another trace. */
struct dmt_translation {
	const uint32_t *threads;	/* by index: 1 + the number there, */
	const uint32_t *methods;	/* 1 + the id there; 0: unknown */
	uint64_t shift_us;		/* added modulo 2^64 to wall times, or
					   to CPU times if there are no wall
					   times */
	uint64_t *order;		/* set, by position, to the highest
					   wall time of the records up to it,
					   or 0; may be wall_ns of the batch */
	uint64_t last;			/* of order, in batches before and in
					   this one */
	uint64_t late;			/* plus the records whose wall time is
					   lower than that */
};

/*
 * Encodes the events of the batch, from position first on, as records of
 * layout, whose ids may have more than 32 bits; records has space for the
 * whole batch. Returns the position of the first event that was not encoded:
 * less than batch->count if its times do not fit, or its thread or method is
 * unknown.
 */
size_t
dmt_columns_translate(uint8_t *records, const struct dmt_layout *layout,
    const struct dmt_batch *batch, size_t first,
    struct dmt_translation *translation);

#endif
