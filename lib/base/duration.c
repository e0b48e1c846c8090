/* duration.c - times as people write them */

#include <dmtrace/duration.h>

#include <stdbool.h>
#include <string.h>

static const struct {
	const char *name;
	uint64_t ns;
} units[] = {
	{ "",    1             },	/* only 0 needs none */
	{ "ns",  1             },
	{ "us",  1000          },
	{ "ms",  1000000       },
	{ "s",   1000000000    },
	{ "min", 60000000000   },
	{ "h",   3600000000000 },
};

static uint64_t
find_unit(const char *name)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i].name, name) == 0)
			return units[i].ns;
	return 0;
}

static size_t
count_digits(const char *text)
{
	return strspn(text, "0123456789");
}

/* Adds digits of scale each, or each a tenth of the one before it. */
static bool
add(uint64_t *sum, unsigned digit, uint64_t scale)
{
	if (digit != 0 && scale > ((uint64_t)INT64_MAX - *sum) / digit)
		return false;
	*sum += digit * scale;
	return true;
}

static bool
add_whole(uint64_t *ns, const char *digits, size_t len, uint64_t unit)
{
	uint64_t number = 0;

	for (size_t i = 0; i < len; i++) {
		if (number > (uint64_t)INT64_MAX / 10)
			return false;
		number *= 10;
		if (!add(&number, (unsigned)(digits[i] - '0'), 1))
			return false;
	}
	if (number > (uint64_t)INT64_MAX / unit)
		return false;
	*ns = number * unit;
	return true;
}

static bool
add_fraction(uint64_t *ns, const char *digits, size_t len, uint64_t unit)
{
	for (size_t i = 0; i < len; i++) {
		const unsigned digit = (unsigned)(digits[i] - '0');

		if (digit != 0 && (unit == 0 || unit % 10 != 0))
			return false;
		unit /= 10;
		if (!add(ns, digit, unit))
			return false;
	}
	return true;
}

enum dmtrace_status
dmtrace_duration_parse(const char *text, int64_t *ns)
{
	const bool negative = text[0] == '-';
	const char *const whole = text + (negative || text[0] == '+');
	const size_t whole_len = count_digits(whole);
	const char *const point = whole + whole_len;
	const char *const fraction = point + (point[0] == '.');
	const size_t fraction_len = count_digits(fraction) *
	    (point[0] == '.');
	const char *const unit_name = fraction + fraction_len;
	const uint64_t unit = find_unit(unit_name);
	uint64_t sum;

	if (whole_len + fraction_len == 0 || unit == 0 ||
	    !add_whole(&sum, whole, whole_len, unit) ||
	    !add_fraction(&sum, fraction, fraction_len, unit) ||
	    (unit_name[0] == '\0' && sum != 0))
		return DMTRACE_ERR_RANGE;
	*ns = negative ? -(int64_t)sum : (int64_t)sum;
	return DMTRACE_OK;
}
