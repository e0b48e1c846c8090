/* cmd_info.c - summarize traces: format, clock, threads, event counts */

#include "info/trace_info.h"

#include <dmtrace.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_files.h"
#include "cli/decimal.h"
#include "cli/jobs.h"
#include "cli/msg.h"
#include "cli/table.h"
#include "private/key.h"
#include "private/select.h"
#include "private/status.h"
#include "private/trace.h"

#define TOP_THREADS 10		/* in text */

/* Widths of columns. */
enum {
	WIDTH_THREAD = 10,
	WIDTH_EVENTS = 12,
	WIDTH_TIME = 10
};

static const char *const info_columns[] = {
	"file", "container", "version", "version_key", "record_size",
	"data_offset", "clock", "vm", "start", "duration_ns", "threads",
	"methods", "events", "enter", "exit", "unroll", "reserved",
	"overflow", "findings", "per_thread", "error",
	"stage", "writer", "evidence", NULL
};

enum { COLUMNS = sizeof(info_columns) / sizeof(info_columns[0]) - 1 };

static const char *const clocks[] = {
	[DMTRACE_CLOCK_MISSING] =
	    "missing, read as thread-cpu: CPU time of each thread",
	[DMTRACE_CLOCK_THREAD_CPU] = "thread-cpu: CPU time of each thread",
	[DMTRACE_CLOCK_WALL] = "wall: wall time",
	[DMTRACE_CLOCK_GLOBAL] = "global: wall time",
	[DMTRACE_CLOCK_DUAL] =
	    "dual: CPU time of each thread, and wall time",
	[DMTRACE_CLOCK_UNKNOWN] =
	    "unknown, read as thread-cpu: CPU time of each thread",
};

struct dmtrace_text
trace_info_option(const struct trace_info *info, const char *name)
{
	const struct dmtrace_option *option =
	    dmtrace_key_option_find(info->key, name);

	return option == NULL ? (struct dmtrace_text){ NULL, 0 } :
	    option->value;
}

/* Returns the listed thread for a number in records, or NULL. */
static const struct dmtrace_thread *
find_listed_thread(const struct trace_info *info, uint32_t number)
{
	return dmt_key_thread_match(info->key,
	    dmt_reader_layout(info->reader), number);
}

/* Returns the time from the first to the last record or, if times cannot be
 * compared across threads, the duration of the longest thread. */
static uint64_t
measure_duration(const struct trace_info *info)
{
	uint64_t first = UINT64_MAX, last = 0, longest = 0;

	for (size_t i = 0; i < info->count.thread_count; i++) {
		const struct dmt_thread_count *thread =
		    &info->count.threads[i];

		if (thread->first_ns < first)
			first = thread->first_ns;
		if (thread->last_ns > last)
			last = thread->last_ns;
		if (thread->last_ns > thread->first_ns &&
		    thread->last_ns - thread->first_ns > longest)
			longest = thread->last_ns - thread->first_ns;
	}
	if (!info->comparable)
		return longest;
	return last > first ? last - first : 0;
}

/* Fills in the facts about a trace that was opened and, unless it has an
 * error, read. */
static void
fill_trace_info(struct trace_info *info)
{
	const struct dmt_header *const header =
	    dmt_reader_header(info->reader);
	uint64_t *const numbers = info->numbers;

	info->is_read = true;
	info->header = header;
	info->overflow = dmt_key_overflowed(info->key);
	info->comparable = dmt_reader_layout(info->reader) != NULL &&
	    dmt_reader_is_sortable(info->reader);

	numbers[INFO_VERSION] = header == NULL ? INFO_ABSENT :
	    header->version;
	numbers[INFO_VERSION_KEY] = dmt_key_version(info->key);
	numbers[INFO_RECORD_SIZE] = header == NULL ? INFO_ABSENT :
	    header->record_size;
	numbers[INFO_DATA_OFFSET] = header == NULL ? INFO_ABSENT :
	    header->data_offset;
	numbers[INFO_DURATION_NS] = info->count.records == 0 ? INFO_ABSENT :
	    measure_duration(info);
	numbers[INFO_THREADS] = dmtrace_key_thread_count(info->key);
	numbers[INFO_METHODS] = dmtrace_key_method_count(info->key);
	numbers[INFO_RECORDS] = info->count.records;
	for (unsigned i = 0; i < 4; i++)
		numbers[INFO_ENTER + i] = info->count.actions[i];
}

/* Reads the whole trace. Returns an exit status: CMD_NO if a finding is an
 * error; CMD_TROUBLE, which was reported, if it cannot be read; then only the
 * error is set. */
static int
read_trace_info(struct trace_info *info)
{
	struct dmtrace_reader *const reader = info->reader;

	if (reader == NULL) {
		info->error = dmtrace_strerror(DMTRACE_ERR_MEMORY);
		return msg_fail_memory();
	}
	const enum dmtrace_status opened = files_open(reader, info->file);
	info->key = dmtrace_reader_key(reader);

	/* If only the data cannot be read, the key is reported. */
	const bool is_about_data = info->key != NULL &&
	    (opened == DMTRACE_ERR_TRUNCATED ||
	    opened == DMTRACE_ERR_CORRUPT ||
	    opened == DMTRACE_ERR_VERSION ||
	    opened == DMTRACE_ERR_UNSUPPORTED);
	if (opened == DMTRACE_OK ?
	    dmt_reader_count(reader, &info->count) != DMTRACE_OK :
	    !is_about_data) {
		const struct dmtrace_file file = files_input(info->file);

		msg_failure(files_name(&file), dmtrace_reader_error(reader));
		info->error = dmtrace_reader_error(reader)->message;
		return CMD_TROUBLE;
	}
	if (opened != DMTRACE_OK)
		info->error = dmtrace_reader_error(reader)->message;
	fill_trace_info(info);
	return opened != DMTRACE_OK || msg_errors(info->file, reader, true) ?
	    CMD_NO : CMD_OK;
}

static void
put_number_cells(struct table *table, const struct trace_info *info,
    enum trace_info_number first, enum trace_info_number last)
{
	for (unsigned i = first; i <= last; i++)
		table_number_if(table, info->numbers[i] != INFO_ABSENT,
		    info->numbers[i]);
}

/* Fills a cell with an option of the key; an empty value is a cell, too. */
static void
put_option_cell(struct table *table, const struct trace_info *info,
    const char *name)
{
	const struct dmtrace_text text = trace_info_option(info, name);

	if (text.bytes == NULL)
		table_absent(table, 1);
	else
		table_text(table, text.bytes, text.len);
}

/* The number is written as a string, as JSON numbers above 2^53 may be
 * inexact. */
static void
put_start_cell(struct table *table, const struct dmt_header *header)
{
	static const char *const columns[] = { "raw", "kind", NULL };
	struct table start = table_nested(columns);
	char raw[24];

	if (header == NULL) {
		table_absent(table, 1);
		return;
	}
	snprintf(raw, sizeof(raw), "%" PRIu64, header->start);
	table_string(&start, raw);
	table_string(&start,
	    dmt_start_kind_name(dmt_header_start_kind(header)));
	table_end_row(&start);
	table_object(table, &start);
}

static void
put_findings_cell(struct table *table, struct dmtrace_reader *reader)
{
	static const char *const columns[] =
	    { "finding", "severity", "count", "line", "byte", "message", NULL };
	struct table findings = table_nested(columns);

	for (size_t i = 0; i < dmt_reader_finding_count(reader); i++) {
		const struct dmtrace_finding *const finding =
		    dmtrace_reader_finding_get(reader, i);

		table_string(&findings, finding->name);
		table_string(&findings,
		    dmtrace_severity_name(finding->severity));
		table_number(&findings, finding->count);
		table_place_cells(&findings, finding->place, finding->at);
		table_string(&findings, finding->message);
		table_end_row(&findings);
	}
	table_array(table, &findings);
}

static void
put_threads_cell(struct table *table, const struct trace_info *info)
{
	static const char *const columns[] =
	    { "thread", "thread_name", "events", "first_ns", "last_ns", NULL };
	struct table threads = table_nested(columns);

	for (size_t i = 0; i < info->count.thread_count; i++) {
		const struct dmt_thread_count *const thread =
		    &info->count.threads[i];
		const struct dmtrace_thread *const listed =
		    find_listed_thread(info, thread->thread);

		table_number(&threads, thread->thread);
		if (listed == NULL)
			table_absent(&threads, 1);
		else
			table_text(&threads, listed->name.bytes,
			    listed->name.len);
		table_number(&threads, thread->records);
		table_number(&threads, thread->first_ns);
		table_number(&threads, thread->last_ns);
		table_end_row(&threads);
	}
	table_array(table, &threads);
}

/* Prints the row of a trace. If it could not be read, it has only the name and
 * the error. */
static void
put_row(struct table *table, const struct trace_info *info)
{
	table_string(table, info->file);
	if (!info->is_read) {
		table_absent(table, COLUMNS - 5);
	} else {
		table_string(table, dmt_container_name(
		    dmt_reader_container(info->reader)));
		put_number_cells(table, info, INFO_VERSION, INFO_DATA_OFFSET);
		put_option_cell(table, info, DMT_OPTION_CLOCK);
		put_option_cell(table, info, DMT_OPTION_VM);
		put_start_cell(table, info->header);
		put_number_cells(table, info, INFO_DURATION_NS, INFO_RESERVED);
		table_truth(table, info->overflow);
		put_findings_cell(table, info->reader);
		put_threads_cell(table, info);
	}
	table_string(table, info->error);
	if (!info->is_read) {
		table_absent(table, 3);
	} else {
		const struct trace_writer *const writer =
		    trace_info_writer(info);

		table_string(table, dmt_reader_stage(info->reader));
		table_string(table, writer->name);
		table_string(table, writer->evidence);
	}
	table_end_row(table);
}

/* Begins a line. */
static void
put_line_label(struct dmt_output *buffer, const char *name)
{
	dmt_put_format(buffer, "%-12s", name);
}

static void
put_header_lines(struct dmt_output *buffer, const struct trace_info *info)
{
	const struct dmt_header *const header = info->header;
	const uint64_t key_version = info->numbers[INFO_VERSION_KEY];
	const char *const stage = dmt_reader_stage(info->reader);
	char date[DATE_MAX];

	put_line_label(buffer, "version");
	if (header == NULL) {
		dmt_put_format(buffer, "%" PRIu64 " according to the "
		    "key; the data cannot be read\n", key_version);
		return;
	}
	/* For a stream, the version of its records. */
	const unsigned version = dmt_version_plain(header->version);
	dmt_put_format(buffer, "%u", version);
	if (version != header->version)
		dmt_put_format(buffer, " as a stream (0x%X)", header->version);
	if (key_version != version)
		dmt_put_format(buffer, ", but the key says %" PRIu64,
		    key_version);
	/* Of a stream, the size may differ from what its header says. */
	const struct dmt_layout *const layout =
	    dmt_reader_layout(info->reader);
	const unsigned size = header->record_size == 0 || layout == NULL ?
	    header->record_size : dmt_layout_record_size(layout);
	if (size == 0)
		dmt_put_format(buffer, "; packets after a header of %u, stage "
		    "%s\n", header->data_offset,
		    stage == NULL ? "unknown" : stage);
	else
		dmt_put_format(buffer,
		    "; records of %u bytes after a header of %u\n",
		    size, header->data_offset);

	const uint64_t start = header->start;
	put_line_label(buffer, "start");
	switch (dmt_header_start_kind(header)) {
	case DMTRACE_START_EPOCH:
		dmt_put_format(buffer, "%s\n", date_format(date, start));
		break;
	case DMTRACE_START_BOOT:
		dmt_put_format(buffer, "%" PRIu64 ".%06" PRIu64
		    " s after boot\n", start / 1000000, start % 1000000);
		break;
	case DMTRACE_START_SEC_USEC:
		dmt_put_format(buffer, "%s (seconds in the upper half of the "
		    "number)\n", date_format(date, (start >> 32) * 1000000 +
		    (start & UINT32_MAX)));
		break;
	}
}

static void
put_finding_lines(struct dmt_output *buffer, struct dmtrace_reader *reader)
{
	char number[COUNT_MAX], place[PLACE_MAX];

	for (size_t i = 0; i < dmt_reader_finding_count(reader); i++) {
		const struct dmtrace_finding *finding =
		    dmtrace_reader_finding_get(reader, i);

		put_line_label(buffer,
		    dmtrace_severity_name(finding->severity));
		dmt_put(buffer, place_format(place, finding->place,
		    finding->at));
		dmt_put(buffer, finding->message);
		dmt_put_format(buffer, " (%s", finding->name);
		if (finding->count > 1)
			dmt_put_format(buffer, ", the first of %s",
			    count_format(number, finding->count));
		dmt_put(buffer, ")\n");
	}
}

static int
compare_thread_counts(const void *left, const void *right)
{
	const struct dmt_thread_count *const a = left, *const b = right;

	if (a->records != b->records)
		return a->records > b->records ? -1 : 1;
	return a->thread < b->thread ? -1 : a->thread > b->thread;
}

/* Prints a line for each of the threads with most events, and counts the
 * others. */
static void
put_thread_lines(struct table *table, struct trace_info *info, uint64_t top)
{
	struct dmt_output *const buffer = &table->buffer;
	const size_t count = info->count.thread_count;
	const size_t shown = top == 0 || top > count ? count : (size_t)top;
	char number[COUNT_MAX];

	if (count == 0)
		return;
	qsort(info->count.threads, count, sizeof(*info->count.threads),
	    compare_thread_counts);
	dmt_put(buffer, "\n");
	column_string(buffer, WIDTH_THREAD, "thread");
	column_string(buffer, WIDTH_EVENTS, "events");
	column_string(buffer, WIDTH_TIME, "first");
	column_string(buffer, WIDTH_TIME, "last");
	dmt_put(buffer, "  name\n");
	for (size_t i = 0; i < shown; i++) {
		const struct dmt_thread_count *const of =
		    &info->count.threads[i];
		const struct dmtrace_thread *const thread =
		    find_listed_thread(info, of->thread);
		const size_t line = buffer->len;

		snprintf(number, sizeof(number), "%" PRIu32, of->thread);
		column_string(buffer, WIDTH_THREAD, number);
		column_count(buffer, WIDTH_EVENTS, of->records);
		column_time(buffer, WIDTH_TIME, of->first_ns);
		column_time(buffer, WIDTH_TIME, of->last_ns);
		dmt_put(buffer, "  ");
		const size_t name = buffer->len;
		if (thread == NULL)
			dmt_put(buffer, "(not listed)");
		else
			escape_put(buffer, escape_plain, thread->name.bytes,
			    thread->name.len);
		table_end_line(table, line, name);
	}
	if (shown < count)
		dmt_put_format(buffer, "%s more thread%s (--threads)\n",
		    count_format(number, count - shown),
		    count - shown == 1 ? "" : "s");
}

static void
put_text(struct table *table, struct trace_info *info, uint64_t top)
{
	struct dmt_output *const buffer = &table->buffer;
	const uint64_t duration_ns = info->numbers[INFO_DURATION_NS];
	const char *separator = ": ";
	char count[COUNT_MAX], duration[DURATION_MAX];

	put_line_label(buffer, "file");
	escape_put(buffer, escape_plain, info->file, strlen(info->file));
	dmt_put(buffer, "\n");
	if (!info->is_read) {
		put_line_label(buffer, "error");
		dmt_put(buffer, info->error);	/* escaped already */
		dmt_put(buffer, "\n");
		return;
	}
	put_line_label(buffer, "container");
	dmt_put_format(buffer, "%s\n",
	    dmt_container_name(dmt_reader_container(info->reader)));
	put_header_lines(buffer, info);

	put_line_label(buffer, "clock");
	dmt_put(buffer, clocks[dmt_key_clock(info->key)]);
	if (dmt_reader_layout(info->reader) != NULL)
		dmt_put(buffer, info->comparable ?
		    ", shared by all threads" :
		    ", not comparable across threads");
	dmt_put(buffer, "\n");

	const struct dmtrace_text vm = trace_info_option(info, DMT_OPTION_VM);
	if (vm.bytes != NULL) {
		put_line_label(buffer, "vm");
		escape_put(buffer, escape_plain, vm.bytes, vm.len);
		dmt_put(buffer, "\n");
	}
	const struct trace_writer *const writer = trace_info_writer(info);
	put_line_label(buffer, "writer");
	dmt_put_format(buffer, "%s%s%s\n", writer->name,
	    writer->evidence == NULL ? "" : ": ",
	    writer->evidence == NULL ? "" : writer->evidence);

	if (duration_ns != INFO_ABSENT) {
		put_line_label(buffer, "duration");
		dmt_put_format(buffer, "%s, %s\n",
		    dmt_time_format(duration, duration_ns),
		    info->comparable ? "from the first event to the last" :
		    "of the thread that took longest");
	}
	put_line_label(buffer, "threads");
	dmt_put_format(buffer, "%s listed, ",
	    count_format(count, info->numbers[INFO_THREADS]));
	dmt_put_format(buffer, "%s with events\n",
	    count_format(count, info->count.thread_count));
	put_line_label(buffer, "methods");
	dmt_put_format(buffer, "%s listed\n",
	    count_format(count, info->numbers[INFO_METHODS]));

	put_line_label(buffer, "events");
	dmt_put(buffer, count_format(count, info->count.records));
	for (unsigned i = 0; i < 4; i++) {
		if (info->count.actions[i] == 0)
			continue;
		dmt_put_format(buffer, "%s%s %s", separator,
		    count_format(count, info->count.actions[i]),
		    dmtrace_action_name((enum dmtrace_action)i));
		separator = ", ";
	}
	dmt_put(buffer, info->overflow ?
	    "; the buffer was full\n" : "\n");

	put_finding_lines(buffer, info->reader);
	put_thread_lines(table, info, top);
}

/*
 * Reads the trace of an operand and prints the facts about it, as text or as a
 * row of the table. Returns an exit status: CMD_NO if a finding is an error;
 * CMD_TROUBLE, which was reported, if it cannot be read.
 */
static int
print_trace_info(struct table *table, const char *file, bool quiet,
    uint64_t top)
{
	struct trace_info info = {
		.file = file, .reader = dmtrace_reader_new()
	};
	const int status = read_trace_info(&info);

	/* In text, a blank line separates traces. */
	if (table_has_rows(table)) {
		put_row(table, &info);
	} else if (info.is_read || table_shows_errors(table)) {
		dmt_put(&table->buffer,
		    table->out.at == NULL ? "" : "\n");
		put_text(table, &info, top);
	}
	table_flush(table);

	/* In text, errors are part of the report. */
	if (status != CMD_TROUBLE)
		msg_errors(file, info.reader, quiet || !table_has_rows(table));
	dmt_count_fini(&info.count);
	dmtrace_reader_free(info.reader);
	return status;
}

struct info_run {
	struct table table;
	char **files;
	uint64_t top;			/* threads in text; 0: all */
	bool quiet;
	uint64_t workers;
	struct progress progress;	/* of the operands, with --jobs */
	int status;
};

/* Prints the facts about an operand. Returns the exit status for it. */
static int
print_operand(void *context, size_t index)
{
	struct info_run *const run = context;
	char *const file = run->files[index];

	if (!files_clash_operand(file, &run->table.out.file))
		return print_trace_info(&run->table, file, run->quiet,
		    run->top);
	run->table.lost = true;
	return CMD_TROUBLE;
}

static int
run_info(const struct cmd *cmd, int argc, char **argv)
{
	struct info_run run = {
		.table.form = FORM_TEXT, .workers = 1, .top = TOP_THREADS
	};
	const char *output = NULL;
	bool all_threads = false, asked = false;
	const struct opt options[] = {
		OPT_TOP(&run.top,
		    "print N threads, those with most events, or all [10]"),
		OPT_FLAG(0, "threads", &all_threads,
		    "print all threads, as --top=all does"),
		OPT_FORM(&run.table.form),
		OPT_OUTPUT(&output),
		OPT_JOBS(&run.workers),
		OPT_QUIET(&run.quiet),
		OPT_PROGRESS(&asked),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status != OPT_GO)
		return status;
	if (argc == 0)
		return opt_usage(cmd, "no file is named");
	if (!table_open(&run.table, output))
		return CMD_TROUBLE;
	table_set_columns(&run.table, info_columns);
	run.files = argv;
	run.top = all_threads ? 0 : run.top;
	progress_init(&run.progress, run.quiet, asked);
	run.progress.files = true;
	const struct jobs jobs = {
		.operands = (size_t)argc, .workers = run.workers,
		.context = &run, .status = &run.status,
		.progress = run.workers > 1 ? &run.progress : NULL,
		.handle = print_operand, .table = &run.table, .between = "\n"
	};
	run.table.lost |= !jobs_run(&jobs);
	progress_erase(&run.progress);
	return table_close(&run.table, run.status);
}

const struct cmd cmd_info = {
	.name = "info",
	.group = "inspect",
	.synopsis = "[OPTION]... TRACE...",
	.summary = "summarize traces: format, clock, threads, event counts",
	.examples = {
		"dmtrace info app.trace",
		"dmtrace info -f tsv *.trace | cut -f 1,13",
	},
	.run = run_info,
};
