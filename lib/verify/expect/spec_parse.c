/* spec_parse.c - the lines of a specification: rules and trees of calls */

#include <dmtrace/duration.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "verify/expect/spec.h"

/* What follows the first word. */
enum {
	HAS_PATTERN = 1,
	HAS_NUMBER = 2,
	HAS_TIME = 4,
	OF_ALL_THREADS = 8		/* not in a thread's block */
};

static const struct row {
	const char *word;
	enum dmt_rule_kind kind;
	unsigned has;
	const char *right;
} rows[] = {
	{ "calls", DMT_RULE_CALLS, HAS_PATTERN | HAS_NUMBER,
	    "calls METHOD [OP] NUMBER" },
	{ "never", DMT_RULE_NEVER, HAS_PATTERN, "never METHOD" },
	{ "depth", DMT_RULE_DEPTH, HAS_NUMBER, "depth [OP] NUMBER" },
	{ "inclusive", DMT_RULE_INCLUSIVE, HAS_PATTERN | HAS_TIME,
	    "inclusive METHOD [OP] TIME [cpu|wall]" },
	{ "exclusive", DMT_RULE_EXCLUSIVE, HAS_PATTERN | HAS_TIME,
	    "exclusive METHOD [OP] TIME [cpu|wall]" },
	{ "threads", DMT_RULE_THREADS, HAS_NUMBER, "threads [OP] NUMBER" },
	{ "no", DMT_RULE_NO_OTHERS, OF_ALL_THREADS, "no other threads" },
};

/* Other words that a line may begin with. */
static const char *const settings[] = { "thread", "select" };

enum {
	ROWS = sizeof(rows) / sizeof(rows[0]),
	SETTINGS = sizeof(settings) / sizeof(settings[0])
};

static const struct {
	const char *word;
	enum dmt_compare compare;
} compares[] = {
	{ "==", DMT_EQUAL }, { "=", DMT_EQUAL }, { "!=", DMT_UNEQUAL },
	{ "<", DMT_LESS }, { "<=", DMT_AT_MOST }, { ">", DMT_MORE },
	{ ">=", DMT_AT_LEAST },
};

/* How many letters of the shorter word stand in the other one, in order. */
static size_t
letters_shared(const struct dmt_token *word, const char *keyword)
{
	size_t shared = 0;

	for (size_t i = 0; i < word->len && *keyword != '\0'; i++) {
		const char *const at = strchr(keyword, word->bytes[i]);

		if (at == NULL || word->bytes[i] == '\0')
			continue;
		shared++;
		keyword = at + 1;
	}
	return shared;
}

/* All but one of its letters, and not many others. */
static bool
is_near(const struct dmt_token *word, const char *keyword)
{
	const size_t len = strlen(keyword);

	return letters_shared(word, keyword) + 1 >= len &&
	    word->len <= len + 2;
}

/* What else would be right, and is near, as the end of a message. */
static const char *
right_words(const struct dmt_token *word, char *out, size_t size)
{
	static const char all[] = "; a line is a rule (calls, never, depth, "
	    "inclusive, exclusive, threads, A before B, A under B, no other "
	    "threads), or begins with thread or select";

	for (size_t i = 0; i < ROWS + SETTINGS; i++) {
		const char *const keyword = i < ROWS ? rows[i].word :
		    settings[i - ROWS];

		if (i == ROWS - 1 || !is_near(word, keyword))
			continue;
		snprintf(out, size, " (did you mean %s?)", keyword);
		return out;
	}
	snprintf(out, size, "%s", all);
	return out;
}

static const struct row *
find_row(const struct dmt_token *word)
{
	for (size_t i = 0; i < ROWS; i++)
		if (dmt_token_is(word, rows[i].word))
			return &rows[i];
	return NULL;
}

static enum dmtrace_status
fail_rule(struct dmtrace_spec *spec, const struct dmt_line_tokens *words,
    const struct dmt_token *word, const char *right)
{
	char found[DMT_ESCAPED_MAX];

	if (word->none)
		return dmt_spec_wrong(spec, words->line,
		    "the line ends too soon; it is \"%s\"", right);
	return dmt_spec_wrong(spec, words->line, "\"%s\" has no place here; "
	    "it is \"%s\"", dmt_escape(found, sizeof(found), word->bytes,
	    word->len), right);
}

/* The operator, which may be missing, and the word behind it. */
static bool
take_compare(struct dmt_line_tokens *words, struct dmt_rule *rule,
    struct dmt_token *word)
{
	if (!dmt_token_next(words, word))
		return false;
	for (size_t i = 0; i < sizeof(compares) / sizeof(compares[0]); i++)
		if (dmt_token_is(word, compares[i].word)) {
			rule->compare = compares[i].compare;
			return dmt_token_next(words, word);
		}
	return true;
}

static bool
get_time(const struct dmt_token *word, uint64_t *ns)
{
	char text[64];
	int64_t time_ns;

	if (word->none || word->quoted || word->len >= sizeof(text))
		return false;
	memcpy(text, word->bytes, word->len);
	text[word->len] = '\0';
	if (dmtrace_duration_parse(text, &time_ns) != DMTRACE_OK ||
	    time_ns < 0)
		return false;
	*ns = (uint64_t)time_ns;
	return true;
}

/* The clock, which may be missing. */
static enum dmtrace_status
take_clock(struct dmtrace_spec *spec, struct dmt_line_tokens *words,
    struct dmt_rule *rule, const struct row *row)
{
	struct dmt_token word;

	rule->time = DMT_TIME_ANY;
	if (!dmt_token_next(words, &word))
		return spec->error.status;
	if (dmt_token_is(&word, "cpu"))
		rule->time = DMT_TIME_CPU;
	else if (dmt_token_is(&word, "wall"))
		rule->time = DMT_TIME_WALL;
	else if (!word.none)
		return fail_rule(spec, words, &word, row->right);
	return DMTRACE_OK;
}

static enum dmtrace_status
take_value(struct dmtrace_spec *spec, struct dmt_line_tokens *words,
    struct dmt_rule *rule, const struct row *row)
{
	struct dmt_token word;

	if (!take_compare(words, rule, &word))
		return spec->error.status;
	if (row->has & HAS_NUMBER)
		return dmt_token_number(&word, &rule->number) ? DMTRACE_OK :
		    fail_rule(spec, words, &word, row->right);
	if (get_time(&word, &rule->number))
		return take_clock(spec, words, rule, row);
	if (!dmt_token_number(&word, &rule->number))
		return fail_rule(spec, words, &word, row->right);
	return dmt_spec_wrong(spec, words->line, "the time %" PRIu64
	    " has no unit (ns, us, ms, s, min or h), such as %" PRIu64 "us",
	    rule->number, rule->number);
}

static enum dmtrace_status
take_pattern(struct dmtrace_spec *spec, struct dmt_line_tokens *words,
    struct dmt_rule *rule, unsigned role, const char *right)
{
	struct dmt_token word;

	if (!dmt_token_next(words, &word))
		return spec->error.status;
	if (word.none)
		return fail_rule(spec, words, &word, right);
	dmt_spec_pattern(spec, &word, words->line, &rule->patterns[role]);
	return spec->error.status;
}

static enum dmtrace_status
take_words(struct dmtrace_spec *spec, struct dmt_line_tokens *words,
    const struct row *row)
{
	static const char *const others[] = { "other", "threads" };
	struct dmt_token word;

	for (size_t i = 0; i < 2; i++) {
		if (!dmt_token_next(words, &word))
			return spec->error.status;
		if (!dmt_token_is(&word, others[i]))
			return fail_rule(spec, words, &word, row->right);
	}
	return DMTRACE_OK;
}

static enum dmtrace_status
take_row(struct dmtrace_spec *spec, struct dmt_line_tokens *words,
    struct dmt_rule *rule, const struct row *row)
{
	rule->kind = row->kind;
	if (row->has & OF_ALL_THREADS && rule->block != DMT_NONE)
		return dmt_spec_wrong(spec, words->line,
		    "\"%s\" is not of one thread; it is not indented",
		    row->right);
	if (row->has & OF_ALL_THREADS)
		return take_words(spec, words, row);
	if (row->has & HAS_PATTERN && take_pattern(spec, words, rule, 0,
	    row->right) != DMTRACE_OK)
		return spec->error.status;
	return row->has & (HAS_NUMBER | HAS_TIME) ?
	    take_value(spec, words, rule, row) : DMTRACE_OK;
}

/* "A before C" and "A under C", behind A. */
static enum dmtrace_status
take_relation(struct dmtrace_spec *spec, struct dmt_line_tokens *words,
    struct dmt_rule *rule, const struct dmt_token *first)
{
	char found[DMT_ESCAPED_MAX], right[DMTRACE_WORDS_MAX];
	struct dmt_token word;

	if (!dmt_token_next(words, &word))
		return spec->error.status;
	const bool before = dmt_token_is(&word, "before");
	if (!before && !dmt_token_is(&word, "under"))
		return dmt_spec_wrong(spec, words->line,
		    "\"%s\" begins no rule%s", dmt_escape(found,
		    sizeof(found), first->bytes, first->len),
		    right_words(first, right, sizeof(right)));
	rule->kind = before ? DMT_RULE_BEFORE : DMT_RULE_UNDER;
	if (!dmt_spec_pattern(spec, first, words->line, &rule->patterns[0]))
		return spec->error.status;
	return take_pattern(spec, words, rule, 1,
	    before ? "METHOD before METHOD" : "METHOD under METHOD");
}

static enum dmtrace_status
add_rule(struct dmtrace_spec *spec, struct dmt_rule *rule)
{
	struct dmt_rule *const rules = dmt_array_grow(spec->rules,
	    &spec->rule_capacity, spec->rule_count + 1, sizeof(*rules));

	if (rules == NULL)
		return dmt_error_memory(&spec->error);
	spec->rules = rules;
	if (rule->kind == DMT_RULE_UNDER || rule->kind == DMT_RULE_INCLUSIVE)
		rule->slot = spec->slots++;
	if (rule->block != DMT_NONE) {
		struct dmt_spec_block *const block = &spec->blocks[rule->block];

		block->last_line = rule->line;
		block->counts_threads |= rule->kind == DMT_RULE_THREADS;
	}
	rules[spec->rule_count++] = *rule;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_spec_take_rule(struct dmtrace_spec *spec, struct dmt_line_tokens *words,
    uint32_t block)
{
	struct dmt_rule rule = {
		.block = block, .line = words->line, .slot = DMT_NONE,
		.patterns = { DMT_NONE, DMT_NONE }
	};
	struct dmt_token word;

	if (!dmt_token_next(words, &word))
		return spec->error.status;
	const struct row *const row = find_row(&word);
	if ((row == NULL ? take_relation(spec, words, &rule, &word) :
	    take_row(spec, words, &rule, row)) != DMTRACE_OK)
		return spec->error.status;
	if (!dmt_token_next(words, &word))
		return spec->error.status;
	if (!word.none)
		return fail_rule(spec, words, &word, row != NULL ? row->right :
		    "METHOD before METHOD, or METHOD under METHOD");
	return add_rule(spec, &rule);
}

/* A call that may have others below it. */
struct dmt_level {
	size_t columns;			/* how far it is indented */
	uint32_t node;
};

static enum dmtrace_status
no_memory(struct dmtrace_spec *spec)
{
	return dmt_error_memory(&spec->error);
}

/* "x3" or "..." */
static enum dmtrace_status
take_suffix(struct dmtrace_spec *spec, struct dmt_spec_node *node,
    const struct dmt_token *word, bool *counted)
{
	const struct dmt_token digits = { .bytes = word->bytes + 1,
	    .len = word->len - 1 };

	if (dmt_token_is(word, "...")) {
		node->any = true;
		return DMTRACE_OK;
	}
	if (!node->any && !*counted && !word->quoted && word->len > 1 &&
	    word->bytes[0] == 'x' && dmt_token_number(&digits, &node->count) &&
	    node->count > 0) {
		*counted = true;
		return DMTRACE_OK;
	}
	return dmt_spec_wrong(spec, node->line, "behind a call stands xN, "
	    "a number of calls from 1, or \"...\", not \"%.*s\"",
	    (int)(word->len < 60 ? word->len : 60), word->bytes);
}

static enum dmtrace_status
take_suffixes(struct dmtrace_spec *spec, struct dmt_line_tokens *words,
    struct dmt_spec_node *node)
{
	struct dmt_token word;
	bool counted = false;

	for (;;) {
		if (!dmt_token_next(words, &word))
			return spec->error.status;
		if (word.none)
			return DMTRACE_OK;
		if (take_suffix(spec, node, &word, &counted) != DMTRACE_OK)
			return spec->error.status;
	}
}

/* The level that a line of so many columns is a sibling in; those that are
 * deeper end. */
static bool
find_level(struct dmt_tree *tree, size_t columns)
{
	while (tree->count > 0 &&
	    tree->levels[tree->count - 1].columns > columns)
		tree->count--;
	return tree->count > 0 &&
	    tree->levels[tree->count - 1].columns == columns;
}

static bool
push_level(struct dmt_tree *tree, size_t columns, uint32_t node)
{
	struct dmt_level *const levels = dmt_array_grow(tree->levels,
	    &tree->capacity, tree->count + 1, sizeof(*levels));

	if (levels == NULL)
		return false;
	tree->levels = levels;
	levels[tree->count++] = (struct dmt_level){ columns, node };
	return true;
}

/* Puts the node where the indentation says. */
static enum dmtrace_status
put_node(struct dmtrace_spec *spec, struct dmt_tree *tree, uint32_t index,
    size_t columns)
{
	struct dmt_spec_node *const nodes = spec->nodes;
	struct dmt_spec_node *const node = &nodes[index];
	const size_t levels = tree->count;
	const bool deeper = levels > 0 &&
	    tree->levels[levels - 1].columns < columns;
	struct dmt_spec_block *const block =
	    &spec->blocks[spec->block_count - 1];

	if (levels == 0) {
		block->root = index;
	} else if (deeper) {
		node->parent = tree->levels[levels - 1].node;
		nodes[node->parent].child = index;
		node->depth = nodes[node->parent].depth + 1;
	} else if (find_level(tree, columns)) {
		struct dmt_level *const level = &tree->levels[tree->count - 1];

		node->parent = nodes[level->node].parent;
		node->depth = nodes[level->node].depth;
		nodes[level->node].next = index;
		level->node = index;
	} else {
		return dmt_spec_wrong(spec, node->line,
		    "this is indented like no call above it");
	}
	if (node->parent != 0 && nodes[node->parent].any)
		return dmt_spec_wrong(spec, node->line, "\"...\" in line %"
		    PRIu64 " already says what is called here",
		    nodes[node->parent].line);
	return (levels == 0 || deeper) && !push_level(tree, columns, index) ?
	    no_memory(spec) : DMTRACE_OK;
}

/* Index 0 is none. */
static bool
make_room(struct dmtrace_spec *spec)
{
	struct dmt_spec_node *const nodes = dmt_array_grow(spec->nodes,
	    &spec->node_capacity, spec->node_count + 2, sizeof(*nodes));

	if (nodes == NULL)
		return false;
	spec->nodes = nodes;
	if (spec->node_count == 0)
		nodes[spec->node_count++] = (struct dmt_spec_node){ 0 };
	return true;
}

enum dmtrace_status
dmt_spec_take_call(struct dmtrace_spec *spec, struct dmt_tree *tree,
    struct dmt_line_tokens *words, size_t columns)
{
	struct dmt_spec_node node = { .count = 1, .line = words->line };
	struct dmt_token word;

	if (!make_room(spec))
		return no_memory(spec);
	if (!dmt_token_next(words, &word) ||
	    !dmt_spec_pattern(spec, &word, words->line, &node.pattern) ||
	    take_suffixes(spec, words, &node) != DMTRACE_OK)
		return spec->error.status;
	const uint32_t index = (uint32_t)spec->node_count++;
	spec->nodes[index] = node;
	spec->blocks[spec->block_count - 1].last_line = words->line;
	return put_node(spec, tree, index, columns);
}
