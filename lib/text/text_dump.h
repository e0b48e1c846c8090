/* text_dump.h - bytes of any file to its text form */
#ifndef DMT_TEXT_TEXT_DUMP_H
#define DMT_TEXT_TEXT_DUMP_H

#include "base/output.h"

/*
 * Writes the text of all bytes of the input. *recognized is false if none of
 * them are those of a trace. A failure to write is stored in out.
 *
 * Returns DMTRACE_OK, or with error set DMTRACE_ERR_MEMORY or DMTRACE_ERR_IO.
 */
enum dmtrace_status
dmt_text_write(struct dmt_input *in, struct dmt_output *out, bool *recognized,
    struct dmtrace_error *error);

#endif
