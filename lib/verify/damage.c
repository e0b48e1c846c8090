/* damage.c - whether data was taken for text */

#include "verify/damage.h"

#include <string.h>

#define SURE 8			/* so many are no accident */

/* CR LF for every LF: by chance each would have 1 in 256. */
static bool
has_crlf(const uint8_t *bytes, size_t len)
{
	size_t lines = 0;

	for (size_t i = 0; i < len; i++) {
		if (bytes[i] != '\n')
			continue;
		if (i == 0 || bytes[i - 1] != '\r')
			return false;
		lines++;
	}
	return lines >= SURE;
}

/* EF BF BD, and no other byte of 80 or more; the last may be cut. */
static bool
has_replacements(const uint8_t *bytes, size_t len)
{
	size_t replaced = 0;

	for (size_t i = 0; i < len; i++) {
		if (bytes[i] < 0x80)
			continue;
		if (len - i < 3)
			break;
		if (memcmp(bytes + i, "\xef\xbf\xbd", 3) != 0)
			return false;
		i += 2;
		replaced++;
	}
	return replaced >= SURE;
}

const char *
dmt_damage_find(const uint8_t *bytes, size_t len)
{
	if (has_crlf(bytes, len))
		return "every LF has become CR LF";
	if (has_replacements(bytes, len))
		return "every byte of 80 or more has become EF BF BD";
	return NULL;
}
