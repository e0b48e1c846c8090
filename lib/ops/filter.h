/* filter.h - one filter under way */
#ifndef DMT_OPS_FILTER_H
#define DMT_OPS_FILTER_H

#include "data/record_census.h"
#include "events/select.h"
#include "ops/op.h"
#include "trace/reader.h"
#include "trace/writer.h"

#include <dmtrace/filter.h>
#include <dmtrace/rewind.h>

/* Records at an edge of the data that another operation added. */
struct dmt_added {
	uint64_t before;		/* in the reader's trace */
	uint64_t kept;			/* of them */
	uint64_t more;			/* that this filter adds */
};

struct dmt_filter {
	struct dmtrace_op *op;
	struct dmtrace_reader *reader;
	struct dmtrace_writer *writer;
	struct dmtrace_selection *selection;	/* NULL: everything */
	bool keep_tables;
	bool allow_empty;
	struct dmtrace_file in;		/* for failures */
	unsigned passes;		/* over the records there will be, */
	unsigned pass;			/* and which this one is, from 0 */
	struct dmt_census census;
	uint8_t *selected;		/* by thread number */
	uint64_t records;		/* read in the last pass */
	uint64_t kept;			/* written or to be, without added */
	uint64_t put;			/* written by dmt_filter_put */
	struct dmt_added opened;
	struct dmt_added closed;
	uint64_t closed_from;		/* where those of closed begin */
};

/* Takes over a failure of the reader, or of the writer. */
enum dmtrace_status
dmt_filter_read_fail(struct dmt_filter *filter);
enum dmtrace_status
dmt_filter_write_fail(struct dmt_filter *filter);

/* The next *count records; 0: there are no more. */
enum dmtrace_status
dmt_filter_take(struct dmt_filter *filter, const uint8_t **records,
    size_t *count);

/* Tells how far the pass is. */
enum dmtrace_status
dmt_filter_progress(struct dmt_filter *filter);

/* Back to the first record, for the next pass. */
enum dmtrace_status
dmt_filter_again(struct dmt_filter *filter);

/* Writes those of count records at in that are meant. */
enum dmtrace_status
dmt_filter_put(struct dmt_filter *filter, const uint8_t *in, size_t count,
    const struct dmt_keep *keep);

/* The frames at an edge of the window: takes note of them, and writes them. */
void
dmt_filter_note_added(struct dmt_filter *filter,
    const struct dmtrace_event *events, size_t count,
    struct dmt_added *added);
enum dmtrace_status
dmt_filter_put_added(struct dmt_filter *filter,
    const struct dmtrace_event *events, size_t count,
    struct dmt_added *added);

/* Whether the key may be other than it was when all is done. */
bool
dmt_filter_changes_key(const struct dmt_filter *filter);

/* Makes it so: rows by the census, counts by the rest; the counts alone. */
enum dmtrace_status
dmt_filter_finish_key(struct dmt_filter *filter);
enum dmtrace_status
dmt_filter_number_key(struct dmt_filter *filter);

/* Where nothing but a record's thread counts; its thread and a window that
 * opens and closes frames; or its event. */
enum dmtrace_status
dmt_filter_threads(struct dmt_filter *filter);
enum dmtrace_status
dmt_filter_window(struct dmt_filter *filter);
enum dmtrace_status
dmt_filter_events(struct dmt_filter *filter);

#endif
