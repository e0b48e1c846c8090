/* repair_walk.h - a walk over records that mends them on its way */
#ifndef DMT_OPS_REPAIR_WALK_H
#define DMT_OPS_REPAIR_WALK_H

#include "base/idmap.h"
#include "ops/repair.h"
#include "ops/repair_time.h"

#include <dmtrace/stack.h>

/* One thread. */
struct dmt_repair_lane {
	struct dmt_lane_clock cpu, wall;
	uint64_t *opened;		/* methods, the innermost first */
	size_t opened_count, opened_room;
	bool seen;			/* it has records in the output */
	bool listed;
	bool known;			/* one of its methods is listed */
};

enum {
	DMT_LANE_PAGE = 256,		/* lanes that come together, */
	DMT_LANE_PAGES = 65536 / DMT_LANE_PAGE
};

/* Ids that come in, each once. */
struct dmt_repair_ids {
	uint64_t *items;
	size_t count, room;
};

/* One walk over the records. */
struct dmt_walked {
	struct dmt_repair *repair;
	const struct dmtrace_layout *layout;
	struct dmt_changes changes;
	struct dmt_sink *out;		/* NULL: only counts */
	/* By thread number; NULL: none of the page was seen. */
	struct dmt_repair_lane *pages[DMT_LANE_PAGES];
	struct dmtrace_stacks *stacks;
	struct dmt_repair_ids order;		/* of threads, as they came */
	struct dmt_repair_ids unlisted;		/* methods */
	struct dmt_idmap has_unlisted;
	bool comparable;		/* wall times of different threads */
	uint64_t at;			/* of the record in the file */
	uint64_t out_count;
	uint64_t opened, closed;	/* records that were added */
	bool altered;
	struct dmtrace_error error;
};

/* The record in hand. */
struct dmt_repair_record {
	const uint8_t *in;
	struct dmtrace_event event;	/* without times */
	struct dmt_repair_lane *lane;
	struct dmt_lane_time cpu, wall;
	bool changed;
};

/* NULL: the thread was not seen. */
static inline struct dmt_repair_lane *
dmt_walked_lane(const struct dmt_walked *walk, uint64_t thread)
{
	struct dmt_repair_lane *const page =
	    walk->pages[thread / DMT_LANE_PAGE];

	return page == NULL ? NULL : &page[thread % DMT_LANE_PAGE];
}

/* false: no memory. */
bool
dmt_repair_ids_add(struct dmt_repair_ids *ids, uint64_t id);

/* Counts a change in the record in hand. */
void
dmt_walked_tell(struct dmt_walked *walk, enum dmt_finding which,
    const struct dmt_repair_record *record);

/* Mends the next record: what becomes of it goes to the output. */
void
dmt_walked_take(struct dmt_walked *walk, const uint8_t *in);

/* The record goes to the output, with what was changed in it. */
void
dmt_walked_put(struct dmt_walked *walk, struct dmt_repair_record *record);

/* A record that the input does not have. */
void
dmt_walked_put_new(struct dmt_walked *walk, const struct dmtrace_event *event,
    uint64_t cpu_us, uint64_t wall_us);

/*
 * Exits for what is open at the end of the trace; enters of what was open at
 * its beginning, which the same walk, done before, has found.
 */
void
dmt_walked_close(struct dmt_walked *walk);
void
dmt_walked_open(struct dmt_walked *walk, const struct dmt_walked *before);

#endif
