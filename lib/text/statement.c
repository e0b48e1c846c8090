/* statement.c - the bytes that statements of the text form mean */

/*
 * A text is a series of statements, and each of them means some bytes: a line
 * of the key, a header, a record, a packet or a block. Both directions are
 * built on the functions of this file. Undump writes the bytes of each
 * statement. Dump decodes the bytes of a file to a statement, encodes it again
 * with the same state, and compares: if the bytes differ, they follow the
 * statement, and undump writes these instead. So undump reverses dump,
 * whatever the decoders made of a file.
 *
 * Headings of a key need no statement: a thread implies "*threads", a method
 * "*methods", and the header "*end", unless they came before.
 */

#include "text/statement.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/bytes.h"
#include "data/header_decode.h"
#include "data/header_encode.h"
#include "data/record_encode.h"
#include "data/stream_encode.h"
#include "data/v2_encode.h"
#include "data/v2_stage.h"
#include "format/header.h"
#include "format/names.h"

static const char no_memory[] = "out of memory";

static void
add_text_line(struct dmt_output *out, struct dmtrace_text line)
{
	dmt_output_write(out, line.bytes, line.len);
	dmt_output_write(out, "\n", 1);
}

/* Adds the headings that a row of that section implies. */
static void
add_headings(struct text_state *state, enum dmt_section section,
    struct dmt_output *out)
{
	while (state->section < section) {
		state->section = (enum dmt_section)(state->section + 1);
		add_text_line(out,
		    dmt_text_of(dmt_section_name(state->section)));
	}
}

/* Adds the method of a line of the key, of a packet, or of a packet of format
 * V2, where the id is not in the line. replaces: it takes the place of an
 * earlier one of its id, as packets do; of rows of a key the first one counts.
 * false: no memory. */
static bool
define_method(struct text_state *state, struct dmtrace_text text,
    const uint64_t *id, bool replaces)
{
	struct dmt_found found = { .count = 0 };
	const struct dmt_line line = { .text = text, .found = &found };
	struct dmtrace_method row = { .id = 0 };

	if (!dmt_method_decode(&row, &line))
		return true;
	const uint64_t number = (id != NULL ? *id : row.id) & ~(uint64_t)3;
	return (!replaces &&
	    dmt_idmap_find(&state->names.by_id, number) != NULL) ||
	    dmt_text_names_add(&state->names, number, &row);
}

static const char *
encode_key_line(struct text_state *state,
    const struct text_statement *statement, struct dmt_output *out)
{
	const struct dmtrace_text line = statement->line;

	switch (statement->word) {
	case TEXT_NUMBER:
		if (state->section != DMT_SECTION_UNKNOWN &&
		    state->section != DMT_SECTION_VERSION)
			return "the key has begun";
		if (state->section == DMT_SECTION_UNKNOWN)
			add_text_line(out, dmt_text_of(dmt_section_name(
			    DMT_SECTION_VERSION)));
		state->section = DMT_SECTION_VERSION;
		break;
	case TEXT_HEADING:
		state->section = statement->section;
		break;
	case TEXT_OPTION:
		if (state->section == DMT_SECTION_UNKNOWN)
			return "\"key\" must come first";
		if (dmt_text_begins(line, "clock="))
			state->clock = dmt_clock_find(
			    line.bytes + strlen("clock="),
			    line.len - strlen("clock="));
		break;
	case TEXT_THREAD:
		if (state->section == DMT_SECTION_UNKNOWN)
			return "\"key\" or \"header\" must come first";
		add_headings(state, DMT_SECTION_THREADS, out);
		break;
	default:
		if (state->section == DMT_SECTION_UNKNOWN)
			return "\"key\" or \"header\" must come first";
		add_headings(state, DMT_SECTION_METHODS, out);
		if (!define_method(state, line, NULL, false))
			return no_memory;
	}
	add_text_line(out, line);
	return NULL;
}

struct text_header
dmt_text_header_of(const struct text_state *state, unsigned version)
{
	struct text_header header = {
		.version = version,
		.offset = DMT_HEADER_SIZE,
		.stage = DMT_STAGE_E
	};
	struct dmt_layout layout;

	if (dmt_layout_resolve(&layout, dmt_version_plain(version),
	    dmt_version_plain(version) == DMT_VERSION_SIZED ?
	    DMTRACE_CLOCK_DUAL : state->clock, 0))
		header.distance = header.size = layout.record_size;
	if (version < DMT_VERSION_SIZED)
		header.size = 0;
	return header;
}

static const char *
encode_v2_header(struct text_state *state, const struct text_header *header,
    struct dmt_output *out)
{
	const struct dmt_v2_header fields = {
		.version = (uint16_t)header->version,
		.start = header->start,
		.start_ticks = header->start_ticks,
		.tick_hz = header->tick_hz,
		.mark = header->mark
	};
	uint8_t *const room = dmt_output_reserve(out, DMT_V2_HEADER_SIZE);

	if (header->tick_hz > DMT_TICK_HZ_MAX)
		return "hz is too large";
	if (room == NULL)
		return no_memory;
	dmt_v2_header_encode(room, &fields);
	dmt_output_advance(out, DMT_V2_HEADER_SIZE);
	state->form = dmt_v2_form_of(&fields, header->stage);
	state->data = TEXT_PACKETS;
	return NULL;
}

static const char *
encode_header(struct text_state *state, const struct text_header *header,
    struct dmt_output *out)
{
	const enum dmtrace_container container =
	    dmt_version_container(header->version);
	const struct text_header usual =
	    dmt_text_header_of(state, header->version);
	struct dmt_layout layout;

	if (state->data != TEXT_NO_DATA)
		return "there is a header already";
	if (header->stage == DMT_STAGE_LONG) {
		if (state->section != DMT_SECTION_UNKNOWN)
			return "there is a key already";
		state->form = (struct dmt_v2_form){
			.stage = DMT_STAGE_LONG, .wall = true
		};
		state->data = TEXT_PACKETS;
		return NULL;
	}
	if (state->section != DMT_SECTION_UNKNOWN)
		add_headings(state, DMT_SECTION_END, out);
	if (container == DMTRACE_CONTAINER_PACKETS)
		return encode_v2_header(state, header, out);
	/* Records of a stream with one time may be longer than the header of
	 * version 2 can say. */
	const unsigned plain = dmt_version_plain(header->version);
	if (!dmt_layout_resolve(&layout, plain, state->clock,
	    plain < DMT_VERSION_SIZED ? 0 : (uint16_t)header->distance) ||
	    (plain != header->version &&
	    header->distance < layout.record_size))
		return "there are no such records";
	if (plain != header->version)
		layout.record_size = (uint16_t)header->distance;
	if (header->wide && (container != DMTRACE_CONTAINER_DATA ||
	    layout.record_size != dmt_layout_preview.record_size))
		return "ids of 8 bytes are in records of 18 bytes";
	if (header->offset < DMT_HEADER_MIN || header->offset > UINT16_MAX)
		return "the offset is not 16 to 65535";

	/* The usual header, and in it what this one says instead. */
	const size_t len = header->offset < DMT_HEADER_SIZE ?
	    DMT_HEADER_SIZE : header->offset;
	const struct dmt_header fields = {
		.version = (uint16_t)header->version,
		.data_offset = (uint16_t)len,
		.record_size = (uint16_t)usual.distance,
		.start = header->start
	};
	uint8_t *const room = dmt_output_reserve(out, len);
	if (room == NULL)
		return no_memory;
	if (dmt_header_encode(room, len, &fields) != DMTRACE_OK)
		return "there is no such version";
	dmt_put_le16(room + DMT_HEADER_OFFSET, (uint16_t)header->offset);
	if (header->version >= DMT_VERSION_SIZED)
		dmt_put_le16(room + DMT_HEADER_RECORD_SIZE,
		    (uint16_t)header->size);
	dmt_output_advance(out, header->offset);
	state->layout = header->wide ? dmt_layout_preview : layout;
	state->data = container == DMTRACE_CONTAINER_STREAM ? TEXT_STREAM :
	    TEXT_RECORDS;
	return NULL;
}

/* The text of a method packet is a line with its LF. */
static const char *
encode_stream_packet(struct text_state *state,
    const struct text_statement *statement, struct dmt_output *out)
{
	uint8_t head[DMT_PACKET_HEAD_MAX];
	const bool method = statement->word == TEXT_METHOD;
	const struct dmt_packet packet = {
		.kind = method ? DMT_PACKET_METHOD :
		    statement->word == TEXT_THREAD ? DMT_PACKET_THREAD :
		    DMT_PACKET_SUMMARY,
		.thread = (uint16_t)statement->id,
		.text_len = statement->line.len + method
	};
	const size_t len = dmt_packet_head_encode(head, &packet);

	if (len == 0)
		return "the text is longer than a packet can be";
	if (statement->word == TEXT_THREAD && statement->id > UINT16_MAX)
		return "the thread number is above 65535";
	dmt_output_write(out, head, len);
	if (packet.kind == DMT_PACKET_SUMMARY)
		return NULL;
	dmt_output_write(out, statement->line.bytes, statement->line.len);
	if (!method)
		return NULL;
	dmt_output_write(out, "\n", 1);
	return define_method(state, statement->line, NULL, true) ? NULL :
	    no_memory;
}

static const char *
encode_v2_packet(struct text_state *state,
    const struct text_statement *statement, struct dmt_output *out)
{
	const bool method = statement->word == TEXT_METHOD;
	const bool summary = statement->word == TEXT_SUMMARY;
	const size_t len = statement->line.len + method;
	struct dmt_output text = { 0 };

	if (summary && state->form.stage == DMT_STAGE_LONG)
		return "this dump has no summary";
	if (len > UINT16_MAX)
		return "the text is longer than a packet can be";
	if (statement->word == TEXT_THREAD && statement->id > UINT32_MAX)
		return "the thread number is too large";
	if (!summary) {
		dmt_output_write(&text, statement->line.bytes,
		    statement->line.len);
		dmt_output_write(&text, "\n", method);
	}
	const struct dmt_v2_packet packet = {
		.type = method ? DMT_V2_METHOD :
		    summary ? DMT_V2_SUMMARY : DMT_V2_THREAD,
		.thread = (uint32_t)statement->id,
		.method = statement->id,
		.text = (const uint8_t *)text.bytes,
		.text_len = (uint16_t)text.len
	};
	uint8_t *const room = dmt_output_failed(&text) ? NULL :
	    dmt_output_reserve(out, DMT_V2_PACKET_MAX);

	if (room == NULL) {
		dmt_output_fini(&text);
		return no_memory;
	}
	const size_t used = dmt_v2_packet_encode(room, &state->form, &packet);
	if (summary)
		dmt_put_le16(room + used - 2, (uint16_t)len);
	dmt_output_advance(out, used);
	dmt_output_clear(&text);
	if (!method) {
		dmt_output_fini(&text);
		return NULL;
	}

	/* The line has no id: it begins with the class. */
	dmt_output_write(&text, "0\t", 2);
	dmt_output_write(&text, statement->line.bytes, statement->line.len);
	const bool added = !dmt_output_failed(&text) && define_method(state,
	    dmt_output_text(&text), &statement->id, true);
	dmt_output_fini(&text);
	return added ? NULL : no_memory;
}

/* The end of a dump of long-running methods. */
static const char *
encode_finish(const struct text_state *state,
    const struct text_statement *statement, struct dmt_output *out)
{
	const struct dmt_v2_packet packet = {
		.type = DMT_V2_END,
		.end_ns = statement->end_ns,
		.monotonic_ns = statement->monotonic_ns
	};
	uint8_t bytes[DMT_V2_BLOCK_HEADER_MAX];

	if (state->data != TEXT_PACKETS ||
	    state->form.stage != DMT_STAGE_LONG)
		return "only \"header long\" has such an end";
	dmt_output_write(out, bytes,
	    dmt_v2_packet_encode(bytes, &state->form, &packet));
	return NULL;
}

static const char *
encode_statement(struct text_state *state,
    const struct text_statement *statement, struct dmt_output *out)
{
	const bool data = state->data != TEXT_NO_DATA && !state->in_summary;

	switch (statement->word) {
	case TEXT_HEADER:
		return encode_header(state, &statement->header, out);
	case TEXT_SUMMARY_END:
		if (!state->in_summary)
			return "there is no summary to end";
		state->in_summary = false;
		state->section = DMT_SECTION_UNKNOWN;
		return NULL;
	case TEXT_FINISH:
		return encode_finish(state, statement, out);
	case TEXT_BLOCK:
		return data && state->data == TEXT_PACKETS ? NULL :
		    "blocks are of trace format V2";
	case TEXT_SUMMARY:
	case TEXT_THREAD:
	case TEXT_METHOD:
		if (statement->word == TEXT_SUMMARY && !data)
			return "a summary follows the header of a stream";
		if (data && state->data == TEXT_RECORDS)
			return "records have no packets";
		if (!data)
			break;
		const char *const why = state->data == TEXT_STREAM ?
		    encode_stream_packet(state, statement, out) :
		    encode_v2_packet(state, statement, out);
		if (why == NULL && statement->word == TEXT_SUMMARY) {
			state->in_summary = true;
			state->section = DMT_SECTION_UNKNOWN;
		}
		return why;
	default:
		break;
	}
	return data ? "the key has ended" :
	    encode_key_line(state, statement, out);
}

const char *
dmt_text_encode(struct text_state *state,
    const struct text_statement *statement, struct dmt_output *out)
{
	const enum dmt_section section = state->section;
	const size_t len = out->len;
	const char *const why = encode_statement(state, statement, out);

	if (why != NULL) {
		state->section = section;
		dmt_output_truncate(out, len);
		if (why == no_memory)
			dmt_output_fail_memory(out);
	}
	return why;
}

const char *
dmt_text_encode_event(const struct text_state *state,
    const struct dmtrace_event *event, struct dmt_output *out)
{
	const size_t size = state->layout.record_size;
	uint8_t *const room = dmt_output_reserve(out, size);

	if (room == NULL)
		return no_memory;
	if (dmt_record_encode(room, &state->layout, event) != DMTRACE_OK)
		return dmt_record_misfit(&state->layout, event, false);
	dmt_output_advance(out, size);
	return NULL;
}

const char *
dmt_text_encode_block(const struct text_state *state,
    const struct dmtrace_event *events, size_t count, struct dmt_output *out)
{
	uint8_t *const room =
	    dmt_output_reserve(out, dmt_v2_block_room(count));
	size_t len;

	if (room == NULL)
		return no_memory;
	if (dmt_v2_block_encode(room, &len, &state->form, events, count,
	    true) != DMTRACE_OK)
		return "an event does not fit in a block";
	dmt_output_advance(out, len);
	return NULL;
}

struct text_thread *
dmt_text_thread_get(struct text_state *state, uint32_t number)
{
	if (state->last != 0 && state->last_number == number)
		return &state->threads[state->last - 1];
	uint32_t *const at = dmt_idmap_at(&state->by_number, number);
	if (at == NULL)
		return NULL;
	if (*at == 0) {
		struct text_thread *const threads = dmt_array_grow_zero(
		    state->threads, &state->thread_capacity,
		    state->thread_count + 1, sizeof(*threads));

		if (threads == NULL)
			return NULL;
		state->threads = threads;
		*at = (uint32_t)++state->thread_count;
	}
	state->last = *at;
	state->last_number = number;
	return &state->threads[*at - 1];
}

size_t
dmt_text_thread_find(const struct text_thread *thread, uint64_t method)
{
	for (size_t i = thread->depth; i > 0 &&
	    i + TEXT_FRAMES_FIND > thread->depth; i--)
		if (thread->frames[i - 1].method == method)
			return i;
	return 0;
}

bool
dmt_text_thread_apply(struct text_thread *thread, enum dmtrace_action action,
    uint64_t method, uint32_t indent)
{
	if (!thread->begun)
		thread->floor = indent;
	thread->begun = true;
	if (action == DMTRACE_EXIT || action == DMTRACE_UNROLL) {
		const size_t found = dmt_text_thread_find(thread, method);

		if (found > 0)
			thread->depth = found - 1;
		else if (thread->depth == 0 && indent < thread->floor)
			thread->floor = indent;
	}
	if (action != DMTRACE_ENTER)
		return true;
	struct text_frame *const frames = dmt_array_grow(thread->frames,
	    &thread->capacity, thread->depth + 1, sizeof(*frames));
	if (frames == NULL)
		return false;
	thread->frames = frames;
	frames[thread->depth++] = (struct text_frame){ method, indent };
	return true;
}

void
dmt_text_state_fini(struct text_state *state)
{
	dmt_text_names_fini(&state->names);
	dmt_idmap_fini(&state->by_number);
	for (size_t i = 0; i < state->thread_count; i++)
		free(state->threads[i].frames);
	free(state->threads);
}
