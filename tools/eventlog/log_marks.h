/* log_marks.h - entries of an event log that are shown with a trace */
#ifndef LOG_MARKS_H
#define LOG_MARKS_H

#include <dmtrace.h>

#include "cli/opt.h"
#include "private/export.h"

/* A zeroed struct has no entries. Memory grows with the number of entries. */
struct log_marks {
	const char *log;		/* --eventlog; NULL: none */
	const char *tag_file;		/* --tags; NULL: none */
	struct dmt_export_instant *items;	/* sorted by time since 1970 */
	size_t count;
	size_t capacity;
	bool begun;			/* log_marks_next was called */
	uint64_t start_ns;		/* start of the trace, on their clock */
	size_t next;			/* in items */
	uint64_t outside;		/* before the first or after the last
					   event */
};

#define OPT_LOG_MARKS(m) \
	OPT_STRING(0, "eventlog", "LOG", &(m)->log, \
	    "show the entries of an event log of the same run"), \
	OPT_STRING(0, "tags", "FILE", &(m)->tag_file, \
	    "with --eventlog: names, from an event-log-tags file")

/* Reads the log, if one was given, which must not be the output, and reports
 * its findings unless quiet. Returns OPT_GO, or CMD_TROUBLE, which was
 * reported. */
int
log_marks_load(struct log_marks *marks, const struct cmd *cmd,
    const char *output, bool quiet);

/* Sets *start_ns to the start of the reader's trace, since 1970. false, with
 * error set: its header does not have such a time, or there are no wall
 * times, or they begin anew in each thread. */
bool
log_marks_start(const struct dmtrace_reader *reader, uint64_t *start_ns,
    struct dmtrace_error *error);

/*
 * Called for each event of a trace in order; *start_ns is from
 * log_marks_start. Returns the next mark before time_ns, with its time since
 * the start of the trace in *mark_ns; NULL: none. The first call, for the
 * first event, skips all marks before it.
 */
const struct dmt_export_instant *
log_marks_next(struct log_marks *marks, uint64_t time_ns, uint64_t *mark_ns);

/* Called after the last event: the remaining marks are not shown. */
void
log_marks_end(struct log_marks *marks);

/* Reports how many entries are outside a trace, if any. */
void
log_marks_note_outside(uint64_t outside);

void
log_marks_fini(struct log_marks *marks);

#endif
