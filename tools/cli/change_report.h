/* change_report.h - what was changed in a trace */
#ifndef CHANGE_REPORT_H
#define CHANGE_REPORT_H

#include "cli/job.h"
#include "cli/table.h"

/* Set job, the table's form, in, to_messages and nothing; the rest is zero. */
struct change_report {
	struct job *job;
	struct table table;		/* a row for each change */
	struct dmtrace_file in;
	bool to_messages;		/* the trace has standard output */
	const char *nothing;		/* in text, if nothing was changed */
	size_t count;
};

/* The line of column names, where the form has one. */
void
change_report_begin(struct change_report *report);

/* A dmtrace_change_fn, of which the report is the context. After the last
 * change it prints all to standard output, unless the trace goes there; it
 * reports its own failures. */
int
change_report_add(void *context, const struct dmtrace_change *change);

void
change_report_fini(struct change_report *report);

#endif
