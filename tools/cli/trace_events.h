/* trace_events.h - the selected events of operands, for what takes them */
#ifndef TRACE_EVENTS_H
#define TRACE_EVENTS_H

#include <dmtrace.h>

#include "cli/progress.h"
#include "cli/selection.h"

/* What takes the events of a trace. */
struct trace_events_sink {
	enum dmtrace_status (*add)(void *context,
	    struct dmtrace_source *source);
	const struct dmtrace_error *(*error)(void *context);
};

/*
 * For each operand, trace_events_add opens it, looks up what is selected,
 * passes the events to the profile or the sink, and reports findings and
 * failures. The reader of the last one stays open.
 */
struct trace_events {
	struct dmtrace_profile *profile;
	const struct trace_events_sink *sink;	/* in its place; NULL: none */
	void *context;			/* for sink */
	struct selection *selection;	/* begun; NULL: all events */
	const struct dmtrace_file *out;	/* what no input may be */
	bool by_time;			/* in the order of their times, if
					   these can be compared */
	bool hold;			/* the sink reads events twice */
	bool quiet;			/* no findings to standard error */
	struct progress progress;
	struct dmtrace_error failure;	/* why the last operand could not be
					   read; DMTRACE_OK: it could, or what
					   failed is something else */
	struct dmtrace_reader *reader;	/* of the last operand */
};

/*
 * Adds the trace of an operand, and reports what is wrong with it. Returns the
 * exit status: CMD_NO, an error was found in it; CMD_TROUBLE, it was not, or
 * not to its end, added. After the last one, selection_finish; in any case,
 * free the reader.
 */
int
trace_events_add(struct trace_events *events, const char *operand);

#endif
