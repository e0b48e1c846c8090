/* record_keep.h - some of a run of records, and what they are of */
#ifndef DMT_DATA_RECORD_KEEP_H
#define DMT_DATA_RECORD_KEEP_H

#include "base/idmap.h"
#include "data/record.h"

/* Which records of a run are meant: by a number's flag, or each by its own.
 * Flags are 0 or 1. */
struct dmt_keep {
	const uint8_t *threads;		/* NULL: records says so */
	const uint8_t *records;
};

/*
 * Copies those that are meant of count records at in to out, which has room
 * for count of them, also behind them for one that is not. Returns how many
 * there are. It takes as long whatever the flags are.
 */
size_t
dmt_records_keep(uint8_t *out, const struct dmtrace_layout *layout,
    const uint8_t *in, size_t count, const struct dmt_keep *keep);

#define DMT_CENSUS_RECENT 16384		/* a power of two */

/* The threads that there are, and the threads and methods of the records that
 * are meant. */
struct dmt_census {
	uint8_t *threads;		/* by number: 1 seen, 2 meant */
	struct dmt_idmap methods;	/* ids of those that are meant */
	uint64_t *recent;		/* the last ones, by a hash; 0: none */
	bool failed;			/* no memory */
};

/* false: no memory. In any case end it with dmt_census_fini. */
bool
dmt_census_init(struct dmt_census *census,
    const struct dmtrace_layout *layout);

void
dmt_census_fini(struct dmt_census *census);

/* Takes note of a run; returns how many records are meant. */
size_t
dmt_records_note(struct dmt_census *census,
    const struct dmtrace_layout *layout, const uint8_t *in, size_t count,
    const struct dmt_keep *keep);

/* The same without the methods, in less time. */
size_t
dmt_records_note_threads(struct dmt_census *census,
    const struct dmtrace_layout *layout, const uint8_t *in, size_t count,
    const uint8_t *threads);

/* Takes note of a record that is in no run. */
void
dmt_census_add(struct dmt_census *census, uint32_t thread, uint64_t method);

#endif
