/* record_decode.h - records to events, one or a batch; mirror of _encode */
#ifndef DMT_DATA_RECORD_DECODE_H
#define DMT_DATA_RECORD_DECODE_H

#include <dmtrace/event.h>

#include "data/unwrap.h"

/*
 * Decodes count records that follow each other at in, with times
 * unwrapped. The layouts of the table run at full speed, any other size of
 * record a little slower.
 */
void
dmt_records_decode(struct dmtrace_event *events,
    const struct dmt_layout *layout, const uint8_t *in, size_t count,
    struct dmt_clocks *clocks, const struct dmt_watch *watch);

/* Decodes one of the records at in, by its number from 0 on, with the times
 * as it has them. */
void
dmt_record_get(struct dmtrace_event *event,
    const struct dmt_layout *layout, const uint8_t *in, size_t number);

#endif
