/* writer_open.c - where a trace is written to */

#include "trace/writer.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/path.h"

/* Ends every open; the header of a pair or stream need not wait for the
 * key. */
static enum dmtrace_status
begin_writer(struct dmtrace_writer *writer, bool pair)
{
	writer->state = DMT_WRITER_OPEN;
	writer->pair = pair;
	writer->output.sync = writer->sync;
	writer->key_output.sync = writer->sync;
	if (pair && writer->stream)
		return dmt_error_set(&writer->error, DMTRACE_ERR_UNSUPPORTED,
		    "%s has no key of its own, as a pair has; \"dmtrace"
		    " convert\" makes another trace of it", writer->v2 == NULL ?
		    "ART streaming" : "ART trace format V2");
	if (pair || writer->stream)
		dmt_writer_put_header(writer);
	return dmt_writer_check(writer);
}

/* The other half is beside it. */
static enum dmtrace_status
open_half(struct dmtrace_writer *writer, const char *path)
{
	const bool is_key = dmt_path_ends(path, ".key");
	char *partner = dmt_path_partner(path);

	if (partner == NULL)
		return dmt_error_memory(&writer->error);
	const enum dmtrace_status status = dmt_writer_open_pair(writer,
	    is_key ? path : partner, is_key ? partner : path);
	free(partner);
	return status;
}

enum dmtrace_status
dmtrace_writer_open_path(struct dmtrace_writer *writer, const char *path)
{
	if (writer == NULL)
		return DMTRACE_ERR_STATE;
	if (path == NULL)
		return dmt_writer_refuse_null(writer, __func__);
	if (writer->state != DMT_WRITER_NEW)
		return dmt_writer_refuse(writer, __func__);
	if (dmt_path_ends(path, ".key") || dmt_path_ends(path, ".data"))
		return open_half(writer, path);
	dmt_output_open_path(&writer->output, path);
	return begin_writer(writer, false);
}

enum dmtrace_status
dmt_writer_open_pair(struct dmtrace_writer *writer, const char *key_path,
    const char *data_path)
{
	if (writer->state != DMT_WRITER_NEW)
		return dmt_writer_refuse(writer, __func__);
	if (dmt_output_open_path(&writer->output, data_path) == DMTRACE_OK)
		dmt_output_open_path(&writer->key_output, key_path);
	return begin_writer(writer, true);
}

enum dmtrace_status
dmtrace_writer_open_fd(struct dmtrace_writer *writer, int fd)
{
	if (writer == NULL)
		return DMTRACE_ERR_STATE;
	if (writer->state != DMT_WRITER_NEW)
		return dmt_writer_refuse(writer, __func__);
	dmt_output_open_fd(&writer->output, fd);
	return begin_writer(writer, false);
}

enum dmtrace_status
dmtrace_writer_open_memory(struct dmtrace_writer *writer)
{
	if (writer == NULL)
		return DMTRACE_ERR_STATE;
	if (writer->state != DMT_WRITER_NEW)
		return dmt_writer_refuse(writer, __func__);
	return begin_writer(writer, false);
}

enum dmtrace_status
dmtrace_writer_open_output(struct dmtrace_writer *writer,
    const struct dmtrace_output *output)
{
	if (writer == NULL)
		return DMTRACE_ERR_STATE;
	if (output == NULL)
		return dmt_writer_refuse_null(writer, __func__);
	if (writer->state != DMT_WRITER_NEW)
		return dmt_writer_refuse(writer, __func__);
	dmt_output_open_callback(&writer->output, output);
	return begin_writer(writer, false);
}
