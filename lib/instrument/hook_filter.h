/* hook_filter.h - which functions are recorded, by their names */
#ifndef DMT_INSTRUMENT_HOOK_FILTER_H
#define DMT_INSTRUMENT_HOOK_FILTER_H

#include <dmtrace/recorder.h>
#include <stdbool.h>

/*
 * Patterns with commas between them, but for those in brackets; "!" before
 * one leaves out what it matches. A function is wanted if no such pattern
 * matches, and one of the others does, if there are any. "*" and "?" are
 * special; a pattern is for the name, or with the class, "Class::run" or
 * "Class.run", or with all, "Class::run(int)".
 */
bool
dmt_filter_wants(const char *patterns,
    const struct dmtrace_recorder_method *method);

#endif
