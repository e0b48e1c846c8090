/* record.h - the fields of a record, as they stand in it */
#ifndef DMT_DATA_RECORD_H
#define DMT_DATA_RECORD_H

#include "base/bytes.h"
#include "format/layout.h"

DMT_INLINE uint64_t
dmt_field_get(struct dmt_field field, const uint8_t *in)
{
	return dmt_get_le(in + field.offset, field.width);
}

DMT_INLINE enum dmtrace_action
dmt_record_action(const struct dmtrace_layout *layout, const uint8_t *in)
{
	return (enum dmtrace_action)(in[layout->method.offset] & 3);
}

#endif
