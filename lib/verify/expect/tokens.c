/* tokens.c - the words of a line, and names as such words */

#include "verify/expect/tokens.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "key/rows.h"

static bool
is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

static bool
wrong(const struct dmt_line_tokens *words, const char *what)
{
	dmt_error_at(words->error, DMTRACE_ERR_CORRUPT, DMTRACE_PLACE_LINE,
	    words->line, "%s", what);
	return false;
}

static int
hex_digit(char byte)
{
	if (byte >= '0' && byte <= '9')
		return byte - '0';
	if (byte >= 'a' && byte <= 'f')
		return byte - 'a' + 10;
	return byte >= 'A' && byte <= 'F' ? byte - 'A' + 10 : -1;
}

/* Behind a backslash; *in goes behind it. false: there is no such escape. */
static bool
unescape(const char **in, const char *end, char *out)
{
	static const char letters[] = "tnr\\\"", bytes[] = "\t\n\r\\\"";
	const char *const found = *in == end ? NULL :
	    memchr(letters, **in, sizeof(letters) - 1);

	if (found != NULL) {
		*out = bytes[found - letters];
		++*in;
		return true;
	}
	if (end - *in < 3 || **in != 'x' || hex_digit((*in)[1]) < 0 ||
	    hex_digit((*in)[2]) < 0)
		return false;
	*out = (char)(hex_digit((*in)[1]) * 16 + hex_digit((*in)[2]));
	*in += 3;
	return true;
}

/* Behind the quote. */
static bool
take_quoted(struct dmt_line_tokens *words, struct dmt_token *word)
{
	const char *in = words->at + 1;
	char *const out = dmt_arena_alloc(words->arena,
	    (size_t)(words->end - in) + 1);

	if (out == NULL) {
		dmt_error_memory(words->error);
		return false;
	}
	*word = (struct dmt_token){ .bytes = out, .quoted = true };
	while (in < words->end && *in != '"') {
		char byte = *in++;

		if (byte == '\\' && !unescape(&in, words->end, &byte))
			return wrong(words, "an escape in quotes is one of"
			    " \\\\ \\\" \\t \\n \\r and \\xNN");
		out[word->len++] = byte;
	}
	if (in == words->end)
		return wrong(words, "a quote has no end");
	words->at = in + 1;
	return words->at == words->end || is_blank(*words->at) ||
	    wrong(words, "no blank stands behind a quote");
}

/* A regular expression goes on to a slash with a blank behind it. */
static const char *
word_end(const char *at, const char *end)
{
	const char *in = at;

	for (; *at == '/' && in < end; in++)
		if (in > at && *in == '/' && (in + 1 == end ||
		    is_blank(in[1])))
			return in + 1;
	in = at;
	while (in < end && !is_blank(*in))
		in++;
	return in;
}

bool
dmt_token_next(struct dmt_line_tokens *words, struct dmt_token *word)
{
	*word = (struct dmt_token){ .none = true };
	while (words->at < words->end && is_blank(*words->at))
		words->at++;
	if (words->at == words->end || *words->at == '#')
		return true;
	if (*words->at == '"')
		return take_quoted(words, word);
	const char *const end = word_end(words->at, words->end);
	*word = (struct dmt_token){ .bytes = words->at,
	    .len = (size_t)(end - words->at) };
	words->at = end;
	return true;
}

bool
dmt_token_is(const struct dmt_token *word, const char *keyword)
{
	return !word->none && !word->quoted &&
	    word->len == strlen(keyword) &&
	    memcmp(word->bytes, keyword, word->len) == 0;
}

bool
dmt_token_number(const struct dmt_token *word, uint64_t *number)
{
	uint64_t value = 0;

	if (word->none || word->quoted)
		return false;
	for (size_t i = 0; i < word->len; i++) {
		const char byte = word->bytes[i];
		const uint64_t digit = (uint64_t)(byte - '0');

		if (byte < '0' || byte > '9' ||
		    value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*number = value;
	return word->len > 0;
}

void
dmt_buffer_put(struct dmt_buffer *buf, const char *bytes, size_t len)
{
	char *const grown = buf->failed ? NULL : dmt_array_grow(buf->bytes,
	    &buf->capacity, buf->len + len + 1, 1);

	if (grown == NULL) {
		buf->failed = true;
		return;
	}
	buf->bytes = grown;
	if (len > 0)
		memcpy(grown + buf->len, bytes, len);
	buf->len += len;
	grown[buf->len] = '\0';
}

void
dmt_buffer_printf(struct dmt_buffer *buf, const char *format, ...)
{
	char words[512];
	va_list args;

	va_start(args, format);
	const int len = vsnprintf(words, sizeof(words), format, args);
	va_end(args);
	dmt_buffer_put(buf, words, len < 0 ? 0 : (size_t)len < sizeof(words) ?
	    (size_t)len : sizeof(words) - 1);
}

/* Whether a name is a word as it is. */
static bool
is_plain(const char *bytes, size_t len, bool glob)
{
	const char *const special = glob ? " \"" : " \"*?";

	if (len == 0 || bytes[0] == '#' || (bytes[0] == '/' && !glob))
		return false;
	for (size_t i = 0; i < len;) {
		char unit[DMT_UNIT_MAX + 1];
		size_t used;
		const size_t size = dmt_escape_first(unit, &used, bytes + i,
		    len - i);

		if (used != size || unit[0] != bytes[i] ||
		    strchr(special, bytes[i]) != NULL)
			return false;
		i += size;
	}
	return true;
}

void
dmt_buffer_put_token(struct dmt_buffer *buf, const char *bytes, size_t len,
    bool glob)
{
	if (is_plain(bytes, len, glob)) {
		dmt_buffer_put(buf, bytes, len);
		return;
	}
	dmt_buffer_put(buf, "\"", 1);
	for (size_t i = 0; i < len;) {
		char unit[DMT_UNIT_MAX + 1];
		size_t used;

		if (bytes[i] == '"')
			dmt_buffer_put(buf, "\\", 1);
		i += dmt_escape_first(unit, &used, bytes + i, len - i);
		dmt_buffer_put(buf, unit, used);
	}
	dmt_buffer_put(buf, "\"", 1);
}

static void
put_class(struct dmt_buffer *buf, struct dmtrace_text class_name)
{
	const size_t begin = buf->len;

	dmt_buffer_put(buf, class_name.bytes, class_name.len);
	for (size_t i = begin; i < buf->len; i++)
		if (buf->bytes[i] == '/')
			buf->bytes[i] = '.';
	dmt_buffer_put(buf, ".", 1);
}

void
dmt_buffer_put_method(struct dmt_buffer *buf, const struct dmtrace_method *row,
    uint64_t id, bool signature)
{
	char number[DMT_NUMBER_MAX];
	const struct dmtrace_method method =
	    dmt_method_named(row, id, number);
	const struct dmtrace_text types = method.signature;
	const bool bare = types.len > 0 && types.bytes[0] != '(';

	if (method.class_name.len > 0)
		put_class(buf, method.class_name);
	dmt_buffer_put(buf, method.name.bytes, method.name.len);
	if (!signature || types.len == 0)
		return;
	if (bare)
		dmt_buffer_put(buf, "(", 1);
	dmt_buffer_put(buf, types.bytes, types.len);
	if (bare)
		dmt_buffer_put(buf, ")", 1);
}

void
dmt_buffer_fini(struct dmt_buffer *buf)
{
	free(buf->bytes);
	*buf = (struct dmt_buffer){ 0 };
}
