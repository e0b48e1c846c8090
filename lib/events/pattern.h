/* pattern.h - patterns for the names of methods and threads */
#ifndef DMT_EVENTS_PATTERN_H
#define DMT_EVENTS_PATTERN_H

#include <regex.h>
#include <stdbool.h>

#include <dmtrace/key.h>

enum dmt_pattern_kind {
	DMT_PATTERN_NAME,	/* without special characters */
	DMT_PATTERN_GLOB,
	DMT_PATTERN_REGEX
};

struct dmt_pattern {
	enum dmt_pattern_kind kind;
	char *text;
	regex_t regex;			/* if it is DMT_PATTERN_REGEX */
};

/*
 * Copies text. If regex is true, a text between two slashes is a regular
 * expression. Ended by fini, even after a failure.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY or DMTRACE_ERR_RANGE, with error set
 */
enum dmtrace_status
dmt_pattern_init(struct dmt_pattern *pattern, const char *text, bool regex,
    struct dmtrace_error *error);

void
dmt_pattern_fini(struct dmt_pattern *pattern);

/* Returns true if the pattern matches the whole name. */
bool
dmt_pattern_has_name(const struct dmt_pattern *pattern,
    struct dmtrace_text name);

/* A method as one text, "class.name(signature)", "class::name(signature)" or
 * "name(signature) [file]". The memory is reused for the next method. */
struct dmt_method_text {
	char *bytes;			/* followed by a NUL */
	size_t len;
	size_t capacity;
	size_t class_len;
	size_t name_end;		/* where the signature begins, */
	size_t types_end;		/* and its return type, if it has one */
};

/* Writes the name that dmt_method_named determines. text is zeroed before the
 * first use; free its bytes. false: no memory. */
bool
dmt_method_text_make(struct dmt_method_text *text,
    const struct dmtrace_method *row, uint64_t id);

bool
dmt_pattern_has_method(const struct dmt_pattern *pattern,
    struct dmt_method_text *text);

#endif
