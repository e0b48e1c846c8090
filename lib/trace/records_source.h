/* records_source.h - a source of records at a known offset in a file */
#ifndef DMT_TRACE_RECORDS_SOURCE_H
#define DMT_TRACE_RECORDS_SOURCE_H

#include "base/input.h"
#include "events/pipeline.h"

/* Records of zeros that were left out since the first event. */
struct dmt_blanks {
	uint64_t count;
	uint64_t first_at;		/* offset of the first one */
	uint64_t last;			/* number of the last one */
};

/*
 * Returns a source of count records of layout at an offset of file, which is
 * held. It needs no key or header in the file, and reports no findings: this
 * is how a damaged trace is read. drops_blanks: records of zeros have a number
 * but no event, and do not set thread 0's clock. file, key and layout must
 * live as long as the source. Between passes, which begin with a rewind, the
 * caller may read elsewhere in file. NULL: no memory.
 */
struct dmtrace_source *
dmt_records_source_new(struct dmt_input *file, uint64_t at,
    const struct dmtrace_key *key, const struct dmt_layout *layout,
    uint64_t count, bool drops_blanks);

/* From the next rewind on, limits the source to that many records. Returns the
 * offset of the first record that is left out. */
uint64_t
dmt_records_source_shorten(struct dmtrace_source *source, uint64_t count);

struct dmt_blanks
dmt_records_source_blanks(const struct dmtrace_source *source);

#endif
