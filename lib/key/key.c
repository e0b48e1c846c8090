/* key.c - making, copying and querying keys */

#include "key/key.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/layout.h"
#include "key/number.h"
#include "key/line_text.h"
#include "private/key.h"

#define KEY_LIMIT (UINT64_C(1) << 30)
#define LINE_LIMIT (UINT64_C(1) << 24)

void
dmt_key_fini(struct dmtrace_key *key)
{
	free(key->lines.items);
	for (size_t i = 0; i < DMT_TABLES; i++)
		free(key->added[i].lines.items);
	dmt_options_fini(&key->options);
	dmt_threads_fini(&key->threads);
	dmt_methods_fini(&key->methods);
	dmt_arena_fini(&key->arena);
}

struct dmtrace_key *
dmt_key_make(const struct dmtrace_key *limits, const void *bytes, size_t len)
{
	struct dmt_findings findings = { 0 };
	struct dmtrace_key *key = dmt_array_new(1, sizeof(*key));

	if (key == NULL)
		return NULL;
	key->limit_key = limits->limit_key;
	key->limit_line = limits->limit_line;
	const enum dmtrace_status status =
	    dmt_key_decode(key, bytes, len, &findings);
	if (status == DMTRACE_OK)
		return key;
	dmt_key_free(key);
	return NULL;
}

struct dmtrace_key *
dmt_key_new(void)
{
	static const char empty[] = "*version\n2\n*threads\n*methods\n*end\n";
	enum { NUMBER = 1 };
	struct dmtrace_key *const key = dmt_array_new(1, sizeof(*key));

	if (key == NULL)
		return NULL;
	*key = (struct dmtrace_key){
		.text = { empty, sizeof(empty) - 1 },
		.added = { { .at = 2 }, { .at = 3 }, { .at = 4 } },
		.number = NUMBER,
		.fresh = true,
		.line_end = "\n",
		.version = 2,
		.encoded_size = sizeof(empty) - 1,
		.limit_key = KEY_LIMIT,
		.limit_line = LINE_LIMIT
	};
	for (const char *at = empty; *at != '\0';) {
		const size_t len = strcspn(at, "\n") + 1;

		if (!dmt_key_line_append(&key->lines, &(struct dmt_key_line){
		    .text = { at, len }, .row = DMT_KEY_NO_ROW,
		    .item = key->lines.count == NUMBER ? DMT_ITEM_NUMBER :
		    DMT_ITEM_HEADING, .end = 1 })) {
			dmt_key_free(key);
			return NULL;
		}
		at += len;
	}
	return key;
}

size_t
dmt_key_memory(const struct dmtrace_key *key)
{
	size_t slots =
	    key->options.by_name.capacity + key->methods.by_id.capacity;

	for (unsigned i = 0; i < DMT_THREAD_WIDTHS; i++)
		slots += key->threads.by_number[i].capacity;
	return key->encoded_size +
	    key->lines.capacity * sizeof(key->lines.items[0]) +
	    key->options.capacity * sizeof(key->options.items[0]) +
	    key->threads.capacity * sizeof(key->threads.items[0]) +
	    key->methods.capacity * sizeof(key->methods.items[0]) +
	    slots * sizeof(struct dmt_idmap_slot);
}

void
dmt_key_free(struct dmtrace_key *key)
{
	if (key == NULL)
		return;
	dmt_key_fini(key);
	free(key);
}

const struct dmtrace_error *
dmt_key_error(const struct dmtrace_key *key)
{
	return &key->error;
}

void
dmt_key_begin_call(struct dmtrace_key *key)
{
	if (key->first_error.status == DMTRACE_OK)
		key->first_error = key->error;
	dmt_error_clear(&key->error);
}

void
dmt_key_set_complete(struct dmtrace_key *key)
{
	key->complete = true;
}

const struct dmtrace_error *
dmt_key_first_error(const struct dmtrace_key *key)
{
	return key->first_error.status != DMTRACE_OK ?
	    &key->first_error : &key->error;
}

enum dmtrace_status
dmt_key_set_limit(struct dmtrace_key *key, enum dmtrace_limit limit,
    uint64_t value)
{
	dmt_key_begin_call(key);
	switch (limit) {
	case DMTRACE_LIMIT_KEY:
		key->limit_key = value;
		return DMTRACE_OK;
	case DMTRACE_LIMIT_LINE:
		key->limit_line = value;
		return DMTRACE_OK;
	default:
		return dmt_error_set(&key->error, DMTRACE_ERR_RANGE,
		    "a key has no limit %d", (int)limit);
	}
}

struct dmtrace_text
dmt_key_text(const struct dmtrace_key *key)
{
	return key->text;
}

unsigned
dmt_key_version(const struct dmtrace_key *key)
{
	return key->version;
}

enum dmtrace_clock
dmt_key_clock(const struct dmtrace_key *key)
{
	return key->clock;
}

size_t
dmtrace_key_option_count(const struct dmtrace_key *key)
{
	return key == NULL ? 0 : key->options.count;
}

const struct dmtrace_option *
dmtrace_key_option_get(const struct dmtrace_key *key, size_t index)
{
	return key != NULL && index < key->options.count ?
	    &key->options.items[index].option : NULL;
}

size_t
dmtrace_key_thread_count(const struct dmtrace_key *key)
{
	return key == NULL ? 0 : key->threads.count;
}

const struct dmtrace_thread *
dmtrace_key_thread_get(const struct dmtrace_key *key, size_t index)
{
	return key != NULL && index < key->threads.count ?
	    &key->threads.items[index] : NULL;
}

size_t
dmtrace_key_method_count(const struct dmtrace_key *key)
{
	return key == NULL ? 0 : key->methods.count;
}

const struct dmtrace_method *
dmtrace_key_method_get(const struct dmtrace_key *key, size_t index)
{
	return key != NULL && index < key->methods.count ?
	    &key->methods.items[index] : NULL;
}

/* Rows do not store the position of their line. Their first name is a part of
 * the text, so the line is found around it. */
struct dmtrace_text
dmt_key_method_line(const struct dmtrace_key *key, size_t index)
{
	const struct dmtrace_method *const row =
	    dmtrace_key_method_get(key, index);
	const struct dmtrace_text *const names[] = {
		&row->class_name, &row->name, &row->signature, &row->file
	};
	const char *const text = key->text.bytes;
	const char *const text_end = text + key->text.len;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *begin = names[i]->bytes;

		if (names[i]->len == 0 || key->text.len == 0 ||
		    (uintptr_t)begin < (uintptr_t)text ||
		    (uintptr_t)begin >= (uintptr_t)text_end)
			continue;
		const char *const lf = memchr(begin, '\n',
		    (size_t)(text_end - begin));
		const char *const end = lf != NULL ? lf : text_end;
		while (begin > text && begin[-1] != '\n')
			begin--;
		return (struct dmtrace_text){ begin, (size_t)(end - begin) };
	}
	return (struct dmtrace_text){ NULL, 0 };
}

const struct dmtrace_option *
dmtrace_key_option_find(const struct dmtrace_key *key, const char *name)
{
	const struct dmt_option_row *const row = key == NULL || name == NULL ?
	    NULL : dmt_options_find(&key->options, dmt_text_of(name));

	return row == NULL ? NULL : &row->option;
}

bool
dmt_key_overflowed(const struct dmtrace_key *key)
{
	const struct dmtrace_option *const option =
	    dmtrace_key_option_find(key, DMT_OPTION_OVERFLOW);

	return option != NULL && dmt_text_is(option->value, "true");
}

const struct dmtrace_thread *
dmtrace_key_thread_find(const struct dmtrace_key *key, uint32_t id)
{
	return key == NULL ? NULL :
	    dmt_threads_find(&key->threads, sizeof(id), id);
}

const struct dmtrace_thread *
dmt_key_thread_match(const struct dmtrace_key *key,
    const struct dmt_layout *layout, uint32_t number)
{
	const struct dmtrace_thread *thread =
	    dmtrace_key_thread_find(key, number);

	return thread != NULL ? thread :
	    dmt_threads_find(&key->threads, layout->thread.width, number);
}

const struct dmtrace_method *
dmtrace_key_method_find(const struct dmtrace_key *key, uint64_t id)
{
	return key == NULL ? NULL : dmt_methods_find(&key->methods, id);
}

static uint64_t
option_number(const struct dmtrace_key *key, const char *name, uint64_t none)
{
	const struct dmtrace_option *const option =
	    dmtrace_key_option_find(key, name);
	uint64_t number;

	return option != NULL && dmt_count_decode(&number, option->value) ?
	    number : none;
}

struct dmt_key_counts
dmt_key_counts(const struct dmtrace_key *key)
{
	return (struct dmt_key_counts){
		.calls = option_number(key, DMT_OPTION_CALLS, UINT64_MAX),
		.opened = option_number(key, DMT_OPTION_OPENED, 0),
		.closed = option_number(key, DMT_OPTION_CLOSED, 0)
	};
}
