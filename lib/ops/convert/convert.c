/* convert.c - converts a trace to another version or stage of the format */

/*
 * A stage (convert_stage.c) fits the events to the output, and counts what is
 * lost; the writer then encodes all columns. The key (convert_key.c) is that
 * of the trace, written after the events unless all thread numbers fit.
 *
 * What other readers cannot read is a matter of cures: of the key, which is
 * then in canonical form, and of the numbers and times of events. dmtrace_fix
 * says which are needed. An output for all readers gets each that something in
 * it needs; before that, its events are repaired (mend_events.c) if a reader
 * fails on what is repaired there. Only what a cure asks for is changed,
 * because a cure for one reader is often a loss for all others.
 */

#include <dmtrace/ops.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "events/pipeline.h"
#include "format/header.h"
#include "key/key.h"
#include "ops/convert/convert.h"
#include "ops/convert/convert_key.h"
#include "ops/file.h"
#include "ops/repair/mend_events.h"
#include "private/key.h"
#include "private/ops.h"
#include "private/select.h"
#include "private/trace.h"
#include "trace/reader.h"
#include "trace/writer.h"

struct convert {
	struct dmtrace_op *op;
	struct dmtrace_reader *reader;
	struct dmtrace_writer *writer;
	const struct dmtrace_file *out;
	struct dmtrace_convert_options options;
	struct dmtrace_convert_result *result;
	struct dmt_conversion to;
	struct dmt_key_conversion key;
	struct dmtrace_key *mended;	/* the reader's key, with rows for all
					   events; NULL: nothing was missing */
	struct dmt_changes repaired;	/* of events, before the cures */
	struct dmt_changes cured;
};

static const struct {
	const char *name;
	const char *description;
} losses[DMTRACE_LOSSES] = {
	{ "cpu-dropped", "events lost their CPU time" },
	{ "wall-dropped", "events lost their wall time" },
	{ "cpu-from-wall", "events were given their wall time as CPU time" },
	{ "wall-from-cpu", "events were given their CPU time as wall time" },
	{ "padding-dropped", "events lost bytes that no field holds" },
	{ "thread-renumbered", "threads were renumbered" },
	{ "thread-name-dropped", "earlier names of threads are left out" },
	{ "method-renumbered", "methods were given another id" },
	{ "times-rounded", "times lost their nanoseconds" },
	{ "times-wrapped", "events have a time of more than 32 bits" },
	{ "exit-method-dropped", "exits seem to leave another method" },
	{ "start-changed", "start time does not fit the header" },
	{ "rest-dropped", "other parts of the trace are left out" },
	{ "line-dropped", "methods lost their line number" },
	{ "thread-named", "threads that are not listed were named" },
};

/* What has no place in the output. */
static const enum dmt_finding left_out[] = {
	DMT_KEY_SECTION_UNKNOWN, DMT_DATA_GAP, DMT_HEADER_PADDING,
	DMT_STREAM_TAIL
};

const char *
dmtrace_loss_name(enum dmtrace_loss loss)
{
	return (unsigned)loss < DMTRACE_LOSSES ? losses[loss].name : "";
}

const char *
dmt_loss_text(enum dmtrace_loss loss)
{
	return (unsigned)loss < DMTRACE_LOSSES ? losses[loss].description : "";
}

/* A repeated method has no packet of its own: it would redefine the id. */
static void
count_rest(struct convert *convert)
{
	uint64_t *const count = &convert->to.losses[DMTRACE_LOSS_REST];

	for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++)
		*count += dmt_reader_found(convert->reader, left_out[i]);
	if (convert->to.format.dialect->packets)
		*count += dmt_reader_found(convert->reader,
		    DMT_METHOD_REPEATED);
}

static enum dmtrace_status
copy_trace(struct convert *convert)
{
	dmtrace_writer_set_like(convert->writer, convert->reader);
	if (dmt_file_open_writer(convert->op, convert->writer,
	    convert->out) != DMTRACE_OK)
		return convert->op->error.status;
	if (dmt_writer_key_is_last(convert->writer)) {
		dmt_writer_copy_stream(convert->writer, convert->reader,
		    convert->op->progress, convert->op->progress_context);
		dmt_op_fail(convert->op, NULL, &convert->reader->error);
		return dmt_op_fail(convert->op, convert->out,
		    &convert->writer->error);
	}
	struct dmtrace_source *const source =
	    dmtrace_source_new(convert->reader);
	if (source == NULL)
		return dmt_error_memory(&convert->op->error);
	dmt_op_copy(convert->op, source, convert->writer, NULL);
	dmtrace_source_free(source);
	return convert->op->error.status;
}

/* Returns the start time of a canonical output. What was subtracted from the
 * times is added to it if it is in microseconds. For a reader that converts it
 * to nanoseconds, a start time in seconds is written in microseconds, and one
 * that is too late as 0. */
static uint64_t
get_canonical_start(struct convert *convert)
{
	const struct dmt_header *const header = &convert->reader->header;
	const bool seconds = dmt_header_start_kind(header) ==
	    DMTRACE_START_SEC_USEC;
	uint64_t start = header->start;

	if ((convert->key.cures & DMT_CURE_START) == 0)
		return seconds ? start : start + convert->to.moved_us;
	if (seconds) {
		start = dmt_header_start_us(header);
		dmt_change_add(convert->to.changes, DMT_START_HIGH, 1,
		    DMTRACE_PLACE_NONE, 0, "%" PRIu64 " us", start);
		return start + convert->to.moved_us;
	}
	dmt_change_add(convert->to.changes, DMT_START_HIGH_LOST, 1,
	    DMTRACE_PLACE_NONE, 0, "%" PRIu64 " us", start);
	return 0;
}

/* Sets the format of the writer, and the start time, and opens it. */
static enum dmtrace_status
open_converted(struct convert *convert)
{
	struct dmtrace_writer *const writer = convert->writer;
	const struct dmt_header *const header = &convert->reader->header;
	const unsigned rest_ns = dmt_reader_start_rest(convert->reader);
	struct dmt_trace_format own;

	dmt_reader_format(convert->reader, &own);
	if (!convert->to.format.ns)
		convert->to.losses[DMTRACE_LOSS_ROUNDED] += rest_ns != 0;
	else if (!own.ns)
		convert->to.losses[DMTRACE_LOSS_START] +=
		    dmt_header_start_us(header) > UINT64_MAX / 1000;
	dmt_writer_set_format(writer, &convert->to.format);
	dmtrace_writer_set_start(writer, convert->key.canonical ?
	    get_canonical_start(convert) : header->start);
	dmt_writer_set_start_rest(writer, rest_ns);
	return dmt_file_open_writer(convert->op, writer, convert->out);
}

/* Returns true if a reader fails on something that was repaired. */
static bool
is_repair_needed(const struct dmt_changes *changes)
{
	for (unsigned i = 0; i < DMT_ROW_COUNT; i++)
		if (changes->tallies[i].count > 0 && dmt_is_minded(i))
			return true;
	return false;
}

/* Chooses the cures that an output for all readers needs. */
static unsigned
choose_cures(const struct convert *convert, const struct dmt_mended *events,
    const struct dmt_indexes *indexes)
{
	const struct dmtrace_key *const key = convert->to.from;
	unsigned cures = DMT_CURE_UTF8 | DMT_CURE_ASCII | DMT_CURE_OPTIONS |
	    DMT_CURE_FILE | DMT_CURE_THREADS | DMT_CURE_NAMES | DMT_CURE_TRIM;

	for (size_t i = 0; i < indexes->method_count; i++)
		if (indexes->methods[i].id >> 31 != 0)
			cures |= DMT_CURE_METHODS;
	for (size_t i = 0; i < dmtrace_key_method_count(key); i++)
		if (dmtrace_key_method_get(key, i)->id >> 32 != 0)
			cures |= DMT_CURE_METHODS;
	if (events->deepest > DMT_DEEP)
		cures |= DMT_CURE_DEPTH;
	if (events->latest_ns >= DMT_HIGH_NS)
		cures |= DMT_CURE_TIMES;
	if (events->threads.count > 0 && dmt_start_is_high(
	    convert->reader->header.start, events->latest_ns))
		cures |= DMT_CURE_START;
	return cures;
}

/* For all readers: puts a stage on the source that repairs its events, if that
 * is necessary, and chooses the cures by what was seen. */
static enum dmtrace_status
cure_events(struct convert *convert, struct dmtrace_source **source)
{
	static const struct dmtrace_repair_options options =
	    { .flags = DMTRACE_REPAIR_EDGES };
	struct dmtrace_op *const op = convert->op;
	struct dmt_changes *const repaired = &convert->repaired;
	struct dmt_trace_format own;

	dmt_reader_format(convert->reader, &own);
	dmt_op_fail(op, NULL, dmt_reader_hold(convert->reader) == DMTRACE_OK ?
	    &op->error : &convert->reader->error);
	struct dmtrace_source *const stage = dmt_mend_events(
	    &(struct dmt_mend_input){ .source = *source, .wraps = !own.ns },
	    &options);
	*source = stage;
	convert->mended = dmt_key_copy(convert->reader->key);
	if (stage == NULL || convert->mended == NULL)
		return dmt_error_memory(&op->error);
	dmt_source_set_progress(stage, op->progress, op->progress_context);
	dmt_want_pass(stage, 1);
	dmt_want(stage, 0);
	if (dmt_mend_learn(stage) != DMTRACE_OK)
		return dmt_op_fail(op, NULL, dmtrace_source_error(stage));
	const struct dmt_mended *const mended = dmt_mend_found(stage);
	*repaired = mended->changes;
	if (dmt_mend_key(convert->mended, stage, true, repaired,
	    &op->error) != DMTRACE_OK)
		return op->error.status;

	if (is_repair_needed(repaired)) {
		dmt_mend_key_sign(convert->mended, mended, mended->records,
		    repaired, &op->error);
		dmt_indexes_set_key(stage->indexes, convert->mended);
		stage->key = convert->to.from = convert->mended;
	} else {
		memset(repaired, 0, sizeof(*repaired));
		dmt_mend_skip(stage);
	}
	convert->key.cures = choose_cures(convert, mended, stage->indexes);
	if (dmt_source_rewind(stage) != DMTRACE_OK)
		dmt_op_fail(op, NULL, dmtrace_source_error(stage));
	return op->error.status;
}

/* Gives the writer its key: first, or after the last event. */
static enum dmtrace_status
put_converted_key(struct convert *convert, const struct dmtrace_key *known,
    bool first)
{
	struct dmtrace_error *const error = &convert->op->error;
	struct dmtrace_writer *const writer = convert->writer;
	const bool made = first || convert->key.canonical;
	struct dmtrace_key *const key = made ? dmt_key_copy(known) :
	    dmt_converted_key(&convert->key, error);

	if (key == NULL)
		return made ? dmt_error_memory(error) : error->status;
	if (convert->key.canonical &&
	    dmt_converted_key_count(&convert->key, key, error) != DMTRACE_OK) {
		dmt_key_free(key);
		return error->status;
	}
	dmt_writer_set_key(writer, key);
	if (first)
		dmtrace_writer_complete(writer);
	return dmt_op_fail(convert->op, convert->out,
	    dmtrace_writer_error(writer));
}

static enum dmtrace_status
convert_events(struct convert *convert)
{
	const struct dmtrace_file in =
	    { .path = dmt_reader_data_path(convert->reader) };
	struct dmtrace_op *const op = convert->op;
	struct dmt_conversion *const to = &convert->to;
	const bool canonical = convert->key.canonical;
	struct dmtrace_source *events = dmtrace_source_new(convert->reader);
	struct dmtrace_source *stage = NULL;
	struct dmtrace_key *key = NULL;

	if (events == NULL)
		return dmt_error_memory(&op->error);
	if (convert->options.universal &&
	    cure_events(convert, &events) != DMTRACE_OK)
		goto end;
	const unsigned cures = convert->key.cures;
	to->moves = (cures & DMT_CURE_TIMES) != 0;
	to->depth_max = (cures & DMT_CURE_DEPTH) != 0 ? DMT_DEEP :
	    (cures & DMT_CURE_DEPTH_MORE) != 0 ? DMT_DEEPER : 0;
	/* If all threads keep their numbers, the key is known before the first
	 * event, and records need not be stored until the end. */
	const bool key_first = canonical ? !to->moves && to->depth_max == 0 :
	    !to->format.dialect->packets && to->format.layout.thread.width >=
	    convert->reader->layout.thread.width;

	stage = dmt_convert_stage_new(to, events);
	events = NULL;
	if (stage == NULL) {
		dmt_error_memory(&op->error);
		goto end;
	}
	dmt_source_set_progress(stage, op->progress, op->progress_context);
	count_rest(convert);
	key = dmt_converted_key(&convert->key, &op->error);
	if (key == NULL)
		goto end;
	if (!canonical)
		stage->key = to->key = key;
	if (dmt_convert_learn(stage) != DMTRACE_OK) {
		dmt_op_fail(op, NULL, dmtrace_source_error(stage));
		goto end;
	}
	if (open_converted(convert) != DMTRACE_OK || (key_first &&
	    put_converted_key(convert, key, true) != DMTRACE_OK) ||
	    dmt_op_copy_events(op, stage, convert->writer, &in,
	    convert->out) != DMTRACE_OK)
		goto end;
	for (size_t i = 0; to->format.names_threads &&
	    i < stage->from->indexes->thread_count; i++)
		to->losses[DMTRACE_LOSS_THREAD_NAMED] +=
		    stage->from->indexes->threads[i].row == NULL;
	if (!key_first)
		put_converted_key(convert, key, false);
end:
	dmtrace_source_free(stage);
	dmtrace_source_free(events);
	dmt_key_free(key);
	return op->error.status;
}

/* Chooses the format of the output; *same: the trace has it already. */
static enum dmtrace_status
choose_format(struct convert *convert, bool *same)
{
	const struct dmtrace_convert_options *const options =
	    &convert->options;
	const struct dmt_trace_format *const to = &convert->to.format;
	struct dmt_trace_format own;

	dmt_reader_format(convert->reader, &own);
	if (dmt_format_choose(&convert->to.format, options->dialect,
	    options->stage, options->clock, &own, &convert->op->error) !=
	    DMTRACE_OK)
		return convert->op->error.status;
	/* Other readers misread ids of 64 bits in versions 1 to 3. */
	*same = !options->universal && own.version == to->version &&
	    !own.headless && !convert->reader->summary_apart &&
	    own.layout.method.width == to->layout.method.width &&
	    own.blocks.stage == to->blocks.stage &&
	    (options->clock == DMTRACE_CLOCK_MISSING ||
	    own.layout.clock == to->layout.clock);
	return DMTRACE_OK;
}

/* Chooses a layout with one time or two, by the times of the records and the
 * cures; counts what the header and the key lose. */
static void
choose_cured_format(struct convert *convert)
{
	const struct dmtrace_reader *const reader = convert->reader;
	struct dmt_changes *const changes = convert->to.changes;
	const unsigned cures = convert->key.cures;
	const struct dmt_layout *const from = &reader->layout;
	const enum dmtrace_clock named = dmt_key_clock(reader->key);
	const bool adds = from->clock == DMTRACE_CLOCK_THREAD_CPU &&
	    (cures & DMT_CURE_DUAL) != 0;
	const bool keeps_1 = from->version == 1 &&
	    (cures & (DMT_CURE_VERSION | DMT_CURE_THREADS)) == 0;
	const enum dmtrace_clock clock = adds ? DMTRACE_CLOCK_DUAL :
	    from->clock;
	const unsigned version = clock == DMTRACE_CLOCK_DUAL ? 3 :
	    keeps_1 ? 1 : 2;

	convert->to.format = (struct dmt_trace_format){
		.dialect = &dmt_dialect_records,
		.version = (uint16_t)version,
		.layout = *dmt_layout_find(version, clock)
	};
	const size_t size =
	    dmt_layout_record_size(&convert->to.format.layout);
	if (adds)
		dmt_change_add(changes, DMT_CLOCK_THREAD_CPU, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
	else if (named != clock)
		dmt_change_add(changes, dmt_clock_finding(named),
		    1, DMTRACE_PLACE_NONE, 0, "\"%s\"",
		    dmtrace_clock_name(clock));
	if (reader->dialect->packets || from->version != version ||
	    dmt_layout_record_size(from) != size)
		dmt_change_add(changes, DMT_RECORD_LAYOUT, 1,
		    DMTRACE_PLACE_NONE, 0, "version %u, %zu bytes", version,
		    size);
	if (reader->header.data_offset != DMT_HEADER_SIZE)
		dmt_change_add(changes, DMT_OFFSET_NOT_32, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
	dmt_change_add(changes, DMT_METHOD_LINE_BAD,
	    dmt_reader_found(reader, DMT_METHOD_LINE_BAD),
	    DMTRACE_PLACE_NONE, 0, NULL);
}

/* Reports what was lost and, for all readers, what was changed. */
static enum dmtrace_status
report_converted(struct convert *convert)
{
	struct dmtrace_op *const op = convert->op;
	const uint64_t *const counts = convert->to.losses;

	for (unsigned i = 0; i < DMTRACE_LOSSES; i++)
		if (convert->options.strict && counts[i] > 0)
			return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
			    "%" PRIu64 " %s", counts[i],
			    losses[i].description);
	if (convert->result != NULL)
		memcpy(convert->result->losses, counts,
		    sizeof(convert->result->losses));
	if (!convert->options.universal)
		return DMTRACE_OK;
	dmt_changes_merge(&convert->repaired, convert->to.changes);
	return dmt_changes_report(&convert->repaired, convert->options.change,
	    convert->options.context, &op->error);
}

/* Converts, and gives the output its name. */
static void
write_converted(struct convert *convert, bool same)
{
	struct dmtrace_writer *const writer = convert->writer;

	dmtrace_writer_set_sync(writer,
	    (convert->options.flags & DMTRACE_SYNC) != 0);
	if ((same ? copy_trace(convert) : convert_events(convert)) ==
	    DMTRACE_OK && report_converted(convert) == DMTRACE_OK &&
	    dmtrace_writer_close(writer) != DMTRACE_OK)
		dmt_op_fail(convert->op, convert->out,
		    dmtrace_writer_error(writer));
}

static void
convert_free(struct convert *convert)
{
	dmtrace_writer_free(convert->writer);
	dmt_key_conversion_fini(&convert->key);
	dmt_conversion_fini(&convert->to);
	dmt_key_free(convert->mended);
	free(convert);
}

/* NULL: no memory, which is set in op. */
static struct convert *
convert_new(struct dmtrace_op *op, struct dmtrace_reader *reader,
    const struct dmtrace_file *out)
{
	struct convert *const convert = calloc(1, sizeof(*convert));

	if (convert == NULL) {
		dmt_error_memory(&op->error);
		return NULL;
	}
	convert->op = op;
	convert->reader = reader;
	convert->out = out;
	convert->to.from = reader->key;
	convert->to.changes = &convert->cured;
	convert->key.reader = reader;
	convert->key.to = &convert->to;
	convert->writer = dmtrace_writer_new();
	if (convert->writer != NULL)
		return convert;
	dmt_error_memory(&op->error);
	convert_free(convert);
	return NULL;
}

enum dmtrace_status
dmtrace_convert(struct dmtrace_op *op, struct dmtrace_reader *reader,
    const struct dmtrace_file *out,
    const struct dmtrace_convert_options *options,
    struct dmtrace_convert_result *result)
{
	struct dmtrace_convert_options own = { .flags = 0 };
	bool same = false;

	if (dmt_op_begin_call(op, __func__, reader == NULL || out == NULL) !=
	    DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (options != NULL)
		own = *options;
	if (own.dialect == 0)
		own.dialect = DMTRACE_DIALECT_V3;
	if (own.universal && own.clock == DMTRACE_CLOCK_MISSING)
		own.clock = DMTRACE_CLOCK_DUAL;
	if (dmt_reader_check_start(reader, &op->error, __func__) !=
	    DMTRACE_OK ||
	    dmt_op_check_flags(op, __func__, own.flags, DMTRACE_SYNC) !=
	    DMTRACE_OK)
		return op->error.status;
	if (own.universal && (own.dialect != DMTRACE_DIALECT_V3 ||
	    own.clock != DMTRACE_CLOCK_DUAL))
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "%s: all readers read only version 3 with two clocks",
		    __func__);
	struct convert *const convert = convert_new(op, reader, out);
	if (convert == NULL)
		return op->error.status;
	convert->options = own;
	convert->result = result;
	convert->key.canonical = own.universal;
	if (choose_format(convert, &same) == DMTRACE_OK)
		write_converted(convert, same);
	convert_free(convert);
	return op->error.status;
}

enum dmtrace_status
dmt_convert_cured(struct dmtrace_op *op, struct dmtrace_reader *reader,
    const struct dmtrace_file *out, unsigned cures,
    struct dmt_changes *changes)
{
	struct convert *const convert = convert_new(op, reader, out);

	if (convert == NULL)
		return op->error.status;
	convert->to.changes = changes;
	convert->key.canonical = true;
	convert->key.cures = cures;
	choose_cured_format(convert);
	write_converted(convert, false);
	convert_free(convert);
	return op->error.status;
}
