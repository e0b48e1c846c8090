/* quirks_data.c - what readers misread in headers and records */

/*
 * After the last event, the indexes of the source are the threads and methods
 * of all records. If the data header is wrong, dmtrace reads no records, but
 * other readers do: each has its own place of the first record and its own
 * distance between records. What a reader finds at these places decides whether
 * it shows the records, refuses them or crashes.
 */

#include "verify/validate/quirks_key.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "events/callstacks.h"
#include "format/header.h"
#include "key/number.h"
#include "key/parse.h"
#include "private/key.h"
#include "trace/dialect.h"

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
	dmt_idmap_fini(&search->uses);
	dmt_idmap_fini(&search->firefox_threads);
	dmt_idmap_fini(&search->renamed);
	dmt_idmap_fini(&search->last_rows);
	free(search->rows.items);
	free(search->threads.items);
	free(search->classes.items);
	free(search->methods.items);
}

static void
meet_uses(struct dmt_quirk_search *search, uint64_t id, unsigned readers)
{
	static const struct {
		uint32_t use;
		unsigned quirk;
		unsigned readers;
	} met[] = {
		{ DMT_USE_LOW_BITS, DMT_METHOD_ID_LOW_BITS, DMT_BY_ALL },
		{ DMT_USE_COLUMNS_2, DMT_METHOD_COLUMNS_2, DMT_BY_DUMP },
		{ DMT_USE_COLUMNS_3, DMT_METHOD_COLUMNS_3, DMT_BY_DUMP },
		{ DMT_USE_COLUMNS_5, DMT_METHOD_COLUMNS_5, DMT_BY_DUMP },
		{ DMT_USE_COLUMN_EMPTY, DMT_METHOD_COLUMN_EMPTY, DMT_BY_DUMP },
		{ DMT_USE_NAME_EMPTY, DMT_METHOD_NAME_EMPTY, DMT_BY_DUMP },
		{ DMT_USE_SIGNATURE_LAST, DMT_METHOD_SIGNATURE_LAST,
		    DMT_BY_DUMP },
		{ DMT_USE_FILE_LINE, DMT_METHOD_FILE_LINE, DMT_BY_DUMP },
		{ DMT_USE_NAMES_OTHER, DMT_METHOD_NAMES_OTHER,
		    DMT_BY_PERFETTO },
		{ DMT_USE_ID_DECIMAL, DMT_METHOD_ID_DECIMAL, DMT_BY_PERFETTO },
		{ DMT_USE_ID_WIDE, DMT_METHOD_ID_WIDE, DMT_BY_PERFETTO },
		{ DMT_USE_REPEATED, DMT_METHOD_REPEATED, DMT_BY_DUMP },
	};
	const uint32_t *const uses = dmt_idmap_find(&search->uses, id);

	if (uses == NULL)
		return;
	for (size_t i = 0; i < sizeof(met) / sizeof(met[0]); i++)
		if ((*uses & met[i].use) != 0)
			dmt_quirk_set(search->quirks, met[i].quirk,
			    met[i].readers & readers);
}

/* Perfetto always skips 32 bytes. If the data offset is different, it may find
 * an incomplete last record where dmtrace does not, or the reverse. */
static void
search_end_as_perfetto(struct dmt_quirks *quirks,
    const struct dmtrace_reader *reader)
{
	const uint64_t size = dmt_layout_record_size(&reader->layout);
	const uint8_t *bytes;
	const uint64_t len = reader->header.data_offset +
	    reader->position * size + dmt_reader_tail(reader, &bytes);

	if (reader->header.data_offset == HEADER)
		return;
	quirks->has[DMT_RECORD_PARTIAL] &= DMT_BY_ALL & ~DMT_BY_PERFETTO;
	dmt_quirk_set_if(quirks, DMT_OFFSET_UNEVEN,
	    len < HEADER || (len - HEADER) % size != 0);
}

/* Perfetto knows threads by their packets, and multiplies times by the rate of
 * the counter in 64 bits with a sign. */
static void
search_stage_f(struct dmt_quirks *quirks, uint64_t tick_hz,
    const struct dmt_indexes *indexes, uint64_t latest_ns)
{
	for (size_t i = 0; i < indexes->thread_count; i++)
		dmt_quirk_set_if(quirks, DMT_PACKETS_UNLISTED,
		    indexes->threads[i].row == NULL);
	dmt_quirk_set_if(quirks, DMT_PACKETS_TICKS, tick_hz > 0 &&
	    latest_ns > INT64_MAX / tick_hz);
}

void
dmt_search_events(struct dmt_quirk_search *search,
    const struct dmtrace_reader *reader, const struct dmt_indexes *indexes,
    uint64_t latest_ns)
{
	struct dmt_quirks *const quirks = search->quirks;
	struct dmt_trace_format format;

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
		meet_uses(search, id, DMT_BY_ALL);
	}
	dmt_quirk_set_if(quirks, DMT_START_HIGH, indexes->thread_count > 0 &&
	    dmt_start_is_high(reader->header.start, latest_ns));
	dmt_reader_format(reader, &format);
	if (format.blocks.stage == DMT_STAGE_F)
		search_stage_f(quirks, format.blocks.tick_hz, indexes,
		    latest_ns);
	if (reader->container == DMTRACE_CONTAINER_JOINED ||
	    reader->container == DMTRACE_CONTAINER_PAIR) {
		dmt_quirk_set_if(quirks, DMT_VERSION_1,
		    reader->header.version == 1 && indexes->thread_count > 0);
		search_end_as_perfetto(quirks, reader);
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

/* Keeps the last row of each id that a stream redefines: its name is that of
 * all events of the id in other readers. */
static void
search_redefined(struct dmt_quirk_search *search,
    const struct dmt_definitions *definitions)
{
	for (size_t i = 0; i < definitions->redefined_count; i++) {
		uint32_t *const last = dmt_idmap_at(&search->last_rows,
		    definitions->redefined[i].id);

		if (last == NULL)
			search->no_memory = true;
		else
			*last = definitions->redefined[i].row;
	}
}

/* Searches the options of a stream, which readers take from its summary. A
 * missing summary was found by the open. */
static void
search_stream(struct dmt_quirk_search *search, struct dmtrace_text text)
{
	struct dmt_parse parse = { .begun = false };

	dmt_quirk_set(search->quirks, DMT_STREAM, DMT_BY_ALL);
	/* Studio replaces such bytes in a packet. */
	if (search->quirks->has[DMT_KEY_NOT_UTF8]) {
		search->quirks->has[DMT_KEY_NOT_UTF8] &=
		    DMT_BY_ALL & ~DMT_BY_STUDIO;
		dmt_quirk_set(search->quirks, DMT_PACKET_NOT_UTF8,
		    DMT_BY_STUDIO);
	}
	if (search->quirks->has[DMT_STREAM_NO_SUMMARY])
		return;
	parse.lines.text = text;
	while (dmt_parse_next(&parse) &&
	    parse.section == DMT_SECTION_VERSION) {
		struct dmtrace_text line = { text.bytes + parse.lines.at,
		    parse.lines.next - parse.lines.at };

		line = dmt_text_cut(&line, '\n');
		if (line.len > 0 && line.bytes[line.len - 1] == '\r')
			dmt_quirk_set(search->quirks, DMT_KEY_CRLF,
			    DMT_BY_ALL);
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
	unsigned version;
	const struct dmt_layout *layout;	/* that of one time */
};

/* What a reader finds. */
struct found {
	size_t records;
	bool reserved;
	bool partial;
	bool mismatch;
	bool unlisted;			/* for Firefox */
	bool beyond;			/* a thread above DMT_DUMP_THREADS */
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

static struct dmtrace_event
take_record(const struct elsewhere *in, int64_t at)
{
	const size_t size = dmt_layout_record_size(in->layout);
	uint8_t bytes[RECORD_ROOM];
	struct dmtrace_event event = { 0 };

	for (size_t i = 0; i < size; i++)
		bytes[i] = byte_at(in, at + (int64_t)i);
	dmt_record_decode(&event, in->layout, bytes, size);
	return event;
}

/* Adds the record at an offset to *found. false: no memory, or too many open
 * calls. */
static bool
find_record(struct elsewhere *in, struct dmt_indexes *indexes,
    struct dmt_callstacks *stacks, int64_t at, struct found *found)
{
	const struct dmtrace_event event = take_record(in, at);
	const bool reserved = event.action == DMTRACE_RESERVED;
	const uint32_t thread = dmt_thread_index(indexes, event.thread);
	const uint32_t method = dmt_method_index(indexes, event.method);
	struct dmt_step step;

	found->records++;
	found->beyond |= event.thread > DMT_DUMP_THREADS && !found->mismatch;
	found->unlisted |= dmt_idmap_find(&in->search->firefox_threads,
	    event.thread) == NULL;
	found->reserved |= reserved;
	if (indexes->failed ||
	    !dmt_callstacks_reserve(stacks, indexes->thread_count) ||
	    dmt_callstack_step(stacks, &stacks->items[thread], method,
	    reserved ? DMTRACE_EXIT : event.action, &step) != DMTRACE_OK)
		return false;
	found->mismatch |= step.kind == DMT_STEP_UNWOUND ||
	    step.kind == DMT_STEP_STRAY;
	return true;
}

/* Finds the records from an offset on, step bytes apart, each of at least need
 * bytes. */
static struct found
find_records(struct elsewhere *in, int64_t from, size_t step, size_t need)
{
	struct found found = { .records = 0 };
	struct dmt_callstacks stacks;
	struct dmt_indexes indexes;
	int64_t at = from;

	dmt_callstacks_init(&stacks, sizeof(struct dmt_call_frame));
	if (!dmt_indexes_init(&indexes, in->trace_key, in->layout))
		in->search->no_memory = true;
	for (; !in->search->no_memory && at + (int64_t)need <= (int64_t)in->len;
	    at += (int64_t)step)
		if (!find_record(in, &indexes, &stacks, at, &found))
			break;
	found.partial = in->whole && at < (int64_t)in->len;
	for (size_t i = 0; in->as_written && i < indexes.method_count; i++) {
		meet_uses(in->search, indexes.methods[i].id, DMT_BY_DUMP);
		if (indexes.methods[i].row == NULL)
			dmt_quirk_set(in->search->quirks, DMT_METHOD_UNLISTED,
			    DMT_BY_DUMP);
	}
	dmt_callstacks_fini(&stacks);
	dmt_indexes_fini(&indexes);
	return found;
}

static void
set_found(struct dmt_quirk_search *search, unsigned readers,
    const struct found *found, bool refuses)
{
	if (refuses)
		dmt_quirk_set(search->quirks, DMT_RECORDS_REFUSED,
		    readers);
	else if (found->records > 0)
		dmt_quirk_set(search->quirks, DMT_RECORDS_ELSEWHERE,
		    readers);
}

static size_t
greater_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Searches as the Java readers do: offset and size are signed numbers, and the
 * fields of the header that they have read are skipped in any case. */
static void
search_records_as_java(struct elsewhere *in, int16_t offset, int16_t size,
    size_t fields)
{
	const int64_t least = in->version >= DMT_VERSION_SIZED ?
	    DMT_HEADER_SIZED_MIN : DMT_HEADER_MIN;
	const size_t step = greater_size(size < 0 ? 0 : (size_t)size, fields);
	const int64_t from = offset > least ? offset : least;

	if (from > (int64_t)in->len && in->whole) {
		dmt_quirk_set(in->search->quirks, DMT_OFFSET_BEYOND,
		    DMT_BY_JAVA);
		return;
	}
	const struct found found =
	    find_records(in, from, step, step);
	set_found(in->search, DMT_BY_VIEW, &found,
	    found.reserved || found.mismatch);
	set_found(in->search, DMT_BY_2016, &found,
	    found.reserved || found.mismatch || found.partial);
	set_found(in->search, DMT_BY_STUDIO, &found,
	    found.reserved || found.partial);
}

static void
search_records_as_firefox(struct elsewhere *in, uint16_t offset, uint16_t size,
    size_t fields)
{
	if (offset >= in->len || size == 0)
		return;
	const struct found found =
	    find_records(in, offset, size, fields);

	set_found(in->search, DMT_BY_FIREFOX, &found,
	    found.reserved || found.partial || found.unlisted);
}

/* Searches as dmtracedump does, which also goes back, into the key. */
static void
search_records_as_dmtracedump(struct elsewhere *in, int16_t offset,
    int16_t size)
{
	const size_t step = greater_size(size < 0 ? 0 : (size_t)size,
	    dmt_layout_record_size(in->layout));

	if (offset > (int64_t)in->len) {
		dmt_quirk_set(in->search->quirks, DMT_OFFSET_BEYOND,
		    DMT_BY_DUMP);
		return;
	}
	const struct found found =
	    find_records(in, offset, step, step);
	if (!in->as_written)
		set_found(in->search, DMT_BY_DUMP, &found,
		    offset < 0 && (uint64_t)-offset > in->key.len);
	else if (found.mismatch)
		dmt_quirk_set(in->search->quirks, DMT_EXIT_MISMATCH,
		    DMT_BY_DUMP);
	if (found.beyond)
		dmt_quirk_set(in->search->quirks, DMT_RECORDS_CRASH,
		    DMT_BY_DUMP);
}

/* Searches as Perfetto does, which ignores the offset. */
static void
search_records_as_perfetto(struct elsewhere *in, uint16_t size)
{
	if (size == 0)
		return;
	const struct found found =
	    find_records(in, DMT_HEADER_SIZE, size, size);

	set_found(in->search, DMT_BY_PERFETTO, &found,
	    found.partial || in->len < DMT_HEADER_SIZE);
}

/* Searches the records that these readers find. header was read, and input is
 * skipped bytes after the magic. */
static void
search_elsewhere(struct dmt_quirk_search *search, unsigned readers,
    const struct dmtrace_reader *reader, const struct dmt_header *header,
    struct dmt_input *input, size_t skipped, struct dmtrace_text key)
{
	const bool dual = search->clock == DMTRACE_CLOCK_DUAL;
	struct elsewhere in = {
		.search = search, .trace_key = reader->key, .key = key,
		.skipped = skipped, .version = header->version,
		.as_written = search->quirks->has[DMT_MAGIC_BAD] != 0
	};
	const size_t len = dmt_input_peek(input, SEEN_MAX, &in.bytes);

	in.len = skipped + (len < SEEN_MAX ? len : SEEN_MAX);
	in.whole = input->ended && len <= SEEN_MAX;
	in.layout = dmt_layout_find(in.version == 1 ? 1 : 2,
	    DMTRACE_CLOCK_WALL);
	const uint16_t offset = header->data_offset;
	const uint16_t size = in.version < DMT_VERSION_SIZED ?
	    (uint16_t)dmt_layout_record_size(in.layout) :
	    header->record_size;
	const size_t fields = dmt_layout_record_size(in.layout) +
	    (dual ? in.layout->wall.width : 0);

	if ((readers & DMT_BY_JAVA) != 0)
		search_records_as_java(&in, (int16_t)offset, (int16_t)size,
		    fields);
	if ((readers & DMT_BY_FIREFOX) != 0)
		search_records_as_firefox(&in, offset, size, fields);
	if ((readers & DMT_BY_DUMP) != 0)
		search_records_as_dmtracedump(&in, (int16_t)offset,
		    (int16_t)size);
	if ((readers & DMT_BY_PERFETTO) != 0)
		search_records_as_perfetto(&in, size);
}

/* Headers */

static void
search_bad_header(struct dmt_quirk_search *search,
    struct dmtrace_reader *reader, struct dmtrace_text key)
{
	struct dmt_quirks *const quirks = search->quirks;
	struct dmt_input *const input = reader->input == NULL ?
	    &reader->key_input : reader->input;
	const uint8_t *bytes;
	const size_t len = dmt_input_peek(input, HEADER, &bytes);

	if (len < DMT_HEADER_MIN) {
		dmt_quirk_set(quirks, DMT_HEADER_TRUNCATED, DMT_BY_ALL);
		return;
	}
	const bool sized = dmt_get_le16(bytes + DMT_HEADER_VERSION) ==
	    DMT_VERSION_SIZED && len >= DMT_HEADER_SIZED_MIN;
	const struct dmt_header header = {
		.version = (uint16_t)dmt_get_le16(bytes + DMT_HEADER_VERSION),
		.data_offset =
		    (uint16_t)dmt_get_le16(bytes + DMT_HEADER_OFFSET),
		.record_size = !sized ? 0 :
		    (uint16_t)dmt_get_le16(bytes + DMT_HEADER_RECORD_SIZE)
	};
	if (header.version < DMT_VERSION_MIN ||
	    header.version > DMT_VERSION_MAX) {
		dmt_quirk_set(quirks, DMT_VERSION_OTHER, DMT_BY_ALL);
	} else if (memcmp(bytes, DMT_MAGIC, DMT_MAGIC_SIZE) != 0) {
		dmt_quirk_set(quirks, DMT_MAGIC_BAD, DMT_BY_ALL);
		/* dmtracedump does not look at it, and goes on. */
		if (header.data_offset == HEADER)
			search_elsewhere(search, DMT_BY_DUMP, reader, &header,
			    input, 0, key);
	} else if (sized && header.record_size == 0) {
		dmt_quirk_set(quirks, DMT_RECORD_SIZE_0, DMT_BY_ALL);
		search_elsewhere(search, DMT_BY_DUMP, reader, &header, input,
		    0, key);
	} else if (len < HEADER && header.data_offset == HEADER) {
		dmt_quirk_set(quirks, DMT_HEADER_TRUNCATED, DMT_BY_ALL);
	} else {
		dmt_quirk_set_if(quirks, DMT_RECORD_SIZE_TINY, sized &&
		    header.record_size < dmt_layout_record_size(
		    dmt_layout_find(2, DMTRACE_CLOCK_WALL)));
		search_elsewhere(search, DMT_BY_ALL, reader, &header, input,
		    0, key);
	}
}

/* Returns the readers that find other records after a valid header. For some of
 * them only the clock line decides whether records have two times; for others
 * sizes are signed numbers. */
static unsigned
readers_elsewhere(const struct dmt_quirk_search *search,
    const struct dmtrace_reader *reader)
{
	if (reader->header.version == DMT_VERSION_SIZED &&
	    reader->header.record_size > INT16_MAX)
		return DMT_BY_JAVA | DMT_BY_DUMP;
	return search->clock == DMTRACE_CLOCK_DUAL &&
	    reader->layout.clock != DMTRACE_CLOCK_DUAL ?
	    DMT_BY_JAVA | DMT_BY_FIREFOX : 0;
}

static void
search_header(struct dmt_quirk_search *search, struct dmtrace_reader *reader,
    struct dmtrace_text key)
{
	struct dmt_quirks *const quirks = search->quirks;
	const struct dmt_header *const header = &reader->header;
	const struct dmt_layout *const layout = &reader->layout;

	search->elsewhere = readers_elsewhere(search, reader);
	if (search->elsewhere != 0)
		search_elsewhere(search, search->elsewhere, reader, header,
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

/* Returns true for a key that lacks its first line alone. The oldest Java
 * readers expect a version before they have seen a heading. */
static bool
begins_with_number(struct dmt_input *input)
{
	struct dmtrace_text line, rest = { NULL, 0 };
	const uint8_t *bytes;
	uint64_t version;

	rest.len = dmt_input_peek(input, HEADER, &bytes);
	rest.bytes = (const char *)bytes;
	line = dmt_text_cut(&rest, '\n');
	return rest.bytes != NULL && dmt_count_decode(&version, line) &&
	    version >= 1 && version <= 3;
}

void
dmt_search_front(struct dmt_quirk_search *search,
    struct dmtrace_reader *reader, enum dmtrace_status opened,
    struct dmtrace_text text)
{
	struct dmt_quirks *const quirks = search->quirks;
	const bool headless = opened == DMTRACE_ERR_TRUNCATED ||
	    opened == DMTRACE_ERR_CORRUPT;
	const uint8_t *bytes;

	if (reader->container == DMTRACE_CONTAINER_STREAM) {
		dmt_quirk_set_if(quirks, DMT_STREAM_TRUNCATED, headless);
		/* For readers, the version decides the size of records. */
		if (dmt_layout_record_size(&reader->layout) ==
		    reader->header.record_size)
			quirks->has[DMT_STREAM_RECORD_SIZE] = 0;
		search_redefined(search, &reader->definitions);
		search_stream(search, text);
		return;
	}
	if (reader->container == DMTRACE_CONTAINER_PACKETS) {
		dmt_quirk_set(quirks, DMT_PACKETS, DMT_BY_ALL);
		/* What readers do about these was measured for streams. */
		quirks->has[DMT_STREAM_NO_SUMMARY] = 0;
		quirks->has[DMT_STREAM_TRUNCATED] = 0;
		dmt_quirk_set_if(quirks, DMT_PACKETS_NONE, headless ||
		    dmt_input_peek(&reader->key_input, 1, &bytes) == 0);
		return;
	}
	if (text.len > 0)
		dmt_search_key(search, text);
	if (opened == DMTRACE_OK) {
		dmt_quirk_set_if(quirks, DMT_PAIR,
		    reader->container == DMTRACE_CONTAINER_PAIR);
		search_header(search, reader, text);
	} else if (reader->has_key) {
		if (reader->container != DMTRACE_CONTAINER_KEY)
			search_bad_header(search, reader, text);
	} else {
		dmt_quirk_set(quirks, opened == DMTRACE_ERR_FOREIGN ?
		    DMT_DATA_ALONE : opened == DMTRACE_ERR_TRUNCATED ?
		    DMT_KEY_NO_END : begins_with_number(&reader->key_input) ?
		    DMT_KEY_NO_VERSION : DMT_NOT_TRACE, DMT_BY_ALL);
	}
}
