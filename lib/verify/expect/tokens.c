/* tokens.c - the tokens of a line, and names written as tokens */

/*
 * Blanks separate tokens, and a '#' that begins one begins a comment. A token
 * in double quotes may hold anything, with escapes; one that begins with a
 * slash is a regular expression, goes on to the next slash before a blank, and
 * may hold blanks, too. Names are written so that they read back the same.
 */

#include "verify/expect/tokens.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "key/rows.h"
#include "key/text.h"

static const struct dmt_token no_token = { .none = true };

static struct dmt_token
fail_token(const struct dmt_line_tokens *tokens, const char *what)
{
	dmt_error_at(tokens->error, DMTRACE_ERR_CORRUPT, DMTRACE_PLACE_LINE,
	    tokens->line, "%s", what);
	return no_token;
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

/* Reads an escape, of which *in is after the backslash, and moves *in after
 * it. false: there is no such escape. */
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

static struct dmt_token
take_quoted(struct dmt_line_tokens *tokens)
{
	const char *in = tokens->at + 1;
	char *const out = dmt_arena_alloc(tokens->arena,
	    (size_t)(tokens->end - in) + 1);
	struct dmt_token token = { .bytes = out, .quoted = true };

	if (out == NULL) {
		dmt_error_memory(tokens->error);
		return no_token;
	}
	while (in < tokens->end && *in != '"') {
		char byte = *in++;

		if (byte == '\\' && !unescape(&in, tokens->end, &byte))
			return fail_token(tokens, "an escape in quotes is one "
			    "of \\\\ \\\" \\t \\n \\r and \\xNN");
		out[token.len++] = byte;
	}
	if (in == tokens->end)
		return fail_token(tokens, "a quote is not closed");
	tokens->at = in + 1;
	if (tokens->at < tokens->end && !dmt_is_blank(*tokens->at))
		return fail_token(tokens, "a blank must follow a quote");
	return token;
}

struct dmt_token
dmt_token_next(struct dmt_line_tokens *tokens)
{
	while (tokens->at < tokens->end && dmt_is_blank(*tokens->at))
		tokens->at++;
	if (tokens->at == tokens->end || *tokens->at == '#' ||
	    tokens->error->status != DMTRACE_OK)
		return no_token;
	if (*tokens->at == '"')
		return take_quoted(tokens);

	const char *const begin = tokens->at, *end = begin;
	while (end < tokens->end && !dmt_is_blank(*end))
		end++;
	if (*begin == '/')
		for (const char *in = begin + 1; in < tokens->end; in++)
			if (*in == '/' && (in + 1 == tokens->end ||
			    dmt_is_blank(in[1]))) {
				end = in + 1;
				break;
			}
	tokens->at = end;
	return (struct dmt_token){
		.bytes = begin, .len = (size_t)(end - begin)
	};
}

bool
dmt_token_is(const struct dmt_token *token, const char *keyword)
{
	return !token->none && !token->quoted &&
	    token->len == strlen(keyword) &&
	    memcmp(token->bytes, keyword, token->len) == 0;
}

bool
dmt_token_number(const struct dmt_token *token, uint64_t *number)
{
	uint64_t value = 0;

	if (token->none || token->quoted)
		return false;
	for (size_t i = 0; i < token->len; i++) {
		const char byte = token->bytes[i];
		const uint64_t digit = (uint64_t)(byte - '0');

		if (byte < '0' || byte > '9' ||
		    value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*number = value;
	return token->len > 0;
}

void
dmt_buffer_put(struct dmt_buffer *buffer, const char *bytes, size_t len)
{
	char *const grown = buffer->failed ? NULL : dmt_array_grow(
	    buffer->bytes, &buffer->capacity, buffer->len + len + 1, 1);

	if (grown == NULL) {
		buffer->failed = true;
		return;
	}
	buffer->bytes = grown;
	if (len > 0)
		memcpy(grown + buffer->len, bytes, len);
	buffer->len += len;
	grown[buffer->len] = '\0';
}

void
dmt_buffer_printf(struct dmt_buffer *buffer, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	const int len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	dmt_buffer_put(buffer, text, len < 0 ? 0 :
	    (size_t)len < sizeof(text) ? (size_t)len : sizeof(text) - 1);
}

/* Whether a name reads back as it is, without quotes. */
static bool
needs_no_quotes(const char *bytes, size_t len, bool glob)
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
dmt_buffer_put_token(struct dmt_buffer *buffer, const char *bytes, size_t len,
    bool glob)
{
	if (needs_no_quotes(bytes, len, glob)) {
		dmt_buffer_put(buffer, bytes, len);
		return;
	}
	dmt_buffer_put(buffer, "\"", 1);
	for (size_t i = 0; i < len;) {
		char unit[DMT_UNIT_MAX + 1];
		size_t used;

		if (bytes[i] == '"')
			dmt_buffer_put(buffer, "\\", 1);
		i += dmt_escape_first(unit, &used, bytes + i, len - i);
		dmt_buffer_put(buffer, unit, used);
	}
	dmt_buffer_put(buffer, "\"", 1);
}

void
dmt_buffer_put_method(struct dmt_buffer *buffer,
    const struct dmtrace_method *row, uint64_t id, bool signature)
{
	char number[DMT_NUMBER_MAX];
	const struct dmtrace_method method = dmt_method_named(row, id, number);
	const struct dmtrace_text types = method.signature;
	const bool bare = types.len > 0 && types.bytes[0] != '(';

	if (method.class_name.len > 0) {
		const size_t begin = buffer->len;

		dmt_buffer_put(buffer, method.class_name.bytes,
		    method.class_name.len);
		for (size_t i = begin; i < buffer->len; i++)
			if (buffer->bytes[i] == '/')
				buffer->bytes[i] = '.';
		dmt_buffer_put(buffer, ".", 1);
	}
	dmt_buffer_put(buffer, method.name.bytes, method.name.len);
	if (signature && types.len > 0) {
		dmt_buffer_put(buffer, "(", bare);
		dmt_buffer_put(buffer, types.bytes, types.len);
		dmt_buffer_put(buffer, ")", bare);
	}
}

void
dmt_buffer_fini(struct dmt_buffer *buffer)
{
	free(buffer->bytes);
	*buffer = (struct dmt_buffer){ 0 };
}
