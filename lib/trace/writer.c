/* writer.c - creating a writer, its settings, its outputs and its key */

/*
 * A writer is created and configured, opened, given a key and events,
 * completed and closed, in that order; a call out of order is refused.
 * writer_write.c describes what is written when. The layout of the records is
 * set, or copied from a reader together with its key, its header and the bytes
 * around them; everything that is not changed is then copied. Outputs store
 * their first failures, and the writer stores the first of these, so that a
 * caller may check close alone.
 */

#include "trace/writer.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/path.h"
#include "format/header.h"
#include "key/key.h"
#include "private/key.h"
#include "trace/container.h"
#include "trace/writer_strict.h"

struct dmtrace_writer *
dmtrace_writer_new(void)
{
	struct dmtrace_writer *writer = calloc(1, sizeof(*writer));

	if (writer == NULL)
		return NULL;
	dmt_spool_init(&writer->waiting);
	writer->key = dmt_key_new();
	if (writer->key == NULL || dmt_writer_set_layout(writer,
	    dmt_layout_find(3, DMTRACE_CLOCK_DUAL)) != DMTRACE_OK) {
		dmtrace_writer_free(writer);
		return NULL;
	}
	return writer;
}

void
dmtrace_writer_free(struct dmtrace_writer *writer)
{
	if (writer == NULL)
		return;
	dmt_spool_fini(&writer->waiting);
	dmt_writing_free(writer->writing);
	free(writer->written);
	dmt_strict_free(writer->strict);
	dmt_output_fini(&writer->output);
	dmt_output_fini(&writer->key_output);
	dmt_key_free(writer->key);
	free(writer);
}

enum dmtrace_status
dmt_writer_check(struct dmtrace_writer *writer)
{
	const struct dmtrace_error *const errors[] = {
		dmt_key_first_error(writer->key), &writer->waiting.output.error,
		&writer->waiting.error, &writer->output.error,
		&writer->key_output.error
	};

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (writer->error.status == DMTRACE_OK &&
		    errors[i]->status != DMTRACE_OK)
			writer->error = *errors[i];
	return writer->error.status;
}

enum dmtrace_status
dmt_writer_refuse(struct dmtrace_writer *writer, const char *call,
    bool null_given)
{
	static const char *const states[] = {
		[DMT_WRITER_NEW] = "not open",
		[DMT_WRITER_OPEN] = "open already",
		[DMT_WRITER_COMPLETE] = "open already, and its key complete",
		[DMT_WRITER_CLOSED] = "closed",
	};

	if (dmt_writer_check(writer) != DMTRACE_OK)
		return writer->error.status;
	return null_given ? dmt_error_null_given(&writer->error, call) :
	    dmt_error_set(&writer->error, DMTRACE_ERR_STATE,
	    "%s: the writer is %s", call, states[writer->state]);
}

enum dmtrace_status
dmt_writer_check_new(struct dmtrace_writer *writer, const char *call,
    bool null_given)
{
	if (writer == NULL)
		return DMTRACE_ERR_STATE;
	return !null_given && writer->state == DMT_WRITER_NEW ?
	    dmt_writer_check(writer) :
	    dmt_writer_refuse(writer, call, null_given);
}

const struct dmtrace_error *
dmtrace_writer_error(const struct dmtrace_writer *writer)
{
	if (writer == NULL)
		return &dmt_error_null;
	return writer->error.status != DMTRACE_OK || writer->key == NULL ?
	    &writer->error : dmt_key_first_error(writer->key);
}

enum dmtrace_status
dmt_writer_set_layout(struct dmtrace_writer *writer,
    const struct dmt_layout *layout)
{
	const char *const call = "dmtrace_writer_set_layout";
	const enum dmtrace_status status =
	    dmt_writer_check_new(writer, call, false);

	if (status != DMTRACE_OK)
		return status;
	if (writer->like.reader != NULL)
		return dmt_error_set(&writer->error, DMTRACE_ERR_STATE,
		    "%s: the writer has the layout of a reader", call);
	if (dmt_layout_has_ns(layout))	/* each stage of V2 has its own form */
		return dmt_error_set(&writer->error, DMTRACE_ERR_UNSUPPORTED,
		    "ART trace format V2 is written like a trace that is read,"
		    " or by dmtrace_convert");
	const struct dmt_trace_format format = {
		.dialect = &dmt_dialect_records,
		.version = layout->version,
		.layout = *layout
	};
	return dmt_writer_set_format(writer, &format);
}

enum dmtrace_status
dmt_writer_set_writing(struct dmtrace_writer *writer,
    struct dmt_writing *writing)
{
	if (writing == NULL)
		return dmt_error_memory(&writer->error);
	dmt_writing_free(writer->writing);
	writer->writing = writing;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_writer_set_format(struct dmtrace_writer *writer,
    const struct dmt_trace_format *format)
{
	const struct dmt_layout *const layout = &format->layout;

	if (writer->state != DMT_WRITER_NEW || writer->like.reader != NULL)
		return dmt_writer_refuse(writer, __func__, false);
	if (dmt_key_set_version(writer->key, layout->version) ==
	    DMTRACE_OK)
		dmtrace_key_option_set(writer->key, DMT_OPTION_CLOCK,
		    dmtrace_clock_name(layout->clock));
	return dmt_writer_check(writer) != DMTRACE_OK ?
	    writer->error.status :
	    dmt_writer_set_writing(writer, dmt_writing_new(format));
}

void
dmt_writer_copy_records(struct dmtrace_writer *writer)
{
	writer->writing->encode = dmt_columns_copy;
}

void
dmt_writer_set_start_rest(struct dmtrace_writer *writer, unsigned rest_ns)
{
	writer->start_rest_ns = rest_ns;
}

enum dmtrace_status
dmtrace_writer_set_layout(struct dmtrace_writer *writer, unsigned version,
    enum dmtrace_clock clock)
{
	const struct dmt_layout *const layout =
	    dmt_layout_find(version, clock);

	const enum dmtrace_status status =
	    dmt_writer_check_new(writer, __func__, false);

	if (status != DMTRACE_OK)
		return status;
	if (layout == NULL && writer->like.reader == NULL)
		return dmt_error_set(&writer->error, DMTRACE_ERR_RANGE,
		    "%s: version %u has no such times", __func__, version);
	return dmt_writer_set_layout(writer, layout);
}

enum dmtrace_status
dmtrace_writer_set_dialect(struct dmtrace_writer *writer,
    enum dmtrace_dialect dialect, enum dmtrace_stage stage,
    enum dmtrace_clock clock)
{
	const enum dmtrace_status status =
	    dmt_writer_check_new(writer, __func__, false);
	struct dmt_trace_format format;

	if (status != DMTRACE_OK)
		return status;
	if (writer->like.reader != NULL)
		return dmt_error_set(&writer->error, DMTRACE_ERR_STATE,
		    "%s: the writer has the layout of a reader", __func__);
	return dmt_format_choose(&format, dialect, stage, clock, NULL,
	    &writer->error) != DMTRACE_OK ? writer->error.status :
	    dmt_writer_set_format(writer, &format);
}

enum dmtrace_status
dmtrace_writer_set_start(struct dmtrace_writer *writer, uint64_t start)
{
	const enum dmtrace_status status =
	    dmt_writer_check_new(writer, __func__, false);

	if (status != DMTRACE_OK)
		return status;
	writer->restarts = true;
	writer->start = start;
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_writer_set_sync(struct dmtrace_writer *writer, int sync)
{
	const enum dmtrace_status status =
	    dmt_writer_check_new(writer, __func__, false);

	if (status != DMTRACE_OK)
		return status;
	writer->sync = sync != 0;
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_writer_set_strict(struct dmtrace_writer *writer, int strict)
{
	const enum dmtrace_status status =
	    dmt_writer_check_new(writer, __func__, false);

	if (status != DMTRACE_OK)
		return status;
	dmt_strict_free(writer->strict);
	writer->strict = NULL;
	if (strict == 0)
		return DMTRACE_OK;
	writer->strict = dmt_strict_new();
	return writer->strict != NULL ? DMTRACE_OK :
	    dmt_error_memory(&writer->error);
}

uint64_t
dmtrace_writer_rounded(const struct dmtrace_writer *writer)
{
	return writer == NULL || writer->strict == NULL ? 0 :
	    dmt_strict_rounded(writer->strict);
}

struct dmtrace_key *
dmtrace_writer_key(struct dmtrace_writer *writer)
{
	if (writer == NULL)
		return NULL;
	return writer->state == DMT_WRITER_NEW ||
	    writer->state == DMT_WRITER_OPEN ? writer->key : NULL;
}

bool
dmt_writer_awaits_key(const struct dmtrace_writer *writer)
{
	return writer->state == DMT_WRITER_OPEN;
}

const struct dmt_layout *
dmt_writer_layout(const struct dmtrace_writer *writer)
{
	return &writer->writing->format.layout;
}

bool
dmt_writer_key_is_last(const struct dmtrace_writer *writer)
{
	return writer->writing->format.dialect->packets;
}

const char *
dmt_writer_target(const struct dmtrace_writer *writer)
{
	return writer->output.target;
}

bool
dmt_writer_is_temporary(const struct dmtrace_writer *writer)
{
	return writer->output.temporary != NULL;
}

void
dmt_writer_set_key(struct dmtrace_writer *writer, struct dmtrace_key *key)
{
	dmt_key_free(writer->key);
	writer->key = key;
}

void
dmt_writer_set_no_replace(struct dmtrace_writer *writer)
{
	writer->no_replace = true;
}

const void *
dmtrace_writer_memory(const struct dmtrace_writer *writer, size_t *len)
{
	if (len != NULL)
		*len = 0;
	if (writer == NULL || len == NULL)
		return NULL;
	const struct dmt_output *output = &writer->output;
	const bool whole = writer->state == DMT_WRITER_CLOSED &&
	    output->call.write == NULL;

	*len = whole ? output->len : 0;
	return whole ? output->bytes : NULL;
}

static struct dmtrace_text
string_text(const char *string)
{
	return (struct dmtrace_text){ string == NULL ? "" : string,
	    string == NULL ? 0 : strlen(string) };
}

enum dmtrace_status
dmtrace_writer_add_thread(struct dmtrace_writer *writer, uint32_t id,
    const char *name)
{
	if (writer == NULL)
		return DMTRACE_ERR_STATE;
	const struct dmtrace_thread thread = { id, string_text(name) };
	struct dmtrace_key *const key = dmtrace_writer_key(writer);

	if (key == NULL)
		return dmt_writer_refuse(writer, __func__, false);
	dmtrace_key_thread_add(key, &thread);
	return dmt_writer_check(writer);
}

enum dmtrace_status
dmtrace_writer_add_method(struct dmtrace_writer *writer, uint64_t id,
    const char *class_name, const char *name)
{
	if (writer == NULL)
		return DMTRACE_ERR_STATE;
	const struct dmtrace_method method = {
		.id = id, .class_name = string_text(class_name),
		.name = string_text(name), .signature = string_text(NULL),
		.file = string_text(NULL)
	};
	struct dmtrace_key *const key = dmtrace_writer_key(writer);

	if (key == NULL)
		return dmt_writer_refuse(writer, __func__, false);
	dmtrace_key_method_add(key, &method);
	return dmt_writer_check(writer);
}

/* The end of every open. The header of a pair or a stream is written at once,
 * as it precedes or does not need the key; that of another trace waits until it
 * is known if that is copied as a whole. */
static enum dmtrace_status
begin_writer(struct dmtrace_writer *writer, bool pair)
{
	writer->state = DMT_WRITER_OPEN;
	writer->pair = pair;
	writer->output.sync = writer->sync;
	writer->key_output.sync = writer->sync;
	writer->output.no_replace = writer->no_replace;
	writer->key_output.no_replace = writer->no_replace;
	if (pair && dmt_writer_key_is_last(writer))
		return dmt_error_set(&writer->error, DMTRACE_ERR_UNSUPPORTED,
		    "%s has no key of its own, so it cannot be a pair; "
		    "\"dmtrace convert\" changes the dialect",
		    writer->writing->format.dialect->title);
	writer->header_waits = dmt_writer_key_is_last(writer) &&
	    writer->like.reader != NULL;
	if ((pair || dmt_writer_key_is_last(writer)) && !writer->header_waits)
		dmt_writer_put_header(writer);
	return dmt_writer_check(writer);
}

enum dmtrace_status
dmtrace_writer_open_path(struct dmtrace_writer *writer, const char *path)
{
	const enum dmtrace_status status =
	    dmt_writer_check_new(writer, __func__, path == NULL);

	if (status != DMTRACE_OK)
		return status;
	const bool is_key = dmt_path_ends(path, ".key");
	if (!is_key && !dmt_path_ends(path, ".data")) {
		dmt_output_open_trace(&writer->output, path);
		return begin_writer(writer, false);
	}

	/* One file of a pair; the other one gets the matching name. */
	char *const partner = dmt_path_partner(path, 0);
	if (partner == NULL)
		return dmt_error_memory(&writer->error);
	if (dmt_output_open_trace(&writer->output, is_key ? partner : path) ==
	    DMTRACE_OK)
		dmt_output_open_trace(&writer->key_output,
		    is_key ? path : partner);
	free(partner);
	return begin_writer(writer, true);
}

enum dmtrace_status
dmtrace_writer_open_fd(struct dmtrace_writer *writer, int fd)
{
	const enum dmtrace_status status =
	    dmt_writer_check_new(writer, __func__, false);

	if (status != DMTRACE_OK)
		return status;
	dmt_output_open_fd(&writer->output, fd);
	return begin_writer(writer, false);
}

enum dmtrace_status
dmt_writer_open_file(struct dmtrace_writer *writer,
    const struct dmtrace_file *file)
{
	return file->path == NULL ? dmtrace_writer_open_fd(writer, file->fd) :
	    dmtrace_writer_open_path(writer, file->path);
}

enum dmtrace_status
dmtrace_writer_open_memory(struct dmtrace_writer *writer)
{
	const enum dmtrace_status status =
	    dmt_writer_check_new(writer, __func__, false);

	if (status != DMTRACE_OK)
		return status;
	return begin_writer(writer, false);
}

enum dmtrace_status
dmtrace_writer_open_output(struct dmtrace_writer *writer,
    const struct dmtrace_output *output)
{
	const enum dmtrace_status status =
	    dmt_writer_check_new(writer, __func__, output == NULL ||
	    output->write == NULL);

	if (status != DMTRACE_OK)
		return status;
	dmt_output_open_callback(&writer->output, output);
	return begin_writer(writer, false);
}
