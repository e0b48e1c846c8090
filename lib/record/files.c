/* files.c - the files of one trace while it is being recorded */

#include "record/files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/path.h"
#include "base/reserve.h"
#include "record/system.h"
#include "record/whole.h"

enum {
	LARGE = 65536,		/* bytes of a write that is worth care */
	RESERVE = 4194304
};

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

/* What a write that fails sends would end the program. */
static void
calm(int error)
{
	if (error == EFBIG)
		dmt_signal_take_back(SIGXFSZ);
	else if (error == EPIPE)
		dmt_signal_take_back(SIGPIPE);
}

size_t
dmt_files_write_all(int fd, const void *bytes, size_t len)
{
	size_t done = 0;

	while (done < len) {
		const ssize_t n = write(fd, (const char *)bytes + done,
		    len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			calm(errno);
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	return done;
}

static enum dmtrace_status
open_data(struct dmt_files *files, const struct dmt_files_plan *plan)
{
	const char *path = files->memory->paths.data;

	const int fd = dmt_held_take(&files->data, create(path));
	if (fd < 0)
		return dmt_path_failed(&files->error, "cannot create", path);
	if (dmt_files_write_all(fd, plan->header, plan->header_size) <
	    plan->header_size)
		return dmt_path_failed(&files->error, "cannot write", path);
	files->size = files->records_at = plan->header_size;
	return DMTRACE_OK;
}

static enum dmtrace_status
open_journal(struct dmt_files *files)
{
	const char *path = files->memory->paths.key;

	return dmt_held_take(&files->key, create(path)) < 0 ?
	    dmt_path_failed(&files->error, "cannot create", path) :
	    DMTRACE_OK;
}

/* An old key does not belong to new data. */
static void
remove_old_key(const char *path)
{
	struct stat old;

	if (stat(path, &old) == 0 && S_ISREG(old.st_mode))
		unlink(path);
}

static enum dmtrace_status
open_all(struct dmt_files *files, const struct dmt_files_plan *plan)
{
	files->memory = dmt_pages_new(sizeof(*files->memory));
	if (files->memory == NULL)
		return dmt_error_memory(&files->error);
	if (!dmt_paths_set(&files->memory->paths, plan->path, plan->number))
		return dmt_path_failed(&files->error, "cannot create",
		    plan->path);
	if (dmt_whole_open(files) != DMTRACE_OK ||
	    open_data(files, plan) != DMTRACE_OK)
		return files->error.status;
	if (files->journal)
		return open_journal(files);
	remove_old_key(files->memory->paths.key);
	return DMTRACE_OK;
}

/* Gives back what does not belong to the file system. */
static void
let_go(struct dmt_files *files)
{
	dmt_held_close(&files->data);
	dmt_held_close(&files->key);
	dmt_held_close(&files->whole);
	dmt_pages_free(files->memory, sizeof(*files->memory));
	files->memory = NULL;
	files->open = false;
}

enum dmtrace_status
dmt_files_open(struct dmt_files *files, const struct dmt_files_plan *plan)
{
	const struct dmt_held none = { .fd = -1 };

	*files = (struct dmt_files){ .data = none, .key = none,
	    .whole = none, .journal = plan->journal, .open = true,
	    .reserves = true };
	if (open_all(files, plan) == DMTRACE_OK)
		return DMTRACE_OK;
	if (files->data.fd >= 0)
		unlink(files->memory->paths.data);
	dmt_whole_abandon(files);
	let_go(files);
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
reserve(struct dmt_files *files, int fd, size_t len)
{
	if (len < LARGE || !files->reserves ||
	    files->size + len <= files->reserved)
		return;
	files->reserves = dmt_file_reserve(fd, files->size, RESERVE);
	files->reserved = files->size + RESERVE;
}

size_t
dmt_files_write(struct dmt_files *files, const uint8_t *records, size_t len,
    size_t record_size)
{
	const char *path = files->memory->paths.data;
	const int fd = dmt_held_get(&files->data, path);

	reserve(files, fd, len);
	const size_t written = dmt_files_write_all(fd, records, len);
	const size_t whole = written - written % record_size;

	if (written < len) {
		dmt_path_failed(&files->error, "cannot write", path);
		if (whole < written)	/* no half record at the end */
			(void)!ftruncate(fd, (off_t)(files->size + whole));
	}
	files->size += whole;
	return whole;
}

size_t
dmt_files_fill(struct dmt_files *files, const char *bytes, size_t len)
{
	const size_t room = sizeof(files->memory->buffer) - files->buffered;
	const size_t part = len < room ? len : room;

	memcpy(files->memory->buffer + files->buffered, bytes, part);
	files->buffered += part;
	return part;
}

void
dmt_files_flush_journal(struct dmt_files *files)
{
	const char *path = files->memory->paths.key;
	const size_t used = files->buffered;

	files->buffered = 0;
	if (files->journal && dmt_files_write_all(dmt_held_get(&files->key,
	    path), files->memory->buffer, used) < used)
		dmt_path_failed(&files->error, "cannot write", path);
}

void
dmt_files_journal(struct dmt_files *files, const char *bytes, size_t len)
{
	size_t done = dmt_files_fill(files, bytes, len);

	while (done < len) {
		dmt_files_flush_journal(files);
		done += dmt_files_fill(files, bytes + done, len - done);
	}
}

enum dmtrace_status
dmt_files_publish(struct dmt_files *files)
{
	if (files->reserved > files->size)
		(void)!ftruncate(dmt_held_get(&files->data,
		    files->memory->paths.data), (off_t)files->size);
	if (files->memory->paths.joined)
		dmt_whole_append_data(files);
	if (dmt_whole_close(files) != DMTRACE_OK)
		return files->error.status;
	if (files->memory->paths.joined) {
		unlink(files->memory->paths.data);
		unlink(files->memory->paths.key);
	}
	return DMTRACE_OK;
}

size_t
dmt_files_cut(struct dmt_files *files, size_t len, size_t record_size)
{
	const uint64_t records = (files->size - files->records_at) /
	    record_size;
	const uint64_t wanted = len / record_size + 1;
	const size_t cut = (size_t)(wanted < records ? wanted : records) *
	    record_size;

	if ((files->error.sys_errno != ENOSPC &&
	    files->error.sys_errno != EDQUOT) ||
	    ftruncate(dmt_held_get(&files->data, files->memory->paths.data),
	    (off_t)(files->size - cut)) != 0)
		return 0;
	files->size -= cut;
	return cut;
}

bool
dmt_files_fall_back(struct dmt_files *files)
{
	dmt_whole_abandon(files);
	files->whole_failed = false;
	files->buffered = 0;
	if (!files->memory->paths.joined)
		return dmt_whole_open(files) == DMTRACE_OK;
	return dmt_held_take(&files->whole,
	    create(files->memory->paths.key)) >= 0;
}

enum dmtrace_status
dmt_files_close(struct dmt_files *files)
{
	dmt_whole_abandon(files);
	let_go(files);
	return files->error.status;
}

void
dmt_files_abandon(struct dmt_files *files)
{
	if (files->open)
		let_go(files);
}
