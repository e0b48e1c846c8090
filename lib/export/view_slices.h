/* view_slices.h - sums of calls by method and by slice of time */
#ifndef DMT_EXPORT_VIEW_SLICES_H
#define DMT_EXPORT_VIEW_SLICES_H

#include <dmtrace/profile.h>
#include <stdbool.h>

#include "base/idmap.h"
#include "private/output.h"

/* The calls of a row that end in a slice. */
struct dmt_cell_sums {
	uint64_t calls;			/* recursive ones are not among them */
	uint64_t recursive;
	uint64_t inclusive[DMTRACE_PROFILE_CLOCKS];	/* not of recursive */
	uint64_t exclusive[DMTRACE_PROFILE_CLOCKS];
	bool partial;			/* an exclusive CPU time is: see
					   profile.h */
};

struct dmt_slice_cell {
	struct dmt_cell_sums sums;
	uint32_t slice;
	uint32_t before;		/* the cell of the slice before, of the
					   row; UINT32_MAX: none */
};

struct dmt_slice_row {
	uint32_t thread;
	uint32_t method;
	uint32_t last;			/* its last cell */
};

struct dmt_slices {
	uint64_t from_ns;		/* where the first slice begins */
	uint64_t width_ns;		/* of a slice */
	size_t most;			/* cells, if the slices can be wider */
	bool droppable;			/* drop all if they cannot */
	bool dropped;
	struct dmt_slice_row *rows;
	size_t row_count;
	size_t row_capacity;
	struct dmt_idmap by_key;	/* thread << 32 | method to its row */
	struct dmt_slice_cell *cells;
	size_t cell_count;
	size_t cell_capacity;
};

/* Begins to count. slices is zeroed, or was used before. false: no memory. */
bool
dmt_slices_begin(struct dmt_slices *slices, uint64_t from_ns, uint64_t to_ns,
    size_t most, bool droppable);

/* Adds the sums of a call that ends at a time. false: no memory. */
bool
dmt_slices_add(struct dmt_slices *slices, uint32_t thread, uint32_t method,
    uint64_t time_ns, const struct dmt_cell_sums *sums);

/*
 * Writes the rows of a thread as numbers: the method, the number of cells, and
 * each cell: slices since the one before, twice the calls, plus 1 if partial,
 * recursive calls, and for each clock that the trace has, wall time first,
 * inclusive and exclusive time, signed, in units of scale_ns.
 */
void
dmt_slices_put(const struct dmt_slices *slices, struct dmt_output *out,
    uint32_t thread, const bool has_clock[DMTRACE_PROFILE_CLOCKS],
    uint64_t scale_ns);

void
dmt_slices_fini(struct dmt_slices *slices);

#endif
