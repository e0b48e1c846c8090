/* eventlog_reader.c - reads the entries of a file, one after another */

/*
 * Headers of versions 2 and 3 have the same size: where version 2 has the user
 * id of the writer, version 3 has the id of the log. The first MiB decides. It
 * is version 3 if the highest value is a log id, 1 to 7, or if all are 0 and
 * have payloads of that log, text; otherwise it is version 2. If all are 0,
 * that is a guess, which is reported as a finding.
 *
 * After a header of an unknown size, the beginning of the next entry is
 * unknown: the rest of the file is returned as raw bytes, and so is a
 * truncated last entry.
 */

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/input.h"
#include "eventlog/entry.h"
#include "format/other_format.h"
#include "private/eventlog.h"

struct dmtrace_eventlog_reader {
	struct dmt_input input;
	bool open;
	bool decided;
	bool lost;			/* the rest is raw bytes */
	struct dmt_entry_decoder decoder;
	struct dmt_findings findings;
	struct dmtrace_error error;
};

struct dmtrace_eventlog_reader *
dmtrace_eventlog_reader_new(const struct dmtrace_eventlog_options *options)
{
	struct dmtrace_eventlog_reader *const reader =
	    dmt_array_new(1, sizeof(*reader));

	if (reader == NULL)
		return NULL;
	dmt_input_open_memory(&reader->input, NULL, 0);
	reader->decoder.findings = &reader->findings;
	if (options != NULL) {
		reader->decoder.tags = options->tags;
		reader->decoder.version_24 = options->header;
		reader->decided = options->header != 0;
		reader->findings.report = options->report;
		reader->findings.context = options->context;
	}
	return reader;
}

void
dmtrace_eventlog_reader_free(struct dmtrace_eventlog_reader *reader)
{
	if (reader == NULL)
		return;
	dmt_input_fini(&reader->input);
	dmt_entry_decoder_fini(&reader->decoder);
	free(reader);
}

const struct dmtrace_error *
dmtrace_eventlog_reader_error(const struct dmtrace_eventlog_reader *reader)
{
	return reader == NULL ? &dmt_error_null : &reader->error;
}

static enum dmtrace_status
begin_eventlog(struct dmtrace_eventlog_reader *reader, const char *call)
{
	const unsigned version = reader->decoder.version_24;

	if (reader->error.status != DMTRACE_OK)
		return reader->error.status;
	if (reader->open)
		return dmt_error_set(&reader->error, DMTRACE_ERR_STATE,
		    "%s: the reader is open already", call);
	if (version != 0 && version != 2 && version != 3)
		return dmt_error_set(&reader->error, DMTRACE_ERR_RANGE,
		    "headers of 24 bytes are version 2 or 3, not %u",
		    version);
	reader->open = true;
	return reader->error.status;
}

static enum dmtrace_status
keep_input_error(struct dmtrace_eventlog_reader *reader)
{
	if (reader->input.error.status != DMTRACE_OK)
		reader->error = reader->input.error;
	return reader->error.status;
}

/* No entry begins as a key or data do: the header size would be wrong. */
static bool
begins_as_trace(struct dmt_input *input)
{
	static const char *const begins[] = { "*version", "SLOW" };
	const uint8_t *bytes;
	const size_t len = dmt_input_peek(input, 8, &bytes);

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (len >= strlen(begins[i]) &&
		    memcmp(bytes, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

/* Returns true, with error set, if what is no entry begins another format. */
static bool
begins_as_other(struct dmtrace_eventlog_reader *reader)
{
	const uint8_t *bytes;
	const size_t len = dmt_input_peek(&reader->input,
	    DMT_OTHER_FORMAT_PROBE, &bytes);

	return len >= DMT_ENTRY_FRONT && dmt_entry_header_size(bytes) == 0 &&
	    dmt_other_format_name(&reader->error, bytes, len);
}

enum dmtrace_status
dmtrace_eventlog_reader_open(struct dmtrace_eventlog_reader *reader,
    const struct dmtrace_file *file)
{
	if (reader == NULL)
		return DMTRACE_ERR_STATE;
	if (file == NULL)
		return dmt_error_null_given(&reader->error, __func__);
	if (begin_eventlog(reader, __func__) != DMTRACE_OK)
		return reader->error.status;
	dmt_input_open_file(&reader->input, file);
	if (begins_as_trace(&reader->input))
		return dmt_error_set(&reader->error, DMTRACE_ERR_NOT_TRACE,
		    "this is a method trace, not an event log; "
		    "\"dmtrace dump\" prints it");
	if (begins_as_other(reader))
		return reader->error.status;
	return keep_input_error(reader);
}

enum dmtrace_status
dmt_eventlog_reader_open_memory(struct dmtrace_eventlog_reader *reader,
    const void *bytes, size_t len)
{
	if (begin_eventlog(reader, __func__) == DMTRACE_OK)
		dmt_input_open_memory(&reader->input, bytes, len);
	return reader->error.status;
}

struct dmtrace_eventlog_reader *
dmt_eventlog_reader_of(const struct dmtrace_eventlog_options *options,
    struct dmt_input *input)
{
	struct dmtrace_eventlog_reader *const reader =
	    dmtrace_eventlog_reader_new(options);

	if (reader == NULL)
		return NULL;
	reader->open = true;
	reader->input = *input;
	dmt_input_open_memory(input, NULL, 0);
	return reader;
}

/* Returns the size of the entry at in; 0: it is not valid or not complete. */
static size_t
entry_size(const uint8_t *in, size_t len)
{
	const size_t header =
	    len < DMT_ENTRY_FRONT ? 0 : dmt_entry_header_size(in);
	const size_t size = header == 0 ? 0 : header + dmt_get_le16(in);

	return size > len ? 0 : size;
}

static void
decide_version(struct dmtrace_eventlog_reader *reader)
{
	const uint8_t *in;
	size_t size;
	size_t len =
	    dmt_input_peek(&reader->input, DMT_EVENTLOG_WINDOW, &in);
	uint64_t first = 0, at = 0;
	uint32_t highest = 0;
	bool any = false, fits = true;

	for (; (size = entry_size(in, len)) > 0; in += size, len -= size,
	    at += size) {
		if (dmt_get_le16(in + 2) != 24)
			continue;
		const uint32_t id = dmt_get_le32(in + 20);
		if (!any)
			first = at;
		any = true;
		if (id > highest)
			highest = id;
		fits = fits && dmt_entry_fits_log(id, in + 24, size - 24);
	}
	reader->decided = true;
	reader->decoder.version_24 =
	    fits || (highest > 0 && highest <= DMTRACE_LOG_KERNEL) ? 3 : 2;
	if (any && highest == 0)
		dmt_entry_find(&reader->decoder, DMT_LOG_HEADER_AMBIGUOUS,
		    first + 20, "every id is 0; read as version %u",
		    reader->decoder.version_24);
}

/* Returns up to len bytes as they are, as they are not an entry. */
static void
take_raw(struct dmtrace_eventlog_reader *reader, struct dmtrace_entry *entry,
    const uint8_t *in, size_t len)
{
	*entry = (struct dmtrace_entry){
		.kind = DMTRACE_ENTRY_RAW,
		.offset = reader->input.offset,
		.bytes = { (const char *)in, len }
	};
	reader->lost = true;
	dmt_input_skip(&reader->input, len);
}

enum dmtrace_status
dmtrace_eventlog_reader_read(struct dmtrace_eventlog_reader *reader,
    struct dmtrace_entry *entry)
{
	if (reader == NULL)
		return DMTRACE_ERR_STATE;
	if (entry == NULL)
		return dmt_error_null_given(&reader->error, __func__);
	struct dmt_input *const input = &reader->input;
	struct dmt_entry_decoder *const decoder = &reader->decoder;
	const uint64_t offset = input->offset;
	const uint8_t *in;

	if (!reader->open)
		return dmt_error_set(&reader->error, DMTRACE_ERR_STATE,
		    "%s: the reader is not open", __func__);
	if (!reader->decided)
		decide_version(reader);
	size_t len = dmt_input_peek(input, DMT_ENTRY_MAX, &in);
	if (len > DMT_ENTRY_MAX)
		len = DMT_ENTRY_MAX;
	if (reader->error.status != DMTRACE_OK ||
	    input->error.status != DMTRACE_OK)
		return keep_input_error(reader);
	if (len == 0)
		return DMTRACE_END;
	const size_t size = entry_size(in, len);
	if (reader->lost || size == 0) {
		if (!reader->lost && len >= DMT_ENTRY_FRONT &&
		    dmt_entry_header_size(in) == 0)
			dmt_entry_find(decoder, DMT_LOG_HEADER_BAD,
			    offset + 2, "%u", (unsigned)dmt_get_le16(in + 2));
		else if (!reader->lost)
			dmt_entry_find(decoder, DMT_LOG_ENTRY_TRUNCATED, offset,
			    "%zu bytes are left", len);
		take_raw(reader, entry, in, len);
		return DMTRACE_OK;
	}
	if (!dmt_entry_decode(decoder, entry, in, size, offset))
		return dmt_error_memory(&reader->error);
	dmt_input_skip(input, size);
	return DMTRACE_OK;
}
