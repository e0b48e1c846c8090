/* v2_stage.h - detects the stage of a trace in format V2 */
#ifndef DMT_DATA_V2_STAGE_H
#define DMT_DATA_V2_STAGE_H

#include "base/idmap.h"
#include "data/v2.h"

/* How many bytes, from the first block on, are examined. */
#define DMT_V2_STAGE_WINDOW (1024 * 1024)

/* Returns the form of a file's blocks. The single time of versions 4 and 0xF4
 * is taken for wall time; the summary may say that it is CPU time. */
struct dmt_v2_form
dmt_v2_form_of(const struct dmt_v2_header *header, enum dmt_v2_stage stage);

/* Returns true, and the stage, if the header shows it; else leaves *stage. */
bool
dmt_v2_header_stage(const struct dmt_v2_header *header,
    enum dmt_v2_stage *stage);

/* The result, and how reliable it is. */
struct dmt_v2_evidence {
	enum dmt_v2_stage stage;
	bool is_certain;	/* more records are good than bad in this
				   stage, a thousand are fair, or the header
				   is marked */
	bool unit_guessed;	/* nothing shows if times are us or ns: check
				   the summary */
};

/*
 * Detects the stage by the header and by decoding len bytes at in, from the
 * first block on; at most DMT_V2_STAGE_WINDOW of them are examined. ended: the
 * file ends after them. announced has the ids of methods that were listed
 * before.
 *
 * Returns DMTRACE_OK or DMTRACE_ERR_MEMORY
 */
enum dmtrace_status
dmt_v2_stage_find(struct dmt_v2_evidence *evidence,
    const struct dmt_v2_header *header, const struct dmt_idmap *announced,
    const uint8_t *in, size_t len, bool ended);

#define DMT_V2_DUMP_LOOK 512

/* Returns true for packets of trace format V2 without the header: a dump of
 * long-running methods. It looks at the first DMT_V2_DUMP_LOOK bytes at most,
 * so that a pipe gets the same answer as a whole file in memory. */
bool
dmt_v2_dump_recognises(const uint8_t *bytes, size_t len);

#endif
