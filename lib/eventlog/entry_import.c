/* entry_import.c - reads entries of event logs from JSON */

/*
 * Each entry is an object with the members that "dmtrace eventlog -f json"
 * prints (dmtrace-eventlog.1), in any order; null is the same as a missing
 * member. The number of items in a list is set when its bracket closes. Nested
 * lists need only an array of the open lists, and no recursion.
 */

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"
#include "base/json.h"
#include "eventlog/entry.h"

#define SECOND 1000000000	/* in nanoseconds */

/* The members of an entry that are numbers or strings. */
enum member {
	HEADER, HEADER_SIZE, TIME_NS, NANOSECONDS, PID, TID, LOG, UID, TAG,
	PRIORITY, NO_NUL,
	NUMBERS,
	NAME = NUMBERS, MESSAGE, REST, BYTES,
	VALUE, FILE_NAME, BYTE,
	MEMBERS
};

static const struct {
	const char *name;
	int64_t min, max;		/* of a number: its range */
} members[MEMBERS] = {
	[HEADER] = { "header", 1, 4 },
	[HEADER_SIZE] = { "header_size", 0, 28 },
	[TIME_NS] = { "time_ns", 0, INT64_MAX },
	[NANOSECONDS] = { "nanoseconds", 0, UINT32_MAX },
	[PID] = { "pid", INT32_MIN, INT32_MAX },
	[TID] = { "thread", INT32_MIN, INT32_MAX },
	[LOG] = { "log", 0, UINT32_MAX },
	[UID] = { "uid", 0, UINT32_MAX },
	[TAG] = { "tag", 0, UINT32_MAX },
	[PRIORITY] = { "priority", 0, DMT_ENTRY_PRIORITY_MAX },
	[NO_NUL] = { "no_nul", 0, 1 },
	[NAME] = { "tag_name", 0, 0 },
	[MESSAGE] = { "message", 0, 0 },
	[REST] = { "rest", 0, 0 },
	[BYTES] = { "bytes", 0, 0 },
	[VALUE] = { "value", 0, 0 },
	[FILE_NAME] = { "file", 0, 0 },
	[BYTE] = { "byte", 0, 0 },
};

/* An open list. */
struct list {
	size_t index;			/* of its value */
	uint32_t items;
	int64_t count;			/* as stated; -1: count the items */
};

struct import {
	struct dmt_json json;
	bool has[MEMBERS];
	int64_t numbers[NUMBERS];
	struct dmtrace_text texts[VALUE];
	struct dmtrace_value *values;
	size_t count, capacity;
	struct list *lists;
	size_t depth, list_capacity;
	struct dmt_arena strings;	/* memory for one entry */
	struct dmtrace_error *error;
};

static bool
refuse_import(struct import *import, const char *what)
{
	if (import->json.error.status != DMTRACE_OK)
		*import->error = import->json.error;
	else
		dmt_error_at(import->error, DMTRACE_ERR_CORRUPT,
		    DMTRACE_PLACE_OFFSET, import->json.at, "%s", what);
	return false;
}

static bool
fail_import_memory(struct import *import)
{
	dmt_error_memory(import->error);
	return false;
}

static bool
keep_text(struct import *import, struct dmtrace_text *text)
{
	const struct dmt_json *const json = &import->json;
	char *const bytes =
	    dmt_arena_alloc(&import->strings, json->len + 1);

	if (bytes == NULL)
		return fail_import_memory(import);
	memcpy(bytes, json->text, json->len);
	*text = (struct dmtrace_text){ bytes, json->len };
	return true;
}

static int
digit_of(char byte)
{
	return byte >= '0' && byte <= '9' ? byte - '0' :
	    byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 :
	    byte >= 'A' && byte <= 'F' ? byte - 'A' + 10 : -1;
}

/* Decodes hexadecimal digits to bytes. */
static bool
keep_hex(struct import *import, struct dmtrace_text *text)
{
	const struct dmt_json *const json = &import->json;
	char *const bytes =
	    dmt_arena_alloc(&import->strings, json->len / 2 + 1);

	if (bytes == NULL)
		return fail_import_memory(import);
	for (size_t i = 0; i < json->len; i += 2) {
		const int high = digit_of(json->text[i]);
		const int low = digit_of(json->text[i + 1]);

		if (high < 0 || low < 0)
			return refuse_import(import, "bytes are not pairs of "
			    "hexadecimal digits");
		bytes[i / 2] = (char)(high << 4 | low);
	}
	*text = (struct dmtrace_text){ bytes, json->len / 2 };
	return true;
}

static bool
expect_token(struct import *import, enum dmt_json_token token, const char *what)
{
	return dmt_json_next(&import->json) == token ||
	    refuse_import(import, what);
}

/* Reads what follows the name "bytes" in an object: hexadecimal digits and the
 * end of the object. */
static bool
read_bytes(struct import *import, struct dmtrace_text *text)
{
	return expect_token(import, DMT_JSON_STRING,
	    "bytes are not a string") &&
	    keep_hex(import, text) &&
	    expect_token(import, DMT_JSON_OBJECT_END, "more than bytes");
}

/* Reads a string, or an object with its bytes. */
static bool
read_exact(struct import *import, enum dmt_json_token token,
    struct dmtrace_text *text)
{
	if (token == DMT_JSON_STRING)
		return keep_text(import, text);
	if (token != DMT_JSON_OBJECT)
		return refuse_import(import, "not a string");
	if (!expect_token(import, DMT_JSON_NAME, "no \"bytes\""))
		return false;
	return strcmp(import->json.text, "bytes") == 0 ?
	    read_bytes(import, text) : refuse_import(import, "no \"bytes\"");
}

static struct dmtrace_value *
add_value(struct import *import, enum dmtrace_value_type type)
{
	struct dmtrace_value *const values = dmt_array_grow(import->values,
	    &import->capacity, import->count + 1, sizeof(*values));

	if (values == NULL) {
		fail_import_memory(import);
		return NULL;
	}
	import->values = values;
	values[import->count] = (struct dmtrace_value){ .type = type };
	return &values[import->count++];
}

/* Reads a number, or a string with its bits: "0x7fc00000". */
static bool
read_float(struct import *import, float *real)
{
	const enum dmt_json_token token = dmt_json_next(&import->json);
	uint32_t bits = 0;

	if (token == DMT_JSON_INTEGER || token == DMT_JSON_REAL) {
		if (!(fabs(import->json.real) <= (double)FLT_MAX))
			return refuse_import(import, "a float is too large");
		*real = (float)import->json.real;
	} else if (token == DMT_JSON_STRING && import->json.len == 10 &&
	    strncmp(import->json.text, "0x", 2) == 0) {
		for (size_t i = 2; i < 10; i++) {
			const int digit = digit_of(import->json.text[i]);

			if (digit < 0)
				return refuse_import(import, "not a float");
			bits = bits << 4 | (uint32_t)digit;
		}
		memcpy(real, &bits, sizeof(bits));
	} else {
		return refuse_import(import, "not a float");
	}
	return expect_token(import, DMT_JSON_OBJECT_END, "more than a float");
}

/* Opens a list; count is the stated number of items, or -1. */
static bool
begin_list(struct import *import, int64_t count)
{
	struct list *const lists = dmt_array_grow(import->lists,
	    &import->list_capacity, import->depth + 1, sizeof(*lists));

	if (lists == NULL)
		return fail_import_memory(import);
	import->lists = lists;
	if (add_value(import, DMTRACE_VALUE_LIST) == NULL)
		return false;
	lists[import->depth++] = (struct list){
		.index = import->count - 1, .count = count
	};
	return true;
}

/* Reads a value in an object; *begun: it is a list, which is now open. */
static bool
read_object(struct import *import, bool *begun)
{
	struct dmtrace_value *value;

	if (!expect_token(import, DMT_JSON_NAME, "unknown type name"))
		return false;
	const char *const name = import->json.text;
	if (strcmp(name, "long") == 0) {
		value = add_value(import, DMTRACE_VALUE_LONG);
		if (value == NULL ||
		    !expect_token(import, DMT_JSON_INTEGER, "not a long"))
			return false;
		value->number = import->json.integer;
		return expect_token(import, DMT_JSON_OBJECT_END,
		    "more than a long");
	}
	if (strcmp(name, "float") == 0) {
		value = add_value(import, DMTRACE_VALUE_FLOAT);
		return value != NULL && read_float(import, &value->real);
	}
	if (strcmp(name, "bytes") == 0) {
		value = add_value(import, DMTRACE_VALUE_STRING);
		return value != NULL && read_bytes(import, &value->text);
	}
	if (strcmp(name, "count") != 0)
		return refuse_import(import,
		    "a value is not a long, float, bytes or count");
	if (!expect_token(import, DMT_JSON_INTEGER, "not a count"))
		return false;
	const int64_t count = import->json.integer;
	if (count < 0 || count > UINT8_MAX)
		return refuse_import(import, "a count is not 0 to 255");
	*begun = true;
	return expect_token(import, DMT_JSON_NAME, "no \"list\"") &&
	    (strcmp(import->json.text, "list") == 0 ||
	    refuse_import(import, "no \"list\"")) &&
	    expect_token(import, DMT_JSON_ARRAY, "not a list") &&
	    begin_list(import, count);
}

/* Reads a value, whose first token is token. */
static bool
import_value(struct import *import, enum dmt_json_token token)
{
	import->depth = 0;
	for (;; token = dmt_json_next(&import->json)) {
		struct dmtrace_value *value;
		bool begun = token == DMT_JSON_ARRAY;

		if (token == DMT_JSON_ARRAY) {
			if (!begin_list(import, -1))
				return false;
		} else if (token == DMT_JSON_OBJECT) {
			if (!read_object(import, &begun))
				return false;
		} else if (token == DMT_JSON_INTEGER) {
			value = add_value(import, DMTRACE_VALUE_INT);
			if (value == NULL)
				return false;
			value->number = import->json.integer;
		} else if (token == DMT_JSON_STRING) {
			value = add_value(import, DMTRACE_VALUE_STRING);
			if (value == NULL ||
			    !keep_text(import, &value->text))
				return false;
		} else if (token == DMT_JSON_ARRAY_END) {
			const struct list *const list =
			    &import->lists[--import->depth];

			import->values[list->index].count = list->count < 0 ?
			    list->items : (uint32_t)list->count;
			if (list->count >= 0 && !expect_token(import,
			    DMT_JSON_OBJECT_END, "more than a list"))
				return false;
		} else {
			return refuse_import(import, "not a value of an entry");
		}
		if (begun)
			continue;
		if (import->depth == 0)
			return true;
		import->lists[import->depth - 1].items++;
	}
}

static bool
read_number(struct import *import, enum member member,
    enum dmt_json_token token)
{
	const int64_t number = import->json.integer;

	if (token != DMT_JSON_INTEGER || number < members[member].min ||
	    number > members[member].max) {
		if (import->json.error.status != DMTRACE_OK)
			return refuse_import(import, "");
		dmt_error_at(import->error, DMTRACE_ERR_RANGE,
		    DMTRACE_PLACE_OFFSET, import->json.at,
		    "%s is not a number from %lld to %lld",
		    members[member].name, (long long)members[member].min,
		    (long long)members[member].max);
		return false;
	}
	import->numbers[member] = number;
	return true;
}

/* Reads the value of a member of an entry, whose name was read. */
static bool
read_member(struct import *import)
{
	unsigned member = 0;

	while (member < MEMBERS &&
	    strcmp(import->json.text, members[member].name) != 0)
		member++;
	if (member == MEMBERS)
		return refuse_import(import, "unknown member");
	if (import->has[member])
		return refuse_import(import, "a member occurs twice");
	const enum dmt_json_token token = dmt_json_next(&import->json);
	if (token == DMT_JSON_NULL)
		return true;
	import->has[member] = true;
	if (member < NUMBERS)
		return read_number(import, (enum member)member, token);
	if (member == VALUE)
		return import_value(import, token);
	if (member == NAME || member == MESSAGE)
		return read_exact(import, token, &import->texts[member]);
	if (member == BYTE)
		return token == DMT_JSON_INTEGER || refuse_import(import,
		    "no byte");
	if (token != DMT_JSON_STRING)
		return refuse_import(import, "not a string");
	return member == FILE_NAME ||
	    keep_hex(import, &import->texts[member]);
}

/* Makes an entry from its members. header is its version, or 0 to choose
 * one. */
static bool
make_entry(struct import *import, struct dmtrace_entry *entry,
    unsigned header)
{
	const int64_t *const numbers = import->numbers;
	const int64_t ns = import->has[NANOSECONDS] ? numbers[NANOSECONDS] :
	    numbers[TIME_NS] % SECOND;
	const int64_t whole_ns = numbers[TIME_NS] - ns;

	if (whole_ns < 0 || whole_ns % SECOND != 0 ||
	    whole_ns / SECOND > UINT32_MAX)
		return refuse_import(import, "time_ns does not fit an entry");
	const enum dmtrace_entry_kind kind = !import->has[BYTES] ?
	    import->has[MESSAGE] ? DMTRACE_ENTRY_TEXT : DMTRACE_ENTRY_EVENT :
	    import->has[HEADER] ? DMTRACE_ENTRY_OPAQUE : DMTRACE_ENTRY_RAW;
	*entry = (struct dmtrace_entry){
		.kind = kind,
		.header = header != 0 ? header :
		    import->has[HEADER] ? (unsigned)numbers[HEADER] : 4,
		.header_size = header != 0 ? 0 :
		    (uint16_t)numbers[HEADER_SIZE],
		.pid = (int32_t)numbers[PID],
		.tid = (int32_t)numbers[TID],
		.seconds = (uint32_t)(whole_ns / SECOND),
		.nanoseconds = (uint32_t)ns,
		.uid = (uint32_t)numbers[UID],
		.tag = (uint32_t)numbers[TAG],
		.values = import->values,
		.value_count = import->count,
		.rest = import->texts[REST],
		.priority = (uint8_t)numbers[PRIORITY],
		.name = import->texts[NAME],
		.message = import->texts[MESSAGE],
		.no_nul = (int)numbers[NO_NUL],
		.bytes = import->texts[BYTES]
	};
	entry->log = import->has[LOG] ? (uint32_t)numbers[LOG] :
	    kind == DMTRACE_ENTRY_TEXT ? DMTRACE_LOG_MAIN :
	    DMTRACE_LOG_EVENTS;
	if (kind == DMTRACE_ENTRY_EVENT && !import->has[TAG])
		return refuse_import(import,
		    "an entry has no tag, message or bytes");
	return true;
}

/* Reads an entry after its "{". */
static bool
read_entry(struct import *import, struct dmtrace_entry *entry,
    unsigned header)
{
	enum dmt_json_token token;

	memset(import->has, 0, sizeof(import->has));
	memset(import->numbers, 0, sizeof(import->numbers));
	memset(import->texts, 0, sizeof(import->texts));
	import->count = 0;
	dmt_arena_fini(&import->strings);
	while ((token = dmt_json_next(&import->json)) == DMT_JSON_NAME)
		if (!read_member(import))
			return false;
	if (token != DMT_JSON_OBJECT_END)
		return refuse_import(import, "the text ends within an entry");
	return make_entry(import, entry, header);
}

enum dmtrace_status
dmt_entry_import(struct dmtrace_eventlog_writer *writer,
    struct dmt_input *input, unsigned header, struct dmtrace_error *error)
{
	struct import import = { .json = { .input = input }, .error = error };
	struct dmt_json *const json = &import.json;
	struct dmtrace_entry entry;
	enum dmt_json_token token;
	enum dmtrace_status status = DMTRACE_OK;

	while (status == DMTRACE_OK &&
	    (token = dmt_json_next(json)) != DMT_JSON_END) {
		/* A list of entries is the same as entries. */
		if ((token == DMT_JSON_ARRAY && json->depth == 1) ||
		    (token == DMT_JSON_ARRAY_END && json->depth == 0))
			continue;
		if (token != DMT_JSON_OBJECT)
			refuse_import(&import, "an entry is not an object");
		else if (read_entry(&import, &entry, header))
			status = dmtrace_eventlog_writer_write(writer, &entry);
		if (error->status != DMTRACE_OK)
			status = error->status;
	}
	if (status == DMTRACE_OK && json->error.status != DMTRACE_OK)
		*error = json->error;

	dmt_json_fini(json);
	dmt_arena_fini(&import.strings);
	free(import.values);
	free(import.lists);
	return error->status;
}
