/* pattern.h - patterns for the names of methods and threads */
#ifndef DMT_EVENTS_PATTERN_H
#define DMT_EVENTS_PATTERN_H

#include <regex.h>
#include <stdbool.h>

#include <dmtrace/key.h>

#include "private/select.h"

enum dmt_pattern_kind {
	DMT_PATTERN_NAME,	/* without special characters */
	DMT_PATTERN_GLOB,
	DMT_PATTERN_REGEX
};

struct dmt_pattern {
	enum dmt_pattern_kind kind;
	bool negated;			/* there was a "!" in front */
	char *text;			/* without it */
	regex_t regex;			/* if it is DMT_PATTERN_REGEX */
};

/*
 * Copies text: a name, a glob or, between two slashes, a regular expression,
 * each with or without "!" in front, which negates. Ended by fini, even after a
 * failure.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY or DMTRACE_ERR_RANGE, with error set
 */
enum dmtrace_status
dmt_pattern_init(struct dmt_pattern *pattern, const char *text,
    struct dmtrace_error *error);

/* The same for a name in which no character is special. */
enum dmtrace_status
dmt_pattern_init_name(struct dmt_pattern *pattern, const char *name,
    struct dmtrace_error *error);

void
dmt_pattern_fini(struct dmt_pattern *pattern);

/* A method as one text, "class.name(signature)", "class::name(signature)" or
 * "name(signature) [file]". The memory is reused for the next method. */
struct dmt_method_text {
	char *bytes;			/* and room for a NUL */
	size_t len;
	size_t capacity;
	size_t class_len;
	size_t name_end;		/* where the signature begins, */
	size_t types_end;		/* and its return type, if it has one */
};

/* A pattern may match the whole text, that without the return type, or that
 * without the signature. Sets ends to where these end, each once. Returns how
 * many there are. */
#define DMT_METHOD_ENDS 3
size_t
dmt_method_text_ends(const struct dmt_method_text *text,
    size_t ends[DMT_METHOD_ENDS]);

/* Writes the name that dmt_method_named determines. text is zeroed before the
 * first use; free its bytes. false: no memory. */
bool
dmt_method_text_make(struct dmt_method_text *text,
    const struct dmtrace_method *row, uint64_t id);

/* Sets *matches: the pattern matches the method or, if negated, does not.
 * false: no memory. */
bool
dmt_pattern_match_method(const struct dmt_pattern *pattern,
    struct dmt_method_text *text, bool *matches);

/* Compiles an extended regular expression, unless it is too long, or gets too
 * long when its repetitions are written out. flags are those of regcomp.
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY or DMTRACE_ERR_RANGE, with error
 * set. */
enum dmtrace_status
dmt_regex_compile(regex_t *regex, const char *text, int flags,
    struct dmtrace_error *error);

/* Calls regexec, and sets *found. false: no memory. */
bool
dmt_regex_search(const regex_t *regex, const char *text, size_t count,
    regmatch_t *found_at, bool *found);

#endif
