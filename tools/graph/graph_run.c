/* graph_run.c - what "graph" is asked for, and doing it */

#include "graph/graph_run.h"

#include <errno.h>
#include <string.h>

#include "cli/cli_files.h"
#include "cli/clock_option.h"
#include "cli/msg.h"
#include "cli/out.h"
#include "cli/trace_events.h"
#include "graph/graph_picture.h"

const char *const graph_form_words[] = {
	[GRAPH_DOT] = "dot",
	[GRAPH_SVG] = "svg",
	[GRAPH_PNG] = "png",
	[GRAPH_PNG + 1] = NULL
};

/* The graph that is drawn. */
struct state {
	struct graph_job *job;
	const char *file;		/* the operand, */
	const char *name;		/* and as messages call it */
	struct trace_events gather;
	struct dmtrace_dot_options options;
	struct dmtrace_profile_summary summary;
	struct out out;
};

static void
set_dot_options(struct state *state)
{
	const struct graph_job *const job = state->job;

	state->options.per_thread = job->per_thread;
	if (job->threshold != GRAPH_THRESHOLD_ANY)
		state->options.threshold = (double)job->threshold;
	else if (job->focus.asked != NULL)
		state->options.threshold = 0;
	state->options.around = job->focus.methods;
	state->options.around_count = job->focus.count;
	state->options.hops = (uint32_t)job->hops;
}

static int
put_dot(const struct state *state, struct dmtrace_sink *sink)
{
	size_t shown;

	if (dmtrace_export_dot(state->gather.profile, &state->options, sink,
	    &shown) != DMTRACE_OK)
		return msg_fail_memory();
	if (shown > 0 || state->job->focus.count == 0)
		return CMD_OK;
	msg_error("%s: there is no call of what --around names", state->name);
	return CMD_NO;
}

static int
put_dot_to_file(const struct state *state, FILE *file)
{
	struct dmtrace_sink *const sink = dmtrace_sink_new();
	int status = CMD_TROUBLE;

	if (sink == NULL)
		return msg_fail_memory();
	if (dmtrace_sink_open_fd(sink, fileno(file)) == DMTRACE_OK)
		status = put_dot(state, sink);
	if (dmtrace_sink_close(sink) != DMTRACE_OK) {
		msg_failure("a temporary file", dmtrace_sink_error(sink));
		status = CMD_TROUBLE;
	}
	dmtrace_sink_free(sink);
	return status;
}

static int
put_picture(struct state *state)
{
	FILE *const file = tmpfile();

	if (file == NULL) {
		msg_error("a temporary file: %s", strerror(errno));
		return CMD_TROUBLE;
	}
	int status = put_dot_to_file(state, file);
	if (status != CMD_TROUBLE && graph_picture_print(&state->out,
	    graph_form_words[state->job->form], file, state->job->quiet) !=
	    CMD_OK)
		status = CMD_TROUBLE;
	fclose(file);
	return status;
}

static int
draw_graph(struct state *state)
{
	struct graph_job *const job = state->job;

	if (!clock_choose(&state->options.clock, job->clock,
	    state->summary.has_clock, "the trace"))
		return CMD_TROUBLE;
	const int status = graph_focus_find(&job->focus,
	    state->gather.profile, state->gather.reader, state->name);
	if (status == CMD_TROUBLE)
		return status;
	set_dot_options(state);
	return cmd_worse(status, job->form == GRAPH_DOT ?
	    put_dot(state, state->out.sink) : put_picture(state));
}

static int
read_and_draw(struct state *state)
{
	int status = trace_events_add(&state->gather, state->file);

	if (status != CMD_TROUBLE)
		status = cmd_worse(status, selection_finish(
		    state->gather.selection, state->name));
	if (status == CMD_TROUBLE)
		return status;
	dmtrace_profile_summary_get(state->gather.profile, &state->summary);
	return cmd_worse(status, draw_graph(state));
}

static struct dmtrace_profile *
new_profile(const struct graph_job *job)
{
	struct dmtrace_profile_options options;

	dmtrace_profile_options_init(&options);
	options.keep = DMTRACE_PROFILE_EDGES |
	    (job->per_thread ? DMTRACE_PROFILE_THREADS : 0) |
	    (job->compensate ? DMTRACE_PROFILE_COMPENSATE : 0);
	return dmtrace_profile_new(&options);
}

static int
graph_to(struct state *state)
{
	if (state->job->form == GRAPH_PNG &&
	    files_terminal(&state->out.file))
		return CMD_TROUBLE;
	state->gather.out = &state->out.file;
	return read_and_draw(state);
}

int
graph_job(struct graph_job *job, const char *file)
{
	const struct dmtrace_file in = files_input(file);
	struct state state = {
		.job = job, .file = file, .name = files_name(&in),
		.gather = {
			.profile = new_profile(job),
			.selection = &job->selection,
			.quiet = job->quiet, .keeps_reader = true
		}
	};
	int status = CMD_TROUBLE;

	dmtrace_dot_options_init(&state.options);
	progress_init(&state.gather.progress, job->quiet, job->progress);
	if (state.gather.profile == NULL) {
		msg_memory();
	} else if (out_open(&state.out, job->output)) {
		status = graph_to(&state);
		status = out_close(&state.out, status, status != CMD_TROUBLE);
	}
	dmtrace_profile_free(state.gather.profile);
	dmtrace_reader_free(state.gather.reader);
	return status;
}
