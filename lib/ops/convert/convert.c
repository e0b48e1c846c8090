/* convert.c - converts a trace to another version or stage of the format */

/*
 * A stage (convert_stage.c) fits the events to the output, and counts what is
 * lost; the writer then encodes all columns.
 *
 * The key is that of the reader with another version and clock; its other
 * lines are unchanged. Methods are renumbered before the first event, since a
 * stream announces their lines. Threads are renumbered when their first event
 * comes, so the table of threads is written at the end, unless all thread
 * numbers fit.
 */

#include <dmtrace/ops.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "events/pipeline.h"
#include "format/header.h"
#include "key/key.h"
#include "key/number.h"
#include "ops/convert/convert_stage.h"
#include "ops/file.h"
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
	struct dmt_conversion to;
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

/* Chooses the ids of all rows: the same id, unless it does not fit, or an
 * earlier row has it and the output has no packets to redefine it. */
static enum dmtrace_status
choose_ids(struct convert *convert)
{
	const struct dmtrace_key *const key = convert->reader->key;
	const struct dmt_definitions *const definitions =
	    &convert->reader->definitions;
	const size_t count = dmtrace_key_method_count(key);
	size_t redefined = 0;		/* redefinitions of earlier rows */

	convert->to.method_ids = dmt_array_new(count + 1,
	    sizeof(*convert->to.method_ids));
	if (convert->to.method_ids == NULL)
		return dmt_error_memory(&convert->op->error);
	for (size_t i = 0; i < count; i++) {
		uint64_t id = dmtrace_key_method_get(key, i)->id;

		/* Redefinitions that return to an earlier row are skipped. */
		while (redefined < definitions->redefined_count &&
		    definitions->redefined[redefined].row < i)
			redefined++;
		const bool again = redefined < definitions->redefined_count &&
		    definitions->redefined[redefined].row == i;
		if (!dmt_fits(convert->to.format.layout.method.width, id) ||
		    (again && !convert->to.format.dialect->packets)) {
			id = dmt_conversion_new_id(&convert->to);
			if (id == 0)
				return dmt_error_memory(&convert->op->error);
		}
		convert->to.method_ids[i] = id;
	}
	return DMTRACE_OK;
}

/* Makes the key of the output. */
struct key_rules {
	struct convert *convert;
	bool again;			/* after the events: what is lost was
					   counted */
	char elapsed[24];
};

/* Elapsed time: the dialect may have it in nanoseconds, or gets it in
 * microseconds. */
static bool
convert_option(void *context, size_t index, struct dmtrace_option *option)
{
	struct key_rules *const rules = context;
	struct convert *const convert = rules->convert;
	uint64_t elapsed_ns;

	(void)index;
	if (convert->to.format.dialect->ns_option ||
	    !dmt_text_is(option->name, DMT_OPTION_ELAPSED_NS) ||
	    !dmt_count_decode(&elapsed_ns, option->value))
		return true;
	snprintf(rules->elapsed, sizeof(rules->elapsed), "%" PRIu64,
	    elapsed_ns / 1000);
	option->name = dmt_text_of(DMT_OPTION_ELAPSED_US);
	option->value = dmt_text_of(rules->elapsed);
	convert->to.losses[DMTRACE_LOSS_ROUNDED] +=
	    !rules->again && elapsed_ns % 1000 != 0;
	return true;
}

/* The rows of a thread in packets are its names, the last one first. */
static bool
convert_thread(void *context, size_t index, struct dmtrace_thread *thread)
{
	struct key_rules *const rules = context;
	struct convert *const convert = rules->convert;
	const struct dmtrace_key *const from = convert->reader->key;
	const struct dmtrace_thread *const row =
	    dmtrace_key_thread_get(from, index);

	if (convert->reader->dialect->packets &&
	    !convert->to.format.dialect->packets &&
	    dmtrace_key_thread_find(from, row->id) != row) {
		convert->to.losses[DMTRACE_LOSS_THREAD_NAME] += !rules->again;
		return false;
	}
	const uint32_t *const number =
	    dmt_idmap_find(&convert->to.row_numbers, row->id);
	if (number != NULL)
		thread->id = *number;
	return true;
}

static bool
convert_method(void *context, size_t index, struct dmtrace_method *method)
{
	struct key_rules *const rules = context;

	method->id = rules->convert->to.method_ids[index];
	return true;
}

/* Makes the key of the output; NULL: the failure is set in op. A packet of ART
 * has no line number: Studio takes the LF that ends it for a part of it. */
static struct dmtrace_key *
make_key(struct convert *convert, bool again)
{
	struct dmtrace_error *const error = &convert->op->error;
	const struct dmt_layout *const layout = &convert->to.format.layout;
	const struct dmtrace_key *const from = convert->reader->key;
	struct key_rules own = { .convert = convert, .again = again };
	struct dmt_key_rules rules = {
		.option = convert_option,
		.thread = convert_thread,
		.method = convert_method,
		.context = &own,
		.form = DMT_KEY_ROWS,
		.cuts = convert->to.format.dialect->no_lines
	};
	struct dmtrace_key *key;

	if (dmt_key_rewrite(&key, from, &rules, error) != DMTRACE_OK)
		return NULL;
	if (!again)
		convert->to.losses[DMTRACE_LOSS_LINE] += rules.cut;
	const struct dmt_layout *const said = dmt_layout_find(
	    layout->version, dmt_key_clock(from));
	if (dmt_key_set_version(key, layout->version) == DMTRACE_OK &&
	    (said == NULL || said->clock != layout->clock ||
	    dmtrace_clock_name(dmt_key_clock(from))[0] == '\0'))
		dmtrace_key_option_set(key, DMT_OPTION_CLOCK,
		    dmtrace_clock_name(layout->clock));
	if (dmt_key_error(key)->status == DMTRACE_OK)
		return key;
	*error = *dmt_key_error(key);
	dmt_key_free(key);
	return NULL;
}

static enum dmtrace_status
open_converted(struct convert *convert)
{
	dmtrace_writer_set_sync(convert->writer,
	    (convert->options.flags & DMTRACE_SYNC) != 0);
	return dmt_file_open_writer(convert->op, convert->writer,
	    convert->out);
}

static enum dmtrace_status
copy_trace(struct convert *convert)
{
	dmtrace_writer_set_like(convert->writer, convert->reader);
	if (open_converted(convert) != DMTRACE_OK)
		return convert->op->error.status;
	if (dmt_writer_key_is_last(convert->writer)) {
		dmt_writer_copy_stream(convert->writer, convert->reader);
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

/* Sets the format of the writer, and the start time. */
static void
prepare_writer(struct convert *convert)
{
	const uint64_t start_us = convert->reader->header.start;
	const unsigned rest_ns = dmt_reader_start_rest(convert->reader);
	struct dmt_trace_format own;

	dmt_reader_format(convert->reader, &own);
	if (!convert->to.format.ns)
		convert->to.losses[DMTRACE_LOSS_ROUNDED] += rest_ns != 0;
	else if (!own.ns)
		convert->to.losses[DMTRACE_LOSS_START] +=
		    start_us > UINT64_MAX / 1000;
	dmt_writer_set_format(convert->writer, &convert->to.format);
	dmtrace_writer_set_start(convert->writer, start_us);
	dmt_writer_set_start_rest(convert->writer, rest_ns);
}

/* Stage F: the writer announces every thread. */
static void
count_unlisted(struct convert *convert, const struct dmt_indexes *indexes)
{
	for (size_t i = 0; i < indexes->thread_count; i++)
		convert->to.losses[DMTRACE_LOSS_THREAD_NAMED] +=
		    indexes->threads[i].row == NULL;
}

static enum dmtrace_status
convert_events(struct convert *convert)
{
	const struct dmtrace_file in =
	    { .path = dmt_reader_data_path(convert->reader) };
	struct dmtrace_writer *const writer = convert->writer;
	struct dmtrace_source *const stage = dmt_convert_stage_new(
	    &convert->to, dmtrace_source_new(convert->reader));
	/* If all threads keep their numbers, the key is known before the first
	 * event, and records need not be stored until the end. */
	const bool key_first = !convert->to.format.dialect->packets &&
	    convert->to.format.layout.thread.width >=
	    convert->reader->layout.thread.width;
	struct dmtrace_key *key = NULL, *written = NULL;

	if (stage == NULL)
		return dmt_error_memory(&convert->op->error);
	prepare_writer(convert);
	count_rest(convert);
	if (choose_ids(convert) == DMTRACE_OK)
		key = make_key(convert, false);
	stage->key = key;
	convert->to.key = key;
	if (key == NULL || open_converted(convert) != DMTRACE_OK)
		goto end;
	if (key_first) {
		written = dmt_key_copy(key);
		if (written == NULL) {
			dmt_error_memory(&convert->op->error);
			goto end;
		}
		dmt_writer_set_key(writer, written);
		dmtrace_writer_complete(writer);
		if (dmt_op_fail(convert->op, convert->out,
		    dmtrace_writer_error(writer)) != DMTRACE_OK)
			goto end;
	}
	const enum dmtrace_status status = dmt_op_copy_events(convert->op,
	    stage, writer, &in, convert->out);
	if (convert->to.format.blocks.stage == DMT_STAGE_F)
		count_unlisted(convert, stage->from->indexes);
	if (status == DMTRACE_OK && !key_first) {
		written = make_key(convert, true);
		if (written != NULL)
			dmt_writer_set_key(writer, written);
	}
end:
	dmtrace_source_free(stage);
	dmt_key_free(key);
	return convert->op->error.status;
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
	*same = own.version == to->version && !own.headless &&
	    !convert->reader->summary_apart &&
	    own.layout.method.width == to->layout.method.width &&
	    own.blocks.stage == to->blocks.stage &&
	    (options->clock == DMTRACE_CLOCK_MISSING ||
	    own.layout.clock == to->layout.clock);
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_convert(struct dmtrace_op *op, struct dmtrace_reader *reader,
    const struct dmtrace_file *out,
    const struct dmtrace_convert_options *options,
    struct dmtrace_convert_result *result)
{
	struct convert convert = { .op = op, .reader = reader, .out = out };
	const uint64_t *const counts = convert.to.losses;
	bool same = false;

	if (dmt_op_begin_call(op, __func__, reader == NULL || out == NULL) !=
	    DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (options != NULL)
		convert.options = *options;
	if (convert.options.dialect == 0)
		convert.options.dialect = DMTRACE_DIALECT_V3;
	if (dmt_reader_check_start(reader, &op->error, __func__) !=
	    DMTRACE_OK ||
	    dmt_op_check_flags(op, __func__, convert.options.flags,
	    DMTRACE_SYNC) != DMTRACE_OK)
		return op->error.status;
	if (choose_format(&convert, &same) != DMTRACE_OK)
		return op->error.status;
	convert.to.from = reader->key;
	convert.writer = dmtrace_writer_new();
	if (convert.writer == NULL)
		return dmt_error_memory(&op->error);
	enum dmtrace_status status =
	    same ? copy_trace(&convert) : convert_events(&convert);
	for (unsigned i = 0; i < DMTRACE_LOSSES; i++)
		if (status == DMTRACE_OK && convert.options.strict &&
		    counts[i] > 0)
			status = dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
			    "%" PRIu64 " %s", counts[i],
			    losses[i].description);
	if (status == DMTRACE_OK &&
	    dmtrace_writer_close(convert.writer) != DMTRACE_OK)
		dmt_op_fail(op, out, dmtrace_writer_error(convert.writer));
	dmtrace_writer_free(convert.writer);
	dmt_conversion_fini(&convert.to);
	if (op->error.status == DMTRACE_OK && result != NULL)
		memcpy(result->losses, counts, sizeof(result->losses));
	return op->error.status;
}
