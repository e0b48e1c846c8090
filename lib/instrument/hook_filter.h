/* hook_filter.h - selects the functions to record by patterns */
#ifndef DMT_INSTRUMENT_HOOK_FILTER_H
#define DMT_INSTRUMENT_HOOK_FILTER_H

#include <dmtrace/recorder.h>
#include <stdbool.h>

#include "events/pattern.h"

/*
 * Patterns are lines or, if there is no line feed, separated by commas that are
 * neither in brackets nor in expressions; empty ones are skipped. A pattern
 * after "!" excludes what it matches. A function is recorded if no excluding
 * pattern matches and, if there are other patterns, one of these does. A glob,
 * in which "*" and "?" are special, matches the name, or the class and the
 * name, "Class::run", each with or without the signature, "Class::run(int)"; of
 * a C function, "run() [a.out]". A regular expression between two slashes is
 * searched in the same texts, as in selections.
 */
struct dmt_hook_filter {
	char *patterns;			/* as they were given */
	struct dmt_pattern *items;	/* none: all functions */
	size_t count;
	bool has_expression;
	bool selects;			/* there is one without "!" */
	struct dmt_method_text text;	/* in which expressions are searched */
};

/*
 * Parses the patterns. Ended by fini, even after a failure.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY or DMTRACE_ERR_RANGE, with error set
 */
enum dmtrace_status
dmt_hook_filter_init(struct dmt_hook_filter *filter, const char *patterns,
    struct dmtrace_error *error);

void
dmt_hook_filter_fini(struct dmt_hook_filter *filter);

/* Returns true if the function is recorded. It calls malloc only if there are
 * expressions; one for which there is no memory is skipped. */
bool
dmt_hook_filter_wants(struct dmt_hook_filter *filter,
    const struct dmtrace_recorder_method *method);

#endif
