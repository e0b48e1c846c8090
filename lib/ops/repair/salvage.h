/* salvage.h - copies the undamaged packets of a damaged file */
#ifndef DMT_OPS_REPAIR_SALVAGE_H
#define DMT_OPS_REPAIR_SALVAGE_H

#include "base/idmap.h"
#include "ops/repair/repair.h"

/* One pass over the file. */
struct dmt_salvage {
	struct dmt_repair *repair;
	struct dmt_input *in;
	struct dmt_output *out;		/* NULL: only count */
	/* Definitions from anywhere in the file; NULL: unknown. */
	const struct dmtrace_key *known;
	struct dmt_changes changes;
	struct dmtrace_error error;	/* the first one ends the pass */
};

/* One function per format: copies what is complete to out. Failures are in
 * error. */
void
dmt_salvage_stream(struct dmt_salvage *salvage);
void
dmt_salvage_v2(struct dmt_salvage *salvage);

void
dmt_salvage_put(struct dmt_salvage *salvage, const void *bytes, size_t len);

/* Counts changes at an offset of the file; see dmt_change_add. */
void
dmt_salvage_note(struct dmt_salvage *salvage, enum dmt_finding which,
    uint64_t n, uint64_t at);

/* Adds the ids in salvage->known to two sets. false: no memory. */
bool
dmt_salvage_know(const struct dmt_salvage *salvage, struct dmt_idmap *threads,
    struct dmt_idmap *methods);

/* Writes the packet of a thread or method, which is at an offset of the file,
 * unless its text is zeroed. */
void
dmt_salvage_definition(struct dmt_salvage *salvage, const void *packet,
    size_t len, struct dmtrace_text text, uint64_t at);

/*
 * Repairs a summary whose text should have stated bytes, and begins at in; the
 * file has len bytes from there on. Writes it to made, an output to memory,
 * and adds its end if that is missing. Returns how many of the bytes belong to
 * it; made is empty if too little of a summary is left.
 */
size_t
dmt_salvage_summary(struct dmt_salvage *salvage, struct dmt_output *made,
    const uint8_t *text, size_t stated, size_t len, uint64_t at);

#endif
