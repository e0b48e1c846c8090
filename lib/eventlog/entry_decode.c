/* entry_decode.c - decodes entries of event logs */

/*
 * The values of an event are decoded to a flat array: a list is a value that
 * gives the number of values in it. So a counter of values still to come is
 * enough for nested lists of any depth. If a value cannot be decoded, those
 * before it are kept, and the bytes from there on are stored as the rest; so
 * encoding gives the same bytes again.
 *
 * Headers of version 1 and 2 do not name the log. Their payload is taken for
 * text if it has the form of text (priority, tag, NUL, message, NUL) and not
 * that of an event, or if its tag number as an event would be four letters.
 */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "eventlog/entry.h"
#include "private/eventlog.h"

#define SECOND 1000000000	/* in nanoseconds */
#define LETTERS_TAG 0x20000000	/* tag numbers from here on are letters of a
				   text */
#define ENTRY_OLD_MAX 4096	/* bytes of an entry of version 1 */
#define ENTRY_NEW_MAX 5120

_Static_assert(sizeof(float) == 4, "a float is that of an entry");

void
dmt_entry_find(struct dmt_entry_decoder *decoder, enum dmt_finding which,
    uint64_t at, const char *format, ...)
{
	char message[DMTRACE_MESSAGE_MAX / 2];
	va_list args;

	if (dmt_finding_rows[which].severity != DMTRACE_NOTE)
		decoder->flawed = true;
	if (decoder->findings == NULL)
		return;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	dmt_finding_add(decoder->findings, which, DMTRACE_PLACE_OFFSET, at,
	    "%s", message);
}

/* The rest of a payload. */
struct payload {
	const uint8_t *at;
	size_t len;
	uint64_t offset;		/* of at in the file */
};

static void
skip_payload(struct payload *payload, size_t len)
{
	payload->at += len;
	payload->len -= len;
	payload->offset += len;
}

static struct dmtrace_text
text_of(const struct payload *payload)
{
	return (struct dmtrace_text){ (const char *)payload->at,
	    payload->len };
}

/* Decodes the value at payload, moves on and sets *value. false: it cannot be
 * decoded, and both are unchanged. */
static bool
read_value(struct dmt_entry_decoder *decoder, struct payload *payload,
    struct dmtrace_value *value)
{
	/* Sizes by type, with the type byte; of a string, without its bytes. */
	static const uint8_t sizes[] = {
		[DMTRACE_VALUE_INT] = 5,
		[DMTRACE_VALUE_LONG] = 9,
		[DMTRACE_VALUE_STRING] = 5,
		[DMTRACE_VALUE_LIST] = 2,
		[DMTRACE_VALUE_FLOAT] = 5,
	};
	const uint8_t *const in = payload->at;
	size_t len = 0;

	if (payload->len == 0) {
		dmt_entry_find(decoder, DMT_LOG_VALUE_TRUNCATED,
		    payload->offset, "a value is missing");
		return false;
	}
	if (in[0] >= sizeof(sizes)) {
		dmt_entry_find(decoder, DMT_LOG_TYPE_UNKNOWN,
		    payload->offset, "%u", (unsigned)in[0]);
		return false;
	}
	const size_t size = sizes[in[0]];
	if (payload->len >= size && in[0] == DMTRACE_VALUE_STRING)
		len = dmt_get_le32(in + 1);
	if (payload->len < size || payload->len - size < len) {
		dmt_entry_find(decoder, DMT_LOG_VALUE_TRUNCATED,
		    payload->offset, "%s of %zu bytes, and %zu are left",
		    dmt_value_type_name((enum dmtrace_value_type)in[0]),
		    size + len, payload->len);
		return false;
	}
	*value = (struct dmtrace_value){
		.type = (enum dmtrace_value_type)in[0]
	};
	if (in[0] == DMTRACE_VALUE_INT) {
		value->number = (int32_t)dmt_get_le32(in + 1);
	} else if (in[0] == DMTRACE_VALUE_LONG) {
		value->number = (int64_t)dmt_get_le64(in + 1);
	} else if (in[0] == DMTRACE_VALUE_LIST) {
		value->count = in[1];
	} else if (in[0] == DMTRACE_VALUE_STRING) {
		value->text = (struct dmtrace_text){
			(const char *)in + size, len
		};
	} else {
		const uint32_t bits = dmt_get_le32(in + 1);
		memcpy(&value->real, &bits, sizeof(bits));
	}
	skip_payload(payload, size + len);
	return true;
}

/* Compares the values of a complete event with the tag file's description. A
 * single value is treated as a list of one: writers omit such lists. */
static void
check_values(struct dmt_entry_decoder *decoder,
    const struct dmtrace_entry *entry)
{
	const struct dmtrace_tag *const tag =
	    dmtrace_tags_find(decoder->tags, entry->tag);
	const struct dmtrace_value *const first = &entry->values[0];
	const bool is_list = first->type == DMTRACE_VALUE_LIST;
	size_t index = 0, count = 1;

	if (tag == NULL) {
		dmt_entry_find(decoder, DMT_LOG_TAG_UNKNOWN, entry->offset,
		    "%lu", (unsigned long)entry->tag);
		return;
	}
	if (tag->field_count == 0)
		return;
	if (is_list && !(tag->field_count == 1 &&
	    tag->fields[0].type == DMTRACE_VALUE_LIST)) {
		count = first->count;
		index = 1;
	}
	if (count != tag->field_count) {
		dmt_entry_find(decoder, DMT_LOG_TAG_DIFFERS, entry->offset,
		    "%s has %zu values, not %zu", tag->name, count,
		    tag->field_count);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		const enum dmtrace_value_type type =
		    entry->values[index].type;
		const struct dmtrace_tag_field *const field =
		    &tag->fields[i];

		if (type != field->type) {
			dmt_entry_find(decoder, DMT_LOG_TAG_DIFFERS,
			    entry->offset, "%s: %.40s is %s, not %s%s",
			    tag->name, field->name,
			    dmt_value_type_name(type),
			    dmt_value_type_name(field->type),
			    (int)type == (int)field->type + 1 ?
			    " (types of tag files count from 1)" : "");
			return;
		}
		/* Move past the value and all values in it. */
		for (uint64_t pending = 1; pending > 0; index++)
			pending += (uint64_t)entry->values[index].count - 1;
	}
}

/* Decodes an event. false: no memory. */
static bool
read_event(struct dmt_entry_decoder *decoder, struct dmtrace_entry *entry,
    struct payload payload)
{
	uint64_t pending = 1;
	size_t count = 0;

	entry->offset = payload.offset;
	entry->tag = dmt_get_le32(payload.at);
	skip_payload(&payload, 4);
	while (pending > 0) {
		struct dmtrace_value *const values = dmt_array_grow(
		    decoder->values, &decoder->capacity, count + 1,
		    sizeof(*values));

		if (values == NULL)
			return false;
		decoder->values = values;
		if (!read_value(decoder, &payload, &values[count]))
			break;
		pending += values[count++].count;
		pending--;
	}
	entry->values = decoder->values;
	entry->value_count = count;
	entry->rest = text_of(&payload);
	if (pending > 0)
		return true;
	if (payload.len == 1 && payload.at[0] == '\n')
		dmt_entry_find(decoder, DMT_LOG_REST_LF, payload.offset,
		    "tag %lu", (unsigned long)entry->tag);
	else if (payload.len > 0)
		dmt_entry_find(decoder, DMT_LOG_REST, payload.offset,
		    "%zu", payload.len);
	if (decoder->tags != NULL)
		check_values(decoder, entry);
	return true;
}

/* false: it does not have the form of a text. */
static bool
read_text(struct dmtrace_entry *entry, const uint8_t *in, size_t len)
{
	const uint8_t *const nul =
	    len < 2 ? NULL : memchr(in + 1, '\0', len - 1);

	if (nul == NULL || in[0] > DMT_ENTRY_PRIORITY_MAX)
		return false;
	const size_t name_len = (size_t)(nul - in) - 1;
	size_t left = len - name_len - 2;
	entry->priority = in[0];
	entry->name = (struct dmtrace_text){ (const char *)in + 1, name_len };
	entry->no_nul = left == 0 || in[len - 1] != '\0';
	if (!entry->no_nul)
		left--;
	entry->message = (struct dmtrace_text){ (const char *)nul + 1, left };
	return true;
}

/* Returns true if it decodes without an error. */
static bool
is_event(const uint8_t *in, size_t len)
{
	struct dmt_entry_decoder decoder = { .flawed = false };
	struct payload payload = { in, len, 0 };
	struct dmtrace_value value;
	uint64_t pending = 1;

	if (len < 4)
		return false;
	skip_payload(&payload, 4);
	for (; pending > 0; pending--) {
		if (!read_value(&decoder, &payload, &value))
			return false;
		pending += value.count;
	}
	return payload.len == 0 || (payload.len == 1 && *payload.at == '\n');
}

static bool
is_text(const uint8_t *in, size_t len)
{
	struct dmtrace_entry entry = { .priority = 0 };

	if (!read_text(&entry, in, len) || entry.no_nul)
		return false;
	for (size_t i = 0; i < entry.name.len; i++)
		if ((unsigned char)entry.name.bytes[i] < ' ')
			return false;
	return !is_event(in, len) || dmt_get_le32(in) >= LETTERS_TAG;
}

static bool
is_text_log(uint32_t log)
{
	return log != DMTRACE_LOG_EVENTS && log != DMTRACE_LOG_STATS &&
	    log != DMTRACE_LOG_SECURITY;
}

bool
dmt_entry_fits_log(uint32_t log, const uint8_t *payload, size_t len)
{
	return log <= DMTRACE_LOG_KERNEL && (is_text_log(log) ?
	    is_text(payload, len) : is_event(payload, len));
}

bool
dmt_is_eventlog(const uint8_t *in, size_t len, bool whole)
{
	bool any = false;

	while (len > 0) {
		const size_t header = len < DMT_ENTRY_FRONT ? 0 :
		    dmt_entry_header_size(in);
		if (len >= DMT_ENTRY_FRONT && header == 0)
			return false;
		const size_t payload =
		    header == 0 ? 0 : dmt_get_le16(in);
		if (header == 0 || header + payload > len)
			return any && !whole;
		if (!is_event(in + header, payload) &&
		    !is_text(in + header, payload))
			return false;
		any = true;
		in += header + payload;
		len -= header + payload;
	}
	return any;
}

static void
read_header(struct dmt_entry_decoder *decoder, struct dmtrace_entry *entry,
    const uint8_t *in, size_t size)
{
	/* Determine the version. Versions 2 and 3 have 24 bytes, the last of
	 * which are a user id or a log id: what is not a log id is a user
	 * id. */
	entry->header = size == 20 ? 1 : size == 28 ? 4 : decoder->version_24;
	if (entry->header == 3 && dmt_get_le32(in + 20) > DMTRACE_LOG_KERNEL) {
		dmt_entry_find(decoder, DMT_LOG_HEADER_AMBIGUOUS,
		    entry->offset + 20, "%lu is not a log id",
		    (unsigned long)dmt_get_le32(in + 20));
		entry->header = 2;
	}
	const struct dmt_entry_layout *const layout =
	    dmt_entry_layout(entry->header);
	entry->header_size = dmt_get_le16(in + 2);
	entry->pid = (int32_t)dmt_get_le32(in + 4);
	entry->tid = (int32_t)dmt_get_le32(in + 8);
	entry->seconds = dmt_get_le32(in + 12);
	entry->nanoseconds = dmt_get_le32(in + 16);
	if (layout->log_at > 0)
		entry->log = dmt_get_le32(in + layout->log_at);
	if (layout->uid_at > 0)
		entry->uid = dmt_get_le32(in + layout->uid_at);
	if (entry->nanoseconds >= SECOND)
		dmt_entry_find(decoder, DMT_LOG_NANOSECONDS,
		    entry->offset + 16, "%lu",
		    (unsigned long)entry->nanoseconds);
}

bool
dmt_entry_decode(struct dmt_entry_decoder *decoder,
    struct dmtrace_entry *entry, const uint8_t *in, size_t len,
    uint64_t offset)
{
	const size_t size = dmt_entry_header_size(in);
	const struct payload payload = { in + size, len - size,
	    offset + size };

	decoder->flawed = false;
	*entry = (struct dmtrace_entry){ .offset = offset };
	read_header(decoder, entry, in, size);
	if (len > (entry->header == 1 ? ENTRY_OLD_MAX : ENTRY_NEW_MAX))
		dmt_entry_find(decoder, DMT_LOG_PAYLOAD_LONG, offset,
		    "%zu bytes", payload.len);
	if (entry->header >= 3 ? is_text_log(entry->log) :
	    is_text(payload.at, payload.len)) {
		entry->kind = DMTRACE_ENTRY_TEXT;
		if (!read_text(entry, payload.at, payload.len)) {
			entry->kind = DMTRACE_ENTRY_OPAQUE;
			dmt_entry_find(decoder, DMT_LOG_TEXT_BAD,
			    payload.offset, "%zu bytes", payload.len);
		} else if (entry->no_nul) {
			dmt_entry_find(decoder, DMT_LOG_TEXT_NO_NUL,
			    payload.offset, "%zu bytes", payload.len);
		}
	} else if (payload.len < 4) {
		entry->kind = DMTRACE_ENTRY_OPAQUE;
		dmt_entry_find(decoder, DMT_LOG_PAYLOAD_SHORT,
		    payload.offset, "%zu bytes", payload.len);
	} else if (!read_event(decoder, entry, payload)) {
		return false;
	}
	if (entry->kind == DMTRACE_ENTRY_OPAQUE)
		entry->bytes = text_of(&payload);
	entry->offset = offset;
	return true;
}

void
dmt_entry_decoder_fini(struct dmt_entry_decoder *decoder)
{
	free(decoder->values);
}
