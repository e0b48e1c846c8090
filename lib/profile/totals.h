/* totals.h - what calls add up to: by method, by edge, by path */
#ifndef DMT_PROFILE_TOTALS_H
#define DMT_PROFILE_TOTALS_H

#include <dmtrace/profile.h>
#include <stdbool.h>

#include "base/idmap.h"
#include "data/record.h"

enum { DMT_CLOCKS = DMTRACE_PROFILE_CLOCKS };

/* The index of a clock that options name. */
static inline enum dmtrace_profile_clock
dmt_profile_clock(enum dmtrace_clock clock)
{
	return clock == DMTRACE_CLOCK_THREAD_CPU ? DMTRACE_PROFILE_CPU :
	    DMTRACE_PROFILE_WALL;
}

/* Of one method. [1] of calls and exclusive is of recursive calls. Times are ns
 * modulo 2^64. */
struct dmt_cell {
	uint64_t calls[2];
	uint64_t inclusive[DMT_CLOCKS];
	uint64_t exclusive[2][DMT_CLOCKS];
};

/* Of calls from one method to another; indexes of methods have 30 bits. */
struct dmt_edge {
	uint64_t key;			/* see dmt_edge_key; 0: a free place */
	uint64_t calls;
	uint64_t inclusive[DMT_CLOCKS];
};

/* By open addressing; once settled, sorted by key from the first place on.
 * Zero is a valid, empty table. */
struct dmt_edges {
	struct dmt_edge *items;
	size_t capacity;		/* a power of two, or 0 */
	size_t count;
	unsigned shift;
	uint64_t factor;
	bool settled;
};

/* Of one path in the call tree. */
struct dmt_path {
	uint32_t parent;		/* index of the path; of the root 0 */
	uint32_t method;
	uint32_t first_child;		/* once settled; 0: none */
	uint32_t next_sibling;
	uint64_t calls;
	uint64_t exclusive[DMT_CLOCKS];
	uint64_t inclusive[DMT_CLOCKS];	/* once settled */
};

/* A call tree, parents before their children. Zero has no root yet. */
struct dmt_call_paths {
	struct dmt_path *items;
	size_t count;
	size_t capacity;
	struct dmt_idmap by_step;	/* parent << 32 | method */
};

/* How long single calls took: eight buckets for each power of two. */
#define DMT_DURATION_BUCKETS 488

struct dmt_durations {
	uint64_t count;
	int64_t min_ns;
	int64_t max_ns;
	double mean_ns;
	double squares;			/* of the differences from the mean */
	uint32_t buckets[DMT_DURATION_BUCKETS];
};

/* The totals of a thread, or of several. Zero is a valid, empty table. */
struct dmt_totals {
	struct dmt_cell *cells;		/* by method */
	struct dmt_durations **durations;	/* the same; NULL: none */
	size_t method_count;		/* cells, and durations */
	struct dmt_edges edges;
	struct dmt_call_paths paths;
};

void
dmt_totals_fini(struct dmt_totals *totals);

/* Makes room for the cells of at least so many methods. false: no memory. */
bool
dmt_totals_reserve(struct dmt_totals *totals, size_t methods);

/* Adds what from came to, and leaves it empty. false: no memory. */
bool
dmt_totals_add(struct dmt_totals *to, struct dmt_totals *from);

/* Adds a copy of from. false: no memory. */
bool
dmt_totals_add_copy(struct dmt_totals *to, const struct dmt_totals *from);

/* Sorts the edges, and adds up the paths. false: no memory. */
bool
dmt_totals_settle(struct dmt_totals *totals, unsigned keep);

static inline uint64_t
dmt_edge_key(uint32_t caller, unsigned caller_recursive, uint32_t callee,
    unsigned callee_recursive)
{
	return (uint64_t)caller << 32 | (uint64_t)callee << 2 |
	    caller_recursive << 1 | callee_recursive;
}

static inline uint32_t
dmt_edge_caller(uint64_t key)
{
	return (uint32_t)(key >> 32);
}

static inline uint32_t
dmt_edge_callee(uint64_t key)
{
	return (uint32_t)key >> 2;
}

/* Adds calls, and what they took, to the cell of their method. */
DMT_INLINE void
dmt_cell_add(struct dmt_cell *cell, unsigned recursive, uint64_t calls,
    const uint64_t inclusive[DMT_CLOCKS], const uint64_t exclusive[DMT_CLOCKS])
{
	cell->calls[recursive] += calls;
	for (int clock = 0; clock < DMT_CLOCKS; clock++) {
		cell->inclusive[clock] += recursive ? 0 : inclusive[clock];
		cell->exclusive[recursive][clock] += exclusive[clock];
	}
}

/* Adds the calls of all edges to the cells of their callees. */
void
dmt_totals_count_callees(struct dmt_totals *totals);

/* The place where a search for an edge begins; there are places. */
DMT_INLINE struct dmt_edge *
dmt_edge_home(const struct dmt_edges *edges, uint64_t key)
{
	return &edges->items[(key ^ key >> 29) * edges->factor >>
	    edges->shift];
}

/* Finds an edge that is not at its home. */
struct dmt_edge *
dmt_edge_find(struct dmt_edges *edges, uint64_t key);

/* The edge, which is added if need be, until the next one is added; NULL: no
 * memory. */
DMT_INLINE struct dmt_edge *
dmt_edge_get(struct dmt_edges *edges, uint64_t key)
{
	struct dmt_edge *const home =
	    edges->count > 0 && !edges->settled ?
	    dmt_edge_home(edges, key) : NULL;

	return home != NULL && home->key == key ? home :
	    dmt_edge_find(edges, key);
}

/* The index of a path that is not there yet; UINT32_MAX: no memory. */
uint32_t
dmt_path_add(struct dmt_call_paths *paths, uint32_t parent, uint32_t method);

/* The index of the path that goes on from parent with a call of method, which
 * is added if need be; UINT32_MAX: no memory. */
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

/* Adds what from came to, and leaves it empty. false: no memory. */
bool
dmt_paths_add(struct dmt_call_paths *to, struct dmt_call_paths *from);

void
dmt_paths_fini(struct dmt_call_paths *paths);

/* Adds one more call of a method. false: no memory. */
bool
dmt_durations_take(struct dmt_totals *totals, uint32_t method, int64_t ns);

/* See dmtrace_profile_percentile. */
int64_t
dmt_durations_percentile(const struct dmt_durations *durations,
    double percent);

#endif
