/* writer.h - the state of a writer, and functions for operations */
#ifndef DMT_TRACE_WRITER_H
#define DMT_TRACE_WRITER_H

#include <dmtrace/trace.h>

#include "base/output.h"
#include "events/pipeline.h"
#include "format/layout.h"
#include "private/trace.h"
#include "trace/spool.h"
#include "trace/stream_write.h"
#include "trace/v2_write.h"

enum dmt_writer_state {
	DMT_WRITER_NEW,
	DMT_WRITER_OPEN,		/* open; the key may still change */
	DMT_WRITER_COMPLETE,		/* the key is written */
	DMT_WRITER_CLOSED
};

struct dmtrace_writer {
	enum dmt_writer_state state;
	bool pair;
	bool stream;			/* packets; the key is the last one */
	struct dmt_v2_writing *v2;	/* of trace format V2, else NULL */
	bool sync;
	bool no_replace;		/* fail if files have the names */
	bool whole;			/* the stream was copied as a whole */
	bool waits;			/* there are records in waiting */
	bool restarts;			/* use header.start, not that of like */
	struct dmtrace_key *key;
	struct dmt_header header;	/* unless like is set */
	struct dmt_layout layout;
	const struct dmtrace_reader *like;	/* the trace to write a trace
						   like; NULL: none */
	uint64_t rest_read;		/* position of like's read that */
	size_t rest_next;		/* has the next raw record: its
					   offset */
	struct dmt_output key_output;	/* the key file of a pair */
	struct dmt_output output;	/* of a joined trace: the whole file */
	struct dmt_announced announced;	/* in a stream */
	struct dmt_spool waiting;	/* records, until the key is written */
	struct dmtrace_error error;	/* the first; later calls do nothing */
};

/* Returns true if the writer is open, and like the reader. */
bool
dmt_writer_is_like(const struct dmtrace_writer *writer,
    const struct dmtrace_reader *reader);

/* Returns true if the writer is open and its key is not complete. */
bool
dmt_writer_awaits_key(const struct dmtrace_writer *writer);

const struct dmt_layout *
dmt_writer_layout(const struct dmtrace_writer *writer);

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
	return writer->v2 != NULL ? DMT_COLUMN_ALL & ~DMT_COLUMN_FLAGS :
	    writer->stream ? DMT_COLUMN_THREAD | DMT_COLUMN_METHOD : 0;
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
 * For an open writer that is like reader, a stream whose events are not
 * changed: copies everything that follows the header, including packets; the
 * key is not written. Returns DMTRACE_OK, or the status of the failure of the
 * writer or the reader.
 */
enum dmtrace_status
dmt_writer_copy_stream(struct dmtrace_writer *writer,
    struct dmtrace_reader *reader);

/* Replaces the key, which is not written yet, by another one, which the writer
 * then owns. */
void
dmt_writer_set_key(struct dmtrace_writer *writer, struct dmtrace_key *key);

/* Before the open: makes it fail if files of those names exist. */
void
dmt_writer_set_no_replace(struct dmtrace_writer *writer);

/* Before the open, after the layout is set: makes it write an ART stream. */
void
dmt_writer_set_stream(struct dmtrace_writer *writer);

/*
 * Before the open, instead of a layout: makes it write trace format V2 with
 * blocks of that form, and with a start in its unit. streaming: in version
 * 0xF4 or 0xF5. Returns DMTRACE_OK, DMTRACE_ERR_MEMORY or DMTRACE_ERR_STATE.
 */
enum dmtrace_status
dmt_writer_set_v2(struct dmtrace_writer *writer,
    const struct dmt_v2_form *form, bool streaming, uint64_t start);

/* Writes the header and, in the data file of a pair, the bytes before it. */
void
dmt_writer_put_header(struct dmtrace_writer *writer);

/* Writes count records that are already in the writer's layout. Returns what
 * dmtrace_writer_write does, except DMTRACE_ERR_RANGE. */
enum dmtrace_status
dmt_writer_write_records(struct dmtrace_writer *writer,
    const uint8_t *records, size_t count);

#endif
