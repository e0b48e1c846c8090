/* entry_print.h - the entries of event logs, in the forms of a report */
#ifndef ENTRY_PRINT_H
#define ENTRY_PRINT_H

#include <dmtrace.h>

#include "cli/table.h"

/* Set what is wanted of all but the last two. */
struct entry_printer {
	struct table table;		/* open */
	bool logcat;			/* text, as logcat prints it */
	bool raw;			/* strings in it are not escaped */
	const struct dmtrace_tags *tags;	/* NULL: none */
	const char *file;
	size_t *lists;			/* that are open, by index */
	size_t capacity;
};

/* Sets the columns of the table. */
void
entry_print_columns(struct entry_printer *put);

/* Puts an entry to the table: a row, or a line of text or, as logcat does, one
 * for each line of its message. */
void
entry_print(struct entry_printer *put, const struct dmtrace_entry *entry);

/* Puts what text has of an entry that is not raw: name and tag, and values or
 * a message. Without memory one of both has failed. */
void
entry_describe(struct entry_printer *put, const struct dmtrace_entry *entry,
    struct strbuf *name, struct strbuf *detail);

void
entry_printer_fini(struct entry_printer *put);

#endif
