/* reader_begin.c - the key, the data header, and what stands around them */

#include "trace/container.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "data/header_decode.h"
#include "format/header.h"
#include "key/key.h"

#define PROBED_RECORDS 64	/* to tell wide ids by */

enum dmtrace_status
dmt_reader_take_key(struct dmtrace_reader *reader)
{
	struct dmt_source *source = &reader->key_source;
	const uint8_t *bytes;
	size_t size;

	if (dmt_source_find_key(source, reader->key, &bytes, &size,
	    &reader->error) != DMTRACE_OK)
		return reader->error.status;
	if (dmt_key_decode(reader->key, bytes, size, &reader->findings) !=
	    DMTRACE_OK)
		return dmt_reader_fail(reader, dmtrace_key_error(reader->key));
	dmt_source_skip(source, size);
	reader->has_key = true;
	return DMTRACE_OK;
}

void
dmt_reader_take_gap(struct dmtrace_reader *reader, struct dmt_source *source,
    size_t len)
{
	size_t *count = source == &reader->key_source ? &reader->gap_in_key :
	    &reader->gap_in_data;
	const uint8_t *bytes;

	if (len == 0)
		return;
	dmt_source_peek(source, len, &bytes);
	memcpy(reader->gap + reader->gap_in_key, bytes, len);
	*count = len;
	dmt_finding_add(&reader->findings, DMT_DATA_GAP, DMTRACE_PLACE_OFFSET,
	    source->offset, "%zu", len);
	dmt_source_skip(source, len);
}

static enum dmtrace_status
take_header(struct dmtrace_reader *reader)
{
	struct dmt_source *source = reader->source;
	const uint8_t *bytes;
	size_t len = dmt_source_peek(source, DMT_HEADER_MIN, &bytes);

	if (len >= DMT_HEADER_MIN)
		len = dmt_source_peek(source,
		    dmt_get_le16(bytes + DMT_HEADER_OFFSET), &bytes);
	if (source->error.status != DMTRACE_OK)
		return dmt_reader_fail(reader, &source->error);
	if (dmt_header_decode(&reader->header, bytes, len, source->offset,
	    &reader->findings, &reader->error) != DMTRACE_OK)
		return reader->error.status;
	len = reader->header.data_offset;
	reader->header_bytes = dmt_array_new(len, 1);
	if (reader->header_bytes == NULL)
		return dmt_error_memory(&reader->error);
	memcpy(reader->header_bytes, bytes, len);
	dmt_source_skip(source, len);
	return DMTRACE_OK;
}

static size_t
listed(const struct dmtrace_key *key, const struct dmtrace_layout *layout,
    const uint8_t *bytes, size_t len)
{
	const size_t size = layout->record_size;
	struct dmtrace_event event;
	size_t count = 0;

	for (size_t at = 0; at + size <= len; at += size) {
		dmtrace_record_decode(&event, layout, bytes + at, size);
		count += dmtrace_key_method_find(key, event.method) != NULL;
	}
	return count;
}

/* Nothing in a file tells the two layouts of 18 bytes but their ids. */
static bool
has_wide_ids(struct dmtrace_reader *reader)
{
	const struct dmtrace_layout *wide = &dmt_layout_preview;
	const size_t probed = PROBED_RECORDS * wide->record_size;
	const uint8_t *bytes;

	if (reader->layout.version != wide->version ||
	    reader->layout.record_size != wide->record_size)
		return false;
	size_t len = dmt_source_peek(reader->source, probed, &bytes);
	if (len > probed)
		len = probed;
	return listed(reader->key, wide, bytes, len) >
	    listed(reader->key, &reader->layout, bytes, len);
}

static enum dmtrace_status
take_layout(struct dmtrace_reader *reader)
{
	if (!dmt_layout_resolve(&reader->layout, reader->header.version,
	    dmtrace_key_clock(reader->key), reader->header.record_size))
		return dmt_error_set(&reader->error, DMTRACE_ERR_CORRUPT,
		    "version %u has no records of %u bytes",
		    reader->header.version, reader->header.record_size);
	if (has_wide_ids(reader)) {
		reader->layout = dmt_layout_preview;
		dmt_finding_add(&reader->findings, DMT_RECORD_IDS_WIDE,
		    DMTRACE_PLACE_OFFSET, reader->source->offset, NULL);
	}
	reader->clocks = dmt_clocks_new(&reader->layout);
	return reader->clocks == NULL ? dmt_error_memory(&reader->error) :
	    DMTRACE_OK;
}

/* What the key says that the data does not. */
static void
compare(struct dmtrace_reader *reader, uint64_t header_at)
{
	const unsigned version = dmtrace_key_version(reader->key);
	const enum dmtrace_clock clock = dmtrace_key_clock(reader->key);
	const bool dual = reader->layout.clock == DMTRACE_CLOCK_DUAL;

	if (version != reader->header.version)
		dmt_finding_add(&reader->findings, DMT_VERSION_DIFFERS,
		    DMTRACE_PLACE_OFFSET, header_at + DMT_HEADER_VERSION,
		    "%u and %u", version, reader->header.version);
	if (dmtrace_clock_word(clock)[0] != '\0' &&
	    dual != (clock == DMTRACE_CLOCK_DUAL))
		dmt_finding_add(&reader->findings, DMT_CLOCK_DIFFERS,
		    DMTRACE_PLACE_OFFSET, reader->source->offset,
		    "\"%s\", and they hold %s", dmtrace_clock_word(clock),
		    dual ? "two times" : "one time");
}

enum dmtrace_status
dmt_reader_take_data(struct dmtrace_reader *reader,
    struct dmt_source *source)
{
	const int gap = dmt_source_find_magic(source, 0);

	reader->source = source;
	if (gap > 0)
		dmt_reader_take_gap(reader, source, (size_t)gap);
	const uint64_t header_at = source->offset;
	enum dmtrace_status status = take_header(reader);
	if (status == DMTRACE_OK)
		status = take_layout(reader);
	if (status == DMTRACE_OK)
		compare(reader, header_at);
	return status;
}
