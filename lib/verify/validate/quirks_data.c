/* quirks_data.c - what readers misread in headers and records */

/*
 * After the last event, the indexes of the source are the threads and methods
 * of all records. If the data header is wrong, dmtrace reads no records, but
 * other readers do: each has its own place of the first record and its own
 * distance between records (models.c). What a reader finds at these places
 * decides whether it shows the records, refuses them or crashes.
 *
 * What depends on one field of the header, or on one number of a record, needs
 * no comparison: the quirk is set for all, and its row of the table of findings
 * says whom it concerns.
 */

#include <stdlib.h>

#include "base/bytes.h"
#include "data/header_decode.h"
#include "events/callstacks.h"
#include "format/header.h"
#include "key/key.h"
#include "key/number.h"
#include "key/parse.h"
#include "private/key.h"
#include "trace/dialect.h"
#include "verify/validate/models.h"

#define HEADER DMT_HEADER_SIZE
#define RECORD_ROOM 16	/* bytes, at least those of a record of one time */
#define SEEN_MAX (1024 * 1024)	/* bytes of records after a wrong header */

void
dmt_quirk_search_init(struct dmt_quirk_search *search,
    struct dmt_quirks *quirks)
{
	*search = (struct dmt_quirk_search){
		.quirks = quirks, .clock = DMTRACE_CLOCK_MISSING
	};
}

void
dmt_quirk_search_fini(struct dmt_quirk_search *search)
{
	dmt_idmap_fini(&search->used);
	dmt_idmap_fini(&search->renamed);
	dmt_idmap_fini(&search->last_rows);
	dmt_idmap_fini(&search->firefox_threads);
	free(search->rows.items);
	free(search->dump_methods.items);
	free(search->perflib_threads.items);
	free(search->firefox_classes.items);
}

/* Quirks that hold only if the method has an event: the values in used have the
 * bit 1 << index. */
static const struct {
	unsigned quirk;
	unsigned readers;
} if_used[] = {
	{ DMT_METHOD_ID_LOW_BITS, DMT_BY_ALL },
	{ DMT_METHOD_COLUMNS_2, DMT_BY_DUMP },
	{ DMT_METHOD_COLUMNS_3, DMT_BY_DUMP },
	{ DMT_METHOD_COLUMNS_5, DMT_BY_DUMP },
	{ DMT_METHOD_COLUMN_EMPTY, DMT_BY_DUMP },
	{ DMT_METHOD_NAME_EMPTY, DMT_BY_DUMP },
	{ DMT_METHOD_SIGNATURE_LAST, DMT_BY_DUMP },
	{ DMT_METHOD_FILE_LINE, DMT_BY_DUMP },
	{ DMT_METHOD_REPEATED, DMT_BY_DUMP },
	{ DMT_METHOD_NAMES_OTHER, DMT_BY_PERFETTO },
	{ DMT_METHOD_ID_DECIMAL, DMT_BY_PERFETTO },
	{ DMT_METHOD_ID_WIDE, DMT_BY_PERFETTO },
};

enum { IF_USED = sizeof(if_used) / sizeof(if_used[0]) };

void
dmt_quirk_if_used(struct dmt_quirk_search *search, uint64_t method,
    unsigned quirk)
{
	uint32_t *const used =
	    dmt_idmap_at(&search->used, method & ~UINT64_C(3));
	unsigned i = 0;

	while (if_used[i].quirk != quirk)
		i++;
	if (used != NULL)
		*used |= UINT32_C(1) << i;
	else
		search->no_memory = true;
}

/* Sets the quirks of a method that has an event, for some readers. */
static void
meet_used(struct dmt_quirk_search *search, uint64_t id, unsigned readers)
{
	const uint32_t *const used = dmt_idmap_find(&search->used, id);

	for (unsigned i = 0; used != NULL && i < IF_USED; i++)
		if ((*used & UINT32_C(1) << i) != 0)
			dmt_quirk_set(search->quirks, if_used[i].quirk,
			    if_used[i].readers & readers);
}

void
dmt_search_events(struct dmt_quirk_search *search,
    const struct dmtrace_reader *reader, const struct dmt_indexes *indexes,
    uint64_t latest_ns)
{
	struct dmt_quirks *const quirks = search->quirks;
	const uint64_t offset = reader->header.data_offset;
	struct dmt_trace_format format;
	const uint8_t *tail;

	for (size_t i = 0; i < indexes->thread_count; i++) {
		const struct dmt_indexed_thread *const thread =
		    &indexes->threads[i];

		if (reader->container == DMTRACE_CONTAINER_STREAM ?
		    thread->row == NULL :
		    dmt_idmap_find(&search->firefox_threads, thread->number) ==
		    NULL)
			dmt_quirk_set(quirks, DMT_THREAD_UNLISTED,
			    DMT_BY_FIREFOX);
		dmt_quirk_set_if(quirks, DMT_THREAD_OTHER_NAME,
		    dmt_idmap_find(&search->renamed, thread->number) != NULL);
		dmt_quirk_set_if(quirks, DMT_THREAD_MODULO,
		    thread->row != NULL && thread->row->id != thread->number);
	}
	for (size_t i = 0; i < indexes->method_count; i++) {
		const uint64_t id = indexes->methods[i].id;
		const uint32_t *const last = dmt_idmap_find(
		    &search->last_rows, id);

		dmt_quirk_set_if(quirks, DMT_STREAM_METHOD_REDEFINED,
		    last != NULL && indexes->methods[i].row !=
		    dmtrace_key_method_get(reader->key, *last));

		dmt_quirk_set_if(quirks, DMT_METHOD_ID_HIGH, id >> 31 != 0);
		meet_used(search, id, DMT_BY_ALL);
	}
	dmt_quirk_set_if(quirks, DMT_START_HIGH, indexes->thread_count > 0 &&
	    dmt_start_is_high(reader->header.start, latest_ns));
	/* Where packets name the threads, Perfetto needs them, and multiplies
	 * times by the rate of the counter in 64 bits with a sign. */
	dmt_reader_format(reader, &format);
	const uint64_t tick_hz = format.blocks.tick_hz;
	if (format.names_threads) {
		for (size_t i = 0; i < indexes->thread_count; i++)
			dmt_quirk_set_if(quirks, DMT_PACKETS_UNLISTED,
			    indexes->threads[i].row == NULL);
		dmt_quirk_set_if(quirks, DMT_PACKETS_TICKS, tick_hz > 0 &&
		    latest_ns > INT64_MAX / tick_hz);
	}

	/* Perfetto always skips 32 bytes. If the data offset is different, it
	 * may find an incomplete last record where dmtrace does not, or the
	 * reverse. */
	const bool plain = reader->container == DMTRACE_CONTAINER_JOINED ||
	    reader->container == DMTRACE_CONTAINER_PAIR;
	dmt_quirk_set_if(quirks, DMT_VERSION_1, plain &&
	    reader->header.version == 1 && indexes->thread_count > 0);
	if (plain && offset != HEADER) {
		const uint64_t size = dmt_layout_record_size(&reader->layout);
		const uint64_t len = offset + reader->position * size +
		    dmt_reader_tail(reader, &tail);

		quirks->has[DMT_RECORD_PARTIAL] &=
		    DMT_BY_ALL & ~DMT_BY_PERFETTO;
		dmt_quirk_set_if(quirks, DMT_OFFSET_UNEVEN,
		    len < HEADER || (len - HEADER) % size != 0);
	}

	if ((search->clock == DMTRACE_CLOCK_DUAL) ==
	    (reader->layout.clock == DMTRACE_CLOCK_DUAL))
		quirks->has[DMT_CLOCK_DIFFERS] = 0;
	/* These readers do not see the records that dmtrace has read. */
	quirks->has[DMT_CLOCK_DIFFERS] &= DMT_BY_ALL & ~search->elsewhere;
	for (unsigned i = 0; i < DMT_ROW_COUNT; i++)
		if (dmt_finding_rows[i].part == DMT_PART_RECORDS ||
		    dmt_finding_rows[i].part == DMT_PART_CALLS)
			quirks->has[i] &= DMT_BY_ALL & ~search->elsewhere;
}

/* Searches a stream, whose options readers take from its summary. A missing
 * summary was found by the open. */
static void
search_stream(struct dmt_quirk_search *search,
    const struct dmtrace_reader *reader, struct dmtrace_text text)
{
	const struct dmt_definitions *const definitions = &reader->definitions;
	struct dmt_quirks *const quirks = search->quirks;
	struct dmt_parse parse = { .begun = false };

	dmt_quirk_set(quirks, DMT_STREAM, DMT_BY_ALL);
	/* For readers, the version decides the size of records. */
	if (dmt_layout_record_size(&reader->layout) ==
	    reader->header.record_size)
		quirks->has[DMT_STREAM_RECORD_SIZE] = 0;
	/* In other readers, the last name of an id is that of all events. */
	for (size_t i = 0; i < definitions->redefined_count; i++) {
		uint32_t *const last = dmt_idmap_at(&search->last_rows,
		    definitions->redefined[i].id);

		if (last == NULL)
			search->no_memory = true;
		else
			*last = definitions->redefined[i].row;
	}
	/* Studio replaces such bytes in a packet. */
	if (quirks->has[DMT_KEY_NOT_UTF8]) {
		quirks->has[DMT_KEY_NOT_UTF8] &= DMT_BY_ALL & ~DMT_BY_STUDIO;
		dmt_quirk_set(quirks, DMT_PACKET_NOT_UTF8, DMT_BY_STUDIO);
	}
	if (quirks->has[DMT_STREAM_NO_SUMMARY])
		return;
	parse.lines.text = text;
	while (dmt_parse_next(&parse) &&
	    parse.section == DMT_SECTION_VERSION) {
		struct dmtrace_text line = { text.bytes + parse.lines.at,
		    parse.lines.next - parse.lines.at };

		line = dmt_text_cut(&line, '\n');
		if (line.len > 0 && line.bytes[line.len - 1] == '\r')
			dmt_quirk_set(quirks, DMT_KEY_CRLF, DMT_BY_ALL);
		if (parse.item != DMT_ITEM_HEADING &&
		    parse.item != DMT_ITEM_NUMBER)
			dmt_search_option(search, line);
	}
}

/* Records after a wrong header, or in a layout that dmtrace does not use */

/* The data of a trace. Offsets are relative to the magic. */
struct elsewhere {
	struct dmt_quirk_search *search;
	const struct dmtrace_key *trace_key;
	struct dmtrace_text key;	/* the text of the key */
	const uint8_t *bytes;		/* the bytes from skipped to len */
	size_t skipped;
	size_t len;
	bool whole;			/* they are all bytes of the data */
	bool as_written;		/* these are the records: only the
					   magic is wrong */
	const struct dmt_layout *layout;	/* that of one time */
};

/* What a reader finds. */
struct found {
	size_t records;
	unsigned what;			/* bits of DMT_FOUND_... */
};

static uint8_t
byte_at(const struct elsewhere *in, int64_t at)
{
	if (at >= 0)
		return (size_t)at >= in->skipped && (size_t)at < in->len ?
		    in->bytes[(size_t)at - in->skipped] : 0;
	return (uint64_t)-at <= in->key.len ?
	    (uint8_t)in->key.bytes[in->key.len - (size_t)-at] : 0;
}

/* Adds the record at an offset to *found. false: no memory, or too many open
 * calls. */
static bool
find_record(struct elsewhere *in, struct dmt_indexes *indexes,
    struct dmt_callstacks *stacks, int64_t at, struct found *found)
{
	const size_t size = dmt_layout_record_size(in->layout);
	uint8_t bytes[RECORD_ROOM];
	struct dmtrace_event event = { 0 };
	struct dmt_step step;

	for (size_t i = 0; i < size; i++)
		bytes[i] = byte_at(in, at + (int64_t)i);
	dmt_record_decode(&event, in->layout, bytes, size);
	const bool reserved = event.action == DMTRACE_RESERVED;
	const uint32_t thread = dmt_thread_index(indexes, event.thread);
	const uint32_t method = dmt_method_index(indexes, event.method);
	found->records++;
	if (event.thread > DMT_DUMP_THREADS &&
	    (found->what & DMT_FOUND_MISMATCH) == 0)
		found->what |= DMT_FOUND_BEYOND;
	if (dmt_idmap_find(&in->search->firefox_threads, event.thread) == NULL)
		found->what |= DMT_FOUND_UNLISTED;
	if (reserved)
		found->what |= DMT_FOUND_RESERVED;
	if (indexes->failed ||
	    !dmt_callstacks_reserve(stacks, indexes->thread_count) ||
	    dmt_callstack_step(stacks, &stacks->items[thread], method,
	    reserved ? DMTRACE_EXIT : event.action, &step) != DMTRACE_OK)
		return false;
	if (step.kind == DMT_STEP_UNWOUND || step.kind == DMT_STEP_STRAY)
		found->what |= DMT_FOUND_MISMATCH;
	return true;
}

/* Finds the records at the place where a reader looks for them. */
static struct found
find_records(struct elsewhere *in, unsigned reader,
    const struct dmt_records_place *place)
{
	struct found found = { .records = 0 };
	struct dmt_callstacks stacks;
	struct dmt_indexes indexes;
	const int64_t len = (int64_t)in->len;
	int64_t at = place->from;

	dmt_callstacks_init(&stacks, sizeof(struct dmt_call_frame));
	if (!dmt_indexes_init(&indexes, in->trace_key, in->layout))
		in->search->no_memory = true;
	for (; !in->search->no_memory && at + (int64_t)place->need <= len;
	    at += (int64_t)place->step)
		if (!find_record(in, &indexes, &stacks, at, &found))
			break;
	if (in->whole && at < len)
		found.what |= DMT_FOUND_PARTIAL;
	if (place->from < 0 && (uint64_t)-place->from > in->key.len)
		found.what |= DMT_FOUND_BEFORE;
	if (place->from > len)
		found.what |= DMT_FOUND_AFTER;
	for (size_t i = 0; in->as_written && i < indexes.method_count; i++) {
		meet_used(in->search, indexes.methods[i].id, 1u << reader);
		if (indexes.methods[i].row == NULL)
			dmt_quirk_set(in->search->quirks, DMT_METHOD_UNLISTED,
			    1u << reader);
	}
	dmt_callstacks_fini(&stacks);
	dmt_indexes_fini(&indexes);
	return found;
}

/* Searches the records that a reader finds with the header, and says whether it
 * refuses them. */
static void
search_place(struct elsewhere *in, unsigned reader,
    const struct dmt_data_front *front)
{
	const struct dmt_model *const model = &dmt_models[reader];
	struct dmt_quirks *const quirks = in->search->quirks;
	struct dmt_records_place place;

	if (!model->find_records(&place, front))
		return;
	const struct found found = find_records(in, reader, &place);
	if ((found.what & DMT_FOUND_AFTER) != 0)
		dmt_quirk_set(quirks, DMT_OFFSET_BEYOND, 1u << reader);
	if ((found.what & DMT_FOUND_BEYOND) != 0)
		dmt_quirk_set(quirks, DMT_RECORDS_CRASH, 1u << reader);
	if (in->as_written) {
		if ((found.what & DMT_FOUND_MISMATCH) != 0)
			dmt_quirk_set(quirks, DMT_EXIT_MISMATCH, 1u << reader);
	} else if ((found.what & model->refuses) != 0) {
		dmt_quirk_set(quirks, DMT_RECORDS_REFUSED, 1u << reader);
	} else if (found.records > 0) {
		dmt_quirk_set(quirks, DMT_RECORDS_ELSEWHERE, 1u << reader);
	}
}

static struct dmt_data_front
data_front_of(const struct dmt_quirk_search *search,
    const struct dmt_header *header)
{
	const struct dmt_layout *const layout = dmt_layout_find(
	    header->version == 1 ? 1 : 2, DMTRACE_CLOCK_WALL);
	const size_t one_time = dmt_layout_record_size(layout);

	return (struct dmt_data_front){
		.version = header->version,
		.offset = header->data_offset,
		.record_size = header->version < DMT_VERSION_SIZED ?
		    (uint16_t)one_time : header->record_size,
		.layout = layout,
		.fields = search->clock == DMTRACE_CLOCK_DUAL ?
		    one_time + layout->wall.width : one_time
	};
}

/* Searches the records that these readers find. input is skipped bytes after
 * the magic. */
static void
search_elsewhere(struct dmt_quirk_search *search, unsigned readers,
    const struct dmtrace_reader *reader, const struct dmt_data_front *front,
    struct dmt_input *input, size_t skipped, struct dmtrace_text key)
{
	struct elsewhere in = {
		.search = search, .trace_key = reader->key, .key = key,
		.skipped = skipped, .layout = front->layout,
		.as_written = search->quirks->has[DMT_MAGIC_BAD] != 0
	};
	const size_t len = dmt_input_peek(input, SEEN_MAX, &in.bytes);

	in.len = skipped + (len < SEEN_MAX ? len : SEEN_MAX);
	in.whole = input->ended && len <= SEEN_MAX;
	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		if ((readers & 1u << i) != 0)
			search_place(&in, i, front);
}

static void
search_bad_header(struct dmt_quirk_search *search,
    struct dmtrace_reader *reader, struct dmtrace_text key)
{
	struct dmt_quirks *const quirks = search->quirks;
	struct dmt_input *const input = reader->input == NULL ?
	    &reader->key_input : reader->input;
	const uint8_t *bytes;
	const size_t len = dmt_input_peek(input, HEADER, &bytes);
	const struct dmt_header_fields fields = dmt_header_look(bytes, len);
	const bool sized = fields.version == DMT_VERSION_SIZED &&
	    len >= DMT_HEADER_SIZED_MIN;
	const struct dmt_header header = {
		.version = (uint16_t)fields.version,
		.data_offset = (uint16_t)fields.data_offset,
		.record_size = !sized ? 0 :
		    (uint16_t)dmt_get_le16(bytes + DMT_HEADER_RECORD_SIZE)
	};
	unsigned readers = 0;		/* that look for records all the same */

	if (len < DMT_HEADER_MIN) {
		dmt_quirk_set(quirks, DMT_HEADER_TRUNCATED, DMT_BY_ALL);
	} else if (header.version < DMT_VERSION_MIN ||
	    header.version > DMT_VERSION_MAX) {
		dmt_quirk_set(quirks, DMT_VERSION_OTHER, DMT_BY_ALL);
	} else if (!fields.has_magic) {
		dmt_quirk_set(quirks, DMT_MAGIC_BAD, DMT_BY_ALL);
		for (unsigned i = 0; i < DMTRACE_READERS; i++)
			if (dmt_models[i].ignores_magic &&
			    header.data_offset == HEADER)
				readers |= 1u << i;
	} else if (sized && header.record_size == 0) {
		dmt_quirk_set(quirks, DMT_RECORD_SIZE_0, DMT_BY_ALL);
		readers = DMT_BY_DUMP;
	} else if (len < HEADER && header.data_offset == HEADER) {
		dmt_quirk_set(quirks, DMT_HEADER_TRUNCATED, DMT_BY_ALL);
	} else {
		dmt_quirk_set_if(quirks, DMT_RECORD_SIZE_TINY, sized &&
		    header.record_size < dmt_layout_record_size(
		    dmt_layout_find(2, DMTRACE_CLOCK_WALL)));
		readers = DMT_BY_ALL;
	}
	const struct dmt_data_front front = data_front_of(search, &header);
	if (readers != 0)
		search_elsewhere(search, readers, reader, &front, input, 0,
		    key);
}

/* Searches a valid header. Some readers find other records all the same,
 * because they take another size: for them, sizes are signed numbers, or only
 * the clock line decides whether records have two times. Where records begin is
 * a matter of one field: offset-not-32, and below. */
static void
search_header(struct dmt_quirk_search *search, struct dmtrace_reader *reader,
    struct dmtrace_text key)
{
	struct dmt_quirks *const quirks = search->quirks;
	const struct dmt_header *const header = &reader->header;
	const struct dmt_layout *const layout = &reader->layout;
	const struct dmt_data_front front = data_front_of(search, header);

	for (unsigned i = 0; i < DMTRACE_READERS; i++) {
		struct dmt_records_place place;

		if (dmt_models[i].find_records(&place, &front) &&
		    (place.step != front.record_size ||
		    place.need > front.record_size))
			search->elsewhere |= 1u << i;
	}
	if (search->elsewhere != 0)
		search_elsewhere(search, search->elsewhere, reader, &front,
		    reader->input, header->data_offset, key);
	dmt_quirk_set_if(quirks, DMT_OFFSET_NOT_32,
	    header->data_offset != HEADER);
	if (header->data_offset > INT16_MAX)
		dmt_quirk_set(quirks, DMT_RECORDS_ELSEWHERE,
		    DMT_BY_JAVA | DMT_BY_DUMP);
	dmt_quirk_set_if(quirks, DMT_RECORD_SIZE_SMALL,
	    header->version == DMT_VERSION_SIZED &&
	    layout->clock != DMTRACE_CLOCK_DUAL);
	dmt_quirk_set_if(quirks, DMT_RECORD_SIZE_HIGH,
	    header->version == DMT_VERSION_SIZED &&
	    header->record_size > INT16_MAX);
	dmt_quirk_set_if(quirks, DMT_CLOCK_REPEATED,
	    layout->clock == DMTRACE_CLOCK_DUAL &&
	    dmt_key_clock(reader->key) == DMTRACE_CLOCK_DUAL &&
	    search->clock != DMTRACE_CLOCK_DUAL);
	dmt_quirk_set_if(quirks, DMT_CLOCK_LOST,
	    layout->clock == DMTRACE_CLOCK_DUAL &&
	    dmtrace_clock_name(dmt_key_clock(reader->key))[0] == '\0');
}

void
dmt_search_front(struct dmt_quirk_search *search,
    struct dmtrace_reader *reader, enum dmtrace_status opened)
{
	struct dmt_quirks *const quirks = search->quirks;
	const struct dmtrace_key *const key = dmtrace_reader_key(reader);
	const struct dmtrace_text text = key == NULL ?
	    (struct dmtrace_text){ "", 0 } : dmt_key_text(key);
	const bool headless = opened == DMTRACE_ERR_TRUNCATED ||
	    opened == DMTRACE_ERR_CORRUPT;
	struct dmt_input *const input = &reader->key_input;
	const uint8_t *bytes;
	uint64_t version;

	switch (reader->container) {
	case DMTRACE_CONTAINER_STREAM:
		dmt_quirk_set_if(quirks, DMT_STREAM_TRUNCATED, headless);
		search_stream(search, reader, text);
		return;
	case DMTRACE_CONTAINER_PACKETS:
		dmt_quirk_set(quirks, DMT_PACKETS, DMT_BY_ALL);
		/* What readers do about these was measured for streams. */
		quirks->has[DMT_STREAM_NO_SUMMARY] = 0;
		quirks->has[DMT_STREAM_TRUNCATED] = 0;
		dmt_quirk_set_if(quirks, DMT_PACKETS_NONE, headless ||
		    dmt_input_peek(input, 1, &bytes) == 0);
		return;
	default:
		break;
	}
	if (text.len > 0)
		dmt_search_key(search, text);
	dmt_quirk_set_if(quirks, DMT_PAIR, opened == DMTRACE_OK &&
	    reader->container == DMTRACE_CONTAINER_PAIR);
	if (opened == DMTRACE_OK)
		search_header(search, reader, text);
	else if (reader->has_key &&
	    reader->container != DMTRACE_CONTAINER_KEY)
		search_bad_header(search, reader, text);
	if (opened == DMTRACE_OK || reader->has_key)
		return;

	/* The oldest Java readers expect a version before they have seen a
	 * heading: they read a key that lacks only its first line. */
	struct dmtrace_text rest = { NULL, dmt_input_peek(input, HEADER,
	    &bytes) };
	rest.bytes = (const char *)bytes;
	const struct dmtrace_text line = dmt_text_cut(&rest, '\n');
	dmt_quirk_set(quirks,
	    opened == DMTRACE_ERR_FOREIGN ? DMT_DATA_ALONE :
	    opened == DMTRACE_ERR_TRUNCATED ? DMT_KEY_NO_END :
	    rest.bytes != NULL && dmt_count_decode(&version, line) &&
	    version >= 1 && version <= 3 ? DMT_KEY_NO_VERSION :
	    DMT_NOT_TRACE, DMT_BY_ALL);
}
