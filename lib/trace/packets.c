/* packets.c - walks the packets of a trace */

/*
 * A trace of packets is walked in the same way by all who read it: the cursor
 * of its dialect says what is next, and decodes it. When the trace is opened,
 * a pass over all packets collects its key (gather.c). Then the events are
 * read; definitions between them are known already, except that a method's id
 * may get another meaning there. A trace that grows has no pass at the open:
 * its definitions are added to the key as they are read (follow.c).
 */

#include "trace/packets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "key/key.h"
#include "private/key.h"
#include "trace/dialect.h"
#include "trace/follow.h"

bool
dmt_packet_cursor_begin(struct dmtrace_reader *reader, struct dmt_input *input)
{
	struct dmt_packet_cursor *const cursor = calloc(1, sizeof(*cursor));

	reader->cursor = cursor;
	if (cursor == NULL)
		return dmt_error_memory(&reader->error) == DMTRACE_OK;
	cursor->input = input;
	cursor->error = &reader->error;
	cursor->limit = reader->key->limit_key;
	return true;
}

void
dmt_packet_cursor_free(struct dmt_packet_cursor *cursor)
{
	if (cursor == NULL)
		return;
	dmt_idmap_fini(&cursor->announced);
	free(cursor->line);
	free(cursor);
}

bool
dmt_ends_in_summary(const uint8_t *bytes, size_t len)
{
	static const char end[] = "*end\n";
	const size_t end_len = sizeof(end) - 1;

	return len >= end_len &&
	    memcmp(bytes + len - end_len, end, end_len) == 0;
}

/* Decodes the summary at the input, and reports what follows it. */
static enum dmtrace_status
gather_whole_summary(struct dmt_gathering *gathering,
    const struct dmt_packet_item *item)
{
	struct dmt_input *const input = gathering->input;
	const uint8_t *bytes;

	if (dmt_gather_summary(gathering, item->text) != DMTRACE_OK)
		return gathering->reader->error.status;
	if (dmt_input_peek(input, item->size + 1, &bytes) > item->size)
		dmt_finding_add(&gathering->reader->findings,
		    DMT_STREAM_TAIL, DMTRACE_PLACE_OFFSET,
		    input->offset + item->size, NULL);
	return DMTRACE_OK;
}

static enum dmtrace_status
gather_packets(struct dmt_gathering *gathering)
{
	struct dmtrace_reader *const reader = gathering->reader;
	struct dmt_input *const input = gathering->input;
	enum dmtrace_status status = DMTRACE_OK;
	struct dmt_packet_item item;
	char type[16];

	for (;;) {
		reader->packets->next(reader->cursor, &item, SIZE_MAX);
		switch (item.kind) {
		case DMT_NEXT_EVENTS:
			if (!item.cut)
				break;
			/* the complete events of the block are read */
			dmt_gather_note(gathering, DMT_STREAM_TRUNCATED);
			dmt_input_skip(input, item.size);
			return DMTRACE_OK;
		case DMT_NEXT_THREAD:
			status = dmt_gather_thread(gathering, item.thread,
			    item.text);
			break;
		case DMT_NEXT_METHOD:
			if (item.has_line_number)
				dmt_gather_note(gathering,
				    DMT_STREAM_METHOD_LINE);
			status = dmt_gather_method(gathering, item.text);
			break;
		case DMT_NEXT_OTHER:
			break;
		case DMT_NEXT_SUMMARY:
			return item.cut ?
			    dmt_gather_cut_summary(gathering, item.text) :
			    gather_whole_summary(gathering, &item);
		case DMT_NEXT_CUT:
			dmt_gather_note(gathering, DMT_STREAM_TRUNCATED);
			return DMTRACE_OK;
		case DMT_NEXT_BAD:
			snprintf(type, sizeof(type), "kind %u", item.type);
			dmt_finding_add(&reader->findings,
			    DMT_STREAM_PACKET_UNKNOWN, DMTRACE_PLACE_OFFSET,
			    input->offset, item.has_type ? "%s" : NULL, type);
			return DMTRACE_OK;
		default:
			return reader->error.status;
		}
		if (status != DMTRACE_OK)
			return status;
		dmt_input_skip(input, item.size);
	}
}

enum dmtrace_status
dmt_packets_open(struct dmtrace_reader *reader,
    const struct dmt_events_kind *events,
    enum dmtrace_status (*begin)(struct dmt_gathering *gathering),
    enum dmtrace_status (*end)(struct dmt_gathering *gathering))
{
	struct dmt_input *const input = &reader->key_input;
	struct dmt_gathering gathering = { .reader = reader, .input = input };

	reader->input = input;
	reader->take_records = dmt_packets_take;
	reader->events = events;
	if (!dmt_packet_cursor_begin(reader, input))
		return reader->error.status;
	if (dmt_input_hold(input) != DMTRACE_OK)
		return dmt_reader_fail(reader, &input->error);
	if (begin(&gathering) == DMTRACE_OK) {
		gather_packets(&gathering);
		reader->cursor->gathered = true;
	}
	if (input->error.status != DMTRACE_OK)
		dmt_reader_fail(reader, &input->error);
	reader->ends_at = input->offset;
	if (reader->error.status == DMTRACE_OK)
		end(&gathering);
	dmt_key_free(gathering.summary);
	input->may_grow = true;	/* packets after ends_at are not read */
	if (reader->error.status == DMTRACE_OK &&
	    dmt_input_rewind(input, reader->begins_at) != DMTRACE_OK)
		dmt_reader_fail(reader, &input->error);
	return reader->error.status;
}

size_t
dmt_packets_take(struct dmtrace_reader *reader, size_t capacity)
{
	struct dmt_packet_cursor *const cursor = reader->cursor;
	struct dmt_definitions *const definitions = &reader->definitions;
	struct dmt_input *const input = reader->input;
	struct dmt_packet_item item;

	if (cursor->grows && !dmt_follow_on(reader))
		return 0;
	for (;;) {
		const uint64_t at = input->offset;
		const size_t count =
		    reader->events->take(reader, NULL, capacity);

		if (count > 0 || input->error.status != DMTRACE_OK)
			return count;
		if (cursor->grows && reader->ends_at != UINT64_MAX)
			dmt_error_at(&reader->error, DMTRACE_ERR_CORRUPT,
			    DMTRACE_PLACE_OFFSET, at,
			    "a block that cannot be decoded");
		if (input->offset >= reader->ends_at)
			return 0;
		reader->packets->next(cursor, &item, capacity);
		if (cursor->grows && !dmt_follow_item(reader, &item))
			return 0;
		while (!cursor->grows &&
		    reader->redefined < definitions->redefined_count &&
		    definitions->redefined[reader->redefined].at <=
		    input->offset)
			reader->redefined++;
		while (!cursor->grows &&
		    reader->named < definitions->named_count &&
		    definitions->named[reader->named].at <= input->offset)
			reader->named++;
		switch (item.kind) {
		case DMT_NEXT_EVENTS: {
			const size_t first =
			    reader->events->take(reader, &item, capacity);

			if (first > 0)
				return first;
			break;
		}
		case DMT_NEXT_THREAD:
		case DMT_NEXT_METHOD:
		case DMT_NEXT_OTHER:
			dmt_input_skip(input, item.size);
			break;
		default:
			return 0;
		}
	}
}
