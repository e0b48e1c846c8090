/* spec.h - a specification: the rules and trees to check a trace against */
#ifndef DMT_EXPECT_SPEC_H
#define DMT_EXPECT_SPEC_H

#include <dmtrace/verify.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/idmap.h"
#include "events/pattern.h"
#include "private/select.h"
#include "verify/rule_text.h"

#define DMT_NONE UINT32_MAX

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

struct dmt_rule {
	enum dmt_rule_kind kind;
	enum dmt_compare compare;
	enum dmt_time time;
	uint64_t number;		/* calls, frames, threads or ns */
	uint32_t patterns[2];		/* A and C of "A before C" */
	uint32_t block;			/* of the threads that it is about;
					   DMT_NONE: all threads */
	uint32_t slot;			/* index of its state in each thread;
					   DMT_NONE: threads have none */
	uint64_t line;
};

/* A name, glob or regular expression, of methods or threads. */
struct dmt_name_pattern {
	struct dmt_token token;
	bool is_name;			/* no character in it is special */
	struct dmt_pattern pattern;	/* unless is_name */
	uint32_t same_hash;		/* another pattern with this hash, or
					   DMT_NONE */
};

/* A call of a tree. Index 0 stands for no call. */
struct dmt_spec_node {
	uint32_t pattern;
	uint32_t parent;
	uint32_t child;			/* the first child */
	uint32_t next;			/* the next sibling */
	uint32_t depth;			/* from 0 */
	uint64_t count;			/* equal siblings that it stands for */
	bool any;			/* "...": it may call anything */
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
	bool counts_threads;		/* it has a rule that counts threads */
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
	uint32_t slots;			/* number of slots of rules */
	struct dmt_spec_block *blocks;
	size_t block_count;
	size_t block_capacity;
	struct dmt_spec_node *nodes;
	size_t node_count;
	size_t node_capacity;
	struct dmt_name_pattern *patterns;
	size_t pattern_count;
	size_t pattern_capacity;
	struct dmt_idmap by_hash;	/* hash to the last name that has it */
	uint32_t *globs;		/* the patterns that are not names */
	size_t glob_count;
	size_t glob_capacity;

	struct dmt_select *selects;
	size_t select_count;
	size_t select_capacity;
	bool selects_given;		/* the caller added conditions */
	struct dmt_selection *selection;	/* NULL: all events */
	uint64_t from_ns;		/* the window of the selection */
	uint64_t to_ns;
	struct dmtrace_error error;
};

/* spec_parse.c */

/* Parses spec->text. Returns the status of spec->error. */
enum dmtrace_status
dmt_spec_parse(struct dmtrace_spec *spec);

/* spec.c: returns the index of a method's pattern, which is added if it is new.
 * DMT_NONE: spec->error is set. */
uint32_t
dmt_spec_pattern(struct dmtrace_spec *spec, const struct dmt_token *token,
    uint64_t line);

/* Sets a pattern. Returns the status of spec->error. */
enum dmtrace_status
dmt_name_pattern_init(struct dmtrace_spec *spec,
    struct dmt_name_pattern *pattern, const struct dmt_token *token,
    uint64_t line);

/* Adds a condition, which is the caller's if line is 0. Returns DMTRACE_OK, or
 * sets spec->error: to DMTRACE_ERR_MEMORY, or to status if the condition is
 * malformed. */
enum dmtrace_status
dmt_spec_add_select(struct dmtrace_spec *spec, struct dmtrace_text condition,
    struct dmtrace_text value, enum dmtrace_status status, uint64_t line);

/* Returns the hash of a method's name, in which '/' and '.' are the same. */
uint64_t
dmt_name_hash(const char *bytes, size_t len);

/* Sets spec->error to DMTRACE_ERR_CORRUPT at a line, unless there is an error
 * already. Returns the status of spec->error. */
enum dmtrace_status
dmt_spec_fail(struct dmtrace_spec *spec, uint64_t line, const char *format,
    ...) DMT_PRINTF(3, 4);

#endif
