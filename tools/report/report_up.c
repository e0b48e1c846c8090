/* report_up.c - the tree of calls from below: methods, and who called them */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/msg.h"
#include "report/report.h"

struct path {
	uint32_t parent;		/* of the top: itself */
	uint32_t jump;			/* far above */
	uint32_t depth;			/* of the top: 0 */
	uint32_t method;
};

struct path_sum {
	uint64_t calls;
	uint64_t exclusive_ns[DMTRACE_PROFILE_CLOCKS];
};

/*
 * Of two nodes, the one comes first whose method does in the profile, or else
 * that of the node above, and so on: nodes below which the same methods lie
 * side by side, as far as one looks.
 */
struct paths {
	struct path *items;		/* by node */
	uint32_t *order;		/* the nodes */
	struct path_sum *sums;		/* of the first ones in order, from
					   none to count of them */
	size_t count;
};

/*
 * Of a skew binary list: from p to its jump is as far as from there to the
 * next one, so that what lies above both can be had in one step.
 */
static uint32_t
far_above(const struct path *items, uint32_t parent)
{
	const struct path *p = &items[parent];
	const struct path *jump = &items[p->jump];

	return p->depth - jump->depth == jump->depth -
	    items[jump->jump].depth ? jump->jump : parent;
}

/* The node that is so many steps above one that is at least as deep. */
static uint32_t
paths_above(const struct paths *paths, uint32_t node, uint32_t steps)
{
	const struct path *items = paths->items;
	const uint32_t depth = items[node].depth - steps;

	while (items[node].depth > depth)
		node = items[items[node].jump].depth >= depth ?
		    items[node].jump : items[node].parent;
	return node;
}

static void
fill_paths(struct paths *paths, const struct report *report, size_t table)
{
	for (uint32_t i = 0; i < paths->count; i++) {
		struct dmtrace_profile_node node;

		dmtrace_profile_node_get(report->profile, table, i, &node);
		paths->items[i] = (struct path){
			.parent = node.parent,
			.jump = i == 0 ? 0 :
			    far_above(paths->items, node.parent),
			.depth = i == 0 ? 0 :
			    paths->items[node.parent].depth + 1,
			.method = node.method
		};
	}
}

static void
fill_sums(struct paths *paths, const struct report *report, size_t table)
{
	struct path_sum sum = { .calls = 0 };

	for (size_t i = 0; i < paths->count; i++) {
		struct dmtrace_profile_node node;

		dmtrace_profile_node_get(report->profile, table,
		    paths->order[i], &node);
		paths->sums[i] = sum;
		sum.calls += node.calls;
		for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++)
			sum.exclusive_ns[clock] +=
			    (uint64_t)node.exclusive_ns[clock];
	}
	paths->sums[paths->count] = sum;
}

/*
 * The order by the first so many steps of the way up: rank is the place of a
 * node in it, of equals the same, and above the node that these steps lead to.
 * The two together order by twice as many steps.
 */
struct sort {
	uint32_t *rank;
	uint32_t *above;
	uint32_t *order;
	uint32_t *other;		/* room */
	uint32_t *ends;			/* of the nodes of a rank */
	size_t ranks;
	size_t count;
};

static bool
sort_begin(struct sort *sort, const struct paths *paths, size_t ranks)
{
	const size_t most = ranks > paths->count ? ranks : paths->count;

	*sort = (struct sort){
		.rank = malloc(paths->count * sizeof(*sort->rank)),
		.above = malloc(paths->count * sizeof(*sort->above)),
		.order = paths->order,
		.other = malloc(paths->count * sizeof(*sort->other)),
		.ends = malloc(most * sizeof(*sort->ends)),
		.ranks = ranks, .count = paths->count
	};
	if (sort->rank == NULL || sort->above == NULL ||
	    sort->other == NULL || sort->ends == NULL)
		return false;
	for (uint32_t i = 0; i < paths->count; i++) {
		sort->order[i] = i;
		sort->rank[i] = paths->items[i].method;
		sort->above[i] = paths->items[i].parent;
	}
	return true;
}

static void
sort_end(struct sort *sort)
{
	free(sort->rank);
	free(sort->above);
	free(sort->other);
	free(sort->ends);
}

/* Puts the nodes of from in order by their rank or, if high, that of the node
 * above. What is equal stays as it is. */
static void
sort_by(struct sort *sort, uint32_t *to, const uint32_t *from, bool high)
{
	uint32_t *const ends = sort->ends, *const rank = sort->rank;
	uint32_t end = 0;

	memset(ends, 0, sort->ranks * sizeof(*ends));
	for (size_t i = 0; i < sort->count; i++)
		ends[rank[high ? sort->above[i] : i]]++;
	for (size_t i = 0; i < sort->ranks; i++)
		ends[i] = end += ends[i];
	for (size_t i = sort->count; i-- > 0; ) {
		const uint32_t node = from[i];

		to[--ends[rank[high ? sort->above[node] : node]]] = node;
	}
}

static bool
is_same_path(const struct sort *sort, uint32_t a, uint32_t b)
{
	return sort->rank[a] == sort->rank[b] &&
	    sort->rank[sort->above[a]] == sort->rank[sort->above[b]];
}

/* New ranks, and twice as many steps; a parent precedes its children. */
static void
sort_rank(struct sort *sort)
{
	uint32_t *const fresh = sort->other;

	sort->ranks = 0;
	for (size_t i = 0; i < sort->count; i++) {
		if (i == 0 || !is_same_path(sort, sort->order[i],
		    sort->order[i - 1]))
			sort->ranks++;
		fresh[sort->order[i]] = (uint32_t)sort->ranks - 1;
	}
	sort->other = sort->rank;
	sort->rank = fresh;
	for (size_t i = sort->count; i-- > 0; )
		sort->above[i] = sort->above[sort->above[i]];
}

/* The way of no node is that of another: the top ends it. */
static bool
sort_paths(struct paths *paths, size_t methods)
{
	struct sort sort;
	const bool begun = sort_begin(&sort, paths, methods);

	if (begun)
		do {
			sort_by(&sort, sort.other, sort.order, true);
			sort_by(&sort, sort.order, sort.other, false);
			sort_rank(&sort);
		} while (sort.ranks < sort.count);
	sort_end(&sort);
	return begun;
}

/* false: no memory. In any case paths_fini. */
static bool
paths_init(struct paths *paths, const struct report *report, size_t table)
{
	const size_t count =
	    dmtrace_profile_node_count(report->profile, table);

	*paths = (struct paths){
		.items = malloc(count * sizeof(*paths->items)),
		.order = malloc(count * sizeof(*paths->order)),
		.count = count
	};
	if (paths->items == NULL || paths->order == NULL)
		return false;
	fill_paths(paths, report, table);
	if (!sort_paths(paths, dmtrace_profile_method_count(report->profile)))
		return false;
	paths->sums = malloc((count + 1) * sizeof(*paths->sums));
	if (paths->sums == NULL)
		return false;
	fill_sums(paths, report, table);
	return true;
}

static void
paths_fini(struct paths *paths)
{
	free(paths->items);
	free(paths->order);
	free(paths->sums);
}

/* A line that is still to be put: nodes whose ways up are the same so far,
 * which are side by side in the order of the paths. */
struct waiting {
	uint32_t begin, end;
	uint32_t at;			/* where the way of the first is */
	uint32_t depth;
	size_t parent;			/* line */
};

struct up {
	struct report *report;
	size_t table;
	struct paths paths;
	struct waiting *stack;
	size_t count;
	size_t capacity;
	struct waiting *groups;		/* room to make callers */
	size_t group_capacity;
	struct report_row *rows;	/* room to sort them */
	size_t row_capacity;
	size_t lines;
	struct report_rest rest;	/* lines beyond those that the form
					   shows, and branches */
};

/* What a line shows. Inclusive times are not, since those of recursive calls
 * are part of others. */
static struct report_node
node_of(const struct up *up, const struct waiting *line)
{
	const struct path_sum *before = &up->paths.sums[line->begin];
	const struct path_sum *sum = &up->paths.sums[line->end];
	struct report_node node = {
		.kind = "up", .table = up->table, .parent = line->parent,
		.depth = line->depth, .calls = sum->calls - before->calls,
		.method = up->paths.items[line->at].method
	};

	for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++)
		node.exclusive_ns[clock] = (int64_t)
		    (sum->exclusive_ns[clock] - before->exclusive_ns[clock]);
	return node;
}

/* A method with the figures of a line: exclusive times are all that
 * is shown. */
static struct dmtrace_profile_method
method_of_up_line(const struct up *up, const struct report_node *node)
{
	struct dmtrace_profile_method method;

	dmtrace_profile_method_get(up->report->profile, up->table,
	    node->method, &method);
	method.calls = node->calls;
	method.recursive_calls = 0;
	for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++) {
		method.exclusive_ns[clock] = node->exclusive_ns[clock];
		method.inclusive_ns[clock] = node->exclusive_ns[clock];
	}
	return method;
}

/* Whether the way of a node, by its place, goes on as that of group. */
static bool
belongs_to_group(const struct up *up, const struct waiting *group, size_t place)
{
	const struct paths *paths = &up->paths;
	const uint32_t at = paths_above(paths, paths->order[place],
	    group->depth);

	return paths->items[at].method == paths->items[group->at].method;
}

/* Where a group ends, at limit at the latest: all of it, mostly. */
static uint32_t
find_group_end(const struct up *up, const struct waiting *group, size_t limit)
{
	size_t last = group->begin, step = 1;

	if (belongs_to_group(up, group, limit - 1))
		return (uint32_t)limit;
	for (; last + step < limit && belongs_to_group(up, group, last + step);
	    step *= 2)
		last += step;
	while ((step /= 2) > 0)
		if (last + step < limit && belongs_to_group(up, group,
		    last + step))
			last += step;
	return (uint32_t)last + 1;
}

/* Adds a group to those that may be shown. */
static bool
add_group(struct up *up, size_t count, const struct waiting *group)
{
	struct waiting *groups = report_room(up->groups, count,
	    &up->group_capacity, sizeof(*groups));
	if (groups == NULL)
		return false;
	up->groups = groups;
	struct report_row *rows = report_room(up->rows, count,
	    &up->row_capacity, sizeof(*rows));
	if (rows == NULL)
		return false;
	up->rows = rows;
	const struct report_node node = node_of(up, group);
	groups[count] = *group;
	rows[count] = (struct report_row){
		.index = count, .method = method_of_up_line(up, &node)
	};
	rows[count].weight = report_weight(up->report, up->report->branch_sort,
	    &rows[count].method);
	return true;
}

static bool
push_group(struct up *up, const struct waiting *group)
{
	struct waiting *stack = report_room(up->stack, up->count,
	    &up->capacity, sizeof(*stack));

	if (stack == NULL)
		return false;
	up->stack = stack;
	stack[up->count++] = *group;
	return true;
}

/* Pushes the groups that are shown, in order, the first one last. */
static bool
push_groups(struct up *up, size_t count)
{
	report_rows_sort(up->rows, count);
	up->rest.beyond_top += count - report_shown(up->report, count);
	for (size_t i = report_shown(up->report, count); i-- > 0; )
		if (!push_group(up, &up->groups[up->rows[i].index]))
			return false;
	return true;
}

/* The groups from begin to end, which one line is about, by the next step of
 * their ways. */
static bool
divide_group(struct up *up, const struct waiting *whole)
{
	const enum dmtrace_profile_clock clock = up->report->clock;
	struct waiting group = *whole;
	size_t count = 0;

	for (; group.begin < whole->end; group.begin = group.end) {
		group.at = paths_above(&up->paths,
		    up->paths.order[group.begin], group.depth);
		group.end = find_group_end(up, &group, whole->end);
		if (!report_is_long(up->report, up->report->branch_threshold,
		    node_of(up, &group).exclusive_ns[clock])) {
			up->rest.too_short++;
			continue;
		}
		if (!add_group(up, count++, &group))
			return false;
	}
	return push_groups(up, count);
}

/* A way ends at the top. */
static bool
push_callers(struct up *up, const struct waiting *line)
{
	struct waiting callers = *line;

	if (line->at == 0)
		return true;
	callers.depth++;
	callers.parent = up->lines;
	return divide_group(up, &callers);
}

static bool
put_up_line(struct up *up, const struct waiting *line)
{
	const struct report_printer *const printer = up->report->printer;
	struct report_node node = node_of(up, line);

	node.index = ++up->lines;
	if (up->lines > printer->up_lines) {
		up->rest.beyond_top++;
		return true;
	}
	printer->put_node(up->report, &node);
	return table_flush(&up->report->table);
}

/* What is pushed last is put next: a line, then all below it. */
static bool
put_up_lines(struct up *up)
{
	while (up->count > 0) {
		const struct waiting line = up->stack[--up->count];

		if (!put_up_line(up, &line))
			return false;
		if (!push_callers(up, &line)) {
			msg_memory();
			return false;
		}
	}
	return true;
}

bool
report_bottom_up(struct report *report, size_t table)
{
	struct up up = {
		.report = report, .table = table, .rest = { .what = "branch" }
	};
	const bool begun = paths_init(&up.paths, report, table) &&
	    divide_group(&up, &(struct waiting){
	    .end = (uint32_t)up.paths.count });

	if (!begun)
		msg_memory();
	bool fine = begun && put_up_lines(&up);
	if (fine && report->printer->put_rest != NULL &&
	    up.rest.too_short + up.rest.beyond_top > 0)
		report->printer->put_rest(report, &up.rest);
	paths_fini(&up.paths);
	free(up.stack);
	free(up.groups);
	free(up.rows);
	return fine;
}
