/* expect_match.c - matches methods with patterns, threads with trees */

/*
 * Methods: a pattern is a name, a glob or a regular expression. Most are names
 * (an updated specification has thousands). The names that a method matches are
 * found by a hash of each text that a pattern may match; the other patterns are
 * tried one by one. This is done once for each method, which then has a list of
 * the patterns that it matches.
 *
 * A rule can be about a name that no method of the trace has, as writers list
 * methods that were called: "never A.b" is met. But a name that was written in
 * another way than the trace has it, or without its package, would be met just
 * as well. So the names of rules are compared with those of all methods once
 * more, from the end, without regard to case and to what separates their
 * parts.
 *
 * Exact trees: the calls of the thread must be those of the tree, in the same
 * order. match->node is the call of the tree that must come next, on the level
 * of the innermost open call. The first call that is a different one, or that
 * is missing when its caller ends, is the difference; nothing is compared after
 * it.
 *
 * Subsequences: the next call of the tree may come at any time, but must be
 * inside of the call that matched its caller in the tree. The first call that
 * fits is a match. If it ends before all that is below it in the tree has
 * matched, the match is given up, and the same call of the tree is searched
 * again. This finds a match if there is one: calls inside of the call that was
 * given up made fewer calls than it did, and an earlier match leaves more of
 * the trace for the rest. The best attempt is reported.
 */

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/name_table.h"
#include "private/text.h"
#include "verify/expect/expect_state.h"

/* Returns true if a name is the first len bytes of the method's text. / and .
 * in class names are the same. */
static bool
is_method_name(const struct dmt_token *name, const struct dmt_method_text *text,
    size_t len)
{
	if (name->len != len)
		return false;
	for (size_t i = 0; i < len; i++) {
		const bool in_class = i < text->class_len ||
		    i >= text->name_end;

		if (name->bytes[i] != text->bytes[i] && !(in_class &&
		    dmt_class_byte(name->bytes[i]) ==
		    dmt_class_byte(text->bytes[i])))
			return false;
	}
	return true;
}

/* Returns what spellings of a name have in common at its end: a letter in lower
 * case, or a dot for a separator, with its length. */
static char
last_spelled(const char *bytes, size_t len, size_t *used)
{
	const char last = bytes[len - 1];

	*used = last == ':' && len > 1 && bytes[len - 2] == ':' ? 2 : 1;
	if (strchr("./:$#", last) != NULL && last != '\0')
		return '.';
	return last >= 'A' && last <= 'Z' ? (char)(last - 'A' + 'a') : last;
}

/* Returns true if a name is another spelling of the first len bytes of the
 * method's text, or of their end from a separator on. */
static bool
is_spelling(const struct dmt_token *name, const struct dmt_method_text *text,
    size_t len)
{
	size_t left = name->len;

	while (left > 0 && len > 0) {
		size_t in_name, in_text;

		if (last_spelled(name->bytes, left, &in_name) !=
		    last_spelled(text->bytes, len, &in_text))
			return false;
		left -= in_name;
		len -= in_text;
	}
	size_t used;
	return left == 0 && name->len > 0 && (len == 0 ||
	    last_spelled(text->bytes, len, &used) == '.');
}

/* Adds the patterns that are names and equal the first len bytes of the
 * text. */
static void
add_names(struct dmt_expect_methods *methods, size_t len)
{
	const struct dmtrace_spec *const spec = methods->spec;
	const uint32_t *const last = dmt_idmap_find(&spec->by_hash,
	    dmt_name_hash(methods->text.bytes, len));
	uint32_t i = last == NULL ? DMT_NONE : *last;

	for (; i != DMT_NONE; i = spec->patterns[i].same_hash)
		if (spec->patterns[i].is_name &&
		    is_method_name(&spec->patterns[i].token, &methods->text,
		    len))
			*dmt_push(&methods->patterns, &methods->no_memory) = i;
}

/* Adds the patterns that a method matches. */
static void
add_patterns(struct dmt_expect_methods *methods,
    const struct dmt_indexed_method *method)
{
	const struct dmtrace_spec *const spec = methods->spec;
	struct dmt_method_text *const text = &methods->text;
	size_t ends[DMT_METHOD_ENDS];

	if (!dmt_method_text_make(text, method->row, method->id)) {
		methods->no_memory = true;
		return;
	}
	const size_t count = dmt_method_text_ends(text, ends);
	for (size_t i = 0; i < count; i++)
		add_names(methods, ends[i]);
	for (size_t i = 0; i < spec->glob_count; i++) {
		bool matches;

		if (!dmt_pattern_match_method(
		    &spec->patterns[spec->globs[i]].pattern, text, &matches))
			methods->no_memory = true;
		if (matches)
			*dmt_push(&methods->patterns, &methods->no_memory) =
			    spec->globs[i];
	}
}

/* Adds the rules that are about a method, by its patterns. */
static void
add_uses(struct dmt_expect_methods *methods, uint32_t method)
{
	const struct dmtrace_spec *const spec = methods->spec;

	for (uint32_t role = 0; role < 2; role++)
		for (uint32_t i = 0; i < spec->rule_count; i++) {
			const uint32_t pattern =
			    spec->rules[i].patterns[role];

			if (pattern == DMT_NONE ||
			    !dmt_method_matches(methods, method, pattern))
				continue;
			*dmt_push(&methods->uses, &methods->no_memory) =
			    (struct dmt_rule_use){ i, role };
		}
}

static bool
begin_expected_method(void *owner, uint32_t index, void *item)
{
	struct dmt_expect_methods *const methods = owner;
	struct dmt_expect_method *const method = item;

	method->first_pattern = methods->patterns.count;
	add_patterns(methods, &methods->indexes->methods[index]);
	method->pattern_count =
	    methods->patterns.count - method->first_pattern;
	method->first_use = methods->uses.count;
	add_uses(methods, index);
	method->use_count = methods->uses.count - method->first_use;
	method->spelling = DMT_NO_NAME;
	return !methods->no_memory;
}

void
dmt_expect_methods_attach(struct dmt_expect_methods *methods,
    const struct dmtrace_spec *spec, struct dmtrace_source *source)
{
	methods->spec = spec;
	methods->indexes = source->indexes;
	dmt_attach(source, &methods->items, &(struct dmt_table){
	    .by = DMT_BY_METHOD, .item_size = sizeof(*methods->items),
	    .init = begin_expected_method, .owner = methods });
}

void
dmt_expect_methods_fini(struct dmt_expect_methods *methods)
{
	free(methods->patterns.items);
	free(methods->uses.items);
	free(methods->text.bytes);
}

bool
dmt_method_matches(const struct dmt_expect_methods *methods, uint32_t index,
    uint32_t pattern)
{
	const struct dmt_expect_method *const method = &methods->items[index];

	for (size_t i = 0; i < method->pattern_count; i++)
		if (methods->patterns.items[method->first_pattern + i] ==
		    pattern)
			return true;
	return false;
}

/* Compares a method with the names that were not found so far. */
static void
compare_names(struct dmt_name_use *uses, const struct dmtrace_spec *spec,
    const struct dmt_method_text *text, const struct dmtrace_method *row)
{
	size_t ends[DMT_METHOD_ENDS];
	const size_t count = dmt_method_text_ends(text, ends);

	for (size_t i = 0; i < spec->pattern_count; i++) {
		const struct dmt_token *const name = &spec->patterns[i].token;
		struct dmt_name_use *const use = &uses[i];

		for (size_t j = 0; j < count &&
		    use->state != DMT_NAME_FOUND; j++)
			if (is_method_name(name, text, ends[j]))
				use->state = DMT_NAME_FOUND;
			else if (use->state == DMT_NAME_MISSING &&
			    row != NULL && is_spelling(name, text, ends[j]))
				*use = (struct dmt_name_use){
					DMT_NAME_SIMILAR, row
				};
	}
}

struct dmt_name_use *
dmt_expect_names(const struct dmt_expect *expect)
{
	const struct dmtrace_spec *const spec = expect->spec;
	const struct dmtrace_key *const key = expect->source->key;
	const struct dmt_indexes *const indexes = expect->source->indexes;
	const size_t listed = dmtrace_key_method_count(key);
	struct dmt_method_text text = { .bytes = NULL };
	struct dmt_name_use *uses =
	    dmt_array_new(spec->pattern_count, sizeof(*uses));
	bool missing = false, fine = uses != NULL;

	for (size_t i = 0; fine && i < 2 * spec->rule_count; i++) {
		const uint32_t pattern = spec->rules[i / 2].patterns[i % 2];

		if (pattern == DMT_NONE || !spec->patterns[pattern].is_name)
			continue;
		uses[pattern].state = DMT_NAME_MISSING;
		missing = true;
	}
	for (size_t i = 0; fine && missing && i < listed +
	    indexes->method_count; i++) {
		const struct dmtrace_method *const row = i < listed ?
		    dmtrace_key_method_get(key, i) :
		    indexes->methods[i - listed].row;

		fine = dmt_method_text_make(&text, row, i < listed ? row->id :
		    indexes->methods[i - listed].id);
		if (fine)
			compare_names(uses, spec, &text, row);
	}
	free(text.bytes);
	if (!fine) {
		free(uses);
		uses = NULL;
	}
	return uses;
}

bool
dmt_thread_name_matches(const struct dmt_name_pattern *pattern,
    struct dmtrace_text name, bool *no_memory)
{
	bool matches;

	if (pattern->is_name)
		return dmt_text_equal((struct dmtrace_text){
		    pattern->token.bytes, pattern->token.len }, name);
	*no_memory |= !dmt_pattern_match_name(&pattern->pattern, name,
	    &matches);
	return matches;
}

/* An open call that matched a call of the tree. */
struct dmt_open_match {
	uint32_t node;
	uint32_t depth;
	uint64_t repeat;
	uint64_t matched;		/* calls before it */
};

struct dmt_tree_match *
dmt_tree_match_new(const struct dmtrace_spec *spec,
    const struct dmt_spec_block *block)
{
	struct dmt_tree_match *const match = dmt_array_new(1, sizeof(*match));

	if (match == NULL)
		return NULL;
	match->spec = spec;
	match->subsequence = block->kind == DMT_BLOCK_SUBSEQUENCE;
	match->node = block->root;
	match->missing = block->root;
	match->place.thread = DMT_NONE;
	return match;
}

void
dmt_tree_match_free(struct dmt_tree_match *match)
{
	if (match == NULL)
		return;
	free(match->open);
	free(match);
}

/* Keeps the next call of the tree and the calls that matched before, for the
 * report. */
static void
keep_state(struct dmt_tree_match *match, const struct dmt_place *place)
{
	uint64_t i = match->matched < DMT_CALLS_BEFORE ? 0 :
	    match->matched - DMT_CALLS_BEFORE;

	match->missing = match->node;
	match->missing_repeat = match->repeat;
	match->within = match->open_count == 0 ? 0 :
	    match->open[match->open_count - 1].node;
	match->place = *place;
	/* Calls that were given up may have overwritten some in the ring. */
	match->before_count = 0;
	for (; i < match->matched; i++)
		if (match->last[i % DMT_CALLS_BEFORE].number == i)
			match->before[match->before_count++] =
			    match->last[i % DMT_CALLS_BEFORE];
}

static void
note_difference(struct dmt_tree_match *match, enum dmt_difference difference,
    uint32_t method, uint32_t depth, const struct dmt_place *place)
{
	keep_state(match, place);
	match->difference = difference;
	match->method = method;
	match->depth = depth;
}

/* Matches the call with the next call of the tree and continues below that. In
 * a subsequence, a call with nothing below it is complete and does not become
 * an open match. false: no memory. */
static bool
match_call(struct dmt_tree_match *match, uint32_t method, uint32_t depth)
{
	const uint32_t child = match->spec->nodes[match->node].child;

	match->last[match->matched % DMT_CALLS_BEFORE] =
	    (struct dmt_matched_call){
		match->node, method, depth, match->repeat, match->matched
	};
	match->matched++;
	if (match->subsequence && child == 0)
		return true;
	struct dmt_open_match *const open = dmt_array_grow(match->open,
	    &match->open_capacity, match->open_count + 1, sizeof(*open));
	if (open == NULL)
		return false;
	match->open = open;
	open[match->open_count++] = (struct dmt_open_match){
		match->node, depth, match->repeat, match->matched - 1
	};
	match->node = child;
	match->repeat = 0;
	return true;
}

/* Returns from the level below the innermost open match to the match itself. */
static void
close_match(struct dmt_tree_match *match)
{
	const struct dmt_open_match *const open =
	    &match->open[--match->open_count];

	match->node = open->node;
	match->repeat = open->repeat;
}

/* Continues after a call that matched with all that is below it. Returns true
 * if the tree has more calls. */
static bool
advance_match(struct dmt_tree_match *match)
{
	const struct dmt_spec_node *const node =
	    &match->spec->nodes[match->node];

	if (++match->repeat < node->count)
		return true;
	match->repeat = 0;
	match->node = node->next;
	return node->next != 0;
}

static bool
enter_exact(struct dmt_tree_match *match,
    const struct dmt_expect_methods *methods, uint32_t method, uint32_t depth,
    const struct dmt_place *place)
{
	const struct dmt_spec_node *const nodes = match->spec->nodes;

	if (match->difference != DMT_NO_DIFFERENCE) {
		if (match->after_count < DMT_CALLS_AFTER) {
			match->after[match->after_count].method = method;
			match->after[match->after_count++].depth = depth;
		}
		return true;
	}
	if (match->skip_depth != 0)
		return true;
	if (match->node == 0 ||
	    !dmt_method_matches(methods, method,
	    nodes[match->node].pattern)) {
		note_difference(match, DMT_ANOTHER_CALL, method, depth, place);
		return true;
	}
	if (nodes[match->node].any)
		match->skip_depth = depth;
	return match_call(match, method, depth);
}

/* Returns true if the whole subsequence has matched. */
static bool
is_complete(const struct dmt_tree_match *match)
{
	return match->node == 0 && match->open_count == 0;
}

static bool
enter_subsequence(struct dmt_tree_match *match,
    const struct dmt_expect_methods *methods, uint32_t method, uint32_t depth,
    const struct dmt_place *place)
{
	const struct dmt_spec_node *const nodes = match->spec->nodes;

	if (is_complete(match) || !dmt_method_matches(methods, method,
	    nodes[match->node].pattern))
		return true;
	const bool leaf = nodes[match->node].child == 0;
	if (!match_call(match, method, depth))
		return false;
	while (leaf && !advance_match(match) && match->open_count > 0)
		close_match(match);
	if (match->matched > match->best) {
		match->best = match->matched;
		keep_state(match, place);
	}
	return true;
}

bool
dmt_tree_match_enter(struct dmt_tree_match *match,
    const struct dmt_expect_methods *methods, uint32_t method, uint32_t depth,
    const struct dmt_place *place)
{
	return match->subsequence ?
	    enter_subsequence(match, methods, method, depth, place) :
	    enter_exact(match, methods, method, depth, place);
}

void
dmt_tree_match_leave(struct dmt_tree_match *match, uint32_t method,
    uint32_t depth, const struct dmt_place *place, bool ending)
{
	if (match->subsequence) {
		/* Give up matches that end before all below them matched. */
		while (match->open_count > 0 &&
		    match->open[match->open_count - 1].depth >= depth) {
			match->matched =
			    match->open[match->open_count - 1].matched;
			close_match(match);
		}
		return;
	}
	if (match->difference != DMT_NO_DIFFERENCE ||
	    dmt_tree_match_skips(match, depth))
		return;
	match->skip_depth = 0;
	if (match->node != 0) {
		note_difference(match, ending ? DMT_TRACE_ENDS :
		    DMT_CALL_ENDS, method, depth, place);
		return;
	}
	close_match(match);
	advance_match(match);
}

void
dmt_tree_match_end(struct dmt_tree_match *match,
    const struct dmt_place *place)
{
	if (match->subsequence)
		match->difference = is_complete(match) ? DMT_NO_DIFFERENCE :
		    DMT_TRACE_ENDS;
	else if (match->difference == DMT_NO_DIFFERENCE && match->node != 0)
		note_difference(match, DMT_TRACE_ENDS, DMT_NONE, 0, place);
}
