/* filter.c - copies the selected events of a trace */

/*
 * The reader's events go through the select stage to a writer that is like the
 * reader, so that the records of events that are kept are copied. Which rows
 * of the key are kept is known after all events are written; until then a
 * joined writer stores the records in a temporary file
 * (lib/trace/writer_write.c). With --keep-tables, a key that does not state
 * the number of records is known at the first pull and is written before them.
 */

#include <dmtrace/ops.h>

#include "base/error.h"
#include "base/inline.h"
#include "events/pipeline.h"
#include "events/select.h"
#include "key/key.h"
#include "ops/file.h"
#include "private/key.h"
#include "private/names.h"
#include "private/ops.h"
#include "private/text.h"
#include "private/trace.h"
#include "trace/reader.h"
#include "trace/writer.h"

struct filter {
	struct dmtrace_op *op;
	struct dmtrace_reader *reader;
	struct dmtrace_writer *writer;
	struct dmt_filter_options options;
	struct dmtrace_file in;		/* the input, for failures */
	struct dmtrace_source *source;
	bool *threads;			/* by index: an event that is kept has
					   the thread, */
	bool *methods;			/* or the method */
	bool late;			/* the key is written after the
					   events */
	bool counts_added;		/* events of an earlier filter may be
					   dropped */
	uint64_t written;		/* events written, of which */
	uint64_t opened;		/* these enter cut calls, */
	uint64_t closed;		/* and these exit them */
};

static enum dmtrace_status
fail_filter_writer(struct filter *filter)
{
	return dmt_op_fail(filter->op, NULL,
	    dmtrace_writer_error(filter->writer));
}

static bool
has_option(const struct filter *filter, const char *name)
{
	return dmtrace_key_option_find(dmtrace_reader_key(filter->reader),
	    name) != NULL;
}

/* The ids of the rows that are kept. The id of a thread's row may differ from
 * the number in its records, see dmt_key_thread_match; a method id may have
 * several indexes. */
struct used_rows {
	struct dmt_idmap thread_ids;
	struct dmt_idmap method_ids;
};

/* A key that changes needs no padding. */
static bool
keep_but_padding(void *context, size_t index, struct dmtrace_option *option)
{
	(void)context;
	(void)index;
	return !dmt_text_is(option->name, DMT_OPTION_PADDING);
}

static bool
keep_used_thread(void *context, size_t index, struct dmtrace_thread *row)
{
	const struct used_rows *const rows = context;

	(void)index;
	return dmt_idmap_find(&rows->thread_ids, row->id) != NULL;
}

static bool
keep_used_method(void *context, size_t index, struct dmtrace_method *row)
{
	const struct used_rows *const rows = context;

	(void)index;
	return dmt_idmap_find(&rows->method_ids, row->id & ~UINT64_C(3)) !=
	    NULL;
}

static enum dmtrace_status
drop_rows(struct filter *filter)
{
	const struct dmt_indexes *const indexes = filter->source->indexes;
	struct used_rows rows = { .thread_ids = { 0 } };
	struct dmt_key_rules rules = {
		.option = keep_but_padding,
		.thread = keep_used_thread,
		.method = keep_used_method,
		.context = &rows
	};
	struct dmtrace_key *key = NULL;
	bool done = true;

	for (size_t i = 0; i < indexes->thread_count && done; i++) {
		const struct dmtrace_thread *const row =
		    indexes->threads[i].row;

		if (filter->threads[i] && row != NULL)
			done = dmt_idmap_at(&rows.thread_ids, row->id) !=
			    NULL;
	}
	for (size_t i = 0; i < indexes->method_count && done; i++)
		if (filter->methods[i])
			done = dmt_idmap_at(&rows.method_ids,
			    indexes->methods[i].id) != NULL;
	if (!done)
		dmt_error_memory(&filter->op->error);
	else if (dmt_key_rewrite(&key, dmtrace_writer_key(filter->writer),
	    &rules, &filter->op->error) == DMTRACE_OK)
		dmt_writer_set_key(filter->writer, key);
	dmt_idmap_fini(&rows.thread_ids);
	dmt_idmap_fini(&rows.method_ids);
	return filter->op->error.status;
}

/* Sets the parts of the key that depend on the events, whose number is given,
 * and writes it. */
static enum dmtrace_status
finish_key(struct filter *filter, uint64_t events)
{
	if (!filter->options.keep_tables && drop_rows(filter) != DMTRACE_OK)
		return filter->op->error.status;
	struct dmtrace_key *const key = dmtrace_writer_key(filter->writer);
	if (dmt_key_set_counts(key, &(struct dmt_key_counts){
	    events, filter->opened, filter->closed }) != DMTRACE_OK)
		return dmt_op_fail(filter->op, NULL, dmt_key_error(key));
	return dmtrace_writer_complete(filter->writer) == DMTRACE_OK ?
	    DMTRACE_OK : fail_filter_writer(filter);
}

static void
note_used(struct filter *filter, const struct dmt_batch *batch)
{
	bool *const threads = filter->threads, *const methods = filter->methods;
	const size_t count = batch->kept;

	DMT_UNROLL
	for (size_t i = 0; i < count; i++) {
		threads[batch->thread[batch->keep[i]]] = true;
		methods[batch->method[batch->keep[i]]] = true;
	}
}

/* Writes the key before the first event or, if it is late, after the last. */
static enum dmtrace_status
write_filtered(struct filter *filter)
{
	struct dmtrace_source *const source = filter->source;
	const bool notes = !filter->options.keep_tables;
	struct dmt_batch *batch;
	bool begun = false;

	dmt_attach(source, &filter->threads, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*filter->threads) });
	dmt_attach(source, &filter->methods, &(struct dmt_table){
	    .by = DMT_BY_METHOD, .item_size = sizeof(*filter->methods) });
	dmt_want(source, (notes ? DMT_COLUMN_THREAD | DMT_COLUMN_METHOD : 0) |
	    (filter->counts_added ? DMT_COLUMN_FLAGS : 0) |
	    dmt_writer_columns(filter->writer));
	for (; dmt_pull(source, &batch) == DMTRACE_OK; begun = true) {
		if (!begun && !filter->counts_added) {
			filter->opened = source->opened;
			filter->closed = source->closed;
		}
		if (!begun && !filter->late &&
		    finish_key(filter, 0) != DMTRACE_OK)
			return filter->op->error.status;
		if (batch == NULL)
			return DMTRACE_OK;
		if (notes)
			note_used(filter, batch);
		for (size_t i = 0; filter->counts_added && i < batch->kept;
		    i++) {
			const unsigned flags = batch->flags[batch->keep[i]];

			filter->opened += (flags & DMT_EVENT_OPENED) != 0;
			filter->closed += (flags & DMT_EVENT_CLOSED) != 0;
		}
		filter->written += batch->kept;
		if (dmt_writer_put(filter->writer, source, batch) !=
		    DMTRACE_OK)
			return fail_filter_writer(filter);
	}
	return dmt_op_fail(filter->op, &filter->in,
	    dmtrace_source_error(source));
}

static enum dmtrace_status
copy_selected(struct filter *filter)
{
	struct dmtrace_op *const op = filter->op;
	struct dmt_selection *const asked = filter->options.selection;
	struct dmt_unmatched unmatched;

	dmt_source_set_progress(filter->source, op->progress,
	    op->progress_context);

	/* The key must wait for the events if rows may be dropped, if events
	 * of an earlier filter may be dropped, or if it states their number. */
	filter->counts_added = has_option(filter, DMT_OPTION_OPENED) ||
	    has_option(filter, DMT_OPTION_CLOSED);
	filter->late = !filter->options.keep_tables || filter->counts_added ||
	    has_option(filter, DMT_OPTION_CALLS);
	if (write_filtered(filter) != DMTRACE_OK)
		return op->error.status;

	/* A number that was given must be in the key or in a record. */
	for (size_t i = 0; dmt_selection_unmatched(asked, i, &unmatched) == 0;
	    i++)
		if (unmatched.is_number)
			return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
			    "%s %.20s is neither listed nor in an event",
			    unmatched.condition == DMT_SELECT_THREAD ?
			    "thread" : "method", unmatched.value);

	const bool empty = filter->written == 0;
	if (filter->late && (!empty || filter->options.allow_empty) &&
	    finish_key(filter, filter->written) != DMTRACE_OK)
		return op->error.status;
	return empty ? DMTRACE_END : DMTRACE_OK;
}

enum dmtrace_status
dmt_filter(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer,
    const struct dmt_filter_options *options)
{
	struct filter filter = {
		.op = op,
		.reader = reader,
		.writer = writer,
		.in = { .path = dmt_reader_data_path(reader) }
	};

	dmt_op_begin(op);
	if (options != NULL)
		filter.options = *options;
	struct dmt_selection *const asked = filter.options.selection;
	if (dmt_op_check_like(op, "dmtrace_filter", reader, writer) !=
	    DMTRACE_OK)
		return op->error.status;
	if (dmtrace_writer_key(writer) == NULL ||
	    (asked != NULL && asked->numbers !=
	    dmt_layout_thread_numbers(dmt_reader_layout(reader))))
		return dmt_error_set(&op->error, DMTRACE_ERR_STATE,
		    "the writer has its tables already, or the selection is "
		    "not resolved");
	const bool whole = asked == NULL || dmt_selection_is_all(asked);
	enum dmtrace_status status;
	filter.source = dmtrace_source_new(reader);
	if (!whole)
		filter.source = dmt_source_select(filter.source, asked);
	if (filter.source == NULL)
		status = dmt_error_memory(&op->error);
	else if (whole)
		status = dmt_op_copy_whole(op, reader, filter.source, writer,
		    &filter.in);
	else
		status = copy_selected(&filter);
	dmtrace_source_free(filter.source);
	return status;
}

enum dmtrace_status
dmtrace_filter(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *out,
    const struct dmtrace_filter_options *options)
{
	struct dmt_filter_options inner = { NULL, 0, 0 };
	enum dmtrace_status status = DMTRACE_OK;

	if (dmt_op_begin_call(op, __func__, in == NULL || out == NULL) !=
	    DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (options != NULL) {
		inner.keep_tables = options->keep_tables;
		inner.allow_empty = options->allow_empty;
	}
	if (options != NULL && options->select != NULL &&
	    dmt_selection_make(&inner.selection, options->select,
	    &op->error) != DMTRACE_OK)
		return op->error.status;

	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	if (reader == NULL || writer == NULL) {
		dmt_error_memory(&op->error);
		goto end;
	}
	dmt_reader_open_file(reader, in);
	if (dmt_op_fail(op, in, dmtrace_reader_error(reader)) != DMTRACE_OK)
		goto end;
	dmtrace_writer_set_like(writer, reader);
	if (dmt_file_open_writer(op, writer, out) != DMTRACE_OK)
		goto end;
	if (inner.selection != NULL && dmt_selection_resolve(inner.selection,
	    dmtrace_reader_key(reader), dmt_reader_layout(reader)) !=
	    DMTRACE_OK) {
		dmt_op_fail(op, NULL, dmt_selection_error(inner.selection));
		goto end;
	}
	status = dmt_filter(op, reader, writer, &inner);
	if (status == DMTRACE_OK ||
	    (status == DMTRACE_END && inner.allow_empty)) {
		dmtrace_writer_close(writer);
		dmt_op_fail(op, out, dmtrace_writer_error(writer));
	}
end:
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
	dmt_selection_free(inner.selection);
	return op->error.status != DMTRACE_OK ? op->error.status : status;
}
