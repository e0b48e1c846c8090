/* repair_key.h - the lines of a key, mended one by one */
#ifndef DMT_OPS_REPAIR_KEY_H
#define DMT_OPS_REPAIR_KEY_H

#include "base/idmap.h"
#include "base/sink.h"
#include "key/line_decode.h"
#include "key/section.h"
#include "ops/repair_change.h"

/* A key that is being mended: what comes out of each section. */
struct dmt_mender {
	struct dmt_changes *changes;
	struct dmt_findings findings;	/* of the row decoders */
	struct dmt_line line;		/* without its line end */
	enum dmt_section section;	/* that the line is in */
	unsigned seen;			/* a bit for each section so far */
	bool wants_number;		/* the line below "*version" */
	struct dmtrace_text number;	/* it; empty: none that is good */
	struct dmt_sink out[DMT_SECTION_END];	/* memory */
	struct dmt_idmap threads;	/* ids that have a line */
	struct dmt_idmap methods;
	bool no_memory;
};

/* Counts a change in the line, which is shown. */
void
dmt_mender_tell(struct dmt_mender *mender, enum dmt_change which);

/* Each puts the line, mended, to its section, or leaves it out. */
void
dmt_mender_thread(struct dmt_mender *mender);
void
dmt_mender_method(struct dmt_mender *mender);

/* Puts the line as it is. */
void
dmt_mender_put(struct dmt_mender *mender);

#endif
