/* number.c - parses numbers: leniently as in a key, and as other readers do */

#include "key/number.h"

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

/* Reads one or more digits of the base. false: there are other bytes, or none.
 * *overflow: the value is 2^64 or more, and *value is UINT64_MAX. */
static bool
read_digits(uint64_t *value, bool *overflow, struct dmtrace_text text,
    unsigned base)
{
	uint64_t sum = 0;

	*overflow = false;
	for (size_t i = 0; i < text.len; i++) {
		const unsigned digit = digit_value(text.bytes[i]);

		if (digit >= base)
			return false;
		*overflow |= sum > (UINT64_MAX - digit) / base;
		sum = *overflow ? UINT64_MAX : sum * base + digit;
	}
	if (text.len > 0)
		*value = sum;
	return text.len > 0;
}

/* The same for a value of at most max. */
static bool
read_digits_to(uint64_t *value, struct dmtrace_text text, unsigned base,
    uint64_t max)
{
	uint64_t wide;
	bool overflow;

	if (!read_digits(&wide, &overflow, text, base) || overflow ||
	    wide > max)
		return false;
	*value = wide;
	return true;
}

/* Removes a leading 0x. Returns true if there was one. */
static bool
skip_hex_prefix(struct dmtrace_text *text)
{
	if (!dmt_text_begins(*text, "0x") && !dmt_text_begins(*text, "0X"))
		return false;
	*text = dmt_text_after(*text, 2);
	return true;
}

bool
dmt_count_decode(uint64_t *value, struct dmtrace_text text)
{
	return read_digits_to(value, text, 10, UINT64_MAX);
}

bool
dmt_number_decode(uint32_t *value, bool *unusual, struct dmtrace_text text)
{
	struct dmtrace_text digits = dmt_text_trim(text);
	const bool zeros = digits.len > 1 && digits.bytes[0] == '0';
	const unsigned base = skip_hex_prefix(&digits) ? 16 : 10;
	uint64_t wide;

	if (!read_digits_to(&wide, digits, base, UINT32_MAX))
		return false;
	*value = (uint32_t)wide;
	*unusual = zeros || digits.len != text.len;
	return true;
}

bool
dmt_method_id_decode(uint64_t *id, bool *unusual, struct dmtrace_text text)
{
	struct dmtrace_text digits = dmt_text_trim(text);
	const bool blanks = digits.len != text.len;

	if (skip_hex_prefix(&digits)) {
		*unusual = blanks;
		return read_digits_to(id, digits, 16, UINT64_MAX);
	}
	*unusual = blanks || !dmt_text_is(digits, "0");
	if (dmt_text_is(digits, "(nil)")) {
		*id = 0;
		return true;
	}

	/* Without 0x it is what strtoul reads in base 0; a number with the
	 * digits a to f can only be hexadecimal. */
	const bool octal = digits.len > 1 && digits.bytes[0] == '0';
	if (read_digits_to(id, digits, octal ? 8 : 10, UINT64_MAX))
		return true;
	for (size_t i = 0; i < digits.len; i++)
		if (digit_value(digits.bytes[i]) >= 10)
			return read_digits_to(id, digits, 16, UINT64_MAX);
	return false;
}

bool
dmt_line_number_decode(int32_t *line, struct dmtrace_text text)
{
	const bool negative = dmt_text_begins(text, "-");
	uint64_t size;

	if (negative)
		text = dmt_text_after(text, 1);
	if (!read_digits_to(&size, text, 10, INT32_MAX))
		return false;
	*line = negative ? -(int32_t)size : (int32_t)size;
	return true;
}

/* isspace() in the C locale. */
static bool
is_c_space(char byte)
{
	return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* Removes a leading sign. Returns true if it was a minus. */
static bool
skip_sign(struct dmtrace_text *text)
{
	const bool negative = dmt_text_begins(*text, "-");

	if (negative || dmt_text_begins(*text, "+"))
		*text = dmt_text_after(*text, 1);
	return negative;
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
	while (text.len > 0 && is_c_space(text.bytes[0]))
		text = dmt_text_after(text, 1);
	const bool negative = skip_sign(&text);
	if (base != 10 && text.len > 2 && digit_value(text.bytes[2]) < 16 &&
	    skip_hex_prefix(&text))
		base = 16;
	else if (base == 0)
		base = dmt_text_begins(text, "0") ? 8 : 10;
	if (!read_digits(value, &overflow, text, base))
		return false;
	if (negative && !overflow)
		*value = -*value;
	return true;
}

bool
dmt_number_of_java(int64_t *value, struct dmtrace_text text)
{
	const bool negative = skip_sign(&text);
	uint64_t size;
	unsigned base = 10;

	if (skip_hex_prefix(&text)) {
		base = 16;
	} else if (dmt_text_begins(text, "#")) {
		text = dmt_text_after(text, 1);
		base = 16;
	} else if (dmt_text_begins(text, "0")) {
		base = 8;
	}
	if (!read_digits_to(&size, text, base, (uint64_t)INT64_MAX))
		return false;
	*value = negative ? -(int64_t)size : (int64_t)size;
	return true;
}

bool
dmt_number_of_js(uint64_t *value, bool *negative, struct dmtrace_text text)
{
	unsigned base = 10;

	while (text.len > 0 && is_c_space(text.bytes[0]))
		text = dmt_text_after(text, 1);
	while (text.len > 0 && is_c_space(text.bytes[text.len - 1]))
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
		text = dmt_text_after(text, 2);
	else
		*negative = skip_sign(&text);
	return read_digits_to(value, text, base, UINT64_MAX);
}
