/* spec_parse.c - the lines of a specification: rules, threads and trees */

/*
 * Each line is parsed by itself, token by token (rule_text.c). A figure, as in
 * "calls(METHOD)", has the method in brackets, as the rules of diff have it.
 *
 * A line that is not indented is a rule, a condition that selects events, or
 * "thread", which begins a block. An indented line belongs to the block of the
 * last line "thread", and is a rule of the block or a call of its tree. The
 * place of a call in the tree follows from its indentation: the calls that the
 * next line can be below are a stack of levels.
 *
 * The first error is kept in spec->error and ends the parsing. After an error
 * there are no more tokens and functions have no effect that matters, so that
 * callers need not check each call for failure.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "key/line_text.h"
#include "private/suggestion.h"
#include "verify/expect/spec.h"

#define RELATION_FORM "METHOD before METHOD, or METHOD under METHOD"

/* The form of a rule: what follows its first token, and where it may be. */
enum {
	HAS_PATTERN = 1,
	HAS_NUMBER = 2,
	HAS_TIME = 4,
	OF_ALL_THREADS = 8,		/* not in a thread's block */
	HAS_BRACKETS = 16		/* around the pattern */
};

static const struct rule_row {
	const char *keyword;
	enum dmt_rule_kind kind;
	unsigned has;
	const char *form;
} rule_rows[] = {
	{ "calls", DMT_RULE_CALLS, HAS_BRACKETS | HAS_NUMBER,
	    "calls(METHOD) [OP] NUMBER" },
	{ "never", DMT_RULE_NEVER, HAS_PATTERN, "never METHOD" },
	{ "depth", DMT_RULE_DEPTH, HAS_NUMBER, "depth [OP] NUMBER" },
	{ "inclusive", DMT_RULE_INCLUSIVE, HAS_BRACKETS | HAS_TIME,
	    "inclusive(METHOD) [OP] TIME [cpu|wall]" },
	{ "exclusive", DMT_RULE_EXCLUSIVE, HAS_BRACKETS | HAS_TIME,
	    "exclusive(METHOD) [OP] TIME [cpu|wall]" },
	{ "threads", DMT_RULE_THREADS, HAS_NUMBER, "threads [OP] NUMBER" },
	{ "no", DMT_RULE_NO_OTHERS, OF_ALL_THREADS, "no other threads" },
};

#define RULE_ROWS (sizeof(rule_rows) / sizeof(rule_rows[0]))

/* A call of a tree whose child or sibling the next line can be. */
struct tree_level {
	size_t columns;			/* its indentation */
	uint32_t node;
};

struct spec_parser {
	struct dmtrace_spec *spec;
	struct dmt_line_tokens tokens;	/* of the current line */
	bool in_block;
	struct tree_level *levels;	/* of the block's tree */
	size_t level_count;
	size_t level_capacity;
};

/* Lines */

static struct dmt_token
take_token(struct spec_parser *parser)
{
	return dmt_token_next(&parser->tokens);
}

/* Fails: the line does not have this form at the token. */
static void
fail_form(struct spec_parser *parser, const struct dmt_token *token,
    const char *form)
{
	char found[DMT_ESCAPED_MAX];

	if (token->none)
		dmt_spec_fail(parser->spec, parser->tokens.line,
		    "the line is incomplete; expected \"%s\"", form);
	else
		dmt_spec_fail(parser->spec, parser->tokens.line,
		    "unexpected \"%s\"; expected \"%s\"",
		    dmt_escape(found, sizeof(found), token->bytes,
		    token->len), form);
}

/* Fails: a line begins with an unknown keyword. */
static void
fail_keyword(struct spec_parser *parser, const struct dmt_token *token)
{
	char found[DMT_ESCAPED_MAX], word[DMT_SUGGESTION_LENGTH];
	char similar[DMT_SUGGESTION_TEXT_MAX];
	struct dmt_suggestion suggestion = { .wanted = word };
	size_t len = 0;			/* of the token, up to a bracket */

	while (len < token->len && token->bytes[len] != '(')
		len++;
	snprintf(word, sizeof(word), "%.*s", len < sizeof(word) ? (int)len : 0,
	    token->bytes);
	for (size_t i = 0; i < sizeof(rule_rows) / sizeof(rule_rows[0]); i++)
		dmt_suggestion_offer(&suggestion, rule_rows[i].keyword);
	/* A thread cannot be in another one. */
	if (strcmp(word, "thread") != 0)
		dmt_suggestion_offer(&suggestion, "thread");
	dmt_suggestion_offer(&suggestion, "select");
	dmt_spec_fail(parser->spec, parser->tokens.line,
	    "unknown rule \"%s\"%s", dmt_escape(found, sizeof(found),
	    token->bytes, token->len), suggestion.count > 0 ?
	    dmt_suggestion_text(&suggestion, "", similar) :
	    "; a line is a rule (calls, never, depth, inclusive, exclusive, "
	    "threads, A before B, A under B, no other threads), or begins "
	    "with thread or select");
}

static void
parse_pattern(struct spec_parser *parser, struct dmt_rule *rule,
    unsigned role, const char *form)
{
	const struct dmt_token token = take_token(parser);

	if (token.none)
		fail_form(parser, &token, form);
	else
		rule->patterns[role] = dmt_spec_pattern(parser->spec, &token,
		    parser->tokens.line);
}

/* Parses "[OP] NUMBER" or "[OP] TIME [cpu|wall]". */
static void
parse_value(struct spec_parser *parser, struct dmt_rule *rule,
    const struct rule_row *row)
{
	int64_t ns;

	dmt_token_compare(&parser->tokens, &rule->compare);
	struct dmt_token token = take_token(parser);
	if (!token.none && !token.quoted && (token.bytes[0] == '+' ||
	    token.bytes[0] == '-' || token.bytes[token.len - 1] == '%')) {
		char found[DMT_ESCAPED_MAX];

		dmt_spec_fail(parser->spec, parser->tokens.line, "\"%s\" is a"
		    " change, which only rules of diff limit; expected \"%s\"",
		    dmt_escape(found, sizeof(found), token.bytes, token.len),
		    row->form);
		return;
	}
	if (row->has & HAS_NUMBER) {
		if (!dmt_token_count(&token, &rule->number))
			fail_form(parser, &token, row->form);
		return;
	}
	if (token.none || !dmt_token_time(&parser->tokens, &token, &ns)) {
		fail_form(parser, &token, row->form);
		return;
	}
	rule->number = (uint64_t)ns;
	token = take_token(parser);
	rule->time = DMT_TIME_ANY;
	if (!token.none && !dmt_token_clock(&token, &rule->time))
		fail_form(parser, &token, row->form);
}

/* Parses "A before C" and "A under C", after A. */
static void
parse_relation(struct spec_parser *parser, struct dmt_rule *rule,
    const struct dmt_token *first)
{
	const struct dmt_token token = take_token(parser);
	const bool before = dmt_token_is(&token, "before");

	if (!before && !dmt_token_is(&token, "under")) {
		fail_keyword(parser, first);
		return;
	}
	rule->kind = before ? DMT_RULE_BEFORE : DMT_RULE_UNDER;
	rule->patterns[0] = dmt_spec_pattern(parser->spec, first,
	    parser->tokens.line);
	parse_pattern(parser, rule, 1,
	    before ? "METHOD before METHOD" : "METHOD under METHOD");
}

/* Returns true if a token begins with the keyword and a bracket. */
static bool
has_figure(const struct dmt_token *token, const struct rule_row *row)
{
	const size_t len = strlen(row->keyword);

	return (row->has & HAS_BRACKETS) && !token->none && !token->quoted &&
	    token->len > len && token->bytes[len] == '(' &&
	    memcmp(token->bytes, row->keyword, len) == 0;
}

/* Parses the brackets after the keyword, with which the first token begins. */
static void
parse_bracketed(struct spec_parser *parser, struct dmt_rule *rule,
    const struct dmt_token *first, const struct rule_row *row)
{
	struct dmt_line_tokens *const tokens = &parser->tokens;

	tokens->at = first->bytes + strlen(row->keyword);
	dmt_token_skip_blanks(tokens);
	if (tokens->at == tokens->end || *tokens->at != '(') {
		dmt_spec_fail(parser->spec, tokens->line, "the brackets around "
		    "the method are missing; expected \"%s\"", row->form);
		return;
	}
	const struct dmt_token token = dmt_token_bracketed(tokens);
	if (!token.none)
		rule->patterns[0] = dmt_spec_pattern(parser->spec, &token,
		    tokens->line);
}

/* Parses a rule from its first token on. block is that of its threads. */
static void
parse_rule(struct spec_parser *parser, const struct dmt_token *first,
    uint32_t block)
{
	struct dmtrace_spec *const spec = parser->spec;
	const struct rule_row *row = NULL;
	struct dmt_rule rule = {
		.block = block, .line = parser->tokens.line,
		.slot = DMT_NONE, .patterns = { DMT_NONE, DMT_NONE }
	};

	for (size_t i = 0; i < RULE_ROWS && row == NULL; i++)
		if (dmt_token_is(first, rule_rows[i].keyword) ||
		    has_figure(first, &rule_rows[i]))
			row = &rule_rows[i];
	if (row == NULL) {
		parse_relation(parser, &rule, first);
	} else {
		rule.kind = row->kind;
		if (row->has & OF_ALL_THREADS && block != DMT_NONE)
			dmt_spec_fail(spec, rule.line, "\"%s\" is about all "
			    "threads and must not be indented", row->form);
		for (size_t i = 0; row->kind == DMT_RULE_NO_OTHERS && i < 2;
		    i++) {
			const struct dmt_token word = take_token(parser);

			if (!dmt_token_is(&word, i == 0 ? "other" : "threads"))
				fail_form(parser, &word, row->form);
		}
		if (row->has & HAS_PATTERN)
			parse_pattern(parser, &rule, 0, row->form);
		if (row->has & HAS_BRACKETS)
			parse_bracketed(parser, &rule, first, row);
		if (row->has & (HAS_NUMBER | HAS_TIME))
			parse_value(parser, &rule, row);
	}
	const struct dmt_token token = take_token(parser);
	if (!token.none)
		fail_form(parser, &token,
		    row != NULL ? row->form : RELATION_FORM);

	struct dmt_rule *const rules = dmt_array_grow(spec->rules,
	    &spec->rule_capacity, spec->rule_count + 1, sizeof(*rules));
	if (rules == NULL) {
		dmt_error_memory(&spec->error);
		return;
	}
	spec->rules = rules;
	if (rule.kind == DMT_RULE_UNDER || rule.kind == DMT_RULE_INCLUSIVE)
		rule.slot = spec->slots++;
	if (block != DMT_NONE) {
		spec->blocks[block].last_line = rule.line;
		spec->blocks[block].counts_threads |=
		    rule.kind == DMT_RULE_THREADS;
	}
	rules[spec->rule_count++] = rule;
}

/* Parses "xN" and "...", which may follow a call. */
static void
parse_suffixes(struct spec_parser *parser, struct dmt_spec_node *node)
{
	bool counted = false;

	for (;;) {
		const struct dmt_token token = take_token(parser);
		if (token.none)
			return;
		const struct dmt_token digits = { .bytes = token.bytes + 1,
		    .len = token.len - 1 };

		if (dmt_token_is(&token, "...")) {
			node->any = true;
		} else if (!node->any && !counted && !token.quoted &&
		    token.len > 1 && token.bytes[0] == 'x' &&
		    dmt_token_count(&digits, &node->count) &&
		    node->count > 0) {
			counted = true;
		} else {
			dmt_spec_fail(parser->spec, node->line, "only xN, "
			    "a number of calls from 1, and \"...\" may "
			    "follow a call, not \"%.*s\"",
			    (int)(token.len < 60 ? token.len : 60),
			    token.bytes);
			return;
		}
	}
}

/* Links the last node into its block's tree, by its indentation: the first
 * call is the root, one that is deeper than the line above is its child, and
 * any other is the sibling of the last call with the same indentation. */
static void
link_node(struct spec_parser *parser, size_t columns)
{
	struct dmtrace_spec *const spec = parser->spec;
	struct dmt_spec_node *const nodes = spec->nodes;
	const uint32_t index = (uint32_t)spec->node_count - 1;
	struct dmt_spec_node *const node = &nodes[index];
	struct tree_level *top = parser->level_count == 0 ? NULL :
	    &parser->levels[parser->level_count - 1];
	const bool deeper = top == NULL || top->columns < columns;

	if (top == NULL) {
		spec->blocks[spec->block_count - 1].root = index;
	} else if (deeper) {
		node->parent = top->node;
		node->depth = nodes[top->node].depth + 1;
		nodes[top->node].child = index;
	} else {
		while (top->columns > columns && --parser->level_count > 0)
			top--;
		if (top->columns != columns) {
			dmt_spec_fail(spec, node->line,
			    "the indentation matches no call above");
			return;
		}
		node->parent = nodes[top->node].parent;
		node->depth = nodes[top->node].depth;
		nodes[top->node].next = index;
		top->node = index;
	}
	if (node->parent != 0 && nodes[node->parent].any) {
		dmt_spec_fail(spec, node->line, "no call may be below the "
		    "\"...\" of line %" PRIu64, nodes[node->parent].line);
		return;
	}
	if (!deeper)
		return;
	struct tree_level *const levels = dmt_array_grow(parser->levels,
	    &parser->level_capacity, parser->level_count + 1,
	    sizeof(*levels));
	if (levels == NULL) {
		dmt_error_memory(&spec->error);
		return;
	}
	parser->levels = levels;
	levels[parser->level_count++] = (struct tree_level){ columns, index };
}

/* Parses a line of a tree. */
static void
parse_call(struct spec_parser *parser, const struct dmt_token *method,
    size_t columns)
{
	struct dmtrace_spec *const spec = parser->spec;
	struct dmt_spec_node node = { .count = 1,
	    .line = parser->tokens.line };

	struct dmt_spec_node *const nodes = dmt_array_grow(spec->nodes,
	    &spec->node_capacity, spec->node_count + 2, sizeof(*nodes));
	if (nodes == NULL) {
		dmt_error_memory(&spec->error);
		return;
	}
	spec->nodes = nodes;
	if (spec->node_count == 0)	/* index 0 stands for no call */
		nodes[spec->node_count++] = (struct dmt_spec_node){ 0 };
	node.pattern = dmt_spec_pattern(spec, method, node.line);
	parse_suffixes(parser, &node);
	nodes[spec->node_count++] = node;
	spec->blocks[spec->block_count - 1].last_line = node.line;
	if (spec->error.status == DMTRACE_OK)
		link_node(parser, columns);
}

/* Parses "thread NAME [exact|subsequence|rules]", after the first token. */
static void
parse_thread(struct spec_parser *parser)
{
	static const char *const kinds[] = {
		[DMT_BLOCK_EXACT] = "exact",
		[DMT_BLOCK_SUBSEQUENCE] = "subsequence",
		[DMT_BLOCK_RULES] = "rules",
	};
	struct dmtrace_spec *const spec = parser->spec;
	const uint64_t line = parser->tokens.line;
	const struct dmt_token name = take_token(parser);
	const struct dmt_token kind = take_token(parser);
	const struct dmt_token rest = take_token(parser);
	struct dmt_spec_block block = { .line = line, .last_line = line };
	size_t i = 0;

	while (!kind.none && i < 3 && !dmt_token_is(&kind, kinds[i]))
		i++;
	if (name.none || i == 3 || !rest.none) {
		dmt_spec_fail(spec, line,
		    "expected \"thread NAME [exact|subsequence|rules]\"");
		return;
	}
	block.kind = (enum dmt_block_kind)i;
	struct dmt_spec_block *const blocks = dmt_array_grow(spec->blocks,
	    &spec->block_capacity, spec->block_count + 1, sizeof(*blocks));
	if (blocks == NULL) {
		dmt_error_memory(&spec->error);
		return;
	}
	spec->blocks = blocks;
	if (dmt_name_pattern_init(spec, &block.name, &name, line) !=
	    DMTRACE_OK)
		return;
	blocks[spec->block_count++] = block;
	parser->in_block = true;
	parser->level_count = 0;
}

/* Parses "select CONDITION VALUE", after the first token. */
static void
parse_select(struct spec_parser *parser)
{
	struct dmtrace_spec *const spec = parser->spec;
	const struct dmt_token condition = take_token(parser);
	const struct dmt_token value = take_token(parser);
	const struct dmt_token rest = take_token(parser);

	if (value.none || !rest.none ||
	    (value.len > 0 && memchr(value.bytes, '\0', value.len) != NULL))
		dmt_spec_fail(spec, parser->tokens.line, "expected "
		    "\"select CONDITION VALUE\", where CONDITION is thread, "
		    "method, under, hide, depth, from, to or min-time");
	else
		dmt_spec_add_select(spec,
		    (struct dmtrace_text){ condition.bytes, condition.len },
		    (struct dmtrace_text){ value.bytes, value.len },
		    DMTRACE_ERR_CORRUPT, parser->tokens.line);
}

/* Returns true if a line is UTF-8 without characters that control a
 * terminal. */
static bool
is_spec_text(struct dmtrace_text line)
{
	for (size_t i = 0; i < line.len;) {
		const char byte = line.bytes[i];
		char unit[DMT_UNIT_MAX + 1];
		size_t used;

		if ((byte >= ' ' && byte <= '~') || byte == '\t') {
			i++;
			continue;
		}
		const size_t size = dmt_escape_first(unit, &used,
		    line.bytes + i, line.len - i);
		if (used != size || unit[0] != byte)
			return false;
		i += size;
	}
	return true;
}

static void
parse_line(struct spec_parser *parser, struct dmtrace_text line,
    uint64_t number)
{
	struct dmtrace_spec *const spec = parser->spec;
	const uint32_t block = (uint32_t)spec->block_count - 1;
	size_t columns = 0;		/* a TAB goes to a multiple of 8 */

	for (size_t i = 0; i < line.len && dmt_is_blank(line.bytes[i]); i++)
		columns += line.bytes[i] == '\t' ? 8 - columns % 8 : 1;
	if (!is_spec_text(line)) {
		dmt_spec_fail(spec, number, "not UTF-8 text without control "
		    "characters; names may have such bytes in quotes, as "
		    "\\xNN");
		return;
	}
	parser->tokens = (struct dmt_line_tokens){
		.at = line.bytes, .end = line.bytes + line.len,
		.line = number, .arena = &spec->arena, .error = &spec->error
	};
	const struct dmt_token first = take_token(parser);
	if (first.none)
		return;
	if (columns == 0) {
		parser->in_block = false;
		if (dmt_token_is(&first, "thread"))
			parse_thread(parser);
		else if (dmt_token_is(&first, "select"))
			parse_select(parser);
		else
			parse_rule(parser, &first, DMT_NONE);
	} else if (!parser->in_block) {
		dmt_spec_fail(spec, number,
		    "an indented line must follow a line \"thread\"");
	} else if (spec->blocks[block].kind == DMT_BLOCK_RULES) {
		parse_rule(parser, &first, block);
	} else {
		parse_call(parser, &first, columns);
	}
}

enum dmtrace_status
dmt_spec_parse(struct dmtrace_spec *spec)
{
	static const char byte_order_mark[] = "\xef\xbb\xbf";
	struct spec_parser parser = { .spec = spec };
	const char *in = spec->text;
	const char *const end = in + spec->len;

	if (spec->len >= 3 && memcmp(in, byte_order_mark, 3) == 0)
		in += 3;
	while (in < end && spec->error.status == DMTRACE_OK) {
		const char *const lf = memchr(in, '\n', (size_t)(end - in));
		const char *last = lf == NULL ? end : lf;

		if (last > in && last[-1] == '\r')
			last--;
		const struct dmtrace_text line = { in, (size_t)(last - in) };
		struct dmtrace_text *const lines = dmt_array_grow(spec->lines,
		    &spec->line_capacity, spec->line_count + 1,
		    sizeof(*lines));
		if (lines == NULL) {
			dmt_error_memory(&spec->error);
			break;
		}
		spec->lines = lines;
		lines[spec->line_count++] = line;
		parse_line(&parser, line, spec->line_count);
		in = lf == NULL ? end : lf + 1;
	}
	free(parser.levels);
	return spec->error.status;
}
