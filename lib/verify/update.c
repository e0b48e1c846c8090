/* update.c - the calls of a trace, as they will be written to a spec */

#include "verify/update.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define SEVERAL UINT32_MAX	/* signatures; else the row of the only one */

static bool
is_same(struct dmtrace_text a, struct dmtrace_text b)
{
	return a.len == b.len &&
	    (a.len == 0 || memcmp(a.bytes, b.bytes, a.len) == 0);
}

/* Notes the signature of a row, the first of its id. */
static bool
note_row(struct dmt_update *update, const struct dmtrace_key *key, size_t row,
    struct dmt_method_text *text)
{
	const struct dmtrace_method *const method =
	    dmtrace_key_method_get(key, row);

	if (dmtrace_key_method_find(key, method->id) != method)
		return true;
	if (!dmt_method_text_make(text, method,
	    method->id & ~UINT64_C(3)))
		return false;
	const uint64_t hash = dmt_name_hash(text->bytes, text->name_end);
	uint32_t *const known = dmt_idmap_find(&update->overloaded, hash);
	if (known == NULL)
		return dmt_idmap_add(&update->overloaded, hash,
		    (uint32_t)row);
	if (*known != SEVERAL && !is_same(method->signature,
	    dmtrace_key_method_get(key, *known)->signature))
		*known = SEVERAL;
	return true;
}

bool
dmt_update_init(struct dmt_update *update, const struct dmtrace_key *key,
    unsigned flags)
{
	struct dmt_method_text text = { .bytes = NULL };
	bool done = true;

	*update = (struct dmt_update){
		.signatures = flags & DMTRACE_SPEC_SIGNATURES
	};
	for (size_t i = 0; i < dmtrace_key_method_count(key) && done; i++)
		done = note_row(update, key, i, &text);
	free(text.bytes);
	return done;
}

void
dmt_update_fini(struct dmt_update *update)
{
	dmt_forest_fini(&update->forest);
	free(update->spellings);
	dmt_idmap_fini(&update->by_hash);
	dmt_idmap_fini(&update->overloaded);
	free(update->of_method);
	dmt_arena_fini(&update->arena);
}

/* In quotes if need be, with the signature if the name alone is not enough. */
static void
put_word(const struct dmt_update *update, const struct dmt_matches *names,
    uint32_t method, struct dmt_buf *word)
{
	struct dmt_buf name = { .bytes = NULL };
	const struct dmtrace_method *const row = dmtrace_key_method_find(
	    names->key, names->items[method].id);
	bool signature = update->signatures;

	if (row != NULL && !signature) {
		dmt_buf_put_method(&name, row, names->items[method].id,
		    false);
		const uint32_t *const known = name.failed ? NULL :
		    dmt_idmap_find(&update->overloaded,
		    dmt_name_hash(name.bytes, name.len));
		signature = known != NULL && *known == SEVERAL;
	}
	dmt_matches_put(names, word, method, signature);
	word->failed |= name.failed;
	dmt_buf_fini(&name);
}

/* One that is written the same; NULL: there is none. */
static const struct dmt_spelling *
find(const struct dmt_update *update, const struct dmt_buf *word,
    uint64_t hash)
{
	const uint32_t *const last = dmt_idmap_find(&update->by_hash, hash);
	uint32_t next = last == NULL ? 0 : *last + 1;

	for (; next != 0; next = update->spellings[next - 1].same) {
		const struct dmt_spelling *const spelling =
		    &update->spellings[next - 1];

		if (spelling->word.len == word->len && memcmp(
		    spelling->word.bytes, word->bytes, word->len) == 0)
			return spelling;
	}
	return NULL;
}

static struct dmt_spelling *
add(struct dmt_update *update, const struct dmt_buf *word, uint64_t hash,
    uint32_t method)
{
	uint32_t *const last = dmt_idmap_find(&update->by_hash, hash);
	const uint32_t index = (uint32_t)update->count;
	char *const bytes = dmt_arena_alloc(&update->arena, word->len);
	struct dmt_spelling *const spellings = dmt_array_grow(
	    update->spellings, &update->capacity, update->count + 1,
	    sizeof(*spellings));

	if (spellings != NULL)
		update->spellings = spellings;
	if (spellings == NULL || bytes == NULL || (last == NULL &&
	    !dmt_idmap_add(&update->by_hash, hash, index)))
		return NULL;
	memcpy(bytes, word->bytes, word->len);
	spellings[index] = (struct dmt_spelling){ { bytes, word->len },
	    method, last == NULL ? 0 : *last + 1 };
	if (last != NULL)
		*last = index;
	update->count++;
	return &spellings[index];
}

/* How a method is written, + 1; 0: no memory. */
static uint32_t
spell(struct dmt_update *update, const struct dmt_matches *names,
    uint32_t method)
{
	struct dmt_buf word = { .bytes = NULL };

	put_word(update, names, method, &word);
	const uint64_t hash = word.failed ? 0 :
	    dmt_name_hash(word.bytes, word.len);
	const struct dmt_spelling *found = word.failed ? NULL :
	    find(update, &word, hash);
	if (found == NULL && !word.failed)
		found = add(update, &word, hash, method);
	dmt_buf_fini(&word);
	return found == NULL ? 0 :
	    (uint32_t)(found - update->spellings) + 1;
}

static bool
make_room(struct dmt_update *update, uint32_t method)
{
	const size_t before = update->of_method == NULL ? 0 :
	    update->of_capacity;
	uint32_t *const of_method = dmt_array_grow(update->of_method,
	    &update->of_capacity, method + (size_t)1, sizeof(*of_method));

	if (of_method == NULL)
		return false;
	update->of_method = of_method;
	for (size_t i = before; i < update->of_capacity; i++)
		of_method[i] = 0;
	return true;
}

bool
dmt_update_leave(struct dmt_update *update, const struct dmt_matches *names,
    struct dmt_grown *grown, uint32_t method)
{
	if (!make_room(update, method))
		return false;
	uint32_t *const spelling = &update->of_method[method];
	if (*spelling == 0)
		*spelling = spell(update, names, method);
	return *spelling != 0 && dmt_grown_leave(grown, &update->forest,
	    *spelling - 1);
}
