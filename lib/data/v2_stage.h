/* v2_stage.h - which stage of trace format V2 a file is of */
#ifndef DMT_DATA_V2_STAGE_H
#define DMT_DATA_V2_STAGE_H

#include "base/idmap.h"
#include "data/v2.h"

/* Bytes from the first block on that are looked at. */
#define DMT_V2_STAGE_WINDOW (1024 * 1024)

/* The form of a file's blocks. One time, of versions 4 and 0xF4, is taken for
 * wall; the summary may say that it is CPU. */
struct dmt_v2_form
dmt_v2_form_of(const struct dmt_v2_header *header, enum dmt_v2_stage stage);

/* What was found, and how. */
struct dmt_v2_evidence {
	enum dmt_v2_stage stage;
	bool is_certain;	/* most records are what this stage has, or the
				   header names a counter */
	bool unit_guessed;	/* nothing shows whether the times are us or
				   ns, so that the summary is to be asked */
};

/*
 * Finds the stage by the header and by what decodes: len bytes at in, from the
 * first block on; more than DMT_V2_STAGE_WINDOW are not looked at. ended: the
 * file ends there. announced: the ids of methods that were listed before; those
 * of the window are added.
 *
 * Returns DMTRACE_OK or DMTRACE_ERR_MEMORY
 */
enum dmtrace_status
dmt_v2_stage_find(struct dmt_v2_evidence *evidence,
    const struct dmt_v2_header *header, struct dmt_idmap *announced,
    const uint8_t *in, size_t len, bool ended);

#endif
