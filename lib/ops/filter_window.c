/* filter_window.c - a filter by time, of records whose calls nest */

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "events/scan.h"
#include "ops/filter.h"

#define BLOCK 4096		/* records, whose flags stay in a cache */

struct window {
	struct dmt_filter *filter;
	struct dmt_scan scan;
	uint64_t records;		/* that were learned */
	uint64_t begin, end;		/* among them are all that are kept */
	uint8_t keep[BLOCK];
};

/* What is done with each block. */
typedef enum dmtrace_status
block_fn(struct window *window, const uint8_t *records, size_t count);

static enum dmtrace_status
learn(struct window *window, const uint8_t *records, size_t count)
{
	struct dmt_filter *const filter = window->filter;
	const struct dmt_keep keep = { .records = window->keep };

	dmt_scan_learn(&window->scan, records, count, window->keep);
	const size_t kept = dmt_records_note(&filter->census,
	    &filter->reader->layout, records, count, &keep);
	if (kept > 0 && filter->kept == 0)
		window->begin = window->records;
	window->records += count;
	if (kept > 0)
		window->end = window->records;
	filter->kept += kept;
	return window->scan.failed ? dmt_error_memory(&filter->op->error) :
	    DMTRACE_OK;
}

static enum dmtrace_status
put(struct window *window, const uint8_t *records, size_t count)
{
	const struct dmt_keep keep = { .records = window->keep };

	dmt_scan_select(&window->scan, records, count, window->keep);
	return dmt_filter_put(window->filter, records, count, &keep);
}

static enum dmtrace_status
take_run(struct window *window, block_fn *take, const uint8_t *records,
    size_t count)
{
	struct dmt_filter *const filter = window->filter;
	enum dmtrace_status status = DMTRACE_OK;

	while (count > 0 && status == DMTRACE_OK && !window->scan.odd) {
		const size_t n = count < BLOCK ? count : BLOCK;

		status = take(window, records, n);
		records += n * filter->reader->layout.record_size;
		count -= n;
	}
	return status == DMTRACE_OK ? dmt_filter_progress(filter) : status;
}

/* All of them, or as many as are not odd. */
static enum dmtrace_status
take_all(struct window *window, block_fn *take)
{
	struct dmt_filter *const filter = window->filter;
	const uint8_t *records;
	size_t count;

	do {
		if (dmt_filter_take(filter, &records, &count) != DMTRACE_OK)
			return filter->op->error.status;
		if (count > 0 && take_run(window, take, records, count) !=
		    DMTRACE_OK)
			return filter->op->error.status;
	} while (count > 0 && !window->scan.odd);
	return DMTRACE_OK;
}

/* Forgets what was learned, and begins again with events. */
static enum dmtrace_status
start_anew(struct dmt_filter *filter)
{
	dmt_census_fini(&filter->census);
	filter->kept = 0;
	if (!dmt_census_init(&filter->census, &filter->reader->layout,
	    filter->reader->key))
		return dmt_error_memory(&filter->op->error);
	return dmt_filter_again(filter) != DMTRACE_OK ?
	    filter->op->error.status : dmt_filter_events(filter);
}

/* If all clocks were steady, a record's own time decides, and those before
 * the first one kept need not be read, nor those behind the last one. */
static enum dmtrace_status
put_by_time(struct window *window)
{
	struct dmt_filter *const filter = window->filter;
	const uint64_t *const edges_us = window->scan.edges_us;
	const struct dmt_keep keep = {
		.threads = filter->selected,
		.limited = true,
		.from_us = edges_us[0],
		.to_us = edges_us[1] > edges_us[0] ? edges_us[1] : edges_us[0]
	};
	uint64_t at = window->begin;

	if (dmt_reader_seek(filter->reader, at) != DMTRACE_OK)
		return dmt_filter_read_fail(filter);
	while (at < window->end) {
		const size_t count = dmt_reader_take(filter->reader,
		    window->end - at < SIZE_MAX ? (size_t)(window->end - at) :
		    SIZE_MAX);

		if (count == 0)
			break;
		if (dmt_filter_put(filter, filter->reader->records, count,
		    &keep) != DMTRACE_OK ||
		    dmt_filter_progress(filter) != DMTRACE_OK)
			return filter->op->error.status;
		at += count;
	}
	return dmt_reader_seek(filter->reader, window->records) ==
	    DMTRACE_OK ? take_all(window, put) : dmt_filter_read_fail(filter);
}

static enum dmtrace_status
put_records(struct window *window)
{
	struct dmt_filter *const filter = window->filter;
	const size_t numbers = filter->selection->numbers;

	if (window->scan.unsteady)
		return take_all(window, put);
	filter->selected = dmt_array_new(numbers, 1);
	if (filter->selected == NULL)
		return dmt_error_memory(&filter->op->error);
	for (size_t i = 0; i < numbers; i++)
		filter->selected[i] = dmt_selection_has_thread(
		    filter->selection, (uint32_t)i);
	const enum dmtrace_status status = put_by_time(window);
	free(filter->selected);
	return status;
}

static enum dmtrace_status
put_all(struct window *window)
{
	struct dmt_filter *const filter = window->filter;
	const struct dmt_scan *const scan = &window->scan;

	if (dmt_filter_finish_key(filter) != DMTRACE_OK ||
	    dmt_filter_again(filter) != DMTRACE_OK)
		return filter->op->error.status;
	if (dmtrace_writer_complete(filter->writer) != DMTRACE_OK)
		return dmt_filter_write_fail(filter);
	if (dmt_filter_put_added(filter, scan->opened.events,
	    scan->opened.count, &filter->opened) != DMTRACE_OK ||
	    put_records(window) != DMTRACE_OK)
		return filter->op->error.status;
	return dmt_filter_put_added(filter, scan->closed.events,
	    scan->closed.count, &filter->closed);
}

static enum dmtrace_status
run(struct window *window)
{
	struct dmt_filter *const filter = window->filter;
	struct dmt_scan *const scan = &window->scan;

	if (dmtrace_reader_hold(filter->reader) != DMTRACE_OK)
		return dmt_filter_read_fail(filter);
	filter->passes = 2;
	if (take_all(window, learn) != DMTRACE_OK || scan->odd)
		return filter->op->error.status;
	dmt_scan_learned(scan);
	if (scan->failed || filter->census.failed)
		return dmt_error_memory(&filter->op->error);
	dmt_filter_note_added(filter, scan->opened.events,
	    scan->opened.count, &filter->opened);
	dmt_filter_note_added(filter, scan->closed.events,
	    scan->closed.count, &filter->closed);
	return filter->kept + scan->opened.count + scan->closed.count == 0 &&
	    !filter->allow_empty ? DMTRACE_OK : put_all(window);
}

enum dmtrace_status
dmt_filter_window(struct dmt_filter *filter)
{
	struct window window = { .filter = filter };
	enum dmtrace_status status = DMTRACE_ERR_MEMORY;

	status = dmt_scan_init(&window.scan, filter->selection,
	    &filter->reader->layout) ? run(&window) :
	    dmt_error_memory(&filter->op->error);
	const bool odd = window.scan.odd;
	dmt_scan_fini(&window.scan);
	return status == DMTRACE_OK && odd ? start_anew(filter) : status;
}
