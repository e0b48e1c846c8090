/* unknown.h - names of threads and methods that a trace does not have */
#ifndef UNKNOWN_H
#define UNKNOWN_H

#include <dmtrace.h>

/* The option of a condition, for messages: "-t". */
const char *
unknown_option(enum dmtrace_condition condition);

/* Says that nothing in the file is what the condition says and, unless it is
 * a pattern, which names of the trace are near. */
void
unknown_tell(const struct dmtrace_unmatched *unmatched,
    const struct dmtrace_reader *reader, const char *file);

#endif
