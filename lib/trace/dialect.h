/* dialect.h - the dialects of the format: what differs between them */
#ifndef DMT_TRACE_DIALECT_H
#define DMT_TRACE_DIALECT_H

#include <dmtrace/trace.h>

#include "base/output.h"
#include "data/record_columns.h"
#include "data/v2.h"
#include "events/pipeline.h"
#include "format/layout.h"

/* How the events of a trace are stored: a dialect, and what it leaves open. */
struct dmt_trace_format {
	const struct dmt_dialect *dialect;
	uint16_t version;		/* as in the header */
	bool ns;			/* times and start are nanoseconds;
					   else microseconds */
	bool headless;			/* there is neither header nor summary:
					   a dump of long-running methods */
	bool bare_exits;		/* an exit has no method: it ends the
					   innermost call */
	bool names_threads;		/* every thread of an event is announced
					   with a name */
	struct dmt_layout layout;	/* of records; if there are none, of
					   the numbers of events */
	struct dmt_v2_form blocks;	/* of a dialect with blocks */
};

#define DMT_FORGOTTEN UINT32_MAX	/* to be announced again, if needed */

/* The methods that packets have announced. Nearly all events need to know only
 * whether their row was, which is one load. */
struct dmt_announced {
	struct dmt_idmap ids;		/* 1 + the row of the key with which
					   the id was announced last, or 0
					   without a row, or DMT_FORGOTTEN */
	uint8_t *is_last;		/* by row: 1, it is that row */
	size_t row_count;		/* of is_last */
};

/* The state of writing the events of a trace, or of several pieces of it. */
struct dmt_writing {
	struct dmt_trace_format format;
	dmt_columns_fn *encode;		/* records, from a batch */
	bool modulo;			/* times are stored modulo the width of
					   their field */
	struct dmt_announced methods;	/* of packets */
	struct dmt_idmap names;		/* of packets, by number of a renamed
					   thread: 1 + the row that was
					   announced last */
	bool forgot_names;		/* it is unknown if it is not there;
					   else it is the first row */
};

/*
 * A dialect is everything that a writer has to know of it, and a reader but
 * for its container (container.h); what is above them asks for the members that
 * describe it. The functions that write store failures of output there.
 */
struct dmt_dialect {
	const char *title;		/* in messages */
	bool packets;			/* they hold the definitions, before
					   they are needed; the key is the last
					   one, so there is no pair */
	bool has_records;		/* events are records, each in a place
					   of its own */
	uint32_t first_thread;		/* the lowest thread number of an
					   event */
	bool ns_option;			/* the key may have elapsed-time-nsec */
	bool no_lines;			/* the lines of methods in ART's
					   packets have no line number */
	unsigned columns;		/* that put needs for every event */
	size_t start_at;		/* offset of the start in the header */

	/* Sets the stage of a format, that of like, which may be NULL, if it
	 * is STAGE_ANY. NULL: there are no stages. */
	void (*set_stage)(struct dmt_trace_format *format,
	    enum dmtrace_stage stage, const struct dmt_trace_format *like);

	struct dmt_writing *(*writing_new)(
	    const struct dmt_trace_format *format);
	void (*writing_free)(struct dmt_writing *writing);
	/* Writes the header, whose start is in the unit of the format. */
	void (*begin)(struct dmt_writing *writing, struct dmt_output *output,
	    uint64_t start);
	/* Makes a header show what its fields do not, for events that are
	 * written anew. NULL: there is nothing like that. */
	void (*mark)(const struct dmt_trace_format *format, uint8_t *header);
	/*
	 * Appends count events of a batch of source, from keep[first] on, each
	 * after the packets that it needs. Returns how many were appended:
	 * less than count if the output has failed, or the next event does not
	 * fit.
	 */
	size_t (*put)(struct dmt_writing *writing, struct dmt_output *output,
	    const struct dmtrace_source *source, const struct dmt_batch *batch,
	    size_t first, size_t count);
	/* Returns why put does not take an event whose fields the layout can
	 * hold. NULL: there is no such event. */
	const char *(*misfit)(const struct dmt_writing *writing,
	    const struct dmtrace_event *event);
	/* Writes what put has kept. */
	void (*flush)(struct dmt_writing *writing, struct dmt_output *output);
	/* Writes what follows the events: of packets, the key. */
	void (*end)(struct dmt_writing *writing, struct dmt_output *output,
	    const struct dmtrace_key *key);
	/* Returns the most bytes that put and flush write for one event that
	 * needs no packet. */
	size_t (*event_max)(const struct dmt_trace_format *format);

	/* Of packets: announces all threads and methods of a key in order,
	 * before any event; a method with every row, of which the last one
	 * counts. false: a line is too long for a packet. */
	bool (*announce)(struct dmt_writing *writing,
	    struct dmt_output *output, const struct dmtrace_key *key);
};

/* The misfit of an event whose packets are too long. */
#define DMT_PACKET_MISFIT \
	"the name of the thread, or the line of the method, is" \
	" longer than 65,535 bytes"

/* batch_write.c: a key and records; stream_write.c: ART streaming; v2_write.c:
 * ART trace format V2. */
extern const struct dmt_dialect dmt_dialect_records;
extern const struct dmt_dialect dmt_dialect_stream;
extern const struct dmt_dialect dmt_dialect_v2;

/* NULL: no memory. */
struct dmt_writing *
dmt_writing_new(const struct dmt_trace_format *format);
/* The same; but the events come from a trace of this format, so their records
 * are copied, and times stored modulo the width of their field. */
struct dmt_writing *
dmt_writing_new_like(const struct dmt_trace_format *format);
/* writing may be NULL. */
void
dmt_writing_free(struct dmt_writing *writing);

/*
 * Chooses a format. like, NULL if there is none, is that of the trace that is
 * written anew: it decides what STAGE_ANY and CLOCK_MISSING leave open.
 *
 * Returns DMTRACE_OK, or with error set
 *   DMTRACE_ERR_RANGE  there is no such dialect, or it has no stages, or no
 *                      such clock
 */
enum dmtrace_status
dmt_format_choose(struct dmt_trace_format *format,
    enum dmtrace_dialect dialect, enum dmtrace_stage stage,
    enum dmtrace_clock clock, const struct dmt_trace_format *like,
    struct dmtrace_error *error);

/* Returns 1 + the index of a method's row, as in dmt_announced; 0 for NULL.
 * rows is the first row of the key. Inline, as the next one. */
static inline uint32_t
dmt_method_row(const struct dmtrace_method *rows,
    const struct dmtrace_method *method)
{
	return method == NULL ? 0 : (uint32_t)(method - rows) + 1;
}

/* Returns true if a method was announced, last with this row (1 + its index, or
 * 0). Inline, as it is asked for each event. */
static inline bool
dmt_is_announced(const struct dmt_announced *methods, uint64_t id,
    uint32_t row)
{
	if (row != 0)
		return row <= methods->row_count &&
		    methods->is_last[row - 1] != 0;
	const uint32_t *const last = dmt_idmap_find(&methods->ids, id);
	return last != NULL && *last == 0;
}

/* Returns true if a method was announced with a row. One whose events had no
 * row may get it later, from the caller of a writer. */
static inline bool
dmt_has_announced(const struct dmt_announced *methods, uint64_t id)
{
	const uint32_t *const last = dmt_idmap_find(&methods->ids, id);

	return last != NULL && *last != 0;
}

/* Notes that a method was announced with a row, or needs no packet as it has
 * none. false: no memory. */
bool
dmt_note_announced(struct dmt_announced *methods, uint64_t id, uint32_t row);

/* Makes the methods of these ids, and the threads that are renamed, be
 * announced again before their next events. */
void
dmt_writing_forget(struct dmt_writing *writing, const uint64_t *ids,
    size_t count);

/*
 * For the names of threads that are renamed. The first function returns the row
 * with which the thread of an event is to be announced before it; NULL: none,
 * or with no other than before. announced: it was announced at all. The second
 * notes that this was done; false: no memory.
 */
const struct dmtrace_thread *
dmt_writing_new_name(const struct dmt_writing *writing,
    const struct dmtrace_source *source, const struct dmt_batch *batch,
    size_t at, bool announced);
bool
dmt_writing_note_name(struct dmt_writing *writing,
    const struct dmtrace_source *source, const struct dmt_batch *batch,
    size_t at);

/* v2_write.c: sets the form of the blocks, and what it decides. */
void
dmt_format_set_blocks(struct dmt_trace_format *format,
    const struct dmt_v2_form *form);

/* Returns a start, as stored in versions 1 to 3, in the unit of the format; the
 * highest value if it does not fit. rest_ns is the part below a microsecond. */
uint64_t
dmt_format_start(const struct dmt_trace_format *format, uint64_t start,
    unsigned rest_ns);

#endif
