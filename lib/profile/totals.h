/* totals.h - calls and times by method, by edge and by path */
#ifndef DMT_PROFILE_TOTALS_H
#define DMT_PROFILE_TOTALS_H

#include <dmtrace/profile.h>
#include <stdbool.h>

#include "base/idmap.h"
#include "data/record.h"

enum { DMT_CLOCKS = DMTRACE_PROFILE_CLOCKS };

/* Returns the index of the clock that options ask for. */
static inline enum dmtrace_profile_clock
dmt_profile_clock(enum dmtrace_clock clock)
{
	return clock == DMTRACE_CLOCK_THREAD_CPU ? DMTRACE_PROFILE_CPU :
	    DMTRACE_PROFILE_WALL;
}

/* The totals of a method. calls and exclusive are separate for recursive calls,
 * at [1]. Times are ns modulo 2^64. Totals that are partial lack a part of
 * their CPU time: see dmtrace_profile_method. */
struct dmt_cell {
	uint64_t calls[2];
	uint64_t inclusive[DMT_CLOCKS];
	uint64_t exclusive[2][DMT_CLOCKS];
	uint64_t inclusive_partial;	/* number of calls */
	uint64_t exclusive_partial;
};

/* The totals of the calls from one method to another: half of a cache line.
 * Indexes of methods have 31 bits. */
struct dmt_edge {
	uint64_t key;			/* see dmt_edge_key */
	uint64_t calls;			/* and DMT_EDGE_PARTIAL, if it is */
	uint64_t inclusive[DMT_CLOCKS];
};

#define DMT_EDGE_PARTIAL (UINT64_C(1) << 63)

/* Edges in the order of their first calls, with a hash table. Once settled they
 * are sorted and have no hash table. The first item is not used: its key is 0,
 * which no edge has. A zeroed struct is valid, empty and settled. */
struct dmt_edges {
	struct dmt_edge *items;
	size_t count;			/* with the first one */
	size_t capacity;
	uint32_t *places;		/* indexes of items, with open
					   addressing; 0: a free place; NULL:
					   settled */
	unsigned shift;			/* of the hash, to get a place */
	uint64_t factor;		/* of the hash */
};

/* The totals of a path in the call tree. The members that say so are valid only
 * while the totals are settled. */
struct dmt_path {
	uint32_t parent;		/* index of the path; 0 for the root */
	uint32_t method;
	uint32_t first_child;		/* if settled; 0: none */
	uint32_t next_sibling;		/* if settled; 0: none */
	uint64_t calls;
	uint64_t exclusive[DMT_CLOCKS];
	uint64_t inclusive[DMT_CLOCKS];	/* if settled */
	bool exclusive_partial;
	bool inclusive_partial;		/* if settled */
};

/* A call tree, in which parents come before their children. A zeroed struct is
 * a valid tree without a root. */
struct dmt_call_paths {
	struct dmt_path *items;
	size_t count;
	size_t capacity;
	struct dmt_idmap by_step;	/* parent << 32 | method to the index */
};

/* The distribution of the durations of calls: the first ones as they are, and
 * all of them in eight buckets for each power of two. */
#define DMT_DURATIONS_FEW 64
#define DMT_DURATION_BUCKETS 488

struct dmt_durations {
	uint64_t count;
	int64_t min_ns;
	int64_t max_ns;
	double mean_ns;
	double squares;			/* of the differences from the mean */
	int64_t few_ns[DMT_DURATIONS_FEW];	/* the first of count */
	uint32_t buckets[DMT_DURATION_BUCKETS];
};

/* The totals of a thread, or of several. A zeroed struct is valid and empty. */
struct dmt_totals {
	struct dmt_cell *cells;		/* by method */
	struct dmt_durations **durations;	/* by method; NULL: no calls */
	size_t method_count;		/* of cells, and of durations */
	struct dmt_edges edges;
	struct dmt_call_paths paths;
	bool settled;			/* nothing was added since then */
};

void
dmt_totals_fini(struct dmt_totals *totals);

/* Makes method_count at least methods. false: no memory. */
bool
dmt_totals_reserve(struct dmt_totals *totals, size_t methods);

/* Adds the totals of from, which is empty afterwards. false: no memory; to may
 * have a part of them. */
bool
dmt_totals_add(struct dmt_totals *to, struct dmt_totals *from);

/* Adds the totals of from, which keeps them. places has the index in to for
 * each method of from, for which to has made room; NULL: it is the same. false:
 * no memory; to may have a part of them. */
bool
dmt_totals_add_copy(struct dmt_totals *to, const struct dmt_totals *from,
    const uint32_t *places);

/* Settles the totals, to be read: sorts the edges, links the paths and computes
 * their inclusive times. */
void
dmt_totals_settle(struct dmt_totals *totals);

/* Returns an end of an edge: a method, and whether its call is recursive, 0 or
 * 1. */
static inline uint32_t
dmt_edge_end(uint32_t method, unsigned recursive)
{
	return method << 1 | recursive;
}

/* Returns the key of the edge between two ends. */
static inline uint64_t
dmt_edge_key(uint32_t caller, uint32_t callee)
{
	return (uint64_t)caller << 32 | callee;
}

static inline uint32_t
dmt_edge_caller(uint64_t key)
{
	return (uint32_t)(key >> 33);
}

static inline uint32_t
dmt_edge_callee(uint64_t key)
{
	return (uint32_t)key >> 1;
}

/* Computes the cells from the edges: adds the calls and times of each edge to
 * its callee, and subtracts its times from the exclusive time of its caller. */
void
dmt_totals_count_callees(struct dmt_totals *totals);

/* Allocates the hash table, unless it exists. false: no memory. */
bool
dmt_edges_begin(struct dmt_edges *edges);

/* Returns the place where the search for an edge begins. There must be a hash
 * table. */
DMT_INLINE size_t
dmt_edge_home(const struct dmt_edges *edges, uint64_t key)
{
	return (key ^ key >> 29) * edges->factor >> edges->shift;
}

/* Returns the edge, which is added if it is new. It is valid until the next
 * edge is added. NULL: no memory. */
struct dmt_edge *
dmt_edge_get(struct dmt_edges *edges, uint64_t key);

/* The same, if there is a hash table. home is the place for the edge that this
 * had: it may have grown since then. */
DMT_INLINE struct dmt_edge *
dmt_edge_at(struct dmt_edges *edges, uint64_t key, size_t home)
{
	struct dmt_edge *edge = &edges->items[edges->places[home]];

	if (edge->key != key)
		edge = &edges->items[edges->places[home ^ 1]];
	return DMT_LIKELY(edge->key == key) ? edge : dmt_edge_get(edges, key);
}

/* Adds a path that the tree does not have, and returns its index; UINT32_MAX:
 * no memory. */
uint32_t
dmt_path_add(struct dmt_call_paths *paths, uint32_t parent, uint32_t method);

/* Returns the index of the path that continues parent with a call of method. It
 * is added if it is new; UINT32_MAX: no memory. */
static inline uint32_t
dmt_path_index(struct dmt_call_paths *paths, uint32_t parent, uint32_t method)
{
	const uint32_t *const index = dmt_idmap_find(&paths->by_step,
	    (uint64_t)parent << 32 | method);

	return index != NULL ? *index : dmt_path_add(paths, parent, method);
}

/* Adds the root, unless there is one. false: no memory. */
bool
dmt_paths_begin(struct dmt_call_paths *paths);

/* Adds the totals of from, which is empty afterwards. false: no memory. */
bool
dmt_paths_add(struct dmt_call_paths *to, struct dmt_call_paths *from);

void
dmt_paths_fini(struct dmt_call_paths *paths);

/* Adds the duration of a call of a method. false: no memory. */
bool
dmt_durations_take(struct dmt_totals *totals, uint32_t method, int64_t ns);

/* See dmtrace_profile_percentile. */
int64_t
dmt_durations_percentile(const struct dmt_durations *durations,
    double percent);

#endif
