/* cmd_flame.c - draw the paths of calls of traces as a flame graph */

#include <string.h>

#include "cli/cli_files.h"
#include "cli/clock_option.h"
#include "cli/msg.h"
#include "cli/out.h"
#include "cli/selection.h"
#include "cli/table.h"
#include "cli/trace_events.h"
#include "private/export.h"


struct flame_job {
	struct job io;
	const char *old;
	unsigned clock, weight;
	bool icicle, reverse;
	struct selection selection;	/* selection_begin was called */
	struct out out;
};

/* Makes the profile of the operands up to NULL. NULL: it failed, which was
 * reported, with *status. */
static struct dmtrace_profile *
read_profile(struct flame_job *job, const char *const *files, int *status)
{
	const struct dmtrace_profile_options options = {
		.keep = DMTRACE_PROFILE_TREE
	};
	struct trace_events events = {
		.job = &job->io, .profile = dmtrace_profile_new(&options),
		.selection = &job->selection
	};

	if (events.profile == NULL) {
		*status = msg_fail_memory();
		return NULL;
	}
	for (; *files != NULL && *status != CMD_TROUBLE; files++)
		*status = cmd_worse(*status,
		    trace_events_add(&events, *files));
	if (*status != CMD_TROUBLE)
		return events.profile;
	dmtrace_profile_free(events.profile);
	return NULL;
}

static int
put_flame(struct flame_job *job, const struct dmtrace_profile *profile,
    const struct dmtrace_profile *old, const char *name)
{
	const struct dmt_flame_options options = {
		.title = name, .icicle = job->icicle,
		.reverse = job->reverse, .old = old,
		.weight = weight_of(job->weight, job->clock)
	};

	switch (dmt_export_flame(profile, &options, &job->out.output)) {
	case DMTRACE_OK:
		return CMD_OK;
	case DMTRACE_ERR_RANGE:
		if (job->clock == CLOCK_ANY)
			msg_error("the traces have no clock in common");
		else
			msg_error("--clock: not all traces have %s time",
			    clock_names[job->clock]);
		return CMD_TROUBLE;
	default:
		return msg_fail_memory();
	}
}

static int
read_and_put(struct flame_job *job, const char *const *files)
{
	const struct dmtrace_file in = files_input(files[0]);
	const char *const old_files[] = { job->old, NULL };
	struct dmtrace_profile *old = NULL;
	int status = CMD_OK;
	struct dmtrace_profile *const profile = read_profile(job, files,
	    &status);

	if (profile != NULL && job->old != NULL)
		old = read_profile(job, old_files, &status);
	if (status != CMD_TROUBLE)
		status = cmd_worse(status, selection_finish(&job->selection,
		    files_name(&in)));
	if (status != CMD_TROUBLE)
		status = cmd_worse(status, put_flame(job, profile, old,
		    files_name(&in)));
	dmtrace_profile_free(profile);
	dmtrace_profile_free(old);
	return status;
}

static int
run_flame(const struct cmd *cmd, int argc, char **argv)
{
	struct flame_job job = {
		.clock = CLOCK_ANY, .selection = SELECTION
	};
	const struct opt options[] = {
		OPT_FLAG(0, "icicle", &job.icicle,
		    "draw the outermost frames at the top"),
		OPT_FLAG(0, "reverse", &job.reverse,
		    "start with the innermost methods, callers above"),
		OPT_CLOCK(&job.clock),
		OPT_WEIGHT(&job.weight),
		OPT_STRING(0, "diff", "OLD", &job.old,
		    "colour frames by the change since the trace OLD"),
		OPT_SELECTION(&job.selection),
		OPT_GROUP("Output"),
		OPT_OUTPUT_FILE(&job.io.output, "write to FILE", ".svg"),
		OPT_JOB(&job.io),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO && argc == 0)
		status = opt_usage(cmd, "no file is named");
	if (status == OPT_GO && job.weight != 0 && job.clock != CLOCK_ANY)
		status = opt_usage(cmd, "--weight=calls has no --clock");
	if (status == OPT_GO) {
		argv[argc] = NULL;
		job.selection.several = argc > 1 || job.old != NULL;
		status = selection_begin(&job.selection);
	}
	if (status == OPT_GO) {
		status = CMD_TROUBLE;
		if (out_open(&job.out, job.io.output)) {
			if (!files_terminal(&job.out.file))
				status = read_and_put(&job,
				    (const char *const *)argv);
			status = out_close(&job.out, status,
			    status != CMD_TROUBLE);
		}
	}
	selection_end(&job.selection);
	job_fini(&job.io);
	return status;
}

const struct cmd cmd_flame = {
	.name = "flame",
	.group = "profile",
	.synopsis = "[--diff=OLD] [-o SVG] [OPTION]... TRACE...",
	.summary = "draw a flame graph",
	.examples = {
		"dmtrace flame -t main -o app.svg app.trace",
		"dmtrace flame --diff=old.trace -o change.svg new.trace",
	},
	.run = run_flame,
};
