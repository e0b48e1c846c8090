/* duration_text.c - times as they are printed in messages */

#include "cli/duration_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	uint64_t ns;
	int digits;			/* of a fraction, to the nanosecond */
} units[] = {
	{ "s",  1000000000, 9 },
	{ "ms", 1000000,    6 },
	{ "us", 1000,       3 },
	{ "ns", 1,          0 },
};

char *
duration_format(char out[DURATION_MAX], uint64_t ns)
{
	size_t i = 0;

	while (ns > 0 && ns < units[i].ns)
		i++;
	int len = snprintf(out, DURATION_MAX, "%" PRIu64, ns / units[i].ns);
	if (ns % units[i].ns != 0) {
		len += snprintf(out + len, DURATION_MAX - (size_t)len,
		    ".%0*" PRIu64, units[i].digits, ns % units[i].ns);
		while (out[len - 1] == '0')
			len--;
	}
	snprintf(out + len, DURATION_MAX - (size_t)len, " %s", units[i].name);
	return out;
}
