/* dmtrace/trace.h - read and write whole traces */
#ifndef DMTRACE_TRACE_H
#define DMTRACE_TRACE_H

#include <dmtrace/reader.h>
#include <dmtrace/writer.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Before the open: write like the trace that the reader has open. The writer
 * takes over its key, layout and header, in place of settings and options of
 * its own, and all bytes around them; times are stored modulo the width of
 * their field. Bytes of a record that belong to no field are zeros, as events
 * do not have them; dmtrace_filter and the other operations keep them. Packets
 * of a stream are written anew. The reader must live until the writer is
 * closed, which copies the bytes after its last record.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_STATE  the writer is open, is like a reader already, or has
 *                      threads or methods; or the reader is not open
 * or the failure of the reader.
 */
DMTRACE_API enum dmtrace_status
dmtrace_writer_set_like(struct dmtrace_writer *writer,
    const struct dmtrace_reader *reader);

#ifdef __cplusplus
}
#endif

#endif
