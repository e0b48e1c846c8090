/* damage.c - whether data was taken for text */

#include "verify/damage.h"

#include <string.h>

#include "base/utf8.h"

#define SURE 8			/* so many are no accident */
#define VARIETY 4		/* nor are so many that differ */
#define UTF8_MAX 4		/* bytes of a character */

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

/* Each byte of 80 or more is in a character: by chance one in four of them.
 * One that is always the same may be an id. The last may be cut. */
static bool
has_characters(const uint8_t *bytes, size_t len)
{
	uint32_t others[VARIETY], code;
	size_t found = 0, count = 0;

	for (size_t i = 0, step; i < len; i += step) {
		step = dmt_utf8_decode(&code, (const char *)bytes + i,
		    len - i);
		if (step == 0 && len - i < UTF8_MAX)
			break;
		if (step == 0)
			return false;
		if (step == 1)
			continue;
		found++;
		size_t other = 0;
		while (other < count && others[other] != code)
			other++;
		if (other == count && count < VARIETY)
			others[count++] = code;
	}
	return found >= 2 * SURE && count == VARIETY;
}

const char *
dmt_damage_find(const uint8_t *bytes, size_t len)
{
	if (has_crlf(bytes, len))
		return "every LF has become CR LF";
	if (has_replacements(bytes, len))
		return "every byte of 80 or more has become EF BF BD";
	if (has_characters(bytes, len))
		return "every byte of 80 or more has become a character";
	return NULL;
}
