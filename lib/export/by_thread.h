/* by_thread.h - text of each thread, kept until its turn */
#ifndef DMT_EXPORT_BY_THREAD_H
#define DMT_EXPORT_BY_THREAD_H

#include <dmtrace/trace.h>
#include <stdbool.h>

#include "private/sink.h"
#include "trace/spool.h"

/*
 * Formats that have one thread after the other write each thread's text here
 * while the events of all come in turn, and copy it when they have ended. Of
 * a thread that writes, up to DMT_CHUNK bytes wait in memory; full chunks go
 * to the spool, and only where they begin is kept. A format that has several
 * columns for a thread counts each as a thread.
 */
#define DMT_CHUNK 16384

struct dmt_by_thread {
	struct dmt_spool spool;
	struct dmt_thread_text *threads;
	size_t count;
	size_t capacity;
	uint8_t *chunk;			/* one that is copied */
	bool failed;			/* no memory */
};

/* The spool is in TMPDIR, else /tmp. Ended by fini in any case. Returns
 * DMTRACE_OK, or the status of the spool's error. */
enum dmtrace_status
dmt_by_thread_init(struct dmt_by_thread *texts);

/* Makes room for the texts of so many threads. false: no memory. */
bool
dmt_by_thread_reserve(struct dmt_by_thread *texts, size_t count);

/* Appends up to DMT_CHUNK bytes. A failure is seen by finish. */
void
dmt_by_thread_write(struct dmt_by_thread *texts, size_t thread,
    const void *bytes, size_t len);

/* How many bytes a thread has so far. */
uint64_t
dmt_by_thread_len(const struct dmt_by_thread *texts, size_t thread);

/* Nothing is appended any more. Returns DMTRACE_OK, DMTRACE_ERR_MEMORY or the
 * status of the spool's error. */
enum dmtrace_status
dmt_by_thread_finish(struct dmt_by_thread *texts);

/* Copies the text of a thread. Returns what finish does. */
enum dmtrace_status
dmt_by_thread_copy(struct dmt_by_thread *texts, size_t thread,
    struct dmt_sink *sink);

void
dmt_by_thread_fini(struct dmt_by_thread *texts);

#endif
