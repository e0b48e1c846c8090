/* batch.h - consecutive events, in columns */
#ifndef DMT_EVENTS_BATCH_H
#define DMT_EVENTS_BATCH_H

#include <stddef.h>
#include <stdint.h>

/* The capacity of a batch. The fuzzer's is so small that its traces, of some
 * KB, have several. */
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define DMT_BATCH_EVENTS 4096
#else
#define DMT_BATCH_EVENTS 64
#endif

/* Columns, as bits. Only the columns that a stage or the sink asked for are
 * filled. */
enum {
	DMT_COLUMN_THREAD = 1,
	DMT_COLUMN_METHOD = 2,
	DMT_COLUMN_ACTION = 4,
	DMT_COLUMN_CPU = 8,
	DMT_COLUMN_WALL = 16,
	DMT_COLUMN_FLAGS = 32,
	DMT_COLUMN_ALL = 63,
	DMT_COLUMN_RECORDS = 64		/* records, of a source without records
					   in a file; other sources always have
					   them */
};

/* Flags of an event. */
enum {
	/* Made by an earlier filter, which opened or closed a call at the edge
	 * of a window; the key's options dmtrace-opened and dmtrace-closed
	 * count them. */
	DMT_EVENT_OPENED = 1,
	DMT_EVENT_CLOSED = 2,
	/* A stage changed columns: the raw record is out of date. */
	DMT_EVENT_CHANGED = 4,
	/* A stage inserted it; it has no raw record. */
	DMT_EVENT_NEW = 8,
	/* A stage inserted it, and its CPU time is not known: the column has
	 * the last one that was, as records need one. */
	DMT_EVENT_NO_CPU = 16
};

/*
 * Up to DMT_BATCH_EVENTS events. Each column is an array; an event has the same
 * position in all of them. keep lists the positions that are still in the
 * batch: a stage drops events by shortening keep and never moves columns, so
 * that positions always match the raw records.
 */
struct dmt_batch {
	size_t count;			/* length of the columns */
	size_t kept;			/* length of keep */
	uint16_t keep[DMT_BATCH_EVENTS];	/* positions, rising */
	uint8_t flags[DMT_BATCH_EVENTS];	/* 0 if not asked for */
	uint8_t action[DMT_BATCH_EVENTS];	/* as in the record, 0 to 3 */
	uint32_t thread[DMT_BATCH_EVENTS];	/* indexes, see indexes.h */
	uint32_t method[DMT_BATCH_EVENTS];
	uint64_t cpu_ns[DMT_BATCH_EVENTS];	/* unwrapped, or */
	uint64_t wall_ns[DMT_BATCH_EVENTS];	/* DMTRACE_NO_TIME */
	const uint8_t *records;		/* record of position 0, followed by
					   the others; NULL: none, or not asked
					   for */
	uint64_t first;			/* number of records before it */
	uint64_t offset;		/* of that record, in its file */
	const uint32_t *names;		/* of packets, by position: 1 + the row
					   of the key with the name that the
					   thread has at this time; 0, or NULL
					   for all: it is not renamed */
	const uint64_t *order;		/* for a merger, by position: the
					   key to sort by; NULL: records
					   have none */
};

/* Makes it a batch of count events, all kept, with flags 0 and no names.
 * records, first and offset are unchanged. */
void
dmt_batch_begin(struct dmt_batch *batch, size_t count);

#endif
