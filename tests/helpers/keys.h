/* keys.h - keys as text, for the tests of keys */

#ifndef KEYS_H
#define KEYS_H

#include <dmtrace.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "helpers/unit.h"
#include "private/key.h"

/* Bytes of a string literal and their number; it may hold NUL. */
#define BYTES(literal) literal, sizeof(literal) - 1
#define TEXT(literal) { literal, sizeof(literal) - 1 }

/* The usual lines of a key. */
#define OPTIONS "*version\n3\nclock=dual\n"
#define THREADS "*threads\n1\tmain\n"
#define METHODS "*methods\n0x4\tA\tm\t()V\n"
#define END "*end\n"

/* Words that a test collects and compares; NUL is shown as '0'. */
struct listing {
	char text[4096];
	size_t used;
};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static inline void
listing_add(struct listing *listing, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	listing->used += (size_t)vsnprintf(listing->text + listing->used,
	    sizeof(listing->text) - listing->used, format, args);
	va_end(args);
	ck_assert_uint_lt(listing->used, sizeof(listing->text));
}

static inline void
listing_add_text(struct listing *listing, struct dmtrace_text text)
{
	for (size_t i = 0; i < text.len; i++)
		listing_add(listing, "%c",
		    text.bytes[i] == '\0' ? '0' : text.bytes[i]);
}

/* "name@line " for each finding; without "@line" if it has none. */
static inline void
listing_add_finding(void *context, const struct dmtrace_finding *finding)
{
	struct listing *listing = context;

	ck_assert_uint_eq(finding->count, 1);
	listing_add(listing, "%s", finding->name);
	if (finding->place == DMTRACE_PLACE_LINE)
		listing_add(listing, "@%" PRIu64, finding->at);
	listing_add(listing, " ");
}

static inline void
listing_add_option(struct listing *listing, const struct dmtrace_option *option)
{
	listing_add_text(listing, option->name);
	if (option->value.bytes != NULL) {
		listing_add(listing, "=");
		listing_add_text(listing, option->value);
	}
	listing_add(listing, "; ");
}

static inline void
listing_add_thread(struct listing *listing, const struct dmtrace_thread *thread)
{
	listing_add(listing, "%" PRIu32 " ", thread->id);
	listing_add_text(listing, thread->name);
	listing_add(listing, "; ");
}

static inline void
listing_add_method(struct listing *listing, const struct dmtrace_method *method)
{
	const struct dmtrace_text texts[] = { method->class_name,
	    method->name, method->signature, method->file };

	listing_add(listing, "0x%" PRIx64, method->id);
	for (size_t i = 0; i < ROWS(texts); i++) {
		listing_add(listing, "|");
		listing_add_text(listing, texts[i]);
	}
	if (method->line != DMTRACE_NO_LINE)
		listing_add(listing, "|%" PRId32, method->line);
	listing_add(listing, "; ");
}

/* "3 dual; " and every row after it. */
static inline void
listing_add_key(struct listing *listing, const struct dmtrace_key *key)
{
	listing_add(listing, "%u %s; ", dmt_key_version(key),
	    dmtrace_clock_name(dmt_key_clock(key)));
	for (size_t i = 0; i < dmtrace_key_option_count(key); i++)
		listing_add_option(listing, dmtrace_key_option_get(key, i));
	for (size_t i = 0; i < dmtrace_key_thread_count(key); i++)
		listing_add_thread(listing, dmtrace_key_thread_get(key, i));
	for (size_t i = 0; i < dmtrace_key_method_count(key); i++)
		listing_add_method(listing, dmtrace_key_method_get(key, i));
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
	struct listing listing = { "", 0 };

	listing_add_key(&listing, key);
	ck_assert_str_eq(listing.text, expected);
}

#endif
