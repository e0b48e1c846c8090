/* files.c - the files of one trace while it is being recorded */

#include "record/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/path.h"
#include "record/system.h"

static const char *const suffixes[] = { ".trace", ".key", ".data" };

enum { SUFFIXES = sizeof(suffixes) / sizeof(suffixes[0]) };

enum {
	LARGE = 65536,		/* bytes of a write that is worth care */
	RESERVE = 4194304
};

/* Bytes of path before its suffix. */
static size_t
stem(const char *path)
{
	const size_t len = strlen(path);

	for (size_t i = 0; i < SUFFIXES; i++) {
		const size_t tail = strlen(suffixes[i]);
		if (len > tail &&
		    strcmp(path + len - tail, suffixes[i]) == 0)
			return len - tail;
	}
	return len;
}

static bool
is_pair(const char *path)
{
	const char *suffix = path + stem(path);

	return strcmp(suffix, ".key") == 0 || strcmp(suffix, ".data") == 0;
}

/* "X.trace" as it is, "X-0002.trace" for the second. NULL: no memory. */
static char *
numbered(const char *path, unsigned number)
{
	const size_t room = strlen(path) + 16;
	char *name = malloc(room);

	if (name == NULL || number <= 1)
		return name == NULL ? NULL : strcpy(name, path);
	snprintf(name, room, "%.*s-%04u%s", (int)stem(path), path, number,
	    path + stem(path));
	return name;
}

static bool
set_names(struct dmt_files *files, const struct dmt_files_plan *plan)
{
	char *base = NULL;

	files->path = numbered(plan->path, plan->number);
	files->joined = !is_pair(plan->path);
	if (files->path != NULL)
		base = dmt_path_concat(files->path, "");
	if (base != NULL) {
		if (!files->joined)
			base[stem(base)] = '\0';
		files->key_path = dmt_path_concat(base, ".key");
		files->data_path = dmt_path_concat(base, ".data");
	}
	free(base);
	return files->key_path != NULL && files->data_path != NULL;
}

/*
 * A new file in place of an old one: to truncate that would be slow, and it
 * may be mapped by whoever reads it. A device is opened as it is.
 */
static int
create(const char *path)
{
	struct stat old;

	if (stat(path, &old) == 0 && S_ISREG(old.st_mode))
		unlink(path);
	return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

/* Returns how much was written, with errno set if not all. */
static size_t
write_all(int fd, const void *bytes, size_t len)
{
	size_t done = 0;

	while (done < len) {
		const ssize_t n = write(fd, (const char *)bytes + done,
		    len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	return done;
}

static enum dmtrace_status
open_data(struct dmt_files *files, const struct dmt_files_plan *plan)
{
	files->data_fd = create(files->data_path);
	if (files->data_fd < 0)
		return dmt_path_failed(&files->error, "cannot create",
		    files->data_path);
	if (write_all(files->data_fd, plan->header, plan->header_size) <
	    plan->header_size)
		return dmt_path_failed(&files->error, "cannot write",
		    files->data_path);
	files->size = plan->header_size;
	return DMTRACE_OK;
}

static enum dmtrace_status
open_journal(struct dmt_files *files)
{
	files->journal_fd = create(files->key_path);
	return files->journal_fd < 0 ? dmt_path_failed(&files->error,
	    "cannot create", files->key_path) : DMTRACE_OK;
}

/* An old key does not belong to new data. */
static void
remove_old_key(const struct dmt_files *files)
{
	struct stat old;

	if (stat(files->key_path, &old) == 0 && S_ISREG(old.st_mode))
		unlink(files->key_path);
}

static enum dmtrace_status
open_all(struct dmt_files *files, const struct dmt_files_plan *plan)
{
	if (!set_names(files, plan))
		return dmt_error_memory(&files->error);
	if (dmt_sink_open_path(&files->sink, files->joined ? files->path :
	    files->key_path) != DMTRACE_OK) {
		files->error = files->sink.error;
		return files->error.status;
	}
	if (open_data(files, plan) != DMTRACE_OK)
		return files->error.status;
	if (files->journal)
		return open_journal(files);
	remove_old_key(files);
	return DMTRACE_OK;
}

static void
close_all(struct dmt_files *files)
{
	if (files->data_fd >= 0)
		close(files->data_fd);
	if (files->journal_fd >= 0)
		close(files->journal_fd);
	dmt_sink_fini(&files->sink);
	free(files->path);
	free(files->key_path);
	free(files->data_path);
	files->path = files->key_path = files->data_path = NULL;
	files->data_fd = files->journal_fd = -1;
	files->open = false;
}

enum dmtrace_status
dmt_files_open(struct dmt_files *files, const struct dmt_files_plan *plan)
{
	*files = (struct dmt_files){ .data_fd = -1, .journal_fd = -1,
	    .journal = plan->journal, .open = true, .reserves = true };
	dmt_sink_open_memory(&files->sink);
	if (open_all(files, plan) == DMTRACE_OK)
		return DMTRACE_OK;
	if (files->data_fd >= 0)
		unlink(files->data_path);
	close_all(files);
	return files->error.status;
}

size_t
dmt_files_fit(const struct dmt_files *files, size_t len, size_t record_size)
{
	if (len < LARGE)
		return len;
	for (size_t fit = len; fit > len / 2; fit -= record_size)
		if ((files->size + fit) % DMT_FILE_PAGE == 0)
			return fit;
	return len;
}

/* For large writes; it does not matter if there is no room. */
static void
reserve(struct dmt_files *files, size_t len)
{
	if (len < LARGE || !files->reserves ||
	    files->size + len <= files->reserved)
		return;
	files->reserves = dmt_file_reserve(files->data_fd, files->size,
	    RESERVE);
	files->reserved = files->size + RESERVE;
}

size_t
dmt_files_write(struct dmt_files *files, const uint8_t *records, size_t len,
    size_t record_size)
{
	reserve(files, len);
	const size_t written = write_all(files->data_fd, records, len);
	const size_t whole = written - written % record_size;

	if (written < len) {
		dmt_path_failed(&files->error, "cannot write",
		    files->data_path);
		if (whole < written)	/* no half record at the end */
			(void)!ftruncate(files->data_fd,
			    (off_t)(files->size + whole));
	}
	files->size += whole;
	return whole;
}

void
dmt_files_journal(struct dmt_files *files, const char *bytes, size_t len)
{
	if (files->journal_fd >= 0 &&
	    write_all(files->journal_fd, bytes, len) < len)
		dmt_path_failed(&files->error, "cannot write",
		    files->key_path);
}

static enum dmtrace_status
append_data(struct dmt_files *files)
{
	struct dmt_source source;
	const uint8_t *bytes;
	size_t len;

	dmt_source_open_path(&source, files->data_path);
	while ((len = dmt_source_peek(&source, DMT_BLOCK_SIZE, &bytes)) > 0) {
		dmt_sink_write(&files->sink, bytes, len);
		dmt_source_skip(&source, len);
	}
	const struct dmtrace_error error = source.error;
	dmt_source_fini(&source);
	if (error.status != DMTRACE_OK && files->error.status == DMTRACE_OK)
		files->error = error;
	return error.status;
}

/* The pair that a joined file was recorded as is left if it cannot be
 * joined: the key is as good as the disk allows. */
static void
keep_pair(struct dmt_files *files, const void *key, size_t len)
{
	const int fd = create(files->key_path);

	if (fd < 0)
		return;
	(void)!write_all(fd, key, len);
	close(fd);
}

static enum dmtrace_status
publish(struct dmt_files *files, const void *key, size_t len)
{
	dmt_sink_write(&files->sink, key, len);
	if (files->joined && append_data(files) != DMTRACE_OK)
		return files->error.status;
	if (dmt_sink_finish(&files->sink) == DMTRACE_OK)
		dmt_sink_publish(&files->sink);
	return files->sink.error.status;
}

enum dmtrace_status
dmt_files_close(struct dmt_files *files, const void *key, size_t len)
{
	if (files->reserved > files->size)
		(void)!ftruncate(files->data_fd, (off_t)files->size);
	const enum dmtrace_status status = publish(files, key, len);

	if (status != DMTRACE_OK && files->error.status == DMTRACE_OK)
		files->error = files->sink.error;
	if (files->joined && status == DMTRACE_OK) {
		unlink(files->data_path);
		unlink(files->key_path);
	} else if (files->joined)
		keep_pair(files, key, len);
	close_all(files);
	return files->error.status;
}

void
dmt_files_abandon(struct dmt_files *files)
{
	if (!files->open)
		return;
	free(files->sink.temporary);	/* the parent's still */
	files->sink.temporary = NULL;
	close_all(files);
}
