/* pipeline.h - sources of event batches, and stages over them */
#ifndef DMT_EVENTS_PIPELINE_H
#define DMT_EVENTS_PIPELINE_H

#include <dmtrace/select.h>
#include <stdbool.h>

#include "events/batch.h"
#include "events/callstacks.h"
#include "events/indexes.h"
#include "events/tables.h"

/*
 * A source returns batches of events until there are no more; readers,
 * generators and mergers are sources. A stage is a source on top of another
 * source, from which it drops events, or changes or inserts them. A sink uses
 * the events: it puts source and stages together, asks once for the columns
 * that it needs, and pulls batch after batch. A batch is valid until the next
 * pull, so nothing keeps one.
 *
 * A stage that has to see all events before it returns the first one announces
 * an additional pass when it is made (dmt_want_pass). It pulls everything,
 * rewinds the source below, and starts again.
 */

struct dmt_input_kind {
	/* Sets *batch, to NULL at the end. On failure error is set. */
	enum dmtrace_status (*pull)(struct dmtrace_source *source,
	    struct dmt_batch **batch);
	/* Returns to the first event. All state is reset except indexes. NULL:
	 * it has none, and the source below is rewound. */
	enum dmtrace_status (*rewind)(struct dmtrace_source *source);
	/* Sets the columns to fill from the next pull on. */
	void (*want)(struct dmtrace_source *source, unsigned columns);
	/* Frees the kind's own members, not the source below or the struct;
	 * NULL: nothing. */
	void (*fini)(struct dmtrace_source *source);
};

/* The first member of every kind of source. */
struct dmtrace_source {
	const struct dmt_input_kind *kind;
	struct dmtrace_source *from;	/* the source below; NULL for a first
					   source */
	const struct dmtrace_key *key;
	const struct dmt_layout *layout;	/* of the records */
	struct dmt_indexes *indexes;	/* of threads and methods */
	struct dmt_attached *tables;	/* of the stage or sink above */
	unsigned changes;		/* columns in which CHANGED events may
					   differ from their raw records */
	uint64_t opened;		/* number of events that it inserts at
					   the start and */
	uint64_t closed;		/* at the end of a window; set by the
					   first pull */
	unsigned passes;		/* of a first source: how often it is
					   read to its end; see dmt_want_pass */
	unsigned pass_weight;		/* of this pass; 0 is 1 */
	uint64_t pass_size;		/* total of dmt_report_pass */
	/* Of a first source: called after each batch. */
	dmtrace_progress_fn *progress;
	void *progress_context;
	bool taken;			/* a stage or a call has its events */
	struct dmtrace_error error;

	/* For dmtrace_source_read and _next: the current batch and the
	 * position in it; for rows, also the open calls. */
	bool reads;
	struct dmt_batch *batch;
	size_t next;
	struct dmt_callstacks stacks;
};

/* Initialises the common members of a stage on top of from. */
void
dmt_stage_init(struct dmtrace_source *stage,
    const struct dmt_input_kind *kind, struct dmtrace_source *from);

/*
 * Takes the events of a source for a call of the library: its caller can read
 * it no more. Returns DMTRACE_OK, the status of the source's error, or
 * DMTRACE_ERR_STATE, its error from here on: they are taken, or some were read.
 */
enum dmtrace_status
dmt_source_take(struct dmtrace_source *source, const char *call);

/*
 * dmt_pull gets the next batch, NULL at the end. It belongs to the source; the
 * caller may change it until the next pull. dmt_source_rewind returns to the
 * first batch. Both return DMTRACE_OK or the status of the source's error,
 * which is the first failure in the chain; after it all calls fail. Tables by
 * index (tables.h) fit the batch.
 */
enum dmtrace_status
dmt_pull(struct dmtrace_source *source, struct dmt_batch **batch);

/* Gets one event of a batch in which all columns are filled. */
static inline void
dmt_batch_get(struct dmtrace_event *event, const struct dmt_batch *batch,
    size_t at, const struct dmtrace_source *source)
{
	const struct dmt_indexes *const indexes = source->indexes;

	event->method = indexes->methods[batch->method[at]].id;
	event->cpu_ns = batch->cpu_ns[at];
	event->wall_ns = batch->wall_ns[at];
	event->thread = indexes->threads[batch->thread[at]].number;
	event->action = (enum dmtrace_action)batch->action[at];
}

/* Returns the offset in its file of the record at a position of the batch; 0:
 * it has no record. */
uint64_t
dmt_batch_offset(const struct dmtrace_source *source,
    const struct dmt_batch *batch, size_t at);

/* Sets the columns to fill from the next pull on. A sink calls this before its
 * first pull, a stage between passes. */
static inline void
dmt_want(struct dmtrace_source *source, unsigned columns)
{
	source->kind->want(source, columns);
}

/* Add a pass over the first source to those that progress counts, or remove
 * one. A pass that takes much longer than others, by what is done with its
 * events, counts as weight of them, and is begun by dmt_weigh_pass. */
void
dmt_want_pass(struct dmtrace_source *source, unsigned weight);
void
dmt_weigh_pass(struct dmtrace_source *source, unsigned weight);
void
dmt_drop_pass(struct dmtrace_source *source);

/* For a first source: begins the pass after this one; reports progress in it.
 * dmt_report_pass returns DMTRACE_OK or DMTRACE_ERR_CANCELLED. */
void
dmt_next_pass(struct dmtrace_source *first, unsigned *pass);
enum dmtrace_status
dmt_report_pass(struct dmtrace_source *first, unsigned pass, uint64_t done,
    uint64_t total);

/*
 * For a stage that stores all events and returns them later, which replaces a
 * last pass over the first source, and for a sink that does: reports progress,
 * done of total, in bytes or any other unit. Returns DMTRACE_OK or
 * DMTRACE_ERR_CANCELLED.
 */
enum dmtrace_status
dmt_report_last_pass(struct dmtrace_source *stage, uint64_t done,
    uint64_t total);

/* Returns the column of the clock that measures windows and durations: wall
 * time if the records have it, else CPU time. */
unsigned
dmt_clock_column(const struct dmtrace_source *source);
const uint64_t *
dmt_clock_times(const struct dmtrace_source *source,
    const struct dmt_batch *batch);

#endif
