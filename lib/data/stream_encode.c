/* stream_encode.c - encodes packets of a stream, up to the text */

#include "data/stream_encode.h"

size_t
dmt_packet_head_encode(uint8_t out[DMT_PACKET_HEAD_MAX],
    const struct dmt_packet *packet)
{
	const bool summary = packet->kind == DMT_PACKET_SUMMARY;
	uint8_t *next = out + DMT_PACKET_MARK + 1;

	if (!dmt_fits(summary ? 4 : 2, packet->text_len))
		return 0;
	dmt_put_le16(out, 0);
	out[DMT_PACKET_MARK] = (uint8_t)packet->kind;
	if (packet->kind == DMT_PACKET_THREAD) {
		dmt_put_le16(next, packet->thread);
		next += 2;
	}
	dmt_put_le(next, summary ? 4 : 2, packet->text_len);
	next += summary ? 4 : 2;
	return (size_t)(next - out);
}
