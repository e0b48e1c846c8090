/* record_encode.h - events to records, one or a batch; mirror of _decode */
#ifndef DMT_DATA_RECORD_ENCODE_H
#define DMT_DATA_RECORD_ENCODE_H

#include <dmtrace/event.h>
#include <stdbool.h>

#include "format/layout.h"

/*
 * Encodes count events one after the other at out, each as
 * dmt_record_encode does. modulo: times are stored modulo the width of
 * their field, and the action takes the place of a method id's two low bits.
 * Returns how many were encoded: less than count if the next one does not
 * fit.
 */
size_t
dmt_records_encode(uint8_t *out, const struct dmt_layout *layout,
    const struct dmtrace_event *events, size_t count, bool modulo);

#endif
