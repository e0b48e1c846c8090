/* msg.h - messages: everything that is printed on standard error */
#ifndef MSG_H
#define MSG_H

#include <dmtrace.h>
#include <stdbool.h>

#include "private/output.h"
#include "private/status.h"

/* Sets the command that lines begin with, as in "dmtrace dump: "; NULL:
 * none. */
void
msg_set_command(const char *name);

/* Returns false if terminals should not get colours: NO_COLOR is set
 * (no-color.org), or the terminal is dumb. */
bool
msg_may_colour(void);

/*
 * Print a line: an error, a warning, or anything else; on a terminal the
 * command at its beginning is red, yellow or bold. Control bytes and bytes of
 * invalid UTF-8 are escaped, so names can be printed without preparation.
 */
void
msg_error(const char *format, ...) DMT_PRINTF(1, 2);
void
msg_warning(const char *format, ...) DMT_PRINTF(1, 2);
void
msg_note(const char *format, ...) DMT_PRINTF(1, 2);

/* From now on, errors are appended to the lines, too, without the name of the
 * command. NULL: no longer. */
void
msg_copy_errors(struct dmt_output *lines);

/* The type of these functions. */
typedef void
msg_fn(const char *format, ...) DMT_PRINTF(1, 2);

void
msg_memory(void);

/* Reports that there is no memory, and returns CMD_TROUBLE. */
int
msg_fail_memory(void);

/* Prints progress on a terminal, to be overwritten by the next line; "" erases
 * it. */
void
msg_progress(const char *text);

/* Writes "line 3: ", "byte 167: " or, for no place, "". Returns out. */
#define PLACE_MAX 32
const char *
place_format(char out[PLACE_MAX], enum dmtrace_place place, uint64_t at);

/* Reports the failure of a call of the library, and its place in file. */
void
msg_failure(const char *file, const struct dmtrace_error *error);

/* Reports a finding in file: its place, its message and, if there are several,
 * their number. */
void
msg_finding(const char *file, const struct dmtrace_finding *finding);

/* Reports the reader's findings; if quiet, only errors. Returns true if there
 * are errors. */
bool
msg_findings(const char *file, struct dmtrace_reader *reader, bool quiet);

/* Reports the errors among the reader's findings, unless quiet. Returns true
 * if there are any. */
bool
msg_errors(const char *file, struct dmtrace_reader *reader, bool quiet);

#endif
