/* hook_filter.h - selects the functions to record by patterns */
#ifndef DMT_INSTRUMENT_HOOK_FILTER_H
#define DMT_INSTRUMENT_HOOK_FILTER_H

#include <dmtrace/recorder.h>
#include <stdbool.h>

/*
 * Patterns are separated by commas, except inside brackets; a pattern after
 * "!" excludes what it matches. A function is recorded if no excluding pattern
 * matches and, if there are other patterns, one of these does. "*" and "?" are
 * special. A pattern matches the name, or the class and the name, "Class::run"
 * or "Class.run", or everything, "Class::run(int)".
 */
bool
dmt_filter_wants(const char *patterns,
    const struct dmtrace_recorder_method *method);

#endif
