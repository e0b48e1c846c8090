/* convert.c - a trace in another dialect of the format */

/*
 * A stage gives the events of the reader the columns that the output needs: a
 * time that the trace does not have is the other one, a thread number or
 * method id that does not fit the output, or means something else there, is
 * one that is free. The writer then makes records of all columns.
 *
 * The key is that of the reader with another version and clock, its lines as
 * they stand. Methods are renumbered before the first event, since a stream
 * announces their lines; threads when their first event comes, so the table of
 * the threads is made at the end, where both kinds of output have their key.
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
#include "key/text.h"
#include "ops/op.h"
#include "trace/reader.h"
#include "trace/writer.h"

struct convert {
	struct dmtrace_op *op;
	struct dmtrace_reader *reader;
	struct dmtrace_writer *writer;
	const struct dmtrace_file *out;
	struct dmtrace_convert_options options;
	bool stream;			/* the output is one */
	struct dmtrace_layout layout;	/* of the output */
	uint64_t *method_ids;		/* of the output, by row of the key */
	uint64_t *losses;
};

struct convert_stage {
	struct dmtrace_source source;
	struct convert *convert;
	struct dmt_indexes out;		/* numbers and ids of the output, by
					   the indexes of the reader */
	struct dmt_idmap taken;		/* thread numbers */
	uint32_t next_number;		/* to look for a free one from */
};

static const struct {
	const char *name;
	const char *words;
} losses[DMTRACE_LOSSES] = {
	{ "cpu-dropped", "events lost their CPU time" },
	{ "wall-dropped", "events lost their wall time" },
	{ "cpu-invented", "events have their wall time as CPU time, too" },
	{ "wall-invented", "events have their CPU time as wall time, too" },
	{ "padding-dropped", "events lost bytes that no field holds" },
	{ "thread-renumbered", "threads have another number" },
	{ "thread-name-dropped", "earlier names of threads are left out" },
	{ "method-renumbered", "methods have another id" },
};

const char *
dmtrace_loss_name(enum dmtrace_loss loss)
{
	return (unsigned)loss < DMTRACE_LOSSES ? losses[loss].name : "";
}

const char *
dmtrace_loss_words(enum dmtrace_loss loss)
{
	return (unsigned)loss < DMTRACE_LOSSES ? losses[loss].words : "";
}

static bool
is_stream(const struct dmtrace_reader *reader)
{
	return reader->container == DMTRACE_CONTAINER_STREAM;
}

/* Rows have their ids, unless those do not fit or mean other methods, too. */
static enum dmtrace_status
choose_ids(struct convert *convert)
{
	const struct dmtrace_key *const key = convert->reader->key;
	const struct dmt_definitions *const definitions =
	    &convert->reader->definitions;
	const size_t count = dmtrace_key_method_count(key);
	size_t redefined = 0;		/* those of rows before this one */
	uint64_t next = 0;

	convert->method_ids = dmt_array_new(count + 1,
	    sizeof(*convert->method_ids));
	if (convert->method_ids == NULL)
		return dmt_error_memory(&convert->op->error);
	for (size_t i = 0; i < count; i++) {
		uint64_t id = dmtrace_key_method_get(key, i)->id;

		const bool again = redefined < definitions->redefined_count &&
		    definitions->redefined[redefined].row == i;

		redefined += again;
		if (id > UINT32_MAX || again) {
			do
				next += 4;
			while (dmtrace_key_method_find(key, next) != NULL);
			id = next;
			convert->losses[DMTRACE_LOSS_METHOD_ID]++;
		}
		convert->method_ids[i] = id;
	}
	return DMTRACE_OK;
}

static void
put_line(struct dmt_output *out, struct dmtrace_text line)
{
	dmt_output_write(out, line.bytes, line.len);
	dmt_output_write(out, "\n", 1);
}

/* Up to the first section after the options. */
static void
put_options(struct dmt_output *out, struct dmtrace_text rest)
{
	bool begun = false;

	while (rest.bytes != NULL && (!begun || !dmt_text_begins(rest, "*"))) {
		const struct dmtrace_text line = dmt_text_cut(&rest, '\n');

		begun |= dmt_text_trim(line).len > 0;
		put_line(out, line);
	}
}

/* The number in the output of a row of the reader's key; its own if no event
 * has it. */
static uint32_t
find_number(const struct convert_stage *stage,
    const struct dmtrace_thread *row)
{
	const struct dmt_indexes *const in = stage->source.from->indexes;

	if (stage->convert->losses[DMTRACE_LOSS_THREAD_NUMBER] == 0)
		return row->id;
	for (size_t i = 0; i < stage->out.thread_count; i++)
		if (in->threads[i].row == row &&
		    in->threads[i].number != stage->out.threads[i].number)
			return stage->out.threads[i].number;
	return row->id;
}

/* stage: NULL before there are events. */
static void
put_threads(struct dmt_output *out, struct convert *convert,
    const struct convert_stage *stage)
{
	const struct dmtrace_key *const key = convert->reader->key;
	char number[16];

	for (size_t i = 0; i < dmtrace_key_thread_count(key); i++) {
		const struct dmtrace_thread *const row =
		    dmtrace_key_thread_get(key, i);

		if (is_stream(convert->reader) &&
		    dmtrace_key_thread_find(key, row->id) != row) {
			convert->losses[DMTRACE_LOSS_THREAD_NAME] +=
			    stage == NULL;
			continue;
		}
		snprintf(number, sizeof(number), "%" PRIu32 "\t",
		    stage == NULL ? row->id : find_number(stage, row));
		dmt_output_write(out, number, strlen(number));
		put_line(out, row->name);
	}
}

static void
put_methods(struct dmt_output *out, const struct convert *convert)
{
	const struct dmtrace_key *const key = convert->reader->key;
	char id[24];

	for (size_t i = 0; i < dmtrace_key_method_count(key); i++) {
		struct dmtrace_text line = dmtrace_key_method_line(key, i);

		if (line.bytes == NULL || convert->method_ids[i] !=
		    dmtrace_key_method_get(key, i)->id) {
			snprintf(id, sizeof(id), "0x%" PRIx64,
			    convert->method_ids[i]);
			dmt_output_write(out, id, strlen(id));
			if (line.bytes != NULL) {
				dmt_text_cut(&line, '\t');
				dmt_output_write(out, "\t", 1);
			}
		}
		put_line(out, line);
	}
}

/* The key of the output; NULL: no memory, and the op has failed. */
static struct dmtrace_key *
make_key(struct convert *convert, const struct convert_stage *stage)
{
	const struct dmtrace_layout *const layout = &convert->layout;
	const struct dmtrace_key *const from = convert->reader->key;
	struct dmt_findings *const ignored = calloc(1, sizeof(*ignored));
	struct dmtrace_key *const key = dmtrace_key_new();
	struct dmt_output out;

	dmt_output_open_memory(&out);
	put_options(&out, from->text);
	dmt_output_write(&out, "*threads\n", 9);
	put_threads(&out, convert, stage);
	dmt_output_write(&out, "*methods\n", 9);
	put_methods(&out, convert);
	dmt_output_write(&out, "*end\n", 5);
	bool made = key != NULL && ignored != NULL &&
	    out.error.status == DMTRACE_OK &&
	    dmt_key_decode(key, out.buffer, out.used, ignored) == DMTRACE_OK &&
	    dmtrace_key_set_version(key, layout->version) == DMTRACE_OK;
	const struct dmtrace_layout *const said = dmtrace_layout_find(
	    layout->version, dmtrace_key_clock(from));
	if (made && (said == NULL || said->clock != layout->clock ||
	    dmtrace_clock_word(dmtrace_key_clock(from))[0] == '\0'))
		made = dmtrace_key_option_set(key, "clock",
		    dmtrace_clock_word(layout->clock)) == DMTRACE_OK;
	dmt_output_fini(&out);
	free(ignored);
	if (made)
		return key;
	dmtrace_key_free(key);
	dmt_error_memory(&convert->op->error);
	return NULL;
}

/* Whether records of the output can have that thread: no event of a stream has
 * a thread 0, which marks a packet. */
static bool
fits_thread(const struct convert *convert, uint32_t number)
{
	return number < dmt_layout_thread_numbers(&convert->layout) &&
	    (number != 0 || !convert->stream);
}

/* One that neither a record so far nor a row has. */
static bool
find_free_number(struct convert_stage *stage, uint32_t *number)
{
	const struct dmtrace_reader *const reader = stage->convert->reader;
	uint32_t next = stage->next_number;

	while (dmt_idmap_find(&stage->taken, next) != NULL ||
	    dmtrace_key_thread_match(reader->key, &stage->convert->layout,
	    next) != NULL)
		next++;
	*number = next;
	stage->next_number = next + 1;
	return fits_thread(stage->convert, next);
}

/* Makes room for indexes that came, and decides what they are called. */
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
		if (!fits_thread(stage->convert, thread->number)) {
			if (!find_free_number(stage, &thread->number))
				return dmt_error_set(error, DMTRACE_ERR_RANGE,
				    "there are more threads than version %u"
				    " can number",
				    stage->convert->layout.version);
			stage->convert->losses[DMTRACE_LOSS_THREAD_NUMBER]++;
		}
		if (!dmt_idmap_reserve(&stage->taken))
			return dmt_error_memory(error);
		dmt_idmap_put(&stage->taken, thread->number, 0);
	}
	for (; out->method_count < in->method_count; out->method_count++) {
		struct dmt_indexed_method *const method =
		    &out->methods[out->method_count];

		*method = in->methods[out->method_count];
		if (method->row == NULL)
			continue;
		const size_t row = (size_t)(method->row -
		    dmtrace_key_method_get(from, 0));
		method->id = stage->convert->method_ids[row] & ~UINT64_C(3);
		method->row = dmtrace_key_method_get(stage->source.key, row);
	}
	return DMTRACE_OK;
}

/* What the record of the output holds: us, modulo 2^32. */
static uint64_t
wrap_time(uint64_t time_ns)
{
	return time_ns / 1000 % (UINT64_C(1) << 32) * 1000;
}

static enum dmtrace_status
pull_converted(struct dmtrace_source *source, struct dmt_batch **out)
{
	struct convert_stage *const stage = (struct convert_stage *)source;
	const struct convert *const convert = stage->convert;
	const struct dmtrace_layout *const from = source->from->layout;
	const struct dmtrace_layout *const to = &convert->layout;

	if (dmt_pull(source->from, out) != DMTRACE_OK)
		return source->from->error.status;
	struct dmt_batch *const batch = *out;
	if (batch == NULL)
		return DMTRACE_OK;
	if (follow_indexes(stage) != DMTRACE_OK)
		return source->error.status;
	for (size_t i = 0; i < batch->kept; i++) {
		const size_t at = batch->keep[i];

		if (!dmt_layout_has_cpu(from))
			batch->cpu_ns[at] = batch->wall_ns[at];
		if (!dmt_layout_has_wall(from))
			batch->wall_ns[at] = batch->cpu_ns[at];
		batch->cpu_ns[at] = wrap_time(batch->cpu_ns[at]);
		batch->wall_ns[at] = wrap_time(batch->wall_ns[at]);
	}
	const bool from_cpu = dmt_layout_has_cpu(from);
	const bool to_cpu = dmt_layout_has_cpu(to);
	const bool from_wall = dmt_layout_has_wall(from);
	const bool to_wall = dmt_layout_has_wall(to);
	uint64_t *const counts = convert->losses;
	counts[DMTRACE_LOSS_CPU] += from_cpu && !to_cpu ? batch->kept : 0;
	counts[DMTRACE_LOSS_WALL] += from_wall && !to_wall ? batch->kept : 0;
	counts[DMTRACE_LOSS_CPU_INVENTED] +=
	    !from_cpu && to_cpu ? batch->kept : 0;
	counts[DMTRACE_LOSS_WALL_INVENTED] +=
	    !from_wall && to_wall ? batch->kept : 0;
	counts[DMTRACE_LOSS_PADDING] +=
	    dmt_layout_is_padded(from) ? batch->kept : 0;
	return DMTRACE_OK;
}

static enum dmtrace_status
rewind_converted(struct dmtrace_source *source)
{
	return dmtrace_source_rewind(source->from);
}

static void
want_columns(struct dmtrace_source *source, unsigned columns)
{
	(void)columns;
	dmt_want(source->from, DMT_COLUMN_ALL & ~DMT_COLUMN_FLAGS);
}

static void
fini_converted(struct dmtrace_source *source)
{
	struct convert_stage *const stage = (struct convert_stage *)source;

	dmt_indexes_fini(&stage->out);
	dmt_idmap_fini(&stage->taken);
}

static const struct dmt_input_kind convert_kind = {
	pull_converted, rewind_converted, want_columns, fini_converted
};

static enum dmtrace_status
open_output(struct convert *convert)
{
	struct dmtrace_writer *const writer = convert->writer;
	const struct dmtrace_file *const out = convert->out;

	dmtrace_writer_set_sync(writer,
	    (convert->options.flags & DMTRACE_SYNC) != 0);
	const enum dmtrace_status status = out->path == NULL ?
	    dmtrace_writer_open_fd(writer, out->fd) :
	    dmtrace_writer_open_path(writer, out->path);
	return status == DMTRACE_OK ? DMTRACE_OK :
	    dmt_op_fail(convert->op, out, dmtrace_writer_error(writer));
}

static enum dmtrace_status
copy_events(struct convert *convert, struct dmtrace_source *source)
{
	const struct dmtrace_file in =
	    { .path = dmtrace_reader_data_path(convert->reader) };
	struct dmtrace_op *const op = convert->op;
	struct dmt_batch *batch;

	dmtrace_source_set_progress(source, op->progress,
	    op->progress_context);
	dmt_want(source, dmt_writer_columns(convert->writer));
	for (;;) {
		if (dmt_pull(source, &batch) != DMTRACE_OK)
			return dmt_op_fail(op, &in, &source->error);
		if (batch == NULL)
			return DMTRACE_OK;
		if (dmt_writer_put(convert->writer, source, batch) !=
		    DMTRACE_OK)
			return dmt_op_fail(op, convert->out,
			    dmtrace_writer_error(convert->writer));
	}
}

static enum dmtrace_status
copy_trace(struct convert *convert)
{
	dmtrace_writer_set_like(convert->writer, convert->reader);
	if (open_output(convert) != DMTRACE_OK)
		return convert->op->error.status;
	if (convert->stream) {
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

static enum dmtrace_status
convert_events(struct convert *convert)
{
	struct dmtrace_writer *const writer = convert->writer;
	struct convert_stage *const stage = calloc(1, sizeof(*stage));
	struct dmtrace_source *const from =
	    dmtrace_source_new(convert->reader);
	struct dmtrace_key *key = NULL, *last;

	if (stage == NULL || from == NULL) {
		dmtrace_source_free(from);
		free(stage);
		return dmt_error_memory(&convert->op->error);
	}
	dmt_stage_init(&stage->source, &convert_kind, from);
	stage->convert = convert;
	stage->next_number = 1;
	dmtrace_writer_set_layout(writer, &convert->layout);
	dmtrace_writer_set_start(writer, convert->reader->header.start);
	if (convert->stream)
		dmt_writer_set_stream(writer);
	if (choose_ids(convert) == DMTRACE_OK)
		key = make_key(convert, NULL);
	stage->source.key = key;
	stage->source.indexes = &stage->out;
	if (key != NULL && open_output(convert) == DMTRACE_OK &&
	    copy_events(convert, &stage->source) == DMTRACE_OK) {
		last = make_key(convert, stage);
		if (last != NULL)
			dmt_writer_set_key(writer, last);
	}
	dmtrace_source_free(&stage->source);
	dmtrace_key_free(key);
	return convert->op->error.status;
}

/* The layout that is asked for, and whether the trace has it already. */
static enum dmtrace_status
choose_layout(struct convert *convert, bool *same)
{
	const enum dmtrace_dialect dialect = convert->options.dialect;
	const struct dmtrace_reader *const reader = convert->reader;
	const unsigned version = dialect == DMTRACE_DIALECT_F2 ? 2 :
	    dialect == DMTRACE_DIALECT_F3 ? 3 : (unsigned)dialect;
	enum dmtrace_clock clock = convert->options.clock;

	convert->stream = dialect > DMTRACE_DIALECT_V3;
	*same = version == reader->layout.version &&
	    convert->stream == is_stream(reader) &&
	    (clock == DMTRACE_CLOCK_MISSING || clock == reader->layout.clock);
	if (clock == DMTRACE_CLOCK_MISSING)
		clock = version == 3 ? DMTRACE_CLOCK_DUAL :
		    dmt_layout_has_wall(&reader->layout) ? DMTRACE_CLOCK_WALL :
		    DMTRACE_CLOCK_THREAD_CPU;
	if (dialect < DMTRACE_DIALECT_V1 || dialect > DMTRACE_DIALECT_F3 ||
	    (!*same && (version == 3) != (clock == DMTRACE_CLOCK_DUAL)))
		return dmt_error_set(&convert->op->error, DMTRACE_ERR_RANGE,
		    "records of version %u have %s", version, version == 3 ?
		    "two clocks, \"dual\"" : "one clock, \"cpu\" or \"wall\"");
	if (!*same)
		convert->layout = *dmtrace_layout_find(version, clock);
	return DMTRACE_OK;
}

/* Nothing may be lost. */
static enum dmtrace_status
check_strict(const struct convert *convert)
{
	for (unsigned i = 0; i < DMTRACE_LOSSES; i++)
		if (convert->options.strict && convert->losses[i] > 0)
			return dmt_error_set(&convert->op->error,
			    DMTRACE_ERR_RANGE, "%" PRIu64 " %s",
			    convert->losses[i], losses[i].words);
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

	dmt_op_begin(op);
	if (options != NULL)
		convert.options = *options;
	if (convert.options.dialect == 0)
		convert.options.dialect = DMTRACE_DIALECT_V3;
	if (dmtrace_reader_layout(reader) == NULL || reader->position != 0)
		return dmt_error_set(&op->error, DMTRACE_ERR_STATE,
		    "the reader is not at its first record");
	if (choose_layout(&convert, &same) != DMTRACE_OK)
		return op->error.status;
	convert.writer = dmtrace_writer_new();
	if (convert.writer == NULL)
		return dmt_error_memory(&op->error);
	if ((same ? copy_trace(&convert) : convert_events(&convert)) ==
	    DMTRACE_OK && check_strict(&convert) == DMTRACE_OK &&
	    dmtrace_writer_close(convert.writer) != DMTRACE_OK)
		dmt_op_fail(op, out, dmtrace_writer_error(convert.writer));
	dmtrace_writer_free(convert.writer);
	free(convert.method_ids);
	if (op->error.status == DMTRACE_OK && result != NULL)
		*result = made;
	return op->error.status;
}
