/* chosen.c - the events of a trace that a selection leaves */

#include "chosen.h"

#include "msg.h"

#define BATCH 2048		/* events */

int
chosen_fail(const struct chosen *chosen, const struct dmtrace_error *error)
{
	progress_erase(chosen->progress);
	msg_failure(chosen->name, error);
	return CMD_TROUBLE;
}

static int
fail_reader(const struct chosen *chosen)
{
	return chosen_fail(chosen, dmtrace_reader_error(chosen->reader));
}

static int
fail_source(const struct chosen *chosen)
{
	return chosen_fail(chosen, dmtrace_source_error(chosen->source));
}

int
chosen_hold(const struct chosen *chosen)
{
	return dmtrace_reader_hold(chosen->reader) == DMTRACE_OK ? CMD_OK :
	    fail_reader(chosen);
}

/* The source of the selected events, or of all. */
static int
open_source(struct chosen *chosen, bool all)
{
	struct dmtrace_source *source = dmtrace_source_new(chosen->reader);

	if (!all)
		source = dmtrace_select(source, chosen->selection->asked);
	if (source == NULL) {
		msg_memory();
		return CMD_TROUBLE;
	}
	dmtrace_source_set_progress(source, progress_tell, chosen->progress);
	chosen->source = source;
	return CMD_OK;
}

int
chosen_begin(struct chosen *chosen)
{
	struct selection *const selection = chosen->selection;

	if (selection == NULL || dmtrace_selection_is_all(selection->asked))
		return CMD_OK;
	return selection_resolve(selection, chosen->reader, chosen->name) ==
	    OPT_GO && chosen_hold(chosen) == CMD_OK &&
	    open_source(chosen, false) == CMD_OK ? CMD_OK : CMD_TROUBLE;
}

int
chosen_each(struct chosen *chosen, chosen_fn *take, void *context)
{
	const bool selects = chosen->selection != NULL &&
	    !dmtrace_selection_is_all(chosen->selection->asked);
	struct dmtrace_event events[BATCH];
	int status = CMD_OK;
	size_t count;

	if (chosen->source == NULL && open_source(chosen, true) != CMD_OK)
		return CMD_TROUBLE;
	do {
		if (dmtrace_source_read(chosen->source, events, BATCH,
		    &count) != DMTRACE_OK)
			return fail_source(chosen);
		status = take(context, events, count);
	} while (status == CMD_OK && count > 0);
	if (status != CMD_OK || !selects || chosen->checked)
		return status;
	chosen->checked = true;
	progress_erase(chosen->progress);
	return selection_check(chosen->selection, chosen->reader,
	    chosen->name, dmtrace_selection_count(chosen->selection->asked) ==
	    0) == OPT_GO ? CMD_OK : CMD_TROUBLE;
}

int
chosen_rewind(const struct chosen *chosen)
{
	if (chosen->source != NULL)
		return dmtrace_source_rewind(chosen->source) == DMTRACE_OK ?
		    CMD_OK : fail_source(chosen);
	return dmtrace_reader_rewind(chosen->reader) == DMTRACE_OK ? CMD_OK :
	    fail_reader(chosen);
}

void
chosen_end(struct chosen *chosen)
{
	dmtrace_source_free(chosen->source);
}
