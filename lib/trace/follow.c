/* follow.c - reads traces while they are being written */

/*
 * For a complete stream, or trace in format V2, the reader makes two passes
 * and starts with a complete key. For a growing file there is one pass, which
 * stops at the end of the file, even within a record or packet, and continues
 * when it is asked again and the file is longer. Each definition is added to
 * the key as it is read: if the thread or method has a row already, the row
 * gets the new name, and the method gets another index from its next record
 * on. The rows in the indexes are not used, because the key's tables move as
 * they grow.
 *
 * A 0xF2 file does not say if its records have 10 or 14 bytes, so the first
 * record is only read once a few records are there to tell. Likewise, the
 * first block of trace format V2 waits until there are enough blocks to detect
 * the stage. A block is read once it is complete, which is soon, as writers
 * write a block at once. The clock of version 4, and in some cases the unit of
 * times, are only in the summary, which comes too late.
 */

#include "trace/follow.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "data/stream_decode.h"
#include "data/v2_decode.h"
#include "data/v2_stage.h"
#include "format/header.h"
#include "key/key.h"
#include "key/line_decode.h"
#include "private/text.h"
#include "private/trace.h"
#include "trace/container.h"
#include "trace/v2_read.h"

#define SIZED_BY 128		/* bytes of records that are enough to find
				   their size */
#define STAGED_BY 65536		/* bytes of blocks that are enough to detect
				   the stage */

/* Copies text to memory that lives as long as the key. false: no memory, or
 * the limit of the key is exceeded. */
static bool
keep_followed_text(struct dmtrace_reader *reader, struct dmtrace_text *text)
{
	struct dmtrace_key *const key = reader->key;
	char *const copy = dmt_arena_alloc(&key->arena, text->len + 1);

	reader->following->size += text->len;
	if (reader->following->size > key->limit_key)
		dmt_error_set(&reader->error, DMTRACE_ERR_LIMIT,
		    "the threads and methods of the stream take more bytes"
		    " than a key may have");
	else if (copy == NULL)
		dmt_error_memory(&reader->error);
	if (reader->error.status != DMTRACE_OK)
		return false;
	dmt_put_bytes((uint8_t *)copy, text->bytes, text->len);
	text->bytes = copy;
	return true;
}

static enum dmtrace_status
define_thread(struct dmtrace_reader *reader, uint32_t number,
    struct dmtrace_text name)
{
	struct dmt_threads *const threads = &reader->key->threads;

	const struct dmtrace_thread *const known =
	    dmt_threads_find(threads, sizeof(number), number);
	if ((known != NULL && dmt_text_equal(known->name, name)) ||
	    !keep_followed_text(reader, &name))
		return reader->error.status;
	if (known != NULL) {
		threads->items[known - threads->items].name = name;
		return DMTRACE_OK;
	}
	const struct dmtrace_thread row = { .id = number, .name = name };
	return dmt_threads_add(threads, &row) ? DMTRACE_OK :
	    dmt_error_memory(&reader->error);
}

/* Records that the id gets another index at its next record. */
static enum dmtrace_status
add_redefined(struct dmtrace_reader *reader, uint64_t id)
{
	struct dmt_following *const following = reader->following;
	uint64_t *const ids = dmt_array_grow(following->redefined,
	    &following->capacity, following->count + 1, sizeof(*ids));

	if (ids == NULL)
		return dmt_error_memory(&reader->error);
	following->redefined = ids;
	ids[following->count++] = id;
	return DMTRACE_OK;
}

static enum dmtrace_status
follow_method(struct dmtrace_reader *reader, struct dmtrace_text text)
{
	struct dmt_methods *const methods = &reader->key->methods;
	struct dmtrace_method row;

	if (text.len > 0 && text.bytes[text.len - 1] == '\n')
		text.len--;
	struct dmt_line line = { .text = text };
	if (memchr(text.bytes, '\n', text.len) != NULL ||
	    !dmt_method_decode(&row, &line)) {
		dmt_finding_add(&reader->findings, DMT_STREAM_METHOD_BAD,
		    DMTRACE_PLACE_OFFSET, reader->input->offset, NULL);
		return DMTRACE_OK;
	}
	const uint64_t id = row.id & ~UINT64_C(3);
	const struct dmtrace_method *const known =
	    dmt_methods_find(methods, id);
	if (known != NULL && dmt_text_equal(known->class_name,
	    row.class_name) && dmt_text_equal(known->name, row.name) &&
	    dmt_text_equal(known->signature, row.signature))
		return DMTRACE_OK;
	if (!keep_followed_text(reader, &line.text))
		return reader->error.status;
	dmt_method_decode(&row, &line);
	if (known != NULL)
		methods->items[known - methods->items] = row;
	else if (!dmt_methods_add(methods, &row))
		return dmt_error_memory(&reader->error);
	return add_redefined(reader, id);
}

/* Called when no whole record or packet is left. If the file grows, the reader
 * waits for more. */
static void
look_for_end(struct dmtrace_reader *reader)
{
	struct dmt_input *const input = reader->input;
	struct stat about;

	if (!input->seekable) {
		reader->following->state = DMT_FOLLOW_CLOSED;
	} else if (fstat(input->fd, &about) == 0) {
		if ((uint64_t)about.st_size < input->offset +
		    (input->end - input->start))
			dmt_error_at(&reader->error, DMTRACE_ERR_IO,
			    DMTRACE_PLACE_OFFSET, input->offset,
			    "the file was truncated to %lld bytes while it"
			    " was followed", (long long)about.st_size);
		else if (about.st_nlink == 0)
			reader->following->state = DMT_FOLLOW_REMOVED;
	}
}

static bool
ends_in_summary(const uint8_t *bytes, size_t len)
{
	static const char end[] = "*end\n";
	const size_t end_len = sizeof(end) - 1;

	return len >= end_len &&
	    memcmp(bytes + len - end_len, end, end_len) == 0;
}

/* Finds the size of records. false: there are not enough yet. */
static bool
find_record_size(struct dmtrace_reader *reader)
{
	struct dmt_input *const input = reader->input;
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
	    !ends_in_summary(bytes + at, len - at))
		return false;
	reader->layout.record_size = (uint16_t)dmt_stream_record_size(bytes,
	    len, reader->layout.record_size, reader->layout.version);
	return true;
}

/* The take_records function for streams: the records that are there, up to the
 * next packet. */
static size_t
take_followed(struct dmtrace_reader *reader, size_t capacity)
{
	struct dmt_following *const following = reader->following;
	struct dmt_input *const input = reader->input;
	struct dmt_packet packet;
	size_t want;

	if (following->state != DMT_FOLLOW_GROWS ||
	    reader->error.status != DMTRACE_OK)
		return 0;
	input->ended = input->error.status != DMTRACE_OK;
	if (!following->sized && !find_record_size(reader)) {
		look_for_end(reader);
		return 0;
	}
	following->sized = true;
	for (want = reader->layout.record_size;;) {
		const size_t len = dmt_input_peek(input, want,
		    &reader->records);

		if (len >= DMT_PACKET_MARK &&
		    !dmt_packet_begins(reader->records)) {
			const size_t count = dmt_stream_records(
			    reader->records, len, reader->layout.record_size,
			    capacity);

			reader->input_len = count * reader->layout.record_size;
			if (count > 0)
				return count;
		}
		if (len < DMT_PACKET_MARK ||
		    !dmt_packet_begins(reader->records))
			break;
		enum dmtrace_status status = dmt_packet_decode(&packet,
		    reader->records, len);
		if (status == DMTRACE_ERR_CORRUPT) {
			dmt_error_at(&reader->error, status,
			    DMTRACE_PLACE_OFFSET, input->offset,
			    "neither a record nor a packet: kind %u",
			    reader->records[DMT_PACKET_MARK]);
			return 0;
		}
		if (packet.text_len > reader->key->limit_key) {
			dmt_error_at(&reader->error, DMTRACE_ERR_LIMIT,
			    DMTRACE_PLACE_OFFSET, input->offset, "the summary"
			    " has %zu bytes, more than a key may have",
			    packet.text_len);
			return 0;
		}
		if (status == DMTRACE_END) {
			if (len >= want && want < packet.len) {
				want = packet.len;
				continue;
			}
			break;
		}
		if (packet.kind == DMT_PACKET_SUMMARY) {
			following->state = DMT_FOLLOW_ENDED;
			return 0;
		}
		const struct dmtrace_text text = {
			packet.text, packet.text_len
		};
		status = packet.kind == DMT_PACKET_THREAD ?
		    define_thread(reader, packet.thread, text) :
		    follow_method(reader, text);
		if (status != DMTRACE_OK)
			return 0;
		dmt_input_skip(input, packet.len);
		want = reader->layout.record_size;
	}
	look_for_end(reader);
	return 0;
}

/*
 * Detects the stage when there are enough blocks: see dmt_v2_stage_find.
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or DMTRACE_END if there are not.
 */
static enum dmtrace_status
find_followed_stage(struct dmtrace_reader *reader)
{
	struct dmt_following *const following = reader->following;
	const struct dmt_methods *const methods = &reader->key->methods;
	struct dmt_input *const input = reader->input;
	enum dmtrace_status status = DMTRACE_OK;
	struct dmt_idmap announced = { 0 };
	struct dmt_v2_evidence found = { 0 };
	/* Reading a pipe waits for all bytes that are asked for: ask for
	 * one. */
	size_t len, want = input->seekable ? DMT_V2_STAGE_WINDOW : 1;
	const uint8_t *bytes;
	bool waits = true;

	for (size_t i = 0; i < methods->count && status == DMTRACE_OK; i++)
		if (dmt_idmap_at(&announced, methods->items[i].id) == NULL)
			status = DMTRACE_ERR_MEMORY;
	while (status == DMTRACE_OK && waits) {
		len = dmt_input_peek(input, want, &bytes);
		status = dmt_v2_stage_find(&found, &following->header,
		    &announced, bytes, len, input->ended);
		waits = !found.is_certain && len < STAGED_BY &&
		    !ends_in_summary(bytes, len);
		if (input->ended)
			break;
		want = len + 1;
	}
	dmt_idmap_fini(&announced);
	if (status == DMTRACE_OK && waits && input->seekable)
		return DMTRACE_END;
	if (status == DMTRACE_OK) {
		following->form =
		    dmt_v2_form_of(&following->header, found.stage);
		reader->v2 = dmt_v2_reading_new(&following->form,
		    &reader->layout);
	}
	return reader->v2 != NULL ? DMTRACE_OK :
	    dmt_error_memory(&reader->error);
}

/* Reads the next packet. Returns DMTRACE_OK; DMTRACE_END: it is the summary,
 * or is not complete yet; or the status of the reader's failure. */
static enum dmtrace_status
follow_packet(struct dmtrace_reader *reader)
{
	struct dmt_following *const following = reader->following;
	struct dmt_input *const input = reader->input;
	enum dmtrace_status status;
	struct dmt_v2_packet packet;
	const uint8_t *bytes;
	size_t used, size = 0;
	size_t len = dmt_input_peek(input, 1, &bytes);

	if (reader->v2 == NULL && len > 0 && bytes[0] == DMT_V2_EVENTS) {
		status = find_followed_stage(reader);
		if (status != DMTRACE_OK)
			return status;
		len = dmt_input_peek(input, 1, &bytes);
	}
	while ((status = dmt_v2_packet_decode(&packet, &following->form, bytes,
	    len, &used)) == DMTRACE_ERR_TRUNCATED && !input->ended)
		len = dmt_input_peek(input, len + 1, &bytes);
	if (status == DMTRACE_OK && packet.type == DMT_V2_EVENTS)
		status = dmt_v2_find_block(input, &following->form, &packet,
		    used, &bytes, &size);
	if (status == DMTRACE_ERR_TRUNCATED)
		return DMTRACE_END;
	if (status != DMTRACE_OK || (packet.type == DMT_V2_THREAD &&
	    packet.thread >= DMT_V2_THREADS_MAX))
		return dmt_error_at(&reader->error, DMTRACE_ERR_CORRUPT,
		    DMTRACE_PLACE_OFFSET, input->offset, "not a packet of "
		    "trace format V2: type %u", bytes[0]);
	if (packet.type == DMT_V2_EVENTS) {
		dmt_v2_begin_block(reader->v2, &packet, bytes, used, size,
		    false);
		return DMTRACE_OK;
	}
	if (packet.type == DMT_V2_SUMMARY) {
		following->state = DMT_FOLLOW_ENDED;
		return DMTRACE_END;
	}
	if (packet.type == DMT_V2_THREAD) {
		const struct dmtrace_text name = {
			(const char *)packet.text, packet.text_len
		};

		status = define_thread(reader, packet.thread, name);
	} else {
		char *const line = dmt_v2_method_line(&packet, &len);

		status = line == NULL ? dmt_error_memory(&reader->error) :
		    follow_method(reader, (struct dmtrace_text){ line, len });
		free(line);
	}
	if (status == DMTRACE_OK)
		dmt_input_skip(input, used);
	return status;
}

/* The take_records function for trace format V2: the next events of a block
 * that is complete. */
static size_t
take_followed_events(struct dmtrace_reader *reader, size_t capacity)
{
	struct dmt_input *const input = reader->input;

	if (reader->following->state != DMT_FOLLOW_GROWS ||
	    reader->error.status != DMTRACE_OK)
		return 0;
	input->ended = input->error.status != DMTRACE_OK;
	do {
		const uint64_t block_at = input->offset;
		const size_t count = reader->v2 == NULL ? 0 :
		    dmt_v2_take_events(reader, capacity);

		if (count > 0 || input->error.status != DMTRACE_OK)
			return count;
		if (reader->ends_at != 0) {
			dmt_error_at(&reader->error, DMTRACE_ERR_CORRUPT,
			    DMTRACE_PLACE_OFFSET, block_at,
			    "a block that cannot be decoded");
			return 0;
		}
	} while (follow_packet(reader) == DMTRACE_OK);
	if (reader->following->state == DMT_FOLLOW_GROWS &&
	    reader->error.status == DMTRACE_OK)
		look_for_end(reader);
	return 0;
}

static enum dmtrace_status
begin_stream(struct dmtrace_reader *reader, enum dmtrace_clock *clock)
{
	if (dmt_reader_take_header(reader) != DMTRACE_OK)
		return reader->error.status;
	const unsigned version = dmt_version_plain(reader->header.version);

	*clock = version == 3 ? DMTRACE_CLOCK_DUAL : DMTRACE_CLOCK_WALL;
	reader->take_records = take_followed;
	reader->events = &dmt_events_of_records;
	reader->layout = *dmt_layout_find(version, *clock);
	if (reader->header.record_size > reader->layout.record_size)
		reader->layout.record_size = reader->header.record_size;
	reader->following->sized = version != 2;
	return DMTRACE_OK;
}

static enum dmtrace_status
begin_v2(struct dmtrace_reader *reader, enum dmtrace_clock *clock)
{
	struct dmt_following *const following = reader->following;

	if (dmt_v2_take_header(reader, &following->header) != DMTRACE_OK)
		return reader->error.status;
	following->form = dmt_v2_form_of(&following->header, DMT_STAGE_E);
	*clock = following->form.cpu ? DMTRACE_CLOCK_DUAL : DMTRACE_CLOCK_WALL;
	reader->take_records = take_followed_events;
	reader->events = &dmt_events_of_blocks;
	reader->layout = *dmt_layout_v2(*clock);
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_follow_open(struct dmtrace_reader *reader)
{
	const struct dmt_definitions none = { 0 };
	struct dmt_findings *const ignored = calloc(1, sizeof(*ignored));
	struct dmt_input *const input = &reader->key_input;
	enum dmtrace_clock clock = DMTRACE_CLOCK_WALL;
	const uint8_t *bytes;

	reader->following = calloc(1, sizeof(*reader->following));
	if (reader->following == NULL || ignored == NULL) {
		free(ignored);
		return dmt_error_memory(&reader->error);
	}
	const size_t len = dmt_input_peek(input, DMT_HEADER_SIZE, &bytes);
	const bool is_v2 = dmt_container_is_v2(bytes, len);
	enum dmtrace_status status = input->error.status;
	if (status != DMTRACE_OK)
		dmt_reader_fail(reader, &input->error);
	else if (len < DMT_HEADER_SIZE &&
	    memcmp(bytes, DMT_MAGIC, len < 4 ? len : 4) == 0)
		status = dmt_error_set(&reader->error, DMTRACE_ERR_TRUNCATED,
		    "the header is not complete yet");
	else if (!is_v2 && !dmt_container_is_stream(bytes, len))
		status = dmt_error_set(&reader->error,
		    DMTRACE_ERR_UNSUPPORTED, "neither an ART stream of version"
		    " 0xf1 to 0xf3 nor trace format V2: only these can be"
		    " followed; \"dmtrace dump\" prints other traces");
	reader->input = input;
	reader->container = is_v2 ? DMTRACE_CONTAINER_PACKETS :
	    DMTRACE_CONTAINER_STREAM;
	if (status == DMTRACE_OK)
		status = is_v2 ? begin_v2(reader, &clock) :
		    begin_stream(reader, &clock);
	if (status == DMTRACE_OK) {
		reader->clocks = dmt_clocks_new(&reader->layout);
		status = reader->clocks == NULL ?
		    dmt_error_memory(&reader->error) :
		    dmt_definitions_key(&none, reader->key, NULL,
		    dmt_version_plain(reader->header.version), clock, ignored);
	}
	free(ignored);
	reader->has_key = status == DMTRACE_OK;
	return status;
}

enum dmt_follow
dmt_reader_follow_state(const struct dmtrace_reader *reader)
{
	return reader->following == NULL ? DMT_FOLLOW_ENDED :
	    reader->following->state;
}

void
dmt_following_free(struct dmt_following *following)
{
	if (following != NULL)
		free(following->redefined);
	free(following);
}
