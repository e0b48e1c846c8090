/* report_up.c - the tree of calls from below: methods, and who called them */

#include "report.h"

#include <stdint.h>
#include <stdlib.h>

#include "msg.h"

/* A node whose exclusive time is told, and the one on its path to the top
 * that the line is about. */
struct pair {
	uint32_t at;
	uint32_t from;
};

/* The callers of one line, as groups of one method each. */
struct level {
	struct pair *pairs;		/* sorted by the method of at */
	size_t count;
	struct report_row *groups;	/* index: of the first pair */
	size_t group_count;
	size_t next;			/* group to be shown */
	size_t line;			/* of the report */
};

struct up {
	struct report *report;
	size_t table;
	struct level *levels;
	size_t depth;
	size_t capacity;
	size_t lines;
};

static struct dmtrace_profile_node
node_at(const struct up *up, size_t index)
{
	struct dmtrace_profile_node node;

	dmtrace_profile_node_get(up->report->profile, up->table, index,
	    &node);
	return node;
}

static size_t
method_of(const struct up *up, const struct pair *pair)
{
	return node_at(up, pair->at).method;
}

/* What one line tells: the sums of its pairs. Inclusive times are not, since
 * those of recursive calls lie in others. */
static void
sum(const struct up *up, const struct pair *pairs, size_t count,
    struct report_node *node)
{
	for (size_t i = 0; i < count; i++) {
		const struct dmtrace_profile_node from =
		    node_at(up, pairs[i].from);

		node->calls += from.calls;
		for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++)
			node->exclusive_ns[clock] += from.exclusive_ns[clock];
	}
}

struct keyed {
	struct pair pair;
	size_t method;
};

static int
compare(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;

	if (a->method != b->method)
		return a->method < b->method ? -1 : 1;
	return (a->pair.at > b->pair.at) - (a->pair.at < b->pair.at);
}

/* Sorts pairs by the method of their place. */
static bool
sort_pairs(const struct up *up, struct pair *pairs, size_t count)
{
	struct keyed *keyed = malloc((count + 1) * sizeof(*keyed));

	if (keyed == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		keyed[i] = (struct keyed){ pairs[i],
		    method_of(up, &pairs[i]) };
	qsort(keyed, count, sizeof(*keyed), compare);
	for (size_t i = 0; i < count; i++)
		pairs[i] = keyed[i].pair;
	free(keyed);
	return true;
}

/* Where the group ends that begins at a pair. */
static size_t
group_end(const struct up *up, const struct level *level, size_t begin)
{
	const size_t method = method_of(up, &level->pairs[begin]);
	size_t end = begin + 1;

	while (end < level->count &&
	    method_of(up, &level->pairs[end]) == method)
		end++;
	return end;
}

static bool
make_groups(const struct up *up, struct level *level)
{
	const enum dmtrace_profile_clock clock = up->report->clock;

	level->groups = calloc(level->count + 1, sizeof(*level->groups));
	if (level->groups == NULL)
		return false;
	for (size_t i = 0, end; i < level->count; i = end) {
		struct report_row *group = &level->groups[level->group_count];
		struct report_node node = { .calls = 0 };

		end = group_end(up, level, i);
		sum(up, level->pairs + i, end - i, &node);
		group->index = i;
		group->weight = (double)node.exclusive_ns[clock];
		dmtrace_profile_method_get(up->report->profile, up->table,
		    method_of(up, &level->pairs[i]), &group->method);
		if (report_is_long(up->report, node.exclusive_ns[clock]))
			level->group_count++;
	}
	report_rows_sort(level->groups, level->group_count);
	level->group_count = report_shown(up->report, level->group_count);
	return true;
}

/* A new innermost level, of so many pairs, which it takes over. */
static bool
push(struct up *up, struct pair *pairs, size_t count, size_t line)
{
	if (up->depth == up->capacity) {
		const size_t capacity = 2 * up->capacity + 16;
		struct level *levels = realloc(up->levels,
		    capacity * sizeof(*levels));

		if (levels == NULL) {
			free(pairs);
			return false;
		}
		up->levels = levels;
		up->capacity = capacity;
	}
	struct level *level = &up->levels[up->depth++];
	*level = (struct level){
		.pairs = pairs, .count = count, .line = line
	};
	return sort_pairs(up, pairs, count) && make_groups(up, level);
}

static void
pop(struct up *up)
{
	const struct level *level = &up->levels[--up->depth];

	free(level->pairs);
	free(level->groups);
}

static bool
put(struct up *up, const struct level *level, size_t begin, size_t end)
{
	struct report_node node = {
		.kind = "up", .table = up->table, .index = ++up->lines,
		.parent = level->line, .depth = up->depth - 1,
		.method = method_of(up, &level->pairs[begin])
	};

	sum(up, level->pairs + begin, end - begin, &node);
	return up->report->form == FORM_TEXT ?
	    report_text_node(up->report, &node) :
	    report_cells_node(up->report, &node);
}

/* One step up for all pairs of a group. */
static bool
go_up(struct up *up, const struct pair *pairs, size_t count)
{
	struct pair *higher = malloc((count + 1) * sizeof(*higher));
	size_t kept = 0;

	if (higher == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		if (pairs[i].at != 0)
			higher[kept++] = (struct pair){
				node_at(up, pairs[i].at).parent, pairs[i].from
			};
	return push(up, higher, kept, up->lines);
}

static bool
walk(struct up *up)
{
	while (up->depth > 0) {
		struct level *level = &up->levels[up->depth - 1];

		if (level->next == level->group_count) {
			pop(up);
			continue;
		}
		const size_t first = level->groups[level->next++].index;
		const size_t end = group_end(up, level, first);
		if (!put(up, level, first, end))
			return false;
		if (!go_up(up, level->pairs + first, end - first)) {
			msg_memory();
			return false;
		}
	}
	return true;
}

/* All nodes: the groups of the outermost level are the methods. */
static bool
begin(struct up *up)
{
	const size_t count = dmtrace_profile_node_count(up->report->profile,
	    up->table);
	struct pair *pairs = malloc((count + 1) * sizeof(*pairs));

	if (pairs == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		pairs[i] = (struct pair){ (uint32_t)i, (uint32_t)i };
	return push(up, pairs, count, 0);
}

bool
report_bottom_up(struct report *report, size_t table)
{
	struct up up = { .report = report, .table = table };
	const bool begun = begin(&up);

	if (!begun)
		msg_memory();
	const bool fine = begun && walk(&up);
	while (up.depth > 0)
		pop(&up);
	free(up.levels);
	return fine;
}
