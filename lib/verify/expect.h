/* expect.h - a trace on its way past what is expected of it */
#ifndef DMT_VERIFY_EXPECT_H
#define DMT_VERIFY_EXPECT_H

#include <dmtrace/stack.h>

#include "ops/op.h"
#include "trace/reader.h"
#include "verify/spec.h"
#include "verify/update.h"

/* Where in the trace something is. */
struct dmt_place {
	uint64_t record;		/* from 1; 0: at none */
	uint64_t at;			/* byte of its file */
	uint64_t time_ns;
	uint32_t lane;			/* its thread; DMT_NONE: none */
};

/* What a thread keeps for a rule about calls within calls. */
struct dmt_open {
	uint64_t count;			/* calls that are open */
	uint64_t since_ns;		/* of the outermost */
	struct dmt_place place;
};

struct dmt_match;

struct dmt_expect_lane {
	uint32_t thread;
	uint32_t depth;
	uint32_t deepest;
	uint32_t *methods;		/* of the open frames */
	size_t capacity;
	uint64_t last_ns[2];		/* by enum dmt_time */
	uint8_t *blocks;		/* bits: their rules are about it */
	bool ruled;			/* there are any */
	bool treed;			/* or a tree */
	struct dmt_open *open;		/* by slot; NULL: none so far */
	struct dmt_match *match;	/* its tree; NULL: none */
	struct dmt_grown grown;		/* its calls, to be written */
};

/* What a rule came to. */
struct dmt_verdict {
	uint64_t count;			/* calls, frames or threads */
	uint64_t count_other;		/* of the second pattern */
	int64_t total_ns;
	int64_t longest_ns;
	bool broken;			/* A before C, A under C */
	struct dmt_place place;
	uint32_t method;		/* that was there instead, or none */
};

struct dmt_expect {
	struct dmtrace_op *op;
	struct dmtrace_spec *spec;
	struct dmtrace_reader *reader;
	struct dmtrace_stacks *stacks;
	struct dmtrace_source *source;
	struct dmt_matches names;
	uint32_t *lane_of;		/* by thread: in lanes, + 1 */
	struct dmt_expect_lane *lanes;	/* in the order of first events */
	size_t lane_count;
	size_t lane_capacity;
	struct dmt_verdict *verdicts;	/* by rule */
	uint32_t *lane_of_block;	/* of its tree, + 1; 0: none */
	bool *block_came;		/* a thread of its name did */
	struct dmt_update *update;	/* NULL: nothing is written */
	struct dmt_place now;		/* of the event under way */
	uint64_t time_ns[2];
	bool has_time[2];		/* the records have */
	bool charges;			/* a rule is about exclusive time */
	bool sized;			/* or depth */
	bool ending;			/* no more events come */
	uint64_t records;
	struct dmtrace_error error;
};

/* Reads and takes all events. Whatever comes of it, end with
 * dmt_expect_fini. */
enum dmtrace_status
dmt_expect_run(struct dmt_expect *expect);

void
dmt_expect_fini(struct dmt_expect *expect);

/* Takes the event at expect->now; a thread that was not there before gets a
 * lane. Returns the status of expect. */
enum dmtrace_status
dmt_expect_take(struct dmt_expect *expect, const struct dmtrace_event *event);

/* No more events come: calls that are open last until the thread's last one.
 * Returns the status of expect. */
enum dmtrace_status
dmt_expect_end_lane(struct dmt_expect *expect, struct dmt_expect_lane *lane);

/* The name of a lane's thread in the key; empty if there is none. */
struct dmtrace_text
dmt_expect_thread_name(const struct dmt_expect *expect,
    const struct dmt_expect_lane *lane);

/* What rules make of a frame that opens, or is closed, and of the time since
 * the last event. false: no memory. */
bool
dmt_rules_enter(struct dmt_expect *expect, struct dmt_expect_lane *lane,
    uint32_t method);
void
dmt_rules_leave(struct dmt_expect *expect, struct dmt_expect_lane *lane,
    uint32_t method);
void
dmt_rules_charge(struct dmt_expect *expect, struct dmt_expect_lane *lane);
void
dmt_rules_thread(struct dmt_expect *expect, struct dmt_expect_lane *lane);

/* Whether it is met, now that all events were taken. */
bool
dmt_rule_is_met(const struct dmt_expect *expect, size_t rule);

/* The time that a rule is about; DMT_TIME_ANY: the records have none. */
enum dmt_time
dmt_rule_time(const struct dmt_expect *expect, const struct dmt_rule *rule);

#define DMT_BEFORE 3			/* calls shown before a difference */
#define DMT_AFTER 2			/* and behind it */

/* A call of the trace, and the one of the tree that it was. */
struct dmt_met {
	uint32_t node;
	uint32_t method;
	uint32_t depth;			/* from 1 */
	uint64_t repeat;
	uint64_t number;		/* calls of the tree before it */
};

enum dmt_found {
	DMT_FOUND_ALL,			/* nothing is missing */
	DMT_FOUND_CALL,
	DMT_FOUND_EXIT,
	DMT_FOUND_END
};

/* How far the calls of a thread are along their tree. */
struct dmt_match {
	const struct dmtrace_spec *spec;
	uint32_t node;			/* the next one; 0: none here */
	uint64_t repeat;		/* how many of it came */
	uint64_t met;			/* calls so far */
	struct dmt_at *open;		/* calls that others are within */
	size_t open_count;
	size_t open_capacity;
	uint32_t skip;			/* the depth of a call whose calls do
					   not matter; 0: none */
	bool subsequence;
	struct dmt_met last[DMT_BEFORE];	/* as they came: a ring */

	/* the first difference, or how far a subsequence got at best */
	enum dmt_found found;
	uint32_t missing;		/* node; 0: no more calls */
	uint64_t missing_repeat;
	uint32_t within;		/* node; 0: the outermost */
	uint32_t method;		/* that was called, or left */
	uint32_t depth;
	struct dmt_place place;
	struct dmt_met before[DMT_BEFORE];
	size_t before_count;
	struct { uint32_t method, depth; } after[DMT_AFTER];
	size_t after_count;
	uint64_t best;
};

/* NULL: no memory. */
struct dmt_match *
dmt_match_new(const struct dmtrace_spec *spec,
    const struct dmt_spec_block *block);

void
dmt_match_free(struct dmt_match *match);

/* false: no memory. */
bool
dmt_match_enter(struct dmt_match *match, const struct dmt_matches *names,
    uint32_t method, uint32_t depth, const struct dmt_place *place);
void
dmt_match_leave(struct dmt_match *match, uint32_t method, uint32_t depth,
    const struct dmt_place *place, bool ending);

/* After the last event, and leaving what is open. */
void
dmt_match_end(struct dmt_match *match, const struct dmt_place *place);

/* Tells every expectation. Returns how many were not met; the status is in
 * the error. */
uint64_t
dmt_expect_tell(struct dmt_expect *expect, dmtrace_expectation_fn *told,
    void *context, uint64_t *count);

#endif
