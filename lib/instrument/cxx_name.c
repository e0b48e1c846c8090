/* cxx_name.c - a demangled name, in the words of a method */

#include "instrument/cxx_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define OPERATOR "operator"

static const char opening[] = "([{<", closing[] = ")]}>";

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool
is_operator(const char *text, size_t at)
{
	const size_t len = strlen(OPERATOR);

	return strncmp(text + at, OPERATOR, len) == 0 &&
	    !is_word(text[at + len]) && (at == 0 || !is_word(text[at - 1]));
}

static bool
is_in(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

/* Behind the symbols of an operator at text[at]: "()", "<<", "->" are no
 * brackets. */
static size_t
skip_operator(const char *text, size_t at)
{
	at += strlen(OPERATOR);
	if (strncmp(text + at, "()", 2) == 0 ||
	    strncmp(text + at, "[]", 2) == 0)
		return at + 2;
	while (is_in(text[at], "+-*/%^&|~!=<>,"))
		at++;
	return at;
}

/* Behind the bracket that closes the one at text[at]; the end if none. */
static size_t
skip_brackets(const char *text, size_t at)
{
	size_t depth = 0;

	while (text[at] != '\0') {
		if (is_operator(text, at)) {
			at = skip_operator(text, at);
			continue;
		}
		if (is_in(text[at], opening))
			depth++;
		else if (is_in(text[at], closing) && --depth == 0)
			return at + 1;
		at++;
	}
	return at;
}

/* Where things are in a text. */
struct marks {
	size_t begin;			/* behind the type of the result */
	size_t name;			/* behind the last "::" */
	size_t arguments;		/* the last "(" but for those in
					   brackets; 0: none */
};

static bool
is_lambda_or_local(const char *text, size_t end)
{
	return strncmp(text + end, "::", 2) == 0;
}

/* Of what brackets hold nothing counts. The name of a local class stands
 * behind the arguments of its function, "f(int)::Local::run()". */
static void
find(struct marks *marks, const char *text)
{
	size_t at = 0;

	while (text[at] != '\0') {
		if (is_operator(text, at)) {
			marks->name = at;
			at = skip_operator(text, at);
			at += strcspn(text + at, "(<");
		} else if (is_in(text[at], opening)) {
			const size_t end = skip_brackets(text, at);
			if (text[at] == '(' && !is_lambda_or_local(text, end) &&
			    at > 0 && text[at - 1] != ' ')
				marks->arguments = at;
			at = end;
		} else if (text[at] == ' ' && marks->arguments == 0) {
			marks->begin = marks->name = ++at;
		} else if (strncmp(text + at, "::", 2) == 0) {
			marks->arguments = 0;
			marks->name = at += 2;
		} else {
			at++;
		}
	}
}

void
dmt_cxx_name_split(struct dmt_cxx_name *parts, char *text)
{
	struct marks marks = { 0, 0, 0 };

	*parts = (struct dmt_cxx_name){ .name = text };
	find(&marks, text);
	if (marks.arguments <= marks.name)
		return;
	char *signature = text + marks.arguments + 1;
	memmove(signature, signature - 1, strlen(signature - 1) + 1);
	signature[-1] = '\0';
	parts->signature = signature;
	parts->name = text + marks.name;
	if (marks.name >= marks.begin + 2) {
		text[marks.name - 2] = '\0';
		parts->scope = text + marks.begin;
	}
}
