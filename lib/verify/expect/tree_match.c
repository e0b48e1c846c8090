/* tree_match.c - the calls of a thread along the tree of a spec */

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "verify/expect/expect.h"

/* A call that others are within. */
struct dmt_at {
	uint32_t node;
	uint32_t depth;
	uint64_t repeat;
	uint64_t met;			/* calls before it */
};

struct dmt_match *
dmt_match_new(const struct dmtrace_spec *spec,
    const struct dmt_spec_block *block)
{
	struct dmt_match *const match = dmt_array_new(1, sizeof(*match));

	if (match == NULL)
		return NULL;
	match->spec = spec;
	match->subsequence = block->kind == DMT_BLOCK_SUBSEQUENCE;
	match->node = block->root;
	match->missing = block->root;
	match->place.lane = DMT_NONE;
	return match;
}

void
dmt_match_free(struct dmt_match *match)
{
	if (match == NULL)
		return;
	free(match->open);
	free(match);
}

static const struct dmt_spec_node *
node_of(const struct dmt_match *match, uint32_t node)
{
	return &match->spec->nodes[node];
}

/* The call that the next ones are within. */
static uint32_t
innermost(const struct dmt_match *match)
{
	return match->open_count == 0 ? 0 :
	    match->open[match->open_count - 1].node;
}

/* Some may have made room for calls that were looked for again. */
static void
keep_before(struct dmt_match *match)
{
	match->before_count = 0;
	for (uint64_t i = match->met < DMT_BEFORE ? 0 :
	    match->met - DMT_BEFORE; i < match->met; i++)
		if (match->last[i % DMT_BEFORE].number == i)
			match->before[match->before_count++] =
			    match->last[i % DMT_BEFORE];
}

/* What the calls came to: missing is what should have come. */
static void
keep_state(struct dmt_match *match, const struct dmt_place *place)
{
	match->missing = match->node;
	match->missing_repeat = match->repeat;
	match->within = innermost(match);
	match->place = *place;
	keep_before(match);
}

static void
miss(struct dmt_match *match, enum dmt_found found, uint32_t method,
    uint32_t depth, const struct dmt_place *place)
{
	keep_state(match, place);
	match->found = found;
	match->method = method;
	match->depth = depth;
}

/* The call is the next one of the tree. false: no memory. */
static bool
meet(struct dmt_match *match, uint32_t method, uint32_t depth)
{
	match->last[match->met % DMT_BEFORE] = (struct dmt_met){
		match->node, method, depth, match->repeat, match->met
	};
	match->met++;
	if (match->subsequence && node_of(match, match->node)->child == 0)
		return true;
	struct dmt_at *const open = dmt_array_grow(match->open,
	    &match->open_capacity, match->open_count + 1, sizeof(*open));
	if (open == NULL)
		return false;
	match->open = open;
	open[match->open_count++] = (struct dmt_at){
		match->node, depth, match->repeat, match->met - 1
	};
	match->node = node_of(match, match->node)->child;
	match->repeat = 0;
	return true;
}

/* To what stands behind a call that was met with all that it calls. Returns
 * whether something does. */
static bool
advance(struct dmt_match *match)
{
	const struct dmt_spec_node *const node = node_of(match, match->node);

	if (++match->repeat < node->count)
		return true;
	match->repeat = 0;
	match->node = node->next;
	return node->next != 0;
}

/* All of the innermost call was met: to what stands behind it. */
static void
close_open(struct dmt_match *match)
{
	const struct dmt_at *const at = &match->open[--match->open_count];

	match->node = at->node;
	match->repeat = at->repeat;
}

static bool
enter_exact(struct dmt_match *match, const struct dmt_matches *names,
    uint32_t method, uint32_t depth, const struct dmt_place *place)
{
	if (match->found != DMT_FOUND_ALL) {
		if (match->after_count == DMT_AFTER)
			return true;
		match->after[match->after_count].method = method;
		match->after[match->after_count++].depth = depth;
		return true;
	}
	if (match->skip != 0)
		return true;
	if (match->node == 0 || !dmt_matches_match(names, method,
	    node_of(match, match->node)->pattern)) {
		miss(match, DMT_FOUND_CALL, method, depth, place);
		return true;
	}
	if (node_of(match, match->node)->any)
		match->skip = depth;
	return meet(match, method, depth);
}

static void
leave_exact(struct dmt_match *match, uint32_t method, uint32_t depth,
    const struct dmt_place *place, bool ending)
{
	if (match->found != DMT_FOUND_ALL ||
	    (match->skip != 0 && depth > match->skip))
		return;
	match->skip = 0;
	if (match->node != 0) {
		miss(match, ending ? DMT_FOUND_END : DMT_FOUND_EXIT, method,
		    depth, place);
		return;
	}
	close_open(match);
	advance(match);
}

static bool
is_done(const struct dmt_match *match)
{
	return match->node == 0 && match->open_count == 0;
}

/* It is as near as it gets, or nearer than before. */
static void
keep_best(struct dmt_match *match, const struct dmt_place *place)
{
	if (match->met <= match->best)
		return;
	match->best = match->met;
	keep_state(match, place);
}

static bool
enter_subsequence(struct dmt_match *match, const struct dmt_matches *names,
    uint32_t method, uint32_t depth, const struct dmt_place *place)
{
	if (is_done(match) || !dmt_matches_match(names, method,
	    node_of(match, match->node)->pattern))
		return true;
	const bool leaf = node_of(match, match->node)->child == 0;
	if (!meet(match, method, depth))
		return false;
	while (leaf && !advance(match) && match->open_count > 0)
		close_open(match);
	keep_best(match, place);
	return true;
}

/*
 * A call without all of what it should call was not the one: it is looked
 * for again. None of those within it can have been: they call less.
 */
static void
leave_subsequence(struct dmt_match *match, uint32_t depth)
{
	while (match->open_count > 0 &&
	    match->open[match->open_count - 1].depth >= depth) {
		match->met = match->open[match->open_count - 1].met;
		close_open(match);
	}
}

bool
dmt_match_enter(struct dmt_match *match, const struct dmt_matches *names,
    uint32_t method, uint32_t depth, const struct dmt_place *place)
{
	return match->subsequence ?
	    enter_subsequence(match, names, method, depth, place) :
	    enter_exact(match, names, method, depth, place);
}

void
dmt_match_leave(struct dmt_match *match, uint32_t method, uint32_t depth,
    const struct dmt_place *place, bool ending)
{
	if (!match->subsequence)
		leave_exact(match, method, depth, place, ending);
	else if (!is_done(match))
		leave_subsequence(match, depth);
}

void
dmt_match_end(struct dmt_match *match, const struct dmt_place *place)
{
	if (match->subsequence)
		match->found = is_done(match) ? DMT_FOUND_ALL :
		    DMT_FOUND_END;
	else if (match->found == DMT_FOUND_ALL && match->node != 0)
		miss(match, DMT_FOUND_END, DMT_NONE, 0, place);
}
