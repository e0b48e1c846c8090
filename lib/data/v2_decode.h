/* v2_decode.h - decodes packets of trace format V2; mirror of v2_encode.h */
#ifndef DMT_DATA_V2_DECODE_H
#define DMT_DATA_V2_DECODE_H

#include "data/v2.h"

/* Decodes the header; magic and version have been checked. in has
 * DMT_V2_HEADER_SIZE bytes. */
void
dmt_v2_header_decode(struct dmt_v2_header *header, const uint8_t *in);

/*
 * Decodes the packet at in, of which len bytes are readable; DMT_V2_PACKET_MAX
 * are always enough. *used is its size; for events, the size of the block's
 * header. On failure nothing is written.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_ERR_TRUNCATED  it is longer than len
 *   DMTRACE_ERR_CORRUPT    no packet begins with this byte
 */
enum dmtrace_status
dmt_v2_packet_decode(struct dmt_v2_packet *packet,
    const struct dmt_v2_form *form, const uint8_t *in, size_t len,
    size_t *used);

/* A block that is being decoded, and the state for the next block. At the
 * start of a file it is zero, except for form. */
struct dmt_v2_block {
	struct dmt_v2_form form;
	bool begun;		/* there was a block before */
	uint32_t thread;
	uint16_t count;		/* its count, as stored */
	bool continues;		/* continues the flush of the previous block */

	const uint8_t *in;	/* the rest of the payload */
	const uint8_t *end;
	bool cut;		/* the payload continues after end */
	bool first;		/* of stage B: the record in the header is
				   next */
	uint64_t word;		/* what the next differences are added to */
	uint64_t cpu;
	uint64_t wall;

	bool unusual;		/* set by each decode, see below */
};

/*
 * Finds the size of a block's payload, of which len bytes are readable at in.
 * It is packet->size, except in stage B, where size and count are both modulo
 * 65,536: there it is the first length for which both are right and a packet
 * or the end of the file follows.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_ERR_TRUNCATED  it is, or may be, longer than len; *size is len.
 *                          At the end of a file: the block is truncated
 *   DMTRACE_ERR_CORRUPT    of stage B: a number has more than 10 bytes
 */
enum dmtrace_status
dmt_v2_block_measure(size_t *size, const struct dmt_v2_form *form,
    const struct dmt_v2_packet *packet, const uint8_t *in, size_t len,
    bool ended);

/*
 * Begins to decode the block of a packet, whose payload is len bytes at in,
 * fewer than packet->size if it is truncated. The bytes must stay valid until
 * the events are decoded. block is as the previous block left it, decoded or
 * not.
 */
void
dmt_v2_block_begin(struct dmt_v2_block *block,
    const struct dmt_v2_packet *packet, const uint8_t *in, size_t len,
    bool cut);

/*
 * Decodes up to capacity events to the columns. *count is less than capacity
 * only at the end of the block or on failure. If block->unusual is false then,
 * no time is lower than the one of the previous event or is 2^63 or more, and
 * no action is reserved.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_ERR_TRUNCATED  the block ends within the next record
 *   DMTRACE_ERR_CORRUPT    a number of the next record has more than 10 bytes
 */
enum dmtrace_status
dmt_v2_block_decode(struct dmt_v2_block *block,
    const struct dmt_v2_columns *to, size_t capacity, size_t *count);

#endif
