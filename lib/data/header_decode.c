/* header_decode.c - decodes the data header */

/*
 * A header has a magic, the version, the data offset and the start time, and
 * in version 3 a record size, if the data offset leaves space for it. A header
 * is refused if it does not lead to the records; anything else that is unusual
 * is a finding. The record size may be larger than the sum of a record's
 * fields: readers skip what they do not know. Repair uses the fields without
 * these checks.
 */

#include "data/header_decode.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/escape.h"
#include "format/header.h"
#include "format/layout.h"
#include "private/event.h"
#include "private/header.h"

/* The bytes to decode, and where findings and errors go. */
struct view {
	const uint8_t *in;
	size_t len;
	uint64_t at;
	struct dmt_findings *findings;
	struct dmtrace_error *error;
};

struct dmt_header_fields
dmt_header_look(const uint8_t *bytes, size_t len)
{
	struct dmt_header_fields fields = { .has_magic =
	    len >= DMT_MAGIC_SIZE &&
	    memcmp(bytes, DMT_MAGIC, DMT_MAGIC_SIZE) == 0 };

	if (len >= DMT_HEADER_OFFSET)
		fields.version = dmt_get_le16(bytes + DMT_HEADER_VERSION);
	if (len >= DMT_HEADER_START)
		fields.data_offset = dmt_get_le16(bytes + DMT_HEADER_OFFSET);
	if (len >= DMT_HEADER_MIN)
		fields.start = dmt_get_le64(bytes + DMT_HEADER_START);
	if (len >= DMT_HEADER_SIZED_MIN &&
	    dmt_header_is_sized(fields.version, fields.data_offset))
		fields.record_size =
		    dmt_get_le16(bytes + DMT_HEADER_RECORD_SIZE);
	return fields;
}

bool
dmt_header_find_layout(struct dmt_layout *layout,
    const struct dmt_header_fields *fields, enum dmtrace_clock clock)
{
	return (fields->record_size > 0 ||
	    !dmt_header_is_sized(fields->version, fields->data_offset)) &&
	    dmt_layout_resolve(layout, fields->version, clock,
	    (uint16_t)fields->record_size);
}

static enum dmtrace_status
check_magic(const struct view *view)
{
	const size_t len =
	    view->len < DMT_MAGIC_SIZE ? view->len : DMT_MAGIC_SIZE;
	char shown[DMT_FRONT_MAX];

	if (len > 0 && memcmp(view->in, DMT_MAGIC, len) != 0)
		return dmt_error_at(view->error, DMTRACE_ERR_CORRUPT,
		    DMTRACE_PLACE_OFFSET, view->at,
		    "the data begins with \"%s\", not \"" DMT_MAGIC "\"",
		    dmt_escape_front(shown, view->in, view->len));
	if (view->len < DMT_HEADER_MIN)
		return dmt_error_at(view->error, DMTRACE_ERR_TRUNCATED,
		    DMTRACE_PLACE_OFFSET, view->at + view->len,
		    "the data header ends after %zu bytes, not %d",
		    view->len, DMT_HEADER_MIN);
	return DMTRACE_OK;
}

static enum dmtrace_status
check_version(const struct view *view, unsigned version)
{
	const uint64_t at = view->at + DMT_HEADER_VERSION;

	if (version >= DMT_VERSION_MIN && version <= DMT_VERSION_MAX)
		return DMTRACE_OK;
	switch (dmt_version_container(version)) {
	case DMTRACE_CONTAINER_STREAM:
		return DMTRACE_OK;
	case DMTRACE_CONTAINER_PACKETS:
		return dmt_error_at(view->error, DMTRACE_ERR_UNSUPPORTED,
		    DMTRACE_PLACE_OFFSET, at, "data version 0x%X is ART trace"
		    " format V2, which has no key before it", version);
	default:
		return dmt_error_at(view->error, DMTRACE_ERR_VERSION,
		    DMTRACE_PLACE_OFFSET, at, "data version %u is unknown;"
		    " versions 1 to 3 can be read", version);
	}
}

static enum dmtrace_status
check_offset(const struct view *view, unsigned data_offset)
{
	if (data_offset < DMT_HEADER_MIN)
		return dmt_error_at(view->error, DMTRACE_ERR_CORRUPT,
		    DMTRACE_PLACE_OFFSET, view->at + DMT_HEADER_OFFSET,
		    "the data offset is %u, not at least %d", data_offset,
		    DMT_HEADER_MIN);
	if (data_offset > view->len)
		return dmt_error_at(view->error, data_offset > DMT_HEADER_SIZE
		    ? DMTRACE_ERR_CORRUPT : DMTRACE_ERR_TRUNCATED,
		    DMTRACE_PLACE_OFFSET, view->at + view->len,
		    "the data ends after %zu bytes, before its data offset"
		    " %u", view->len, data_offset);
	return DMTRACE_OK;
}

/* Version 3 and streams store the record size. Other versions, and headers too
 * short to hold one, have the size of their fields. So does a stream that
 * states less than its fields need: other readers only look at its version. */
static enum dmtrace_status
decode_record_size(struct dmt_header *header, const struct view *view)
{
	const unsigned version = dmt_version_plain(header->version);
	const struct dmt_layout *smallest =
	    dmt_layout_find(version, DMTRACE_CLOCK_MISSING);
	const bool streams = dmt_version_container(header->version) ==
	    DMTRACE_CONTAINER_STREAM;
	struct dmt_layout layout;
	uint16_t stated = 0;

	if (dmt_header_is_sized(header->version, header->data_offset)) {
		stated = dmt_get_le16(view->in + DMT_HEADER_RECORD_SIZE);
		if (streams && dmt_layout_resolve(&layout, version,
		    DMTRACE_CLOCK_MISSING, 0) && stated < layout.record_size)
			stated = 0;
		else if (stated < smallest->record_size)
			return dmt_error_at(view->error, DMTRACE_ERR_CORRUPT,
			    DMTRACE_PLACE_OFFSET,
			    view->at + DMT_HEADER_RECORD_SIZE,
			    "the record size is %u, not at least %u", stated,
			    smallest->record_size);
	}
	header->record_size = stated;
	if (dmt_layout_resolve(&layout, version, DMTRACE_CLOCK_MISSING,
	    stated))
		header->record_size = layout.record_size;
	return DMTRACE_OK;
}

/* Returns how many bytes of a record are fields. */
static unsigned
fields_size(const struct dmt_header *header)
{
	struct dmt_layout layout;

	if (!dmt_layout_resolve(&layout, dmt_version_plain(header->version),
	    DMTRACE_CLOCK_MISSING, header->record_size))
		layout = *dmt_layout_find(
		    dmt_version_plain(header->version), DMTRACE_CLOCK_MISSING);
	return (unsigned)dmt_layout_fields_size(&layout);
}

static void
note_record_size(const struct dmt_header *header, const struct view *view)
{
	const unsigned used = fields_size(header);

	if (header->version >= DMT_VERSION_SIZED &&
	    !dmt_header_is_sized(header->version, header->data_offset))
		dmt_finding_add(view->findings, DMT_RECORD_SIZE_MISSING,
		    DMTRACE_PLACE_OFFSET, view->at + DMT_HEADER_OFFSET,
		    "the data offset is %u; %u assumed", header->data_offset,
		    header->record_size);
	if (header->record_size != used)
		dmt_finding_add(view->findings, DMT_RECORD_SIZE_LARGE,
		    DMTRACE_PLACE_OFFSET, view->at + DMT_HEADER_RECORD_SIZE,
		    "%u bytes, of which %u are used", header->record_size,
		    used);
}

static void
note_padding(const struct dmt_header *header, const struct view *view)
{
	size_t i = dmt_header_is_sized(header->version, header->data_offset)
	    ? DMT_HEADER_SIZED_MIN : DMT_HEADER_MIN;

	while (i < header->data_offset && view->in[i] == 0)
		i++;
	if (i < header->data_offset)
		dmt_finding_add(view->findings, DMT_HEADER_PADDING,
		    DMTRACE_PLACE_OFFSET, view->at + i, "0x%02x",
		    view->in[i]);
}

enum dmtrace_status
dmt_header_decode(struct dmt_header *header, const uint8_t *in,
    size_t len, uint64_t at, struct dmt_findings *findings,
    struct dmtrace_error *error)
{
	const struct view view = { in, len, at, findings, error };
	struct dmt_header decoded;
	enum dmtrace_status status = check_magic(&view);

	if (status != DMTRACE_OK)
		return status;
	const struct dmt_header_fields fields = dmt_header_look(in, len);
	decoded.version = (uint16_t)fields.version;
	decoded.data_offset = (uint16_t)fields.data_offset;
	decoded.start = fields.start;
	if ((status = check_version(&view, decoded.version)) != DMTRACE_OK ||
	    (status = check_offset(&view, decoded.data_offset)) != DMTRACE_OK ||
	    (status = decode_record_size(&decoded, &view)) != DMTRACE_OK)
		return status;
	note_record_size(&decoded, &view);
	note_padding(&decoded, &view);
	*header = decoded;
	return DMTRACE_OK;
}

/*
 * No field says what the start time counts, so its value decides. Seconds in
 * the high half and less than a million in the low half are of the test
 * generator; a time since boot is far less than the microseconds of September
 * 2001.
 */
enum dmtrace_start_kind
dmt_header_start_kind(const struct dmt_header *header)
{
	const uint64_t september_2001_s = 1000000000;
	const uint64_t usec_per_s = 1000000;

	if (header->start >> 32 >= september_2001_s &&
	    (uint32_t)header->start < usec_per_s)
		return DMTRACE_START_SEC_USEC;
	if (header->start > september_2001_s * usec_per_s)
		return DMTRACE_START_EPOCH;
	return DMTRACE_START_BOOT;
}

uint64_t
dmt_header_start_us(const struct dmt_header *header)
{
	return dmt_header_start_kind(header) == DMTRACE_START_SEC_USEC ?
	    (header->start >> 32) * 1000000 + (uint32_t)header->start :
	    header->start;
}

bool
dmt_header_start_epoch(const struct dmt_header *header, uint64_t *us)
{
	const enum dmtrace_start_kind kind = dmt_header_start_kind(header);

	if (kind == DMTRACE_START_BOOT)
		return false;
	*us = dmt_header_start_us(header);
	return true;
}
