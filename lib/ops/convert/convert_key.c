/* convert_key.c - the key of a converted trace, as it was or canonical */

/*
 * The key is that of the trace with another version and clock; its other lines
 * are unchanged. Methods are renumbered before the first event, since a stream
 * announces their lines. Threads are renumbered when their first event comes,
 * so without the canonical form the key is made again after the last one.
 *
 * In the canonical form, for other readers, all threads are listed, so their
 * numbers are decided here. Every row is encoded anew and cured; new texts of
 * a row are in an arena until the next row. Changes are counted by finding;
 * the first one is described.
 */

#include "ops/convert/convert_key.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/escape.h"
#include "key/key.h"
#include "key/line_encode.h"
#include "key/line_text.h"
#include "key/number.h"
#include "key/rows.h"
#include "private/key.h"
#include "private/names.h"
#include "private/utf8.h"

#define SIGNED_NUMBERS (1u << 15)	/* thread numbers without a high bit */
#define HIGH_ID (UINT64_C(1) << 31)	/* from here on, ids are negative */
#define UNIT_MAX 16			/* enough for "\uD83D\uDE00" */
#define GROWTH_MAX 4			/* bytes for one byte, as in "\xff" */

/* The key as it was */

/* Chooses the ids of all rows: the same id, unless it does not fit, an earlier
 * row has it and the output has no packets to redefine it, or it is 0, which
 * an exit without a method has. */
static bool
choose_ids(struct dmt_key_conversion *conversion)
{
	struct dmt_conversion *const to = conversion->to;
	const struct dmt_definitions *const definitions =
	    &conversion->reader->definitions;
	const size_t count = dmtrace_key_method_count(to->from);
	size_t redefined = 0;		/* redefinitions of earlier rows */

	/* Low ids may be those of methods that are not listed. */
	if (to->format.bare_exits)
		to->last_id = HIGH_ID - 8;
	for (size_t i = 0; i < count; i++) {
		uint64_t id = dmtrace_key_method_get(to->from, i)->id;

		/* Redefinitions that return to an earlier row are skipped. */
		while (redefined < definitions->redefined_count &&
		    definitions->redefined[redefined].row < i)
			redefined++;
		const bool again = redefined < definitions->redefined_count &&
		    definitions->redefined[redefined].row == i;
		if (!dmt_fits(to->format.layout.method.width, id) ||
		    (again && !to->format.dialect->packets) ||
		    (to->format.bare_exits && id < 4)) {
			id = dmt_conversion_new_id(to);
			if (id == 0)
				return false;
		}
		to->method_ids[i] = id;
	}
	return true;
}

/* Elapsed time: the dialect may have it in nanoseconds, or gets it in
 * microseconds. Padding is dropped: a key of packets may have no space for
 * it. */
static bool
convert_option(void *context, size_t index, struct dmtrace_option *option)
{
	struct dmt_key_conversion *const conversion = context;
	struct dmt_conversion *const to = conversion->to;
	uint64_t elapsed_ns;

	(void)index;
	if (dmt_text_is(option->name, DMT_OPTION_PADDING))
		return false;
	if (to->format.dialect->ns_option ||
	    !dmt_text_is(option->name, DMT_OPTION_ELAPSED_NS) ||
	    !dmt_count_decode(&elapsed_ns, option->value))
		return true;
	snprintf(conversion->elapsed, sizeof(conversion->elapsed), "%" PRIu64,
	    elapsed_ns / 1000);
	option->name = dmt_text_of(DMT_OPTION_ELAPSED_US);
	option->value = dmt_text_of(conversion->elapsed);
	to->losses[DMTRACE_LOSS_ROUNDED] +=
	    !conversion->made && elapsed_ns % 1000 != 0;
	return true;
}

/* The rows of a thread in packets are its names, the last one first. */
static bool
convert_thread(void *context, size_t index, struct dmtrace_thread *thread)
{
	struct dmt_key_conversion *const conversion = context;
	struct dmt_conversion *const to = conversion->to;
	const struct dmtrace_thread *const row =
	    dmtrace_key_thread_get(to->from, index);

	if (conversion->reader->dialect->packets &&
	    !to->format.dialect->packets &&
	    dmtrace_key_thread_find(to->from, row->id) != row) {
		to->losses[DMTRACE_LOSS_THREAD_NAME] += !conversion->made;
		return false;
	}
	const uint32_t *const number =
	    dmt_idmap_find(&to->row_numbers, row->id);
	if (number != NULL)
		thread->id = *number;
	return true;
}

static bool
convert_method(void *context, size_t index, struct dmtrace_method *method)
{
	const struct dmt_key_conversion *const conversion = context;

	method->id = conversion->to->method_ids[index];
	return true;
}

/* The canonical form */

static void
note_change(struct dmt_key_conversion *conversion, enum dmt_finding which,
    const char *text)
{
	dmt_change_add(conversion->to->changes, which, 1, DMTRACE_PLACE_NONE, 0,
	    "%s", text);
}

/* A row for which there is no memory is left out, and the failure is seen at
 * the end. */
static bool
fail_memory(struct dmt_key_conversion *conversion)
{
	conversion->no_memory = true;
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
	} else if (decoded == 0 ?
	    (cures & (DMT_CURE_UTF8 | DMT_CURE_ASCII)) != 0 :
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
clean_name(struct dmt_key_conversion *conversion,
    struct dmtrace_text *name, bool keeps_tabs)
{
	bool noted[DMT_ROW_COUNT] = { false };
	char shown[DMT_ESCAPED_MAX];
	char *const bytes = dmt_arena_alloc(&conversion->names,
	    GROWTH_MAX * name->len + 1);
	size_t len = 0;

	if (bytes == NULL)
		return false;
	for (size_t from = 0; from < name->len;) {
		enum dmt_finding change = DMT_ROW_COUNT;
		char unit[UNIT_MAX];
		size_t unit_len;

		from += encode_unit(unit, &unit_len, &change,
		    conversion->cures, name->bytes + from, name->len - from,
		    keeps_tabs);
		memcpy(bytes + len, unit, unit_len);
		len += unit_len;
		if (change == DMT_ROW_COUNT || noted[change])
			continue;
		noted[change] = true;
		dmt_change_add(conversion->to->changes, change, 1,
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
	struct dmt_key_conversion *const conversion = context;
	struct dmt_name_table *const names = &conversion->option_names;
	struct dmtrace_text *const value = &option->value;

	if (!convert_option(conversion, index, option))
		return false;
	dmt_arena_fini(&conversion->names);
	if (!clean_name(conversion, &option->name, true) ||
	    (value->bytes != NULL && !clean_name(conversion, value,
	    true)))
		return fail_memory(conversion);
	if (value->bytes == NULL ||
	    ((conversion->cures & DMT_CURE_OPTIONS) != 0 &&
	    !is_plain_value(*value))) {
		note_change(conversion, DMT_OPTION_MALFORMED,
		    "no value, or more than one");
		return false;
	}
	if (!dmt_option_fits(option->name.bytes, value->bytes)) {
		note_change(conversion, DMT_OPTION_MALFORMED,
		    "its name is not allowed");
		return false;
	}
	const size_t count = names->count;
	const uint32_t name = dmt_name_table_intern(names,
	    &(struct dmt_name){ .name = option->name });
	if (name == DMT_NO_NAME)
		return fail_memory(conversion);
	if (name < count)
		note_change(conversion, DMT_OPTION_REPEATED,
		    "the first one stays");
	return name == count;
}

/* Threads */

/* Returns the number that records have for the thread of a row, or its id if
 * records of that number belong to another row. */
static uint32_t
canonical_number_of(const struct dmt_key_conversion *conversion,
    const struct dmtrace_thread *row)
{
	const struct dmt_layout *const layout = &conversion->reader->layout;
	const uint32_t number = (uint32_t)(row->id %
	    dmt_layout_thread_numbers(layout));

	return dmt_key_thread_match(conversion->to->from, layout,
	    number) == row ? number : row->id;
}

/* Replaces a number that some readers read as negative by the next one that no
 * thread of the key has. All threads of records are listed. */
static void
renumber_thread(struct dmt_key_conversion *conversion, uint32_t *number)
{
	const struct dmt_layout *const layout = &conversion->reader->layout;
	uint64_t *const next = &conversion->next_thread;

	if ((conversion->cures & DMT_CURE_THREADS) == 0 ||
	    *number < SIGNED_NUMBERS ||
	    *number >= dmt_layout_thread_numbers(layout))
		return;
	do
		++*next;
	while (*next < SIGNED_NUMBERS && dmt_key_thread_match(
	    conversion->to->from, layout, (uint32_t)*next) != NULL);
	if (*next < SIGNED_NUMBERS)
		*number = (uint32_t)*next;
}

/* Appends the number to a name, again if needed, until no other thread has that
 * name. false: no memory. */
static bool
make_unique(struct dmt_key_conversion *conversion, uint32_t number,
    struct dmtrace_text *name)
{
	const size_t count = conversion->thread_names.count;
	char suffix[16];
	const size_t size = (size_t)snprintf(suffix, sizeof(suffix),
	    "-%" PRIu32, number);

	for (;;) {
		const uint32_t index = dmt_name_table_intern(
		    &conversion->thread_names,
		    &(struct dmt_name){ .name = *name });

		if (index == count || index == DMT_NO_NAME)
			return index == count;
		char *const bytes = dmt_arena_alloc(&conversion->names,
		    name->len + size + 1);
		if (bytes == NULL)
			return false;
		memcpy(bytes, name->bytes, name->len);
		memcpy(bytes + name->len, suffix, size + 1);
		*name = (struct dmtrace_text){ bytes, name->len + size };
		note_change(conversion, DMT_THREAD_NAME_SHARED, bytes);
	}
}

static bool
cure_thread(void *context, size_t index, struct dmtrace_thread *thread)
{
	struct dmt_key_conversion *const conversion = context;
	const struct dmtrace_thread *const row =
	    dmtrace_key_thread_get(conversion->to->from, index);
	const uint32_t number = canonical_number_of(conversion, row);
	char text[64];

	dmt_arena_fini(&conversion->names);
	thread->id = number;
	renumber_thread(conversion, &thread->id);
	uint32_t *const decided =
	    dmt_idmap_at(&conversion->to->numbers, number);
	if (decided == NULL)
		return fail_memory(conversion);
	*decided = thread->id;
	if (thread->id != row->id) {
		snprintf(text, sizeof(text), "%" PRIu32 " for %" PRIu32,
		    thread->id, row->id);
		note_change(conversion, DMT_THREAD_HIGH, text);
	}
	if (!clean_name(conversion, &thread->name, false))
		return fail_memory(conversion);
	if ((conversion->cures & DMT_CURE_TRIM) != 0) {
		const size_t len = thread->name.len;

		thread->name = dmt_text_trim_java(thread->name);
		if (thread->name.len != len)
			note_change(conversion, DMT_THREAD_NAME_BLANK,
			    "as perflib does");
	}
	if (thread->name.len == 0) {
		const int len = snprintf(text, sizeof(text),
		    DMT_UNLISTED_NAME, thread->id);

		note_change(conversion, DMT_THREAD_NAME_EMPTY, text);
		thread->name = (struct dmtrace_text){ dmt_arena_copy(
		    &conversion->names, text, (size_t)len), (size_t)len };
		if (thread->name.bytes == NULL)
			return fail_memory(conversion);
	}
	if (dmt_idmap_find(&conversion->numbers, thread->id) != NULL) {
		note_change(conversion, DMT_THREAD_REPEATED,
		    "the first one stays");
		return false;
	}
	if (dmt_idmap_at(&conversion->numbers, thread->id) == NULL ||
	    ((conversion->cures & DMT_CURE_NAMES) != 0 &&
	    !make_unique(conversion, thread->id, &thread->name)))
		return fail_memory(conversion);
	return true;
}

/* Methods */

/* Makes a signature begin with "(". false: no memory. */
static bool
mend_signature(struct dmt_key_conversion *conversion,
    struct dmtrace_text *signature)
{
	if (dmt_text_begins(*signature, "("))
		return true;
	note_change(conversion, DMT_METHOD_SIGNATURE, signature->len == 0 ?
	    "it was missing" : "it did not begin with \"(\"");
	if (signature->len == 0) {
		*signature = dmt_text_of("()V");
		return true;
	}
	char *const bytes =
	    dmt_arena_alloc(&conversion->names, signature->len + 3);
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
mend_columns(struct dmt_key_conversion *conversion,
    struct dmtrace_method *method)
{
	char *const number =
	    dmt_arena_alloc(&conversion->names, DMT_NUMBER_MAX);

	if (number == NULL)
		return false;
	if (method->class_name.len == 0) {
		method->class_name = dmt_text_of("unknown");
		note_change(conversion, DMT_METHOD_NAME_EMPTY, "class");
	}
	if (method->name.len == 0) {
		*method = dmt_method_named(method, method->id, number);
		note_change(conversion, DMT_METHOD_NAME_EMPTY, "name");
	}
	if (method->file.len == 0 && method->line != DMTRACE_NO_LINE) {
		method->line = DMTRACE_NO_LINE;
		note_change(conversion, DMT_METHOD_LINE_BAD,
		    "there is no source file");
	}
	if (method->file.len > 0 && method->line == DMTRACE_NO_LINE &&
	    (conversion->cures & DMT_CURE_FILE) != 0) {
		method->line = -1;
		note_change(conversion, DMT_METHOD_COLUMNS_5,
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
			note_change(conversion, DMT_METHOD_SIGNATURE,
			    "it ended in blanks");
	}
	return mend_signature(conversion, &method->signature);
}

/* Marks the rows that packets define an id as again, which events have, with
 * the id 0, and all others with none. Finds the id after which new ones are
 * given: the highest, if that leaves some that every reader accepts. */
static void
begin_methods(struct dmt_key_conversion *conversion)
{
	struct dmt_conversion *const to = conversion->to;
	const struct dmt_definitions *const definitions =
	    &conversion->reader->definitions;
	const size_t count = dmtrace_key_method_count(to->from);

	for (size_t i = 0; i < count; i++) {
		const uint64_t id = dmtrace_key_method_get(to->from, i)->id;

		to->method_ids[i] = DMT_NO_ID;
		if (id > conversion->last_method)
			conversion->last_method = id & ~UINT64_C(3);
	}
	if ((conversion->cures & DMT_CURE_METHODS) != 0 ||
	    conversion->last_method >= HIGH_ID ||
	    conversion->last_method + 4 * (uint64_t)count >= HIGH_ID)
		conversion->last_method = 0;
	for (size_t i = 0; i < definitions->redefined_count; i++)
		to->method_ids[definitions->redefined[i].row] = 0;
}

/* Leaves out a method if an earlier row has the same id and is not
 * redefined. */
static bool
cure_method(void *context, size_t index, struct dmtrace_method *method)
{
	struct dmt_key_conversion *const conversion = context;
	const struct dmtrace_key *const key = conversion->to->from;
	uint64_t *const decided = &conversion->to->method_ids[index];
	const bool renumbers = (conversion->cures & DMT_CURE_METHODS) != 0;
	const uint64_t id = method->id & ~UINT64_C(3);
	const bool again = dmtrace_key_method_find(key, id) !=
	    dmtrace_key_method_get(key, index);
	char text[64];

	dmt_arena_fini(&conversion->names);
	method->id = id;
	if (again && *decided == DMT_NO_ID) {
		note_change(conversion, DMT_METHOD_REPEATED,
		    "the first one stays");
		return false;
	}
	if (again || renumbers) {
		do
			conversion->last_method += 4;
		while (!renumbers && dmtrace_key_method_find(key,
		    conversion->last_method) != NULL);
		method->id = conversion->last_method;
	}
	*decided = method->id;
	if (method->id != id) {
		snprintf(text, sizeof(text), "0x%" PRIx64 " for 0x%" PRIx64,
		    method->id, id);
		note_change(conversion, again ? DMT_STREAM_METHOD_REDEFINED :
		    DMT_METHOD_ID_HIGH, text);
	}
	return (clean_name(conversion, &method->class_name, false) &&
	    clean_name(conversion, &method->name, false) &&
	    clean_name(conversion, &method->signature, false) &&
	    clean_name(conversion, &method->file, false) &&
	    mend_columns(conversion, method)) ||
	    fail_memory(conversion);
}


/* The key */

/* A packet of ART has no line number: Studio takes the LF that ends it for a
 * part of it. */
struct dmtrace_key *
dmt_converted_key(struct dmt_key_conversion *conversion,
    struct dmtrace_error *error)
{
	struct dmt_conversion *const to = conversion->to;
	const struct dmt_layout *const layout = &to->format.layout;
	const bool canonical = conversion->canonical;
	struct dmt_key_rules rules = {
		.option = canonical ? cure_option : convert_option,
		.thread = canonical ? cure_thread : convert_thread,
		.method = canonical ? cure_method : convert_method,
		.context = conversion,
		.form = canonical ? DMT_KEY_ENCODED : DMT_KEY_ROWS,
		.cuts = to->format.dialect->no_lines
	};
	struct dmtrace_key *key;
	bool done = true;

	if (!conversion->made) {
		to->method_ids = dmt_array_new(
		    dmtrace_key_method_count(to->from) + 1,
		    sizeof(*to->method_ids));
		done = to->method_ids != NULL;
		if (done && canonical)
			begin_methods(conversion);
		else if (done)
			done = choose_ids(conversion);
	}
	if (!done) {
		dmt_error_memory(error);
		return NULL;
	}
	if (dmt_key_rewrite(&key, to->from, &rules, error) != DMTRACE_OK)
		return NULL;
	if (conversion->no_memory)
		dmt_error_memory(error);
	if (!conversion->made)
		to->losses[DMTRACE_LOSS_LINE] += rules.cut;
	conversion->made = true;

	/* A clock line that says which clock a layout has is kept. */
	const enum dmtrace_clock named = dmt_key_clock(key);
	const struct dmt_layout *const said =
	    dmt_layout_find(layout->version, named);
	if (dmt_key_set_version(key, layout->version) == DMTRACE_OK &&
	    (canonical ? named != layout->clock :
	    said == NULL || said->clock != layout->clock ||
	    dmtrace_clock_name(named)[0] == '\0'))
		dmtrace_key_option_set(key, DMT_OPTION_CLOCK,
		    dmtrace_clock_name(layout->clock));
	if (error->status == DMTRACE_OK)
		*error = *dmt_key_error(key);
	if (error->status == DMTRACE_OK)
		return key;
	dmt_key_free(key);
	return NULL;
}

enum dmtrace_status
dmt_converted_key_count(const struct dmt_key_conversion *conversion,
    struct dmtrace_key *key, struct dmtrace_error *error)
{
	const struct dmt_conversion *const to = conversion->to;
	struct dmt_key_counts counts = dmt_key_counts(to->from);
	char *const value = dmt_changes_option(to->changes,
	    dmtrace_key_option_find(key, DMT_OPTION_REPAIRED));

	if (value == NULL)
		return dmt_error_memory(error);
	if (value[0] != '\0')
		dmtrace_key_option_set(key, DMT_OPTION_REPAIRED, value);
	free(value);
	counts.calls = to->written;
	counts.opened -= to->opened_dropped;
	counts.closed -= to->closed_dropped;
	if (to->dropped > 0 && dmt_key_error(key)->status == DMTRACE_OK)
		dmt_key_set_counts(key, &counts);
	*error = *dmt_key_error(key);
	return error->status;
}

void
dmt_key_conversion_fini(struct dmt_key_conversion *conversion)
{
	dmt_idmap_fini(&conversion->numbers);
	dmt_name_table_fini(&conversion->option_names);
	dmt_name_table_fini(&conversion->thread_names);
	dmt_arena_fini(&conversion->names);
}
