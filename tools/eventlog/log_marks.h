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
 * error set: its header does not say so. */
bool
log_marks_start(const struct dmtrace_reader *reader, uint64_t *start_ns,
    struct dmtrace_error *error);

void
log_marks_fini(struct log_marks *marks);

#endif
