/* line_text.c - parts of a line: trimming and splitting */

#include "key/line_text.h"

static struct dmtrace_text
skip_text_blanks(struct dmtrace_text text)
{
	while (text.len > 0 && dmt_is_blank(text.bytes[0]))
		text = dmt_text_after(text, 1);
	return text;
}

bool
dmt_text_is_plain(struct dmtrace_text text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((uint8_t)text.bytes[i] < ' ' && text.bytes[i] != '\t')
			return false;
	return true;
}

struct dmtrace_text
dmt_text_trim(struct dmtrace_text text)
{
	text = skip_text_blanks(text);
	while (text.len > 0 && dmt_is_blank(text.bytes[text.len - 1]))
		text.len--;
	return text;
}

struct dmtrace_text
dmt_text_trim_java(struct dmtrace_text text)
{
	while (text.len > 0 && (uint8_t)text.bytes[text.len - 1] <= ' ')
		text.len--;
	while (text.len > 0 && (uint8_t)text.bytes[0] <= ' ')
		text = dmt_text_after(text, 1);
	return text;
}

struct dmtrace_text
dmt_text_cut(struct dmtrace_text *rest, char separator)
{
	struct dmtrace_text first = *rest;
	const char *found = first.len == 0 ? NULL :
	    memchr(first.bytes, separator, first.len);

	if (found == NULL) {
		*rest = (struct dmtrace_text){ NULL, 0 };
		return first;
	}
	first.len = (size_t)(found - first.bytes);
	*rest = dmt_text_after(*rest, first.len + 1);
	return first;
}

struct dmtrace_text
dmt_text_word(struct dmtrace_text *rest)
{
	struct dmtrace_text word = skip_text_blanks(*rest);
	size_t len = 0;

	while (len < word.len && !dmt_is_blank(word.bytes[len]))
		len++;
	*rest = skip_text_blanks(dmt_text_after(word, len));
	word.len = len;
	return word;
}
