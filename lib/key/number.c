/* number.c - the numbers of a key, as leniently as they can be read */

#include "key/number.h"

/* 16 and more: no digit in any base. */
static unsigned
digit(char byte)
{
	if (byte >= '0' && byte <= '9')
		return (unsigned)(byte - '0');
	if (byte >= 'a' && byte <= 'f')
		return (unsigned)(byte - 'a') + 10;
	if (byte >= 'A' && byte <= 'F')
		return (unsigned)(byte - 'A') + 10;
	return 16;
}

/* Digits of the base and nothing else, with a value up to max. */
static bool
read_digits(uint64_t *value, struct dmtrace_text text, unsigned base,
    uint64_t max)
{
	const uint64_t last = max / base;
	uint64_t sum = 0;

	for (size_t i = 0; i < text.len; i++) {
		const unsigned next = digit(text.bytes[i]);
		if (next >= base || sum > last || next > max - sum * base)
			return false;
		sum = sum * base + next;
	}
	*value = sum;
	return text.len > 0;
}

/* Whether it begins with 0x, which is then taken off. */
static bool
take_prefix(struct dmtrace_text *text)
{
	if (!dmt_text_begins(*text, "0x") && !dmt_text_begins(*text, "0X"))
		return false;
	text->bytes += 2;
	text->len -= 2;
	return true;
}

bool
dmt_number_decode(uint32_t *value, bool *odd, struct dmtrace_text text)
{
	struct dmtrace_text digits = dmt_text_trim(text);
	const bool zeros = digits.len > 1 && digits.bytes[0] == '0';
	const unsigned base = take_prefix(&digits) ? 16 : 10;
	uint64_t wide;

	if (!read_digits(&wide, digits, base, UINT32_MAX))
		return false;
	*value = (uint32_t)wide;
	*odd = zeros || digits.len != text.len;
	return true;
}

static bool
has_letter(struct dmtrace_text digits)
{
	for (size_t i = 0; i < digits.len; i++)
		if (digit(digits.bytes[i]) >= 10)
			return true;
	return false;
}

/* Digits alone: what strtoul makes of them, or else what only hexadecimal
 * can be. */
static bool
read_bare(uint64_t *id, struct dmtrace_text digits)
{
	const unsigned base =
	    digits.len > 1 && digits.bytes[0] == '0' ? 8 : 10;

	return read_digits(id, digits, base, UINT64_MAX) ||
	    (has_letter(digits) && read_digits(id, digits, 16, UINT64_MAX));
}

bool
dmt_method_id_decode(uint64_t *id, bool *odd, struct dmtrace_text text)
{
	struct dmtrace_text digits = dmt_text_trim(text);
	const bool blanks = digits.len != text.len;

	if (take_prefix(&digits)) {
		*odd = blanks;
		return read_digits(id, digits, 16, UINT64_MAX);
	}
	*odd = blanks || !dmt_text_is(digits, "0");
	if (!dmt_text_is(digits, "(nil)"))
		return read_bare(id, digits);
	*id = 0;
	return true;
}

bool
dmt_line_number_decode(int32_t *line, struct dmtrace_text text)
{
	const bool negative = dmt_text_begins(text, "-");
	uint64_t size;

	if (negative) {
		text.bytes++;
		text.len--;
	}
	if (!read_digits(&size, text, 10, INT32_MAX))
		return false;
	*line = negative ? -(int32_t)size : (int32_t)size;
	return true;
}
