/* ids.h - from the method ids of records to indexes, in loops */
#ifndef DMT_PROFILE_IDS_H
#define DMT_PROFILE_IDS_H

#include <dmtrace/key.h>

#include "base/idmap.h"
#include "base/steps.h"
#include "data/record.h"

/*
 * Ids at equal distances have places in a row. Others below 2^32 lie in slots
 * of one word, id and index, with open addressing; what is larger goes to a
 * map. Index 0 stands for none.
 */
struct dmt_ids {
	struct dmt_steps steps;
	size_t row_count;	/* 0: the ids lie otherwise */
	uint32_t *row;
	uint64_t *slots;
	size_t capacity;	/* a power of two */
	unsigned shift;
	uint64_t factor;	/* odd; seeded, against hostile ids */
	size_t count;
	struct dmt_idmap wide;
};

/* With the row of the key's methods, if they have one; it stays empty. false:
 * no memory. In any case end it with dmt_ids_fini. */
bool
dmt_ids_init(struct dmt_ids *ids, const struct dmtrace_key *key);

void
dmt_ids_fini(struct dmt_ids *ids);

/* Adds id, which must not be there. false: no memory. */
bool
dmt_ids_add(struct dmt_ids *ids, uint64_t id, uint32_t index);

uint32_t
dmt_ids_find_wide(const struct dmt_ids *ids, uint64_t id);

/* Where a search for it begins: the first of two slots, of which nearly all
 * searches take one or the other without a guess. */
DMT_INLINE size_t
dmt_ids_home(const struct dmt_ids *ids, uint64_t id)
{
	return (size_t)(id * ids->factor >> ids->shift) & ~(size_t)1;
}

/* The index of id, 0: none. */
DMT_INLINE uint32_t
dmt_ids_find(const struct dmt_ids *ids, uint64_t id)
{
	const uint64_t place = dmt_steps_place(&ids->steps, id);

	if (place < ids->row_count)
		return ids->row[place];
	if (id >> 32 != 0)
		return dmt_ids_find_wide(ids, id);
	size_t at = dmt_ids_home(ids, id);
	at |= ids->slots[at] >> 32 != id;
	uint64_t slot = ids->slots[at];

	while (slot >> 32 != id && slot != 0) {
		at = (at + 1) & (ids->capacity - 1);
		slot = ids->slots[at];
	}
	return (uint32_t)slot;
}

#endif
