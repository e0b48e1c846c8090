/* hook_filter.c - selects the functions to record by patterns */

/*
 * Whether a function is recorded is decided at its first event, inside its
 * hook. A glob is matched there without malloc, which the event may have
 * interrupted. Expressions are compiled before the recording begins; regexec
 * calls malloc, so the caller asks where that is allowed.
 */

#include "instrument/hook_filter.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "private/text.h"

#define PIECES 4		/* class, dot or colons, name, signature */

/* The text to match, in pieces, so that long names are not copied. */
struct subject {
	const char *pieces[PIECES];
	size_t piece;
	size_t at;
};

static char
next_piece_char(struct subject *subject)
{
	while (subject->piece < PIECES &&
	    subject->pieces[subject->piece][subject->at] == '\0') {
		subject->piece++;
		subject->at = 0;
	}
	return subject->piece < PIECES ?
	    subject->pieces[subject->piece][subject->at] : '\0';
}

/* Matches a glob by backtracking to the last "*" only. */
static bool
matches_glob(const char *pattern, size_t len, struct subject subject)
{
	struct subject rest = subject;	/* the text after what "*" has taken */
	size_t at = 0, star = SIZE_MAX;
	char c;

	while ((c = next_piece_char(&subject)) != '\0') {
		if (at < len && pattern[at] == '*') {
			star = at++;
			rest = subject;
		} else if (at < len && (pattern[at] == '?' ||
		    pattern[at] == c)) {
			at++;
			subject.at++;
		} else if (star != SIZE_MAX) {
			at = star + 1;
			next_piece_char(&rest);
			rest.at++;
			subject = rest;
		} else {
			return false;
		}
	}
	while (at < len && pattern[at] == '*')
		at++;
	return at == len;
}

static bool
matches_any_text(const char *pattern, size_t len,
    const struct dmtrace_recorder_method *method)
{
	const char *scope = method->class_name, *name = method->name;
	const char *tail = method->signature != NULL ? method->signature : "";
	const struct subject subjects[] = {
		{ { "", "", name, "" }, 0, 0 },
		{ { "", "", name, tail }, 0, 0 },
		{ { scope, "::", name, "" }, 0, 0 },
		{ { scope, "::", name, tail }, 0, 0 },
		{ { name, tail, " ", scope }, 0, 0 }
	};

	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++)
		if (matches_glob(pattern, len, subjects[i]))
			return true;
	return false;
}

static bool
is_expression(const char *pattern)
{
	return pattern[*pattern == '!'] == '/';
}

/* Returns the length of a pattern: if there are lines, up to the end of the
 * line, otherwise up to a comma that is not in brackets, or that follows the
 * slash at the end of an expression. */
static size_t
pattern_length(const char *patterns, bool lines)
{
	size_t depth = 0, len = 0;

	if (lines)
		return strcspn(patterns, "\n");
	if (is_expression(patterns)) {
		const size_t first = 1 + (*patterns == '!');

		for (len = first; patterns[len] != '\0'; len++)
			if (patterns[len] == ',' && len > first &&
			    patterns[len - 1] == '/')
				break;
		return len;
	}
	for (; patterns[len] != '\0'; len++) {
		if (patterns[len] == ',' && depth == 0)
			break;
		if (strchr("(<{", patterns[len]) != NULL)
			depth++;
		else if (strchr(")>}", patterns[len]) != NULL && depth > 0)
			depth--;
	}
	return len;
}

enum dmtrace_status
dmt_hook_filter_init(struct dmt_hook_filter *filter, const char *patterns,
    struct dmtrace_error *error)
{
	const size_t size = strlen(patterns) + 1;
	const bool lines = strchr(patterns, '\n') != NULL;
	size_t len, most = 0;

	*filter = (struct dmt_hook_filter){ .patterns = malloc(size) };
	if (filter->patterns == NULL)
		return dmt_error_memory(error);
	memcpy(filter->patterns, patterns, size);
	for (const char *at = patterns; *at != '\0'; at++)
		most += *at == '/';
	if (most == 0)
		return DMTRACE_OK;
	filter->expressions = calloc(most, sizeof(*filter->expressions));
	char *const copy = malloc(size);
	enum dmtrace_status status = filter->expressions == NULL ||
	    copy == NULL ? dmt_error_memory(error) : DMTRACE_OK;
	for (; status == DMTRACE_OK && *patterns != '\0';
	    patterns += patterns[len] == '\0' ? len : len + 1) {
		const size_t mark = *patterns == '!';

		len = pattern_length(patterns, lines);
		if (!is_expression(patterns))
			continue;
		memcpy(copy, patterns + mark, len - mark);
		copy[len - mark] = '\0';
		status = dmt_pattern_init(
		    &filter->expressions[filter->expression_count++], copy,
		    true, error);
	}
	free(copy);
	return status;
}

void
dmt_hook_filter_fini(struct dmt_hook_filter *filter)
{
	for (size_t i = 0; i < filter->expression_count; i++)
		dmt_pattern_fini(&filter->expressions[i]);
	free(filter->expressions);
	free(filter->patterns);
	free(filter->text.bytes);
}

bool
dmt_hook_filter_wants(struct dmt_hook_filter *filter,
    const struct dmtrace_recorder_method *method)
{
	const char *patterns = filter->patterns;
	const bool lines = strchr(patterns, '\n') != NULL;
	struct dmt_pattern *expression = filter->expressions;
	const struct dmtrace_method row = {
		.class_name = dmt_text_of(method->class_name),
		.name = dmt_text_of(method->name),
		.signature = dmt_text_of(method->signature)
	};
	bool asked = false, wanted = false;

	const bool has_text = filter->expression_count > 0 &&
	    dmt_method_text_make(&filter->text, &row, 0);
	while (*patterns != '\0') {
		const size_t len = pattern_length(patterns, lines);
		const bool excludes = *patterns == '!';
		const bool matches = is_expression(patterns) ?
		    has_text && dmt_pattern_has_method(expression++,
		    &filter->text) :
		    len > 0 && matches_any_text(patterns + excludes,
		    len - excludes, method);
		if (len > 0 && !excludes)
			asked = true;
		if (matches && excludes)
			return false;
		wanted |= matches;
		patterns += len;
		patterns += *patterns != '\0';
	}
	return wanted || !asked;
}
