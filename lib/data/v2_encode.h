/* v2_encode.h - encodes packets of trace format V2; mirror of v2_decode.h */
#ifndef DMT_DATA_V2_ENCODE_H
#define DMT_DATA_V2_ENCODE_H

#include "data/v2.h"

/* Writes the magic and the header to DMT_V2_HEADER_SIZE bytes at out. */
void
dmt_v2_header_encode(uint8_t *out, const struct dmt_v2_header *header);

/* Returns what a header of this stage is marked with, in its last two bytes;
 * stage F has another mark, and 0 here. */
uint16_t
dmt_v2_stage_mark(enum dmt_v2_stage stage);

/* Makes a header show the stage of the blocks. */
void
dmt_v2_header_mark(uint8_t *header, const struct dmt_v2_form *form);

/* Encodes a packet (for events, the header of the block) to at most
 * DMT_V2_PACKET_MAX bytes at out. Returns its size. */
size_t
dmt_v2_packet_encode(uint8_t *out, const struct dmt_v2_form *form,
    const struct dmt_v2_packet *packet);

/* Returns the most bytes that a block of count events can need. */
static inline size_t
dmt_v2_block_room(size_t count)
{
	return DMT_V2_BLOCK_HEADER_MAX + count * DMT_V2_RECORD_MAX;
}

/* An event as a block stores it, before differences are computed. */
struct dmt_v2_record {
	uint64_t word;			/* method and action */
	uint64_t wall;			/* in the unit of the stage */
	uint64_t cpu;
	uint64_t time;			/* of stage F and the long-running
					   dump: the first time, with the
					   action in its low bits */
};

/*
 * Converts an event. Times are rounded down to the unit of the stage, but up to
 * whole ticks, so that at up to 10^9 ticks per second, decoding and encoding
 * again gives the same ticks. modulo: times before stage E are stored modulo
 * 2^32 us. In stage F and the long-running dump an exit is stored without its
 * method. false: a time does not fit or is DMTRACE_NO_TIME, the id has one of
 * its two low bits set, or the stage has no such action.
 */
bool
dmt_v2_record_make(struct dmt_v2_record *record,
    const struct dmt_v2_form *form, const struct dmtrace_event *event,
    bool modulo);

/* A block that is being encoded. */
struct dmt_v2_encoding {
	const struct dmt_v2_form *form;
	struct dmt_v2_packet packet;	/* its count is that of the records so
					   far */
	struct dmt_v2_record before;	/* the last one */
	uint8_t *start;
	uint8_t *payload;
	uint8_t *end;			/* of what is encoded */
};

/* Begins a block of one thread, of up to DMT_V2_BLOCK_EVENTS_MAX records; out
 * has room for them (dmt_v2_block_room). The form is not copied. */
void
dmt_v2_encoding_begin(struct dmt_v2_encoding *block,
    const struct dmt_v2_form *form, uint32_t thread, uint8_t *out);
void
dmt_v2_encoding_add(struct dmt_v2_encoding *block,
    const struct dmt_v2_record *record);

/* Completes a block, which has a record, and returns its size; 0: the records
 * of stage B take more than 65,535 bytes. */
size_t
dmt_v2_encoding_end(struct dmt_v2_encoding *block);

/*
 * Encodes 1 to DMT_V2_BLOCK_EVENTS_MAX events of one thread as a complete
 * block; out has dmt_v2_block_room(count) bytes.
 *
 * Returns DMTRACE_OK, with the size of the block in *len, or
 *   DMTRACE_ERR_RANGE  see dmt_v2_record_make and dmt_v2_encoding_end
 */
enum dmtrace_status
dmt_v2_block_encode(uint8_t *out, size_t *len, const struct dmt_v2_form *form,
    const struct dmtrace_event *events, size_t count, bool modulo);

#endif
