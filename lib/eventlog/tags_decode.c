/* tags_decode.c - decodes an event-log-tags file, line by line */

/*
 * A line is blank, a comment that begins with "#", or a number, a name and an
 * optional description: fields "(name|type|unit)" separated by commas; the
 * unit is optional. Types are numbered from 1 here, and from 0 in entries. A
 * line of another form is reported as a finding, and makes no row.
 */

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/input.h"
#include "eventlog/tags.h"
#include "private/eventlog.h"

/* The rest of a line. */
struct cursor {
	const char *at;
	const char *end;
};

static void
skip_tag_blanks(struct cursor *cursor)
{
	while (cursor->at < cursor->end && (*cursor->at == ' ' ||
	    *cursor->at == '\t' || *cursor->at == '\r'))
		cursor->at++;
}

static bool
skip_byte(struct cursor *cursor, char byte)
{
	if (cursor->at == cursor->end || *cursor->at != byte)
		return false;
	cursor->at++;
	return true;
}

/* Returns true if nothing but a comment follows. */
static bool
is_at_end(struct cursor *cursor)
{
	skip_tag_blanks(cursor);
	return cursor->at == cursor->end || *cursor->at == '#';
}

/* Reads one or more digits. false: no digit, or a number above limit. */
static bool
tag_number(struct cursor *cursor, uint32_t limit, uint32_t *number)
{
	const char *const begin = cursor->at;
	uint64_t value = 0;

	for (; cursor->at < cursor->end && *cursor->at >= '0' &&
	    *cursor->at <= '9'; cursor->at++) {
		value = value * 10 + (uint64_t)(*cursor->at - '0');
		if (value > limit)
			return false;
	}
	*number = (uint32_t)value;
	return cursor->at > begin;
}

static bool
is_field_name(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (strchr("|(),", name[i]) != NULL ||
		    (unsigned char)name[i] < ' ' || name[i] == '\x7f')
			return false;
	return len > 0;
}

/* Reads "(name|type|unit)"; the name has *len bytes. */
static bool
read_field(struct cursor *cursor, struct dmtrace_tag_field *field,
    size_t *len)
{
	uint32_t type;

	if (!skip_byte(cursor, '('))
		return false;
	field->name = cursor->at;
	while (cursor->at < cursor->end && *cursor->at != '|')
		cursor->at++;
	*len = (size_t)(cursor->at - field->name);
	if (!is_field_name(field->name, *len) ||
	    !skip_byte(cursor, '|') ||
	    !tag_number(cursor, DMTRACE_VALUE_FLOAT + 1, &type) || type == 0)
		return false;
	field->type = (enum dmtrace_value_type)(type - 1);
	field->unit = DMTRACE_UNIT_NONE;
	if (skip_byte(cursor, '|'))
		do {
			if (field->unit == DMTRACE_UNIT_SECONDS)
				return false;
			field->unit = (enum dmtrace_unit)(field->unit + 1);
		} while (!skip_byte(cursor, dmt_unit_code(field->unit)));
	return skip_byte(cursor, ')');
}

/* Reads the fields of a description; none, with *legible false, if it is
 * malformed. Returns DMTRACE_OK or DMTRACE_ERR_MEMORY. */
static enum dmtrace_status
read_description(struct dmtrace_tags *tags, struct cursor *cursor,
    struct dmt_tag_row *row, bool *legible)
{
	size_t count = 0, capacity = 0;

	*legible = true;
	if (is_at_end(cursor))
		return DMTRACE_OK;
	do {
		struct dmtrace_tag_field *const fields = dmt_array_grow(
		    row->fields, &capacity, count + 1, sizeof(*fields));
		size_t len = 0;

		if (fields == NULL)
			return dmt_error_memory(&tags->error);
		row->fields = fields;
		skip_tag_blanks(cursor);
		*legible = read_field(cursor, &fields[count], &len);
		if (!*legible)
			break;
		fields[count].name =
		    dmt_arena_copy(&tags->strings, fields[count].name, len);
		if (fields[count++].name == NULL)
			return dmt_error_memory(&tags->error);
		skip_tag_blanks(cursor);
	} while (skip_byte(cursor, ','));
	*legible = *legible && is_at_end(cursor);
	if (*legible) {
		row->tag.fields = row->fields;
		row->tag.field_count = count;
	}
	return DMTRACE_OK;
}

static bool
is_tag_name_byte(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	    (byte >= '0' && byte <= '9') || byte == '_';
}

/* Reads the number and the name. false: one is missing. */
static bool
read_front(struct cursor *cursor, uint32_t *number, struct cursor *name)
{
	if (!tag_number(cursor, INT32_MAX, number))
		return false;
	const char *const number_end = cursor->at;
	skip_tag_blanks(cursor);
	name->at = cursor->at;
	while (cursor->at < cursor->end && is_tag_name_byte(*cursor->at))
		cursor->at++;
	name->end = cursor->at;
	skip_tag_blanks(cursor);
	return name->at > number_end && name->end > name->at &&
	    (cursor->at > name->end || cursor->at == cursor->end);
}

static void
find_fault(struct dmtrace_tags *tags, enum dmt_finding which, uint64_t line,
    const char *bytes, size_t len)
{
	char shown[DMT_ESCAPED_MAX];

	dmt_finding_add(&tags->findings, which, DMTRACE_PLACE_LINE, line,
	    "\"%s\"", dmt_escape(shown, sizeof(shown), bytes, len));
}

/* Adds the row of a tag. On failure nothing is added. */
static enum dmtrace_status
add_row(struct dmtrace_tags *tags, const struct dmt_tag_row *row,
    uint64_t line)
{
	struct dmt_tag_row *const rows = dmt_array_grow(tags->rows,
	    &tags->row_capacity, tags->count + 1, sizeof(*rows));

	if (rows == NULL)
		return dmt_error_memory(&tags->error);
	tags->rows = rows;
	if (!dmt_idmap_reserve(&tags->by_number))
		return dmt_error_memory(&tags->error);
	if (!dmt_idmap_put(&tags->by_number, row->tag.number,
	    (uint32_t)tags->count))
		dmt_finding_add(&tags->findings, DMT_TAGS_REPEATED,
		    DMTRACE_PLACE_LINE, line, "%lu",
		    (unsigned long)row->tag.number);
	rows[tags->count++] = *row;
	return DMTRACE_OK;
}

static enum dmtrace_status
read_line(struct dmtrace_tags *tags, const char *bytes, size_t len,
    uint64_t line)
{
	struct cursor cursor = { bytes, bytes + len }, name;
	struct dmt_tag_row row = { .fields = NULL };
	bool legible = true;

	if (is_at_end(&cursor))
		return DMTRACE_OK;
	if (!read_front(&cursor, &row.tag.number, &name)) {
		find_fault(tags, DMT_TAGS_LINE, line, bytes, len);
		return DMTRACE_OK;
	}
	row.tag.name = dmt_arena_copy(&tags->strings, name.at,
	    (size_t)(name.end - name.at));
	enum dmtrace_status status = row.tag.name == NULL ?
	    dmt_error_memory(&tags->error) :
	    read_description(tags, &cursor, &row, &legible);
	if (status == DMTRACE_OK && !legible)
		find_fault(tags, DMT_TAGS_DESCRIPTION, line, bytes, len);
	if (status == DMTRACE_OK)
		status = add_row(tags, &row, line);
	if (status != DMTRACE_OK)
		free(row.fields);
	return status;
}

static enum dmtrace_status
read_tag_lines(struct dmtrace_tags *tags, const char *text, size_t len)
{
	uint64_t line = 0;

	for (size_t at = 0; at < len;) {
		const char *const end = memchr(text + at, '\n', len - at);
		const size_t line_len = end == NULL ? len - at :
		    (size_t)(end - text) - at;

		if (read_line(tags, text + at, line_len, ++line) !=
		    DMTRACE_OK)
			return tags->error.status;
		if (end == NULL)
			dmt_finding_add(&tags->findings, DMT_TAGS_NO_LF,
			    DMTRACE_PLACE_LINE, line, NULL);
		at += line_len + 1;
	}
	return DMTRACE_OK;
}

/* Begins a call that fills the tags, which must be empty. */
static enum dmtrace_status
begin_tags(struct dmtrace_tags *tags)
{
	dmt_error_clear(&tags->error);
	if (!tags->loaded)
		return DMTRACE_OK;
	return dmt_error_set(&tags->error, DMTRACE_ERR_STATE,
	    "dmtrace_tags_load: there are tags already");
}

enum dmtrace_status
dmt_tags_decode(struct dmtrace_tags *tags, const void *bytes, size_t len,
    dmtrace_finding_fn *report, void *context)
{
	if (begin_tags(tags) != DMTRACE_OK)
		return tags->error.status;
	if (len > DMT_TAGS_SIZE_MAX)
		return dmt_error_set(&tags->error, DMTRACE_ERR_LIMIT,
		    "the tag file is larger than %d bytes",
		    DMT_TAGS_SIZE_MAX);
	tags->findings.report = report;
	tags->findings.context = context;
	tags->loaded = true;
	if (read_tag_lines(tags, bytes, len) != DMTRACE_OK)
		dmt_tags_clear(tags);
	tags->findings.report = NULL;
	return tags->error.status;
}

enum dmtrace_status
dmtrace_tags_load(struct dmtrace_tags *tags, const char *path,
    dmtrace_finding_fn *report, void *context)
{
	struct dmt_input input;
	const uint8_t *bytes;

	if (tags == NULL)
		return DMTRACE_ERR_STATE;
	if (begin_tags(tags) != DMTRACE_OK)
		return tags->error.status;
	if (path == NULL)
		return dmt_error_null_given(&tags->error, __func__);
	dmt_input_open_path(&input, path);
	const size_t len =
	    dmt_input_peek(&input, DMT_TAGS_SIZE_MAX + 1, &bytes);
	if (input.error.status != DMTRACE_OK)
		tags->error = input.error;
	else
		dmt_tags_decode(tags, bytes, len, report, context);
	dmt_input_fini(&input);
	return tags->error.status;
}
