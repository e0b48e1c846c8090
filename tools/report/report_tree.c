/* report_tree.c - prints the call tree, from the top and from below */

/*
 * A stack holds the branches that are still to be printed. The topmost one is
 * printed and replaced by its own branches, sorted, so that the first one is
 * topmost; branches that are too short, or exceed --top, are only counted.
 *
 * From the top, a branch is a node of the profile, and its branches are the
 * children. In text, a chain of nodes, each of which calls only the next, is
 * one line. From below, a branch is a method, and its branches are its
 * callers. That tree is not built, as a recursion of depth n would have n * n
 * / 2 nodes. A line of depth d stands for all nodes whose paths towards the
 * top begin with the same d methods. So the nodes are sorted once by these
 * paths. Then a line is a range of the sorted nodes, its figures are the
 * difference of two prefix sums, and its branches are parts of the range,
 * whose ends are found by binary search.
 *
 * With --find, the tree from below has the methods that match, with all their
 * callers, and the tree from the top the paths to them.
 *
 * The nodes are sorted like the suffixes of a text: the ranks by the first k
 * methods, of a node and of the node k steps above it, give the order by 2k
 * methods; each doubling takes two counting sorts. Each path ends at the top,
 * so no two paths are equal. The node d steps above another one is found with
 * one jump pointer per node, in logarithmic time.
 */

#include "report/report.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/msg.h"
#include "private/array.h"

struct path {
	uint32_t parent;		/* of the top: itself */
	uint32_t jump;			/* an ancestor farther up */
	uint32_t depth;			/* of the top: 0 */
	uint32_t method;
};

struct path_sum {
	uint64_t calls;
	uint64_t exclusive_ns[DMTRACE_PROFILE_CLOCKS];
	size_t partial;			/* paths whose CPU time is */
};

/* The nodes of a profile, sorted by their paths to the top. */
struct paths {
	struct path *items;		/* by node */
	uint32_t *order;		/* sorted nodes */
	struct path_sum *sums;		/* prefix sums over order */
	size_t count;
};

/* A line that is still to be printed. */
struct branch {
	uint32_t node;			/* from below: the ancestor of the
					   first node of the range, depth steps
					   above */
	uint32_t begin, end;		/* from below: the range in order */
	uint32_t depth;
	size_t parent;			/* number of the parent's line; 0:
					   none */
};

struct tree {
	struct report *report;
	size_t table;
	bool from_below;
	struct paths paths;		/* for the tree from below */
	bool *found;			/* methods that --find names; NULL:
					   all */
	bool *on_path;			/* nodes that are such a method or, in
					   the tree from the top, lead to
					   one */
	struct branch *stack;
	size_t stack_count, stack_capacity;
	struct branch *branches;	/* of one line */
	struct report_row *rows;	/* to sort them */
	size_t branch_count, branch_capacity, row_capacity;
	size_t lines;
	struct report_rest rest;
};

/* Returns the node that many steps above another one, which is deep enough. */
static uint32_t
find_node_above(const struct paths *paths, uint32_t node, uint32_t steps)
{
	const struct path *items = paths->items;
	const uint32_t depth = items[node].depth - steps;

	while (items[node].depth > depth)
		node = items[items[node].jump].depth >= depth ?
		    items[node].jump : items[node].parent;
	return node;
}

/* Sorts the nodes by their ranks or, if above is not NULL, by the ranks of the
 * nodes above them. The sort is stable. */
static void
count_sort_nodes(uint32_t *to, const uint32_t *from, size_t count,
    const uint32_t *rank, const uint32_t *above, uint32_t *ends, size_t ranks)
{
	uint32_t end = 0;

	memset(ends, 0, ranks * sizeof(*ends));
	for (size_t i = 0; i < count; i++)
		ends[rank[above == NULL ? i : above[i]]]++;
	for (size_t i = 0; i < ranks; i++)
		ends[i] = end += ends[i];
	for (size_t i = count; i-- > 0; ) {
		const uint32_t node = from[i];

		to[--ends[rank[above == NULL ? node : above[node]]]] = node;
	}
}

/* Sorts the nodes by their paths. false: no memory. */
static bool
sort_paths(struct paths *paths, size_t methods)
{
	const size_t count = paths->count;
	size_t ranks = methods;
	uint32_t *rank = malloc(count * sizeof(*rank));
	uint32_t *above = malloc(count * sizeof(*above));
	uint32_t *other = malloc(count * sizeof(*other));
	uint32_t *ends = malloc((ranks > count ? ranks : count) *
	    sizeof(*ends));
	uint32_t *const order = paths->order;
	const bool fine = rank != NULL && above != NULL && other != NULL &&
	    ends != NULL;

	if (!fine)
		goto end;
	for (uint32_t i = 0; i < count; i++) {
		order[i] = i;
		rank[i] = paths->items[i].method;
		above[i] = paths->items[i].parent;
	}
	do {
		count_sort_nodes(other, order, count, rank, above, ends,
		    ranks);
		count_sort_nodes(order, other, count, rank, NULL, ends, ranks);

		/* Make new ranks: equal if both old ones are. */
		uint32_t *const fresh = other;
		ranks = 0;
		for (size_t i = 0; i < count; i++) {
			const uint32_t a = order[i];
			const uint32_t b = i == 0 ? a : order[i - 1];

			if (i == 0 || rank[a] != rank[b] ||
			    rank[above[a]] != rank[above[b]])
				ranks++;
			fresh[a] = (uint32_t)ranks - 1;
		}
		other = rank;
		rank = fresh;

		/* Double the steps; a parent precedes its children. */
		for (size_t i = count; i-- > 0; )
			above[i] = above[above[i]];
	} while (ranks < count);
end:
	free(rank);
	free(above);
	free(other);
	free(ends);
	return fine;
}

/* false: no memory, which was reported. Free its arrays in any case. */
static bool
init_paths(struct paths *paths, const struct report *report, size_t table)
{
	const size_t count =
	    dmtrace_profile_node_count(report->profile, table);
	struct dmtrace_profile_node node;

	*paths = (struct paths){
		.items = malloc(count * sizeof(*paths->items)),
		.order = malloc(count * sizeof(*paths->order)),
		.sums = malloc((count + 1) * sizeof(*paths->sums)),
		.count = count
	};
	if (paths->items == NULL || paths->order == NULL ||
	    paths->sums == NULL)
		goto no_memory;

	/* A jump is one step or, if the next two jumps have the same length,
	 * that step and these. */
	for (uint32_t i = 0; i < count; i++) {
		struct path *const path = &paths->items[i];

		dmtrace_profile_node_get(report->profile, table, i, &node);
		*path = (struct path){
			.parent = node.parent, .method = node.method
		};
		if (i == 0)
			continue;
		const struct path *const parent = &paths->items[node.parent];
		const struct path *const jump = &paths->items[parent->jump];
		path->depth = parent->depth + 1;
		path->jump = parent->depth - jump->depth == jump->depth -
		    paths->items[jump->jump].depth ? jump->jump : node.parent;
	}
	if (!sort_paths(paths, dmtrace_profile_method_count(report->profile)))
		goto no_memory;

	struct path_sum sum = { .calls = 0 };
	for (size_t i = 0; i < count; i++) {
		dmtrace_profile_node_get(report->profile, table,
		    paths->order[i], &node);
		paths->sums[i] = sum;
		sum.calls += node.calls;
		for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++)
			sum.exclusive_ns[clock] +=
			    (uint64_t)node.exclusive_ns[clock];
		sum.partial += node.exclusive_partial != 0;
	}
	paths->sums[count] = sum;
	return true;

no_memory:
	msg_memory();
	return false;
}

/* Makes the line of a branch. From below, lines are sorted by exclusive time:
 * inclusive times are unknown, as those of recursive calls overlap. */
static struct report_node
make_report_node(const struct tree *tree, const struct branch *branch)
{
	struct report_node line = {
		.kind = tree->from_below ? "up" : "node",
		.table = tree->table, .parent = branch->parent,
		.depth = branch->depth, .has_inclusive = !tree->from_below,
		.chain_count = 1
	};
	struct dmtrace_profile_node node;
	const struct path_sum *const first = tree->from_below ?
	    &tree->paths.sums[branch->begin] : NULL;
	const struct path_sum *const last = tree->from_below ?
	    &tree->paths.sums[branch->end] : NULL;

	dmtrace_profile_node_get(tree->report->profile, tree->table,
	    branch->node, &node);
	line.index = tree->from_below ? tree->lines : branch->node + 1;
	line.method = line.last = node.method;
	dmtrace_profile_method_get(tree->report->profile, tree->table,
	    node.method, &line.figures);
	line.figures.recursive_calls = 0;
	line.figures.calls = tree->from_below ? last->calls - first->calls :
	    node.calls;
	for (int c = 0; c < DMTRACE_PROFILE_CLOCKS; c++) {
		if (tree->from_below)
			node.inclusive_ns[c] = node.exclusive_ns[c] = (int64_t)
			    (last->exclusive_ns[c] - first->exclusive_ns[c]);
		line.figures.inclusive_ns[c] = node.inclusive_ns[c];
		line.figures.exclusive_ns[c] = node.exclusive_ns[c];
	}
	if (tree->from_below)
		node.inclusive_partial = node.exclusive_partial =
		    last->partial > first->partial;
	line.figures.inclusive_partial = node.inclusive_partial;
	line.figures.exclusive_partial = node.exclusive_partial;
	return line;
}

/* Adds a branch to those of a line, if it is long enough or the top. false: no
 * memory, which was reported. */
static bool
add_branch(struct tree *tree, const struct branch *branch)
{
	const struct report *const report = tree->report;
	const size_t count = tree->branch_count;
	const struct report_node line = make_report_node(tree, branch);

	if (tree->found != NULL && (!tree->from_below || branch->depth == 0) &&
	    !tree->on_path[branch->node])
		return true;
	if ((tree->from_below || branch->node != 0) &&
	    !report_is_long(report, report->branch_threshold,
	    line.figures.inclusive_ns[report->clock],
	    line.figures.inclusive_partial)) {
		tree->rest.too_short++;
		return true;
	}

	struct branch *const branches = dmt_array_grow(tree->branches,
	    &tree->branch_capacity, count + 1, sizeof(*branches));
	if (branches != NULL)
		tree->branches = branches;
	struct report_row *const rows = dmt_array_grow(tree->rows,
	    &tree->row_capacity, count + 1, sizeof(*rows));
	if (rows != NULL)
		tree->rows = rows;
	if (branches == NULL || rows == NULL) {
		msg_memory();
		return false;
	}

	branches[count] = *branch;
	rows[count] = (struct report_row){
		.index = count,
		.weight = report_weight(report, report->branch_sort,
		    &line.figures),
		.method = line.figures
	};
	tree->branch_count++;
	return true;
}

/* Returns true if the path at this position has the same method at
 * range->depth as the first path of the range. */
static bool
has_same_caller(const struct paths *paths, const struct branch *range,
    size_t place)
{
	const uint32_t node = find_node_above(paths, paths->order[place],
	    range->depth);

	return paths->items[node].method == paths->items[range->node].method;
}

/* In the tree from below: adds a branch for each caller at this depth of the
 * paths of a range, which are sorted by their callers. false: no memory, which
 * was reported. */
static bool
add_callers(struct tree *tree, const struct branch *range, uint32_t depth)
{
	const struct paths *const paths = &tree->paths;
	const uint32_t end = range->end;
	struct branch part = {
		.begin = range->begin, .depth = depth, .parent = tree->lines
	};

	for (; part.begin < end; part.begin = part.end) {
		size_t last = part.begin, step = 1;

		/* Find the last path with the same caller: often the last of
		 * the range; otherwise by steps that are doubled, then
		 * halved. */
		part.node = find_node_above(paths, paths->order[part.begin],
		    depth);
		if (has_same_caller(paths, &part, end - 1))
			last = end - 1;
		for (; last + step < end &&
		    has_same_caller(paths, &part, last + step); step *= 2)
			last += step;
		while ((step /= 2) > 0)
			if (last + step < end &&
			    has_same_caller(paths, &part, last + step))
				last += step;
		part.end = (uint32_t)last + 1;
		if (!add_branch(tree, &part))
			return false;
	}
	return true;
}

/* Adds the children of a node in the same way. */
static bool
add_children(struct tree *tree, const struct branch *line)
{
	struct dmtrace_profile_node node;

	dmtrace_profile_node_get(tree->report->profile, tree->table,
	    line->node, &node);
	for (uint32_t child = node.first_child; child != 0;
	    child = node.next_sibling) {
		if (!add_branch(tree, &(struct branch){
		    .node = child, .depth = line->depth + 1,
		    .parent = (size_t)line->node + 1 }))
			return false;
		dmtrace_profile_node_get(tree->report->profile, tree->table,
		    child, &node);
	}
	return true;
}

/* Makes the line of a branch that of a chain, which begins there. The branch
 * becomes the last node of the chain. */
static void
fold_chain(const struct tree *tree, struct report_node *line,
    struct branch *branch)
{
	const struct report *const report = tree->report;
	struct dmtrace_profile_node node, callee;

	for (;;) {
		dmtrace_profile_node_get(report->profile, tree->table,
		    branch->node, &node);
		if (node.first_child == 0 || (tree->found != NULL &&
		    tree->found[node.method]))
			return;
		dmtrace_profile_node_get(report->profile, tree->table,
		    node.first_child, &callee);
		if (callee.next_sibling != 0 || !report_is_long(report,
		    report->branch_threshold,
		    callee.inclusive_ns[report->clock],
		    callee.inclusive_partial))
			return;
		for (int c = 0; c < DMTRACE_PROFILE_CLOCKS; c++)
			line->figures.exclusive_ns[c] +=
			    callee.exclusive_ns[c];
		line->figures.exclusive_partial |= callee.exclusive_partial;
		line->last = callee.method;
		line->chain_count++;
		branch->node = node.first_child;
	}
}

/* Finds the nodes that --find asks for. false: no memory, which was
 * reported. */
static bool
find_nodes(struct tree *tree)
{
	struct report *const report = tree->report;
	const size_t methods = dmtrace_profile_method_count(report->profile);
	const size_t nodes = dmtrace_profile_node_count(report->profile,
	    tree->table);
	struct dmtrace_profile_method method;
	struct dmtrace_profile_node node;

	if (report->find.asked == NULL)
		return true;
	tree->found = calloc(methods, sizeof(*tree->found));
	tree->on_path = calloc(nodes, sizeof(*tree->on_path));
	if (tree->found == NULL || tree->on_path == NULL) {
		msg_memory();
		return false;
	}
	for (size_t i = 0; i < methods; i++) {
		dmtrace_profile_method_get(report->profile, tree->table, i,
		    &method);
		tree->found[i] = method.calls + method.recursive_calls > 0 &&
		    report_finds(report, i, &method);
	}
	for (size_t i = nodes; i-- > 0; ) {	/* a parent precedes its
						   children */
		dmtrace_profile_node_get(report->profile, tree->table,
		    (uint32_t)i, &node);
		tree->on_path[i] |= tree->found[node.method];
		tree->on_path[node.parent] |= tree->on_path[i] &&
		    !tree->from_below;
	}
	return true;
}

/* Moves the branches of a line that are shown to the stack. false: no memory,
 * which was reported. */
static bool
push_branches(struct tree *tree)
{
	const size_t count = tree->branch_count;
	const size_t shown = report_shown(tree->report, count);
	struct branch *const stack = dmt_array_grow(tree->stack,
	    &tree->stack_capacity, tree->stack_count + shown, sizeof(*stack));

	if (stack == NULL) {
		msg_memory();
		return false;
	}
	tree->stack = stack;
	report_rows_sort(tree->rows, count);
	for (size_t i = shown; i-- > 0; )
		stack[tree->stack_count++] =
		    tree->branches[tree->rows[i].index];
	tree->rest.beyond_top += count - shown;
	tree->branch_count = 0;
	return true;
}

bool
report_tree(struct report *report, size_t table, bool from_below)
{
	const struct report_printer *const printer = report->printer;
	const size_t most = from_below ? printer->up_lines : SIZE_MAX;
	struct tree tree = {
		.report = report, .table = table, .from_below = from_below,
		.rest = { .what = "branch" }
	};
	const struct branch all = {
		.end = (uint32_t)dmtrace_profile_node_count(report->profile,
		    table)
	};
	bool fine = find_nodes(&tree) &&
	    (from_below ? init_paths(&tree.paths, report, table) &&
	    add_callers(&tree, &all, 0) : add_branch(&tree, &all)) &&
	    push_branches(&tree);

	while (fine && tree.stack_count > 0) {
		struct branch line = tree.stack[--tree.stack_count];

		if (tree.lines++ < most) {
			struct report_node node =
			    make_report_node(&tree, &line);

			if (printer->folds && !report->unfold &&
			    !from_below && line.node != 0)
				fold_chain(&tree, &node, &line);
			printer->put_node(report, &node);
			fine = table_flush(&report->table);
		} else {
			tree.rest.beyond_lines++;
		}

		/* from below, the path ends at the top */
		if (!from_below)
			fine = fine && add_children(&tree, &line);
		else if (line.node != 0)
			fine = fine && add_callers(&tree, &line,
			    line.depth + 1);
		fine = fine && push_branches(&tree);
	}
	if (fine && printer->put_rest != NULL)
		printer->put_rest(report, &tree.rest);
	free(tree.found);
	free(tree.on_path);
	free(tree.paths.items);
	free(tree.paths.order);
	free(tree.paths.sums);
	free(tree.stack);
	free(tree.branches);
	free(tree.rows);
	return fine;
}
