/* recorder.h - options of a recorder apart from its start */
#ifndef DMT_PRIVATE_RECORDER_H
#define DMT_PRIVATE_RECORDER_H

#include <dmtrace/recorder.h>

/*
 * For the starts to come. vm is copied.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_STATE  it is recording
 *   DMTRACE_ERR_RANGE  a version without room for the clock, streaming with
 *                      another version or a journal, a number that
 *                      is too small or too large, max_keys unlike a
 *                      former start's, a vm that no option line can hold
 */
enum dmtrace_status
dmt_recorder_set_options(struct dmtrace_recorder *recorder,
    const struct dmtrace_recorder_options *options);

/* An unroll at a time of the caller's own, as dmtrace_recorder_exit_at. */
void
dmt_recorder_unroll_at(struct dmtrace_recorder *recorder, uint32_t method,
    uint64_t time_ns);

#endif
