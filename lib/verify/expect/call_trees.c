/* call_trees.c - trees of calls, of which equal ones are kept once */

/*
 * A trace has millions of calls, but few different ones. A call that has ended
 * is known with all that it called: its name and the runs of equal calls below
 * it. It is looked up among the trees by a hash of these; if it is there, the
 * number of that tree takes its place. Calls in a row with the same number are
 * one run, a number and a count. Memory therefore grows with the different
 * trees and the depth, and comparing two calls is comparing two numbers.
 */

#include "verify/expect/call_trees.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define NO_TREE UINT32_MAX

void
dmt_call_trees_fini(struct dmt_call_trees *trees)
{
	free(trees->items);
	free(trees->runs);
	dmt_idmap_fini(&trees->by_hash);
	*trees = (struct dmt_call_trees){ 0 };
}

static uint64_t
mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static bool
is_same_tree(const struct dmt_call_trees *trees,
    const struct dmt_call_tree *tree, uint32_t name,
    const struct dmt_call_run *runs, size_t count)
{
	if (tree->name != name || tree->count != count)
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct dmt_call_run *const run =
		    &trees->runs[tree->first + i];

		if (run->tree != runs[i].tree || run->count != runs[i].count)
			return false;
	}
	return true;
}

/* The number of the tree that is the same, or of a new one; NO_TREE: no
 * memory. */
static uint32_t
find_or_add_tree(struct dmt_call_trees *trees, uint32_t name,
    const struct dmt_call_run *runs, size_t count)
{
	const uint32_t index = (uint32_t)trees->count;
	uint64_t hash = mix(count, name);

	for (size_t i = 0; i < count; i++)
		hash = mix(mix(hash, runs[i].tree), runs[i].count);
	uint32_t *const last = dmt_idmap_find(&trees->by_hash, hash);
	const uint32_t same_hash = last == NULL ? 0 : *last + 1;
	for (uint32_t at = same_hash; at != 0;
	    at = trees->items[at - 1].same_hash)
		if (is_same_tree(trees, &trees->items[at - 1], name, runs,
		    count))
			return at - 1;

	struct dmt_call_tree *const items = dmt_array_grow(trees->items,
	    &trees->capacity, trees->count + 1, sizeof(*items));
	if (items == NULL)
		return NO_TREE;
	trees->items = items;
	struct dmt_call_run *const kept = dmt_array_grow(trees->runs,
	    &trees->run_capacity, trees->run_count + count, sizeof(*kept));
	if (kept == NULL)
		return NO_TREE;
	trees->runs = kept;
	if (last != NULL)
		*last = index;
	else if (!dmt_idmap_add(&trees->by_hash, hash, index))
		return NO_TREE;
	items[trees->count++] = (struct dmt_call_tree){
		name, same_hash, trees->run_count, count
	};
	if (count > 0)
		memcpy(kept + trees->run_count, runs, count * sizeof(*runs));
	trees->run_count += count;
	return index;
}

bool
dmt_tree_builder_enter(struct dmt_tree_builder *builder)
{
	size_t *const begins = dmt_array_grow(builder->begins,
	    &builder->begin_capacity, builder->depth + 1, sizeof(*begins));

	if (begins == NULL)
		return false;
	builder->begins = begins;
	begins[builder->depth++] = builder->count;
	return true;
}

bool
dmt_tree_builder_leave(struct dmt_tree_builder *builder,
    struct dmt_call_trees *trees, uint32_t name)
{
	const size_t begin = builder->begins[--builder->depth];
	const size_t outer = builder->depth == 0 ? 0 :
	    builder->begins[builder->depth - 1];
	const uint32_t tree = find_or_add_tree(trees, name,
	    builder->count == begin ? NULL : &builder->runs[begin],
	    builder->count - begin);

	if (tree == NO_TREE)
		return false;
	builder->count = begin;
	if (begin > outer && builder->runs[begin - 1].tree == tree) {
		builder->runs[begin - 1].count++;
		return true;
	}
	struct dmt_call_run *const runs = dmt_array_grow(builder->runs,
	    &builder->capacity, begin + 1, sizeof(*runs));
	if (runs == NULL)
		return false;
	builder->runs = runs;
	runs[builder->count++] = (struct dmt_call_run){ tree, 1 };
	return true;
}

void
dmt_tree_builder_fini(struct dmt_tree_builder *builder)
{
	free(builder->runs);
	free(builder->begins);
	*builder = (struct dmt_tree_builder){ 0 };
}
