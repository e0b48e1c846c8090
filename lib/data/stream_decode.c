/* stream_decode.c - decodes packets between the records of an ART stream */

/*
 * A stream is records and packets in any order. Two zero bytes, where a record
 * has its thread number, begin a packet; the third byte says which. A thread
 * or a method is announced by a packet before its first record, and the last
 * packet is a summary, the text of a key.
 *
 * Nothing marks a record, so a wrong distance between records shows only when
 * bytes make no sense: a packet of no known kind, a text that no packet has, or
 * record after record of which neither the thread nor the method was announced.
 * A walk by each distance that there is goes on to where no packet can be, and
 * counts the bytes of records that made sense up to there, or until most do
 * not. The stated distance is believed unless another walk gets to the summary,
 * or farther, or counts more than twice as many: some records are in step by
 * chance, and some are of a thread or a method that nothing announces.
 */

#include "data/stream_decode.h"

#include "data/record.h"
#include "key/number.h"

enum {
	RECORD_SIZE_DUAL = 14,
	UNKNOWN_MAX = 8,	/* records more than known ones */
	BITS = UINT16_MAX + 1
};

/* What the packets of a walk have announced, and what made sense. */
struct walk {
	uint8_t threads[BITS / 8];
	uint8_t methods[BITS / 8];	/* by a hash */
	size_t good;			/* bytes of records */
	enum {
		WALK_FAILED,		/* at what is no packet */
		WALK_ENDED,		/* at the end of the window */
		WALK_WHOLE		/* all is known, or a summary came */
	} end;
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

/* Whether the record, of which len bytes are there, has a thread or a method
 * that was announced; 0 is found anywhere, and shows nothing. */
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

/* Takes over what a packet announces. false: its text is none of such a packet.
 * The end of a method's line counts from the first record on: before that, all
 * walks meet it. */
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

			/* A summary may be longer than any window. */
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
dmt_stream_record_size(const uint8_t *in, size_t len, size_t stated,
    unsigned version)
{
	const struct dmt_layout *const layout = dmt_layout_find(version,
	    version == 3 ? DMTRACE_CLOCK_DUAL : DMTRACE_CLOCK_WALL);
	const size_t sizes[] = { layout->record_size,
	    version == 2 ? RECORD_SIZE_DUAL : layout->record_size };
	struct walk best, walk;
	size_t size = stated;

	walk_stream(&best, in, len, stated, layout);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		walk_stream(&walk, in, len, sizes[i], layout);
		if (walk.good / 2 > best.good || (walk.end > best.end &&
		    walk.good >= best.good / 2)) {
			best = walk;
			size = sizes[i];
		}
	}
	return size;
}
