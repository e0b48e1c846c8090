/* key.h - the key as lines and rows, and how a changed one is made */
#ifndef DMT_KEY_KEY_H
#define DMT_KEY_KEY_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "base/arena.h"
#include "format/finding.h"
#include "key/parse.h"
#include "key/rows.h"
#include "private/output.h"

/* The sections that rows can be added to: DMT_SECTION_VERSION, _THREADS and
 * _METHODS. */
enum { DMT_TABLES = DMT_SECTION_END };

/* The name that a thread without a row is given, where it must have one; its
 * number follows, a uint32_t. */
#define DMT_UNLISTED_NAME "thread %" PRIu32

#define DMT_KEY_NO_ROW UINT32_MAX

/* A line of the key. */
struct dmt_key_line {
	struct dmtrace_text text;	/* with its line end; the first line
					   includes what precedes "*version" */
	uint32_t row;			/* in the table of options, threads or
					   methods; else DMT_KEY_NO_ROW */
	uint8_t item;			/* enum dmt_item */
	uint8_t end;			/* length of the line end: 0 to 2 */
};

struct dmt_key_lines {
	struct dmt_key_line *items;
	size_t count;
	size_t capacity;
};

/* The lines that were added to a section, which follow its last one. */
struct dmt_addition {
	struct dmt_key_lines lines;
	size_t at;			/* they precede this line of the key */
	bool missing;			/* the key has no such section: the
					   first line is its heading, which is
					   written once another one follows */
};

/*
 * Only this folder accesses the members, and the readers of trace/, which set
 * limits and add what packets define to a key that grows; others use
 * dmtrace_key_* and the functions below.
 */
struct dmtrace_key {
	struct dmtrace_text text;	/* as it was decoded: never changes */
	struct dmt_key_lines lines;	/* those of the text, perhaps changed */
	struct dmt_addition added[DMT_TABLES];
	size_t number;			/* the line of the version number; its
					   text is empty if there is none */
	bool fresh;			/* neither decoded nor changed */
	bool complete;			/* written: it must not change any
					   more */
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

/* Returns the bytes from which the key was decoded. */
struct dmtrace_text
dmt_key_text(const struct dmtrace_key *key);

/* Returns the error of the first call that failed; status DMTRACE_OK: none
 * did. */
const struct dmtrace_error *
dmt_key_first_error(const struct dmtrace_key *key);

/* Returns true if a file that begins with these bytes may begin with a key:
 * with "*version", perhaps after a byte order mark and blanks. Looks at no
 * more than 64 bytes. */
bool
dmt_key_recognises(const uint8_t *bytes, size_t len);

/*
 * Which lines of a key are encoded as a summary. Each function is called with
 * the rows of a table; false: its line is left out. NULL: all lines stay.
 */
struct dmt_key_part {
	bool (*option)(void *context, const struct dmtrace_option *option);
	bool (*method)(void *context, const struct dmtrace_method *method);
	void *context;
	bool head;			/* only the lines before the second
					   heading, added options and "*end" */
	struct dmtrace_text extra;	/* in a head: a line to add, without
					   its line end; or empty */
};

/* Writes a part of a key, as the same bytes; NULL: all of it. */
void
dmt_key_put(struct dmt_output *out, const struct dmtrace_key *key,
    const struct dmt_key_part *part);

/* What a rewritten key consists of. */
enum dmt_key_form {
	DMT_KEY_LINES,		/* all lines, in their order */
	DMT_KEY_KNOWN,		/* the same without what is not part of a row,
				   a heading, a number or a blank line */
	DMT_KEY_ROWS,		/* version, options, threads and methods, in
				   this order, and LF as line ends */
	DMT_KEY_ENCODED		/* the same, with each row encoded anew */
};

/*
 * How a key is rewritten. Each function is called with the rows of a table, in
 * their order, and with their index. It may change the row, whose texts must
 * live until its next call. false: the row is left out. NULL: the rows stay.
 */
struct dmt_key_rules {
	bool (*option)(void *context, size_t index,
	    struct dmtrace_option *option);
	bool (*thread)(void *context, size_t index,
	    struct dmtrace_thread *thread);
	bool (*method)(void *context, size_t index,
	    struct dmtrace_method *method);
	void *context;
	enum dmt_key_form form;
	struct dmtrace_text block;	/* whole lines of options, to add after
					   the version number; or empty */
	bool cuts;			/* cut the lines of methods after the
					   column of the file */
	uint64_t cut;			/* set to how many lines were longer */
};

/*
 * Makes a key of the rows of another one. Lines whose row does not change are
 * the same bytes. In a line that changes only the columns are replaced that
 * differ, and it keeps blanks, further columns and its line end, unless it
 * would be read differently: then it is encoded anew. The order of rows and
 * repeated ones stay. The new key has the limits of from.
 *
 * Returns DMTRACE_OK, or with *to unchanged and error set
 *   DMTRACE_ERR_MEMORY, DMTRACE_ERR_LIMIT
 *   DMTRACE_ERR_RANGE  a changed row is refused: see dmtrace_key_option_set,
 *                      dmtrace_key_thread_add and dmtrace_key_method_add; but
 *                      ids may be repeated
 */
enum dmtrace_status
dmt_key_rewrite(struct dmtrace_key **to, const struct dmtrace_key *from,
    struct dmt_key_rules *rules, struct dmtrace_error *error);

/* Returns a copy that encodes to the same bytes and has the same limits. NULL:
 * no memory. */
struct dmtrace_key *
dmt_key_copy(const struct dmtrace_key *key);

/* Makes a key of the bytes of an encoded key, with the limits of another key.
 * NULL: no memory. */
struct dmtrace_key *
dmt_key_make(const struct dmtrace_key *limits, const void *bytes,
    size_t len);

/* What the options of the key count. Without an option, or if its value is not
 * a number, calls is UINT64_MAX, and the others are 0. */
struct dmt_key_counts {
	uint64_t calls;			/* num-method-calls: all events */
	uint64_t opened;		/* dmtrace-opened: the first ones, which
					   operations added */
	uint64_t closed;		/* dmtrace-closed: the last ones */
};

struct dmt_key_counts
dmt_key_counts(const struct dmtrace_key *key);

/*
 * Sets the options that count events: each that the key has, and opened and
 * closed if they are not 0. A line with that number already stays as it is.
 *
 * Returns DMTRACE_OK, or as dmtrace_key_option_set, with the error of key set
 */
enum dmtrace_status
dmt_key_set_counts(struct dmtrace_key *key,
    const struct dmt_key_counts *counts);

/* Returns about how many bytes of memory the key takes. */
size_t
dmt_key_memory(const struct dmtrace_key *key);

/* Frees the members, not the key itself. */
void
dmt_key_fini(struct dmtrace_key *key);

/* Appends a line. false: no memory. */
bool
dmt_key_line_append(struct dmt_key_lines *lines,
    const struct dmt_key_line *line);

/* Finds the sections whose added lines precede the line of that index, in their
 * order. Returns how many there are. */
size_t
dmt_key_additions_at(const struct dmtrace_key *key, size_t line,
    enum dmt_section sections[DMT_TABLES]);

/*
 * Sets DMTRACE_LIMIT_KEY or DMTRACE_LIMIT_LINE, in bytes.
 *
 * Returns DMTRACE_OK, or DMTRACE_ERR_RANGE: not one of these two limits
 */
enum dmtrace_status
dmt_key_set_limit(struct dmtrace_key *key, enum dmtrace_limit limit,
    uint64_t value);

#endif
