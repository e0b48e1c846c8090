/* filter_threads.c - a filter for which a record's thread decides */

#include "ops/filter.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

/* One run of records, noted or written. */
typedef enum dmtrace_status
take_fn(struct dmt_filter *filter, const uint8_t *records, size_t count);

static enum dmtrace_status
note(struct dmt_filter *filter, const uint8_t *records, size_t count)
{
	const struct dmtrace_layout *const layout = &filter->reader->layout;
	const struct dmt_keep keep = { .threads = filter->selected };

	filter->kept += filter->keep_tables ?
	    dmt_records_note_threads(&filter->census, layout, records, count,
	    keep.threads) :
	    dmt_records_note(&filter->census, layout, records, count, &keep);
	return DMTRACE_OK;
}

static enum dmtrace_status
put(struct dmt_filter *filter, const uint8_t *records, size_t count)
{
	const struct dmt_keep keep = { .threads = filter->selected };

	return dmt_filter_put(filter, records, count, &keep);
}

static enum dmtrace_status
note_and_put(struct dmt_filter *filter, const uint8_t *records, size_t count)
{
	note(filter, records, count);
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
	if (dmtrace_reader_hold(filter->reader) != DMTRACE_OK)
		return dmt_filter_read_fail(filter);
	if (take_all(filter, note) != DMTRACE_OK ||
	    (filter->kept == 0 && !filter->allow_empty) ||
	    dmt_filter_finish_key(filter) != DMTRACE_OK ||
	    complete(filter) != DMTRACE_OK ||
	    dmt_filter_again(filter) != DMTRACE_OK)
		return filter->op->error.status;
	return take_all(filter, put);
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
	if (dmt_filter_changes_key(filter))
		return take_twice(filter);
	filter->passes = 1;
	return complete(filter) == DMTRACE_OK ?
	    take_all(filter, note_and_put) : filter->op->error.status;
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
