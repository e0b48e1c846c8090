/* file.c - opens and copies the files of an operation */

/*
 * A file is a path or a descriptor. If it cannot be opened, that is the
 * operation's failure, with the name of the file. An output is a temporary in
 * the same directory until it is published. Failures that publishing would run
 * into are checked before the work: a file that exists and must not be
 * replaced, and an output that is the same file as the input. Bytes that do
 * not change are copied from the input's window to the output, block by block.
 */

#include "ops/file.h"

#include <errno.h>

#include "base/error.h"
#include "base/path.h"
#include "trace/container.h"

enum dmtrace_status
dmt_file_read(struct dmtrace_op *op, struct dmt_input *input,
    const struct dmtrace_file *file)
{
	dmt_input_open_file(input, file);
	return dmt_op_fail(op, file, &input->error);
}

enum dmtrace_status
dmt_file_write(struct dmtrace_op *op, struct dmt_output *output,
    const struct dmtrace_file *file, unsigned flags)
{
	if (file->path != NULL)
		dmt_output_open_trace(output, file->path);
	else
		dmt_output_open_fd(output, file->fd);
	output->no_replace = flags & DMTRACE_NO_REPLACE;
	output->sync = flags & DMTRACE_SYNC;

	/* If the file exists, fail now, not after the work. */
	if (output->no_replace && output->replaces &&
	    output->temporary != NULL) {
		errno = EEXIST;
		dmt_path_failed(&output->error, "cannot create", output->path);
	}
	return dmt_op_fail(op, file, &output->error);
}

enum dmtrace_status
dmt_file_open_writer(struct dmtrace_op *op, struct dmtrace_writer *writer,
    const struct dmtrace_file *file)
{
	dmt_writer_open_file(writer, file);
	return dmt_op_fail(op, file, dmtrace_writer_error(writer));
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
dmt_file_copy(struct dmtrace_op *op, struct dmt_output *output,
    struct dmt_input *input, uint64_t len)
{
	const uint64_t total = dmt_input_size(input);
	const uint8_t *bytes;

	while (len > 0 && output->error.status == DMTRACE_OK) {
		size_t taken = dmt_input_peek(input, 1, &bytes);

		if (taken == 0 && len != UINT64_MAX &&
		    input->error.status == DMTRACE_OK)
			dmt_error_set(&input->error, DMTRACE_ERR_IO,
			    "the input was truncated while it was read");
		if (taken == 0 || dmt_op_progress(op, input->offset,
		    total) != DMTRACE_OK)
			return;
		if (taken > len)
			taken = (size_t)len;
		dmt_output_write(output, bytes, taken);
		dmt_input_skip(input, taken);
		if (len != UINT64_MAX)
			len -= taken;
	}
}
