/* trace_info_row.c - the row of a trace, for machines */

#include "info/trace_info.h"

#include <inttypes.h>
#include <stdio.h>

const char *const trace_info_columns[] = {
	"file", "container", "version", "version_key", "record_size",
	"data_offset", "clock", "vm", "start", "duration_ns", "threads",
	"methods", "records", "enter", "exit", "unroll", "reserved",
	"overflow", "findings", "per_thread", "error",
	"stage", "writer", "evidence", NULL
};

enum { COLUMNS = sizeof(trace_info_columns) /
    sizeof(trace_info_columns[0]) - 1 };

static void
put_numbers(struct table *table, const struct trace_info *info,
    enum trace_info_number first, enum trace_info_number last)
{
	for (unsigned i = first; i <= last; i++)
		table_number_if(table, info->numbers[i] != INFO_ABSENT,
		    info->numbers[i]);
}

/* An option of the key. An empty value is a cell, too. */
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

/* The number is a string: JSON's own numbers may lose what exceeds 53 bits. */
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
	    { "name", "severity", "count", "first", "message", NULL };
	struct table findings = table_nested(columns);

	for (size_t i = 0; i < dmt_reader_finding_count(reader); i++) {
		const struct dmtrace_finding *const finding =
		    dmtrace_reader_finding_get(reader, i);

		table_string(&findings, finding->name);
		table_string(&findings,
		    dmtrace_severity_name(finding->severity));
		table_number(&findings, finding->count);
		table_place(&findings, finding->place, finding->at);
		table_string(&findings, finding->message);
		table_end_row(&findings);
	}
	table_array(table, &findings);
}

static void
put_threads_cell(struct table *table, const struct trace_info *info)
{
	static const char *const columns[] =
	    { "thread", "name", "records", "first_ns", "last_ns", NULL };
	struct table threads = table_nested(columns);

	for (size_t i = 0; i < info->count.thread_count; i++) {
		const struct dmt_thread_count *const thread =
		    &info->count.threads[i];
		const struct dmtrace_thread *const listed =
		    trace_info_thread(info, thread->thread);

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

/* Of a trace that could not be read, only its name and the error are known. */
void
trace_info_put_row(struct table *table, const struct trace_info *info)
{
	table_string(table, info->file);
	if (!info->is_read) {
		table_absent(table, COLUMNS - 5);
	} else {
		table_string(table, dmt_container_name(
		    dmt_reader_container(info->reader)));
		put_numbers(table, info, INFO_VERSION, INFO_DATA_OFFSET);
		put_option_cell(table, info, "clock");
		put_option_cell(table, info, "vm");
		put_start_cell(table, info->header);
		put_numbers(table, info, INFO_DURATION_NS, INFO_RESERVED);
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
