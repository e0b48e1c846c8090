/* convert_stage.h - a stage: events for another format */
#ifndef DMT_OPS_CONVERT_STAGE_H
#define DMT_OPS_CONVERT_STAGE_H

#include <dmtrace/ops.h>

#include "base/idmap.h"
#include "events/pipeline.h"
#include "format/change.h"
#include "trace/dialect.h"

#define DMT_NO_ID UINT64_MAX

/* What becomes of the events, and what became of them. */
struct dmt_conversion {
	struct dmt_trace_format format;	/* of the output */
	const struct dmtrace_key *from;	/* the key of the trace */
	const struct dmtrace_key *key;	/* that of the output, if it has the
					   same rows of methods; else NULL:
					   methods have no row */
	uint64_t *method_ids;		/* of the output, by row of from;
					   DMT_NO_ID: no event needs it */
	struct dmt_idmap numbers;	/* of the output, by number in the
					   records, of threads whose number is
					   decided */
	uint32_t depth_max;		/* drop deeper calls, with all calls
					   in them; 0: drop none */
	bool moves;			/* subtract the least times, so that
					   none needs more than 31 bits */
	struct dmt_changes *changes;	/* gets dropped calls and moved times;
					   NULL: there are none */

	struct dmt_idmap row_numbers;	/* of the output, by id of the row, of
					   threads whose number changed */
	struct dmt_idmap new_ids;	/* ids that no row of from has */
	uint64_t last_id;		/* that was chosen for a method */
	uint64_t losses[DMTRACE_LOSSES];
	uint64_t written;		/* number of events */
	uint64_t dropped;		/* the same */
	uint64_t opened_dropped;	/* of these, events that a filter had */
	uint64_t closed_dropped;	/* added at the start and at the end */
	uint64_t moved_us;		/* subtracted from all wall times, if
					   they can be compared */
};

/* Makes a stage; the conversion must outlive it. NULL: no memory; then from,
 * which may be NULL, is freed. */
struct dmtrace_source *
dmt_convert_stage_new(struct dmt_conversion *conversion,
    struct dmtrace_source *from);

/* Finds what to subtract from times, by a pass over all events, if they are
 * moved. Returns the status of the stage's error. */
enum dmtrace_status
dmt_convert_learn(struct dmtrace_source *source);

/* Returns an id that neither a row nor a method of the output has; 0: no
 * memory. */
uint64_t
dmt_conversion_new_id(struct dmt_conversion *conversion);

void
dmt_conversion_fini(struct dmt_conversion *conversion);

#endif
