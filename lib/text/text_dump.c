/* text_dump.c - bytes of any file to its text form */

/*
 * The file is a series of units: lines of the key, the header, records,
 * packets, blocks. Each is decoded to a statement, encoded again, and compared
 * (statement.c); the bytes follow the statement if they differ. Bytes that
 * cannot be decoded are printed as they are. Memory is bounded by the key, the
 * largest packet, the names and the open calls.
 *
 * Headings of the key that the next statement implies are not printed: they
 * are deferred until it is known that they are implied.
 */

#include "text/text_dump.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/error.h"
#include "data/header_decode.h"
#include "data/stream_decode.h"
#include "data/v2_decode.h"
#include "data/v2_encode.h"
#include "data/v2_stage.h"
#include "format/header.h"
#include "key/key.h"
#include "private/event.h"
#include "private/key.h"
#include "text/text_print.h"

#define BLOCK_MAX ((size_t)4 << 20)	/* larger blocks are printed as bytes */
#define PACKET_MAX ((size_t)256 << 20)	/* so are longer summaries */
#define LONG_PROBE 512			/* as a reader looks at */
#define SUMMARY_MAX (3 + 65535)		/* bytes of its packet */
#define GAP_MAX 64			/* bytes between key and header */
#define PROBED 1000			/* records that are tried */
#define READ_SIZE ((size_t)1 << 18)

struct text_dump {
	struct text_state state;
	struct dmt_input *in;
	struct dmt_output *out;
	struct dmt_output encoded;
	uint8_t raw[TEXT_BYTES_LINE];	/* not printed yet */
	size_t raw_count;
	bool recognized;
	bool failed;			/* no memory */
};

static void
flush_raw(struct text_dump *dump)
{
	if (dump->raw_count > 0)
		dmt_text_print_bytes(dump->out, dump->raw, dump->raw_count,
		    false);
	dump->raw_count = 0;
}

/* Prints bytes that were not decoded, in lines of the same length, unless they
 * are lines of text. */
static void
put_raw(struct text_dump *dump, const uint8_t *bytes, size_t len)
{
	for (; len > 0; bytes++, len--) {
		dump->raw[dump->raw_count++] = *bytes;
		if (dump->raw_count == sizeof(dump->raw) || (*bytes == '\n' &&
		    dmt_text_is_printed(dump->raw, dump->raw_count - 1)))
			flush_raw(dump);
	}
}

/* Returns true if a statement that was encoded gives the bytes of the unit. */
static bool
gives_unit(const struct text_dump *dump, const uint8_t *unit, size_t len)
{
	return dump->encoded.len == len && (len == 0 ||
	    memcmp(dump->encoded.bytes, unit, len) == 0);
}

/* Prints the bytes of the unit if the statement that was printed does not give
 * them. */
static void
put_difference(struct text_dump *dump, const char *why, const uint8_t *unit,
    size_t len)
{
	dump->failed |= dmt_output_failed(&dump->encoded);
	if (why != NULL || !gives_unit(dump, unit, len))
		dmt_text_print_bytes(dump->out, unit, len, true);
}

/* Prints a unit as the statement. Returns false, with nothing printed, if the
 * statement cannot stand here. */
static bool
put_statement(struct text_dump *dump, const struct text_statement *statement,
    const uint8_t *unit, size_t len)
{
	const struct text_state before = dump->state;

	dmt_output_clear(&dump->encoded);
	const char *const why =
	    dmt_text_encode(&dump->state, statement, &dump->encoded);
	if (why != NULL)
		return false;
	flush_raw(dump);
	dmt_text_print(dump->out, &before, statement);
	put_difference(dump, NULL, unit, len);
	dump->recognized = true;
	return true;
}

static void
skip(struct text_dump *dump, size_t len)
{
	dmt_input_skip(dump->in, len);
}

/* Everything up to the end of the file. */
static void
dump_rest(struct text_dump *dump)
{
	const uint8_t *bytes;
	size_t len;

	while ((len = dmt_input_peek(dump->in, READ_SIZE, &bytes)) > 0) {
		put_raw(dump, bytes, len);
		skip(dump, len);
	}
}

/* The bytes of a key, from the first heading that is deferred on. */
struct key_walk {
	struct dmt_parse parse;
	const uint8_t *bytes;
	size_t deferred;	/* begin here */
};

/* Prints the deferred headings: up to end. */
static void
put_deferred(struct text_dump *dump, struct key_walk *walk, size_t end)
{
	while (walk->deferred < end) {
		const uint8_t *const line = walk->bytes + walk->deferred;
		const uint8_t *const lf =
		    memchr(line, '\n', end - walk->deferred);
		const size_t len = (size_t)(lf - line);
		struct text_statement heading = {
			.word = TEXT_HEADING,
			.line = { (const char *)line, len }
		};

		while (!dmt_text_is(heading.line,
		    dmt_section_name(heading.section)))
			heading.section = (enum dmt_section)
			    (heading.section + 1);
		put_statement(dump, &heading, line, len + 1);
		walk->deferred += len + 1;
	}
}

/* Prints a row; the deferred headings, too, unless it implies them. */
static void
put_key_row(struct text_dump *dump, struct key_walk *walk,
    const struct text_statement *row, size_t at, size_t next)
{
	struct text_state before = dump->state;
	const char *why;

	for (;;) {
		const uint8_t *const unit = walk->bytes + walk->deferred;
		const size_t len = next - walk->deferred;

		dmt_output_clear(&dump->encoded);
		why = dmt_text_encode(&dump->state, row, &dump->encoded);
		if (walk->deferred == at || (why == NULL &&
		    gives_unit(dump, unit, len)))
			break;
		dump->state.section = before.section;
		dump->state.data = before.data;
		put_deferred(dump, walk, at);
		before = dump->state;
	}
	if (why != NULL) {
		put_raw(dump, walk->bytes + at, next - at);
	} else {
		flush_raw(dump);
		dmt_text_print(dump->out, &before, row);
		put_difference(dump, NULL, walk->bytes + walk->deferred,
		    next - walk->deferred);
		dump->recognized = true;
	}
	walk->deferred = next;
}

/*
 * Prints a key that is len bytes long. rest: it is followed by a header, and
 * the headings that are deferred at its end are left to walk->deferred.
 */
static void
dump_key(struct text_dump *dump, struct key_walk *walk, const uint8_t *bytes,
    size_t len, bool rest)
{
	static const enum text_word words[] = {
		[DMT_ITEM_NUMBER] = TEXT_NUMBER,
		[DMT_ITEM_OPTION] = TEXT_OPTION,
		[DMT_ITEM_THREAD] = TEXT_THREAD,
		[DMT_ITEM_METHOD] = TEXT_METHOD,
	};
	size_t at = 0;

	*walk = (struct key_walk){ .bytes = bytes };
	walk->parse.lines.text = (struct dmtrace_text){
	    (const char *)bytes, len };
	while (dmt_parse_next(&walk->parse)) {
		const struct dmt_parse *const parse = &walk->parse;
		const size_t next = parse->lines.next;
		const bool whole = bytes[next - 1] == '\n';
		struct text_statement row = {
			.section = parse->section,
			.line = { (const char *)bytes + at, next - at - 1 }
		};

		if (!whole || parse->item == DMT_ITEM_BLANK ||
		    parse->item == DMT_ITEM_STRAY) {
			put_deferred(dump, walk, at);
			put_raw(dump, bytes + at, next - at);
			walk->deferred = next;
		} else if (parse->item != DMT_ITEM_HEADING) {
			row.word = words[parse->item];
			put_key_row(dump, walk, &row, at, next);
		} else if (parse->section == DMT_SECTION_UNKNOWN ||
		    !dmt_text_is(row.line,
		    dmt_section_name(parse->section))) {
			row.word = TEXT_HEADING;
			put_deferred(dump, walk, at);
			if (!put_statement(dump, &row, bytes + at, next - at))
				put_raw(dump, bytes + at, next - at);
			walk->deferred = next;
		}
		at = next;
	}
	if (!rest)
		put_deferred(dump, walk, at);
	put_raw(dump, bytes + at, len - at);
	if (at < len)
		walk->deferred = len;
}

/* Prints the records up to the next packet, or all. */
static void
dump_records(struct text_dump *dump)
{
	const size_t size = dump->state.layout.record_size;
	const bool stream = dump->state.data == TEXT_STREAM;
	struct dmtrace_event event;
	const uint8_t *bytes;
	size_t len;

	while ((len = dmt_input_peek(dump->in, READ_SIZE, &bytes)) >= size) {
		size_t at = 0;

		for (; len - at >= size && !dump->failed; at += size) {
			if (stream && dmt_packet_begins(bytes + at))
				break;
			dmt_record_decode(&event, &dump->state.layout,
			    bytes + at, size);
			dmt_output_clear(&dump->encoded);
			const char *const why = dmt_text_encode_event(
			    &dump->state, &event, &dump->encoded);
			flush_raw(dump);
			dump->failed |= !dmt_text_print_event(dump->out,
			    &dump->state, &event, false);
			put_difference(dump, why, bytes + at, size);
		}
		skip(dump, at);
		if (dump->failed || (len - at >= size))
			return;
	}
}

/* Prints the key of a summary, and the packet around it. */
static bool
dump_summary(struct text_dump *dump, const uint8_t *packet, size_t head,
    const uint8_t *text, size_t text_len)
{
	const struct text_statement begin = {
		.word = TEXT_SUMMARY, .line = { "", text_len }
	};
	const struct text_statement end = { .word = TEXT_SUMMARY_END };
	struct key_walk walk;

	if (!put_statement(dump, &begin, packet, head))
		return false;
	dump_key(dump, &walk, text, text_len, false);
	flush_raw(dump);
	return put_statement(dump, &end, text, 0);
}

static struct dmtrace_text
without_lf(const void *text, size_t len)
{
	const char *const bytes = text;

	return (struct dmtrace_text){ bytes, len > 0 &&
	    bytes[len - 1] == '\n' ? len - 1 : len };
}

/* Prints the packet that begins here. Returns its size; 0: it is damaged. */
static size_t
dump_stream_packet(struct text_dump *dump)
{
	const uint8_t *bytes;
	struct dmt_packet packet = { .len = DMT_PACKET_HEAD_MAX };
	size_t len = dmt_input_peek(dump->in, packet.len, &bytes);
	enum dmtrace_status status = dmt_packet_decode(&packet, bytes, len);

	if (status == DMTRACE_END && packet.len <= PACKET_MAX) {
		len = dmt_input_peek(dump->in, packet.len, &bytes);
		status = dmt_packet_decode(&packet, bytes, len);
	}
	if (status != DMTRACE_OK)
		return 0;
	const struct text_statement statement = {
		.word = packet.kind == DMT_PACKET_METHOD ? TEXT_METHOD :
		    TEXT_THREAD,
		.id = packet.thread,
		.line = packet.kind == DMT_PACKET_METHOD ?
		    without_lf(packet.text, packet.text_len) :
		    (struct dmtrace_text){ packet.text, packet.text_len }
	};
	const bool fits = packet.kind == DMT_PACKET_SUMMARY ?
	    dump_summary(dump, bytes, packet.len - packet.text_len,
	    (const uint8_t *)packet.text, packet.text_len) :
	    put_statement(dump, &statement, bytes, packet.len);
	return fits ? packet.len : 0;
}

static void
dump_stream(struct text_dump *dump)
{
	const uint8_t *bytes;
	size_t len;

	for (;;) {
		dump_records(dump);
		len = dmt_input_peek(dump->in, DMT_PACKET_HEAD_MAX, &bytes);
		if (dump->failed || len < DMT_PACKET_MARK ||
		    !dmt_packet_begins(bytes))
			break;
		size_t used = dump_stream_packet(dump);
		if (used == 0) {
			used = dump->state.layout.record_size;
			len = dmt_input_peek(dump->in, used, &bytes);
			used = len < used ? len : used;
			put_raw(dump, bytes, used);
		}
		skip(dump, used);
	}
}

/* Decodes the events of a block. Returns how many there are; 0: it cannot be
 * decoded, or encoded again. */
static size_t
decode_block(struct dmt_v2_block *block, struct dmtrace_event *events)
{
	enum { PART = 1024 };
	const uint64_t unit = dmt_v2_has_ns(block->form.stage) ? 1 : 1000;
	uint64_t words[PART], cpu[PART], wall[PART];
	size_t count = 0, part;

	do {
		const struct dmt_v2_columns to = { words, cpu, wall };

		if (dmt_v2_block_decode(block, &to, PART, &part) !=
		    DMTRACE_OK || count + part > DMT_V2_BLOCK_EVENTS_MAX)
			return 0;
		for (size_t i = 0; i < part; i++)
			events[count++] = (struct dmtrace_event){
				.method = words[i] & ~(uint64_t)3,
				.action = (enum dmtrace_action)(words[i] & 3),
				.thread = block->thread,
				.cpu_ns = block->form.cpu ? cpu[i] * unit :
				    DMTRACE_NO_TIME,
				.wall_ns = block->form.wall ? wall[i] * unit :
				    DMTRACE_NO_TIME
			};
	} while (part == PART);
	return count;
}

/* Prints the block whose header is head bytes long. Returns its size; 0: it is
 * damaged, or too large. */
static size_t
dump_block(struct text_dump *dump, struct dmt_v2_block *block,
    struct dmtrace_event *events, const struct dmt_v2_packet *packet,
    size_t head)
{
	const struct text_statement statement = { .word = TEXT_BLOCK };
	const uint8_t *bytes;
	size_t size;
	const size_t len = dmt_input_peek(dump->in, head +
	    (block->form.stage == DMT_STAGE_B || packet->size > BLOCK_MAX ?
	    BLOCK_MAX : packet->size), &bytes);

	if (packet->size > BLOCK_MAX || dmt_v2_block_measure(&size,
	    &block->form, packet, bytes + head, len - head,
	    dump->in->ended) != DMTRACE_OK)
		return 0;
	dmt_v2_block_begin(block, packet, bytes + head, size, false);
	const size_t count = decode_block(block, events);
	if (count == 0)
		return 0;
	flush_raw(dump);
	dmt_text_print(dump->out, &dump->state, &statement);
	dump->recognized = true;
	dmt_output_clear(&dump->encoded);
	const char *const why = dmt_text_encode_block(&dump->state, events,
	    count, &dump->encoded);
	for (size_t i = 0; i < count; i++)
		dump->failed |= !dmt_text_print_event(dump->out, &dump->state,
		    &events[i], dmt_v2_has_bare_exits(block->form.stage) &&
		    events[i].action != DMTRACE_ENTER);
	put_difference(dump, why, bytes, head + size);
	return head + size;
}

/* Prints the packet that begins here. Returns its size; 0: it is damaged. */
static size_t
dump_v2_packet(struct text_dump *dump, struct dmt_v2_block *block,
    struct dmtrace_event *events)
{
	const uint8_t *bytes;
	const size_t len =
	    dmt_input_peek(dump->in, DMT_V2_PACKET_MAX, &bytes);
	struct dmt_v2_packet packet;
	size_t used;

	if (dmt_v2_packet_decode(&packet, &dump->state.form, bytes, len,
	    &used) != DMTRACE_OK)
		return 0;
	if (packet.type == DMT_V2_EVENTS)
		return dump_block(dump, block, events, &packet, used);
	if (packet.type == DMT_V2_SUMMARY)
		return dump_summary(dump, bytes, used - packet.text_len,
		    packet.text, packet.text_len) ? used : 0;
	const bool method = packet.type == DMT_V2_METHOD;
	const struct text_statement statement = {
		.word = packet.type == DMT_V2_END ? TEXT_FINISH :
		    method ? TEXT_METHOD : TEXT_THREAD,
		.end_ns = packet.end_ns,
		.monotonic_ns = packet.monotonic_ns,
		.id = method ? packet.method : packet.thread,
		.line = method ? without_lf(packet.text, packet.text_len) :
		    (struct dmtrace_text){ (const char *)packet.text,
		    packet.text_len }
	};
	return put_statement(dump, &statement, bytes, used) ? used : 0;
}

static void
dump_packets(struct text_dump *dump)
{
	struct dmt_v2_block block = { .form = dump->state.form };
	struct dmtrace_event *const events =
	    malloc(DMT_V2_BLOCK_EVENTS_MAX * sizeof(*events));
	const uint8_t *bytes;
	size_t len;

	dump->failed |= events == NULL;
	while (!dump->failed &&
	    (len = dmt_input_peek(dump->in, 1, &bytes)) > 0) {
		size_t used = dump_v2_packet(dump, &block, events);

		if (used == 0) {
			used = 1;
			dmt_input_peek(dump->in, 1, &bytes);
			put_raw(dump, bytes, 1);
		}
		skip(dump, used);
	}
	free(events);
}

/* Counts the records whose method was defined. */
static size_t
count_defined(const struct text_dump *dump, const struct dmt_layout *layout,
    const uint8_t *bytes, size_t len)
{
	const size_t size = layout->record_size;
	struct dmtrace_event event;
	size_t count = 0;

	for (; len >= size; bytes += size, len -= size) {
		dmt_record_decode(&event, layout, bytes, size);
		count += dmt_idmap_find(&dump->state.names.by_id,
		    event.method) != NULL;
	}
	return count;
}

/* Records of 18 bytes may be those of a preview, with ids of 8 bytes. */
static bool
has_wide_ids(struct text_dump *dump, const struct text_header *header,
    size_t at)
{
	const uint8_t *bytes;
	struct dmt_layout layout;

	if (header->version != dmt_layout_preview.version ||
	    header->distance != dmt_layout_preview.record_size ||
	    !dmt_layout_resolve(&layout, header->version, dump->state.clock,
	    (uint16_t)header->distance))
		return false;
	at += header->offset;
	const size_t len = dmt_input_peek(dump->in,
	    at + PROBED * header->distance, &bytes);
	return len > at && count_defined(dump, &dmt_layout_preview,
	    bytes + at, len - at) > count_defined(dump, &layout, bytes + at,
	    len - at);
}

/* The summary at the end of a file says if times are us or ns, which its
 * blocks need not show. Without a summary the stage stays as it is. */
static enum dmt_v2_stage
find_unit_at_end(struct text_dump *dump, enum dmt_v2_stage stage)
{
	static const char ns[] = "\n" DMT_OPTION_ELAPSED_NS "=";
	static const char us[] = "\n" DMT_OPTION_ELAPSED_US "=";
	const uint64_t offset = dump->in->offset;
	const uint8_t *bytes;

	if ((stage != DMT_STAGE_C && stage != DMT_STAGE_E) ||
	    dmt_input_hold(dump->in) != DMTRACE_OK)
		return stage;
	const uint64_t size = dmt_input_size(dump->in);
	const uint64_t from = size > offset + SUMMARY_MAX ?
	    size - SUMMARY_MAX : offset;
	if (dmt_input_rewind(dump->in, from) != DMTRACE_OK)
		return stage;
	const size_t len = dmt_input_peek(dump->in, SUMMARY_MAX, &bytes);
	for (size_t at = 0; at + 3 < len; at++) {
		if (bytes[at] != DMT_V2_SUMMARY || bytes[at + 3] != '*' ||
		    dmt_get_le16(bytes + at + 1) != len - at - 3)
			continue;
		for (; at + sizeof(ns) <= len; at++) {
			if (memcmp(bytes + at, ns, sizeof(ns) - 1) == 0)
				stage = DMT_STAGE_E;
			if (memcmp(bytes + at, us, sizeof(us) - 1) == 0)
				stage = DMT_STAGE_C;
		}
	}
	dmt_input_rewind(dump->in, offset);
	return stage;
}

/* What the header says that begins after at bytes. */
static struct text_header
look_at_header(struct text_dump *dump, size_t at)
{
	const uint8_t *bytes;
	size_t len = dmt_input_peek(dump->in, at + DMT_HEADER_SIZE, &bytes);

	bytes += at;
	len -= at;
	const struct dmt_header_fields fields = dmt_header_look(bytes, len);
	const unsigned version = fields.version;
	struct text_header header = dmt_text_header_of(&dump->state, version);
	struct dmt_v2_evidence evidence;
	struct dmt_idmap announced = { .slots = NULL };

	header.start = fields.start;
	header.offset = fields.data_offset;
	if (dmt_header_is_sized(version, fields.data_offset)) {
		header.size = fields.record_size;
		if (header.size > header.distance ||
		    dmt_version_plain(version) == version)
			header.distance = header.size;
	}
	switch (dmt_version_container(version)) {
	case DMTRACE_CONTAINER_STREAM:
		len = dmt_input_peek(dump->in, at +
		    (size_t)header.offset + DMT_STREAM_SIGHT, &bytes) - at;
		bytes += at;
		if (len > header.offset)
			header.distance = (unsigned)dmt_stream_record_size(
			    bytes + header.offset, len - header.offset,
			    header.distance, dmt_version_plain(version));
		break;
	case DMTRACE_CONTAINER_PACKETS:
		len = dmt_input_peek(dump->in, at +
		    DMT_V2_HEADER_SIZE + DMT_V2_STAGE_WINDOW, &bytes) - at;
		bytes += at;
		header.offset = DMT_V2_HEADER_SIZE;
		if (len < DMT_V2_HEADER_SIZE)
			break;
		struct dmt_v2_header v2;
		dmt_v2_header_decode(&v2, bytes);
		header.start = v2.start;
		header.start_ticks = v2.start_ticks;
		header.tick_hz = v2.tick_hz;
		header.mark = v2.mark;
		dump->failed |= dmt_v2_stage_find(&evidence, &v2, &announced,
		    bytes + DMT_V2_HEADER_SIZE, len - DMT_V2_HEADER_SIZE,
		    dump->in->ended) != DMTRACE_OK;
		header.stage = find_unit_at_end(dump, evidence.stage);
		dmt_idmap_fini(&announced);
		break;
	default:
		header.wide = has_wide_ids(dump, &header, at);
		break;
	}
	return header;
}

/* Prints the header and what follows it. The last at bytes of a key, which
 * are headings, and bytes that belong to nothing may come before it. */
static void
dump_data(struct text_dump *dump, size_t at)
{
	struct key_walk walk = { .deferred = 0 };
	size_t magic = at;
	size_t len = dmt_input_peek(dump->in, at + GAP_MAX + DMT_HEADER_SIZE,
	    &walk.bytes);

	while (magic < at + GAP_MAX && magic + DMT_MAGIC_SIZE <= len &&
	    memcmp(walk.bytes + magic, DMT_MAGIC, DMT_MAGIC_SIZE) != 0)
		magic++;
	if (at == 0 && dump->state.section == DMT_SECTION_UNKNOWN &&
	    magic > 0) {
		const struct text_statement header = {
			.word = TEXT_HEADER, .header.stage = DMT_STAGE_LONG
		};

		len = dmt_input_peek(dump->in, LONG_PROBE, &walk.bytes);
		if (dmt_v2_dump_recognises(walk.bytes, len) &&
		    put_statement(dump, &header, walk.bytes, 0))
			dump_packets(dump);
		return;
	}
	if (len < magic + DMT_HEADER_MIN ||
	    memcmp(walk.bytes + magic, DMT_MAGIC, DMT_MAGIC_SIZE) != 0)
		magic = at;
	if (magic != at || len < magic + DMT_HEADER_MIN ||
	    memcmp(walk.bytes + magic, DMT_MAGIC, DMT_MAGIC_SIZE) != 0) {
		put_deferred(dump, &walk, at);
		put_raw(dump, walk.bytes + at, magic - at);
		skip(dump, magic);
		at = 0;
		len = dmt_input_peek(dump->in, DMT_HEADER_SIZE, &walk.bytes);
		if (len < DMT_HEADER_MIN ||
		    memcmp(walk.bytes, DMT_MAGIC, DMT_MAGIC_SIZE) != 0)
			return;
	}
	const struct text_statement header = {
		.word = TEXT_HEADER,
		.header = look_at_header(dump, at)
	};
	const size_t next = at + header.header.offset;
	walk.deferred = 0;
	if (dump->failed || header.header.offset < DMT_HEADER_MIN ||
	    dmt_input_peek(dump->in, next, &walk.bytes) < next) {
		dmt_input_peek(dump->in, at, &walk.bytes);
		put_deferred(dump, &walk, at);
		skip(dump, at);
		return;
	}
	put_key_row(dump, &walk, &header, at, next);
	skip(dump, next);
	if (dump->state.data == TEXT_PACKETS)
		dump_packets(dump);
	else if (dump->state.data == TEXT_STREAM)
		dump_stream(dump);
	else if (dump->state.data == TEXT_RECORDS)
		dump_records(dump);
}

/* Finds the end of the key; all that could be read if it has none. *size is 0
 * if no key begins here. */
static const uint8_t *
find_key(struct text_dump *dump, size_t *size)
{
	struct dmtrace_key *const key = dmt_key_new();
	enum dmtrace_status status = DMTRACE_END;
	const uint8_t *bytes = NULL;
	size_t scanned = 0, want = READ_SIZE, len = 0;

	*size = 0;
	dump->failed |= key == NULL;
	while (key != NULL && status == DMTRACE_END) {
		len = dmt_input_peek(dump->in, want, &bytes);
		status = dmt_key_find_end(key, bytes, len, len < want,
		    &scanned, size);
		want = 2 * len;
	}
	if (status == DMTRACE_ERR_TRUNCATED)
		*size = len;
	else if (status != DMTRACE_OK)
		*size = 0;
	dmt_key_free(key);
	return bytes;
}

static void
dump_file(struct text_dump *dump)
{
	struct key_walk walk;
	size_t key_size;
	const uint8_t *bytes = find_key(dump, &key_size);

	if (key_size > 0 && !dump->failed) {
		dump_key(dump, &walk, bytes, key_size, true);
		skip(dump, walk.deferred);
		key_size -= walk.deferred;
	}
	if (!dump->failed)
		dump_data(dump, key_size);
	if (!dump->failed)
		dump_rest(dump);
	flush_raw(dump);
	if (dump->in->offset == 0)
		dmt_text_print_bytes(dump->out, (const uint8_t *)"", 0,
		    false);
}

enum dmtrace_status
dmt_text_write(struct dmt_input *in, struct dmt_output *out, bool *recognized,
    struct dmtrace_error *error)
{
	struct text_dump dump = {
		.state.section = DMT_SECTION_UNKNOWN, .in = in, .out = out
	};
	const char first[] = TEXT_FIRST_LINE "\n";

	dmt_output_write(out, first, sizeof(first) - 1);
	dump_file(&dump);
	*recognized = dump.recognized;
	*error = in->error;
	if (dump.failed)
		dmt_error_memory(error);
	dmt_text_state_fini(&dump.state);
	dmt_output_fini(&dump.encoded);
	return error->status;
}
