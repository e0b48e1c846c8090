/* cmd_generate.c - generate a trace */

#include <dmtrace.h>

#include <inttypes.h>

#include "cli/cli_files.h"
#include "cli/clock_option.h"
#include "cli/decimal.h"
#include "cli/job.h"
#include "cli/msg.h"
#include "private/ops.h"
#include "private/trace.h"

/* The start times in headers: a morning in 2010, as Dalvik counts, and five
 * minutes after boot, as ART does. */
#define START_EPOCH_US UINT64_C(1271059200000000)
#define START_BOOT_US UINT64_C(300000000)

static int
generate_output(struct job *job, enum dmtrace_dialect dialect,
    enum dmtrace_clock clock, const struct dmtrace_generate_options *options)
{
	char odd[COUNT_MAX], even[COUNT_MAX];

	if (files_terminal(&job->out))
		return CMD_TROUBLE;
	if (options->records != DMTRACE_GENERATE_NONE &&
	    options->records % 2 != 0 && !job->quiet)
		msg_note("%s events are written, not %s: each enter has an "
		    "exit", count_format(even, options->records - 1),
		    count_format(odd, options->records));

	/* Layouts do not distinguish "global" from "wall", but keys do. */
	job->writer = dmtrace_writer_new();
	if (job->writer == NULL || !job_begin(job))
		return msg_fail_memory();
	job->progress.records = true;
	if (dmtrace_writer_set_dialect(job->writer, dialect,
	    DMTRACE_STAGE_ANY, clock) != DMTRACE_OK) {
		msg_error("dialect %s: %s", dmt_dialect_names[dialect - 1],
		    dmtrace_writer_error(job->writer)->message);
		return CMD_TROUBLE;
	}
	dmtrace_writer_set_start(job->writer,
	    dialect == DMTRACE_DIALECT_V1 ? START_EPOCH_US : START_BOOT_US);
	if (clock != DMTRACE_CLOCK_MISSING)
		dmtrace_key_option_set(dmtrace_writer_key(job->writer),
		    DMT_OPTION_CLOCK, dmtrace_clock_name(clock));
	if (job_open_writer(job) != CMD_OK)
		return CMD_TROUBLE;

	job->target = &job->out;
	const int status = job_end(job, dmtrace_generate(job->op, job->writer,
	    options));
	return status != CMD_OK ? status : job_close_writer(job);
}

static int
run_generate(const struct cmd *cmd, int argc, char **argv)
{
	uint64_t seed = 1, records = 100000, duration_ns = 0;
	uint64_t threads = 0, methods = 0, depth = 0, burst = 0;
	unsigned shape = DMTRACE_SHAPE_CALLS;
	bool odd_names = false;
	unsigned dialect = DMTRACE_DIALECT_V3 - 1;
	unsigned clock = DMTRACE_CLOCK_MISSING;
	struct job job = { .output = NULL };
	const struct opt options[] = {
		OPT_UINT(0, "seed", "N", &seed,
		    "seed of the random numbers [1]"),
		OPT_CHOICE(0, "shape", "SHAPE", &shape, dmt_shape_names,
		    "what calls look like, as in \"app\" [calls]"),
		OPT_UINT(0, "events", "N", &records,
		    "number of events [100000]"),
		OPT_TIME(0, "duration", "TIME", &duration_ns,
		    "time until the end, such as 90min [500ms]"),
		OPT_RANGE(0, "threads", "N", &threads, 1, UINT32_MAX,
		    "number of threads [4]"),
		OPT_RANGE(0, "methods", "N", &methods, 1, UINT32_MAX,
		    "number of methods [200]"),
		OPT_RANGE(0, "max-depth", "N", &depth, 1, UINT32_MAX,
		    "maximum depth of calls [32]"),
		OPT_RANGE(0, "burst", "N", &burst, 1, UINT32_MAX,
		    "most events until the next thread [100]"),
		OPT_FLAG(0, "odd-names", &odd_names,
		    "use every kind of character in names"),
		OPT_CHOICE('d', "dialect", "NAME", &dialect,
		    dmt_dialect_names, "v1 to v5, or f2 to f5 (streams) [v3]"),
		OPT_MEANING(0, "clock", "CLOCK", &clock,
		    clock_written_words, clock_written_meanings,
		    "cpu, wall or dual [as in the dialect]"),
		OPT_JOB_OUTPUT(&job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status != OPT_GO)
		return status;
	if (argc != 0)
		return opt_usage(cmd, "no file is read");
	const struct dmtrace_generate_options settings = {
		.seed = seed,
		.shape = (enum dmtrace_shape)shape,
		.records = records == 0 ? DMTRACE_GENERATE_NONE : records,
		.duration_ns = duration_ns,
		.threads = (uint32_t)threads,
		.methods = (uint32_t)methods,
		.max_depth = (uint32_t)depth,
		.burst = (uint32_t)burst,
		.odd_names = odd_names
	};
	job.out = files_output(job.output);
	status = generate_output(&job, (enum dmtrace_dialect)(dialect + 1),
	    (enum dmtrace_clock)clock, &settings);
	job_fini(&job);
	return status;
}

const struct cmd cmd_generate = {
	.name = "generate",
	.group = "create",
	.synopsis = "[OPTION]... [-o FILE]",
	.summary = "generate a valid trace from a seed",
	.examples = {
		"dmtrace generate --shape=app -o app.trace",
		"dmtrace generate --events=1e6 --threads=20 -d v5 "
		"-o big.trace",
	},
	.run = run_generate,
};
