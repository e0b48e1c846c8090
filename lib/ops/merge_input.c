/* merge_input.c - the traces that are merged: their bytes, few open at once */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/path.h"
#include "ops/merge.h"
#include "trace/reader.h"

enum dmtrace_status
dmt_merge_fail(struct dmt_merge *merge, const struct dmt_merge_input *input,
    const struct dmtrace_error *error)
{
	return dmt_op_fail(merge->op, &input->asked->file, error);
}

static enum dmtrace_status
fail_system(struct dmt_merge *merge, const struct dmt_merge_input *input,
    const char *what)
{
	struct dmtrace_error error = { .status = DMTRACE_OK };

	dmt_path_failed(&error, what, input->path);
	return dmt_merge_fail(merge, input, &error);
}

/* A file is opened again for its records; what is none stays open. */
static enum dmtrace_status
keep(struct dmt_merge *merge, struct dmt_merge_input *input,
    struct dmtrace_reader *reader)
{
	const struct dmt_source *const source = reader->source;
	struct stat about;

	input->offset = source->offset;
	input->size = dmt_source_size(source);
	if (source->fd < 0 || fstat(source->fd, &about) != 0 ||
	    !S_ISREG(about.st_mode)) {
		input->reader = reader;
		return DMTRACE_OK;
	}
	input->path = dmt_path_concat(source->path, "");
	input->device = about.st_dev;
	input->inode = about.st_ino;
	return input->path == NULL ? dmt_error_memory(&merge->op->error) :
	    DMTRACE_OK;
}

enum dmtrace_status
dmt_merge_input_open(struct dmt_merge *merge, struct dmt_merge_input *input,
    struct dmtrace_reader *reader)
{
	const struct dmtrace_file *const file = &input->asked->file;

	const enum dmtrace_status status = file->path == NULL ?
	    dmtrace_reader_open_fd(reader, file->fd) :
	    dmtrace_reader_open_path(reader, file->path);
	if (status != DMTRACE_OK)
		return dmt_merge_fail(merge, input, &reader->error);
	input->layout = reader->layout;
	input->header = reader->header;
	return keep(merge, input, reader);
}

void
dmt_merge_input_fini(struct dmt_merge_input *input)
{
	for (size_t i = 0; i < sizeof(input->pages) / sizeof(input->pages[0]);
	    i++)
		free(input->pages[i]);
	if (input->fd >= 0)
		close(input->fd);
	dmt_remap_fini(&input->methods);
	dmtrace_reader_free(input->reader);
	free(input->records);
	free(input->keys);
	free(input->path);
}

/* The one that was not used for the longest time has to go. */
static void
close_one(struct dmt_merge_pool *pool)
{
	size_t oldest = 0;

	for (size_t i = 1; i < pool->count; i++)
		if (pool->open[i]->used < pool->open[oldest]->used)
			oldest = i;
	close(pool->open[oldest]->fd);
	pool->open[oldest]->fd = -1;
	pool->open[oldest] = pool->open[--pool->count];
}

static bool
is_same(const struct dmt_merge_input *input, int fd)
{
	struct stat about;

	return fstat(fd, &about) == 0 && about.st_dev == input->device &&
	    about.st_ino == input->inode;
}

static enum dmtrace_status
open_again(struct dmt_merge *merge, struct dmt_merge_input *input)
{
	struct dmt_merge_pool *const pool = &merge->pool;

	if (pool->count == pool->most)
		close_one(pool);
	input->fd = open(input->path, O_RDONLY | O_CLOEXEC);
	if (input->fd < 0)
		return fail_system(merge, input, "cannot open");
	pool->open[pool->count++] = input;
	if (!is_same(input, input->fd)) {
		errno = ESTALE;
		return fail_system(merge, input, "another file is now");
	}
	return lseek(input->fd, (off_t)input->offset, SEEK_SET) < 0 ?
	    fail_system(merge, input, "cannot read") : DMTRACE_OK;
}

/* As many bytes as there are, at most len. */
static enum dmtrace_status
read_all(struct dmt_merge *merge, struct dmt_merge_input *input,
    uint8_t *out, size_t len, size_t *got)
{
	while (*got < len) {
		const ssize_t done = read(input->fd, out + *got, len - *got);

		if (done < 0 && errno != EINTR)
			return fail_system(merge, input, "cannot read");
		if (done == 0)
			return DMTRACE_OK;
		if (done > 0)
			*got += (size_t)done;
	}
	return DMTRACE_OK;
}

static enum dmtrace_status
read_file(struct dmt_merge *merge, struct dmt_merge_input *input,
    uint8_t *out, size_t len, size_t *got)
{
	const size_t size = input->layout.record_size;

	input->used = ++merge->pool.now;
	if (input->fd < 0 && open_again(merge, input) != DMTRACE_OK)
		return merge->op->error.status;
	if (read_all(merge, input, out, len, got) != DMTRACE_OK)
		return merge->op->error.status;
	input->offset += *got - *got % size;
	input->ended = *got < len;
	return DMTRACE_OK;
}

/* What there is in the window of the reader's source. */
static enum dmtrace_status
read_stream(struct dmt_merge *merge, struct dmt_merge_input *input,
    uint8_t *out, size_t len, size_t *got)
{
	struct dmt_source *const source = input->reader->source;
	const size_t size = input->layout.record_size;
	const uint8_t *bytes;

	*got = dmt_source_peek(source, size, &bytes);
	if (source->error.status != DMTRACE_OK)
		return dmt_merge_fail(merge, input, &source->error);
	input->ended = *got < size;
	if (*got > len)
		*got = len;
	const size_t whole = *got - *got % size;
	memcpy(out, bytes, whole);
	dmt_source_skip(source, whole);
	input->offset += whole;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_merge_input_read(struct dmt_merge *merge, struct dmt_merge_input *input,
    uint8_t *records, size_t most, size_t *count)
{
	const size_t size = input->layout.record_size;
	enum dmtrace_status status;
	size_t got = 0;

	*count = 0;
	if (input->ended)
		return DMTRACE_OK;
	status = input->reader != NULL ?
	    read_stream(merge, input, records, most * size, &got) :
	    read_file(merge, input, records, most * size, &got);
	if (status != DMTRACE_OK)
		return status;
	if (input->ended)
		input->partial = got % size;
	*count = got / size;
	merge->done += got;
	return dmt_op_progress(merge->op, merge->done, merge->total);
}

static const enum dmt_finding findings[DMT_MERGE_ODDITIES] = {
	DMT_RECORD_RESERVED, DMT_TIME_BACK, DMT_TIME_WRAPPED
};

static void
tell_partial(struct dmt_merge *merge, const struct dmt_merge_input *input)
{
	if (input->partial > 0)
		dmt_finding_add(dmt_op_findings(merge->op,
		    &input->asked->file), DMT_RECORD_PARTIAL,
		    DMTRACE_PLACE_OFFSET, input->offset, "%zu of %u bytes",
		    input->partial, input->layout.record_size);
}

void
dmt_merge_input_tell(struct dmt_merge *merge, struct dmt_merge_input *input)
{
	tell_partial(merge, input);
	for (size_t i = 0; i < DMT_MERGE_ODDITIES; i++) {
		const struct dmt_merge_odd *const odd = &input->odd[i];

		if (odd->count == 1)
			dmt_finding_add(dmt_op_findings(merge->op,
			    &input->asked->file), findings[i],
			    DMTRACE_PLACE_OFFSET, odd->at,
			    "thread %" PRIu32, odd->thread);
		else if (odd->count > 1)
			dmt_finding_add(dmt_op_findings(merge->op,
			    &input->asked->file), findings[i],
			    DMTRACE_PLACE_OFFSET, odd->at, "thread %" PRIu32
			    ", the first of %" PRIu64, odd->thread,
			    odd->count);
	}
}
