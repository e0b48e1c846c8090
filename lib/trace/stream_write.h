/* stream_write.h - writes ART streams: packets and records */
#ifndef DMT_TRACE_STREAM_WRITE_H
#define DMT_TRACE_STREAM_WRITE_H

#include "trace/dialect.h"

/* Returns the line of a method for its packet, with its line end. tabs: a line
 * without TABs is written anew from the columns of its row. To be freed; NULL:
 * no memory. */
uint8_t *
dmt_method_packet_line(const struct dmtrace_key *key,
    const struct dmtrace_method *row, bool tabs, size_t *len);

#endif
