/* repair_guess.h - what records look like, by how much sense they make */
#ifndef DMT_OPS_REPAIR_GUESS_H
#define DMT_OPS_REPAIR_GUESS_H

#include "ops/repair.h"

#include <stdbool.h>

/* The first bytes of the data, from the magic on. */
struct dmt_sight {
	const struct dmtrace_key *key;
	const uint8_t *bytes;
	size_t len;
	bool whole;			/* that is all of it */
	bool *no_memory;		/* set when there is none to guess */
};

/* Records as they may be; score is 0 to 1000, by the first 4,096 of them:
 * are their ids listed, do times rise, are there the actions there are. */
struct dmt_guess {
	struct dmtrace_layout layout;
	unsigned offset;
	unsigned score;
	bool valid;
};

/* Bytes that are enough. */
#define DMT_SIGHT_MAX (128 * 1024)

enum {
	DMT_SENSE = 500,		/* some: records may be that */
	DMT_SENSE_MORE = 200		/* clearly better than another */
};

/* Whether the records at the sight's bytes make so much sense as they are that
 * repair would take them for nothing else. */
bool
dmt_guess_is_sure(const struct dmt_sight *sight,
    const struct dmtrace_layout *layout);

/* As the header says; invalid: it says what cannot be. */
struct dmt_guess
dmt_guess_own(const struct dmt_sight *sight);

/* The best of own and what else there could be; own where the others do not
 * make clearly more sense. */
struct dmt_guess
dmt_guess_best(const struct dmt_sight *sight, const struct dmt_guess *own);

#endif
