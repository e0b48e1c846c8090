/* record_decode.h - decodes records to events; mirror of record_encode.h */
#ifndef DMT_DATA_RECORD_DECODE_H
#define DMT_DATA_RECORD_DECODE_H

#include <dmtrace/event.h>

#include "data/unwrap.h"

/*
 * Decodes count consecutive records at in, with times unwrapped. Layouts of
 * the table are fastest; other record sizes are a little slower.
 */
void
dmt_records_decode(struct dmtrace_event *events,
    const struct dmt_layout *layout, const uint8_t *in, size_t count,
    struct dmt_clocks *clocks, const struct dmt_watch *watch);

/* Decodes one of the consecutive records at in, by its index from 0 on; times
 * are not unwrapped. */
void
dmt_record_get(struct dmtrace_event *event,
    const struct dmt_layout *layout, const uint8_t *in, size_t number);

#endif
