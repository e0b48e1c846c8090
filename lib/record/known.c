/* known.c - the methods of a recorder, by the keys that its host gives them */

#include "record/known.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/pages.h"

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

/* The words of a key whose name nobody knows are its number. */
static enum dmtrace_status
name_key(struct dmt_known *methods, struct dmt_key_slot *slot)
{
	const uint64_t key = atomic_load(&slot->key);
	struct dmtrace_method_words words = { 0 };
	char number[32];

	snprintf(number, sizeof(number), "0x%" PRIx64, key);
	if (methods->name == NULL ||
	    methods->name(methods->context, key, &words) == 0 ||
	    words.name == NULL || words.name[0] == '\0')
		words = (struct dmtrace_method_words){ .name = number };
	const enum dmtrace_status status =
	    dmt_known_add_row(methods, atomic_load(&slot->id), &words);
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
