/* dmtrace/rewind.h - records that are read more than once */
#ifndef DMTRACE_REWIND_H
#define DMTRACE_REWIND_H

#include <dmtrace/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Makes sure that dmtrace_reader_rewind can be called: what is no regular
 * file, nor memory, is copied from here on to a temporary without a name, in
 * TMPDIR, else /tmp. Before the first read.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_STATE  the reader is not open, or records were read
 */
DMTRACE_API enum dmtrace_status
dmtrace_reader_hold(struct dmtrace_reader *reader);

/*
 * Goes back to the first record. Findings in records are told once, if they
 * were read to the end before.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_STATE  the reader is not open, or not held
 */
DMTRACE_API enum dmtrace_status
dmtrace_reader_rewind(struct dmtrace_reader *reader);

#ifdef __cplusplus
}
#endif

#endif
