/* writer.h - a trace that is being written */
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
	DMT_WRITER_OPEN,		/* the key may still change */
	DMT_WRITER_COMPLETE,		/* it is written */
	DMT_WRITER_CLOSED
};

struct dmtrace_writer {
	enum dmt_writer_state state;
	bool pair;
	bool stream;			/* packets; the key is the last one */
	struct dmt_v2_writing *v2;	/* of trace format V2, else NULL */
	bool sync;
	bool no_replace;		/* fails if files have the names */
	bool whole;			/* a stream that was copied */
	bool waits;			/* there are records in waiting */
	bool restarts;			/* header.start, not that of like */
	struct dmtrace_key *key;
	struct dmt_header header;	/* of a fresh trace */
	struct dmt_layout layout;
	const struct dmtrace_reader *like;	/* NULL: a fresh trace */
	uint64_t rest_read;		/* position of the read that the */
	size_t rest_next;		/* next record comes from: its offset */
	struct dmt_output key_output;	/* of a pair */
	struct dmt_output output;	/* of a joined trace: all of it */
	struct dmt_announced announced;	/* in a stream */
	struct dmt_spool waiting;	/* records, until the key is there */
	struct dmtrace_error error;	/* the first; no call does anything
					   after it */
};

/* Whether it is open, and like the reader. */
bool
dmt_writer_is_like(const struct dmtrace_writer *writer,
    const struct dmtrace_reader *reader);

/* Whether it is open, and its key is not complete. */
bool
dmt_writer_awaits_key(const struct dmtrace_writer *writer);

const struct dmt_layout *
dmt_writer_layout(const struct dmtrace_writer *writer);

/* The name that its file will have; NULL: it will have none. */
const char *
dmt_writer_target(const struct dmtrace_writer *writer);

/* Whether nothing is left of it if it is freed now. */
bool
dmt_writer_is_temporary(const struct dmtrace_writer *writer);

/* Takes over the first failure of its key and its outputs. Returns the status
 * of the writer's own first failure. */
enum dmtrace_status
dmt_writer_check(struct dmtrace_writer *writer);

/* Refuses a call out of order, or that was given NULL, which is a failure
 * unless the writer is closed already. Returns DMTRACE_ERR_STATE, or the status
 * of an earlier failure. */
enum dmtrace_status
dmt_writer_refuse(struct dmtrace_writer *writer, const char *call,
    bool null_given);

/* The columns that dmt_writer_put needs of every event: a stream announces
 * threads and methods before their first records, and what trace format V2 has
 * are no records. */
static inline unsigned
dmt_writer_columns(const struct dmtrace_writer *writer)
{
	return writer->v2 != NULL ? DMT_COLUMN_ALL & ~DMT_COLUMN_FLAGS :
	    writer->stream ? DMT_COLUMN_THREAD | DMT_COLUMN_METHOD : 0;
}

/*
 * Writes the events of a batch of source, which is not changed. Columns need
 * not be filled for events that have a record, but for those that a stage
 * changed, and dmt_writer_columns. A writer that is like a reader takes the
 * batches of sources over that reader alone.
 *
 * Returns what dmtrace_writer_write does; on DMTRACE_ERR_RANGE the events
 * before the one that does not fit are written.
 */
enum dmtrace_status
dmt_writer_put(struct dmtrace_writer *writer,
    const struct dmtrace_source *source, const struct dmt_batch *batch);

/*
 * Of an open writer that is like reader, a stream, whose events are not
 * changed: copies what follows the header, packets and all, and the key is
 * not written. Returns DMTRACE_OK, or the status of the failure of the writer
 * or the reader.
 */
enum dmtrace_status
dmt_writer_copy_stream(struct dmtrace_writer *writer,
    struct dmtrace_reader *reader);

/* Puts another key, which the writer owns from here on, in place of its own;
 * it is not written yet. */
void
dmt_writer_set_key(struct dmtrace_writer *writer, struct dmtrace_key *key);

/* Before the open: it fails where files have the names already. */
void
dmt_writer_set_no_replace(struct dmtrace_writer *writer);

/* Before the open, after its layout is set: writes an ART stream. */
void
dmt_writer_set_stream(struct dmtrace_writer *writer);

/* Before the open, in place of the layout: writes trace format V2 with blocks
 * of that form, and a start in its unit; streaming: in version 0xF4 or 0xF5.
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY or DMTRACE_ERR_STATE. */
enum dmtrace_status
dmt_writer_set_v2(struct dmtrace_writer *writer,
    const struct dmt_v2_form *form, bool streaming, uint64_t start);

/* Writes the header, and the gap before it in data of its own. */
void
dmt_writer_put_header(struct dmtrace_writer *writer);

/* Writes count records that are in the writer's layout already. Returns what
 * dmtrace_writer_write does, but for DMTRACE_ERR_RANGE. */
enum dmtrace_status
dmt_writer_write_records(struct dmtrace_writer *writer,
    const uint8_t *records, size_t count);

#endif
