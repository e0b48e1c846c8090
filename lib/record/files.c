/* files.c - the files of one trace while it is being recorded */

#include "record/files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/error.h"
#include "base/path.h"
#include "base/temporary.h"
#include "data/stream_encode.h"
#include "record/system.h"

/*
 * While a trace is recorded, its records are appended to the data file of a
 * pair, in whole records, and with a journal the rows of the key to the key
 * file. At the end the target (the key or, for a joined file, the key followed
 * by the data) is written to a temporary in the same directory, which is then
 * renamed: other programs see either a complete trace or none. Devices and
 * pipes are written directly.
 *
 * Writing all records once more would cost as much as a third of the
 * recording. So the data of a joined file that will be large begins with room
 * for its key: a key without rows, padded by an option to the size of the room,
 * and then the header, so that the data is a trace at any time. At the end the
 * key is written over it, padded to the same size, and the data gets the name
 * of the target. Records are copied after their key as before if it is larger
 * than the room, or if there are few of them. Inserting the key at the front
 * (FALLOC_FL_INSERT_RANGE) would take longer than the copy: all data is
 * written to the disk before.
 *
 * A stream grows under its own name, and needs no other file. Packets with the
 * names of threads and methods are collected in the buffer, and written in one
 * go with the records that need them. So the file is valid after each write;
 * if the process is killed during a write, the last record or packet is
 * truncated.
 *
 * The start only checks that the files can be created; the first write creates
 * them, and removes old ones. So a process that is killed before that leaves
 * no file, and does not change an old trace. Files that are not regular are
 * opened at the start.
 *
 * The program may close any descriptor, and open a file of its own with the
 * same number. So before each write the descriptor is checked against the
 * device and inode that it had, which takes one fstat per buffer. Nothing here
 * calls malloc, as a file may be completed in a signal handler.
 *
 * Two recorders with one file would each remove the file of the other. So all
 * open files of the process are in a list, in which a start looks. Whether
 * another program has replaced the data file is checked at the end.
 */

enum {
	LARGE = 65536,		/* smaller writes are not preallocated or
				   aligned */
	PREALLOCATED = 4194304,
	ROOM_PART = 8,		/* the room is at most this part of the file */
	LINKS_MAX = 40,		/* as Linux has it */
	ROOM_FRONT = 128,	/* bytes of the room that are not padding */
	TRIES = 1000		/* attempts to find an unused name */
};

/* Names of files. */

static const char *const suffixes[] = { ".trace", ".key", ".data" };

enum { SUFFIXES = sizeof(suffixes) / sizeof(suffixes[0]) };

size_t
dmt_files_stem(const char *path)
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

bool
dmt_files_is_pair(const char *path)
{
	const char *suffix = path + dmt_files_stem(path);

	return strcmp(suffix, ".key") == 0 || strcmp(suffix, ".data") == 0;
}

/* Checks the result of an snprintf to PATH_MAX bytes. */
static bool
check_length(int len)
{
	if (len >= 0 && len < PATH_MAX)
		return true;
	errno = ENAMETOOLONG;
	return false;
}

/* Sets the names of the number-th file: the first has no number, the second of
 * X.trace is X-0002.trace. This and the following functions return false with
 * errno set, ENAMETOOLONG if the name is too long. */
static bool
set_trace_paths(struct dmt_paths *paths, const char *path, unsigned number)
{
	if (strlen(path) >= PATH_MAX)
		return check_length(PATH_MAX);
	const size_t stem = dmt_files_stem(path);
	paths->joined = !dmt_files_is_pair(path);
	if (!check_length(number <= 1 ?
	    snprintf(paths->named, PATH_MAX, "%s", path) :
	    snprintf(paths->named, PATH_MAX, "%.*s-%04u%s", (int)stem, path,
	    number, path + stem)))
		return false;
	const int base = (int)(paths->joined ? strlen(paths->named) :
	    dmt_files_stem(paths->named));
	return check_length(snprintf(paths->key, PATH_MAX, "%.*s.key", base,
	    paths->named)) && check_length(snprintf(paths->data, PATH_MAX,
	    "%.*s.data", base, paths->named));
}

/* Returns the name of the target, which may be a symbolic link. */
static const char *
target_name(const struct dmt_paths *paths)
{
	return paths->joined ? paths->named : paths->key;
}

/* Returns the length of path up to and including its last slash. */
static int
folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? 0 : (int)(slash - path) + 1;
}

/* Follows the symbolic links at path to target; link is a buffer. */
static bool
resolve_links(const char *path, char target[PATH_MAX], char link[PATH_MAX])
{
	strcpy(target, path);
	for (int links = 0; links < LINKS_MAX; links++) {
		const ssize_t len = readlink(target, link, PATH_MAX - 1);
		if (len < 0)
			return true;
		link[len] = '\0';
		const int at = link[0] == '/' ? 0 : folder_length(target);
		if (!check_length(snprintf(target + at,
		    (size_t)(PATH_MAX - at), "%s", link) + at))
			return false;
	}
	errno = ELOOP;
	return false;
}

/* Returns true if files can be created in the directory of path; otherwise
 * sets errno. */
static bool
may_create_beside(const char *path)
{
	char folder[PATH_MAX];

	snprintf(folder, sizeof(folder), "%.*s.", folder_length(path), path);
	return faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0;
}

/* Descriptors that the program may close. */

/* Moves a descriptor out of the way of standard input, output and error: a
 * program that has closed these may still print. */
static int
avoid_standard(int fd)
{
	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	const int high = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	const int error = errno;
	close(fd);
	errno = error;
	return high;
}

/* Stores a descriptor with the identity of its file; if fd is -1, errno says
 * why. Returns it. */
static int
hold_descriptor(struct dmt_held *held, int fd)
{
	struct stat about = { .st_ino = 0 };

	fd = avoid_standard(fd);
	if (fd >= 0)
		(void)fstat(fd, &about);
	*held = (struct dmt_held){
		fd, about.st_dev, about.st_ino, S_ISREG(about.st_mode)
	};
	return fd;
}

static bool
is_held_file(const struct dmt_held *held, int fd)
{
	struct stat about;

	return fd >= 0 && fstat(fd, &about) == 0 &&
	    about.st_dev == held->device && about.st_ino == held->inode;
}

/* Returns the descriptor; -1 with errno EBADF: the program has closed it. */
static int
held_descriptor(struct dmt_held *held)
{
	if (is_held_file(held, held->fd))
		return held->fd;
	held->fd = -1;
	errno = EBADF;
	return -1;
}

/* Closes the file if it is still ours. Returns what close does; 0 if it is not
 * ours. */
static int
close_held(struct dmt_held *held)
{
	const int fd = held->fd;

	held->fd = -1;
	return is_held_file(held, fd) ? close(fd) : 0;
}

/* Returns true if the name of a regular file that was created leads to another
 * file now, or to none. */
static bool
is_replaced(const struct dmt_held *held, const char *path)
{
	struct stat about;

	return held->regular && (stat(path, &about) != 0 ||
	    about.st_dev != held->device || about.st_ino != held->inode);
}

/* Returns true if path is an existing file that is not regular. */
static bool
is_special(const char *path)
{
	struct stat about;

	return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

/* Returns true if path is /dev/null, by whatever name. */
static bool
is_null_device(const char *path)
{
	struct stat about, null;

	return stat(path, &about) == 0 && S_ISCHR(about.st_mode) &&
	    stat("/dev/null", &null) == 0 && about.st_rdev == null.st_rdev;
}

static void
remove_regular(const char *path)
{
	struct stat about;

	if (stat(path, &about) == 0 && S_ISREG(about.st_mode))
		unlink(path);
}

/*
 * Creates a file after removing an old one: truncating that would be slow, and
 * readers may have mapped it. A device is opened.
 */
static int
create_file(const char *path)
{
	remove_regular(path);
	return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

/* Writes head, then bytes. Returns how many bytes were written, with errno set
 * if not all. */
static size_t
write_both(int fd, const char *head, size_t head_len, const void *bytes,
    size_t len)
{
	size_t done = 0;

	while (done < head_len + len) {
		const size_t in_head = done < head_len ? done : head_len;
		const size_t in_bytes = done - in_head;
		const struct iovec parts[] = {
			{ (void *)((uintptr_t)head + in_head),
			    head_len - in_head },
			{ (void *)((uintptr_t)bytes + in_bytes),
			    len - in_bytes }
		};
		const int skipped = in_head == head_len;
		const ssize_t n = writev(fd, parts + skipped,
		    2 - skipped - (in_bytes == len));
		if (n < 0 && errno == EINTR)
			continue;
		/* The signal that a failed write sends would end the
		 * program. */
		if (n < 0 && errno == EFBIG)
			dmt_signal_take_back(SIGXFSZ);
		if (n < 0 && errno == EPIPE)
			dmt_signal_take_back(SIGPIPE);
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	return done;
}

static size_t
write_bytes(int fd, const void *bytes, size_t len)
{
	return write_both(fd, NULL, 0, bytes, len);
}

/* Appends as many of len bytes to the buffer as fit. Returns how many did. */
static size_t
append_to_buffer(struct dmt_files *files, const char *bytes, size_t len)
{
	const size_t room = sizeof(files->memory->buffer) - files->buffered;
	const size_t part = len < room ? len : room;

	memcpy(files->memory->buffer + files->buffered, bytes, part);
	files->buffered += part;
	return part;
}

/* The target: the key or the joined file. */

static enum dmtrace_status
fail_target(struct dmt_files *files, const char *what)
{
	files->target_failed = true;
	return dmt_path_failed(&files->error, what,
	    target_name(&files->memory->paths));
}

/* Returns the permissions of the file that the target will replace; 0: there is
 * none. The new file gets them. */
static mode_t
replaced_mode(const struct dmt_files *files)
{
	struct stat old;

	return stat(files->memory->paths.target, &old) != 0 ? 0 :
	    old.st_mode & 0777;
}

/* Creates the temporary in the directory of the target. */
static enum dmtrace_status
create_temporary(struct dmt_files *files)
{
	struct dmt_paths *const paths = &files->memory->paths;
	const mode_t mode = replaced_mode(files);
	int fd = -1;

	errno = EEXIST;
	for (unsigned try = 0; fd < 0 && errno == EEXIST && try < TRIES;
	    try++)
		if (check_length(snprintf(paths->temporary, PATH_MAX,
		    "%.*s.dmtrace-%ld-%u.tmp", folder_length(paths->target),
		    paths->target, (long)getpid(), try)))
			fd = open(paths->temporary, O_WRONLY | O_CREAT |
			    O_EXCL | O_CLOEXEC, mode == 0 ? 0666 : mode);
	if (hold_descriptor(&files->target, fd) < 0)
		return fail_target(files, "cannot create");
	files->temporary = true;
	if (mode != 0)
		(void)fchmod(fd, mode);		/* some file systems have no
						   permissions */
	return DMTRACE_OK;
}

/* At the start: checks that the target can be created at the end. An existing
 * file that is not regular is opened now. */
static enum dmtrace_status
open_target(struct dmt_files *files)
{
	struct dmt_paths *paths = &files->memory->paths;
	const char *path = target_name(paths);

	if (path[0] == '\0') {
		errno = ENOENT;
		return fail_target(files, "cannot create");
	}
	if (is_special(path))
		return hold_descriptor(&files->target, open(path, O_WRONLY |
		    O_CLOEXEC)) < 0 ? fail_target(files, "cannot open") :
		    DMTRACE_OK;
	/* There is no temporary yet: use the memory of its name. */
	return resolve_links(path, paths->target, paths->temporary) &&
	    may_create_beside(paths->target) ? DMTRACE_OK :
	    fail_target(files, "cannot create");
}

/* Writes the buffer to the target. The temporary is created by the first
 * write: a process that is killed before leaves none. */
static void
flush_target(struct dmt_files *files)
{
	const size_t used = files->buffered;

	files->buffered = 0;
	if (used > 0 && !files->target_failed && (files->target.fd >= 0 ||
	    create_temporary(files) == DMTRACE_OK) && write_bytes(
	    held_descriptor(&files->target),
	    files->memory->buffer, used) < used)
		fail_target(files, "cannot write");
}

void
dmt_files_put_key(struct dmt_files *files, const char *bytes, size_t len)
{
	size_t done = append_to_buffer(files, bytes, len);

	files->key_size += len;
	while (done < len) {
		flush_target(files);
		done += append_to_buffer(files, bytes + done, len - done);
	}
}

static void
fail_data(struct dmt_files *files, const char *what)
{
	files->target_failed = true;
	dmt_path_failed(&files->error, what, files->memory->paths.data);
}

/* Appends the data to the target, without the room before its header. The
 * buffer is filled completely, so that writes have its full size. */
static void
append_data(struct dmt_files *files)
{
	struct dmt_files_memory *memory = files->memory;
	const int from = open(memory->paths.data, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (from < 0) {
		fail_data(files, "cannot open");
		return;
	}
	if (files->room > 0)
		lseek(from, (off_t)(files->room - DMT_HEADER_SIZE), SEEK_SET);
	do {
		if (files->buffered == sizeof(memory->buffer))
			flush_target(files);
		n = read(from, memory->buffer + files->buffered,
		    sizeof(memory->buffer) - files->buffered);
		if (n > 0)
			files->buffered += (size_t)n;
	} while (!files->target_failed &&
	    (n > 0 || (n < 0 && errno == EINTR)));
	if (n < 0)
		fail_data(files, "cannot read");
	close(from);
}

static void
close_target_file(struct dmt_files *files)
{
	if (close_held(&files->target) != 0 && errno != EINTR)
		fail_target(files, "cannot close");
}

enum dmtrace_status
dmt_files_close_target(struct dmt_files *files)
{
	const struct dmt_paths *paths = &files->memory->paths;

	flush_target(files);
	close_target_file(files);
	if (files->target_failed)
		return files->error.status;
	if ((files->temporary || files->padding > 0) && rename(
	    files->temporary ? paths->temporary : paths->data,
	    paths->target) != 0)
		return fail_target(files, "cannot create");
	files->temporary = false;
	return DMTRACE_OK;
}

/* Removes a target that did not get its name yet. */
static void
abandon_target(struct dmt_files *files)
{
	close_target_file(files);
	if (files->temporary)
		unlink(files->memory->paths.temporary);
	files->temporary = false;
}

/* The data file, and the key file of a journal. */

/* At the start: checks that create_file will be able to create path.
 * create_file removes a link to an old file, and follows one that leads to no
 * file. Uses the buffer, which is empty. */
static bool
may_create(struct dmt_files *files, const char *path)
{
	struct dmt_files_memory *memory = files->memory;
	char *target = memory->buffer;
	struct stat old;

	if (stat(path, &old) == 0) {
		if (may_create_beside(path))
			return true;
	} else if (errno == ENOENT && resolve_links(path, target,
	    memory->paths.temporary) && may_create_beside(target))
		return true;
	dmt_path_failed(&files->error, "cannot create", path);
	return false;
}

/* Writes what precedes the records: the header, after the rest of the room if
 * there is one, whose beginning is in the buffer. */
static bool
write_front(struct dmt_files *files, int fd)
{
	static const char end[] = DMT_ROOM_END;
	char *const buffer = files->memory->buffer;
	const uint8_t *const header = files->memory->header;

	if (files->room == 0)
		return write_bytes(fd, header, DMT_HEADER_SIZE) ==
		    DMT_HEADER_SIZE;
	size_t left = files->room - strlen(end) - DMT_HEADER_SIZE;
	while (left > 0) {
		const size_t part = left < sizeof(files->memory->buffer) ?
		    left : sizeof(files->memory->buffer);
		if (write_bytes(fd, buffer, part) < part)
			return false;
		memset(buffer, DMT_PADDING, ROOM_FRONT);
		left -= part;
	}
	return write_both(fd, end, strlen(end), header, DMT_HEADER_SIZE) ==
	    strlen(end) + DMT_HEADER_SIZE;
}

/* Creates the files before the first write, and does nothing later. false: it
 * failed and left nothing; the end will try again. An old key does not belong
 * to the new data, and is removed first. */
static bool
create_files(struct dmt_files *files)
{
	const char *const data = files->memory->paths.data;
	const char *const key = files->memory->paths.key;

	if (files->created)
		return true;
	remove_regular(key);
	const int fd = hold_descriptor(&files->data, create_file(data));
	if (fd < 0)
		dmt_path_failed(&files->error, "cannot create", data);
	else if (!write_front(files, fd))
		dmt_path_failed(&files->error, "cannot write", data);
	else if (files->journal &&
	    hold_descriptor(&files->key, create_file(key)) < 0)
		dmt_path_failed(&files->error, "cannot create", key);
	else
		files->created = true;
	if (files->created)
		return true;
	close_held(&files->data);
	remove_regular(data);
	return false;
}

/* At the start of a stream: the data file is the file at its path, after
 * following symbolic links. */
static enum dmtrace_status
open_stream(struct dmt_files *files)
{
	struct dmt_paths *paths = &files->memory->paths;

	paths->joined = false;
	paths->key[0] = '\0';
	if (paths->named[0] == '\0')
		errno = ENOENT;
	else if (resolve_links(paths->named, paths->data, paths->temporary)) {
		if (is_special(paths->data))
			create_files(files);
		else
			may_create(files, paths->data);
		return files->error.status;
	}
	return dmt_path_failed(&files->error, "cannot create", paths->named);
}

/* All files together. */

pthread_mutex_t dmt_files_lock = PTHREAD_MUTEX_INITIALIZER;
static struct dmt_files_memory *open_list;	/* protected by it */

/* Returns true if both are names of one file, which need not exist: the last
 * parts are the same, in the same folder. Several recorders may write to a
 * device or a pipe. */
static bool
is_same_name(const char *a, const char *b)
{
	const int a_len = folder_length(a), b_len = folder_length(b);
	char folder[PATH_MAX + 1];
	struct stat left, right;

	if (a[0] == '\0' || strcmp(a + a_len, b + b_len) != 0 || is_special(a))
		return false;
	snprintf(folder, sizeof(folder), "%.*s.", a_len, a);
	if (stat(folder, &left) != 0)
		return false;
	snprintf(folder, sizeof(folder), "%.*s.", b_len, b);
	return stat(folder, &right) == 0 && left.st_dev == right.st_dev &&
	    left.st_ino == right.st_ino;
}

/* Returns true if one of the names of a is one of b's. */
static bool
share_files(const struct dmt_paths *a, const struct dmt_paths *b)
{
	const char *const names[][3] = {
		{ a->data, a->key, a->target }, { b->data, b->key, b->target }
	};

	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			if (is_same_name(names[0][i], names[1][j]))
				return true;
	return false;
}

/* Adds the files to the list of open ones, unless another recorder of this
 * process has one of them open. */
static enum dmtrace_status
enlist_files(struct dmt_files *files)
{
	struct dmt_files_memory *const memory = files->memory;
	struct dmt_guard guard;

	dmt_lock(&dmt_files_lock, &guard);
	for (const struct dmt_files_memory *other = open_list; other != NULL;
	    other = other->next)
		if (share_files(&memory->paths, &other->paths))
			dmt_error_set(&files->error, DMTRACE_ERR_STATE, "%s:"
			    " another recorder of this process is recording to"
			    " it", memory->paths.named);
	if (files->error.status == DMTRACE_OK) {
		memory->next = open_list;
		open_list = memory;
	}
	dmt_unlock(&dmt_files_lock, &guard);
	return files->error.status;
}

static void
delist_files(const struct dmt_files *files)
{
	struct dmt_guard guard;

	dmt_lock(&dmt_files_lock, &guard);
	for (struct dmt_files_memory **link = &open_list; *link != NULL;
	    link = &(*link)->next)
		if (*link == files->memory) {
			*link = files->memory->next;
			break;
		}
	dmt_unlock(&dmt_files_lock, &guard);
}

/* Fails if another program has replaced or removed the data file, whose
 * records are lost then. */
static bool
check_data_place(struct dmt_files *files)
{
	const char *const path = files->memory->paths.data;

	if (!is_replaced(&files->data, path))
		return true;
	dmt_error_set(&files->error, DMTRACE_ERR_IO, "%s: another program has"
	    " replaced or removed the file that was recorded", path);
	return false;
}

static enum dmtrace_status
open_files(struct dmt_files *files, const struct dmt_files_plan *plan)
{
	files->memory = dmt_mapped_new(sizeof(*files->memory));
	if (files->memory == NULL)
		return dmt_error_memory(&files->error);
	struct dmt_paths *paths = &files->memory->paths;
	if (!set_trace_paths(paths, plan->path, plan->number))
		return dmt_path_failed(&files->error, "cannot create",
		    plan->path);
	memcpy(files->memory->header, plan->header, DMT_HEADER_SIZE);
	files->size = files->records_at = DMT_HEADER_SIZE;
	if (files->streaming)
		return open_stream(files);
	if (open_target(files) != DMTRACE_OK)
		return files->error.status;
	if (paths->joined && is_null_device(paths->named)) {
		strcpy(paths->data, paths->named);	/* nothing is kept */
		strcpy(paths->key, paths->named);
	}
	if (is_special(paths->data) ||
	    (files->journal && is_special(paths->key)))
		create_files(files);
	else if (may_create(files, paths->data) && files->journal)
		may_create(files, paths->key);
	return files->error.status;
}

/* Frees the memory and closes descriptors. */
static void
release_files(struct dmt_files *files)
{
	close_held(&files->data);
	close_held(&files->key);
	close_held(&files->target);
	delist_files(files);
	dmt_mapped_free(files->memory, sizeof(*files->memory));
	files->memory = NULL;
	files->open = false;
}

enum dmtrace_status
dmt_files_open(struct dmt_files *files, const struct dmt_files_plan *plan)
{
	const struct dmt_held none = { .fd = -1 };

	*files = (struct dmt_files){ .data = none, .key = none,
	    .target = none, .journal = plan->journal,
	    .streaming = plan->streaming, .open = true,
	    .preallocates = true };
	if (open_files(files, plan) == DMTRACE_OK &&
	    enlist_files(files) == DMTRACE_OK)
		return DMTRACE_OK;
	abandon_target(files);
	release_files(files);
	return files->error.status;
}

void
dmt_files_reserve(struct dmt_files *files, const char *front, size_t room)
{
	struct dmt_files_memory *const memory = files->memory;
	const struct dmt_paths *const paths = &memory->paths;

	/* A link would get the name of the target, not its file. */
	if (files->created || !paths->joined || files->target.fd >= 0 ||
	    strcmp(paths->named, paths->target) != 0 ||
	    readlink(paths->data, memory->buffer, 1) >= 0)
		return;
	files->room = room < DMT_ROOM_MAX ?
	    room - room % DMT_FILE_PAGE : DMT_ROOM_MAX;
	memset(memory->buffer, DMT_PADDING, sizeof(memory->buffer));
	memcpy(memory->buffer, front, strlen(front));
	if (!create_files(files))
		files->room = 0;
	else
		files->size = files->records_at = files->room;
}

void
dmt_files_use_room(struct dmt_files *files)
{
	const size_t space = files->room - DMT_HEADER_SIZE;
	const size_t key_size = files->key_size;
	const mode_t mode = replaced_mode(files);
	const bool small = files->size / ROOM_PART < files->room;

	/* After a failure, such as of a full disk, even a small file is not
	 * copied. */
	files->key_size = 0;
	if (key_size + strlen(DMT_PADDING_LINE) > space ||
	    (small && files->error.status == DMTRACE_OK))
		return;
	const int fd = hold_descriptor(&files->target,
	    open(files->memory->paths.data, O_WRONLY | O_CLOEXEC));
	if (!is_held_file(&files->data, fd)) {
		close_held(&files->target);
		return;
	}
	if (mode != 0)
		(void)fchmod(fd, mode);
	files->padding = space - key_size;
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

size_t
dmt_files_write(struct dmt_files *files, const uint8_t *records, size_t len,
    size_t record_size)
{
	const char *path = files->memory->paths.data;
	const size_t head = files->streaming ? files->buffered : 0;

	if (files->streaming)
		files->buffered = 0;
	if (!create_files(files))
		return 0;
	const int fd = held_descriptor(&files->data);

	/* Preallocate for large writes; a failure does not matter. */
	if (len >= LARGE && files->preallocates &&
	    files->size + len > files->preallocated) {
		files->preallocates = dmt_file_preallocate(fd, files->size,
		    PREALLOCATED);
		files->preallocated = files->size + PREALLOCATED;
	}
	const size_t written = write_both(fd, files->memory->buffer, head,
	    records, len);
	const size_t written_len = written < head ? 0 : written - head;
	const size_t whole = written_len - written_len % record_size;
	const size_t kept = written < head ? 0 : head + whole;

	if (written < head + len) {
		dmt_path_failed(&files->error, "cannot write", path);
		if (kept < written)	/* no incomplete record at the end */
			(void)!ftruncate(fd, (off_t)(files->size + kept));
	}
	if (head > 0 && kept > 0)
		files->records_at = files->size + head;
	files->size += kept;
	return whole;
}

void
dmt_files_begin_packet(struct dmt_files *files, enum dmt_packet_kind kind,
    uint16_t thread)
{
	uint8_t *const buffer = (uint8_t *)files->memory->buffer;

	if (sizeof(files->memory->buffer) - files->buffered <
	    DMT_PACKET_HEAD_MAX + DMT_PACKET_TEXT_MAX)
		dmt_files_write(files, NULL, 0, 1);
	files->packet = (struct dmt_packet){ .kind = kind, .thread = thread };
	files->packet_at = files->buffered;
	files->buffered += dmt_packet_head_encode(buffer + files->buffered,
	    &files->packet);
}

void
dmt_files_put_packet(struct dmt_files *files, const char *bytes, size_t len)
{
	files->packet.text_len += append_to_buffer(files, bytes, len);
}

void
dmt_files_end_packet(struct dmt_files *files)
{
	uint8_t *const buffer = (uint8_t *)files->memory->buffer;

	dmt_packet_head_encode(buffer + files->packet_at, &files->packet);
}

/* Returns true if the whole buffer was written. */
static bool
flush_summary(struct dmt_files *files)
{
	const uint64_t end = files->size + files->buffered;

	dmt_files_write(files, NULL, 0, 1);
	if (files->size != end)
		files->target_failed = true;
	return !files->target_failed;
}

void
dmt_files_measure(struct dmt_files *files, const char *bytes,
    size_t len)
{
	(void)bytes;
	files->key_size += len;
}

void
dmt_files_begin_summary(struct dmt_files *files)
{
	const struct dmt_packet summary = {
		.kind = DMT_PACKET_SUMMARY, .text_len = files->key_size
	};

	files->target_failed = false;
	flush_summary(files);
	files->summary_at = files->size;
	files->buffered = dmt_packet_head_encode(
	    (uint8_t *)files->memory->buffer, &summary);
}

void
dmt_files_put_summary(struct dmt_files *files, const char *bytes, size_t len)
{
	size_t done = append_to_buffer(files, bytes, len);

	while (done < len && flush_summary(files))
		done += append_to_buffer(files, bytes + done, len - done);
}

bool
dmt_files_end_summary(struct dmt_files *files)
{
	const uint64_t records_at = files->records_at;

	if (!files->target_failed && flush_summary(files)) {
		if (files->preallocated > files->size)
			(void)!ftruncate(held_descriptor(&files->data),
			    (off_t)files->size);
		return true;
	}
	files->buffered = 0;
	(void)!ftruncate(held_descriptor(&files->data),
	    (off_t)files->summary_at);
	files->size = files->summary_at;
	if (records_at > files->size)
		files->records_at = files->size;
	return false;
}

void
dmt_files_flush_journal(struct dmt_files *files)
{
	const char *path = files->memory->paths.key;
	const size_t used = files->buffered;

	files->buffered = 0;
	if (!files->journal || used == 0 ||
	    files->error.status != DMTRACE_OK || !create_files(files))
		return;
	if (write_bytes(held_descriptor(&files->key), files->memory->buffer,
	    used) < used)
		dmt_path_failed(&files->error, "cannot write", path);
}

void
dmt_files_journal(struct dmt_files *files, const char *bytes, size_t len)
{
	size_t done = append_to_buffer(files, bytes, len);

	while (done < len) {
		dmt_files_flush_journal(files);
		done += append_to_buffer(files, bytes + done, len - done);
	}
}

enum dmtrace_status
dmt_files_publish(struct dmt_files *files)
{
	if (!create_files(files) || !check_data_place(files))
		return files->error.status;
	if (files->preallocated > files->size)
		(void)!ftruncate(held_descriptor(&files->data),
		    (off_t)files->size);
	if (files->memory->paths.joined && files->padding == 0)
		append_data(files);
	if (dmt_files_close_target(files) != DMTRACE_OK)
		return files->error.status;
	if (files->memory->paths.joined) {
		remove_regular(files->memory->paths.data);
		remove_regular(files->memory->paths.key);
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
	    ftruncate(held_descriptor(&files->data),
	    (off_t)(files->size - cut)) != 0)
		return 0;
	files->size -= cut;
	return cut;
}

bool
dmt_files_fall_back(struct dmt_files *files)
{
	abandon_target(files);
	files->target_failed = false;
	files->buffered = 0;
	files->padding = 0;
	if (!files->created || !check_data_place(files))
		return false;
	if (!files->memory->paths.joined)
		return open_target(files) == DMTRACE_OK;
	return hold_descriptor(&files->target,
	    create_file(files->memory->paths.key)) >= 0;
}

enum dmtrace_status
dmt_files_close(struct dmt_files *files)
{
	if (files->streaming)
		check_data_place(files);
	abandon_target(files);
	release_files(files);
	return files->error.status;
}

void
dmt_files_abandon(struct dmt_files *files)
{
	if (files->open)
		release_files(files);
}
