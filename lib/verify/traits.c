/* traits.c - what readers stumble over in containers and headers */

#include "verify/traits_key.h"

#include <string.h>

#include "base/bytes.h"
#include "format/header.h"

#define HEADER DMT_HEADER_SIZE
#define STREAM_DUAL 0xf3

/* Whether all packets of a stream are whole, as far as it goes. */
struct stream {
	struct dmt_input *input;
	struct dmt_look *look;
	size_t record_size;
	bool summary;
	bool cut;
};

static bool
skip(struct stream *stream, size_t len)
{
	const uint8_t *bytes;

	if (dmt_input_peek(stream->input, len, &bytes) < len) {
		stream->cut = true;
		return false;
	}
	dmt_input_skip(stream->input, len);
	return true;
}

/* The options of a summary, as far as its text goes: they are all that is
 * read of it. Whether its clock is among them. */
static bool
look_at_summary(struct stream *stream, struct dmtrace_text text)
{
	bool has_clock = false;

	for (size_t i = 0; text.bytes != NULL; i++) {
		const struct dmtrace_text line = dmt_text_cut(&text, '\n');

		if (text.bytes == NULL ||
		    (i > 0 && dmt_text_begins(line, "*")))
			break;
		has_clock |= i > 1 && dmt_text_begins(line, "clock=");
		if (i > 1)
			dmt_look_option(stream->look, line);
	}
	return has_clock;
}

/* What is left of one that is cut can be enough. */
static void
look_at_cut_summary(struct stream *stream, size_t head)
{
	const uint8_t *bytes;
	const size_t len = dmt_input_peek(stream->input, SIZE_MAX / 2,
	    &bytes);
	const struct dmtrace_text text =
	    { (const char *)bytes + head, len - head };
	struct dmtrace_text rest = text;

	dmt_text_cut(&rest, '\n');
	dmt_text_cut(&rest, '\n');
	if (rest.bytes == NULL)
		return;
	stream->cut = false;
	stream->summary = look_at_summary(stream, text);
	if (stream->summary)
		dmt_trait_set(stream->look->traits,
		    DMT_STREAM_SUMMARY_CUT, DMT_BY_ALL);
}

/* The packet whose first three bytes are 0, 0 and op. */
static bool
pass_packet(struct stream *stream, unsigned op)
{
	static const size_t heads[] = { 0, 5, 7, 7 };
	const size_t head = op < 4 ? heads[op] : 0;
	const uint8_t *bytes;

	if (head == 0 ||
	    dmt_input_peek(stream->input, head, &bytes) < head) {
		stream->cut = true;
		return false;
	}
	const size_t len = op == 1 ? dmt_get_le16(bytes + 3) :
	    op == 2 ? dmt_get_le16(bytes + 5) :
	    (size_t)dmt_get_le(bytes + 3, 4);
	if (op != 3)
		return skip(stream, head + len);
	if (dmt_input_peek(stream->input, head + len, &bytes) < head + len) {
		stream->cut = true;
		look_at_cut_summary(stream, head);
		return false;
	}
	look_at_summary(stream,
	    (struct dmtrace_text){ (const char *)bytes + head, len });
	stream->summary = true;
	return false;
}

static bool
pass(struct stream *stream)
{
	const uint8_t *bytes;
	const size_t len = dmt_input_peek(stream->input, 3, &bytes);

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
look_at_stream(struct dmt_look *look, struct dmt_input *input)
{
	struct dmt_traits *const traits = look->traits;
	struct stream stream = { .input = input, .look = look };
	const uint8_t *bytes;

	dmt_trait_set(traits, DMT_STREAM, DMT_BY_ALL);
	if (dmt_input_peek(input, HEADER, &bytes) < HEADER) {
		dmt_trait_set(traits, DMT_STREAM_CUT, DMT_BY_ALL);
		return;
	}
	stream.record_size = bytes[DMT_HEADER_VERSION] == STREAM_DUAL ? 14 :
	    10;
	dmt_input_skip(input, HEADER);
	while (pass(&stream))
		;
	dmt_trait_set_if(traits, DMT_STREAM_CUT, stream.cut);
	dmt_trait_set_if(traits, DMT_STREAM_NO_SUMMARY,
	    !stream.summary);
}

static void
look_at_packets(struct dmt_traits *traits, struct dmt_input *input)
{
	const uint8_t *bytes;

	dmt_trait_set(traits, DMT_PACKETS, DMT_BY_ALL);
	dmt_trait_set_if(traits, DMT_PACKETS_NONE,
	    dmt_input_peek(input, HEADER + 1, &bytes) <= HEADER);
}

static void
look_at_bad_header(struct dmt_look *look, struct dmtrace_reader *reader,
    struct dmtrace_text key)
{
	struct dmt_traits *const traits = look->traits;
	struct dmt_input *const input = reader->input == NULL ?
	    &reader->key_input : reader->input;
	const uint8_t *bytes;
	const size_t len = dmt_input_peek(input, HEADER, &bytes);

	if (len < 16) {
		dmt_trait_set(traits, DMT_HEADER_CUT, DMT_BY_ALL);
		return;
	}
	const unsigned version = dmt_get_le16(bytes + DMT_HEADER_VERSION);
	const unsigned offset = dmt_get_le16(bytes + DMT_HEADER_OFFSET);
	const unsigned size = version == 3 && len >= 18 ?
	    dmt_get_le16(bytes + 16) : UINT16_MAX;
	if (version < 1 || version > 3) {
		dmt_trait_set(traits, DMT_VERSION_OTHER, DMT_BY_ALL);
	} else if (memcmp(bytes, DMT_MAGIC, DMT_MAGIC_SIZE) != 0) {
		dmt_trait_set(traits, DMT_MAGIC_BAD, DMT_BY_ALL);
	} else if (size == 0) {
		dmt_trait_set(traits, DMT_RECORD_SIZE_0, DMT_BY_ALL);
	} else if (len < HEADER && offset == HEADER) {
		dmt_trait_set(traits, DMT_HEADER_CUT, DMT_BY_ALL);
	} else {
		dmt_trait_set_if(traits, DMT_RECORD_SIZE_TINY, size < 10);
		dmt_look_elsewhere(look, reader, input, key);
	}
}

/* A reader that always skips 32 bytes is out of step unless the rest is whole
 * records. */
static void
look_at_header(struct dmt_traits *traits, struct dmtrace_reader *reader)
{
	const struct dmtrace_header *const header = &reader->header;
	const struct dmtrace_layout *const layout = &reader->layout;

	dmt_trait_set_if(traits, DMT_VERSION_1, header->version == 1);
	if (header->data_offset != HEADER) {
		const unsigned behind = header->data_offset +
		    HEADER * (layout->record_size - 1u);
		dmt_trait_set(traits, DMT_OFFSET_NOT_32, DMT_BY_ALL);
		dmt_trait_set_if(traits, DMT_OFFSET_UNEVEN,
		    behind % layout->record_size != 0);
	}
	if (header->data_offset > INT16_MAX)
		dmt_trait_set(traits, DMT_RECORDS_ELSEWHERE,
		    DMT_BY_JAVA | DMT_BY_DUMP);
	dmt_trait_set_if(traits, DMT_RECORD_SIZE_SMALL,
	    header->version == 3 && layout->record_size < 14);
	dmt_trait_set_if(traits, DMT_RECORD_SIZE_HIGH,
	    header->version == 3 && layout->record_size > INT16_MAX);
	dmt_trait_set_if(traits, DMT_CLOCK_LOST,
	    layout->clock == DMTRACE_CLOCK_DUAL &&
	    dmtrace_clock_word(dmtrace_key_clock(reader->key))[0] == '\0');
}

void
dmt_look_open(struct dmt_look *look, struct dmtrace_reader *reader,
    enum dmtrace_status opened, struct dmtrace_text text)
{
	struct dmt_traits *const traits = look->traits;

	if (text.len > 0)
		dmt_look_key(look, text);
	if (opened == DMTRACE_OK) {
		dmt_trait_set_if(traits, DMT_PAIR,
		    reader->container == DMTRACE_CONTAINER_PAIR);
		look_at_header(traits, reader);
	} else if (reader->has_key) {
		if (reader->container != DMTRACE_CONTAINER_KEY)
			look_at_bad_header(look, reader, text);
	} else if (reader->container == DMTRACE_CONTAINER_STREAM) {
		look_at_stream(look, &reader->key_input);
	} else if (reader->container == DMTRACE_CONTAINER_PACKETS) {
		look_at_packets(traits, &reader->key_input);
	} else {
		dmt_trait_set(traits, opened == DMTRACE_ERR_FOREIGN ?
		    DMT_DATA_ALONE : opened == DMTRACE_ERR_TRUNCATED ?
		    DMT_KEY_NO_END : DMT_NOT_TRACE, DMT_BY_ALL);
	}
}
