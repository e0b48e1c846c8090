/* key.h - the key as its text, the edits made to it, and its rows */
#ifndef DMT_KEY_KEY_H
#define DMT_KEY_KEY_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "base/arena.h"
#include "format/finding.h"
#include "key/parse.h"
#include "key/rows.h"

/* DMT_SECTION_VERSION, _THREADS and _METHODS: where rows can be added. */
enum { DMT_TABLES = DMT_SECTION_END };

struct dmt_texts {
	struct dmtrace_text *items;
	size_t count;
	size_t capacity;
};

/*
 * Lines that replace len bytes of the text: one line for a row that
 * was changed, or all that were added to a section, for which len is 0.
 */
struct dmt_edit {
	size_t at;
	size_t len;
	enum dmt_section adds_to;	/* DMT_SECTION_UNKNOWN: a change */
	struct dmtrace_text heading;	/* before the first line, if any: the
					   name of a section to come */
	struct dmt_texts lines;
};

/* By rising at; at the same place changes, by rising len, then additions: see
 * key_edit.c. */
struct dmt_edits {
	struct dmt_edit *items;
	size_t count;
	size_t capacity;
};

/*
 * What came from a decode stays as it was in text, and is encoded from there.
 * Only this folder looks into the struct: others use dmtrace_key_* and what is
 * declared below.
 */
struct dmtrace_key {
	struct dmtrace_text text;
	struct dmt_edits edits;
	bool fresh;			/* neither decoded nor changed */
	bool complete;			/* written: rows come too late */
	size_t number_at;		/* of the line below "*version" */
	size_t number_len;		/* 0: there is none */
	const char *line_end;		/* of lines to come */
	unsigned version;
	enum dmtrace_clock clock;
	struct dmt_options options;
	struct dmt_threads threads;
	struct dmt_methods methods;
	size_t encoded_size;
	size_t scanned_line;		/* dmt_key_find_end: where it begins */
	uint64_t limit_key;
	uint64_t limit_line;
	struct dmt_arena arena;		/* the text and the lines */
	struct dmtrace_error error;	/* of the last call */
	struct dmtrace_error first_error;	/* of the calls before it */
};

/*
 * Looks for the end of a key in the first len bytes of a file: *size is how
 * many of them are the key, with the line end after "*end". *scanned, 0 at
 * first, is how far earlier calls with fewer bytes have looked. final: no more
 * bytes will come. Limits are those of key.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_END            not in these bytes: call again with more
 *   DMTRACE_ERR_TRUNCATED  final, and no "*end"
 *   DMTRACE_ERR_NOT_TRACE, DMTRACE_ERR_LIMIT  as dmt_key_decode_bytes
 */
enum dmtrace_status
dmt_key_find_end(struct dmtrace_key *key, const uint8_t *bytes, size_t len,
    bool final, size_t *scanned, size_t *size);

/*
 * dmt_key_decode_bytes of the bytes that dmt_key_find_end found, to a new key.
 *
 * Returns DMTRACE_OK or DMTRACE_ERR_MEMORY, with the key as it was
 */
enum dmtrace_status
dmt_key_decode(struct dmtrace_key *key, const uint8_t *bytes, size_t len,
    struct dmt_findings *findings);

/* Begins a call that may fail: clears the error of the last one. */
void
dmt_key_begin_call(struct dmtrace_key *key);

/* The key is written: later calls that change it are refused. */
void
dmt_key_set_complete(struct dmtrace_key *key);

/* The failure of the first call that failed, or no failure. */
const struct dmtrace_error *
dmt_key_first_error(const struct dmtrace_key *key);

/* Whether the bytes of a file's beginning may begin a key: "*version" after a
 * byte order mark and blanks, if any. Looks at 64 bytes at most. */
bool
dmt_key_recognises(const uint8_t *bytes, size_t len);

/* Another key that encodes to the same bytes, within the same limits. NULL:
 * no memory. */
struct dmtrace_key *
dmt_key_copy(const struct dmtrace_key *key);

/* Makes a key of bytes that were one before, with the limits of another. NULL:
 * no memory. */
struct dmtrace_key *
dmt_key_make(const struct dmtrace_key *limits, const void *bytes,
    size_t len);

/* Which rows to keep, asked by the ids of their lines. */
struct dmt_rows_kept {
	bool (*has_thread)(const void *context, uint32_t id);
	bool (*has_method)(const void *context, uint64_t id);
	const void *context;
};

/* Returns a copy with those rows only, and all that is no row. NULL: no memory.
 * */
struct dmtrace_key *
dmt_key_without(const struct dmtrace_key *key,
    const struct dmt_rows_kept *kept);

/*
 * How many records at an edge the option line of that name, dmtrace-opened or
 * dmtrace-closed, says an operation added; 0: there is none. false: it is no
 * number, and *number is 0.
 */
bool
dmt_added_get(uint64_t *number, const struct dmtrace_key *key,
    const char *name);

/* The same where what is no number does not matter. */
uint64_t
dmt_added(const struct dmtrace_key *key, const char *name);

/* Frees all but the key itself. */
void
dmt_key_fini(struct dmtrace_key *key);

/* Makes the place in the text where lines of section will be added, below
 * heading, after earlier ones of the same place. false: no memory. */
bool
dmt_edits_open(struct dmt_edits *edits, enum dmt_section section, size_t at,
    struct dmtrace_text heading);

void
dmt_edits_fini(struct dmt_edits *edits);

/*
 * Replaces the default of DMTRACE_LIMIT_KEY or DMTRACE_LIMIT_LINE, in bytes.
 *
 * Returns DMTRACE_OK, or DMTRACE_ERR_RANGE: not one of these two
 */
enum dmtrace_status
dmt_key_set_limit(struct dmtrace_key *key, enum dmtrace_limit limit,
    uint64_t value);

#endif
