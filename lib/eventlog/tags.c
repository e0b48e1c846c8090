/* tags.c - the tags of an event log: creation and lookup */

#include "eventlog/tags.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "private/eventlog.h"

/* Units, and their characters at the end of a field in a tag file. */
static const struct {
	char code;
	const char *name;
} unit_names[] = {
	[DMTRACE_UNIT_NONE] = { '\0', "" },
	[DMTRACE_UNIT_OBJECTS] = { '1', "objects" },
	[DMTRACE_UNIT_BYTES] = { '2', "bytes" },
	[DMTRACE_UNIT_MS] = { '3', "ms" },
	[DMTRACE_UNIT_ALLOCATIONS] = { '4', "allocations" },
	[DMTRACE_UNIT_ID] = { '5', "id" },
	[DMTRACE_UNIT_PERCENT] = { '6', "%" },
	[DMTRACE_UNIT_SECONDS] = { 's', "s" },
};

enum { UNITS = sizeof(unit_names) / sizeof(unit_names[0]) };

char
dmt_unit_code(enum dmtrace_unit unit)
{
	return (size_t)unit < UNITS ? unit_names[unit].code : '\0';
}

const char *
dmt_unit_name(enum dmtrace_unit unit)
{
	return (size_t)unit < UNITS ? unit_names[unit].name : "";
}

const char *
dmt_value_type_name(enum dmtrace_value_type type)
{
	static const char *const names[] = {
		[DMTRACE_VALUE_INT] = "int",
		[DMTRACE_VALUE_LONG] = "long",
		[DMTRACE_VALUE_STRING] = "string",
		[DMTRACE_VALUE_LIST] = "list",
		[DMTRACE_VALUE_FLOAT] = "float",
	};

	return (size_t)type < sizeof(names) / sizeof(names[0]) ?
	    names[type] : "";
}

struct dmtrace_tags *
dmtrace_tags_new(void)
{
	return dmt_array_new(1, sizeof(struct dmtrace_tags));
}

void
dmt_tags_clear(struct dmtrace_tags *tags)
{
	const struct dmtrace_error error = tags->error;

	for (size_t i = 0; i < tags->count; i++)
		free(tags->rows[i].fields);
	free(tags->rows);
	dmt_idmap_fini(&tags->by_number);
	dmt_arena_fini(&tags->strings);
	*tags = (struct dmtrace_tags){ .error = error };
}

void
dmtrace_tags_free(struct dmtrace_tags *tags)
{
	if (tags != NULL)
		dmt_tags_clear(tags);
	free(tags);
}

const struct dmtrace_error *
dmtrace_tags_error(const struct dmtrace_tags *tags)
{
	return tags == NULL ? &dmt_error_null : &tags->error;
}

size_t
dmt_tags_count(const struct dmtrace_tags *tags)
{
	return tags->count;
}

const struct dmtrace_tag *
dmt_tags_get(const struct dmtrace_tags *tags, size_t index)
{
	return &tags->rows[index].tag;
}

const struct dmtrace_tag *
dmtrace_tags_find(const struct dmtrace_tags *tags, uint32_t number)
{
	if (tags == NULL)
		return NULL;
	const uint32_t *const index =
	    dmt_idmap_find(&tags->by_number, number);

	return index == NULL ? NULL : &tags->rows[*index].tag;
}
