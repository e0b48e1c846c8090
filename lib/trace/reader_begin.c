/* reader_begin.c - reads the key, the data header, and bytes between them */

/*
 * The steps of an open, for the containers: the key, up to its "*end"; the few
 * bytes that may precede the magic; the data header, which gives the version
 * and the offset of the records; and their layout, which depends on the
 * version, the record size and the key's clock. Records of 18 bytes may be
 * those of a preview, with ids of 8 bytes, or padded ones. Only the ids show
 * which: the layout in which more of the first records have a method that the
 * key lists is chosen. If key and header contradict each other, that is a
 * finding.
 */

#include "trace/container.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "data/header_decode.h"
#include "format/header.h"
#include "key/key.h"
#include "private/key.h"

#define PROBED_RECORDS 64	/* enough to see the width of ids */

enum dmtrace_status
dmt_reader_take_key(struct dmtrace_reader *reader)
{
	struct dmt_input *input = &reader->key_input;
	const uint8_t *bytes;
	size_t size;

	if (dmt_input_find_key(input, reader->key, &bytes, &size,
	    &reader->error) != DMTRACE_OK)
		return reader->error.status;
	if (dmt_key_decode(reader->key, bytes, size, &reader->findings) !=
	    DMTRACE_OK)
		return dmt_reader_fail(reader, dmt_key_error(reader->key));
	dmt_input_skip(input, size);
	reader->has_key = true;
	return DMTRACE_OK;
}

void
dmt_reader_take_gap(struct dmtrace_reader *reader, struct dmt_input *input,
    size_t len)
{
	size_t *count = input == &reader->key_input ? &reader->gap_in_key :
	    &reader->gap_in_data;
	const uint8_t *bytes;

	dmt_input_peek(input, len, &bytes);
	memcpy(reader->gap + reader->gap_in_key, bytes, len);
	*count = len;
	dmt_finding_add(&reader->findings, DMT_DATA_GAP, DMTRACE_PLACE_OFFSET,
	    input->offset, "%zu", len);
	dmt_input_skip(input, len);
}

enum dmtrace_status
dmt_reader_take_header(struct dmtrace_reader *reader)
{
	struct dmt_input *input = reader->input;
	const uint8_t *bytes;
	size_t len = dmt_input_peek(input, DMT_HEADER_MIN, &bytes);

	if (len >= DMT_HEADER_MIN)
		len = dmt_input_peek(input,
		    dmt_get_le16(bytes + DMT_HEADER_OFFSET), &bytes);
	if (input->error.status != DMTRACE_OK)
		return dmt_reader_fail(reader, &input->error);
	if (dmt_header_decode(&reader->header, bytes, len, input->offset,
	    &reader->findings, &reader->error) != DMTRACE_OK)
		return reader->error.status;
	len = reader->header.data_offset;
	reader->header_bytes = dmt_array_new(len, 1);
	if (reader->header_bytes == NULL)
		return dmt_error_memory(&reader->error);
	memcpy(reader->header_bytes, bytes, len);
	dmt_input_skip(input, len);
	return DMTRACE_OK;
}

/* Returns how many records of that layout have a method that the key lists. */
static size_t
count_listed_methods(const struct dmtrace_key *key,
    const struct dmt_layout *layout,
    const uint8_t *bytes, size_t len)
{
	const size_t size = layout->record_size;
	struct dmtrace_event event;
	size_t count = 0;

	for (size_t at = 0; at + size <= len; at += size) {
		dmt_record_decode(&event, layout, bytes + at, size);
		count += dmtrace_key_method_find(key, event.method) != NULL;
	}
	return count;
}

void
dmt_reader_compare(struct dmtrace_reader *reader, uint64_t header_at)
{
	const unsigned data_version =
	    dmt_version_plain(reader->header.version);
	const unsigned version = dmt_key_version(reader->key);
	const enum dmtrace_clock clock = dmt_key_clock(reader->key);
	const bool dual = reader->layout.clock == DMTRACE_CLOCK_DUAL;

	if (version != data_version)
		dmt_finding_add(&reader->findings, DMT_VERSION_DIFFERS,
		    DMTRACE_PLACE_OFFSET, header_at + DMT_HEADER_VERSION,
		    "%u and %u", version, data_version);
	if (dmtrace_clock_name(clock)[0] != '\0' &&
	    dual != (clock == DMTRACE_CLOCK_DUAL))
		dmt_finding_add(&reader->findings, DMT_CLOCK_DIFFERS,
		    DMTRACE_PLACE_OFFSET, reader->input->offset,
		    "\"%s\", and they hold %s", dmtrace_clock_name(clock),
		    dual ? "two times" : "one time");
}

enum dmtrace_status
dmt_reader_take_data(struct dmtrace_reader *reader,
    struct dmt_input *input)
{
	const struct dmt_layout *const wide = &dmt_layout_preview;
	const size_t probed = PROBED_RECORDS * wide->record_size;
	const int gap = dmt_input_find_magic(input, 0);
	const uint8_t *bytes;

	reader->input = input;
	reader->take_records = dmt_reader_take_following;
	reader->events = &dmt_events_of_records;
	if (gap > 0)
		dmt_reader_take_gap(reader, input, (size_t)gap);
	const uint64_t header_at = input->offset;
	if (dmt_reader_take_header(reader) != DMTRACE_OK)
		return reader->error.status;

	/* Only files with a key have plain versions. */
	const unsigned version = reader->header.version;
	if (dmt_version_container(version) != DMTRACE_CONTAINER_DATA) {
		free(reader->header_bytes);
		reader->header_bytes = NULL;
		return dmt_error_at(&reader->error, DMTRACE_ERR_UNSUPPORTED,
		    DMTRACE_PLACE_OFFSET, header_at + DMT_HEADER_VERSION,
		    "data version 0x%X is ART streaming, which has no key"
		    " before it", version);
	}

	/* Finds the layout. Records of 18 bytes may be those of a preview. */
	if (!dmt_layout_resolve(&reader->layout, version,
	    dmt_key_clock(reader->key), reader->header.record_size))
		return dmt_error_set(&reader->error, DMTRACE_ERR_CORRUPT,
		    "version %u has no records of %u bytes", version,
		    reader->header.record_size);
	if (reader->layout.version == wide->version &&
	    reader->layout.record_size == wide->record_size) {
		size_t len = dmt_input_peek(input, probed, &bytes);

		if (len > probed)
			len = probed;
		if (count_listed_methods(reader->key, wide, bytes, len) >
		    count_listed_methods(reader->key, &reader->layout, bytes,
		    len)) {
			reader->layout = *wide;
			dmt_finding_add(&reader->findings,
			    DMT_RECORD_IDS_WIDE, DMTRACE_PLACE_OFFSET,
			    input->offset, NULL);
		}
	}
	reader->clocks = dmt_clocks_new(&reader->layout);
	if (reader->clocks == NULL)
		return dmt_error_memory(&reader->error);
	dmt_reader_compare(reader, header_at);
	return DMTRACE_OK;
}
