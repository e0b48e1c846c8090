/* filter_window.c - a filter by time, of records whose calls nest */

#include "base/error.h"
#include "events/scan.h"
#include "ops/filter.h"

#define BLOCK 4096		/* records, whose flags stay in a cache */

struct window {
	struct dmt_filter *filter;
	struct dmt_scan scan;
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
	filter->kept += dmt_records_note(&filter->census,
	    &filter->reader->layout, records, count, &keep);
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
	if (!dmt_census_init(&filter->census, &filter->reader->layout))
		return dmt_error_memory(&filter->op->error);
	return dmt_filter_again(filter) != DMTRACE_OK ?
	    filter->op->error.status : dmt_filter_events(filter);
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
	    take_all(window, put) != DMTRACE_OK)
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
