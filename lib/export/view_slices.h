/* view_slices.h - sums of calls by method and by slice of time */
#ifndef DMT_EXPORT_VIEW_SLICES_H
#define DMT_EXPORT_VIEW_SLICES_H

#include <dmtrace/profile.h>
#include <stdbool.h>

#include "base/idmap.h"
#include "private/output.h"

/* What is summed: calls, and times by clock. Inclusive times are those of calls
 * that are not recursive. */
enum {
	DMT_SLICE_CALLS,		/* recursive ones are not among them */
	DMT_SLICE_RECURSIVE,
	DMT_SLICE_INCLUSIVE,
	DMT_SLICE_EXCLUSIVE = DMT_SLICE_INCLUSIVE + DMTRACE_PROFILE_CLOCKS,
	DMT_SLICE_SUMS = DMT_SLICE_EXCLUSIVE + DMTRACE_PROFILE_CLOCKS
};

/* The sums of one call, or of a part of its time. */
struct dmt_slice_call {
	uint32_t thread;
	uint32_t method;
	uint32_t slice;			/* of the narrowest */
	int64_t sums[DMT_SLICE_SUMS];
	bool partial;			/* its exclusive CPU time is: see
					   profile.h */
};

struct dmt_slice_row;

struct dmt_slices {
	uint64_t from_ns;		/* where the first slice begins */
	uint64_t width_ns;		/* of the narrowest slices, */
	uint32_t count;			/* and their number */
	struct dmt_slice_row *rows;
	size_t row_count;
	size_t row_capacity;
	struct dmt_idmap by_key;	/* thread << 32 | method to its row */
};

/* Before dmt_slices_begin: notes any call of the trace, whether it will be
 * added or not. false: no memory. */
bool
dmt_slices_note(struct dmt_slices *slices, const struct dmt_slice_call *call);

/* Gives rows other methods, by method: what rows of the same one noted is added
 * up. false: no memory. */
bool
dmt_slices_rename(struct dmt_slices *slices, const uint32_t *methods);

struct dmt_slices_plan {
	uint64_t from_ns, to_ns;	/* when calls end */
	int clock;			/* of these times */
	uint64_t scale_ns;		/* unit of the times to be added; those
					   noted are nanoseconds */
	size_t threads;
	uint32_t slices;		/* at most; 0: as many as have room */
	size_t cells;			/* at most, unless there are more rows:
					   each takes 7 bytes of memory, rarely
					   13 */
};

/* Chooses the slices. false: no memory. */
bool
dmt_slices_begin(struct dmt_slices *slices, const struct dmt_slices_plan *plan);

/* Returns the slice of a time. */
uint32_t
dmt_slices_place(const struct dmt_slices *slices, uint64_t ns);

/* Adds a call that was noted. false: no memory. */
bool
dmt_slices_add(struct dmt_slices *slices, const struct dmt_slice_call *call);

/* Makes slices wider until their text has at most so many bytes, or every row
 * has one slice. Nothing may be added afterwards. false: no memory. */
bool
dmt_slices_fit(struct dmt_slices *slices, size_t most);

/* Returns the mean number of slices of a row. */
uint32_t
dmt_slices_mean(const struct dmt_slices *slices);

/* Writes the rows of a thread, as described in view_slices.c, with times after
 * origin_ns. Times are at most late_ns in too late a slice. */
void
dmt_slices_put(const struct dmt_slices *slices, struct dmt_output *out,
    uint32_t thread, const bool has_clock[DMTRACE_PROFILE_CLOCKS],
    uint64_t origin_ns, uint64_t late_ns);

void
dmt_slices_fini(struct dmt_slices *slices);

#endif
