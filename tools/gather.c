/* gather.c - traces into a profile, or what else takes events */

#include "gather.h"

#include "chosen.h"
#include "files.h"
#include "msg.h"

static int
open_reader(struct gather *gather, struct chosen *chosen, const char *operand)
{
	if (chosen->reader == NULL) {
		msg_memory();
		return CMD_TROUBLE;
	}
	if (files_open(chosen->reader, operand) != DMTRACE_OK)
		return chosen_fail(chosen,
		    dmtrace_reader_error(chosen->reader));
	return files_clash_trace(chosen->reader, operand, gather->out) ?
	    CMD_TROUBLE : CMD_OK;
}

static const struct dmtrace_error *
error_of(const struct gather *gather)
{
	return gather->use == NULL ? dmtrace_profile_error(gather->profile) :
	    gather->use->error(gather->context);
}

static int
fail_taker(const struct gather *gather, const struct chosen *chosen)
{
	return chosen_fail(chosen, error_of(gather));
}

static int
add_all(struct gather *gather, const struct chosen *chosen)
{
	struct dmtrace_reader *const reader = chosen->reader;
	size_t count;

	do {
		if (dmtrace_profile_read(gather->profile, reader, &count) !=
		    DMTRACE_OK)
			return dmtrace_reader_error(reader)->status !=
			    DMTRACE_OK ? chosen_fail(chosen,
			    dmtrace_reader_error(reader)) :
			    fail_taker(gather, chosen);
		progress_tell(&gather->progress,
		    dmtrace_reader_position(reader), 0);
	} while (count > 0);
	return CMD_OK;
}

struct adding {
	struct gather *gather;
	const struct chosen *chosen;
};

static int
add_events(void *context, const struct dmtrace_event *events, size_t count)
{
	const struct adding *const adding = context;
	const struct gather *const gather = adding->gather;
	const enum dmtrace_status status = gather->use == NULL ?
	    dmtrace_profile_add(gather->profile, events, count) :
	    gather->use->add(gather->context, events, count);

	return status == DMTRACE_OK ? CMD_OK :
	    fail_taker(gather, adding->chosen);
}

static enum dmtrace_status
begin(const struct gather *gather, const struct dmtrace_reader *reader)
{
	return gather->use != NULL ?
	    gather->use->begin(gather->context, reader) :
	    dmtrace_profile_begin(gather->profile, dmtrace_reader_key(reader),
	    dmtrace_reader_layout(reader));
}

static enum dmtrace_status
end(const struct gather *gather)
{
	return gather->use != NULL ? gather->use->end(gather->context) :
	    dmtrace_profile_end(gather->profile);
}

static int
add_chosen(struct gather *gather, struct chosen *chosen)
{
	struct adding adding = { gather, chosen };

	return chosen->source == NULL && gather->use == NULL ?
	    add_all(gather, chosen) :
	    chosen_each(chosen, add_events, &adding);
}

/* Once more, if the profile asks for that. */
static int
add_again(struct gather *gather, struct chosen *chosen)
{
	int status = CMD_OK;

	while (status == CMD_OK && dmtrace_profile_again(gather->profile)) {
		status = chosen_rewind(chosen);
		if (status == CMD_OK)
			status = add_chosen(gather, chosen);
	}
	return status;
}

/* What was begun is ended, whatever came in between. */
static int
add(struct gather *gather, struct chosen *chosen)
{
	if (begin(gather, chosen->reader) != DMTRACE_OK)
		return fail_taker(gather, chosen);
	int status = add_chosen(gather, chosen);
	if (status == CMD_OK && gather->use == NULL)
		status = add_again(gather, chosen);
	if (end(gather) != DMTRACE_OK && status == CMD_OK)
		return fail_taker(gather, chosen);
	return status;
}

/* The exit status. */
static int
add_operand(struct gather *gather, struct chosen *chosen, const char *operand)
{
	if (open_reader(gather, chosen, operand) != CMD_OK ||
	    (gather->use == NULL && chosen_hold(chosen) != CMD_OK))
		return CMD_TROUBLE;
	if (chosen_begin(chosen) != CMD_OK)
		return CMD_TROUBLE;
	const int status = add(gather, chosen);
	progress_erase(&gather->progress);
	return status != CMD_TROUBLE && msg_errors(chosen->name,
	    chosen->reader, gather->quiet) ? CMD_NO : status;
}

int
gather_add(struct gather *gather, const char *operand)
{
	const struct dmtrace_file in = files_input(operand);
	struct chosen chosen = {
		.reader = dmtrace_reader_new(), .name = files_name(&in),
		.selection = gather->selection, .progress = &gather->progress
	};
	const int status = add_operand(gather, &chosen, operand);

	progress_erase(&gather->progress);
	chosen_end(&chosen);
	if (gather->keeps_reader) {
		dmtrace_reader_free(gather->reader);
		gather->reader = chosen.reader;
	} else {
		dmtrace_reader_free(chosen.reader);
	}
	return status;
}
