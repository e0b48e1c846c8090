/* repair.c - makes a valid trace of a damaged one */

/*
 * A damaged trace is analysed by its bytes, in steps: the files are found
 * (open_input.c), then the end of the key and the magic of the data
 * (find_key.c), then the layout and the offset of the records
 * (find_records.c). If a program treated the data as text, that is undone
 * before (undo_text.c). From then on it is a trace like any other: a source
 * reads its records, and a stage repairs the events (mend_events.c), in two
 * passes. Between them the key is completed (mend_key.c): it gets missing
 * threads and methods, and says what was changed. write.c writes the result.
 *
 * For an ART stream or trace format V2, only the packets that are complete are
 * copied (salvage.c); a reader then finds events and definitions in them. The
 * rest is the same.
 *
 * Each step counts its changes by kind. If there are none, the trace is
 * copied.
 */

#include "ops/repair/repair.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "data/v2.h"
#include "key/key.h"
#include "key/line_text.h"
#include "private/key.h"
#include "private/select.h"
#include "trace/dialect.h"
#include "trace/reader.h"
#include "trace/records_source.h"

#define TEXT_SEARCHED 65536		/* bytes, as in validate */

/* Handles the status of a call that changes the key. */
static enum dmtrace_status
check_key(struct dmt_repair *repair, enum dmtrace_status status)
{
	return status == DMTRACE_OK ? DMTRACE_OK : dmt_op_fail(repair->op,
	    repair->in_file, dmt_key_error(repair->key));
}

/* Sets version and clock in the key to those of the records. */
static enum dmtrace_status
agree_with_records(struct dmt_repair *repair)
{
	struct dmtrace_key *const key = repair->key;
	struct dmt_changes *const changes = &repair->changes;
	const bool has_key = repair->key_file != NULL;
	const unsigned version = repair->layout.version;
	const unsigned named = dmt_key_version(key);

	if (named != version && has_key &&
	    changes->tallies[DMT_KEY_VERSION_BAD].count == 0)
		dmt_change_add(changes, DMT_VERSION_DIFFERS, 1,
		    DMTRACE_PLACE_LINE, 2, "the key has %u, the data %u",
		    named, version);
	if (named != version && check_key(repair,
	    dmt_key_set_version(key, version)) != DMTRACE_OK)
		return repair->op->error.status;

	/* A single clock need not be named, but a wrong name is corrected. */
	const enum dmtrace_clock clock = dmt_key_clock(key);
	const bool dual = repair->layout.clock == DMTRACE_CLOCK_DUAL;
	enum dmtrace_clock due = clock;
	if (dual)
		due = DMTRACE_CLOCK_DUAL;
	else if (!has_key)
		due = DMTRACE_CLOCK_WALL;
	else if (clock == DMTRACE_CLOCK_DUAL || clock == DMTRACE_CLOCK_UNKNOWN)
		due = DMTRACE_CLOCK_THREAD_CPU;
	if (due == clock)
		return DMTRACE_OK;
	const char *const word = dmtrace_clock_name(due);
	if (has_key)
		dmt_change_add(changes, dmt_clock_finding(clock), 1,
		    DMTRACE_PLACE_NONE, 0, "\"%s\"", word);
	if (check_key(repair, dmtrace_key_option_set(key, DMT_OPTION_CLOCK,
	    word)) == DMTRACE_OK && !dual)
		dmt_layout_set_clock(&repair->layout, dmt_key_clock(key));
	return repair->op->error.status;
}

/* Reports events that the recorder lost; they cannot be restored. */
static void
report_overflow(struct dmt_repair *repair)
{
	if (dmt_key_overflowed(repair->key))
		dmt_change_add(&repair->changes, DMT_OVERFLOW, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
}

/* Runs the first pass over the events: counts the changes, and finds the
 * threads and methods that the key must list. */
static enum dmtrace_status
judge_events(struct dmt_repair *repair, const struct dmt_mend_input *input)
{
	struct dmtrace_op *const op = repair->op;

	repair->events = dmt_mend_events(input, repair->options);
	if (repair->events == NULL)
		return dmt_error_memory(&op->error);
	dmt_source_set_progress(repair->events, op->progress,
	    op->progress_context);
	if (repair->out_file != NULL)
		dmt_want_pass(repair->events, 1);
	dmt_want(repair->events, 0);
	if (dmt_mend_learn(repair->events) != DMTRACE_OK)
		return dmt_op_fail(op, repair->in_file,
		    dmtrace_source_error(repair->events));
	repair->mended = dmt_mend_found(repair->events);
	dmt_changes_merge(&repair->changes, &repair->mended->changes);
	return DMTRACE_OK;
}

/* Completes the key: rows for all threads and methods of the events and, for
 * records, in empty tables; what was changed. */
static enum dmtrace_status
complete_key(struct dmt_repair *repair, bool fills)
{
	struct dmtrace_op *const op = repair->op;
	struct dmtrace_error error = { 0 };

	if (dmt_mend_key(repair->key, repair->events, fills, &repair->changes,
	    &error) == DMTRACE_OK && dmt_changes_count(&repair->changes) > 0)
		dmt_mend_key_sign(repair->key, repair->mended,
		    repair->records, &repair->changes, &error);
	return dmt_op_fail(op, repair->in_file, &error);
}

/* Repairs a trace of version 1 to 3, whose records all have the same size. */
static enum dmtrace_status
repair_records(struct dmt_repair *repair)
{
	struct dmtrace_op *const op = repair->op;

	if (dmt_repair_find_key(repair) != DMTRACE_OK ||
	    dmt_repair_find_records(repair) != DMTRACE_OK ||
	    agree_with_records(repair) != DMTRACE_OK)
		return op->error.status;
	report_overflow(repair);

	/* A record of zeros counts as one only if the key has thread 0 or
	 * method 0. */
	const bool has_0 = dmtrace_key_thread_find(repair->key, 0) != NULL ||
	    dmtrace_key_method_find(repair->key, 0) != NULL;
	const struct dmt_mend_input input = {
		.source = dmt_records_source_new(repair->data,
		    repair->data_at + repair->data_offset, repair->key,
		    &repair->layout, repair->records, !has_0),
		.wraps = true,
		.bare = true,
		.records = repair->records,
		.moved = repair->data == &repair->undone_file
	};
	if (judge_events(repair, &input) != DMTRACE_OK ||
	    complete_key(repair, true) != DMTRACE_OK)
		return op->error.status;
	return dmt_repair_write(repair);
}

/* Fails if packets of which no event is left were copied as text; also if less
 * than half of the bytes are left, as events are there by accident then, unless
 * only line ends were changed: packets without one are as they were. */
static enum dmtrace_status
refuse_text(struct dmt_repair *repair)
{
	struct dmt_input *const file = repair->data_file;
	const uint8_t *bytes;

	if (!repair->is_copy || (repair->records > 0 &&
	    dmt_input_size(&repair->undone_file) >= repair->data_size / 2))
		return DMTRACE_OK;
	dmt_input_rewind(file, 0);
	const size_t len = dmt_input_peek(file, TEXT_SEARCHED, &bytes);
	if (file->error.status != DMTRACE_OK)
		return dmt_op_fail(repair->op, repair->in_file, &file->error);
	const enum dmt_text_damage damage = dmt_text_damage_find(bytes,
	    len < TEXT_SEARCHED ? len : TEXT_SEARCHED);
	return damage == DMT_TEXT_CRLF && repair->records > 0 ? DMTRACE_OK :
	    dmt_repair_refuse_text(repair, damage);
}

/* Repairs a stream or trace format V2. Packets define threads and methods:
 * there are no tables to complete, and the key is their summary. */
static enum dmtrace_status
repair_packets(struct dmt_repair *repair)
{
	struct dmtrace_op *const op = repair->op;

	if (dmt_repair_salvage(repair) != DMTRACE_OK)
		return op->error.status;
	repair->layout = repair->reader->layout;
	repair->key = dmt_key_copy(repair->reader->key);
	if (repair->key == NULL)
		return dmt_error_memory(&op->error);
	report_overflow(repair);

	struct dmt_trace_format format;
	dmt_reader_format(repair->reader, &format);
	const struct dmt_mend_input input = {
		.source = dmtrace_source_new(repair->reader),
		.wraps = !format.ns,
		.moved = repair->is_copy
	};
	if (judge_events(repair, &input) != DMTRACE_OK)
		return op->error.status;
	repair->records = repair->mended->records;
	if (refuse_text(repair) != DMTRACE_OK)
		return op->error.status;
	if (complete_key(repair, false) != DMTRACE_OK)
		return op->error.status;
	dmt_indexes_set_key(repair->events->indexes, repair->key);
	repair->events->key = repair->key;
	return dmt_repair_write(repair);
}

enum dmtrace_status
dmt_repair_run(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *out,
    const struct dmtrace_repair_options *options,
    struct dmtrace_repair_result *result, struct dmt_changes *changes)
{
	enum dmtrace_status status;

	dmt_op_begin(op);
	if (dmt_op_check_flags(op, "dmtrace_repair", options->flags,
	    DMT_FILE_FLAGS | DMTRACE_REPAIR_EDGES) != DMTRACE_OK)
		return op->error.status;
	if ((unsigned)options->time > DMTRACE_REPAIR_DROP)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "dmtrace_repair: unknown value of time");
	struct dmt_repair *const repair = calloc(1, sizeof(*repair));
	if (repair == NULL)
		return dmt_error_memory(&op->error);
	repair->op = op;
	repair->in_file = in;
	repair->out_file = out;
	repair->options = options;
	dmt_input_open_memory(&repair->files[0], NULL, 0);
	dmt_input_open_memory(&repair->files[1], NULL, 0);
	dmt_input_open_memory(&repair->undone_file, NULL, 0);

	status = dmt_repair_open(repair);
	if (status == DMTRACE_OK)
		status = repair->container == DMTRACE_CONTAINER_DATA ?
		    repair_records(repair) : repair_packets(repair);

	if (status == DMTRACE_OK && result != NULL)
		*result = (struct dmtrace_repair_result){
			.changes = dmt_changes_count(&repair->changes),
			.records_in = repair->records,
			.records_out = repair->mended->records_out,
			.opened = repair->mended->opened,
			.closed = repair->mended->closed
		};
	if (status == DMTRACE_OK && changes != NULL)
		*changes = repair->changes;
	dmtrace_source_free(repair->events);
	dmtrace_reader_free(repair->reader);
	dmt_key_free(repair->key);
	dmt_input_fini(&repair->undone_file);
	dmt_output_fini(&repair->undone);
	dmt_input_fini(&repair->files[1]);
	dmt_input_fini(&repair->files[0]);
	free(repair);
	return status;
}

enum dmtrace_status
dmtrace_repair(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *out,
    const struct dmtrace_repair_options *options,
    struct dmtrace_repair_result *result)
{
	struct dmtrace_repair_options all = { 0 };

	if (dmt_op_begin_call(op, __func__, in == NULL) != DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (options != NULL)
		all = *options;
	return dmt_repair_run(op, in, out, &all, result, NULL);
}
