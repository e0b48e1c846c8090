/* buffer.h - the buffers of threads: written to the file or kept in memory */
#ifndef DMT_RECORD_BUFFER_H
#define DMT_RECORD_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dmt_thread_state;
struct dmtrace_recorder;

#define DMT_BLOCK_HEAD 64	/* bytes before the records, so that these
				   begin a cache line, which the system copies
				   fastest */
#define DMT_RECORD_MAX 14	/* bytes */

/* The memory of a buffer, followed by its records. */
struct dmt_block {
	struct dmt_block *next;
	size_t size;		/* bytes of the whole block */
	size_t used;		/* bytes of records */
	uint32_t thread_number;	/* the thread of the records */
	uint32_t added;		/* the last of them, exits that the recorder
				   added at the end of the thread */
};

/* A queue of full blocks, the oldest first, and the size of all blocks, queued
 * or not. */
struct dmt_blocks {
	struct dmt_block *first;
	struct dmt_block *last;
	size_t total;		/* bytes */
	size_t limit;
};

/* Called when there is no space for the next record: makes space. false: it
 * failed, and the record is dropped. Takes the lock; the thread is busy. */
bool
dmt_buffer_flush(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/* The following functions are called with the lock, while the thread is not
 * busy, or by the busy thread itself. */

/* Gives the thread a buffer: as large as the limit on memory allows, or the
 * small one in the thread's state. */
void
dmt_buffer_assign(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/* Does what dmt_buffer_flush does. beyond_limit: with full=stop the buffer may
 * exceed the limit on memory, after recording has ended. */
bool
dmt_buffer_make_room(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, bool beyond_limit);

/* Writes the whole buffer to the file. */
void
dmt_buffer_write(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/* Keeps the buffer of a thread that ends in memory, or drops its records for
 * want of memory. */
void
dmt_buffer_keep(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/* Frees the buffer, whose records have been written or are dropped. */
void
dmt_buffer_remove(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/* Writes records to the file, and counts them. */
void
dmt_buffer_write_records(struct dmtrace_recorder *recorder,
    const uint8_t *records, size_t len);

/* Returns true if full buffers stay in memory. */
bool
dmt_buffers_stay(const struct dmtrace_recorder *recorder);

/* Writes the blocks that stayed in memory, each thread after the enters that
 * it lacks, and sets draining: while it is set, full buffers are written to
 * the file. */
void
dmt_buffers_drain(struct dmtrace_recorder *recorder);

/* Frees the blocks that stayed in memory. */
void
dmt_buffers_free(struct dmtrace_recorder *recorder);

#endif
