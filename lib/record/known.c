/* known.c - the methods of a recorder: by words, or by keys of the host */

#include "record/known.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/pages.h"
#include "key/number.h"

#define MARKED 256			/* slots that share a mark */

enum { FREE = 0, FORGOTTEN = 1 };	/* in place of a key */

enum dmtrace_status
dmt_known_configure(struct dmt_known *methods,
    const struct dmtrace_recorder_options *options)
{
	if (methods->slots != NULL && methods->max_keys != options->max_keys)
		return DMTRACE_ERR_RANGE;
	methods->max_keys = options->max_keys;
	methods->want = options->want;
	methods->name = options->name;
	methods->context = options->context;
	methods->escape = options->escape;
	methods->arena.paged = methods->by_words.paged = true;
	return DMTRACE_OK;
}

static size_t
mark_count(const struct dmt_known *methods)
{
	return methods->slot_count / MARKED + 1;
}

static void
free_slots(struct dmt_known *methods)
{
	dmt_pages_free(methods->slots,
	    methods->slot_count * sizeof(*methods->slots));
	dmt_pages_free(methods->marks, mark_count(methods));
	methods->slots = NULL;
	methods->marks = NULL;
	methods->slot_count = 0;
}

/* At most half full, so that a search soon comes to a free place. */
enum dmtrace_status
dmt_known_prepare(struct dmt_known *methods)
{
	if (methods->slots != NULL)
		return DMTRACE_OK;
	methods->slot_count = 2;
	while (methods->slot_count < (uint64_t)methods->max_keys * 2)
		methods->slot_count *= 2;
	methods->slots = dmt_pages_new(
	    methods->slot_count * sizeof(*methods->slots));
	methods->marks = dmt_pages_new(mark_count(methods));
	if (methods->slots != NULL && methods->marks != NULL)
		return DMTRACE_OK;
	free_slots(methods);
	return DMTRACE_ERR_MEMORY;
}

void
dmt_known_fini(struct dmt_known *methods)
{
	free_slots(methods);
	dmt_pages_free(methods->rows, methods->rows_size);
	dmt_idmap_fini(&methods->by_words);
	dmt_arena_fini(&methods->arena);
}

/* A copy in the arena. false: no memory. */
static bool
copy(struct dmt_known *methods, struct dmtrace_text *to, const char *text)
{
	const size_t len = strlen(text);
	char *bytes = dmt_arena_alloc(&methods->arena, len + 1);

	if (bytes == NULL)
		return false;
	memcpy(bytes, text, len + 1);
	*to = (struct dmtrace_text){ bytes, len };
	return true;
}

static bool
copy_all(struct dmt_known *methods, struct dmtrace_method *row,
    const struct dmtrace_method_words *words)
{
	return copy(methods, &row->class_name, words->class_name) &&
	    copy(methods, &row->name, words->name) &&
	    copy(methods, &row->signature, words->signature) &&
	    (words->file == NULL || copy(methods, &row->file, words->file));
}

static void
set_defaults(struct dmtrace_method_words *words)
{
	if (words->class_name == NULL || words->class_name[0] == '\0')
		words->class_name = "native";
	if (words->signature == NULL || words->signature[0] == '\0')
		words->signature = "()V";
	if (words->file != NULL && words->file[0] == '\0')
		words->file = NULL;
}

/* The format's lines end with LF and their columns with TAB. */
static bool
fits(const char *text)
{
	return text == NULL || strpbrk(text, "\t\n\r") == NULL;
}

/* Without a file, a reader takes a signature that is a number for a line. */
static bool
is_line(const struct dmtrace_method_words *words)
{
	int32_t line;

	return words->file == NULL && words->signature != NULL &&
	    dmt_line_number_decode(&line, dmt_text_of(words->signature));
}

static bool
all_fit(const struct dmtrace_method_words *words)
{
	return fits(words->class_name) && fits(words->name) &&
	    fits(words->signature) && fits(words->file) && !is_line(words);
}

static bool
escape(struct dmt_arena *arena, const char **text)
{
	if (fits(*text))
		return true;
	const size_t len = strlen(*text), room = 4 * len + 4;
	char *escaped = dmt_arena_alloc(arena, room);
	if (escaped == NULL)
		return false;
	*text = dmt_escape(escaped, room, *text, len);
	return true;
}

/* The first byte as \xNN. */
static bool
escape_line(struct dmt_arena *arena, struct dmtrace_method_words *words)
{
	const char *number = words->signature;

	if (!is_line(words))
		return true;
	const size_t room = strlen(number) + sizeof("\\xNN");
	char *escaped = dmt_arena_alloc(arena, room);
	if (escaped == NULL)
		return false;
	snprintf(escaped, room, "\\x%02x%s", (unsigned char)number[0],
	    number + 1);
	words->signature = escaped;
	return true;
}

/* What had to be escaped lives in the arena. */
static bool
escape_all(struct dmt_arena *arena, struct dmtrace_method_words *words)
{
	return escape_line(arena, words) &&
	    escape(arena, &words->class_name) &&
	    escape(arena, &words->name) &&
	    escape(arena, &words->signature) && escape(arena, &words->file);
}

static enum dmtrace_status
add_row(struct dmt_known *methods, uint32_t id,
    const struct dmtrace_method_words *words)
{
	struct dmtrace_method row = { .id = id, .line = DMTRACE_NO_LINE };
	struct dmtrace_method *rows = dmt_pages_grow(methods->rows,
	    &methods->rows_size, (methods->count + 1) * sizeof(*rows));

	if (rows == NULL)
		return DMTRACE_ERR_MEMORY;
	methods->rows = rows;
	if (!copy_all(methods, &row, words))
		return DMTRACE_ERR_MEMORY;
	if (words->file != NULL)
		row.line = words->line;
	rows[methods->count++] = row;
	return DMTRACE_OK;
}

/* FNV-1a; the NUL between two words counts. */
static uint64_t
hash_text(uint64_t hash, const char *text)
{
	const char *at = text != NULL ? text : "";

	do
		hash = (hash ^ (uint8_t)*at) * UINT64_C(0x100000001b3);
	while (*at++ != '\0');
	return hash;
}

static uint64_t
hash_words(const struct dmtrace_method_words *words)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325) ^
	    (words->file == NULL ? 0 : (uint32_t)words->line);

	hash = hash_text(hash, words->class_name);
	hash = hash_text(hash, words->name);
	hash = hash_text(hash, words->signature);
	return hash_text(hash, words->file);
}

static bool
same_text(const struct dmtrace_text *text, const char *other)
{
	const size_t len = other == NULL ? 0 : strlen(other);

	return text->len == len &&
	    (len == 0 || memcmp(text->bytes, other, len) == 0);
}

static bool
same_row(const struct dmtrace_method *row,
    const struct dmtrace_method_words *words)
{
	return same_text(&row->class_name, words->class_name) &&
	    same_text(&row->name, words->name) &&
	    same_text(&row->signature, words->signature) &&
	    same_text(&row->file, words->file) &&
	    (words->file == NULL || row->line == words->line);
}

/* Words of the same hash follow each other. */
static const uint32_t *
find_row(const struct dmt_known *methods,
    const struct dmtrace_method_words *words, uint64_t *hash)
{
	const uint32_t *index;

	for (; (index = dmt_idmap_find(&methods->by_words, *hash)) != NULL;
	    ++*hash)
		if (same_row(&methods->rows[*index], words))
			break;
	return index;
}

static enum dmtrace_status
intern_new(struct dmt_known *methods,
    const struct dmtrace_method_words *words, uint64_t hash, uint32_t *id)
{
	if (methods->interned + 1 >= DMT_METHODS_MAX)
		return DMTRACE_ERR_LIMIT;
	const uint32_t next = (methods->interned + 1) << 2;
	if (add_row(methods, next, words) != DMTRACE_OK)
		return DMTRACE_ERR_MEMORY;
	if (!dmt_idmap_add(&methods->by_words, hash,
	    (uint32_t)methods->count - 1)) {
		methods->count--;
		return DMTRACE_ERR_MEMORY;
	}
	methods->interned++;
	*id = next;
	return DMTRACE_OK;
}

static enum dmtrace_status
intern_fit(struct dmt_known *methods,
    const struct dmtrace_method_words *words, uint32_t *id)
{
	uint64_t hash = hash_words(words);
	const uint32_t *index = find_row(methods, words, &hash);

	if (index == NULL)
		return intern_new(methods, words, hash, id);
	*id = (uint32_t)methods->rows[*index].id;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_known_intern(struct dmt_known *methods,
    const struct dmtrace_method_words *words, uint32_t *id)
{
	struct dmtrace_method_words full = *words;
	struct dmt_arena scratch = { .paged = true };

	set_defaults(&full);
	if (full.name == NULL || full.name[0] == '\0' ||
	    (!methods->escape && !all_fit(&full)))
		return DMTRACE_ERR_RANGE;
	const enum dmtrace_status status = escape_all(&scratch, &full) ?
	    intern_fit(methods, &full, id) : DMTRACE_ERR_MEMORY;
	dmt_arena_fini(&scratch);
	return status;
}

/* The words of a key whose name nobody knows are its number. */
static enum dmtrace_status
name_key(struct dmt_known *methods, struct dmt_key_slot *slot)
{
	const uint64_t key = atomic_load(&slot->key);
	struct dmtrace_method_words words = { 0 };
	struct dmt_arena scratch = { .paged = true };
	char number[32];

	snprintf(number, sizeof(number), "0x%" PRIx64, key);
	if (methods->name == NULL ||
	    methods->name(methods->context, key, &words) == 0 ||
	    words.name == NULL || words.name[0] == '\0')
		words = (struct dmtrace_method_words){ .name = number };
	set_defaults(&words);
	const enum dmtrace_status status = escape_all(&scratch, &words) ?
	    add_row(methods, atomic_load(&slot->id), &words) :
	    DMTRACE_ERR_MEMORY;
	dmt_arena_fini(&scratch);
	slot->named = status == DMTRACE_OK;
	return status;
}

/* The first slot from at on that may hold a key; most pages hold none, and are
 * not touched. */
static size_t
next_slot(const struct dmt_known *methods, size_t at)
{
	while (at < methods->slot_count &&
	    atomic_load(&methods->marks[at / MARKED]) == 0)
		at = (at / MARKED + 1) * MARKED;
	return at;
}

static bool
wants_name(const struct dmt_key_slot *slot)
{
	return !slot->named &&
	    atomic_load(&slot->id) > DMT_METHOD_UNWANTED;
}

/* Between the two steps of being added. */
static bool
is_half_added(const struct dmt_key_slot *slot)
{
	return atomic_load(&slot->key) > FORGOTTEN &&
	    atomic_load(&slot->id) == 0;
}

enum dmtrace_status
dmt_known_name_keys(struct dmt_known *methods)
{
	const uint32_t news = atomic_load(&methods->news);
	bool complete = true;

	if (news == methods->seen_news)
		return DMTRACE_OK;
	for (size_t i = next_slot(methods, 0); i < methods->slot_count;
	    i = next_slot(methods, i + 1)) {
		if (is_half_added(&methods->slots[i]))
			complete = false;
		if (!wants_name(&methods->slots[i]))
			continue;
		const enum dmtrace_status status =
		    name_key(methods, &methods->slots[i]);
		if (status != DMTRACE_OK)
			return status;
	}
	if (complete)
		methods->seen_news = news;
	return DMTRACE_OK;
}

void
dmt_known_forget(struct dmt_known *methods, uint64_t first, uint64_t last)
{
	for (size_t i = next_slot(methods, 0); i < methods->slot_count;
	    i = next_slot(methods, i + 1)) {
		struct dmt_key_slot *slot = &methods->slots[i];
		const uint64_t key = atomic_load(&slot->key);

		if (key > FORGOTTEN && key >= first && key <= last &&
		    !wants_name(slot))
			atomic_store(&slot->key, FORGOTTEN);
	}
}

static void
mark(struct dmt_known *methods, const struct dmt_key_slot *slot)
{
	const size_t at = (size_t)(slot - methods->slots);

	if (atomic_load(&methods->marks[at / MARKED]) == 0)
		atomic_store(&methods->marks[at / MARKED], 1);
}

/* The place of the key, or the free one where it belongs. */
static struct dmt_key_slot *
probe(const struct dmt_known *methods, uint64_t key, uint64_t *found)
{
	size_t at = dmt_known_slot(methods, key);

	for (;; at = (at + 1) & (methods->slot_count - 1)) {
		*found = atomic_load(&methods->slots[at].key);
		if (*found == key || *found == FREE)
			return &methods->slots[at];
	}
}

/* Whoever finds the id missing can tell it, so that nobody waits. */
static uint32_t
learn_id(struct dmt_known *methods, struct dmt_key_slot *slot, uint64_t key)
{
	uint32_t id = atomic_load(&slot->id);

	if (id != 0)
		return id;
	id = methods->want != NULL && !methods->want(methods->context, key) ?
	    DMT_METHOD_UNWANTED : DMT_METHOD_KEYED |
	    (uint32_t)(slot - methods->slots) << 2;
	atomic_fetch_add(&methods->news, 1);
	atomic_store(&slot->id, id);
	return id;
}

uint32_t
dmt_known_add_key(struct dmt_known *methods, uint64_t key)
{
	uint64_t found;

	if (key <= FORGOTTEN)
		return 0;
	struct dmt_key_slot *slot = probe(methods, key, &found);
	if (found == key)
		return learn_id(methods, slot, key);
	if (atomic_fetch_add(&methods->keys, 1) >= methods->max_keys) {
		atomic_fetch_sub(&methods->keys, 1);
		return 0;
	}
	mark(methods, slot);
	while (!atomic_compare_exchange_strong(&slot->key, &found, key) &&
	    found != key) {
		slot = probe(methods, key, &found);
		if (found == key)
			break;
		mark(methods, slot);
	}
	if (found == key)		/* another thread was faster */
		atomic_fetch_sub(&methods->keys, 1);
	return learn_id(methods, slot, key);
}
