/* merge_methods.h - the methods of a merged trace */
#ifndef DMT_OPS_MERGE_METHODS_H
#define DMT_OPS_MERGE_METHODS_H

#include "base/arena.h"
#include "base/idmap.h"
#include "ops/merge/merge_input.h"

struct dmt_merge_methods {
	struct dmtrace_op *op;
	struct dmt_arena *arena;	/* memory for changed names */
	struct dmtrace_key *key;	/* of the output, which gets the rows */
	struct dmt_idmap by_hash;	/* by hash of a method: its index in
					   the key */
	uint32_t *next_same;		/* by that index: 1 + the next method
					   of the same hash; 0: no more */
	size_t next_capacity;
	size_t next_method;		/* follows the last one that was
					   found */
	uint64_t free_id;		/* all lower ones are in use; 4 at
					   first */
	struct dmt_idmap unlisted;	/* ids of methods without a row */
	struct dmt_merge_map *last_map;	/* of the input before */
	const struct dmt_indexes *last_indexes;
	uint64_t renamed;		/* names that were changed */
	uint64_t named;			/* methods without a name */
};

void
dmt_merge_methods_fini(struct dmt_merge_methods *methods);

/* Adds the rows of an input's key to that of the output. */
enum dmtrace_status
dmt_merge_methods_add(struct dmt_merge_methods *methods,
    struct dmt_merge_input *input);

/* Frees what finds rows, after the last input. */
void
dmt_merge_methods_end(struct dmt_merge_methods *methods);

/* Adds a method that a record has and the input's key does not list, when it
 * is first seen. */
enum dmtrace_status
dmt_merge_methods_extend(struct dmt_merge_methods *methods,
    struct dmt_merge_input *input, size_t index);

/* Ends the use of an input's map, which other inputs may share. */
void
dmt_merge_methods_leave(struct dmt_merge_input *input);

/* Replaces bytes that a name may not contain by "?"; *changed counts such
 * names. false: no memory. */
bool
dmt_merge_mend(struct dmt_arena *arena, struct dmtrace_text *name,
    uint64_t *changed);

#endif
