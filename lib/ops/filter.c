/* filter.c - a trace of some of another's events */

/*
 * The reader's events go through the select stage to a writer that is like the
 * reader, so that the records that stay are copied. Which rows of the key stay
 * is known when all events are written: a joined writer keeps the records in a
 * temporary until then (lib/trace/writer_write.c). With the tables kept, the
 * key is known at the first pull, and is written before the records.
 */

#include <dmtrace/ops.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "events/pipeline.h"
#include "events/select.h"
#include "key/key.h"
#include "ops/op.h"
#include "private/key.h"
#include "private/ops.h"
#include "private/trace.h"
#include "trace/reader.h"
#include "trace/writer.h"

#define COUNT "num-method-calls"
#define OPENED "dmtrace-opened"
#define CLOSED "dmtrace-closed"

/* One byte by index: 1 if an event that stays has the thread or method. */
struct used_indexes {
	uint8_t *items;
	size_t count;
	size_t capacity;
};

struct filter {
	struct dmtrace_op *op;
	struct dmtrace_reader *reader;
	struct dmtrace_writer *writer;
	struct dmt_filter_options options;
	struct dmtrace_file in;		/* for failures */
	struct dmtrace_source *source;
	struct used_indexes threads;
	struct used_indexes methods;
	uint64_t written;		/* events, of these */
	uint64_t opened;		/* that enter cut calls, */
	uint64_t closed;		/* and that leave them */
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

/*
 * What of the key is known only when all events are written: which rows stay,
 * how many events of an earlier filter, and how many events there are unless
 * the source has counted them.
 */
static bool
knows_key_late(const struct filter *filter)
{
	return !filter->options.keep_tables ||
	    has_option(filter, OPENED) || has_option(filter, CLOSED) ||
	    (has_option(filter, COUNT) && !filter->source->counted);
}

static bool
grow_used(struct used_indexes *used, size_t count)
{
	uint8_t *const items = dmt_array_grow(used->items, &used->capacity,
	    count + 1, 1);

	if (items == NULL)
		return false;
	memset(items + used->count, 0, used->capacity - used->count);
	used->items = items;
	used->count = used->capacity;
	return true;
}

/* Takes note of the threads and methods that stay. false: no memory. */
static bool
note_used(struct filter *filter, const struct dmt_batch *batch)
{
	const struct dmt_indexes *const indexes = filter->source->indexes;

	if ((filter->threads.count < indexes->thread_count &&
	    !grow_used(&filter->threads, indexes->thread_count)) ||
	    (filter->methods.count < indexes->method_count &&
	    !grow_used(&filter->methods, indexes->method_count)))
		return false;
	for (size_t i = 0; i < batch->kept; i++) {
		filter->threads.items[batch->thread[batch->keep[i]]] = 1;
		filter->methods.items[batch->method[batch->keep[i]]] = 1;
	}
	return true;
}

static void
count_flags(struct filter *filter, const struct dmt_batch *batch)
{
	for (size_t i = 0; i < batch->kept; i++) {
		const unsigned flags = batch->flags[batch->keep[i]];

		filter->opened += (flags & DMT_EVENT_OPENED) != 0;
		filter->closed += (flags & DMT_EVENT_CLOSED) != 0;
	}
}

/* A number that was asked for must be in the key or in a record. */
static enum dmtrace_status
check_numbers(struct filter *filter)
{
	struct dmt_unmatched unmatched;

	for (size_t i = 0; dmt_selection_unmatched(
	    filter->options.selection, i, &unmatched) == 0; i++)
		if (unmatched.is_number)
			return dmt_error_set(&filter->op->error,
			    DMTRACE_ERR_RANGE, "%s %.20s is neither listed "
			    "nor in a record", unmatched.condition ==
			    DMT_SELECT_THREAD ? "thread" : "method",
			    unmatched.value);
	return DMTRACE_OK;
}

/* The ids of rows that stay. A thread's row may have another id than the
 * number of its records, see dmt_key_thread_match; a method id may have
 * several indexes. */
struct used_rows {
	struct dmt_idmap thread_ids;
	struct dmt_idmap method_ids;
};

static bool
has_thread(const void *context, uint32_t id)
{
	const struct used_rows *const rows = context;

	return dmt_idmap_find(&rows->thread_ids, id) != NULL;
}

static bool
has_method(const void *context, uint64_t id)
{
	const struct used_rows *const rows = context;

	return dmt_idmap_find(&rows->method_ids, id & ~UINT64_C(3)) != NULL;
}

static enum dmtrace_status
drop_rows(struct filter *filter)
{
	const struct dmt_indexes *const indexes = filter->source->indexes;
	struct used_rows rows = { .thread_ids = { 0 } };
	const struct dmt_rows_kept kept = { has_thread, has_method, &rows };
	struct dmtrace_key *key = NULL;
	bool done = true;

	for (size_t i = 0; i < indexes->thread_count && done; i++) {
		const struct dmtrace_thread *const row =
		    indexes->threads[i].row;

		if (i < filter->threads.count && filter->threads.items[i] &&
		    row != NULL && !has_thread(&rows, row->id))
			done = dmt_idmap_add(&rows.thread_ids, row->id, 0);
	}
	for (size_t i = 0; i < filter->methods.count &&
	    i < indexes->method_count && done; i++)
		if (filter->methods.items[i])
			done = dmt_idmap_reserve(&rows.method_ids) &&
			    (dmt_idmap_put(&rows.method_ids,
			    indexes->methods[i].id, 0) || true);
	if (done)
		key = dmt_key_without(dmtrace_writer_key(filter->writer),
		    &kept);
	dmt_idmap_fini(&rows.thread_ids);
	dmt_idmap_fini(&rows.method_ids);
	if (key == NULL)
		return dmt_error_memory(&filter->op->error);
	dmt_writer_set_key(filter->writer, key);
	return DMTRACE_OK;
}

static enum dmtrace_status
set_filter_count(struct filter *filter, const char *name, uint64_t number)
{
	struct dmtrace_key *const key = dmtrace_writer_key(filter->writer);
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, number);
	return dmtrace_key_option_set(key, name, digits) == DMTRACE_OK ?
	    DMTRACE_OK : dmt_op_fail(filter->op, NULL,
	    dmt_key_error(key));
}

/* Sets what the events decide, of which there are so many, and writes the
 * key. */
static enum dmtrace_status
finish_key(struct filter *filter, uint64_t events)
{
	if (!filter->options.keep_tables && drop_rows(filter) != DMTRACE_OK)
		return filter->op->error.status;
	if ((filter->opened > 0 || has_option(filter, OPENED)) &&
	    set_filter_count(filter, OPENED, filter->opened) != DMTRACE_OK)
		return filter->op->error.status;
	if ((filter->closed > 0 || has_option(filter, CLOSED)) &&
	    set_filter_count(filter, CLOSED, filter->closed) != DMTRACE_OK)
		return filter->op->error.status;
	if (has_option(filter, COUNT) &&
	    set_filter_count(filter, COUNT, events) != DMTRACE_OK)
		return filter->op->error.status;
	return dmtrace_writer_complete(filter->writer) == DMTRACE_OK ?
	    DMTRACE_OK : fail_filter_writer(filter);
}

/* The key is finished before the first event is written, or after the last. */
static enum dmtrace_status
write_filtered(struct filter *filter)
{
	const bool late = knows_key_late(filter);
	const bool notes = !filter->options.keep_tables;
	struct dmt_batch *batch;
	bool begun = false;

	dmt_want(filter->source,
	    (notes ? DMT_COLUMN_THREAD | DMT_COLUMN_METHOD : 0) |
	    (late ? DMT_COLUMN_FLAGS : 0) |
	    dmt_writer_columns(filter->writer));
	for (; dmt_pull(filter->source, &batch) == DMTRACE_OK; begun = true) {
		if (!begun && !late) {
			filter->opened = filter->source->opened;
			filter->closed = filter->source->closed;
			if (finish_key(filter, filter->source->selected) !=
			    DMTRACE_OK)
				return filter->op->error.status;
		}
		if (batch == NULL)
			return DMTRACE_OK;
		if (notes && !note_used(filter, batch))
			return dmt_error_memory(&filter->op->error);
		if (late)
			count_flags(filter, batch);
		filter->written += batch->kept;
		if (dmt_writer_put(filter->writer, filter->source, batch) !=
		    DMTRACE_OK)
			return fail_filter_writer(filter);
	}
	return dmt_op_fail(filter->op, &filter->in,
	    dmtrace_source_error(filter->source));
}

/* All events of a stream, and the packets between them as they are. */
static enum dmtrace_status
copy_stream(struct filter *filter)
{
	if (dmt_writer_copy_stream(filter->writer, filter->reader) ==
	    DMTRACE_OK)
		return DMTRACE_OK;
	dmt_op_fail(filter->op, &filter->in, &filter->reader->error);
	return fail_filter_writer(filter);
}

static enum dmtrace_status
run_filter(struct filter *filter)
{
	struct dmt_selection *const asked = filter->options.selection;
	const bool all = asked == NULL || dmt_selection_is_all(asked);

	filter->source = dmtrace_source_new(filter->reader);
	if (!all)
		filter->source = dmt_source_select(filter->source, asked);
	if (filter->source == NULL)
		return dmt_error_memory(&filter->op->error);
	if (all && filter->writer->stream)
		return copy_stream(filter);
	if (all)
		return dmt_op_copy(filter->op, filter->source, filter->writer,
		    &filter->in);
	dmt_source_set_progress(filter->source, filter->op->progress,
	    filter->op->progress_context);
	if (write_filtered(filter) != DMTRACE_OK ||
	    check_numbers(filter) != DMTRACE_OK)
		return filter->op->error.status;
	const bool empty = filter->written == 0;
	if (knows_key_late(filter) &&
	    (!empty || filter->options.allow_empty) &&
	    finish_key(filter, filter->written) != DMTRACE_OK)
		return filter->op->error.status;
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
	if (dmt_op_check_like(op, reader, writer) != DMTRACE_OK)
		return op->error.status;
	if (dmtrace_writer_key(writer) == NULL ||
	    (filter.options.selection != NULL &&
	    filter.options.selection->numbers !=
	    dmt_layout_thread_numbers(dmt_reader_layout(reader))))
		return dmt_error_set(&op->error, DMTRACE_ERR_STATE,
		    "the writer has its tables already, or the selection is "
		    "not resolved");
	const enum dmtrace_status status = run_filter(&filter);
	dmtrace_source_free(filter.source);
	free(filter.threads.items);
	free(filter.methods.items);
	return status;
}

/* Opens both, the writer like the reader. */
static enum dmtrace_status
open_both(struct dmtrace_op *op, struct dmtrace_reader *reader,
    const struct dmtrace_file *in, struct dmtrace_writer *writer,
    const struct dmtrace_file *out)
{
	if ((in->path == NULL ? dmtrace_reader_open_fd(reader, in->fd) :
	    dmtrace_reader_open_path(reader, in->path)) != DMTRACE_OK)
		return dmt_op_fail(op, in, dmtrace_reader_error(reader));
	if (dmtrace_writer_set_like(writer, reader) != DMTRACE_OK ||
	    (out->path == NULL ? dmtrace_writer_open_fd(writer, out->fd) :
	    dmtrace_writer_open_path(writer, out->path)) != DMTRACE_OK)
		return dmt_op_fail(op, out, dmtrace_writer_error(writer));
	return DMTRACE_OK;
}

static enum dmtrace_status
filter_between(struct dmtrace_op *op, struct dmtrace_reader *reader,
    const struct dmtrace_file *in, struct dmtrace_writer *writer,
    const struct dmtrace_file *out, const struct dmt_filter_options *options)
{
	if (open_both(op, reader, in, writer, out) != DMTRACE_OK)
		return op->error.status;
	if (options->selection != NULL && dmt_selection_resolve(
	    options->selection, dmtrace_reader_key(reader),
	    dmt_reader_layout(reader)) != DMTRACE_OK)
		return dmt_op_fail(op, NULL,
		    dmt_selection_error(options->selection));
	const enum dmtrace_status status =
	    dmt_filter(op, reader, writer, options);
	if (status != DMTRACE_OK && (status != DMTRACE_END ||
	    !options->allow_empty))
		return status;
	return dmtrace_writer_close(writer) == DMTRACE_OK ? status :
	    dmt_op_fail(op, out, dmtrace_writer_error(writer));
}

enum dmtrace_status
dmtrace_filter(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *out,
    const struct dmtrace_filter_options *options)
{
	struct dmt_filter_options inner = { NULL, 0, 0 };

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
	const enum dmtrace_status status = reader == NULL || writer == NULL ?
	    dmt_error_memory(&op->error) :
	    filter_between(op, reader, in, writer, out, &inner);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
	dmt_selection_free(inner.selection);
	return status;
}
