/* output.c - bytes to a file, memory or the caller; files appear complete */

/*
 * Bytes are collected in a buffer and written in blocks. A file is written to
 * a temporary in the same directory and renamed when it is finished, so that a
 * partial file never has the final name. The first failure is stored in the
 * output, and later writes do nothing. When many files are written at the same
 * time, each keeps its temporary, but closes its descriptor while others are
 * written.
 */

#include "base/output.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/packing.h"
#include "base/path.h"
#include "base/temporary.h"

#define SPILL_UNIT (64 * 1024)	/* writes begin at a multiple of this offset; a
				   power of two */

_Static_assert(DMT_OUTPUT_ROOM <= DMT_BLOCK_SIZE,
    "what can always be reserved fits in the buffer");

static ptrdiff_t
write_output_fd(void *context, const void *bytes, size_t len)
{
	return write((int)(intptr_t)context, bytes, len);
}

static struct dmtrace_output
write_to_fd(int fd)
{
	return (struct dmtrace_output){ write_output_fd,
	    (void *)(intptr_t)fd };
}

void
dmt_output_open_memory(struct dmt_output *output)
{
	*output = (struct dmt_output){
		.fd = -1, .translated_fd = -1, .packed_fd = -1
	};
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
	const struct dmtrace_output call = write_to_fd(fd);

	dmt_output_open_callback(output, &call);
}

/* Stores a failure with errno; dmt_output_fini frees everything. */
static enum dmtrace_status
fail_output(struct dmt_output *output, const char *what)
{
	return errno == ENOMEM ? dmt_error_memory(&output->error) :
	    dmt_path_failed(&output->error, what, output->path);
}

static enum dmtrace_status
init_output_path(struct dmt_output *output, const char *path)
{
	dmt_output_open_memory(output);
	output->path = dmt_path_concat(path, "");
	return output->path == NULL ? dmt_error_memory(&output->error) :
	    DMTRACE_OK;
}

/* Makes fd the descriptor of the output; -1 means that opening it failed. */
static enum dmtrace_status
use_output_fd(struct dmt_output *output, int fd, const char *what)
{
	if (fd < 0)
		return fail_output(output, what);
	output->fd = fd;
	output->call = write_to_fd(fd);
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_output_open_path(struct dmt_output *output, const char *path)
{
	struct stat old;

	if (init_output_path(output, path) != DMTRACE_OK)
		return output->error.status;
	output->replaces = stat(path, &old) == 0;
	if (output->replaces && !S_ISREG(old.st_mode))
		return use_output_fd(output,
		    open(path, O_WRONLY | O_CLOEXEC), "cannot open");

	/* A file that replaces another gets the permissions of the old one. */
	const mode_t mode = output->replaces ? old.st_mode & 0777 : 0666;
	output->target = dmt_path_resolve(output->path);
	if (output->target != NULL)
		output->target = dmt_path_anchor(output->target);
	if (output->target == NULL)
		return fail_output(output, "cannot create");
	const int fd = dmt_temporary_create(&output->temporary,
	    output->target, mode, 0);
	if (fd >= 0 && output->replaces)
		(void)fchmod(fd, mode);	/* some file systems have no
					   permissions */
	return use_output_fd(output, fd, "cannot create");
}

void
dmt_output_hide(const struct dmt_output *output)
{
	if (output->temporary != NULL)
		(void)chmod(output->temporary->path, 0600);
}

enum dmtrace_status
dmt_output_open_temporary(struct dmt_output *output, const char *path)
{
	const char *const folder = getenv("TMPDIR");
	struct dmt_temporary *nameless = NULL;

	dmt_output_open_memory(output);
	output->path = path != NULL ?
	    dmt_path_concat(dmt_path_shown(path), "") :
	    dmt_path_concat(folder != NULL && folder[0] != '\0' ?
	    folder : "/tmp", "/");
	if (output->path == NULL)
		return dmt_error_memory(&output->error);
	const int fd = dmt_temporary_create(&nameless, path != NULL ? path :
	    output->path, 0600, 0);
	if (fd >= 0)
		unlink(nameless->path);
	dmt_temporary_free(nameless);
	return use_output_fd(output, fd, path == NULL ?
	    "cannot make a temporary in" :
	    "cannot make a temporary beside");
}

enum dmtrace_status
dmt_output_pack(struct dmt_output *output)
{
	const struct dmt_packer *const packer = dmt_packer_get();
	const struct dmt_packing *const packing =
	    dmt_packing_of_name(output->path);
	int fd;

	if (output->error.status != DMTRACE_OK || packer == NULL ||
	    packing == NULL)
		return output->error.status;
	output->program = packer->start(packing, false, output->fd, &fd,
	    &output->error);
	if (output->program == NULL)
		return output->error.status;
	output->packed_fd = output->fd;
	return use_output_fd(output, fd, "cannot create");
}

enum dmtrace_status
dmt_output_translate(struct dmt_output *output, dmt_translate_fn *translate)
{
	struct dmt_output temporary;

	if (output->error.status != DMTRACE_OK)
		return output->error.status;
	dmt_output_open_temporary(&temporary, NULL);
	output->error = temporary.error;
	if (output->error.status == DMTRACE_OK) {
		output->translate = translate;
		output->translated_fd = output->fd;
		use_output_fd(output, temporary.fd, "cannot create");
		temporary.fd = -1;
	}
	dmt_output_fini(&temporary);
	return output->error.status;
}

enum dmtrace_status
dmt_output_open_part(struct dmt_output *output, const char *path,
    unsigned number, size_t room)
{
	if (init_output_path(output, path) != DMTRACE_OK)
		return output->error.status;
	output->bytes = malloc(room);
	if (output->bytes == NULL)
		return dmt_error_memory(&output->error);
	output->capacity = room;
	return use_output_fd(output, dmt_temporary_create(&output->temporary,
	    path, 0666, number), "cannot create");
}

/* Writes all bytes, with as many writes as it takes. */
static void
write_all(struct dmt_output *output, const char *bytes, size_t len)
{
	while (len > 0 && output->error.status == DMTRACE_OK) {
		errno = EIO;	/* a device that accepts no bytes */
		const ptrdiff_t done = output->call.write(
		    output->call.context, bytes, len);
		if (done > 0 && (size_t)done > len)
			errno = EOVERFLOW;
		else if (done <= 0 && errno == 0)
			errno = EIO;
		if (done > 0 && (size_t)done <= len) {
			bytes += done;
			len -= (size_t)done;
		} else if (errno == EPIPE && output->program != NULL) {
			/* The program has ended, and says why. */
			dmt_packer_get()->finish(output->program,
			    &output->error);
			output->program = NULL;
			dmt_error_set(&output->error, DMTRACE_ERR_IO, "the "
			    "program that packs it has ended too early");
		} else if (done >= 0 || errno != EINTR) {
			dmt_path_failed(&output->error, "cannot write",
			    output->path);
		}
	}
}

void
dmt_output_fail_memory(struct dmt_output *output)
{
	dmt_error_memory(&output->error);
}

void
dmt_output_truncate(struct dmt_output *output, size_t len)
{
	assert(len <= output->len);
	output->len = len;
	output->written = len;
}

void
dmt_output_clear(struct dmt_output *output)
{
	dmt_output_truncate(output, 0);
}

void
dmt_output_flush(struct dmt_output *output)
{
	if (output->call.write == NULL)
		return;
	write_all(output, output->bytes, output->len);
	output->len = 0;
}

/*
 * Makes space for len bytes. If that is enough, a file is written only up to a
 * multiple of SPILL_UNIT, so that the next write is aligned. The buffer of a
 * file is one block; that of memory grows as needed.
 */
static void
make_buffer_room(struct dmt_output *output, size_t len)
{
	const bool to_memory = output->call.write == NULL;
	const size_t kept = (size_t)(output->written % SPILL_UNIT);

	if (!to_memory && kept < output->len) {
		write_all(output, output->bytes, output->len - kept);
		memmove(output->bytes, output->bytes + output->len - kept,
		    kept);
		output->len = kept;
	}
	if (len > output->capacity - output->len)
		dmt_output_flush(output);
	if (output->error.status != DMTRACE_OK ||
	    len <= output->capacity - output->len)
		return;
	const size_t need = !to_memory ? DMT_BLOCKS_SIZE :
	    len > SIZE_MAX - output->len ? SIZE_MAX : output->len + len;
	char *const grown = dmt_array_grow(output->bytes,
	    &output->capacity, need, 1);
	if (grown == NULL)
		dmt_error_memory(&output->error);
	else
		output->bytes = grown;
}

void *
dmt_output_reserve(struct dmt_output *output, size_t len)
{
	if (len > output->capacity - output->len)
		make_buffer_room(output, len);
	return output->error.status != DMTRACE_OK || output->bytes == NULL ?
	    NULL : output->bytes + output->len;
}

void
dmt_output_advance(struct dmt_output *output, size_t len)
{
	assert(len <= output->capacity - output->len);
	output->len += len;
	output->written += len;
}

/* Large blocks go to a file directly and aligned to its blocks, which halves
 * the work of the system. What is before and after them is buffered. */
void
dmt_output_write(struct dmt_output *output, const void *bytes, size_t len)
{
	const bool to_memory = output->call.write == NULL;
	const char *in = bytes;

	while (len > 0 && output->error.status == DMTRACE_OK) {
		const bool large = !to_memory && len >= DMT_BLOCK_SIZE;
		const size_t past = (size_t)(output->written % SPILL_UNIT);
		size_t part = len;

		if (large && past == 0) {
			part = len - len % SPILL_UNIT;
			dmt_output_flush(output);
			write_all(output, in, part);
			output->written += part;
		} else {
			void *const out = dmt_output_reserve(output,
			    to_memory ? len : 1);

			if (out == NULL)
				return;
			if (large)
				part = SPILL_UNIT - past;
			if (part > output->capacity - output->len)
				part = output->capacity - output->len;
			memcpy(out, in, part);
			dmt_output_advance(output, part);
		}
		in += part;
		len -= part;
	}
}

void
dmt_output_copy(struct dmt_output *output, struct dmt_input *input)
{
	const uint8_t *bytes;
	size_t len;

	while (output->error.status == DMTRACE_OK &&
	    (len = dmt_input_peek(input, 1, &bytes)) > 0) {
		dmt_output_write(output, bytes, len);
		dmt_input_skip(input, len);
	}
}

static void
seek_output(struct dmt_output *output, uint64_t offset, int whence)
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
		memcpy(output->bytes + at, bytes, len);
		return;
	}
	dmt_output_flush(output);
	seek_output(output, at, SEEK_SET);
	write_all(output, bytes, len);
	seek_output(output, 0, SEEK_END);
	if (at + len > output->written)
		output->written = at + len;
}

enum dmtrace_status
dmt_output_reread(struct dmt_output *output, struct dmt_input *input)
{
	if (output->call.write == NULL) {
		dmt_input_open_memory(input, output->bytes, output->len);
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

/* close frees the descriptor even if it fails. */
static void
close_output_fd(struct dmt_output *output)
{
	if (!dmt_output_has_fd(output))
		return;
	if (close(output->fd) != 0 && errno != EINTR)
		dmt_path_failed(&output->error, "cannot close", output->path);
	output->fd = -1;
}

enum dmtrace_status
dmt_output_park(struct dmt_output *output)
{
	close_output_fd(output);
	return output->error.status;
}

enum dmtrace_status
dmt_output_resume(struct dmt_output *output)
{
	if (output->error.status != DMTRACE_OK || output->fd >= 0)
		return output->error.status;
	if (use_output_fd(output, open(output->temporary->path,
	    O_RDWR | O_CLOEXEC), "cannot open") == DMTRACE_OK)
		seek_output(output, 0, SEEK_END);
	return output->error.status;
}

/* Writes the file from the bytes in the temporary. */
static void
translate_output(struct dmt_output *output)
{
	struct dmt_input from;
	struct dmt_output to;
	struct dmtrace_error error = { 0 };

	if (dmt_output_reread(output, &from) == DMTRACE_OK) {
		dmt_output_open_fd(&to, output->translated_fd);
		to.path = output->path;
		to.program = output->program;
		output->translate(&from, &to, &error);
		dmt_output_flush(&to);
		output->program = to.program;
		to.program = NULL;
		output->error = error.status != DMTRACE_OK ? error : to.error;
		to.path = NULL;
		dmt_output_fini(&to);
	}
	dmt_input_fini(&from);
	close_output_fd(output);
	output->fd = output->translated_fd;
	output->translated_fd = -1;
}

enum dmtrace_status
dmt_output_translate_now(struct dmt_output *output,
    dmt_translate_fn *translate)
{
	struct dmt_output copy;
	struct dmt_input from;

	dmt_output_open_temporary(&copy, NULL);
	if (dmt_output_reread(output, &from) == DMTRACE_OK) {
		dmt_output_copy(&copy, &from);
		dmt_output_flush(&copy);
		output->error = from.error.status != DMTRACE_OK ?
		    from.error : copy.error;
	}
	dmt_input_fini(&from);
	if (output->error.status == DMTRACE_OK &&
	    (ftruncate(output->fd, 0) != 0 ||
	    lseek(output->fd, 0, SEEK_SET) != 0))
		dmt_path_failed(&output->error, "cannot write", output->path);
	if (output->error.status == DMTRACE_OK) {
		/* The copy becomes the temporary of dmt_output_translate. */
		output->translate = translate;
		output->translated_fd = output->fd;
		output->fd = copy.fd;
		copy.fd = -1;
		translate_output(output);
		output->translate = NULL;
	}
	dmt_output_fini(&copy);
	return output->error.status;
}

enum dmtrace_status
dmt_output_finish(struct dmt_output *output)
{
	dmt_output_flush(output);
	if (output->error.status == DMTRACE_OK && output->translate != NULL)
		translate_output(output);
	if (output->error.status == DMTRACE_OK && output->program != NULL) {
		close_output_fd(output);
		dmt_packer_get()->finish(output->program, &output->error);
		output->program = NULL;
		output->fd = output->packed_fd;
		output->packed_fd = -1;
	}
	if (output->error.status == DMTRACE_OK && output->sync &&
	    output->temporary != NULL && fsync(output->fd) != 0)
		dmt_path_failed(&output->error, "cannot sync", output->path);
	close_output_fd(output);
	return output->error.status;
}

/* Does not follow symbolic links: the file is where its name says. */
enum dmtrace_status
dmt_output_name(struct dmt_output *output, const char *path)
{
	struct stat old;

	char *const name = dmt_path_concat(path, "");
	char *const target = dmt_path_concat(path, "");

	if (name == NULL || target == NULL) {
		free(name);
		free(target);
		return dmt_error_memory(&output->error);
	}
	free(output->path);
	free(output->target);
	output->path = name;
	output->target = target;
	output->replaces = lstat(path, &old) == 0;
	if (output->replaces && S_ISREG(old.st_mode))
		(void)chmod(output->temporary->path, old.st_mode & 0777);
	return output->error.status;
}

/* Renames from to a name that must not exist. Where there are no hard links,
 * an empty file reserves the name until the rename. */
static int
link_new_name(const char *from, const char *to)
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
	    link_new_name(output->temporary->path, output->target) :
	    rename(output->temporary->path, output->target);
	if (result != 0)
		return fail_output(output, "cannot create");
	dmt_temporary_free(output->temporary);
	output->temporary = NULL;
	output->published = true;
	if (output->sync && sync_folder(output->target) != 0) {
		dmt_output_withdraw(output);
		return fail_output(output, "cannot sync the folder of");
	}
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_output_close(struct dmt_output *output)
{
	dmt_output_finish(output);
	return dmt_output_publish(output);
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

void
dmt_output_publish_pair(struct dmt_output *data, struct dmt_output *key)
{
	if (dmt_output_publish(data) == DMTRACE_OK &&
	    dmt_output_publish(key) != DMTRACE_OK)
		dmt_output_withdraw(data);
}

void
dmt_output_fini(struct dmt_output *output)
{
	close_output_fd(output);
	output->fd = output->translated_fd;
	close_output_fd(output);
	if (output->program != NULL)
		dmt_packer_get()->stop(output->program);
	output->fd = output->packed_fd;
	close_output_fd(output);
	/* A child after fork leaves the file to its parent. */
	if (output->temporary != NULL && output->temporary->owner == getpid())
		unlink(output->temporary->path);
	dmt_temporary_free(output->temporary);
	free(output->target);
	free(output->path);
	free(output->bytes);
	dmt_output_open_memory(output);
}
