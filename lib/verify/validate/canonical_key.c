/* canonical_key.c - the key of a trace in a form that every reader accepts */

/*
 * The reader's key is rewritten, with every row encoded anew. New texts of a
 * row are in an arena until the next row. Changes are counted by finding; the
 * first one is described.
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

/* A row for which there is no memory is left out, and the failure is seen at
 * the end. */
static bool
fail_canonical_memory(struct dmt_canonical *canonical)
{
	dmt_error_memory(&canonical->op->error);
	return false;
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

static bool
cure_option(void *context, size_t index, struct dmtrace_option *option)
{
	struct dmt_canonical *const canonical = context;
	struct dmt_name_table *const names = &canonical->option_names;
	struct dmtrace_text *const value = &option->value;

	(void)index;
	dmt_arena_fini(&canonical->names);
	if (!clean_canonical_name(canonical, &option->name, true) ||
	    (value->bytes != NULL && !clean_canonical_name(canonical, value,
	    true)))
		return fail_canonical_memory(canonical);
	if (value->bytes == NULL ||
	    ((canonical->cures & DMT_CURE_OPTIONS) != 0 &&
	    !is_plain_value(*value))) {
		note_change(canonical, DMT_OPTION_MALFORMED,
		    "no value, or more than one");
		return false;
	}
	if (!dmt_option_fits(option->name.bytes, value->bytes)) {
		note_change(canonical, DMT_OPTION_MALFORMED,
		    "its name is not allowed");
		return false;
	}
	const size_t count = names->count;
	const uint32_t name = dmt_name_table_intern(names,
	    &(struct dmt_name){ .name = option->name });
	if (name == DMT_NO_NAME)
		return fail_canonical_memory(canonical);
	if (name < count)
		note_change(canonical, DMT_OPTION_REPEATED,
		    "the first one stays");
	return name == count;
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
 * thread of the key has. All threads of records are listed. */
static void
renumber_thread(struct dmt_canonical *canonical, uint32_t *number)
{
	const struct dmt_layout *const layout = &canonical->reader->layout;
	uint64_t *const next = &canonical->next_thread;

	if ((canonical->cures & DMT_CURE_THREADS) == 0 ||
	    *number < SIGNED_NUMBERS ||
	    *number >= dmt_layout_thread_numbers(layout))
		return;
	do
		++*next;
	while (*next < SIGNED_NUMBERS && dmt_key_thread_match(
	    canonical->reader->key, layout, (uint32_t)*next) != NULL);
	if (*next < SIGNED_NUMBERS)
		*number = (uint32_t)*next;
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

static bool
cure_thread(void *context, size_t index, struct dmtrace_thread *thread)
{
	struct dmt_canonical *const canonical = context;
	const struct dmtrace_thread *const row =
	    dmtrace_key_thread_get(canonical->reader->key, index);
	const uint32_t number = canonical_number_of(canonical, row);
	char text[64];

	dmt_arena_fini(&canonical->names);
	thread->id = number;
	renumber_thread(canonical, &thread->id);
	uint32_t *const decided =
	    dmt_idmap_at(&canonical->to.numbers, number);
	if (decided == NULL)
		return fail_canonical_memory(canonical);
	*decided = thread->id;
	if (thread->id != row->id) {
		snprintf(text, sizeof(text), "%" PRIu32 " for %" PRIu32,
		    thread->id, row->id);
		note_change(canonical, DMT_THREAD_HIGH, text);
	}
	if (!clean_canonical_name(canonical, &thread->name, false))
		return fail_canonical_memory(canonical);
	if ((canonical->cures & DMT_CURE_TRIM) != 0) {
		const size_t len = thread->name.len;

		thread->name = dmt_trim_like_java(thread->name);
		if (thread->name.len != len)
			note_change(canonical, DMT_THREAD_NAME_BLANK,
			    "as perflib does");
	}
	if (thread->name.len == 0) {
		const int len = snprintf(text, sizeof(text),
		    DMT_UNLISTED_NAME, thread->id);

		note_change(canonical, DMT_THREAD_NAME_EMPTY, text);
		thread->name = (struct dmtrace_text){ dmt_arena_copy(
		    &canonical->names, text, (size_t)len), (size_t)len };
		if (thread->name.bytes == NULL)
			return fail_canonical_memory(canonical);
	}
	if (dmt_idmap_find(&canonical->numbers, thread->id) != NULL) {
		note_change(canonical, DMT_THREAD_REPEATED,
		    "the first one stays");
		return false;
	}
	if (dmt_idmap_at(&canonical->numbers, thread->id) == NULL ||
	    ((canonical->cures & DMT_CURE_NAMES) != 0 &&
	    !make_unique(canonical, thread->id, &thread->name)))
		return fail_canonical_memory(canonical);
	return true;
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
mend_columns(struct dmt_canonical *canonical, struct dmtrace_method *method)
{
	char *const number =
	    dmt_arena_alloc(&canonical->names, DMT_NUMBER_MAX);

	if (number == NULL)
		return false;
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
static bool
begin_canonical_methods(struct dmt_canonical *canonical)
{
	const struct dmtrace_key *const key = canonical->reader->key;
	const struct dmt_definitions *const definitions =
	    &canonical->reader->definitions;
	const size_t count = dmtrace_key_method_count(key);

	canonical->to.method_ids = dmt_array_new(count,
	    sizeof(*canonical->to.method_ids));
	if (canonical->to.method_ids == NULL)
		return fail_canonical_memory(canonical);
	for (size_t i = 0; i < count; i++) {
		const uint64_t id = dmtrace_key_method_get(key, i)->id;

		canonical->to.method_ids[i] = DMT_NO_ID;
		if (id > canonical->last_method)
			canonical->last_method = id & ~UINT64_C(3);
	}
	if ((canonical->cures & DMT_CURE_METHODS) != 0 ||
	    canonical->last_method >= HIGH_ID ||
	    canonical->last_method + 4 * (uint64_t)count >= HIGH_ID)
		canonical->last_method = 0;
	for (size_t i = 0; i < definitions->redefined_count; i++)
		canonical->to.method_ids[definitions->redefined[i].row] = 0;
	return true;
}

/* Leaves out a method if an earlier row has the same id and is not
 * redefined. */
static bool
cure_method(void *context, size_t index, struct dmtrace_method *method)
{
	struct dmt_canonical *const canonical = context;
	const struct dmtrace_key *const key = canonical->reader->key;
	uint64_t *const decided = &canonical->to.method_ids[index];
	const bool renumbers = (canonical->cures & DMT_CURE_METHODS) != 0;
	const uint64_t id = method->id & ~UINT64_C(3);
	const bool again = dmtrace_key_method_find(key, id) !=
	    dmtrace_key_method_get(key, index);
	char text[64];

	dmt_arena_fini(&canonical->names);
	method->id = id;
	if (again && *decided == DMT_NO_ID) {
		note_change(canonical, DMT_METHOD_REPEATED,
		    "the first one stays");
		return false;
	}
	if (again || renumbers) {
		do
			canonical->last_method += 4;
		while (!renumbers && dmtrace_key_method_find(key,
		    canonical->last_method) != NULL);
		method->id = canonical->last_method;
	}
	*decided = method->id;
	if (method->id != id) {
		snprintf(text, sizeof(text), "0x%" PRIx64 " for 0x%" PRIx64,
		    method->id, id);
		note_change(canonical, again ? DMT_STREAM_METHOD_REDEFINED :
		    DMT_METHOD_ID_HIGH, text);
	}
	return (clean_canonical_name(canonical, &method->class_name, false) &&
	    clean_canonical_name(canonical, &method->name, false) &&
	    clean_canonical_name(canonical, &method->signature, false) &&
	    clean_canonical_name(canonical, &method->file, false) &&
	    mend_columns(canonical, method)) ||
	    fail_canonical_memory(canonical);
}

struct dmtrace_key *
dmt_canonical_key(struct dmt_canonical *canonical)
{
	const struct dmt_layout *const layout = &canonical->to.format.layout;
	struct dmtrace_error error;
	struct dmtrace_key *key = NULL;
	struct dmt_key_rules rules = {
		.option = cure_option,
		.thread = cure_thread,
		.method = cure_method,
		.context = canonical,
		.form = DMT_KEY_ENCODED
	};

	if (!begin_canonical_methods(canonical))
		return NULL;
	if (dmt_key_rewrite(&key, canonical->reader->key, &rules, &error) ==
	    DMTRACE_OK) {
		if (dmt_key_set_version(key, layout->version) == DMTRACE_OK &&
		    dmt_key_clock(key) != layout->clock)
			dmtrace_key_option_set(key, DMT_OPTION_CLOCK,
			    dmtrace_clock_name(layout->clock));
		error = *dmt_key_error(key);
	}
	if (dmt_op_fail(canonical->op, NULL, &error) == DMTRACE_OK)
		return key;
	dmt_key_free(key);
	return NULL;
}

enum dmtrace_status
dmt_canonical_put_counts(struct dmt_canonical *canonical,
    struct dmtrace_key *key)
{
	struct dmt_key_counts counts =
	    dmt_key_counts(canonical->reader->key);
	char *const value = dmt_changes_option(canonical->changes,
	    dmtrace_key_option_find(key, DMT_OPTION_REPAIRED));

	if (value == NULL)
		return dmt_error_memory(&canonical->op->error);
	if (value[0] != '\0')
		dmtrace_key_option_set(key, DMT_OPTION_REPAIRED, value);
	free(value);
	counts.calls = canonical->written;
	counts.opened -= canonical->to.opened_dropped;
	counts.closed -= canonical->to.closed_dropped;
	if (canonical->to.dropped > 0 &&
	    dmt_key_error(key)->status == DMTRACE_OK)
		dmt_key_set_counts(key, &counts);
	return dmt_op_fail(canonical->op, NULL, dmt_key_error(key));
}
