/* container_v2.c - ART trace format V2: packets, and blocks of events */

/*
 * As with a stream, a pass at the open collects the definitions in the
 * packets. It skips blocks without decoding them, except that it detects the
 * stage at the first block; the summary at the end may correct the clock and
 * the unit of times. Then the reader returns to the first packet, and the
 * blocks are decoded one after the other (v2_read.c). An invalid packet, or a
 * block that cannot be decoded, ends the events.
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
#include "trace/gather.h"
#include "trace/v2_read.h"

/* The take_records function: the next events of a block. */
static size_t
take_events(struct dmtrace_reader *reader, size_t capacity)
{
	const struct dmt_v2_form *const form = dmt_v2_reading_form(reader->v2);
	struct dmt_input *const input = reader->input;
	struct dmt_definitions *const definitions = &reader->definitions;
	struct dmt_v2_packet packet;
	const uint8_t *bytes;
	size_t used, size;

	for (;;) {
		const size_t count = dmt_v2_take_events(reader, capacity);

		if (count > 0 || input->error.status != DMTRACE_OK)
			return count;
		if (input->offset >= reader->ends_at)
			return 0;
		size = dmt_input_peek(input, DMT_V2_PACKET_MAX, &bytes);
		if (dmt_v2_packet_decode(&packet, form, bytes, size, &used) !=
		    DMTRACE_OK)
			return 0;
		while (reader->redefined < definitions->redefined_count &&
		    definitions->redefined[reader->redefined].at <=
		    input->offset)
			reader->redefined++;
		if (packet.type != DMT_V2_EVENTS) {
			dmt_input_skip(input, used);
			continue;
		}
		const enum dmtrace_status status = dmt_v2_find_block(input,
		    form, &packet, used, &bytes, &size);
		if (status != DMTRACE_OK && status != DMTRACE_ERR_TRUNCATED)
			return 0;
		dmt_v2_begin_block(reader->v2, &packet, bytes, used, size,
		    status != DMTRACE_OK);
	}
}

/* The state of the pass at the open. */
struct v2_pass {
	struct dmt_gathering gathering;
	struct dmt_v2_header header;
	struct dmt_v2_form form;
	struct dmt_idmap announced;
	bool has_stage;			/* form.stage is known: there was a
					   block */
};

static enum dmtrace_status
define_method(struct v2_pass *pass, const struct dmt_v2_packet *packet)
{
	size_t len;
	char *const line = dmt_v2_method_line(packet, &len);

	if (line == NULL || (!pass->has_stage &&
	    dmt_idmap_at(&pass->announced, packet->method) == NULL)) {
		free(line);
		return dmt_error_memory(&pass->gathering.reader->error);
	}
	const enum dmtrace_status status = dmt_gather_method(&pass->gathering,
	    (struct dmtrace_text){ line, len });
	free(line);
	return status;
}

static enum dmtrace_status
find_stage(struct v2_pass *pass)
{
	struct dmt_input *const input = pass->gathering.input;
	struct dmt_v2_evidence found;
	const uint8_t *bytes;
	const size_t len =
	    dmt_input_peek(input, DMT_V2_STAGE_WINDOW, &bytes);

	pass->has_stage = true;
	if (dmt_v2_stage_find(&found, &pass->header, &pass->announced,
	    bytes, len, input->ended) != DMTRACE_OK)
		return dmt_error_memory(&pass->gathering.reader->error);
	pass->form = dmt_v2_form_of(&pass->header, found.stage);
	return DMTRACE_OK;
}

/* Ends the events at a packet that cannot be read, and reports that. */
static enum dmtrace_status
end_pass(struct v2_pass *pass, enum dmtrace_status status)
{
	dmt_gather_note(&pass->gathering, status == DMTRACE_ERR_TRUNCATED ?
	    DMT_STREAM_TRUNCATED : DMT_STREAM_PACKET_UNKNOWN);
	return DMTRACE_END;
}

/* Reads the next packet. DMTRACE_END: it ends the events. */
static enum dmtrace_status
take_packet(struct v2_pass *pass)
{
	struct dmt_gathering *const gathering = &pass->gathering;
	struct dmtrace_reader *const reader = gathering->reader;
	struct dmt_input *const input = gathering->input;
	struct dmt_v2_packet packet;
	const uint8_t *bytes;
	size_t used, size = 0;
	size_t len = dmt_input_peek(input, DMT_V2_PACKET_MAX, &bytes);
	enum dmtrace_status status;

	if (len == 0)
		return DMTRACE_END;
	if (bytes[0] == DMT_V2_EVENTS && !pass->has_stage) {
		if (find_stage(pass) != DMTRACE_OK)
			return reader->error.status;
		len = dmt_input_peek(input, DMT_V2_PACKET_MAX, &bytes);
	}
	status = dmt_v2_packet_decode(&packet, &pass->form, bytes, len, &used);
	if (status == DMTRACE_ERR_TRUNCATED && len > 3 &&
	    bytes[0] == DMT_V2_SUMMARY &&
	    pass->form.stage != DMT_STAGE_LONG) {
		const struct dmtrace_text cut = {
			(const char *)bytes + 3, len - 3
		};

		status = dmt_gather_cut_summary(gathering, cut);
		return status == DMTRACE_OK ? DMTRACE_END : status;
	}
	if (status != DMTRACE_OK)
		return end_pass(pass, status);
	const struct dmtrace_text text = {
		(const char *)packet.text, packet.text_len
	};
	switch (packet.type) {
	case DMT_V2_THREAD:
		if (packet.thread >= DMT_V2_THREADS_MAX)
			return end_pass(pass, DMTRACE_ERR_CORRUPT);
		status = dmt_gather_thread(gathering, packet.thread, text);
		break;
	case DMT_V2_METHOD:
		status = define_method(pass, &packet);
		break;
	case DMT_V2_EVENTS:
		status = dmt_v2_find_block(input, &pass->form, &packet, used,
		    &bytes, &size);
		if (status == DMTRACE_ERR_TRUNCATED) {
			/* its complete events are read */
			dmt_gather_note(gathering, DMT_STREAM_TRUNCATED);
			dmt_input_skip(input, used + size);
			return DMTRACE_END;
		}
		if (status != DMTRACE_OK)
			return end_pass(pass, status);
		break;
	case DMT_V2_END:
		break;
	default:
		if (dmt_gather_summary(gathering, text) != DMTRACE_OK)
			return reader->error.status;
		if (dmt_input_peek(input, used + 1, &bytes) > used)
			dmt_finding_add(&reader->findings, DMT_STREAM_TAIL,
			    DMTRACE_PLACE_OFFSET, input->offset + used, NULL);
		return DMTRACE_END;
	}
	if (status == DMTRACE_OK)
		dmt_input_skip(input, used + size);
	return status;
}

/* Sets the unit of times from the name of an option in the summary. */
static void
correct_unit(struct v2_pass *pass)
{
	const struct dmtrace_key *const summary = pass->gathering.summary;

	if (summary == NULL || (pass->form.stage != DMT_STAGE_C &&
	    pass->form.stage != DMT_STAGE_E))
		return;
	if (dmtrace_key_option_find(summary, "elapsed-time-nsec") != NULL)
		pass->form.stage = DMT_STAGE_E;
	else if (dmtrace_key_option_find(summary, "elapsed-time-usec") != NULL)
		pass->form.stage = DMT_STAGE_C;
}

static enum dmtrace_status
finish_pass(struct v2_pass *pass)
{
	struct dmt_gathering *const gathering = &pass->gathering;
	struct dmtrace_reader *const reader = gathering->reader;
	const unsigned version = dmt_version_plain(pass->header.version);
	enum dmtrace_clock clock = DMTRACE_CLOCK_WALL;

	if (version == DMT_VERSION_PACKETS_DUAL)
		clock = DMTRACE_CLOCK_DUAL;
	else if (gathering->summary != NULL &&
	    dmt_key_clock(gathering->summary) == DMTRACE_CLOCK_THREAD_CPU)
		clock = DMTRACE_CLOCK_THREAD_CPU;
	correct_unit(pass);
	pass->form.cpu = clock != DMTRACE_CLOCK_WALL;
	pass->form.wall = clock != DMTRACE_CLOCK_THREAD_CPU;
	if (dmt_gather_key(gathering, version, clock) != DMTRACE_OK)
		return reader->error.status;
	reader->layout = *dmt_layout_v2(clock);
	reader->v2 = dmt_v2_reading_new(&pass->form, &reader->layout);
	if (reader->v2 == NULL)
		return dmt_error_memory(&reader->error);
	/* The start in microseconds, as in other headers. */
	reader->header.start = pass->header.start;
	if (pass->form.stage >= DMT_STAGE_E) {
		reader->header.start /= 1000;
		reader->start_rest_ns =
		    (unsigned)(pass->header.start % 1000);
	}
	/* The writer copies the stage from this trace. If the events do not
	 * show that it is stage F, the header must: times count ticks of a
	 * nanosecond. */
	if (pass->form.stage == DMT_STAGE_F && pass->header.tick_hz == 0 &&
	    pass->header.start_ticks == 0)
		dmt_put_le64(reader->header_bytes + DMT_V2_TICK_HZ,
		    UINT64_C(1000000000));
	dmt_reader_compare(reader, 0);
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_v2_take_header(struct dmtrace_reader *reader, struct dmt_v2_header *header)
{
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
take_front(struct v2_pass *pass)
{
	struct dmtrace_reader *const reader = pass->gathering.reader;

	if (dmt_v2_take_header(reader, &pass->header) != DMTRACE_OK)
		return reader->error.status;
	pass->form = dmt_v2_form_of(&pass->header, DMT_STAGE_E);
	return DMTRACE_OK;
}

/* Sets what a header and a summary say, for a file that has neither. */
static enum dmtrace_status
take_no_header(struct v2_pass *pass)
{
	static const char summary[] = "*version\n4\nclock=wall\n*end\n";
	struct dmtrace_reader *const reader = pass->gathering.reader;
	const struct dmtrace_text text = { summary, sizeof(summary) - 1 };

	reader->header = (struct dmt_header){
		.version = DMT_VERSION_PACKETS
	};
	pass->header.version = DMT_VERSION_PACKETS;
	pass->form = (struct dmt_v2_form){
		.stage = DMT_STAGE_LONG, .wall = true
	};
	pass->has_stage = true;
	reader->header_bytes = dmt_array_new(0, 1);
	reader->begins_at = pass->gathering.input->offset;
	return reader->header_bytes == NULL ?
	    dmt_error_memory(&reader->error) :
	    dmt_gather_summary(&pass->gathering, text);
}

/* Returns true if a packet of size bytes is in the window, and another packet
 * follows it. */
static bool
has_packet_after(size_t size, const uint8_t *bytes, size_t len)
{
	return size < len && dmt_v2_dump_recognises(bytes + size, len - size);
}

/* Returns true if the text of a packet may be a name: it has no control bytes,
 * as far as it is in the window, or another packet follows it. */
static bool
has_v2_name(size_t front, size_t text, const uint8_t *bytes, size_t len)
{
	size_t i = front;

	while (i < len && i < front + text &&
	    (bytes[i] >= ' ' || bytes[i] == '\t' || bytes[i] == '\n'))
		i++;
	return (text > 0 && (i == len || i == front + text)) ||
	    has_packet_after(front + text, bytes, len);
}

bool
dmt_v2_dump_recognises(const uint8_t *bytes, size_t len)
{
	if (len < 17 || bytes[0] > DMT_V2_SUMMARY)
		return false;
	const uint32_t thread = dmt_get_le32(bytes + 1);
	const uint64_t id = dmt_get_le64(bytes + 1);
	const size_t count = dmt_get_le16(bytes + 5);
	const size_t size = dmt_get_le32(bytes + 8);
	const size_t front = bytes[0] == DMT_V2_THREAD ? 7 : 11;
	const size_t text = dmt_get_le16(bytes + front - 2);

	switch (bytes[0]) {
	case DMT_V2_EVENTS:
		/* The third byte of the count is 0, and every exit takes at
		 * least a byte. */
		return thread > 0 && thread < DMT_V2_THREADS_MAX &&
		    bytes[7] == 0 && size >= count &&
		    size < DMT_V2_BLOCK_MAX &&
		    (size > 0 || has_packet_after(12, bytes, len)) &&
		    (count == 0 || size > UINT16_MAX ||
		    size <= count * DMT_RECORD_MAX);
	case DMT_V2_THREAD:
		return thread > 0 && thread < DMT_V2_THREADS_MAX &&
		    has_v2_name(front, text, bytes, len);
	case DMT_V2_METHOD:
		return id > 0 && id % 4 == 0 && id >> 56 == 0 &&
		    has_v2_name(front, text, bytes, len);
	default:			/* the end of a dump, which may come
					   first */
		return id > 0 && id >> 62 == 0 &&
		    has_packet_after(17, bytes, len) &&
		    bytes[17] < DMT_V2_SUMMARY;
	}
}

static enum dmtrace_status
open_packets(struct dmtrace_reader *reader,
    enum dmtrace_status (*begin)(struct v2_pass *pass))
{
	struct dmt_input *const input = &reader->key_input;
	struct v2_pass pass = {
		.gathering = { .reader = reader, .input = input }
	};
	enum dmtrace_status status;

	reader->input = input;
	reader->take_records = take_events;
	reader->events = &dmt_events_of_blocks;
	if (dmt_input_hold(input) != DMTRACE_OK)
		return dmt_reader_fail(reader, &input->error);
	status = begin(&pass);
	while (status == DMTRACE_OK)
		status = take_packet(&pass);
	if (input->error.status != DMTRACE_OK)
		dmt_reader_fail(reader, &input->error);
	reader->ends_at = input->offset;
	if (reader->error.status == DMTRACE_OK)
		finish_pass(&pass);
	dmt_key_free(pass.gathering.summary);
	dmt_idmap_fini(&pass.announced);
	input->may_grow = true;	/* packets after ends_at are not read */
	if (reader->error.status == DMTRACE_OK &&
	    dmt_input_rewind(input, reader->begins_at) != DMTRACE_OK)
		dmt_reader_fail(reader, &input->error);
	return reader->error.status;
}

enum dmtrace_status
dmt_v2_open(struct dmtrace_reader *reader)
{
	return open_packets(reader, take_front);
}

enum dmtrace_status
dmt_v2_open_dump(struct dmtrace_reader *reader)
{
	return open_packets(reader, take_no_header);
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
