/* record_encode.h - encodes events as records; mirror of record_decode.h */
#ifndef DMT_DATA_RECORD_ENCODE_H
#define DMT_DATA_RECORD_ENCODE_H

#include <dmtrace/event.h>
#include <stdbool.h>

#include "format/layout.h"

/*
 * Returns how many of count events fit in records, up to the first that does
 * not. modulo: times are stored modulo the width of their field, and the action
 * replaces the two low bits of a method id.
 */
size_t
dmt_records_fit(const struct dmt_layout *layout,
    const struct dmtrace_event *events, size_t count, bool modulo);

/* Why the event cannot be encoded, in a few words; NULL: it can. */
const char *
dmt_record_misfit(const struct dmt_layout *layout,
    const struct dmtrace_event *event, bool modulo);

#endif
