/* traceview_file.c - the trace of an operand, viewed */

#include "cli/cli_files.h"
#include "cli/msg.h"
#include "cli/selected_events.h"
#include "cmd.h"
#include "report/traceview.h"

#define ROWS 1024		/* that are read at once */

/* Takes all events of the source. Returns CMD_OK, or CMD_TROUBLE, which is
 * reported. */
static int
take_all(const struct selected_events *chosen, struct view *view)
{
	struct dmtrace_row rows[ROWS];
	size_t count;

	do {
		if (dmtrace_source_read_rows(chosen->source, rows, ROWS,
		    &count) != DMTRACE_OK)
			return selected_events_fail(chosen,
			    dmtrace_source_error(chosen->source));
		for (size_t i = 0; i < count; i++)
			if (!view_take(view, &rows[i])) {
				progress_erase(chosen->progress);
				msg_error("%s: no memory for so many or so "
				    "deep calls", chosen->name);
				return CMD_TROUBLE;
			}
	} while (count > 0);
	return selected_events_check(chosen);
}

static int
read_and_put(struct selected_events *chosen, struct out *out)
{
	struct view view;
	int status = CMD_TROUBLE;

	if (view_init(&view, chosen->reader))
		status = take_all(chosen, &view);
	else
		msg_memory();
	progress_erase(chosen->progress);
	if (status == CMD_OK) {
		view_finish(&view);
		status = view_put(&view, out) ? CMD_OK : CMD_TROUBLE;
	}
	view_fini(&view);
	return status;
}

static int
open_and_put(struct selected_events *chosen, const char *operand, bool quiet,
    struct out *out)
{
	if (files_open(chosen->reader, operand) != DMTRACE_OK)
		return selected_events_fail(chosen,
		    dmtrace_reader_error(chosen->reader));
	if (files_clash_trace(chosen->reader, operand, &out->file))
		return CMD_TROUBLE;
	if (selected_events_begin(chosen) != CMD_OK ||
	    read_and_put(chosen, out) != CMD_OK)
		return CMD_TROUBLE;
	const int status = selection_finish(chosen->selection, chosen->name);
	return cmd_worse(status,
	    msg_errors(chosen->name, chosen->reader, quiet) ? CMD_NO : CMD_OK);
}

int
view_file(const char *operand, struct selection *selection,
    const char *output, bool quiet, bool asked)
{
	const struct dmtrace_file in = files_input(operand);
	struct progress progress;
	struct selected_events chosen = {
		.reader = dmtrace_reader_new(), .name = files_name(&in),
		.selection = selection, .progress = &progress
	};
	struct out out;
	int status = CMD_TROUBLE;

	progress_init(&progress, quiet, asked);
	if (chosen.reader == NULL)
		msg_memory();
	else if (out_open(&out, output))
		status = out_close(&out, open_and_put(&chosen, operand,
		    quiet, &out));
	selected_events_end(&chosen);
	dmtrace_reader_free(chosen.reader);
	return status;
}
