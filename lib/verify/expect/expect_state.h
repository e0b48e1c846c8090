/* expect_state.h - the state of a check of a trace against a specification */
#ifndef DMT_EXPECT_STATE_H
#define DMT_EXPECT_STATE_H

#include "events/callstacks.h"
#include "events/pipeline.h"
#include "ops/op.h"
#include "private/put.h"
#include "trace/reader.h"
#include "verify/expect/spec.h"

/* A place in the trace. */
struct dmt_place {
	uint64_t record;		/* from 1; 0: at no record */
	uint64_t at;			/* byte of the record in its file */
	uint64_t time_ns;
	uint32_t thread;		/* index; DMT_NONE: none */
};

struct dmt_expect;

/* An array of numbers, which may have many lists one after the other, for
 * dmt_push. */
struct dmt_number_list {
	uint32_t *items;
	size_t count;
	size_t capacity;
	uint32_t spare;
};

/* A rule that is about the calls of a method. */
struct dmt_rule_use {
	uint32_t rule;
	uint32_t role;			/* which of its patterns, by index */
};

/* The patterns that a method matches, and the rules that are about it. */
struct dmt_expect_method {
	size_t first_pattern;		/* in patterns below */
	size_t pattern_count;
	size_t first_use;		/* in uses below, A before C */
	size_t use_count;
	uint32_t spelling;		/* for updates: the index of its token,
					   or DMT_NO_NAME */
};

struct dmt_expect_methods {
	const struct dmtrace_spec *spec;
	const struct dmt_indexes *indexes;
	struct dmt_expect_method *items;	/* by method index */
	struct dmt_number_list patterns;
	struct dmt_rule_uses {
		struct dmt_rule_use *items;
		size_t count;
		size_t capacity;
		struct dmt_rule_use spare;
	} uses;
	bool no_memory;
	struct dmt_method_text text;	/* of the method that is being added */
};

/* The state of a rule about calls within calls, in one thread. */
struct dmt_rule_calls {
	uint64_t open;			/* number of such calls that are open */
	uint64_t since_ns;		/* start of the outermost of them */
	struct dmt_place place;
};

/* The state of a rule. */
struct dmt_rule_state {
	uint64_t count;			/* calls, frames or threads */
	uint64_t count_other;		/* calls of the second pattern */
	int64_t total_ns;
	int64_t longest_ns;
	bool partial;			/* the CPU time is at least total_ns: a
					   window ends after the last event of
					   a thread */
	bool violated;			/* whatever the later events are */
	struct dmt_place place;
	uint32_t caller;		/* the caller that violates it: a method
					   index, or DMT_NONE */
};

/* Equal calls in a row: their trees are the same. */
struct dmt_call_run {
	uint32_t tree;
	uint64_t count;
};

/* Builds the trees of a thread's calls from its events. A zeroed struct is
 * valid. */
struct dmt_tree_builder {
	struct dmt_call_run *runs;	/* below all calls that are open */
	size_t count;
	size_t capacity;
	size_t *begins;			/* first run of open calls, by depth */
	size_t depth;
	size_t begin_capacity;
};

struct dmt_tree_match;

struct dmt_expect_thread {
	bool seen;			/* it had an event, and the rest of the
					   members is set */
	bool has_tree;
	struct dmt_number_list blocks;	/* those whose rules are about it */
	struct dmt_rule_calls *calls;	/* by slot; NULL: none so far */
	struct dmt_tree_match *match;	/* with its tree; NULL: none */
	struct dmt_tree_builder builder;	/* of its calls, for updates */
	uint32_t deepest;
	uint64_t last_ns[2];		/* by enum dmt_time */
};

struct dmt_expect {
	struct dmtrace_op *op;
	struct dmtrace_spec *spec;
	struct dmtrace_reader *reader;
	struct dmtrace_source *source;
	struct dmt_callstacks stacks;
	struct dmt_expect_methods methods;
	struct dmt_expect_thread *threads;	/* by thread index */
	struct dmt_number_list order;	/* threads in the order of their first
					   events */
	struct dmt_rule_state *rules;	/* by rule */
	uint32_t *thread_of_tree;	/* thread index by block */
	bool *block_seen;		/* by block: a thread of its name had
					   an event */
	struct dmt_update *update;	/* NULL: the specification is not
					   updated */
	struct dmt_place now;		/* of the current event */
	uint64_t time_ns[2];		/* of the event, by enum dmt_time */
	bool no_cpu;			/* its CPU time is the last one known */
	bool has_time[2];		/* records have this time */
	bool has_exclusive;		/* a rule is about exclusive times */
	bool ending;			/* all events were read */
	bool no_memory;
	uint64_t records;
	struct dmtrace_error error;
};

/* expect.c: reads all events and checks them against the specification. The
 * result is in rules, threads and thread_of_tree. Call dmt_expect_fini after
 * success and after failure. */
enum dmtrace_status
dmt_expect_run(struct dmt_expect *expect);

void
dmt_expect_fini(struct dmt_expect *expect);

/* Returns the name of a thread in the key; empty if it has none. */
struct dmtrace_text
dmt_expect_thread_name(const struct dmt_expect *expect, uint32_t thread);

/* expect_match.c: methods and patterns. */

/* Has the methods of the source, as it finds them. */
void
dmt_expect_methods_attach(struct dmt_expect_methods *methods,
    const struct dmtrace_spec *spec, struct dmtrace_source *source);

void
dmt_expect_methods_fini(struct dmt_expect_methods *methods);

bool
dmt_method_matches(const struct dmt_expect_methods *methods, uint32_t method,
    uint32_t pattern);

/* What the methods of a trace, listed or called, make of a pattern. */
enum dmt_name_state {
	DMT_NAME_FOUND,			/* one matches, or it is no name */
	DMT_NAME_SIMILAR,		/* one has another spelling */
	DMT_NAME_MISSING
};

struct dmt_name_use {
	enum dmt_name_state state;
	const struct dmtrace_method *similar;	/* the row of that one */
};

/* Looks up the names of all rules, after the last event. Returns an array by
 * pattern, to be freed; NULL: no memory. */
struct dmt_name_use *
dmt_expect_names(const struct dmt_expect *expect);

/* Returns true if a thread's name matches the pattern. Without memory, it
 * returns false and sets *no_memory. */
bool
dmt_thread_name_matches(const struct dmt_name_pattern *pattern,
    struct dmtrace_text name, bool *no_memory);

/* expect.c: returns true if a rule is met, after the last event. */
bool
dmt_rule_is_met(const struct dmt_expect *expect, size_t rule);

/* Returns the time that a rule is about; DMT_TIME_ANY: the records have no such
 * time. */
enum dmt_time
dmt_rule_time(const struct dmt_expect *expect, const struct dmt_rule *rule);

/* expect_match.c: the match of a thread's calls with its tree. */

#define DMT_CALLS_BEFORE 3		/* calls shown before a difference */
#define DMT_CALLS_AFTER 2

/* A call of the trace, and the call of the tree that it matched. */
struct dmt_matched_call {
	uint32_t node;
	uint32_t method;
	uint32_t depth;			/* from 1 */
	uint64_t repeat;
	uint64_t number;		/* how many calls matched before it */
};

enum dmt_difference {
	DMT_NO_DIFFERENCE,
	DMT_ANOTHER_CALL,
	DMT_CALL_ENDS,			/* a call ends too early */
	DMT_TRACE_ENDS
};

/* The state of a match. */
struct dmt_tree_match {
	const struct dmtrace_spec *spec;
	bool subsequence;
	uint32_t node;			/* the next call of the tree; 0: no more
					   on this level */
	uint64_t repeat;		/* how often it has matched */
	uint64_t matched;		/* number of calls that matched */
	struct dmt_open_match *open;	/* the open ones of them */
	size_t open_count;
	size_t open_capacity;
	uint32_t skip_depth;		/* of an open call whose calls do not
					   matter; 0: none */
	struct dmt_matched_call last[DMT_CALLS_BEFORE];	/* a ring */

	/* The first difference, or the best attempt of a subsequence. */
	enum dmt_difference difference;
	uint32_t missing;		/* node that was expected; 0: no more
					   calls */
	uint64_t missing_repeat;
	uint32_t within;		/* node of its caller; 0: the outermost
					   level */
	uint32_t method;		/* that was called, or whose call
					   ended */
	uint32_t depth;
	struct dmt_place place;
	struct dmt_matched_call before[DMT_CALLS_BEFORE];
	size_t before_count;
	struct { uint32_t method, depth; } after[DMT_CALLS_AFTER];
	size_t after_count;
	uint64_t best;			/* calls that matched in the best
					   attempt of a subsequence */
};

/* Makes a match of a thread with the tree of a block. NULL: no memory. */
struct dmt_tree_match *
dmt_tree_match_new(const struct dmtrace_spec *spec,
    const struct dmt_spec_block *block);

void
dmt_tree_match_free(struct dmt_tree_match *match);

/* Returns true if the call at this depth, which begins or ends, is below one
 * whose calls do not matter. */
static inline bool
dmt_tree_match_skips(const struct dmt_tree_match *match, uint32_t depth)
{
	return match->skip_depth != 0 && depth > match->skip_depth;
}

/* Matches a call that begins. false: no memory. */
bool
dmt_tree_match_enter(struct dmt_tree_match *match,
    const struct dmt_expect_methods *methods, uint32_t method, uint32_t depth,
    const struct dmt_place *place);
/* Matches the end of a call. ending: it has no exit, because the trace ends. */
void
dmt_tree_match_leave(struct dmt_tree_match *match, uint32_t method,
    uint32_t depth, const struct dmt_place *place, bool ending);

/* Ends the match after the last event, at which open calls end. */
void
dmt_tree_match_end(struct dmt_tree_match *match,
    const struct dmt_place *place);

/* expect_report.c */

/* Appends a name as a token, in quotes if needed. glob: "*", "?" and a slash at
 * the start keep their special meaning. */
void
dmt_put_token(struct dmt_output *buffer, const char *bytes, size_t len,
    bool glob);

/* Appends a pattern: a name as a token, and anything else as the specification
 * has it. In quotes, a regular expression with a blank would be a name. */
void
dmt_put_pattern(struct dmt_output *buffer,
    const struct dmt_name_pattern *pattern);

/* Appends a method as a token "com.a.B.f", with its signature if signature is
 * set; a method without a name is named by its id. */
void
dmt_expect_methods_put(const struct dmt_expect_methods *methods,
    struct dmt_output *buffer, uint32_t method, bool signature);

/* Calls report for every expectation, in the order of the specification.
 * Returns how many are not met. Without memory, expect->error is set. */
uint64_t
dmt_expect_report(struct dmt_expect *expect, dmtrace_expectation_fn *report,
    void *context, uint64_t *count);

/* spec_update.c */

#define DMT_UPDATE_DEPTH 16384		/* limit of a tree's depth, because
					   lines are indented by depth */

/* Add a call of the thread that begins, or that ends. false: no memory. */
bool
dmt_tree_builder_enter(struct dmt_tree_builder *builder);
bool
dmt_update_leave(struct dmt_update *update,
    struct dmt_expect_methods *methods,
    struct dmt_tree_builder *builder, uint32_t method);

void
dmt_tree_builder_fini(struct dmt_tree_builder *builder);

#endif
