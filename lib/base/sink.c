/* sink.c - dmt_sink: an output for the program and the tests */

#include <dmtrace/trace.h>

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/sink.h"
#include "private/sink.h"

_Static_assert(DMT_SINK_ROOM == DMT_BLOCK_SIZE,
    "the public name of the block size");

struct dmt_sink *
dmt_sink_new(void)
{
	struct dmt_sink *sink = dmt_array_new(1, sizeof(*sink));

	if (sink != NULL)
		dmt_output_open_memory(&sink->output);
	return sink;
}

void
dmt_sink_free(struct dmt_sink *sink)
{
	if (sink != NULL)
		dmt_output_fini(&sink->output);
	free(sink);
}

const struct dmtrace_error *
dmt_sink_error(const struct dmt_sink *sink)
{
	return &sink->output.error;
}

static enum dmtrace_status
fail_sink_state(struct dmt_sink *sink, const char *message)
{
	return dmt_error_set(&sink->output.error, DMTRACE_ERR_STATE, "%s",
	    message);
}

enum dmtrace_status
dmt_sink_open_path(struct dmt_sink *sink, const char *path, int sync)
{
	if (sink->open)
		return fail_sink_state(sink, "the sink is open already");
	const enum dmtrace_status status =
	    dmt_output_open_path(&sink->output, path);
	sink->output.sync = sync != 0;
	sink->open = status == DMTRACE_OK;
	return status;
}

enum dmtrace_status
dmt_sink_pack(struct dmt_sink *sink)
{
	return dmt_output_pack(&sink->output);
}

enum dmtrace_status
dmt_sink_open_fd(struct dmt_sink *sink, int fd)
{
	if (sink->open)
		return fail_sink_state(sink, "the sink is open already");
	dmt_output_open_fd(&sink->output, fd);
	sink->open = true;
	return DMTRACE_OK;
}

void
dmt_sink_keep_old(struct dmt_sink *sink)
{
	sink->output.no_replace = true;
}

void
dmt_sink_write(struct dmt_sink *sink, const void *bytes, size_t len)
{
	dmt_output_write(&sink->output, bytes, len);
}

void *
dmt_sink_reserve(struct dmt_sink *sink, size_t len)
{
	return dmt_output_reserve(&sink->output, len);
}

void
dmt_sink_advance(struct dmt_sink *sink, size_t len)
{
	dmt_output_advance(&sink->output, len);
}

enum dmtrace_status
dmt_sink_close(struct dmt_sink *sink)
{
	if (!sink->open)
		return fail_sink_state(sink, "the sink is not open");
	sink->open = false;
	dmt_output_finish(&sink->output);
	return dmt_output_publish(&sink->output);
}
