/* container_joined.c - one file: a key, then its data */

#include "trace/container.h"

enum dmtrace_status
dmt_joined_open(struct dmtrace_reader *reader)
{
	struct dmt_input *input = &reader->key_input;
	const enum dmtrace_status status = dmt_reader_take_key(reader);
	const uint8_t *bytes;

	if (status != DMTRACE_OK)
		return status;
	if (dmt_base64_begins(input))
		return dmt_base64_open(reader);
	if (dmt_input_find_magic(input, 0) < 0 &&
	    dmt_input_peek(input, DMT_GAP_MAX + 1, &bytes) <= DMT_GAP_MAX)
		return dmt_key_open(reader);
	return dmt_reader_take_data(reader, input);
}
