/* places.c - finds the places where a trace can be damaged */

/*
 * A walk through the file passes the lines of the key, the header, and then
 * records, packets or blocks, and offers each to the kinds of damage that it
 * has a place for. The first walk counts the places of each kind. After the
 * damages are chosen by number, the second walk makes an edit where a chosen
 * place is passed. So every place is equally likely, and memory use does not
 * depend on the size of the trace, only on the number of damages. What cannot
 * be read any more has no places.
 */

#include "ops/corrupt/corrupt.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/idmap.h"
#include "data/header_decode.h"
#include "data/stream_decode.h"
#include "data/v2_decode.h"
#include "data/v2_stage.h"
#include "format/header.h"
#include "format/layout.h"
#include "format/names.h"
#include "key/key.h"
#include "key/line_text.h"
#include "key/parse.h"
#include "private/key.h"
#include "trace/container.h"
#include "trace/packets.h"

enum {
	TOGETHER = 4096,	/* records that are read together */
	PACKET_FRONT = 7,	/* bytes of a packet that are worth damaging, */
	BLOCK_FRONT = 12,	/* and of a block */
	SWAPPED_MAX = 1024 * 1024	/* bytes of two packets */
};

struct walk {
	struct dmt_places *places;
	struct dmt_input *input;
	struct dmtrace_error *error;
	enum dmtrace_clock clock;	/* of the key */
	struct dmt_layout layout;
	struct dmt_idmap times;		/* by thread: its last one, as
					   stored */
	bool has_overflow;		/* that place was chosen: */
	uint64_t overflow_random;	/* records are lost, too */
};

/* Counts a place. Returns its edit if it was chosen, else NULL. */
static struct dmt_damage_edit *
offer_place(struct walk *walk, enum dmtrace_damage_kind kind, uint64_t at,
    uint64_t len)
{
	struct dmt_places *const places = walk->places;
	const uint64_t number = places->counts[kind]++;
	size_t *const next = &places->next[kind];

	if (places->picks == NULL)
		return NULL;
	while (*next < places->pick_count &&
	    (places->picks[*next].kind < kind ||
	    (places->picks[*next].kind == kind &&
	    places->picks[*next].number < number)))
		++*next;
	if (*next == places->pick_count ||
	    places->picks[*next].kind != kind ||
	    places->picks[*next].number != number)
		return NULL;
	struct dmt_damage_edit *const edit =
	    &places->edits[places->edit_count++];
	*edit = (struct dmt_damage_edit){
		.damage = { .kind = kind, .at = at, .len = len },
		.random = places->picks[*next].random
	};
	return edit;
}

static void
set_edit_bytes(struct dmt_damage_edit *edit, const void *bytes, size_t len)
{
	memcpy(edit->bytes, bytes, len);
	edit->bytes_len = len;
}

/* One bit of the first most bytes. */
static void
flip_one_bit(struct dmt_damage_edit *edit, uint64_t most)
{
	const uint64_t len =
	    edit->damage.len < most ? edit->damage.len : most;

	edit->how = DMT_EDIT_FLIP;
	edit->damage.at += edit->random / 8 % len;
	edit->damage.len = 1;
	edit->value = (uint8_t)(1u << edit->random % 8);
}

/* A number of as many digits that is another one. */
static void
offer_count(struct walk *walk, struct dmtrace_text digits, uint64_t at)
{
	size_t len = 0;

	while (len < digits.len && digits.bytes[len] >= '0' &&
	    digits.bytes[len] <= '9')
		len++;
	if (len == 0 || len > DMT_EDIT_BYTES_MAX)
		return;
	struct dmt_damage_edit *const edit =
	    offer_place(walk, DMTRACE_DAMAGE_COUNT, at, len);
	if (edit == NULL)
		return;
	set_edit_bytes(edit, digits.bytes, len);
	const size_t changed = (size_t)(edit->random % len);
	edit->bytes[changed] = (uint8_t)('0' + (digits.bytes[changed] - '0' +
	    1 + edit->random / len % 9) % 10);
}

/* The line of a thread or a method; *before has the id of the row before. */
static void
offer_row(struct walk *walk, struct dmtrace_text line, uint64_t at,
    struct dmtrace_text *before)
{
	const char *const tab = memchr(line.bytes, '\t', line.len);
	struct dmt_damage_edit *edit;

	if (tab == NULL)
		return;
	edit = offer_place(walk, DMTRACE_DAMAGE_BLANKS, at, line.len);
	if (edit != NULL)
		edit->how = DMT_EDIT_BLANKS;
	const struct dmtrace_text id =
	    { line.bytes, (size_t)(tab - line.bytes) };
	if (before->len > 0 && before->len <= DMT_EDIT_BYTES_MAX &&
	    (before->len != id.len ||
	    memcmp(before->bytes, id.bytes, id.len) != 0)) {
		edit = offer_place(walk, DMTRACE_DAMAGE_SAME_ID, at, id.len);
		if (edit != NULL)
			set_edit_bytes(edit, before->bytes, before->len);
	}
	*before = id;
}

/* Walks through the lines of a key at that offset. whole: it is not a summary,
 * whose length its packet states. */
static void
walk_key(struct walk *walk, struct dmtrace_text text, uint64_t offset,
    bool whole)
{
	struct dmt_parse parse = { .lines.text = text };
	struct dmtrace_text before = { NULL, 0 };
	struct dmt_damage_edit *edit;
	size_t at = 0;

	for (; dmt_parse_next(&parse); at = parse.lines.next) {
		const struct dmtrace_text line = {
			text.bytes + at, parse.lines.next - at
		};

		switch (parse.item) {
		case DMT_ITEM_HEADING:
			before.len = 0;
			if (whole && parse.section == DMT_SECTION_END)
				offer_place(walk, DMTRACE_DAMAGE_NO_END,
				    offset + at, line.len);
			break;
		case DMT_ITEM_OPTION:
			if (dmt_text_is(parse.option.name, DMT_OPTION_CLOCK))
				walk->clock = dmt_clock_find(
				    parse.option.value.bytes,
				    parse.option.value.len);
			if (dmt_text_is(parse.option.name, DMT_OPTION_CALLS))
				offer_count(walk, parse.option.value, offset +
				    (uint64_t)(parse.option.value.bytes -
				    text.bytes));
			if (!whole || !dmt_text_begins(line,
			    DMT_OPTION_OVERFLOW "=false"))
				break;
			edit = offer_place(walk, DMTRACE_DAMAGE_OVERFLOW,
			    offset + at + strlen(DMT_OPTION_OVERFLOW "="),
			    strlen("false"));
			if (edit == NULL)
				break;
			set_edit_bytes(edit, "true", strlen("true"));
			walk->has_overflow = true;
			walk->overflow_random = edit->random;
			break;
		case DMT_ITEM_THREAD:
		case DMT_ITEM_METHOD:
			if (whole)
				offer_row(walk, line, offset + at, &before);
			break;
		default:
			break;
		}
	}
}

/* Walks through count records in a row at that offset. false: no memory. */
static bool
walk_records(struct walk *walk, const uint8_t *in, size_t count,
    uint64_t offset)
{
	const struct dmt_layout *const layout = &walk->layout;
	const size_t size = layout->record_size;
	const struct dmt_field field =
	    dmt_layout_has_wall(layout) ? layout->wall : layout->cpu;
	struct dmtrace_event event;
	struct dmt_damage_edit *edit;

	for (size_t i = 0; i < count; i++, in += size, offset += size) {
		dmt_record_decode(&event, layout, in, size);
		if (i > 0 && memcmp(in, in - size, size) != 0) {
			edit = offer_place(walk, DMTRACE_DAMAGE_SWAPPED,
			    offset - size, 2 * size);
			if (edit != NULL) {
				edit->how = DMT_EDIT_SWAP;
				edit->split = size;
			}
		}
		if (event.action == DMTRACE_EXIT ||
		    event.action == DMTRACE_UNROLL)
			offer_place(walk, DMTRACE_DAMAGE_NO_EXIT, offset,
			    size);

		/* Any time that is lower than that of the record before, but
		 * not so low that it has wrapped. */
		const uint32_t time =
		    (uint32_t)dmt_get_le(in + field.offset, field.width);
		uint32_t *const last =
		    dmt_idmap_at(&walk->times, event.thread);
		if (last == NULL)
			return dmt_error_memory(walk->error) == DMTRACE_OK;
		if (*last > 0 && *last <= time) {
			edit = offer_place(walk, DMTRACE_DAMAGE_TIME_STEP,
			    offset + field.offset, field.width);
			const uint32_t most =
			    *last < INT32_MAX ? *last : INT32_MAX;
			if (edit != NULL) {
				edit->bytes_len = field.width;
				dmt_put_le(edit->bytes, field.width, *last -
				    1 - edit->random % most);
			}
		}
		*last = time;
	}
	return true;
}

/* The records of versions 1 to 3, up to the end of the file. */
static void
walk_all_records(struct walk *walk)
{
	const size_t size = walk->layout.record_size;
	const uint64_t begin = walk->input->offset;
	const uint8_t *bytes;
	uint64_t count = 0;

	for (;;) {
		size_t part = dmt_input_peek(walk->input, TOGETHER * size,
		    &bytes) / size;

		if (part > TOGETHER)
			part = TOGETHER;
		if (part == 0 || !walk_records(walk, bytes, part,
		    walk->input->offset))
			break;
		count += part;
		dmt_input_skip(walk->input, part * size);
	}

	/* What does not fit in the buffer is lost. */
	if (walk->has_overflow && count > 0) {
		struct dmt_places *const places = walk->places;
		const uint64_t at =
		    begin + walk->overflow_random % count * size;

		places->edits[places->edit_count++] = (struct dmt_damage_edit){
			.damage = { .kind = DMTRACE_DAMAGE_OVERFLOW, .at = at,
			    .len = dmt_input_size(walk->input) - at }
		};
	}
}

/* The id of a packet, which the packet of its kind before it has, too. */
static void
offer_packet_id(struct walk *walk, const struct dmt_packet_item *item,
    const uint8_t *bytes, uint64_t at, bool stream,
    struct dmt_damage_edit before[2])
{
	const bool method = item->kind == DMT_NEXT_METHOD;
	size_t from = stream ? 3 : 1;
	size_t len = stream ? 2 : method ? 8 : 4;

	if (stream && method) {
		const uint8_t *const tab = memchr(bytes + from + len, '\t',
		    item->size - from - len);

		from += len;
		len = tab == NULL ? 0 : (size_t)(tab - bytes) - from;
	}
	if (len == 0 || len > DMT_EDIT_BYTES_MAX)
		return;
	if (before[method].bytes_len == len &&
	    memcmp(before[method].bytes, bytes + from, len) != 0) {
		struct dmt_damage_edit *const edit = offer_place(walk,
		    DMTRACE_DAMAGE_SAME_ID, at + from, len);

		if (edit != NULL)
			set_edit_bytes(edit, before[method].bytes, len);
	}
	set_edit_bytes(&before[method], bytes + from, len);
}

/* The packets, and what is between them, as far as they can be read. */
static void
walk_packets(struct walk *walk, const struct dmt_packet_format *format,
    struct dmt_packet_cursor *cursor)
{
	const bool stream = format == &dmt_packets_of_stream;
	struct dmt_damage_edit before[2] = { { .bytes_len = 0 } };
	struct dmt_input *const input = walk->input;
	struct dmt_packet_item item;
	size_t last = 0;		/* size of the last packet */
	const uint8_t *bytes;

	cursor->input = input;
	cursor->error = walk->error;
	cursor->limit = DMT_BLOCKS_SIZE;
	for (;;) {
		if (stream)
			dmt_input_peek(input, TOGETHER * cursor->record_size,
			    &bytes);
		format->next(cursor, &item, TOGETHER);
		const uint64_t at = input->offset;
		if (item.cut || item.size == 0 ||
		    item.kind == DMT_NEXT_BAD || item.kind == DMT_NEXT_CUT)
			break;
		if (stream && item.kind == DMT_NEXT_EVENTS) {
			if (!walk_records(walk, item.bytes, item.count, at))
				break;
			dmt_input_skip(input, item.size);
			continue;
		}
		const bool block = item.kind == DMT_NEXT_EVENTS;
		struct dmt_damage_edit *edit = offer_place(walk, block ?
		    DMTRACE_DAMAGE_BLOCK : DMTRACE_DAMAGE_PACKET, at,
		    item.size);
		if (edit != NULL)
			flip_one_bit(edit, !block ? PACKET_FRONT :
			    edit->random >> 32 & 1 ? BLOCK_FRONT :
			    item.size);
		if (item.kind == DMT_NEXT_SUMMARY) {
			walk_key(walk, item.text, at + item.size -
			    item.text.len, false);
			break;
		}
		if (!stream && last > 0 && last + item.size <= SWAPPED_MAX) {
			edit = offer_place(walk, DMTRACE_DAMAGE_SWAPPED,
			    at - last, last + item.size);
			if (edit != NULL) {
				edit->how = DMT_EDIT_SWAP;
				edit->split = last;
			}
		}
		last = item.size;
		if (dmt_input_peek(input, item.size, &bytes) >= item.size &&
		    (item.kind == DMT_NEXT_THREAD ||
		    item.kind == DMT_NEXT_METHOD))
			offer_packet_id(walk, &item, bytes, at, stream,
			    before);
		dmt_input_skip(input, item.size);
	}
	dmt_idmap_fini(&cursor->announced);
	free(cursor->line);
}

/* Offers the place of a size in the header; the new one is larger by up to 18,
 * or any other. */
static void
offer_size(struct walk *walk, enum dmtrace_damage_kind kind, uint64_t at,
    uint16_t size)
{
	struct dmt_damage_edit *const edit =
	    offer_place(walk, kind, at, sizeof(size));

	if (edit == NULL)
		return;
	edit->bytes_len = sizeof(size);
	dmt_put_le16(edit->bytes, (uint16_t)(size + 1 + edit->random %
	    (edit->random >> 32 & 1 ? 18 : UINT16_MAX - 1)));
}

/* Walks through the data, whose header is next. */
static void
walk_data(struct walk *walk)
{
	struct dmt_packet_cursor cursor = { .has_stage = false };
	struct dmt_input *const input = walk->input;
	const uint64_t at = input->offset;
	const uint8_t *bytes;
	size_t len = dmt_input_peek(input, DMT_HEADER_SIZE, &bytes);
	struct dmt_header_fields fields = dmt_header_look(bytes, len);
	const unsigned version = dmt_version_plain(fields.version);
	const enum dmtrace_container container =
	    dmt_version_container(fields.version);

	if (container == DMTRACE_CONTAINER_PACKETS) {
		if (len < DMT_V2_HEADER_SIZE)
			return;
		dmt_v2_header_decode(&cursor.header, bytes);
		cursor.form = dmt_v2_form_of(&cursor.header, DMT_STAGE_E);
		dmt_input_skip(input, DMT_V2_HEADER_SIZE);
		walk_packets(walk, &dmt_packets_of_v2, &cursor);
		return;
	}
	if (len < DMT_HEADER_MIN)
		return;
	offer_size(walk, DMTRACE_DAMAGE_OFFSET, at + DMT_HEADER_OFFSET,
	    fields.data_offset);
	if (len >= DMT_HEADER_SIZED_MIN &&
	    dmt_header_is_sized(fields.version, fields.data_offset))
		offer_size(walk, DMTRACE_DAMAGE_RECORD_SIZE,
		    at + DMT_HEADER_RECORD_SIZE, fields.record_size);
	if (fields.data_offset < DMT_HEADER_MIN ||
	    dmt_input_peek(input, fields.data_offset, &bytes) <
	    fields.data_offset)
		return;
	dmt_input_skip(input, fields.data_offset);
	if (container == DMTRACE_CONTAINER_DATA) {
		if (dmt_header_find_layout(&walk->layout, &fields,
		    walk->clock))
			walk_all_records(walk);
		return;
	}
	walk->layout = *dmt_layout_most(version);
	const size_t stated =
	    fields.record_size >= walk->layout.record_size ?
	    fields.record_size : walk->layout.record_size;
	size_t first = 0;
	len = dmt_stream_peek_records(input, &first, DMT_STREAM_SIGHT,
	    &bytes);
	if (len > first + DMT_STREAM_SIGHT)
		len = first + DMT_STREAM_SIGHT;
	cursor.record_size =
	    dmt_stream_record_size(bytes, len, stated, version);
	cursor.version = version;
	cursor.sized = true;
	walk->layout.record_size = (uint16_t)cursor.record_size;
	walk_packets(walk, &dmt_packets_of_stream, &cursor);
}

/* The key, if there is one. Then the input is after it. */
static void
walk_front(struct walk *walk)
{
	struct dmtrace_key *const key = dmt_key_new();
	struct dmtrace_error ignored = { 0 };
	const uint8_t *bytes;
	size_t size;

	if (key == NULL) {
		dmt_error_memory(walk->error);
		return;
	}
	if (dmt_input_has_key(walk->input) && dmt_input_find_key(walk->input,
	    key, &bytes, &size, &ignored) == DMTRACE_OK) {
		walk_key(walk, (struct dmtrace_text){ (const char *)bytes,
		    size }, 0, true);
		dmt_input_skip(walk->input, size);
	}
	dmt_key_free(key);
}

enum dmtrace_status
dmt_places_walk(struct dmt_places *places, struct dmtrace_error *error)
{
	struct dmt_input *const input = places->input;
	struct walk walk = {
		.places = places,
		.input = input,
		.error = error,
		.clock = DMTRACE_CLOCK_MISSING
	};
	struct dmt_packet_cursor cursor = {
		.header.version = DMT_VERSION_PACKETS,
		.form = { .stage = DMT_STAGE_LONG, .wall = true },
		.has_stage = true
	};
	const uint8_t *bytes;

	dmt_error_clear(error);
	memset(places->counts, 0, sizeof(places->counts));
	if (dmt_input_rewind(input, 0) != DMTRACE_OK) {
		*error = input->error;
		return error->status;
	}
	const size_t len = dmt_input_peek(input, DMT_CONTAINER_PROBE, &bytes);
	if (dmt_v2_dump_recognises(bytes, len)) {
		walk_packets(&walk, &dmt_packets_of_v2, &cursor);
	} else {
		walk_front(&walk);
		const int gap = dmt_input_find_magic(input, 0);
		if (gap >= 0) {
			dmt_input_peek(input, (size_t)gap, &bytes);
			dmt_input_skip(input, (size_t)gap);
			walk_data(&walk);
		}
	}
	dmt_idmap_fini(&walk.times);
	if (error->status == DMTRACE_ERR_LIMIT)
		dmt_error_clear(error);	/* a summary: the walk ends there */
	if (input->error.status != DMTRACE_OK)
		*error = input->error;
	return error->status;
}
