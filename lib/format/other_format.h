/* other_format.h - names formats that people mistake for a trace */
#ifndef DMT_FORMAT_OTHER_FORMAT_H
#define DMT_FORMAT_OTHER_FORMAT_H

#include <dmtrace/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many first bytes of a file are enough. */
#define DMT_OTHER_FORMAT_PROBE 512

/* If the bytes begin a file of a known format other than a trace, or a
 * compressed one, sets error to DMTRACE_ERR_NOT_TRACE with its name and what
 * reads it, and returns true. */
bool
dmt_other_format_name(struct dmtrace_error *error, const uint8_t *bytes,
    size_t len);

/* Returns true if the bytes begin as packets of Perfetto do: one whose fields
 * are in order, and after it another one or nothing. */
bool
dmt_is_perfetto(const uint8_t *bytes, size_t len);

#endif
