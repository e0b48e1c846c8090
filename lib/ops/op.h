/* op.h - the state of an operation: its failure, findings and progress */
#ifndef DMT_OPS_OP_H
#define DMT_OPS_OP_H

#include <dmtrace/ops.h>

#include "base/output.h"
#include "base/input.h"
#include "events/pipeline.h"
#include "format/finding.h"

struct dmtrace_op {
	struct dmtrace_error error;
	char *error_path;		/* path of error_file; NULL: none */
	struct dmtrace_file error_file;
	bool has_error_file;
	dmtrace_finding_fn *report;	/* NULL: findings are not reported */
	void *report_context;
	struct dmt_findings findings;
	const struct dmtrace_file *finding_file;	/* the file that they
							   are in */
	dmtrace_progress_fn *progress;	/* NULL: progress is not reported */
	void *progress_context;
};

/* Resets the failure and the findings of the previous operation. */
void
dmt_op_begin(struct dmtrace_op *op);

/*
 * The same for a call of the library. Fails if op is NULL, or if missing says
 * that another required argument is. Returns DMTRACE_OK or DMTRACE_ERR_STATE.
 */
enum dmtrace_status
dmt_op_begin_call(struct dmtrace_op *op, const char *call, bool missing);

/*
 * Copies the failure, if any, of one of the operation's objects, with the file
 * that it is about (NULL: none), unless there was an earlier one. Returns the
 * operation's status.
 */
enum dmtrace_status
dmt_op_fail(struct dmtrace_op *op, const struct dmtrace_file *file,
    const struct dmtrace_error *error);

/* Returns where to report findings in file. */
struct dmt_findings *
dmt_op_findings(struct dmtrace_op *op, const struct dmtrace_file *file);

/* The flags of most operations that write files. */
#define DMT_FILE_FLAGS (DMTRACE_SYNC | DMTRACE_NO_REPLACE)

/* Fails with DMTRACE_ERR_RANGE if there are flags that the call does not
 * know. */
enum dmtrace_status
dmt_op_check_flags(struct dmtrace_op *op, const char *call, unsigned flags,
    unsigned known);

/* Checks that the reader is at its first record, and that the writer is open
 * like it (dmtrace_writer_set_like). If not, their failure, or
 * DMTRACE_ERR_STATE of that call, becomes the failure of the operation. */
enum dmtrace_status
dmt_op_check_like(struct dmtrace_op *op, const char *call,
    const struct dmtrace_reader *reader, const struct dmtrace_writer *writer);

/*
 * Writes all events of source to a writer, and its key first if that was not
 * written. A writer that is like a reader only accepts sources of that reader.
 * in is the file of source, for failures; NULL: none. Returns the operation's
 * status.
 */
enum dmtrace_status
dmt_op_copy(struct dmtrace_op *op, struct dmtrace_source *source,
    struct dmtrace_writer *writer, const struct dmtrace_file *in);

/* Copies a trace to a writer that is like its reader, of which source is, and
 * which is not used directly elsewhere: all records without decoding them; of
 * a stream all bytes. */
enum dmtrace_status
dmt_op_copy_whole(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_source *source, struct dmtrace_writer *writer,
    const struct dmtrace_file *in);

/* As dmt_op_copy, without the key. out is the file of writer, or NULL. */
enum dmtrace_status
dmt_op_copy_events(struct dmtrace_op *op, struct dmtrace_source *source,
    struct dmtrace_writer *writer, const struct dmtrace_file *in,
    const struct dmtrace_file *out);

/* Reports progress. Returns DMTRACE_OK or DMTRACE_ERR_CANCELLED. */
enum dmtrace_status
dmt_op_progress(struct dmtrace_op *op, uint64_t done, uint64_t total);

#endif
