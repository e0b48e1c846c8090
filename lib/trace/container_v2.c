/* container_v2.c - ART trace format V2: packets, and blocks of events */

/*
 * The cursor decodes packet after packet (packets.c), and finds the end of a
 * block without decoding it, except that it detects the stage at the first
 * one. As with a stream, a pass at the open collects the definitions; the
 * summary at the end may correct the clock and the unit of times. Then the
 * reader returns to the first packet, and the blocks are decoded one after the
 * other (v2_read.c). An invalid packet, or a block that cannot be decoded,
 * ends the events.
 *
 * The dump of long-running methods has the same packets without a header.
 */

#include "trace/container.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "data/record.h"
#include "data/v2_decode.h"
#include "data/v2_stage.h"
#include "format/header.h"
#include "private/key.h"
#include "private/trace.h"
#include "trace/packets.h"
#include "trace/v2_read.h"

#define STAGED_BY 65536		/* bytes of blocks of a growing trace that are
				   enough to detect the stage */

/*
 * Detects the stage at the first block. In a growing trace that waits until
 * there are enough blocks. false: item says why not.
 */
static bool
find_stage(struct dmt_packet_cursor *cursor, struct dmt_packet_item *item)
{
	struct dmt_input *const input = cursor->input;
	/* Reading a pipe that grows waits for all bytes that are asked for:
	 * ask for one. */
	size_t len, want = cursor->grows && !input->seekable ? 1 :
	    DMT_V2_STAGE_WINDOW;
	struct dmt_v2_evidence found;
	const uint8_t *bytes;
	bool waits;

	do {
		len = dmt_input_peek(input, want, &bytes);
		if (dmt_v2_stage_find(&found, &cursor->header,
		    &cursor->announced, bytes, len, input->ended) !=
		    DMTRACE_OK) {
			item->kind = DMT_NEXT_FAILED;
			return dmt_error_memory(cursor->error) == DMTRACE_OK;
		}
		waits = cursor->grows && !found.is_certain &&
		    len < STAGED_BY && !dmt_ends_in_summary(bytes, len);
		want = len + 1;
	} while (waits && !input->ended);
	if (waits && input->seekable) {
		item->kind = DMT_NEXT_CUT;
		return false;
	}
	cursor->has_stage = true;
	cursor->unit_guessed = found.unit_guessed;
	cursor->form = dmt_v2_form_of(&cursor->header, found.stage);
	return true;
}

/* Makes the line of a method. false: no memory. */
static bool
make_method_line(struct dmt_packet_cursor *cursor,
    struct dmt_packet_item *item)
{
	if (cursor->gathered)
		return true;
	free(cursor->line);
	cursor->line = dmt_v2_method_line(&cursor->packet, &item->text.len);
	item->text.bytes = cursor->line;
	return cursor->line != NULL && (cursor->has_stage ||
	    dmt_idmap_at(&cursor->announced, cursor->packet.method) != NULL);
}

static void
v2_next(struct dmt_packet_cursor *cursor, struct dmt_packet_item *item,
    size_t capacity)
{
	struct dmt_v2_packet *const packet = &cursor->packet;
	struct dmt_input *const input = cursor->input;
	const size_t want = cursor->grows ? 1 : DMT_V2_PACKET_MAX;
	enum dmtrace_status status;
	const uint8_t *bytes;
	size_t size = 0;
	size_t len = dmt_input_peek(input, want, &bytes);

	(void)capacity;			/* of records */
	*item = (struct dmt_packet_item){ .kind = DMT_NEXT_END };
	if (len == 0)
		return;
	if (bytes[0] == DMT_V2_EVENTS && !cursor->has_stage) {
		if (!find_stage(cursor, item))
			return;
		len = dmt_input_peek(input, want, &bytes);
	}
	while ((status = dmt_v2_packet_decode(packet, &cursor->form, bytes,
	    len, &cursor->used)) == DMTRACE_ERR_TRUNCATED && cursor->grows &&
	    !input->ended)
		len = dmt_input_peek(input, len + 1, &bytes);
	if (status == DMTRACE_ERR_TRUNCATED) {
		const bool is_summary = len > 3 &&
		    bytes[0] == DMT_V2_SUMMARY &&
		    cursor->form.stage != DMT_STAGE_LONG;

		item->kind = is_summary ? DMT_NEXT_SUMMARY : DMT_NEXT_CUT;
		item->cut = true;
		if (is_summary)
			item->text = (struct dmtrace_text){
				(const char *)bytes + 3, len - 3
			};
		return;
	}
	item->kind = DMT_NEXT_BAD;
	item->type = bytes[0];
	item->size = cursor->used;
	if (status != DMTRACE_OK)
		return;
	item->text = (struct dmtrace_text){
		(const char *)packet->text, packet->text_len
	};
	switch (packet->type) {
	case DMT_V2_THREAD:
		if (packet->thread < DMT_V2_THREADS_MAX)
			item->kind = DMT_NEXT_THREAD;
		item->thread = packet->thread;
		return;
	case DMT_V2_METHOD:
		item->kind = DMT_NEXT_METHOD;
		if (!make_method_line(cursor, item)) {
			item->kind = DMT_NEXT_FAILED;
			dmt_error_memory(cursor->error);
		}
		return;
	case DMT_V2_EVENTS:
		status = dmt_v2_find_block(input, &cursor->form, packet,
		    cursor->used, &item->bytes, &size);
		item->cut = status == DMTRACE_ERR_TRUNCATED;
		item->size += size;
		if (status == DMTRACE_OK || item->cut)
			item->kind = DMT_NEXT_EVENTS;
		return;
	case DMT_V2_END:
		item->kind = DMT_NEXT_OTHER;
		return;
	default:
		item->kind = DMT_NEXT_SUMMARY;
		return;
	}
}

/* Sets the form of the blocks from the header. If that does not show their
 * stage, the first block will. */
static void
begin_form(struct dmt_packet_cursor *cursor)
{
	enum dmt_v2_stage stage = DMT_STAGE_E;

	cursor->has_stage = dmt_v2_header_stage(&cursor->header, &stage);
	cursor->form = dmt_v2_form_of(&cursor->header, stage);
}

/* Reads the 32-byte header at the start of the reader's input. Returns
 * DMTRACE_OK, or the status of the reader's failure. */
static enum dmtrace_status
take_v2_header(struct dmtrace_reader *reader)
{
	struct dmt_v2_header *const header = &reader->cursor->header;
	struct dmt_input *const input = reader->input;
	const uint8_t *bytes;
	const size_t len =
	    dmt_input_peek(input, DMT_V2_HEADER_SIZE, &bytes);

	if (input->error.status != DMTRACE_OK)
		return dmt_reader_fail(reader, &input->error);
	if (len < DMT_V2_HEADER_SIZE)
		return dmt_error_at(&reader->error, DMTRACE_ERR_TRUNCATED,
		    DMTRACE_PLACE_OFFSET, len, "the data header ends after %zu"
		    " bytes, not %d", len, DMT_V2_HEADER_SIZE);
	dmt_v2_header_decode(header, bytes);
	if (header->tick_hz > DMT_TICK_HZ_MAX)
		return dmt_error_at(&reader->error, DMTRACE_ERR_CORRUPT,
		    DMTRACE_PLACE_OFFSET, DMT_V2_TICK_HZ, "a counter of %"
		    PRIu64 " Hz, not at most %" PRIu64, header->tick_hz,
		    DMT_TICK_HZ_MAX);
	reader->header_bytes = malloc(DMT_V2_HEADER_SIZE);
	if (reader->header_bytes == NULL)
		return dmt_error_memory(&reader->error);
	memcpy(reader->header_bytes, bytes, DMT_V2_HEADER_SIZE);
	reader->header = (struct dmt_header){
		.version = header->version,
		.data_offset = DMT_V2_HEADER_SIZE,
	};
	dmt_input_skip(input, DMT_V2_HEADER_SIZE);
	reader->begins_at = input->offset;
	return DMTRACE_OK;
}

static enum dmtrace_status
follow_v2(struct dmtrace_reader *reader, enum dmtrace_clock *clock)
{
	struct dmt_packet_cursor *const cursor = reader->cursor;

	if (take_v2_header(reader) != DMTRACE_OK)
		return reader->error.status;
	begin_form(cursor);
	*clock = cursor->form.cpu ? DMTRACE_CLOCK_DUAL : DMTRACE_CLOCK_WALL;
	reader->events = &dmt_events_of_blocks;
	reader->layout = *dmt_layout_v2(*clock);
	return DMTRACE_OK;
}

/* Sets the unit of times from the name of an option in the summary. */
static void
correct_unit(struct dmt_gathering *gathering)
{
	struct dmtrace_reader *const reader = gathering->reader;
	struct dmt_v2_form *const form = &reader->cursor->form;
	const struct dmtrace_key *const summary = gathering->summary;

	if (form->stage != DMT_STAGE_C && form->stage != DMT_STAGE_E)
		return;
	if (summary != NULL &&
	    dmtrace_key_option_find(summary, DMT_OPTION_ELAPSED_NS) != NULL)
		form->stage = DMT_STAGE_E;
	else if (summary != NULL &&
	    dmtrace_key_option_find(summary, DMT_OPTION_ELAPSED_US) != NULL)
		form->stage = DMT_STAGE_C;
	else if (reader->cursor->unit_guessed)
		dmt_finding_add(&reader->findings, DMT_STREAM_UNIT_GUESSED,
		    DMTRACE_PLACE_OFFSET, DMT_V2_START, "taken for %s",
		    form->stage == DMT_STAGE_C ? "microseconds" :
		    "nanoseconds");
}

static enum dmtrace_status
finish_v2_pass(struct dmt_gathering *gathering)
{
	struct dmtrace_reader *const reader = gathering->reader;
	struct dmt_packet_cursor *const cursor = reader->cursor;
	const unsigned version = dmt_version_plain(cursor->header.version);
	enum dmtrace_clock clock = DMTRACE_CLOCK_WALL;

	if (version == DMT_VERSION_PACKETS_DUAL)
		clock = DMTRACE_CLOCK_DUAL;
	else if (gathering->summary != NULL &&
	    dmt_key_clock(gathering->summary) == DMTRACE_CLOCK_THREAD_CPU)
		clock = DMTRACE_CLOCK_THREAD_CPU;
	correct_unit(gathering);
	cursor->form.cpu = clock != DMTRACE_CLOCK_WALL;
	cursor->form.wall = clock != DMTRACE_CLOCK_THREAD_CPU;
	if (dmt_gather_key(gathering, version, clock) != DMTRACE_OK)
		return reader->error.status;
	reader->layout = *dmt_layout_v2(clock);
	reader->v2 = dmt_v2_reading_new(&cursor->form, &reader->layout);
	if (reader->v2 == NULL)
		return dmt_error_memory(&reader->error);
	/* The start in microseconds, as in other headers. */
	reader->header.start = cursor->header.start;
	if (dmt_v2_has_ns(cursor->form.stage)) {
		reader->header.start /= 1000;
		reader->start_rest_ns =
		    (unsigned)(cursor->header.start % 1000);
	}
	dmt_reader_compare(reader, 0);
	return DMTRACE_OK;
}

static enum dmtrace_status
take_front(struct dmt_gathering *gathering)
{
	struct dmtrace_reader *const reader = gathering->reader;
	struct dmt_packet_cursor *const cursor = reader->cursor;

	if (take_v2_header(reader) != DMTRACE_OK)
		return reader->error.status;
	begin_form(cursor);
	return DMTRACE_OK;
}

/* Sets what a header says, for a file that has neither header nor summary. */
static enum dmtrace_status
take_no_header(struct dmt_gathering *gathering)
{
	struct dmtrace_reader *const reader = gathering->reader;
	struct dmt_packet_cursor *const cursor = reader->cursor;

	reader->header = (struct dmt_header){
		.version = DMT_VERSION_PACKETS
	};
	cursor->header.version = DMT_VERSION_PACKETS;
	cursor->form = (struct dmt_v2_form){
		.stage = DMT_STAGE_LONG, .wall = true
	};
	cursor->has_stage = true;
	reader->header_bytes = dmt_array_new(0, 1);
	reader->begins_at = gathering->input->offset;
	gathering->no_summary = true;
	return reader->header_bytes == NULL ?
	    dmt_error_memory(&reader->error) : DMTRACE_OK;
}

enum dmtrace_status
dmt_v2_open(struct dmtrace_reader *reader)
{
	return dmt_packets_open(reader, &dmt_events_of_blocks, take_front,
	    finish_v2_pass);
}

enum dmtrace_status
dmt_v2_open_dump(struct dmtrace_reader *reader)
{
	return dmt_packets_open(reader, &dmt_events_of_blocks, take_no_header,
	    finish_v2_pass);
}

const char *
dmt_reader_stage(const struct dmtrace_reader *reader)
{
	static const char *const names[] = {
		[DMT_STAGE_B] = "B", [DMT_STAGE_C] = "C",
		[DMT_STAGE_E] = "E", [DMT_STAGE_F] = "F",
		[DMT_STAGE_LONG] = "long-running"
	};

	return reader->v2 == NULL ? NULL :
	    names[dmt_v2_reading_form(reader->v2)->stage];
}

const struct dmt_packet_format dmt_packets_of_v2 = {
	.next = v2_next,
	.bad_packet = "not a packet of trace format V2: type",
	.follow = follow_v2
};
