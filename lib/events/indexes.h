/* indexes.h - small numbers for the threads and methods of a trace */
#ifndef DMT_EVENTS_INDEXES_H
#define DMT_EVENTS_INDEXES_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "base/idmap.h"
#include "private/event.h"

/* Thread numbers below this are looked up in an array. */
#define DMT_DIRECT_THREADS 65536

/* Ids of methods that were looked up lately, by their low bits. */
#define DMT_RECENT_METHODS 16384	/* a power of two */

struct dmt_recent_method {
	uint64_t id;			/* 0 in an unused place, but in the
					   first one, where it is odd */
	uint32_t index;
};

struct dmt_indexed_thread {
	uint32_t number;		/* as records hold it */
	const struct dmtrace_thread *row;	/* of the key; NULL: none */
};

struct dmt_indexed_method {
	uint64_t id;			/* as records hold it, action 0 */
	const struct dmtrace_method *row;	/* NULL: none */
};

/*
 * Each thread number and method id that records hold gets an index when it is
 * first seen, listed in the key or not, so that everything above the source
 * keeps what it knows of threads and methods in plain arrays. An index never
 * changes its meaning: a method id that is redefined has another one from
 * there on. The rows are looked up once: the key must not be changed
 * meanwhile. Without a key none has a row, and sources of several
 * traces can share the indexes (dmt_input_share).
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
	uint32_t *direct;		/* index + 1 by number; 0: none yet */
	struct dmt_idmap large;		/* indexes of large numbers */
	struct dmt_idmap by_id;		/* indexes of methods, as of now */
	struct dmt_recent_method *recent;	/* some of them, found sooner */
	bool failed;			/* no memory; indexes are wrong */
};

/* key and layout must live as long; NULL: there is no key. false: no memory.
 * Ended by fini in any case. */
bool
dmt_indexes_init(struct dmt_indexes *indexes, const struct dmtrace_key *key,
    const struct dmt_layout *layout);

void
dmt_indexes_fini(struct dmt_indexes *indexes);

/* Lets the rows be those of another key, which has the rows of the one before
 * and after them others, for what had none. */
void
dmt_indexes_set_key(struct dmt_indexes *indexes,
    const struct dmtrace_key *key);

/* The index of a number that is not in direct, or of an id that is not in
 * recent; a new one if it was not seen before. Without memory it is 0, and
 * failed is set. */
uint32_t
dmt_thread_index_find(struct dmt_indexes *indexes, uint32_t number);
uint32_t
dmt_method_index_find(struct dmt_indexes *indexes, uint64_t id);

/*
 * For a method that is redefined while events are read: adds an index for id
 * and its other row; and lets id have an index, of those that were added for
 * it, from here on. add: without memory it is 0, and failed is set.
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

/* id: without the action. The index is right unless failed is set. */
static inline uint32_t
dmt_method_index(struct dmt_indexes *indexes, uint64_t id)
{
	const struct dmt_recent_method *const recent =
	    &indexes->recent[id / 4 % DMT_RECENT_METHODS];

	return recent->id == id ? recent->index :
	    dmt_method_index_find(indexes, id);
}

#endif
