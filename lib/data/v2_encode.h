/* v2_encode.h - packets and their events to bytes; mirror of _decode */
#ifndef DMT_DATA_V2_ENCODE_H
#define DMT_DATA_V2_ENCODE_H

#include "data/v2.h"

/* Puts the magic and the header to DMT_V2_HEADER_SIZE bytes at out. */
void
dmt_v2_header_encode(uint8_t *out, const struct dmt_v2_header *header);

/* Puts a packet, of events the header of its block, to at most
 * DMT_V2_PACKET_MAX bytes at out. Returns how many. */
size_t
dmt_v2_packet_encode(uint8_t *out, const struct dmt_v2_form *form,
    const struct dmt_v2_packet *packet);

/* Room that is enough for a block of so many events. */
static inline size_t
dmt_v2_block_room(size_t count)
{
	return DMT_V2_BLOCK_HEADER_MAX + count * DMT_RECORD_MAX;
}

/* Whether a block can hold the event; see dmt_v2_block_encode. */
bool
dmt_v2_event_fits(const struct dmt_v2_form *form,
    const struct dmtrace_event *event, bool modulo);

/*
 * Encodes count events of one thread, 1 to DMT_V2_BLOCK_EVENTS_MAX of them, as
 * a block of its own, with its header, to dmt_v2_block_room(count) bytes at
 * out. Times are cut to the stage's unit; ticks are rounded up, so that they
 * are the same ticks again if there are at most 10^9 of them per second.
 * modulo: times before stage E are stored modulo 2^32 us. An exit of stage F
 * and of the long-running dump is stored without its method.
 *
 * Returns DMTRACE_OK, with the block's bytes in *len, or
 *   DMTRACE_ERR_RANGE  a time does not fit or is DMTRACE_NO_TIME, an id has
 *                      one of its two low bits set, the stage has no such
 *                      action, or the events of stage B take more than 65,535
 *                      bytes
 */
enum dmtrace_status
dmt_v2_block_encode(uint8_t *out, size_t *len, const struct dmt_v2_form *form,
    const struct dmtrace_event *events, size_t count, bool modulo);

#endif
