/* report_tree.c - the tree of calls from the top */

#include "report.h"

#include <stdint.h>
#include <stdlib.h>

#include "msg.h"

#define NONE UINT32_MAX

/* The children of each node, chained in order. */
struct tree {
	struct report *report;
	size_t table;
	uint32_t *first;
	uint32_t *next;
	struct report_row *rows;	/* room to sort children */
	size_t capacity;
};

static struct dmtrace_profile_node
node_at(const struct tree *tree, size_t index)
{
	struct dmtrace_profile_node node;

	dmtrace_profile_node_get(tree->report->profile, tree->table, index,
	    &node);
	return node;
}

static bool
chain(struct tree *tree)
{
	const size_t count = dmtrace_profile_node_count(
	    tree->report->profile, tree->table);

	tree->first = malloc((count + 1) * sizeof(*tree->first));
	tree->next = malloc((count + 1) * sizeof(*tree->next));
	if (tree->first == NULL || tree->next == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		tree->first[i] = tree->next[i] = NONE;
	for (size_t i = count; i-- > 1; ) {
		const uint32_t parent = node_at(tree, i).parent;

		tree->next[i] = tree->first[parent];
		tree->first[parent] = (uint32_t)i;
	}
	return true;
}

/* The method of a node, with the figures of that alone. */
static struct dmtrace_profile_method
as_method(const struct tree *tree, const struct dmtrace_profile_node *node)
{
	struct dmtrace_profile_method method;

	dmtrace_profile_method_get(tree->report->profile, tree->table,
	    node->method, &method);
	method.calls = node->calls;
	method.recursive_calls = 0;
	for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++) {
		method.inclusive_ns[clock] = node->inclusive_ns[clock];
		method.exclusive_ns[clock] = node->exclusive_ns[clock];
	}
	return method;
}

/* Adds a row for a child, if it is long enough. */
static bool
add_row(struct tree *tree, size_t *count, uint32_t child)
{
	const struct dmtrace_profile_node node = node_at(tree, child);
	const struct report *report = tree->report;

	if (!report_is_long(report, node.inclusive_ns[report->clock]))
		return true;
	if (*count == tree->capacity) {
		const size_t capacity = 2 * tree->capacity + 16;
		struct report_row *rows = realloc(tree->rows,
		    capacity * sizeof(*rows));

		if (rows == NULL)
			return false;
		tree->rows = rows;
		tree->capacity = capacity;
	}
	tree->rows[(*count)++] = (struct report_row){
		.index = child, .method = as_method(tree, &node)
	};
	tree->rows[*count - 1].weight =
	    report_weight(report, &tree->rows[*count - 1].method);
	return true;
}

/* Puts the children of a node in order, and leaves out what is not shown. */
static bool
sort_children(struct tree *tree, uint32_t node)
{
	size_t count = 0;

	for (uint32_t child = tree->first[node]; child != NONE;
	    child = tree->next[child])
		if (!add_row(tree, &count, child))
			return false;
	report_rows_sort(tree->rows, count);
	tree->first[node] = NONE;
	for (size_t i = report_shown(tree->report, count); i-- > 0; ) {
		const uint32_t child = (uint32_t)tree->rows[i].index;

		tree->next[child] = tree->first[node];
		tree->first[node] = child;
	}
	return true;
}

/* In the tree of the report the number of a node is that in the profile,
 * and 1. */
static bool
put(struct tree *tree, uint32_t index, size_t depth)
{
	const struct dmtrace_profile_node from = node_at(tree, index);
	struct report_node node = {
		.kind = "node", .table = tree->table,
		.index = (size_t)index + 1,
		.parent = index == 0 ? 0 : (size_t)from.parent + 1,
		.depth = depth, .method = from.method, .calls = from.calls,
		.has_inclusive = true
	};

	for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++) {
		node.inclusive_ns[clock] = from.inclusive_ns[clock];
		node.exclusive_ns[clock] = from.exclusive_ns[clock];
	}
	return tree->report->form == FORM_TEXT ?
	    report_text_node(tree->report, &node) :
	    report_cells_node(tree->report, &node);
}

/* Down to the first child, else on to the next sibling, else up. */
static bool
walk(struct tree *tree)
{
	uint32_t node = 0;
	size_t depth = 0;

	for (;;) {
		if (!sort_children(tree, node)) {
			msg_memory();
			return false;
		}
		if (!put(tree, node, depth))
			return false;
		if (tree->first[node] != NONE) {
			node = tree->first[node];
			depth++;
			continue;
		}
		while (node != 0 && tree->next[node] == NONE) {
			node = node_at(tree, node).parent;
			depth--;
		}
		if (node == 0)
			return true;
		node = tree->next[node];
	}
}

bool
report_tree(struct report *report, size_t table)
{
	struct tree tree = { .report = report, .table = table };
	const bool chained = chain(&tree);

	if (!chained)
		msg_memory();
	const bool fine = chained && walk(&tree);
	free(tree.first);
	free(tree.next);
	free(tree.rows);
	return fine;
}
