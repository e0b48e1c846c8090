/* entry_print.h - prints entries of event logs in the forms of a report */
#ifndef ENTRY_PRINT_H
#define ENTRY_PRINT_H

#include <dmtrace.h>

#include "cli/table.h"

/* Set all members but the last two. */
struct entry_printer {
	struct table table;		/* open */
	bool logcat;			/* text in the form of logcat */
	bool raw;			/* do not escape strings */
	const struct dmtrace_tags *tags;	/* NULL: none */
	const char *file;
	size_t *lists;			/* the open ones, by index */
	size_t capacity;
};

/* Sets the columns of the table. */
void
entry_print_columns(struct entry_printer *put);

/* Prints an entry: a row, or a line of text or, in the form of logcat, a line
 * for each line of its message. */
void
entry_print(struct entry_printer *put, const struct dmtrace_entry *entry);

/* Writes the parts of an entry's text, which is not raw: name and tag, and
 * values or message. Without memory one of the two buffers has failed. */
void
entry_describe(struct entry_printer *put, const struct dmtrace_entry *entry,
    struct dmt_output *name, struct dmt_output *detail);

void
entry_printer_fini(struct entry_printer *put);

#endif
