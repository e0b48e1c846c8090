/* log_marks.c - entries of an event log that are shown with a trace */

#include "eventlog/log_marks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_files.h"
#include "cli/decimal.h"
#include "cli/job.h"
#include "cli/msg.h"
#include "eventlog/entry_print.h"
#include "private/export.h"
#include "private/array.h"
#include "private/select.h"
#include "private/trace.h"

struct loading {
	struct log_marks *marks;
	struct entry_printer put;
	struct job job;			/* stores the findings */
	const char *file;
	struct dmtrace_tags *tags;
	struct dmt_output name, detail;	/* of an entry */
};

/* A dmtrace_finding_fn. */
static void
keep_mark_finding(void *context, const struct dmtrace_finding *finding)
{
	struct loading *const loading = context;

	job_add_finding(&loading->job, loading->file, finding);
}

/* Adds an entry. The name and the detail share one allocation. false: no
 * memory. Bytes that are not an entry are skipped: they have no time, and are
 * a finding. */
static bool
add_mark(struct loading *loading, const struct dmtrace_entry *entry)
{
	struct log_marks *const marks = loading->marks;

	if (entry->kind == DMTRACE_ENTRY_RAW)
		return true;
	struct dmt_export_instant *const items = dmt_array_grow(marks->items,
	    &marks->capacity, marks->count + 1, sizeof(*items));
	if (items == NULL)
		return false;
	marks->items = items;
	dmt_output_clear(&loading->name);
	dmt_output_clear(&loading->detail);
	entry_describe(&loading->put, entry, &loading->name,
	    &loading->detail);
	if (dmt_output_failed(&loading->name) ||
	    dmt_output_failed(&loading->detail))
		return false;
	char *const text = malloc(loading->name.len + loading->detail.len + 1);
	if (text == NULL)
		return false;
	memcpy(text, loading->name.bytes, loading->name.len);
	if (loading->detail.len > 0)
		memcpy(text + loading->name.len, loading->detail.bytes,
		    loading->detail.len);
	marks->items[marks->count++] = (struct dmt_export_instant){
		.time_ns = (uint64_t)entry->seconds * 1000000000 +
		    entry->nanoseconds,
		.thread = (uint32_t)entry->tid,
		.name = { text, loading->name.len },
		.detail = { text + loading->name.len, loading->detail.len }
	};
	return true;
}

static int
compare_marks(const void *a, const void *b)
{
	const struct dmt_export_instant *const one = a, *const other = b;

	return (one->time_ns > other->time_ns) -
	    (one->time_ns < other->time_ns);
}

static bool
load_mark_tags(struct loading *loading)
{
	const char *const path = loading->marks->tag_file;

	if (path == NULL)
		return true;
	loading->file = path;
	loading->tags = dmtrace_tags_new();
	loading->put.tags = loading->tags;
	if (loading->tags == NULL)
		msg_memory();
	else if (dmtrace_tags_load(loading->tags, path, keep_mark_finding,
	    loading) == DMTRACE_OK)
		return true;
	else
		msg_failure(path, dmtrace_tags_error(loading->tags));
	return false;
}

static bool
load_marks(struct loading *loading)
{
	const struct dmtrace_file in = files_input(loading->marks->log);
	const struct dmtrace_eventlog_options options = {
		.tags = loading->tags, .report = keep_mark_finding,
		.context = loading
	};
	struct dmtrace_eventlog_reader *const reader =
	    dmtrace_eventlog_reader_new(&options);
	struct dmtrace_entry entry;
	enum dmtrace_status status = DMTRACE_ERR_MEMORY;
	bool room = reader != NULL;

	loading->file = files_name(&in);
	if (room)
		status = dmtrace_eventlog_reader_open(reader, &in);
	while (room && status == DMTRACE_OK) {
		status = dmtrace_eventlog_reader_read(reader, &entry);
		room = status != DMTRACE_OK || add_mark(loading, &entry);
	}
	if (!room)
		msg_memory();
	else if (status != DMTRACE_END)
		msg_failure(loading->file,
		    dmtrace_eventlog_reader_error(reader));
	dmtrace_eventlog_reader_free(reader);
	return room && status == DMTRACE_END;
}

int
log_marks_load(struct log_marks *marks, const struct cmd *cmd,
    const char *output, bool quiet)
{
	const struct dmtrace_file out = files_output(output);
	struct loading loading = {
		.marks = marks, .job.quiet = quiet, .put.raw = true
	};

	if (marks->log == NULL && marks->tag_file != NULL)
		return opt_usage(cmd, "--tags needs --eventlog");
	if (marks->log == NULL)
		return OPT_GO;
	const struct dmtrace_file log = files_input(marks->log);
	const struct dmtrace_file tags = { .path = marks->tag_file };
	if (files_clash(&log, &out) ||
	    (tags.path != NULL && files_clash(&tags, &out)))
		return CMD_TROUBLE;
	const bool loaded = load_mark_tags(&loading) && load_marks(&loading);
	job_report(&loading.job);
	job_fini(&loading.job);
	entry_printer_fini(&loading.put);
	dmt_output_fini(&loading.name);
	dmt_output_fini(&loading.detail);
	dmtrace_tags_free(loading.tags);
	/* The order of entries with equal times does not matter. */
	if (loaded)
		qsort(marks->items, marks->count, sizeof(marks->items[0]),
		    compare_marks);
	return loaded ? OPT_GO : CMD_TROUBLE;
}

bool
log_marks_start(const struct dmtrace_reader *reader, uint64_t *start_ns,
    struct dmtrace_error *error)
{
	const struct dmt_header *const header =
	    dmt_reader_header(reader);
	uint64_t start_us;

	if (header == NULL || !dmt_header_start_epoch(header, &start_us)) {
		*error = (struct dmtrace_error){ .status = DMTRACE_ERR_RANGE };
		snprintf(error->message, sizeof(error->message),
		    "--eventlog: the "
		    "trace starts at %" PRIu64 " us, which is not a time since "
		    "1970: entries have no place in it; \"dmtrace shift "
		    "--start\" sets one",
		    header == NULL ? 0 : header->start);
		return false;
	}
	if (dmt_layout_clock(dmt_reader_layout(reader)) ==
	    DMTRACE_CLOCK_THREAD_CPU) {
		*error = (struct dmtrace_error){ .status = DMTRACE_ERR_RANGE };
		snprintf(error->message, sizeof(error->message),
		    "--eventlog: the trace has no wall times: entries have no "
		    "place in it");
		return false;
	}
	if (!dmt_reader_is_sortable(reader)) {
		*error = (struct dmtrace_error){ .status = DMTRACE_ERR_RANGE };
		snprintf(error->message, sizeof(error->message),
		    "--eventlog: the times of the trace begin anew in each "
		    "thread: entries have no place in it");
		return false;
	}
	*start_ns = start_us * 1000;
	return true;
}

const struct dmt_export_instant *
log_marks_next(struct log_marks *marks, uint64_t time_ns, uint64_t *mark_ns)
{
	const uint64_t time = marks->start_ns + time_ns;

	for (; !marks->begun && marks->next < marks->count &&
	    marks->items[marks->next].time_ns < time; marks->next++)
		marks->outside++;
	marks->begun = true;
	if (marks->next == marks->count ||
	    marks->items[marks->next].time_ns >= time)
		return NULL;
	*mark_ns = marks->items[marks->next].time_ns - marks->start_ns;
	return &marks->items[marks->next++];
}

void
log_marks_end(struct log_marks *marks)
{
	marks->outside += marks->count - marks->next;
	marks->next = marks->count;
}

void
log_marks_note_outside(uint64_t outside)
{
	char count[COUNT_MAX];

	if (outside > 0)
		msg_note("note: %s entries of the log are before the trace or "
		    "after it: they are left out", count_format(count,
		    outside));
}

void
log_marks_fini(struct log_marks *marks)
{
	for (size_t i = 0; i < marks->count; i++)
		free((void *)(uintptr_t)marks->items[i].name.bytes);
	free(marks->items);
	*marks = (struct log_marks){ 0 };
}
