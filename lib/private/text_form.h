/* text_form.h - traces as text that a person can write and compare */
/* layer: trace */
#ifndef DMT_PRIVATE_TEXT_FORM_H
#define DMT_PRIVATE_TEXT_FORM_H

#include <dmtrace/trace.h>
#include <stdbool.h>

#include "private/output.h"

/*
 * Writes the text form of all bytes of a file, whatever they are
 * (dmtrace-text.5), to sink, which stays open. *recognized is false if none of
 * them were those of a trace; then the message of error names another format,
 * or is empty. A failure to write is stored in the sink.
 *
 * Returns DMTRACE_OK, or with error set DMTRACE_ERR_MEMORY or DMTRACE_ERR_IO.
 */
enum dmtrace_status
dmt_text_dump(const struct dmtrace_file *file, struct dmt_output *sink,
    bool *recognized, struct dmtrace_error *error);

enum dmtrace_status
dmt_text_dump_memory(const void *bytes, size_t len, struct dmt_output *sink,
    bool *recognized, struct dmtrace_error *error);

/*
 * Writes to sink the bytes that a text means: those that were dumped, or a
 * trace of the dialect if the text says only what happened, and names no other
 * dialect; 0 is version 3.
 *
 * Returns DMTRACE_OK, or with error set DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_CORRUPT  the text is wrong at the line of the error
 *   DMTRACE_ERR_RANGE    an event does not fit in the dialect
 */
enum dmtrace_status
dmt_text_undump(const struct dmtrace_file *file, struct dmt_output *sink,
    enum dmtrace_dialect dialect, struct dmtrace_error *error);
enum dmtrace_status
dmt_text_undump_memory(const void *bytes, size_t len, struct dmt_output *sink,
    enum dmtrace_dialect dialect, struct dmtrace_error *error);

#endif
