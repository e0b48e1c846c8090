/* report_up.c - the tree of calls from below: methods, and who called them */

#include "report.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "msg.h"

/* A node whose exclusive time is told, and the one on its path to the top
 * that the line is about. */
struct pair {
	uint32_t at;
	uint32_t from;
	uint32_t method;		/* of at */
};

/*
 * The callers of one line, as groups of one method each. The group that is
 * shown next is the last one: its pairs move one step up where they are, and
 * become the level below. So all levels have room in the pairs of the first.
 */
struct level {
	struct report_row *groups;	/* index: how many pairs */
	size_t group_count;
	size_t next;			/* group to be shown */
	size_t line;			/* of the report */
};

struct up {
	struct report *report;
	size_t table;
	struct pair *pairs;
	size_t count;
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

static int
compare(const void *left, const void *right)
{
	const struct pair *a = left, *b = right;

	if (a->method != b->method)
		return a->method < b->method ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* How many groups the pairs have, which are sorted. */
static size_t
count_groups(const struct pair *pairs, size_t count)
{
	size_t groups = 0;

	for (size_t i = 0; i < count; i++)
		groups += i == 0 || pairs[i].method != pairs[i - 1].method;
	return groups;
}

/* Where the group ends that begins at a pair. */
static size_t
group_end(const struct pair *pairs, size_t begin, size_t count)
{
	size_t end = begin + 1;

	while (end < count && pairs[end].method == pairs[begin].method)
		end++;
	return end;
}

/* A method with the figures of a line: exclusive times are all that is
 * told. */
static struct dmtrace_profile_method
as_method(const struct up *up, size_t index, const struct report_node *node)
{
	struct dmtrace_profile_method method;

	dmtrace_profile_method_get(up->report->profile, up->table, index,
	    &method);
	method.calls = node->calls;
	method.recursive_calls = 0;
	for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++) {
		method.exclusive_ns[clock] = node->exclusive_ns[clock];
		method.inclusive_ns[clock] = node->exclusive_ns[clock];
	}
	return method;
}

/* Those that are shown, in order, with the index of their first pair. */
static void
make_groups(const struct up *up, struct level *level,
    const struct pair *pairs, size_t count)
{
	const enum dmtrace_profile_clock clock = up->report->clock;
	size_t made = 0;

	for (size_t i = 0, end; i < count; i = end) {
		struct report_row *group = &level->groups[made];
		struct report_node node = { .calls = 0 };

		end = group_end(pairs, i, count);
		sum(up, pairs + i, end - i, &node);
		group->index = i;
		group->method = as_method(up, pairs[i].method, &node);
		group->weight = report_weight(up->report, &group->method);
		made += report_is_long(up->report, node.exclusive_ns[clock]);
	}
	report_rows_sort(level->groups, made);
	level->group_count = report_shown(up->report, made);
}

/* Puts the pairs of the groups in order, the first one last. Returns how many
 * there are; SIZE_MAX: no memory. */
static size_t
arrange(struct level *level, struct pair *pairs, size_t count)
{
	struct pair *const from = malloc((count + 1) * sizeof(*from));
	size_t kept = 0;

	if (from == NULL)
		return SIZE_MAX;
	memcpy(from, pairs, count * sizeof(*from));
	for (size_t i = level->group_count; i-- > 0; ) {
		const size_t begin = level->groups[i].index;
		const size_t size = group_end(from, begin, count) - begin;

		memcpy(pairs + kept, from + begin, size * sizeof(*from));
		level->groups[i].index = size;
		kept += size;
	}
	free(from);
	return kept;
}

/* Room for one more level; NULL: no memory. */
static struct level *
add_level(struct up *up)
{
	if (up->depth == up->capacity) {
		const size_t capacity = 2 * up->capacity + 16;
		struct level *levels = realloc(up->levels,
		    capacity * sizeof(*levels));

		if (levels == NULL)
			return NULL;
		up->levels = levels;
		up->capacity = capacity;
	}
	return &up->levels[up->depth++];
}

/* A new innermost level, of the pairs from begin on. */
static bool
push(struct up *up, size_t begin, size_t line)
{
	struct pair *const pairs = up->pairs + begin;
	const size_t count = up->count - begin;
	struct level *const level = add_level(up);

	if (level == NULL)
		return false;
	qsort(pairs, count, sizeof(*pairs), compare);
	*level = (struct level){
		.line = line,
		.groups = calloc(count_groups(pairs, count) + 1,
		    sizeof(*level->groups))
	};
	if (level->groups == NULL)
		return false;
	make_groups(up, level, pairs, count);
	const size_t kept = arrange(level, pairs, count);
	if (kept != SIZE_MAX)
		up->count = begin + kept;
	return kept != SIZE_MAX;
}

static void
pop(struct up *up)
{
	free(up->levels[--up->depth].groups);
}

/* The line of the pairs from begin on. */
static bool
put(struct up *up, const struct level *level, size_t begin)
{
	struct report_node node = {
		.kind = "up", .table = up->table, .index = ++up->lines,
		.parent = level->line, .depth = up->depth - 1,
		.method = up->pairs[begin].method
	};

	sum(up, up->pairs + begin, up->count - begin, &node);
	return up->report->form == FORM_TEXT ?
	    report_text_node(up->report, &node) :
	    report_cells_node(up->report, &node);
}

/* One step up for the pairs from begin on. */
static bool
go_up(struct up *up, size_t begin)
{
	size_t end = begin;

	for (size_t i = begin; i < up->count; i++) {
		const struct pair *pair = &up->pairs[i];

		if (pair->at == 0)
			continue;
		const uint32_t at = node_at(up, pair->at).parent;
		up->pairs[end++] = (struct pair){
			at, pair->from, node_at(up, at).method
		};
	}
	up->count = end;
	return push(up, begin, up->lines);
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
		const size_t begin =
		    up->count - level->groups[level->next++].index;
		if (!put(up, level, begin))
			return false;
		if (!go_up(up, begin)) {
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
	up->count = dmtrace_profile_node_count(up->report->profile,
	    up->table);
	up->pairs = malloc((up->count + 1) * sizeof(*up->pairs));
	if (up->pairs == NULL)
		return false;
	for (uint32_t i = 0; i < up->count; i++)
		up->pairs[i] = (struct pair){ i, i, node_at(up, i).method };
	return push(up, 0, 0);
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
	free(up.pairs);
	return fine;
}
