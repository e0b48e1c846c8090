/* file.c - the files of an operation, opened and copied */

#include "ops/file.h"

#include <errno.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/path.h"
#include "format/header.h"

enum dmtrace_status
dmt_file_read(struct dmtrace_op *op, struct dmt_source *source,
    const struct dmtrace_file *file)
{
	if (file->path != NULL)
		dmt_source_open_path(source, file->path);
	else
		dmt_source_open_fd(source, file->fd);
	return dmt_op_fail(op, file, &source->error);
}

static void
open_sink(struct dmt_sink *sink, const struct dmtrace_file *file)
{
	if (file->path != NULL)
		dmt_sink_open_path(sink, file->path);
	else
		dmt_sink_open_fd(sink, file->fd);
}

/* What exists already is told before the work, not behind it. */
static void
check_new(struct dmt_sink *sink)
{
	if (!sink->no_replace || !sink->replaces || sink->temporary == NULL)
		return;
	errno = EEXIST;
	dmt_path_failed(&sink->error, "cannot create", sink->path);
}

enum dmtrace_status
dmt_file_write(struct dmtrace_op *op, struct dmt_sink *sink,
    const struct dmtrace_file *file, unsigned flags)
{
	open_sink(sink, file);
	sink->no_replace = flags & DMTRACE_NO_REPLACE;
	sink->sync = flags & DMTRACE_SYNC;
	check_new(sink);
	return dmt_op_fail(op, file, &sink->error);
}

enum dmtrace_status
dmt_file_check_other(struct dmtrace_op *op, const struct stat *in,
    const char *path, const struct dmtrace_file *out)
{
	struct dmtrace_error error = { 0 };
	struct stat about;

	if (path != NULL && stat(path, &about) == 0 &&
	    S_ISREG(about.st_mode) && about.st_dev == in->st_dev &&
	    about.st_ino == in->st_ino)
		dmt_error_set(&error, DMTRACE_ERR_STATE, "is both the input"
		    " and the output; name another output");
	return dmt_op_fail(op, out, &error);
}

void
dmt_file_copy(struct dmtrace_op *op, struct dmt_sink *sink,
    struct dmt_source *source, uint64_t len)
{
	const uint64_t total = dmt_source_size(source);
	const uint8_t *bytes;

	while (len > 0 && sink->error.status == DMTRACE_OK) {
		size_t taken = dmt_source_peek(source, 1, &bytes);

		if (taken == 0 && len != UINT64_MAX &&
		    source->error.status == DMTRACE_OK)
			dmt_error_set(&source->error, DMTRACE_ERR_IO,
			    "the input has become shorter meanwhile");
		if (taken == 0 || dmt_op_progress(op, source->offset,
		    total) != DMTRACE_OK)
			return;
		if (taken > len)
			taken = (size_t)len;
		dmt_sink_write(sink, bytes, taken);
		dmt_source_skip(source, taken);
		if (len != UINT64_MAX)
			len -= taken;
	}
}

static void
tell_version(struct dmtrace_op *op, struct dmt_source *source,
    const struct dmtrace_file *file)
{
	const uint8_t *bytes;

	if (dmt_source_peek(source, DMT_HEADER_OFFSET, &bytes) <
	    DMT_HEADER_OFFSET)
		return;
	const unsigned version = dmt_get_le16(bytes + DMT_HEADER_VERSION);
	if (version < DMT_VERSION_MIN || version > DMT_VERSION_MAX)
		dmt_finding_add(dmt_op_findings(op, file),
		    DMT_VERSION_UNKNOWN, DMTRACE_PLACE_OFFSET,
		    source->offset + DMT_HEADER_VERSION, "%u", version);
}

void
dmt_file_copy_data(struct dmtrace_op *op, struct dmt_sink *sink,
    struct dmt_source *source, const struct dmtrace_file *file)
{
	tell_version(op, source, file);
	dmt_file_copy(op, sink, source, UINT64_MAX);
}
