/* gather.c - traces into a profile */

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

static int
fail_profile(const struct gather *gather, const struct chosen *chosen)
{
	return chosen_fail(chosen, dmtrace_profile_error(gather->profile));
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
			    fail_profile(gather, chosen);
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

	return dmtrace_profile_add(adding->gather->profile, events, count) ==
	    DMTRACE_OK ? CMD_OK :
	    fail_profile(adding->gather, adding->chosen);
}

/* What was begun is ended, whatever came in between. */
static int
add(struct gather *gather, struct chosen *chosen)
{
	struct dmtrace_profile *const profile = gather->profile;
	struct adding adding = { gather, chosen };

	if (dmtrace_profile_begin(profile, dmtrace_reader_key(chosen->reader),
	    dmtrace_reader_layout(chosen->reader)) != DMTRACE_OK)
		return fail_profile(gather, chosen);
	const int status = chosen->selector == NULL ?
	    add_all(gather, chosen) :
	    chosen_each(chosen, add_events, &adding);
	const bool broken =
	    dmtrace_profile_error(profile)->status != DMTRACE_OK;
	if (dmtrace_profile_end(profile) != DMTRACE_OK && !broken)
		return fail_profile(gather, chosen);
	return status;
}

static int
worse(int a, int b)
{
	return a > b ? a : b;
}

/* The exit status. A selection that matches nothing makes an empty one. */
static int
add_operand(struct gather *gather, struct chosen *chosen, const char *operand)
{
	if (open_reader(gather, chosen, operand) != CMD_OK)
		return CMD_TROUBLE;
	const int begun = chosen_begin(chosen);
	if (begun == CMD_TROUBLE)
		return begun;
	const int status = worse(begun, add(gather, chosen));
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
