/* op.h - one operation under way: its failure, its findings, its progress */
#ifndef DMT_OPS_OP_H
#define DMT_OPS_OP_H

#include <dmtrace/ops.h>

#include "base/output.h"
#include "base/input.h"
#include "events/pipeline.h"
#include "format/finding.h"

struct dmtrace_op {
	struct dmtrace_error error;
	char *error_path;		/* of error_file; NULL: it has none */
	struct dmtrace_file error_file;
	bool has_error_file;
	dmtrace_finding_fn *report;	/* NULL: nobody asks for findings */
	void *report_context;
	struct dmt_findings findings;
	const struct dmtrace_file *finding_file;	/* where they are */
	dmtrace_progress_fn *progress;	/* NULL: nobody asks */
	void *progress_context;
};

/* Forgets the failure and the findings of the operation before. */
void
dmt_op_begin(struct dmtrace_op *op);

/*
 * The same for a call of the library, which is refused if op is NULL, or, as
 * missing says, another argument that must not be. Returns DMTRACE_OK or
 * DMTRACE_ERR_STATE.
 */
enum dmtrace_status
dmt_op_begin_call(struct dmtrace_op *op, const char *call, bool missing);

/*
 * Takes over the failure, if there is one, of one of the operation's objects,
 * with the file that it is about (NULL: none); the first one counts. Returns
 * the operation's status.
 */
enum dmtrace_status
dmt_op_fail(struct dmtrace_op *op, const struct dmtrace_file *file,
    const struct dmtrace_error *error);

/* Where to report findings in file. */
struct dmt_findings *
dmt_op_findings(struct dmtrace_op *op, const struct dmtrace_file *file);

/* The flags of most operations that write a file. */
#define DMT_FILE_FLAGS (DMTRACE_SYNC | DMTRACE_NO_REPLACE)

/* Refuses flags that the call does not know: DMTRACE_ERR_RANGE is the failure
 * of the operation. */
enum dmtrace_status
dmt_op_check_flags(struct dmtrace_op *op, const char *call, unsigned flags,
    unsigned known);

/* Whether the reader is at its first record, and the writer is open like it
 * (dmtrace_writer_set_like). If not, their failure, or DMTRACE_ERR_STATE of
 * that call, is the failure of the operation. */
enum dmtrace_status
dmt_op_check_like(struct dmtrace_op *op, const char *call,
    const struct dmtrace_reader *reader, const struct dmtrace_writer *writer);

/* Writes all events of source to a writer, whose key is written first if it is
 * not yet. A writer that is like a reader takes the sources over that reader
 * alone. in: the file of source, for failures; NULL: none. Returns the
 * operation's status. */
enum dmtrace_status
dmt_op_copy(struct dmtrace_op *op, struct dmtrace_source *source,
    struct dmtrace_writer *writer, const struct dmtrace_file *in);

/* Returns DMTRACE_OK or DMTRACE_ERR_CANCELLED. */
enum dmtrace_status
dmt_op_progress(struct dmtrace_op *op, uint64_t done, uint64_t total);

#endif
