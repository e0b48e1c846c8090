/* reader_open.c - from what the caller has to the first record */

#include "trace/container.h"

#include "base/error.h"
#include "trace/follow.h"

/* Of a trace that has a key, what is missing is a finding too. */
static void
tell_lost(struct dmtrace_reader *reader)
{
	const struct dmtrace_error *error = &reader->error;

	if (reader->container == DMTRACE_CONTAINER_KEY)
		dmt_finding_add(&reader->findings, DMT_DATA_MISSING,
		    error->place, error->at, NULL);
	else if (error->place == DMTRACE_PLACE_OFFSET)
		dmt_finding_add(&reader->findings, DMT_DATA_UNREADABLE,
		    error->place, error->at, "%s", error->message);
}

/* Ends every open: status is what came of opening the sources. */
static enum dmtrace_status
begin_reader(struct dmtrace_reader *reader, enum dmtrace_status status,
    enum dmtrace_status (*open)(struct dmtrace_reader *reader))
{
	if (status == DMTRACE_OK)
		status = open(reader);
	if (status != DMTRACE_OK && reader->has_key)
		tell_lost(reader);
	reader->state = status == DMTRACE_OK ? DMT_READER_OPEN :
	    DMT_READER_FAILED;
	return status;
}

/* By the first bytes. */
static enum dmtrace_status
open_found(struct dmtrace_reader *reader)
{
	const struct dmt_container *container =
	    dmt_container_find(&reader->key_input, &reader->error);

	if (container == NULL)
		return reader->error.status;
	reader->container = container->container;
	return container->open(reader);
}

enum dmtrace_status
dmtrace_reader_open_path(struct dmtrace_reader *reader, const char *path)
{
	if (reader == NULL || path == NULL)
		return dmt_reader_refuse(reader, __func__, true);
	if (reader->state != DMT_READER_NEW)
		return dmt_reader_refuse(reader, __func__, false);
	dmt_error_clear(&reader->error);
	return begin_reader(reader, dmt_input_open_base(&reader->key_input,
	    path, &reader->error), open_found);
}

/* Hands on what came of opening input. */
static enum dmtrace_status
check_opened(struct dmtrace_reader *reader, const struct dmt_input *input,
    enum dmtrace_status status)
{
	return status == DMTRACE_OK ? DMTRACE_OK :
	    dmt_reader_fail(reader, &input->error);
}

enum dmtrace_status
dmtrace_reader_open_pair(struct dmtrace_reader *reader, const char *key_path,
    const char *data_path)
{
	if (reader == NULL || key_path == NULL || data_path == NULL)
		return dmt_reader_refuse(reader, __func__, true);
	struct dmt_input *key = &reader->key_input;
	struct dmt_input *data = &reader->data_input;

	if (reader->state != DMT_READER_NEW)
		return dmt_reader_refuse(reader, __func__, false);
	dmt_error_clear(&reader->error);
	enum dmtrace_status status = check_opened(reader, key,
	    dmt_input_open_path(key, key_path));
	if (status == DMTRACE_OK)
		status = check_opened(reader, data,
		    dmt_input_open_path(data, data_path));
	return begin_reader(reader, status, dmt_pair_open);
}

enum dmtrace_status
dmtrace_reader_open_fd(struct dmtrace_reader *reader, int fd)
{
	if (reader == NULL)
		return DMTRACE_ERR_STATE;
	struct dmt_input *input = &reader->key_input;

	if (reader->state != DMT_READER_NEW)
		return dmt_reader_refuse(reader, __func__, false);
	dmt_error_clear(&reader->error);
	return begin_reader(reader, check_opened(reader, input,
	    dmt_input_open_fd(input, fd)), open_found);
}

enum dmtrace_status
dmt_reader_follow_path(struct dmtrace_reader *reader, const char *path)
{
	struct dmt_input *input = &reader->key_input;

	if (reader->state != DMT_READER_NEW)
		return dmt_reader_refuse(reader, __func__, false);
	dmt_error_clear(&reader->error);
	return begin_reader(reader, check_opened(reader, input,
	    dmt_input_open_path(input, path)), dmt_follow_open);
}

enum dmtrace_status
dmt_reader_follow_fd(struct dmtrace_reader *reader, int fd)
{
	struct dmt_input *input = &reader->key_input;

	if (reader->state != DMT_READER_NEW)
		return dmt_reader_refuse(reader, __func__, false);
	dmt_error_clear(&reader->error);
	return begin_reader(reader, check_opened(reader, input,
	    dmt_input_open_fd(input, fd)), dmt_follow_open);
}

enum dmtrace_status
dmt_reader_open_fd_pair(struct dmtrace_reader *reader, int key_fd,
    int data_fd)
{
	struct dmt_input *key = &reader->key_input;
	struct dmt_input *data = &reader->data_input;

	if (reader->state != DMT_READER_NEW)
		return dmt_reader_refuse(reader, __func__, false);
	dmt_error_clear(&reader->error);
	enum dmtrace_status status = check_opened(reader, key,
	    dmt_input_open_fd(key, key_fd));
	if (status == DMTRACE_OK)
		status = check_opened(reader, data,
		    dmt_input_open_fd(data, data_fd));
	return begin_reader(reader, status, dmt_pair_open);
}

enum dmtrace_status
dmtrace_reader_open_memory(struct dmtrace_reader *reader, const void *bytes,
    size_t len)
{
	if (reader == NULL || (bytes == NULL && len > 0))
		return dmt_reader_refuse(reader, __func__, true);
	if (reader->state != DMT_READER_NEW)
		return dmt_reader_refuse(reader, __func__, false);
	dmt_error_clear(&reader->error);
	dmt_input_open_memory(&reader->key_input, bytes, len);
	return begin_reader(reader, DMTRACE_OK, open_found);
}

enum dmtrace_status
dmt_reader_open_memory_pair(struct dmtrace_reader *reader,
    const void *key, size_t key_len, const void *data, size_t data_len)
{
	if (reader->state != DMT_READER_NEW)
		return dmt_reader_refuse(reader, __func__, false);
	dmt_error_clear(&reader->error);
	dmt_input_open_memory(&reader->key_input, key, key_len);
	dmt_input_open_memory(&reader->data_input, data, data_len);
	return begin_reader(reader, DMTRACE_OK, dmt_pair_open);
}

enum dmtrace_status
dmtrace_reader_open_input(struct dmtrace_reader *reader,
    const struct dmtrace_input *input)
{
	if (reader == NULL || input == NULL)
		return dmt_reader_refuse(reader, __func__, true);
	if (reader->state != DMT_READER_NEW)
		return dmt_reader_refuse(reader, __func__, false);
	dmt_error_clear(&reader->error);
	dmt_input_open_callback(&reader->key_input, input);
	return begin_reader(reader, DMTRACE_OK, open_found);
}
