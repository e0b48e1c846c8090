/* traceview_file.c - the trace of an operand, viewed */

#include "cmd.h"
#include "files.h"
#include "msg.h"
#include "traceview.h"

static bool
read_and_put(struct dmtrace_reader *reader, const char *name,
    struct progress *progress, struct out *out)
{
	struct view view;
	bool fine = view_init(&view, reader);

	if (!fine)
		msg_memory();
	fine = fine && view_read(&view, reader, name, progress) &&
	    view_put(&view, out);
	view_fini(&view);
	return fine;
}

static int
open_and_put(struct dmtrace_reader *reader, const char *operand,
    struct progress *progress, bool quiet, struct out *out)
{
	const struct dmtrace_file in = files_input(operand);

	if (files_open(reader, operand) != DMTRACE_OK) {
		msg_failure(files_name(&in), dmtrace_reader_error(reader));
		return CMD_TROUBLE;
	}
	if (files_clash_trace(reader, operand, &out->file) ||
	    !read_and_put(reader, files_name(&in), progress, out))
		return CMD_TROUBLE;
	return msg_errors(files_name(&in), reader, quiet) ? CMD_NO : CMD_OK;
}

int
view_file(const char *operand, const char *output, bool quiet, bool asked)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct progress progress;
	struct out out;
	int status = CMD_TROUBLE;

	progress_init(&progress, quiet, asked);
	if (reader == NULL)
		msg_memory();
	else if (out_open(&out, output))
		status = out_close(&out, open_and_put(reader, operand,
		    &progress, quiet, &out));
	dmtrace_reader_free(reader);
	return status;
}
