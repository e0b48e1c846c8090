/* indexes.h - small numbers for the threads and methods of a trace */
#ifndef DMT_EVENTS_INDEXES_H
#define DMT_EVENTS_INDEXES_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "base/idmap.h"
#include "private/event.h"

/* Thread numbers below this are looked up in an array. */
#define DMT_DIRECT_THREADS 65536

/* Slots of the cache of recently used method ids, indexed by their low bits. */
#define DMT_RECENT_METHODS 16384	/* a power of two */

/* A slot of the cache, small so that all of them stay in the CPU's cache. */
struct dmt_recent_method {
	uint32_t tag;			/* see dmt_method_tag; 0: unused */
	uint32_t index;
};

struct dmt_indexed_thread {
	uint32_t number;		/* as in records */
	const struct dmtrace_thread *row;	/* of the key; NULL: none */
};

struct dmt_indexed_method {
	uint64_t id;			/* as in records, with action 0 */
	const struct dmtrace_method *row;	/* NULL: none */
};

/*
 * Each thread number and method id in the records gets an index when it is
 * first seen, whether the key lists it or not, so that everything above the
 * source can use plain arrays. An index never changes its meaning: a method id
 * that is redefined gets a new index from then on. Rows of the key are looked
 * up once, so the key must not change after that. Without a key there are no
 * rows, and sources of several traces can share the indexes: dmt_input_source.
 */
struct dmt_indexes {
	const struct dmtrace_key *key;
	const struct dmt_layout *layout;
	struct dmt_indexed_thread *threads;
	size_t thread_count;
	size_t thread_capacity;
	struct dmt_indexed_method *methods;
	size_t method_count;
	size_t method_capacity;
	uint32_t *direct;		/* by number: index + 1; 0: none yet */
	struct dmt_idmap large;		/* indexes of large numbers */
	struct dmt_idmap by_id;		/* current indexes of methods */
	struct dmt_recent_method *recent;	/* cache of by_id */
	bool failed;			/* no memory left: indexes are wrong */
};

/* key and layout must outlive the indexes; key may be NULL. false: no memory.
 * Call fini in any case. */
bool
dmt_indexes_init(struct dmt_indexes *indexes, const struct dmtrace_key *key,
    const struct dmt_layout *layout);

void
dmt_indexes_fini(struct dmt_indexes *indexes);

/* Replaces the key by one that has the same rows, followed by new ones.
 * Threads and methods that had no row get theirs. */
void
dmt_indexes_set_key(struct dmt_indexes *indexes,
    const struct dmtrace_key *key);

/* The slow paths: return the index of a number that is not in direct, or of an
 * id that is not in recent, and make a new one if it was not seen before.
 * Without memory they return 0 and set failed. */
uint32_t
dmt_thread_index_find(struct dmt_indexes *indexes, uint32_t number);
uint32_t
dmt_method_index_find(struct dmt_indexes *indexes, uint64_t id);

/*
 * For methods that are redefined while events are read. add makes another
 * index for id, with its new row; without memory it returns 0 and sets failed.
 * The other function makes one of the indexes that were added for id its
 * current one.
 */
uint32_t
dmt_method_index_add(struct dmt_indexes *indexes, uint64_t id,
    const struct dmtrace_method *row);
void
dmt_method_index_set(struct dmt_indexes *indexes, uint64_t id,
    uint32_t index);

static inline uint32_t
dmt_thread_index(struct dmt_indexes *indexes, uint32_t number)
{
	const uint32_t index = number < DMT_DIRECT_THREADS ?
	    indexes->direct[number] : 0;

	return index != 0 ? index - 1 : dmt_thread_index_find(indexes, number);
}

/* Returns the high bits of an id, plus 1. An id from 2^48 on has more than a
 * slot can hold, and is not in the cache. */
static inline uint64_t
dmt_method_tag(uint64_t id)
{
	return id / 4 / DMT_RECENT_METHODS + 1;
}

/* id has action 0. The index is right unless failed is set. */
static inline uint32_t
dmt_method_index(struct dmt_indexes *indexes, uint64_t id)
{
	const struct dmt_recent_method *const recent =
	    &indexes->recent[id / 4 % DMT_RECENT_METHODS];

	return recent->tag == dmt_method_tag(id) ? recent->index :
	    dmt_method_index_find(indexes, id);
}

#endif
