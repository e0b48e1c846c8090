/* foreign_number.c - the numbers of a key, as other programs read them */

#include "key/foreign_number.h"

#define NOT_A_DIGIT 36

static unsigned
digit_value(char byte)
{
	if (byte >= '0' && byte <= '9')
		return (unsigned)(byte - '0');
	if (byte >= 'a' && byte <= 'z')
		return (unsigned)(byte - 'a') + 10;
	if (byte >= 'A' && byte <= 'Z')
		return (unsigned)(byte - 'A') + 10;
	return NOT_A_DIGIT;
}

static struct dmtrace_text
skip_bytes(struct dmtrace_text text, size_t len)
{
	return (struct dmtrace_text){ text.bytes + len, text.len - len };
}

static bool
is_space(char byte)
{
	return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* Takes off a sign, if there is one. */
static bool
take_sign(struct dmtrace_text *text)
{
	const bool negative = text->len > 0 && text->bytes[0] == '-';

	if (negative || (text->len > 0 && text->bytes[0] == '+'))
		*text = skip_bytes(*text, 1);
	return negative;
}

/* Digits and nothing else, at least one. *overflow: the value is UINT64_MAX,
 * as it is 2^64 or more. */
static bool
read_digits(uint64_t *value, bool *overflow, struct dmtrace_text text,
    unsigned base)
{
	*value = 0;
	*overflow = false;
	for (size_t i = 0; i < text.len; i++) {
		const unsigned digit = digit_value(text.bytes[i]);

		if (digit >= base)
			return false;
		*overflow |= *value > (UINT64_MAX - digit) / base;
		*value = *overflow ? UINT64_MAX : *value * base + digit;
	}
	return text.len > 0;
}

static bool
begins_hex(struct dmtrace_text text)
{
	return text.len > 2 && text.bytes[0] == '0' &&
	    (text.bytes[1] | 0x20) == 'x' && digit_value(text.bytes[2]) < 16;
}

bool
dmt_number_of_c(uint64_t *value, struct dmtrace_text text, unsigned base)
{
	const char *const nul = text.len == 0 ? NULL :
	    memchr(text.bytes, '\0', text.len);
	bool overflow;

	if (nul != NULL)
		text.len = (size_t)(nul - text.bytes);
	*value = 0;
	if (text.len == 0)
		return true;
	while (text.len > 0 && is_space(text.bytes[0]))
		text = skip_bytes(text, 1);
	const bool negative = take_sign(&text);
	if (base != 10 && begins_hex(text)) {
		text = skip_bytes(text, 2);
		base = 16;
	} else if (base == 0) {
		base = text.len > 0 && text.bytes[0] == '0' ? 8 : 10;
	}
	if (!read_digits(value, &overflow, text, base))
		return false;
	if (negative && !overflow)
		*value = -*value;
	return true;
}

bool
dmt_number_of_java(int64_t *value, struct dmtrace_text text)
{
	const bool negative = take_sign(&text);
	uint64_t size;
	unsigned base = 10;
	bool overflow;

	if (dmt_text_begins(text, "0x") || dmt_text_begins(text, "0X")) {
		text = skip_bytes(text, 2);
		base = 16;
	} else if (dmt_text_begins(text, "#")) {
		text = skip_bytes(text, 1);
		base = 16;
	} else if (text.len > 1 && text.bytes[0] == '0') {
		text = skip_bytes(text, 1);
		base = 8;
	}
	if (!read_digits(&size, &overflow, text, base) || overflow ||
	    size > (uint64_t)INT64_MAX)
		return false;
	*value = negative ? -(int64_t)size : (int64_t)size;
	return true;
}

bool
dmt_number_of_js(uint64_t *value, bool *negative, struct dmtrace_text text)
{
	unsigned base = 10;
	bool overflow;

	while (text.len > 0 && is_space(text.bytes[0]))
		text = skip_bytes(text, 1);
	while (text.len > 0 && is_space(text.bytes[text.len - 1]))
		text.len--;
	*value = 0;
	*negative = false;
	if (text.len == 0)
		return true;
	if (text.len > 2 && text.bytes[0] == '0') {
		const char letter = (char)(text.bytes[1] | 0x20);

		base = letter == 'x' ? 16 : letter == 'o' ? 8 :
		    letter == 'b' ? 2 : 10;
	}
	if (base != 10)
		text = skip_bytes(text, 2);
	else
		*negative = take_sign(&text);
	return read_digits(value, &overflow, text, base) && !overflow;
}
