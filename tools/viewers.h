/* viewers.h - what other programs make of traces, by --for */
#ifndef VIEWERS_H
#define VIEWERS_H

#include <dmtrace.h>
#include <stdbool.h>

#include "buffer.h"
#include "form.h"
#include "opt.h"

/* The ones that are asked for. */
struct viewers {
	bool asked[DMTRACE_READERS];
	bool any;
};

/* Takes the values of --for: names with commas between them, or "all".
 * False, which is said: one is none. */
bool
viewers_add(struct viewers *viewers, const struct opt_list *names);

/* The line of column names, where the form has one. */
void
viewers_put_names(struct buffer *buffer, enum form form);

/* The row of a file that could not be read. */
void
viewers_put_unreadable(struct buffer *buffer, enum form form,
    const char *file, const char *words);

/* The verdict of each that is asked for; with quiet only those that do not
 * read the file. Returns whether all read it. */
bool
viewers_put(struct buffer *buffer, enum form form, bool quiet,
    const struct viewers *viewers, const char *file,
    const struct dmtrace_verdict verdicts[DMTRACE_READERS]);

/* The table behind it: a line for each rule that any of them minds. */
void
viewers_put_rules(struct buffer *buffer, enum form form,
    const struct viewers *viewers);

#endif
