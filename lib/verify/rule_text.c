/* rule_text.c - the words of a rule: figures, operators, numbers and times */

/*
 * The rules of specifications and those of "diff" are written in the same
 * words, which are parsed here. A line is taken apart token by token. Tokens
 * are separated by blanks; a '#' at the start of a token begins a comment. A
 * token in double quotes may contain any text, with escapes. A token that
 * begins with a slash, or with one after "!", is a regular expression, which
 * may contain blanks, and ends at the next slash before a blank. In brackets,
 * as in "calls(METHOD)", blanks need no quotes, and inner brackets are
 * balanced.
 *
 * The first error is kept, and ends the line: then there are no more tokens.
 */

#include "verify/rule_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "key/line_text.h"
#include "private/status.h"

static const struct {
	const char *token;
	enum dmt_compare compare;
} compare_rows[] = {
	{ "==", DMT_EQUAL }, { "!=", DMT_UNEQUAL },
	{ "<", DMT_LESS }, { "<=", DMT_AT_MOST }, { ">", DMT_MORE },
	{ ">=", DMT_AT_LEAST },
};

void
dmt_token_fail(const struct dmt_line_tokens *tokens, const char *format, ...)
{
	char message[DMTRACE_MESSAGE_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	dmt_error_at(tokens->error, DMTRACE_ERR_CORRUPT, tokens->line == 0 ?
	    DMTRACE_PLACE_NONE : DMTRACE_PLACE_LINE, tokens->line, "%s",
	    message);
}

static const struct dmt_token no_token = { .none = true };

static struct dmt_token
fail_token(const struct dmt_line_tokens *tokens, const char *what)
{
	dmt_token_fail(tokens, "%s", what);
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

/* Decodes an escape. *in is after the backslash, and is moved to the end of the
 * escape. false: there is no such escape. */
static bool
decode_escape(const char **in, const char *end, char *out)
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

/* after: what may follow the quote, besides a blank. */
static struct dmt_token
take_quoted(struct dmt_line_tokens *tokens, char after)
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

		if (byte == '\\' && !decode_escape(&in, tokens->end, &byte))
			return fail_token(tokens, "an escape in quotes is one "
			    "of \\\\ \\\" \\t \\n \\r and \\xNN");
		out[token.len++] = byte;
	}
	if (in == tokens->end)
		return fail_token(tokens, "a quote is not closed");
	tokens->at = in + 1;
	if (tokens->at < tokens->end && !dmt_is_blank(*tokens->at) &&
	    *tokens->at != after)
		return fail_token(tokens, "a blank must follow a quote");
	return token;
}

void
dmt_token_skip_blanks(struct dmt_line_tokens *tokens)
{
	while (tokens->at < tokens->end && dmt_is_blank(*tokens->at))
		tokens->at++;
}

/* Fails if "!" is before a quote: what it negates is a pattern. */
static bool
fail_negated_quote(const struct dmt_line_tokens *tokens)
{
	if (tokens->end - tokens->at < 2 || memcmp(tokens->at, "!\"", 2) != 0)
		return false;
	fail_token(tokens, "\"!\" negates a name or pattern without quotes, "
	    "such as !Foo.bar or !/^Binder 1$/");
	return true;
}

struct dmt_token
dmt_token_next(struct dmt_line_tokens *tokens)
{
	dmt_token_skip_blanks(tokens);
	if (tokens->at == tokens->end || *tokens->at == '#' ||
	    tokens->error->status != DMTRACE_OK)
		return no_token;
	if (*tokens->at == '"')
		return take_quoted(tokens, ' ');

	const char *const begin = tokens->at, *end = begin;
	const char *const inner = begin + (*begin == '!');
	if (fail_negated_quote(tokens))
		return no_token;
	while (end < tokens->end && !dmt_is_blank(*end))
		end++;
	if (inner < tokens->end && *inner == '/')
		for (const char *in = inner + 1; in < tokens->end; in++)
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

struct dmt_token
dmt_token_bracketed(struct dmt_line_tokens *tokens)
{
	struct dmt_token token = { .none = false };
	bool is_regex = false;
	size_t depth = 1;

	tokens->at++;
	dmt_token_skip_blanks(tokens);
	const char *const begin = tokens->at;
	if (begin < tokens->end && *begin == '"') {
		token = take_quoted(tokens, ')');
		if (token.none)
			return token;
	} else {
		const char *const inner = begin +
		    (begin < tokens->end && *begin == '!');
		const char *end = begin;

		is_regex = inner < tokens->end && *inner == '/';
		if (fail_negated_quote(tokens))
			return no_token;
		for (; tokens->at < tokens->end; tokens->at++) {
			const char byte = *tokens->at;

			if (is_regex ? byte == ')' && tokens->at > inner + 1 &&
			    end[-1] == '/' : byte == ')' && --depth == 0)
				break;
			depth += byte == '(';
			if (!dmt_is_blank(byte))
				end = tokens->at + 1;
		}
		token.bytes = begin;
		token.len = (size_t)(end - begin);
	}
	dmt_token_skip_blanks(tokens);
	if (tokens->at == tokens->end || *tokens->at != ')')
		return fail_token(tokens, is_regex ? "the regular expression "
		    "in the brackets does not end with a slash, or the bracket"
		    " is not closed" : "a bracket is not closed");
	tokens->at++;
	return token.len > 0 ? token : fail_token(tokens,
	    "there is no method in the brackets");
}

bool
dmt_token_is(const struct dmt_token *token, const char *keyword)
{
	return !token->none && !token->quoted &&
	    token->len == strlen(keyword) &&
	    memcmp(token->bytes, keyword, token->len) == 0;
}

bool
dmt_token_compare(struct dmt_line_tokens *tokens, enum dmt_compare *compare)
{
	char found[DMT_ESCAPED_MAX];
	size_t len = 0;

	dmt_token_skip_blanks(tokens);
	const size_t left = (size_t)(tokens->end - tokens->at);
	while (len < left && memchr("=!<>", tokens->at[len], 4) != NULL)
		len++;
	for (size_t i = 0;
	    i < sizeof(compare_rows) / sizeof(compare_rows[0]); i++) {
		const char *const sign = compare_rows[i].token;

		if (len == 0 || strlen(sign) != len ||
		    memcmp(sign, tokens->at, len) != 0)
			continue;
		*compare = compare_rows[i].compare;
		tokens->at += len;
		return true;
	}
	if (len > 0)
		dmt_token_fail(tokens, "unknown operator \"%s\"; the operators"
		    " are " DMT_OPERATORS, dmt_escape(found, sizeof(found),
		    tokens->at, len));
	return false;
}

/* Copies a token without quotes. false: it is too long to be a number. */
static bool
copy_number(char string[64], const struct dmt_token *token)
{
	if (token->none || token->quoted || token->len >= 64)
		return false;
	memcpy(string, token->bytes, token->len);
	string[token->len] = '\0';
	return true;
}

bool
dmt_token_count(const struct dmt_token *token, uint64_t *number)
{
	char string[64];

	return copy_number(string, token) &&
	    dmt_count_parse(string, 1000, number);
}

bool
dmt_token_time(const struct dmt_line_tokens *tokens,
    const struct dmt_token *token, int64_t *ns)
{
	char string[64], found[DMT_ESCAPED_MAX];
	uint64_t number;
	double decimal;

	if (copy_number(string, token) &&
	    dmt_duration_parse(string, ns) == DMTRACE_OK)
		return true;
	dmt_escape(found, sizeof(found), token->bytes, token->len);
	const char *const rest = found + (found[0] == '+' || found[0] == '-');
	if (!token->quoted && (dmt_count_parse(rest, 1000, &number) ||
	    dmt_decimal_parse(rest, &decimal)))
		dmt_token_fail(tokens, "the time %s has no unit (ns, us, ms, "
		    "s, min or h), such as %sus", found, found);
	else
		dmt_token_fail(tokens, "\"%s\" is not a time with a unit (ns,"
		    " us, ms, s, min or h), such as 20ms or 1.5s", found);
	return false;
}

bool
dmt_token_clock(const struct dmt_token *token, enum dmt_time *clock)
{
	/* As options --clock name them; the second ones are those of keys. */
	if (dmt_token_is(token, "cpu") || dmt_token_is(token, "thread-cpu"))
		*clock = DMT_TIME_CPU;
	else if (dmt_token_is(token, "wall") || dmt_token_is(token, "global"))
		*clock = DMT_TIME_WALL;
	else
		return false;
	return true;
}
