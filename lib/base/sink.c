/* sink.c - bytes through a buffer to a file, to memory or to the caller */

#include "base/sink.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/path.h"
#include "base/temporary.h"

#define SPILL_UNIT (64 * 1024)	/* bytes of a file, a power of two */

static ptrdiff_t
write_fd(void *context, const void *bytes, size_t len)
{
	return write((int)(intptr_t)context, bytes, len);
}

struct dmtrace_output
dmt_output_fd(int fd)
{
	return (struct dmtrace_output){ write_fd, (void *)(intptr_t)fd };
}

void
dmt_sink_open_memory(struct dmt_sink *sink)
{
	*sink = (struct dmt_sink){ .fd = -1 };
}

void
dmt_sink_open_output(struct dmt_sink *sink,
    const struct dmtrace_output *output)
{
	dmt_sink_open_memory(sink);
	sink->output = *output;
}

void
dmt_sink_open_fd(struct dmt_sink *sink, int fd)
{
	const struct dmtrace_output output = dmt_output_fd(fd);

	dmt_sink_open_output(sink, &output);
}

/* All of it to the output, piece by piece. */
static void
put(struct dmt_sink *sink, const uint8_t *bytes, size_t len)
{
	while (len > 0 && sink->error.status == DMTRACE_OK) {
		errno = EIO;	/* for one that takes nothing */
		const ptrdiff_t done = sink->output.write(
		    sink->output.context, bytes, len);
		if (done > 0) {
			bytes += done;
			len -= (size_t)done;
		} else if (done == 0 || errno != EINTR) {
			dmt_path_failed(&sink->error, "cannot write",
			    sink->path);
		}
	}
}

void
dmt_sink_flush(struct dmt_sink *sink)
{
	if (sink->output.write == NULL)
		return;
	put(sink, sink->buffer, sink->used);
	sink->used = 0;
}

/* The buffer of an output is one block, that of memory as large as needed. */
static bool
grow(struct dmt_sink *sink, size_t len)
{
	const size_t need = sink->output.write != NULL ? DMT_BLOCKS_SIZE :
	    len > SIZE_MAX - sink->used ? SIZE_MAX : sink->used + len;
	uint8_t *grown = dmt_array_grow(sink->buffer, &sink->capacity, need, 1);

	if (grown == NULL) {
		dmt_error_memory(&sink->error);
		return false;
	}
	sink->buffer = grown;
	return true;
}

void
dmt_sink_spill(struct dmt_sink *sink, size_t unit)
{
	const size_t kept = (size_t)(sink->written % unit);

	if (kept >= sink->used)
		return;
	put(sink, sink->buffer, sink->used - kept);
	memmove(sink->buffer, sink->buffer + sink->used - kept, kept);
	sink->used = kept;
}

/* A file is written up to where a unit of it ends, if that makes room: the
 * rest begins the next write where the system likes it to. */
static void
make_room(struct dmt_sink *sink, size_t len)
{
	if (sink->output.write != NULL)
		dmt_sink_spill(sink, SPILL_UNIT);
	if (len > sink->capacity - sink->used)
		dmt_sink_flush(sink);
}

uint8_t *
dmt_sink_reserve(struct dmt_sink *sink, size_t len)
{
	if (len > sink->capacity - sink->used)
		make_room(sink, len);
	if (sink->error.status != DMTRACE_OK)
		return NULL;
	if (len > sink->capacity - sink->used && !grow(sink, len))
		return NULL;
	return sink->buffer + sink->used;
}

void
dmt_sink_advance(struct dmt_sink *sink, size_t len)
{
	assert(len <= sink->capacity - sink->used);
	sink->used += len;
	sink->written += len;
}

/* Whether a block of the file begins here and can be written as it is. */
static bool
begins_block(const struct dmt_sink *sink, size_t len)
{
	return sink->output.write != NULL && len >= DMT_BLOCKS_SIZE &&
	    sink->written % DMT_BLOCKS_SIZE == 0;
}

static void
write_block(struct dmt_sink *sink, const uint8_t *bytes)
{
	dmt_sink_flush(sink);
	put(sink, bytes, DMT_BLOCKS_SIZE);
	sink->written += DMT_BLOCKS_SIZE;
}

/* As much as there is room for. Returns how much that is. */
static size_t
write_some(struct dmt_sink *sink, const uint8_t *bytes, size_t len)
{
	uint8_t *const out = dmt_sink_reserve(sink,
	    sink->output.write == NULL ? len : 1);

	if (out == NULL)
		return 0;
	const size_t room = sink->capacity - sink->used;
	const size_t part = len < room ? len : room;
	memcpy(out, bytes, part);
	dmt_sink_advance(sink, part);
	return part;
}

/* A file is written by whole blocks, which begin where whole blocks of the
 * file do: that spares the system half of its work. */
void
dmt_sink_write(struct dmt_sink *sink, const void *bytes, size_t len)
{
	const uint8_t *in = bytes;

	while (len > 0 && sink->error.status == DMTRACE_OK) {
		size_t part = DMT_BLOCKS_SIZE;

		if (begins_block(sink, len))
			write_block(sink, in);
		else if ((part = write_some(sink, in, len)) == 0)
			return;
		in += part;
		len -= part;
	}
}

bool
dmt_sink_can_rewind(const struct dmt_sink *sink)
{
	return sink->output.write == NULL || sink->temporary != NULL;
}

void
dmt_sink_rewind(struct dmt_sink *sink, uint64_t written)
{
	const uint64_t gone = sink->written - sink->used;

	if (written < gone && (ftruncate(sink->fd, (off_t)written) != 0 ||
	    lseek(sink->fd, (off_t)written, SEEK_SET) < 0))
		dmt_path_failed(&sink->error, "cannot write", sink->path);
	sink->used = written < gone ? 0 : (size_t)(written - gone);
	sink->written = written;
}

static void
seek(struct dmt_sink *sink, uint64_t offset, int whence)
{
	if (sink->error.status == DMTRACE_OK &&
	    lseek(sink->fd, (off_t)offset, whence) < 0)
		dmt_path_failed(&sink->error, "cannot write", sink->path);
}

void
dmt_sink_patch(struct dmt_sink *sink, uint64_t at, const void *bytes,
    size_t len)
{
	if (sink->error.status != DMTRACE_OK)
		return;
	if (sink->output.write == NULL) {
		memcpy(sink->buffer + at, bytes, len);
		return;
	}
	dmt_sink_flush(sink);
	seek(sink, at, SEEK_SET);
	put(sink, bytes, len);
	seek(sink, 0, SEEK_END);
	if (at + len > sink->written)
		sink->written = at + len;
}

enum dmtrace_status
dmt_sink_reread(struct dmt_sink *sink, struct dmt_source *source)
{
	if (sink->output.write == NULL) {
		dmt_source_open_memory(source, sink->buffer, sink->used);
		return sink->error.status;
	}
	dmt_sink_flush(sink);
	if (sink->error.status == DMTRACE_OK &&
	    lseek(sink->fd, 0, SEEK_SET) != 0)
		dmt_path_failed(&sink->error, "cannot read back", sink->path);
	dmt_source_open_fd(source, sink->fd);
	return sink->error.status;
}

/* Descriptors are gone after close, whatever it says. */
static void
close_own(struct dmt_sink *sink)
{
	if (sink->fd < 0)
		return;
	if (close(sink->fd) != 0 && errno != EINTR)
		dmt_path_failed(&sink->error, "cannot close", sink->path);
	sink->fd = -1;
}

enum dmtrace_status
dmt_sink_park(struct dmt_sink *sink)
{
	close_own(sink);
	return sink->error.status;
}

enum dmtrace_status
dmt_sink_finish(struct dmt_sink *sink)
{
	dmt_sink_flush(sink);
	if (sink->error.status == DMTRACE_OK &&
	    sink->written < sink->expected)
		dmt_sink_expect(sink, 0);
	if (sink->error.status == DMTRACE_OK && sink->sync &&
	    sink->temporary != NULL && fsync(sink->fd) != 0)
		dmt_path_failed(&sink->error, "cannot sync", sink->path);
	close_own(sink);
	return sink->error.status;
}

void
dmt_sink_fini(struct dmt_sink *sink)
{
	close_own(sink);
	if (sink->temporary != NULL)
		unlink(sink->temporary->path);
	dmt_temporary_free(sink->temporary);
	free(sink->target);
	free(sink->path);
	free(sink->buffer);
	dmt_sink_open_memory(sink);
}
