/* hook_filter.c - selects the functions to record by patterns */

/*
 * Whether a function is recorded is decided at its first event, inside its
 * hook. A glob is matched there without malloc, which the event may have
 * interrupted; so it has a matcher of its own, on a name in pieces. Patterns
 * are parsed, and expressions compiled, before the recording begins; regexec
 * calls malloc, so the caller asks where that is allowed. A hook cannot fail:
 * an expression for which there is no memory is treated as if it were not
 * there.
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
matches_glob(const char *pattern, struct subject subject)
{
	struct subject rest = subject;	/* the text after what "*" has taken */
	const char *star = NULL;
	char c;

	while ((c = next_piece_char(&subject)) != '\0') {
		if (*pattern == '*') {
			star = pattern++;
			rest = subject;
		} else if (*pattern == '?' || *pattern == c) {
			pattern++;
			subject.at++;
		} else if (star != NULL) {
			pattern = star + 1;
			next_piece_char(&rest);
			rest.at++;
			subject = rest;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

static bool
matches_any_text(const char *pattern,
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
		if (matches_glob(pattern, subjects[i]))
			return true;
	return false;
}

enum dmtrace_status
dmt_hook_filter_init(struct dmt_hook_filter *filter, const char *patterns,
    struct dmtrace_error *error)
{
	const bool lines = strchr(patterns, '\n') != NULL;
	const char separator = lines ? '\n' : ',';
	const size_t size = strlen(patterns) + 1;
	size_t most = 1, len;

	for (const char *at = patterns; *at != '\0'; at++)
		most += *at == separator;
	*filter = (struct dmt_hook_filter){ .patterns = malloc(size),
	    .items = dmt_array_new(most, sizeof(*filter->items)) };
	char *const copy = malloc(size);
	enum dmtrace_status status = filter->patterns == NULL ||
	    filter->items == NULL || copy == NULL ?
	    dmt_error_memory(error) : DMTRACE_OK;
	if (status == DMTRACE_OK)
		memcpy(filter->patterns, patterns, size);
	for (; status == DMTRACE_OK && *patterns != '\0';
	    patterns += patterns[len] == '\0' ? len : len + 1) {
		len = lines ? strcspn(patterns, "\n") :
		    dmt_pattern_list_len(patterns);
		if (len == 0)
			continue;
		memcpy(copy, patterns, len);
		copy[len] = '\0';

		struct dmt_pattern *const item = &filter->items[filter->count];
		status = dmt_pattern_init(item, copy, error);
		filter->count++;
		filter->has_expression |= item->kind == DMT_PATTERN_REGEX;
		filter->selects |= !item->negated;
	}
	free(copy);
	return status;
}

void
dmt_hook_filter_fini(struct dmt_hook_filter *filter)
{
	for (size_t i = 0; i < filter->count; i++)
		dmt_pattern_fini(&filter->items[i]);
	free(filter->items);
	free(filter->patterns);
	free(filter->text.bytes);
}

bool
dmt_hook_filter_wants(struct dmt_hook_filter *filter,
    const struct dmtrace_recorder_method *method)
{
	const struct dmtrace_method row = {
		.class_name = dmt_text_of(method->class_name),
		.name = dmt_text_of(method->name),
		.signature = dmt_text_of(method->signature)
	};
	bool wanted = !filter->selects;

	const bool has_text = filter->has_expression &&
	    dmt_method_text_make(&filter->text, &row, 0);
	for (size_t i = 0; i < filter->count; i++) {
		const struct dmt_pattern *const item = &filter->items[i];
		bool matches = item->negated;	/* without memory */

		if (item->kind != DMT_PATTERN_REGEX)
			matches = matches_any_text(item->text, method) !=
			    item->negated;
		else if (has_text && !dmt_pattern_match_method(item,
		    &filter->text, &matches))
			matches = item->negated;
		if (item->negated && !matches)
			return false;
		wanted |= matches && !item->negated;
	}
	return wanted;
}
