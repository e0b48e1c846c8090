/* diff_calls.c - the trees of calls of two traces, side by side */

#include "diff/diff_run.h"

#include <string.h>
#include <unistd.h>

#include "cli/msg.h"
#include "diff/diff_lines.h"

/* One trace; context of the sink. */
struct taker {
	struct dmtrace_call_diff *calls;
	enum dmtrace_diff_side side;
};

static enum dmtrace_status
add_call_side(void *context, struct dmtrace_source *source)
{
	const struct taker *const taker = context;

	return dmtrace_call_diff_add(taker->calls, taker->side, source);
}

static const struct dmtrace_error *
call_diff_error(void *context)
{
	const struct taker *const taker = context;

	return dmtrace_call_diff_error(taker->calls);
}

static const struct trace_events_sink use =
    { add_call_side, call_diff_error };

static int
read_both(struct diff *diff, struct dmtrace_call_diff *calls)
{
	int status = CMD_OK;

	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++) {
		struct taker taker = { calls, (enum dmtrace_diff_side)side };

		diff->gather.context = &taker;
		status = cmd_worse(status, diff_gather(diff,
		    diff->job->sides[side].items[0]));
	}
	return status;
}

static bool
has_stream(const struct diff *diff)
{
	return strcmp(diff->job->sides[0].items[0], "-") == 0 ||
	    strcmp(diff->job->sides[1].items[0], "-") == 0;
}

/* start is where standard input stood. */
static bool
can_go_back(const struct diff *diff, off_t start)
{
	if (!has_stream(diff))
		return true;
	if (start >= 0 && lseek(STDIN_FILENO, start, SEEK_SET) >= 0)
		return true;
	msg_error("standard input: to find where calls differ, traces are"
	    " read again, which needs a file");
	return false;
}

/* What was reported the first time is not reported again. */
static int
read_again(struct diff *diff, struct dmtrace_call_diff *calls, off_t start)
{
	diff->gather.quiet = true;
	while (dmtrace_call_diff_again(calls))
		if (!can_go_back(diff, start))
			break;
		else if (read_both(diff, calls) == CMD_TROUBLE)
			return CMD_TROUBLE;
	if (dmtrace_call_diff_error(calls)->status == DMTRACE_OK)
		return CMD_OK;
	msg_memory();
	return CMD_TROUBLE;
}

static int
compare_calls(struct diff *diff, struct dmtrace_call_diff *calls)
{
	const off_t start = lseek(STDIN_FILENO, 0, SEEK_CUR);
	int status = read_both(diff, calls);

	if (status != CMD_TROUBLE)
		status = cmd_worse(status, selection_finish(
		    &diff->job->selection, NULL));
	if (status != CMD_TROUBLE)
		status = cmd_worse(status, read_again(diff, calls, start));
	return status == CMD_TROUBLE ? status :
	    cmd_worse(status, diff_lines(diff, calls));
}

int
diff_calls(struct diff *diff)
{
	struct dmtrace_call_diff_options options;

	dmtrace_call_diff_options_init(&options);
	options.context = (uint32_t)diff->job->context;
	if (diff->job->top > 0)
		options.lines = diff->job->top > UINT32_MAX ? UINT32_MAX :
		    (uint32_t)diff->job->top;
	struct dmtrace_call_diff *const calls =
	    dmtrace_call_diff_new(&options);
	if (calls == NULL)
		return msg_fail_memory();
	diff->gather.use = &use;
	const int status = compare_calls(diff, calls);
	dmtrace_call_diff_free(calls);
	return status;
}
