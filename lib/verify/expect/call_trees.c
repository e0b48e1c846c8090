/* call_trees.c - trees of calls, of which equal ones are kept once */

#include "verify/expect/call_trees.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void
dmt_forest_fini(struct dmt_forest *forest)
{
	free(forest->trees);
	free(forest->runs);
	dmt_idmap_fini(&forest->by_hash);
	*forest = (struct dmt_forest){ 0 };
}

static uint64_t
mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static uint64_t
hash_of(uint32_t name, const struct dmt_calls_run *runs, size_t count)
{
	uint64_t hash = mix(count, name);

	for (size_t i = 0; i < count; i++)
		hash = mix(mix(hash, runs[i].tree), runs[i].count);
	return hash;
}

static bool
is_same(const struct dmt_forest *forest, const struct dmt_tree_of *tree,
    uint32_t name, const struct dmt_calls_run *runs, size_t count)
{
	if (tree->name != name || tree->count != count)
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct dmt_calls_run *const run =
		    &forest->runs[tree->first + i];

		if (run->tree != runs[i].tree || run->count != runs[i].count)
			return false;
	}
	return true;
}

static uint32_t
add(struct dmt_forest *forest, uint32_t name,
    const struct dmt_calls_run *runs, size_t count, uint64_t hash)
{
	uint32_t *const last = dmt_idmap_find(&forest->by_hash, hash);
	const uint32_t index = (uint32_t)forest->count;
	struct dmt_tree_of *const trees = dmt_array_grow(forest->trees,
	    &forest->capacity, forest->count + 1, sizeof(*trees));

	if (trees == NULL)
		return UINT32_MAX;
	forest->trees = trees;
	struct dmt_calls_run *const kept = dmt_array_grow(forest->runs,
	    &forest->run_capacity, forest->run_count + count, sizeof(*kept));
	if (kept == NULL)
		return UINT32_MAX;
	forest->runs = kept;
	if (last == NULL && !dmt_idmap_add(&forest->by_hash, hash, index))
		return UINT32_MAX;
	trees[index] = (struct dmt_tree_of){ name,
	    last == NULL ? 0 : *last + 1, forest->run_count, count };
	if (last != NULL)
		*last = index;
	for (size_t i = 0; i < count; i++)
		kept[forest->run_count++] = runs[i];
	forest->count++;
	return index;
}

/* The one that is the same, or a new one; UINT32_MAX: no memory. */
static uint32_t
get(struct dmt_forest *forest, uint32_t name,
    const struct dmt_calls_run *runs, size_t count)
{
	const uint64_t hash = hash_of(name, runs, count);
	const uint32_t *const last = dmt_idmap_find(&forest->by_hash, hash);
	uint32_t next = last == NULL ? 0 : *last + 1;

	for (; next != 0; next = forest->trees[next - 1].next)
		if (is_same(forest, &forest->trees[next - 1], name, runs,
		    count))
			return next - 1;
	return add(forest, name, runs, count, hash);
}

bool
dmt_grown_enter(struct dmt_grown *grown)
{
	size_t *const begins = dmt_array_grow(grown->begins,
	    &grown->begin_capacity, grown->depth + 1, sizeof(*begins));

	if (begins == NULL)
		return false;
	grown->begins = begins;
	begins[grown->depth++] = grown->count;
	return true;
}

bool
dmt_grown_leave(struct dmt_grown *grown, struct dmt_forest *forest,
    uint32_t name)
{
	const size_t begin = grown->begins[--grown->depth];
	const size_t outer = grown->depth == 0 ? 0 :
	    grown->begins[grown->depth - 1];
	const uint32_t tree = get(forest, name, grown->count == begin ? NULL :
	    &grown->runs[begin], grown->count - begin);

	if (tree == UINT32_MAX)
		return false;
	grown->count = begin;
	if (begin > outer && grown->runs[begin - 1].tree == tree) {
		grown->runs[begin - 1].count++;
		return true;
	}
	struct dmt_calls_run *const runs = dmt_array_grow(grown->runs,
	    &grown->capacity, begin + 1, sizeof(*runs));
	if (runs == NULL)
		return false;
	grown->runs = runs;
	runs[grown->count++] = (struct dmt_calls_run){ tree, 1 };
	return true;
}

void
dmt_grown_fini(struct dmt_grown *grown)
{
	free(grown->runs);
	free(grown->begins);
	*grown = (struct dmt_grown){ 0 };
}
