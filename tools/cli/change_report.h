/* change_report.h - reports the changes that a command made in a trace */
#ifndef CHANGE_REPORT_H
#define CHANGE_REPORT_H

#include "cli/job.h"
#include "cli/table.h"

/* Set job, the table's form, in, to_messages and nothing; zero the rest. */
struct change_report {
	struct job *job;
	struct table table;		/* a row per change */
	struct dmtrace_file in;
	bool to_messages;		/* standard output is used for the
					   trace */
	const char *nothing;		/* text if nothing was changed */
	size_t count;
};

/* Prints the line of column names, if the form has one. */
void
change_report_begin(struct change_report *report);

/* A dmtrace_change_fn; its context is the report. After the last change it
 * prints all of them, to standard output unless the trace goes there. It
 * reports its own failures. */
int
change_report_add(void *context, const struct dmtrace_change *change);

/* Frees the report. If status is CMD_TROUBLE, there is no trace, and a document
 * without rows is printed. */
void
change_report_end(struct change_report *report, int status);

#endif
