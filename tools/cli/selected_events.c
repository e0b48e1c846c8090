/* selected_events.c - the events of a trace that a selection leaves */

#include "cli/selected_events.h"

#include "cli/msg.h"

int
selected_events_fail(const struct selected_events *chosen,
    const struct dmtrace_error *error)
{
	progress_erase(chosen->progress);
	msg_failure(chosen->name, error);
	if (chosen->failure != NULL)
		*chosen->failure = *error;
	return CMD_TROUBLE;
}

static int
fail_selected_reader(const struct selected_events *chosen)
{
	return selected_events_fail(chosen,
	    dmtrace_reader_error(chosen->reader));
}

int
selected_events_hold(const struct selected_events *chosen)
{
	return dmtrace_reader_hold(chosen->reader) == DMTRACE_OK ? CMD_OK :
	    fail_selected_reader(chosen);
}

static bool
has_conditions(const struct selected_events *chosen)
{
	return chosen->selection != NULL &&
	    !dmtrace_selection_is_all(chosen->selection->asked);
}

int
selected_events_begin(struct selected_events *chosen)
{
	if (has_conditions(chosen) && (selection_resolve(chosen->selection,
	    chosen->reader, chosen->name) != OPT_GO ||
	    selected_events_hold(chosen) != CMD_OK))
		return CMD_TROUBLE;
	chosen->source = dmtrace_source_new(chosen->reader);
	if (has_conditions(chosen))
		chosen->source = dmtrace_select(chosen->source,
		    chosen->selection->asked);
	if (chosen->source == NULL)
		return msg_fail_memory();
	dmtrace_source_set_progress(chosen->source, progress_show,
	    chosen->progress);
	return CMD_OK;
}

int
selected_events_check(const struct selected_events *chosen)
{
	if (!has_conditions(chosen))
		return CMD_OK;
	progress_erase(chosen->progress);
	return selection_check(chosen->selection, chosen->reader,
	    chosen->name, dmtrace_selection_count(chosen->selection->asked) ==
	    0) == OPT_GO ? CMD_OK : CMD_TROUBLE;
}

void
selected_events_end(struct selected_events *chosen)
{
	dmtrace_source_free(chosen->source);
}
