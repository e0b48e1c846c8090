/* records_source.h - records of a known place and layout, as a source */
#ifndef DMT_TRACE_RECORDS_SOURCE_H
#define DMT_TRACE_RECORDS_SOURCE_H

#include "base/input.h"
#include "events/pipeline.h"

/* Records of zeros that were left out since the first event. */
struct dmt_blanks {
	uint64_t count;
	uint64_t first_at;		/* the first one's place in its file */
	uint64_t last;			/* the number of the last record */
};

/*
 * A source of count records of layout, which are at a place of file, which is
 * held. There need not be a key or a header around them, and no record is a
 * finding: this is how a damaged trace is read. drops_blanks: records of zeros
 * are none; they have a number, but no event, and are not a time of thread 0.
 * file, key and layout must live as long as the source. Between passes, which
 * begin with a rewind, file may be read elsewhere. NULL: no memory.
 */
struct dmtrace_source *
dmt_records_source_new(struct dmt_input *file, uint64_t at,
    const struct dmtrace_key *key, const struct dmt_layout *layout,
    uint64_t count, bool drops_blanks);

/* Shortens the source, from its next rewind on, to so many records. Returns the
 * place in the file of the first one that is left out. */
uint64_t
dmt_records_source_shorten(struct dmtrace_source *source, uint64_t count);

struct dmt_blanks
dmt_records_source_blanks(const struct dmtrace_source *source);

#endif
