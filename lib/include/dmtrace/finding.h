/* dmtrace/finding.h - what is odd about a trace that can still be read */
#ifndef DMTRACE_FINDING_H
#define DMTRACE_FINDING_H

#include <dmtrace/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum dmtrace_severity {
	DMTRACE_NOTE = 0,	/* what real traces have */
	DMTRACE_WARNING = 1,	/* some readers will stumble */
	DMTRACE_ERROR = 2	/* something cannot be read or is lost */
};

/*
 * One finding, or (from a reader's list) all of one name together: then
 * count is how many there were, and the place and the words are the first's.
 * The strings belong to the library and to whoever handed the finding out:
 * words lives as long as the call-back runs or the list is unchanged.
 */
struct dmtrace_finding {
	const char *name;	/* stable, such as "key-crlf" */
	enum dmtrace_severity severity;
	enum dmtrace_place place;
	uint64_t at;		/* line of the key or byte of the file */
	uint64_t count;
	const char *words;	/* safe to print */
};

/* Called for every finding as it is made, in the thread that reads. */
typedef void
dmtrace_finding_fn(void *context, const struct dmtrace_finding *finding);

/* "note", "warning" or "error"; "" for another number. Thread-safe. */
DMTRACE_API const char *
dmtrace_severity_name(enum dmtrace_severity severity);

/*
 * The findings there are, one row each, by index from 0: name, severity and
 * the words of the row, which live as long as the program. Returns 0, or 1
 * past the last one, and then *row is as it was. Thread-safe.
 */
DMTRACE_API int
dmtrace_finding_row(size_t index, struct dmtrace_finding *row);

#ifdef __cplusplus
}
#endif

#endif
