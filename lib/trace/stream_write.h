/* stream_write.h - writes ART streams: packets and records */
#ifndef DMT_TRACE_STREAM_WRITE_H
#define DMT_TRACE_STREAM_WRITE_H

#include "trace/dialect.h"

/* Writes the line of a method for its packet, with its line end, to an empty
 * output to memory. tabs: a line without TABs is written anew from the columns
 * of its row. */
void
dmt_put_method_line(struct dmt_output *out, const struct dmtrace_key *key,
    const struct dmtrace_method *row, bool tabs);

#endif
