/* by_thread.h - stores the output of each thread until it is written */
#ifndef DMT_EXPORT_BY_THREAD_H
#define DMT_EXPORT_BY_THREAD_H

#include <dmtrace/trace.h>
#include <stdbool.h>

#include "events/tables.h"
#include "private/output.h"
#include "trace/spool.h"

/*
 * For formats that write one thread after the other: they write each thread's
 * text here as the events come, and copy it at the end. Up to DMT_CHUNK bytes
 * of each thread are in memory; full chunks are in the spool, and only their
 * places in memory. A format with several columns per thread has a text for
 * each of them.
 */
#define DMT_CHUNK 16384
#define DMT_THREAD_TEXTS 4		/* columns of a thread */

struct dmt_by_thread {
	struct dmt_spool spool;
	struct dmt_thread_texts *items;	/* by thread index */
	uint8_t *chunk;			/* the one that is being copied */
	size_t tail_bytes;		/* of all texts, in memory */
	bool failed;			/* no memory was left */
};

/* There are texts for each thread of the source (tables.h). The spool is in
 * TMPDIR, else in /tmp. Call fini in any case. Returns DMTRACE_OK, or the
 * status of the spool's error. */
enum dmtrace_status
dmt_by_thread_init(struct dmt_by_thread *texts, struct dmtrace_source *source);

/* Appends up to DMT_CHUNK bytes to a text. Failures are returned by finish. */
void
dmt_by_thread_write(struct dmt_by_thread *texts, uint32_t thread,
    unsigned column, const void *bytes, size_t len);

/* Returns how many bytes the text in column 0 has so far. */
uint64_t
dmt_by_thread_len(const struct dmt_by_thread *texts, uint32_t thread);

/* Ends the appending. Returns DMTRACE_OK, DMTRACE_ERR_MEMORY or the status of
 * the spool's error. */
enum dmtrace_status
dmt_by_thread_finish(struct dmt_by_thread *texts);

/* Copies a text. Returns what finish does. */
enum dmtrace_status
dmt_by_thread_copy(struct dmt_by_thread *texts, uint32_t thread,
    unsigned column, struct dmt_output *out);

void
dmt_by_thread_fini(struct dmt_by_thread *texts);

#endif
