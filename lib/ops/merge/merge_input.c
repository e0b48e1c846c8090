/* merge_input.c - the events of one of the traces, in terms of the output */

/*
 * A stage over the source of an input's reader. All inputs share the indexes of
 * threads and methods: one table that stays in a cache, where 64 would not. An
 * array says for each index what it is in the output for this input; those with
 * the same methods share that, too. The key has filled most of it, and what the
 * key does not list is added when a record first has it. One loop for each
 * layout of the output makes records of that layout: whatever the input's
 * layout was, the columns are the same.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
dmt_merge_map_grow(struct dmt_merge_map *map, size_t count)
{
	size_t capacity = map->count;
	uint32_t *const to = dmt_array_grow(map->to, &capacity, count,
	    sizeof(*to));

	if (to == NULL)
		return false;
	memset(to + map->count, 0, (capacity - map->count) * sizeof(*to));
	map->to = to;
	map->count = capacity;
	return true;
}

bool
dmt_merge_map_set(struct dmt_merge_map *map, size_t index, uint32_t to)
{
	if (!dmt_merge_map_grow(map, index + 1))
		return false;
	map->to[index] = to;
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
		input->told = dmtrace_reader_finding_count(reader);
	dmt_merge_input_report(input);
	if (status != DMTRACE_OK)
		return dmt_merge_fail(input->merge, input,
		    dmtrace_reader_error(reader));
	input->layout = *dmtrace_reader_layout(reader);
	input->header = *dmtrace_reader_header(reader);
	input->is_file = dmt_reader_is_file(reader);
	input->size = dmt_reader_size(reader);
	if (input->size > dmtrace_reader_offset(reader))
		input->records = dmt_records_in(&input->layout, input->size -
		    dmtrace_reader_offset(reader));
	input->source = dmtrace_source_new(reader);
	if (input->source == NULL)
		return dmt_error_memory(&input->merge->op->error);
	dmt_input_share(input->source, &input->merge->indexes);
	return DMTRACE_OK;
}

void
dmt_merge_input_report(struct dmt_merge_input *input)
{
	struct dmtrace_reader *const reader = input->reader;
	struct dmt_findings *const to =
	    dmt_op_findings(input->merge->op, &input->asked->file);

	for (; input->told < dmtrace_reader_finding_count(reader);
	    input->told++)
		if (to->report != NULL)
			to->report(to->context, dmtrace_reader_finding_get(
			    reader, input->told));
}

void
dmt_merge_input_fini(struct dmt_merge_input *input)
{
	dmtrace_source_free(input->source);
	dmtrace_reader_free(input->reader);
	free(input->threads.to);
	dmt_merge_methods_fini(input);
}

struct encoding {
	struct adopted *adopted;
	struct dmt_batch *batch;
	size_t first;			/* those before it have records */
};

/*
 * Makes a record of each event, and its order: its wall time, or an earlier one
 * of its input that is later; without order all are equal, and inputs follow
 * each other. The order takes the place of the wall times.
 *
 * Returns how many have one: fewer than there are if the times of the next one
 * do not fit 32 bits, or its thread or method is not known yet.
 */
DMT_INLINE size_t
encode_records(const void *context, const struct dmtrace_layout *layout)
{
	const struct encoding *const run = context;
	struct dmt_merge_input *const input = run->adopted->input;
	struct dmt_batch *const batch = run->batch;
	const uint32_t *const threads = input->threads.to;
	const uint32_t *const methods = input->methods->to;
	const uint64_t shift_us = (uint64_t)input->shift_us;
	const bool by_time = input->merge->result.by_time;
	uint64_t last_us = run->adopted->last_us, late = 0;
	uint8_t *out = run->adopted->records + run->first *
	    layout->record_size;
	size_t i;

	for (i = run->first; i < batch->count; i++) {
		const uint32_t thread = threads[batch->thread[i]];
		const uint32_t method = methods[batch->method[i]];
		const uint64_t moved_us = batch->wall_ns[i] / 1000 + shift_us;
		const uint64_t wall_us = layout->wall.width == 0 ? 0 :
		    moved_us;
		const uint64_t cpu_us = layout->cpu.width == 0 ? 0 :
		    batch->cpu_ns[i] / 1000 +
		    (layout->wall.width == 0 ? shift_us : 0);

		if (DMT_UNLIKELY((cpu_us | wall_us) >> 32 != 0 ||
		    thread == 0 || method == 0))
			break;
		dmt_field_put(layout->thread, out, thread - 1);
		dmt_field_put(layout->method, out,
		    (method - 1) | batch->action[i]);
		dmt_field_put(layout->cpu, out, cpu_us);
		dmt_field_put(layout->wall, out, wall_us);
		out += layout->record_size;

		late += moved_us < last_us;
		last_us = moved_us < last_us ? last_us : moved_us;
		batch->wall_ns[i] = by_time ? last_us : 0;
	}
	if (by_time) {
		run->adopted->last_us = last_us;
		input->merge->result.late += late;
	}
	return i;
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

/* Of an event that has no record yet. */
static enum dmtrace_status
add_unlisted(struct dmt_merge_input *input, const struct dmt_batch *batch,
    size_t at)
{
	struct dmt_merge *const merge = input->merge;

	if (input->threads.to[batch->thread[at]] == 0 &&
	    dmt_merge_thread_extend(merge, input, batch->thread[at]) !=
	    DMTRACE_OK)
		return merge->op->error.status;
	if (input->methods->to[batch->method[at]] == 0 &&
	    dmt_merge_method_extend(merge, input, batch->method[at]) !=
	    DMTRACE_OK)
		return merge->op->error.status;
	return DMTRACE_OK;
}

/* The loop is compiled for the layouts that outputs have. */
static enum dmtrace_status
make_records(struct adopted *adopted, struct dmt_batch *batch)
{
	struct dmt_merge_input *const input = adopted->input;
	const struct dmtrace_layout *const layout = adopted->source.layout;
	const struct dmt_indexes *const indexes = &input->merge->indexes;
	struct encoding run = { adopted, batch, 0 };
	uint8_t *const records = dmt_array_grow(adopted->records,
	    &adopted->capacity, batch->count * layout->record_size, 1);

	if (records != NULL)
		adopted->records = records;
	if (records == NULL ||
	    !dmt_merge_map_grow(&input->threads, indexes->thread_count) ||
	    !dmt_merge_map_grow(input->methods, indexes->method_count))
		return dmt_error_memory(&input->merge->op->error);
	for (;;) {
		run.first = dmt_loop(encode_records, &run, layout);
		if (run.first == batch->count)
			break;
		if (input->threads.to[batch->thread[run.first]] != 0 &&
		    input->methods->to[batch->method[run.first]] != 0)
			return fail_time(adopted, batch, run.first);
		if (add_unlisted(input, batch, run.first) != DMTRACE_OK)
			return input->merge->op->error.status;
	}
	batch->records = records;
	batch->order = batch->wall_ns;
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
	if (make_records(adopted, *out) == DMTRACE_OK)
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
static const struct dmt_input_kind adopted_kind = {
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
