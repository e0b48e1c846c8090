/* proto_decode.h - fields of a protocol buffer message, one after another */
#ifndef DMT_BASE_PROTO_DECODE_H
#define DMT_BASE_PROTO_DECODE_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "base/bytes.h"
#include "base/leb128.h"

/* A message, or what is left of it. */
struct dmt_proto {
	const uint8_t *at, *end;
	bool damaged;			/* it does not consist of fields */
};

struct dmt_proto_field {
	unsigned number;
	uint64_t value;			/* of a number, */
	struct dmtrace_text bytes;	/* of a string or message; else NULL */
};

static inline struct dmt_proto
dmt_proto_of(struct dmtrace_text bytes)
{
	const uint8_t *const at = (const uint8_t *)
	    (bytes.bytes == NULL ? "" : bytes.bytes);

	return (struct dmt_proto){ at, at + bytes.len, false };
}

/* Gets a number of 7 bits per byte. false: it is cut. */
static inline bool
dmt_proto_get_number(struct dmt_proto *proto, uint64_t *value)
{
	const int used = dmt_uleb_get(proto->at,
	    (size_t)(proto->end - proto->at), value);

	if (used > 0)
		proto->at += used;
	return used > 0;
}

/* Gets the next field. false: there are no more, or the message is damaged. */
static inline bool
dmt_proto_next(struct dmt_proto *proto, struct dmt_proto_field *field)
{
	uint64_t key, len = 0;

	if (proto->at == proto->end || proto->damaged)
		return false;
	proto->damaged = true;
	if (!dmt_proto_get_number(proto, &key) || key >> 3 == 0 ||
	    key >> 3 > UINT32_MAX >> 3)
		return false;
	*field = (struct dmt_proto_field){ .number = (unsigned)(key >> 3) };
	switch (key & 7) {
	case 0:
		proto->damaged = !dmt_proto_get_number(proto, &field->value);
		return !proto->damaged;
	case 1:
		len = 8;
		break;
	case 5:
		len = 4;
		break;
	case 2:
		if (!dmt_proto_get_number(proto, &len))
			return false;
		break;
	default:
		return false;
	}
	if (len > (uint64_t)(proto->end - proto->at))
		return false;
	if ((key & 7) == 2)
		field->bytes = (struct dmtrace_text){
			(const char *)proto->at, (size_t)len
		};
	else
		field->value = len == 8 ? dmt_get_le64(proto->at) :
		    dmt_get_le32(proto->at);
	proto->at += len;
	proto->damaged = false;
	return true;
}

#endif
