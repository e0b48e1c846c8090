/* reader.c - creating a reader, its settings, and facts about the trace */

/*
 * A reader is created and configured, opened (reader_open.c), and read, once
 * or several times (reader_read.c); reader_source.c makes it a source of the
 * pipeline. It owns what it knows of the trace: the key, the header, and the
 * bytes around the records, from which a writer can make an identical trace.
 * It stores its first failure.
 */

#include "trace/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "key/key.h"
#include "private/key.h"
#include "trace/dialect.h"
#include "trace/follow.h"
#include "trace/packets.h"
#include "trace/v2_read.h"

struct dmtrace_reader *
dmtrace_reader_new(void)
{
	struct dmtrace_reader *reader = calloc(1, sizeof(*reader));

	if (reader == NULL)
		return NULL;
	dmt_input_open_memory(&reader->key_input, NULL, 0);
	dmt_input_open_memory(&reader->data_input, NULL, 0);
	reader->dialect = &dmt_dialect_records;
	reader->ends_at = UINT64_MAX;
	reader->key = dmt_key_new();
	if (reader->key == NULL) {
		free(reader);
		return NULL;
	}
	return reader;
}

void
dmtrace_reader_free(struct dmtrace_reader *reader)
{
	if (reader == NULL)
		return;
	dmt_input_fini(&reader->key_input);
	dmt_input_fini(&reader->data_input);
	dmt_key_free(reader->key);
	dmt_definitions_fini(&reader->definitions);
	dmt_clocks_free(reader->clocks);
	dmt_v2_free(reader->v2);
	dmt_packet_cursor_free(reader->cursor);
	dmt_following_free(reader->following);
	free(reader->header_bytes);
	free(reader->thread_name.bytes);
	free(reader->method_name.bytes);
	free(reader);
}

enum dmtrace_status
dmt_reader_fail(struct dmtrace_reader *reader,
    const struct dmtrace_error *error)
{
	if (reader->error.status == DMTRACE_OK)
		reader->error = *error;
	return reader->error.status;
}

enum dmtrace_status
dmt_reader_narrow(struct dmtrace_reader *reader, struct dmt_pool *pool,
    size_t room)
{
	struct dmtrace_key *const key = dmt_key_new();

	if (key == NULL)
		return dmt_error_memory(&reader->error);
	dmt_key_free(reader->key);
	reader->key = key;
	if (reader->input != &reader->key_input)
		dmt_input_fini(&reader->key_input);
	dmt_pool_join(pool, reader->input, room);
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_reader_check_start(const struct dmtrace_reader *reader,
    struct dmtrace_error *error, const char *call)
{
	if (reader->error.status != DMTRACE_OK) {
		if (error->status == DMTRACE_OK)
			*error = reader->error;
		return error->status;
	}
	if (dmt_reader_layout(reader) == NULL)
		return dmt_error_set(error, DMTRACE_ERR_STATE,
		    "%s: the reader is not open", call);
	return reader->position == 0 ? DMTRACE_OK : dmt_error_set(error,
	    DMTRACE_ERR_STATE, "%s: events of the reader were read before",
	    call);
}

uint64_t
dmt_reader_found(const struct dmtrace_reader *reader,
    enum dmt_finding finding)
{
	return reader->findings.tallies[finding].count;
}

bool
dmt_reader_is_cut(const struct dmtrace_reader *reader)
{
	static const enum dmt_finding cuts[] = {
		DMT_STREAM_TRUNCATED, DMT_STREAM_PACKET_UNKNOWN,
		DMT_RECORD_PARTIAL, DMT_DATA_TEXT
	};

	for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++)
		if (dmt_reader_found(reader, cuts[i]) > 0)
			return true;
	return false;
}

bool
dmt_reader_reads(const struct dmtrace_reader *reader, const char *path)
{
	const int fds[] = { reader->key_input.fd, reader->data_input.fd };
	struct stat from, to;

	if (stat(path, &to) != 0)
		return false;
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0 && fstat(fds[i], &from) == 0 &&
		    from.st_dev == to.st_dev && from.st_ino == to.st_ino)
			return true;
	return false;
}

bool
dmt_reader_is_file(const struct dmtrace_reader *reader)
{
	return reader->input->fd >= 0 &&
	    (reader->input->seekable || reader->input->packed);
}

uint64_t
dmt_reader_size(const struct dmtrace_reader *reader)
{
	return dmt_input_size(reader->input);
}

/* Returns how much of the lead is in the data file of a pair. */
static size_t
data_lead_len(const struct dmtrace_reader *reader)
{
	return reader->gap_in_data + reader->header.data_offset;
}

uint64_t
dmt_reader_records_in(const struct dmtrace_reader *reader, uint64_t len)
{
	const size_t lead = data_lead_len(reader);

	return len < lead ? 0 : dmt_records_in(&reader->layout, len - lead);
}

size_t
dmt_reader_lead_len(const struct dmtrace_reader *reader)
{
	return reader->gap_in_key + data_lead_len(reader);
}

size_t
dmt_reader_copy_lead(const struct dmtrace_reader *reader, uint8_t *out)
{
	out = dmt_put_bytes(out, reader->gap,
	    reader->gap_in_key + reader->gap_in_data);
	dmt_put_bytes(out, reader->header_bytes, reader->header.data_offset);
	struct dmt_trace_format format;
	dmt_reader_format(reader, &format);
	if (format.dialect->mark != NULL && !format.headless)
		format.dialect->mark(&format, out);
	return dmt_reader_lead_len(reader);
}

enum dmtrace_status
dmt_reader_refuse(struct dmtrace_reader *reader, const char *call,
    bool null_given)
{
	if (reader == NULL)
		return DMTRACE_ERR_STATE;
	return null_given ? dmt_error_null_given(&reader->error, call) :
	    dmt_error_set(&reader->error, DMTRACE_ERR_STATE,
	    "%s: the reader is %s", call,
	    reader->state == DMT_READER_NEW ? "not open" : "open already");
}

const struct dmtrace_error *
dmtrace_reader_error(const struct dmtrace_reader *reader)
{
	if (reader == NULL)
		return &dmt_error_null;
	return &reader->error;
}

enum dmtrace_status
dmtrace_reader_set_limit(struct dmtrace_reader *reader,
    enum dmtrace_limit limit, uint64_t value)
{
	if (reader == NULL || reader->state != DMT_READER_NEW)
		return dmt_reader_refuse(reader, __func__, false);
	const enum dmtrace_status status =
	    dmt_key_set_limit(reader->key, limit, value);
	if (status != DMTRACE_OK)
		dmt_error_set(&reader->error, status,
		    "%s: limit %d cannot be set", __func__, (int)limit);
	return status;
}

enum dmtrace_status
dmtrace_reader_set_report(struct dmtrace_reader *reader,
    dmtrace_finding_fn *report, void *context)
{
	if (reader == NULL || reader->state != DMT_READER_NEW)
		return dmt_reader_refuse(reader, __func__, false);
	reader->findings.report = report;
	reader->findings.context = context;
	return DMTRACE_OK;
}

enum dmtrace_container
dmt_reader_container(const struct dmtrace_reader *reader)
{
	return reader->container;
}

/* Returns the path of an open input, NULL if it was not opened by path. */
static const char *
opened_path(const struct dmt_input *input)
{
	return input->fd < 0 ? NULL : input->path;
}

const char *
dmt_reader_key_path(const struct dmtrace_reader *reader)
{
	return opened_path(&reader->key_input);
}

const char *
dmt_reader_data_path(const struct dmtrace_reader *reader)
{
	return opened_path(reader->input == &reader->key_input ?
	    &reader->key_input : &reader->data_input);
}

const struct dmtrace_key *
dmtrace_reader_key(const struct dmtrace_reader *reader)
{
	if (reader == NULL)
		return NULL;
	return reader->has_key ? reader->key : NULL;
}

const struct dmt_header *
dmt_reader_header(const struct dmtrace_reader *reader)
{
	return reader->header_bytes == NULL ? NULL : &reader->header;
}

void
dmt_reader_format(const struct dmtrace_reader *reader,
    struct dmt_trace_format *format)
{
	*format = (struct dmt_trace_format){
		.dialect = reader->dialect,
		.version = reader->header.version,
		.layout = reader->layout
	};
	if (reader->v2 != NULL)
		dmt_format_set_blocks(format,
		    dmt_v2_reading_form(reader->v2));
}

unsigned
dmt_reader_start_rest(const struct dmtrace_reader *reader)
{
	return reader->start_rest_ns;
}

const struct dmt_layout *
dmt_reader_layout(const struct dmtrace_reader *reader)
{
	if (reader == NULL)
		return NULL;
	return reader->state == DMT_READER_OPEN ||
	    reader->state == DMT_READER_ENDED ? &reader->layout : NULL;
}

uint64_t
dmt_reader_position(const struct dmtrace_reader *reader)
{
	return reader->position;
}

enum dmtrace_status
dmtrace_reader_info_get(const struct dmtrace_reader *reader,
    struct dmtrace_reader_info *info)
{
	if (reader == NULL || info == NULL)
		return DMTRACE_ERR_STATE;
	const struct dmt_header *const header = dmt_reader_header(reader);
	const struct dmt_layout *const layout = dmt_reader_layout(reader);

	*info = (struct dmtrace_reader_info){
		.container = reader->container,
		.key_path = dmt_reader_key_path(reader),
		.data_path = dmt_reader_data_path(reader),
		.events = reader->position
	};
	if (header != NULL) {
		info->version = header->version;
		info->start = header->start;
		info->start_kind = dmt_header_start_kind(header);
	}
	if (layout != NULL) {
		info->clock = layout->clock;
		info->record_size = layout->record_size;
	}
	return DMTRACE_OK;
}

size_t
dmt_reader_finding_count(const struct dmtrace_reader *reader)
{
	return reader->findings.used;
}

const struct dmtrace_finding *
dmtrace_reader_finding_get(struct dmtrace_reader *reader, size_t index)
{
	if (reader == NULL)
		return NULL;
	return dmt_finding_get(&reader->findings, index);
}

/* Makes space for a name of that many bytes and a NUL. false: no memory. */
static bool
reserve_name(struct dmt_reader_name *name, size_t len)
{
	char *const bytes =
	    dmt_array_grow(name->bytes, &name->size, len + 1, 1);

	if (bytes != NULL)
		name->bytes = bytes;
	return bytes != NULL;
}

const char *
dmtrace_reader_thread_name(struct dmtrace_reader *reader, uint32_t thread)
{
	if (reader == NULL)
		return NULL;
	struct dmt_reader_name *const name = &reader->thread_name;
	const struct dmtrace_thread *const row = reader->has_key ?
	    dmtrace_key_thread_find(reader->key, thread) : NULL;

	if (!reserve_name(name, row == NULL ? 16 : row->name.len))
		return NULL;
	if (row == NULL)
		snprintf(name->bytes, name->size, "%" PRIu32, thread);
	else
		snprintf(name->bytes, name->size, "%.*s",
		    (int)row->name.len, row->name.bytes);
	return name->bytes;
}

const char *
dmtrace_reader_method_name(struct dmtrace_reader *reader, uint64_t method)
{
	if (reader == NULL)
		return NULL;
	struct dmt_reader_name *const name = &reader->method_name;
	const struct dmtrace_method *const row = reader->has_key ?
	    dmtrace_key_method_find(reader->key, method) : NULL;

	if (!reserve_name(name, row == NULL ? 24 :
	    row->class_name.len + row->name.len + 1))
		return NULL;
	if (row == NULL) {
		snprintf(name->bytes, name->size, "0x%" PRIx64,
		    method);
		return name->bytes;
	}
	/* A string ends at a NUL. */
	const size_t class_len = row->class_name.len == 0 ? 0 :
	    strnlen(row->class_name.bytes, row->class_name.len);
	snprintf(name->bytes, name->size, "%.*s%s%.*s",
	    (int)class_len, row->class_name.bytes,
	    row->class_name.len == 0 ? "" : ".",
	    (int)row->name.len, row->name.bytes);
	for (size_t i = 0; i < class_len; i++)
		if (name->bytes[i] == '/')
			name->bytes[i] = '.';
	return name->bytes;
}
