/* inserts.c - events that a stage inserts between those of its source */

#include "events/inserts.h"

struct dmt_batch *
dmt_inserts_next(struct dmt_inserts *inserts, struct dmt_batch *batch)
{
	const size_t left = inserts->count - inserts->next;

	if (left == 0)
		return NULL;
	dmt_batch_begin(batch, left < DMT_BATCH_EVENTS ? left :
	    DMT_BATCH_EVENTS);
	batch->records = NULL;
	batch->first = batch->offset = 0;
	for (size_t i = 0; i < batch->count; i++) {
		const struct dmt_insert *const event =
		    &inserts->items[inserts->next++];

		batch->thread[i] = event->thread;
		batch->method[i] = event->method;
		batch->action[i] = event->action;
		batch->flags[i] = event->flags;
		batch->cpu_ns[i] = event->cpu_ns;
		batch->wall_ns[i] = event->wall_ns;
	}
	return batch;
}
