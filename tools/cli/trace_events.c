/* trace_events.c - passes the selected events of operands to a consumer */

#include "cli/trace_events.h"

#include "cli/msg.h"
#include "private/profile.h"
#include "private/trace.h"

static int
fail_trace_events(struct trace_events *events,
    const struct dmtrace_error *error)
{
	progress_erase(&events->job->progress);
	msg_failure(events->job->name, error);
	events->failure = *error;
	return CMD_TROUBLE;
}

static bool
has_conditions(const struct trace_events *events)
{
	return events->selection != NULL &&
	    !dmt_selection_is_all(events->selection->asked);
}

/* The input must be held: a selection reads events before they are passed on,
 * and a profile reads them more than once. */
static int
open_operand(struct trace_events *events, const char *operand)
{
	struct job *const job = events->job;

	if (job_open(job, operand) != CMD_OK) {
		if (job->reader != NULL)
			events->failure = *dmtrace_reader_error(job->reader);
		return CMD_TROUBLE;
	}
	if (has_conditions(events) && selection_resolve(events->selection,
	    job->reader, job->name) != OPT_GO)
		return CMD_TROUBLE;
	const bool again = has_conditions(events) || events->sink == NULL ||
	    events->hold || events->by_time;
	if (again && dmt_reader_hold(job->reader) != DMTRACE_OK)
		return fail_trace_events(events,
		    dmtrace_reader_error(job->reader));
	return CMD_OK;
}

int
trace_events_add(struct trace_events *events, const char *operand)
{
	const struct trace_events_sink *const sink = events->sink;
	struct job *const job = events->job;
	int status = CMD_OK;

	events->failure = (struct dmtrace_error){ .status = DMTRACE_OK };
	if (open_operand(events, operand) != CMD_OK)
		return CMD_TROUBLE;
	struct dmtrace_source *source = dmtrace_source_new(job->reader);
	if (events->by_time && dmt_reader_is_sortable(job->reader))
		source = dmt_source_sort(source, 0);
	if (has_conditions(events))
		source = dmt_source_select(source, events->selection->asked);
	if (source == NULL)
		return msg_fail_memory();
	dmt_source_set_progress(source, progress_show, &job->progress);

	/* The failure is the source's, or else the consumer's. */
	const enum dmtrace_status passed = sink != NULL ?
	    sink->add(events->context, source) :
	    dmt_profile_add(events->profile, source);
	const struct dmtrace_error *const error =
	    dmtrace_source_error(source);
	progress_erase(&job->progress);
	if (passed != DMTRACE_OK)
		status = fail_trace_events(events,
		    error->status != DMTRACE_OK ? error :
		    sink != NULL ? sink->error(events->context) :
		    dmtrace_profile_error(events->profile));
	else if (has_conditions(events) &&
	    selection_check(events->selection, job->reader, job->name,
	    dmt_selection_count(events->selection->asked) == 0) != OPT_GO)
		status = CMD_TROUBLE;
	dmtrace_source_free(source);
	return status == CMD_OK &&
	    msg_errors(job->name, job->reader, job->quiet) ? CMD_NO : status;
}
