/* spec_tree.c - the calls that a thread should make, by their indentation */

#include <inttypes.h>

#include "base/array.h"
#include "verify/spec.h"

/* A call that may have others below it. */
struct dmt_level {
	size_t columns;			/* how far it is indented */
	uint32_t node;
};

static enum dmtrace_status
no_memory(struct dmtrace_spec *spec)
{
	return dmt_error_memory(&spec->error);
}

/* "x3" or "..." */
static enum dmtrace_status
take_suffix(struct dmtrace_spec *spec, struct dmt_spec_node *node,
    const struct dmt_word *word, bool *counted)
{
	const struct dmt_word digits = { .bytes = word->bytes + 1,
	    .len = word->len - 1 };

	if (dmt_word_is(word, "...")) {
		node->any = true;
		return DMTRACE_OK;
	}
	if (!node->any && !*counted && !word->quoted && word->len > 1 &&
	    word->bytes[0] == 'x' && dmt_word_number(&digits, &node->count) &&
	    node->count > 0) {
		*counted = true;
		return DMTRACE_OK;
	}
	return dmt_spec_wrong(spec, node->line, "behind a call stands xN, "
	    "a number of calls from 1, or \"...\", not \"%.*s\"",
	    (int)(word->len < 60 ? word->len : 60), word->bytes);
}

static enum dmtrace_status
take_suffixes(struct dmtrace_spec *spec, struct dmt_words *words,
    struct dmt_spec_node *node)
{
	struct dmt_word word;
	bool counted = false;

	for (;;) {
		if (!dmt_words_next(words, &word))
			return spec->error.status;
		if (word.none)
			return DMTRACE_OK;
		if (take_suffix(spec, node, &word, &counted) != DMTRACE_OK)
			return spec->error.status;
	}
}

/* The level that a line of so many columns is a sibling in; those that are
 * deeper end. */
static bool
find_level(struct dmt_tree *tree, size_t columns)
{
	while (tree->count > 0 &&
	    tree->levels[tree->count - 1].columns > columns)
		tree->count--;
	return tree->count > 0 &&
	    tree->levels[tree->count - 1].columns == columns;
}

static bool
push_level(struct dmt_tree *tree, size_t columns, uint32_t node)
{
	struct dmt_level *const levels = dmt_array_grow(tree->levels,
	    &tree->capacity, tree->count + 1, sizeof(*levels));

	if (levels == NULL)
		return false;
	tree->levels = levels;
	levels[tree->count++] = (struct dmt_level){ columns, node };
	return true;
}

/* Puts the node where the indentation says. */
static enum dmtrace_status
put_node(struct dmtrace_spec *spec, struct dmt_tree *tree, uint32_t index,
    size_t columns)
{
	struct dmt_spec_node *const nodes = spec->nodes;
	struct dmt_spec_node *const node = &nodes[index];
	const size_t levels = tree->count;
	const bool deeper = levels > 0 &&
	    tree->levels[levels - 1].columns < columns;
	struct dmt_spec_block *const block =
	    &spec->blocks[spec->block_count - 1];

	if (levels == 0) {
		block->root = index;
	} else if (deeper) {
		node->parent = tree->levels[levels - 1].node;
		nodes[node->parent].child = index;
		node->depth = nodes[node->parent].depth + 1;
	} else if (find_level(tree, columns)) {
		struct dmt_level *const level = &tree->levels[tree->count - 1];

		node->parent = nodes[level->node].parent;
		node->depth = nodes[level->node].depth;
		nodes[level->node].next = index;
		level->node = index;
	} else {
		return dmt_spec_wrong(spec, node->line,
		    "this is indented like no call above it");
	}
	if (node->parent != 0 && nodes[node->parent].any)
		return dmt_spec_wrong(spec, node->line, "\"...\" in line %"
		    PRIu64 " already says what is called here",
		    nodes[node->parent].line);
	return (levels == 0 || deeper) && !push_level(tree, columns, index) ?
	    no_memory(spec) : DMTRACE_OK;
}

/* Index 0 is none. */
static bool
make_room(struct dmtrace_spec *spec)
{
	struct dmt_spec_node *const nodes = dmt_array_grow(spec->nodes,
	    &spec->node_capacity, spec->node_count + 2, sizeof(*nodes));

	if (nodes == NULL)
		return false;
	spec->nodes = nodes;
	if (spec->node_count == 0)
		nodes[spec->node_count++] = (struct dmt_spec_node){ 0 };
	return true;
}

enum dmtrace_status
dmt_spec_take_call(struct dmtrace_spec *spec, struct dmt_tree *tree,
    struct dmt_words *words, size_t columns)
{
	struct dmt_spec_node node = { .count = 1, .line = words->line };
	struct dmt_word word;

	if (!make_room(spec))
		return no_memory(spec);
	if (!dmt_words_next(words, &word) ||
	    !dmt_spec_pattern(spec, &word, words->line, &node.pattern) ||
	    take_suffixes(spec, words, &node) != DMTRACE_OK)
		return spec->error.status;
	const uint32_t index = (uint32_t)spec->node_count++;
	spec->nodes[index] = node;
	spec->blocks[spec->block_count - 1].last_line = words->line;
	return put_node(spec, tree, index, columns);
}
