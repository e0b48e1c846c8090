/* batch_write.h - encodes the events of batches as records */
#ifndef DMT_TRACE_BATCH_WRITE_H
#define DMT_TRACE_BATCH_WRITE_H

#include "trace/dialect.h"

/* Functions of dmt_dialect_records, and of streams, which have the same header
 * and records. Records are written at once, so flush does nothing. */
void
dmt_batch_write_header(struct dmt_writing *writing, struct dmt_output *output,
    uint64_t start);
size_t
dmt_batch_event_max(const struct dmt_trace_format *format);
void
dmt_batch_write_flush(struct dmt_writing *writing, struct dmt_output *output);
size_t
dmt_batch_write(struct dmt_writing *writing, struct dmt_output *output,
    const struct dmtrace_source *source, const struct dmt_batch *batch,
    size_t first, size_t count);

/* Replaces bytes of the output, from that offset on, by all events of a batch;
 * see dmt_output_patch. Returns the offset after them. */
uint64_t
dmt_batch_patch(struct dmt_writing *writing, struct dmt_output *output,
    uint64_t at, const struct dmtrace_source *source,
    const struct dmt_batch *batch);

#endif
