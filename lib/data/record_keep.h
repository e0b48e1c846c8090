/* record_keep.h - some of a run of records */
#ifndef DMT_DATA_RECORD_KEEP_H
#define DMT_DATA_RECORD_KEEP_H

#include "data/record.h"

/*
 * Which records of a run are meant: each by a flag of its own; or those whose
 * thread's number has a flag, and if limited, whose time (the wall time if
 * there is one) is at least from_us and before to_us. Flags are 0 or 1.
 */
struct dmt_keep {
	const uint8_t *records;		/* NULL: threads says so */
	const uint8_t *threads;
	bool limited;
	uint64_t from_us;
	uint64_t to_us;
};

/*
 * Copies those that are meant of count records at in to out, which has room
 * for count of them, also behind them for one that is not. Returns how many
 * there are. It takes as long whatever the flags are.
 */
size_t
dmt_records_keep(uint8_t *out, const struct dmtrace_layout *layout,
    const uint8_t *in, size_t count, const struct dmt_keep *keep);

#endif
