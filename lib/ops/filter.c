/* filter.c - a trace of some of another's events */

#include "ops/filter.h"

#include <inttypes.h>

#include "base/error.h"
#include "base/options.h"
#include "events/scan.h"
#include "key/added.h"

typedef enum dmtrace_status
way_fn(struct dmt_filter *filter);

void
dmtrace_filter_options_init(struct dmtrace_filter_options *options)
{
	*options = (struct dmtrace_filter_options){
		.size = sizeof(*options)
	};
}

enum dmtrace_status
dmt_filter_read_fail(struct dmt_filter *filter)
{
	return dmt_op_fail(filter->op, &filter->in,
	    dmtrace_reader_error(filter->reader));
}

enum dmtrace_status
dmt_filter_write_fail(struct dmt_filter *filter)
{
	return dmt_op_fail(filter->op, NULL,
	    dmtrace_writer_error(filter->writer));
}

enum dmtrace_status
dmt_filter_take(struct dmt_filter *filter, const uint8_t **records,
    size_t *count)
{
	struct dmtrace_reader *const reader = filter->reader;

	*count = dmt_reader_take(reader, SIZE_MAX);
	*records = reader->records;
	return *count > 0 || dmt_reader_end(reader) == DMTRACE_OK ?
	    DMTRACE_OK : dmt_filter_read_fail(filter);
}

enum dmtrace_status
dmt_filter_progress(struct dmt_filter *filter)
{
	const struct dmt_source *const source = filter->reader->source;
	const uint64_t size = dmt_source_size(source);

	return dmt_op_progress(filter->op,
	    filter->pass * size + source->offset, filter->passes * size);
}

enum dmtrace_status
dmt_filter_again(struct dmt_filter *filter)
{
	filter->pass++;
	return dmtrace_reader_rewind(filter->reader) == DMTRACE_OK ?
	    DMTRACE_OK : dmt_filter_read_fail(filter);
}

enum dmtrace_status
dmt_filter_put(struct dmt_filter *filter, const uint8_t *in, size_t count,
    const struct dmt_keep *keep)
{
	const struct dmtrace_layout *const layout = &filter->reader->layout;
	const size_t size = layout->record_size;
	const size_t most = DMT_BLOCK_SIZE / 4 / size;

	while (count > 0) {
		const size_t n = most == 0 ? 1 : count < most ? count : most;
		uint8_t *const out = dmt_writer_reserve(filter->writer,
		    n * size);

		if (out == NULL)
			return dmt_filter_write_fail(filter);
		const size_t kept = dmt_records_keep(out, layout, in, n, keep);
		dmt_writer_advance(filter->writer, kept * size);
		filter->put += kept;
		in += n * size;
		count -= n;
	}
	return DMTRACE_OK;
}

void
dmt_filter_note_added(struct dmt_filter *filter,
    const struct dmtrace_event *events, size_t count,
    struct dmt_added *added)
{
	added->more = count;
	for (size_t i = 0; i < count; i++)
		dmt_census_add(&filter->census, events[i].thread,
		    events[i].method);
}

enum dmtrace_status
dmt_filter_put_added(struct dmt_filter *filter,
    const struct dmtrace_event *events, size_t count,
    struct dmt_added *added)
{
	dmt_filter_note_added(filter, events, count, added);
	return count == 0 || dmtrace_writer_write(filter->writer, events,
	    count) == DMTRACE_OK ? DMTRACE_OK :
	    dmt_filter_write_fail(filter);
}

static enum dmtrace_status
copy_some(struct dmt_filter *filter, const uint8_t *records, size_t count)
{
	struct dmtrace_writer *const writer = filter->writer;

	if (dmt_writer_can_rewind(writer))
		dmt_writer_copy_window(writer);
	else
		dmtrace_writer_write_records(writer, records, count);
	return dmt_writer_check(writer) == DMTRACE_OK ?
	    dmt_filter_progress(filter) : dmt_filter_write_fail(filter);
}

/* Every record, as it is. */
static enum dmtrace_status
copy(struct dmt_filter *filter)
{
	struct dmtrace_writer *const writer = filter->writer;
	const uint8_t *records;
	size_t count;

	filter->passes = 1;
	if (dmtrace_writer_complete(writer) != DMTRACE_OK)
		return dmt_filter_write_fail(filter);
	do {
		if (dmt_filter_take(filter, &records, &count) != DMTRACE_OK ||
		    (count > 0 &&
		    copy_some(filter, records, count) != DMTRACE_OK))
			return filter->op->error.status;
	} while (count > 0);
	if (dmt_writer_can_rewind(writer))
		dmt_writer_end_copy(writer, filter->reader->position);
	return dmt_writer_check(writer) == DMTRACE_OK ? DMTRACE_OK :
	    dmt_filter_write_fail(filter);
}

/* A number that was asked for, and that no row and no record has. */
static enum dmtrace_status
check_numbers(struct dmt_filter *filter)
{
	struct dmtrace_selection *const asked = filter->selection;
	struct dmtrace_unmatched unmatched;

	for (size_t i = 0; i < asked->numbers; i++)
		asked->seen[i] |= filter->census.seen[i];
	dmt_selection_note_seen(asked);
	for (size_t i = 0;
	    dmtrace_selection_unmatched(asked, i, &unmatched) == 0; i++)
		if (unmatched.is_number)
			return dmt_error_set(&filter->op->error,
			    DMTRACE_ERR_RANGE, "thread %.20s is neither "
			    "listed nor in a record", unmatched.words);
	return DMTRACE_OK;
}

/* The way that is fast enough for what is asked. */
static way_fn *
choose(const struct dmt_filter *filter)
{
	if (filter->opened.before > 0 || filter->closed.before > 0)
		return dmt_filter_events;
	if (dmt_selection_is_threads(filter->selection))
		return dmt_filter_threads;
	return dmt_scan_fits(filter->selection) ? dmt_filter_window :
	    dmt_filter_events;
}

static enum dmtrace_status
select_some(struct dmt_filter *filter)
{

	if (!dmt_census_init(&filter->census, &filter->reader->layout,
	    filter->reader->key))
		return dmt_error_memory(&filter->op->error);
	const enum dmtrace_status status = choose(filter)(filter);
	if (status != DMTRACE_OK)
		return status;
	if (filter->census.failed)
		return dmt_error_memory(&filter->op->error);
	if (check_numbers(filter) != DMTRACE_OK)
		return filter->op->error.status;
	return filter->kept + filter->opened.more + filter->closed.more > 0 ?
	    DMTRACE_OK : DMTRACE_END;
}

static enum dmtrace_status
run(struct dmt_filter *filter)
{
	if (filter->selection == NULL ||
	    dmtrace_selection_is_all(filter->selection))
		return copy(filter);
	enum dmtrace_status status = select_some(filter);
	const bool done = status == DMTRACE_OK ||
	    (status == DMTRACE_END && filter->allow_empty);
	if (done && dmt_filter_finish_key(filter) != DMTRACE_OK)
		status = filter->op->error.status;
	dmt_census_fini(&filter->census);
	return status;
}

static void
take_options(struct dmt_filter *filter,
    const struct dmtrace_filter_options *options)
{
	struct dmtrace_filter_options all;

	dmtrace_filter_options_init(&all);
	dmt_options_take(&all, sizeof(all), options);
	filter->selection = all.selection;
	filter->keep_tables = all.keep_tables != 0;
	filter->allow_empty = all.allow_empty != 0;
}

enum dmtrace_status
dmtrace_filter(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer,
    const struct dmtrace_filter_options *options)
{
	struct dmt_filter filter = {
		.op = op,
		.reader = reader,
		.writer = writer,
		.in = { .path = dmtrace_reader_data_path(reader) }
	};

	dmt_op_begin(op);
	take_options(&filter, options);
	if (writer->like != reader || dmtrace_writer_key(writer) == NULL ||
	    reader->state != DMT_READER_OPEN || reader->position != 0 ||
	    (filter.selection != NULL && filter.selection->numbers !=
	    dmt_layout_thread_numbers(&reader->layout)))
		return dmt_error_set(&op->error, DMTRACE_ERR_STATE,
		    "a filter wants a writer like the reader, and a resolved "
		    "selection");
	filter.opened.before = dmt_added(reader->key, "dmtrace-opened");
	filter.closed.before = dmt_added(reader->key, "dmtrace-closed");
	return run(&filter);
}
