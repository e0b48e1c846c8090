/* writer_strict.h - what a strict writer knows of earlier events */
#ifndef DMT_TRACE_WRITER_STRICT_H
#define DMT_TRACE_WRITER_STRICT_H

#include "trace/writer.h"

struct dmt_strict;

/* NULL: no memory. */
struct dmt_strict *
dmt_strict_new(void);

/* strict may be NULL. */
void
dmt_strict_free(struct dmt_strict *strict);

/*
 * Checks the next event, which fits the layout of the writer, against the key
 * and against earlier events.
 *
 * Returns DMTRACE_OK, or, set as the writer's error, DMTRACE_ERR_MEMORY,
 * DMTRACE_ERR_LIMIT or DMTRACE_ERR_EVENT
 */
enum dmtrace_status
dmt_strict_check(struct dmt_strict *strict, struct dmtrace_writer *writer,
    const struct dmtrace_event *event);

/* Returns how many times of events were rounded. */
uint64_t
dmt_strict_rounded(const struct dmt_strict *strict);

#endif
