/* text.h - texts of a given length: compared and taken apart */
#ifndef DMT_PRIVATE_TEXT_H
#define DMT_PRIVATE_TEXT_H

#include <dmtrace/key.h>
#include <stdbool.h>
#include <string.h>

static inline struct dmtrace_text
dmt_text_of(const char *string)
{
	return (struct dmtrace_text){ string, strlen(string) };
}

/* bytes may be NULL in a text of length 0. */
static inline bool
dmt_text_equal(struct dmtrace_text a, struct dmtrace_text b)
{
	return a.len == b.len &&
	    (a.len == 0 || memcmp(a.bytes, b.bytes, a.len) == 0);
}

static inline bool
dmt_text_is(struct dmtrace_text text, const char *string)
{
	return dmt_text_equal(text, dmt_text_of(string));
}

/* By their bytes; a text comes after its own beginning. Returns less than,
 * equal to or more than 0. */
static inline int
dmt_text_compare(struct dmtrace_text a, struct dmtrace_text b)
{
	const size_t len = a.len < b.len ? a.len : b.len;
	const int order = len == 0 ? 0 : memcmp(a.bytes, b.bytes, len);

	return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

static inline bool
dmt_text_begins(struct dmtrace_text text, const char *string)
{
	const size_t len = strlen(string);

	return text.len >= len && (len == 0 ||
	    memcmp(text.bytes, string, len) == 0);
}

static inline bool
dmt_text_holds(struct dmtrace_text text, char byte)
{
	return text.len > 0 && memchr(text.bytes, byte, text.len) != NULL;
}

/* Without its first len bytes; it has that many. */
static inline struct dmtrace_text
dmt_text_after(struct dmtrace_text text, size_t len)
{
	return (struct dmtrace_text){ text.bytes + len, text.len - len };
}

#endif
