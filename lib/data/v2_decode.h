/* v2_decode.h - bytes to packets and their events; mirror of _encode */
#ifndef DMT_DATA_V2_DECODE_H
#define DMT_DATA_V2_DECODE_H

#include "data/v2.h"

/* Decodes the header, whose magic and version were looked at. in has
 * DMT_V2_HEADER_SIZE bytes. */
void
dmt_v2_header_decode(struct dmt_v2_header *header, const uint8_t *in);

/*
 * Decodes the packet at in, of which len bytes are readable; DMT_V2_PACKET_MAX
 * are always enough. *used: its bytes; of events, those of the block's header.
 * On failure nothing is written.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_ERR_TRUNCATED  it goes on after len
 *   DMTRACE_ERR_CORRUPT    no packet begins with such a byte
 */
enum dmtrace_status
dmt_v2_packet_decode(struct dmt_v2_packet *packet,
    const struct dmt_v2_form *form, const uint8_t *in, size_t len,
    size_t *used);

/* A block that is being decoded, and what the next one may go on from. Zero,
 * with a form, is the start of a file. */
struct dmt_v2_block {
	struct dmt_v2_form form;
	bool begun;		/* there was a block: */
	uint32_t thread;
	uint16_t count;		/* its count, as stored */
	bool continues;		/* the flush of the block before it */

	const uint8_t *in;	/* what is left of the payload */
	const uint8_t *end;
	bool cut;		/* the payload goes on after end */
	bool first;		/* of stage B: the header's record is next */
	uint64_t word;		/* the bases of the next differences */
	uint64_t cpu;
	uint64_t wall;
};

/*
 * Finds how many bytes the payload of a block has, of which len bytes are
 * readable at in. It is packet->size but in stage B, where size and count are
 * both modulo 65,536: there it is the first length at which both are right,
 * and a packet or the end of the file follows.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_ERR_TRUNCATED  it goes on after len, or perhaps does; *size is
 *                          len. At the end of a file the block is cut there
 *   DMTRACE_ERR_CORRUPT    of stage B: a number has more than 10 bytes
 */
enum dmtrace_status
dmt_v2_block_measure(size_t *size, const struct dmt_v2_form *form,
    const struct dmt_v2_packet *packet, const uint8_t *in, size_t len,
    bool ended);

/*
 * Begins to decode the block of a packet, whose payload is at in, len bytes;
 * less than it has if it is cut. The bytes must stay until its events are
 * decoded. block is as the block before it left it, decoded or not.
 */
void
dmt_v2_block_begin(struct dmt_v2_block *block,
    const struct dmt_v2_packet *packet, const uint8_t *in, size_t len,
    bool cut);

/*
 * Decodes up to capacity events to the columns. *count may be less than
 * capacity only at the end of the block, and on failure.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_ERR_TRUNCATED  the block ends within the next record
 *   DMTRACE_ERR_CORRUPT    a number of the next record has more than 10 bytes
 */
enum dmtrace_status
dmt_v2_block_decode(struct dmt_v2_block *block,
    const struct dmt_v2_columns *to, size_t capacity, size_t *count);

#endif
