/* expect.h - a trace and what is expected of it, while it is read */
#ifndef DMT_EXPECT_EXPECT_H
#define DMT_EXPECT_EXPECT_H

#include <dmtrace/stack.h>

#include "ops/op.h"
#include "profile/ids.h"
#include "trace/reader.h"
#include "verify/expect/call_trees.h"
#include "verify/expect/spec.h"

/* A method of the trace. */
struct dmt_named {
	uint64_t id;
	uint32_t first;			/* of its patterns, in matches */
	uint32_t count;
	uint32_t uses;			/* of its uses in rules, in uses: */
	uint32_t enter_end;		/* those that a call counts for, */
	uint32_t leave_end;		/* its end, */
	uint32_t charge_end;		/* and the time in it */
};

/* That a method stands in a rule, as its A or C. */
struct dmt_ruled {
	uint32_t rule;
	uint32_t role;
};

/* Which patterns the methods match: every one is looked at once. */
struct dmt_matches {
	const struct dmtrace_spec *spec;
	const struct dmtrace_key *key;
	struct dmt_ids ids;		/* index + 1 */
	struct dmt_named *items;
	size_t count;
	size_t capacity;
	uint32_t *matches;
	size_t match_count;
	size_t match_capacity;
	struct dmt_ruled *uses;
	size_t use_count;
	size_t use_capacity;
	struct dmt_method_text text;
};

/* false: no memory. In any case end them with dmt_matches_fini. */
bool
dmt_matches_init(struct dmt_matches *names, const struct dmtrace_spec *spec,
    const struct dmtrace_key *key);

void
dmt_matches_fini(struct dmt_matches *names);

/* The index of a method that did not come before; DMT_NONE: no memory. */
uint32_t
dmt_matches_add(struct dmt_matches *names, uint64_t id);

static inline uint32_t
dmt_matches_get(struct dmt_matches *names, uint64_t id)
{
	const uint32_t found = dmt_ids_find(&names->ids, id);

	return found != 0 ? found - 1 : dmt_matches_add(names, id);
}

/* Whether a method is what a pattern says. */
bool
dmt_matches_match(const struct dmt_matches *names, uint32_t method,
    uint32_t pattern);

/* Whether a thread's name is. */
bool
dmt_wanted_has_name(const struct dmt_wanted *wanted,
    struct dmtrace_text name);

/* A method as people read it. */
void
dmt_matches_put(const struct dmt_matches *names, struct dmt_buf *buf,
    uint32_t method, bool signature);

#define DMT_UPDATE_DEPTH 16384		/* of a tree: lines grow by it */

/* How methods are written: those that look the same are one name. */
struct dmt_spelling {
	struct dmt_span word;		/* in quotes if need be */
	uint32_t method;		/* the first of them */
	uint32_t same;			/* another one of that hash, + 1 */
};

struct dmt_update {
	bool signatures;		/* of every method */
	struct dmt_forest forest;	/* its names are spellings */
	struct dmt_spelling *spellings;
	size_t count;
	size_t capacity;
	struct dmt_idmap by_hash;	/* the last spelling of a hash */
	struct dmt_idmap overloaded;	/* names with several signatures */
	uint32_t *of_method;		/* + 1; 0: none yet */
	size_t of_capacity;
	struct dmt_arena arena;
};

/* false: no memory. In any case end it with dmt_update_fini. */
bool
dmt_update_init(struct dmt_update *update, const struct dmtrace_key *key,
    unsigned flags);

void
dmt_update_fini(struct dmt_update *update);

/* A call of the method ends. false: no memory. */
bool
dmt_update_leave(struct dmt_update *update, const struct dmt_matches *names,
    struct dmt_grown *grown, uint32_t method);

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

#define DMT_ROWS (DMT_BEFORE + 1 + DMT_AFTER)

struct dmt_telling {
	struct dmt_expect *expect;
	dmtrace_expectation_fn *told;	/* NULL: they are counted */
	void *context;
	struct dmt_arena arena;		/* strings of the one under way */
	struct dmtrace_expectation about;
	struct dmtrace_expect_row rows[DMT_ROWS];
	uint64_t unmet;
	uint64_t count;
};

/* Takes the text over; it lives until the next expectation begins. Without
 * memory: "", and an error. */
const char *
dmt_telling_keep(struct dmt_telling *telling, struct dmt_buf *buf);

/* A pattern as it stands in the spec. */
void
dmt_telling_put_pattern(const struct dmt_telling *telling,
    struct dmt_buf *buf, uint32_t pattern);

/* Where the trace is not as expected. */
void
dmt_telling_set_place(struct dmt_telling *telling,
    const struct dmt_place *place);

/* What became of a tree, with the calls around the first difference. */
void
dmt_tell_match(struct dmt_telling *telling, const struct dmt_match *match);

#endif
