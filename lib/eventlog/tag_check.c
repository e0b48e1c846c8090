/* tag_check.c - the values of an event against its line of the tag file */

#include "eventlog/entry.h"
#include "private/eventlog.h"

/* The index after the value at index and all that is in it. */
static size_t
skip_value(const struct dmtrace_entry *entry, size_t index)
{
	for (uint64_t pending = 1; pending > 0; index++)
		pending += (uint64_t)entry->values[index].count - 1;
	return index;
}

/* A value alone stands for a list of one: writers leave such lists out. */
void
dmt_tag_check(struct dmt_entry_decoder *decoder,
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
		index = skip_value(entry, index);
	}
}
