/* report.h - what the shim tells: "dmtrace record", or whoever reads stderr */
#ifndef DMT_INSTRUMENT_REPORT_H
#define DMT_INSTRUMENT_REPORT_H

#include <dmtrace/recorder.h>
#include <stdbool.h>

/*
 * The file of "dmtrace record" gets a line of words with TABs between them
 * from each process: "start PID PATH", "stop PID EVENTS DROPPED METHODS
 * THREADS FILES ENDED PATH", "fail PID WORDS"; ENDED is the number of an enum
 * dmtrace_recorder_end, or 0. Without such a file only what has
 * gone wrong is told, on standard error.
 */

/* Whether this process is the first one to ask. */
bool
dmt_report_claim(const char *report);

void
dmt_report_start(const char *report, const char *path);

void
dmt_report_stop(const char *report, const char *path,
    const struct dmtrace_recorder_result *result);

void
dmt_report_failure(const char *report, const char *words);

#endif
