/* batch.h - a run of events in columns */
#ifndef DMT_EVENTS_BATCH_H
#define DMT_EVENTS_BATCH_H

#include <stddef.h>
#include <stdint.h>

#define DMT_BATCH_EVENTS 4096	/* the most a batch holds */

/* Columns, as bits. A column is filled only if somebody asked for it. */
enum {
	DMT_COLUMN_THREAD = 1,
	DMT_COLUMN_METHOD = 2,
	DMT_COLUMN_ACTION = 4,
	DMT_COLUMN_CPU = 8,
	DMT_COLUMN_WALL = 16,
	DMT_COLUMN_FLAGS = 32,
	DMT_COLUMN_ALL = 63,
	DMT_COLUMN_RECORDS = 64		/* records, for a source whose file has
					   none; of others they are there */
};

/* Flags of an event. */
enum {
	/* An earlier filter opened or closed a call with it; the options
	 * dmtrace-opened and dmtrace-closed of the key say so. */
	DMT_EVENT_OPENED = 1,
	DMT_EVENT_CLOSED = 2,
	/* A stage changed columns, so the record does not show them. */
	DMT_EVENT_CHANGED = 4,
	/* A stage made it; it has no record. */
	DMT_EVENT_NEW = 8
};

/*
 * Up to 4,096 events. Each column is an array by position; keep lists the
 * positions that are still in the batch. A stage drops events by shortening
 * keep, and never moves a column, so that positions keep fitting the records.
 */
struct dmt_batch {
	size_t count;			/* positions */
	size_t kept;			/* entries of keep */
	uint16_t keep[DMT_BATCH_EVENTS];	/* rising */
	uint8_t flags[DMT_BATCH_EVENTS];	/* 0 if nobody asked */
	uint8_t action[DMT_BATCH_EVENTS];	/* as in the record, 0 to 3 */
	uint32_t thread[DMT_BATCH_EVENTS];	/* indexes, see indexes.h */
	uint32_t method[DMT_BATCH_EVENTS];
	uint64_t cpu_ns[DMT_BATCH_EVENTS];	/* unwrapped, or */
	uint64_t wall_ns[DMT_BATCH_EVENTS];	/* DMTRACE_NO_TIME */
	const uint8_t *records;		/* the record of position 0, the others
					   follow; NULL: no records, or they
					   were not asked for */
	uint64_t first;			/* how many records are before it */
	uint64_t offset;		/* of that record in its file */
	const uint64_t *order;		/* for a merger, by position: the sort
					   key; NULL: records have none */
};

/* Makes it a batch of count events that are all in it, without flags. Records,
 * first and offset are left as they were. */
void
dmt_batch_begin(struct dmt_batch *batch, size_t count);

#endif
