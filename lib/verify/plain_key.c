/* plain_key.c - the key of a trace in the form that every reader takes */

#include "verify/plain.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "key/line_encode.h"
#include "key/rows.h"
#include "key/text.h"

#define SIGNED_NUMBERS (1u << 15)	/* of threads, below the high bit */

static void
tell(struct dmt_plain *plain, enum dmt_finding which, const char *text)
{
	dmt_change_add(plain->changes, which, 1, DMTRACE_PLACE_NONE, 0, "%s",
	    text);
}

static enum dmtrace_status
fail_memory(struct dmt_plain *plain)
{
	return dmt_error_memory(&plain->op->error);
}

static enum dmtrace_status
check(struct dmt_plain *plain, enum dmtrace_status status)
{
	if (status == DMTRACE_OK)
		return DMTRACE_OK;
	return dmt_op_fail(plain->op, NULL,
	    dmtrace_key_error(dmtrace_writer_key(plain->writer)));
}

/* Perfetto takes none without a value, nor with two "=". */
static bool
is_plain_value(struct dmtrace_text value)
{
	return value.len > 0 && !dmt_text_holds(value, '=');
}

/* The clock line is the writer's. */
static enum dmtrace_status
put_option(struct dmt_plain *plain, const struct dmtrace_option *option)
{
	struct dmtrace_key *const key = dmtrace_writer_key(plain->writer);
	struct dmtrace_text name = option->name, value = option->value;

	if (dmt_text_is(name, "clock"))
		return DMTRACE_OK;
	if (!dmt_plain_name(plain, &name, true) ||
	    (value.bytes != NULL && !dmt_plain_name(plain, &value, true)))
		return fail_memory(plain);
	if (value.bytes == NULL || ((plain->cures & DMT_CURE_OPTIONS) != 0 &&
	    !is_plain_value(value))) {
		tell(plain, DMT_OPTION_MALFORMED, "no value, or more than one");
		return DMTRACE_OK;
	}
	if (dmtrace_key_option_find(key, name.bytes) != NULL) {
		tell(plain, DMT_OPTION_REPEATED, "the first one stays");
		return DMTRACE_OK;
	}
	if (dmt_option_fits(name.bytes, value.bytes))
		return check(plain, dmtrace_key_option_set(key, name.bytes,
		    value.bytes));
	tell(plain, DMT_OPTION_MALFORMED, "its name is none");
	return DMTRACE_OK;
}

/* The number that records have for a row, if they have one. */
static uint32_t
number_of(const struct dmt_plain *plain, const struct dmtrace_thread *row)
{
	const struct dmtrace_key *const key = plain->reader->key;
	const struct dmtrace_layout *const layout = &plain->reader->layout;
	const uint32_t number = (uint32_t)(row->id %
	    dmt_layout_thread_numbers(layout));

	return dmtrace_key_thread_match(key, layout, number) == row ?
	    number : row->id;
}

static uint32_t
find_free(struct dmt_plain *plain)
{
	do
		plain->next_thread++;
	while (plain->next_thread < SIGNED_NUMBERS &&
	    dmtrace_key_thread_match(plain->reader->key,
	    &plain->reader->layout, (uint32_t)plain->next_thread) != NULL);
	return (uint32_t)plain->next_thread;
}

/* All that records name is listed. */
static uint32_t
renumber(struct dmt_plain *plain, uint32_t number)
{
	const size_t numbers =
	    dmt_layout_thread_numbers(&plain->reader->layout);

	if ((plain->cures & DMT_CURE_THREADS) == 0 ||
	    number < SIGNED_NUMBERS || number >= numbers)
		return number;
	const uint32_t free_one = find_free(plain);
	if (free_one >= SIGNED_NUMBERS)
		return number;
	plain->lanes[number].number = free_one;
	return free_one;
}

static void
trim_name(struct dmt_plain *plain, struct dmtrace_text *name)
{
	const size_t len = name->len;

	while (name->len > 0 &&
	    (unsigned char)name->bytes[name->len - 1] <= ' ')
		name->len--;
	while (name->len > 0 && (unsigned char)name->bytes[0] <= ' ') {
		name->bytes++;
		name->len--;
	}
	if (name->len != len)
		tell(plain, DMT_THREAD_NAME_BLANK, "for perflib, which does");
}

static uint64_t
hash_name(struct dmtrace_text name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < name.len; i++)
		hash = (hash ^ (unsigned char)name.bytes[i]) *
		    UINT64_C(0x100000001b3);
	return hash;
}

/* Puts the number behind a name until it is no other one's. Two names of one
 * hash are taken for one, which does no harm. false: no memory. */
static bool
make_unique(struct dmt_plain *plain, uint32_t number,
    struct dmtrace_text *name)
{
	char suffix[16];
	const size_t size = (size_t)snprintf(suffix, sizeof(suffix),
	    "-%" PRIu32, number);

	while (dmt_idmap_find(&plain->thread_names, hash_name(*name)) !=
	    NULL) {
		char *const bytes =
		    dmt_arena_alloc(&plain->names, name->len + size + 1);

		if (bytes == NULL)
			return false;
		memcpy(bytes, name->bytes, name->len);
		memcpy(bytes + name->len, suffix, size + 1);
		*name = (struct dmtrace_text){ bytes, name->len + size };
		tell(plain, DMT_THREAD_NAME_SHARED, bytes);
	}
	return dmt_idmap_add(&plain->thread_names, hash_name(*name), 1);
}

static enum dmtrace_status
put_thread(struct dmt_plain *plain, const struct dmtrace_thread *row)
{
	struct dmtrace_key *const key = dmtrace_writer_key(plain->writer);
	struct dmtrace_thread thread =
	    { renumber(plain, number_of(plain, row)), row->name };
	char words[64];

	if (thread.id != row->id) {
		snprintf(words, sizeof(words), "%" PRIu32 " for %" PRIu32,
		    thread.id, row->id);
		tell(plain, DMT_THREAD_HIGH, words);
	}
	if (!dmt_plain_name(plain, &thread.name, false))
		return fail_memory(plain);
	if ((plain->cures & DMT_CURE_TRIM) != 0)
		trim_name(plain, &thread.name);
	if (thread.name.len == 0) {
		snprintf(words, sizeof(words), "thread %" PRIu32, thread.id);
		thread.name = dmt_text_of(words);
		tell(plain, DMT_THREAD_NAME_EMPTY, words);
	}
	if (dmtrace_key_thread_find(key, thread.id) != NULL) {
		tell(plain, DMT_THREAD_REPEATED, "the first one stays");
		return DMTRACE_OK;
	}
	if ((plain->cures & DMT_CURE_NAMES) != 0 &&
	    !make_unique(plain, thread.id, &thread.name))
		return fail_memory(plain);
	return check(plain, dmtrace_key_thread_add(key, &thread));
}

static bool
clean(struct dmt_plain *plain, struct dmtrace_method *method)
{
	return dmt_plain_name(plain, &method->class_name, false) &&
	    dmt_plain_name(plain, &method->name, false) &&
	    dmt_plain_name(plain, &method->signature, false) &&
	    dmt_plain_name(plain, &method->file, false);
}

/* A signature begins with "("; false: no memory. */
static bool
mend_signature(struct dmt_plain *plain, struct dmtrace_text *signature)
{
	if (dmt_text_begins(*signature, "("))
		return true;
	tell(plain, DMT_METHOD_SIGNATURE, signature->len == 0 ?
	    "there was none" : "it did not begin with \"(\"");
	if (signature->len == 0) {
		*signature = dmt_text_of("()V");
		return true;
	}
	char *const bytes =
	    dmt_arena_alloc(&plain->names, signature->len + 3);
	if (bytes == NULL)
		return false;
	bytes[0] = '(';
	memcpy(bytes + 1, signature->bytes, signature->len);
	memcpy(bytes + 1 + signature->len, ")", sizeof(")"));
	*signature = dmt_text_of(bytes);
	return true;
}

/* Perfetto leaves out blanks at the end of a line. */
static void
trim_end(struct dmt_plain *plain, struct dmtrace_method *method)
{
	struct dmtrace_text *const last = &method->signature;
	const size_t len = last->len;

	if (method->file.len > 0)
		return;
	while (last->len > 0 &&
	    (unsigned char)last->bytes[last->len - 1] <= ' ')
		last->len--;
	if (last->len != len)
		tell(plain, DMT_METHOD_SIGNATURE, "blanks are at its end");
}

/* Four columns, five or six, none of them empty. */
static bool
mend_columns(struct dmt_plain *plain, struct dmtrace_method *method,
    char number[DMT_NUMBER_MAX])
{
	if (method->class_name.len == 0) {
		method->class_name = dmt_text_of("unknown");
		tell(plain, DMT_METHOD_NAME_EMPTY, "class");
	}
	if (method->name.len == 0) {
		*method = dmt_method_named(method, method->id, number);
		tell(plain, DMT_METHOD_NAME_EMPTY, "name");
	}
	if (method->file.len == 0 && method->line != DMTRACE_NO_LINE) {
		method->line = DMTRACE_NO_LINE;
		tell(plain, DMT_METHOD_LINE_BAD, "there is no file");
	}
	if (method->file.len > 0 && method->line == DMTRACE_NO_LINE &&
	    (plain->cures & DMT_CURE_FILE) != 0) {
		method->line = -1;
		tell(plain, DMT_METHOD_COLUMNS_5, "behind the source file");
	}
	trim_end(plain, method);
	return mend_signature(plain, &method->signature);
}

/* false: no memory. */
static bool
number_method(struct dmt_plain *plain, struct dmtrace_method *method)
{
	const uint32_t index = (uint32_t)plain->methods.count;
	const uint64_t id = method->id;
	char words[64];

	if ((plain->cures & DMT_CURE_METHODS) == 0)
		return true;
	method->id = 4 * ((uint64_t)index + 1);
	if (method->id != id) {
		snprintf(words, sizeof(words), "0x%" PRIx64 " for 0x%" PRIx64,
		    method->id, id);
		tell(plain, DMT_METHOD_ID_HIGH, words);
	}
	return dmt_idmap_add(&plain->methods, id, index);
}

/* Of rows with one id the first one counts. */
static enum dmtrace_status
put_method(struct dmt_plain *plain, const struct dmtrace_method *row)
{
	struct dmtrace_method method = *row;
	char number[DMT_NUMBER_MAX];

	method.id &= ~UINT64_C(3);
	if (dmtrace_key_method_find(plain->reader->key, method.id) != row) {
		tell(plain, DMT_METHOD_REPEATED, "the first one stays");
		return DMTRACE_OK;
	}
	if (!number_method(plain, &method) || !clean(plain, &method) ||
	    !mend_columns(plain, &method, number))
		return fail_memory(plain);
	return check(plain, dmtrace_key_method_add(
	    dmtrace_writer_key(plain->writer), &method));
}

static uint64_t
get_count(const struct dmt_plain *plain, const char *name)
{
	const struct dmtrace_option *const option =
	    dmtrace_key_option_find(plain->reader->key, name);
	uint64_t count = 0;

	if (option == NULL || option->value.bytes == NULL)
		return 0;
	for (size_t i = 0; i < option->value.len; i++) {
		const char digit = option->value.bytes[i];

		if (digit < '0' || digit > '9' || count > UINT32_MAX)
			return 0;
		count = count * 10 + (uint64_t)(digit - '0');
	}
	return count;
}

enum dmtrace_status
dmt_plain_put_key(struct dmt_plain *plain)
{
	const struct dmtrace_key *const key = plain->reader->key;
	enum dmtrace_status status = DMTRACE_OK;

	plain->opened = get_count(plain, "dmtrace-opened");
	plain->closed = get_count(plain, "dmtrace-closed");
	for (size_t i = 0; i < dmtrace_key_option_count(key) &&
	    status == DMTRACE_OK; i++) {
		status = put_option(plain, dmtrace_key_option_get(key, i));
		dmt_arena_fini(&plain->names);
	}
	for (size_t i = 0; i < dmtrace_key_thread_count(key) &&
	    status == DMTRACE_OK; i++) {
		status = put_thread(plain, dmtrace_key_thread_get(key, i));
		dmt_arena_fini(&plain->names);
	}
	for (size_t i = 0; i < dmtrace_key_method_count(key) &&
	    status == DMTRACE_OK; i++) {
		status = put_method(plain, dmtrace_key_method_get(key, i));
		dmt_arena_fini(&plain->names);
	}
	return status;
}

/* An option that is there. */
static enum dmtrace_status
set_count(struct dmt_plain *plain, const char *name, uint64_t count)
{
	struct dmtrace_key *const key = dmtrace_writer_key(plain->writer);
	char digits[24];

	if (dmtrace_key_option_find(key, name) == NULL)
		return DMTRACE_OK;
	snprintf(digits, sizeof(digits), "%" PRIu64, count);
	return check(plain, dmtrace_key_option_set(key, name, digits));
}

enum dmtrace_status
dmt_plain_put_counts(struct dmt_plain *plain)
{
	struct dmtrace_key *const key = dmtrace_writer_key(plain->writer);
	char *const value = dmt_changes_option(plain->changes,
	    dmtrace_key_option_find(key, "dmtrace-repaired"));
	enum dmtrace_status status = value == NULL ? fail_memory(plain) :
	    value[0] == '\0' ? DMTRACE_OK : check(plain,
	    dmtrace_key_option_set(key, "dmtrace-repaired", value));

	free(value);
	if (plain->dropped == 0 || status != DMTRACE_OK)
		return status;
	status = set_count(plain, "num-method-calls",
	    plain->records - plain->dropped);
	if (status == DMTRACE_OK)
		status = set_count(plain, "dmtrace-opened",
		    plain->opened - plain->opened_dropped);
	return status == DMTRACE_OK ?
	    set_count(plain, "dmtrace-closed",
	    plain->closed - plain->closed_dropped) : status;
}
