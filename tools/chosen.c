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
fail_selector(const struct chosen *chosen)
{
	return chosen_fail(chosen, dmtrace_selector_error(chosen->selector));
}

/* The next events; CMD_TROUBLE, which is said, or CMD_OK. */
static int
read_batch(const struct chosen *chosen, struct dmtrace_event *events,
    size_t *count)
{
	if (dmtrace_reader_read(chosen->reader, events, BATCH, count) !=
	    DMTRACE_OK)
		return fail_reader(chosen);
	progress_tell(chosen->progress,
	    dmtrace_reader_position(chosen->reader), 0);
	return CMD_OK;
}

static int
learn_all(const struct chosen *chosen)
{
	struct dmtrace_event events[BATCH];
	size_t count;

	do {
		if (read_batch(chosen, events, &count) != CMD_OK)
			return CMD_TROUBLE;
		if (dmtrace_selector_learn(chosen->selector, events, count) !=
		    DMTRACE_OK)
			return fail_selector(chosen);
	} while (count > 0);
	return dmtrace_selector_learned(chosen->selector) == DMTRACE_OK ?
	    CMD_OK : fail_selector(chosen);
}

int
chosen_hold(const struct chosen *chosen)
{
	return dmtrace_reader_hold(chosen->reader) == DMTRACE_OK ? CMD_OK :
	    fail_reader(chosen);
}

/* Reads the trace, and goes back to its first record. */
static int
learn(const struct chosen *chosen)
{
	if (chosen_hold(chosen) != CMD_OK || learn_all(chosen) != CMD_OK)
		return CMD_TROUBLE;
	return dmtrace_reader_rewind(chosen->reader) == DMTRACE_OK ? CMD_OK :
	    fail_reader(chosen);
}

int
chosen_begin(struct chosen *chosen)
{
	struct selection *const selection = chosen->selection;

	if (selection == NULL || dmtrace_selection_is_all(selection->asked))
		return CMD_OK;
	const int resolved = selection_resolve(selection, chosen->reader,
	    chosen->name);
	if (resolved == CMD_TROUBLE)
		return CMD_TROUBLE;
	chosen->selector = dmtrace_selector_new(selection->asked);
	if (chosen->selector == NULL) {
		msg_memory();
		return CMD_TROUBLE;
	}
	if (dmtrace_selector_learns(chosen->selector) &&
	    learn(chosen) != CMD_OK)
		return CMD_TROUBLE;
	return resolved == CMD_NO ? CMD_NO : CMD_OK;
}

/* Those that are selected move to the front. */
static int
take_batch(const struct chosen *chosen, struct dmtrace_event *events,
    size_t count, chosen_fn *take, void *context)
{
	uint8_t keep[BATCH];
	size_t kept = 0;

	if (chosen->selector == NULL)
		return take(context, events, count);
	if (dmtrace_selector_select(chosen->selector, events, count, keep) !=
	    DMTRACE_OK)
		return fail_selector(chosen);
	for (size_t i = 0; i < count; i++)
		if (keep[i])
			events[kept++] = events[i];
	return take(context, events, kept);
}

static int
take_all(const struct chosen *chosen, chosen_fn *take, void *context)
{
	struct dmtrace_event events[BATCH];
	size_t count;
	int status;

	do {
		status = read_batch(chosen, events, &count);
		if (status == CMD_OK)
			status = take_batch(chosen, events, count, take,
			    context);
	} while (status == CMD_OK && count > 0);
	return status;
}

/* With the frames that a window opens and closes. */
int
chosen_each(struct chosen *chosen, chosen_fn *take, void *context)
{
	const struct dmtrace_event *frames;
	size_t count;

	if (chosen->selector == NULL)
		return take_all(chosen, take, context);
	frames = dmtrace_selector_opened(chosen->selector, &count);
	int status = take(context, frames, count);
	if (status == CMD_OK)
		status = take_all(chosen, take, context);
	if (status != CMD_OK)
		return status;
	frames = dmtrace_selector_closed(chosen->selector, &count);
	status = take(context, frames, count);
	return status == CMD_OK && selection_check(chosen->selection,
	    chosen->reader, chosen->name) != OPT_GO ? CMD_TROUBLE : status;
}

int
chosen_rewind(const struct chosen *chosen)
{
	if (chosen->selector != NULL &&
	    dmtrace_selector_rewind(chosen->selector) != DMTRACE_OK)
		return fail_selector(chosen);
	return dmtrace_reader_rewind(chosen->reader) == DMTRACE_OK ? CMD_OK :
	    fail_reader(chosen);
}

void
chosen_end(struct chosen *chosen)
{
	dmtrace_selector_free(chosen->selector);
}
