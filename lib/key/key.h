/* key.h - the key as its text, the edits made to it, and its rows */
#ifndef DMT_KEY_KEY_H
#define DMT_KEY_KEY_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "base/arena.h"
#include "format/finding.h"
#include "key/parse.h"
#include "key/rows.h"

/* The sections that rows can be added to: DMT_SECTION_VERSION, _THREADS and
 * _METHODS. */
enum { DMT_TABLES = DMT_SECTION_END };

/* The name that a thread without a row is given, where it must have one; its
 * number follows, a uint32_t. */
#define DMT_UNLISTED_NAME "thread %" PRIu32

struct dmt_texts {
	struct dmtrace_text *items;
	size_t count;
	size_t capacity;
};

/*
 * Lines that replace len bytes of the text: one line for a row that was
 * changed, or all lines that were added to a section, with len 0.
 */
struct dmt_edit {
	size_t at;
	size_t len;
	enum dmt_section adds_to;	/* DMT_SECTION_UNKNOWN: replaces a
					   line */
	struct dmtrace_text heading;	/* before the first line: the name of a
					   missing section, else empty */
	struct dmt_texts lines;
};

/* Sorted by at; at the same offset, changes come first, by rising len, then
 * additions: see key_edit.c. */
struct dmt_edits {
	struct dmt_edit *items;
	size_t count;
	size_t capacity;
};

/*
 * The text is what was decoded and never changes; it is encoded together with
 * the edits. Only this folder accesses the members: others use dmtrace_key_*
 * and the functions below.
 */
struct dmtrace_key {
	struct dmtrace_text text;
	struct dmt_edits edits;
	bool fresh;			/* neither decoded nor changed */
	bool complete;			/* written: it must not change any
					   more */
	size_t number_at;		/* of the line after "*version" */
	size_t number_len;		/* 0: there is no such line */
	const char *line_end;		/* for lines that are added */
	unsigned version;
	enum dmtrace_clock clock;
	struct dmt_options options;
	struct dmt_threads threads;
	struct dmt_methods methods;
	size_t encoded_size;
	size_t scanned_line;		/* dmt_key_find_end: where the current
					   line begins */
	uint64_t limit_key;
	uint64_t limit_line;
	struct dmt_arena arena;		/* memory of the text and the lines */
	struct dmtrace_error error;	/* of the last call */
	struct dmtrace_error first_error;	/* of all earlier calls */
};

/*
 * Searches the first len bytes of a file for the end of the key: *size is the
 * size of the key, including the line end after "*end". *scanned, 0 before the
 * first call, is how far earlier calls with fewer bytes have searched. final:
 * the file ends after these bytes. The limits of key apply.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_END            not in these bytes: call again with more
 *   DMTRACE_ERR_TRUNCATED  final, and there is no "*end"
 *   DMTRACE_ERR_NOT_TRACE, DMTRACE_ERR_LIMIT  as dmt_key_decode_bytes
 */
enum dmtrace_status
dmt_key_find_end(struct dmtrace_key *key, const uint8_t *bytes, size_t len,
    bool final, size_t *scanned, size_t *size);

/*
 * Decodes to a new key the bytes that dmt_key_find_end found; see
 * dmt_key_decode_bytes.
 *
 * Returns DMTRACE_OK, or DMTRACE_ERR_MEMORY with the key unchanged
 */
enum dmtrace_status
dmt_key_decode(struct dmtrace_key *key, const uint8_t *bytes, size_t len,
    struct dmt_findings *findings);

/* Begins a call that may fail: clears the error of the previous call. */
void
dmt_key_begin_call(struct dmtrace_key *key);

/* Marks the key as written: later calls that would change it fail. */
void
dmt_key_set_complete(struct dmtrace_key *key);

/* Returns the error of the first call that failed; status DMTRACE_OK: none
 * did. */
const struct dmtrace_error *
dmt_key_first_error(const struct dmtrace_key *key);

/* Returns true if a file that begins with these bytes may begin with a key:
 * with "*version", perhaps after a byte order mark and blanks. Looks at no
 * more than 64 bytes. */
bool
dmt_key_recognises(const uint8_t *bytes, size_t len);

/* Returns a copy that encodes to the same bytes and has the same limits. NULL:
 * no memory. */
struct dmtrace_key *
dmt_key_copy(const struct dmtrace_key *key);

/* Makes a key of the bytes of an encoded key, with the limits of another key.
 * NULL: no memory. */
struct dmtrace_key *
dmt_key_make(const struct dmtrace_key *limits, const void *bytes,
    size_t len);

/* Says which rows to keep; the ids are those in the lines. */
struct dmt_rows_kept {
	bool (*has_thread)(const void *context, uint32_t id);
	bool (*has_method)(const void *context, uint64_t id);
	const void *context;
};

/* Returns a copy without the rows that are not kept; other lines stay. NULL:
 * no memory. */
struct dmtrace_key *
dmt_key_without(const struct dmtrace_key *key,
    const struct dmt_rows_kept *kept);

/*
 * Gets how many records an operation added at an edge, from the option line of
 * that name, dmtrace-opened or dmtrace-closed; 0 if there is none. false: its
 * value is not a number, and *number is 0.
 */
bool
dmt_added_get(uint64_t *number, const struct dmtrace_key *key,
    const char *name);

/* The same, where a malformed value may count as 0. */
uint64_t
dmt_added(const struct dmtrace_key *key, const char *name);

/* Frees the members, not the key itself. */
void
dmt_key_fini(struct dmtrace_key *key);

/* Makes the edit for lines that will be added to section at that offset of the
 * text, after heading, and after earlier edits at the same offset. false: no
 * memory. */
bool
dmt_edits_open(struct dmt_edits *edits, enum dmt_section section, size_t at,
    struct dmtrace_text heading);

void
dmt_edits_fini(struct dmt_edits *edits);

/*
 * Sets DMTRACE_LIMIT_KEY or DMTRACE_LIMIT_LINE, in bytes.
 *
 * Returns DMTRACE_OK, or DMTRACE_ERR_RANGE: not one of these two limits
 */
enum dmtrace_status
dmt_key_set_limit(struct dmtrace_key *key, enum dmtrace_limit limit,
    uint64_t value);

#endif
