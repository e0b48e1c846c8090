/* method_table.c - the methods of a recorder, by names or by keys */

#include "record/method_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/hash.h"
#include "key/number.h"
#include "private/text.h"

/*
 * A program that knows the names of its methods interns them once: equal names
 * have one row and one id, found by a hash. A host that only knows keys, such
 * as the addresses of functions, records by key: the table of keys assigns an
 * id to each key at its first event, and asks the host for the name only when
 * a key file or journal is written.
 *
 * The table of keys is a hash table with linear probing, of fixed size, and at
 * most half full. A key is added by one compare-and-swap of its slot, without
 * a lock and without malloc, so that the first event of a function may be in
 * any thread and in any signal handler. The id follows from the number of the
 * slot: every thread that finds it missing can fill it in, so that none has to
 * wait. A table that grows would need a lock, or readers that follow it. Slots
 * are never freed: records contain the ids of forgotten keys.
 *
 * A bitmap says which pages of slots hold a key, so that a walk over the table
 * does not touch the others: the table is large, and mostly unused.
 */

#define SLOTS_PER_PAGE 256

bool
dmt_method_configure(struct dmt_method_table *methods,
    const struct dmtrace_recorder_options *options)
{
	if (methods->slots != NULL && methods->max_keys != options->max_keys)
		return false;
	methods->max_keys = options->max_keys;
	methods->want = options->want;
	methods->name = options->name;
	methods->context = options->context;
	methods->escape = options->escape;
	methods->arena.mapped = methods->by_names.mapped = true;
	return true;
}

static size_t
page_count(const struct dmt_method_table *methods)
{
	return methods->slot_count / SLOTS_PER_PAGE + 1;
}

static void
free_key_slots(struct dmt_method_table *methods)
{
	dmt_mapped_free(methods->slots,
	    methods->slot_count * sizeof(*methods->slots));
	dmt_mapped_free(methods->used_pages, page_count(methods));
	methods->slots = NULL;
	methods->used_pages = NULL;
	methods->slot_count = 0;
}

/* At most half full, so that searches are short. */
enum dmtrace_status
dmt_method_prepare_keys(struct dmt_method_table *methods)
{
	if (methods->slots != NULL)
		return DMTRACE_OK;
	methods->slot_count = 2;
	while (methods->slot_count < (uint64_t)methods->max_keys * 2)
		methods->slot_count *= 2;
	methods->slots = dmt_mapped_new(
	    methods->slot_count * sizeof(*methods->slots));
	methods->used_pages = dmt_mapped_new(page_count(methods));
	if (methods->slots != NULL && methods->used_pages != NULL)
		return DMTRACE_OK;
	free_key_slots(methods);
	return DMTRACE_ERR_MEMORY;
}

void
dmt_method_fini(struct dmt_method_table *methods)
{
	free_key_slots(methods);
	dmt_mapped_free(methods->rows, methods->rows_size);
	dmt_idmap_fini(&methods->by_names);
	dmt_arena_fini(&methods->arena);
}

static void
note_used_page(struct dmt_method_table *methods,
    const struct dmt_key_slot *slot)
{
	const size_t at = (size_t)(slot - methods->slots);

	if (atomic_load(&methods->used_pages[at / SLOTS_PER_PAGE]) == 0)
		atomic_store(&methods->used_pages[at / SLOTS_PER_PAGE], 1);
}

/* Returns the slot of the key, or the free one where it belongs. */
static struct dmt_key_slot *
probe_key(const struct dmt_method_table *methods, uint64_t key, uint64_t *found)
{
	size_t at = dmt_method_slot(methods, key);

	for (;; at = (at + 1) & (methods->slot_count - 1)) {
		*found = atomic_load(&methods->slots[at].key);
		if (*found == key || *found == DMT_KEY_FREE)
			return &methods->slots[at];
	}
}

/* Any thread that finds the id missing can fill it in, so that none waits. 0:
 * it cannot be decided now whether the key is wanted. */
static uint32_t
fill_in_id(struct dmt_method_table *methods, struct dmt_key_slot *slot,
    uint64_t key)
{
	uint32_t id = atomic_load(&slot->id);

	if (id != 0)
		return id;
	const int wanted = methods->want == NULL ? 1 :
	    methods->want(methods->context, key);
	if (wanted < 0)
		return 0;
	id = wanted == 0 ? DMT_METHOD_UNWANTED : DMT_METHOD_KEYED |
	    (uint32_t)(slot - methods->slots) << 2;
	atomic_fetch_add(&methods->news, 1);
	atomic_store(&slot->id, id);
	return id;
}

uint32_t
dmt_method_add_key(struct dmt_method_table *methods, uint64_t key)
{
	uint64_t found;

	if (key <= DMT_KEY_FORGOTTEN)
		return 0;
	struct dmt_key_slot *slot = probe_key(methods, key, &found);
	if (found == key)
		return fill_in_id(methods, slot, key);
	if (atomic_fetch_add(&methods->keys, 1) >= methods->max_keys) {
		atomic_fetch_sub(&methods->keys, 1);
		return 0;
	}
	note_used_page(methods, slot);
	while (!atomic_compare_exchange_strong(&slot->key, &found, key) &&
	    found != key) {
		slot = probe_key(methods, key, &found);
		if (found == key)
			break;
		note_used_page(methods, slot);
	}
	if (found == key)		/* another thread was faster */
		atomic_fetch_sub(&methods->keys, 1);
	return fill_in_id(methods, slot, key);
}

/* Returns true unless the text has LF, which ends a line, or TAB, which ends a
 * column. */
static bool
fits_in_line(const char *text)
{
	return text == NULL || strpbrk(text, "\t\n\r") == NULL;
}

/* Returns true if a reader would take the signature for a line number, because
 * there is no file. */
static bool
is_line_number(const struct dmtrace_recorder_method *described)
{
	int32_t line;

	return described->file == NULL && described->signature != NULL &&
	    dmt_line_number_decode(&line, dmt_text_of(described->signature));
}

static void
set_default_names(struct dmtrace_recorder_method *described)
{
	if (described->class_name == NULL || described->class_name[0] == '\0')
		described->class_name = "native";
	if (described->signature == NULL || described->signature[0] == '\0')
		described->signature = "()V";
	if (described->file != NULL && described->file[0] == '\0')
		described->file = NULL;
}

static bool
escape_text(struct dmt_arena *arena, const char **text)
{
	if (fits_in_line(*text))
		return true;
	const size_t len = strlen(*text), room = 4 * len + 4;
	char *escaped = dmt_arena_alloc(arena, room);
	if (escaped == NULL)
		return false;
	*text = dmt_escape(escaped, room, *text, len);
	return true;
}

/* Copies text to the arena. false: no memory. */
static bool
copy_to_table(struct dmt_method_table *methods, struct dmtrace_text *to,
    const char *text)
{
	const size_t len = strlen(text);
	char *bytes = dmt_arena_alloc(&methods->arena, len + 1);

	if (bytes == NULL)
		return false;
	memcpy(bytes, text, len + 1);
	*to = (struct dmtrace_text){ bytes, len };
	return true;
}

/* Escapes what a line of the key cannot contain; the escaped names are in the
 * arena. false: no memory. */
static bool
escape_names(struct dmt_arena *arena, struct dmtrace_recorder_method *described)
{
	if (is_line_number(described)) {
		const char *number = described->signature;
		const size_t room = strlen(number) + sizeof("\\xNN");
		char *escaped = dmt_arena_alloc(arena, room);
		if (escaped == NULL)
			return false;
		snprintf(escaped, room, "\\x%02x%s",
		    (unsigned char)number[0], number + 1);
		described->signature = escaped;
	}
	return escape_text(arena, &described->class_name) &&
	    escape_text(arena, &described->name) &&
	    escape_text(arena, &described->signature) &&
	    escape_text(arena, &described->file);
}

/* Appends a row of names that fit in a line. */
static enum dmtrace_status
append_method_row(struct dmt_method_table *methods, uint32_t id,
    const struct dmtrace_recorder_method *described)
{
	struct dmtrace_method row = { .id = id, .line = DMTRACE_NO_LINE };
	struct dmtrace_method *rows = dmt_mapped_grow(methods->rows,
	    &methods->rows_size, (methods->count + 1) * sizeof(*rows));

	if (rows == NULL)
		return DMTRACE_ERR_MEMORY;
	methods->rows = rows;
	if (!copy_to_table(methods, &row.class_name, described->class_name) ||
	    !copy_to_table(methods, &row.name, described->name) ||
	    !copy_to_table(methods, &row.signature, described->signature) ||
	    (described->file != NULL &&
	    !copy_to_table(methods, &row.file, described->file)))
		return DMTRACE_ERR_MEMORY;
	if (described->file != NULL)
		row.line = described->line;
	rows[methods->count++] = row;
	return DMTRACE_OK;
}

/* A key without a name is named by its number. */
static enum dmtrace_status
append_key_row(struct dmt_method_table *methods, struct dmt_key_slot *slot)
{
	const uint64_t key = atomic_load(&slot->key);
	struct dmtrace_recorder_method described = { 0 };
	struct dmt_arena scratch = { .mapped = true };
	char number[32];

	snprintf(number, sizeof(number), "0x%" PRIx64, key);
	if (methods->name == NULL ||
	    methods->name(methods->context, key, &described) == 0 ||
	    described.name == NULL || described.name[0] == '\0')
		described = (struct dmtrace_recorder_method){ .name = number };
	set_default_names(&described);
	const enum dmtrace_status status = escape_names(&scratch, &described) ?
	    append_method_row(methods, atomic_load(&slot->id), &described) :
	    DMTRACE_ERR_MEMORY;
	slot->named = status == DMTRACE_OK;
	dmt_arena_fini(&scratch);
	return status;
}

/* Returns the first slot from at on that may hold a key, without touching
 * pages that hold none. */
static size_t
next_used_slot(const struct dmt_method_table *methods, size_t at)
{
	while (at < methods->slot_count &&
	    atomic_load(&methods->used_pages[at / SLOTS_PER_PAGE]) == 0)
		at = (at / SLOTS_PER_PAGE + 1) * SLOTS_PER_PAGE;
	return at;
}

static bool
lacks_name(const struct dmt_key_slot *slot)
{
	return !slot->named &&
	    atomic_load(&slot->id) > DMT_METHOD_UNWANTED;
}

enum dmtrace_status
dmt_method_name_keys(struct dmt_method_table *methods)
{
	const uint32_t news = atomic_load(&methods->news);
	bool complete = true;

	if (news == methods->seen_news)
		return DMTRACE_OK;
	for (size_t i = next_used_slot(methods, 0); i < methods->slot_count;
	    i = next_used_slot(methods, i + 1)) {
		struct dmt_key_slot *slot = &methods->slots[i];

		/* The key may be between the two steps of being added. */
		if (atomic_load(&slot->key) > DMT_KEY_FORGOTTEN &&
		    atomic_load(&slot->id) == 0)
			complete = false;
		if (!lacks_name(slot))
			continue;
		const enum dmtrace_status status =
		    append_key_row(methods, slot);
		if (status != DMTRACE_OK)
			return status;
	}
	if (complete)
		methods->seen_news = news;
	return DMTRACE_OK;
}

void
dmt_method_forget_keys(struct dmt_method_table *methods, uint64_t first,
    uint64_t last)
{
	for (size_t i = next_used_slot(methods, 0); i < methods->slot_count;
	    i = next_used_slot(methods, i + 1)) {
		struct dmt_key_slot *slot = &methods->slots[i];
		const uint64_t key = atomic_load(&slot->key);

		if (key > DMT_KEY_FORGOTTEN && key >= first && key <= last &&
		    !lacks_name(slot))
			atomic_store(&slot->key, DMT_KEY_FORGOTTEN);
	}
}

/* FNV-1a; the NUL between two names is hashed, too. */
static uint64_t
hash_name(uint64_t hash, const char *text)
{
	const char *at = text != NULL ? text : "";

	do
		hash = dmt_hash_byte(hash, (uint8_t)*at);
	while (*at++ != '\0');
	return hash;
}

static enum dmtrace_status
intern_names(struct dmt_method_table *methods,
    const struct dmtrace_recorder_method *described, uint32_t *id)
{
	uint64_t hash = DMT_HASH ^
	    (described->file == NULL ? 0 : (uint32_t)described->line);
	const uint32_t *index;

	hash = hash_name(hash, described->class_name);
	hash = hash_name(hash, described->name);
	hash = hash_name(hash, described->signature);

	/* Names with the same hash are in consecutive slots. */
	for (; (index = dmt_idmap_find(&methods->by_names, hash)) != NULL;
	    hash++) {
		const struct dmtrace_method *row = &methods->rows[*index];

		if (!dmt_text_is(row->class_name, described->class_name) ||
		    !dmt_text_is(row->name, described->name) ||
		    !dmt_text_is(row->signature, described->signature) ||
		    !dmt_text_is(row->file, described->file == NULL ? "" :
		    described->file) || (described->file != NULL &&
		    row->line != described->line))
			continue;
		*id = (uint32_t)row->id;
		return DMTRACE_OK;
	}

	const uint32_t count = atomic_load(&methods->interned) + 1;
	if (count >= DMT_METHODS_MAX)
		return DMTRACE_ERR_LIMIT;
	const uint32_t next = count << 2;
	if (append_method_row(methods, next, described) != DMTRACE_OK)
		return DMTRACE_ERR_MEMORY;
	if (!dmt_idmap_add(&methods->by_names, hash,
	    (uint32_t)methods->count - 1)) {
		methods->count--;
		return DMTRACE_ERR_MEMORY;
	}
	atomic_store(&methods->interned, count);
	*id = next;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_method_intern(struct dmt_method_table *methods,
    const struct dmtrace_recorder_method *described, uint32_t *id)
{
	struct dmtrace_recorder_method full = *described;
	struct dmt_arena scratch = { .mapped = true };

	set_default_names(&full);
	if (full.name == NULL || full.name[0] == '\0' ||
	    (!methods->escape && !(fits_in_line(full.class_name) &&
	    fits_in_line(full.name) && fits_in_line(full.signature) &&
	    fits_in_line(full.file) && !is_line_number(&full))))
		return DMTRACE_ERR_RANGE;
	const enum dmtrace_status status = escape_names(&scratch, &full) ?
	    intern_names(methods, &full, id) : DMTRACE_ERR_MEMORY;
	dmt_arena_fini(&scratch);
	return status;
}
