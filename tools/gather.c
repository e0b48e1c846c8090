/* gather.c - traces into a profile */

#include "gather.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "msg.h"

#define BATCH 2048		/* events */

/* One operand on its way. */
struct pass {
	struct gather *gather;
	const char *operand;
	const char *name;		/* for messages */
	struct dmtrace_reader *reader;
	struct dmtrace_selector *selector;	/* NULL: all events */
	off_t start;			/* of standard input, to go back to */
	int status;
};

static int
fail(const struct pass *pass, const struct dmtrace_error *error)
{
	progress_erase(&pass->gather->progress);
	msg_failure(pass->name, error);
	return CMD_TROUBLE;
}

static int
fail_profile(const struct pass *pass)
{
	return fail(pass, dmtrace_profile_error(pass->gather->profile));
}

static bool
is_stdin(const struct pass *pass)
{
	return strcmp(pass->operand, "-") == 0;
}

/* A reader at the first record. */
static int
open_reader(struct pass *pass)
{
	dmtrace_reader_free(pass->reader);
	pass->reader = dmtrace_reader_new();
	if (pass->reader == NULL) {
		msg_memory();
		return CMD_TROUBLE;
	}
	if (files_open(pass->reader, pass->operand) != DMTRACE_OK)
		return fail(pass, dmtrace_reader_error(pass->reader));
	return files_clash_trace(pass->reader, pass->operand,
	    pass->gather->out) ? CMD_TROUBLE : CMD_OK;
}

static void
tell_progress(struct pass *pass)
{
	progress_tell(&pass->gather->progress,
	    dmtrace_reader_position(pass->reader), 0);
}

static int
add_all(struct pass *pass)
{
	size_t count;

	do {
		const enum dmtrace_status status = dmtrace_profile_read(
		    pass->gather->profile, pass->reader, &count);

		if (status != DMTRACE_OK)
			return dmtrace_reader_error(pass->reader)->status !=
			    DMTRACE_OK ?
			    fail(pass, dmtrace_reader_error(pass->reader)) :
			    fail_profile(pass);
		tell_progress(pass);
	} while (count > 0);
	return CMD_OK;
}

static int
add_events(struct pass *pass, const struct dmtrace_event *events,
    size_t count)
{
	return dmtrace_profile_add(pass->gather->profile, events, count) ==
	    DMTRACE_OK ? CMD_OK : fail_profile(pass);
}

/* Judges a batch; those that are selected move to its front. Returns how
 * many, or SIZE_MAX. */
static size_t
select_events(struct pass *pass, struct dmtrace_event *events, size_t count)
{
	uint8_t keep[BATCH];
	size_t kept = 0;

	if (dmtrace_selector_select(pass->selector, events, count, keep) !=
	    DMTRACE_OK)
		return SIZE_MAX;
	for (size_t i = 0; i < count; i++)
		if (keep[i])
			events[kept++] = events[i];
	return kept;
}

/* Calls take for each batch of the trace. */
static int
each_batch(struct pass *pass, int (*take)(struct pass *pass,
    struct dmtrace_event *events, size_t count))
{
	struct dmtrace_event events[BATCH];
	size_t count;
	int status = CMD_OK;

	do {
		if (dmtrace_reader_read(pass->reader, events, BATCH,
		    &count) != DMTRACE_OK)
			return fail(pass, dmtrace_reader_error(pass->reader));
		status = take(pass, events, count);
		tell_progress(pass);
	} while (status == CMD_OK && count > 0);
	return status;
}

static int
learn_batch(struct pass *pass, struct dmtrace_event *events, size_t count)
{
	return dmtrace_selector_learn(pass->selector, events, count) ==
	    DMTRACE_OK ? CMD_OK :
	    fail(pass, dmtrace_selector_error(pass->selector));
}

static int
select_batch(struct pass *pass, struct dmtrace_event *events, size_t count)
{
	const size_t kept = select_events(pass, events, count);

	return kept == SIZE_MAX ?
	    fail(pass, dmtrace_selector_error(pass->selector)) :
	    add_events(pass, events, kept);
}

/* Back to the first record. */
static int
rewind_reader(struct pass *pass)
{
	if (is_stdin(pass) && (pass->start < 0 ||
	    lseek(STDIN_FILENO, pass->start, SEEK_SET) < 0)) {
		msg_error("%s: this selection reads the trace twice, which"
		    " needs a file", pass->name);
		return CMD_TROUBLE;
	}
	return open_reader(pass);
}

static int
learn(struct pass *pass)
{
	if (!dmtrace_selector_learns(pass->selector))
		return CMD_OK;
	if (is_stdin(pass) && pass->start < 0)
		return rewind_reader(pass);
	int status = each_batch(pass, learn_batch);
	if (status == CMD_OK &&
	    dmtrace_selector_learned(pass->selector) != DMTRACE_OK)
		status = fail(pass, dmtrace_selector_error(pass->selector));
	return status == CMD_OK ? rewind_reader(pass) : status;
}

static int
add_selected(struct pass *pass)
{
	const struct dmtrace_event *frames;
	size_t count;

	frames = dmtrace_selector_opened(pass->selector, &count);
	int status = add_events(pass, frames, count);
	if (status == CMD_OK)
		status = each_batch(pass, select_batch);
	if (status != CMD_OK)
		return status;
	frames = dmtrace_selector_closed(pass->selector, &count);
	status = add_events(pass, frames, count);
	if (status == CMD_OK && selection_check(pass->gather->selection,
	    pass->reader, pass->name) != OPT_GO)
		status = CMD_TROUBLE;
	return status;
}

static int
begin_selection(struct pass *pass)
{
	struct selection *selection = pass->gather->selection;

	if (selection == NULL || dmtrace_selection_is_all(selection->asked))
		return CMD_OK;
	const int status = selection_resolve(selection, pass->reader,
	    pass->name);
	if (status == CMD_TROUBLE)
		return status;
	if (status == CMD_NO)
		pass->status = CMD_NO;
	pass->selector = dmtrace_selector_new(selection->asked);
	if (pass->selector == NULL) {
		msg_memory();
		return CMD_TROUBLE;
	}
	return learn(pass);
}

/* What was begun is ended, whatever came in between. */
static int
add(struct pass *pass)
{
	struct dmtrace_profile *profile = pass->gather->profile;

	if (dmtrace_profile_begin(profile, dmtrace_reader_key(pass->reader),
	    dmtrace_reader_layout(pass->reader)) != DMTRACE_OK)
		return fail_profile(pass);
	const int status = pass->selector == NULL ? add_all(pass) :
	    add_selected(pass);
	const bool broken =
	    dmtrace_profile_error(profile)->status != DMTRACE_OK;
	if (dmtrace_profile_end(profile) != DMTRACE_OK && !broken)
		return fail_profile(pass);
	return status;
}

static int
worse(int a, int b)
{
	return a > b ? a : b;
}

int
gather_add(struct gather *gather, const char *operand)
{
	const struct dmtrace_file in = files_input(operand);
	struct pass pass = {
		.gather = gather, .operand = operand,
		.name = files_name(&in), .start = -1
	};

	if (is_stdin(&pass))
		pass.start = lseek(STDIN_FILENO, 0, SEEK_CUR);
	int status = open_reader(&pass);
	if (status == CMD_OK)
		status = begin_selection(&pass);
	if (status == CMD_OK)
		status = add(&pass);
	progress_erase(&gather->progress);
	if (status == CMD_OK && msg_errors(pass.name, pass.reader,
	    gather->quiet))
		status = CMD_NO;
	dmtrace_selector_free(pass.selector);
	if (gather->keeps_reader) {
		dmtrace_reader_free(gather->reader);
		gather->reader = pass.reader;
	} else {
		dmtrace_reader_free(pass.reader);
	}
	return worse(status, pass.status);
}
