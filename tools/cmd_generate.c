/* cmd_generate.c - make a trace up */

#include <dmtrace.h>

#include <errno.h>
#include <inttypes.h>

#include "cli/cli_files.h"
#include "cli/job.h"
#include "cli/msg.h"
#include "cli/table.h"

/* What the header says: some morning of 2010, as Dalvik tells the time, and
 * five minutes behind the boot, as ART does. */
#define START_EPOCH_US UINT64_C(1271059200000000)
#define START_BOOT_US UINT64_C(300000000)

static const char *const clock_words[] = {
	"thread-cpu", "wall", "global", "dual", NULL
};

static const enum dmtrace_clock clocks[] = {
	DMTRACE_CLOCK_THREAD_CPU, DMTRACE_CLOCK_WALL, DMTRACE_CLOCK_GLOBAL,
	DMTRACE_CLOCK_DUAL
};

#define CLOCK_OF_VERSION 4	/* none of them is asked for */

struct generate {
	struct job job;
	struct dmtrace_generate_options options;
	unsigned version;
	enum dmtrace_clock clock;
	bool sync;
	struct dmtrace_file out;
	struct dmtrace_writer *writer;
};

/* What the writer failed with; that nobody reads the rest is no failure. */
static int
finish(const struct generate *generate, enum dmtrace_status status)
{
	const struct dmtrace_error *const error =
	    dmtrace_writer_error(generate->writer);

	if (status == DMTRACE_OK || error->sys_errno == EPIPE)
		return CMD_OK;
	msg_failure(files_name(&generate->out), error);
	return CMD_TROUBLE;
}

static enum dmtrace_status
open_output(struct dmtrace_writer *writer, const struct dmtrace_file *out)
{
	return out->path == NULL ? dmtrace_writer_open_fd(writer, out->fd) :
	    dmtrace_writer_open_path(writer, out->path);
}

/* A layout does not know "global" from "wall", a key does. */
static enum dmtrace_status
open_writer(const struct generate *generate,
    const struct dmtrace_layout *layout)
{
	struct dmtrace_writer *const writer = generate->writer;

	dmtrace_writer_set_layout(writer, layout);
	dmtrace_writer_set_start(writer,
	    generate->version == 1 ? START_EPOCH_US : START_BOOT_US);
	dmtrace_writer_set_sync(writer, generate->sync);
	dmtrace_key_option_set(dmtrace_writer_key(writer), "clock",
	    dmtrace_clock_word(generate->clock));
	return open_output(writer, &generate->out);
}

static int
fill(struct generate *generate)
{
	struct job *const job = &generate->job;

	if (!job_begin(job))
		return CMD_TROUBLE;
	job->out = &generate->out;
	const int status = job_end(job, dmtrace_generate(job->op,
	    generate->writer, &generate->options));
	return status != CMD_OK ? status :
	    finish(generate, dmtrace_writer_close(generate->writer));
}

static int
write_trace(struct generate *generate, const struct dmtrace_layout *layout)
{
	generate->writer = dmtrace_writer_new();
	if (generate->writer == NULL) {
		msg_memory();
		return CMD_TROUBLE;
	}
	int status = finish(generate, open_writer(generate, layout));
	if (status == CMD_OK)
		status = fill(generate);
	dmtrace_writer_free(generate->writer);
	return status;
}

static void
tell_rounding(const struct generate *generate)
{
	const uint64_t records = generate->options.records;

	if (records % 2 != 0 && !generate->job.quiet)
		msg_error("%" PRIu64 " records are made, not %" PRIu64
		    ": every call begins and ends", records - 1, records);
}

static int
check_and_write(struct generate *generate)
{
	const struct dmtrace_layout *const layout =
	    dmtrace_layout_find(generate->version, generate->clock);

	if (layout == NULL) {
		msg_error("version %u has one clock, wall, thread-cpu or "
		    "global; dual needs --data-version=3", generate->version);
		return CMD_TROUBLE;
	}
	if (files_terminal(&generate->out))
		return CMD_TROUBLE;
	tell_rounding(generate);
	return write_trace(generate, layout);
}

static enum dmtrace_clock
choose_clock(unsigned choice, unsigned version)
{
	if (choice != CLOCK_OF_VERSION)
		return clocks[choice];
	return version == 3 ? DMTRACE_CLOCK_DUAL : DMTRACE_CLOCK_WALL;
}

static int
run(const struct cmd *cmd, int argc, char **argv)
{
	uint64_t seed = 1, records = 100000, threads = 4, methods = 200;
	uint64_t depth = 32, version = 3;
	unsigned clock = CLOCK_OF_VERSION;
	const char *output = NULL;
	struct generate generate = { .writer = NULL };
	const struct opt options[] = {
		OPT_OUTPUT(&output),
		OPT_UINT(0, "seed", "N", &seed,
		    "another trace for every N [1]"),
		OPT_UINT(0, "records", "N", &records,
		    "how many records [100000]"),
		OPT_RANGE(0, "threads", "N", &threads, 1, UINT32_MAX,
		    "how many threads [4]"),
		OPT_RANGE(0, "methods", "N", &methods, 1, UINT32_MAX,
		    "how many methods [200]"),
		OPT_RANGE(0, "max-depth", "N", &depth, 1, UINT32_MAX,
		    "open calls of a thread at most [32]"),
		OPT_RANGE('V', "data-version", "N", &version, 1, 3,
		    "1, 2 or 3 [3]"),
		OPT_CHOICE(0, "clock", "CLOCK", &clock, clock_words,
		    "thread-cpu, wall, global or dual"),
		OPT_SYNC(&generate.sync),
		OPT_JOB(&generate.job),
		OPT_END
	};
	const int status = opt_parse(cmd, options, &argc, argv);

	if (status != OPT_GO)
		return status;
	if (argc != 0)
		return opt_usage(cmd, "there is no file to read");
	generate.version = (unsigned)version;
	generate.clock = choose_clock(clock, generate.version);
	generate.out = files_output(output);
	generate.options = (struct dmtrace_generate_options){
		.size = sizeof(generate.options),
		.seed = seed,
		.records = records,
		.threads = (uint32_t)threads,
		.methods = (uint32_t)methods,
		.max_depth = (uint32_t)depth
	};
	return check_and_write(&generate);
}

const struct cmd cmd_generate = {
	.name = "generate",
	.group = "make",
	.synopsis = "[OPTION]... [-o FILE]",
	.summary = "make a trace up, the same for the same options",
	.run = run,
};
