/* trace_info_text.c - the info of a trace for people */

#include "info/trace_info.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/decimal.h"
#include "private/key.h"

#define STREAMING 0xf0u		/* added to a version */

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

/* Begins a line. */
static void
put_line_label(struct strbuf *buffer, const char *name)
{
	strbuf_printf(buffer, "%-12s", name);
}

static void
put_seconds(struct strbuf *buffer, uint64_t us)
{
	strbuf_printf(buffer, "%" PRIu64 ".%06u", us / 1000000,
	    (unsigned)(us % 1000000));
}

static void
put_start_line(struct strbuf *buffer, const struct dmt_header *header)
{
	char date[DATE_MAX];
	const uint64_t start = header->start;

	put_line_label(buffer, "start");
	switch (dmt_header_start_kind(header)) {
	case DMTRACE_START_EPOCH:
		strbuf_printf(buffer, "%s (epoch: too large to count from "
		    "boot)\n", date_format(date, start));
		break;
	case DMTRACE_START_BOOT:
		put_seconds(buffer, start);
		strbuf_string(buffer, " s after boot (boot: too small to "
		    "count from 1970)\n");
		break;
	case DMTRACE_START_SEC_USEC:
		strbuf_printf(buffer, "%s (sec_usec: seconds in its upper "
		    "half)\n", date_format(date, (start >> 32) * 1000000 +
		    (start & UINT32_MAX)));
		break;
	}
}

/* Of a stream, that of its records. */
static unsigned
plain_version(const struct dmt_header *header)
{
	return header->version > STREAMING ? header->version - STREAMING :
	    header->version;
}

static void
put_header_lines(struct strbuf *buffer, const struct trace_info *info)
{
	const struct dmt_header *header = info->header;
	const uint64_t key_version = info->numbers[INFO_VERSION_KEY];

	put_line_label(buffer, "version");
	if (header == NULL) {
		strbuf_printf(buffer, "%" PRIu64 " says the key; "
		    "the data cannot be read\n", key_version);
		return;
	}
	const unsigned version = plain_version(header);
	strbuf_printf(buffer, "%u", version);
	if (version != header->version)
		strbuf_printf(buffer, " as a stream (0x%X)", header->version);
	if (key_version != version)
		strbuf_printf(buffer, ", but the key says %" PRIu64,
		    key_version);
	if (header->record_size == 0)
		strbuf_printf(buffer, "; packets after a header of %u, stage "
		    "%s\n", header->data_offset,
		    dmt_reader_stage(info->reader) == NULL ? "unknown" :
		    dmt_reader_stage(info->reader));
	else
		strbuf_printf(buffer,
		    "; records of %u bytes after a header of %u\n",
		    header->record_size, header->data_offset);
	put_start_line(buffer, header);
}

static void
put_option_line(struct strbuf *buffer, const struct trace_info *info,
    const char *name)
{
	const struct dmtrace_text text = trace_info_option(info, name);

	if (text.bytes == NULL)
		return;
	put_line_label(buffer, name);
	strbuf_text(buffer, escape_plain, text.bytes, text.len);
	strbuf_string(buffer, "\n");
}

static void
put_clock(struct strbuf *buffer, const struct trace_info *info)
{
	put_line_label(buffer, "clock");
	strbuf_string(buffer, clocks[dmt_key_clock(info->key)]);
	if (dmt_reader_layout(info->reader) != NULL)
		strbuf_string(buffer, info->comparable ?
		    ", which threads share" :
		    ", which begins anew in each thread");
	strbuf_string(buffer, "\n");
}

static void
put_writer(struct strbuf *buffer, const struct trace_info *info)
{
	const struct trace_writer *const writer = trace_info_writer(info);

	put_line_label(buffer, "writer");
	strbuf_string(buffer, writer->name);
	if (writer->evidence != NULL)
		strbuf_printf(buffer, ": %s", writer->evidence);
	strbuf_string(buffer, "\n");
}

static void
put_duration(struct strbuf *buffer, const struct trace_info *info)
{
	const uint64_t duration_ns = info->numbers[INFO_DURATION_NS];
	char duration[DURATION_MAX];

	if (duration_ns == INFO_ABSENT)
		return;
	put_line_label(buffer, "duration");
	strbuf_printf(buffer, "%s, %s\n",
	    duration_round(duration, (int64_t)duration_ns),
	    info->comparable ? "from the first record to the last" :
	    "of the thread that took longest");
}

static void
put_records_line(struct strbuf *buffer, const struct trace_info *info)
{
	const char *separator = ": ";
	char count[COUNT_MAX];

	put_line_label(buffer, "records");
	strbuf_string(buffer, count_format(count, info->count.records));
	for (unsigned i = 0; i < 4; i++) {
		if (info->count.actions[i] == 0)
			continue;
		strbuf_printf(buffer, "%s%s %s", separator,
		    count_format(count, info->count.actions[i]),
		    dmtrace_action_name((enum dmtrace_action)i));
		separator = ", ";
	}
	strbuf_string(buffer, info->overflow ?
	    "; then the buffer was full\n" : "\n");
}

static void
put_finding_place(struct strbuf *buffer, const struct dmtrace_finding *finding)
{
	if (finding->place == DMTRACE_PLACE_LINE)
		strbuf_printf(buffer, "line %" PRIu64 ": ", finding->at);
	if (finding->place == DMTRACE_PLACE_OFFSET)
		strbuf_printf(buffer, "byte %" PRIu64 ": ", finding->at);
}

static void
put_finding_lines(struct strbuf *buffer, struct dmtrace_reader *reader)
{
	char number[COUNT_MAX];

	for (size_t i = 0; i < dmt_reader_finding_count(reader); i++) {
		const struct dmtrace_finding *finding =
		    dmtrace_reader_finding_get(reader, i);

		put_line_label(buffer,
		    dmtrace_severity_name(finding->severity));
		put_finding_place(buffer, finding);
		strbuf_string(buffer, finding->message);
		strbuf_printf(buffer, " (%s", finding->name);
		if (finding->count > 1)
			strbuf_printf(buffer, ", the first of %s",
			    count_format(number, finding->count));
		strbuf_string(buffer, ")\n");
	}
}

/* Widths of columns. */
enum {
	WIDTH_THREAD = 10,
	WIDTH_RECORDS = 12,
	WIDTH_TIME = 10
};

/* A line for each thread that has records. */
static void
put_info_threads(struct table *table, const struct trace_info *info)
{
	struct strbuf *const buffer = &table->buffer;
	char number[16];

	if (info->count.thread_count == 0)
		return;
	strbuf_string(buffer, "\n");
	column_string(buffer, WIDTH_THREAD, "thread");
	column_string(buffer, WIDTH_RECORDS, "records");
	column_string(buffer, WIDTH_TIME, "first");
	column_string(buffer, WIDTH_TIME, "last");
	strbuf_string(buffer, "  name\n");
	for (size_t i = 0; i < info->count.thread_count; i++) {
		const struct dmt_thread_count *const count =
		    &info->count.threads[i];
		const struct dmtrace_thread *const thread =
		    trace_info_thread(info, count->thread);
		const size_t line = buffer->len;

		snprintf(number, sizeof(number), "%" PRIu32, count->thread);
		column_string(buffer, WIDTH_THREAD, number);
		column_count(buffer, WIDTH_RECORDS, count->records);
		column_duration(buffer, WIDTH_TIME, (int64_t)count->first_ns);
		column_duration(buffer, WIDTH_TIME, (int64_t)count->last_ns);
		strbuf_string(buffer, "  ");
		const size_t name = buffer->len;
		if (thread == NULL)
			strbuf_string(buffer, "(not listed)");
		else
			strbuf_text(buffer, escape_plain, thread->name.bytes,
			    thread->name.len);
		table_end_line(table, line, name);
	}
}

static void
put_error(struct strbuf *buffer, const struct trace_info *info)
{
	put_line_label(buffer, "error");
	strbuf_string(buffer, info->error);	/* escaped already */
	strbuf_string(buffer, "\n");
}

void
trace_info_put_text(struct table *table, const struct trace_info *info)
{
	struct strbuf *const buffer = &table->buffer;
	char count[COUNT_MAX];

	put_line_label(buffer, "file");
	strbuf_text(buffer, escape_plain, info->file, strlen(info->file));
	strbuf_string(buffer, "\n");
	if (!info->is_read) {
		put_error(buffer, info);
		return;
	}
	put_line_label(buffer, "container");
	strbuf_printf(buffer, "%s\n",
	    dmt_container_name(dmt_reader_container(info->reader)));
	put_header_lines(buffer, info);
	put_clock(buffer, info);
	put_option_line(buffer, info, "vm");
	put_writer(buffer, info);
	put_duration(buffer, info);
	put_line_label(buffer, "threads");
	strbuf_printf(buffer, "%s listed, ",
	    count_format(count, info->numbers[INFO_THREADS]));
	strbuf_printf(buffer, "%s with records\n",
	    count_format(count, info->count.thread_count));
	put_line_label(buffer, "methods");
	strbuf_printf(buffer, "%s listed\n",
	    count_format(count, info->numbers[INFO_METHODS]));
	put_records_line(buffer, info);
	put_finding_lines(buffer, info->reader);
	put_info_threads(table, info);
}
