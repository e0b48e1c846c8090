/* cmd_export.c - write traces for other programs */

#include <dmtrace.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli_files.h"
#include "cli/msg.h"
#include "cli/out.h"
#include "cli/progress.h"
#include "cli/selection.h"
#include "cli/suggestion.h"
#include "cli/table.h"
#include "cli/trace_events.h"
#include "eventlog/log_marks.h"

enum { WEIGHT_WALL, WEIGHT_CPU, WEIGHT_CALLS, WEIGHT_ANY };

static const char *const weight_words[] = { "wall", "cpu", "calls", NULL };

struct export {
	const char *format_name, *output;
	unsigned weight;
	bool list, per_thread, quiet, progress;
	struct selection selection;
	const struct dmtrace_export_format *format;
	struct dmtrace_exporter *exporter;
	struct out out;
	struct trace_events events;
	struct log_marks marks;		/* beside the traces, */
	struct dmtrace_error misplaced;	/* or why they cannot be */
	const char *name;		/* of the operand */
};

/* Every format, who opens it, and how. */
static int
list_formats(void)
{
	const struct dmtrace_export_format *format;

	for (size_t i = 0;
	    (format = dmtrace_export_format_get(i)) != NULL; i++)
		printf("%-10s  %s\n%12s%s\n", format->name, format->viewers,
		    "", format->open);
	return CMD_OK;
}

static bool
find_format(struct export *export)
{
	struct suggestion near = { .wanted = export->format_name };
	const struct dmtrace_export_format *format;
	char words[SUGGESTION_TEXT_MAX];

	for (size_t i = 0;
	    (format = dmtrace_export_format_get(i)) != NULL; i++) {
		if (strcmp(format->name, export->format_name) == 0)
			export->format = format;
		suggestion_offer(&near, format->name);
	}
	if (export->format != NULL)
		return true;
	msg_error("no format \"%s\"%s; see \"dmtrace export --list\"",
	    export->format_name, suggestion_text(&near, "", words));
	return false;
}

/* NULL or what is wrong. */
static const char *
refuse(const struct export *export)
{
	const struct dmtrace_export_format *const format = export->format;

	if (export->weight != WEIGHT_ANY &&
	    !(format->weights & (1u << export->weight)))
		return format->weights == 0 ?
		    "the format has times and calls: no --weight" :
		    "the format has not that --weight";
	if (export->per_thread && !format->per_thread)
		return "the format has no --per-thread";
	if (export->marks.log != NULL && !format->instants)
		return "the format has no --eventlog: chrome and perfetto do";
	return NULL;
}

static enum dmtrace_status
export_source(void *context, struct dmtrace_source *source)
{
	struct export *const export = context;
	uint64_t start_ns;

	if (export->marks.log != NULL) {
		if (!log_marks_start(export->events.reader, &start_ns,
		    &export->misplaced))
			return export->misplaced.status;
		dmtrace_exporter_set_instants(export->exporter,
		    export->marks.items, export->marks.count, start_ns);
	}
	const enum dmtrace_status status = dmtrace_export(export->exporter,
	    source, export->name);

	/* out_close reports what cannot be written. */
	return dmtrace_sink_error(export->out.sink)->status != DMTRACE_OK ?
	    DMTRACE_OK : status;
}

static const struct dmtrace_error *
export_error(void *context)
{
	const struct export *const export = context;

	return export->misplaced.status != DMTRACE_OK ? &export->misplaced :
	    dmtrace_exporter_error(export->exporter);
}

static const struct trace_events_sink export_sink = { export_source,
    export_error };

static void
note_count(uint64_t count, const char *what)
{
	if (count > 0)
		msg_error("note: %" PRIu64 " %s", count, what);
}

/* What the file has not as the traces have it. */
static void
note_counts(const struct dmtrace_export_counts *counts)
{
	note_count(counts->unentered, "calls were open before the trace: "
	    "they begin with their thread");
	note_count(counts->unended, "calls are open at the end: "
	    "they end with their thread");
	note_count(counts->unwound, "calls end with the call around them");
	note_count(counts->strays, "exits of methods that are not open are "
	    "left out");
	note_count(counts->reserved, "events of the reserved action are left "
	    "out");
	note_count(counts->set_back, "times go back in their thread");
	note_count(counts->negative, "times below 0 are left out");
	note_count(counts->outside, "entries of the log are before the trace "
	    "or after it: they are left out");
}

static int
finish_export(struct export *export)
{
	struct dmtrace_export_counts counts = { .events = 0 };

	if (dmtrace_exporter_finish(export->exporter, &counts) !=
	    DMTRACE_OK && dmtrace_sink_error(export->out.sink)->status ==
	    DMTRACE_OK) {
		msg_failure(files_name(&export->out.file),
		    dmtrace_exporter_error(export->exporter));
		return CMD_TROUBLE;
	}
	if (!export->quiet)
		note_counts(&counts);
	return CMD_OK;
}

static int
export_files(struct export *export, char **files)
{
	struct trace_events *const events = &export->events;
	int status = CMD_OK;

	*events = (struct trace_events){
		.sink = &export_sink, .context = export,
		.selection = &export->selection,
		.out = &export->out.file, .quiet = export->quiet
	};
	progress_init(&events->progress, export->quiet, export->progress);
	for (; *files != NULL && status != CMD_TROUBLE; files++) {
		const struct dmtrace_file in = files_input(*files);

		export->name = files_name(&in);
		status = cmd_worse(status, trace_events_add(events, *files));
	}
	if (status != CMD_TROUBLE)
		status = cmd_worse(status,
		    selection_finish(&export->selection, export->name));
	if (status != CMD_TROUBLE)
		status = cmd_worse(status, finish_export(export));
	dmtrace_reader_free(events->reader);
	return status;
}

static int
export_to(struct export *export, char **files)
{
	const struct dmtrace_export_options options = {
		.weight = export->weight == WEIGHT_ANY ? 0 :
		    (enum dmtrace_export_weight)(1u << export->weight),
		.per_thread = export->per_thread,
	};
	int status = CMD_TROUBLE;

	if (!out_open(&export->out, export->output))
		return CMD_TROUBLE;
	export->exporter = dmtrace_exporter_new(export->format, &options,
	    export->out.sink);
	if (export->exporter == NULL)
		msg_memory();
	else if (!export->format->binary ||
	    !files_terminal(&export->out.file))
		status = export_files(export, files);
	status = out_close(&export->out, status, status != CMD_TROUBLE);
	dmtrace_exporter_free(export->exporter);
	return status;
}

static int
check_and_export(const struct cmd *cmd, struct export *export, int argc,
    char **argv)
{
	if (export->list && argc > 0)
		return opt_usage(cmd, "--list needs no file");
	if (export->list)
		return list_formats();
	if (export->format_name == NULL)
		return opt_usage(cmd, "no format: -f FORMAT, one of --list");
	if (!find_format(export))
		return CMD_TROUBLE;
	const char *const wrong = refuse(export);
	if (wrong != NULL || argc == 0)
		return opt_usage(cmd, wrong != NULL ? wrong :
		    "no file is named");
	argv[argc] = NULL;
	export->selection.several = argc > 1;
	int status = log_marks_load(&export->marks, cmd, export->quiet);
	if (status == OPT_GO)
		status = selection_begin(&export->selection);
	return status == OPT_GO ? export_to(export, argv) : status;
}

static int
run_export(const struct cmd *cmd, int argc, char **argv)
{
	struct export export = {
		.weight = WEIGHT_ANY, .selection = SELECTION
	};
	const struct opt options[] = {
		OPT_STRING('f', "format", "FORMAT", &export.format_name,
		    "one of those of --list"),
		OPT_FLAG(0, "list", &export.list,
		    "list the formats, who opens them, and how"),
		OPT_CHOICE(0, "weight", "WHAT", &export.weight, weight_words,
		    "of formats with one value: wall, cpu or calls [wall]"),
		OPT_FLAG(0, "per-thread", &export.per_thread,
		    "begin each path with its thread"),
		OPT_LOG_MARKS(&export.marks),
		OPT_SELECTION(&export.selection),
		OPT_OUTPUT(&export.output),
		OPT_QUIET(&export.quiet),
		OPT_PROGRESS(&export.progress),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO)
		status = check_and_export(cmd, &export, argc, argv);
	selection_end(&export.selection);
	log_marks_fini(&export.marks);
	return status;
}

const struct cmd cmd_export = {
	.name = "export",
	.group = "profile",
	.synopsis = "-f FORMAT [OPTION]... FILE...",
	.summary = "write traces for other programs",
	.run = run_export,
};
