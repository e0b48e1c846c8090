/* json.c - a tokenizer for JSON */

/*
 * It is strict (RFC 8259), but strings may have any bytes from 0x20 on, and
 * half of a surrogate pair becomes U+FFFD. The open objects and arrays are kept
 * as a string of brackets, so that nesting costs one byte per level and no
 * recursion. state says which tokens may come next; any other token is an
 * error. A text that ends where more must follow is truncated, not corrupt.
 */

#include "base/json.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

enum {
	WANT_VALUE,
	WANT_ITEM_OR_END,		/* after '[' */
	WANT_NAME_OR_END,		/* after '{' */
	WANT_NAME,
	WANT_COMMA_OR_END
};

static enum dmt_json_token
fail_json(struct dmt_json *json, enum dmtrace_status status, const char *what)
{
	dmt_error_at(&json->error, status, DMTRACE_PLACE_OFFSET, json->at,
	    "%s", what);
	return DMT_JSON_END;
}

static enum dmt_json_token
fail_json_memory(struct dmt_json *json)
{
	dmt_error_memory(&json->error);
	return DMT_JSON_END;
}

/* Returns the next byte, or -1 at the end. */
static int
peek_byte(struct dmt_json *json)
{
	const uint8_t *bytes;

	if (dmt_input_peek(json->input, 1, &bytes) > 0)
		return bytes[0];
	if (json->input->error.status != DMTRACE_OK &&
	    json->error.status == DMTRACE_OK)
		json->error = json->input->error;
	return -1;
}

/* Something else was expected at the current place than what is there. */
static enum dmt_json_token
fail_here(struct dmt_json *json, const char *what)
{
	return peek_byte(json) >= 0 ?
	    fail_json(json, DMTRACE_ERR_CORRUPT, what) :
	    fail_json(json, DMTRACE_ERR_TRUNCATED,
	    "the text ends within a value");
}

static int
take_byte(struct dmt_json *json)
{
	const int byte = peek_byte(json);

	if (byte >= 0)
		dmt_input_skip(json->input, 1);
	return byte;
}

static int
skip_blanks(struct dmt_json *json)
{
	int byte;

	while ((byte = peek_byte(json)) == ' ' || byte == '\t' ||
	    byte == '\n' || byte == '\r')
		dmt_input_skip(json->input, 1);
	json->at = json->input->offset;
	return byte;
}

/* Appends a byte and a NUL to the current string. false: it failed. */
static bool
add_byte(struct dmt_json *json, unsigned byte)
{
	if (json->len == DMT_JSON_STRING_MAX) {
		fail_json(json, DMTRACE_ERR_LIMIT,
		    "string of more than 16 MiB");
		return false;
	}
	char *const text = dmt_array_grow(json->text, &json->capacity,
	    json->len + 2, 1);
	if (text == NULL) {
		fail_json_memory(json);
		return false;
	}
	json->text = text;
	text[json->len++] = (char)byte;
	text[json->len] = '\0';
	return true;
}

static bool
add_character(struct dmt_json *json, uint32_t code)
{
	if (code < 0x80)
		return add_byte(json, code);
	if (code < 0x800)
		return add_byte(json, 0xc0 | code >> 6) &&
		    add_byte(json, 0x80 | (code & 0x3f));
	if (code < 0x10000)
		return add_byte(json, 0xe0 | code >> 12) &&
		    add_byte(json, 0x80 | (code >> 6 & 0x3f)) &&
		    add_byte(json, 0x80 | (code & 0x3f));
	return add_byte(json, 0xf0 | code >> 18) &&
	    add_byte(json, 0x80 | (code >> 12 & 0x3f)) &&
	    add_byte(json, 0x80 | (code >> 6 & 0x3f)) &&
	    add_byte(json, 0x80 | (code & 0x3f));
}

/* Decodes four hexadecimal digits. UINT32_MAX: one is missing. */
static uint32_t
decode_hex(const uint8_t *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	uint32_t code = 0;

	for (size_t i = 0; i < 4; i++) {
		const char *const digit = i >= len || bytes[i] == '\0' ? NULL :
		    strchr(digits, bytes[i]);

		if (digit == NULL)
			return UINT32_MAX;
		const uint32_t value = (uint32_t)(digit - digits);
		code = code * 16 + (value < 16 ? value : value - 6);
	}
	return code;
}

/* Reads the digits after "\u", and for a surrogate also its second half, and
 * appends the character. */
static bool
take_code(struct dmt_json *json)
{
	const uint8_t *bytes;
	size_t len = dmt_input_peek(json->input, 4, &bytes);
	uint32_t code = decode_hex(bytes, len);

	if (code == UINT32_MAX) {
		if (len < 4)
			dmt_input_skip(json->input, len);
		fail_here(json, "\\u without four digits");
		return false;
	}
	dmt_input_skip(json->input, 4);
	if (code < 0xd800 || code > 0xdfff)
		return add_character(json, code);
	len = dmt_input_peek(json->input, 6, &bytes);
	const uint32_t low = len < 6 || memcmp(bytes, "\\u", 2) != 0 ? 0 :
	    decode_hex(bytes + 2, 4);
	if (code >= 0xdc00 || low < 0xdc00 || low > 0xdfff)
		return add_character(json, 0xfffd);
	dmt_input_skip(json->input, 6);
	return add_character(json, 0x10000 + ((code - 0xd800) << 10) +
	    (low - 0xdc00));
}

static bool
take_escape(struct dmt_json *json)
{
	static const char names[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
	const int byte = peek_byte(json);
	const char *const name = byte <= 0 ? NULL : strchr(names, byte);

	if (byte != 'u' && name == NULL) {
		fail_here(json, "unknown escape in a string");
		return false;
	}
	take_byte(json);
	return byte == 'u' ? take_code(json) :
	    add_byte(json, (unsigned char)bytes[name - names]);
}

/* Reads a string with its quotes into text. false: it failed. */
static bool
take_string(struct dmt_json *json)
{
	take_byte(json);
	for (;;) {
		const int byte = take_byte(json);

		if (byte < ' ') {
			fail_json(json, byte < 0 ? DMTRACE_ERR_TRUNCATED :
			    DMTRACE_ERR_CORRUPT, byte < 0 ?
			    "unterminated string" :
			    "control character in a string");
			return false;
		}
		if (byte == '"')
			return true;
		if (byte == '\\' ? !take_escape(json) :
		    !add_byte(json, (unsigned)byte))
			return false;
	}
}

static bool
is_digit(int byte)
{
	return byte >= '0' && byte <= '9';
}

/* Copies digits to text. false: there is no digit. */
static bool
take_digits(struct dmt_json *json)
{
	const size_t before = json->len;

	while (is_digit(peek_byte(json)))
		if (!add_byte(json, (unsigned)take_byte(json)))
			return false;
	return json->len > before;
}

/* Sets real and, for a whole number that fits in 64 bits, integer. */
static enum dmt_json_token
set_json_number(struct dmt_json *json, bool whole)
{
	const bool negative = json->text[0] == '-';
	uint64_t value = 0;

	for (size_t i = negative; whole && i < json->len; i++) {
		const unsigned digit = (unsigned)(json->text[i] - '0');

		whole = value <= (UINT64_MAX - digit) / 10;
		value = value * 10 + digit;
	}
	if (whole && value <= (uint64_t)INT64_MAX + negative) {
		json->integer = !negative ? (int64_t)value :
		    value == 0 ? 0 : -(int64_t)(value - 1) - 1;
		json->real = (double)json->integer;
		return DMT_JSON_INTEGER;
	}

	/* In the C locale: the program's may have another decimal point. */
	const locale_t plain =
	    newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	if (plain == (locale_t)0)
		return fail_json_memory(json);
	const locale_t before = uselocale(plain);
	json->real = strtod(json->text, NULL);
	uselocale(before);
	freelocale(plain);
	return DMT_JSON_REAL;
}

static enum dmt_json_token
take_json_number(struct dmt_json *json)
{
	bool real = false, right;

	if (peek_byte(json) == '-' &&
	    !add_byte(json, (unsigned)take_byte(json)))
		return DMT_JSON_END;
	const size_t first = json->len;
	right = take_digits(json) &&
	    (json->len == first + 1 || json->text[first] != '0');
	if (right && peek_byte(json) == '.') {
		real = true;
		right = add_byte(json, (unsigned)take_byte(json)) &&
		    take_digits(json);
	}
	if (right && (peek_byte(json) == 'e' || peek_byte(json) == 'E')) {
		real = true;
		right = add_byte(json, (unsigned)take_byte(json));
		if (right && (peek_byte(json) == '+' ||
		    peek_byte(json) == '-'))
			right = add_byte(json, (unsigned)take_byte(json));
		right = right && take_digits(json);
	}
	return right ? set_json_number(json, !real) :
	    fail_here(json, "malformed number");
}

static enum dmt_json_token
take_word(struct dmt_json *json)
{
	static const struct {
		const char *word;
		enum dmt_json_token token;
	} words[] = {
		{ "true", DMT_JSON_TRUE },
		{ "false", DMT_JSON_FALSE },
		{ "null", DMT_JSON_NULL },
	};
	int byte;

	while ((byte = peek_byte(json)) >= 'a' && byte <= 'z' &&
	    json->len < 8)
		if (!add_byte(json, (unsigned)take_byte(json)))
			return DMT_JSON_END;
	for (size_t i = 0; i < 3 && json->len > 0; i++)
		if (strcmp(json->text, words[i].word) == 0)
			return words[i].token;
	return fail_here(json, "not a JSON value");
}

/* After a value, the enclosing array or object says what comes next. */
static void
end_value(struct dmt_json *json)
{
	json->state = json->depth == 0 ? WANT_VALUE : WANT_COMMA_OR_END;
}

static enum dmt_json_token
take_name(struct dmt_json *json)
{
	if (peek_byte(json) != '"')
		return fail_here(json, "a member has no name in quotes");
	if (!take_string(json))
		return DMT_JSON_END;
	if (skip_blanks(json) != ':')
		return fail_here(json, "no \":\"");
	take_byte(json);
	json->state = WANT_VALUE;
	return DMT_JSON_NAME;
}

/* Reads a value that begins with byte, or only the bracket of an object or
 * array. */
static enum dmt_json_token
take_value(struct dmt_json *json, int byte)
{
	enum dmt_json_token token;

	if (byte == '{' || byte == '[') {
		if (json->depth == DMT_JSON_DEPTH_MAX)
			return fail_json(json, DMTRACE_ERR_LIMIT,
			    "more than 65,536 nested values");
		char *const open = dmt_array_grow(json->open,
		    &json->open_capacity, json->depth + 1, 1);
		if (open == NULL)
			return fail_json_memory(json);
		json->open = open;
		open[json->depth++] = (char)byte;
		take_byte(json);
		json->state = byte == '{' ? WANT_NAME_OR_END :
		    WANT_ITEM_OR_END;
		return byte == '{' ? DMT_JSON_OBJECT : DMT_JSON_ARRAY;
	}
	if (byte == '"')
		token = take_string(json) ? DMT_JSON_STRING : DMT_JSON_END;
	else if (byte == '-' || is_digit(byte))
		token = take_json_number(json);
	else
		token = take_word(json);
	end_value(json);
	return token;
}

enum dmt_json_token
dmt_json_next(struct dmt_json *json)
{
	if (json->error.status != DMTRACE_OK)
		return DMT_JSON_END;
	json->len = 0;
	if (!add_byte(json, 0))		/* so that text is never NULL */
		return DMT_JSON_END;
	json->len = 0;

	int byte = skip_blanks(json);
	if (byte < 0)
		return json->depth == 0 ? DMT_JSON_END :
		    fail_json(json, DMTRACE_ERR_TRUNCATED,
		    "the text ends within a value");

	const char last = json->depth == 0 ? '\0' :
	    json->open[json->depth - 1];
	if (byte == (last == '{' ? '}' : ']') && last != '\0' &&
	    (json->state == WANT_COMMA_OR_END ||
	    json->state == WANT_NAME_OR_END ||
	    json->state == WANT_ITEM_OR_END)) {
		take_byte(json);
		json->depth--;
		end_value(json);
		return last == '{' ? DMT_JSON_OBJECT_END :
		    DMT_JSON_ARRAY_END;
	}

	if (json->state == WANT_COMMA_OR_END) {
		if (byte != ',')
			return fail_json(json, DMTRACE_ERR_CORRUPT, "no \",\"");
		take_byte(json);
		byte = skip_blanks(json);
		json->state = last == '{' ? WANT_NAME : WANT_VALUE;
	}
	if (json->state == WANT_NAME || json->state == WANT_NAME_OR_END)
		return take_name(json);
	return take_value(json, byte);
}

void
dmt_json_fini(struct dmt_json *json)
{
	free(json->text);
	free(json->open);
}
