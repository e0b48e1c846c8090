/* reader_rewind.c - records that are read more than once */

#include <dmtrace/trace.h>

#include "base/error.h"
#include "trace/reader.h"

enum dmtrace_status
dmtrace_reader_hold(struct dmtrace_reader *reader)
{
	if (dmtrace_reader_layout(reader) == NULL || reader->position != 0)
		return DMTRACE_ERR_STATE;
	reader->begins_at = reader->input->offset;
	if (dmt_input_hold(reader->input) != DMTRACE_OK)
		return dmt_reader_fail(reader, &reader->input->error);
	reader->held = true;
	return DMTRACE_OK;
}

static enum dmtrace_status
go_back(struct dmtrace_reader *reader)
{
	reader->told |= reader->state == DMT_READER_ENDED;
	reader->records_len = 0;
	reader->input_len = 0;
	reader->redefined = 0;
	if (reader->v2 != NULL)
		dmt_v2_reset(reader->v2);
	reader->position = 0;
	reader->state = DMT_READER_OPEN;
	return dmt_input_rewind(reader->input, reader->begins_at) ==
	    DMTRACE_OK ? DMTRACE_OK :
	    dmt_reader_fail(reader, &reader->input->error);
}

enum dmtrace_status
dmtrace_reader_rewind(struct dmtrace_reader *reader)
{
	if (dmtrace_reader_layout(reader) == NULL || !reader->held)
		return DMTRACE_ERR_STATE;
	struct dmt_clocks *const clocks = dmt_clocks_new(&reader->layout);
	if (clocks == NULL)
		return dmt_error_memory(&reader->error);
	dmt_clocks_free(reader->clocks);
	reader->clocks = clocks;
	return go_back(reader);
}
