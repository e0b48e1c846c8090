/* trace_events.h - passes the selected events of operands to a consumer */
#ifndef TRACE_EVENTS_H
#define TRACE_EVENTS_H

#include <dmtrace.h>

#include "cli/job.h"
#include "cli/selection.h"

/* A consumer of the events of a trace. */
struct trace_events_sink {
	enum dmtrace_status (*add)(void *context,
	    struct dmtrace_source *source);
	/* What failed if the source did not; NULL: nothing else can fail. */
	const struct dmtrace_error *(*error)(void *context);
};

/*
 * For each operand, trace_events_add opens it as the job's, resolves the
 * selection, passes the events to the profile or the sink, and reports findings
 * and failures. The reader of the last operand stays open.
 */
struct trace_events {
	struct job *job;
	struct dmtrace_profile *profile;
	const struct trace_events_sink *sink;	/* instead of the profile;
						   NULL: none */
	void *context;			/* for sink */
	struct selection *selection;	/* selection_begin was called; NULL:
					   all events */
	bool by_time;			/* order events by time, if times can
					   be compared */
	bool hold;			/* the sink reads events twice */
	struct dmtrace_error failure;	/* why the last operand could not be
					   read; DMTRACE_OK: it could, or
					   something else failed */
};

/*
 * Adds the trace of an operand, and reports what is wrong with it. Returns the
 * exit status: CMD_NO: an error was found in it; CMD_TROUBLE: it was not added
 * completely. After the last operand call selection_finish; in any case,
 * job_fini.
 */
int
trace_events_add(struct trace_events *events, const char *operand);

#endif
