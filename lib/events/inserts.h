/* inserts.h - events that a stage inserts between those of its source */
#ifndef DMT_EVENTS_INSERTS_H
#define DMT_EVENTS_INSERTS_H

#include "events/batch.h"

/* An event without a record. Its flags include DMT_EVENT_NEW. */
struct dmt_insert {
	uint32_t thread;		/* indexes */
	uint32_t method;
	uint8_t action;
	uint8_t flags;
	uint64_t cpu_ns;
	uint64_t wall_ns;
};

/* A list for dmt_push; the owner frees the items. */
struct dmt_inserts {
	struct dmt_insert *items;
	size_t count;
	size_t capacity;
	struct dmt_insert spare;
	size_t next;			/* the next one to return */
};

/* Makes the batch that of the next events, as many as fit, and returns it;
 * NULL: there are no more. */
struct dmt_batch *
dmt_inserts_next(struct dmt_inserts *inserts, struct dmt_batch *batch);

#endif
