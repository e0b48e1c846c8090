/* text.h - pieces of a line: compared, trimmed, taken apart */
#ifndef DMT_KEY_TEXT_H
#define DMT_KEY_TEXT_H

#include <dmtrace/key.h>
#include <stdbool.h>
#include <string.h>

/* What separates words where TABs should be. */
static inline bool
dmt_is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

static inline struct dmtrace_text
dmt_text_of(const char *string)
{
	return (struct dmtrace_text){ string, strlen(string) };
}

static inline bool
dmt_text_is(struct dmtrace_text text, const char *string)
{
	const size_t len = strlen(string);

	return text.len == len && memcmp(text.bytes, string, len) == 0;
}

static inline bool
dmt_text_begins(struct dmtrace_text text, const char *string)
{
	const size_t len = strlen(string);

	return text.len >= len && memcmp(text.bytes, string, len) == 0;
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

/* Without the blanks before and after it. */
struct dmtrace_text
dmt_text_trim(struct dmtrace_text text);

/*
 * Cuts *rest at the first separator: returns what is before it and leaves
 * what follows it. Without one all of it is returned and rest->bytes is NULL.
 */
struct dmtrace_text
dmt_text_cut(struct dmtrace_text *rest, char separator);

/* The first word of *rest, empty if it has none; leaves what follows the word
 * and the blanks around it. */
struct dmtrace_text
dmt_text_word(struct dmtrace_text *rest);

#endif
