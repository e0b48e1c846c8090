/* export_run.c - exports traces to a file */

#include "export/export_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli_files.h"
#include "cli/decimal.h"
#include "cli/jobs.h"
#include "cli/msg.h"
#include "cli/out.h"
#include "cli/trace_events.h"
#include "cmd.h"
#include "private/packing.h"

struct export {
	const struct export_run *run;
	struct dmt_exporter *exporter;
	struct out out;
	struct trace_events events;
	struct dmtrace_error misplaced;	/* why the marks cannot be placed */
	const char *name;		/* of the operand */
};

static enum dmtrace_status
export_source(void *context, struct dmtrace_source *source)
{
	struct export *const export = context;
	const struct log_marks *const marks = export->run->marks;
	uint64_t start_ns;

	if (marks != NULL) {
		if (!log_marks_start(export->run->io->reader, &start_ns,
		    &export->misplaced))
			return export->misplaced.status;
		dmt_exporter_set_instants(export->exporter, marks->items,
		    marks->count, start_ns);
	}
	const enum dmtrace_status status = dmt_exporter_add(export->exporter,
	    source, export->name);

	/* out_close reports failures to write. */
	return export->out.output.error.status != DMTRACE_OK ?
	    DMTRACE_OK : status;
}

static const struct dmtrace_error *
export_error(void *context)
{
	const struct export *const export = context;

	return export->misplaced.status != DMTRACE_OK ? &export->misplaced :
	    dmt_exporter_error(export->exporter);
}

static const struct trace_events_sink export_sink = { export_source,
    export_error };

/* Reports how the file differs from the traces. */
static void
note_counts(const struct dmtrace_export_counts *counts)
{
	const struct {
		uint64_t count;
		const char *what;
	} rows[] = {
		{ counts->unentered, "calls open before the trace, shown from "
		    "the first event of their thread on" },
		{ counts->unended, "calls without an exit, shown until the "
		    "last event of their thread" },
		{ counts->unwound, "calls that end with the call around "
		    "them" },
		{ counts->strays, "exits of methods that are not open, left "
		    "out" },
		{ counts->reserved, "events of the reserved action, left "
		    "out" },
		{ counts->set_back, "times that go back in their thread" },
		{ counts->negative, "times below 0, left out" },
	};
	char number[COUNT_MAX];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].count > 0)
			msg_note("note: %s: %s", rows[i].what,
			    count_format(number, rows[i].count));
	log_marks_note_outside(counts->outside);
}

static int
finish_export(struct export *export)
{
	struct dmtrace_export_counts counts = { .events = 0 };

	if (dmt_exporter_finish(export->exporter, &counts) !=
	    DMTRACE_OK &&
	    export->out.output.error.status == DMTRACE_OK) {
		msg_failure(files_name(&export->out.file),
		    dmt_exporter_error(export->exporter));
		return CMD_TROUBLE;
	}
	if (!export->run->io->quiet)
		note_counts(&counts);
	return CMD_OK;
}

static int
export_files(struct export *export, char **files)
{
	struct trace_events *const events = &export->events;
	int status = CMD_OK;

	*events = (struct trace_events){
		.job = export->run->io,
		.sink = &export_sink, .context = export,
		.selection = export->run->selection
	};
	for (; *files != NULL && status != CMD_TROUBLE; files++) {
		const struct dmtrace_file in = files_input(*files);

		export->name = files_name(&in);
		status = cmd_worse(status, trace_events_add(events, *files));
	}
	if (status != CMD_TROUBLE)
		status = cmd_worse(status,
		    selection_finish(export->run->selection, export->name));
	if (status != CMD_TROUBLE)
		status = cmd_worse(status, finish_export(export));
	return status;
}

/* Exports the traces to a file; keep_old: there must not be one. */
static int
export_to(const struct export_run *run, char **files, const char *output,
    bool keep_old)
{
	struct export export = { .run = run };
	int status = CMD_TROUBLE;

	/* A gzip file is not packed by gzip again. */
	const struct dmt_packing *const packing = dmt_packing_of_name(output);
	const bool as_is = run->format->compressed && packing != NULL &&
	    strcmp(packing->suffix, ".gz") == 0;

	if (!(as_is ? out_open_as_is : out_open)(&export.out, output))
		return CMD_TROUBLE;
	if (keep_old)
		export.out.output.no_replace = true;
	struct dmt_exporter_options options = run->options;
	char **const words = selection_words(run->selection);

	options.selection = words;
	if (words != NULL) {
		export.exporter = dmt_exporter_new(run->format, &options,
		    &export.out.output);
		if (export.exporter == NULL)
			msg_memory();
	}
	if (export.exporter == NULL)
		status = CMD_TROUBLE;
	else if (!run->no_terminal || !files_terminal(&export.out.file))
		status = export_files(&export, files);
	status = out_close(&export.out, status, status != CMD_TROUBLE);
	dmt_exporter_free(export.exporter);
	selection_words_free(words);
	return status;
}

/* A file for each operand. */

struct export_each {
	const struct export_run *run;
	char **files;			/* operands */
	char **outputs;
	size_t count;
	int status;
};

/* Returns the name of an operand's file in the folder, to be freed; NULL: no
 * memory, which was reported. */
static char *
name_output(const struct export_run *run, const char *operand)
{
	char *const last = files_rename(strcmp(operand, "-") == 0 ? "stdin" :
	    files_last_part(operand), run->format->ending);
	char *const name = last == NULL ? NULL :
	    files_in_folder(run->io->output, last);

	free(last);
	return name;
}

static int
compare_outputs(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names the outputs. false, which was reported: two would have one name, or
 * there is no memory. */
static bool
name_outputs(struct export_each *each)
{
	char **const sorted = calloc(each->count + 1, sizeof(*sorted));
	bool done = sorted != NULL;

	if (!done)
		msg_memory();
	for (size_t i = 0; i < each->count && done; i++) {
		each->outputs[i] = name_output(each->run, each->files[i]);
		sorted[i] = each->outputs[i];
		done = sorted[i] != NULL;
	}
	if (done)
		qsort(sorted, each->count, sizeof(*sorted), compare_outputs);
	for (size_t i = 1; i < each->count && done; i++) {
		done = strcmp(sorted[i - 1], sorted[i]) != 0;
		if (!done)
			msg_error("two operands would be written to %s",
			    sorted[i]);
	}
	free(sorted);
	return done;
}

/* Exports an operand. Its selection is its own: what another trace has does not
 * matter. */
static int
export_operand(void *context, size_t index)
{
	const struct export_each *const each = context;
	const struct export_run *const run = each->run;
	char *files[] = { each->files[index], NULL };
	const char *const output = each->outputs[index];

	run->selection->several = false;
	run->selection->traces = 0;
	if (run->force || access(output, F_OK) != 0)
		return export_to(run, files, output, !run->force);
	msg_error("%s exists; --force replaces it", output);
	return CMD_TROUBLE;
}

static int
export_to_folder(const struct export_run *run, char **files)
{
	struct export_each each = { .run = run, .files = files };
	struct progress *const progress = &run->io->progress;

	while (files[each.count] != NULL)
		each.count++;
	each.outputs = calloc(each.count, sizeof(*each.outputs));
	if (each.outputs == NULL)
		return msg_fail_memory();
	/* Workers write files, and nothing to their parent. */
	const struct jobs jobs = {
		.operands = each.count, .workers = run->workers,
		.context = &each, .status = &each.status,
		.progress = progress, .handle = export_operand
	};
	progress_init(progress, run->io->quiet, run->io->asked);
	run->io->begun = true;
	progress->files = run->workers > 1 && each.count > 1;
	if (mkdir(run->io->output, 0777) != 0 && errno != EEXIST) {
		msg_error("%s: %s", run->io->output, strerror(errno));
		each.status = CMD_TROUBLE;
	} else if (!name_outputs(&each) || !jobs_run(&jobs)) {
		each.status = CMD_TROUBLE;
	}
	progress_erase(progress);
	for (size_t i = 0; i < each.count; i++)
		free(each.outputs[i]);
	free(each.outputs);
	return each.status;
}

int
export_run(const struct export_run *run, char **files)
{
	const char *const output = run->io->output;

	return output != NULL && files_is_folder(output) ?
	    export_to_folder(run, files) :
	    export_to(run, files, output, false);
}
