/* stream_encode.h - encodes packets of a stream, up to the text */
#ifndef DMT_DATA_STREAM_ENCODE_H
#define DMT_DATA_STREAM_ENCODE_H

#include "data/stream_decode.h"

/*
 * Encodes the bytes of a packet that precede its text. kind, text_len and, for
 * a thread, thread must be set. Returns how many bytes there are, or 0 if the
 * text is too long for the packet.
 */
size_t
dmt_packet_head_encode(uint8_t out[DMT_PACKET_HEAD_MAX],
    const struct dmt_packet *packet);

#endif
