/* reader_open.c - opens a reader and reads up to the first record */

/*
 * Opens one input, or the two of a pair. The first bytes determine the
 * container (container.c), which then reads up to the first record with the
 * steps in reader_begin.c. If the open fails, the reader may still have a key
 * and findings; it cannot be opened again.
 */

#include "trace/container.h"

#include "base/error.h"
#include "trace/follow.h"

/* The end of every open; status is the result of opening the inputs. */
static enum dmtrace_status
begin_reader(struct dmtrace_reader *reader, enum dmtrace_status status,
    enum dmtrace_status (*open)(struct dmtrace_reader *reader))
{
	const struct dmtrace_error *const error = &reader->error;

	if (status == DMTRACE_OK)
		status = open(reader);

	/* If there is a key, missing parts of the trace are findings, too. */
	if (status != DMTRACE_OK && reader->has_key) {
		if (reader->container == DMTRACE_CONTAINER_KEY)
			dmt_finding_add(&reader->findings, DMT_DATA_MISSING,
			    error->place, error->at, NULL);
		else if (error->place == DMTRACE_PLACE_OFFSET)
			dmt_finding_add(&reader->findings,
			    DMT_DATA_UNREADABLE, error->place, error->at,
			    "%s", error->message);
	}
	reader->state = status == DMTRACE_OK ? DMT_READER_OPEN :
	    DMT_READER_FAILED;
	return status;
}

/* Opens the container that the first bytes show. */
static enum dmtrace_status
open_found(struct dmtrace_reader *reader)
{
	const struct dmt_container *container =
	    dmt_container_find(&reader->key_input, &reader->error);

	if (container == NULL)
		return reader->error.status;
	reader->container = container->container;
	reader->dialect = container->dialect;
	reader->packets = container->packets;
	return container->open(reader);
}

/* Checks if the reader can be opened; if not, returns the status to return. */
static enum dmtrace_status
check_new_reader(struct dmtrace_reader *reader, const char *call,
    bool null_given)
{
	if (reader == NULL || null_given || reader->state != DMT_READER_NEW)
		return dmt_reader_refuse(reader, call, null_given);
	return reader->error.status;
}

/* Passes on the status of opening input. */
static enum dmtrace_status
check_opened(struct dmtrace_reader *reader, const struct dmt_input *input,
    enum dmtrace_status status)
{
	return status == DMTRACE_OK ? DMTRACE_OK :
	    dmt_reader_fail(reader, &input->error);
}

enum dmtrace_status
dmtrace_reader_open_path(struct dmtrace_reader *reader, const char *path)
{
	enum dmtrace_status status =
	    check_new_reader(reader, __func__, path == NULL);

	if (status != DMTRACE_OK)
		return status;
	status = dmt_input_open_base(&reader->key_input, path,
	    &reader->error);
	return begin_reader(reader, status, open_found);
}

enum dmtrace_status
dmtrace_reader_open_pair(struct dmtrace_reader *reader, const char *key_path,
    const char *data_path)
{
	enum dmtrace_status status = check_new_reader(reader, __func__,
	    key_path == NULL || data_path == NULL);

	if (status != DMTRACE_OK)
		return status;
	status = check_opened(reader, &reader->key_input,
	    dmt_input_open_path(&reader->key_input, key_path));
	if (status == DMTRACE_OK)
		status = check_opened(reader, &reader->data_input,
		    dmt_input_open_path(&reader->data_input, data_path));
	return begin_reader(reader, status, dmt_pair_open);
}

enum dmtrace_status
dmtrace_reader_open_fd(struct dmtrace_reader *reader, int fd)
{
	enum dmtrace_status status = check_new_reader(reader, __func__, false);

	if (status != DMTRACE_OK)
		return status;
	status = check_opened(reader, &reader->key_input,
	    dmt_input_open_fd(&reader->key_input, fd));
	return begin_reader(reader, status, open_found);
}

enum dmtrace_status
dmt_reader_open_file(struct dmtrace_reader *reader,
    const struct dmtrace_file *file)
{
	return file->path == NULL ? dmtrace_reader_open_fd(reader, file->fd) :
	    dmtrace_reader_open_path(reader, file->path);
}

enum dmtrace_status
dmtrace_reader_open_memory(struct dmtrace_reader *reader, const void *bytes,
    size_t len)
{
	const enum dmtrace_status status = check_new_reader(reader, __func__,
	    bytes == NULL && len > 0);

	if (status != DMTRACE_OK)
		return status;
	dmt_input_open_memory(&reader->key_input, bytes, len);
	return begin_reader(reader, DMTRACE_OK, open_found);
}

enum dmtrace_status
dmt_reader_open_memory_pair(struct dmtrace_reader *reader,
    const void *key, size_t key_len, const void *data, size_t data_len)
{
	const enum dmtrace_status status =
	    check_new_reader(reader, __func__, false);

	if (status != DMTRACE_OK)
		return status;
	dmt_input_open_memory(&reader->key_input, key, key_len);
	dmt_input_open_memory(&reader->data_input, data, data_len);
	return begin_reader(reader, DMTRACE_OK, dmt_pair_open);
}

enum dmtrace_status
dmtrace_reader_open_input(struct dmtrace_reader *reader,
    const struct dmtrace_input *input)
{
	const enum dmtrace_status status =
	    check_new_reader(reader, __func__, input == NULL ||
	    input->read == NULL);

	if (status != DMTRACE_OK)
		return status;
	dmt_input_open_callback(&reader->key_input, input);
	return begin_reader(reader, DMTRACE_OK, open_found);
}

enum dmtrace_status
dmt_reader_follow_path(struct dmtrace_reader *reader, const char *path)
{
	enum dmtrace_status status = check_new_reader(reader, __func__, false);

	if (status != DMTRACE_OK)
		return status;
	status = check_opened(reader, &reader->key_input,
	    dmt_input_open_path(&reader->key_input, path));
	return begin_reader(reader, status, dmt_follow_open);
}

enum dmtrace_status
dmt_reader_follow_fd(struct dmtrace_reader *reader, int fd)
{
	enum dmtrace_status status = check_new_reader(reader, __func__, false);

	if (status != DMTRACE_OK)
		return status;
	status = check_opened(reader, &reader->key_input,
	    dmt_input_open_fd(&reader->key_input, fd));
	return begin_reader(reader, status, dmt_follow_open);
}
