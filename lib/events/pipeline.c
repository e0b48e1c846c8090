/* pipeline.c - sources of event batches, and stages over them */

/*
 * This is what all sources have in common. A pull starts at the topmost stage,
 * which pulls from the source below it as needed. A failure stays in the
 * source where it happened and is copied by each stage above. Rewinding goes
 * down in the same way. The number of passes is stored in the first source, at
 * the bottom of the chain, since it reports the progress: stages add theirs
 * when they are made, so that progress is right from the first batch on.
 *
 * Callers of the library read events or rows instead of batches: these are
 * taken from the batch one by one; a row also has the depth of its call.
 */

#include "events/pipeline.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/inline.h"
#include "format/layout.h"
#include "private/select.h"

void
dmt_batch_begin(struct dmt_batch *batch, size_t count)
{
	batch->count = count;
	batch->kept = count;
	batch->names = NULL;
	/* Eight at a time, which compilers turn into one vector store. */
	for (size_t i = 0; i < count; i += 8)
		for (size_t j = 0; j < 8; j++)
			batch->keep[i + j] = (uint16_t)(i + j);
	memset(batch->flags, 0, count);
}

void
dmt_stage_init(struct dmtrace_source *stage,
    const struct dmt_input_kind *kind, struct dmtrace_source *from)
{
	stage->kind = kind;
	stage->from = from;
	stage->key = from->key;
	stage->layout = from->layout;
	stage->indexes = from->indexes;
	stage->changes = from->changes;
	from->taken = true;
}

static struct dmtrace_source *
first_source(struct dmtrace_source *source)
{
	while (source->from != NULL)
		source = source->from;
	return source;
}

void
dmt_want_pass(struct dmtrace_source *source, unsigned weight)
{
	first_source(source)->passes += weight;
}

void
dmt_weigh_pass(struct dmtrace_source *source, unsigned weight)
{
	first_source(source)->pass_weight = weight;
}

/* The number of a pass is the sum of the weights of those before it. */
void
dmt_next_pass(struct dmtrace_source *first, unsigned *pass)
{
	*pass += first->pass_weight > 0 ? first->pass_weight : 1;
	first->pass_weight = 0;
	if (first->passes <= *pass)
		first->passes = *pass + 1;
}

enum dmtrace_status
dmt_report_pass(struct dmtrace_source *first, unsigned pass, uint64_t done,
    uint64_t total)
{
	const unsigned weight = first->pass_weight > 0 ?
	    first->pass_weight : 1;

	first->pass_size = total;
	if (first->progress == NULL || first->progress(
	    first->progress_context, pass * total + weight * done,
	    first->passes * total) == 0)
		return DMTRACE_OK;
	return dmt_error_set(&first->error, DMTRACE_ERR_CANCELLED,
	    "cancelled");
}

void
dmt_drop_pass(struct dmtrace_source *source)
{
	first_source(source)->passes--;
}

enum dmtrace_status
dmt_report_last_pass(struct dmtrace_source *stage, uint64_t done,
    uint64_t total)
{
	const struct dmtrace_source *const first = first_source(stage);
	const uint64_t passes = first->passes;
	/* in the unit of the other passes, so that the sum does not fall */
	const uint64_t size = first->pass_size > 0 ? first->pass_size : total;
	const uint64_t part = done >= total ? size :
	    (uint64_t)((double)done / (double)total * (double)size);

	if (first->progress == NULL || first->progress(
	    first->progress_context, (passes - 1) * size + part,
	    passes * size) == 0)
		return DMTRACE_OK;
	return dmt_error_set(&stage->error, DMTRACE_ERR_CANCELLED,
	    "cancelled");
}

void
dmt_source_set_progress(struct dmtrace_source *source,
    dmtrace_progress_fn *progress, void *context)
{
	struct dmtrace_source *const first = first_source(source);

	first->progress = progress;
	first->progress_context = context;
}

unsigned
dmt_clock_column(const struct dmtrace_source *source)
{
	return dmt_layout_has_wall(source->layout) ? DMT_COLUMN_WALL :
	    DMT_COLUMN_CPU;
}

const uint64_t *
dmt_clock_times(const struct dmtrace_source *source,
    const struct dmt_batch *batch)
{
	return dmt_layout_has_wall(source->layout) ? batch->wall_ns :
	    batch->cpu_ns;
}

/* Whether the caller of the library may read the source; if not, the status to
 * return. */
static enum dmtrace_status
check_own(struct dmtrace_source *source, const char *call)
{
	if (source->taken)
		dmt_error_set(&source->error, DMTRACE_ERR_STATE,
		    "%s: the source was given to another call", call);
	return source->error.status;
}

enum dmtrace_status
dmt_source_take(struct dmtrace_source *source, const char *call)
{
	if (check_own(source, call) != DMTRACE_OK)
		return source->error.status;
	if (source->reads)
		return dmt_error_set(&source->error, DMTRACE_ERR_STATE,
		    "%s: events of the source were read before", call);
	source->taken = true;
	return DMTRACE_OK;
}

/* Copies the error of the source below, unless the source has one. */
static enum dmtrace_status
take_error(struct dmtrace_source *source)
{
	if (source->error.status == DMTRACE_OK && source->from != NULL)
		source->error = source->from->error;
	assert(source->error.status != DMTRACE_OK);
	return source->error.status;
}

enum dmtrace_status
dmt_pull(struct dmtrace_source *source, struct dmt_batch **batch)
{
	*batch = NULL;
	if (source->error.status != DMTRACE_OK)
		return source->error.status;
	const bool pulled = source->kind->pull(source, batch) == DMTRACE_OK;
	if (pulled && dmt_tables_fit(source))
		return DMTRACE_OK;
	*batch = NULL;
	return pulled ? dmt_error_memory(&source->error) : take_error(source);
}

void
dmtrace_source_free(struct dmtrace_source *source)
{
	while (source != NULL) {
		struct dmtrace_source *const from = source->from;

		dmt_detach(source);
		if (source->kind->fini != NULL)
			source->kind->fini(source);
		dmt_callstacks_fini(&source->stacks);
		free(source);
		source = from;
	}
}

const struct dmtrace_error *
dmtrace_source_error(const struct dmtrace_source *source)
{
	return source == NULL ? &dmt_error_null : &source->error;
}

const struct dmtrace_method *
dmt_source_method(const struct dmtrace_source *source, uint32_t index,
    uint64_t id)
{
	const struct dmt_indexes *const indexes = source->indexes;
	const struct dmtrace_method *const row =
	    index < indexes->method_count ? indexes->methods[index].row : NULL;

	return row != NULL ? row : dmtrace_key_method_find(source->key, id);
}

void
dmt_source_keep(struct dmtrace_source *source, unsigned times)
{
	if (times > 1)
		first_source(source)->passes += times - 1;
}

enum dmtrace_status
dmt_source_rewind(struct dmtrace_source *source)
{
	if (source->error.status != DMTRACE_OK)
		return source->error.status;
	source->batch = NULL;
	dmt_callstacks_reset(&source->stacks);
	if ((source->kind->rewind != NULL ? source->kind->rewind(source) :
	    dmt_source_rewind(source->from)) == DMTRACE_OK)
		return DMTRACE_OK;
	return take_error(source);
}

uint64_t
dmt_batch_offset(const struct dmtrace_source *source,
    const struct dmt_batch *batch, size_t at)
{
	/* Events of trace format V2 have the offset of their block. */
	if (dmt_layout_has_ns(source->layout))
		return batch->offset;
	return batch->records == NULL ? 0 :
	    batch->offset + dmt_records_len(source->layout, at);
}

/* The same, for callers of the library, who get no flags. */
DMT_INLINE void
get_public_event(struct dmtrace_event *event, const struct dmt_batch *batch,
    size_t at, const struct dmtrace_source *source)
{
	dmt_batch_get(event, batch, at, source);
	if (batch->flags[at] & DMT_EVENT_NO_CPU)
		event->cpu_ns = DMTRACE_NO_TIME;
}

/* Gets the batch that contains the next event; NULL at the end. */
static enum dmtrace_status
read_batch(struct dmtrace_source *source, struct dmt_batch **batch)
{
	if (!source->reads)
		dmt_want(source, DMT_COLUMN_ALL & ~DMT_COLUMN_FLAGS);
	if (!source->reads)
		dmt_callstacks_attach(&source->stacks, source,
		    sizeof(struct dmt_call_frame));
	source->reads = true;
	while (source->batch == NULL || source->next == source->batch->kept) {
		source->next = 0;
		if (dmt_pull(source, &source->batch) != DMTRACE_OK)
			return source->error.status;
		if (source->batch == NULL)
			break;
	}
	*batch = source->batch;
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_source_next(struct dmtrace_source *source,
    struct dmtrace_event *event)
{
	struct dmt_batch *batch;

	if (source == NULL)
		return DMTRACE_ERR_STATE;
	if (event == NULL)
		return dmt_error_null_given(&source->error, __func__);
	if (check_own(source, __func__) != DMTRACE_OK ||
	    read_batch(source, &batch) != DMTRACE_OK)
		return source->error.status;
	if (batch == NULL)
		return DMTRACE_END;
	get_public_event(event, batch, batch->keep[source->next++], source);
	return DMTRACE_OK;
}

/* Returns the depth of an event's call, and updates the open calls. */
static enum dmtrace_status
find_depth(struct dmtrace_source *source, const struct dmt_batch *batch,
    size_t at, uint32_t *depth)
{
	const struct dmt_indexes *const indexes = source->indexes;
	const uint32_t thread = batch->thread[at];
	struct dmt_step step;

	const enum dmtrace_status status = dmt_callstack_step(&source->stacks,
	    &source->stacks.items[thread], batch->method[at],
	    batch->action[at], &step);
	if (status != DMTRACE_OK)
		return dmt_callstack_fail(&source->stacks,
		    &source->stacks.items[thread], status,
		    indexes->threads[thread].number, 0, &source->error);
	*depth = step.depth;
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_source_read(struct dmtrace_source *source,
    struct dmtrace_row *rows, size_t capacity, size_t *count)
{
	struct dmt_batch *batch;

	if (count != NULL)
		*count = 0;
	if (source == NULL)
		return DMTRACE_ERR_STATE;
	if (count == NULL || rows == NULL)
		return dmt_error_null_given(&source->error, __func__);
	if (capacity == 0)
		return dmt_error_set(&source->error, DMTRACE_ERR_RANGE,
		    "%s: a capacity of 0 events", __func__);
	if (check_own(source, __func__) != DMTRACE_OK ||
	    read_batch(source, &batch) != DMTRACE_OK || batch == NULL)
		return source->error.status;
	const size_t first = source->next;
	const size_t most = batch->kept - first < capacity ?
	    batch->kept - first : capacity;
	const uint64_t offset = dmt_batch_offset(source, batch, 0);
	const uint64_t step = dmt_batch_offset(source, batch, 1) - offset;
	for (size_t i = 0; i < most; i++) {
		const size_t at = batch->keep[first + i];
		struct dmtrace_row *const row = &rows[i];

		if (find_depth(source, batch, at, &row->depth) != DMTRACE_OK)
			return source->error.status;
		get_public_event(&row->event, batch, at, source);
		row->thread_index = batch->thread[at];
		row->method_index = batch->method[at];
		row->offset = offset + at * step;
	}
	source->next += most;
	*count = most;
	return DMTRACE_OK;
}
