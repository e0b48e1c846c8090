/* convert.c - converts a trace to another version or stage of the format */

/*
 * A stage fills the columns that the output needs. A clock that the trace
 * lacks gets the times of the other clock; a thread number or method id that
 * does not fit, or has another meaning in the output, is replaced by a free
 * one. The writer then encodes all columns. What the output cannot hold is
 * counted: times are wrapped, and unwrapped as a reader of the output will do,
 * and where exits have no method, the calls are followed.
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
#include "data/unwrap.h"
#include "events/pipeline.h"
#include "format/header.h"
#include "key/key.h"
#include "key/number.h"
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
	struct dmt_trace_format format;	/* of the output */
	uint64_t *method_ids;		/* of the output, by row of the key */
	struct dmt_idmap new_ids;	/* ids that no row of the reader has */
	uint64_t next_id;		/* the search for a free one starts
					   after */
	uint64_t *losses;
};

struct convert_stage {
	struct dmtrace_source source;
	struct convert *convert;
	struct dmt_indexes out;		/* numbers and ids of the output; their
					   indexes are the reader's */
	struct dmt_idmap taken;		/* thread numbers in use */
	uint32_t next_number;		/* the search for a free one starts
					   here */
	struct dmt_clocks *clocks;	/* of a reader of the output, by
					   index */
	size_t clock_count;
	size_t clock_capacity;
	struct dmt_callstacks stacks;	/* calls of the output, for stage F */
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

#define WRAP_NS (UINT64_C(1000) << 32)	/* after this, a time of 32 bits
					   wraps */

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

/* Returns an id that neither a row nor a method of the output has; 0: no
 * memory. */
static uint64_t
find_free_id(struct convert *convert)
{
	do
		convert->next_id += 4;
	while (dmtrace_key_method_find(convert->reader->key,
	    convert->next_id) != NULL);
	convert->losses[DMTRACE_LOSS_METHOD_ID]++;
	return dmt_idmap_add(&convert->new_ids, convert->next_id, 0) ?
	    convert->next_id : 0;
}

/* A repeated method has no packet of its own: it would redefine the id. */
static void
count_rest(struct convert *convert)
{
	uint64_t *const count = &convert->losses[DMTRACE_LOSS_REST];

	for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++)
		*count += dmt_reader_found(convert->reader, left_out[i]);
	if (convert->format.dialect->packets)
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

	convert->method_ids = dmt_array_new(count + 1,
	    sizeof(*convert->method_ids));
	if (convert->method_ids == NULL)
		return dmt_error_memory(&convert->op->error);
	for (size_t i = 0; i < count; i++) {
		uint64_t id = dmtrace_key_method_get(key, i)->id;

		/* Redefinitions that return to an earlier row are skipped. */
		while (redefined < definitions->redefined_count &&
		    definitions->redefined[redefined].row < i)
			redefined++;
		const bool again = redefined < definitions->redefined_count &&
		    definitions->redefined[redefined].row == i;
		if (!dmt_fits(convert->format.layout.method.width, id) ||
		    (again && !convert->format.dialect->packets)) {
			id = find_free_id(convert);
			if (id == 0)
				return dmt_error_memory(&convert->op->error);
		}
		convert->method_ids[i] = id;
	}
	return DMTRACE_OK;
}

/* Makes the key of the output. */
struct key_rules {
	struct convert *convert;
	const struct convert_stage *stage;	/* NULL: there are no events
						   yet */
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
	if (convert->format.dialect->ns_option ||
	    !dmt_text_is(option->name, DMT_OPTION_ELAPSED_NS) ||
	    !dmt_count_decode(&elapsed_ns, option->value))
		return true;
	snprintf(rules->elapsed, sizeof(rules->elapsed), "%" PRIu64,
	    elapsed_ns / 1000);
	option->name = dmt_text_of(DMT_OPTION_ELAPSED_US);
	option->value = dmt_text_of(rules->elapsed);
	convert->losses[DMTRACE_LOSS_ROUNDED] +=
	    rules->stage == NULL && elapsed_ns % 1000 != 0;
	return true;
}

/* Returns the number in the output of a row of the reader's key; the same
 * number if no event has it. */
static uint32_t
find_number(const struct convert_stage *stage,
    const struct dmtrace_thread *row)
{
	const struct dmt_indexes *const in = stage->source.from->indexes;

	if (stage->convert->losses[DMTRACE_LOSS_THREAD_NUMBER] == 0)
		return row->id;
	for (size_t i = 0; i < stage->out.thread_count; i++)
		if (in->threads[i].row != NULL &&
		    in->threads[i].row->id == row->id &&
		    in->threads[i].number != stage->out.threads[i].number)
			return stage->out.threads[i].number;
	return row->id;
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
	    !convert->format.dialect->packets &&
	    dmtrace_key_thread_find(from, row->id) != row) {
		convert->losses[DMTRACE_LOSS_THREAD_NAME] +=
		    rules->stage == NULL;
		return false;
	}
	if (rules->stage != NULL)
		thread->id = find_number(rules->stage, row);
	return true;
}

static bool
convert_method(void *context, size_t index, struct dmtrace_method *method)
{
	struct key_rules *const rules = context;

	method->id = rules->convert->method_ids[index];
	return true;
}

/* Makes the key of the output; NULL: the failure is set in op. A packet of ART
 * has no more columns than line_columns says: Studio takes the LF that ends it
 * for a part of the line number. */
static struct dmtrace_key *
make_key(struct convert *convert, const struct convert_stage *stage)
{
	struct dmtrace_error *const error = &convert->op->error;
	const struct dmt_layout *const layout = &convert->format.layout;
	const struct dmtrace_key *const from = convert->reader->key;
	struct key_rules own = { .convert = convert, .stage = stage };
	struct dmt_key_rules rules = {
		.option = convert_option,
		.thread = convert_thread,
		.method = convert_method,
		.context = &own,
		.form = DMT_KEY_ROWS,
		.columns = convert->format.dialect->line_columns
	};
	struct dmtrace_key *key;

	if (dmt_key_rewrite(&key, from, &rules, error) != DMTRACE_OK)
		return NULL;
	if (stage == NULL)
		convert->losses[DMTRACE_LOSS_LINE] += rules.cut;
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

/* Returns true if events of the output can have that thread number. */
static bool
fits_thread(const struct convert *convert, uint32_t number)
{
	return number >= convert->format.dialect->first_thread &&
	    number < dmt_layout_thread_numbers(&convert->format.layout);
}

/* Finds a thread number that is in no record so far and in no row. false: none
 * is left. */
static bool
find_free_number(struct convert_stage *stage, uint32_t *number)
{
	const struct dmtrace_reader *const reader = stage->convert->reader;
	uint32_t next = stage->next_number;

	while (dmt_idmap_find(&stage->taken, next) != NULL ||
	    dmt_key_thread_match(reader->key, &stage->convert->format.layout,
	    next) != NULL)
		next++;
	*number = next;
	stage->next_number = next + 1;
	return fits_thread(stage->convert, next);
}

/* Adds the indexes that are new, and chooses their numbers and ids in the
 * output. */
static enum dmtrace_status
follow_indexes(struct convert_stage *stage)
{
	const struct dmt_indexes *const in = stage->source.from->indexes;
	const struct dmtrace_key *const from = stage->convert->reader->key;
	struct dmt_indexes *const out = &stage->out;
	struct dmtrace_error *const error = &stage->source.error;

	if (in->thread_count > out->thread_count) {
		struct dmt_indexed_thread *const items = dmt_array_grow(
		    out->threads, &out->thread_capacity, in->thread_count,
		    sizeof(*items));
		if (items == NULL)
			return dmt_error_memory(error);
		out->threads = items;
	}
	if (in->method_count > out->method_count) {
		struct dmt_indexed_method *const items = dmt_array_grow(
		    out->methods, &out->method_capacity, in->method_count,
		    sizeof(*items));
		if (items == NULL)
			return dmt_error_memory(error);
		out->methods = items;
	}
	for (; out->thread_count < in->thread_count; out->thread_count++) {
		struct dmt_indexed_thread *const thread =
		    &out->threads[out->thread_count];

		*thread = in->threads[out->thread_count];
		/* The listed number, where there is room for it: records may
		 * have its low bits. */
		if (thread->row != NULL &&
		    fits_thread(stage->convert, thread->row->id))
			thread->number = thread->row->id;
		if (!fits_thread(stage->convert, thread->number) ||
		    dmt_idmap_find(&stage->taken, thread->number) != NULL) {
			if (!find_free_number(stage, &thread->number))
				return dmt_error_set(error, DMTRACE_ERR_RANGE,
				    "there are more threads than version %u"
				    " can number",
				    stage->convert->format.layout.version);
			stage->convert->losses[DMTRACE_LOSS_THREAD_NUMBER]++;
		}
		if (dmt_idmap_at(&stage->taken, thread->number) == NULL)
			return dmt_error_memory(error);
	}
	for (; out->method_count < in->method_count; out->method_count++) {
		struct dmt_indexed_method *const method =
		    &out->methods[out->method_count];

		*method = in->methods[out->method_count];
		if (method->row == NULL) {
			if (dmt_fits(stage->convert->format.layout.method.width,
			    method->id) && dmt_idmap_find(
			    &stage->convert->new_ids, method->id) == NULL)
				continue;
			method->id = find_free_id(stage->convert);
			if (method->id == 0)
				return dmt_error_memory(error);
			continue;
		}
		const size_t row = (size_t)(method->row -
		    dmtrace_key_method_get(from, 0));
		method->id = stage->convert->method_ids[row] & ~UINT64_C(3);
		method->row = dmtrace_key_method_get(stage->source.key, row);
	}
	return DMTRACE_OK;
}

/* Returns the time that the output stores: microseconds modulo 2^32. Sets
 * *wrapped if a reader will unwrap it to another time, because the step from
 * the previous one is too large. */
static uint64_t
wrap_time(uint64_t time_ns, struct dmt_clock *clock, uint64_t *counts,
    bool *wrapped)
{
	const uint32_t time_us = (uint32_t)(time_ns / 1000);

	counts[DMTRACE_LOSS_ROUNDED] += time_ns % 1000 != 0;
	dmt_clock_turn(clock, time_us);
	clock->low_us = time_us;
	*wrapped |= dmt_clock_us(clock) != time_ns / 1000;
	return time_us * UINT64_C(1000);
}

/* Rounds and wraps times in nanoseconds for an output with microseconds, in
 * the columns of the output's clocks, or of the clock that replaces a missing
 * one. */
static enum dmtrace_status
wrap_times(struct convert_stage *stage, struct dmt_batch *batch)
{
	const struct dmt_layout *const from = stage->source.from->layout;
	const struct dmt_layout *const to = &stage->convert->format.layout;
	const bool cpu = dmt_layout_has_cpu(from) &&
	    (dmt_layout_has_cpu(to) || !dmt_layout_has_wall(from));
	const bool wall = dmt_layout_has_wall(from) &&
	    (dmt_layout_has_wall(to) || !dmt_layout_has_cpu(from));
	uint64_t *const counts = stage->convert->losses;
	struct dmt_clocks *const clocks = dmt_array_grow(stage->clocks,
	    &stage->clock_capacity, stage->out.thread_count, sizeof(*clocks));

	if (clocks == NULL)
		return dmt_error_memory(&stage->source.error);
	stage->clocks = clocks;
	while (stage->clock_count < stage->out.thread_count)
		clocks[stage->clock_count++] = (struct dmt_clocks){ { 0, 0 },
		    { 0, 0 } };
	for (size_t i = 0; i < batch->kept; i++) {
		const size_t at = batch->keep[i];
		struct dmt_clocks *const own = &clocks[batch->thread[at]];
		bool wrapped = false;

		if (cpu)
			batch->cpu_ns[at] = wrap_time(batch->cpu_ns[at],
			    &own->cpu, counts, &wrapped);
		if (wall)
			batch->wall_ns[at] = wrap_time(batch->wall_ns[at],
			    &own->wall, counts, &wrapped);
		counts[DMTRACE_LOSS_WRAPPED] += wrapped;
	}
	return DMTRACE_OK;
}

/* Stage F: an exit ends the innermost call, even if its method is another. */
static enum dmtrace_status
follow_calls(struct convert_stage *stage, const struct dmt_batch *batch)
{
	struct dmtrace_error *const error = &stage->source.error;
	struct dmt_step step;

	if (!dmt_callstacks_reserve(&stage->stacks, stage->out.thread_count))
		return dmt_error_memory(error);
	for (size_t i = 0; i < batch->kept; i++) {
		const size_t at = batch->keep[i];
		const uint32_t thread = batch->thread[at];
		const enum dmtrace_status status = dmt_callstack_step(
		    &stage->stacks, &stage->stacks.items[thread],
		    batch->method[at], batch->action[at], &step);

		if (status != DMTRACE_OK)
			return dmt_callstack_fail(&stage->stacks,
			    &stage->stacks.items[thread], status,
			    stage->out.threads[thread].number, 0, error);
		stage->convert->losses[DMTRACE_LOSS_EXIT_METHOD] +=
		    step.kind != DMT_STEP_ENTERED &&
		    step.kind != DMT_STEP_LEFT;
	}
	return DMTRACE_OK;
}

/* Wraps times that were read from microseconds, as they were stored. */
static void
rewrap_times(uint64_t *times_ns, const struct dmt_batch *batch)
{
	for (size_t i = 0; i < batch->count; i++)
		if (times_ns[i] >= WRAP_NS)
			times_ns[i] %= WRAP_NS;
}

static enum dmtrace_status
pull_converted(struct dmtrace_source *source, struct dmt_batch **out)
{
	struct convert_stage *const stage = (struct convert_stage *)source;
	const struct convert *const convert = stage->convert;
	const struct dmt_layout *const from = source->from->layout;
	const struct dmt_layout *const to = &convert->format.layout;

	if (dmt_pull(source->from, out) != DMTRACE_OK)
		return source->from->error.status;
	struct dmt_batch *const batch = *out;
	if (batch == NULL)
		return DMTRACE_OK;
	if (follow_indexes(stage) != DMTRACE_OK ||
	    (!convert->format.ns && dmt_layout_has_ns(from) &&
	    wrap_times(stage, batch) != DMTRACE_OK) ||
	    (convert->format.bare_exits &&
	    follow_calls(stage, batch) != DMTRACE_OK))
		return source->error.status;
	const bool from_cpu = dmt_layout_has_cpu(from);
	const bool to_cpu = dmt_layout_has_cpu(to);
	const bool from_wall = dmt_layout_has_wall(from);
	const bool to_wall = dmt_layout_has_wall(to);
	const bool rewraps = !convert->format.ns && !dmt_layout_has_ns(from);
	const size_t size = batch->count * sizeof(batch->cpu_ns[0]);
	if (rewraps && from_cpu)
		rewrap_times(batch->cpu_ns, batch);
	if (rewraps && from_wall)
		rewrap_times(batch->wall_ns, batch);
	if (!from_cpu)
		memcpy(batch->cpu_ns, batch->wall_ns, size);
	if (!from_wall)
		memcpy(batch->wall_ns, batch->cpu_ns, size);
	uint64_t *const counts = convert->losses;
	counts[DMTRACE_LOSS_CPU] += from_cpu && !to_cpu ? batch->kept : 0;
	counts[DMTRACE_LOSS_WALL] += from_wall && !to_wall ? batch->kept : 0;
	counts[DMTRACE_LOSS_CPU_FROM_WALL] +=
	    !from_cpu && to_cpu ? batch->kept : 0;
	counts[DMTRACE_LOSS_WALL_FROM_CPU] +=
	    !from_wall && to_wall ? batch->kept : 0;
	counts[DMTRACE_LOSS_PADDING] +=
	    dmt_records_len(from, 1) > dmt_layout_fields_size(from) ?
	    batch->kept : 0;
	return DMTRACE_OK;
}

static enum dmtrace_status
rewind_converted(struct dmtrace_source *source)
{
	return dmt_source_rewind(source->from);
}

static void
want_converted(struct dmtrace_source *source, unsigned columns)
{
	const struct dmt_layout *const from = source->from->layout;

	/* The column of a clock that the trace lacks is a copy of the other
	 * one. */
	columns = DMT_COLUMN_ALL & ~DMT_COLUMN_FLAGS;
	if (!dmt_layout_has_cpu(from))
		columns &= ~DMT_COLUMN_CPU;
	if (!dmt_layout_has_wall(from))
		columns &= ~DMT_COLUMN_WALL;
	dmt_want(source->from, columns);
}

static void
fini_converted(struct dmtrace_source *source)
{
	struct convert_stage *const stage = (struct convert_stage *)source;

	dmt_indexes_fini(&stage->out);
	dmt_idmap_fini(&stage->taken);
	dmt_callstacks_fini(&stage->stacks);
	free(stage->clocks);
}

static const struct dmt_input_kind convert_kind = {
	pull_converted, rewind_converted, want_converted, fini_converted
};

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
	if (!convert->format.ns)
		convert->losses[DMTRACE_LOSS_ROUNDED] += rest_ns != 0;
	else if (!own.ns)
		convert->losses[DMTRACE_LOSS_START] +=
		    start_us > UINT64_MAX / 1000;
	dmt_writer_set_format(convert->writer, &convert->format);
	dmtrace_writer_set_start(convert->writer, start_us);
	dmt_writer_set_start_rest(convert->writer, rest_ns);
}

/* Stage F: the writer announces every thread. */
static void
count_unlisted(struct convert *convert, const struct dmt_indexes *indexes)
{
	for (size_t i = 0; i < indexes->thread_count; i++)
		convert->losses[DMTRACE_LOSS_THREAD_NAMED] +=
		    indexes->threads[i].row == NULL;
}

static enum dmtrace_status
convert_events(struct convert *convert)
{
	const struct dmtrace_file in =
	    { .path = dmt_reader_data_path(convert->reader) };
	struct dmtrace_writer *const writer = convert->writer;
	struct convert_stage *const stage = calloc(1, sizeof(*stage));
	struct dmtrace_source *const from =
	    dmtrace_source_new(convert->reader);
	/* If all threads keep their numbers, the key is known before the first
	 * event, and records need not be stored until the end. */
	const bool key_first = !convert->format.dialect->packets &&
	    convert->format.layout.thread.width >=
	    convert->reader->layout.thread.width;
	struct dmtrace_key *key = NULL, *written = NULL;

	if (stage == NULL || from == NULL) {
		dmtrace_source_free(from);
		free(stage);
		return dmt_error_memory(&convert->op->error);
	}
	dmt_stage_init(&stage->source, &convert_kind, from);
	stage->convert = convert;
	stage->next_number = 1;
	dmt_callstacks_init(&stage->stacks, sizeof(struct dmt_call_frame));
	prepare_writer(convert);
	count_rest(convert);
	if (choose_ids(convert) == DMTRACE_OK)
		key = make_key(convert, NULL);
	stage->source.key = key;
	stage->source.indexes = &stage->out;
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
	    &stage->source, writer, &in, convert->out);
	if (convert->format.blocks.stage == DMT_STAGE_F)
		count_unlisted(convert, from->indexes);
	if (status == DMTRACE_OK && !key_first) {
		written = make_key(convert, stage);
		if (written != NULL)
			dmt_writer_set_key(writer, written);
	}
end:
	dmtrace_source_free(&stage->source);
	dmt_key_free(key);
	return convert->op->error.status;
}

/* Chooses the format of the output; *same: the trace has it already. */
static enum dmtrace_status
choose_format(struct convert *convert, bool *same)
{
	const struct dmtrace_convert_options *const options =
	    &convert->options;
	const struct dmt_trace_format *const to = &convert->format;
	struct dmt_trace_format own;

	dmt_reader_format(convert->reader, &own);
	if (dmt_format_choose(&convert->format, options->dialect,
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
	struct dmtrace_convert_result made = { 0 };
	struct convert convert = {
		.op = op,
		.reader = reader,
		.out = out,
		.losses = made.losses,
	};
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
	convert.writer = dmtrace_writer_new();
	if (convert.writer == NULL)
		return dmt_error_memory(&op->error);
	enum dmtrace_status status =
	    same ? copy_trace(&convert) : convert_events(&convert);
	for (unsigned i = 0; i < DMTRACE_LOSSES; i++)
		if (status == DMTRACE_OK && convert.options.strict &&
		    made.losses[i] > 0)
			status = dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
			    "%" PRIu64 " %s", made.losses[i],
			    losses[i].description);
	if (status == DMTRACE_OK &&
	    dmtrace_writer_close(convert.writer) != DMTRACE_OK)
		dmt_op_fail(op, out, dmtrace_writer_error(convert.writer));
	dmtrace_writer_free(convert.writer);
	free(convert.method_ids);
	dmt_idmap_fini(&convert.new_ids);
	if (op->error.status == DMTRACE_OK && result != NULL)
		*result = made;
	return op->error.status;
}
