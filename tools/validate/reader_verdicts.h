/* reader_verdicts.h - what other programs do with traces, for --for */
#ifndef READER_VERDICTS_H
#define READER_VERDICTS_H

#include <dmtrace.h>
#include <stdbool.h>

#include "cli/opt.h"
#include "cli/strbuf.h"
#include "cli/table.h"

/* The ones that are asked for. */
struct reader_verdicts {
	bool asked[DMTRACE_READERS];
	bool any;
};

/* Takes the values of --for: names with commas between them, or "all".
 * False, which is said: one is none. */
bool
reader_verdicts_add(struct reader_verdicts *viewers,
    const struct opt_list *names);

/* The line of column names, where the form has one. */
void
reader_verdicts_put_names(struct strbuf *buffer, enum form form);

/* The row of a file that could not be read. */
void
reader_verdicts_put_unreadable(struct strbuf *buffer, enum form form,
    const char *file, const char *words);

/* The verdict of each that is asked for; with quiet only those that do not
 * read the file. Returns whether all read it. */
bool
reader_verdicts_put(struct strbuf *buffer, enum form form, bool quiet,
    const struct reader_verdicts *viewers, const char *file,
    const struct dmtrace_verdict verdicts[DMTRACE_READERS]);

/* The table behind it: a line for each rule that any of them minds. */
void
reader_verdicts_put_rules(struct strbuf *buffer, enum form form,
    const struct reader_verdicts *viewers);

#endif
