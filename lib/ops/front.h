/* front.h - a trace's key, the bytes up to its data, and the data as it is */
#ifndef DMT_OPS_FRONT_H
#define DMT_OPS_FRONT_H

#include <stdbool.h>

#include "base/input.h"
#include "ops/op.h"

/* A key, and the few bytes between it and the magic: the gap. bytes are the
 * source's window, until its next peek. */
struct dmt_front {
	const uint8_t *bytes;
	size_t key_len;			/* with the line end after "*end" */
	size_t len;			/* with the gap */
	bool has_data;			/* the magic follows */
	bool ends;			/* nothing does */
};

/*
 * Finds the front of the trace that begins at source. If neither the magic
 * nor the end follows soon, there is no gap.
 *
 * Returns DMTRACE_OK, or with error set DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_LIMIT, or
 *   DMTRACE_ERR_NOT_TRACE    begins neither with "*version" nor the magic
 *   DMTRACE_ERR_TRUNCATED    no "*end"
 *   DMTRACE_ERR_UNSUPPORTED  ART streaming, ART trace format V2
 *   DMTRACE_ERR_FOREIGN      data without its key
 */
enum dmtrace_status
dmt_front_find(struct dmt_front *front, struct dmt_input *input,
    struct dmtrace_error *error);

/* Copies what is left in the input of file, from the magic on. A version that
 * nobody knows is a finding. */
void
dmt_data_copy(struct dmtrace_op *op, struct dmt_output *output,
    struct dmt_input *input, const struct dmtrace_file *file);

#endif
