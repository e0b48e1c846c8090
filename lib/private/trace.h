/* trace.h - what our own program asks readers and writers */
#ifndef DMT_PRIVATE_TRACE_H
#define DMT_PRIVATE_TRACE_H

#include <dmtrace/trace.h>

/*
 * Makes sure that dmt_reader_rewind can be called: what is no regular
 * file, nor memory, is copied from here on to a temporary without a name, in
 * TMPDIR, else /tmp. Before the first read.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_STATE  the reader is not open, or records were read
 */
enum dmtrace_status
dmt_reader_hold(struct dmtrace_reader *reader);

/*
 * Goes back to the first record. Findings in records are told once, if they
 * were read to the end before.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_STATE  the reader is not open, or not held
 */
enum dmtrace_status
dmt_reader_rewind(struct dmtrace_reader *reader);

#endif
