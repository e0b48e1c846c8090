/* writer.h - the state of a writer, and functions for operations */
#ifndef DMT_TRACE_WRITER_H
#define DMT_TRACE_WRITER_H

#include <dmtrace/trace.h>

#include "base/output.h"
#include "events/pipeline.h"
#include "format/layout.h"
#include "private/trace.h"
#include "trace/dialect.h"
#include "trace/spool.h"

enum dmt_writer_state {
	DMT_WRITER_NEW,
	DMT_WRITER_OPEN,		/* open; the key may still change */
	DMT_WRITER_COMPLETE,		/* the key is written */
	DMT_WRITER_CLOSED
};

/* A batch of events that were written one by one, and its source. */
struct dmt_written {
	struct dmtrace_source source;
	struct dmt_indexes indexes;
	struct dmt_batch batch;
	struct dmt_indexed_thread threads[DMT_BATCH_EVENTS];
	struct dmt_indexed_method methods[DMT_BATCH_EVENTS];
};

/*
 * The trace that a writer is like: bytes around its records, which are copied.
 * A writer knows no reader but by this (writer_like.c), so that programs which
 * only write link no reader.
 */
struct dmt_like {
	const void *reader;		/* NULL: it is like none */
	bool key_file;			/* its key had a file of its own */
	const uint8_t *gap;		/* bytes between key and header: */
	size_t gap_in_key;		/* in the file of the key, */
	size_t gap_in_data;		/* and of the data */
	const uint8_t *header;
	size_t header_len;
	/* Returns how many bytes follow the last record, *bytes; to be called
	 * once all records are read. */
	size_t (*tail)(const void *reader, const uint8_t **bytes);
};

struct dmtrace_writer {
	enum dmt_writer_state state;
	bool pair;
	bool sync;
	bool no_replace;		/* fail if files have the names */
	bool whole;			/* the stream was copied as a whole */
	bool waits;			/* there are records in waiting */
	bool header_waits;		/* for the first event, or until all
					   are copied */
	bool restarts;			/* use start, not that of like */
	uint64_t start;			/* in microseconds, and the */
	unsigned start_rest_ns;		/* nanoseconds that they leave out */
	struct dmtrace_key *key;
	struct dmt_writing *writing;	/* the events; has the format */
	struct dmt_written *written;	/* NULL: none yet */
	struct dmt_strict *strict;	/* NULL: events are not compared */
	struct dmt_like like;
	struct dmt_output key_output;	/* the key file of a pair */
	struct dmt_output output;	/* of a joined trace: the whole file */
	struct dmt_spool waiting;	/* records, until the key is written */
	struct dmtrace_error error;	/* the first; later calls do nothing */
};

/* Returns true if the writer is open, and like the reader. */
bool
dmt_writer_is_like(const struct dmtrace_writer *writer,
    const struct dmtrace_reader *reader);

/* Checks if the writer can be configured or opened; if not, returns the status
 * to return. */
enum dmtrace_status
dmt_writer_check_new(struct dmtrace_writer *writer, const char *call,
    bool null_given);

/* Replaces the format and its state, which may be NULL for no memory. Returns
 * DMTRACE_OK or DMTRACE_ERR_MEMORY. */
enum dmtrace_status
dmt_writer_set_writing(struct dmtrace_writer *writer,
    struct dmt_writing *writing);

/* Returns true if the writer is open and its key is not complete. */
bool
dmt_writer_awaits_key(const struct dmtrace_writer *writer);

const struct dmt_layout *
dmt_writer_layout(const struct dmtrace_writer *writer);

/* Returns true if the key follows the events, as the last packet. */
bool
dmt_writer_key_is_last(const struct dmtrace_writer *writer);

/* Returns the final name of the output file; NULL: it has none. */
const char *
dmt_writer_target(const struct dmtrace_writer *writer);

/* Returns true if freeing the writer now would leave no output. */
bool
dmt_writer_is_temporary(const struct dmtrace_writer *writer);

/* Copies the first failure of its key and its outputs. Returns the status of
 * the writer's first failure. */
enum dmtrace_status
dmt_writer_check(struct dmtrace_writer *writer);

/* Refuses a call that is out of order or was given NULL; that is a failure of
 * the writer unless it is closed. Returns DMTRACE_ERR_STATE, or the status of
 * an earlier failure. */
enum dmtrace_status
dmt_writer_refuse(struct dmtrace_writer *writer, const char *call,
    bool null_given);

/* Returns the columns that dmt_writer_put needs for every event: a stream
 * announces threads and methods before their first records, and trace format
 * V2 has no raw records to copy. */
static inline unsigned
dmt_writer_columns(const struct dmtrace_writer *writer)
{
	return writer->writing->format.dialect->columns;
}

/*
 * Writes the events of a batch of source, which is not changed. For events
 * with a raw record, only the columns that a stage changed and those of
 * dmt_writer_columns must be filled. A writer that is like a reader only takes
 * batches that come from that reader.
 *
 * Returns what dmtrace_writer_write does; on DMTRACE_ERR_RANGE the events
 * before the one that does not fit are written.
 */
enum dmtrace_status
dmt_writer_put(struct dmtrace_writer *writer,
    const struct dmtrace_source *source, const struct dmt_batch *batch);

/*
 * For an open writer that is like a reader of records: writes the next len
 * bytes of them, which are whole records. Returns what dmt_writer_put does.
 */
enum dmtrace_status
dmt_writer_put_records(struct dmtrace_writer *writer, const uint8_t *records,
    size_t len);

/*
 * For an open writer that is like reader, a stream whose events are not
 * changed: copies everything that follows the header, including packets; the
 * key is not written. progress may be NULL. Returns DMTRACE_OK, or the status
 * of the failure of the writer or the reader.
 */
enum dmtrace_status
dmt_writer_copy_stream(struct dmtrace_writer *writer,
    struct dmtrace_reader *reader, dmtrace_progress_fn *progress,
    void *context);

/* Replaces the key, which is not written yet, by another one, which the writer
 * then owns. */
void
dmt_writer_set_key(struct dmtrace_writer *writer, struct dmtrace_key *key);

/* Before the open: makes it fail if files of those names exist. */
void
dmt_writer_set_no_replace(struct dmtrace_writer *writer);

/*
 * Before the open, instead of a layout: makes it write that format, and sets
 * version and clock of its key. Returns DMTRACE_OK, DMTRACE_ERR_MEMORY or
 * DMTRACE_ERR_STATE.
 */
enum dmtrace_status
dmt_writer_set_format(struct dmtrace_writer *writer,
    const struct dmt_trace_format *format);

/* Before the first batch: makes the writer copy the raw records of batches,
 * which are in its format. */
void
dmt_writer_copy_records(struct dmtrace_writer *writer);

/* Before the open: sets the part of the start below a microsecond, for formats
 * that have nanoseconds. */
void
dmt_writer_set_start_rest(struct dmtrace_writer *writer, unsigned rest_ns);

/* Writes the header and, in the data file of a pair, the bytes before it. */
void
dmt_writer_put_header(struct dmtrace_writer *writer);

#endif
