/* filter_events.c - a filter for which the events decide */

#include "ops/filter.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

#define BATCH 2048		/* events */

struct batch {
	struct dmt_filter *filter;
	struct dmtrace_selector *selector;
	struct dmtrace_event events[BATCH];
	uint8_t keep[BATCH];
	size_t count;
};

/* What is done with each batch. */
typedef enum dmtrace_status
batch_fn(struct batch *batch);

static enum dmtrace_status
fail(struct batch *batch)
{
	return dmt_op_fail(batch->filter->op, &batch->filter->in,
	    dmtrace_selector_error(batch->selector));
}

static enum dmtrace_status
learn(struct batch *batch)
{
	return dmtrace_selector_learn(batch->selector, batch->events,
	    batch->count) == DMTRACE_OK ? DMTRACE_OK : fail(batch);
}

/* How many of the batch's records from first up to last are kept. */
static uint64_t
count_kept(const struct batch *batch, uint64_t first, uint64_t last)
{
	const uint64_t begin = batch->filter->records;
	uint64_t kept = 0;

	for (uint64_t i = first > begin ? first - begin : 0;
	    i < batch->count && i + begin < last; i++)
		kept += batch->keep[i];
	return kept;
}

static enum dmtrace_status
select_and_put(struct batch *batch)
{
	struct dmt_filter *const filter = batch->filter;
	const uint8_t *const records = dmtrace_reader_records(filter->reader);
	const struct dmt_keep keep = { .records = batch->keep };

	if (dmtrace_selector_select(batch->selector, batch->events,
	    batch->count, batch->keep) != DMTRACE_OK)
		return fail(batch);
	filter->kept += dmt_records_note(&filter->census,
	    &filter->reader->layout, records, batch->count, &keep);
	filter->opened.kept += count_kept(batch, 0, filter->opened.before);
	filter->closed.kept += count_kept(batch, filter->closed_from,
	    UINT64_MAX);
	return dmt_filter_put(filter, records, batch->count, &keep);
}

static enum dmtrace_status
take_all(struct batch *batch, batch_fn *take)
{
	struct dmt_filter *const filter = batch->filter;

	for (filter->records = 0;; filter->records += batch->count) {
		if (dmtrace_reader_read(filter->reader, batch->events, BATCH,
		    &batch->count) != DMTRACE_OK)
			return dmt_filter_read_fail(filter);
		if (batch->count == 0)
			return DMTRACE_OK;
		if (take(batch) != DMTRACE_OK ||
		    dmt_filter_progress(filter) != DMTRACE_OK)
			return filter->op->error.status;
	}
}

static enum dmtrace_status
learn_all(struct batch *batch)
{
	if (take_all(batch, learn) != DMTRACE_OK)
		return batch->filter->op->error.status;
	if (dmtrace_selector_learned(batch->selector) != DMTRACE_OK)
		return fail(batch);
	return dmt_filter_again(batch->filter);
}

static enum dmtrace_status
put_all(struct batch *batch)
{
	struct dmt_filter *const filter = batch->filter;
	const struct dmtrace_event *events;
	size_t count;

	if (!dmt_filter_changes_key(filter) &&
	    dmtrace_writer_complete(filter->writer) != DMTRACE_OK)
		return dmt_filter_write_fail(filter);
	events = dmtrace_selector_opened(batch->selector, &count);
	if (dmt_filter_put_added(filter, events, count, &filter->opened) !=
	    DMTRACE_OK ||
	    take_all(batch, select_and_put) != DMTRACE_OK)
		return filter->op->error.status;
	events = dmtrace_selector_closed(batch->selector, &count);
	return dmt_filter_put_added(filter, events, count, &filter->closed);
}

/* Records at the end are found by how many there are. */
static void
find_closed(struct dmt_filter *filter)
{
	const struct dmtrace_reader *const reader = filter->reader;
	const uint64_t records = (dmt_source_size(reader->source) -
	    reader->source->offset) / reader->layout.record_size;

	filter->closed_from = filter->closed.before > records ? 0 :
	    records - filter->closed.before;
}

static enum dmtrace_status
run(struct batch *batch)
{
	struct dmt_filter *const filter = batch->filter;
	const bool learns = dmtrace_selector_learns(batch->selector);

	filter->passes = filter->pass + (learns ? 2 : 1);
	filter->closed_from = UINT64_MAX;
	if ((learns || filter->closed.before > 0) &&
	    dmtrace_reader_hold(filter->reader) != DMTRACE_OK)
		return dmt_filter_read_fail(filter);
	if (filter->closed.before > 0)
		find_closed(filter);
	if (learns && learn_all(batch) != DMTRACE_OK)
		return filter->op->error.status;
	return put_all(batch);
}

enum dmtrace_status
dmt_filter_events(struct dmt_filter *filter)
{
	struct batch *const batch = dmt_array_new(1, sizeof(*batch));
	enum dmtrace_status status = DMTRACE_ERR_MEMORY;

	if (batch == NULL)
		return dmt_error_memory(&filter->op->error);
	batch->filter = filter;
	batch->selector = dmtrace_selector_new(filter->selection);
	status = batch->selector != NULL ? run(batch) :
	    dmt_error_memory(&filter->op->error);
	dmtrace_selector_free(batch->selector);
	free(batch);
	return status;
}
