/* stream_encode.h - the header of a packet, which precedes its text */
#ifndef DMT_DATA_STREAM_ENCODE_H
#define DMT_DATA_STREAM_ENCODE_H

#include "data/stream_decode.h"

/*
 * Encodes the bytes of a packet before its text, of which text_len must be
 * there and thread of a thread. Returns how many they are, or 0: the text is
 * too long for the packet.
 */
size_t
dmt_packet_head_encode(uint8_t out[DMT_PACKET_HEAD_MAX],
    const struct dmt_packet *packet);

#endif
