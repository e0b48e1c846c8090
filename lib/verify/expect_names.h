/* expect_names.h - which patterns the methods of a trace match */
#ifndef DMT_VERIFY_EXPECT_NAMES_H
#define DMT_VERIFY_EXPECT_NAMES_H

#include "profile/ids.h"
#include "verify/spec.h"

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

#endif
