/* stream_decode.h - decodes packets between the records of an ART stream */
#ifndef DMT_DATA_STREAM_DECODE_H
#define DMT_DATA_STREAM_DECODE_H

#include <dmtrace/status.h>
#include <stdbool.h>

#include "base/bytes.h"
#include "base/input.h"

/* The third byte of a packet; the first two are 0, which is no thread
 * number. */
enum dmt_packet_kind {
	DMT_PACKET_METHOD = 1,
	DMT_PACKET_THREAD = 2,
	DMT_PACKET_SUMMARY = 3
};

enum {
	DMT_PACKET_MARK = 2,		/* leading zero bytes */
	DMT_PACKET_HEAD_MAX = 7,	/* bytes before the text, at most */
	DMT_PACKET_TEXT_MAX = UINT16_MAX	/* of a text, except in a
						   summary */
};

struct dmt_packet {
	enum dmt_packet_kind kind;
	uint16_t thread;		/* if kind is THREAD */
	const char *text;		/* a method's line with its LF, a
					   thread's name, or the key of a
					   summary */
	size_t text_len;
	size_t len;			/* of the whole packet, in bytes */
};

/* Returns true if a packet begins at in, false for a record; DMT_PACKET_MARK
 * bytes must be readable. */
static inline bool
dmt_packet_begins(const uint8_t *in)
{
	return dmt_get_le16(in) == 0;
}

/*
 * Decodes the packet at in, of which len bytes are readable.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_END          more bytes are needed: packet->len, the size of the
 *                        packet or, if that cannot be read yet, of the bytes
 *                        up to its size; kind is valid if len is 3 or more
 *   DMTRACE_ERR_CORRUPT  not a packet
 */
enum dmtrace_status
dmt_packet_decode(struct dmt_packet *packet, const uint8_t *in, size_t len);

/* Returns how many whole records precede the next packet in len bytes at in,
 * at most most. */
size_t
dmt_stream_records(const uint8_t *in, size_t len, size_t record_size,
    size_t most);

/* So many bytes from the first record on are enough to find the size of
 * records. */
#define DMT_STREAM_SIGHT (1024 * 1024)

/*
 * Makes the packets from position *at of the window on readable, and most more
 * bytes after them, fewer only at the end of the input. Sets *at to the end of
 * these packets: the first record, the summary, or a packet that is damaged or
 * not complete. Returns how many bytes are readable at *bytes.
 */
size_t
dmt_stream_peek_records(struct dmt_input *input, size_t *at, size_t most,
    const uint8_t **bytes);

/*
 * Returns the size in bytes of the records of a stream of version 1 to 3: the
 * size that the header states, or the size that fits the first len bytes after
 * the header. They may differ: Android 6 to 13 wrote records with one clock 4
 * bytes longer than the header says.
 */
size_t
dmt_stream_record_size(const uint8_t *in, size_t len, size_t stated,
    unsigned version);

#endif
