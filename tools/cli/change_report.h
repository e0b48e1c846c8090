/* change_report.h - what was changed in a trace */
#ifndef CHANGE_REPORT_H
#define CHANGE_REPORT_H

#include <dmtrace.h>
#include <stdbool.h>

#include "cli/job.h"
#include "cli/strbuf.h"
#include "cli/table.h"

/* Set all but the last two, which are zero. */
struct change_report {
	struct job *job;
	enum form form;
	struct dmtrace_file in;
	bool to_messages;		/* the trace has standard output */
	const char *nothing;		/* what people read of no change */
	struct strbuf rows;		/* one for each change */
	size_t count;
};

/* The line of column names, where the form has one. */
void
change_report_begin(struct change_report *account);

/* A dmtrace_change_fn, of which the account is the context. After the last
 * change it prints them all to standard output, where that is free for it;
 * a failure it says itself. */
int
change_report_add(void *context, const struct dmtrace_change *change);

void
change_report_fini(struct change_report *account);

#endif
