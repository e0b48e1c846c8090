/* method_table.h - the methods of a recorder, by names or by keys */
#ifndef DMT_RECORD_METHOD_TABLE_H
#define DMT_RECORD_METHOD_TABLE_H

#include <dmtrace/key.h>
#include <dmtrace/recorder.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "base/idmap.h"
#include "data/record.h"

#define DMT_METHOD_KEYED (UINT32_C(1) << 30)	/* set in the ids of keys */
#define DMT_METHOD_UNWANTED 1			/* instead of an id: not
						   recorded */
#define DMT_METHODS_MAX (UINT32_C(1) << 28)

enum { DMT_KEY_FREE = 0, DMT_KEY_FORGOTTEN = 1 };	/* values that are not
							   keys */

/*
 * A slot of the table of keys. It is never freed: a forgotten key keeps its
 * id.
 */
struct dmt_key_slot {
	_Alignas(8) _Atomic uint64_t key;	/* in 32 bits, too */
	_Atomic uint32_t id;	/* 0: not set yet; or DMT_METHOD_UNWANTED */
	bool named;		/* it has a row; protected by the lock */
};

/*
 * Finding and adding keys takes no lock and allocates nothing; the other
 * functions are called with the recorder's lock. As a signal handler that has
 * interrupted malloc may wait for that lock, all memory is mapped.
 */
struct dmt_method_table {
	_Atomic uint32_t interned;	/* number; their ids are 4, 8 and so
					   on; changed with the lock */
	struct dmt_key_slot *slots;
	size_t slot_count;		/* a power of two; 0: no table yet */
	_Atomic uint8_t *used_pages;	/* one byte per page of slots; 0: no
					   key */
	uint32_t max_keys;
	_Atomic uint32_t keys;
	_Atomic uint32_t news;		/* incremented before a key gets its
					   id */
	uint32_t seen_news;		/* all keys up to this count have
					   rows */
	dmtrace_recorder_want_fn *want;
	dmtrace_recorder_name_fn *name;
	void *context;
	bool escape;

	struct dmtrace_method *rows;	/* with names in the arena */
	size_t count;
	size_t rows_size;		/* in bytes */
	struct dmt_idmap by_names;	/* by a hash of all names: the row */
	struct dmt_arena arena;
};

/* Copies the options. false: the table of keys exists and has another size. */
bool
dmt_method_configure(struct dmt_method_table *methods,
    const struct dmtrace_recorder_options *options);

/* Makes the table of keys, if it does not exist. */
enum dmtrace_status
dmt_method_prepare_keys(struct dmt_method_table *methods);

void
dmt_method_fini(struct dmt_method_table *methods);

/* Gets the id of the method with these names, which is added if it is new.
 * DMTRACE_ERR_RANGE: it has no name, or has names that a key cannot contain
 * and options.escape is not set; DMTRACE_ERR_LIMIT, DMTRACE_ERR_MEMORY. */
enum dmtrace_status
dmt_method_intern(struct dmt_method_table *methods,
    const struct dmtrace_recorder_method *described, uint32_t *id);

/* Makes a row for each key that has none yet. */
enum dmtrace_status
dmt_method_name_keys(struct dmt_method_table *methods);

/* Forgets the keys from first to last, which have rows: new events of these
 * keys get new ids. */
void
dmt_method_forget_keys(struct dmt_method_table *methods, uint64_t first,
    uint64_t last);

/* Returns the id of a key, DMT_METHOD_UNWANTED, or 0: the table is full, or
 * nothing was decided about the key. */
uint32_t
dmt_method_add_key(struct dmt_method_table *methods, uint64_t key);

/* Returns true if dmt_method_intern has returned this id. A single comparison
 * is enough: a number that is not a multiple of 4 becomes too high, and 0 the
 * highest. */
DMT_INLINE bool
dmt_method_is_interned(const struct dmt_method_table *methods, uint32_t id)
{
	return (id >> 2 | id << 30) - 1 < atomic_load_explicit(
	    &methods->interned, memory_order_relaxed);
}

/* Keys are addresses, and neighbouring functions are used together: their
 * slots are close to each other, on fewer cache lines and pages than with a
 * hash. */
static inline size_t
dmt_method_slot(const struct dmt_method_table *methods, uint64_t key)
{
	const uint64_t turned = key >> 4 | key << 60;

	return (size_t)(turned ^ turned >> 24 ^ turned >> 47) &
	    (methods->slot_count - 1);
}

/* Returns the id of a key that is in the first slot for it, or
 * DMT_METHOD_UNWANTED. 0: it is in another slot, or new; see
 * dmt_method_add_key. */
DMT_INLINE uint32_t
dmt_method_find_first(const struct dmt_method_table *methods, uint64_t key)
{
	const struct dmt_key_slot *slot =
	    &methods->slots[dmt_method_slot(methods, key)];

	return DMT_UNLIKELY(atomic_load_explicit(&slot->key,
	    memory_order_acquire) != key) ? 0 :
	    atomic_load_explicit(&slot->id, memory_order_acquire);
}

/* Returns the id of a key, which is added if it is new, or
 * DMT_METHOD_UNWANTED; 0: as above. */
DMT_INLINE uint32_t
dmt_method_find_key(struct dmt_method_table *methods, uint64_t key)
{
	const uint32_t id = dmt_method_find_first(methods, key);

	return id != 0 ? id : dmt_method_add_key(methods, key);
}

#endif
