/* reader_verdicts.h - what other programs do with traces, for --for */
#ifndef READER_VERDICTS_H
#define READER_VERDICTS_H

#include <dmtrace.h>
#include <stdbool.h>

#include "cli/check_report.h"
#include "cli/opt.h"

/* The readers that --for asks for. */
struct reader_verdicts {
	bool asked[DMTRACE_READERS];
	bool any;
};

/* Takes the values of --for: names with commas between them, or "all".
 * False, which is reported: no reader has that name. */
bool
reader_verdicts_add(struct reader_verdicts *readers,
    const struct opt_list *names);

extern const char *const reader_verdicts_columns[];	/* NULL ends them */

/* Puts the row of a file that could not be read. */
void
reader_verdicts_put_unreadable(struct table *table, const char *file,
    const char *message);

/* Reports the verdict of each that is asked for; if quiet, only those that do
 * not read the file. Returns whether all read it. */
bool
reader_verdicts_put(struct check_report *report, bool quiet,
    const struct reader_verdicts *readers, const char *file,
    const struct dmtrace_verdict verdicts[DMTRACE_READERS]);

/* Puts the rules that verdicts follow from: a row for each that a reader which
 * was asked for minds. */
void
reader_verdicts_put_rules(struct table *table,
    const struct reader_verdicts *readers);

#endif
