/* op.c - the state of an operation: its failure, findings and progress */

/*
 * The parts of an operation report their failures here: the first one is
 * stored, with the file that it is about. Findings are passed to the caller's
 * function at once, with their file. Progress is reported between blocks, and
 * the caller may cancel. Most operations end in the same loop, which copies
 * from a source to a writer; it is here, too.
 */

#include "ops/op.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/path.h"
#include "private/select.h"
#include "trace/reader.h"
#include "trace/writer.h"

struct dmtrace_op *
dmtrace_op_new(void)
{
	return calloc(1, sizeof(struct dmtrace_op));
}

static void
clear_op_error(struct dmtrace_op *op)
{
	dmt_error_clear(&op->error);
	free(op->error_path);
	op->error_path = NULL;
	op->has_error_file = false;
}

void
dmtrace_op_free(struct dmtrace_op *op)
{
	if (op == NULL)
		return;
	clear_op_error(op);
	free(op);
}

const struct dmtrace_error *
dmtrace_op_error(const struct dmtrace_op *op)
{
	return op == NULL ? &dmt_error_null : &op->error;
}

const struct dmtrace_file *
dmtrace_op_error_file(const struct dmtrace_op *op)
{
	return op != NULL && op->has_error_file ? &op->error_file : NULL;
}

/* A dmtrace_finding_fn that adds the file. */
static void
report_finding_in_file(void *context, const struct dmtrace_finding *finding)
{
	const struct dmtrace_op *const op = context;
	struct dmtrace_finding full = *finding;

	full.file = op->finding_file;
	op->report(op->report_context, &full);
}

void
dmtrace_op_set_report(struct dmtrace_op *op, dmtrace_finding_fn *report,
    void *context)
{
	if (op == NULL)
		return;
	op->report = report;
	op->report_context = context;
	op->findings.report = report == NULL ? NULL : report_finding_in_file;
	op->findings.context = op;
}

void
dmtrace_op_set_progress(struct dmtrace_op *op, dmtrace_progress_fn *progress,
    void *context)
{
	if (op == NULL)
		return;
	op->progress = progress;
	op->progress_context = context;
}

void
dmt_op_begin(struct dmtrace_op *op)
{
	clear_op_error(op);
	op->findings = (struct dmt_findings){
		.take = op->findings.take,
		.report = op->findings.report,
		.context = op->findings.context
	};
}

enum dmtrace_status
dmt_op_begin_call(struct dmtrace_op *op, const char *call, bool missing)
{
	if (op == NULL)
		return DMTRACE_ERR_STATE;
	dmt_op_begin(op);
	return missing ? dmt_error_null_given(&op->error, call) : DMTRACE_OK;
}

enum dmtrace_status
dmt_op_fail(struct dmtrace_op *op, const struct dmtrace_file *file,
    const struct dmtrace_error *error)
{
	if (op->error.status != DMTRACE_OK || error->status == DMTRACE_OK)
		return op->error.status;
	op->error = *error;
	if (file == NULL)
		return op->error.status;

	/* Keep the file, whose path may not outlive the call. */
	if (file->path != NULL)
		op->error_path = dmt_path_concat(file->path, "");
	op->error_file = *file;
	op->error_file.path = op->error_path;
	op->has_error_file = file->path == NULL || op->error_path != NULL;
	return op->error.status;
}

struct dmt_findings *
dmt_op_findings(struct dmtrace_op *op, const struct dmtrace_file *file)
{
	op->finding_file = file;
	return &op->findings;
}

enum dmtrace_status
dmt_op_check_flags(struct dmtrace_op *op, const char *call, unsigned flags,
    unsigned known)
{
	return (flags & ~known) == 0 ? DMTRACE_OK : dmt_error_set(&op->error,
	    DMTRACE_ERR_RANGE, "%s: no such flag as 0x%x", call,
	    flags & ~known);
}

enum dmtrace_status
dmt_op_check_like(struct dmtrace_op *op, const char *call,
    const struct dmtrace_reader *reader, const struct dmtrace_writer *writer)
{
	if (dmt_reader_check_start(reader, &op->error, call) != DMTRACE_OK ||
	    dmt_op_fail(op, NULL, dmtrace_writer_error(writer)) != DMTRACE_OK)
		return op->error.status;
	return dmt_writer_is_like(writer, reader) ? DMTRACE_OK :
	    dmt_error_set(&op->error, DMTRACE_ERR_STATE,
	    "%s: the writer is not open like the reader", call);
}

enum dmtrace_status
dmt_op_copy(struct dmtrace_op *op, struct dmtrace_source *source,
    struct dmtrace_writer *writer, const struct dmtrace_file *in)
{
	if (dmtrace_writer_key(writer) != NULL &&
	    dmtrace_writer_complete(writer) != DMTRACE_OK)
		return dmt_op_fail(op, NULL, dmtrace_writer_error(writer));
	return dmt_op_copy_events(op, source, writer, in, NULL);
}

/* Copies the records as they are read, not batch by batch. */
static enum dmtrace_status
copy_records(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_source *source, struct dmtrace_writer *writer,
    const struct dmtrace_file *in)
{
	const size_t size = reader->layout.record_size;
	size_t count;

	dmt_source_set_progress(source, op->progress, op->progress_context);
	if (dmt_source_rewind(source) != DMTRACE_OK)
		return dmt_op_fail(op, in, &source->error);
	while ((count = dmt_reader_take(reader, SIZE_MAX)) > 0) {
		if (dmt_writer_put_records(writer, dmt_reader_records(reader),
		    count * size) != DMTRACE_OK)
			return dmt_op_fail(op, NULL,
			    dmtrace_writer_error(writer));
		if (dmt_report_last_pass(source, reader->input->offset,
		    dmt_input_size(reader->input)) != DMTRACE_OK)
			return dmt_op_fail(op, in, &source->error);
	}
	dmt_reader_end(reader);
	return dmt_op_fail(op, in, &reader->error);
}

enum dmtrace_status
dmt_op_copy_whole(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_source *source, struct dmtrace_writer *writer,
    const struct dmtrace_file *in)
{
	if (dmt_writer_key_is_last(writer) && reader->summary_apart)
		return dmt_op_copy(op, source, writer, in);
	if (!dmt_writer_key_is_last(writer))
		return dmtrace_writer_complete(writer) == DMTRACE_OK ?
		    copy_records(op, reader, source, writer, in) :
		    dmt_op_fail(op, NULL, dmtrace_writer_error(writer));
	if (dmt_writer_copy_stream(writer, reader, op->progress,
	    op->progress_context) == DMTRACE_OK)
		return DMTRACE_OK;
	dmt_op_fail(op, in, &reader->error);
	return dmt_op_fail(op, NULL, dmtrace_writer_error(writer));
}

enum dmtrace_status
dmt_op_copy_events(struct dmtrace_op *op, struct dmtrace_source *source,
    struct dmtrace_writer *writer, const struct dmtrace_file *in,
    const struct dmtrace_file *out)
{
	struct dmt_batch *batch;

	dmt_source_set_progress(source, op->progress, op->progress_context);
	dmt_want(source, dmt_writer_columns(writer));
	for (;;) {
		if (dmt_pull(source, &batch) != DMTRACE_OK)
			return dmt_op_fail(op, in, &source->error);
		if (batch == NULL)
			return DMTRACE_OK;
		if (dmt_writer_put(writer, source, batch) != DMTRACE_OK)
			return dmt_op_fail(op, out,
			    dmtrace_writer_error(writer));
	}
}

enum dmtrace_status
dmt_op_progress(struct dmtrace_op *op, uint64_t done, uint64_t total)
{
	if (op->progress == NULL ||
	    op->progress(op->progress_context, done, total) == 0)
		return DMTRACE_OK;
	return dmt_error_set(&op->error, DMTRACE_ERR_CANCELLED, "cancelled");
}
