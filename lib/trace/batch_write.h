/* batch_write.h - events of batches as records in a output */
#ifndef DMT_TRACE_BATCH_WRITE_H
#define DMT_TRACE_BATCH_WRITE_H

#include "base/output.h"
#include "events/pipeline.h"

/* What becomes of an event; see dmt_columns_encode. */
struct dmt_batch_form {
	const struct dmt_layout *layout;
	const struct dmt_indexes *indexes;
	bool like;			/* records that are there are copied */
	unsigned changes;		/* columns of CHANGED events */
};

/*
 * Appends count events of the batch, from keep[first] on. Returns how many:
 * less than count if the output has failed, or the next event does not fit the
 * layout.
 */
size_t
dmt_batch_write(struct dmt_output *output, const struct dmt_batch_form *form,
    const struct dmt_batch *batch, size_t first, size_t count);

/* Puts all events of a batch in place of bytes of the output from that offset
 * on; see dmt_output_patch. Returns the offset that follows. */
uint64_t
dmt_batch_patch(struct dmt_output *output, uint64_t at,
    const struct dmt_batch_form *form, const struct dmt_batch *batch);

#endif
