/* report_tree.c - the tree of calls from the top */

#include "report/report.h"

#include <stdint.h>
#include <stdlib.h>

#include "cli/msg.h"

/* A node that is still to be put. */
struct waiting {
	uint32_t node;
	uint32_t depth;
};

struct tree {
	struct report *report;
	size_t table;
	struct waiting *stack;
	size_t count;
	size_t capacity;
	struct report_row *rows;	/* room to sort children */
	size_t row_capacity;
	struct report_rest rest;
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
push_node(struct tree *tree, uint32_t node, uint32_t depth)
{
	struct waiting *stack = report_room(tree->stack, tree->count,
	    &tree->capacity, sizeof(*stack));

	if (stack == NULL)
		return false;
	tree->stack = stack;
	stack[tree->count++] = (struct waiting){ node, depth };
	return true;
}

/* The method of a node, with the figures of that alone. */
static struct dmtrace_profile_method
method_of_node(const struct tree *tree, const struct dmtrace_profile_node *node)
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

/* Adds a row for a child, if it is long enough, and goes on to the next. */
static bool
add_child_row(struct tree *tree, size_t *count, uint32_t *child)
{
	const uint32_t index = *child;
	const struct dmtrace_profile_node node = node_at(tree, index);
	const struct report *report = tree->report;

	*child = node.next_sibling;
	if (!report_is_long(report, report->branch_threshold,
	    node.inclusive_ns[report->clock])) {
		tree->rest.too_short++;
		return true;
	}
	struct report_row *rows = report_room(tree->rows, *count,
	    &tree->row_capacity, sizeof(*rows));
	if (rows == NULL)
		return false;
	tree->rows = rows;
	tree->rows[(*count)++] = (struct report_row){
		.index = index, .method = method_of_node(tree, &node)
	};
	tree->rows[*count - 1].weight =
	    report_weight(report, report->branch_sort,
	    &tree->rows[*count - 1].method);
	return true;
}

/* Pushes the children of a node, without those that are not shown: the first
 * one last. */
static bool
push_children(struct tree *tree, const struct dmtrace_profile_node *node,
    uint32_t depth)
{
	size_t count = 0;

	for (uint32_t child = node->first_child; child != 0; )
		if (!add_child_row(tree, &count, &child))
			return false;
	report_rows_sort(tree->rows, count);
	tree->rest.beyond_top += count - report_shown(tree->report, count);
	for (size_t i = report_shown(tree->report, count); i-- > 0; )
		if (!push_node(tree, (uint32_t)tree->rows[i].index, depth))
			return false;
	return true;
}

/* In the tree of the report the number of a node is that in the profile,
 * and 1. */
static bool
put_tree_node(const struct tree *tree, uint32_t index,
    const struct dmtrace_profile_node *from, size_t depth)
{
	struct report_node node = {
		.kind = "node", .table = tree->table,
		.index = (size_t)index + 1,
		.parent = index == 0 ? 0 : (size_t)from->parent + 1,
		.depth = depth, .method = from->method, .calls = from->calls,
		.has_inclusive = true
	};

	for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++) {
		node.inclusive_ns[clock] = from->inclusive_ns[clock];
		node.exclusive_ns[clock] = from->exclusive_ns[clock];
	}
	tree->report->printer->put_node(tree->report, &node);
	return table_flush(&tree->report->table);
}

/* What is pushed last is put next: a node, then all below it. */
static bool
put_tree_nodes(struct tree *tree)
{
	while (tree->count > 0) {
		const struct waiting next = tree->stack[--tree->count];
		const struct dmtrace_profile_node node =
		    node_at(tree, next.node);

		if (!put_tree_node(tree, next.node, &node, next.depth))
			return false;
		if (!push_children(tree, &node, next.depth + 1)) {
			msg_memory();
			return false;
		}
	}
	return true;
}

bool
report_tree(struct report *report, size_t table)
{
	struct tree tree = {
		.report = report, .table = table, .rest = { .what = "branch" }
	};
	const bool begun = push_node(&tree, 0, 0);

	if (!begun)
		msg_memory();
	const bool fine = begun && put_tree_nodes(&tree);
	if (fine && report->printer->put_rest != NULL &&
	    tree.rest.too_short + tree.rest.beyond_top > 0)
		report->printer->put_rest(report, &tree.rest);
	free(tree.stack);
	free(tree.rows);
	return fine;
}
