/* source_pool.c - many files, of which few are open at a time */

#include "base/source.h"

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
	pool->open = dmt_array_new(pool->most, sizeof(struct dmt_source *));
	return pool->open != NULL;
}

void
dmt_pool_fini(struct dmt_pool *pool)
{
	free(pool->open);
	*pool = (struct dmt_pool){ 0 };
}

static void
close_source(struct dmt_source *source)
{
	close(source->fd);
	source->fd = -1;
}

static enum dmtrace_status
fail(struct dmt_source *source, const char *what)
{
	source->ended = true;
	return dmt_path_failed(&source->error, what, source->path);
}

enum dmtrace_status
dmt_pool_join(struct dmt_pool *pool, struct dmt_source *source, size_t room)
{
	struct stat file;

	if (source->fd < 0 || source->path == NULL || !source->seekable ||
	    source->pool != NULL)
		return DMTRACE_OK;
	if (fstat(source->fd, &file) != 0)
		return fail(source, "cannot read");
	source->device = file.st_dev;
	source->inode = file.st_ino;
	source->pool = pool;
	source->room = room;
	close_source(source);
	free(source->buffer);
	source->buffer = NULL;
	source->bytes = (const uint8_t *)"";
	source->capacity = 0;
	source->start = 0;
	source->end = 0;
	source->ended = false;
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
is_same(const struct dmt_source *source)
{
	struct stat file;

	return fstat(source->fd, &file) == 0 &&
	    file.st_dev == source->device && file.st_ino == source->inode;
}

bool
dmt_pool_use(struct dmt_source *source)
{
	struct dmt_pool *const pool = source->pool;
	const uint64_t at = source->offset + (source->end - source->start);

	source->used = ++pool->now;
	if (source->fd >= 0)
		return true;
	if (pool->count == pool->most)
		close_oldest(pool);
	source->fd = open(source->path, O_RDONLY | O_CLOEXEC);
	if (source->fd < 0) {
		fail(source, "cannot open");
		return false;
	}
	pool->open[pool->count++] = source;
	source->input = dmt_input_fd(source->fd);
	if (!is_same(source)) {
		errno = ESTALE;
		fail(source, "another file is now");
		return false;
	}
	if (lseek(source->fd, (off_t)((int64_t)at + source->shift),
	    SEEK_SET) < 0) {
		fail(source, "cannot read");
		return false;
	}
	return true;
}

void
dmt_pool_leave(struct dmt_source *source)
{
	struct dmt_pool *const pool = source->pool;

	for (size_t i = 0; i < pool->count; i++)
		if (pool->open[i] == source)
			pool->open[i--] = pool->open[--pool->count];
	source->pool = NULL;
}
