/* buffer.h - the buffers of threads, and what becomes of full ones */
#ifndef DMT_RECORD_BUFFER_H
#define DMT_RECORD_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dmt_thread_state;
struct dmtrace_recorder;

#define DMT_BLOCK_HEAD 64	/* bytes before the records, which the system
				   copies best from a line of the cache */
#define DMT_RECORD_MAX 14	/* bytes */

/* The memory of a buffer, at the beginning of its pages; records follow. */
struct dmt_block {
	struct dmt_block *next;
	size_t size;		/* bytes of all */
	size_t used;		/* bytes of records */
	uint32_t thread_number;	/* whose records they are */
};

/* A queue of full blocks, the oldest first, and the bytes of all blocks that
 * there are, in it or not. */
struct dmt_blocks {
	struct dmt_block *first;
	struct dmt_block *last;
	size_t total;		/* bytes */
	size_t limit;
};

/* The record that comes next has no room: makes some. false: it could not, and
 * the record is dropped. Takes the lock; the thread is busy. */
bool
dmt_buffer_flush(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/* The rest is under the lock, where the thread is not busy, or calls this. */

/* Gives it a buffer: as large as the limit on memory allows, or the small one
 * of the thread state. */
void
dmt_buffer_assign(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/* What dmt_buffer_flush does. beyond_limit: with full=stop the buffer may
 * exceed the limit on memory, after recording has ended. */
bool
dmt_buffer_make_room(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, bool beyond_limit);

/* Writes all of the buffer to the file. */
void
dmt_buffer_write(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/* Keeps the buffer of a thread that ends in memory. false: there is none for
 * it; all of its records are dropped, and counted. */
bool
dmt_buffer_keep(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/* Takes the buffer away; what it holds has been written, or is dropped. */
void
dmt_buffer_remove(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/* Writes records to the file, and counts them. */
void
dmt_buffer_write_records(struct dmtrace_recorder *recorder,
    const uint8_t *records, size_t len);

/* Whether full buffers stay in memory. */
bool
dmt_buffers_stay(const struct dmtrace_recorder *recorder);

/* Writes what stayed in memory, after the enters that it lacks, and sets
 * draining: as long as it is set, all goes to the file. */
void
dmt_buffers_drain(struct dmtrace_recorder *recorder);

/* Frees what stayed in memory. */
void
dmt_buffers_free(struct dmtrace_recorder *recorder);

#endif
