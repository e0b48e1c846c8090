/* dmtrace/calls.h - what is odd about the calls of a trace */
#ifndef DMTRACE_CALLS_H
#define DMTRACE_CALLS_H

#include <dmtrace/finding.h>
#include <dmtrace/key.h>
#include <dmtrace/stack.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The call stacks of a trace, held against its key: tells exits that match
 * no call, calls without an end, threads and methods that no table lists
 * (dmtrace.5, FINDINGS). Used by one thread at a time.
 */
struct dmtrace_calls;

/* The key and the layout must live as long. NULL: no memory. */
DMTRACE_API struct dmtrace_calls *
dmtrace_calls_new(const struct dmtrace_key *key,
    const struct dmtrace_layout *layout);

/* NULL is allowed. */
DMTRACE_API void
dmtrace_calls_free(struct dmtrace_calls *calls);

/* A function that is told every finding as it is made; by default they are
 * only counted. It must not call back. */
DMTRACE_API void
dmtrace_calls_set_report(struct dmtrace_calls *calls,
    dmtrace_finding_fn *report, void *context);

/* The stacks, for their depths and to set their limit. Belong to the calls. */
DMTRACE_API struct dmtrace_stacks *
dmtrace_calls_stacks(struct dmtrace_calls *calls);

/*
 * Takes the next event, whose record begins at byte at of its file. Returns
 * what dmtrace_stacks_step does, and sets *step as that.
 */
DMTRACE_API enum dmtrace_status
dmtrace_calls_step(struct dmtrace_calls *calls,
    const struct dmtrace_event *event, uint64_t at,
    struct dmtrace_step *step);

/* Tells the calls that are open, at the end. */
DMTRACE_API void
dmtrace_calls_end(struct dmtrace_calls *calls);

/* Findings so far, as dmtrace_reader_finding_count and _get have them. */
DMTRACE_API size_t
dmtrace_calls_finding_count(const struct dmtrace_calls *calls);
DMTRACE_API const struct dmtrace_finding *
dmtrace_calls_finding_get(struct dmtrace_calls *calls, size_t index);

#ifdef __cplusplus
}
#endif

#endif
