/* source_hold.c - sources that are read more than once */

#include "base/source.h"

#include <unistd.h>

#include "base/error.h"
#include "base/path.h"
#include "base/sink.h"

static int
get_fd(const struct dmt_source *source)
{
	return (int)(intptr_t)source->input.context;
}

/* All that is left of the source; it is as long as it is known to be then. */
static void
copy(struct dmt_source *source, struct dmt_sink *sink)
{
	const uint8_t *bytes;
	size_t len;

	while ((len = dmt_source_peek(source, 1, &bytes)) > 0 &&
	    sink->error.status == DMTRACE_OK) {
		dmt_sink_write(sink, bytes, len);
		dmt_source_skip(source, len);
	}
}

/* The file takes the place of the input. */
static void
take_file(struct dmt_source *source, struct dmt_sink *sink, uint64_t offset)
{
	if (source->fd >= 0)
		close(source->fd);
	source->fd = sink->fd;
	source->input = dmt_input_fd(sink->fd);
	source->size = source->offset;
	source->shift = -(int64_t)offset;
	source->seekable = true;
	sink->fd = -1;
}

enum dmtrace_status
dmt_source_hold(struct dmt_source *source)
{
	const uint64_t offset = source->offset;
	struct dmt_sink sink;

	if (source->seekable || source->input.read == NULL)
		return DMTRACE_OK;
	if (dmt_sink_open_temporary(&sink, NULL) == DMTRACE_OK)
		copy(source, &sink);
	if (sink.error.status == DMTRACE_OK)
		dmt_sink_flush(&sink);
	if (source->error.status == DMTRACE_OK)
		source->error = sink.error;
	if (source->error.status == DMTRACE_OK) {
		take_file(source, &sink, offset);
		dmt_source_rewind(source, offset);
	}
	source->ended |= source->error.status != DMTRACE_OK;
	dmt_sink_fini(&sink);
	return source->error.status;
}

enum dmtrace_status
dmt_source_rewind(struct dmt_source *source, uint64_t offset)
{
	if (source->error.status != DMTRACE_OK)
		return source->error.status;
	if (source->input.read == NULL) {
		source->start -= (size_t)(source->offset - offset);
		source->offset = offset;
		return DMTRACE_OK;
	}
	if ((source->pool == NULL || source->fd >= 0) &&
	    lseek(get_fd(source), (off_t)((int64_t)offset + source->shift),
	    SEEK_SET) < 0) {
		source->ended = true;
		return dmt_path_failed(&source->error, "cannot go back in",
		    source->path);
	}
	source->start = 0;
	source->end = 0;
	source->offset = offset;
	source->ended = false;
	return DMTRACE_OK;
}
