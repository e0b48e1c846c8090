/* cmd_graph.c - draw the calls of a trace as a graph */

#include <errno.h>
#include <string.h>

#include "cli/cli_files.h"
#include "cli/clock_option.h"
#include "cli/msg.h"
#include "cli/out.h"
#include "cli/progress.h"
#include "cli/selection.h"
#include "cli/table.h"
#include "cli/trace_events.h"
#include "graph/graph_focus.h"
#include "graph/graph_picture.h"
#include "private/export.h"

enum graph_form {
	GRAPH_DOT,			/* the others are dot's own words */
	GRAPH_SVG,
	GRAPH_PNG,
	GRAPH_FORM_UNSET		/* as the name of the output says */
};

#define MANY_METHODS 100		/* that dot takes long to place */

#define GRAPH_THRESHOLD_ANY (-1.0)	/* 0.5, or 0 with --around */

struct graph_job {
	unsigned form, clock;
	const char *output;
	double threshold;		/* percent */
	uint64_t hops;
	bool per_thread, compensate, quiet, progress;
	struct selection selection;	/* begun */
	struct graph_focus focus;		/* begun */
};

static const char *const graph_form_words[] = {
	[GRAPH_DOT] = "dot",
	[GRAPH_SVG] = "svg",
	[GRAPH_PNG] = "png",
	[GRAPH_PNG + 1] = NULL
};

/* The graph that is drawn. */
struct graph_state {
	struct graph_job *job;
	const char *file;		/* the operand, */
	const char *name;		/* and as messages call it */
	struct trace_events events;
	struct dmt_dot_options options;
	struct dmtrace_profile_summary summary;
	size_t shown;			/* methods that are drawn */
	struct out out;
};

static void
set_dot_options(struct graph_state *state)
{
	const struct graph_job *const job = state->job;

	state->options.per_thread = job->per_thread;
	if (job->threshold == 0 ||
	    (job->focus.asked != NULL && job->threshold < 0))
		state->options.threshold = DMT_DOT_ALL;
	else if (job->threshold > 0)
		state->options.threshold = job->threshold;
	state->options.around = job->focus.methods;
	state->options.around_count = job->focus.count;
	state->options.hops = job->hops == 0 ? DMTRACE_NONE :
	    (uint32_t)job->hops;
}

static int
put_dot(struct graph_state *state, struct dmt_sink *sink)
{
	if (dmt_export_dot(state->events.profile, &state->options, sink,
	    &state->shown) != DMTRACE_OK)
		return msg_fail_memory();
	if (state->shown > 0 || state->job->focus.count == 0)
		return CMD_OK;
	msg_error("%s: no method of --around is called", state->name);
	return CMD_NO;
}

static int
put_dot_to_file(struct graph_state *state, FILE *file)
{
	struct dmt_sink *const sink = dmt_sink_new();
	int status = CMD_TROUBLE;

	if (sink == NULL)
		return msg_fail_memory();
	if (dmt_sink_open_fd(sink, fileno(file)) == DMTRACE_OK)
		status = put_dot(state, sink);
	if (dmt_sink_close(sink) != DMTRACE_OK) {
		msg_failure("a temporary file", dmt_sink_error(sink));
		status = CMD_TROUBLE;
	}
	dmt_sink_free(sink);
	return status;
}

static int
put_picture(struct graph_state *state)
{
	FILE *const file = tmpfile();

	if (file == NULL) {
		msg_error("a temporary file: %s", strerror(errno));
		return CMD_TROUBLE;
	}
	int status = put_dot_to_file(state, file);
	if (state->shown > MANY_METHODS && !state->job->quiet)
		msg_error("dot places %zu methods, which may take minutes; "
		    "--threshold=5 draws fewer", state->shown);
	if (status != CMD_TROUBLE && graph_picture_print(&state->out,
	    graph_form_words[state->job->form], file, state->job->quiet) !=
	    CMD_OK)
		status = CMD_TROUBLE;
	fclose(file);
	return status;
}

static int
draw_graph(struct graph_state *state)
{
	struct graph_job *const job = state->job;

	enum dmtrace_profile_clock clock;

	if (!clock_choose(&clock, job->clock, state->summary.has_clock,
	    "the trace"))
		return CMD_TROUBLE;
	state->options.clock = clock_of_profile(clock);
	const int status = graph_focus_find(&job->focus,
	    state->events.profile, state->events.reader, state->name);
	if (status == CMD_TROUBLE)
		return status;
	set_dot_options(state);
	return cmd_worse(status, job->form == GRAPH_DOT ?
	    put_dot(state, state->out.sink) : put_picture(state));
}

static int
read_and_draw(struct graph_state *state)
{
	int status = trace_events_add(&state->events, state->file);

	if (status != CMD_TROUBLE)
		status = cmd_worse(status, selection_finish(
		    state->events.selection, state->name));
	if (status == CMD_TROUBLE)
		return status;
	dmtrace_profile_summary_get(state->events.profile, &state->summary);
	return cmd_worse(status, draw_graph(state));
}

static struct dmtrace_profile *
new_profile(const struct graph_job *job)
{
	struct dmtrace_profile_options options = { 0 };

	options.keep = DMTRACE_PROFILE_EDGES |
	    (job->per_thread ? DMTRACE_PROFILE_THREADS : 0) |
	    (job->compensate ? DMTRACE_PROFILE_COMPENSATE : 0);
	return dmtrace_profile_new(&options);
}

static int
graph_to(struct graph_state *state)
{
	if (state->job->form == GRAPH_PNG &&
	    files_terminal(&state->out.file))
		return CMD_TROUBLE;
	state->events.out = &state->out.file;
	return read_and_draw(state);
}

static bool
ends_with(const char *text, const char *end)
{
	const size_t len = strlen(text), end_len = strlen(end);

	return len > end_len && strcmp(text + len - end_len, end) == 0;
}

/* Of an output whose name says so a picture is made, else dot's language. */
static enum graph_form
form_of_output(const char *output)
{
	if (output != NULL && ends_with(output, ".svg"))
		return GRAPH_SVG;
	if (output != NULL && ends_with(output, ".png"))
		return GRAPH_PNG;
	return GRAPH_DOT;
}

/* Reads the file and puts its graph. Returns the exit status. */
static int
draw_trace(struct graph_job *job, const char *file)
{
	const struct dmtrace_file in = files_input(file);
	struct graph_state state = {
		.job = job, .file = file, .name = files_name(&in),
		.events = {
			.profile = new_profile(job),
			.selection = &job->selection,
			.quiet = job->quiet
		}
	};
	int status = CMD_TROUBLE;

	progress_init(&state.events.progress, job->quiet, job->progress);
	if (state.events.profile == NULL) {
		msg_memory();
	} else if (out_open(&state.out, job->output)) {
		status = graph_to(&state);
		status = out_close(&state.out, status, status != CMD_TROUBLE);
	}
	dmtrace_profile_free(state.events.profile);
	dmtrace_reader_free(state.events.reader);
	return status;
}

static int
check_and_draw(const struct cmd *cmd, struct graph_job *job, bool sets_hops,
    int argc, char **argv)
{
	if (argc != 1)
		return opt_usage(cmd, argc == 0 ? "no file is named" :
		    "more than one file");
	if (sets_hops && job->focus.words.count == 0)
		return opt_usage(cmd, "--hops needs --around");
	int status = selection_begin(&job->selection);
	if (status == OPT_GO)
		status = graph_focus_begin(&job->focus);
	return status == OPT_GO ? draw_trace(job, argv[0]) : status;
}

static int
run_graph(const struct cmd *cmd, int argc, char **argv)
{
	uint64_t hops = UINT64_MAX;
	struct graph_job job = {
		.form = GRAPH_FORM_UNSET, .clock = CLOCK_ANY,
		.threshold = GRAPH_THRESHOLD_ANY,
		.selection = SELECTION
	};
	const struct opt options[] = {
		OPT_PERCENT(0, "threshold", "PERCENT", &job.threshold,
		    "draw methods with PERCENT of the time or more [0.5]"),
		OPT_LIST(0, "around", "METHOD", &job.focus.words,
		    "draw methods that match METHOD, and those near them"),
		OPT_RANGE(0, "hops", "N", &hops, 0, UINT32_MAX,
		    "how near: up to N edges away [1]"),
		OPT_FLAG(0, "per-thread", &job.per_thread,
		    "draw a graph for each thread"),
		OPT_CLOCK(&job.clock),
		OPT_FLAG(0, "compensate", &job.compensate,
		    "subtract the time that reading the clock took"),
		OPT_SELECTION(&job.selection),
		OPT_GROUP("Output"),
		OPT_CHOICE('f', "format", "FORM", &job.form,
		    graph_form_words, "dot, svg or png [as FILE ends, or dot]"),
		OPT_OUTPUT(&job.output),
		OPT_QUIET(&job.quiet),
		OPT_PROGRESS(&job.progress),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	job.hops = hops == UINT64_MAX ? 1 : hops;
	if (job.form == GRAPH_FORM_UNSET)
		job.form = form_of_output(job.output);
	if (status == OPT_GO)
		status = check_and_draw(cmd, &job, hops != UINT64_MAX, argc,
		    argv);
	graph_focus_end(&job.focus);
	selection_end(&job.selection);
	return status;
}

const struct cmd cmd_graph = {
	.name = "graph",
	.group = "profile",
	.synopsis = "[OPTION]... FILE",
	.summary = "draw the call graph of a trace",
	.run = run_graph,
};
