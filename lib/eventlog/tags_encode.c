/* tags_encode.c - encodes tags as lines of an event-log-tags file */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "eventlog/tags.h"
#include "private/eventlog.h"

#define FIELD_ROOM 8		/* bytes of a field besides its name */
#define NUMBER_ROOM 16		/* of a number and a line end */

const char *
dmt_tags_encode(const struct dmtrace_tags *tags, size_t *len)
{
	*len = tags->len;
	return tags->len == 0 ? "" : tags->text;
}

/* Returns why the tag cannot be encoded; NULL: it can, in *room bytes. */
static const char *
find_misfit(const struct dmtrace_tags *tags, const struct dmtrace_tag *tag,
    size_t *room)
{
	if (tag->number > INT32_MAX)
		return "a tag's number is 2^31 or more";
	if (dmtrace_tags_find(tags, tag->number) != NULL)
		return "there is a tag of that number already";
	if (tag->name == NULL || tag->name[0] == '\0')
		return "a tag has no name";
	for (const char *at = tag->name; *at != '\0'; at++)
		if (!dmt_is_tag_name_byte(*at))
			return "a tag's name has other characters than "
			    "letters, digits and \"_\"";
	*room = NUMBER_ROOM + strlen(tag->name);
	for (size_t i = 0; i < tag->field_count; i++) {
		const struct dmtrace_tag_field *const field =
		    &tag->fields[i];

		if (field->name == NULL || !dmt_field_name_fits(field->name,
		    strlen(field->name)))
			return "the name of a field is empty, or has one of "
			    "\"|(),\" or a control character";
		if ((unsigned)field->type > DMTRACE_VALUE_FLOAT)
			return "a field has no known type";
		if ((unsigned)field->unit > DMTRACE_UNIT_SECONDS)
			return "a field has no known unit";
		*room += FIELD_ROOM + strlen(field->name);
	}
	return NULL;
}

/* Writes the line of a tag. Returns its end. */
static char *
put_tag_line(char *line, const struct dmtrace_tag *tag)
{
	line += sprintf(line, "%lu %s", (unsigned long)tag->number,
	    tag->name);
	for (size_t i = 0; i < tag->field_count; i++) {
		const struct dmtrace_tag_field *const field =
		    &tag->fields[i];
		const char code = dmt_unit_code(field->unit);

		line += sprintf(line, "%s(%s|%d", i == 0 ? " " : ",",
		    field->name, (int)field->type + 1);
		if (code != '\0')
			line += sprintf(line, "|%c", code);
		*line++ = ')';
	}
	*line++ = '\n';
	return line;
}

enum dmtrace_status
dmt_tags_add(struct dmtrace_tags *tags, const struct dmtrace_tag *tag)
{
	size_t room = 0;

	dmt_error_clear(&tags->error);
	const char *const misfit = find_misfit(tags, tag, &room);
	if (misfit != NULL)
		return dmt_error_set(&tags->error, DMTRACE_ERR_RANGE, "%s",
		    misfit);
	char *const line = dmt_array_new(room + 1, 1);
	if (line == NULL)
		return dmt_error_memory(&tags->error);
	char *at = line;
	if (tags->len > 0 && tags->text[tags->len - 1] != '\n')
		*at++ = '\n';
	const size_t len = (size_t)(put_tag_line(at, tag) - line);
	const enum dmtrace_status status = dmt_tags_append(tags, line, len);
	free(line);
	return status;
}
