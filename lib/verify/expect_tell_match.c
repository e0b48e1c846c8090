/* expect_tell_match.c - a tree of calls and those of a thread, side by side */

#include "verify/expect_tell.h"

#include <inttypes.h>
#include <string.h>

static bool
has_signature(const struct dmt_telling *telling, uint32_t node)
{
	const struct dmtrace_spec *const spec = telling->expect->spec;
	const struct dmt_word *const word = node == 0 ? NULL :
	    &spec->patterns[spec->nodes[node].pattern].word;

	return word != NULL && word->len > 0 &&
	    memchr(word->bytes, '(', word->len) != NULL;
}

/* A call of the tree: which one, of several. */
static const char *
keep_node(struct dmt_telling *telling, uint32_t node, uint64_t repeat)
{
	const struct dmt_spec_node *const call =
	    &telling->expect->spec->nodes[node];
	struct dmt_buf buf = { .bytes = NULL };

	dmt_telling_put_pattern(telling, &buf, call->pattern);
	if (call->count > 1)
		dmt_buf_printf(&buf, " (%" PRIu64 " of %" PRIu64 ")",
		    repeat + 1, call->count);
	return dmt_telling_keep(telling, &buf);
}

static const char *
keep_method(struct dmt_telling *telling, uint32_t method, bool signature,
    const char *behind)
{
	struct dmt_buf buf = { .bytes = NULL };

	dmt_matches_put(&telling->expect->names, &buf, method, signature);
	dmt_buf_put(&buf, behind, strlen(behind));
	return dmt_telling_keep(telling, &buf);
}

static struct dmtrace_expect_row *
add_row(struct dmt_telling *telling)
{
	struct dmtrace_expect_row *const row =
	    &telling->rows[telling->about.row_count++];

	*row = (struct dmtrace_expect_row){ .line = 0 };
	return row;
}

static void
set_expected(struct dmt_telling *telling, struct dmtrace_expect_row *row,
    uint32_t node, uint64_t repeat)
{
	const struct dmt_spec_node *const call =
	    &telling->expect->spec->nodes[node];

	row->line = call->line;
	row->expected = keep_node(telling, node, repeat);
	row->expected_depth = call->depth;
}

static void
add_before(struct dmt_telling *telling, const struct dmt_match *match)
{
	for (size_t i = 0; i < match->before_count; i++) {
		const struct dmt_met *const met = &match->before[i];
		struct dmtrace_expect_row *const row = add_row(telling);

		set_expected(telling, row, met->node, met->repeat);
		row->found = keep_method(telling, met->method,
		    has_signature(telling, met->node), "");
		row->found_depth = met->depth - 1;
	}
}

static const char *
keep_found(struct dmt_telling *telling, const struct dmt_match *match)
{
	const bool signature = has_signature(telling, match->missing);

	switch (match->found) {
	case DMT_FOUND_CALL:
		return keep_method(telling, match->method, signature, "");
	case DMT_FOUND_EXIT:
		return keep_method(telling, match->method, false, " ends");
	case DMT_FOUND_END:
	case DMT_FOUND_ALL:
		break;
	}
	return match->subsequence ? "no such call behind it" :
	    "the trace ends";
}

static void
add_difference(struct dmt_telling *telling, const struct dmt_match *match)
{
	const struct dmtrace_spec *const spec = telling->expect->spec;
	struct dmtrace_expect_row *const row = add_row(telling);

	row->differs = 1;
	row->found = keep_found(telling, match);
	if (match->missing != 0)
		set_expected(telling, row, match->missing,
		    match->missing_repeat);
	else
		row->expected = "no more calls";
	if (match->missing == 0 && match->within != 0)
		row->expected_depth = spec->nodes[match->within].depth + 1;
	row->found_depth = match->found == DMT_FOUND_END ?
	    row->expected_depth : match->depth - 1;
}

/* The call of the tree behind another one, or the innermost that goes on
 * behind it; 0: there is none. */
static uint32_t
node_behind(const struct dmtrace_spec *spec, uint32_t node, bool inside)
{
	if (inside && spec->nodes[node].child != 0)
		return spec->nodes[node].child;
	while (node != 0 && spec->nodes[node].next == 0)
		node = spec->nodes[node].parent;
	return node == 0 ? 0 : spec->nodes[node].next;
}

static void
add_after(struct dmt_telling *telling, const struct dmt_match *match)
{
	const struct dmtrace_spec *const spec = telling->expect->spec;
	uint32_t node = match->missing != 0 ?
	    node_behind(spec, match->missing, true) :
	    match->within != 0 ? node_behind(spec, match->within, false) : 0;

	for (size_t i = 0; i < DMT_AFTER; i++) {
		if (node == 0 && i >= match->after_count)
			return;
		struct dmtrace_expect_row *const row = add_row(telling);
		if (i < match->after_count) {
			row->found = keep_method(telling,
			    match->after[i].method, false, "");
			row->found_depth = match->after[i].depth - 1;
		}
		if (node != 0) {
			set_expected(telling, row, node, 0);
			node = node_behind(spec, node, true);
		}
	}
}

/* As far to the left as they go. */
static void
shift_rows(struct dmt_telling *telling)
{
	uint32_t least = UINT32_MAX;

	for (size_t i = 0; i < telling->about.row_count; i++) {
		const struct dmtrace_expect_row *const row =
		    &telling->rows[i];

		if (row->expected != NULL && row->expected_depth < least)
			least = row->expected_depth;
		if (row->found != NULL && row->found_depth < least)
			least = row->found_depth;
	}
	for (size_t i = 0; i < telling->about.row_count; i++) {
		if (telling->rows[i].expected != NULL)
			telling->rows[i].expected_depth -= least;
		if (telling->rows[i].found != NULL)
			telling->rows[i].found_depth -= least;
	}
}

static void
set_rows(struct dmt_telling *telling, const struct dmt_match *match)
{
	telling->about.rows = telling->rows;
	add_before(telling, match);
	add_difference(telling, match);
	add_after(telling, match);
	shift_rows(telling);
}

/* "no more calls in X", or the call that is missing. */
static const char *
keep_expected(struct dmt_telling *telling, const struct dmt_match *match)
{
	const struct dmtrace_spec *const spec = telling->expect->spec;
	struct dmt_buf buf = { .bytes = NULL };

	if (match->missing != 0)
		return keep_node(telling, match->missing,
		    match->missing_repeat);
	dmt_buf_put(&buf, "no more calls", 13);
	if (match->within != 0) {
		dmt_buf_put(&buf, " in ", 4);
		dmt_telling_put_pattern(telling, &buf,
		    spec->nodes[match->within].pattern);
	}
	return dmt_telling_keep(telling, &buf);
}

void
dmt_tell_match(struct dmt_telling *telling, const struct dmt_match *match)
{
	const struct dmt_spec_node *const nodes = telling->expect->spec->nodes;
	struct dmtrace_expectation *const about = &telling->about;

	if (match->found == DMT_FOUND_ALL)
		return;
	about->met = 0;
	if (match->missing != 0)
		about->line = nodes[match->missing].line;
	else if (match->within != 0)
		about->line = nodes[match->within].line;
	about->expected = keep_expected(telling, match);
	about->found = keep_found(telling, match);
	dmt_telling_set_place(telling, &match->place);
	set_rows(telling, match);
}
