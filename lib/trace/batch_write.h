/* batch_write.h - encodes the events of batches to an output */
#ifndef DMT_TRACE_BATCH_WRITE_H
#define DMT_TRACE_BATCH_WRITE_H

#include "base/output.h"
#include "events/pipeline.h"

/* How events are encoded; see dmt_columns_encode. */
struct dmt_batch_form {
	const struct dmt_layout *layout;
	const struct dmt_indexes *indexes;
	bool like;			/* the raw records of the batch are
					   copied */
	unsigned changes;		/* columns to encode for CHANGED
					   events */
};

/*
 * Appends count events of the batch, from keep[first] on. Returns how many
 * were appended: less than count if the output has failed or the next event
 * does not fit the layout.
 */
size_t
dmt_batch_write(struct dmt_output *output, const struct dmt_batch_form *form,
    const struct dmt_batch *batch, size_t first, size_t count);

/* Replaces bytes of the output, from that offset on, by all events of a batch;
 * see dmt_output_patch. Returns the offset after them. */
uint64_t
dmt_batch_patch(struct dmt_output *output, uint64_t at,
    const struct dmt_batch_form *form, const struct dmt_batch *batch);

#endif
