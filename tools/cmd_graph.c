/* cmd_graph.c - draw the calls of a trace as a graph */

#include <errno.h>
#include <stdlib.h>

#include "cli/cli_files.h"
#include "cli/clock_option.h"
#include "cli/msg.h"
#include "cli/out.h"
#include "cli/selection.h"
#include "cli/table.h"
#include "cli/trace_events.h"
#include "cli/unmatched.h"
#include "graph/graph_picture.h"
#include "private/export.h"
#include "private/select.h"
#include "private/trace.h"

enum graph_form {
	GRAPH_DOT,			/* the others are formats of dot */
	GRAPH_SVG,
	GRAPH_PNG,
	GRAPH_FORM_UNSET		/* chosen by the suffix of the output */
};

/* With more edges dot may take long: in graphs of real traces 333 took 0.3 s,
 * and 625 2.4 s; in one of generated events, 432 took 35 s. */
#define MANY_EDGES 400

#define GRAPH_THRESHOLD_ANY (-1.0)	/* no --threshold: 0.5, or 0 with
					   --around */

/* The methods that the graph is drawn around. */
struct graph_focus {
	struct opt_list names;		/* values of --around */
	struct dmt_selection *asked;
	uint32_t *methods;		/* indexes; NULL: no --around */
	size_t count;
};

struct graph_job {
	unsigned form, clock;
	struct job io;
	double threshold;		/* in percent */
	uint64_t hops;
	bool per_thread, compensate;
	struct selection selection;	/* selection_begin was called */
	struct graph_focus focus;
};

static const char *const graph_form_words[] = {
	[GRAPH_DOT] = "dot",
	[GRAPH_SVG] = "svg",
	[GRAPH_PNG] = "png",
	[GRAPH_PNG + 1] = NULL
};

/* The state of drawing a graph. */
struct graph_state {
	struct graph_job *job;
	struct trace_events events;
	struct dmt_dot_options options;
	struct dmtrace_profile_summary summary;
	struct dmt_dot_size size;	/* of what is drawn */
	struct out out;
};

static int
report_unmatched_focus(const struct graph_focus *focus,
    const struct dmtrace_reader *reader, const char *file)
{
	int status = CMD_OK;

	for (size_t i = 0; ; i++) {
		struct unmatched unmatched = { .suggestion = { .count = 0 } };

		if (dmt_selection_unmatched(focus->asked, i,
		    &unmatched.what) != 0)
			return status;
		unmatched_search(&unmatched, dmtrace_reader_key(reader));
		unmatched_report(&unmatched, file);
		status = cmd_worse(status, unmatched.what.is_pattern ?
		    CMD_NO : CMD_TROUBLE);
	}
}

/*
 * Finds the methods in the profile, and reports those that do not exist.
 * Returns CMD_OK, CMD_NO (a pattern matches nothing) or CMD_TROUBLE (a name is
 * unknown, or no memory).
 */
static int
find_graph_focus(struct graph_focus *focus,
    const struct dmtrace_profile *profile,
    const struct dmtrace_reader *reader, const char *file)
{
	const size_t count = dmtrace_profile_method_count(profile);

	if (focus->asked == NULL)
		return CMD_OK;
	if (dmt_selection_resolve(focus->asked,
	    dmtrace_reader_key(reader), dmt_reader_layout(reader)) !=
	    DMTRACE_OK) {
		msg_error("%s", dmt_selection_error(focus->asked)->message);
		return CMD_TROUBLE;
	}
	focus->methods = calloc(count + 1, sizeof(*focus->methods));
	if (focus->methods == NULL)
		return msg_fail_memory();
	for (size_t i = DMTRACE_PROFILE_TOP + 1; i < count; i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(profile, 0, i, &method);
		const struct dmtrace_method row = {
			.id = method.id,
			.class_name = method.class_name,
			.name = method.name,
			.signature = method.signature,
			.file = method.file,
			.line = method.line
		};
		const int wanted = method.listed ?
		    dmt_selection_wants_row(focus->asked, &row) :
		    dmt_selection_wants_method(focus->asked, method.id);
		if (wanted < 0)
			return msg_fail_memory();
		if (wanted)
			focus->methods[focus->count++] = (uint32_t)i;
	}
	return report_unmatched_focus(focus, reader, file);
}

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
put_dot(struct graph_state *state, struct dmt_output *output)
{
	if (dmt_export_dot(state->events.profile, &state->options, output,
	    &state->size) != DMTRACE_OK)
		return msg_fail_memory();
	if (state->size.methods > 0 || state->job->focus.count == 0)
		return CMD_OK;
	msg_error("%s: no method of --around is called", state->job->io.name);
	return CMD_NO;
}

/* Writes a picture, made by dot from a temporary file with the graph. */
static int
put_picture(struct graph_state *state)
{
	FILE *const file = graph_picture_temporary();
	struct dmt_output output;
	int status;

	if (file == NULL)
		return CMD_TROUBLE;
	dmt_output_open_fd(&output, fileno(file));
	status = put_dot(state, &output);
	if (dmt_output_finish(&output) != DMTRACE_OK) {
		msg_failure("a temporary file", &output.error);
		status = CMD_TROUBLE;
	}
	dmt_output_fini(&output);

	if (state->size.edges > MANY_EDGES && !state->job->io.quiet)
		msg_note("dot draws %zu methods with %zu edges, which may "
		    "take minutes; --threshold=5 draws fewer",
		    state->size.methods, state->size.edges);
	if (status != CMD_TROUBLE && graph_picture_print(&state->out,
	    graph_form_words[state->job->form], file, state->job->io.quiet) !=
	    CMD_OK)
		status = CMD_TROUBLE;
	fclose(file);
	return status;
}

/* Reads the selected events of the trace and draws the graph. */
static int
read_and_draw(struct graph_state *state, const char *operand)
{
	struct graph_job *const job = state->job;
	struct trace_events *const events = &state->events;
	enum dmtrace_profile_clock clock;
	int status = trace_events_add(events, operand);

	if (status == CMD_TROUBLE)
		return status;
	status = cmd_worse(status, selection_finish(events->selection,
	    job->io.name));
	if (status == CMD_TROUBLE)
		return status;

	dmtrace_profile_summary_get(events->profile, &state->summary);
	if (!clock_choose(&clock, job->clock, state->summary.has_clock,
	    "the trace"))
		return CMD_TROUBLE;
	state->options.clock = clock_of_profile(clock);

	status = cmd_worse(status, find_graph_focus(&job->focus,
	    events->profile, job->io.reader, job->io.name));
	if (status == CMD_TROUBLE)
		return status;
	set_dot_options(state);
	return cmd_worse(status, job->form == GRAPH_DOT ?
	    put_dot(state, &state->out.output) : put_picture(state));
}

static int
draw_trace(struct graph_job *job, const char *operand)
{
	const struct dmtrace_profile_options profile_options = {
		.keep = DMTRACE_PROFILE_EDGES |
		    (job->per_thread ? DMTRACE_PROFILE_THREADS : 0) |
		    (job->compensate ? DMTRACE_PROFILE_COMPENSATE : 0)
	};
	struct graph_state state = {
		.job = job,
		.events = {
			.job = &job->io,
			.profile = dmtrace_profile_new(&profile_options),
			.selection = &job->selection
		}
	};
	int status = CMD_TROUBLE;

	if (state.events.profile == NULL) {
		msg_memory();
	} else if (out_open(&state.out, job->io.output)) {
		if (job->form != GRAPH_PNG ||
		    !files_terminal(&state.out.file))
			status = read_and_draw(&state, operand);
		status = out_close(&state.out, status, status != CMD_TROUBLE);
	}
	dmtrace_profile_free(state.events.profile);
	job_fini(&job->io);
	return status;
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
		OPT_LIST(0, "around", "METHOD", &job.focus.names,
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
		OPT_OUTPUT_FILE(&job.io.output, "write to FILE", ".svg"),
		OPT_JOB(&job.io),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	job.hops = hops == UINT64_MAX ? 1 : hops;
	if (job.form == GRAPH_FORM_UNSET)
		job.form = dmt_path_ends(job.io.output, ".svg") ? GRAPH_SVG :
		    dmt_path_ends(job.io.output, ".png") ? GRAPH_PNG :
		    GRAPH_DOT;
	if (status == OPT_GO)
		status = job_check_operand(cmd, argc, "file");
	if (status == OPT_GO && hops != UINT64_MAX &&
	    job.focus.names.count == 0)
		status = opt_usage(cmd, "--hops needs --around");
	if (status == OPT_GO)
		status = selection_begin(&job.selection);
	if (status == OPT_GO)
		status = selection_of_methods(&job.focus.asked,
		    &job.focus.names, "--around");
	if (status == OPT_GO)
		status = draw_trace(&job, argv[0]);
	dmt_selection_free(job.focus.asked);
	free(job.focus.methods);
	opt_list_fini(&job.focus.names);
	selection_end(&job.selection);
	return status;
}

const struct cmd cmd_graph = {
	.name = "graph",
	.group = "profile",
	.synopsis = "[OPTION]... TRACE",
	.summary = "draw the call graph of a trace",
	.examples = {
		"dmtrace graph -t main --threshold=5 -o app.svg app.trace",
		"dmtrace graph --around='*.onDraw' --hops=2 "
		"app.trace | dot -Tx11",
	},
	.run = run_graph,
};
