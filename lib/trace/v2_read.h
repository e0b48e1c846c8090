/* v2_read.h - reads the events of ART trace format V2, block by block */
#ifndef DMT_TRACE_V2_READ_H
#define DMT_TRACE_V2_READ_H

#include "data/v2.h"
#include "trace/reader.h"


/* Creates the state for blocks of a form and a reader whose records are of
 * layout; NULL: no memory. */
struct dmt_v2_reading *
dmt_v2_reading_new(const struct dmt_v2_form *form,
    const struct dmt_layout *layout);
void
dmt_v2_free(struct dmt_v2_reading *v2);
const struct dmt_v2_form *
dmt_v2_reading_form(const struct dmt_v2_reading *v2);

/*
 * Finds the block of a packet, whose payload begins after used bytes. Its
 * *size bytes, as far as the file has them, are in the window at *bytes.
 *
 * Returns DMTRACE_OK; DMTRACE_ERR_TRUNCATED: the block is truncated, *size is
 * the rest of the file; DMTRACE_ERR_CORRUPT or DMTRACE_ERR_LIMIT: it is not a
 * valid block
 */
enum dmtrace_status
dmt_v2_find_block(struct dmt_input *input, const struct dmt_v2_form *form,
    const struct dmt_v2_packet *packet, size_t used, const uint8_t **bytes,
    size_t *size);

/* Returns the line of a method, as in a key, which begins with its id; *len is
 * its length. To be freed; NULL: no memory. */
char *
dmt_v2_method_line(const struct dmt_v2_packet *packet, size_t *len);

#endif
