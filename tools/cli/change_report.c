/* change_report.c - reports the changes that a command made in a trace */

#include "cli/change_report.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/cli_files.h"
#include "cli/decimal.h"
#include "cli/msg.h"
#include "private/status.h"

/* Prints all changes before the trace is published: nothing can fail after
 * that. */
static int
print_changes(struct change_report *report)
{
	struct table *const table = &report->table;

	if (report->to_messages ||
	    (report->job->quiet && table->form == FORM_TEXT))
		return CMD_OK;
	if (table->form == FORM_TEXT && report->count == 0)
		dmt_put(&table->buffer, report->nothing);
	if (dmt_output_failed(&table->buffer))
		return msg_fail_memory();
	progress_erase(&report->job->progress);
	return table_print(table, CMD_OK);
}

int
change_report_add(void *context, const struct dmtrace_change *change)
{
	struct change_report *const report = context;
	struct table *const table = &report->table;
	char place[32] = "", count[COUNT_MAX];

	if (change == NULL)
		return print_changes(report);
	report->count++;
	const char *const kind = dmt_change_kind_name(change->kind);
	if (!report->to_messages && table->form != FORM_TEXT) {
		table_string(table, change->name);
		table_string(table, kind);
		table_number(table, change->count);
		table_place_cells(table, change->place, change->at);
		table_string(table, change->message);
		table_end_row(table);
		return 0;
	}

	/* "line 12" or "byte 64"; "" for the whole trace. */
	if (change->place != DMTRACE_PLACE_NONE)
		snprintf(place, sizeof(place), "%s %" PRIu64,
		    change->place == DMTRACE_PLACE_LINE ? "line" : "byte",
		    change->at);
	count_format(count, change->count);
	if (!report->to_messages) {
		dmt_put_format(&table->buffer, "%-8s %8s  %s: %s", kind, count,
		    change->name, change->message);
		if (place[0] != '\0')
			dmt_put_format(&table->buffer, " (%s%s)",
			    change->count == 1 ? "" : "first at ", place);
		dmt_put(&table->buffer, "\n");
	} else if (!report->job->quiet) {
		progress_erase(&report->job->progress);
		msg_note("%s: %s%s%s: %s %s", files_name(&report->in), place,
		    place[0] == '\0' ? "" : ": ", change->message, count,
		    kind);
	}
	return 0;
}

void
change_report_begin(struct change_report *report)
{
	static const char *const columns[] =
	    { "change", "kind", "count", "line", "byte", "message", NULL };

	table_set_columns(&report->table, columns);
}

void
change_report_end(struct change_report *report, int status)
{
	if (status == CMD_TROUBLE && !report->to_messages)
		table_print(&report->table, status);
	dmt_output_fini(&report->table.buffer);
}
