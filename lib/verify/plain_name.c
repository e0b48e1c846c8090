/* plain_name.c - names without the bytes that a reader cannot show */

#include "verify/plain.h"

#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/utf8.h"

#define UNIT 16			/* room for "\uD83D\uDE00" */

static void
tell(struct dmt_plain *plain, enum dmt_finding which, struct dmtrace_text name)
{
	char shown[DMT_ESCAPED_MAX];

	dmt_change_add(plain->changes, which, 1, DMTRACE_PLACE_NONE, 0,
	    "\"%s\"", dmt_escape(shown, sizeof(shown), name.bytes, name.len));
}

/* As in a source file of Java: two for what is beyond 16 bits. */
static void
put_code(char unit[UNIT], uint32_t code)
{
	if (code > 0xffff)
		snprintf(unit, UNIT, "\\u%04x\\u%04x",
		    (unsigned)(0xd7c0 + (code >> 10)),
		    (unsigned)(0xdc00 | (code & 0x3ff)));
	else
		snprintf(unit, UNIT, "\\u%04x", (unsigned)code);
}

/* The next character of the name, or byte that is none; *change is what was
 * done to it, if anything. Returns its length. */
static size_t
take(unsigned cures, const char *in, size_t len, bool tabs, char unit[UNIT],
    enum dmt_finding *change)
{
	const unsigned char byte = (unsigned char)in[0];
	uint32_t code;
	const size_t used = dmt_utf8_decode(&code, in, len);

	memcpy(unit, in, used == 0 ? 1 : used);
	unit[used == 0 ? 1 : used] = '\0';
	if (byte == '\t' && !tabs) {
		strcpy(unit, " ");
		*change = DMT_THREAD_NAME_TAB;
	} else if (used == 0 ? (cures & DMT_CURE_UTF8) != 0 :
	    byte == '\r' || byte == '\0') {
		snprintf(unit, UNIT, "\\x%02x", byte);
		*change = DMT_KEY_NOT_UTF8;
	} else if (used > 1 && (cures & DMT_CURE_ASCII) != 0) {
		put_code(unit, code);
		*change = DMT_KEY_NOT_ASCII;
	}
	return used == 0 ? 1 : used;
}

/* Writes the name to out, unless that is NULL; returns its length. */
static size_t
put(struct dmt_plain *plain, struct dmtrace_text name, bool tabs, char *out)
{
	bool told[DMT_ROW_COUNT] = { false };
	char unit[UNIT];
	size_t to = 0;

	for (size_t from = 0; from < name.len;) {
		enum dmt_finding change = DMT_ROW_COUNT;

		from += take(plain->cures, name.bytes + from, name.len - from,
		    tabs, unit, &change);
		const size_t len = unit[0] == '\0' ? 1 : strlen(unit);
		if (out != NULL)
			memcpy(out + to, unit, len);
		to += len;
		if (out == NULL || change == DMT_ROW_COUNT || told[change])
			continue;
		told[change] = true;
		tell(plain, change, name);
	}
	return to;
}

bool
dmt_plain_name(struct dmt_plain *plain, struct dmtrace_text *name, bool tabs)
{
	const size_t len = put(plain, *name, tabs, NULL);
	char *const bytes = dmt_arena_alloc(&plain->names, len + 1);

	if (bytes == NULL)
		return false;
	put(plain, *name, tabs, bytes);
	bytes[len] = '\0';
	*name = (struct dmtrace_text){ bytes, len };
	return true;
}
