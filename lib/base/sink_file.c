/* sink_file.c - files that have no name, or get it when they are whole */

#include "base/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/path.h"
#include "base/reserve.h"
#include "base/temporary.h"

/* Words for what failed in errno; all is freed by dmt_sink_fini. */
static enum dmtrace_status
fail(struct dmt_sink *sink, const char *what)
{
	return errno == ENOMEM ? dmt_error_memory(&sink->error) :
	    dmt_path_failed(&sink->error, what, sink->path);
}

static enum dmtrace_status
init(struct dmt_sink *sink, const char *path)
{
	dmt_sink_open_memory(sink);
	sink->path = dmt_path_concat(path, "");
	return sink->path == NULL ? dmt_error_memory(&sink->error) : DMTRACE_OK;
}

/* The descriptor, unless opening it failed, becomes the sink's. */
static enum dmtrace_status
own(struct dmt_sink *sink, int fd, const char *what)
{
	if (fd < 0)
		return fail(sink, what);
	sink->fd = fd;
	sink->output = dmt_output_fd(fd);
	return DMTRACE_OK;
}

/* A file that takes the place of another has its permissions. */
static enum dmtrace_status
open_beside(struct dmt_sink *sink, const struct stat *old)
{
	const mode_t mode = sink->replaces ? old->st_mode & 0777 : 0666;

	sink->target = dmt_path_resolve(sink->path);
	if (sink->target == NULL)
		return fail(sink, "cannot create");
	const int fd = dmt_temporary_create(&sink->temporary, sink->target,
	    mode, 0);
	if (fd >= 0 && sink->replaces)
		(void)fchmod(fd, mode);	/* some file systems have none */
	return own(sink, fd, "cannot create");
}

enum dmtrace_status
dmt_sink_open_path(struct dmt_sink *sink, const char *path)
{
	struct stat old;

	if (init(sink, path) != DMTRACE_OK)
		return sink->error.status;
	sink->replaces = stat(path, &old) == 0;
	if (sink->replaces && !S_ISREG(old.st_mode))
		return own(sink, open(path, O_WRONLY | O_CLOEXEC),
		    "cannot open");
	return open_beside(sink, &old);
}

/* Where a temporary goes that belongs beside no file. */
static char *
temporary_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return dmt_path_concat(
	    folder != NULL && folder[0] != '\0' ? folder : "/tmp", "/");
}

enum dmtrace_status
dmt_sink_open_temporary(struct dmt_sink *sink, const char *path)
{
	struct dmt_temporary *nameless = NULL;

	dmt_sink_open_memory(sink);
	sink->path = path == NULL ? temporary_folder() :
	    dmt_path_concat(path, "");
	if (sink->path == NULL)
		return dmt_error_memory(&sink->error);
	const int fd = dmt_temporary_create(&nameless, sink->path, 0600, 0);
	if (fd >= 0)
		unlink(nameless->path);
	dmt_temporary_free(nameless);
	return own(sink, fd, path == NULL ? "cannot make a temporary in" :
	    "cannot make a temporary beside");
}

enum dmtrace_status
dmt_sink_open_part(struct dmt_sink *sink, const char *path, unsigned number,
    size_t room)
{
	if (init(sink, path) != DMTRACE_OK)
		return sink->error.status;
	sink->buffer = malloc(room);
	if (sink->buffer == NULL)
		return dmt_error_memory(&sink->error);
	sink->capacity = room;
	return own(sink, dmt_temporary_create(&sink->temporary, path, 0666,
	    number), "cannot create");
}

/* A failure is told by no one, for nothing is lost by it. */
void
dmt_sink_expect(struct dmt_sink *sink, uint64_t len)
{
	const uint64_t at = sink->written - sink->used;

	if (sink->temporary == NULL || len > INT64_MAX - sink->written)
		return;
	sink->expected = sink->written + len;
	if (len > 0 && dmt_file_reserve(sink->fd, at, sink->used + len))
		return;
	if (ftruncate(sink->fd, (off_t)at) != 0)
		sink->expected = 0;
}

enum dmtrace_status
dmt_sink_resume(struct dmt_sink *sink)
{
	if (sink->error.status != DMTRACE_OK || sink->fd >= 0)
		return sink->error.status;
	if (own(sink, open(sink->temporary->path, O_WRONLY | O_CLOEXEC),
	    "cannot open") == DMTRACE_OK && lseek(sink->fd, 0, SEEK_END) < 0)
		fail(sink, "cannot write");
	return sink->error.status;
}

/* Links are not followed: the file is where its name says. */
enum dmtrace_status
dmt_sink_name(struct dmt_sink *sink, const char *path)
{
	struct stat old;

	free(sink->path);
	free(sink->target);
	sink->path = dmt_path_concat(path, "");
	sink->target = dmt_path_concat(path, "");
	if (sink->path == NULL || sink->target == NULL)
		return dmt_error_memory(&sink->error);
	sink->replaces = lstat(path, &old) == 0;
	if (sink->replaces && S_ISREG(old.st_mode))
		(void)chmod(sink->temporary->path, old.st_mode & 0777);
	return sink->error.status;
}

/* Gives from the name to, which nothing may have; without hard links an
 * empty file holds the name until the rename. */
static int
name_new(const char *from, const char *to)
{
	if (link(from, to) == 0)
		return unlink(from);
	const int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	close(fd);
	if (rename(from, to) == 0)
		return 0;
	const int saved = errno;
	unlink(to);
	errno = saved;
	return -1;
}

static int
sync_folder(const char *path)
{
	char *folder = dmt_path_beside(path, ".");

	if (folder == NULL)
		return -1;
	const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(folder);
	if (fd < 0)
		return -1;
	const int result = fsync(fd) == 0 || errno == EINVAL ? 0 : -1;
	const int saved = errno;
	close(fd);
	errno = saved;
	return result;
}

enum dmtrace_status
dmt_sink_publish(struct dmt_sink *sink)
{
	if (sink->temporary == NULL || sink->error.status != DMTRACE_OK)
		return sink->error.status;
	const int result = sink->no_replace ?
	    name_new(sink->temporary->path, sink->target) :
	    rename(sink->temporary->path, sink->target);
	if (result != 0)
		return fail(sink, "cannot create");
	dmt_temporary_free(sink->temporary);
	sink->temporary = NULL;
	sink->published = true;
	if (sink->sync && sync_folder(sink->target) != 0) {
		dmt_sink_withdraw(sink);
		return fail(sink, "cannot sync the folder of");
	}
	return DMTRACE_OK;
}

void
dmt_sink_withdraw(struct dmt_sink *sink)
{
	const int saved = errno;

	if (sink->published && !sink->replaces)
		unlink(sink->target);
	sink->published = false;
	errno = saved;
}
