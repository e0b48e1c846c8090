/* spec_update.c - a specification with the calls of a trace as its trees */

/*
 * A trace has millions of calls, but few different call trees. When a call
 * ends, all that it called is known: its tree is its name and the runs of equal
 * calls below it. The tree is looked up by a hash of these, and added if it is
 * new; from then on its number stands for it. Calls in a row with the same
 * number are one run, a number and a count. Memory therefore grows with the
 * number of different trees and the depth, and to compare two calls is to
 * compare two numbers. In trees, a method is its name without the signature,
 * unless the key has several signatures for the same class and name.
 *
 * When the trace is read, the old text is copied line by line. If a thread does
 * not match its exact tree, the thread's calls are written instead of the tree.
 * They are compared with the old tree on the way: a call that matches one of
 * the next old calls on its level is written as it was (a glob stays a glob),
 * with its "..." and the comments before and after it. Of old calls that are
 * gone, only the comments are kept. Threads without a tree are added at the
 * end.
 *
 * Old calls are searched on one level, and only AHEAD of them, so that the time
 * is proportional to the length of both trees.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/name_table.h"
#include "private/output.h"
#include "private/text.h"
#include "private/verify.h"
#include "verify/expect/expect_state.h"

#define NO_TREE UINT32_MAX
#define AHEAD 64		/* old calls that are searched for a match */
#define SEVERAL UINT32_MAX	/* the name has several signatures */
#define FIRST_LINE \
    "# What the calls of a trace should be; see dmtrace-expect(1).\n"

/* A call and what it calls. */
struct call_tree {
	uint32_t name;			/* index of its spelling */
	uint32_t same_hash;		/* another tree of this hash, plus 1;
					   0: none */
	size_t first;			/* index of its first run */
	size_t count;
};

/* A zeroed struct is valid and empty. */
struct call_trees {
	struct call_tree *items;
	size_t count;
	size_t capacity;
	struct dmt_call_run *runs;
	size_t run_count;
	size_t run_capacity;
	struct dmt_idmap by_hash;	/* hash to its last tree */
};

struct dmt_update {
	bool signatures;		/* write that of every method */
	struct call_trees trees;
	struct dmt_name_table spellings;	/* how methods are written:
					   tokens, in quotes if needed */
	uint32_t *first_methods;	/* by spelling: the first method that
					   has it */
	size_t first_capacity;
	struct dmt_idmap overloaded;	/* hash of a name to the row of its only
					   signature, or SEVERAL */
};

/* Trees */

static uint64_t
mix_hash(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static bool
is_same_tree(const struct call_trees *trees,
    const struct call_tree *tree, uint32_t name,
    const struct dmt_call_run *runs, size_t count)
{
	if (tree->name != name || tree->count != count)
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct dmt_call_run *const run =
		    &trees->runs[tree->first + i];

		if (run->tree != runs[i].tree || run->count != runs[i].count)
			return false;
	}
	return true;
}

/* Returns the number of the tree with this name and these runs, which is added
 * if it is new; NO_TREE: no memory. */
static uint32_t
find_or_add_tree(struct call_trees *trees, uint32_t name,
    const struct dmt_call_run *runs, size_t count)
{
	const uint32_t index = (uint32_t)trees->count;
	uint64_t hash = mix_hash(count, name);

	for (size_t i = 0; i < count; i++)
		hash = mix_hash(mix_hash(hash, runs[i].tree), runs[i].count);
	uint32_t *const last = dmt_idmap_find(&trees->by_hash, hash);
	const uint32_t same_hash = last == NULL ? 0 : *last + 1;
	for (uint32_t at = same_hash; at != 0;
	    at = trees->items[at - 1].same_hash)
		if (is_same_tree(trees, &trees->items[at - 1], name, runs,
		    count))
			return at - 1;

	struct call_tree *const items = dmt_array_grow(trees->items,
	    &trees->capacity, trees->count + 1, sizeof(*items));
	if (items == NULL)
		return NO_TREE;
	trees->items = items;
	struct dmt_call_run *const kept = dmt_array_grow(trees->runs,
	    &trees->run_capacity, trees->run_count + count, sizeof(*kept));
	if (kept == NULL)
		return NO_TREE;
	trees->runs = kept;
	if (last != NULL)
		*last = index;
	else if (!dmt_idmap_add(&trees->by_hash, hash, index))
		return NO_TREE;
	items[trees->count++] = (struct call_tree){
		name, same_hash, trees->run_count, count
	};
	if (count > 0)
		memcpy(kept + trees->run_count, runs, count * sizeof(*runs));
	trees->run_count += count;
	return index;
}

bool
dmt_tree_builder_enter(struct dmt_tree_builder *builder)
{
	size_t *const begins = dmt_array_grow(builder->begins,
	    &builder->begin_capacity, builder->depth + 1, sizeof(*begins));

	if (begins == NULL)
		return false;
	builder->begins = begins;
	begins[builder->depth++] = builder->count;
	return true;
}

void
dmt_tree_builder_fini(struct dmt_tree_builder *builder)
{
	free(builder->runs);
	free(builder->begins);
	*builder = (struct dmt_tree_builder){ 0 };
}

/* Spellings */

/* Finds the names for which the key has several signatures. false: no
 * memory. */
static bool
find_overloaded(struct dmt_update *update, const struct dmtrace_key *key)
{
	struct dmt_method_text text = { .bytes = NULL };
	bool done = true;

	for (size_t i = 0; i < dmtrace_key_method_count(key) && done; i++) {
		const struct dmtrace_method *const row =
		    dmtrace_key_method_get(key, i);

		if (!dmt_method_text_make(&text, row,
		    row->id & ~UINT64_C(3))) {
			done = false;
			break;
		}
		const uint64_t hash =
		    dmt_name_hash(text.bytes, text.name_end);
		uint32_t *const known =
		    dmt_idmap_find(&update->overloaded, hash);
		if (known == NULL) {
			done = dmt_idmap_add(&update->overloaded, hash,
			    (uint32_t)i);
			continue;
		}
		if (*known == SEVERAL)
			continue;
		const struct dmtrace_text signature =
		    dmtrace_key_method_get(key, *known)->signature;
		if (!dmt_text_equal(signature, row->signature))
			*known = SEVERAL;
	}
	free(text.bytes);
	return done;
}

/* Returns true if a method is written with its signature, because its name has
 * several of them. *failed: no memory. */
static bool
needs_signature(const struct dmt_update *update,
    const struct dmt_indexed_method *method, bool *failed)
{
	struct dmt_method_text text = { .bytes = NULL };

	if (method->row == NULL || update->signatures)
		return update->signatures;
	*failed = !dmt_method_text_make(&text, method->row, method->id);
	const uint32_t *const known = *failed ? NULL :
	    dmt_idmap_find(&update->overloaded,
	    dmt_name_hash(text.bytes, text.name_end));
	free(text.bytes);
	return known != NULL && *known == SEVERAL;
}

/* Returns the index of a method's spelling; DMT_NO_NAME: no memory. */
static uint32_t
find_spelling(struct dmt_update *update,
    const struct dmt_expect_methods *methods, uint32_t method)
{
	const size_t count = update->spellings.count;
	uint32_t *const firsts = dmt_array_grow(update->first_methods,
	    &update->first_capacity, count + 1, sizeof(*firsts));
	struct dmt_output token = { 0 };
	uint32_t spelling = DMT_NO_NAME;
	bool failed = false;

	if (firsts == NULL)
		return DMT_NO_NAME;
	update->first_methods = firsts;
	dmt_expect_methods_put(methods, &token, method,
	    needs_signature(update, &methods->indexes->methods[method],
	    &failed));
	if (!failed && !dmt_output_failed(&token))
		spelling = dmt_name_table_intern(&update->spellings,
		    &(struct dmt_name){ .name = dmt_output_text(&token) });
	if (spelling == count)
		firsts[spelling] = method;
	dmt_output_fini(&token);
	return spelling;
}

bool
dmt_update_leave(struct dmt_update *update,
    struct dmt_expect_methods *methods,
    struct dmt_tree_builder *builder, uint32_t method)
{
	uint32_t *const spelling = &methods->items[method].spelling;

	if (*spelling == DMT_NO_NAME)
		*spelling = find_spelling(update, methods, method);
	if (*spelling == DMT_NO_NAME)
		return false;

	/* The call is complete: its runs become a tree, and the tree a run of
	 * its caller. */
	const size_t begin = builder->begins[--builder->depth];
	const size_t outer = builder->depth == 0 ? 0 :
	    builder->begins[builder->depth - 1];
	const uint32_t tree = find_or_add_tree(&update->trees, *spelling,
	    builder->count == begin ? NULL : &builder->runs[begin],
	    builder->count - begin);
	if (tree == NO_TREE)
		return false;
	builder->count = begin;
	if (begin > outer && builder->runs[begin - 1].tree == tree) {
		builder->runs[begin - 1].count++;
		return true;
	}
	struct dmt_call_run *const runs = dmt_array_grow(builder->runs,
	    &builder->capacity, begin + 1, sizeof(*runs));
	if (runs == NULL)
		return false;
	builder->runs = runs;
	runs[builder->count++] = (struct dmt_call_run){ tree, 1 };
	return true;
}

/* Writing */

/* The calls of one level that are being written. */
struct update_level {
	const struct dmt_call_run *runs;
	size_t next;
	size_t count;
	uint32_t old;			/* the next call of the old tree; 0:
					   none */
};

struct spec_writer {
	const struct dmt_expect *expect;
	const struct dmtrace_spec *spec;
	struct dmt_output *sink;
	struct dmt_output line;
	uint64_t next;			/* next line of the old text */
	struct update_level *levels;
	size_t depth;
	size_t capacity;
	bool after_blank;		/* the last line is empty, or there is
					   none yet */
	bool selected;			/* the "select" lines are written */
	bool failed;			/* no memory */
};

static void
put_spec_line(struct spec_writer *writer)
{
	struct dmt_output *const line = &writer->line;

	writer->after_blank = line->len == 0;
	dmt_put(line, "\n");
	if (!dmt_output_failed(line))
		dmt_output_write(writer->sink, line->bytes, line->len);
	writer->failed |= dmt_output_failed(line);
	dmt_output_clear(line);
}

static void
put_old_line(struct spec_writer *writer, uint64_t number)
{
	const struct dmtrace_text line = writer->spec->lines[number - 1];

	dmt_output_write(&writer->line, line.bytes, line.len);
	put_spec_line(writer);
}

/* Returns the comment of an old line, empty if it has none. *has_tokens is set
 * to whether the line also has tokens. */
static struct dmtrace_text
comment_of(struct spec_writer *writer, uint64_t number, bool *has_tokens)
{
	const struct dmtrace_text line = writer->spec->lines[number - 1];
	struct dmt_arena arena = { .last = NULL };
	struct dmtrace_error error = { .status = DMTRACE_OK };
	struct dmt_line_tokens tokens = { line.bytes, line.bytes + line.len,
	    number, &arena, &error };

	*has_tokens = false;
	while (!dmt_token_next(&tokens).none)
		*has_tokens = true;
	writer->failed |= error.status != DMTRACE_OK;
	dmt_arena_fini(&arena);
	return (struct dmtrace_text){
		tokens.at, (size_t)(tokens.end - tokens.at)
	};
}

/* Writes the comments and empty lines of old lines that are gone, up to the
 * line until. */
static void
put_comments(struct spec_writer *writer, uint64_t until)
{
	for (; writer->next < until; writer->next++) {
		bool has_tokens;
		const struct dmtrace_text comment =
		    comment_of(writer, writer->next, &has_tokens);

		if (!has_tokens) {
			put_old_line(writer, writer->next);
		} else if (comment.len > 0) {
			dmt_put(&writer->line, "  ");
			dmt_output_write(&writer->line, comment.bytes,
			    comment.len);
			put_spec_line(writer);
		}
	}
}

/* Returns the old call that matches the method: the next one on its level, or
 * one of the AHEAD after it; old calls in between are gone then. 0: none. */
static uint32_t
find_old_call(struct spec_writer *writer, struct update_level *level,
    uint32_t method)
{
	const struct dmt_spec_node *const nodes = writer->spec->nodes;
	uint32_t node = level->old;

	for (int i = 0; node != 0 && i < AHEAD; i++) {
		if (dmt_method_matches(&writer->expect->methods, method,
		    nodes[node].pattern)) {
			level->old = nodes[node].next;
			return node;
		}
		node = nodes[node].next;
	}
	return 0;
}

static void
push_level(struct spec_writer *writer, const struct dmt_call_run *runs,
    size_t count, uint32_t old)
{
	struct update_level *const levels = dmt_array_grow(writer->levels,
	    &writer->capacity, writer->depth + 1, sizeof(*levels));

	if (levels == NULL) {
		writer->failed = true;
		return;
	}
	writer->levels = levels;
	levels[writer->depth++] = (struct update_level){ runs, 0, count, old };
}

/* Writes the next call of the innermost level; the calls that it makes are
 * added as the next level. */
static void
put_tree_call(struct spec_writer *writer)
{
	const struct dmt_update *const update = writer->expect->update;
	const struct dmtrace_spec *const spec = writer->spec;
	struct dmt_output *const line = &writer->line;
	struct update_level *const level = &writer->levels[writer->depth - 1];
	const struct dmt_call_run *const run = &level->runs[level->next++];
	const struct call_tree *const tree =
	    &update->trees.items[run->tree];
	const struct dmtrace_text spelling =
	    update->spellings.items[tree->name].name;
	const uint32_t old = find_old_call(writer, level,
	    update->first_methods[tree->name]);
	const struct dmt_spec_node *const node =
	    old == 0 ? NULL : &spec->nodes[old];

	if (node != NULL)
		put_comments(writer, node->line);
	for (size_t i = 0; i < writer->depth; i++)
		dmt_put(line, "  ");
	if (node != NULL)
		dmt_put_pattern(line, &spec->patterns[node->pattern]);
	else
		dmt_output_write(line, spelling.bytes, spelling.len);
	if (run->count > 1)
		dmt_put_format(line, " x%" PRIu64, run->count);
	if (node != NULL && node->any)
		dmt_put(line, " ...");
	if (node != NULL) {
		bool has_tokens;
		const struct dmtrace_text comment =
		    comment_of(writer, node->line, &has_tokens);

		if (comment.len > 0) {
			dmt_put(line, " ");
			dmt_output_write(line, comment.bytes, comment.len);
		}
		writer->next = node->line + 1;
	}
	put_spec_line(writer);
	if (tree->count > 0 && (node == NULL || !node->any))
		push_level(writer, &update->trees.runs[tree->first],
		    tree->count, node == NULL ? 0 : node->child);
}

/* Writes the calls of a thread; old is the first call of the old tree. */
static void
put_call_tree(struct spec_writer *writer,
    const struct dmt_expect_thread *thread,
    uint32_t old)
{
	push_level(writer, thread->builder.runs, thread->builder.count, old);
	while (writer->depth > 0 && !writer->failed) {
		const struct update_level *const level =
		    &writer->levels[writer->depth - 1];

		if (level->next == level->count)
			writer->depth--;
		else
			put_tree_call(writer);
	}
}

/* Writes a line "thread" and the lines of its block. */
static void
put_spec_block(struct spec_writer *writer, size_t index)
{
	const struct dmt_spec_block *const block =
	    &writer->spec->blocks[index];
	const uint32_t found = writer->expect->thread_of_tree[index];
	const struct dmt_expect_thread *const thread =
	    found == DMT_NONE ? NULL : &writer->expect->threads[found];

	if (block->kind != DMT_BLOCK_EXACT || (thread != NULL &&
	    thread->match->difference == DMT_NO_DIFFERENCE)) {
		while (writer->next <= block->last_line)
			put_old_line(writer, writer->next++);
		return;
	}
	if (thread != NULL) {
		put_old_line(writer, writer->next++);
		put_call_tree(writer, thread, block->root);
	}
	put_comments(writer, block->last_line + 1);
}

/* Writes the conditions that the caller selected, as "select" lines. */
static void
put_selects(struct spec_writer *writer)
{
	const struct dmtrace_spec *const spec = writer->spec;

	if (writer->selected)
		return;
	writer->selected = true;
	for (size_t i = 0; spec->selects_given && i < spec->select_count;
	    i++) {
		const char *const value = spec->selects[i].value;

		dmt_put_format(&writer->line, "select %s ",
		    spec->selects[i].condition);
		dmt_put_token(&writer->line, value, strlen(value),
		    true);
		put_spec_line(writer);
	}
}

/* Writes a line outside of the blocks of threads. Conditions of the caller
 * replace the old "select" lines, and are written before the first line that is
 * not a comment. */
static void
put_outside(struct spec_writer *writer)
{
	const struct dmtrace_text line =
	    writer->spec->lines[writer->next - 1];
	bool has_tokens;
	const struct dmtrace_text comment =
	    comment_of(writer, writer->next, &has_tokens);
	const bool selects = has_tokens && line.len > 6 &&
	    memcmp(line.bytes, "select", 6) == 0 &&
	    (line.bytes[6] == ' ' || line.bytes[6] == '\t');

	if (has_tokens)
		put_selects(writer);
	if (!selects || !writer->spec->selects_given) {
		put_old_line(writer, writer->next);
	} else if (comment.len > 0) {
		dmt_output_write(&writer->line, comment.bytes, comment.len);
		put_spec_line(writer);
	}
	writer->next++;
}

/* Writes trees of threads without one: of all threads if no tree was written,
 * else of those that violate "no other threads". */
static void
put_other_threads(struct spec_writer *writer)
{
	const struct dmtrace_spec *const spec = writer->spec;
	const struct dmt_expect *const expect = writer->expect;
	bool has_trees = false, no_others = false;

	for (size_t i = 0; i < spec->block_count; i++)
		has_trees |= expect->thread_of_tree[i] != DMT_NONE ||
		    spec->blocks[i].kind == DMT_BLOCK_SUBSEQUENCE;
	for (size_t i = 0; i < spec->rule_count; i++)
		no_others |= spec->rules[i].kind == DMT_RULE_NO_OTHERS;
	for (size_t i = 0; i < expect->order.count; i++) {
		const uint32_t index = expect->order.items[i];
		const struct dmt_expect_thread *const thread =
		    &expect->threads[index];
		const struct dmtrace_text name =
		    dmt_expect_thread_name(expect, index);

		if (thread->has_tree || (has_trees &&
		    (!no_others || thread->blocks.count > 0)))
			continue;
		if (!writer->after_blank)
			put_spec_line(writer);
		dmt_put(&writer->line, "thread ");
		dmt_put_token(&writer->line, name.bytes, name.len,
		    false);
		dmt_put(&writer->line, " exact");
		put_spec_line(writer);
		put_call_tree(writer, thread, 0);
	}
}

static enum dmtrace_status
write_spec(struct dmt_expect *expect, struct dmt_output *sink)
{
	const struct dmtrace_spec *const spec = expect->spec;
	struct spec_writer writer = {
		.expect = expect, .spec = spec, .sink = sink,
		.next = 1, .after_blank = true
	};
	size_t block = 0;

	if (spec->line_count == 0)
		dmt_output_write(sink, FIRST_LINE, sizeof(FIRST_LINE) - 1);
	while (writer.next <= spec->line_count) {
		if (block == spec->block_count ||
		    writer.next < spec->blocks[block].line) {
			put_outside(&writer);
		} else {
			put_selects(&writer);
			put_spec_block(&writer, block++);
		}
	}
	put_selects(&writer);
	if (spec->line_count == 0) {
		dmt_put(&writer.line, "no other threads");
		put_spec_line(&writer);
	}
	put_other_threads(&writer);
	dmt_output_fini(&writer.line);
	free(writer.levels);
	return writer.failed ? dmt_error_memory(&expect->error) : DMTRACE_OK;
}

enum dmtrace_status
dmt_spec_update(struct dmtrace_op *op, struct dmtrace_spec *spec,
    struct dmtrace_reader *reader, unsigned flags, struct dmt_output *sink)
{
	struct dmt_update update = {
		.signatures = flags & DMT_SPEC_SIGNATURES
	};
	struct dmt_expect expect = { .op = op, .spec = spec,
	    .reader = reader, .update = &update };

	dmt_op_begin(op);
	if (dmt_reader_layout(reader) != NULL &&
	    !find_overloaded(&update, dmtrace_reader_key(reader)))
		dmt_error_memory(&expect.error);
	else if (dmt_expect_run(&expect) == DMTRACE_OK)
		write_spec(&expect, sink);
	const enum dmtrace_status status =
	    dmt_op_fail(op, NULL, &expect.error);
	dmt_expect_fini(&expect);
	free(update.trees.items);
	free(update.trees.runs);
	dmt_idmap_fini(&update.trees.by_hash);
	dmt_name_table_fini(&update.spellings);
	free(update.first_methods);
	dmt_idmap_fini(&update.overloaded);
	return status;
}
