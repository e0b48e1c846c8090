/* expect_tell.h - one expectation after the other, as they are told */
#ifndef DMT_VERIFY_EXPECT_TELL_H
#define DMT_VERIFY_EXPECT_TELL_H

#include "verify/expect.h"

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
