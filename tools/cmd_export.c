/* cmd_export.c - write traces for other programs */

#include <dmtrace.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/cli_files.h"
#include "cli/clock_option.h"
#include "cli/jobs.h"
#include "cli/msg.h"
#include "cli/selection.h"
#include "cli/table.h"
#include "eventlog/log_marks.h"
#include "export/export_run.h"
#include "private/suggestion.h"

/* by enum dmtrace_export_rows */
static const char *const rows_words[] = {
	"calls", "events", "profile", "methods", "threads", NULL
};

#define FORMATS_MAX 32			/* formats offered for completion */

struct export {
	struct job io;
	const char *format_name;
	unsigned clock, weight;
	unsigned rows;			/* enum dmtrace_export_rows */
	struct opt_list label_words;	/* NAME=VALUE */
	struct dmtrace_export_label *labels;
	char *label_text;		/* of them */
	bool list, per_thread, force;
	uint64_t workers;
	struct selection selection;
	const struct dmtrace_export_format *format;
	struct log_marks marks;		/* entries to show with the traces */
};

/* Lists each format, the programs that open it, and how; -f is then the form
 * of the list. */
static int
list_formats(const struct export *export)
{
	static const char *const columns[] =
	    { "format", "viewers", "open", NULL };
	const struct dmtrace_export_format *format;
	struct table table = { .form = FORM_TEXT };
	const struct opt form = OPT_FORM(&table.form);

	if (export->format_name != NULL && opt_set_value(&form, "-f",
	    export->format_name) != OPT_GO)
		return CMD_TROUBLE;
	if (!table_open(&table, export->io.output))
		return CMD_TROUBLE;
	table_set_columns(&table, columns);
	for (size_t i = 0;
	    (format = dmtrace_export_format_get(i)) != NULL; i++) {
		if (table_has_rows(&table)) {
			table_string(&table, format->name);
			table_string(&table, format->viewers);
			table_string(&table, format->open);
			table_end_row(&table);
			continue;
		}
		dmt_put_format(&table.buffer, "%-10s  %s\n%12s%s\n",
		    format->name, format->viewers, "", format->open);
	}
	return table_close(&table, CMD_OK);
}

/* Sets the format. False, which is reported: none has that name. */
static bool
find_format(struct export *export)
{
	struct dmt_suggestion near = { .wanted = export->format_name };
	const struct dmtrace_export_format *format;
	char similar[DMT_SUGGESTION_TEXT_MAX];

	export->format = dmt_export_format_find(export->format_name);
	if (export->format != NULL)
		return true;
	for (size_t i = 0;
	    (format = dmtrace_export_format_get(i)) != NULL; i++)
		dmt_suggestion_offer(&near, format->name);
	msg_error("no format \"%s\"%s; see \"dmtrace export --list\"",
	    export->format_name, dmt_suggestion_text(&near, "", similar));
	return false;
}

/* Returns what is wrong with the options, or NULL. */
static const char *
find_export_misuse(const struct export *export, int argc)
{
	const struct dmtrace_export_format *const format = export->format;

	const unsigned weight = weight_of(export->weight, export->clock);

	if (export->weight != 0 && export->clock != CLOCK_ANY)
		return "--weight=calls has no --clock";
	if (weight != 0 && !(format->weights & weight))
		return format->weights == 0 ?
		    "the format of -f has all times and calls: no --clock and "
		    "no --weight" : "the format of -f has no --weight=calls";
	if (export->rows != DMTRACE_ROWS_CALLS && !format->tables)
		return "the format has no --rows: parquet does";
	if (export->label_words.count > 0 && !format->labels)
		return "the format has no --label: jsonl, parquet and pprof do";
	if (export->per_thread && !format->per_thread &&
	    export->rows != DMTRACE_ROWS_PROFILE)
		return "the format has no --per-thread";
	if (export->marks.log != NULL && !format->instants)
		return "the format has no --eventlog: chrome, html and "
		    "perfetto do";
	const bool has_folder = export->io.output != NULL &&
	    files_is_folder(export->io.output);
	if (!has_folder && export->workers > 1)
		return "--jobs needs a folder as -o: a file for each trace";
	if (!has_folder && export->force)
		return "--force is for a folder as -o";
	return argc == 0 ? "no file is named" : NULL;
}

/* Returns true for a name that is a column's in any engine. */
static bool
is_label_name(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!(name[i] == '_' || (name[i] >= 'a' && name[i] <= 'z') ||
		    (name[i] >= 'A' && name[i] <= 'Z') ||
		    (i > 0 && name[i] >= '0' && name[i] <= '9')))
			return false;
	return len > 0;
}

/* Makes the labels of --label. false, which is reported: one has no name, or
 * the name of another one, or there is no memory. */
static bool
parse_labels(struct export *export)
{
	const struct opt_list *const words = &export->label_words;
	size_t size = 1;

	for (size_t i = 0; i < words->count; i++)
		size += strlen(words->items[i]) + 1;
	char *text = malloc(size);
	export->label_text = text;
	export->labels = calloc(words->count + 1, sizeof(*export->labels));
	if (text == NULL || export->labels == NULL) {
		msg_memory();
		return false;
	}
	for (size_t i = 0; i < words->count; i++) {
		struct dmtrace_export_label *const label = &export->labels[i];
		const size_t len = strcspn(words->items[i], "=");

		if (words->items[i][len] != '=' ||
		    !is_label_name(words->items[i], len)) {
			msg_error("--label=%s: not NAME=VALUE with a name of "
			    "letters, digits and \"_\" that does not begin "
			    "with a digit", words->items[i]);
			return false;
		}
		*label = (struct dmtrace_export_label){ text, text + len + 1 };
		strcpy(text, words->items[i]);
		text[len] = '\0';
		text += strlen(words->items[i]) + 1;
		for (size_t other = 0; other < i; other++)
			if (strcasecmp(export->labels[other].name,
			    label->name) == 0) {
				msg_error("--label: two have the name \"%s\"",
				    label->name);
				return false;
			}
	}
	return true;
}

static int
export_traces(const struct cmd *cmd, struct export *export, int argc,
    char **argv)
{
	if (export->format_name == NULL)
		return opt_usage(cmd, "no format: name one of --list with -f");
	if (!find_format(export))
		return CMD_TROUBLE;
	const char *const wrong = find_export_misuse(export, argc);
	if (wrong != NULL)
		return opt_usage(cmd, wrong);

	if (!parse_labels(export))
		return CMD_TROUBLE;

	argv[argc] = NULL;
	export->selection.several = argc > 1;
	int status = log_marks_load(&export->marks, cmd,
	    export->io.output, export->io.quiet);
	if (status == OPT_GO)
		status = selection_begin(&export->selection);
	if (status != OPT_GO)
		return status;
	const struct export_run run = {
		.format = export->format,
		.options = {
			.weight = weight_of(export->weight, export->clock),
			.per_thread = export->per_thread,
			.rows = (enum dmtrace_export_rows)export->rows,
			.labels = export->labels,
			.label_count = export->label_words.count,
		},
		.selection = &export->selection,
		.marks = export->marks.log == NULL ? NULL : &export->marks,
		.no_terminal = export->format->binary,
		.force = export->force, .workers = export->workers,
		.io = &export->io
	};
	return export_run(&run, argv);
}

static int
run_export(const struct cmd *cmd, int argc, char **argv)
{
	struct export export = {
		.clock = CLOCK_ANY, .workers = 1, .selection = SELECTION
	};
	const struct dmtrace_export_format *format;
	const char *formats[FORMATS_MAX + 1] = { NULL };

	for (size_t i = 0; i < FORMATS_MAX &&
	    (format = dmtrace_export_format_get(i)) != NULL; i++)
		formats[i] = format->name;
	const struct opt options[] = {
		OPT_STRING_LIKE('f', "format", "FORM", &export.format_name,
		    formats, "output format; see --list"),
		OPT_FLAG(0, "list", &export.list,
		    "list the formats and the programs that open them"),
		OPT_CLOCK(&export.clock),
		OPT_WEIGHT(&export.weight),
		OPT_FLAG(0, "per-thread", &export.per_thread,
		    "begin each path with its thread; a profile of each"),
		OPT_CHOICE(0, "rows", "WHAT", &export.rows, rows_words,
		    "the table of parquet, such as events [calls]"),
		OPT_LIST(0, "label", "NAME=VALUE", &export.label_words,
		    "give all rows or samples a label; repeatable"),
		OPT_LOG_MARKS(&export.marks),
		OPT_SELECTION(&export.selection),
		OPT_GROUP("Output"),
		OPT_STRING('o', "output", "FILE", &export.io.output,
		    "write to FILE, or a file for each TRACE to a folder"),
		OPT_FLAG(0, "force", &export.force,
		    "replace files in the folder of -o"),
		OPT_JOBS(&export.workers),
		OPT_JOB(&export.io),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO && export.list)
		status = argc > 0 ? opt_usage(cmd, "--list takes no file") :
		    list_formats(&export);
	else if (status == OPT_GO)
		status = export_traces(cmd, &export, argc, argv);
	free(export.labels);
	free(export.label_text);
	opt_list_fini(&export.label_words);
	selection_end(&export.selection);
	log_marks_fini(&export.marks);
	job_fini(&export.io);
	return status;
}

const struct cmd cmd_export = {
	.name = "export",
	.group = "profile",
	.synopsis = "-f FORM [OPTION]... TRACE...",
	.summary = "convert traces for other programs",
	.examples = {
		"dmtrace export -f perfetto -o app.pftrace app.trace",
		"dmtrace export -f collapsed --clock=cpu -t main app.trace",
	},
	.run = run_export,
};
