/* whole.c - the file that gets its name when a trace is whole */

#include "record/whole.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/path.h"

#define TRIES 1000		/* names for the temporary */

static enum dmtrace_status
fail(struct dmt_files *files, const char *what)
{
	files->whole_failed = true;
	return dmt_path_failed(&files->error, what,
	    dmt_paths_last(&files->memory->paths));
}

/* -1 with errno set. */
static int
create(struct dmt_paths *paths, mode_t mode)
{
	for (unsigned try = 0; try < TRIES; try++) {
		if (!dmt_paths_try(paths, try))
			return -1;
		const int fd = open(paths->temporary,
		    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

/* A file that takes the place of another has its permissions. */
static enum dmtrace_status
open_beside(struct dmt_files *files, const struct stat *old)
{
	const mode_t mode = old != NULL ? old->st_mode & 0777 : 0666;

	if (!dmt_paths_resolve(&files->memory->paths))
		return fail(files, "cannot create");
	const int fd = dmt_held_take(&files->whole,
	    create(&files->memory->paths, mode));
	if (fd < 0)
		return fail(files, "cannot create");
	files->temporary = true;
	if (old != NULL)
		(void)fchmod(fd, mode);		/* not everywhere */
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_whole_open(struct dmt_files *files)
{
	const char *path = dmt_paths_last(&files->memory->paths);
	struct stat old;

	if (path[0] == '\0') {
		errno = ENOENT;
		return fail(files, "cannot create");
	}
	if (stat(path, &old) != 0)
		return open_beside(files, NULL);
	if (S_ISREG(old.st_mode))
		return open_beside(files, &old);
	return dmt_held_take(&files->whole, open(path, O_WRONLY |
	    O_CLOEXEC)) < 0 ? fail(files, "cannot open") : DMTRACE_OK;
}

/* What it is called now. */
static const char *
current_path(const struct dmt_files *files)
{
	const struct dmt_paths *paths = &files->memory->paths;

	return files->temporary ? paths->temporary : dmt_paths_last(paths);
}

static void
flush(struct dmt_files *files)
{
	const size_t used = files->buffered;

	files->buffered = 0;
	if (used > 0 && !files->whole_failed && dmt_files_write_all(
	    dmt_held_get(&files->whole, current_path(files)),
	    files->memory->buffer, used) < used)
		fail(files, "cannot write");
}

void
dmt_whole_write(struct dmt_files *files, const char *bytes, size_t len)
{
	size_t done = dmt_files_fill(files, bytes, len);

	files->key_size += len;
	while (done < len) {
		flush(files);
		done += dmt_files_fill(files, bytes + done, len - done);
	}
}

static void
data_failed(struct dmt_files *files, const char *what)
{
	files->whole_failed = true;
	dmt_path_failed(&files->error, what, files->memory->paths.data);
}

/* The buffer is filled up, so that the writes are as long as it is. */
static void
copy(struct dmt_files *files, int from)
{
	ssize_t n;

	do {
		if (files->buffered == sizeof(files->memory->buffer))
			flush(files);
		n = read(from, files->memory->buffer + files->buffered,
		    sizeof(files->memory->buffer) - files->buffered);
		if (n > 0)
			files->buffered += (size_t)n;
	} while (!files->whole_failed &&
	    (n > 0 || (n < 0 && errno == EINTR)));
	if (n < 0)
		data_failed(files, "cannot read");
}

void
dmt_whole_append_data(struct dmt_files *files)
{
	const int from = open(files->memory->paths.data, O_RDONLY | O_CLOEXEC);

	if (from < 0) {
		data_failed(files, "cannot open");
		return;
	}
	copy(files, from);
	close(from);
}

static void
close_own(struct dmt_files *files)
{
	if (dmt_held_close(&files->whole) != 0 && errno != EINTR)
		fail(files, "cannot close");
}

enum dmtrace_status
dmt_whole_close(struct dmt_files *files)
{
	const struct dmt_paths *paths = &files->memory->paths;

	flush(files);
	close_own(files);
	if (files->whole_failed)
		return files->error.status;
	if (files->temporary &&
	    rename(paths->temporary, paths->target) != 0)
		return fail(files, "cannot create");
	files->temporary = false;
	return DMTRACE_OK;
}

void
dmt_whole_abandon(struct dmt_files *files)
{
	close_own(files);
	if (files->temporary)
		unlink(files->memory->paths.temporary);
	files->temporary = false;
}
