/* scan.h - a window over records whose calls nest, in less time */
#ifndef DMT_EVENTS_SCAN_H
#define DMT_EVENTS_SCAN_H

#include "data/record_keep.h"
#include "data/unwrap.h"
#include "events/cuts.h"

/* What is known of a thread. Zero is one that has no record yet. */
struct dmt_scan_lane {
	uint64_t *frames;		/* from 1 on, the outermost first */
	uint32_t depth;
	uint32_t capacity;		/* of frames, without the first */
	struct dmt_clocks clocks;
	uint64_t latest_us;		/* before the clock went back */
	uint64_t edge;			/* in the clock's current turn */
	uint8_t inside;			/* 1: and it is meant */
	uint8_t phase;			/* edges that were passed */
	bool came;
};

/*
 * The same as a selector for a window that is not raw, and threads, as long
 * as every exit is that of the innermost frame, or of none: as soon as one is
 * not, odd is set, and it must be done by a selector instead.
 */
struct dmt_scan {
	const struct dmtrace_selection *selection;
	const struct dmtrace_layout *layout;
	struct dmt_scan_lane *lanes;	/* by number */
	uint64_t edges_us[3];		/* start, end, and never */
	struct dmt_cuts opened;
	struct dmt_cuts closed;
	bool odd;
	bool unsteady;			/* a clock went back, or wrapped */
	bool failed;			/* no memory */
};

/* Whether a scan will do for it. */
bool
dmt_scan_fits(const struct dmtrace_selection *selection);

/* false: no memory. In any case end it with dmt_scan_fini. */
bool
dmt_scan_init(struct dmt_scan *scan,
    const struct dmtrace_selection *selection,
    const struct dmtrace_layout *layout);

void
dmt_scan_fini(struct dmt_scan *scan);

/* Learns from the next records; keep[i] is 1 if the i-th is in the window. */
void
dmt_scan_learn(struct dmt_scan *scan, const uint8_t *in, size_t count,
    uint8_t *keep);

/* After the last one; then the records can be gone through again. */
void
dmt_scan_learned(struct dmt_scan *scan);

/* The second time: only keep. */
void
dmt_scan_select(struct dmt_scan *scan, const uint8_t *in, size_t count,
    uint8_t *keep);

#endif
