/* report_up.c - the tree of calls from below: methods, and who called them */

#include "report/report.h"

#include <stdint.h>
#include <stdlib.h>

#include "cli/msg.h"
#include "report/report_paths.h"

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
	size_t left_out;		/* beyond those that the form shows */
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
	rows[count].weight = report_weight(up->report, &rows[count].method);
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
		if (!report_is_long(up->report,
		    node_of(up, &group).exclusive_ns[clock]))
			continue;
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
		up->left_out++;
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
	struct up up = { .report = report, .table = table };
	const bool begun = paths_init(&up.paths, report, table) &&
	    divide_group(&up, &(struct waiting){
	    .end = (uint32_t)up.paths.count });

	if (!begun)
		msg_memory();
	bool fine = begun && put_up_lines(&up);
	if (fine && up.left_out > 0)
		report->printer->put_left_out(report, up.left_out);
	paths_fini(&up.paths);
	free(up.stack);
	free(up.groups);
	free(up.rows);
	return fine;
}
