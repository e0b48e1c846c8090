/* record_columns.h - records to columns of a batch, and back */
#ifndef DMT_DATA_RECORD_COLUMNS_H
#define DMT_DATA_RECORD_COLUMNS_H

#include "data/unwrap.h"
#include "events/batch.h"
#include "events/indexes.h"

/*
 * Fills columns of a batch from batch->count records of layout at
 * batch->records. Times continue from clocks, which are by thread number. watch
 * is called with the position of each unusual record: one with the reserved
 * action if the action is asked for, one whose time goes back or wraps if a
 * time is.
 */
void
dmt_columns_decode(struct dmt_batch *batch, unsigned columns,
    struct dmt_indexes *indexes, const struct dmt_layout *layout,
    struct dmt_clocks *clocks, const struct dmt_watch *watch);

/*
 * Writes count events of the batch, from keep[first] on, where keep is rising,
 * to out as records of layout. like: the records of the batch, if it has any,
 * are of that layout; they are copied, and where an event is CHANGED the
 * columns named by changes are put in. Events without a record are made from
 * all columns. Times are stored modulo the width of their field if like, else
 * they have to fit.
 *
 * out has room for count records. Returns how many events were written: less
 * than count if the next one does not fit the layout.
 */
size_t
dmt_columns_encode(uint8_t *out, const struct dmt_layout *layout,
    const struct dmt_batch *batch, size_t first, size_t count,
    const struct dmt_indexes *indexes, bool like, unsigned changes);

/* What the events of a trace are in another one. */
struct dmt_translation {
	const uint32_t *threads;	/* by index: 1 + the number, */
	const uint32_t *methods;	/* 1 + the id; 0: not known */
	uint64_t shift_us;		/* modulo 2^64, to wall times, or to CPU
					   times of records without them */
};

/*
 * Makes a record of layout, whose ids may have more than 32 bits, of each event
 * of the batch from position first on; records has room for all of the batch.
 * Returns the position of the next event: not batch->count if its times do not
 * fit, or its thread or its method is not known.
 */
size_t
dmt_columns_translate(uint8_t *records, const struct dmt_layout *layout,
    const struct dmt_batch *batch, size_t first,
    const struct dmt_translation *translation);

#endif
