/* log_marks.h - the entries of an event log, to be shown beside a trace */
#ifndef LOG_MARKS_H
#define LOG_MARKS_H

#include <dmtrace.h>

#include "cli/opt.h"
#include "private/export.h"

/* Zero is none. Memory grows with the number of entries. */
struct log_marks {
	const char *log;		/* --eventlog; NULL: none */
	const char *tag_file;		/* --tags; NULL: none */
	struct dmt_export_instant *items;	/* by time since 1970 */
	size_t count;
	size_t capacity;
	bool begun;			/* log_marks_next was called */
	uint64_t start_ns;		/* of the trace, in their times */
	size_t next;			/* in items */
	uint64_t outside;		/* of the first and the last event */
};

#define OPT_LOG_MARKS(m) \
	OPT_STRING(0, "eventlog", "LOG", &(m)->log, \
	    "show the entries of an event log of the same run"), \
	OPT_STRING(0, "tags", "FILE", &(m)->tag_file, \
	    "with --eventlog: names, from an event-log-tags file")

/* Reads the log, if there is one, and reports its findings unless quiet.
 * Returns OPT_GO, or CMD_TROUBLE, which is reported. */
int
log_marks_load(struct log_marks *marks, const struct cmd *cmd, bool quiet);

/* Sets *start_ns to when the reader's trace started, since 1970. false, with
 * error set: its header does not say so, or it has no wall times. */
bool
log_marks_start(const struct dmtrace_reader *reader, uint64_t *start_ns,
    struct dmtrace_error *error);

/*
 * Beside the events of a trace, in their order: *start_ns is what
 * log_marks_start says of it. Returns the next mark before time_ns, its own
 * time, from the start of the trace, being *mark_ns; NULL: none. The first call
 * is for the first event, and leaves out all marks before it.
 */
const struct dmt_export_instant *
log_marks_next(struct log_marks *marks, uint64_t time_ns, uint64_t *mark_ns);

/* Called when there are no more events: the marks that are left have no place.
 * */
void
log_marks_end(struct log_marks *marks);

/* Reports how many entries have no place in a trace, if there are any. */
void
log_marks_note_outside(uint64_t outside);

void
log_marks_fini(struct log_marks *marks);

#endif
