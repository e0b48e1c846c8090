/* dmtrace/eventlog.h - Android event logs: tags and entries */
#ifndef DMTRACE_EVENTLOG_H
#define DMTRACE_EVENTLOG_H

#include <dmtrace/key.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a value is: the type byte of an entry. Tag files count from 1. */
enum dmtrace_value_type {
	DMTRACE_VALUE_INT = 0,
	DMTRACE_VALUE_LONG = 1,
	DMTRACE_VALUE_STRING = 2,
	DMTRACE_VALUE_LIST = 3,
	DMTRACE_VALUE_FLOAT = 4
};

/* The unit of a value, by the tag file. */
enum dmtrace_unit {
	DMTRACE_UNIT_NONE = 0,
	DMTRACE_UNIT_OBJECTS = 1,
	DMTRACE_UNIT_BYTES = 2,
	DMTRACE_UNIT_MS = 3,
	DMTRACE_UNIT_ALLOCATIONS = 4,
	DMTRACE_UNIT_ID = 5,
	DMTRACE_UNIT_PERCENT = 6,
	DMTRACE_UNIT_SECONDS = 7	/* of a monotonic clock; written "s" */
};

/* The description of one value of an entry in a tag file. */
struct dmtrace_tag_field {
	const char *name;
	enum dmtrace_value_type type;
	enum dmtrace_unit unit;
};

/* A line of a tag file. */
struct dmtrace_tag {
	uint32_t number;		/* below 2^31 */
	const char *name;		/* letters, digits and "_" */
	const struct dmtrace_tag_field *fields;
	size_t field_count;		/* 0: the line describes no values */
};

/*
 * The tags of an event-log-tags file (dmtrace-eventlog.5). Used by one thread
 * at a time; two of them share nothing.
 */
struct dmtrace_tags;

/* No tags. NULL: no memory. */
DMTRACE_API struct dmtrace_tags *
dmtrace_tags_new(void);

/* NULL is allowed. */
DMTRACE_API void
dmtrace_tags_free(struct dmtrace_tags *tags);

/* The failure of the last load; belongs to the tags. Its status is DMTRACE_OK
 * if the load did not fail. */
DMTRACE_API const struct dmtrace_error *
dmtrace_tags_error(const struct dmtrace_tags *tags);

/*
 * Reads a tag file. Lines that cannot be read are skipped; each is a finding,
 * for which report is called unless it is NULL. After a failure there are no
 * tags.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_LIMIT  larger than 16 MiB
 *   DMTRACE_ERR_STATE  a file was loaded before
 */
DMTRACE_API enum dmtrace_status
dmtrace_tags_load(struct dmtrace_tags *tags, const char *path,
    dmtrace_finding_fn *report, void *context);

/* Returns the first tag of that number, or NULL. It belongs to the tags and
 * lives until they are freed. */
DMTRACE_API const struct dmtrace_tag *
dmtrace_tags_find(const struct dmtrace_tags *tags, uint32_t number);

/* One value. The values of an entry are in the order of its bytes: a list is
 * followed by its items, and an item that is a list by its own items. */
struct dmtrace_value {
	enum dmtrace_value_type type;
	int64_t number;			/* of an int or a long */
	float real;			/* of a float */
	uint32_t count;			/* of a list: items, at most 255 */
	struct dmtrace_text text;	/* of a string */
};

/* The log ids of headers of version 3 and 4. */
enum dmtrace_log {
	DMTRACE_LOG_MAIN = 0,
	DMTRACE_LOG_RADIO = 1,
	DMTRACE_LOG_EVENTS = 2,
	DMTRACE_LOG_SYSTEM = 3,
	DMTRACE_LOG_CRASH = 4,
	DMTRACE_LOG_STATS = 5,
	DMTRACE_LOG_SECURITY = 6,
	DMTRACE_LOG_KERNEL = 7
};

enum dmtrace_entry_kind {
	DMTRACE_ENTRY_EVENT = 0,	/* a tag and a value */
	DMTRACE_ENTRY_TEXT = 1,		/* priority, tag and message */
	DMTRACE_ENTRY_OPAQUE = 2,	/* a header, and other bytes */
	DMTRACE_ENTRY_RAW = 3		/* bytes without a header */
};

/*
 * An entry. A read fills the members that entries of its kind have, and sets
 * the others to 0; values and texts belong to the reader and live until its
 * next call. If the bytes of an event end within a value, values has those
 * before it, and rest the remaining bytes.
 */
struct dmtrace_entry {
	enum dmtrace_entry_kind kind;
	unsigned header;		/* version 1 to 4; 0: no header, the
					   kind is RAW */
	uint16_t header_size;		/* as stored; to write, 0 means the size
					   of the version's header */
	int32_t pid;
	int32_t tid;
	uint32_t seconds;		/* since 1970, UTC */
	uint32_t nanoseconds;
	uint32_t log;			/* version 3 and 4: enum dmtrace_log */
	uint32_t uid;			/* version 2 and 4 */
	uint64_t offset;		/* in the file; not written */

	uint32_t tag;			/* of an event */
	const struct dmtrace_value *values;
	size_t value_count;
	struct dmtrace_text rest;	/* bytes after the value, often an LF */

	uint8_t priority;		/* of a text: 0 to 8 */
	struct dmtrace_text name;	/* the tag of a text */
	struct dmtrace_text message;
	int no_nul;			/* no NUL after the message */

	struct dmtrace_text bytes;	/* of OPAQUE and RAW */
};

/* Options of a reader; 0 or NULL is the default of each. */
struct dmtrace_eventlog_options {
	const struct dmtrace_tags *tags;	/* to check entries against;
						   they must live as long as
						   the reader */
	unsigned header;		/* the version of headers of 24 bytes:
					   2 or 3; 0: by their contents */
	dmtrace_finding_fn *report;	/* called for every finding */
	void *context;			/* of report */
};

/*
 * Reads the entries of an event log one after another. The order of calls is:
 * new, open, read, free. Bytes that cannot be decoded are a finding, and are
 * returned as an entry of kind DMTRACE_ENTRY_OPAQUE or DMTRACE_ENTRY_RAW, so
 * that all entries written again give the same file, byte for byte. Memory is
 * bounded: an entry has at most 64 KiB. A reader is used by one thread at a
 * time.
 */
struct dmtrace_eventlog_reader;

/* options may be NULL. NULL: no memory. */
DMTRACE_API struct dmtrace_eventlog_reader *
dmtrace_eventlog_reader_new(const struct dmtrace_eventlog_options *options);

/* NULL is allowed. */
DMTRACE_API void
dmtrace_eventlog_reader_free(struct dmtrace_eventlog_reader *reader);

/* The first failure of the reader, which it keeps. Belongs to the reader. */
DMTRACE_API const struct dmtrace_error *
dmtrace_eventlog_reader_error(const struct dmtrace_eventlog_reader *reader);

/*
 * Opens an event log. A descriptor stays the caller's and must live until the
 * reader is freed.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_STATE      the reader was opened before
 *   DMTRACE_ERR_RANGE      the options have a header other than 0, 2 and 3
 *   DMTRACE_ERR_NOT_TRACE  it is a method trace, not an event log
 */
DMTRACE_API enum dmtrace_status
dmtrace_eventlog_reader_open(struct dmtrace_eventlog_reader *reader,
    const struct dmtrace_file *file);

/*
 * Reads the next entry.
 *
 * Returns DMTRACE_OK, DMTRACE_END (no entries are left), DMTRACE_ERR_MEMORY,
 * DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_STATE  the reader is not open
 */
DMTRACE_API enum dmtrace_status
dmtrace_eventlog_reader_read(struct dmtrace_eventlog_reader *reader,
    struct dmtrace_entry *entry);

/*
 * Writes an event log. The order of calls is: new, open, write, close, free.
 * A writer is used by one thread at a time.
 */
struct dmtrace_eventlog_writer;

/* NULL: no memory. */
DMTRACE_API struct dmtrace_eventlog_writer *
dmtrace_eventlog_writer_new(void);

/* Frees a writer. Without a close before it, no file that the writer made is
 * left. NULL is allowed. */
DMTRACE_API void
dmtrace_eventlog_writer_free(struct dmtrace_eventlog_writer *writer);

/* The first failure of the writer, which it keeps. Belongs to the writer. */
DMTRACE_API const struct dmtrace_error *
dmtrace_eventlog_writer_error(const struct dmtrace_eventlog_writer *writer);

/*
 * Opens the output. A file gets its name only at close, when it is complete. A
 * descriptor stays the caller's.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE, or
 *   DMTRACE_ERR_IO  the file, or a temporary file beside it, cannot be made
 */
DMTRACE_API enum dmtrace_status
dmtrace_eventlog_writer_open(struct dmtrace_eventlog_writer *writer,
    const struct dmtrace_file *file);

/*
 * Writes one entry, whole: nothing is written of an entry that is refused.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_STATE, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * or
 *   DMTRACE_ERR_RANGE  an unknown version, header size, kind or type; a list
 *                      of more than 255 items, an int of more than 32 bits, a
 *                      NUL in the tag of a text, or a payload of more than
 *                      65,535 bytes
 */
DMTRACE_API enum dmtrace_status
dmtrace_eventlog_writer_write(struct dmtrace_eventlog_writer *writer,
    const struct dmtrace_entry *entry);

/*
 * Checks every write and gives the file its name.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_STATE, or the status of the first call that
 * failed; then no file that the writer made is left
 */
DMTRACE_API enum dmtrace_status
dmtrace_eventlog_writer_close(struct dmtrace_eventlog_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
