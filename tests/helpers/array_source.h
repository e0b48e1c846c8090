/* array_source.h - events of an array as the source of a pipeline */
#ifndef ARRAY_SOURCE_H
#define ARRAY_SOURCE_H

#include <dmtrace/select.h>
#include <stdlib.h>
#include <string.h>

#include "events/pipeline.h"

struct array_source {
	struct dmtrace_source source;
	const struct dmtrace_event *events;
	const struct dmtrace_event *events_again;	/* from a rewind on;
					   NULL: the same */
	size_t count;
	size_t batch_size;
	size_t next;
	size_t fails_at;		/* DMTRACE_ERR_IO there; 0: never */
	struct dmt_indexes indexes;
	struct dmt_batch batch;
	unsigned pass;
};

static enum dmtrace_status
pull_array(struct dmtrace_source *source, struct dmt_batch **out)
{
	struct array_source *const self = (struct array_source *)source;
	struct dmt_batch *const batch = &self->batch;
	const size_t left = self->count - self->next;

	if (self->fails_at > 0 && self->next >= self->fails_at) {
		source->error.status = DMTRACE_ERR_IO;
		return DMTRACE_ERR_IO;
	}
	dmt_batch_begin(batch, left < self->batch_size ? left :
	    self->batch_size);
	batch->records = NULL;
	batch->first = self->next;
	for (size_t i = 0; i < batch->count; i++) {
		const struct dmtrace_event *const event =
		    &self->events[self->next++];

		batch->thread[i] =
		    dmt_thread_index(&self->indexes, event->thread);
		batch->method[i] =
		    dmt_method_index(&self->indexes, event->method);
		batch->action[i] = (uint8_t)event->action;
		batch->cpu_ns[i] = event->cpu_ns;
		batch->wall_ns[i] = event->wall_ns;
	}
	*out = batch->count > 0 ? batch : NULL;
	if (!self->indexes.failed)
		return dmt_report_pass(source, self->pass, self->next,
		    self->count);
	source->error.status = DMTRACE_ERR_MEMORY;
	return DMTRACE_ERR_MEMORY;
}

static enum dmtrace_status
rewind_array(struct dmtrace_source *source)
{
	struct array_source *const self = (struct array_source *)source;

	self->next = 0;
	dmt_next_pass(source, &self->pass);
	if (self->events_again != NULL)
		self->events = self->events_again;
	return DMTRACE_OK;
}

static void
want_array(struct dmtrace_source *source, unsigned columns)
{
	(void)source;
	(void)columns;
}

static void
fini_array(struct dmtrace_source *source)
{
	dmt_indexes_fini(&((struct array_source *)source)->indexes);
}

/* All that is given must live as long. NULL: no memory. */
static inline struct dmtrace_source *
array_source_new(const struct dmtrace_key *key,
    const struct dmt_layout *layout, const struct dmtrace_event *events,
    size_t count, size_t batch_size)
{
	static const struct dmt_input_kind kind = {
		pull_array, rewind_array, want_array, fini_array
	};
	struct array_source *const self = calloc(1, sizeof(*self));

	if (self == NULL)
		return NULL;
	self->source.kind = &kind;
	self->source.key = key;
	self->source.layout = layout;
	self->source.indexes = &self->indexes;
	self->source.passes = 1;
	self->events = events;
	self->count = count;
	self->batch_size = batch_size;
	if (!dmt_indexes_init(&self->indexes, key, layout)) {
		dmtrace_source_free(&self->source);
		return NULL;
	}
	return &self->source;
}

/* What comes out of a select stage over an array of at most so many events. */
enum { ARRAY_MOST = 64 };

struct selected_events {
	char kept[ARRAY_MOST + 1];	/* '1' or '0' for each event */
	struct dmtrace_event opened[ARRAY_MOST];
	size_t opened_count;
	struct dmtrace_event closed[ARRAY_MOST];
	size_t closed_count;
};

static inline enum dmtrace_status
select_events(struct dmtrace_source *source, size_t count,
    struct selected_events *out)
{
	struct dmt_batch *batch;
	enum dmtrace_status status;

	memset(out, 0, sizeof(*out));
	memset(out->kept, '0', count);
	dmt_want(source, DMT_COLUMN_ALL);
	while ((status = dmt_pull(source, &batch)) == DMTRACE_OK &&
	    batch != NULL)
		for (size_t i = 0; i < batch->kept; i++) {
			const size_t at = batch->keep[i];

			struct dmtrace_event *const event =
			    batch->flags[at] & DMT_EVENT_OPENED ?
			    &out->opened[out->opened_count++] :
			    batch->flags[at] & DMT_EVENT_CLOSED ?
			    &out->closed[out->closed_count++] : NULL;

			if (event == NULL) {
				out->kept[batch->first + at] = '1';
				continue;
			}
			dmt_batch_get(event, batch, at, source);
			if (batch->flags[at] & DMT_EVENT_NO_CPU)
				event->cpu_ns = DMTRACE_NO_TIME;
		}
	return status;
}

#endif
