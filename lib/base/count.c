/* count.c - numbers and sizes as people write them */

#include <string.h>

#include "private/status.h"

/* Multiplies a number several times. false: it is too large. */
static bool
scale_number(uint64_t *number, uint64_t factor, unsigned times)
{
	for (; times > 0 && *number > 0; times--) {
		if (*number > UINT64_MAX / factor)
			return false;
		*number *= factor;
	}
	return true;
}

bool
dmt_count_parse(const char *in, uint64_t base, uint64_t *result)
{
	static const char units[] = "KMGTk";
	uint64_t number = 0, divisor = 1;
	unsigned digits = 0, places = 0, exponent = 0, power = 0;

	for (; (*in >= '0' && *in <= '9') || (*in == '.' && places == 0 &&
	    digits > 0); in++) {
		if (*in == '.') {
			places = 1;
			continue;
		}
		if (!scale_number(&number, 10, 1) ||
		    number > UINT64_MAX - (unsigned)(*in - '0'))
			return false;
		number += (unsigned)(*in - '0');
		places += places > 0;
		digits++;
	}
	if (digits == 0 || places == 1)
		return false;
	places -= places > 0;
	if (*in == 'e' || *in == 'E') {
		if (*++in < '0' || *in > '9')
			return false;
		for (; *in >= '0' && *in <= '9' && exponent < 100; in++)
			exponent = exponent * 10 + (unsigned)(*in - '0');
	}
	if (*in != '\0') {
		const char *const unit = strchr(units, *in);

		if (unit == NULL || in[1] != '\0')
			return false;
		power = (unsigned)(unit - units) % 4 + 1;
	}

	/* Fractions of at most 19 digits were read. */
	const unsigned both = exponent < places ? exponent : places;
	if (!scale_number(&number, 10, exponent - both) ||
	    !scale_number(&number, base, power) ||
	    !scale_number(&divisor, 10, places - both) ||
	    ((power == 0 || base == 1000) && number % divisor != 0))
		return false;
	*result = number / divisor;
	return true;
}

bool
dmt_decimal_parse(const char *text, double *number)
{
	double value = 0, place = 1;
	size_t digits = 0;

	for (; *text >= '0' && *text <= '9'; digits++)
		value = value * 10 + (*text++ - '0');
	if (*text == '.')
		for (text++; *text >= '0' && *text <= '9'; digits++)
			value += (*text++ - '0') * (place /= 10);
	if (digits == 0 || digits > 15 || *text != '\0')
		return false;
	*number = value;
	return true;
}
