/* traits.c - what readers stumble over in containers and headers */

#include "verify/traits.h"

#include <string.h>

#include "base/bytes.h"
#include "format/header.h"

#define HEADER DMT_HEADER_SIZE
#define STREAM_DUAL 0xf3

/* Whether all packets of a stream are whole, as far as it goes. */
struct stream {
	struct dmt_source *source;
	size_t record_size;
	bool summary;
	bool cut;
};

static bool
skip(struct stream *stream, size_t len)
{
	const uint8_t *bytes;

	if (dmt_source_peek(stream->source, len, &bytes) < len) {
		stream->cut = true;
		return false;
	}
	dmt_source_skip(stream->source, len);
	return true;
}

/* The packet whose first three bytes are 0, 0 and op. */
static bool
pass_packet(struct stream *stream, unsigned op)
{
	static const size_t heads[] = { 0, 5, 7, 7 };
	const size_t head = op < 4 ? heads[op] : 0;
	const uint8_t *bytes;

	if (head == 0 ||
	    dmt_source_peek(stream->source, head, &bytes) < head) {
		stream->cut = true;
		return false;
	}
	const size_t len = op == 1 ? dmt_get_le16(bytes + 3) :
	    op == 2 ? dmt_get_le16(bytes + 5) :
	    (size_t)dmt_get_le(bytes + 3, 4);
	if (!skip(stream, head + len))
		return false;
	stream->summary |= op == 3;
	return op != 3;
}

static bool
pass(struct stream *stream)
{
	const uint8_t *bytes;
	const size_t len = dmt_source_peek(stream->source, 3, &bytes);

	if (len == 0)
		return false;
	if (len < 3) {
		stream->cut = true;
		return false;
	}
	return bytes[0] == 0 && bytes[1] == 0 ?
	    pass_packet(stream, bytes[2]) :
	    skip(stream, stream->record_size);
}

static void
look_at_stream(struct dmt_traits *traits, struct dmt_source *source)
{
	const uint8_t *bytes;
	struct stream stream = { .source = source };

	traits->has[DMT_TRAIT_STREAM] = true;
	if (dmt_source_peek(source, HEADER, &bytes) < HEADER) {
		traits->has[DMT_TRAIT_STREAM_CUT] = true;
		return;
	}
	stream.record_size = bytes[DMT_HEADER_VERSION] == STREAM_DUAL ? 14 :
	    10;
	dmt_source_skip(source, HEADER);
	while (pass(&stream))
		;
	traits->has[DMT_TRAIT_STREAM_CUT] = stream.cut;
	traits->has[DMT_TRAIT_STREAM_NO_SUMMARY] = !stream.summary;
}

/* Records of version 1 and 2 that begin at byte at, among which a reader may
 * find one that it refuses. */
static bool
has_odd_records(const uint8_t *bytes, size_t len, unsigned version,
    size_t at)
{
	const size_t size = version == 1 ? 9 : version == 2 ? 10 : 14;
	const size_t word = version == 1 ? 1 : 2;

	while (at + size <= len) {
		if ((bytes[at + word] & 3) == DMTRACE_RESERVED)
			return true;
		at += size;
	}
	return at != len;
}

/* The offset of a reader that counts backwards is one of 16 bits. */
static void
look_at_offset(struct dmt_traits *traits, const uint8_t *bytes, size_t len)
{
	const unsigned version = dmt_get_le16(bytes + DMT_HEADER_VERSION);
	const unsigned offset = dmt_get_le16(bytes + DMT_HEADER_OFFSET);

	if (offset >= 16 && offset <= len)
		return;
	traits->has[DMT_TRAIT_OFFSET_BACK] = true;
	if (offset < 16 && has_odd_records(bytes, len, version, offset))
		traits->has[DMT_TRAIT_OFFSET_BACK_ODD] = true;
}

static void
look_at_size(struct dmt_traits *traits, unsigned size)
{
	traits->has[size == 0 ? DMT_TRAIT_SIZE_0 : DMT_TRAIT_SIZE_TINY] =
	    true;
}

static void
look_at_bad_header(struct dmt_traits *traits, struct dmt_source *source)
{
	const uint8_t *bytes;
	const size_t len = dmt_source_peek(source, 65536, &bytes);

	if (len < 16) {
		traits->has[DMT_TRAIT_HEADER_CUT] = true;
		return;
	}
	const unsigned version = dmt_get_le16(bytes + DMT_HEADER_VERSION);
	if (version < 1 || version > 3)
		traits->has[DMT_TRAIT_VERSION_OTHER] = true;
	else if (memcmp(bytes, DMT_MAGIC, DMT_MAGIC_SIZE) != 0)
		traits->has[DMT_TRAIT_MAGIC_BAD] = true;
	else if (version == 3 && len >= 18 && dmt_get_le16(bytes + 16) < 10)
		look_at_size(traits, dmt_get_le16(bytes + 16));
	else if (len < HEADER &&
	    dmt_get_le16(bytes + DMT_HEADER_OFFSET) == HEADER)
		traits->has[DMT_TRAIT_HEADER_CUT] = true;
	else
		look_at_offset(traits, bytes, len);
}

/* A reader that always skips 32 bytes is out of step unless the rest is whole
 * records. */
static void
look_at_header(struct dmt_traits *traits, struct dmtrace_reader *reader)
{
	const struct dmtrace_header *const header = &reader->header;
	const struct dmtrace_layout *const layout = &reader->layout;

	traits->has[DMT_TRAIT_VERSION_1] = header->version == 1;
	if (header->data_offset != HEADER) {
		const unsigned behind = header->data_offset +
		    HEADER * (layout->record_size - 1u);
		traits->has[DMT_TRAIT_OFFSET_NOT_32] = true;
		traits->has[DMT_TRAIT_OFFSET_UNEVEN] =
		    behind % layout->record_size != 0;
	}
	if (header->version == 3 && layout->record_size < 14)
		traits->has[DMT_TRAIT_SIZE_SMALL] = true;
	if (header->version == 3 && layout->record_size > INT16_MAX)
		traits->has[DMT_TRAIT_SIZE_HIGH] = true;
	if (layout->clock != DMTRACE_CLOCK_DUAL)
		return;
	if (dmtrace_clock_word(dmtrace_key_clock(reader->key))[0] == '\0')
		traits->has[DMT_TRAIT_CLOCK_LOST] = true;
	if (traits->has[DMT_METHOD_ID_HIGH])
		traits->has[DMT_TRAIT_ID_HIGH_DUAL] = true;
}

void
dmt_traits_of_open(struct dmt_traits *traits, struct dmtrace_reader *reader,
    enum dmtrace_status opened)
{
	if (opened == DMTRACE_OK) {
		traits->has[DMT_TRAIT_PAIR] =
		    reader->container == DMTRACE_CONTAINER_PAIR;
		look_at_header(traits, reader);
	} else if (reader->has_key) {
		if (reader->container != DMTRACE_CONTAINER_KEY)
			look_at_bad_header(traits, reader->source == NULL ?
			    &reader->key_source : reader->source);
	} else if (reader->container == DMTRACE_CONTAINER_STREAM) {
		look_at_stream(traits, &reader->key_source);
	} else if (reader->container == DMTRACE_CONTAINER_PACKETS) {
		traits->has[DMT_TRAIT_PACKETS] = true;
	} else if (opened == DMTRACE_ERR_FOREIGN) {
		traits->has[DMT_TRAIT_DATA_ALONE] = true;
	} else if (opened == DMTRACE_ERR_TRUNCATED) {
		traits->has[DMT_TRAIT_NO_END] = true;
	} else {
		traits->has[DMT_TRAIT_NOT_TRACE] = true;
	}
}
