/* canonical_key.c - the key of a trace in a form that every reader accepts */

/*
 * Each row of the reader's key is changed and added to the writer's key. New
 * texts of a row are in an arena until the row is added, which copies them.
 * Changes are counted by finding; the first one is described.
 */

#include "verify/validate/canonical.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/escape.h"
#include "key/key.h"
#include "key/line_encode.h"
#include "key/rows.h"
#include "key/line_text.h"
#include "private/key.h"
#include "private/utf8.h"
#include "verify/validate/quirks_key.h"

#define SIGNED_NUMBERS (1u << 15)	/* thread numbers without a high bit */
#define HIGH_ID (UINT64_C(1) << 31)	/* from here on, ids are negative */
#define UNIT_MAX 16			/* enough for "\uD83D\uDE00" */
#define GROWTH_MAX 4			/* bytes for one byte, as in "\xff" */

static void
note_change(struct dmt_canonical *canonical, enum dmt_finding which,
    const char *text)
{
	dmt_change_add(canonical->changes, which, 1, DMTRACE_PLACE_NONE, 0,
	    "%s", text);
}

static enum dmtrace_status
fail_canonical_memory(struct dmt_canonical *canonical)
{
	return dmt_error_memory(&canonical->op->error);
}

/* Turns the status of a call on the writer's key into the operation's. */
static enum dmtrace_status
check_canonical_key(struct dmt_canonical *canonical, enum dmtrace_status status)
{
	if (status == DMTRACE_OK)
		return DMTRACE_OK;
	return dmt_op_fail(canonical->op, NULL,
	    dmt_key_error(dmtrace_writer_key(canonical->writer)));
}

/* Names */

/* Sets unit to the next character of a name, or to the next byte if that is not
 * part of a character, in the form of the output. *change is set to the reason
 * if it differs from the input. Returns its length in the input. */
static size_t
encode_unit(char unit[UNIT_MAX], size_t *unit_len, enum dmt_finding *change,
    unsigned cures, const char *in, size_t len, bool keeps_tabs)
{
	const unsigned char byte = (unsigned char)in[0];
	uint32_t code;
	const size_t decoded = dmt_utf8_decode(&code, in, len);
	const size_t used = decoded == 0 ? 1 : decoded;
	int written = 0;

	if (byte == '\t' && !keeps_tabs) {
		written = snprintf(unit, UNIT_MAX, " ");
		*change = DMT_THREAD_NAME_TAB;
	} else if (decoded == 0 ? (cures & DMT_CURE_UTF8) != 0 :
	    byte == '\r' || byte == '\0') {
		written = snprintf(unit, UNIT_MAX, "\\x%02x", byte);
		*change = DMT_KEY_NOT_UTF8;
	} else if (used > 1 && (cures & DMT_CURE_ASCII) != 0) {
		/* As in Java sources: above 16 bits, a pair of surrogates. */
		written = code > 0xffff ?
		    snprintf(unit, UNIT_MAX, "\\u%04x\\u%04x",
		    (unsigned)(0xd7c0 + (code >> 10)),
		    (unsigned)(0xdc00 | (code & 0x3ff))) :
		    snprintf(unit, UNIT_MAX, "\\u%04x", (unsigned)code);
		*change = DMT_KEY_NOT_ASCII;
	}
	if (written == 0)
		memcpy(unit, in, used);
	*unit_len = written == 0 ? used : (size_t)written;
	return used;
}

/* Replaces *name by its form in the output. false: no memory. */
static bool
clean_canonical_name(struct dmt_canonical *canonical, struct dmtrace_text *name,
    bool keeps_tabs)
{
	bool noted[DMT_ROW_COUNT] = { false };
	char shown[DMT_ESCAPED_MAX];
	char *const bytes = dmt_arena_alloc(&canonical->names,
	    GROWTH_MAX * name->len + 1);
	size_t len = 0;

	if (bytes == NULL)
		return false;
	for (size_t from = 0; from < name->len;) {
		enum dmt_finding change = DMT_ROW_COUNT;
		char unit[UNIT_MAX];
		size_t unit_len;

		from += encode_unit(unit, &unit_len, &change,
		    canonical->cures, name->bytes + from, name->len - from,
		    keeps_tabs);
		memcpy(bytes + len, unit, unit_len);
		len += unit_len;
		if (change == DMT_ROW_COUNT || noted[change])
			continue;
		noted[change] = true;
		dmt_change_add(canonical->changes, change, 1,
		    DMTRACE_PLACE_NONE, 0, "\"%s\"", dmt_escape(shown,
		    sizeof(shown), name->bytes, name->len));
	}
	bytes[len] = '\0';
	*name = (struct dmtrace_text){ bytes, len };
	return true;
}

/* Options */

/* Perfetto refuses an option without a value, or with two "=". */
static bool
is_plain_value(struct dmtrace_text value)
{
	return value.len > 0 && !dmt_text_holds(value, '=');
}

/* Adds an option, except the clock, which the writer adds. */
static enum dmtrace_status
put_option(struct dmt_canonical *canonical,
    const struct dmtrace_option *option)
{
	struct dmtrace_key *const key = dmtrace_writer_key(canonical->writer);
	struct dmtrace_text name = option->name, value = option->value;

	if (dmt_text_is(name, DMT_OPTION_CLOCK))
		return DMTRACE_OK;
	if (!clean_canonical_name(canonical, &name, true) ||
	    (value.bytes != NULL && !clean_canonical_name(canonical, &value,
	    true)))
		return fail_canonical_memory(canonical);
	if (value.bytes == NULL ||
	    ((canonical->cures & DMT_CURE_OPTIONS) != 0 &&
	    !is_plain_value(value))) {
		note_change(canonical, DMT_OPTION_MALFORMED,
		    "no value, or more than one");
		return DMTRACE_OK;
	}
	if (dmtrace_key_option_find(key, name.bytes) != NULL) {
		note_change(canonical, DMT_OPTION_REPEATED,
		    "the first one stays");
		return DMTRACE_OK;
	}
	if (dmt_option_fits(name.bytes, value.bytes))
		return check_canonical_key(canonical,
		    dmtrace_key_option_set(key,
		    name.bytes, value.bytes));
	note_change(canonical, DMT_OPTION_MALFORMED, "its name is not allowed");
	return DMTRACE_OK;
}

/* Threads */

/* Returns the number that records have for the thread of a row, or its id if
 * records of that number belong to another row. */
static uint32_t
canonical_number_of(const struct dmt_canonical *canonical,
    const struct dmtrace_thread *row)
{
	const struct dmt_layout *const layout = &canonical->reader->layout;
	const uint32_t number = (uint32_t)(row->id %
	    dmt_layout_thread_numbers(layout));

	return dmt_key_thread_match(canonical->reader->key, layout,
	    number) == row ? number : row->id;
}

/* Replaces a number that some readers read as negative by the next one that no
 * thread of the key has. All threads of records are listed. false: no
 * memory. */
static bool
renumber_thread(struct dmt_canonical *canonical, uint32_t *number)
{
	const struct dmt_layout *const layout = &canonical->reader->layout;
	uint64_t *const next = &canonical->next_thread;

	if ((canonical->cures & DMT_CURE_THREADS) == 0 ||
	    *number < SIGNED_NUMBERS ||
	    *number >= dmt_layout_thread_numbers(layout))
		return true;
	do
		++*next;
	while (*next < SIGNED_NUMBERS && dmt_key_thread_match(
	    canonical->reader->key, layout, (uint32_t)*next) != NULL);
	if (*next >= SIGNED_NUMBERS)
		return true;
	uint32_t *const known = dmt_idmap_find(&canonical->threads, *number);
	if (known != NULL)
		*known = (uint32_t)*next;
	else if (!dmt_idmap_add(&canonical->threads, *number,
	    (uint32_t)*next))
		return false;
	*number = (uint32_t)*next;
	return true;
}

/* Appends the number to a name, again if needed, until no other thread has that
 * name. false: no memory. */
static bool
make_unique(struct dmt_canonical *canonical, uint32_t number,
    struct dmtrace_text *name)
{
	const size_t count = canonical->thread_names.count;
	char suffix[16];
	const size_t size = (size_t)snprintf(suffix, sizeof(suffix),
	    "-%" PRIu32, number);

	for (;;) {
		const uint32_t index = dmt_name_table_intern(
		    &canonical->thread_names,
		    &(struct dmt_name){ .name = *name });

		if (index == count || index == DMT_NO_NAME)
			return index == count;
		char *const bytes = dmt_arena_alloc(&canonical->names,
		    name->len + size + 1);
		if (bytes == NULL)
			return false;
		memcpy(bytes, name->bytes, name->len);
		memcpy(bytes + name->len, suffix, size + 1);
		*name = (struct dmtrace_text){ bytes, name->len + size };
		note_change(canonical, DMT_THREAD_NAME_SHARED, bytes);
	}
}

static enum dmtrace_status
put_canonical_thread(struct dmt_canonical *canonical,
    const struct dmtrace_thread *row)
{
	struct dmtrace_key *const key = dmtrace_writer_key(canonical->writer);
	struct dmtrace_thread thread =
	    { canonical_number_of(canonical, row), row->name };
	char text[64];

	if (!renumber_thread(canonical, &thread.id))
		return fail_canonical_memory(canonical);
	if (thread.id != row->id) {
		snprintf(text, sizeof(text), "%" PRIu32 " for %" PRIu32,
		    thread.id, row->id);
		note_change(canonical, DMT_THREAD_HIGH, text);
	}
	if (!clean_canonical_name(canonical, &thread.name, false))
		return fail_canonical_memory(canonical);
	if ((canonical->cures & DMT_CURE_TRIM) != 0) {
		const size_t len = thread.name.len;

		thread.name = dmt_trim_like_java(thread.name);
		if (thread.name.len != len)
			note_change(canonical, DMT_THREAD_NAME_BLANK,
			    "as perflib does");
	}
	if (thread.name.len == 0) {
		snprintf(text, sizeof(text), "thread %" PRIu32, thread.id);
		thread.name = dmt_text_of(text);
		note_change(canonical, DMT_THREAD_NAME_EMPTY, text);
	}
	if (dmtrace_key_thread_find(key, thread.id) != NULL) {
		note_change(canonical, DMT_THREAD_REPEATED,
		    "the first one stays");
		return DMTRACE_OK;
	}
	if ((canonical->cures & DMT_CURE_NAMES) != 0 &&
	    !make_unique(canonical, thread.id, &thread.name))
		return fail_canonical_memory(canonical);
	return check_canonical_key(canonical, dmtrace_key_thread_add(key,
	    &thread));
}

/* Methods */

/* Makes a signature begin with "(". false: no memory. */
static bool
mend_signature(struct dmt_canonical *canonical,
    struct dmtrace_text *signature)
{
	if (dmt_text_begins(*signature, "("))
		return true;
	note_change(canonical, DMT_METHOD_SIGNATURE, signature->len == 0 ?
	    "it was missing" : "it did not begin with \"(\"");
	if (signature->len == 0) {
		*signature = dmt_text_of("()V");
		return true;
	}
	char *const bytes =
	    dmt_arena_alloc(&canonical->names, signature->len + 3);
	if (bytes == NULL)
		return false;
	bytes[0] = '(';
	memcpy(bytes + 1, signature->bytes, signature->len);
	memcpy(bytes + 1 + signature->len, ")", sizeof(")"));
	*signature = dmt_text_of(bytes);
	return true;
}

/* Makes a row have four, five or six columns, none of them empty. false: no
 * memory. */
static bool
mend_columns(struct dmt_canonical *canonical, struct dmtrace_method *method,
    char number[DMT_NUMBER_MAX])
{
	if (method->class_name.len == 0) {
		method->class_name = dmt_text_of("unknown");
		note_change(canonical, DMT_METHOD_NAME_EMPTY, "class");
	}
	if (method->name.len == 0) {
		*method = dmt_method_named(method, method->id, number);
		note_change(canonical, DMT_METHOD_NAME_EMPTY, "name");
	}
	if (method->file.len == 0 && method->line != DMTRACE_NO_LINE) {
		method->line = DMTRACE_NO_LINE;
		note_change(canonical, DMT_METHOD_LINE_BAD,
		    "there is no source file");
	}
	if (method->file.len > 0 && method->line == DMTRACE_NO_LINE &&
	    (canonical->cures & DMT_CURE_FILE) != 0) {
		method->line = -1;
		note_change(canonical, DMT_METHOD_COLUMNS_5,
		    "after the source file");
	}

	/* Perfetto removes blanks at the end of a line. */
	if (method->file.len == 0) {
		const size_t len = method->signature.len;
		size_t *const end = &method->signature.len;

		while (*end > 0 &&
		    (unsigned char)method->signature.bytes[*end - 1] <= ' ')
			--*end;
		if (*end != len)
			note_change(canonical, DMT_METHOD_SIGNATURE,
			    "it ended in blanks");
	}
	return mend_signature(canonical, &method->signature);
}

/* Marks the rows that packets define an id as again, which events have, with
 * the id 0, and all others with none. Finds the id after which new ones are
 * given: the highest, if that leaves some that every reader accepts. */
static enum dmtrace_status
begin_canonical_methods(struct dmt_canonical *canonical)
{
	const struct dmtrace_key *const key = canonical->reader->key;
	const struct dmt_definitions *const definitions =
	    &canonical->reader->definitions;
	const size_t count = dmtrace_key_method_count(key);

	canonical->method_ids = dmt_array_new(count,
	    sizeof(*canonical->method_ids));
	if (canonical->method_ids == NULL)
		return fail_canonical_memory(canonical);
	for (size_t i = 0; i < count; i++) {
		const uint64_t id = dmtrace_key_method_get(key, i)->id;

		canonical->method_ids[i] = DMT_NO_ID;
		if (id > canonical->last_method)
			canonical->last_method = id & ~UINT64_C(3);
	}
	if ((canonical->cures & DMT_CURE_METHODS) != 0 ||
	    canonical->last_method >= HIGH_ID ||
	    canonical->last_method + 4 * (uint64_t)count >= HIGH_ID)
		canonical->last_method = 0;
	for (size_t i = 0; i < definitions->redefined_count; i++)
		canonical->method_ids[definitions->redefined[i].row] = 0;
	return DMTRACE_OK;
}

/* Adds a method, unless an earlier row has the same id and is not redefined. */
static enum dmtrace_status
put_canonical_method(struct dmt_canonical *canonical, size_t index)
{
	const struct dmtrace_key *const key = canonical->reader->key;
	const struct dmtrace_method *const row =
	    dmtrace_key_method_get(key, index);
	const bool renumbers = (canonical->cures & DMT_CURE_METHODS) != 0;
	const uint64_t id = row->id & ~UINT64_C(3);
	const bool again = dmtrace_key_method_find(key, id) != row;
	struct dmtrace_method method = *row;
	char number[DMT_NUMBER_MAX], text[64];

	method.id = id;
	if (again && canonical->method_ids[index] == DMT_NO_ID) {
		note_change(canonical, DMT_METHOD_REPEATED,
		    "the first one stays");
		return DMTRACE_OK;
	}
	if (again || renumbers) {
		do
			canonical->last_method += 4;
		while (!renumbers && dmtrace_key_method_find(key,
		    canonical->last_method) != NULL);
		method.id = canonical->last_method;
	}
	canonical->method_ids[index] = method.id;
	if (method.id != id) {
		snprintf(text, sizeof(text), "0x%" PRIx64 " for 0x%" PRIx64,
		    method.id, id);
		note_change(canonical, again ? DMT_STREAM_METHOD_REDEFINED :
		    DMT_METHOD_ID_HIGH, text);
	}
	if (!clean_canonical_name(canonical, &method.class_name, false) ||
	    !clean_canonical_name(canonical, &method.name, false) ||
	    !clean_canonical_name(canonical, &method.signature, false) ||
	    !clean_canonical_name(canonical, &method.file, false) ||
	    !mend_columns(canonical, &method, number))
		return fail_canonical_memory(canonical);
	return check_canonical_key(canonical, dmtrace_key_method_add(
	    dmtrace_writer_key(canonical->writer), &method));
}

enum dmtrace_status
dmt_canonical_put_key(struct dmt_canonical *canonical)
{
	const struct dmtrace_key *const key = canonical->reader->key;
	enum dmtrace_status status = DMTRACE_OK;

	for (size_t i = 0; i < dmtrace_key_option_count(key) &&
	    status == DMTRACE_OK; i++) {
		status = put_option(canonical, dmtrace_key_option_get(key, i));
		dmt_arena_fini(&canonical->names);
	}
	for (size_t i = 0; i < dmtrace_key_thread_count(key) &&
	    status == DMTRACE_OK; i++) {
		status = put_canonical_thread(canonical,
		    dmtrace_key_thread_get(key, i));
		dmt_arena_fini(&canonical->names);
	}
	if (status == DMTRACE_OK)
		status = begin_canonical_methods(canonical);
	for (size_t i = 0; i < dmtrace_key_method_count(key) &&
	    status == DMTRACE_OK; i++) {
		status = put_canonical_method(canonical, i);
		dmt_arena_fini(&canonical->names);
	}
	return status;
}

enum dmtrace_status
dmt_canonical_put_counts(struct dmt_canonical *canonical)
{
	struct dmtrace_key *const key = dmtrace_writer_key(canonical->writer);
	struct dmt_key_counts counts =
	    dmt_key_counts(canonical->reader->key);
	char *const value = dmt_changes_option(canonical->changes,
	    dmtrace_key_option_find(key, DMT_OPTION_REPAIRED));
	enum dmtrace_status status = value == NULL ?
	    fail_canonical_memory(canonical) :
	    value[0] == '\0' ? DMTRACE_OK : check_canonical_key(canonical,
	    dmtrace_key_option_set(key, DMT_OPTION_REPAIRED,
	    value));

	free(value);
	if (canonical->dropped == 0 || status != DMTRACE_OK)
		return status;
	counts.calls = canonical->written;
	counts.opened -= canonical->opened_dropped;
	counts.closed -= canonical->closed_dropped;
	return check_canonical_key(canonical,
	    dmt_key_set_counts(key, &counts));
}
