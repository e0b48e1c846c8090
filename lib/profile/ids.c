/* ids.c - from the method ids of records to indexes, in loops */

#include "profile/ids.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define FIRST_BITS 10
#define TRIES 8
#define FAR_SHARE 64		/* of the ids, one may be far from its home */
#define ROW_SHARE 4		/* so many places of the row per id at most */

/* Makes the row, if it is not too sparse. */
static bool
make_row(struct dmt_ids *ids, const struct dmtrace_key *key)
{
	const size_t count = dmtrace_key_method_count(key);

	for (size_t i = 0; i < count; i++)
		dmt_steps_add(&ids->steps,
		    dmtrace_key_method_get(key, i)->id & ~(uint64_t)3);
	const uint64_t places = dmt_steps_settle(&ids->steps);

	if (places == 0 || places > (uint64_t)ROW_SHARE * count)
		return true;
	ids->row_count = (size_t)places;
	ids->row = dmt_array_new(ids->row_count, sizeof(*ids->row));
	return ids->row != NULL;
}

static bool
make(struct dmt_ids *ids, unsigned bits)
{
	ids->capacity = (size_t)1 << bits;
	ids->shift = 64 - bits;
	ids->slots = dmt_array_new(ids->capacity, sizeof(*ids->slots));
	ids->factor = (uintptr_t)ids->slots ^ UINT64_C(0x9e3779b97f4a7c15);
	return ids->slots != NULL;
}

bool
dmt_ids_init(struct dmt_ids *ids, const struct dmtrace_key *key)
{
	*ids = (struct dmt_ids){ 0 };
	return make(ids, FIRST_BITS) && make_row(ids, key);
}

void
dmt_ids_fini(struct dmt_ids *ids)
{
	free(ids->row);
	free(ids->slots);
	dmt_idmap_fini(&ids->wide);
	*ids = (struct dmt_ids){ 0 };
}

/* Whether it is in neither of its two slots. */
static bool
put(struct dmt_ids *ids, uint64_t slot)
{
	const size_t home = dmt_ids_home(ids, slot >> 32);
	size_t at = home;

	while (ids->slots[at] != 0)
		at = (at + 1) & (ids->capacity - 1);
	ids->slots[at] = slot;
	return (at | 1) != (home | 1);
}

/* Puts all of them by another factor. Returns how many are far from home. */
static size_t
put_all(struct dmt_ids *ids, const struct dmt_ids *from)
{
	size_t far = 0;

	memset(ids->slots, 0, ids->capacity * sizeof(*ids->slots));
	ids->factor = ids->factor * UINT64_C(0xbf58476d1ce4e5b9) | 1;
	for (size_t i = 0; i < from->capacity; i++)
		if (from->slots[i] != 0)
			far += put(ids, from->slots[i]);
	return far;
}

/* Three quarters of the slots stay free: nearly all ids are in one of the
 * first two, and a loop over records foresees that. Ids at equal distances,
 * as they mostly are, lie badly by some factors; then others are tried. */
static bool
grow(struct dmt_ids *ids)
{
	struct dmt_ids grown = *ids;

	if (ids->count < ids->capacity / 4)
		return true;
	if (!make(&grown, 65 - ids->shift))
		return false;
	for (int i = 0; i < TRIES; i++)
		if (put_all(&grown, ids) <= ids->count / FAR_SHARE)
			break;
	free(ids->slots);
	*ids = grown;
	return true;
}

bool
dmt_ids_add(struct dmt_ids *ids, uint64_t id, uint32_t index)
{
	const uint64_t place = dmt_steps_place(&ids->steps, id);

	if (place < ids->row_count) {
		ids->row[place] = index;
		return true;
	}
	if (id >> 32 != 0)
		return dmt_idmap_add(&ids->wide, id, index);
	if (!grow(ids))
		return false;
	put(ids, id << 32 | index);
	ids->count++;
	return true;
}

uint32_t
dmt_ids_find_wide(const struct dmt_ids *ids, uint64_t id)
{
	const uint32_t *index = dmt_idmap_find(&ids->wide, id);

	return index == NULL ? 0 : *index;
}
