/* pattern.h - what a method or a thread may be called */
#ifndef DMT_EVENTS_PATTERN_H
#define DMT_EVENTS_PATTERN_H

#include <regex.h>
#include <stdbool.h>

#include <dmtrace/key.h>

enum dmt_pattern_kind {
	DMT_PATTERN_NAME,	/* nothing in it is special */
	DMT_PATTERN_GLOB,
	DMT_PATTERN_REGEX
};

struct dmt_pattern {
	enum dmt_pattern_kind kind;
	char *text;
	regex_t regex;			/* of DMT_PATTERN_REGEX */
};

/*
 * Copies text. regex: between two slashes they are a regular expression.
 * Ended by fini, whatever it returns.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY or DMTRACE_ERR_RANGE, with error set
 */
enum dmtrace_status
dmt_pattern_init(struct dmt_pattern *pattern, const char *text, bool regex,
    struct dmtrace_error *error);

void
dmt_pattern_fini(struct dmt_pattern *pattern);

/* Whether all of the name is what a glob says. */
bool
dmt_pattern_has_name(const struct dmt_pattern *pattern,
    struct dmtrace_text name);

/* A method as one text, "class.name(signature)", "class::name(signature)" or
 * "name(signature) [file]", in memory for the next one. */
struct dmt_method_text {
	char *bytes;			/* with a NUL after them */
	size_t len;
	size_t capacity;
	size_t class_len;
	size_t name_end;		/* where the signature begins, */
	size_t types_end;		/* and its return type, if it has one */
};

/* Of what dmt_method_named makes of them. text is zero at first; free its
 * bytes. false: no memory. */
bool
dmt_method_text_make(struct dmt_method_text *text,
    const struct dmtrace_method *row, uint64_t id);

bool
dmt_pattern_has_method(const struct dmt_pattern *pattern,
    struct dmt_method_text *text);

#endif
