/* trace_info_row.c - the facts of a trace for machines: TSV, CSV and JSON */

#include "info/trace_info.h"

#include <inttypes.h>
#include <stdio.h>

struct column {
	const char *name;
	void (*put)(struct row *row, const struct column *column,
	    const struct trace_info *facts);
	enum trace_info_number fact;			/* for put_number */
};

static void
put_number(struct row *row, const struct column *column,
    const struct trace_info *facts)
{
	const uint64_t number = facts->numbers[column->fact];

	if (number == INFO_ABSENT)
		row_absent(row, column->name);
	else
		row_number(row, column->name, number);
}

static void
put_file(struct row *row, const struct column *column,
    const struct trace_info *facts)
{
	row_string(row, column->name, facts->file);
}

static void
put_container(struct row *row, const struct column *column,
    const struct trace_info *facts)
{
	row_string(row, column->name,
	    dmtrace_container_name(dmtrace_reader_container(facts->reader)));
}

/* An option of the key that has the column's name. */
static void
put_option(struct row *row, const struct column *column,
    const struct trace_info *facts)
{
	const struct dmtrace_text text = trace_info_option(facts, column->name);

	if (text.bytes == NULL)
		row_absent(row, column->name);
	else
		row_text(row, column->name, text.bytes, text.len);
}

/* The number is a string: JSON's own numbers may be cut to 53 bits. */
static void
put_start(struct row *row, const struct column *column,
    const struct trace_info *facts)
{
	struct strbuf json = { 0 };
	struct row start;
	char raw[24];

	if (facts->header == NULL) {
		row_absent(row, column->name);
		return;
	}
	snprintf(raw, sizeof(raw), "%" PRIu64, facts->header->start);
	row_begin(&start, &json, FORM_JSON);
	row_string(&start, "raw", raw);
	row_string(&start, "kind", dmtrace_start_kind_name(
	    dmtrace_header_start_kind(facts->header)));
	row_end(&start);
	row_json(row, column->name, &json);
	strbuf_fini(&json);
}

static void
put_overflow(struct row *row, const struct column *column,
    const struct trace_info *facts)
{
	struct strbuf json = { 0 };

	strbuf_string(&json, facts->overflow ? "true" : "false");
	row_json(row, column->name, &json);
	strbuf_fini(&json);
}

static void
put_place(struct row *row, const struct dmtrace_finding *finding)
{
	char place[32];

	if (finding->place == DMTRACE_PLACE_NONE) {
		row_absent(row, "first");
		return;
	}
	snprintf(place, sizeof(place), "%s %" PRIu64,
	    finding->place == DMTRACE_PLACE_LINE ? "line" : "byte",
	    finding->at);
	row_string(row, "first", place);
}

static void
put_finding(struct strbuf *json, const struct dmtrace_finding *finding)
{
	struct row row;

	row_begin(&row, json, FORM_JSON);
	row_string(&row, "name", finding->name);
	row_string(&row, "severity",
	    dmtrace_severity_name(finding->severity));
	row_number(&row, "count", finding->count);
	put_place(&row, finding);
	row_string(&row, "words", finding->words);
	row_end(&row);
}

static void
put_findings(struct row *row, const struct column *column,
    const struct trace_info *facts)
{
	struct strbuf json = { 0 };

	strbuf_string(&json, "[");
	for (size_t i = 0;
	    i < dmtrace_reader_finding_count(facts->reader); i++) {
		if (i > 0)
			strbuf_string(&json, ",");
		put_finding(&json,
		    dmtrace_reader_finding_get(facts->reader, i));
	}
	strbuf_string(&json, "]");
	row_json(row, column->name, &json);
	strbuf_fini(&json);
}

static void
put_thread(struct strbuf *json, const struct dmtrace_thread_count *thread,
    const struct dmtrace_thread *listed)
{
	struct row row;

	row_begin(&row, json, FORM_JSON);
	row_number(&row, "thread", thread->thread);
	if (listed == NULL)
		row_absent(&row, "name");
	else
		row_text(&row, "name", listed->name.bytes, listed->name.len);
	row_number(&row, "records", thread->records);
	row_number(&row, "first_ns", thread->first_ns);
	row_number(&row, "last_ns", thread->last_ns);
	row_end(&row);
}

static void
put_threads(struct row *row, const struct column *column,
    const struct trace_info *facts)
{
	struct strbuf json = { 0 };

	strbuf_string(&json, "[");
	for (size_t i = 0; i < facts->count.thread_count; i++) {
		const struct dmtrace_thread_count *thread =
		    &facts->count.threads[i];

		if (i > 0)
			strbuf_string(&json, ",");
		put_thread(&json, thread,
		    trace_info_thread(facts, thread->thread));
	}
	strbuf_string(&json, "]");
	row_json(row, column->name, &json);
	strbuf_fini(&json);
}

static void
put_error(struct row *row, const struct column *column,
    const struct trace_info *facts)
{
	if (facts->error == NULL)
		row_absent(row, column->name);
	else
		row_string(row, column->name, facts->error);
}

static const struct column columns[] = {
	{ "file", put_file, 0 },
	{ "container", put_container, 0 },
	{ "version", put_number, INFO_VERSION },
	{ "version_key", put_number, INFO_VERSION_KEY },
	{ "record_size", put_number, INFO_RECORD_SIZE },
	{ "data_offset", put_number, INFO_DATA_OFFSET },
	{ "clock", put_option, 0 },
	{ "vm", put_option, 0 },
	{ "start", put_start, 0 },
	{ "duration_ns", put_number, INFO_DURATION_NS },
	{ "threads", put_number, INFO_THREADS },
	{ "methods", put_number, INFO_METHODS },
	{ "records", put_number, INFO_RECORDS },
	{ "enter", put_number, INFO_ENTER },
	{ "exit", put_number, INFO_EXIT },
	{ "unroll", put_number, INFO_UNROLL },
	{ "reserved", put_number, INFO_RESERVED },
	{ "overflow", put_overflow, 0 },
	{ "findings", put_findings, 0 },
	{ "per_thread", put_threads, 0 },
	{ "error", put_error, 0 },
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* Of a trace that could not be read, only its name and the error are known. */
static bool
is_known(const struct trace_info *facts, const struct column *column)
{
	return facts->is_read || column->put == put_file ||
	    column->put == put_error;
}

void
trace_info_put_names(struct strbuf *buffer, enum form form)
{
	struct row row;

	row_begin(&row, buffer, form);
	for (size_t i = 0; i < COLUMNS; i++)
		row_string(&row, columns[i].name, columns[i].name);
	row_line(&row);
}

void
trace_info_put_row(struct strbuf *buffer, enum form form,
    const struct trace_info *facts)
{
	struct row row;

	row_begin(&row, buffer, form);
	for (size_t i = 0; i < COLUMNS; i++)
		if (is_known(facts, &columns[i]))
			columns[i].put(&row, &columns[i], facts);
		else
			row_absent(&row, columns[i].name);
	row_line(&row);
}
