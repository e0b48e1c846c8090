/* dmtrace/key.h - the text half of a trace: options, threads, methods */
#ifndef DMTRACE_KEY_H
#define DMTRACE_KEY_H

#include <dmtrace/event.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A key keeps the text that it was decoded from, and encodes it as it was, to
 * the byte; rows that are added or changed stand in their section as lines of
 * their own. A key is not thread-safe; two keys do not share anything.
 */
struct dmtrace_key;

/* Bytes of a name: any but LF, not NUL-terminated. They belong to the key
 * and live until it is freed. */
struct dmtrace_text {
	const char *bytes;
	size_t len;
};

/* The text of a string literal: .name = DMTRACE_TEXT("main"). */
#ifdef __cplusplus
#define DMTRACE_TEXT(literal) (dmtrace_text{ "" literal, sizeof(literal) - 1 })
#else
#define DMTRACE_TEXT(literal) \
	((struct dmtrace_text){ "" literal, sizeof(literal) - 1 })
#endif

/* A line before "*threads": name=value. Without "=", value.bytes is NULL. */
struct dmtrace_option {
	struct dmtrace_text name;
	struct dmtrace_text value;
};

struct dmtrace_thread {
	uint32_t id;
	struct dmtrace_text name;	/* may be empty */
};

#define DMTRACE_NO_LINE INT32_MIN

/* A method's row; a column that the line lacks is empty. */
struct dmtrace_method {
	uint64_t id;
	struct dmtrace_text class_name;	/* com/a/B or com.a.B, as written */
	struct dmtrace_text name;
	struct dmtrace_text signature;
	struct dmtrace_text file;
	int32_t line;			/* -1 none, -2 native, as Dalvik has
					   it; DMTRACE_NO_LINE: no column;
					   in a row to add, also 0 without a
					   file */
};

/* An empty key: version 2, no options, no rows. NULL: no memory. */
DMTRACE_API struct dmtrace_key *
dmtrace_key_new(void);

/* NULL is allowed. */
DMTRACE_API void
dmtrace_key_free(struct dmtrace_key *key);

/* The failure of the last call that set, added or decoded; belongs to the
 * key. DMTRACE_OK: it did not fail. */
DMTRACE_API const struct dmtrace_error *
dmtrace_key_error(const struct dmtrace_key *key);

/* The number below "*version"; 0 if there is none. */
DMTRACE_API unsigned
dmtrace_key_version(const struct dmtrace_key *key);

/*
 * On failure the key is as it was.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_LIMIT (the key grows
 * over its limit), or DMTRACE_ERR_RANGE: not 1 to 5
 */
DMTRACE_API enum dmtrace_status
dmtrace_key_set_version(struct dmtrace_key *key, unsigned version);

/* The clock line's meaning, DMTRACE_CLOCK_MISSING if there is none. */
DMTRACE_API enum dmtrace_clock
dmtrace_key_clock(const struct dmtrace_key *key);

/* Rows of the key, in its order, duplicates and all; get wants an index
 * below the count. The row belongs to the key and lives until the next call
 * that adds to it. */
DMTRACE_API size_t
dmtrace_key_option_count(const struct dmtrace_key *key);
DMTRACE_API const struct dmtrace_option *
dmtrace_key_option_get(const struct dmtrace_key *key, size_t index);
DMTRACE_API size_t
dmtrace_key_thread_count(const struct dmtrace_key *key);
DMTRACE_API const struct dmtrace_thread *
dmtrace_key_thread_get(const struct dmtrace_key *key, size_t index);
DMTRACE_API size_t
dmtrace_key_method_count(const struct dmtrace_key *key);
DMTRACE_API const struct dmtrace_method *
dmtrace_key_method_get(const struct dmtrace_key *key, size_t index);

/* The line of the index-th method as the key that was decoded has it, without
 * its LF; it lives like the row. bytes is NULL if the row was added later, or
 * has nothing but an id. */
DMTRACE_API struct dmtrace_text
dmtrace_key_method_line(const struct dmtrace_key *key, size_t index);

/*
 * The first row of that name or id, or NULL; lives like a row of get.
 * thread_match is for the number of a record of layout: its own first, then
 * one that equals it modulo the width of the record's field (dmtrace.5,
 * THREADS). method_find leaves the two low bits of id out.
 */
DMTRACE_API const struct dmtrace_option *
dmtrace_key_option_find(const struct dmtrace_key *key, const char *name);
DMTRACE_API const struct dmtrace_thread *
dmtrace_key_thread_find(const struct dmtrace_key *key, uint32_t id);
DMTRACE_API const struct dmtrace_thread *
dmtrace_key_thread_match(const struct dmtrace_key *key,
    const struct dmtrace_layout *layout, uint32_t number);
DMTRACE_API const struct dmtrace_method *
dmtrace_key_method_find(const struct dmtrace_key *key, uint64_t id);

/*
 * Sets the first option of that name, or adds it behind the others. Both are
 * copied. On failure the key is as it was.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_LIMIT (the key or the
 * line grows over its limit), or
 *   DMTRACE_ERR_RANGE  the name is empty, begins with '*' or holds a byte
 *                      outside [!-~] or '='; the value holds CR, LF or NUL
 */
DMTRACE_API enum dmtrace_status
dmtrace_key_option_set(struct dmtrace_key *key, const char *name,
    const char *value);

/*
 * Adds a row. The names are copied. On failure the key is as it was.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_LIMIT, or
 *   DMTRACE_ERR_RANGE  a name holds TAB, CR, LF or NUL; the id is there
 *                      already; a method id has one of its two low bits
 *                      set; a method without a name, with a signature or
 *                      file but no class, with a line other than 0 but no
 *                      file, or with a number for a signature and no file
 */
DMTRACE_API enum dmtrace_status
dmtrace_key_thread_add(struct dmtrace_key *key,
    const struct dmtrace_thread *thread);
DMTRACE_API enum dmtrace_status
dmtrace_key_method_add(struct dmtrace_key *key,
    const struct dmtrace_method *method);

/*
 * Decodes a whole key, from "*version" to the line that begins with "*end".
 * *used is how many of the len bytes that was. The key keeps a copy.
 * What is odd but readable is no failure: it goes to report, which may be
 * NULL. On failure the key is still a new one.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_NOT_TRACE  does not begin with "*version"
 *   DMTRACE_ERR_TRUNCATED  no "*end" in len bytes
 *   DMTRACE_ERR_LIMIT      the key or a line is over its limit
 *   DMTRACE_ERR_STATE      the key is not a new one: it was decoded or
 *                          changed
 */
DMTRACE_API enum dmtrace_status
dmtrace_key_decode(struct dmtrace_key *key, const void *bytes, size_t len,
    size_t *used, dmtrace_finding_fn *report, void *context);

/* Bytes that the key encodes to. */
DMTRACE_API size_t
dmtrace_key_encoded_size(const struct dmtrace_key *key);

/*
 * Encodes to the encoded size's bytes at out, of which len are writable.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_ERR_RANGE  len is less than that; nothing is written
 */
DMTRACE_API enum dmtrace_status
dmtrace_key_encode(const struct dmtrace_key *key, void *out, size_t len);

#ifdef __cplusplus
}
#endif

#endif
