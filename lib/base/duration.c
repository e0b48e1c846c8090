/* duration.c - durations as people write them: parsing and printing */

#include <dmtrace/status.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "private/status.h"

#define MICROSECONDS 2		/* the row of microseconds */

static const struct {
	const char *name;
	uint64_t ns;
} units[] = {
	{ "",    1             },	/* only 0 needs no unit */
	{ "ns",  1             },
	{ "us",  1000          },
	{ "ms",  1000000       },
	{ "s",   1000000000    },
	{ "min", 60000000000   },
	{ "h",   3600000000000 },
};

/* Adds a digit whose unit is scale. false: the sum is too large. */
static bool
add_digit(uint64_t *sum, char digit, uint64_t scale)
{
	const unsigned value = (unsigned)(digit - '0');

	if (value != 0 && scale > ((uint64_t)INT64_MAX - *sum) / value)
		return false;
	*sum += value * scale;
	return true;
}

enum dmtrace_status
dmt_duration_parse(const char *text, int64_t *ns)
{
	static const char digits[] = "0123456789";
	const bool negative = text[0] == '-';
	const char *const whole = text + (negative || text[0] == '+');
	const size_t whole_len = strspn(whole, digits);
	const char *const point = whole + whole_len;
	const char *const fraction = point + (point[0] == '.');
	const size_t fraction_len = point[0] == '.' ?
	    strspn(fraction, digits) : 0;
	const char *const unit_name = fraction + fraction_len;
	uint64_t unit = 0, sum = 0;

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i].name, unit_name) == 0)
			unit = units[i].ns;
	if (whole_len + fraction_len == 0 || unit == 0)
		return DMTRACE_ERR_RANGE;

	for (size_t i = 0; i < whole_len; i++) {
		if (sum > (uint64_t)INT64_MAX / 10)
			return DMTRACE_ERR_RANGE;
		sum *= 10;
		if (!add_digit(&sum, whole[i], 1))
			return DMTRACE_ERR_RANGE;
	}
	if (sum > (uint64_t)INT64_MAX / unit)
		return DMTRACE_ERR_RANGE;
	sum *= unit;

	/* Each digit of the fraction is worth a tenth of the one before it. A
	 * digit other than 0 must be a whole number of nanoseconds. */
	for (size_t i = 0; i < fraction_len; i++) {
		if (fraction[i] != '0' && (unit == 0 || unit % 10 != 0))
			return DMTRACE_ERR_RANGE;
		unit /= 10;
		if (!add_digit(&sum, fraction[i], unit))
			return DMTRACE_ERR_RANGE;
	}
	if (unit_name[0] == '\0' && sum != 0)
		return DMTRACE_ERR_RANGE;
	*ns = negative ? -(int64_t)sum : (int64_t)sum;
	return DMTRACE_OK;
}

/* Divides, rounding to the nearest whole number, halves up. */
static uint64_t
divide_rounded(uint64_t number, uint64_t step)
{
	return number / step + (number % step >= step - number % step);
}

const char *
dmt_time_format(char *out, uint64_t ns)
{
	const size_t last = sizeof(units) / sizeof(units[0]) - 1;
	size_t i = MICROSECONDS;

	if (ns < 1000) {
		snprintf(out, DMT_DURATION_MAX, "%" PRIu64 " %s", ns,
		    ns == 0 ? "s" : "ns");
		return out;
	}
	/* A time that would round up to 1000 is printed as 1.00 of the next
	 * unit. */
	while (i < last && divide_rounded(ns, units[i].ns) >= 1000)
		i++;
	const uint64_t hundredths = divide_rounded(ns, units[i].ns / 100);
	const uint64_t tenths = divide_rounded(ns, units[i].ns / 10);
	const uint64_t whole = divide_rounded(ns, units[i].ns);
	const unsigned decimals = hundredths < 1000 ? 2 : tenths < 1000;
	const uint64_t digits = decimals == 2 ? hundredths : tenths;
	const unsigned scale = decimals == 2 ? 100 : 10;

	if (decimals == 0)
		snprintf(out, DMT_DURATION_MAX, "%" PRIu64 " %s", whole,
		    units[i].name);
	else
		snprintf(out, DMT_DURATION_MAX, "%u.%0*u %s",
		    (unsigned)digits / scale, (int)decimals,
		    (unsigned)digits % scale, units[i].name);
	return out;
}

const char *
dmt_duration_format(char *out, int64_t ns)
{
	if (ns < 0)
		out[0] = '-';
	dmt_time_format(out + (ns < 0),
	    ns < 0 ? -(uint64_t)ns : (uint64_t)ns);
	return out;
}

static const struct {
	const char *name;
	uint64_t ns;
	int digits;			/* of the fraction, up to nanoseconds */
} exact_units[] = {
	{ "s",  1000000000, 9 },
	{ "ms", 1000000,    6 },
	{ "us", 1000,       3 },
	{ "ns", 1,          0 },
};

char *
dmt_duration_exact(char *out, uint64_t ns)
{
	size_t i = 0;

	while (ns > 0 && ns < exact_units[i].ns)
		i++;
	int len = snprintf(out, DMT_DURATION_MAX, "%" PRIu64,
	    ns / exact_units[i].ns);
	if (ns % exact_units[i].ns != 0) {
		len += snprintf(out + len, DMT_DURATION_MAX - (size_t)len,
		    ".%0*" PRIu64, exact_units[i].digits,
		    ns % exact_units[i].ns);
		while (out[len - 1] == '0')
			len--;
	}
	snprintf(out + len, DMT_DURATION_MAX - (size_t)len, " %s",
	    exact_units[i].name);
	return out;
}
