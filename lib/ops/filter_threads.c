/* filter_threads.c - a filter for which a record's thread decides */

#include "ops/filter.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

#define SAMPLES 8		/* places where the trace is looked at, */
#define SAMPLED 1024		/* and records there */
#define GUESSED_MIN (16 * SAMPLES * SAMPLED)

/* One run of records, noted or written. */
typedef enum dmtrace_status
take_fn(struct dmt_filter *filter, const uint8_t *records, size_t count);

static enum dmtrace_status
note(struct dmt_filter *filter, const uint8_t *records, size_t count)
{
	const struct dmt_keep keep = { .threads = filter->selected };

	filter->kept += dmt_records_note(&filter->census,
	    &filter->reader->layout, records, count, &keep);
	return DMTRACE_OK;
}

static enum dmtrace_status
put(struct dmt_filter *filter, const uint8_t *records, size_t count)
{
	const struct dmt_keep keep = { .threads = filter->selected };

	return dmt_filter_put(filter, records, count, &keep);
}

/* For a number that no row has, and a record may. */
static enum dmtrace_status
note_and_put(struct dmt_filter *filter, const uint8_t *records, size_t count)
{
	dmt_records_note_threads(&filter->census, &filter->reader->layout,
	    records, count);
	return put(filter, records, count);
}

static enum dmtrace_status
take_all(struct dmt_filter *filter, take_fn *take)
{
	const uint8_t *records;
	size_t count;

	for (;;) {
		if (dmt_filter_take(filter, &records, &count) != DMTRACE_OK)
			return filter->op->error.status;
		if (count == 0)
			return DMTRACE_OK;
		if (take(filter, records, count) != DMTRACE_OK ||
		    dmt_filter_progress(filter) != DMTRACE_OK)
			return filter->op->error.status;
	}
}

static enum dmtrace_status
complete(struct dmt_filter *filter)
{
	return dmtrace_writer_complete(filter->writer) == DMTRACE_OK ?
	    DMTRACE_OK : dmt_filter_write_fail(filter);
}

/* The key is written as soon as all records are known. */
static enum dmtrace_status
take_twice(struct dmt_filter *filter)
{
	filter->passes = 2;
	if (take_all(filter, note) != DMTRACE_OK ||
	    (filter->kept == 0 && !filter->allow_empty) ||
	    dmt_filter_finish_key(filter) != DMTRACE_OK ||
	    complete(filter) != DMTRACE_OK ||
	    dmt_filter_again(filter) != DMTRACE_OK)
		return filter->op->error.status;
	return take_all(filter, put);
}

static bool
has_unmatched(const struct dmt_filter *filter)
{
	struct dmtrace_unmatched unmatched;

	return dmtrace_selection_unmatched(filter->selection, 0,
	    &unmatched) == 0;
}

/* With the key as it is. */
static enum dmtrace_status
take_once(struct dmt_filter *filter)
{
	filter->passes = 1;
	if (complete(filter) != DMTRACE_OK ||
	    take_all(filter, has_unmatched(filter) ? note_and_put : put) !=
	    DMTRACE_OK)
		return filter->op->error.status;
	filter->kept = filter->put;
	return DMTRACE_OK;
}

static uint64_t
count_records(const struct dmtrace_reader *reader)
{
	return (dmt_source_size(reader->source) - reader->begins_at) /
	    reader->layout.record_size;
}

/* How many records will be kept, by some of them. */
static enum dmtrace_status
guess(struct dmt_filter *filter)
{
	struct dmtrace_reader *const reader = filter->reader;
	const uint64_t records = count_records(reader);
	uint64_t sampled = 0;

	for (uint64_t i = 0; i < SAMPLES; i++) {
		if (dmt_reader_seek(reader, records / SAMPLES * i) !=
		    DMTRACE_OK)
			return dmt_filter_read_fail(filter);
		const size_t count = dmt_reader_take(reader, SAMPLED);
		sampled += count;
		note(filter, reader->records, count);
	}
	if (sampled > 0)
		filter->kept = filter->kept * records / sampled;
	return dmt_reader_seek(reader, 0) == DMTRACE_OK ? DMTRACE_OK :
	    dmt_filter_read_fail(filter);
}

/* Whether the number of records might have another number of digits. */
static bool
is_unsure(uint64_t guessed)
{
	uint64_t power = 10;

	while (power < guessed / 2)
		power *= 10;
	return guessed > power / 16 * 15 && guessed < power / 16 * 17;
}

static enum dmtrace_status
put_again(struct dmt_filter *filter)
{
	filter->passes = 2;
	dmt_writer_reopen(filter->writer);
	if (complete(filter) != DMTRACE_OK ||
	    dmt_filter_again(filter) != DMTRACE_OK)
		return filter->op->error.status;
	return take_all(filter, put);
}

/* A guess with as many digits as the number of records has is put right when
 * all of them were read. */
static enum dmtrace_status
take_guessed(struct dmt_filter *filter)
{
	if (guess(filter) != DMTRACE_OK)
		return filter->op->error.status;
	if (is_unsure(filter->kept)) {
		filter->kept = 0;
		return take_twice(filter);
	}
	if (dmt_filter_finish_key(filter) != DMTRACE_OK ||
	    take_once(filter) != DMTRACE_OK ||
	    (filter->kept == 0 && !filter->allow_empty) ||
	    dmt_filter_number_key(filter) != DMTRACE_OK)
		return filter->op->error.status;
	if (!dmt_writer_amend_key(filter->writer))
		return put_again(filter);
	return dmt_writer_check(filter->writer) == DMTRACE_OK ? DMTRACE_OK :
	    dmt_filter_write_fail(filter);
}

/* Whether a guess is worth it, and can be put right. */
static bool
may_guess(const struct dmt_filter *filter)
{
	return filter->keep_tables &&
	    dmt_writer_can_rewind(filter->writer) &&
	    count_records(filter->reader) >= GUESSED_MIN;
}

/* invert has the other ones selected. */
static void
find_selected(struct dmt_filter *filter)
{
	const struct dmtrace_selection *const asked = filter->selection;

	for (size_t i = 0; i < asked->numbers; i++)
		filter->selected[i] = asked->threads[i] != asked->invert;
}

static enum dmtrace_status
run(struct dmt_filter *filter)
{
	if (!dmt_filter_changes_key(filter))
		return take_once(filter);
	if (dmtrace_reader_hold(filter->reader) != DMTRACE_OK)
		return dmt_filter_read_fail(filter);
	return may_guess(filter) ? take_guessed(filter) : take_twice(filter);
}

enum dmtrace_status
dmt_filter_threads(struct dmt_filter *filter)
{
	filter->selected = dmt_array_new(filter->selection->numbers, 1);
	if (filter->selected == NULL)
		return dmt_error_memory(&filter->op->error);
	find_selected(filter);
	const enum dmtrace_status status = run(filter);
	free(filter->selected);
	return status;
}
