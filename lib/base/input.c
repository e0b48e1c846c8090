/* input.c - bytes from a file, memory or the caller: peek, then skip */

/*
 * A window of bytes moves over the input. A read appends to the window, in
 * blocks that are aligned to blocks of the file; skipped bytes at its front
 * are reused. A pipe that has to be read twice is first copied to an unnamed
 * temporary file. A file that is read twice must not change meanwhile: once it
 * was rewound, each read compares its size and time of change with those when
 * it was opened. Hundreds of files can be read at the same time through a
 * pool: each input keeps its own position, and only the files that were read
 * last have an open descriptor.
 */

#include "base/input.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/output.h"
#include "base/packing.h"
#include "base/path.h"

#define FIRST_BLOCKS (4 * DMT_BLOCKS_SIZE)	/* bytes before the first
						   larger read */
#define OPEN_MAX_FILES 256
#define LINE_SIZE 64		/* of the CPU's cache, in bytes */
#define LARGE_WINDOW (4 << 20)	/* bytes; more only while needed */

static const uint8_t no_bytes[1];

static void
init_input(struct dmt_input *input)
{
	*input = (struct dmt_input){ .fd = -1, .bytes = no_bytes };
}

/* After this the input is at its end. */
static enum dmtrace_status
fail_input(struct dmt_input *input, const char *what)
{
	input->ended = true;
	return dmt_path_failed(&input->error, what, input->path);
}

static enum dmtrace_status
fail_input_memory(struct dmt_input *input)
{
	input->ended = true;
	return dmt_error_memory(&input->error);
}

static ptrdiff_t
read_input_fd(void *context, void *out, size_t len)
{
	return read((int)(intptr_t)context, out, len);
}

static struct dmtrace_input
read_from_fd(int fd)
{
	return (struct dmtrace_input){ read_input_fd, (void *)(intptr_t)fd };
}

static enum dmtrace_status
use_input_fd(struct dmt_input *input, int fd)
{
	struct stat *const file = &input->file;

	input->call = read_from_fd(fd);
	if (fstat(fd, file) != 0)
		return fail_input(input, "cannot read");
	if (S_ISDIR(file->st_mode)) {
		errno = EISDIR;
		return fail_input(input, "cannot read");
	}
	if (!S_ISREG(file->st_mode))
		return DMTRACE_OK;
	const off_t at = lseek(fd, 0, SEEK_CUR);
	input->seekable = at >= 0;
	input->shift = at > 0 ? at : 0;
	if (file->st_size > input->shift)
		input->size = (uint64_t)(file->st_size - input->shift);
	return DMTRACE_OK;
}

/* The caller named another file, so the failure of a program names this one. */
static void
name_derived(struct dmt_input *input)
{
	char message[DMTRACE_MESSAGE_MAX];

	if (!input->derived || input->error.status == DMTRACE_OK)
		return;
	memcpy(message, input->error.message, sizeof(message));
	const enum dmtrace_status status = input->error.status;
	dmt_error_clear(&input->error);
	dmt_error_set(&input->error, status, "%s: %s", input->path, message);
}

static enum dmtrace_status
open_input_path(struct dmt_input *input, const char *path, bool derived)
{
	init_input(input);
	input->derived = derived;
	input->path = dmt_path_concat(path, "");
	if (input->path == NULL)
		return fail_input_memory(input);
	input->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (input->fd < 0)
		return fail_input(input, "cannot open");

	/* What is in a compressed file comes from a pipe. */
	int unpacked;
	void *const program = dmt_unpack_start(input->fd, &unpacked,
	    &input->error);
	input->ended = input->error.status != DMTRACE_OK;
	name_derived(input);
	if (program == NULL)
		return input->ended ? input->error.status :
		    use_input_fd(input, input->fd);
	close(input->fd);
	input->fd = unpacked;
	input->program = program;
	input->packed = true;
	return use_input_fd(input, input->fd);
}

enum dmtrace_status
dmt_input_open_path(struct dmt_input *input, const char *path)
{
	return open_input_path(input, path, false);
}

enum dmtrace_status
dmt_input_open_derived(struct dmt_input *input, const char *path)
{
	return open_input_path(input, path, true);
}

enum dmtrace_status
dmt_input_open_fd(struct dmt_input *input, int fd)
{
	init_input(input);
	return use_input_fd(input, fd);
}

enum dmtrace_status
dmt_input_open_file(struct dmt_input *input, const struct dmtrace_file *file)
{
	return file->path == NULL ? dmt_input_open_fd(input, file->fd) :
	    dmt_input_open_path(input, file->path);
}

enum dmtrace_status
dmt_input_open_callback(struct dmt_input *input,
    const struct dmtrace_input *call)
{
	init_input(input);
	input->call = *call;
	return DMTRACE_OK;
}

void
dmt_input_open_memory(struct dmt_input *input, const void *bytes,
    size_t len)
{
	init_input(input);
	if (len > 0)
		input->bytes = bytes;
	input->end = len;
	input->size = len;
	input->ended = true;
}

static void
close_input_fd(struct dmt_input *input)
{
	close(input->fd);
	input->fd = -1;
}

size_t
dmt_open_files_max(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
	    limit.rlim_cur / 2 > OPEN_MAX_FILES)
		return OPEN_MAX_FILES;
	return limit.rlim_cur < 2 ? 1 : (size_t)limit.rlim_cur / 2;
}

bool
dmt_pool_init(struct dmt_pool *pool)
{
	*pool = (struct dmt_pool){ .most = dmt_open_files_max() };
	pool->open = dmt_array_new(pool->most, sizeof(struct dmt_input *));
	return pool->open != NULL;
}

void
dmt_pool_fini(struct dmt_pool *pool)
{
	free(pool->open);
	*pool = (struct dmt_pool){ 0 };
}

void
dmt_pool_join(struct dmt_pool *pool, struct dmt_input *input, size_t room)
{
	if (input->fd < 0 || input->path == NULL || !input->seekable ||
	    input->replaced || input->pool != NULL)
		return;
	input->again = true;
	input->pool = pool;
	input->room = room;
	close_input_fd(input);
	free(input->buffer);
	input->buffer = NULL;
	input->bytes = (const uint8_t *)"";
	input->capacity = 0;
	input->start = 0;
	input->end = 0;
	input->ended = false;
}

/* Opens the file of an input in a pool at its current offset, if it is not
 * open; the input that has not read for the longest time closes its file for
 * it. */
static bool
open_in_pool(struct dmt_input *input)
{
	struct dmt_pool *const pool = input->pool;
	const uint64_t at = input->offset + (input->end - input->start);
	struct stat file;
	size_t oldest = 0;

	input->used = ++pool->now;
	if (input->fd >= 0)
		return true;
	if (pool->count == pool->most) {
		for (size_t i = 1; i < pool->count; i++)
			if (pool->open[i]->used < pool->open[oldest]->used)
				oldest = i;
		close_input_fd(pool->open[oldest]);
		pool->open[oldest] = pool->open[--pool->count];
	}
	input->fd = open(input->path, O_RDONLY | O_CLOEXEC);
	if (input->fd < 0) {
		fail_input(input, "cannot open");
		return false;
	}
	pool->open[pool->count++] = input;
	input->call = read_from_fd(input->fd);
	if (fstat(input->fd, &file) != 0 ||
	    file.st_dev != input->file.st_dev ||
	    file.st_ino != input->file.st_ino) {
		errno = ESTALE;
		fail_input(input, "another file has replaced");
		return false;
	}
	if (lseek(input->fd, (off_t)((int64_t)at + input->shift),
	    SEEK_SET) < 0) {
		fail_input(input, "cannot read");
		return false;
	}
	return true;
}

/* Moves the window to the front of the buffer and makes space after it. A
 * large window is not moved while there is space, as that would save
 * little. */
static bool
make_window_room(struct dmt_input *input, size_t room)
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

	/* The next read is appended to the window, and the system copies
	 * faster to an address that begins a cache line. */
	const size_t past = ((uintptr_t)input->buffer + len) % LINE_SIZE;
	const size_t start = past == 0 ? 0 : LINE_SIZE - past;
	if (len > 0)
		memmove(input->buffer + start, input->bytes + input->start,
		    len);
	input->start = start;
	input->end = start + len;

	/* The keys of traces with a million methods have more than 100 MB. */
	if (input->capacity > LARGE_WINDOW && need <= LARGE_WINDOW) {
		uint8_t *const shrunk = realloc(input->buffer, LARGE_WINDOW);

		if (shrunk != NULL) {
			input->bytes = input->buffer = shrunk;
			input->capacity = LARGE_WINDOW;
		}
	}
	return true;
}

/* Fails an input that is read again if its file has changed. */
static void
check_unchanged(struct dmt_input *input)
{
	const struct stat *const old = &input->file;
	struct stat now;

	if (!input->again || input->error.status != DMTRACE_OK)
		return;
	if (fstat((int)(intptr_t)input->call.context, &now) != 0) {
		fail_input(input, "cannot read");
		return;
	}
	if (now.st_size == old->st_size ?
	    now.st_mtim.tv_sec == old->st_mtim.tv_sec &&
	    now.st_mtim.tv_nsec == old->st_mtim.tv_nsec :
	    input->may_grow && now.st_size > old->st_size)
		return;
	input->ended = true;
	dmt_error_set(&input->error, DMTRACE_ERR_IO,
	    "the input changed while it was read");
}

/* Appends to the window what a single read returns. */
static void
fill_window(struct dmt_input *input)
{
	const uint64_t at = input->offset + (input->end - input->start);
	ptrdiff_t got;

	/* The first reads are one block, as the input may be short, and to map
	 * a page of a larger window takes as long as to fill it. Later reads
	 * are larger; all end at a multiple of the block size, so that an
	 * output can write whole blocks of the file. */
	const size_t size = at < FIRST_BLOCKS ? DMT_BLOCK_SIZE :
	    DMT_BLOCKS_SIZE;
	const size_t len = input->pool != NULL ? input->room :
	    size - (size_t)(at % size);

	if (!make_window_room(input, len)) {
		fail_input_memory(input);
		return;
	}
	if (input->pool != NULL && !open_in_pool(input))
		return;
	do {
		errno = EIO;	/* for a function that does not set it */
		got = input->call.read(input->call.context,
		    input->buffer + input->end, len);
	} while (got < 0 && errno == EINTR);
	if (got > 0 && (size_t)got > len)
		errno = EOVERFLOW;
	else if (got < 0 && errno == 0)
		errno = EIO;
	if (got < 0 || (size_t)got > len)
		fail_input(input, "cannot read");
	else if (got == 0)
		input->ended = true;
	else
		input->end += (size_t)got;
	if (got == 0 && input->program != NULL) {
		if (dmt_packer_get()->finish(input->program, &input->error) !=
		    DMTRACE_OK)
			name_derived(input);
		input->program = NULL;
	}
	check_unchanged(input);
}

size_t
dmt_input_peek(struct dmt_input *input, size_t want,
    const uint8_t **bytes)
{
	while (input->end - input->start < want && !input->ended)
		fill_window(input);
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

enum dmtrace_status
dmt_input_check_packed(struct dmt_input *input)
{
	const uint8_t *bytes;
	size_t len;

	while (input->program != NULL &&
	    (len = dmt_input_peek(input, 1, &bytes)) > 0)
		dmt_input_skip(input, len);
	return input->error.status;
}

int
dmt_input_fd(const struct dmt_input *input)
{
	return input->call.read == read_input_fd && input->size > 0 ?
	    (int)(intptr_t)input->call.context : -1;
}

uint64_t
dmt_input_size(const struct dmt_input *input)
{
	return input->size;
}

bool
dmt_input_left(struct dmt_input *input, uint64_t *left)
{
	const bool in_memory = input->call.read == NULL;

	if ((!in_memory && !input->seekable) || input->size == 0 ||
	    input->offset > input->size ||
	    input->error.status != DMTRACE_OK)
		return false;
	input->again = !in_memory && S_ISREG(input->file.st_mode);
	*left = input->size - input->offset;
	return true;
}

/* The file of output is read in place of the input from now on. */
static void
take_temporary(struct dmt_input *input, struct dmt_output *output)
{
	if (input->fd >= 0)
		close(input->fd);
	input->fd = output->fd;
	input->call = read_from_fd(output->fd);
	input->seekable = true;
	input->replaced = true;
	output->fd = -1;
}

enum dmtrace_status
dmt_input_replace(struct dmt_input *input, struct dmt_output *output)
{
	dmt_output_flush(output);
	if (input->error.status == DMTRACE_OK)
		input->error = output->error;
	if (input->error.status == DMTRACE_OK) {
		take_temporary(input, output);
		fstat(input->fd, &input->file);
		input->size = output->written;
		input->shift = 0;
		if (input->buffer == NULL)
			input->capacity = 0;
		input->offset = 0;
		dmt_input_rewind(input, 0);
	}
	input->ended |= input->error.status != DMTRACE_OK;
	return input->error.status;
}

enum dmtrace_status
dmt_input_hold(struct dmt_input *input)
{
	const uint64_t offset = input->offset;
	struct dmt_output output;

	if (input->seekable || input->call.read == NULL)
		return DMTRACE_OK;
	if (dmt_output_open_temporary(&output, NULL) == DMTRACE_OK)
		dmt_output_copy(&output, input);
	if (output.error.status == DMTRACE_OK)
		dmt_output_flush(&output);
	if (input->error.status == DMTRACE_OK)
		input->error = output.error;
	if (input->error.status == DMTRACE_OK) {
		take_temporary(input, &output);
		input->size = input->offset;
		input->shift = -(int64_t)offset;
		dmt_input_rewind(input, offset);
	}
	input->ended |= input->error.status != DMTRACE_OK;
	dmt_output_fini(&output);
	return input->error.status;
}

enum dmtrace_status
dmt_input_rewind(struct dmt_input *input, uint64_t offset)
{
	if (input->error.status != DMTRACE_OK)
		return input->error.status;
	if (input->call.read == NULL) {
		input->start -= (size_t)(input->offset - offset);
		input->offset = offset;
		return DMTRACE_OK;
	}
	if ((input->pool == NULL || input->fd >= 0) &&
	    lseek((int)(intptr_t)input->call.context,
	    (off_t)((int64_t)offset + input->shift), SEEK_SET) < 0)
		return fail_input(input, "cannot seek back in");
	input->start = 0;
	input->end = 0;
	input->offset = offset;
	input->ended = false;
	input->again = S_ISREG(input->file.st_mode);
	if (input->pool == NULL)
		check_unchanged(input);
	return input->error.status;
}

void
dmt_input_fini(struct dmt_input *input)
{
	struct dmt_pool *const pool = input->pool;

	for (size_t i = 0; pool != NULL && i < pool->count; i++)
		if (pool->open[i] == input)
			pool->open[i--] = pool->open[--pool->count];
	if (input->fd >= 0)
		close(input->fd);
	if (input->program != NULL)
		dmt_packer_get()->stop(input->program);
	free(input->path);
	free(input->buffer);
	init_input(input);
}
