/* entry.h - the bytes of an entry: its header, and what is in its payload */
#ifndef DMT_EVENTLOG_ENTRY_H
#define DMT_EVENTLOG_ENTRY_H

#include <dmtrace/eventlog.h>

#include "base/input.h"
#include "format/finding.h"

enum {
	DMT_ENTRY_FRONT = 4,		/* bytes that say how long it is */
	DMT_ENTRY_HEADER_MAX = 28,
	DMT_ENTRY_PAYLOAD_MAX = 65535,
	DMT_ENTRY_MAX = DMT_ENTRY_HEADER_MAX + DMT_ENTRY_PAYLOAD_MAX
};

/* A header: u2 payload length, u2 header size, s4 pid, s4 tid, u4 seconds,
 * u4 nanoseconds, and these; an offset of 0 is a field that it lacks. */
struct dmt_entry_layout {
	uint16_t size;			/* of the header, in bytes */
	uint16_t stored_size;		/* what is written in it */
	uint8_t log_at;
	uint8_t uid_at;
};

/* version is 1 to 4. */
const struct dmt_entry_layout *
dmt_entry_layout(unsigned version);

/* The header's size by the DMT_ENTRY_FRONT bytes at in; 0: there is no such
 * header. */
size_t
dmt_entry_header_size(const uint8_t *in);

/* What decoding needs beside the bytes. Zero but for the first three. */
struct dmt_entry_decoder {
	const struct dmtrace_tags *tags;	/* NULL: none */
	struct dmt_findings *findings;		/* NULL: nobody asks */
	unsigned version_24;		/* of headers of 24 bytes: 2 or 3 */
	bool flawed;			/* something was no entry's, or lost */
	struct dmtrace_value *values;
	size_t capacity;
};

/*
 * Decodes a whole entry: its header and payload, len bytes in all, at offset
 * in its file. false: no memory.
 */
bool
dmt_entry_decode(struct dmt_entry_decoder *decoder,
    struct dmtrace_entry *entry, const uint8_t *in, size_t len,
    uint64_t offset);

/* Whether the payload of len bytes is of the log: text or an event. */
bool
dmt_entry_fits_log(uint32_t log, const uint8_t *payload, size_t len);

/*
 * Whether a file is an event log: whether each entry in its first bytes, len
 * of them, is an event or a text as it should be. Without another sign of what
 * it is, nothing less will do. whole: the file has no more bytes, and so ends
 * with an entry.
 */
#define DMT_EVENTLOG_WINDOW (1024 * 1024)
bool
dmt_is_eventlog(const uint8_t *in, size_t len, bool whole);

/* A reader, with options, of what input has left; it takes the input, which is
 * empty afterwards. NULL: no memory. */
struct dmtrace_eventlog_reader *
dmt_eventlog_reader_of(const struct dmtrace_eventlog_options *options,
    struct dmt_input *input);

/* Makes a finding at that byte of the file. */
void
dmt_entry_find(struct dmt_entry_decoder *decoder, enum dmt_finding which,
    uint64_t at, const char *format, ...) DMT_PRINTF(4, 5);

void
dmt_entry_decoder_fini(struct dmt_entry_decoder *decoder);

/*
 * Encodes an entry to out, which has room for DMT_ENTRY_MAX bytes, and sets
 * *len. It is not raw.
 *
 * Returns DMTRACE_OK or DMTRACE_ERR_RANGE, with error set
 */
enum dmtrace_status
dmt_entry_encode(uint8_t *out, size_t *len,
    const struct dmtrace_entry *entry, struct dmtrace_error *error);

/* dmt_eventlog_writer_import, from an open input; error is the writer's. */
enum dmtrace_status
dmt_entry_import(struct dmtrace_eventlog_writer *writer,
    struct dmt_input *input, unsigned header, struct dmtrace_error *error);

#endif
