/* source.c - bytes from a file, memory or the caller, looked at then skipped */

#include "base/source.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/path.h"

#define LINE_SIZE 64		/* of the cache, in bytes */

static const uint8_t nothing[1];

static void
init(struct dmt_source *source)
{
	*source = (struct dmt_source){ .fd = -1, .bytes = nothing };
}

/* From here on the source is at its end. */
static enum dmtrace_status
fail(struct dmt_source *source, const char *what)
{
	source->ended = true;
	return dmt_path_failed(&source->error, what, source->path);
}

static enum dmtrace_status
fail_memory(struct dmt_source *source)
{
	source->ended = true;
	return dmt_error_memory(&source->error);
}

static ptrdiff_t
read_fd(void *context, void *out, size_t len)
{
	return read((int)(intptr_t)context, out, len);
}

struct dmtrace_input
dmt_input_fd(int fd)
{
	return (struct dmtrace_input){ read_fd, (void *)(intptr_t)fd };
}

static enum dmtrace_status
use_fd(struct dmt_source *source, int fd)
{
	struct stat file;

	source->input = dmt_input_fd(fd);
	if (fstat(fd, &file) != 0)
		return fail(source, "cannot read");
	if (S_ISDIR(file.st_mode)) {
		errno = EISDIR;
		return fail(source, "cannot read");
	}
	if (!S_ISREG(file.st_mode))
		return DMTRACE_OK;
	const off_t at = lseek(fd, 0, SEEK_CUR);
	source->seekable = at >= 0;
	source->shift = at > 0 ? at : 0;
	if (file.st_size > source->shift)
		source->size = (uint64_t)(file.st_size - source->shift);
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_source_open_path(struct dmt_source *source, const char *path)
{
	init(source);
	source->path = dmt_path_concat(path, "");
	if (source->path == NULL)
		return fail_memory(source);
	source->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (source->fd < 0)
		return fail(source, "cannot open");
	return use_fd(source, source->fd);
}

enum dmtrace_status
dmt_source_open_fd(struct dmt_source *source, int fd)
{
	init(source);
	return use_fd(source, fd);
}

enum dmtrace_status
dmt_source_open_input(struct dmt_source *source,
    const struct dmtrace_input *input)
{
	init(source);
	source->input = *input;
	return DMTRACE_OK;
}

void
dmt_source_open_memory(struct dmt_source *source, const void *bytes,
    size_t len)
{
	init(source);
	if (len > 0)
		source->bytes = bytes;
	source->end = len;
	source->size = len;
	source->ended = true;
}

/* Where a window of len bytes is moved to: reads go behind it, and the system
 * copies faster to where lines of the cache begin. */
static size_t
place(const struct dmt_source *source, size_t len)
{
	const size_t past = ((uintptr_t)source->buffer + len) % LINE_SIZE;

	return past == 0 ? 0 : LINE_SIZE - past;
}

/* A block at first, for there may be no more; then up to the end of several,
 * which can be written as they stand in the file. */
static size_t
choose_len(const struct dmt_source *source)
{
	const uint64_t at = source->offset + (source->end - source->start);

	if (source->pool != NULL)
		return source->room;
	return at < DMT_BLOCK_SIZE ? DMT_BLOCK_SIZE :
	    DMT_BLOCKS_SIZE - (size_t)(at % DMT_BLOCKS_SIZE);
}

/* Moves the window to the front, and makes room behind it. A long one stays
 * as long as there is room: little would be won. */
static bool
make_room(struct dmt_source *source, size_t room)
{
	const size_t len = source->end - source->start;
	const size_t need = len + LINE_SIZE + room;

	if (len > source->start && source->capacity - source->end >= room)
		return true;
	if (need > source->capacity) {
		uint8_t *grown = dmt_array_grow(source->buffer,
		    &source->capacity, source->pool == NULL &&
		    need < DMT_SOURCE_CAPACITY ? DMT_SOURCE_CAPACITY : need, 1);
		if (grown == NULL)
			return false;
		source->buffer = grown;
		source->bytes = grown;
	}
	const size_t start = place(source, len);
	if (len > 0)
		memmove(source->buffer + start, source->bytes + source->start,
		    len);
	source->start = start;
	source->end = start + len;
	return true;
}

/* One read: what comes in one piece. */
static void
fill(struct dmt_source *source)
{
	const size_t len = choose_len(source);
	ptrdiff_t got;

	if (!make_room(source, len)) {
		fail_memory(source);
		return;
	}
	if (source->pool != NULL && !dmt_pool_use(source))
		return;
	do
		got = source->input.read(source->input.context,
		    source->buffer + source->end, len);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		fail(source, "cannot read");
	else if (got == 0)
		source->ended = true;
	else
		source->end += (size_t)got;
}

size_t
dmt_source_peek(struct dmt_source *source, size_t want,
    const uint8_t **bytes)
{
	while (source->end - source->start < want && !source->ended)
		fill(source);
	*bytes = source->bytes + source->start;
	return source->end - source->start;
}

void
dmt_source_skip(struct dmt_source *source, size_t len)
{
	assert(len <= source->end - source->start);
	source->start += len;
	source->offset += len;
}

int
dmt_source_fd(const struct dmt_source *source)
{
	return source->input.read == read_fd && source->size > 0 ?
	    (int)(intptr_t)source->input.context : -1;
}

uint64_t
dmt_source_size(const struct dmt_source *source)
{
	return source->size;
}

void
dmt_source_fini(struct dmt_source *source)
{
	if (source->pool != NULL)
		dmt_pool_leave(source);
	if (source->fd >= 0)
		close(source->fd);
	free(source->path);
	free(source->buffer);
	init(source);
}
