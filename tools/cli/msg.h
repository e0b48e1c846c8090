/* msg.h - all that goes to standard error */
#ifndef MSG_H
#define MSG_H

#include <dmtrace.h>
#include <stdbool.h>

#if defined(__GNUC__)
#define MSG_PRINTF(string, first) \
	__attribute__((format(printf, string, first)))
#else
#define MSG_PRINTF(string, first)
#endif

/* The command that the lines begin with, "dmtrace dump: "; NULL: none. */
void
msg_set_command(const char *name);

/* Whether a terminal is to have colours: not with NO_COLOR (no-color.org), or
 * if it is dumb. */
bool
msg_may_colour(void);

/*
 * One line: of an error, of a warning, or of anything else; on a terminal the
 * command at its beginning is red, yellow or bold. Control bytes and bytes of
 * invalid UTF-8 in it are escaped, so names may be printed as they are.
 */
void
msg_error(const char *format, ...) MSG_PRINTF(1, 2);
void
msg_warning(const char *format, ...) MSG_PRINTF(1, 2);
void
msg_note(const char *format, ...) MSG_PRINTF(1, 2);

/* One of these. */
typedef void
msg_fn(const char *format, ...) MSG_PRINTF(1, 2);

void
msg_memory(void);

/* Reports that there is no memory, and returns CMD_TROUBLE. */
int
msg_fail_memory(void);

/* On a terminal: text that the next line is written over; "" erases it. */
void
msg_progress(const char *text);

/* Reports what a call of the library failed with, and where in file. */
void
msg_failure(const char *file, const struct dmtrace_error *error);

/* Reports a finding in file: its place, message and, if there are more, how
 * many. */
void
msg_finding(const char *file, const struct dmtrace_finding *finding);

/* The reader's findings, if quiet only the errors. Returns whether there are
 * errors. */
bool
msg_findings(const char *file, struct dmtrace_reader *reader, bool quiet);

/* The errors among the reader's findings, unless quiet. Returns whether there
 * are any. */
bool
msg_errors(const char *file, struct dmtrace_reader *reader, bool quiet);

#endif
