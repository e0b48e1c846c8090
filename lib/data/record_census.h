/* record_census.h - the threads and methods that records are of */
#ifndef DMT_DATA_RECORD_CENSUS_H
#define DMT_DATA_RECORD_CENSUS_H

#include <dmtrace/key.h>

#include "base/idmap.h"
#include "data/record_keep.h"

#define DMT_CENSUS_RECENT 16384		/* a power of two */

/*
 * The threads that there are, and the threads and methods of the records that
 * are meant. Of methods only those that the key lists are told for certain:
 * where their ids are close together, a bit for each of them does.
 */
struct dmt_census {
	uint8_t *seen;			/* by number */
	uint8_t *meant;			/* by number, behind one for nobody */
	uint8_t *bits;			/* 0 for those that may come yet;
					   NULL: the ids are far apart */
	uint64_t least;			/* a quarter of the id of the first */
	uint64_t places;		/* of bits; one more is for others */
	size_t left;			/* methods that may come yet */
	struct dmt_idmap methods;	/* without bits: ids that are meant */
	uint64_t *recent;		/* the last ones, by a hash; 0: none */
	bool failed;			/* no memory */
};

/* false: no memory. In any case end it with dmt_census_fini. */
bool
dmt_census_init(struct dmt_census *census,
    const struct dmtrace_layout *layout, const struct dmtrace_key *key);

void
dmt_census_fini(struct dmt_census *census);

/* Takes note of a run; returns how many records are meant. */
size_t
dmt_records_note(struct dmt_census *census,
    const struct dmtrace_layout *layout, const uint8_t *in, size_t count,
    const struct dmt_keep *keep);

/* Takes note of the threads that there are, and of nothing else. */
void
dmt_records_note_threads(struct dmt_census *census,
    const struct dmtrace_layout *layout, const uint8_t *in, size_t count);

/* Takes note of a record that is in no run. */
void
dmt_census_add(struct dmt_census *census, uint32_t thread, uint64_t method);

/* Whether a record that is meant is of the thread's number, of the method. */
bool
dmt_census_has_thread(const struct dmt_census *census, uint32_t thread);
bool
dmt_census_has_method(const struct dmt_census *census, uint64_t method);

#endif
