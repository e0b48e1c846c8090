/* recorder.h - options of a recorder before its start */
/* layer: record */
#ifndef DMT_PRIVATE_RECORDER_H
#define DMT_PRIVATE_RECORDER_H

#include <dmtrace/recorder.h>

/*
 * Sets the options for later starts. vm is copied.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_STATE  it is recording
 *   DMTRACE_ERR_RANGE  the version does not support the clock, streaming is
 *                      combined with another version or a journal, a number
 *                      is too small or too large, max_keys differs from an
 *                      earlier start, or vm does not fit in an option line
 */
enum dmtrace_status
dmt_recorder_set_options(struct dmtrace_recorder *recorder,
    const struct dmtrace_recorder_options *options);

#endif
