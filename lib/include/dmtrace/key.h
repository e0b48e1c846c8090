/* dmtrace/key.h - the text half of a trace: options, threads, methods */
#ifndef DMTRACE_KEY_H
#define DMTRACE_KEY_H

#include <dmtrace/event.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The key of a reader (dmtrace_reader_key) or a writer (dmtrace_writer_key),
 * which owns it. A key that was read keeps its text and is written as it was,
 * byte for byte; rows that are added are lines at the end of their section. A
 * key is used by one thread at a time; two keys share nothing.
 */
struct dmtrace_key;

/* Bytes of a name: any but LF, not terminated by NUL. They belong to the key
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

/*
 * The rows of the key, in its order, with duplicates. get returns the row of an
 * index, NULL past the last one. A row belongs to the key and lives until the
 * next call that adds to it.
 */
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

/* The first row of that name or id, or NULL; lives like a row of get.
 * method_find ignores the two low bits of id. */
DMTRACE_API const struct dmtrace_option *
dmtrace_key_option_find(const struct dmtrace_key *key, const char *name);
DMTRACE_API const struct dmtrace_thread *
dmtrace_key_thread_find(const struct dmtrace_key *key, uint32_t id);
DMTRACE_API const struct dmtrace_method *
dmtrace_key_method_find(const struct dmtrace_key *key, uint64_t id);

/*
 * Sets the first option of that name, or adds it after the others. Both strings
 * are copied. On failure the key is as it was.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE (key, name or value
 * is NULL, or the key is complete), DMTRACE_ERR_LIMIT (the key or the line
 * would exceed its limit), or
 *   DMTRACE_ERR_RANGE  the name is empty, begins with '*' or has a byte
 *                      outside [!-~] or '='; the value has CR, LF or NUL
 */
DMTRACE_API enum dmtrace_status
dmtrace_key_option_set(struct dmtrace_key *key, const char *name,
    const char *value);

/*
 * Adds a row. The names are copied. On failure the key is as it was.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE (an argument is
 * NULL, or the key is complete), DMTRACE_ERR_LIMIT, or
 *   DMTRACE_ERR_RANGE  a name has TAB, CR, LF or NUL; the id is there already;
 *                      a method id is not a multiple of 4; a method has no
 *                      name, or a signature or file but no class, a line other
 *                      than 0 but no file, or a number as its signature but no
 *                      file
 */
DMTRACE_API enum dmtrace_status
dmtrace_key_thread_add(struct dmtrace_key *key,
    const struct dmtrace_thread *thread);
DMTRACE_API enum dmtrace_status
dmtrace_key_method_add(struct dmtrace_key *key,
    const struct dmtrace_method *method);

#ifdef __cplusplus
}
#endif

#endif
