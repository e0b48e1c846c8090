/* out.c - the report of a command, to standard output or the file of -o */

#include "out.h"

#include <errno.h>
#include <string.h>

#include "cmd.h"
#include "files.h"
#include "msg.h"

static enum dmtrace_status
open_sink(const struct out *out)
{
	return out->file.path == NULL ?
	    dmtrace_sink_open_fd(out->sink, out->file.fd) :
	    dmtrace_sink_open_path(out->sink, out->file.path, 0);
}

static void
complain(const struct out *out)
{
	msg_failure(files_name(&out->file), dmtrace_sink_error(out->sink));
}

bool
out_open(struct out *out, const char *name)
{
	*out = (struct out){
		.sink = dmtrace_sink_new(), .file = files_output(name)
	};
	if (out->sink == NULL) {
		msg_memory();
		return false;
	}
	if (open_sink(out) == DMTRACE_OK)
		return true;
	complain(out);
	dmtrace_sink_free(out->sink);
	return false;
}

static void
settle(struct out *out)
{
	if (out->block != NULL)
		dmtrace_sink_advance(out->sink,
		    (size_t)(out->at - out->block));
}

char *
out_block(struct out *out)
{
	settle(out);
	out->block = dmtrace_sink_reserve(out->sink, OUT_ROOM);
	out->at = out->block;
	out->end = out->block == NULL ? NULL : out->block + OUT_ROOM;
	return out->block;
}

void
out_put(struct out *out, const char *bytes, size_t len)
{
	while (len > 0 && out_room(out, 1) != NULL) {
		const size_t room = (size_t)(out->end - out->at);
		const size_t part = len < room ? len : room;

		memcpy(out->at, bytes, part);
		out->at += part;
		bytes += part;
		len -= part;
	}
}

int
out_close(struct out *out, int status)
{
	settle(out);
	if ((out->file.path == NULL || status != CMD_TROUBLE) &&
	    dmtrace_sink_close(out->sink) != DMTRACE_OK &&
	    dmtrace_sink_error(out->sink)->sys_errno != EPIPE) {
		complain(out);
		status = CMD_TROUBLE;
	}
	dmtrace_sink_free(out->sink);
	return status;
}
