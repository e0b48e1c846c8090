/* input_pool.c - many files, of which few are open at a time */

#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/path.h"

#define OPEN_MAX_FILES 256

bool
dmt_pool_init(struct dmt_pool *pool)
{
	struct rlimit limit;

	*pool = (struct dmt_pool){ .most = OPEN_MAX_FILES };
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
	    limit.rlim_cur / 2 < pool->most)
		pool->most = (size_t)limit.rlim_cur / 2;
	if (pool->most == 0)
		pool->most = 1;
	pool->open = dmt_array_new(pool->most, sizeof(struct dmt_input *));
	return pool->open != NULL;
}

void
dmt_pool_fini(struct dmt_pool *pool)
{
	free(pool->open);
	*pool = (struct dmt_pool){ 0 };
}

static void
close_source(struct dmt_input *input)
{
	close(input->fd);
	input->fd = -1;
}

static enum dmtrace_status
fail(struct dmt_input *input, const char *what)
{
	input->ended = true;
	return dmt_path_failed(&input->error, what, input->path);
}

enum dmtrace_status
dmt_pool_join(struct dmt_pool *pool, struct dmt_input *input, size_t room)
{
	struct stat file;

	if (input->fd < 0 || input->path == NULL || !input->seekable ||
	    input->pool != NULL)
		return DMTRACE_OK;
	if (fstat(input->fd, &file) != 0)
		return fail(input, "cannot read");
	input->device = file.st_dev;
	input->inode = file.st_ino;
	input->pool = pool;
	input->room = room;
	close_source(input);
	free(input->buffer);
	input->buffer = NULL;
	input->bytes = (const uint8_t *)"";
	input->capacity = 0;
	input->start = 0;
	input->end = 0;
	input->ended = false;
	return DMTRACE_OK;
}

static void
close_oldest(struct dmt_pool *pool)
{
	size_t oldest = 0;

	for (size_t i = 1; i < pool->count; i++)
		if (pool->open[i]->used < pool->open[oldest]->used)
			oldest = i;
	close_source(pool->open[oldest]);
	pool->open[oldest] = pool->open[--pool->count];
}

/* Whether it is still the file that it was. */
static bool
is_same(const struct dmt_input *input)
{
	struct stat file;

	return fstat(input->fd, &file) == 0 &&
	    file.st_dev == input->device && file.st_ino == input->inode;
}

bool
dmt_pool_use(struct dmt_input *input)
{
	struct dmt_pool *const pool = input->pool;
	const uint64_t at = input->offset + (input->end - input->start);

	input->used = ++pool->now;
	if (input->fd >= 0)
		return true;
	if (pool->count == pool->most)
		close_oldest(pool);
	input->fd = open(input->path, O_RDONLY | O_CLOEXEC);
	if (input->fd < 0) {
		fail(input, "cannot open");
		return false;
	}
	pool->open[pool->count++] = input;
	input->call = dmt_read_from_fd(input->fd);
	if (!is_same(input)) {
		errno = ESTALE;
		fail(input, "another file is now");
		return false;
	}
	if (lseek(input->fd, (off_t)((int64_t)at + input->shift),
	    SEEK_SET) < 0) {
		fail(input, "cannot read");
		return false;
	}
	return true;
}

void
dmt_pool_leave(struct dmt_input *input)
{
	struct dmt_pool *const pool = input->pool;

	for (size_t i = 0; i < pool->count; i++)
		if (pool->open[i] == input)
			pool->open[i--] = pool->open[--pool->count];
	input->pool = NULL;
}
