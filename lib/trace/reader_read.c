/* reader_read.c - reads the records of a trace, once or several times */

/*
 * The container makes records available, some at a time (take_records). They
 * are decoded to events or columns, or only counted, by the row of functions
 * for records, which is here, or the one for blocks, which is in v2_read.c.
 * What is unusual in them, or follows the last one, is reported as a finding
 * in the first pass only. A reader whose input is held can return to the first
 * record: for that, a pipe is copied to a temporary file as it is read. All
 * state that depends on earlier records is then reset.
 */

#include "trace/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/escape.h"
#include "data/record_columns.h"
#include "data/record_count.h"
#include "private/key.h"
#include "private/text.h"
#include "private/trace.h"
#include "trace/packets.h"

static const struct {
	enum dmt_oddity oddity;
	enum dmt_finding finding;
} oddity_findings[] = {
	{ DMT_ODD_RESERVED, DMT_RECORD_RESERVED },
	{ DMT_ODD_BACK, DMT_TIME_BACK },
	{ DMT_ODD_WRAPPED, DMT_TIME_WRAPPED },
};

void
dmt_reader_note_odd(struct dmtrace_reader *reader, unsigned oddities,
    uint32_t thread, uint64_t offset)
{
	if (reader->noted)
		return;
	for (size_t i = 0;
	    i < sizeof(oddity_findings) / sizeof(oddity_findings[0]); i++)
		if (oddities & oddity_findings[i].oddity)
			dmt_finding_add(&reader->findings,
			    oddity_findings[i].finding, DMTRACE_PLACE_OFFSET,
			    offset, "thread %" PRIu32, thread);
}

/* The function of a struct dmt_watch. */
static void
note_odd(void *context, unsigned oddities, size_t index)
{
	struct dmtrace_reader *reader = context;
	struct dmtrace_event event;

	dmt_record_get(&event, &reader->layout, reader->records, index);
	dmt_reader_note_odd(reader, oddities, event.thread,
	    reader->input->offset + dmt_records_len(&reader->layout, index));
}

static void
fill_from_records(struct dmtrace_reader *reader, struct dmt_batch *batch,
    unsigned columns, struct dmt_indexes *indexes)
{
	const struct dmt_watch watch = { note_odd, reader };

	batch->records = reader->records;
	dmt_columns_decode(batch, columns, indexes, &reader->layout,
	    reader->clocks, &watch);
}

static void
get_from_records(struct dmtrace_reader *reader, struct dmtrace_event *events,
    size_t count)
{
	const struct dmt_watch watch = { note_odd, reader };

	dmt_records_decode(events, &reader->layout, reader->records, count,
	    reader->clocks, &watch);
}

static void
count_from_records(struct dmtrace_reader *reader, struct dmt_tallies *tallies,
    size_t count)
{
	const struct dmt_watch watch = { note_odd, reader };

	dmt_records_count(tallies, reader->records, count, &watch);
}

static const uint8_t *
get_raw_records(const struct dmtrace_reader *reader, size_t count)
{
	(void)count;
	return reader->records;
}

static bool
reset_clocks(struct dmtrace_reader *reader)
{
	return dmt_clocks_reset(&reader->clocks, &reader->layout);
}

/* The records of an item are skipped before the next one. */
static size_t
take_item_records(struct dmtrace_reader *reader,
    const struct dmt_packet_item *item, size_t capacity)
{
	if (item == NULL)
		return 0;
	const size_t count = item->count < capacity ? item->count : capacity;

	/* In a stream that grows, known from the first record on. */
	reader->layout.record_size = (uint16_t)reader->cursor->record_size;
	reader->records = item->bytes;
	reader->input_len = count * reader->layout.record_size;
	return count;
}

const struct dmt_events_kind dmt_events_of_records = {
	take_item_records,
	fill_from_records, get_from_records, count_from_records,
	get_raw_records, reset_clocks
};

size_t
dmt_reader_tail(const struct dmtrace_reader *reader, const uint8_t **bytes)
{
	const struct dmt_input *input = reader->input;

	*bytes = input->bytes + input->start;
	return reader->state == DMT_READER_ENDED &&
	    reader->ends_at == UINT64_MAX ? input->end - input->start : 0;
}

void
dmt_records_compare(const struct dmtrace_key *key, uint64_t records,
    struct dmt_findings *findings)
{
	const struct dmtrace_option *option =
	    dmtrace_key_option_find(key, DMT_OPTION_CALLS);
	char counted[24], shown[DMT_ESCAPED_MAX];

	if (option == NULL || option->value.bytes == NULL)
		return;
	snprintf(counted, sizeof(counted), "%" PRIu64, records);
	if (dmt_text_is(option->value, counted))
		return;
	dmt_escape(shown, sizeof(shown), option->value.bytes,
	    option->value.len);
	dmt_finding_add(findings, DMT_COUNT_DIFFERS, DMTRACE_PLACE_NONE, 0,
	    "%s and %s", shown, counted);
}

enum dmtrace_status
dmt_reader_end(struct dmtrace_reader *reader)
{
	const struct dmtrace_error *error = &reader->input->error;
	const uint8_t *bytes;

	if (reader->state == DMT_READER_ENDED)
		return DMTRACE_OK;
	if (error->status != DMTRACE_OK)
		return dmt_reader_fail(reader, error);
	reader->state = DMT_READER_ENDED;
	if (reader->noted)
		return DMTRACE_OK;
	const size_t tail = dmt_reader_tail(reader, &bytes);
	if (tail > 0)
		dmt_finding_add(&reader->findings, DMT_RECORD_PARTIAL,
		    DMTRACE_PLACE_OFFSET, reader->input->offset,
		    "%zu of %u bytes; \"dmtrace repair\" drops it", tail,
		    reader->layout.record_size);
	dmt_records_compare(reader->key, reader->position, &reader->findings);
	return DMTRACE_OK;
}

size_t
dmt_reader_take_following(struct dmtrace_reader *reader, size_t capacity)
{
	const size_t size = reader->layout.record_size;
	size_t count =
	    dmt_input_peek(reader->input, size, &reader->records) / size;

	if (count > capacity)
		count = capacity;
	reader->input_len = count * size;
	return count;
}

size_t
dmt_reader_take(struct dmtrace_reader *reader, size_t capacity)
{
	dmt_input_skip(reader->input, reader->input_len);
	reader->input_len = 0;
	const size_t count = reader->take_records(reader, capacity);
	reader->records_len = count * reader->layout.record_size;
	reader->position += count;
	return count;
}

static enum dmtrace_status
read_next_events(struct dmtrace_reader *reader, struct dmtrace_event *events,
    size_t capacity, size_t *count, const char *call)
{
	if (count != NULL)
		*count = 0;
	if (reader == NULL || events == NULL || count == NULL)
		return dmt_reader_refuse(reader, call, true);
	if (dmt_reader_layout(reader) == NULL)
		return dmt_reader_refuse(reader, call, false);
	if (reader->error.status != DMTRACE_OK)
		return reader->error.status;
	if (capacity == 0)
		return dmt_error_set(&reader->error, DMTRACE_ERR_RANGE,
		    "%s: a capacity of 0 events", call);
	*count = dmt_reader_take(reader, capacity);
	if (*count == 0)
		return dmt_reader_end(reader);
	reader->events->get(reader, events, *count);
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_reader_read(struct dmtrace_reader *reader,
    struct dmtrace_event *events, size_t capacity, size_t *count)
{
	return read_next_events(reader, events, capacity, count, __func__);
}

enum dmtrace_status
dmtrace_reader_next(struct dmtrace_reader *reader,
    struct dmtrace_event *event)
{
	size_t count;
	const enum dmtrace_status status = read_next_events(reader, event, 1,
	    &count, __func__);

	return status == DMTRACE_OK && count == 0 ? DMTRACE_END : status;
}

const uint8_t *
dmt_reader_records(const struct dmtrace_reader *reader)
{
	return reader->events->records(reader,
	    reader->records_len / reader->layout.record_size);
}

enum dmtrace_status
dmt_reader_count(struct dmtrace_reader *reader,
    struct dmt_count *count)
{
	*count = (struct dmt_count){ 0 };
	if (reader == NULL)
		return DMTRACE_ERR_STATE;
	struct dmt_tallies tallies;
	size_t taken;

	*count = (struct dmt_count){ 0 };
	if (dmt_reader_layout(reader) == NULL)
		return DMTRACE_ERR_STATE;
	if (!dmt_tallies_init(&tallies, &reader->layout))
		return dmt_error_memory(&reader->error);
	while ((taken = dmt_reader_take(reader, SIZE_MAX)) > 0)
		reader->events->count(reader, &tallies, taken);
	enum dmtrace_status status = dmt_reader_end(reader);
	if (status == DMTRACE_OK && !dmt_tallies_sum(count, &tallies))
		status = dmt_error_memory(&reader->error);
	dmt_tallies_fini(&tallies);
	return status;
}

void
dmt_count_fini(struct dmt_count *count)
{
	free(count->threads);
	*count = (struct dmt_count){ 0 };
}

enum dmtrace_status
dmt_reader_hold(struct dmtrace_reader *reader)
{
	if (reader == NULL)
		return DMTRACE_ERR_STATE;
	if (dmt_reader_layout(reader) == NULL || reader->position != 0)
		return DMTRACE_ERR_STATE;
	reader->begins_at = reader->input->offset;
	if (dmt_input_hold(reader->input) != DMTRACE_OK)
		return dmt_reader_fail(reader, &reader->input->error);
	reader->held = true;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_reader_rewind(struct dmtrace_reader *reader)
{
	if (reader == NULL)
		return DMTRACE_ERR_STATE;
	if (dmt_reader_layout(reader) == NULL || !reader->held)
		return DMTRACE_ERR_STATE;
	if (!reader->events->reset(reader))
		return dmt_error_memory(&reader->error);
	reader->noted |= reader->state == DMT_READER_ENDED;
	reader->records_len = 0;
	reader->input_len = 0;
	reader->redefined = 0;
	reader->named = 0;
	reader->position = 0;
	reader->state = DMT_READER_OPEN;
	return dmt_input_rewind(reader->input, reader->begins_at) ==
	    DMTRACE_OK ? DMTRACE_OK :
	    dmt_reader_fail(reader, &reader->input->error);
}
