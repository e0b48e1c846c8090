/* entry_print.c - prints entries of event logs in the forms of a report */

#include "eventlog/entry_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/decimal.h"
#include "private/array.h"
#include "private/eventlog.h"

#define SECOND 1000000000u	/* in nanoseconds */

static void
put_hex(struct dmt_output *buffer, struct dmtrace_text text)
{
	for (size_t i = 0; i < text.len; i++)
		dmt_put_format(buffer, "%02x", (unsigned char)text.bytes[i]);
}

/* Writes a JSON string, or an object with its bytes if a string cannot
 * represent them. */
static void
put_exact(struct dmt_output *buffer, struct dmtrace_text text)
{
	static const char lost[] = "\xef\xbf\xbd";
	const size_t begin = buffer->len;

	escape_put(buffer, escape_json, text.bytes, text.len);
	for (size_t i = begin;
	    !dmt_output_failed(buffer) && i + 3 <= buffer->len; i++) {
		if (memcmp(buffer->bytes + i, lost, 3) != 0)
			continue;
		dmt_output_truncate(buffer, begin);
		dmt_put(buffer, "{\"bytes\":\"");
		put_hex(buffer, text);
		dmt_put(buffer, "\"}");
		return;
	}
}

static void
put_json_scalar(struct dmt_output *buffer, const struct dmtrace_value *value)
{
	uint32_t bits;

	switch (value->type) {
	case DMTRACE_VALUE_LONG:
		dmt_put_format(buffer, "{\"long\":%" PRId64 "}",
		    value->number);
		break;
	case DMTRACE_VALUE_STRING:
		put_exact(buffer, value->text);
		break;
	case DMTRACE_VALUE_FLOAT:
		memcpy(&bits, &value->real, sizeof(bits));
		if ((bits & 0x7f800000) == 0x7f800000)
			dmt_put_format(buffer, "{\"float\":\"0x%08" PRIx32
			    "\"}", bits);
		else
			dmt_put_format(buffer, "{\"float\":%.9g}",
			    (double)value->real);
		break;
	default:
		dmt_put_format(buffer, "%" PRId64, value->number);
		break;
	}
}

/* Writes a string of an entry as a line of text, or its bytes. */
static void
put_entry_string(const struct entry_printer *put, struct dmt_output *buffer,
    struct dmtrace_text string)
{
	if (put->raw)
		dmt_output_write(buffer, string.bytes, string.len);
	else
		escape_put(buffer, put->logcat ? escape_message :
		    escape_plain, string.bytes, string.len);
}

static void
put_text_scalar(const struct entry_printer *put, struct dmt_output *buffer,
    const struct dmtrace_value *value)
{
	if (value->type == DMTRACE_VALUE_STRING)
		put_entry_string(put, buffer, value->text);
	else if (value->type == DMTRACE_VALUE_FLOAT)
		dmt_put_format(buffer, "%f", (double)value->real);
	else
		dmt_put_format(buffer, "%" PRId64, value->number);
}

/*
 * Walks through the values as through a tree: lists has the open lists by
 * index, items the number of values left in each. Returns how many lists are
 * open at the end; if not 0, the event is truncated.
 */
static size_t
find_open_lists(const struct dmtrace_entry *entry, size_t *lists)
{
	size_t *const left = lists + entry->value_count;
	size_t depth = 0;

	for (size_t i = 0; i < entry->value_count; i++) {
		if (depth > 0)
			left[depth - 1]--;
		if (entry->values[i].type == DMTRACE_VALUE_LIST) {
			lists[depth] = i;
			left[depth++] = entry->values[i].count;
		}
		while (depth > 0 && left[depth - 1] == 0)
			depth--;
	}
	return depth;
}

static void
put_json_values(struct entry_printer *put, struct dmt_output *buffer,
    const struct dmtrace_entry *entry)
{
	const size_t count = entry->value_count;
	size_t *const cut = put->lists, *const left = cut + count;
	size_t *const named = left + count;	/* true after "count" was
						   written */
	const size_t cut_count = find_open_lists(entry, cut);
	size_t depth = 0, next_cut = 0;
	bool first = true;

	for (size_t i = 0; i < count; i++) {
		const struct dmtrace_value *const value = &entry->values[i];

		if (!first)
			dmt_put(buffer, ",");
		first = false;
		if (depth > 0)
			left[depth - 1]--;
		if (value->type == DMTRACE_VALUE_LIST) {
			named[depth] = next_cut < cut_count &&
			    cut[next_cut] == i;
			if (named[depth]) {
				dmt_put_format(buffer, "{\"count\":%" PRIu32
				    ",\"list\":", value->count);
				next_cut++;
			}
			dmt_put(buffer, "[");
			left[depth++] = value->count;
			first = true;
		} else {
			put_json_scalar(buffer, value);
		}
		while (depth > 0 && left[depth - 1] == 0 &&
		    !named[depth - 1]) {
			depth--;
			dmt_put(buffer, "]");
			first = false;
		}
	}
	while (depth-- > 0)
		dmt_put(buffer, named[depth] ? "]}" : "]");
}

/* The tag, if its fields are the names of the entry's values; NULL: it has
 * none, or another number of them. */
static const struct dmtrace_tag *
match_fields(const struct entry_printer *put, const struct dmtrace_entry *entry,
    const struct dmtrace_tag *tag, size_t open_lists)
{
	const struct dmtrace_value *const first = entry->values;

	if (put->logcat || tag == NULL || tag->field_count == 0 ||
	    entry->value_count == 0 || open_lists > 0)
		return NULL;
	return tag->field_count == (first->type == DMTRACE_VALUE_LIST ?
	    first->count : 1) ? tag : NULL;
}

static void
put_text_values(struct entry_printer *put, struct dmt_output *buffer,
    const struct dmtrace_entry *entry, const struct dmtrace_tag *tag)
{
	const size_t count = entry->value_count;
	size_t *const left = put->lists + count;
	const size_t open = find_open_lists(entry, put->lists);
	const bool whole = open == 0 && count > 0;
	const struct dmtrace_tag *const fields =
	    match_fields(put, entry, tag, open);
	const bool in_list = count > 0 &&
	    entry->values[0].type == DMTRACE_VALUE_LIST;
	size_t depth = 0, field = 0;
	bool first = true;

	for (size_t i = 0; i < count; i++) {
		const struct dmtrace_value *const value = &entry->values[i];
		const bool named = fields != NULL &&
		    depth == (in_list ? 1 : 0) && (i > 0 || !in_list);

		if (!first)
			dmt_put(buffer, named ? " " : ",");
		first = false;
		if (depth > 0)
			left[depth - 1]--;
		if (named) {
			const char *const name = fields->fields[field].name;

			escape_put(buffer, escape_plain, name, strlen(name));
			dmt_put(buffer, "=");
		}
		if (value->type == DMTRACE_VALUE_LIST) {
			if (fields == NULL || depth > 0)
				dmt_put(buffer, "[");
			left[depth++] = value->count;
			first = true;
		} else {
			put_text_scalar(put, buffer, value);
		}
		if (named) {
			const enum dmtrace_unit unit =
			    fields->fields[field++].unit;

			if (value->type != DMTRACE_VALUE_LIST &&
			    unit != DMTRACE_UNIT_ID)
				dmt_put_format(buffer, "%s%s",
				    unit == DMTRACE_UNIT_NONE ||
				    unit == DMTRACE_UNIT_PERCENT ? "" : " ",
				    dmt_unit_name(unit));
		}
		while (depth > 0 && left[depth - 1] == 0) {
			depth--;
			if (fields == NULL || depth > 0)
				dmt_put(buffer, "]");
			first = false;
		}
	}
	while (depth-- > 0)
		dmt_put(buffer, "]");
	if (!whole)
		dmt_put(buffer, "!");
}

/* Returns the entry's tag; NULL: it has none, or it is unknown. */
static const struct dmtrace_tag *
find_tag(const struct entry_printer *put, const struct dmtrace_entry *entry)
{
	return put->tags == NULL || entry->kind != DMTRACE_ENTRY_EVENT ?
	    NULL : dmtrace_tags_find(put->tags, entry->tag);
}

/* Allocates three arrays for the lists of an entry. false: no memory. */
static bool
make_room(struct entry_printer *put, const struct dmtrace_entry *entry)
{
	size_t *const lists = dmt_array_grow(put->lists, &put->capacity,
	    3 * entry->value_count + 1, sizeof(*lists));

	if (lists == NULL)
		return false;
	put->lists = lists;
	return true;
}

static char
priority_letter(uint8_t priority)
{
	static const char letters[] = "??VDIWEFS";

	return priority < sizeof(letters) - 1 ? letters[priority] : '?';
}

/* Writes "11-23 20:12:41.000  1000  1001 I Tag     : ". */
static void
put_logcat_prefix(struct dmt_output *buffer, const struct dmtrace_entry *entry,
    const char *name, size_t len)
{
	char date[DATE_MAX];

	date_format(date, (uint64_t)entry->seconds * 1000000 +
	    entry->nanoseconds / 1000);
	dmt_put_format(buffer, "%.5s %.12s %5" PRId32 " %5" PRId32 " %c ",
	    date + 5, date + 11, entry->pid, entry->tid,
	    entry->kind == DMTRACE_ENTRY_EVENT ? 'I' :
	    priority_letter(entry->priority));
	escape_put(buffer, escape_message, name, len);
	for (; len < 8; len++)
		dmt_put(buffer, " ");
	dmt_put(buffer, ": ");
}

/* Writes each line of a message with the prefix. */
static void
put_logcat_text(struct dmt_output *buffer, const struct dmtrace_entry *entry)
{
	struct dmtrace_text left = entry->message;

	do {
		const char *const end = left.len == 0 ? NULL :
		    memchr(left.bytes, '\n', left.len);
		const size_t len = end == NULL ? left.len :
		    (size_t)(end - left.bytes);

		put_logcat_prefix(buffer, entry, entry->name.bytes,
		    entry->name.len);
		escape_put(buffer, escape_message, left.bytes, len);
		dmt_put(buffer, "\n");
		left.bytes = end == NULL ? NULL : end + 1;
		left.len -= end == NULL ? len : len + 1;
	} while (left.len > 0);
}

static const char *
name_tag(const struct dmtrace_tag *tag, uint32_t number, char room[16])
{
	if (tag != NULL)
		return tag->name;
	snprintf(room, 16, "[%" PRIu32 "]", number);
	return room;
}

/* Writes the name of an entry; tag is the tag of an event. */
static void
put_text_name(const struct entry_printer *put, struct dmt_output *buffer,
    const struct dmtrace_entry *entry, const char *tag)
{
	if (entry->kind == DMTRACE_ENTRY_EVENT) {
		dmt_put(buffer, tag);
	} else if (entry->kind == DMTRACE_ENTRY_TEXT) {
		if (entry->header >= 3)
			dmt_put_format(buffer, "%s ",
			    dmt_log_name(entry->log));
		dmt_put_format(buffer, "%c ",
		    priority_letter(entry->priority));
		put_entry_string(put, buffer, entry->name);
	} else {
		dmt_put(buffer, "unreadable:");
	}
}

static void
put_text_detail(struct entry_printer *put, struct dmt_output *buffer,
    const struct dmtrace_entry *entry, const struct dmtrace_tag *tag)
{
	if (entry->kind == DMTRACE_ENTRY_EVENT)
		put_text_values(put, buffer, entry, tag);
	else if (entry->kind == DMTRACE_ENTRY_TEXT)
		put_entry_string(put, buffer, entry->message);
	else
		dmt_put_format(buffer, "%zu bytes", entry->bytes.len);
}

static void
put_entry_text(struct entry_printer *put, struct dmt_output *buffer,
    const struct dmtrace_entry *entry, const struct dmtrace_tag *tag)
{
	char date[DATE_MAX], room[16];
	const char *const name = name_tag(tag, entry->tag, room);

	if (entry->kind == DMTRACE_ENTRY_RAW) {
		dmt_put_format(buffer, "byte %" PRIu64 ": %zu bytes, not an "
		    "entry\n", entry->offset, entry->bytes.len);
		return;
	}
	if (put->logcat && entry->kind == DMTRACE_ENTRY_TEXT) {
		put_logcat_text(buffer, entry);
		return;
	}
	if (put->logcat && entry->kind == DMTRACE_ENTRY_EVENT) {
		put_logcat_prefix(buffer, entry, name, strlen(name));
		put_text_values(put, buffer, entry, tag);
		dmt_put(buffer, "\n");
		return;
	}
	dmt_put_format(buffer, "%s %5" PRId32 " %5" PRId32 " ",
	    date_format(date, (uint64_t)entry->seconds * 1000000 +
	    entry->nanoseconds / 1000), entry->pid, entry->tid);
	put_text_name(put, buffer, entry, name);
	dmt_put(buffer,
	    entry->kind == DMTRACE_ENTRY_TEXT ? ": " : " ");
	put_text_detail(put, buffer, entry, tag);
	dmt_put(buffer, "\n");
}

void
entry_describe(struct entry_printer *put, const struct dmtrace_entry *entry,
    struct dmt_output *name, struct dmt_output *detail)
{
	const struct dmtrace_tag *const tag = find_tag(put, entry);
	char room[16];

	if (!make_room(put, entry)) {
		dmt_output_fail_memory(detail);
		return;
	}
	put_text_name(put, name, entry, name_tag(tag, entry->tag, room));
	put_text_detail(put, detail, entry, tag);
}

static void
put_exact_cell(struct table *table, bool present, struct dmtrace_text text)
{
	struct dmt_output json = { 0 };

	if (!present) {
		table_absent(table, 1);
		return;
	}
	put_exact(&json, text);
	if (!dmt_output_failed(&json) && json.len > 0 &&
	    json.bytes[0] == '"')
		table_text(table, text.bytes, text.len);
	else
		table_json(table, &json);
	dmt_output_fini(&json);
}

static void
put_hex_cell(struct table *table, struct dmtrace_text text)
{
	struct dmt_output hex = { 0 };

	put_hex(&hex, text);
	if (dmt_output_failed(&hex))
		dmt_output_fail_memory(&table->buffer);
	if (text.len > 0)
		table_text(table, hex.bytes, hex.len);
	else
		table_absent(table, 1);
	dmt_output_fini(&hex);
}

static const char *const entry_columns[] = {
	"file", "byte", "header", "header_size", "time_ns", "nanoseconds",
	"pid", "thread", "log", "uid", "tag", "priority", "tag_name", "value",
	"message", "rest", "no_nul", "bytes", NULL
};

/* Fills the cells of an entry in the order of the columns. */
static void
put_row(struct entry_printer *put, const struct dmtrace_entry *entry,
    const struct dmtrace_tag *tag)
{
	const bool whole = entry->kind != DMTRACE_ENTRY_RAW;
	const bool event = entry->kind == DMTRACE_ENTRY_EVENT;
	const bool text = entry->kind == DMTRACE_ENTRY_TEXT;
	struct table *const table = &put->table;
	struct dmt_output json = { 0 };

	table_string(table, put->file);
	table_number(table, entry->offset);
	table_number_if(table, whole, entry->header);
	table_number_if(table, whole, entry->header_size);
	table_number_if(table, whole,
	    (uint64_t)entry->seconds * SECOND + entry->nanoseconds);
	table_number_if(table, whole && entry->nanoseconds >= SECOND,
	    entry->nanoseconds);
	if (whole) {
		table_signed(table, entry->pid);
		table_signed(table, entry->tid);
	} else {
		table_absent(table, 2);
	}
	table_number_if(table, entry->header >= 3, entry->log);
	table_number_if(table, whole && entry->header % 2 == 0, entry->uid);
	table_number_if(table, event, entry->tag);
	table_number_if(table, text, entry->priority);
	if (event && tag != NULL)
		table_string(table, tag->name);
	else
		put_exact_cell(table, text, entry->name);
	if (entry->value_count > 0) {
		put_json_values(put, &json, entry);
		table_json(table, &json);
	} else {
		table_absent(table, 1);
	}
	put_exact_cell(table, text, entry->message);
	put_hex_cell(table, entry->rest);
	table_number_if(table, text && entry->no_nul, 1);
	put_hex_cell(table, entry->bytes);
	table_end_row(table);
	dmt_output_fini(&json);
}

void
entry_print_columns(struct entry_printer *put)
{
	table_set_columns(&put->table, entry_columns);
}

void
entry_print(struct entry_printer *put, const struct dmtrace_entry *entry)
{
	const struct dmtrace_tag *const tag = find_tag(put, entry);

	if (!make_room(put, entry))
		dmt_output_fail_memory(&put->table.buffer);
	else if (table_has_rows(&put->table))
		put_row(put, entry, tag);
	else
		put_entry_text(put, &put->table.buffer, entry, tag);
}

void
entry_printer_fini(struct entry_printer *put)
{
	free(put->lists);
}
