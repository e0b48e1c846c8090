/* sink_public.c - dmtrace_sink: a dmt_sink for users of the library */

#include <dmtrace/sink.h>

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/output.h"

struct dmtrace_sink {
	struct dmt_output sink;
	bool open;
};

_Static_assert(DMTRACE_SINK_ROOM == DMT_BLOCK_SIZE,
    "the public name of the block size");

struct dmtrace_sink *
dmtrace_sink_new(void)
{
	struct dmtrace_sink *sink = dmt_array_new(1, sizeof(*sink));

	if (sink != NULL)
		dmt_output_open_memory(&sink->sink);
	return sink;
}

void
dmtrace_sink_free(struct dmtrace_sink *sink)
{
	if (sink != NULL)
		dmt_output_fini(&sink->sink);
	free(sink);
}

const struct dmtrace_error *
dmtrace_sink_error(const struct dmtrace_sink *sink)
{
	return &sink->sink.error;
}

static enum dmtrace_status
wrong_state(struct dmtrace_sink *sink, const char *words)
{
	return dmt_error_set(&sink->sink.error, DMTRACE_ERR_STATE, "%s",
	    words);
}

enum dmtrace_status
dmtrace_sink_open_path(struct dmtrace_sink *sink, const char *path, int sync)
{
	if (sink->open)
		return wrong_state(sink, "the sink is open already");
	const enum dmtrace_status status =
	    dmt_output_open_path(&sink->sink, path);
	sink->sink.sync = sync != 0;
	sink->open = status == DMTRACE_OK;
	return status;
}

enum dmtrace_status
dmtrace_sink_open_fd(struct dmtrace_sink *sink, int fd)
{
	if (sink->open)
		return wrong_state(sink, "the sink is open already");
	dmt_output_open_fd(&sink->sink, fd);
	sink->open = true;
	return DMTRACE_OK;
}

void
dmtrace_sink_write(struct dmtrace_sink *sink, const void *bytes, size_t len)
{
	dmt_output_write(&sink->sink, bytes, len);
}

void *
dmtrace_sink_reserve(struct dmtrace_sink *sink, size_t len)
{
	return dmt_output_reserve(&sink->sink, len);
}

void
dmtrace_sink_advance(struct dmtrace_sink *sink, size_t len)
{
	dmt_output_advance(&sink->sink, len);
}

enum dmtrace_status
dmtrace_sink_close(struct dmtrace_sink *sink)
{
	if (!sink->open)
		return wrong_state(sink, "the sink is not open");
	sink->open = false;
	dmt_output_finish(&sink->sink);
	return dmt_output_publish(&sink->sink);
}
