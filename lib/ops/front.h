/* front.h - finds the key and the start of the data; copies the data */
#ifndef DMT_OPS_FRONT_H
#define DMT_OPS_FRONT_H

#include <stdbool.h>

#include "base/input.h"
#include "ops/op.h"

/* A key, and the gap: the few bytes between it and the magic. bytes are in the
 * input's window, and valid until its next peek. */
struct dmt_front {
	const uint8_t *bytes;
	size_t key_len;			/* including the line end after
					   "*end" */
	size_t len;			/* including the gap */
	bool has_data;			/* the magic follows */
	bool ends;			/* the file ends there */
};

/*
 * Finds the front of the trace at the beginning of the input. If neither the
 * magic nor the end of the file follows soon, there is no gap.
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

/* Copies the rest of the input, which begins with the magic. An unknown
 * version is a finding. */
void
dmt_data_copy(struct dmtrace_op *op, struct dmt_output *output,
    struct dmt_input *input, const struct dmtrace_file *file);

#endif
