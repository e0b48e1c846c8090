/* cmd_dump.c - print the events of a trace, one per line, or its calls */

#include <dmtrace.h>

#include <stdbool.h>
#include <stdlib.h>

#include "cli/cli_files.h"
#include "cli/msg.h"
#include "cli/out.h"
#include "cli/selection.h"
#include "cli/table.h"
#include "cli/trace_events.h"
#include "dump/dump_lines.h"
#include "eventlog/log_marks.h"
#include "private/text_form.h"
#include "private/trace.h"
#include "report/dmtracedump.h"

#define ROWS 1024		/* rows that are read at a time */

struct dump_job {
	unsigned form;
	bool calls, as_dmtracedump, as_text;
	struct job io;
	struct selection selection;
	struct log_marks marks;		/* entries of a log among the events */
	struct trace_events events;
	struct table table;
	struct dmtrace_error error;	/* a failure of anything but the
					   source */
	bool stopped;			/* no memory, which was reported */
};

/* Returns the thread if -t selects exactly one; otherwise NULL. */
static const struct dmtrace_thread *
find_only_thread(const struct dump_job *job)
{
	const struct dmtrace_key *const key =
	    dmtrace_reader_key(job->io.reader);
	const struct dmtrace_thread *only = NULL;

	if (job->selection.threads.count == 0)
		return NULL;
	for (size_t i = 0; i < dmtrace_key_thread_count(key); i++) {
		const struct dmtrace_thread *const thread =
		    dmtrace_key_thread_get(key, i);

		if (!dmt_selection_wants_thread(job->selection.asked,
		    thread->id))
			continue;
		if (only != NULL)
			return NULL;
		only = thread;
	}
	return only;
}

/* Prints the entries of the log up to that time. false: no memory. */
static bool
put_entries(struct dump_job *job, struct dump_lines *lines,
    uint64_t before_ns)
{
	const struct dmt_export_instant *entry;
	uint64_t time_ns;

	while ((entry = log_marks_next(&job->marks, before_ns, &time_ns)) !=
	    NULL)
		if (!dump_lines_put_entry(lines, &job->table.out, entry,
		    time_ns))
			return false;
	return true;
}

/* Stops early if the reader of a pipe closes it. */
static enum dmtrace_status
print_events(struct dump_job *job, struct dmtrace_source *source)
{
	struct out *const out = &job->table.out;
	struct dmtrace_row rows[ROWS];
	struct dump_lines lines;
	const bool has_log = job->marks.log != NULL;
	enum dmtrace_status status;
	uint64_t last_ns = 0;
	size_t count;

	dump_lines_init(&lines, (enum form)job->form, source,
	    dmtrace_reader_key(job->io.reader),
	    dmt_reader_layout(job->io.reader), has_log, out->columns);
	job->stopped = !dump_lines_put_names(&lines, out);
	do {
		status = dmtrace_source_read(source, rows, ROWS, &count);
		if (status != DMTRACE_OK)
			break;
		for (size_t i = 0; !job->stopped && i < count; i++) {
			if (has_log && rows[i].event.wall_ns > last_ns)
				last_ns = rows[i].event.wall_ns;
			job->stopped = (has_log && !put_entries(job, &lines,
			    rows[i].event.wall_ns)) ||
			    !dump_lines_put(&lines, out, &rows[i]);
		}
	} while (count > 0 && !job->stopped && out_room(out, 1) != NULL);
	if (has_log && !job->stopped && status == DMTRACE_OK && count == 0) {
		job->stopped = !put_entries(job, &lines, last_ns + 1);
		log_marks_end(&job->marks);
	}
	if (!job->stopped)
		job->stopped = !dump_lines_put_end(&lines, out);
	if (job->stopped)
		msg_memory();
	dump_lines_fini(&lines);
	return status;
}

static enum dmtrace_status
dump_events(void *context, struct dmtrace_source *source)
{
	struct dump_job *const job = context;
	struct dmtrace_reader *const reader = job->io.reader;
	enum dmtrace_status status = DMTRACE_OK;

	if (job->marks.log != NULL && !log_marks_start(reader,
	    &job->marks.start_ns, &job->error))
		return job->error.status;
	if (job->as_dmtracedump) {
		job->stopped = !dmtracedump_list(&job->table.out, source,
		    dmtrace_reader_key(reader), job->io.name);
		return status;
	}
	const struct dmtrace_thread *const only = find_only_thread(job);
	job->stopped = job->form == FORM_TEXT && !dump_put_heading(
	    &job->table.out, reader, only, job->calls,
	    job->events.by_time && dmt_reader_is_sortable(reader));
	if (job->stopped)
		return status;
	if (!job->calls)
		return print_events(job, source);
	job->stopped = !dump_calls(&job->table, source, reader,
	    job->selection.asked, only, &job->marks, &status);
	return status;
}

static const struct dmtrace_error *
get_dump_error(void *context)
{
	return &((struct dump_job *)context)->error;
}

static int
dump_trace(struct dump_job *job, const char *operand)
{
	static const struct trace_events_sink sink =
	    { dump_events, get_dump_error };

	if (!table_open(&job->table, job->io.output))
		return CMD_TROUBLE;
	job->table.form = job->form;
	job->events.job = &job->io;
	job->events.sink = &sink;
	job->events.context = job;
	job->events.selection = &job->selection;
	job->events.by_time = job->form == FORM_TEXT && !job->as_dmtracedump;
	job->events.hold = job->calls;
	int status = trace_events_add(&job->events, operand);
	if (job->stopped)
		status = CMD_TROUBLE;

	/* If the heading is not followed by an event, it is still in the first
	 * block. */
	if (job->form == FORM_TEXT && !job->as_dmtracedump &&
	    job->marks.log == NULL && job->selection.asked != NULL &&
	    !dmt_selection_is_all(job->selection.asked) &&
	    dmt_selection_count(job->selection.asked) == 0)
		job->table.out.at = job->table.out.block;
	if (status != CMD_TROUBLE)
		status = cmd_worse(status, selection_finish(&job->selection,
		    job->io.name));
	if (!job->io.quiet && status != CMD_TROUBLE)
		log_marks_note_outside(job->marks.outside);
	job->table.lost |= status == CMD_TROUBLE;
	return table_close(&job->table, status);
}

/* The text form has every byte of the file, so that no reader opens it. */
static int
dump_as_text(struct dump_job *job, const char *operand)
{
	struct dmtrace_file in = files_input(operand);
	struct dmtrace_error error;
	bool recognized;
	int status = CMD_OK;

	char *const name = in.path == NULL ? NULL : files_joined(operand);
	if (in.path != NULL && name == NULL)
		return CMD_TROUBLE;
	if (in.path != NULL)
		in.path = name;
	struct out out;
	const struct dmtrace_file target = files_output(job->io.output);
	if (files_clash(&in, &target) || !out_open(&out, job->io.output)) {
		free(name);
		return CMD_TROUBLE;
	}
	if (dmt_text_dump(&in, &out.output, &recognized, &error) !=
	    DMTRACE_OK) {
		msg_failure(files_name(&in), &error);
		status = CMD_TROUBLE;
	} else if (!recognized) {
		if (!job->io.quiet)
			msg_warning("%s: not a trace: the text has its bytes"
			    "%s%s", files_name(&in), error.message[0] == '\0' ?
			    "" : "; ", error.message);
		status = CMD_NO;
	}
	status = out_close(&out, status, status != CMD_TROUBLE);
	free(name);
	return status;
}

static int
run_dump(const struct cmd *cmd, int argc, char **argv)
{
	struct dump_job job = { .selection = SELECTION };
	const struct opt options[] = {
		OPT_FLAG(0, "calls", &job.calls,
		    "print calls with durations, indented by depth"),
		OPT_FLAG(0, "dmtracedump", &job.as_dmtracedump,
		    "print what dmtracedump -o prints"),
		OPT_FLAG(0, "text", &job.as_text,
		    "print all of the file, for undump to read"),
		OPT_LOG_MARKS(&job.marks),
		OPT_SELECTION(&job.selection),
		OPT_FLAG(0, "invert", &job.selection.invert,
		    "select everything else"),
		OPT_GROUP("Output"),
		OPT_FORM(&job.form),
		OPT_OUTPUT(&job.io.output),
		OPT_JOB(&job.io),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO)
		status = job_check_operand(cmd, argc, "file");
	if (status == OPT_GO && job.as_dmtracedump && job.form != FORM_TEXT)
		status = opt_usage(cmd, "--dmtracedump cannot be used with -f");
	if (status == OPT_GO && job.calls && job.as_dmtracedump)
		status = opt_usage(cmd,
		    "--calls cannot be used with --dmtracedump");
	if (status == OPT_GO && job.calls && job.marks.log != NULL &&
	    job.form != FORM_TEXT)
		status = opt_usage(cmd, "--calls has --eventlog in text only");
	if (status == OPT_GO && job.as_dmtracedump && job.marks.log != NULL)
		status = opt_usage(cmd, "--dmtracedump has no --eventlog");
	if (status == OPT_GO && job.selection.invert &&
	    (job.selection.from_ns > 0 || job.selection.to_ns < UINT64_MAX))
		status = opt_usage(cmd,
		    "--invert cannot be used with --from and --to");
	if (status == OPT_GO)
		status = log_marks_load(&job.marks, cmd, job.io.output,
		    job.io.quiet);
	if (status == OPT_GO)
		status = selection_begin(&job.selection);
	if (status == OPT_GO && job.as_text && (job.calls ||
	    job.as_dmtracedump || job.form != FORM_TEXT ||
	    job.marks.log != NULL ||
	    !dmt_selection_is_all(job.selection.asked)))
		status = opt_usage(cmd, "--text prints all of a file: use it "
		    "with -o and -q only");
	if (status == OPT_GO)
		status = job.as_text ? dump_as_text(&job, argv[0]) :
		    dump_trace(&job, argv[0]);
	selection_end(&job.selection);
	log_marks_fini(&job.marks);
	job_fini(&job.io);
	return status;
}

const struct cmd cmd_dump = {
	.name = "dump",
	.group = "inspect",
	.synopsis = "[OPTION]... TRACE",
	.summary = "print the events of a trace, one per line, or its calls",
	.examples = {
		"dmtrace dump --calls -t main --from=2s --to=3s app.trace",
		"dmtrace dump -f jsonl app.trace | jq -c .name",
	},
	.run = run_dump,
};
