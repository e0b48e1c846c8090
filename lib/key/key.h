/* key.h - the key as a list of lines, with its rows as views of them */
#ifndef DMT_KEY_KEY_H
#define DMT_KEY_KEY_H

#include "base/arena.h"
#include "base/idmap.h"
#include "format/finding.h"
#include "key/section.h"

#include <dmtrace/key.h>
#include <stdbool.h>

/* One line with its line end; its bytes are in the key's arena. */
struct dmt_line {
	const char *bytes;
	size_t len;
};

struct dmt_lines {
	struct dmt_line *items;
	size_t count;
	size_t capacity;
};

/* Rows of a table, with an index over their ids. */
struct dmt_thread_rows {
	struct dmtrace_thread *items;
	size_t count;
	size_t capacity;
	struct dmt_idmap by_id;		/* first row of an id */
};

struct dmt_method_rows {
	struct dmtrace_method *items;
	size_t count;
	size_t capacity;
	struct dmt_idmap by_id;		/* id without its low bits */
};

struct dmt_option_rows {
	struct dmtrace_option *items;
	size_t *lines;			/* its index in key->lines */
	size_t count;
	size_t capacity;
};

/*
 * Encoding writes lines in order, and the added lines of a section at the
 * place where that section's last line stands. Decoding fills lines alone.
 * This struct is the key floor's own business: above it, use dmtrace_key_*.
 */
struct dmtrace_key {
	struct dmt_lines lines;
	struct dmt_lines added[DMT_SECTION_END];
	size_t insert[DMT_SECTION_END];	/* lines before the added ones */
	struct dmt_option_rows options;
	struct dmt_thread_rows threads;
	struct dmt_method_rows methods;
	struct dmt_arena arena;
	size_t encoded_size;
	unsigned version;
	uint64_t limit_key;
	uint64_t limit_line;
	struct dmtrace_error error;
	/* the rest as the implementation needs it */
};

/*
 * Looks for the end of a key in the first len bytes of a file: *size is how
 * many of them are the key, with the line end behind "*end". scanned (0 at
 * first) tells how far earlier calls with fewer bytes have looked. final: no
 * more bytes will come. Limits are those of key.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_END            not in these bytes: call again with more
 *   DMTRACE_ERR_TRUNCATED  final, and no "*end"
 *   DMTRACE_ERR_NOT_TRACE, DMTRACE_ERR_LIMIT  as dmtrace_key_decode
 */
enum dmtrace_status
dmt_key_find_end(struct dmtrace_key *key, const uint8_t *bytes, size_t len,
    bool final, size_t *scanned, size_t *size);

/* dmtrace_key_decode of exactly one key's bytes, findings to findings. */
enum dmtrace_status
dmt_key_decode(struct dmtrace_key *key, const uint8_t *bytes, size_t len,
    struct dmt_findings *findings);

/* Whether the bytes of a file's beginning may begin a key: "*version" behind
 * a byte order mark and blank lines, if any. Wants 64 bytes. */
bool
dmt_key_recognises(const uint8_t *bytes, size_t len);

/* A new key with the same lines. NULL: no memory. */
struct dmtrace_key *
dmt_key_copy(const struct dmtrace_key *key);

#endif
