/* pipeline.h - sources of event batches, and stages over them */
#ifndef DMT_EVENTS_PIPELINE_H
#define DMT_EVENTS_PIPELINE_H

#include <dmtrace/select.h>
#include <stdbool.h>

#include "events/batch.h"
#include "events/callstacks.h"
#include "events/indexes.h"

/*
 * A source hands out batches of events until there are no more: a reader, a
 * generator, a merger. A stage is a source over another source, which it
 * drops events from, changes or adds to. Whoever wants the events, the sink,
 * puts source and stages together, asks for columns once, and pulls batch
 * after batch. Nothing in between keeps a batch: it is valid until the next
 * pull.
 *
 * A stage that has to see all events before it hands out the first one asks
 * for a pass of its own when it is made (dmt_want_pass). It then pulls
 * everything, rewinds the source below, and starts again.
 */

struct dmt_input_kind {
	/* *batch: NULL at the end. On failure error is set. */
	enum dmtrace_status (*pull)(struct dmtrace_source *source,
	    struct dmt_batch **batch);
	/* Back to the first event, as if none had been pulled, but that
	 * indexes stay as they are. */
	enum dmtrace_status (*rewind)(struct dmtrace_source *source);
	/* From the next pull on, fill these columns and no others. */
	void (*want)(struct dmtrace_source *source, unsigned columns);
	/* Frees what is its own; not the source below, not itself. */
	void (*fini)(struct dmtrace_source *source);
};

/* What every kind of source begins with. */
struct dmtrace_source {
	const struct dmt_input_kind *kind;
	struct dmtrace_source *from;	/* of a stage; NULL: a first source */
	const struct dmtrace_key *key;
	const struct dmt_layout *layout;	/* of the records */
	struct dmt_indexes *indexes;	/* what thread and method mean */
	unsigned changes;		/* columns of CHANGED events that
					   their records do not show */
	uint64_t opened;		/* events that it adds at the start of
					   a window, and at its end; known */
	uint64_t closed;		/* from the first pull on */
	bool counted;			/* selected is known from then on, too:
					   how many events it hands out */
	uint64_t selected;
	unsigned passes;		/* of a first source: how often it
					   will be pulled to its end */
	/* Of a first source: what to call after each batch. */
	dmtrace_progress_fn *progress;
	void *progress_context;
	struct dmtrace_error error;

	/* dmtrace_source_read, _next: the batch that it is in, and where;
	 * and of rows the open calls */
	bool reads;
	struct dmt_batch *batch;
	size_t next;
	struct dmt_callstacks stacks;
};

/* Fills what every stage over from has in common. */
void
dmt_stage_init(struct dmtrace_source *stage,
    const struct dmt_input_kind *kind, struct dmtrace_source *from);

/*
 * Hands out the next batch, which belongs to the source and is the caller's to
 * change until the next pull; NULL at the end. dmt_source_rewind goes back
 * to the first one. Returns DMTRACE_OK, or the status of the source's error,
 * which is that of the first source below that failed; it then fails for
 * good.
 */
enum dmtrace_status
dmt_pull(struct dmtrace_source *source, struct dmt_batch **batch);

/* Gets one event of a batch of the source, whose columns are all filled. */
void
dmt_batch_get(struct dmtrace_event *event, const struct dmt_batch *batch,
    size_t at, const struct dmtrace_source *source);

/* The place in its file of the record at a position of the batch; 0: it has
 * none. */
uint64_t
dmt_batch_offset(const struct dmtrace_source *source,
    const struct dmt_batch *batch, size_t at);

/* Asks for these columns, and no others, from the next pull on. A sink does so
 * before its first pull, a stage between passes. */
static inline void
dmt_want(struct dmtrace_source *source, unsigned columns)
{
	source->kind->want(source, columns);
}

/*
 * Of the source of a reader, which is one of many: it hands out at most that
 * many events at a time, and reads by as little (see dmt_reader_narrow, in
 * whose pool its file is). The rows of the indexes are NULL from here on.
 * Returns DMTRACE_OK, or the status of the source's error.
 */
struct dmt_pool;
enum dmtrace_status
dmt_input_narrow(struct dmtrace_source *source, struct dmt_pool *pool,
    size_t events);

/* Of the source of a reader that was not pulled: how many records there are,
 * which a pass of its own counts. Returns DMTRACE_OK, or the status of the
 * source's error. */
enum dmtrace_status
dmt_input_count(struct dmtrace_source *source, uint64_t *records);

/* Lets the source of a reader use these indexes from here on. They belong to
 * the caller, and can be those of other sources, too. */
void
dmt_input_share(struct dmtrace_source *source, struct dmt_indexes *indexes);

/*
 * Of the source of a reader that is at its first record: gives each method that
 * a packet redefines the index that it will have from there on. Returns
 * DMTRACE_OK or DMTRACE_ERR_MEMORY. redefined: the index of the i-th of them.
 */
enum dmtrace_status
dmt_input_redefine(struct dmtrace_source *source);
uint32_t
dmt_input_redefined(const struct dmtrace_source *source, size_t i);

/* Announces one more pass over the first source below, or one less: progress
 * counts them all. */
void
dmt_want_pass(struct dmtrace_source *source);
void
dmt_drop_pass(struct dmtrace_source *source);

/*
 * A stage that keeps all events hands them out instead of a last pass over the
 * first source below, and reports how far it is: so many bytes, or whatever, of
 * total. Returns DMTRACE_OK or DMTRACE_ERR_CANCELLED.
 */
enum dmtrace_status
dmt_report_last_pass(struct dmtrace_source *stage, uint64_t done,
    uint64_t total);

/* The clock that windows and durations are measured by, as a column: wall
 * time where records have it. */
unsigned
dmt_clock_column(const struct dmtrace_source *source);
const uint64_t *
dmt_clock_times(const struct dmtrace_source *source,
    const struct dmt_batch *batch);

#endif
