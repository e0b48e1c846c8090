/* keys.h - keys in words, for the tests of the key floor */

#ifndef KEYS_H
#define KEYS_H

#include <dmtrace.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "private/key.h"
#include "unit.h"

/* Bytes of a string literal and their number; it may hold NUL. */
#define BYTES(literal) literal, sizeof(literal) - 1
#define TEXT(literal) { literal, sizeof(literal) - 1 }

/* The usual lines of a key. */
#define OPTIONS "*version\n3\nclock=dual\n"
#define THREADS "*threads\n1\tmain\n"
#define METHODS "*methods\n0x4\tA\tm\t()V\n"
#define END "*end\n"

/* Words that a test collects and compares; NUL is shown as '0'. */
struct words {
	char text[4096];
	size_t used;
};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static inline void
words_add(struct words *words, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	words->used += (size_t)vsnprintf(words->text + words->used,
	    sizeof(words->text) - words->used, format, args);
	va_end(args);
	ck_assert_uint_lt(words->used, sizeof(words->text));
}

static inline void
words_add_text(struct words *words, struct dmtrace_text text)
{
	for (size_t i = 0; i < text.len; i++)
		words_add(words, "%c",
		    text.bytes[i] == '\0' ? '0' : text.bytes[i]);
}

/* "name@line " for each finding; without "@line" if it has none. */
static inline void
words_add_finding(void *context, const struct dmtrace_finding *finding)
{
	struct words *words = context;

	ck_assert_uint_eq(finding->count, 1);
	words_add(words, "%s", finding->name);
	if (finding->place == DMTRACE_PLACE_LINE)
		words_add(words, "@%" PRIu64, finding->at);
	words_add(words, " ");
}

static inline void
words_add_option(struct words *words, const struct dmtrace_option *option)
{
	words_add_text(words, option->name);
	if (option->value.bytes != NULL) {
		words_add(words, "=");
		words_add_text(words, option->value);
	}
	words_add(words, "; ");
}

static inline void
words_add_thread(struct words *words, const struct dmtrace_thread *thread)
{
	words_add(words, "%" PRIu32 " ", thread->id);
	words_add_text(words, thread->name);
	words_add(words, "; ");
}

static inline void
words_add_method(struct words *words, const struct dmtrace_method *method)
{
	const struct dmtrace_text texts[] = { method->class_name,
	    method->name, method->signature, method->file };

	words_add(words, "0x%" PRIx64, method->id);
	for (size_t i = 0; i < ROWS(texts); i++) {
		words_add(words, "|");
		words_add_text(words, texts[i]);
	}
	if (method->line != DMTRACE_NO_LINE)
		words_add(words, "|%" PRId32, method->line);
	words_add(words, "; ");
}

/* "3 dual; " and every row after it. */
static inline void
words_add_key(struct words *words, const struct dmtrace_key *key)
{
	words_add(words, "%u %s; ", dmt_key_version(key),
	    dmtrace_clock_name(dmt_key_clock(key)));
	for (size_t i = 0; i < dmtrace_key_option_count(key); i++)
		words_add_option(words, dmtrace_key_option_get(key, i));
	for (size_t i = 0; i < dmtrace_key_thread_count(key); i++)
		words_add_thread(words, dmtrace_key_thread_get(key, i));
	for (size_t i = 0; i < dmtrace_key_method_count(key); i++)
		words_add_method(words, dmtrace_key_method_get(key, i));
}

/* The caller frees it. */
static inline struct dmtrace_key *
key_of(const char *bytes, size_t len)
{
	struct dmtrace_key *key = dmt_key_new();
	size_t used = 0;

	ck_assert_int_eq(dmt_key_decode_bytes(key, bytes, len, &used, NULL,
	    NULL), DMTRACE_OK);
	ck_assert_uint_eq(used, len);
	return key;
}

static inline void
assert_encodes(const struct dmtrace_key *key, const char *bytes, size_t len)
{
	char *out = malloc(len);

	ck_assert_uint_eq(dmt_key_encoded_size(key), len);
	ck_assert_int_eq(dmt_key_encode(key, out, len), DMTRACE_OK);
	ck_assert_msg(memcmp(out, bytes, len) == 0, "encoded:\n%.*s",
	    (int)len, out);
	free(out);
}

static inline void
assert_key(const struct dmtrace_key *key, const char *expected)
{
	struct words words = { "", 0 };

	words_add_key(&words, key);
	ck_assert_str_eq(words.text, expected);
}

#endif
