/* hook_filter.c - selects the functions to record by patterns */

#include "instrument/hook_filter.h"

#include <stddef.h>
#include <string.h>

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
matches_pattern(const char *pattern, size_t len, struct subject subject)
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
matches_any(const char *pattern, size_t len,
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
		if (matches_pattern(pattern, len, subjects[i]))
			return true;
	return false;
}

/* Returns the length of a pattern: up to the end of the line, or a comma that
 * is not in brackets. */
static size_t
pattern_length(const char *patterns)
{
	size_t depth = 0, len = 0;

	for (; patterns[len] != '\0'; len++) {
		if (patterns[len] == '\n' ||
		    (patterns[len] == ',' && depth == 0))
			break;
		if (strchr("(<{", patterns[len]) != NULL)
			depth++;
		else if (strchr(")>}", patterns[len]) != NULL && depth > 0)
			depth--;
	}
	return len;
}

bool
dmt_filter_wants(const char *patterns,
    const struct dmtrace_recorder_method *method)
{
	bool asked = false, wanted = false;

	while (*patterns != '\0') {
		const size_t len = pattern_length(patterns);
		const bool excludes = *patterns == '!';
		if (len > 0 && !excludes)
			asked = true;
		if (len > 0 && matches_any(patterns + excludes,
		    len - excludes, method)) {
			if (excludes)
				return false;
			wanted = true;
		}
		patterns += len;
		patterns += *patterns != '\0';
	}
	return wanted || !asked;
}
