/* reader_verdicts.h - prints what other programs do with traces, for --for */
#ifndef READER_VERDICTS_H
#define READER_VERDICTS_H

#include <dmtrace.h>
#include <stdbool.h>

#include "cli/check_report.h"
#include "cli/opt.h"

/* The readers that --for names. */
struct reader_verdicts {
	bool asked[DMTRACE_READERS];
	bool any;
};

/* Adds a value of --for: names separated by commas, or "all". false: no reader
 * has that name, which was reported. */
bool
reader_verdicts_add(struct reader_verdicts *readers,
    const struct opt_list *names);

extern const char *const reader_verdicts_columns[];	/* NULL ends them */

/* Prints the row of a file that could not be read. */
void
reader_verdicts_put_unreadable(struct table *table, const char *file,
    const char *message);

/* Prints the verdicts of the readers; if quiet, only of those that cannot read
 * the file. Returns true if all of them can. */
bool
reader_verdicts_put(struct check_report *report, bool quiet,
    const struct reader_verdicts *readers, const char *file,
    const struct dmtrace_verdict verdicts[DMTRACE_READERS]);

/* Prints the rules that verdicts follow from: a row for each that matters to a
 * reader that --for names. */
void
reader_verdicts_put_rules(struct table *table,
    const struct reader_verdicts *readers);

#endif
