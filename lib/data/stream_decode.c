/* stream_decode.c - decodes packets between the records of an ART stream */

/*
 * A stream has records and packets in any order. A packet begins with two zero
 * bytes, where a record has its thread number; its third byte is the kind. A
 * packet announces each thread and each method before its first record, and
 * the last packet is a summary, the text of a key.
 *
 * Records are not marked, so a wrong record size is only noticed when bytes
 * make no sense: a packet of an unknown kind, a text that is not valid in a
 * packet, or many records in a row whose thread and method were not announced.
 * To find the size, the stream is walked with each possible size up to the
 * first invalid packet, counting the bytes of records that make sense up to
 * there, or up to where most do not. The stated size is used if its walk knows
 * all records and reaches the summary; else unless another walk gets farther,
 * or counts more than twice as many bytes and misses no summary that the first
 * one reaches: some records match by accident, and some threads and methods are
 * never announced.
 */

#include "data/stream_decode.h"

#include "data/record.h"
#include "key/number.h"

enum {
	RECORD_SIZE_DUAL = 14,
	UNKNOWN_MAX = 8,	/* unknown records minus known ones */
	BITS = UINT16_MAX + 1
};

/* What the packets of a walk have announced, and how much made sense. */
struct walk {
	uint8_t threads[BITS / 8];
	uint8_t methods[BITS / 8];	/* indexed by a hash */
	size_t good;			/* bytes of records that made sense */
	enum {
		WALK_FAILED,		/* stopped at an invalid packet */
		WALK_ENDED,		/* reached the end of the window */
		WALK_WHOLE		/* all is known, or reached a summary */
	} end;
	bool sure;			/* both of these */
};

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
		return DMTRACE_ERR_CORRUPT;	/* possible if size_t has 32
						   bits */
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

static bool
has_bit(const uint8_t *bits, size_t i)
{
	return bits[i / 8] >> i % 8 & 1;
}

static void
set_bit(uint8_t *bits, size_t i)
{
	bits[i / 8] |= (uint8_t)(1u << i % 8);
}

static size_t
hash_method(uint64_t id)
{
	return (uint32_t)(id >> 2) * UINT32_C(2654435761) >> 16;
}

/* Returns true if the record, of which len bytes are there, has a thread or a
 * method that was announced. Id 0 does not count, as zeros are common. */
static bool
has_announced_id(const struct walk *walk, const struct dmt_layout *layout,
    const uint8_t *in, size_t len)
{
	const struct dmt_field field = layout->method;
	const uint64_t word = len < (size_t)field.offset + field.width ? 0 :
	    dmt_field_get(field, in);

	return has_bit(walk->threads,
	    (size_t)dmt_field_get(layout->thread, in)) ||
	    (word > 3 && has_bit(walk->methods, hash_method(word)));
}

/* Adds what a packet announces. false: its text is not valid. A method's line
 * may lack its end before the first record, where a walk with any size would
 * find it. */
static bool
take_announced(struct walk *walk, const struct dmt_packet *packet,
    bool in_records)
{
	struct dmtrace_text line = { packet->text, packet->text_len };
	bool unusual;
	uint64_t id;

	if (packet->kind == DMT_PACKET_SUMMARY)
		return dmt_text_begins(line, "*version");
	if (packet->kind == DMT_PACKET_THREAD) {
		set_bit(walk->threads, packet->thread);
		return true;
	}
	const bool ends = line.len > 0 && line.bytes[line.len - 1] == '\n';
	if (dmt_method_id_decode(&id, &unusual, dmt_text_cut(&line, '\t')))
		set_bit(walk->methods, hash_method(id));
	return ends || !in_records;
}

static void
walk_stream(struct walk *walk, const uint8_t *in, size_t len,
    size_t record_size, const struct dmt_layout *layout)
{
	bool in_records = false, all_known = true;
	unsigned unknown = 0;

	*walk = (struct walk){ .good = 0 };
	while (len >= DMT_PACKET_MARK) {
		size_t used = len < record_size ? len : record_size;

		if (dmt_packet_begins(in)) {
			struct dmt_packet packet;
			enum dmtrace_status status =
			    dmt_packet_decode(&packet, in, len);

			/* A summary may be longer than the window. */
			if (status == DMTRACE_END &&
			    len > DMT_PACKET_HEAD_MAX &&
			    packet.kind == DMT_PACKET_SUMMARY) {
				packet.text_len = len - DMT_PACKET_HEAD_MAX;
				status = DMTRACE_OK;
			}
			if (status != DMTRACE_OK ||
			    !take_announced(walk, &packet, in_records))
				return;
			if (packet.kind == DMT_PACKET_SUMMARY) {
				walk->end = WALK_WHOLE;
				walk->sure = all_known;
				return;
			}
			used = packet.len;
		} else if (has_announced_id(walk, layout, in, len)) {
			in_records = true;
			walk->good += unknown <= UNKNOWN_MAX ? used : 0;
			unknown -= unknown > 0 && unknown <= UNKNOWN_MAX;
		} else {
			in_records = true;
			all_known = false;
			unknown++;
		}
		in += used;
		len -= used;
	}
	walk->end = all_known ? WALK_WHOLE : WALK_ENDED;
}

size_t
dmt_stream_peek_records(struct dmt_input *input, size_t *at, size_t most,
    const uint8_t **bytes)
{
	struct dmt_packet packet;
	size_t len = dmt_input_peek(input, *at + 1, bytes);

	while (len >= *at + DMT_PACKET_MARK &&
	    dmt_packet_begins(*bytes + *at)) {
		const enum dmtrace_status status =
		    dmt_packet_decode(&packet, *bytes + *at, len - *at);

		if (status == DMTRACE_OK && packet.kind != DMT_PACKET_SUMMARY)
			*at += packet.len;
		else if (status == DMTRACE_END && !input->ended &&
		    packet.kind != DMT_PACKET_SUMMARY)
			len = dmt_input_peek(input, *at + packet.len, bytes);
		else
			break;
	}
	return dmt_input_peek(input, *at + most, bytes);
}

size_t
dmt_stream_record_size(const uint8_t *in, size_t len, size_t stated,
    unsigned version)
{
	const struct dmt_layout *const layout = dmt_layout_most(version);
	const size_t sizes[] = { layout->record_size,
	    version == 2 ? RECORD_SIZE_DUAL : layout->record_size };
	struct walk best, walk;
	size_t size = stated;

	walk_stream(&best, in, len, stated, layout);
	if (best.sure)
		return stated;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		walk_stream(&walk, in, len, sizes[i], layout);
		if ((walk.good / 2 > best.good &&
		    (walk.end == WALK_WHOLE || best.end != WALK_WHOLE)) ||
		    (walk.end > best.end && walk.good >= best.good / 2)) {
			best = walk;
			size = sizes[i];
		}
	}
	return size;
}
