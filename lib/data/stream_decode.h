/* stream_decode.h - packets between the records of an ART stream */
#ifndef DMT_DATA_STREAM_DECODE_H
#define DMT_DATA_STREAM_DECODE_H

#include <dmtrace/status.h>
#include <stdbool.h>

#include "base/bytes.h"

/* The third byte of a packet; the first two are 0, which is not a thread. */
enum dmt_packet_kind {
	DMT_PACKET_METHOD = 1,
	DMT_PACKET_THREAD = 2,
	DMT_PACKET_SUMMARY = 3
};

enum {
	DMT_PACKET_MARK = 2,		/* zero bytes at its start */
	DMT_PACKET_HEAD_MAX = 7,	/* before the text */
	DMT_PACKET_TEXT_MAX = UINT16_MAX	/* but of a summary */
};

struct dmt_packet {
	enum dmt_packet_kind kind;
	uint16_t thread;		/* of a thread */
	const char *text;		/* a method's line with its LF, a
					   thread's name, a summary's key */
	size_t text_len;
	size_t len;			/* of the whole packet */
};

/* Whether a packet begins at in, of which DMT_PACKET_MARK bytes are
 * readable; else it is a record. */
static inline bool
dmt_packet_begins(const uint8_t *in)
{
	return dmt_get_le16(in) == 0;
}

/*
 * Decodes the packet at in, of which len bytes are readable.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_END          len is less than packet->len, which is all of the
 *                        packet or as much as shows how long it is; kind is
 *                        known if that is more than 3 bytes
 *   DMTRACE_ERR_CORRUPT  no packet begins so
 */
enum dmtrace_status
dmt_packet_decode(struct dmt_packet *packet, const uint8_t *in, size_t len);

/* How many whole records are in len bytes at in before a packet, at most
 * most of them. */
size_t
dmt_stream_records(const uint8_t *in, size_t len, size_t record_size,
    size_t most);

/*
 * How far apart the records of a stream of that version, 1 to 3, are, in
 * bytes: as the header states, or as its first len bytes after the header
 * show; for Android 6 to 13 wrote 4 more bytes to each record of one clock
 * than the header says.
 */
size_t
dmt_stream_record_size(const uint8_t *in, size_t len, size_t stated,
    unsigned version);

#endif
