/* merge_input.c - the events of one of the traces, in terms of the output */

/*
 * A stage over the source of an input's reader. The events have the input's
 * indexes of threads and methods, and an array says for each index what it is
 * in the output; the key has filled most of it, and what the key does not list
 * is added when its index first appears. One loop for each layout of the output
 * then makes records of that layout: whatever the input's layout was, the
 * columns are the same.
 */

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "data/record.h"
#include "ops/merge/merge.h"
#include "ops/merge/merger.h"

struct adopted {
	struct dmtrace_source source;
	struct dmt_merge_input *input;
	uint64_t last_us;		/* the order of the last event */
	uint8_t *records;		/* of the batch */
	size_t capacity;		/* bytes */
};

enum dmtrace_status
dmt_merge_fail(struct dmt_merge *merge, const struct dmt_merge_input *input,
    const struct dmtrace_error *error)
{
	return dmt_op_fail(merge->op, &input->asked->file, error);
}

bool
dmt_merge_map_set(struct dmt_merge_map *map, size_t index, uint32_t to)
{
	uint32_t *const grown = dmt_array_grow(map->to, &map->capacity,
	    index + 1, sizeof(*grown));

	if (grown == NULL)
		return false;
	map->to = grown;
	grown[index] = to;
	map->count = index + 1;
	return true;
}

enum dmtrace_status
dmt_merge_input_open(struct dmt_merge_input *input)
{
	const struct dmtrace_file *const file = &input->asked->file;
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	input->reader = reader;
	if (reader == NULL)
		return dmt_error_memory(&input->merge->op->error);
	const enum dmtrace_status status = file->path == NULL ?
	    dmtrace_reader_open_fd(reader, file->fd) :
	    dmtrace_reader_open_path(reader, file->path);
	if (input->merge->again)	/* these were reported */
		input->told = reader->findings.used;
	dmt_merge_input_report(input);
	if (status != DMTRACE_OK)
		return dmt_merge_fail(input->merge, input, &reader->error);
	input->layout = reader->layout;
	input->header = reader->header;
	input->offset = reader->source->offset;
	input->size = dmt_source_size(reader->source);
	input->is_file = reader->source->fd >= 0 && reader->source->seekable;
	input->source = dmtrace_source_new(reader);
	if (input->source == NULL)
		return dmt_error_memory(&input->merge->op->error);
	input->indexes = input->source->indexes;
	return DMTRACE_OK;
}

void
dmt_merge_input_report(struct dmt_merge_input *input)
{
	struct dmtrace_reader *const reader = input->reader;
	struct dmt_findings *const to =
	    dmt_op_findings(input->merge->op, &input->asked->file);

	for (; input->told < reader->findings.used; input->told++)
		if (to->report != NULL)
			to->report(to->context, dmt_finding_get(
			    &reader->findings, input->told));
}

void
dmt_merge_input_fini(struct dmt_merge_input *input)
{
	dmtrace_source_free(input->source);
	dmtrace_reader_free(input->reader);
	free(input->threads.to);
	free(input->methods.to);
}

/* What came first in the records that the input has read now. */
static enum dmtrace_status
extend_maps(struct dmt_merge_input *input)
{
	struct dmt_merge *const merge = input->merge;
	const struct dmt_indexes *const indexes = input->indexes;

	while (input->threads.count < indexes->thread_count)
		if (dmt_merge_thread_extend(merge, input,
		    input->threads.count) != DMTRACE_OK)
			return merge->op->error.status;
	while (input->methods.count < indexes->method_count)
		if (dmt_merge_method_extend(merge, input,
		    input->methods.count) != DMTRACE_OK)
			return merge->op->error.status;
	return DMTRACE_OK;
}

struct encoding {
	struct adopted *adopted;
	struct dmt_batch *batch;
};

/* Makes a record of each event. Returns how many: fewer than there are if the
 * times of the next one do not fit 32 bits. */
DMT_INLINE size_t
encode_records(const void *context, const struct dmtrace_layout *layout)
{
	const struct encoding *const run = context;
	const struct dmt_merge_input *const input = run->adopted->input;
	const struct dmt_batch *const batch = run->batch;
	const uint32_t *const threads = input->threads.to;
	const uint32_t *const methods = input->methods.to;
	const uint64_t shift_us = (uint64_t)input->shift_us;
	uint8_t *out = run->adopted->records;
	size_t i;

	for (i = 0; i < batch->count; i++, out += layout->record_size) {
		const uint64_t cpu_us = layout->cpu.width == 0 ? 0 :
		    batch->cpu_ns[i] / 1000 +
		    (layout->wall.width == 0 ? shift_us : 0);
		const uint64_t wall_us = layout->wall.width == 0 ? 0 :
		    batch->wall_ns[i] / 1000 + shift_us;

		if (DMT_UNLIKELY((cpu_us | wall_us) >> 32 != 0))
			break;
		dmt_field_put(layout->thread, out,
		    threads[batch->thread[i]] - 1);
		dmt_field_put(layout->method, out,
		    methods[batch->method[i]] | batch->action[i]);
		dmt_field_put(layout->cpu, out, cpu_us);
		dmt_field_put(layout->wall, out, wall_us);
	}
	return i;
}

/* The order of an event is its wall time, or an earlier one of its input that
 * is later; without order all are equal, and inputs follow each other. It
 * takes the place of the wall times. */
static void
fill_order(struct adopted *adopted, struct dmt_batch *batch)
{
	struct dmt_merge *const merge = adopted->input->merge;
	const bool by_time = merge->result.by_time;
	const uint64_t shift_us = (uint64_t)adopted->input->shift_us;
	uint64_t last_us = adopted->last_us, late = 0;

	for (size_t i = 0; i < batch->count; i++) {
		const uint64_t wall_us = batch->wall_ns[i] / 1000 + shift_us;

		late += wall_us < last_us;
		last_us = wall_us < last_us ? last_us : wall_us;
		batch->wall_ns[i] = by_time ? last_us : 0;
	}
	batch->order = batch->wall_ns;
	if (by_time) {
		adopted->last_us = last_us;
		merge->result.late += late;
	}
}

/* Whether its wall time would fit if the start times were not heeded. */
static bool
fits_at_zero(const struct dmt_merge_input *input, uint64_t wall_us)
{
	const int64_t offset_us = input->asked->offset_ns / 1000;

	return input->shift_us != offset_us &&
	    (wall_us + (uint64_t)input->shift_us) >> 32 != 0 &&
	    (wall_us + (uint64_t)offset_us) >> 32 == 0;
}

static enum dmtrace_status
fail_time(const struct adopted *adopted, const struct dmt_batch *batch,
    size_t at)
{
	const struct dmt_merge_input *const input = adopted->input;
	const bool has_wall = adopted->source.layout->wall.width != 0;
	const uint64_t wall_us = batch->wall_ns[at] / 1000;
	const uint64_t time_us = !has_wall ||
	    (wall_us + (uint64_t)input->shift_us) >> 32 == 0 ?
	    batch->cpu_ns[at] / 1000 : wall_us;
	const bool by_start = has_wall && fits_at_zero(input, wall_us);
	struct dmtrace_error error = { .status = DMTRACE_OK };

	dmt_error_at(&error, DMTRACE_ERR_RANGE, DMTRACE_PLACE_OFFSET,
	    dmt_batch_offset(adopted->source.from, batch, at), "a time of %"
	    PRIu64 " us, moved by %" PRId64 " us%s, is not below 2^32 us,"
	    " which is 71 minutes%s", time_us, input->shift_us, by_start ?
	    ", as the starts say" : "", by_start ?
	    "; --align zero moves none" : ", or is before zero");
	return dmt_merge_fail(input->merge, input, &error);
}

/* The loop is compiled for the layouts that outputs have. */
static enum dmtrace_status
make_records(struct adopted *adopted, struct dmt_batch *batch)
{
	const struct dmtrace_layout *const layout = adopted->source.layout;
	const struct encoding run = { adopted, batch };
	uint8_t *const records = dmt_array_grow(adopted->records,
	    &adopted->capacity, batch->count * layout->record_size, 1);

	if (records == NULL)
		return dmt_error_memory(&adopted->input->merge->op->error);
	adopted->records = records;
	const size_t done = dmt_loop(encode_records, &run, layout);
	if (done < batch->count)
		return fail_time(adopted, batch, done);
	batch->records = records;
	fill_order(adopted, batch);
	return DMTRACE_OK;
}

/* Counts times that the output has no field for. */
static void
count_events(struct dmt_merge *merge, const struct dmtrace_layout *from,
    size_t count)
{
	struct dmtrace_merge_result *const result = &merge->result;

	if (from->cpu.width != 0 && merge->layout.cpu.width == 0)
		result->cpu_dropped += count;
	if (from->wall.width != 0 && merge->layout.wall.width == 0)
		result->wall_dropped += count;
	result->events += count;
}

static enum dmtrace_status
pull_adopted(struct dmtrace_source *source, struct dmt_batch **out)
{
	struct adopted *const adopted = (struct adopted *)source;
	struct dmt_merge_input *const input = adopted->input;

	if (dmt_pull(source->from, out) != DMTRACE_OK)
		return dmt_merge_fail(input->merge, input,
		    &source->from->error);
	if (*out == NULL)
		return DMTRACE_OK;
	count_events(input->merge, &input->layout, (*out)->count);
	if (extend_maps(input) == DMTRACE_OK &&
	    make_records(adopted, *out) == DMTRACE_OK)
		return DMTRACE_OK;
	source->error = input->merge->op->error;
	return source->error.status;
}

/* All columns that can be odd, too: whatever is found is reported. */
static void
want_adopted(struct dmtrace_source *source, unsigned columns)
{
	(void)columns;
	dmt_want(source->from, DMT_COLUMN_ALL & ~DMT_COLUMN_FLAGS);
}

static void
fini_adopted(struct dmtrace_source *source)
{
	free(((struct adopted *)source)->records);
}

/* A merger reads its inputs once. */
static const struct dmt_source_kind adopted_kind = {
	pull_adopted, NULL, want_adopted, fini_adopted
};

bool
dmt_merge_input_adopt(struct dmt_merge_input *input)
{
	struct adopted *const adopted = calloc(1, sizeof(*adopted));

	if (adopted == NULL)
		return false;
	dmt_stage_init(&adopted->source, &adopted_kind, input->source);
	adopted->source.layout = &input->merge->layout;
	adopted->input = input;
	input->source = &adopted->source;
	return true;
}
