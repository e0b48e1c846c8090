/* export_run.c - exports traces to a file */

#include "export/export_run.h"

#include <string.h>

#include "cli/cli_files.h"
#include "cli/decimal.h"
#include "cli/msg.h"
#include "cli/out.h"
#include "cli/trace_events.h"
#include "cmd.h"

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
	return dmt_sink_error(export->out.sink)->status != DMTRACE_OK ?
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
	    DMTRACE_OK && dmt_sink_error(export->out.sink)->status ==
	    DMTRACE_OK) {
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

int
export_run(const struct export_run *run, char **files)
{
	struct export export = { .run = run };
	int status = CMD_TROUBLE;

	/* A profile of pprof is compressed already. */
	const bool packed = strcmp(run->format->name, "pprof") == 0;

	if (!(packed ? out_open_as_is : out_open)(&export.out,
	    run->io->output))
		return CMD_TROUBLE;
	export.exporter = dmt_exporter_new(run->format, &run->options,
	    export.out.sink);
	if (export.exporter == NULL)
		msg_memory();
	else if (!run->no_terminal || !files_terminal(&export.out.file))
		status = export_files(&export, files);
	status = out_close(&export.out, status, status != CMD_TROUBLE);
	dmt_exporter_free(export.exporter);
	return status;
}
