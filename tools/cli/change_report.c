/* change_report.c - what was changed in a trace */

#include "cli/change_report.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/cli_files.h"
#include "cli/decimal.h"
#include "cli/msg.h"
#include "private/status.h"

/* "line 12" or "byte 64"; "" for the trace as a whole. */
static const char *
format_place(char text[32], const struct dmtrace_change *change)
{
	text[0] = '\0';
	if (change->place != DMTRACE_PLACE_NONE)
		snprintf(text, 32, "%s %" PRIu64,
		    change->place == DMTRACE_PLACE_LINE ? "line" : "byte",
		    change->at);
	return text;
}

static void
put_change_row(struct table *table, const struct dmtrace_change *change)
{
	table_string(table, change->name);
	table_string(table, dmt_change_kind_name(change->kind));
	table_number(table, change->count);
	table_place(table, change->place, change->at);
	table_string(table, change->message);
	table_end_row(table);
}

static void
put_change_text(struct strbuf *buffer, const struct dmtrace_change *change)
{
	char line[DMTRACE_MESSAGE_MAX + 128], first[32], count[COUNT_MAX];

	format_place(first, change);
	snprintf(line, sizeof(line), "%-8s %8s  %s: %s%s%s%s\n",
	    dmt_change_kind_name(change->kind),
	    count_format(count, change->count), change->name,
	    change->message, first[0] == '\0' ? "" : " (", first,
	    first[0] == '\0' ? "" : change->count == 1 ? ")" : " first)");
	strbuf_string(buffer, line);
}

static void
message_change(struct change_report *report,
    const struct dmtrace_change *change)
{
	char first[32], count[COUNT_MAX];

	format_place(first, change);
	progress_erase(&report->job->progress);
	msg_note("%s: %s%s%s: %s %s", files_name(&report->in),
	    first, first[0] == '\0' ? "" : ": ", change->message,
	    count_format(count, change->count),
	    dmt_change_kind_name(change->kind));
}

/* All of it is written before the trace gets its name: nothing can fail after
 * that. */
static int
print_changes(struct change_report *report)
{
	struct table *const table = &report->table;

	if (report->to_messages ||
	    (report->job->quiet && table->form == FORM_TEXT))
		return CMD_OK;
	if (table->form == FORM_TEXT && report->count == 0)
		strbuf_string(&table->buffer, report->nothing);
	if (table->buffer.failed)
		return msg_fail_memory();
	progress_erase(&report->job->progress);
	return table_open(table, NULL) ? table_close(table, CMD_OK) :
	    CMD_TROUBLE;
}

int
change_report_add(void *context, const struct dmtrace_change *change)
{
	struct change_report *const report = context;

	if (change == NULL)
		return print_changes(report);
	report->count++;
	if (!report->to_messages && report->table.form == FORM_TEXT)
		put_change_text(&report->table.buffer, change);
	else if (!report->to_messages)
		put_change_row(&report->table, change);
	else if (!report->job->quiet)
		message_change(report, change);
	return 0;
}

void
change_report_begin(struct change_report *report)
{
	static const char *const columns[] =
	    { "name", "kind", "count", "first", "message", NULL };

	table_set_columns(&report->table, columns);
}

void
change_report_fini(struct change_report *report)
{
	strbuf_fini(&report->table.buffer);
}
