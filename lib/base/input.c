/* input.c - bytes from a file, memory or the caller, looked at then skipped */

#include "base/input.h"

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
init(struct dmt_input *input)
{
	*input = (struct dmt_input){ .fd = -1, .bytes = nothing };
}

/* From here on the input is at its end. */
static enum dmtrace_status
fail(struct dmt_input *input, const char *what)
{
	input->ended = true;
	return dmt_path_failed(&input->error, what, input->path);
}

static enum dmtrace_status
fail_memory(struct dmt_input *input)
{
	input->ended = true;
	return dmt_error_memory(&input->error);
}

static ptrdiff_t
read_fd(void *context, void *out, size_t len)
{
	return read((int)(intptr_t)context, out, len);
}

struct dmtrace_input
dmt_read_from_fd(int fd)
{
	return (struct dmtrace_input){ read_fd, (void *)(intptr_t)fd };
}

static enum dmtrace_status
use_fd(struct dmt_input *input, int fd)
{
	struct stat file;

	input->call = dmt_read_from_fd(fd);
	if (fstat(fd, &file) != 0)
		return fail(input, "cannot read");
	if (S_ISDIR(file.st_mode)) {
		errno = EISDIR;
		return fail(input, "cannot read");
	}
	if (!S_ISREG(file.st_mode))
		return DMTRACE_OK;
	const off_t at = lseek(fd, 0, SEEK_CUR);
	input->seekable = at >= 0;
	input->shift = at > 0 ? at : 0;
	if (file.st_size > input->shift)
		input->size = (uint64_t)(file.st_size - input->shift);
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_input_open_path(struct dmt_input *input, const char *path)
{
	init(input);
	input->path = dmt_path_concat(path, "");
	if (input->path == NULL)
		return fail_memory(input);
	input->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (input->fd < 0)
		return fail(input, "cannot open");
	return use_fd(input, input->fd);
}

enum dmtrace_status
dmt_input_open_fd(struct dmt_input *input, int fd)
{
	init(input);
	return use_fd(input, fd);
}

enum dmtrace_status
dmt_input_open_callback(struct dmt_input *input,
    const struct dmtrace_input *call)
{
	init(input);
	input->call = *call;
	return DMTRACE_OK;
}

void
dmt_input_open_memory(struct dmt_input *input, const void *bytes,
    size_t len)
{
	init(input);
	if (len > 0)
		input->bytes = bytes;
	input->end = len;
	input->size = len;
	input->ended = true;
}

/* Where a window of len bytes is moved to: reads go behind it, and the system
 * copies faster to where lines of the cache begin. */
static size_t
place(const struct dmt_input *input, size_t len)
{
	const size_t past = ((uintptr_t)input->buffer + len) % LINE_SIZE;

	return past == 0 ? 0 : LINE_SIZE - past;
}

/* A block at first, for there may be no more; then up to the end of several,
 * which can be written as they stand in the file. */
static size_t
choose_len(const struct dmt_input *input)
{
	const uint64_t at = input->offset + (input->end - input->start);

	if (input->pool != NULL)
		return input->room;
	return at < DMT_BLOCK_SIZE ? DMT_BLOCK_SIZE :
	    DMT_BLOCKS_SIZE - (size_t)(at % DMT_BLOCKS_SIZE);
}

/* Moves the window to the front, and makes room behind it. A long one stays
 * as long as there is room: little would be won. */
static bool
make_room(struct dmt_input *input, size_t room)
{
	const size_t len = input->end - input->start;
	const size_t need = len + LINE_SIZE + room;

	if (len > input->start && input->capacity - input->end >= room)
		return true;
	if (need > input->capacity) {
		uint8_t *grown = dmt_array_grow(input->buffer,
		    &input->capacity, input->pool == NULL &&
		    need < DMT_INPUT_CAPACITY ? DMT_INPUT_CAPACITY : need, 1);
		if (grown == NULL)
			return false;
		input->buffer = grown;
		input->bytes = grown;
	}
	const size_t start = place(input, len);
	if (len > 0)
		memmove(input->buffer + start, input->bytes + input->start,
		    len);
	input->start = start;
	input->end = start + len;
	return true;
}

/* One read: what comes in one piece. */
static void
fill(struct dmt_input *input)
{
	const size_t len = choose_len(input);
	ptrdiff_t got;

	if (!make_room(input, len)) {
		fail_memory(input);
		return;
	}
	if (input->pool != NULL && !dmt_pool_use(input))
		return;
	do
		got = input->call.read(input->call.context,
		    input->buffer + input->end, len);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		fail(input, "cannot read");
	else if (got == 0)
		input->ended = true;
	else
		input->end += (size_t)got;
}

size_t
dmt_input_peek(struct dmt_input *input, size_t want,
    const uint8_t **bytes)
{
	while (input->end - input->start < want && !input->ended)
		fill(input);
	*bytes = input->bytes + input->start;
	return input->end - input->start;
}

void
dmt_input_skip(struct dmt_input *input, size_t len)
{
	assert(len <= input->end - input->start);
	input->start += len;
	input->offset += len;
}

int
dmt_input_fd(const struct dmt_input *input)
{
	return input->call.read == read_fd && input->size > 0 ?
	    (int)(intptr_t)input->call.context : -1;
}

uint64_t
dmt_input_size(const struct dmt_input *input)
{
	return input->size;
}

void
dmt_input_fini(struct dmt_input *input)
{
	if (input->pool != NULL)
		dmt_pool_leave(input);
	if (input->fd >= 0)
		close(input->fd);
	free(input->path);
	free(input->buffer);
	init(input);
}
