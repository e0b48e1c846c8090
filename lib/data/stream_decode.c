/* stream_decode.c - packets between the records of an ART stream */

/*
 * A stream is records and packets in any order. Two zero bytes, where a record
 * has its thread number, begin a packet; the third byte says which. A thread
 * or a method is announced by a packet before its first record, and the last
 * packet is a summary, the text of a key.
 *
 * Nothing marks a record, so a wrong distance between records shows only when
 * bytes make no sense: a packet of no known kind, a method line without its
 * end, a record of a thread that was not announced. A walk by each distance
 * that there is goes to the first such byte; the stated distance is believed
 * unless another walk gets farther.
 */

#include "data/stream_decode.h"

#include "format/layout.h"

#define RECORD_SIZE_DUAL 14

enum dmtrace_status
dmt_packet_decode(struct dmt_packet *packet, const uint8_t *in, size_t len)
{
	size_t head;

	*packet = (struct dmt_packet){ .len = DMT_PACKET_MARK + 1 };
	if (len < packet->len)
		return DMTRACE_END;
	packet->kind = (enum dmt_packet_kind)in[DMT_PACKET_MARK];
	switch (packet->kind) {
	case DMT_PACKET_METHOD:
		head = 5;
		break;
	case DMT_PACKET_THREAD:
	case DMT_PACKET_SUMMARY:
		head = 7;
		break;
	default:
		return DMTRACE_ERR_CORRUPT;
	}
	packet->len = head;
	if (len < head)
		return DMTRACE_END;
	packet->text = (const char *)in + head;
	packet->text_len = packet->kind == DMT_PACKET_SUMMARY ?
	    dmt_get_le32(in + 3) : dmt_get_le16(in + head - 2);
	if (packet->kind == DMT_PACKET_THREAD)
		packet->thread = dmt_get_le16(in + 3);
	if (packet->text_len > SIZE_MAX - head)
		return DMTRACE_ERR_CORRUPT;	/* where size_t has 32 bits */
	packet->len = head + packet->text_len;
	return len < packet->len ? DMTRACE_END : DMTRACE_OK;
}

size_t
dmt_stream_records(const uint8_t *in, size_t len, size_t record_size,
    size_t most)
{
	size_t count = 0;

	for (; count < most && len >= record_size && !dmt_packet_begins(in);
	    in += record_size, len -= record_size)
		count++;
	return count;
}

/* How far the records of that size make sense. A method's line without its
 * end counts from the first record on: before that, all walks meet it. */
static size_t
walk_stream(const uint8_t *in, size_t len, size_t record_size,
    unsigned thread_width)
{
	uint8_t announced[(UINT16_MAX + 1) / 8] = { 0 };
	bool in_records = false;
	size_t at = 0;

	while (len - at >= DMT_PACKET_MARK) {
		const uint8_t *const next = in + at;
		struct dmt_packet packet;

		if (!dmt_packet_begins(next)) {
			const size_t thread =
			    (size_t)dmt_get_le(next, thread_width);
			if (!(announced[thread / 8] >> thread % 8 & 1))
				return at;
			if (len - at < record_size)
				return len;
			in_records = true;
			at += record_size;
			continue;
		}
		const enum dmtrace_status status =
		    dmt_packet_decode(&packet, next, len - at);
		if (status != DMTRACE_ERR_CORRUPT &&
		    packet.kind == DMT_PACKET_SUMMARY)
			return len;
		if (status != DMTRACE_OK)
			return at;
		if (in_records && packet.kind == DMT_PACKET_METHOD &&
		    (packet.text_len == 0 ||
		    packet.text[packet.text_len - 1] != '\n'))
			return at;
		if (packet.kind == DMT_PACKET_THREAD)
			announced[packet.thread / 8] |=
			    (uint8_t)(1u << packet.thread % 8);
		at += packet.len;
	}
	return len;
}

size_t
dmt_stream_record_size(const uint8_t *in, size_t len, size_t stated,
    unsigned version)
{
	const struct dmt_layout *const layout = dmt_layout_find(version,
	    version == 3 ? DMTRACE_CLOCK_DUAL : DMTRACE_CLOCK_WALL);
	const unsigned width = layout->thread.width;
	const size_t sizes[] = { layout->record_size,
	    version == 2 ? RECORD_SIZE_DUAL : layout->record_size };
	size_t best = walk_stream(in, len, stated, width), size = stated;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const size_t end = sizes[i] == stated ? 0 :
		    walk_stream(in, len, sizes[i], width);

		/* one that ends in the middle may be a record long by chance */
		if (end > best && (end == len || end > best + sizes[i])) {
			best = end;
			size = sizes[i];
		}
	}
	return size;
}
