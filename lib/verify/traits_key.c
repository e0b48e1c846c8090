/* traits_key.c - what readers stumble over in the text of a key */

#include <string.h>

#include "verify/traits.h"

enum section {
	SECTION_NONE,			/* before "*version" */
	SECTION_OPTIONS,
	SECTION_THREADS,
	SECTION_METHODS,
	SECTION_OTHER
};

enum { COLUMNS = 6 };		/* of a method's line, that matter */

/* A line without its end. */
struct line {
	const char *text;
	size_t len;
};

static bool
is(const struct line *line, const char *text)
{
	return line->len == strlen(text) &&
	    memcmp(line->text, text, line->len) == 0;
}

static void
look_at_option(struct dmt_traits *traits, const struct line *line)
{
	const char *const equals = memchr(line->text, '=', line->len);

	if (line->len == 0)
		traits->has[DMT_TRAIT_OPTION_BLANK] = true;
	if (equals == NULL)
		return;
	const size_t rest =
	    line->len - (size_t)(equals + 1 - line->text);
	if (rest == 0 || memchr(equals + 1, '=', rest) != NULL)
		traits->has[DMT_TRAIT_OPTION_ODD] = true;
	if (is(line, "clock=thread-cpu"))
		traits->has[DMT_TRAIT_CLOCK_CPU] = true;
	if (is(line, "clock=global"))
		traits->has[DMT_TRAIT_CLOCK_GLOBAL] = true;
}

static bool
is_hex(const struct line *id)
{
	for (size_t i = 0; i < id->len; i++)
		if (strchr("0123456789abcdefABCDEF", id->text[i]) == NULL ||
		    id->text[i] == '\0')
			return false;
	return id->len > 0;
}

static size_t
span(const struct line *id, size_t from, const char *of)
{
	size_t to = from;

	while (to < id->len && id->text[to] != '\0' &&
	    strchr(of, id->text[to]) != NULL)
		to++;
	return to - from;
}

/* As strtoul() with base 0 takes it: all of it, or nothing at once. */
static bool
is_c_number(const struct line *id)
{
	size_t at = span(id, 0, " \v\f\r");

	if (id->len == 0)
		return true;
	if (at < id->len && (id->text[at] == '-' || id->text[at] == '+'))
		at++;
	if (at + 2 < id->len && id->text[at] == '0' &&
	    (id->text[at + 1] | 0x20) == 'x')
		return at + 2 + span(id, at + 2,
		    "0123456789abcdefABCDEF") == id->len;
	const size_t digits = span(id, at, at < id->len &&
	    id->text[at] == '0' ? "01234567" : "0123456789");
	return digits > 0 && at + digits == id->len;
}

static void
look_at_id(struct dmt_traits *traits, const struct line *id)
{
	size_t digits = 0;

	if (!is_c_number(id))
		traits->has[DMT_TRAIT_ID_NOT_C] = true;
	if (is(id, "(nil)"))
		traits->has[DMT_TRAIT_ID_NIL] = true;
	if (!is_hex(id))
		return;
	while (digits < id->len && id->text[digits] <= '9')
		digits++;
	if (digits < id->len)
		traits->has[DMT_TRAIT_ID_HEX] = true;
	else if (id->len > 1)
		traits->has[id->text[0] == '0' ? DMT_TRAIT_ID_OCTAL :
		    DMT_TRAIT_ID_DECIMAL] = true;
}

/* The columns as far as they matter; returns how many there are. */
static size_t
split(struct line columns[COLUMNS], const struct line *line)
{
	const char *from = line->text, *const end = line->text + line->len;
	size_t count = 0;

	for (;;) {
		const char *const tab = memchr(from, '\t',
		    (size_t)(end - from));
		const char *const to = tab == NULL ? end : tab;

		if (count < COLUMNS)
			columns[count] = (struct line){ from,
			    (size_t)(to - from) };
		count++;
		if (tab == NULL)
			return count;
		from = tab + 1;
	}
}

static void
look_at_method(struct dmt_traits *traits, const struct line *line)
{
	static const enum dmt_trait by_count[] = { DMT_TRAIT_COUNT,
	    DMT_TRAIT_COLUMNS_1, DMT_TRAIT_COLUMNS_2, DMT_TRAIT_COLUMNS_3,
	    DMT_TRAIT_COUNT, DMT_TRAIT_COLUMNS_5 };
	struct line columns[COLUMNS];

	traits->has[DMT_TRAIT_METHOD_NO_LINE] = false;
	if (line->len == 0) {
		traits->has[DMT_TRAIT_METHOD_BLANK] = true;
		return;
	}
	const size_t count = split(columns, line);
	if (count == 1 && memchr(line->text, ' ', line->len) != NULL)
		return;			/* blanks for TABs: a finding */
	look_at_id(traits, &columns[0]);
	if (count < sizeof(by_count) / sizeof(by_count[0]) &&
	    by_count[count] != DMT_TRAIT_COUNT)
		traits->has[by_count[count]] = true;
	if (count >= 4 && columns[3].len == 0)
		traits->has[count == 4 ? DMT_TRAIT_SIGNATURE_LAST :
		    DMT_TRAIT_SIGNATURE_EMPTY] = true;
	else if (count == 4 && columns[3].text[0] != '(')
		traits->has[DMT_TRAIT_SIGNATURE_ODD] = true;
	for (size_t i = 3; count >= COLUMNS && i < COLUMNS; i++)
		if (columns[i].len == 0)
			traits->has[DMT_TRAIT_COLUMN_EMPTY] = true;
}

static void
look_at_thread(struct dmt_traits *traits, const struct line *line)
{
	traits->has[DMT_TRAIT_THREAD_NO_LINE] = false;
	if (line->len == 0)
		traits->has[DMT_TRAIT_THREAD_BLANK] = true;
	else if (line->text[0] == ' ')
		traits->has[DMT_TRAIT_THREAD_ID_OTHER] = true;
	else if (line->len > 1 && line->text[0] == '0' &&
	    (line->text[1] == 'x' || line->text[1] == 'X'))
		traits->has[DMT_TRAIT_THREAD_ID_HEX] = true;
}

static void
look_at_line(struct dmt_traits *traits, enum section section,
    const struct line *line)
{
	switch (section) {
	case SECTION_NONE:
		break;
	case SECTION_OPTIONS:
		look_at_option(traits, line);
		break;
	case SECTION_THREADS:
		look_at_thread(traits, line);
		break;
	case SECTION_METHODS:
		look_at_method(traits, line);
		break;
	case SECTION_OTHER:
		traits->has[DMT_TRAIT_SECTION_ROWS] = true;
		break;
	}
}

/* Blanks behind the name are a finding of their own. */
static enum section
section_of(const struct line *text)
{
	struct line trimmed = *text;
	const struct line *const line = &trimmed;

	while (trimmed.text[trimmed.len - 1] == ' ' ||
	    trimmed.text[trimmed.len - 1] == '\t')
		trimmed.len--;
	if (is(line, "*threads"))
		return SECTION_THREADS;
	if (is(line, "*methods"))
		return SECTION_METHODS;
	return is(line, "*version") ? SECTION_OPTIONS : SECTION_OTHER;
}

/* To some a section of threads without lines is worse than none. */
static enum section
begin(struct dmt_traits *traits, const struct line *line)
{
	const enum section section = section_of(line);

	if (section == SECTION_THREADS)
		traits->has[DMT_TRAIT_THREAD_NO_LINE] = true;
	return section;
}

static bool
is_end(const struct line *line)
{
	return line->len >= 4 && memcmp(line->text, "*end", 4) == 0;
}

void
dmt_traits_of_key(struct dmt_traits *traits, const char *text, size_t len)
{
	const char *const end = text + len;
	enum section section = SECTION_NONE;

	traits->has[DMT_TRAIT_METHOD_NO_LINE] = true;
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] >= 0x80)
			traits->has[DMT_TRAIT_NOT_ASCII] = true;
		else if (text[i] == '\0')
			traits->has[DMT_TRAIT_NAME_NUL] = true;
	while (text < end) {
		const char *const lf = memchr(text, '\n',
		    (size_t)(end - text));
		struct line line = { text,
		    (size_t)((lf == NULL ? end : lf) - text) };

		text += line.len + 1;
		if (line.len > 0 && line.text[line.len - 1] == '\r')
			line.len--;
		if (is_end(&line))
			return;
		if (line.len > 0 && line.text[0] == '*')
			section = begin(traits, &line);
		else
			look_at_line(traits, section, &line);
		if (lf == NULL)
			return;
	}
}
