/* output_file.c - files that have no name, or get it when they are whole */

#include "base/output.h"

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

/* Words for what failed in errno; all is freed by dmt_output_fini. */
static enum dmtrace_status
fail(struct dmt_output *output, const char *what)
{
	return errno == ENOMEM ? dmt_error_memory(&output->error) :
	    dmt_path_failed(&output->error, what, output->path);
}

static enum dmtrace_status
init(struct dmt_output *output, const char *path)
{
	dmt_output_open_memory(output);
	output->path = dmt_path_concat(path, "");
	return output->path == NULL ? dmt_error_memory(&output->error) :
	    DMTRACE_OK;
}

/* The descriptor, unless opening it failed, becomes the output's. */
static enum dmtrace_status
own(struct dmt_output *output, int fd, const char *what)
{
	if (fd < 0)
		return fail(output, what);
	output->fd = fd;
	output->call = dmt_write_to_fd(fd);
	return DMTRACE_OK;
}

/* A file that takes the place of another has its permissions. */
static enum dmtrace_status
open_beside(struct dmt_output *output, const struct stat *old)
{
	const mode_t mode = output->replaces ? old->st_mode & 0777 : 0666;

	output->target = dmt_path_resolve(output->path);
	if (output->target == NULL)
		return fail(output, "cannot create");
	const int fd = dmt_temporary_create(&output->temporary, output->target,
	    mode, 0);
	if (fd >= 0 && output->replaces)
		(void)fchmod(fd, mode);	/* some file systems have none */
	return own(output, fd, "cannot create");
}

enum dmtrace_status
dmt_output_open_path(struct dmt_output *output, const char *path)
{
	struct stat old;

	if (init(output, path) != DMTRACE_OK)
		return output->error.status;
	output->replaces = stat(path, &old) == 0;
	if (output->replaces && !S_ISREG(old.st_mode))
		return own(output, open(path, O_WRONLY | O_CLOEXEC),
		    "cannot open");
	return open_beside(output, &old);
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
dmt_output_open_temporary(struct dmt_output *output, const char *path)
{
	struct dmt_temporary *nameless = NULL;

	dmt_output_open_memory(output);
	output->path = path == NULL ? temporary_folder() :
	    dmt_path_concat(path, "");
	if (output->path == NULL)
		return dmt_error_memory(&output->error);
	const int fd = dmt_temporary_create(&nameless, output->path, 0600, 0);
	if (fd >= 0)
		unlink(nameless->path);
	dmt_temporary_free(nameless);
	return own(output, fd, path == NULL ? "cannot make a temporary in" :
	    "cannot make a temporary beside");
}

enum dmtrace_status
dmt_output_open_part(struct dmt_output *output, const char *path,
    unsigned number,
    size_t room)
{
	if (init(output, path) != DMTRACE_OK)
		return output->error.status;
	output->buffer = malloc(room);
	if (output->buffer == NULL)
		return dmt_error_memory(&output->error);
	output->capacity = room;
	return own(output, dmt_temporary_create(&output->temporary, path, 0666,
	    number), "cannot create");
}

/* A failure is told by no one, for nothing is lost by it. */
void
dmt_output_expect(struct dmt_output *output, uint64_t len)
{
	const uint64_t at = output->written - output->used;

	if (output->temporary == NULL || len > INT64_MAX - output->written)
		return;
	output->expected = output->written + len;
	if (len > 0 && dmt_file_reserve(output->fd, at, output->used + len))
		return;
	if (ftruncate(output->fd, (off_t)at) != 0)
		output->expected = 0;
}

enum dmtrace_status
dmt_output_resume(struct dmt_output *output)
{
	if (output->error.status != DMTRACE_OK || output->fd >= 0)
		return output->error.status;
	if (own(output, open(output->temporary->path, O_WRONLY | O_CLOEXEC),
	    "cannot open") == DMTRACE_OK && lseek(output->fd, 0, SEEK_END) < 0)
		fail(output, "cannot write");
	return output->error.status;
}

/* Links are not followed: the file is where its name says. */
enum dmtrace_status
dmt_output_name(struct dmt_output *output, const char *path)
{
	struct stat old;

	free(output->path);
	free(output->target);
	output->path = dmt_path_concat(path, "");
	output->target = dmt_path_concat(path, "");
	if (output->path == NULL || output->target == NULL)
		return dmt_error_memory(&output->error);
	output->replaces = lstat(path, &old) == 0;
	if (output->replaces && S_ISREG(old.st_mode))
		(void)chmod(output->temporary->path, old.st_mode & 0777);
	return output->error.status;
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
dmt_output_publish(struct dmt_output *output)
{
	if (output->temporary == NULL || output->error.status != DMTRACE_OK)
		return output->error.status;
	const int result = output->no_replace ?
	    name_new(output->temporary->path, output->target) :
	    rename(output->temporary->path, output->target);
	if (result != 0)
		return fail(output, "cannot create");
	dmt_temporary_free(output->temporary);
	output->temporary = NULL;
	output->published = true;
	if (output->sync && sync_folder(output->target) != 0) {
		dmt_output_withdraw(output);
		return fail(output, "cannot sync the folder of");
	}
	return DMTRACE_OK;
}

void
dmt_output_withdraw(struct dmt_output *output)
{
	const int saved = errno;

	if (output->published && !output->replaces)
		unlink(output->target);
	output->published = false;
	errno = saved;
}
