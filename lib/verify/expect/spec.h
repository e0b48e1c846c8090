/* spec.h - what is expected of a trace, as its text says it */
#ifndef DMT_EXPECT_SPEC_H
#define DMT_EXPECT_SPEC_H

#include <dmtrace/expect.h>

#include "base/arena.h"
#include "events/pattern.h"
#include "verify/expect/tokens.h"

#define DMT_NONE UINT32_MAX

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
	uint32_t block;			/* its threads; DMT_NONE: all */
	uint32_t slot;			/* what each thread keeps for it */
	uint64_t line;
};

/* A name: of methods, or of threads. */
struct dmt_name_pattern {
	struct dmt_token token;
	bool is_name;			/* nothing in it is special */
	struct dmt_pattern pattern;	/* else */
	uint64_t hash;			/* of a method's name */
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
	bool any;			/* whatever it calls */
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
	struct dmtrace_text *lines;		/* by number - 1 */
	size_t line_count;
	size_t line_capacity;
	struct dmt_arena arena;

	struct dmt_rule *rules;
	size_t rule_count;
	size_t rule_capacity;
	uint32_t slots;
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
	struct dmtrace_selection *selection;	/* NULL: everything */
	uint64_t from_ns;		/* of its window */
	uint64_t to_ns;
	struct dmtrace_error error;
};

/* The index of a method's pattern, which may be new. false: the line's error,
 * or no memory. */
bool
dmt_spec_pattern(struct dmtrace_spec *spec, const struct dmt_token *word,
    uint64_t line, uint32_t *index);

/* What a thread may be called. */
bool
dmt_name_pattern_init(struct dmtrace_spec *spec,
    struct dmt_name_pattern *wanted, const struct dmt_token *word,
    bool regex, uint64_t line);

/* A method's name without the difference of / and . */
uint64_t
dmt_name_hash(const char *bytes, size_t len);

/* Takes a line that is a rule, of all threads or of a block, from its first
 * word on. */
enum dmtrace_status
dmt_spec_take_rule(struct dmtrace_spec *spec, struct dmt_line_tokens *words,
    uint32_t block);

/* Takes a line "select", behind that word. */
enum dmtrace_status
dmt_spec_take_select(struct dmtrace_spec *spec, struct dmt_line_tokens *words);

/* Where a tree stands while its lines come. */
struct dmt_tree {
	struct dmt_level *levels;
	size_t count;
	size_t capacity;
};

/* Takes a line of a block's tree, that far indented. */
enum dmtrace_status
dmt_spec_take_call(struct dmtrace_spec *spec, struct dmt_tree *tree,
    struct dmt_line_tokens *words, size_t columns);

/* "line LINE: ..." of status DMTRACE_ERR_CORRUPT. */
enum dmtrace_status
dmt_spec_wrong(struct dmtrace_spec *spec, uint64_t line, const char *format,
    ...) DMT_PRINTF(3, 4);

#endif
