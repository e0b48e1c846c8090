/* salvage.h - a file of packets, without what is damaged in it */
#ifndef DMT_OPS_REPAIR_SALVAGE_H
#define DMT_OPS_REPAIR_SALVAGE_H

#include "base/idmap.h"
#include "ops/repair/repair.h"

/* One pass over the file. */
struct dmt_salvage {
	struct dmt_repair *repair;
	struct dmt_input *in;
	struct dmt_output *out;		/* NULL: it only counts */
	/* What the file defines anywhere, as far as that is known. */
	const struct dmtrace_key *known;
	struct dmt_changes changes;
	struct dmtrace_error error;	/* the first one ends the pass */
};

/* The dialects: what is whole goes to out. A failure is in error. */
void
dmt_salvage_stream(struct dmt_salvage *salvage);
void
dmt_salvage_v2(struct dmt_salvage *salvage);

void
dmt_salvage_put(struct dmt_salvage *salvage, const void *bytes, size_t len);

/* Counts changes at a place of the file; see dmt_change_add. */
void
dmt_salvage_note(struct dmt_salvage *salvage, enum dmt_finding which,
    uint64_t n, uint64_t at);

/* Adds the ids of salvage->known to two sets; false: no memory. */
bool
dmt_salvage_know(const struct dmt_salvage *salvage, struct dmt_idmap *threads,
    struct dmt_idmap *methods);

/*
 * The text of a summary, stated bytes long, at the front of the len bytes that
 * the file has left at a place: puts it to made, an output to memory, with its
 * end if that is missing. Returns how many of the bytes it is; made is empty if
 * they hold too little of a summary.
 */
size_t
dmt_salvage_summary(struct dmt_salvage *salvage, struct dmt_output *made,
    const uint8_t *text, size_t stated, size_t len, uint64_t at);

#endif
