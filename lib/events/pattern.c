/* pattern.c - patterns for the names of methods and threads */

/*
 * Whoever matches names uses this file, so that patterns are one language: "!"
 * in front negates, slashes around it make a regular expression, "*" and "?" a
 * glob, and anything else is a name.
 *
 * A method is printed as one text, class.name(signature), as in reports. A
 * pattern matches if it matches all of that text, the text without the return
 * type, or the text without the signature, so that users can leave out what
 * they do not care about. Classes are written with dots or with slashes: in a
 * class, a glob takes either for the other, and a regular expression is tried
 * with both.
 *
 * The glob matcher backtracks only to the last star. That is enough: an
 * earlier star could only take characters that the last one can take as well.
 * So its cost is at most the product of the two lengths.
 */

#include "events/pattern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "key/rows.h"
#include "private/text.h"

/* The longest regular expression, and how much longer it may get by its
 * repetitions. The C library writes these out: "a+" as "aa*", "a{9}" as nine
 * times "a". So nested ones, such as "a+++++++++", could take any amount of
 * memory; and it takes a minute for 10,000 times "a*". */
#define EXPRESSION_MAX 10000
#define REPEATED_MAX 1000
#define WRITTEN_MAX (EXPRESSION_MAX + REPEATED_MAX)

/* Returns what follows a bracket expression, of which *in is the first
 * character inside: a "]" is one of its characters there, or after "^". */
static const char *
after_brackets(const char *in)
{
	in += *in == '^';
	in += *in == ']';
	while (*in != '\0' && *in != ']') {
		const char *end = NULL;		/* of a class: [:alpha:] */

		if (strncmp(in, "[:", 2) == 0)
			end = strstr(in + 2, ":]");
		in = end != NULL ? end + 2 : in + 1;
	}
	return in + (*in == ']');
}

/* Returns how often the C library writes what the repetition at *in repeats,
 * and skips the repetition. Returns 0 if no repetition begins at *in. */
static size_t
skip_repeats(const char **in)
{
	const char *at = *in;
	size_t most = 0, number = 0;

	if (*at == '*' || *at == '?' || *at == '+') {
		*in = at + 1;
		return *at == '+' ? 2 : 1;
	}
	if (*at++ != '{')
		return 0;
	for (; (*at >= '0' && *at <= '9') || *at == ','; at++) {
		number = *at == ',' ? 0 : number * 10 + (size_t)(*at - '0');
		if (number > WRITTEN_MAX)
			return WRITTEN_MAX + 1;
		most = number > most ? number : most;
	}
	if (*at != '}')
		return 0;
	*in = at + 1;
	return most + (at[-1] == ',' || most == 0);
}

/* Returns how long the expression at *in is with its repetitions written out,
 * and skips it, up to its end or the parenthesis that closes it. Adds to *plain
 * how long it is without repetitions. If it is longer than WRITTEN_MAX, it may
 * stop earlier. */
static size_t
expanded_len(const char **in, size_t *plain)
{
	size_t sum = 0;

	while (**in != '\0' && **in != ')' && sum <= WRITTEN_MAX) {
		size_t len = 1, times;

		(*plain)++;
		switch (*(*in)++) {
		case '(':
			len += expanded_len(in, plain);
			*in += **in == ')';
			break;
		case '[':
			*in = after_brackets(*in);
			break;
		case '\\':
			*in += **in != '\0';
			break;
		}
		while (len <= WRITTEN_MAX &&
		    (times = skip_repeats(in)) > 0)
			len *= times;
		sum += len;
	}
	return sum;
}

enum dmtrace_status
dmt_regex_compile(regex_t *regex, const char *text, int flags,
    struct dmtrace_error *error)
{
	const char *in = text;
	size_t expanded = 0, plain = 0;
	char why[128];

	if (strlen(text) > EXPRESSION_MAX)
		return dmt_error_set(error, DMTRACE_ERR_RANGE,
		    "a regular expression of more than %d characters",
		    EXPRESSION_MAX);
	for (; *in != '\0' && expanded <= WRITTEN_MAX; in += *in == ')')
		expanded += expanded_len(&in, &plain);
	if (expanded > plain + REPEATED_MAX)
		return dmt_error_set(error, DMTRACE_ERR_RANGE,
		    "a regular expression that gets more than %d characters"
		    " longer when its repetitions are written out",
		    REPEATED_MAX);
	const int failure = regcomp(regex, text, REG_EXTENDED | flags);
	if (failure == 0)
		return DMTRACE_OK;
	if (failure == REG_ESPACE)
		return dmt_error_memory(error);
	regerror(failure, regex, why, sizeof(why));
	return dmt_error_set(error, DMTRACE_ERR_RANGE,
	    "not a regular expression: %s", why);
}

/* The regular expression is the text between the slashes. */
static enum dmtrace_status
compile_expression(struct dmt_pattern *pattern, struct dmtrace_error *error)
{
	const size_t len = strlen(pattern->text);

	if (strcmp(pattern->text, "//") == 0)
		return dmt_error_set(error, DMTRACE_ERR_RANGE,
		    "an empty regular expression");
	if (len < 2 || pattern->text[len - 1] != '/')
		return dmt_error_set(error, DMTRACE_ERR_RANGE, "a regular"
		    " expression is written between two slashes, and a name"
		    " that begins with \"/\" is \"?%.40s\"",
		    pattern->text + 1);
	pattern->text[len - 1] = '\0';
	const enum dmtrace_status status = dmt_regex_compile(&pattern->regex,
	    pattern->text + 1, REG_NOSUB, error);
	pattern->text[len - 1] = '/';
	if (status == DMTRACE_OK)
		pattern->kind = DMT_PATTERN_REGEX;
	return status;
}

enum dmtrace_status
dmt_pattern_init_name(struct dmt_pattern *pattern, const char *name,
    struct dmtrace_error *error)
{
	pattern->kind = DMT_PATTERN_NAME;
	pattern->negated = false;
	pattern->text = strdup(name);
	return pattern->text == NULL ? dmt_error_memory(error) : DMTRACE_OK;
}

enum dmtrace_status
dmt_pattern_init(struct dmt_pattern *pattern, const char *text,
    struct dmtrace_error *error)
{
	const bool negated = text[0] == '!';

	text += negated;
	if (dmt_pattern_init_name(pattern, text, error) != DMTRACE_OK)
		return error->status;
	pattern->negated = negated;
	if (strpbrk(text, "*?") != NULL)
		pattern->kind = DMT_PATTERN_GLOB;
	if (text[0] == '\0')
		return dmt_error_set(error, DMTRACE_ERR_RANGE,
		    pattern->negated ? "nothing follows the \"!\"" :
		    "an empty name or pattern");
	if (pattern->negated && (text[0] == ' ' || text[0] == '\t'))
		return dmt_error_set(error, DMTRACE_ERR_RANGE,
		    "a blank follows the \"!\"");
	if (pattern->negated && text[0] == '!')
		return dmt_error_set(error, DMTRACE_ERR_RANGE, "a second"
		    " \"!\": one negates, and a name that begins with \"!\""
		    " is \"?%.40s\"", text + 1);
	return text[0] == '/' ? compile_expression(pattern, error) :
	    DMTRACE_OK;
}

struct dmt_pattern *
dmt_pattern_new(const char *text, struct dmtrace_error *error)
{
	struct dmt_pattern *const pattern =
	    dmt_array_new(1, sizeof(*pattern));

	if (pattern == NULL) {
		dmt_error_memory(error);
		return NULL;
	}
	if (dmt_pattern_init(pattern, text, error) == DMTRACE_OK)
		return pattern;
	dmt_pattern_free(pattern);
	return NULL;
}

void
dmt_pattern_free(struct dmt_pattern *pattern)
{
	if (pattern != NULL)
		dmt_pattern_fini(pattern);
	free(pattern);
}

bool
dmt_pattern_is_negated(const struct dmt_pattern *pattern)
{
	return pattern->negated;
}

enum dmtrace_status
dmt_pattern_check(const char *text, struct dmtrace_error *error)
{
	struct dmt_pattern pattern;
	const enum dmtrace_status status =
	    dmt_pattern_init(&pattern, text, error);

	dmt_pattern_fini(&pattern);
	return status;
}

bool
dmt_pattern_is_name(struct dmtrace_text text)
{
	return text.len > 0 && text.bytes[0] != '!' && text.bytes[0] != '/' &&
	    !dmt_text_holds(text, '*') && !dmt_text_holds(text, '?');
}

size_t
dmt_pattern_list_len(const char *list)
{
	const size_t first = list[0] == '!';
	size_t depth = 0, len = first;

	if (list[first] == '/') {
		for (len++; list[len] != '\0'; len++)
			if (list[len] == ',' && list[len - 1] == '/' &&
			    len > first + 1)
				break;
		return len;
	}
	for (; list[len] != '\0'; len++) {
		if (list[len] == ',' && depth == 0)
			break;
		if (strchr("(<{", list[len]) != NULL)
			depth++;
		else if (strchr(")>}", list[len]) != NULL && depth > 0)
			depth--;
	}
	return len;
}

void
dmt_pattern_fini(struct dmt_pattern *pattern)
{
	if (pattern->kind == DMT_PATTERN_REGEX)
		regfree(&pattern->regex);
	free(pattern->text);
}

/* The classes in a method's text are its first class_len bytes, and what is at
 * types_at and later. */
struct subject {
	const char *bytes;
	size_t len;
	size_t class_len;
	size_t types_at;
};

static bool
is_like(char wanted, const struct subject *subject, size_t at)
{
	if (wanted == '?' || wanted == subject->bytes[at])
		return true;
	return (at < subject->class_len || at >= subject->types_at) &&
	    dmt_class_byte(wanted) == dmt_class_byte(subject->bytes[at]);
}

/* A star first matches nothing; when the rest does not match, one byte more. */
static bool
match_glob(const char *pattern, const struct subject *subject)
{
	const char *star = NULL;
	size_t at = 0, taken = 0;

	while (at < subject->len) {
		if (*pattern == '*') {
			star = pattern++;
			taken = at;
		} else if (*pattern != '\0' &&
		    is_like(*pattern, subject, at)) {
			pattern++;
			at++;
		} else if (star != NULL) {
			pattern = star + 1;
			at = ++taken;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

bool
dmt_regex_search(const regex_t *regex, const char *text, size_t count,
    regmatch_t *found_at, bool *found)
{
	/* That of glibc says of missing memory that nothing matches. */
	errno = 0;
	const int status = regexec(regex, text, count, found_at, 0);

	*found = status == 0;
	return status != REG_ESPACE && (status == 0 || errno != ENOMEM);
}

bool
dmt_pattern_match_name(const struct dmt_pattern *pattern,
    struct dmtrace_text name, bool *matches)
{
	const struct subject subject = { name.bytes, name.len, 0, name.len };
	bool found, fine = true;

	if (pattern->kind == DMT_PATTERN_REGEX) {
		char *const text = strndup(name.len > 0 ? name.bytes : "",
		    name.len);

		fine = text != NULL && dmt_regex_search(&pattern->regex, text,
		    0, NULL, &found);
		free(text);
	} else {
		found = match_glob(pattern->text, &subject);
	}
	*matches = fine && found != pattern->negated;
	return fine;
}

static void
put_pattern_text(struct dmt_method_text *text, const char *bytes, size_t len)
{
	if (len > 0)
		memcpy(text->bytes + text->len, bytes, len);
	text->len += len;
}

/* Returns the end of the argument types: after the last ")", or the end of the
 * text if it has none. */
static size_t
find_types_end(const struct dmt_method_text *text)
{
	size_t end = text->len;

	while (end > text->name_end && text->bytes[end - 1] != ')')
		end--;
	return end > text->name_end ? end : text->len;
}

static void
put_signature(struct dmt_method_text *text, struct dmtrace_text signature)
{
	const bool bare = signature.len > 0 && signature.bytes[0] != '(';

	text->name_end = text->len;
	if (bare)
		put_pattern_text(text, "(", 1);
	put_pattern_text(text, signature.bytes, signature.len);
	if (bare)
		put_pattern_text(text, ")", 1);
	text->types_end = find_types_end(text);
}

bool
dmt_method_text_make(struct dmt_method_text *text,
    const struct dmtrace_method *row, uint64_t id)
{
	static const size_t marks = sizeof("::() ");
	char number[DMT_NUMBER_MAX];
	const struct dmtrace_method method =
	    dmt_method_named(row, id, number);
	const struct dmt_method_scope scope =
	    dmt_method_scope(method.class_name, method.signature);
	const struct dmtrace_text file = { method.class_name.bytes,
	    dmt_class_is_file(method.class_name) ? method.class_name.len : 0 };
	char *bytes = dmt_array_grow(text->bytes, &text->capacity,
	    method.class_name.len + method.name.len + method.signature.len +
	    marks, 1);

	if (bytes == NULL)
		return false;
	text->bytes = bytes;
	text->len = 0;
	text->class_len = scope.text.len;
	put_pattern_text(text, scope.text.bytes, scope.text.len);
	put_pattern_text(text, scope.separator, strlen(scope.separator));
	put_pattern_text(text, method.name.bytes, method.name.len);
	put_signature(text, method.signature);
	put_pattern_text(text, " ", file.len > 0);
	put_pattern_text(text, file.bytes, file.len);
	return true;
}

size_t
dmt_method_text_ends(const struct dmt_method_text *text,
    size_t ends[DMT_METHOD_ENDS])
{
	size_t count = 0;

	ends[count++] = text->len;
	if (text->types_end < text->len)
		ends[count++] = text->types_end;
	if (text->name_end < text->types_end)
		ends[count++] = text->name_end;
	return count;
}

static void
replace_byte(char *bytes, size_t len, char old, char new)
{
	for (size_t i = 0; i < len; i++)
		if (bytes[i] == old)
			bytes[i] = new;
}

static bool
has_glob(const struct dmt_pattern *pattern,
    const struct dmt_method_text *text)
{
	size_t ends[DMT_METHOD_ENDS];
	const size_t count = dmt_method_text_ends(text, ends);
	bool found = false;

	for (size_t i = 0; i < count && !found; i++)
		found = match_glob(pattern->text, &(struct subject){
		    text->bytes, ends[i], text->class_len, text->name_end });
	return found;
}

/* Sets *found: the expression matches in the first end bytes of the text.
 * false: no memory. */
static bool
search_before(const struct dmt_pattern *pattern, struct dmt_method_text *text,
    size_t end, bool *found)
{
	const char cut = text->bytes[end];

	text->bytes[end] = '\0';
	const bool fine = dmt_regex_search(&pattern->regex, text->bytes, 0,
	    NULL, found);
	text->bytes[end] = cut;
	return fine;
}

/* Sets *found: the expression matches in one of the texts of the method. */
static bool
search_method(const struct dmt_pattern *pattern, struct dmt_method_text *text,
    bool *found)
{
	size_t ends[DMT_METHOD_ENDS];
	const size_t count = dmt_method_text_ends(text, ends);
	bool fine = true;

	*found = false;
	for (size_t i = 0; i < count && fine && !*found; i++)
		fine = search_before(pattern, text, ends[i], found);
	return fine;
}

bool
dmt_pattern_match_method(const struct dmt_pattern *pattern,
    struct dmt_method_text *text, bool *matches)
{
	bool found = false, fine = true;

	if (pattern->kind != DMT_PATTERN_REGEX) {
		found = has_glob(pattern, text);
	} else {
		replace_byte(text->bytes, text->class_len, '/', '.');
		fine = search_method(pattern, text, &found);
		if (fine && !found) {
			replace_byte(text->bytes, text->class_len, '.', '/');
			fine = search_method(pattern, text, &found);
		}
	}
	*matches = fine && found != pattern->negated;
	return fine;
}
