/* repair_open.c - the halves of a trace that may be broken, to be read twice */

#include "ops/repair.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/path.h"
#include "key/key.h"
#include "trace/container.h"

void
dmt_half_init(struct dmt_half *half)
{
	*half = (struct dmt_half){ .fd = -1 };
	dmt_source_open_memory(&half->owner, NULL, 0);
	dmt_sink_open_memory(&half->spool);
}

void
dmt_half_fini(struct dmt_half *half)
{
	dmt_source_fini(&half->owner);
	dmt_sink_fini(&half->spool);
	half->fd = -1;
}

void
dmt_half_read(const struct dmt_half *half, uint64_t at,
    struct dmt_source *source)
{
	const off_t place = (off_t)(half->base + at);
	const bool placed = lseek(half->fd, place, SEEK_SET) == place;
	const int reason = errno;

	dmt_source_open_fd(source, half->fd);
	if (placed || source->error.status != DMTRACE_OK)
		return;
	source->ended = true;
	errno = reason;
	dmt_path_failed(&source->error, "cannot read again",
	    half->owner.path);
}

enum dmtrace_status
dmt_half_take(struct dmt_half *half, struct dmt_sink *spool,
    struct dmtrace_error *error)
{
	struct dmt_source source;

	dmt_sink_reread(spool, &source);	/* writes what is buffered */
	dmt_source_fini(&source);
	if (spool->error.status != DMTRACE_OK) {
		*error = spool->error;
		return error->status;
	}
	half->spool = *spool;
	dmt_sink_open_memory(spool);
	half->fd = half->spool.fd;
	half->base = 0;
	half->size = half->spool.written;
	return DMTRACE_OK;
}

/* A pipe, a device: all that comes. */
static enum dmtrace_status
spool(struct dmt_half *half, struct dmtrace_error *error)
{
	struct dmt_source *const source = &half->owner;
	struct dmt_sink sink;
	const uint8_t *bytes;
	size_t len;

	dmt_sink_open_temporary(&sink, NULL);
	while ((len = dmt_source_peek(source, 1, &bytes)) > 0 &&
	    sink.error.status == DMTRACE_OK) {
		dmt_sink_write(&sink, bytes, len);
		dmt_source_skip(source, len);
	}
	if (source->error.status != DMTRACE_OK)
		*error = source->error;
	else
		dmt_half_take(half, &sink, error);
	dmt_sink_fini(&sink);
	return error->status;
}

/* The owner is open on fd. */
static enum dmtrace_status
take(struct dmt_half *half, int fd, struct dmtrace_error *error)
{
	struct stat about;

	if (fstat(fd, &about) != 0)
		return dmt_path_failed(error, "cannot read",
		    half->owner.path);
	const off_t at = lseek(fd, 0, SEEK_CUR);
	if (!S_ISREG(about.st_mode) || at < 0)
		return spool(half, error);
	half->fd = fd;
	half->base = (uint64_t)at;
	half->size = about.st_size > at ? (uint64_t)(about.st_size - at) : 0;
	return DMTRACE_OK;
}

/* DMTRACE_END: there is no such file. */
static enum dmtrace_status
open_path(struct dmt_half *half, const char *path,
    struct dmtrace_error *error)
{
	if (path == NULL)
		return dmt_error_memory(error);
	if (dmt_source_open_path(&half->owner, path) == DMTRACE_OK)
		return take(half, half->owner.fd, error);
	const struct dmtrace_error failure = half->owner.error;
	dmt_half_fini(half);
	if (failure.sys_errno == ENOENT)
		return DMTRACE_END;
	*error = failure;
	return error->status;
}

/* As a reader does: the file, or what it is the base name of. A recorder
 * that was killed has left X.trace.key and X.trace.data. */
static enum dmtrace_status
open_base(struct dmt_half *half, const char *path,
    struct dmtrace_error *error)
{
	static const char *const suffixes[] = { "", ".trace", ".key",
	    ".data" };

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		char *const name = dmt_path_concat(path, suffixes[i]);
		const enum dmtrace_status status =
		    open_path(half, name, error);

		free(name);
		if (status != DMTRACE_END)
			return status;
	}
	errno = ENOENT;
	return dmt_path_failed(error, "cannot open", path);
}

static bool
begins(const struct dmt_half *half, bool (*has)(struct dmt_source *source),
    struct dmtrace_error *error)
{
	struct dmt_source source;

	if (half->fd < 0)
		return false;
	dmt_half_read(half, 0, &source);
	const bool found = has(&source);
	if (source.error.status != DMTRACE_OK)
		*error = source.error;
	dmt_source_fini(&source);
	return found;
}

/* The other half, where the name of the first one leads to it. */
static enum dmtrace_status
open_partner(const struct dmt_half *first, struct dmt_half *other,
    struct dmtrace_error *error)
{
	const char *const path = first->owner.path;

	if (!dmt_path_ends(path, ".key") && !dmt_path_ends(path, ".data"))
		return DMTRACE_OK;
	char *const partner = dmt_path_partner(path);
	const enum dmtrace_status status =
	    open_path(other, partner, error);
	free(partner);
	return status == DMTRACE_END ? DMTRACE_OK : status;
}

/* Neither a key nor data: in the words of a reader. */
static enum dmtrace_status
refuse(const struct dmt_half *half, struct dmtrace_error *error)
{
	struct dmt_source source;

	dmt_half_read(half, 0, &source);
	if (dmt_container_find(&source, error) != NULL)
		dmt_error_set(error, DMTRACE_ERR_NOT_TRACE,
		    "begins neither with \"*version\" nor with \"SLOW\"");
	dmt_source_fini(&source);
	return error->status;
}

static void
move(struct dmt_half *to, struct dmt_half *from)
{
	*to = *from;
	dmt_half_init(from);
}

/* Data behind a name; the other half, if it is there, may be the key. */
static enum dmtrace_status
take_data_first(struct dmt_repair *repair, struct dmtrace_error *error)
{
	struct dmt_half *const key = &repair->key_half;
	const bool named_key = dmt_path_ends(key->owner.path, ".key");

	move(&repair->data_half, key);
	if (open_partner(&repair->data_half, key, error) != DMTRACE_OK)
		return error->status;
	if (!begins(key, dmt_source_has_key, error)) {
		dmt_half_fini(key);
		dmt_half_init(key);
	} else if (named_key) {
		dmt_change_add(&repair->changes, DMT_PAIR_SWAPPED, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
	}
	return error->status;
}

/* A key; whether it has its data behind itself is seen later. */
static enum dmtrace_status
take_key_first(struct dmt_repair *repair, struct dmtrace_error *error)
{
	struct dmt_half *const other = &repair->data_half;
	const char *const path = repair->key_half.owner.path;

	if (open_partner(&repair->key_half, other, error) != DMTRACE_OK)
		return error->status;
	if (begins(other, dmt_source_has_key, error)) {
		dmt_half_fini(other);
		dmt_half_init(other);
	} else if (other->fd >= 0 && dmt_path_ends(path, ".data")) {
		dmt_change_add(&repair->changes, DMT_PAIR_SWAPPED, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
	}
	return error->status;
}

static enum dmtrace_status
open_halves(struct dmt_repair *repair, struct dmtrace_error *error)
{
	struct dmt_half *const first = &repair->key_half;
	const struct dmtrace_file *const in = repair->in_file;

	if (in->path != NULL)
		open_base(first, in->path, error);
	else if (dmt_source_open_fd(&first->owner, in->fd) == DMTRACE_OK)
		take(first, in->fd, error);
	else
		*error = first->owner.error;
	if (error->status != DMTRACE_OK)
		return error->status;
	if (begins(first, dmt_source_has_magic, error))
		return take_data_first(repair, error);
	if (begins(first, dmt_source_has_key, error))
		return take_key_first(repair, error);
	return error->status == DMTRACE_OK ? refuse(first, error) :
	    error->status;
}

enum dmtrace_status
dmt_repair_open(struct dmt_repair *repair)
{
	struct dmtrace_error error = { 0 };

	open_halves(repair, &error);
	return dmt_op_fail(repair->op, repair->in_file, &error);
}
