/* eventlog_writer.c - writes entries to a file, a descriptor or memory */

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/output.h"
#include "eventlog/entry.h"
#include "private/eventlog.h"

struct dmtrace_eventlog_writer {
	struct dmt_output output;
	bool open;
	bool opened;			/* it stays set after the close */
	bool in_memory;
	uint8_t bytes[DMT_ENTRY_MAX];
};

struct dmtrace_eventlog_writer *
dmtrace_eventlog_writer_new(void)
{
	return dmt_array_new(1, sizeof(struct dmtrace_eventlog_writer));
}

void
dmtrace_eventlog_writer_free(struct dmtrace_eventlog_writer *writer)
{
	if (writer != NULL)
		dmt_output_fini(&writer->output);
	free(writer);
}

const struct dmtrace_error *
dmtrace_eventlog_writer_error(const struct dmtrace_eventlog_writer *writer)
{
	return writer == NULL ? &dmt_error_null : &writer->output.error;
}

/* Returns true if the writer is open, or if open is false, was never opened.
 * Otherwise sets its error. */
static bool
is_in_state(struct dmtrace_eventlog_writer *writer, bool open,
    const char *call)
{
	if (writer == NULL)
		return false;
	if (open ? writer->open : !writer->opened)
		return true;
	dmt_error_set(&writer->output.error, DMTRACE_ERR_STATE,
	    "%s: the writer %s", call, open ? "is not open" :
	    "was opened before");
	return false;
}

enum dmtrace_status
dmtrace_eventlog_writer_open(struct dmtrace_eventlog_writer *writer,
    const struct dmtrace_file *file)
{
	if (!is_in_state(writer, false, __func__))
		return DMTRACE_ERR_STATE;
	if (file == NULL)
		return dmt_error_null_given(&writer->output.error, __func__);
	if (file->path == NULL)
		dmt_output_open_fd(&writer->output, file->fd);
	else if (dmt_output_open_path(&writer->output, file->path) ==
	    DMTRACE_OK)
		dmt_output_pack(&writer->output);
	writer->open = writer->output.error.status == DMTRACE_OK;
	writer->opened = true;
	return writer->output.error.status;
}

enum dmtrace_status
dmt_eventlog_writer_open_memory(struct dmtrace_eventlog_writer *writer)
{
	if (!is_in_state(writer, false, __func__))
		return DMTRACE_ERR_STATE;
	writer->open = true;
	writer->opened = true;
	writer->in_memory = true;
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_eventlog_writer_write(struct dmtrace_eventlog_writer *writer,
    const struct dmtrace_entry *entry)
{
	if (!is_in_state(writer, true, __func__))
		return DMTRACE_ERR_STATE;
	struct dmt_output *const output = &writer->output;
	size_t len;

	if (entry == NULL || dmt_entry_is_missing(entry))
		return dmt_error_null_given(&output->error, __func__);
	if (output->error.status != DMTRACE_OK)
		return output->error.status;
	if (entry->kind == DMTRACE_ENTRY_RAW)
		dmt_output_write(output, entry->bytes.bytes,
		    entry->bytes.len);
	else if (dmt_entry_encode(writer->bytes, &len, entry,
	    &output->error) == DMTRACE_OK)
		dmt_output_write(output, writer->bytes, len);
	return output->error.status;
}

enum dmtrace_status
dmt_eventlog_writer_import(struct dmtrace_eventlog_writer *writer,
    const struct dmtrace_file *in, unsigned header)
{
	struct dmtrace_error *const error = &writer->output.error;
	struct dmt_input input;

	if (!is_in_state(writer, true, __func__) || error->status != DMTRACE_OK)
		return error->status;
	if (header > 4)
		return dmt_error_set(error, DMTRACE_ERR_RANGE,
		    "there is no header of version %u", header);
	dmt_input_open_file(&input, in);
	if (input.error.status != DMTRACE_OK)
		*error = input.error;
	else
		dmt_entry_import(writer, &input, header, error);
	dmt_input_fini(&input);
	return error->status;
}

enum dmtrace_status
dmtrace_eventlog_writer_close(struct dmtrace_eventlog_writer *writer)
{
	if (!is_in_state(writer, true, __func__))
		return DMTRACE_ERR_STATE;
	writer->open = false;
	dmt_output_finish(&writer->output);
	return dmt_output_publish(&writer->output);
}

const void *
dmt_eventlog_writer_memory(const struct dmtrace_eventlog_writer *writer,
    size_t *len)
{
	const struct dmt_output *const output = &writer->output;
	const bool there = writer->in_memory && !writer->open &&
	    output->error.status == DMTRACE_OK;

	*len = there ? output->len : 0;
	return there ? output->bytes : NULL;
}
