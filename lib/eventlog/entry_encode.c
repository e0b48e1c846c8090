/* entry_encode.c - encodes entries of event logs */

#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "eventlog/entry.h"
#include "private/text.h"

/* A payload that is being encoded; what does not fit is not written. */
struct output {
	uint8_t *at;
	size_t room;
	const char *misfit;		/* the reason; NULL: all fits */
};

static void
put_entry_bytes(struct output *output, const void *bytes, size_t len)
{
	if (len > output->room) {
		output->misfit = "a payload is more than 65,535 bytes";
		output->room = 0;
		return;
	}
	output->at = dmt_put_bytes(output->at, bytes, len);
	output->room -= len;
}

static void
put_entry_number(struct output *output, unsigned width, uint64_t value)
{
	uint8_t bytes[8];

	dmt_put_le(bytes, width, value);
	put_entry_bytes(output, bytes, width);
}

static void
put_entry_value(struct output *output, const struct dmtrace_value *value)
{
	uint32_t bits;

	put_entry_number(output, 1, (uint64_t)value->type);
	switch (value->type) {
	case DMTRACE_VALUE_INT:
		if (value->number < INT32_MIN || value->number > INT32_MAX)
			output->misfit = "an int has more than 32 bits";
		put_entry_number(output, 4, (uint64_t)value->number);
		break;
	case DMTRACE_VALUE_LONG:
		put_entry_number(output, 8, (uint64_t)value->number);
		break;
	case DMTRACE_VALUE_STRING:
		if (value->text.len > DMT_ENTRY_PAYLOAD_MAX)
			output->misfit = "a string is more than 65,535 bytes";
		put_entry_number(output, 4, value->text.len);
		put_entry_bytes(output, value->text.bytes, value->text.len);
		break;
	case DMTRACE_VALUE_LIST:
		if (value->count > UINT8_MAX)
			output->misfit = "a list has more than 255 items";
		put_entry_number(output, 1, value->count);
		break;
	case DMTRACE_VALUE_FLOAT:
		memcpy(&bits, &value->real, sizeof(bits));
		put_entry_number(output, 4, bits);
		break;
	default:
		output->misfit = "a value has no known type";
	}
}

static void
put_payload(struct output *output, const struct dmtrace_entry *entry)
{
	switch (entry->kind) {
	case DMTRACE_ENTRY_EVENT:
		put_entry_number(output, 4, entry->tag);
		for (size_t i = 0; i < entry->value_count; i++)
			put_entry_value(output, &entry->values[i]);
		put_entry_bytes(output, entry->rest.bytes, entry->rest.len);
		break;
	case DMTRACE_ENTRY_TEXT:
		if (entry->name.len > 0 &&
		    memchr(entry->name.bytes, '\0', entry->name.len) != NULL)
			output->misfit = "the tag of a text has a NUL";
		put_entry_number(output, 1, entry->priority);
		put_entry_bytes(output, entry->name.bytes, entry->name.len);
		put_entry_number(output, 1, 0);
		put_entry_bytes(output, entry->message.bytes,
		    entry->message.len);
		if (!entry->no_nul)
			put_entry_number(output, 1, 0);
		break;
	case DMTRACE_ENTRY_OPAQUE:
		put_entry_bytes(output, entry->bytes.bytes, entry->bytes.len);
		break;
	default:
		output->misfit = "an entry has no known kind";
	}
}

bool
dmt_entry_is_missing(const struct dmtrace_entry *entry)
{
	bool missing = dmt_text_is_missing(entry->rest) ||
	    dmt_text_is_missing(entry->name) ||
	    dmt_text_is_missing(entry->message) ||
	    dmt_text_is_missing(entry->bytes) ||
	    (entry->values == NULL && entry->value_count > 0);

	for (size_t i = 0; !missing && i < entry->value_count; i++)
		missing = entry->values[i].type == DMTRACE_VALUE_STRING &&
		    dmt_text_is_missing(entry->values[i].text);
	return missing;
}

enum dmtrace_status
dmt_entry_encode(uint8_t *out, size_t *len,
    const struct dmtrace_entry *entry, struct dmtrace_error *error)
{
	if (entry->header < 1 || entry->header > 4)
		return dmt_error_set(error, DMTRACE_ERR_RANGE,
		    "an entry has a header of version %u, not 1 to 4",
		    entry->header);
	const struct dmt_entry_layout *const layout =
	    dmt_entry_layout(entry->header);
	if (entry->header_size != 0 && entry->header_size != layout->size)
		return dmt_error_set(error, DMTRACE_ERR_RANGE,
		    "a header of version %u is %u bytes, not %u",
		    entry->header, (unsigned)layout->size,
		    (unsigned)entry->header_size);
	struct output output = { out + layout->size, DMT_ENTRY_PAYLOAD_MAX,
	    NULL };
	put_payload(&output, entry);
	if (output.misfit != NULL)
		return dmt_error_set(error, DMTRACE_ERR_RANGE, "%s",
		    output.misfit);
	const size_t payload_len = (size_t)(output.at - out) - layout->size;
	dmt_put_le16(out, (uint16_t)payload_len);
	dmt_put_le16(out + 2, entry->header_size != 0 ? entry->header_size :
	    layout->stored_size);
	dmt_put_le32(out + 4, (uint32_t)entry->pid);
	dmt_put_le32(out + 8, (uint32_t)entry->tid);
	dmt_put_le32(out + 12, entry->seconds);
	dmt_put_le32(out + 16, entry->nanoseconds);
	if (layout->log_at > 0)
		dmt_put_le32(out + layout->log_at, entry->log);
	if (layout->uid_at > 0)
		dmt_put_le32(out + layout->uid_at, entry->uid);
	*len = layout->size + payload_len;
	return DMTRACE_OK;
}
