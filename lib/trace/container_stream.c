/* container_stream.c - ART streaming: records with packets between them */

/*
 * A stream does not begin with a key. So when it is opened, a pass over the
 * file collects the definitions in its packets, and finds where the events
 * end: at the summary, at the end of the file, or where neither a packet nor a
 * record begins. Then the reader returns to the first record, and reads the
 * records between two packets like those of a version 1, 2 or 3 file. Input
 * that is not seekable is copied to a temporary file first.
 *
 * If the traced process was killed, there is no summary. Then the clock is the
 * only one that the version allows, or wall time. Android 6 and 7 wrote the
 * summary to a separate file next to the stream.
 */

#include "trace/container.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/path.h"
#include "data/stream_decode.h"
#include "format/header.h"
#include "key/key.h"
#include "key/line_text.h"
#include "private/key.h"
#include "trace/packets.h"

/* Returns true if the text of a method packet ends in a line number and LF:
 * six columns, or four of which the last is no signature. */
static bool
ends_in_line_number(struct dmtrace_text text)
{
	struct dmtrace_text column = { NULL, 0 };
	size_t columns = 0;

	if (text.len == 0 || text.bytes[text.len - 1] != '\n')
		return false;
	for (; text.bytes != NULL; columns++)
		column = dmt_text_cut(&text, '\t');
	return columns == 6 ||
	    (columns == 4 && !dmt_text_begins(column, "("));
}

#define SIZED_BY 128		/* bytes of records of a growing stream that
				   are enough to find their size */

/* Finds the size of the records of a stream that grows. false: there are not
 * enough yet. */
static bool
find_grown_size(struct dmt_packet_cursor *cursor)
{
	struct dmt_input *const input = cursor->input;
	const uint8_t *bytes;
	size_t at = 0;
	const size_t len =
	    dmt_stream_peek_records(input, &at, SIZED_BY, &bytes);
	struct dmt_packet packet;

	/* If no record is next, the size matters only if more is written. */
	if (len - at >= DMT_PACKET_MARK && dmt_packet_begins(bytes + at))
		return dmt_packet_decode(&packet, bytes + at, len - at) !=
		    DMTRACE_END || packet.kind == DMT_PACKET_SUMMARY;
	if (len < at + SIZED_BY && input->seekable &&
	    !dmt_ends_in_summary(bytes + at, len - at))
		return false;
	cursor->record_size = dmt_stream_record_size(bytes, len,
	    cursor->record_size, cursor->version);
	return true;
}

static enum dmtrace_status
follow_stream(struct dmtrace_reader *reader, enum dmtrace_clock *clock)
{
	struct dmt_packet_cursor *const cursor = reader->cursor;

	if (dmt_reader_take_header(reader) != DMTRACE_OK)
		return reader->error.status;
	cursor->version = dmt_version_plain(reader->header.version);
	reader->events = &dmt_events_of_records;
	reader->layout = *dmt_layout_most(cursor->version);
	*clock = reader->layout.clock;
	if (reader->header.record_size > reader->layout.record_size)
		reader->layout.record_size = reader->header.record_size;
	cursor->record_size = reader->layout.record_size;
	cursor->sized = cursor->version != 2;
	return DMTRACE_OK;
}

static void
stream_next(struct dmt_packet_cursor *cursor, struct dmt_packet_item *item,
    size_t capacity)
{
	struct dmt_input *const input = cursor->input;
	enum dmtrace_status status;
	struct dmt_packet packet;

	*item = (struct dmt_packet_item){ .kind = DMT_NEXT_CUT };
	if (!cursor->sized && !find_grown_size(cursor))
		return;
	cursor->sized = true;
	const size_t record_size = cursor->record_size;
	size_t len = dmt_input_peek(input, record_size, &item->bytes);
	item->kind = DMT_NEXT_END;
	if (len == 0)
		return;
	if (len < DMT_PACKET_MARK || !dmt_packet_begins(item->bytes)) {
		item->count = dmt_stream_records(item->bytes, len,
		    record_size, capacity);
		item->size = item->count * record_size;
		item->kind = item->count > 0 ? DMT_NEXT_EVENTS : DMT_NEXT_CUT;
		return;
	}
	while ((status = dmt_packet_decode(&packet, item->bytes, len)) ==
	    DMTRACE_END) {
		if (packet.text_len > cursor->limit) {
			dmt_error_at(cursor->error, DMTRACE_ERR_LIMIT,
			    DMTRACE_PLACE_OFFSET, input->offset, "the summary"
			    " has %zu bytes, more than a key may have",
			    packet.text_len);
			item->kind = DMT_NEXT_FAILED;
			return;
		}
		len = dmt_input_peek(input, packet.len, &item->bytes);
		if (len >= packet.len)
			continue;
		item->kind = packet.kind == DMT_PACKET_SUMMARY ?
		    DMT_NEXT_SUMMARY : DMT_NEXT_CUT;
		item->cut = true;
		item->text = (struct dmtrace_text){
			(const char *)item->bytes + DMT_PACKET_HEAD_MAX,
			len < DMT_PACKET_HEAD_MAX ? 0 :
			    len - DMT_PACKET_HEAD_MAX
		};
		return;
	}
	item->size = packet.len;
	item->thread = packet.thread;
	item->text = (struct dmtrace_text){ packet.text, packet.text_len };
	if (status != DMTRACE_OK) {
		item->kind = DMT_NEXT_BAD;
		item->has_type = true;
		item->type = item->bytes[DMT_PACKET_MARK];
	} else if (packet.kind == DMT_PACKET_THREAD) {
		item->kind = DMT_NEXT_THREAD;
	} else if (packet.kind == DMT_PACKET_METHOD) {
		item->kind = DMT_NEXT_METHOD;
		item->has_line_number = ends_in_line_number(item->text);
	} else {
		item->kind = DMT_NEXT_SUMMARY;
	}
}

/* Reads the summary that Android 6 and 7 wrote to a separate file, which may
 * end with the rest of a longer, older one. */
static enum dmtrace_status
find_summary_apart(struct dmt_gathering *gathering)
{
	struct dmtrace_reader *const reader = gathering->reader;
	struct dmt_input input;

	if (gathering->input->path == NULL)
		return DMTRACE_OK;
	char *const path =
	    dmt_path_concat(gathering->input->path,
	    DMT_STREAM_SUMMARY_SUFFIX);
	if (path == NULL)
		return dmt_error_memory(&reader->error);
	if (dmt_input_open_path(&input, path) == DMTRACE_OK &&
	    dmt_input_has_key(&input)) {
		const uint8_t *bytes;
		const size_t len = dmt_input_peek(&input,
		    (size_t)reader->key->limit_key, &bytes);

		dmt_finding_add(&reader->findings, DMT_STREAM_SUMMARY_APART,
		    DMTRACE_PLACE_NONE, 0, NULL);
		reader->summary_apart = true;
		dmt_gather_summary(gathering,
		    (struct dmtrace_text){ (const char *)bytes, len });
	}
	free(path);
	dmt_input_fini(&input);
	return reader->error.status;
}

/* Returns the only clock that the version allows, or the clock of the
 * summary. */
static enum dmtrace_clock
choose_clock(const struct dmt_gathering *gathering, unsigned version)
{
	const enum dmtrace_clock said = gathering->summary == NULL ?
	    DMTRACE_CLOCK_MISSING : dmt_key_clock(gathering->summary);

	if (dmt_layout_most(version)->clock == DMTRACE_CLOCK_DUAL)
		return DMTRACE_CLOCK_DUAL;
	return said == DMTRACE_CLOCK_THREAD_CPU ||
	    said == DMTRACE_CLOCK_GLOBAL ? said : DMTRACE_CLOCK_WALL;
}

static enum dmtrace_status
finish_stream(struct dmt_gathering *gathering)
{
	struct dmtrace_reader *const reader = gathering->reader;
	const unsigned version = dmt_version_plain(reader->header.version);

	if (gathering->summary == NULL &&
	    find_summary_apart(gathering) != DMTRACE_OK)
		return reader->error.status;
	const enum dmtrace_clock clock = choose_clock(gathering, version);
	if (dmt_gather_key(gathering, version, clock) != DMTRACE_OK)
		return reader->error.status;
	reader->layout = *dmt_layout_find(version, clock);
	reader->layout.record_size = (uint16_t)reader->cursor->record_size;
	reader->clocks = dmt_clocks_new(&reader->layout);
	if (reader->clocks == NULL)
		return dmt_error_memory(&reader->error);
	dmt_reader_compare(reader, 0);
	return DMTRACE_OK;
}

/* Reads the header, and finds the size of records. */
static enum dmtrace_status
take_stream_header(struct dmt_gathering *gathering)
{
	struct dmtrace_reader *const reader = gathering->reader;
	struct dmt_input *const input = gathering->input;
	const struct dmt_header *const header = &reader->header;
	const uint8_t *bytes;
	size_t at = 0;

	if (dmt_reader_take_header(reader) != DMTRACE_OK)
		return reader->error.status;
	reader->begins_at = input->offset;
	const unsigned version = dmt_version_plain(header->version);
	const size_t stated =
	    dmt_header_is_sized(header->version, header->data_offset) ?
	    dmt_get_le16(reader->header_bytes + DMT_HEADER_RECORD_SIZE) :
	    header->record_size;
	size_t len =
	    dmt_stream_peek_records(input, &at, DMT_STREAM_SIGHT, &bytes);

	if (len - at > DMT_STREAM_SIGHT)
		len = at + DMT_STREAM_SIGHT;
	const size_t size = reader->size_stated ? stated :
	    dmt_stream_record_size(bytes, len, header->record_size, version);
	if (size != stated)
		dmt_finding_add(&reader->findings, DMT_STREAM_RECORD_SIZE,
		    DMTRACE_PLACE_OFFSET, DMT_HEADER_RECORD_SIZE,
		    "%zu bytes, not %zu", size, stated);
	reader->cursor->record_size = size;
	reader->cursor->sized = true;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_stream_open(struct dmtrace_reader *reader)
{
	return dmt_packets_open(reader, &dmt_events_of_records,
	    take_stream_header, finish_stream);
}

const struct dmt_packet_format dmt_packets_of_stream = {
	.next = stream_next,
	.bad_packet = "neither a record nor a packet: kind",
	.follow = follow_stream
};
