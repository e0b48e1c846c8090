/* trace_events.c - traces into a profile, or what else takes events */

#include "cli/trace_events.h"

#include "cli/cli_files.h"
#include "cli/msg.h"
#include "cli/selected_events.h"

static int
open_trace_reader(struct trace_events *gather, struct selected_events *chosen,
    const char *operand)
{
	if (chosen->reader == NULL)
		return msg_fail_memory();
	if (files_open(chosen->reader, operand) != DMTRACE_OK)
		return selected_events_fail(chosen,
		    dmtrace_reader_error(chosen->reader));
	return files_clash_trace(chosen->reader, operand, gather->out) ?
	    CMD_TROUBLE : CMD_OK;
}

static enum dmtrace_status
pass_to_sink(const struct trace_events *gather, struct dmtrace_source *source)
{
	return gather->use != NULL ?
	    gather->use->add(gather->context, source) :
	    dmtrace_profile_add(gather->profile, source);
}

/* The source's failure, or else that of what takes its events. */
static int
fail_trace_events(const struct trace_events *gather,
    const struct selected_events *chosen)
{
	const struct dmtrace_error *const error =
	    dmtrace_source_error(chosen->source);

	return selected_events_fail(chosen, error->status != DMTRACE_OK ?
	    error :
	    gather->use != NULL ? gather->use->error(gather->context) :
	    dmtrace_profile_error(gather->profile));
}

/* The exit status. */
static int
add_trace_events(struct trace_events *gather, struct selected_events *chosen,
    const char *operand)
{
	if (open_trace_reader(gather, chosen, operand) != CMD_OK ||
	    (gather->use == NULL && selected_events_hold(chosen) != CMD_OK) ||
	    selected_events_begin(chosen) != CMD_OK)
		return CMD_TROUBLE;
	if (pass_to_sink(gather, chosen->source) != DMTRACE_OK)
		return fail_trace_events(gather, chosen);
	const int status = selected_events_check(chosen);
	progress_erase(&gather->progress);
	return status != CMD_TROUBLE && msg_errors(chosen->name,
	    chosen->reader, gather->quiet) ? CMD_NO : status;
}

int
trace_events_add(struct trace_events *gather, const char *operand)
{
	const struct dmtrace_file in = files_input(operand);
	struct selected_events chosen = {
		.reader = dmtrace_reader_new(), .name = files_name(&in),
		.selection = gather->selection, .progress = &gather->progress,
		.failure = &gather->failure
	};

	gather->failure = (struct dmtrace_error){ .status = DMTRACE_OK };
	const int status = add_trace_events(gather, &chosen, operand);

	progress_erase(&gather->progress);
	selected_events_end(&chosen);
	if (gather->keeps_reader) {
		dmtrace_reader_free(gather->reader);
		gather->reader = chosen.reader;
	} else {
		dmtrace_reader_free(chosen.reader);
	}
	return status;
}
