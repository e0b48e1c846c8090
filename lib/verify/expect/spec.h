/* spec.h - a specification: what is expected of a trace */
#ifndef DMT_EXPECT_SPEC_H
#define DMT_EXPECT_SPEC_H

#include <dmtrace/verify.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/idmap.h"
#include "events/pattern.h"
#include "private/select.h"

#define DMT_NONE UINT32_MAX

/* What a token means; no NUL follows the bytes. */
struct dmt_token {
	const char *bytes;
	size_t len;
	bool quoted;			/* nothing in it is special */
	bool none;			/* the line has no more */
};

/* A line whose tokens are taken one by one. */
struct dmt_line_tokens {
	const char *at;
	const char *end;
	uint64_t line;			/* its number, for errors */
	struct dmt_arena *arena;	/* for what quotes hold */
	struct dmtrace_error *error;
};

enum dmt_compare {
	DMT_EQUAL,
	DMT_UNEQUAL,
	DMT_LESS,
	DMT_AT_MOST,
	DMT_MORE,
	DMT_AT_LEAST
};

enum dmt_rule_kind {
	DMT_RULE_CALLS,
	DMT_RULE_NEVER,
	DMT_RULE_BEFORE,
	DMT_RULE_UNDER,
	DMT_RULE_DEPTH,
	DMT_RULE_INCLUSIVE,
	DMT_RULE_EXCLUSIVE,
	DMT_RULE_THREADS,
	DMT_RULE_NO_OTHERS
};

/* Which time a rule is about. */
enum dmt_time {
	DMT_TIME_CPU,
	DMT_TIME_WALL,
	DMT_TIME_ANY			/* wall, if there is */
};

struct dmt_rule {
	enum dmt_rule_kind kind;
	enum dmt_compare compare;
	enum dmt_time time;
	uint64_t number;		/* calls, frames, threads or ns */
	uint32_t patterns[2];		/* A and C of "A before C" */
	uint32_t block;			/* of its threads; DMT_NONE: all */
	uint32_t slot;			/* what each thread keeps for it is
					   there; DMT_NONE: nothing */
	uint64_t line;
};

/* A name, glob or regular expression, of methods or threads. */
struct dmt_name_pattern {
	struct dmt_token token;
	bool is_name;			/* nothing in it is special */
	struct dmt_pattern pattern;	/* else */
	uint32_t same_hash;		/* another pattern, or DMT_NONE */
};

/* A call of a tree. Index 0 is none. */
struct dmt_spec_node {
	uint32_t pattern;
	uint32_t parent;
	uint32_t child;			/* the first */
	uint32_t next;			/* sibling */
	uint32_t depth;			/* from 0 */
	uint64_t count;			/* equal siblings that it stands for */
	bool any;			/* "...": whatever it calls */
	uint64_t line;
};

enum dmt_block_kind {
	DMT_BLOCK_EXACT,
	DMT_BLOCK_SUBSEQUENCE,
	DMT_BLOCK_RULES
};

/* A line "thread", and what is indented below it. */
struct dmt_spec_block {
	enum dmt_block_kind kind;
	struct dmt_name_pattern name;
	uint32_t root;			/* the first call */
	uint64_t line;
	uint64_t last_line;		/* of a call or rule */
	bool counts_threads;		/* a rule does */
};

/* A line "select". */
struct dmt_select {
	const char *condition;
	const char *value;
};

struct dmtrace_spec {
	char *text;
	size_t len;
	struct dmtrace_text *lines;	/* by number - 1 */
	size_t line_count;
	size_t line_capacity;
	struct dmt_arena arena;

	struct dmt_rule *rules;
	size_t rule_count;
	size_t rule_capacity;
	uint32_t slots;			/* of rules */
	struct dmt_spec_block *blocks;
	size_t block_count;
	size_t block_capacity;
	struct dmt_spec_node *nodes;
	size_t node_count;
	size_t node_capacity;
	struct dmt_name_pattern *patterns;
	size_t pattern_count;
	size_t pattern_capacity;
	struct dmt_idmap by_hash;	/* the last name of a hash */
	uint32_t *globs;		/* patterns that are no names */
	size_t glob_count;
	size_t glob_capacity;

	struct dmt_select *selects;
	size_t select_count;
	size_t select_capacity;
	bool selects_given;		/* by the caller */
	struct dmt_selection *selection;	/* NULL: everything */
	uint64_t from_ns;		/* of its window */
	uint64_t to_ns;
	struct dmtrace_error error;
};

/* spec_parse.c */

/* The next token; none at the end of the line or where its comment begins, and
 * after an error, which is then set. */
struct dmt_token
dmt_token_next(struct dmt_line_tokens *tokens);

/* Parses spec->text. Returns the status of spec->error. */
enum dmtrace_status
dmt_spec_parse(struct dmtrace_spec *spec);

/* spec.c: the index of a method's pattern, which is added if it is new.
 * DMT_NONE: spec->error is set. */
uint32_t
dmt_spec_pattern(struct dmtrace_spec *spec, const struct dmt_token *token,
    uint64_t line);

/* Sets a pattern; regex: between two slashes it is a regular expression.
 * Returns the status of spec->error. */
enum dmtrace_status
dmt_name_pattern_init(struct dmtrace_spec *spec,
    struct dmt_name_pattern *pattern, const struct dmt_token *token,
    bool regex, uint64_t line);

/* Reads a time with a unit. false: it is none, or negative. */
bool
dmt_spec_time(const char *value, uint64_t *ns);

/* Adds a condition, of the caller if line is 0. Returns DMTRACE_OK, or sets
 * spec->error: DMTRACE_ERR_MEMORY, or status if it means nothing. */
enum dmtrace_status
dmt_spec_add_select(struct dmtrace_spec *spec, struct dmtrace_text condition,
    struct dmtrace_text value, enum dmtrace_status status, uint64_t line);

/* The hash of a method's name, in which '/' and '.' are the same. */
uint64_t
dmt_name_hash(const char *bytes, size_t len);

/* Sets spec->error: DMTRACE_ERR_CORRUPT in a line. Returns its status, which
 * is another one if there was an error before. */
enum dmtrace_status
dmt_spec_fail(struct dmtrace_spec *spec, uint64_t line, const char *format,
    ...) DMT_PRINTF(3, 4);

#endif
