/* spec_update.c - a specification with the calls of a trace as its trees */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "verify/expect/expect.h"

#define SEVERAL UINT32_MAX	/* signatures; else the row of the only one */

static bool
is_same_text(struct dmtrace_text a, struct dmtrace_text b)
{
	return a.len == b.len &&
	    (a.len == 0 || memcmp(a.bytes, b.bytes, a.len) == 0);
}

/* Notes the signature of a row, the first of its id. */
static bool
note_row(struct dmt_update *update, const struct dmtrace_key *key, size_t row,
    struct dmt_method_text *text)
{
	const struct dmtrace_method *const method =
	    dmtrace_key_method_get(key, row);

	if (dmtrace_key_method_find(key, method->id) != method)
		return true;
	if (!dmt_method_text_make(text, method,
	    method->id & ~UINT64_C(3)))
		return false;
	const uint64_t hash = dmt_name_hash(text->bytes, text->name_end);
	uint32_t *const known = dmt_idmap_find(&update->overloaded, hash);
	if (known == NULL)
		return dmt_idmap_add(&update->overloaded, hash,
		    (uint32_t)row);
	if (*known != SEVERAL && !is_same_text(method->signature,
	    dmtrace_key_method_get(key, *known)->signature))
		*known = SEVERAL;
	return true;
}

bool
dmt_update_init(struct dmt_update *update, const struct dmtrace_key *key,
    unsigned flags)
{
	struct dmt_method_text text = { .bytes = NULL };
	bool done = true;

	*update = (struct dmt_update){
		.signatures = flags & DMTRACE_SPEC_SIGNATURES
	};
	for (size_t i = 0; i < dmtrace_key_method_count(key) && done; i++)
		done = note_row(update, key, i, &text);
	free(text.bytes);
	return done;
}

void
dmt_update_fini(struct dmt_update *update)
{
	dmt_forest_fini(&update->forest);
	free(update->spellings);
	dmt_idmap_fini(&update->by_hash);
	dmt_idmap_fini(&update->overloaded);
	free(update->of_method);
	dmt_arena_fini(&update->arena);
}

/* In quotes if need be, with the signature if the name alone is not enough. */
static void
put_word(const struct dmt_update *update, const struct dmt_matches *names,
    uint32_t method, struct dmt_buf *word)
{
	struct dmt_buf name = { .bytes = NULL };
	const struct dmtrace_method *const row = dmtrace_key_method_find(
	    names->key, names->items[method].id);
	bool signature = update->signatures;

	if (row != NULL && !signature) {
		dmt_buf_put_method(&name, row, names->items[method].id,
		    false);
		const uint32_t *const known = name.failed ? NULL :
		    dmt_idmap_find(&update->overloaded,
		    dmt_name_hash(name.bytes, name.len));
		signature = known != NULL && *known == SEVERAL;
	}
	dmt_matches_put(names, word, method, signature);
	word->failed |= name.failed;
	dmt_buf_fini(&name);
}

/* One that is written the same; NULL: there is none. */
static const struct dmt_spelling *
find_spelling(const struct dmt_update *update, const struct dmt_buf *word,
    uint64_t hash)
{
	const uint32_t *const last = dmt_idmap_find(&update->by_hash, hash);
	uint32_t next = last == NULL ? 0 : *last + 1;

	for (; next != 0; next = update->spellings[next - 1].same) {
		const struct dmt_spelling *const spelling =
		    &update->spellings[next - 1];

		if (spelling->word.len == word->len && memcmp(
		    spelling->word.bytes, word->bytes, word->len) == 0)
			return spelling;
	}
	return NULL;
}

static struct dmt_spelling *
add_spelling(struct dmt_update *update, const struct dmt_buf *word,
    uint64_t hash, uint32_t method)
{
	uint32_t *const last = dmt_idmap_find(&update->by_hash, hash);
	const uint32_t index = (uint32_t)update->count;
	char *const bytes = dmt_arena_alloc(&update->arena, word->len);
	struct dmt_spelling *const spellings = dmt_array_grow(
	    update->spellings, &update->capacity, update->count + 1,
	    sizeof(*spellings));

	if (spellings != NULL)
		update->spellings = spellings;
	if (spellings == NULL || bytes == NULL || (last == NULL &&
	    !dmt_idmap_add(&update->by_hash, hash, index)))
		return NULL;
	memcpy(bytes, word->bytes, word->len);
	spellings[index] = (struct dmt_spelling){ { bytes, word->len },
	    method, last == NULL ? 0 : *last + 1 };
	if (last != NULL)
		*last = index;
	update->count++;
	return &spellings[index];
}

/* How a method is written, + 1; 0: no memory. */
static uint32_t
spell(struct dmt_update *update, const struct dmt_matches *names,
    uint32_t method)
{
	struct dmt_buf word = { .bytes = NULL };

	put_word(update, names, method, &word);
	const uint64_t hash = word.failed ? 0 :
	    dmt_name_hash(word.bytes, word.len);
	const struct dmt_spelling *found = word.failed ? NULL :
	    find_spelling(update, &word, hash);
	if (found == NULL && !word.failed)
		found = add_spelling(update, &word, hash, method);
	dmt_buf_fini(&word);
	return found == NULL ? 0 :
	    (uint32_t)(found - update->spellings) + 1;
}

static bool
make_room(struct dmt_update *update, uint32_t method)
{
	const size_t before = update->of_method == NULL ? 0 :
	    update->of_capacity;
	uint32_t *const of_method = dmt_array_grow(update->of_method,
	    &update->of_capacity, method + (size_t)1, sizeof(*of_method));

	if (of_method == NULL)
		return false;
	update->of_method = of_method;
	for (size_t i = before; i < update->of_capacity; i++)
		of_method[i] = 0;
	return true;
}

bool
dmt_update_leave(struct dmt_update *update, const struct dmt_matches *names,
    struct dmt_grown *grown, uint32_t method)
{
	if (!make_room(update, method))
		return false;
	uint32_t *const spelling = &update->of_method[method];
	if (*spelling == 0)
		*spelling = spell(update, names, method);
	return *spelling != 0 && dmt_grown_leave(grown, &update->forest,
	    *spelling - 1);
}

#define AHEAD 64		/* calls among which one is found again */

static const char first_line[] =
    "# What the calls of a trace should be; see dmtrace-expect(1).\n";

/* Calls that are being written, of one level. */
struct level {
	const struct dmt_calls_run *runs;
	size_t at;
	size_t count;
	uint32_t old;			/* the next call of the tree that was
					   there; 0: none */
};

struct writing {
	const struct dmt_expect *expect;
	const struct dmtrace_spec *spec;
	struct dmtrace_sink *sink;
	struct dmt_buf line;
	uint64_t next;			/* line of the spec, to be looked at */
	struct level *levels;
	size_t depth;
	size_t capacity;
	bool blank;			/* the last line was, or none is */
	bool selected;			/* what is selected was written */
	bool failed;			/* no memory */
};

static void
put_line(struct writing *writing)
{
	struct dmt_buf *const line = &writing->line;

	writing->blank = line->len == 0;
	dmt_buf_put(line, "\n", 1);
	if (!line->failed)
		dmtrace_sink_write(writing->sink, line->bytes, line->len);
	writing->failed |= line->failed;
	line->len = 0;
}

static void
put_string(struct writing *writing, const char *string)
{
	dmt_buf_put(&writing->line, string, strlen(string));
}

static void
put_old(struct writing *writing, uint64_t number)
{
	const struct dmt_span *const line = &writing->spec->lines[number - 1];

	dmt_buf_put(&writing->line, line->bytes, line->len);
	put_line(writing);
}

/* What stands behind the words of a line: nothing, or a comment. first tells
 * whether there are any. */
static struct dmt_span
comment_of(struct writing *writing, uint64_t number, struct dmt_word *first)
{
	const struct dmt_span *const line = &writing->spec->lines[number - 1];
	struct dmt_arena arena = { .last = NULL };
	struct dmtrace_error error = { .status = DMTRACE_OK };
	struct dmt_words words = { line->bytes, line->bytes + line->len,
	    number, &arena, &error };
	struct dmt_word word;

	if (!dmt_words_next(&words, first))
		first->none = true;
	word = *first;
	while (!word.none && dmt_words_next(&words, &word))
		;
	first->bytes = NULL;
	writing->failed |= error.status != DMTRACE_OK;
	dmt_arena_fini(&arena);
	return (struct dmt_span){ words.at, (size_t)(words.end - words.at) };
}

/* Lines that are not written any more, but for their comments. */
static void
put_comments(struct writing *writing, uint64_t until)
{
	for (; writing->next < until; writing->next++) {
		struct dmt_word first;
		const struct dmt_span comment = comment_of(writing,
		    writing->next, &first);

		if (first.none) {
			put_old(writing, writing->next);
		} else if (comment.len > 0) {
			put_string(writing, "  ");
			dmt_buf_put(&writing->line, comment.bytes,
			    comment.len);
			put_line(writing);
		}
	}
}

/* The call of the old tree that this one was: the next, or one of those
 * behind it, which are gone then. 0: none. */
static uint32_t
find_old(struct writing *writing, struct level *level, uint32_t method)
{
	const struct dmt_spec_node *const nodes = writing->spec->nodes;
	uint32_t node = level->old;

	for (int i = 0; node != 0 && i < AHEAD; i++) {
		if (dmt_matches_match(&writing->expect->names, method,
		    nodes[node].pattern)) {
			level->old = nodes[node].next;
			return node;
		}
		node = nodes[node].next;
	}
	return 0;
}

static bool
push_level(struct writing *writing, const struct dmt_calls_run *runs,
    size_t count, uint32_t old)
{
	struct level *const levels = dmt_array_grow(writing->levels,
	    &writing->capacity, writing->depth + 1, sizeof(*levels));

	if (levels == NULL)
		return false;
	writing->levels = levels;
	levels[writing->depth++] = (struct level){ runs, 0, count, old };
	return true;
}

/* As it was written, if it was there. */
static void
put_name(struct writing *writing, const struct dmt_spelling *spelling,
    uint32_t old)
{
	struct dmt_buf *const line = &writing->line;

	if (old == 0) {
		dmt_buf_put(line, spelling->word.bytes, spelling->word.len);
		return;
	}
	const struct dmt_word *const word = &writing->spec->patterns[
	    writing->spec->nodes[old].pattern].word;
	dmt_buf_put_word(line, word->bytes, word->len, !word->quoted);
}

/* The comment that stood behind an old call. */
static void
put_behind(struct writing *writing, uint32_t old)
{
	struct dmt_word first;

	if (old == 0)
		return;
	const uint64_t line = writing->spec->nodes[old].line;
	const struct dmt_span comment = comment_of(writing, line, &first);
	if (comment.len > 0) {
		put_string(writing, " ");
		dmt_buf_put(&writing->line, comment.bytes, comment.len);
	}
	writing->next = line + 1;
}

/* The next call of the innermost level, and then those that it makes. */
static void
put_run(struct writing *writing)
{
	const struct dmt_update *const update = writing->expect->update;
	const struct dmt_spec_node *const nodes = writing->spec->nodes;
	struct level *const level = &writing->levels[writing->depth - 1];
	const struct dmt_calls_run *const run = &level->runs[level->at++];
	const struct dmt_tree_of *const tree =
	    &update->forest.trees[run->tree];
	const struct dmt_spelling *const spelling =
	    &update->spellings[tree->name];
	const uint32_t old = find_old(writing, level, spelling->method);
	const bool any = old != 0 && nodes[old].any;

	if (old != 0)
		put_comments(writing, nodes[old].line);
	for (size_t i = 0; i < writing->depth; i++)
		put_string(writing, "  ");
	put_name(writing, spelling, old);
	if (run->count > 1)
		dmt_buf_printf(&writing->line, " x%" PRIu64, run->count);
	if (any)
		put_string(writing, " ...");
	put_behind(writing, old);
	put_line(writing);
	if (!any && tree->count > 0 && !push_level(writing,
	    &update->forest.runs[tree->first], tree->count,
	    old == 0 ? 0 : nodes[old].child))
		writing->failed = true;
}

static void
put_tree(struct writing *writing, const struct dmt_expect_lane *lane,
    uint32_t old)
{
	if (!push_level(writing, lane->grown.runs, lane->grown.count, old))
		writing->failed = true;
	while (writing->depth > 0 && !writing->failed) {
		const struct level *const level =
		    &writing->levels[writing->depth - 1];

		if (level->at == level->count)
			writing->depth--;
		else
			put_run(writing);
	}
}

/* From its first line to its last. */
static void
put_block(struct writing *writing, size_t index)
{
	const struct dmt_spec_block *const block =
	    &writing->spec->blocks[index];
	const uint32_t lane = writing->expect->lane_of_block[index];
	const struct dmt_expect_lane *const found = lane == 0 ? NULL :
	    &writing->expect->lanes[lane - 1];

	if (block->kind != DMT_BLOCK_EXACT ||
	    (found != NULL && found->match->found == DMT_FOUND_ALL)) {
		while (writing->next <= block->last_line)
			put_old(writing, writing->next++);
		return;
	}
	if (found != NULL) {
		put_old(writing, writing->next++);
		put_tree(writing, found, block->root);
	}
	put_comments(writing, block->last_line + 1);
}

static void
put_selects(struct writing *writing)
{
	const struct dmtrace_spec *const spec = writing->spec;

	writing->selected = true;
	for (size_t i = 0; spec->selects_given && i < spec->select_count;
	    i++) {
		const char *const words = spec->selects[i].words;

		put_string(writing, "select ");
		put_string(writing, spec->selects[i].condition);
		put_string(writing, " ");
		dmt_buf_put_word(&writing->line, words, strlen(words), true);
		put_line(writing);
	}
}

/* A line outside of blocks; what is selected goes before the first that is
 * no comment. */
static void
put_outside(struct writing *writing)
{
	const struct dmt_span *const line =
	    &writing->spec->lines[writing->next - 1];
	struct dmt_word first;
	const struct dmt_span comment = comment_of(writing, writing->next,
	    &first);
	const bool selects = !first.none && line->len > 6 &&
	    memcmp(line->bytes, "select", 6) == 0 &&
	    (line->bytes[6] == ' ' || line->bytes[6] == '\t');

	if (!first.none && !writing->selected)
		put_selects(writing);
	if (!selects || !writing->spec->selects_given) {
		put_old(writing, writing->next);
	} else if (comment.len > 0) {
		dmt_buf_put(&writing->line, comment.bytes, comment.len);
		put_line(writing);
	}
	writing->next++;
}

static void
put_spec(struct writing *writing)
{
	const struct dmtrace_spec *const spec = writing->spec;

	for (size_t block = 0; writing->next <= spec->line_count;) {
		if (block == spec->block_count ||
		    writing->next < spec->blocks[block].line) {
			put_outside(writing);
			continue;
		}
		if (!writing->selected)
			put_selects(writing);
		put_block(writing, block++);
	}
}

static bool
has_trees(const struct dmtrace_spec *spec)
{
	for (size_t i = 0; i < spec->block_count; i++)
		if (spec->blocks[i].kind != DMT_BLOCK_RULES)
			return true;
	return false;
}

static bool
has_no_others(const struct dmtrace_spec *spec)
{
	for (size_t i = 0; i < spec->rule_count; i++)
		if (spec->rules[i].kind == DMT_RULE_NO_OTHERS)
			return true;
	return false;
}

static void
put_new(struct writing *writing, const struct dmt_expect_lane *lane)
{
	const struct dmtrace_text name =
	    dmt_expect_thread_name(writing->expect, lane);

	if (!writing->blank)
		put_line(writing);
	put_string(writing, "thread ");
	dmt_buf_put_word(&writing->line, name.bytes, name.len, false);
	put_string(writing, " exact");
	put_line(writing);
	put_tree(writing, lane, 0);
}

/* Threads that no tree was for. */
static void
put_others(struct writing *writing, bool bare)
{
	const bool others = has_no_others(writing->spec);

	for (size_t i = 0; i < writing->expect->lane_count; i++) {
		const struct dmt_expect_lane *const lane =
		    &writing->expect->lanes[i];

		if (!lane->treed && (bare || (others && !lane->ruled)))
			put_new(writing, lane);
	}
}

static void
put_all(struct writing *writing)
{
	const struct dmtrace_spec *const spec = writing->spec;
	const bool is_new = spec->line_count == 0;

	if (is_new)
		dmtrace_sink_write(writing->sink, first_line,
		    sizeof(first_line) - 1);
	put_spec(writing);
	if (!writing->selected)
		put_selects(writing);
	if (is_new) {
		put_string(writing, "no other threads");
		put_line(writing);
	}
	put_others(writing, !has_trees(spec));
}

static enum dmtrace_status
write_spec(struct dmt_expect *expect, struct dmtrace_sink *sink)
{
	struct writing writing = {
		.expect = expect, .spec = expect->spec, .sink = sink,
		.next = 1, .blank = true
	};

	put_all(&writing);
	dmt_buf_fini(&writing.line);
	free(writing.levels);
	return writing.failed ? dmt_error_memory(&expect->error) :
	    DMTRACE_OK;
}

enum dmtrace_status
dmtrace_spec_update(struct dmtrace_op *op, struct dmtrace_spec *spec,
    struct dmtrace_reader *reader, unsigned flags, struct dmtrace_sink *sink)
{
	struct dmt_update update = { .signatures = false };
	struct dmt_expect expect = { .op = op, .spec = spec,
	    .reader = reader, .update = &update };

	dmt_op_begin(op);
	if (dmtrace_reader_layout(reader) != NULL &&
	    !dmt_update_init(&update, dmtrace_reader_key(reader), flags))
		dmt_error_memory(&expect.error);
	else if (dmt_expect_run(&expect) == DMTRACE_OK)
		write_spec(&expect, sink);
	const enum dmtrace_status status =
	    dmt_op_fail(op, NULL, &expect.error);
	dmt_expect_fini(&expect);
	dmt_update_fini(&update);
	return status;
}
