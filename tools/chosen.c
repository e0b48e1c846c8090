/* chosen.c - the events of a trace that a selection leaves */

#include "chosen.h"

#include "msg.h"

int
chosen_fail(const struct chosen *chosen, const struct dmtrace_error *error)
{
	progress_erase(chosen->progress);
	msg_failure(chosen->name, error);
	if (chosen->failure != NULL)
		*chosen->failure = *error;
	return CMD_TROUBLE;
}

static int
fail_reader(const struct chosen *chosen)
{
	return chosen_fail(chosen, dmtrace_reader_error(chosen->reader));
}

int
chosen_hold(const struct chosen *chosen)
{
	return dmtrace_reader_hold(chosen->reader) == DMTRACE_OK ? CMD_OK :
	    fail_reader(chosen);
}

static bool
selects(const struct chosen *chosen)
{
	return chosen->selection != NULL &&
	    !dmtrace_selection_is_all(chosen->selection->asked);
}

int
chosen_begin(struct chosen *chosen)
{
	if (selects(chosen) && (selection_resolve(chosen->selection,
	    chosen->reader, chosen->name) != OPT_GO ||
	    chosen_hold(chosen) != CMD_OK))
		return CMD_TROUBLE;
	chosen->source = dmtrace_source_new(chosen->reader);
	if (selects(chosen))
		chosen->source = dmtrace_select(chosen->source,
		    chosen->selection->asked);
	if (chosen->source == NULL) {
		msg_memory();
		return CMD_TROUBLE;
	}
	dmtrace_source_set_progress(chosen->source, progress_tell,
	    chosen->progress);
	return CMD_OK;
}

int
chosen_check(const struct chosen *chosen)
{
	if (!selects(chosen))
		return CMD_OK;
	progress_erase(chosen->progress);
	return selection_check(chosen->selection, chosen->reader,
	    chosen->name, dmtrace_selection_count(chosen->selection->asked) ==
	    0) == OPT_GO ? CMD_OK : CMD_TROUBLE;
}

void
chosen_end(struct chosen *chosen)
{
	dmtrace_source_free(chosen->source);
}
