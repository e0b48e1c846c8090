/* canonical.c - writes a valid trace in a form that every reader accepts */

/*
 * This is a conversion (lib/ops/convert/convert_stage.c) to a layout that every
 * reader accepts, with a key whose rows are all encoded anew
 * (canonical_key.c). Only what the cures ask for is changed, because a cure for
 * one reader is often a loss for all others.
 */

#include "verify/validate/canonical.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "events/select.h"
#include "format/header.h"
#include "private/key.h"
#include "verify/validate/check_events.h"

/* Chooses a layout with one time or two, by the times of the records and the
 * cures. */
static void
choose_canonical_layout(struct dmt_canonical *canonical)
{
	const struct dmtrace_reader *const reader = canonical->reader;
	const struct dmt_layout *const from = &reader->layout;
	const enum dmtrace_clock named = dmt_key_clock(reader->key);
	const bool adds = from->clock == DMTRACE_CLOCK_THREAD_CPU &&
	    (canonical->cures & DMT_CURE_DUAL) != 0;
	const bool keeps_1 = from->version == 1 && (canonical->cures &
	    (DMT_CURE_VERSION | DMT_CURE_THREADS)) == 0;
	const enum dmtrace_clock clock = adds ? DMTRACE_CLOCK_DUAL :
	    from->clock;
	const unsigned version = clock == DMTRACE_CLOCK_DUAL ? 3 :
	    keeps_1 ? 1 : 2;

	canonical->to.format = (struct dmt_trace_format){
		.dialect = &dmt_dialect_records,
		.version = (uint16_t)version,
		.layout = *dmt_layout_find(version, clock)
	};
	const size_t size =
	    dmt_layout_record_size(&canonical->to.format.layout);
	if (adds)
		dmt_change_add(canonical->changes, DMT_CLOCK_THREAD_CPU, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
	else if (named != clock)
		dmt_change_add(canonical->changes, dmt_clock_finding(named),
		    1, DMTRACE_PLACE_NONE, 0, "\"%s\"",
		    dmtrace_clock_name(clock));
	if (from->version != version ||
	    dmt_layout_record_size(from) != size)
		dmt_change_add(canonical->changes, DMT_RECORD_LAYOUT, 1,
		    DMTRACE_PLACE_NONE, 0, "version %u, %zu bytes", version,
		    size);
	if (reader->header.data_offset != DMT_HEADER_SIZE)
		dmt_change_add(canonical->changes, DMT_OFFSET_NOT_32, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
}

/* Returns the start time of the output. What was subtracted from the times is
 * added to it if it is in microseconds. For a reader that converts it to
 * nanoseconds, a start time in seconds is written in microseconds, and one that
 * is too late as 0. */
static uint64_t
get_canonical_start(struct dmt_canonical *canonical)
{
	const struct dmt_header *const header = &canonical->reader->header;
	const bool seconds = dmt_header_start_kind(header) ==
	    DMTRACE_START_SEC_USEC;
	uint64_t start = header->start;

	if ((canonical->cures & DMT_CURE_START) == 0)
		return seconds ? start : start + canonical->to.moved_us;
	if (seconds) {
		start = (start >> 32) * 1000000 + (start & UINT32_MAX);
		dmt_change_add(canonical->changes, DMT_START_HIGH, 1,
		    DMTRACE_PLACE_NONE, 0, "%" PRIu64 " us", start);
		return start + canonical->to.moved_us;
	}
	dmt_change_add(canonical->changes, DMT_START_HIGH_LOST, 1,
	    DMTRACE_PLACE_NONE, 0, "%" PRIu64 " us", start);
	return 0;
}

static enum dmtrace_status
write_canonical_events(struct dmt_canonical *canonical,
    struct dmtrace_source *stage)
{
	struct dmtrace_writer *const writer = canonical->writer;
	struct dmt_batch *batch;

	dmt_want(stage, 0);
	for (;;) {
		if (dmt_pull(stage, &batch) != DMTRACE_OK)
			return dmt_op_fail(canonical->op, NULL,
			    dmtrace_source_error(stage));
		if (batch == NULL)
			return DMTRACE_OK;
		canonical->written += batch->kept;
		if (dmt_writer_put(writer, stage, batch) != DMTRACE_OK)
			return dmt_op_fail(canonical->op, NULL,
			    dmtrace_writer_error(writer));
	}
}

enum dmtrace_status
dmt_canonical_write(struct dmt_canonical *canonical, int fd)
{
	struct dmtrace_op *const op = canonical->op;
	struct dmtrace_writer *const writer = canonical->writer;
	struct dmt_conversion *const to = &canonical->to;
	struct dmtrace_source *const from =
	    dmtrace_source_new(canonical->reader);
	struct dmtrace_key *key = NULL;

	to->from = canonical->reader->key;
	to->changes = canonical->changes;
	to->moves = (canonical->cures & DMT_CURE_TIMES) != 0;
	to->depth_max = (canonical->cures & DMT_CURE_DEPTH) != 0 ? DMT_DEEP :
	    (canonical->cures & DMT_CURE_DEPTH_MORE) != 0 ? DMT_DEEPER : 0;
	choose_canonical_layout(canonical);
	if (from != NULL)
		dmt_source_set_progress(from, op->progress,
		    op->progress_context);
	struct dmtrace_source *const stage = dmt_convert_stage_new(to, from);
	if (stage == NULL)
		return dmt_error_memory(&op->error);

	/* The key is first: it decides the numbers and ids of events. */
	dmt_writer_set_format(writer, &to->format);
	key = dmt_canonical_key(canonical);
	if (key == NULL)
		goto end;
	if (dmt_convert_learn(stage) != DMTRACE_OK) {
		dmt_op_fail(op, NULL, dmtrace_source_error(stage));
		goto end;
	}
	dmtrace_writer_set_start(writer, get_canonical_start(canonical));
	dmtrace_writer_open_fd(writer, fd);
	if (dmt_op_fail(op, NULL, dmtrace_writer_error(writer)) !=
	    DMTRACE_OK ||
	    write_canonical_events(canonical, stage) != DMTRACE_OK ||
	    dmt_canonical_put_counts(canonical, key) != DMTRACE_OK)
		goto end;
	dmt_writer_set_key(writer, key);
	key = NULL;
	dmtrace_writer_close(writer);
	dmt_op_fail(op, NULL, dmtrace_writer_error(writer));
end:
	dmtrace_source_free(stage);
	dmt_key_free(key);
	return op->error.status;
}

void
dmt_canonical_fini(struct dmt_canonical *canonical)
{
	dmt_conversion_fini(&canonical->to);
	dmt_idmap_fini(&canonical->numbers);
	dmt_name_table_fini(&canonical->option_names);
	dmt_name_table_fini(&canonical->thread_names);
	dmt_arena_fini(&canonical->names);
}
