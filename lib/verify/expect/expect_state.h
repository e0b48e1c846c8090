/* expect_state.h - a trace and what is expected of it, while it is read */
#ifndef DMT_EXPECT_STATE_H
#define DMT_EXPECT_STATE_H

#include "events/callstacks.h"
#include "events/pipeline.h"
#include "ops/op.h"
#include "trace/reader.h"
#include "verify/expect/spec.h"

/* Where in the trace something is. */
struct dmt_place {
	uint64_t record;		/* from 1; 0: at none */
	uint64_t at;			/* byte of its file */
	uint64_t time_ns;
	uint32_t thread;		/* index; DMT_NONE: none */
};

/* Numbers in a row, for many lists one after the other. */
struct dmt_number_list {
	uint32_t *items;
	size_t count;
	size_t capacity;
};

/* That a rule is about the calls of a method. */
struct dmt_rule_use {
	uint32_t rule;
	uint32_t role;			/* the index in its patterns */
};

/* The patterns that a method matches, and the rules that are about it. */
struct dmt_expect_method {
	size_t first_pattern;		/* in patterns below */
	size_t pattern_count;
	size_t first_use;		/* in uses below, A before C */
	size_t use_count;
};

struct dmt_expect_methods {
	const struct dmtrace_spec *spec;
	const struct dmt_indexes *indexes;
	struct dmt_expect_method *items;	/* by method index */
	size_t count;
	size_t capacity;
	struct dmt_number_list patterns;
	struct dmt_rule_use *uses;
	size_t use_count;
	size_t use_capacity;
	struct dmt_method_text text;	/* of the method that is added */
};

/* What a thread keeps for a rule about calls within calls. */
struct dmt_rule_calls {
	uint64_t open;			/* how many are */
	uint64_t since_ns;		/* of the outermost */
	struct dmt_place place;
};

/* What a rule came to so far. */
struct dmt_rule_state {
	uint64_t count;			/* calls, frames or threads */
	uint64_t count_other;		/* calls of the second pattern */
	int64_t total_ns;
	int64_t longest_ns;
	bool violated;			/* no later event can cure it */
	struct dmt_place place;
	uint32_t caller;		/* that should not be: a method index,
					   or DMT_NONE */
};

/* Calls in a row that are the same, with all that they call. */
struct dmt_call_run {
	uint32_t tree;
	uint64_t count;
};

/* The calls of a thread as they come. Zero is valid. */
struct dmt_tree_builder {
	struct dmt_call_run *runs;	/* of all calls that are open */
	size_t count;
	size_t capacity;
	size_t *begins;			/* by depth: where its runs begin */
	size_t depth;
	size_t begin_capacity;
};

struct dmt_tree_match;

struct dmt_expect_thread {
	bool seen;			/* it had an event: the rest is set */
	bool has_tree;
	struct dmt_number_list blocks;	/* whose rules are about it */
	struct dmt_rule_calls *calls;	/* by slot; NULL: none so far */
	struct dmt_tree_match *match;	/* its tree; NULL: none */
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
	size_t thread_count;
	size_t thread_capacity;
	struct dmt_number_list order;	/* of the threads' first events */
	struct dmt_rule_state *rules;	/* by rule */
	uint32_t *thread_of_tree;	/* by block: a thread index */
	bool *block_seen;		/* a thread of its name was */
	struct dmt_update *update;	/* NULL: nothing is written */
	struct dmt_place now;		/* of the current event */
	uint64_t time_ns[2];		/* by enum dmt_time */
	bool has_time[2];		/* the records have */
	bool has_exclusive;		/* there are such rules */
	bool ending;			/* there are no more events */
	uint64_t records;
	struct dmtrace_error error;
};

/* expect.c: reads all events and checks them against the specification; the
 * result is in rules, threads and thread_of_tree. Whatever it returns, end with
 * dmt_expect_fini. */
enum dmtrace_status
dmt_expect_run(struct dmt_expect *expect);

void
dmt_expect_fini(struct dmt_expect *expect);

/* The name of a thread in the key; empty if there is none. */
struct dmtrace_text
dmt_expect_thread_name(const struct dmt_expect *expect, uint32_t thread);

/* false: no memory. */
bool
dmt_number_list_add(struct dmt_number_list *list, uint32_t number);

/* expect_match.c: methods and patterns. */

/* Adds the methods that the source has seen since the last call. false: no
 * memory. */
bool
dmt_expect_methods_update(struct dmt_expect_methods *methods);

void
dmt_expect_methods_fini(struct dmt_expect_methods *methods);

bool
dmt_method_matches(const struct dmt_expect_methods *methods, uint32_t method,
    uint32_t pattern);

/* Whether a thread's name is what a pattern says. */
bool
dmt_thread_name_matches(const struct dmt_name_pattern *pattern,
    struct dmtrace_text name);

/* expect.c: whether a rule is met, now that there are no more events. */
bool
dmt_rule_is_met(const struct dmt_expect *expect, size_t rule);

/* The time that a rule is about; DMT_TIME_ANY: the records have none. */
enum dmt_time
dmt_rule_time(const struct dmt_expect *expect, const struct dmt_rule *rule);

/* expect_match.c: the calls of a thread and its tree. */

#define DMT_CALLS_BEFORE 3		/* shown before a difference */
#define DMT_CALLS_AFTER 2

/* A call of the trace, and the call of the tree that it matched. */
struct dmt_matched_call {
	uint32_t node;
	uint32_t method;
	uint32_t depth;			/* from 1 */
	uint64_t repeat;
	uint64_t number;		/* calls that matched before it */
};

enum dmt_difference {
	DMT_NO_DIFFERENCE,
	DMT_ANOTHER_CALL,
	DMT_CALL_ENDS,			/* too soon */
	DMT_TRACE_ENDS
};

/* How far the calls of a thread are in their tree. */
struct dmt_tree_match {
	const struct dmtrace_spec *spec;
	bool subsequence;
	uint32_t node;			/* the next one; 0: none here */
	uint64_t repeat;		/* how many of it matched */
	uint64_t matched;		/* calls so far */
	struct dmt_open_match *open;	/* calls that matched and are open */
	size_t open_count;
	size_t open_capacity;
	uint32_t skip_depth;		/* of an open call whose calls do not
					   matter; 0: none */
	struct dmt_matched_call last[DMT_CALLS_BEFORE];	/* a ring */

	/* the first difference, or how far a subsequence got at best */
	enum dmt_difference difference;
	uint32_t missing;		/* node; 0: no more calls */
	uint64_t missing_repeat;
	uint32_t within;		/* node; 0: the outermost level */
	uint32_t method;		/* that was called, or ended */
	uint32_t depth;
	struct dmt_place place;
	struct dmt_matched_call before[DMT_CALLS_BEFORE];
	size_t before_count;
	struct { uint32_t method, depth; } after[DMT_CALLS_AFTER];
	size_t after_count;
	uint64_t best;			/* calls of a subsequence */
};

/* NULL: no memory. */
struct dmt_tree_match *
dmt_tree_match_new(const struct dmtrace_spec *spec,
    const struct dmt_spec_block *block);

void
dmt_tree_match_free(struct dmt_tree_match *match);

/* false: no memory. */
bool
dmt_tree_match_enter(struct dmt_tree_match *match,
    const struct dmt_expect_methods *methods, uint32_t method, uint32_t depth,
    const struct dmt_place *place);
/* ending: there was no exit; the trace ends. */
void
dmt_tree_match_leave(struct dmt_tree_match *match, uint32_t method,
    uint32_t depth, const struct dmt_place *place, bool ending);

/* Ends the match after the last event, at which open calls end. */
void
dmt_tree_match_end(struct dmt_tree_match *match,
    const struct dmt_place *place);

/* expect_report.c */

/* Text that grows, zero at first; failed: no memory. */
struct dmt_buffer {
	char *bytes;
	size_t len;
	size_t capacity;
	bool failed;
};

void
dmt_buffer_put(struct dmt_buffer *buffer, const char *bytes, size_t len);
/* Appends what printf would, 511 bytes at most. */
void
dmt_buffer_printf(struct dmt_buffer *buffer, const char *format, ...)
    DMT_PRINTF(2, 3);

/* Appends a name as a token, in quotes if need be. glob: "*", "?" and a slash
 * at the start keep their meaning. */
void
dmt_buffer_put_token(struct dmt_buffer *buffer, const char *bytes, size_t len,
    bool glob);

/* Appends a method as a token "com.a.B.f", with its signature if it is wanted;
 * a method without a name has its id for one. */
void
dmt_expect_methods_put(const struct dmt_expect_methods *methods,
    struct dmt_buffer *buffer, uint32_t method, bool signature);

void
dmt_buffer_fini(struct dmt_buffer *buffer);

/* Hands every expectation to report, in the order of the
 * specification. Returns how many are not met; expect->error may be set. */
uint64_t
dmt_expect_report(struct dmt_expect *expect, dmtrace_expectation_fn *report,
    void *context, uint64_t *count);

/* spec_update.c */

#define DMT_UPDATE_DEPTH 16384		/* of a tree: lines grow by it */

/* A call of the thread begins, or ends. false: no memory. */
bool
dmt_tree_builder_enter(struct dmt_tree_builder *builder);
bool
dmt_update_leave(struct dmt_update *update,
    const struct dmt_expect_methods *methods,
    struct dmt_tree_builder *builder, uint32_t method);

void
dmt_tree_builder_fini(struct dmt_tree_builder *builder);

#endif
