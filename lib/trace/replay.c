/* replay.c - records that are read in any order */

#include "trace/replay.h"

#include <dmtrace/rewind.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/path.h"

static void
init(struct dmt_replay *replay)
{
	*replay = (struct dmt_replay){ .fd = -1 };
	dmt_sink_open_memory(&replay->spool);
}

enum dmtrace_status
dmt_replay_open_temporary(struct dmt_replay *replay, const char *folder)
{
	init(replay);
	if (dmt_sink_open_temporary(&replay->spool, folder) != DMTRACE_OK)
		replay->error = replay->spool.error;
	replay->fd = replay->spool.fd;
	return replay->error.status;
}

enum dmtrace_status
dmt_replay_open(struct dmt_replay *replay, struct dmtrace_reader *reader)
{
	const struct dmt_source *const source = reader->source;

	init(replay);
	if (dmtrace_reader_hold(reader) != DMTRACE_OK) {
		replay->error = reader->error;
		return replay->error.status;
	}
	if (source->input.read == NULL) {
		replay->bytes = source->bytes + source->start;
		return DMTRACE_OK;
	}
	replay->fd = (int)(intptr_t)source->input.context;
	replay->start = (uint64_t)((int64_t)source->offset + source->shift);
	return DMTRACE_OK;
}

void
dmt_replay_add(struct dmt_replay *replay, const void *bytes, size_t len)
{
	dmt_sink_write(&replay->spool, bytes, len);
	replay->len += len;
}

enum dmtrace_status
dmt_replay_finish(struct dmt_replay *replay)
{
	dmt_sink_flush(&replay->spool);
	if (replay->error.status == DMTRACE_OK)
		replay->error = replay->spool.error;
	return replay->error.status;
}

static enum dmtrace_status
fail(struct dmt_replay *replay)
{
	return dmt_path_failed(&replay->error, "cannot read again",
	    replay->spool.path);
}

static enum dmtrace_status
read_fd(struct dmt_replay *replay, uint64_t at, uint8_t *out, size_t len)
{
	if (lseek(replay->fd, (off_t)(replay->start + at), SEEK_SET) < 0)
		return fail(replay);
	while (len > 0) {
		errno = EIO;	/* for one that ends too soon */
		const ssize_t got = read(replay->fd, out, len);

		if (got == 0 || (got < 0 && errno != EINTR))
			return fail(replay);
		if (got > 0) {
			out += got;
			len -= (size_t)got;
		}
	}
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_replay_read(struct dmt_replay *replay, uint64_t at, void *out, size_t len)
{
	if (replay->error.status != DMTRACE_OK)
		return replay->error.status;
	if (replay->bytes == NULL)
		return read_fd(replay, at, out, len);
	memcpy(out, replay->bytes + at, len);
	return DMTRACE_OK;
}

void
dmt_replay_fini(struct dmt_replay *replay)
{
	dmt_sink_fini(&replay->spool);
	init(replay);
}
