/* cmd_eventlog.c - print the entries of event logs */

#include <dmtrace.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_files.h"
#include "cli/decimal.h"
#include "cli/job.h"
#include "cli/msg.h"
#include "eventlog/entry_print.h"
#include "private/eventlog.h"
#include "private/select.h"
#include "private/suggestion.h"
#include "private/text.h"

#define SECOND 1000000000u	/* in nanoseconds */
#define FULL (64 * 1024)	/* bytes of text that are written at a time */

/* A value of --tag, --pid or -t: a number or a pattern, or what is left out. */
struct condition {
	struct condition *next;
	char *text;
	struct dmt_pattern *pattern;
	int64_t number;
	bool is_number;
	bool found;			/* an entry matches it */
	struct dmt_suggestion near;	/* similar names, unless it was found */
};

enum { BY_TAG, BY_PID, BY_TID, FILTERS };

/* The options that select entries. */
struct entry_filter {
	const char *option;
	bool numbers;			/* values must be numbers */
	struct opt_list given;
	struct condition *conditions;
};

struct eventlog {
	struct entry_filter filters[FILTERS];
	uint64_t from_ns, to_ns;
	struct job job;			/* stores the findings */
	const char *file;
	struct dmtrace_tags *names;
	struct entry_printer put;
	uint64_t selected;
	uint64_t first_ns, last_ns;	/* times in the current file */
	bool any;			/* there is an entry with a time */
	bool no_memory;			/* a pattern was not matched */
};

/* Adds the items of comma-separated lists. false: no memory, or not a number
 * where one is required, which was reported. */
static bool
add_conditions(struct entry_filter *filter)
{
	for (size_t i = 0; i < filter->given.count; i++) {
		const char *at = filter->given.items[i];
		const size_t len = strlen(at);

		for (const char *const end = at + len; at <= end;) {
			const size_t part = dmt_pattern_list_len(at);
			struct dmtrace_error error = { .message = "" };
			struct condition *const added =
			    calloc(1, sizeof(*added));
			char *rest;

			if (added != NULL)
				added->text = strndup(at, part);
			if (added == NULL || added->text == NULL) {
				free(added);
				msg_memory();
				return false;
			}
			added->next = filter->conditions;
			filter->conditions = added;
			const char *const digits = added->text +
			    (added->text[0] == '!');
			added->near.wanted = digits;
			added->number = strtoll(digits, &rest, 10);
			added->is_number = rest > digits && *rest == '\0';
			if (filter->numbers && !added->is_number) {
				msg_error("%s: \"%s\" is not a number",
				    filter->option, added->text);
				return false;
			}
			added->pattern = dmt_pattern_new(added->text, &error);
			if (added->pattern == NULL) {
				msg_error("%s: \"%s\": %s", filter->option,
				    added->text, error.message);
				return false;
			}
			at += part + 1;
		}
	}
	return true;
}

static void
free_filter(struct entry_filter *filter)
{
	while (filter->conditions != NULL) {
		struct condition *const next = filter->conditions->next;

		dmt_pattern_free(filter->conditions->pattern);
		free(filter->conditions->text);
		free(filter->conditions);
		filter->conditions = next;
	}
	opt_list_fini(&filter->given);
}

/* Returns true if the entry meets one of the conditions, or there are none, and
 * none that is negated leaves it out. name may be NULL. */
static bool
entry_matches(struct eventlog *log, const struct entry_filter *filter,
    bool has_number, int64_t number, const char *name)
{
	bool asked = false, match = false, refused = false;

	for (struct condition *one = filter->conditions; one != NULL;
	    one = one->next) {
		const bool negated = dmt_pattern_is_negated(one->pattern);
		bool fits = negated;

		if (!one->is_number && name != NULL)
			log->no_memory |= !dmt_pattern_match_name(one->pattern,
			    dmt_text_of(name), &fits);
		const bool has = one->is_number ?
		    has_number && one->number == number : fits != negated;
		asked |= !negated;
		match |= has && !negated;
		refused |= has && negated;
		if (!has && name != NULL && !one->found)
			dmt_suggestion_offer(&one->near, name);
		one->found |= has;
	}
	return (match || !asked) && !refused;
}

static bool
selects_all(const struct eventlog *log)
{
	bool all = log->from_ns == 0 && log->to_ns == UINT64_MAX;

	for (int i = 0; i < FILTERS; i++)
		all = all && log->filters[i].given.count == 0;
	return all;
}

/* Bytes that are not an entry have neither a tag nor a time. */
static bool
is_selected(struct eventlog *log, const struct dmtrace_entry *entry)
{
	const uint64_t time_ns = (uint64_t)entry->seconds * SECOND +
	    entry->nanoseconds;
	const struct dmtrace_tag *const tag = log->names == NULL ||
	    entry->kind != DMTRACE_ENTRY_EVENT ? NULL :
	    dmtrace_tags_find(log->names, entry->tag);

	if (entry->kind == DMTRACE_ENTRY_RAW)
		return selects_all(log);
	if (!log->any)
		log->first_ns = time_ns;
	log->any = true;
	log->last_ns = time_ns;
	/* All conditions are tested, as each notes what it has found. */
	const bool by_tag = entry_matches(log, &log->filters[BY_TAG],
	    entry->kind == DMTRACE_ENTRY_EVENT, entry->tag,
	    tag != NULL ? tag->name : entry->kind == DMTRACE_ENTRY_TEXT ?
	    entry->name.bytes : NULL);
	const bool by_pid = entry_matches(log, &log->filters[BY_PID],
	    true, entry->pid, NULL);
	const bool by_tid = entry_matches(log, &log->filters[BY_TID],
	    true, entry->tid, NULL);
	const uint64_t since_ns =
	    time_ns < log->first_ns ? 0 : time_ns - log->first_ns;
	return by_tag && by_pid && by_tid && since_ns >= log->from_ns &&
	    since_ns < log->to_ns;
}

/* A dmtrace_finding_fn. */
static void
keep_finding(void *context, const struct dmtrace_finding *finding)
{
	struct eventlog *const log = context;

	job_add_finding(&log->job, log->file, finding);
}

/* Returns CMD_OK, or CMD_NO if one of the findings is an error. */
static int
report_log_findings(struct eventlog *log)
{
	log->job.status = CMD_OK;
	job_report(&log->job);
	return log->job.status;
}

static int
print_entries(struct eventlog *log, struct dmtrace_eventlog_reader *reader)
{
	struct table *const table = &log->put.table;
	struct dmtrace_entry entry;
	enum dmtrace_status status;

	while ((status = dmtrace_eventlog_reader_read(reader, &entry)) ==
	    DMTRACE_OK && out_room(&table->out, 1) != NULL) {
		if (!is_selected(log, &entry))
			continue;
		log->selected++;
		entry_print(&log->put, &entry);
		if (dmt_output_failed(&table->buffer) ||
		    table->buffer.len > FULL)
			table_flush(table);
		if (table->lost)
			return CMD_TROUBLE;
	}
	const int found = report_log_findings(log);
	if (log->no_memory)
		return msg_fail_memory();
	if (status != DMTRACE_OK && status != DMTRACE_END) {
		msg_failure(log->file,
		    dmtrace_eventlog_reader_error(reader));
		return CMD_TROUBLE;
	}
	return found;
}

static int
print_file(struct eventlog *log, const char *operand)
{
	const struct dmtrace_file in = files_input(operand);
	const struct dmtrace_eventlog_options options = {
		.tags = log->names, .report = keep_finding, .context = log
	};
	struct dmtrace_eventlog_reader *const reader =
	    dmtrace_eventlog_reader_new(&options);
	int status = CMD_TROUBLE;

	log->file = files_name(&in);
	log->put.file = log->file;
	log->any = false;
	if (reader == NULL)
		msg_memory();
	else if (dmtrace_eventlog_reader_open(reader, &in) != DMTRACE_OK)
		msg_failure(log->file,
		    dmtrace_eventlog_reader_error(reader));
	else if (!files_clash(&in, &log->put.table.out.file))
		status = print_entries(log, reader);
	dmtrace_eventlog_reader_free(reader);
	return status;
}

/* A number or name that no entry has is unknown; a glob may match nothing. */
static int
report_selection(const struct eventlog *log)
{
	char similar[DMT_SUGGESTION_TEXT_MAX], first[DATE_MAX], last[DATE_MAX];
	int status = CMD_OK;

	for (int i = 0; i < FILTERS; i++)
		for (const struct condition *one = log->filters[i].conditions;
		    one != NULL; one = one->next) {
			const char *const name = one->near.wanted;

			if (one->found || (!one->is_number &&
			    !dmt_pattern_is_name(dmt_text_of(name))))
				continue;
			msg_error("%s: no entry has \"%s\"%s",
			    log->filters[i].option, name,
			    dmt_suggestion_text(&one->near, "", similar));
			status = CMD_TROUBLE;
		}
	if (status != CMD_OK || log->selected > 0 || selects_all(log))
		return status;
	if (!log->any)
		msg_error("%s: nothing is selected: it has no entries",
		    log->file);
	else
		msg_error("%s: nothing is selected: its entries have times "
		    "from %s to %s", log->file,
		    date_format(first, log->first_ns / 1000),
		    date_format(last, log->last_ns / 1000));
	return CMD_NO;
}

static int
print_files(struct eventlog *log, const char *output, int argc, char **argv)
{
	int status = CMD_OK;

	if (!table_open(&log->put.table, output))
		return CMD_TROUBLE;
	entry_print_columns(&log->put);
	for (int i = 0; i < argc; i++)
		status = cmd_worse(status, print_file(log, argv[i]));
	if (status != CMD_TROUBLE)
		status = cmd_worse(status, report_selection(log));
	/* A log that cannot be read has no row. */
	log->put.table.lost |= status == CMD_TROUBLE;
	return table_close(&log->put.table, status);
}

static bool
load_tags(struct eventlog *log, const char *path, const char *output)
{
	const struct dmtrace_file tags = { .path = path };
	const struct dmtrace_file out = files_output(output);

	if (path == NULL)
		return true;
	if (files_clash(&tags, &out))
		return false;
	log->names = dmtrace_tags_new();
	log->put.tags = log->names;
	log->file = path;
	if (log->names == NULL) {
		msg_memory();
		return false;
	}
	if (dmtrace_tags_load(log->names, path, keep_finding, log) ==
	    DMTRACE_OK)
		return report_log_findings(log) != CMD_TROUBLE;
	msg_failure(path, dmtrace_tags_error(log->names));
	return false;
}

static int
encode_entries(struct eventlog *log, const char *output, unsigned header,
    const char *operand)
{
	const struct dmtrace_file in = files_input(operand);
	const struct dmtrace_file out = files_output(output);

	if (files_clash(&in, &out) || files_terminal(&out))
		return CMD_TROUBLE;
	struct dmtrace_eventlog_writer *const writer =
	    dmtrace_eventlog_writer_new();
	if (writer == NULL) {
		msg_memory();
		return CMD_TROUBLE;
	}
	enum dmtrace_status status = dmtrace_eventlog_writer_open(writer, &out);
	log->file = files_name(&out);
	if (status == DMTRACE_OK) {
		log->file = files_name(&in);
		status = dmt_eventlog_writer_import(writer, &in, header);
	}
	if (status == DMTRACE_OK) {
		log->file = files_name(&out);
		status = dmtrace_eventlog_writer_close(writer);
	}
	const struct dmtrace_error *const error =
	    dmtrace_eventlog_writer_error(writer);
	const bool failed = status != DMTRACE_OK && error->sys_errno != EPIPE;
	if (failed)
		msg_failure(log->file, error);
	dmtrace_eventlog_writer_free(writer);
	return failed ? CMD_TROUBLE : CMD_OK;
}

static const char *const versions[] = {
	"own", "v1", "v2", "v3", "v4", NULL
};

static int
run_eventlog(const struct cmd *cmd, int argc, char **argv)
{
	struct eventlog log = {
		.filters = {
			[BY_TAG] = { .option = "--tag" },
			[BY_PID] = { .option = "--pid", .numbers = true },
			[BY_TID] = { .option = "-t", .numbers = true },
		},
		.to_ns = UINT64_MAX
	};
	const char *output = NULL, *tag_file = NULL;
	unsigned header = 0;
	bool encodes = false;
	const struct opt options[] = {
		OPT_FLAG(0, "encode", &encodes,
		    "convert entries in JSON to an event log"),
		OPT_FORM(&log.put.table.form),
		OPT_TIME(0, "from", "TIME", &log.from_ns,
		    "select entries from TIME on; the first one is at 0"),
		OPT_CHOICE(0, "header", "VERSION", &header, versions,
		    "with --encode, header: own, v1, v2, v3 or v4 [own]"),
		OPT_FLAG(0, "logcat", &log.put.logcat,
		    "print lines like logcat -v threadtime"),
		OPT_OUTPUT(&output),
		OPT_LIST(0, "pid", "PID", &log.filters[BY_PID].given,
		    "select entries by process id"),
		OPT_QUIET(&log.job.quiet),
		OPT_LIST(0, "tag", "TAG", &log.filters[BY_TAG].given,
		    "select entries by tag: number, name or glob"),
		OPT_STRING(0, "tags", "FILE", &tag_file,
		    "read names of tags and values from FILE"),
		OPT_LIST('t', "thread", "THREAD", &log.filters[BY_TID].given,
		    "select entries by thread id"),
		OPT_TIME(0, "to", "TIME", &log.to_ns,
		    "select entries before TIME; the first one is at 0"),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO && argc == 0)
		status = opt_usage(cmd, "no event log is named");
	if (status == OPT_GO && log.put.logcat &&
	    log.put.table.form != FORM_TEXT)
		status = opt_usage(cmd, "--logcat cannot be used with -f");
	if (status == OPT_GO && log.to_ns <= log.from_ns)
		status = opt_usage(cmd, "--to is not after --from");
	if (status == OPT_GO && header != 0 && !encodes)
		status = opt_usage(cmd, "--header needs --encode");
	if (status == OPT_GO && encodes &&
	    (log.put.table.form != FORM_TEXT || log.put.logcat ||
	    tag_file != NULL || !selects_all(&log)))
		status = opt_usage(cmd, "--encode can only be used with "
		    "--header and -o");
	if (status == OPT_GO && encodes && argc > 1)
		status = opt_usage(cmd, "--encode takes one file");
	if (status == OPT_GO && encodes)
		status = encode_entries(&log, output, header, argv[0]);
	if (status == OPT_GO)
		status = load_tags(&log, tag_file, output) ? OPT_GO :
		    CMD_TROUBLE;
	for (int i = 0; i < FILTERS && status == OPT_GO; i++)
		if (!add_conditions(&log.filters[i]))
			status = CMD_TROUBLE;
	if (status == OPT_GO)
		status = print_files(&log, output, argc, argv);
	for (int i = 0; i < FILTERS; i++)
		free_filter(&log.filters[i]);
	entry_printer_fini(&log.put);
	dmtrace_tags_free(log.names);
	return status;
}

const struct cmd cmd_eventlog = {
	.name = "eventlog",
	.group = "other",
	.synopsis = "[OPTION]... FILE...",
	.summary = "print the entries of Android event logs",
	.examples = {
		"dmtrace eventlog --tags=event-log-tags events.log",
		"dmtrace eventlog -f jsonl --tag=am_proc_start events.log",
	},
	.run = run_eventlog,
};
