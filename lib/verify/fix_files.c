/* fix_files.c - the input, the temporaries and the output of a fix */

#include "verify/fix.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/path.h"
#include "ops/file.h"

static enum dmtrace_status
fail(struct dmt_fix *fix, const struct dmtrace_error *error)
{
	return dmt_op_fail(fix->op, NULL, error);
}

/* Where temporaries go. */
static const char *
folder(const struct dmt_fix *fix)
{
	return fix->pair ? fix->out->path : fix->output.target;
}

enum dmtrace_status
dmt_fix_begin_temporary(struct dmt_fix *fix, struct dmt_output *temporary)
{
	dmt_output_fini(temporary);
	dmt_output_open_temporary(temporary, folder(fix));
	return fail(fix, &temporary->error);
}

static enum dmtrace_status
go_to(struct dmt_fix *fix, int fd, off_t at)
{
	struct dmtrace_error error = { 0 };

	if (lseek(fd, at, SEEK_SET) != at)
		dmt_error_system(&error, "cannot read again");
	return fail(fix, &error);
}

enum dmtrace_status
dmt_fix_rewind(struct dmt_fix *fix, const struct dmtrace_file *file)
{
	if (file->path != NULL)
		return DMTRACE_OK;
	return go_to(fix, file->fd, file == &fix->source ? fix->source_at :
	    0);
}

static void
copy(struct dmt_fix *fix, struct dmt_input *input, struct dmt_output *output)
{
	dmt_file_copy(fix->op, output, input, UINT64_MAX);
	dmt_op_fail(fix->op, fix->in, &input->error);
}

/* A path that can be read only once, such as a named pipe. */
static bool
is_pipe(const char *path)
{
	struct stat about;

	return stat(path, &about) == 0 && !S_ISREG(about.st_mode) &&
	    !S_ISDIR(about.st_mode);
}

enum dmtrace_status
dmt_fix_hold(struct dmt_fix *fix)
{
	struct dmt_input input;
	struct stat about;

	fix->source = *fix->in;
	if (fix->in->path != NULL && !is_pipe(fix->in->path))
		return DMTRACE_OK;
	fix->source_at = fix->in->path != NULL ? -1 :
	    lseek(fix->in->fd, 0, SEEK_CUR);
	if (fix->source_at >= 0 && fstat(fix->in->fd, &about) == 0 &&
	    S_ISREG(about.st_mode))
		return DMTRACE_OK;
	fix->source_at = 0;
	if (dmt_fix_begin_temporary(fix, &fix->spool) != DMTRACE_OK)
		return fix->op->error.status;
	if (fix->in->path != NULL)
		dmt_input_open_path(&input, fix->in->path);
	else
		dmt_input_open_fd(&input, fix->in->fd);
	copy(fix, &input, &fix->spool);
	dmt_input_fini(&input);
	dmt_output_flush(&fix->spool);
	fix->source = dmt_fix_file(&fix->spool);
	return fail(fix, &fix->spool.error);
}

static enum dmtrace_status
tell_changes(struct dmt_fix *fix)
{
	return dmt_changes_tell(&fix->changes, fix->options->change,
	    fix->options->context, &fix->op->error);
}

static enum dmtrace_status
publish_pair(struct dmt_fix *fix, const struct dmtrace_file *file)
{
	char *const partner = dmt_path_partner(fix->out->path);
	const struct dmtrace_file own = *fix->out, other = { partner, -1 };
	const bool is_key = dmt_path_ends(fix->out->path, ".key");

	if (partner == NULL)
		dmt_error_memory(&fix->op->error);
	else if (tell_changes(fix) == DMTRACE_OK)
		dmtrace_split(fix->op, file, is_key ? &own : &other,
		    is_key ? &other : &own, fix->options->flags);
	free(partner);
	return fix->op->error.status;
}

static enum dmtrace_status
publish_joined(struct dmt_fix *fix, const struct dmtrace_file *file)
{
	struct dmt_input input;

	if (dmt_file_read(fix->op, &input, file) == DMTRACE_OK)
		copy(fix, &input, &fix->output);
	dmt_input_fini(&input);
	if (fix->op->error.status != DMTRACE_OK)
		return fix->op->error.status;
	if (dmt_output_finish(&fix->output) == DMTRACE_OK) {
		if (tell_changes(fix) != DMTRACE_OK)
			return fix->op->error.status;
		dmt_output_publish(&fix->output);
	}
	return dmt_op_fail(fix->op, fix->out, &fix->output.error);
}

enum dmtrace_status
dmt_fix_publish(struct dmt_fix *fix, const struct dmtrace_file *file)
{
	return fix->pair ? publish_pair(fix, file) :
	    publish_joined(fix, file);
}

bool
dmt_fix_is_whole(const struct dmt_fix *fix, bool pair)
{
	return !pair && (fix->source.path == NULL ||
	    access(fix->source.path, F_OK) == 0);
}

/* The input stays as it is, whichever half of it is named. */
static enum dmtrace_status
check_paths(struct dmt_fix *fix)
{
	static const char *const suffixes[] = { "", ".trace", ".key",
	    ".data" };
	const char *const in = fix->in->path;
	struct dmtrace_error error = { 0 };
	struct stat about;

	for (size_t i = 0; in != NULL && i < 4; i++) {
		char *const name = dmt_path_concat(in, suffixes[i]);

		if (name == NULL)
			dmt_error_memory(&error);
		else if (stat(name, &about) == 0)
			dmt_file_check_other(fix->op, &about, fix->out->path,
			    fix->out);
		free(name);
	}
	return dmt_op_fail(fix->op, fix->out, &error);
}

enum dmtrace_status
dmt_fix_begin(struct dmt_fix *fix)
{
	const unsigned known = DMTRACE_SYNC | DMTRACE_NO_REPLACE;
	const struct dmtrace_fix_options *const options = fix->options;

	if ((options->flags & ~known) != 0 ||
	    (options->readers >> DMTRACE_READERS) != 0)
		return dmt_error_set(&fix->op->error, DMTRACE_ERR_RANGE,
		    "no such flag or reader");
	fix->pair = dmt_path_ends(fix->out->path, ".key") ||
	    dmt_path_ends(fix->out->path, ".data");
	if (check_paths(fix) != DMTRACE_OK || fix->pair)
		return fix->op->error.status;
	return dmt_file_write(fix->op, &fix->output, fix->out, options->flags);
}

void
dmt_fix_forget_temporary(struct dmt_fix *fix)
{
	struct dmtrace_op *const op = fix->op;

	if (op->has_error_file && op->error_file.path == NULL &&
	    op->error_file.fd != fix->in->fd &&
	    op->error_file.fd != fix->out->fd)
		op->has_error_file = false;
}

