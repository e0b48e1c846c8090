/* entry.h - entries of event logs as bytes: header and payload */
#ifndef DMT_EVENTLOG_ENTRY_H
#define DMT_EVENTLOG_ENTRY_H

#include <dmtrace/eventlog.h>

#include "base/input.h"
#include "format/finding.h"

enum {
	DMT_ENTRY_FRONT = 4,		/* first bytes, which give the size */
	DMT_ENTRY_HEADER_MAX = 28,
	DMT_ENTRY_PAYLOAD_MAX = 65535,
	DMT_ENTRY_MAX = DMT_ENTRY_HEADER_MAX + DMT_ENTRY_PAYLOAD_MAX,
	DMT_ENTRY_PRIORITY_MAX = 8	/* of a text: silent */
};

/* A header: u2 payload length, u2 header size, s4 pid, s4 tid, u4 seconds, u4
 * nanoseconds, and then the fields below. The offset of a field that it lacks
 * is 0. */
struct dmt_entry_layout {
	uint16_t size;			/* of the header, in bytes */
	uint16_t stored_size;		/* the value of its header size field */
	uint8_t log_at;
	uint8_t uid_at;
};

/* Returns the layout of a version from 1 to 4. */
const struct dmt_entry_layout *
dmt_entry_layout(unsigned version);

/* Returns the size of the header that begins with the DMT_ENTRY_FRONT bytes at
 * in; 0: not a header. */
size_t
dmt_entry_header_size(const uint8_t *in);

/* The state of a decoder. Set the first three members, and zero the rest. */
struct dmt_entry_decoder {
	const struct dmtrace_tags *tags;	/* NULL: none */
	struct dmt_findings *findings;		/* NULL: not needed */
	unsigned version_24;		/* version of headers of 24 bytes: 2 or
					   3 */
	bool flawed;			/* bytes were invalid, or lost */
	struct dmtrace_value *values;
	size_t capacity;
};

/*
 * Decodes a whole entry, header and payload, of len bytes, at that offset in
 * its file. false: no memory.
 */
bool
dmt_entry_decode(struct dmt_entry_decoder *decoder,
    struct dmtrace_entry *entry, const uint8_t *in, size_t len,
    uint64_t offset);

/* Returns true if a payload of len bytes has the form that this log uses: text
 * or an event. */
bool
dmt_entry_fits_log(uint32_t log, const uint8_t *payload, size_t len);

/*
 * Returns true if a file is an event log: each entry in its first len bytes is
 * a valid event or text. This is strict because nothing else identifies an
 * event log. whole: the file ends after these bytes, and so must end with an
 * entry.
 */
#define DMT_EVENTLOG_WINDOW (1024 * 1024)
bool
dmt_is_eventlog(const uint8_t *in, size_t len, bool whole);

/* Makes a reader, with options, of the rest of input; input is empty
 * afterwards. NULL: no memory. */
struct dmtrace_eventlog_reader *
dmt_eventlog_reader_of(const struct dmtrace_eventlog_options *options,
    struct dmt_input *input);

/* Adds a finding at that offset of the file. */
void
dmt_entry_find(struct dmt_entry_decoder *decoder, enum dmt_finding which,
    uint64_t at, const char *format, ...) DMT_PRINTF(4, 5);

void
dmt_entry_decoder_fini(struct dmt_entry_decoder *decoder);

/* Whether a pointer to values or bytes is NULL that must not be. */
bool
dmt_entry_is_missing(const struct dmtrace_entry *entry);

/*
 * Encodes an entry, which is not raw, to out, which has DMT_ENTRY_MAX bytes,
 * and sets *len.
 *
 * Returns DMTRACE_OK, or DMTRACE_ERR_RANGE with error set
 */
enum dmtrace_status
dmt_entry_encode(uint8_t *out, size_t *len,
    const struct dmtrace_entry *entry, struct dmtrace_error *error);

/* Does what dmt_eventlog_writer_import does, from an open input; error is the
 * writer's. */
enum dmtrace_status
dmt_entry_import(struct dmtrace_eventlog_writer *writer,
    struct dmt_input *input, unsigned header, struct dmtrace_error *error);

#endif
