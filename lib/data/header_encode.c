/* header_encode.c - encodes the data header */

#include "data/header_encode.h"

#include "base/bytes.h"
#include "format/header.h"
#include "format/layout.h"
#include "private/event.h"
#include "private/header.h"

struct dmt_header
dmt_header_of(const struct dmt_layout *layout, uint64_t start)
{
	return (struct dmt_header){
		.version = layout->version,
		.data_offset = DMT_HEADER_SIZE,
		.record_size = layout->record_size,
		.start = start
	};
}

enum dmtrace_status
dmt_header_encode(uint8_t *out, size_t len,
    const struct dmt_header *header)
{
	const size_t least = header->version < DMT_VERSION_SIZED ?
	    DMT_HEADER_MIN : DMT_HEADER_SIZED_MIN;
	struct dmt_layout layout;

	if (header->record_size == 0 ||
	    !dmt_layout_resolve(&layout, dmt_version_plain(header->version),
	    DMTRACE_CLOCK_MISSING, header->record_size) ||
	    header->data_offset < least || header->data_offset > len)
		return DMTRACE_ERR_RANGE;
	memset(out, 0, header->data_offset);
	memcpy(out, DMT_MAGIC, DMT_MAGIC_SIZE);
	dmt_put_le16(out + DMT_HEADER_VERSION, header->version);
	dmt_put_le16(out + DMT_HEADER_OFFSET, header->data_offset);
	dmt_put_le64(out + DMT_HEADER_START, header->start);
	if (dmt_header_is_sized(header->version, header->data_offset))
		dmt_put_le16(out + DMT_HEADER_RECORD_SIZE,
		    header->record_size);
	return DMTRACE_OK;
}
