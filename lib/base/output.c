/* output.c - bytes through a buffer to a file, to memory or to the caller */

#include "base/output.h"

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
dmt_write_to_fd(int fd)
{
	return (struct dmtrace_output){ write_fd, (void *)(intptr_t)fd };
}

void
dmt_output_open_memory(struct dmt_output *output)
{
	*output = (struct dmt_output){ .fd = -1 };
}

void
dmt_output_open_callback(struct dmt_output *output,
    const struct dmtrace_output *call)
{
	dmt_output_open_memory(output);
	output->call = *call;
}

void
dmt_output_open_fd(struct dmt_output *output, int fd)
{
	const struct dmtrace_output call = dmt_write_to_fd(fd);

	dmt_output_open_callback(output, &call);
}

/* All of it to the output, piece by piece. */
static void
put(struct dmt_output *output, const uint8_t *bytes, size_t len)
{
	while (len > 0 && output->error.status == DMTRACE_OK) {
		errno = EIO;	/* for one that takes nothing */
		const ptrdiff_t done = output->call.write(
		    output->call.context, bytes, len);
		if (done > 0) {
			bytes += done;
			len -= (size_t)done;
		} else if (done == 0 || errno != EINTR) {
			dmt_path_failed(&output->error, "cannot write",
			    output->path);
		}
	}
}

void
dmt_output_flush(struct dmt_output *output)
{
	if (output->call.write == NULL)
		return;
	put(output, output->buffer, output->used);
	output->used = 0;
}

/* The buffer of an output is one block, that of memory as large as needed. */
static bool
grow(struct dmt_output *output, size_t len)
{
	const size_t need = output->call.write != NULL ? DMT_BLOCKS_SIZE :
	    len > SIZE_MAX - output->used ? SIZE_MAX : output->used + len;
	uint8_t *grown = dmt_array_grow(output->buffer, &output->capacity, need,
	    1);

	if (grown == NULL) {
		dmt_error_memory(&output->error);
		return false;
	}
	output->buffer = grown;
	return true;
}

/* A file is written up to where a unit of it ends, if that makes room: the
 * rest begins the next write where the system likes it to. */
static void
make_buffer_room(struct dmt_output *output, size_t len)
{
	const size_t kept = (size_t)(output->written % SPILL_UNIT);

	if (output->call.write != NULL && kept < output->used) {
		put(output, output->buffer, output->used - kept);
		memmove(output->buffer, output->buffer + output->used - kept,
		    kept);
		output->used = kept;
	}
	if (len > output->capacity - output->used)
		dmt_output_flush(output);
}

uint8_t *
dmt_output_reserve(struct dmt_output *output, size_t len)
{
	if (len > output->capacity - output->used)
		make_buffer_room(output, len);
	if (output->error.status != DMTRACE_OK)
		return NULL;
	if (len > output->capacity - output->used && !grow(output, len))
		return NULL;
	return output->buffer + output->used;
}

void
dmt_output_advance(struct dmt_output *output, size_t len)
{
	assert(len <= output->capacity - output->used);
	output->used += len;
	output->written += len;
}

/* Whether a block of the file begins here and can be written as it is. */
static bool
begins_block(const struct dmt_output *output, size_t len)
{
	return output->call.write != NULL && len >= DMT_BLOCKS_SIZE &&
	    output->written % DMT_BLOCKS_SIZE == 0;
}

static void
write_block(struct dmt_output *output, const uint8_t *bytes)
{
	dmt_output_flush(output);
	put(output, bytes, DMT_BLOCKS_SIZE);
	output->written += DMT_BLOCKS_SIZE;
}

/* As much as there is room for. Returns how much that is. */
static size_t
write_some(struct dmt_output *output, const uint8_t *bytes, size_t len)
{
	uint8_t *const out = dmt_output_reserve(output,
	    output->call.write == NULL ? len : 1);

	if (out == NULL)
		return 0;
	const size_t room = output->capacity - output->used;
	const size_t part = len < room ? len : room;
	memcpy(out, bytes, part);
	dmt_output_advance(output, part);
	return part;
}

/* A file is written by whole blocks, which begin where whole blocks of the
 * file do: that spares the system half of its work. */
void
dmt_output_write(struct dmt_output *output, const void *bytes, size_t len)
{
	const uint8_t *in = bytes;

	while (len > 0 && output->error.status == DMTRACE_OK) {
		size_t part = DMT_BLOCKS_SIZE;

		if (begins_block(output, len))
			write_block(output, in);
		else if ((part = write_some(output, in, len)) == 0)
			return;
		in += part;
		len -= part;
	}
}

static void
seek(struct dmt_output *output, uint64_t offset, int whence)
{
	if (output->error.status == DMTRACE_OK &&
	    lseek(output->fd, (off_t)offset, whence) < 0)
		dmt_path_failed(&output->error, "cannot write", output->path);
}

void
dmt_output_patch(struct dmt_output *output, uint64_t at, const void *bytes,
    size_t len)
{
	if (output->error.status != DMTRACE_OK)
		return;
	if (output->call.write == NULL) {
		memcpy(output->buffer + at, bytes, len);
		return;
	}
	dmt_output_flush(output);
	seek(output, at, SEEK_SET);
	put(output, bytes, len);
	seek(output, 0, SEEK_END);
	if (at + len > output->written)
		output->written = at + len;
}

enum dmtrace_status
dmt_output_reread(struct dmt_output *output, struct dmt_input *input)
{
	if (output->call.write == NULL) {
		dmt_input_open_memory(input, output->buffer, output->used);
		return output->error.status;
	}
	dmt_output_flush(output);
	if (output->error.status == DMTRACE_OK &&
	    lseek(output->fd, 0, SEEK_SET) != 0)
		dmt_path_failed(&output->error, "cannot read back",
		    output->path);
	dmt_input_open_fd(input, output->fd);
	return output->error.status;
}

/* Descriptors are gone after close, whatever it says. */
static void
close_own(struct dmt_output *output)
{
	if (output->fd < 0)
		return;
	if (close(output->fd) != 0 && errno != EINTR)
		dmt_path_failed(&output->error, "cannot close", output->path);
	output->fd = -1;
}

enum dmtrace_status
dmt_output_park(struct dmt_output *output)
{
	close_own(output);
	return output->error.status;
}

enum dmtrace_status
dmt_output_finish(struct dmt_output *output)
{
	dmt_output_flush(output);
	if (output->error.status == DMTRACE_OK &&
	    output->written < output->expected)
		dmt_output_expect(output, 0);
	if (output->error.status == DMTRACE_OK && output->sync &&
	    output->temporary != NULL && fsync(output->fd) != 0)
		dmt_path_failed(&output->error, "cannot sync", output->path);
	close_own(output);
	return output->error.status;
}

void
dmt_output_fini(struct dmt_output *output)
{
	close_own(output);
	if (output->temporary != NULL)
		unlink(output->temporary->path);
	dmt_temporary_free(output->temporary);
	free(output->target);
	free(output->path);
	free(output->buffer);
	dmt_output_open_memory(output);
}
