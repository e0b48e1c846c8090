/* protobuf.h - fields of protocol buffer messages */
#ifndef DMT_EXPORT_PROTOBUF_H
#define DMT_EXPORT_PROTOBUF_H

#include <dmtrace/key.h>

#include "base/output.h"

/*
 * A field consists of its number and kind, and then a number, or a length and
 * that many bytes. Numbers are varints. A message inside another one is first
 * written to memory, as its length precedes it.
 */

/* Space for a numeric field. */
#define DMT_PROTO_MAX 15

static inline uint8_t *
dmt_proto_number(uint8_t *at, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*at++ = (uint8_t)(number | 0x80);
	*at++ = (uint8_t)number;
	return at;
}

static inline uint8_t *
dmt_proto_field(uint8_t *at, unsigned field, uint64_t number)
{
	return dmt_proto_number(dmt_proto_number(at, field << 3), number);
}

/* Appends a numeric field; 0 is the default and not written. */
static inline void
dmt_proto_put(struct dmt_output *output, unsigned field, uint64_t number)
{
	uint8_t bytes[DMT_PROTO_MAX];

	if (number != 0)
		dmt_output_write(output, bytes, (size_t)(dmt_proto_field(bytes,
		    field, number) - bytes));
}

/* Appends the beginning of a field of bytes or a message: its number and
 * length. */
static inline void
dmt_proto_begin(struct dmt_output *output, unsigned field, size_t len)
{
	uint8_t head[DMT_PROTO_MAX];
	uint8_t *const end = dmt_proto_number(dmt_proto_number(head,
	    field << 3 | 2), len);

	dmt_output_write(output, head, (size_t)(end - head));
}

static inline void
dmt_proto_bytes(struct dmt_output *output, unsigned field, const void *bytes,
    size_t len)
{
	dmt_proto_begin(output, field, len);
	dmt_output_write(output, bytes, len);
}

/* Appends a message that was made in memory, and empties that memory. A
 * failure of message becomes a failure of the output. */
static inline void
dmt_proto_message(struct dmt_output *output, unsigned field,
    struct dmt_output *message)
{
	if (output->error.status == DMTRACE_OK)
		output->error = message->error;
	dmt_proto_bytes(output, field, message->bytes, message->len);
	dmt_output_clear(message);
}

#endif
