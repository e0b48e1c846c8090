/* merge_input.c - converts the events of one input for the merged trace */

/*
 * A stage over the source of an input's reader. All inputs share one table of
 * thread and method indexes, which stays in the CPU's cache, while 64 tables
 * would not; only an input whose packets redefine an id has its own. For each
 * input, a map converts an index to the number or id in the output; inputs
 * with the same methods share that map, too. Most of it is filled from the
 * key; what the key lacks is added when a record first has it. Columns are the
 * same for all input layouts, so one loop for each layout of the output
 * encodes the records (dmt_columns_translate).
 */

#include "ops/merge/merge_input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "data/record_columns.h"
#include "events/select.h"
#include "key/number.h"
#include "ops/merge/merge_plan.h"
#include "ops/merge/merger.h"
#include "ops/split/piece_key.h"
#include "private/key.h"
#include "private/select.h"

struct adopted {
	struct dmtrace_source source;
	struct dmt_merge_input *input;
	struct dmt_merge_output *output;
	uint64_t last;			/* sort key of the last event */
	uint8_t *records;		/* of the batch */
	size_t capacity;		/* in bytes */
};

enum dmtrace_status
dmt_merge_input_fail(const struct dmt_merge_input *input,
    const struct dmtrace_error *error)
{
	return dmt_op_fail(input->op, &input->asked->file, error);
}

bool
dmt_merge_map_grow(struct dmt_merge_map *map, size_t count)
{
	uint32_t *const to = dmt_array_grow_zero(map->to, &map->count, count,
	    sizeof(*to));

	if (to == NULL)
		return false;
	map->to = to;
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

/* Takes what the key says about the whole trace. */
static void
take_key_facts(struct dmt_merge_input *input, const struct dmtrace_key *key)
{
	const struct dmtrace_option *const elapsed =
	    dmtrace_key_option_find(key, DMT_OPTION_ELAPSED_US);
	const struct dmtrace_option *const elapsed_ns =
	    dmtrace_key_option_find(key, DMT_OPTION_ELAPSED_NS);
	struct dmt_piece_facts facts;
	struct dmtrace_text block;

	input->overflowed = dmt_key_overflowed(key);
	input->has_elapsed = elapsed != NULL &&
	    elapsed->value.bytes != NULL &&
	    dmt_count_decode(&input->elapsed_us, elapsed->value);
	if (!input->has_elapsed && elapsed_ns != NULL &&
	    elapsed_ns->value.bytes != NULL) {
		input->has_elapsed =
		    dmt_count_decode(&input->elapsed_us, elapsed_ns->value);
		input->elapsed_us = (input->elapsed_us + 999) / 1000;
	}
	input->comparable = dmt_times_comparable(key, &input->layout);
	if (dmt_piece_lines_take(&facts, &block, key,
	    dmt_piece_lines_of(input->reader).packets))
		input->piece_id = facts.id;

	/* Nanoseconds, or ids of threads and methods that other records have
	 * no room for, require wide numbers. */
	const bool wide = dmt_layout_is_wide(&input->layout);
	input->wide = input->format.ns;
	for (size_t i = 0; wide && i < dmtrace_key_thread_count(key); i++)
		input->wide |= dmtrace_key_thread_get(key, i)->id > UINT16_MAX;
	for (size_t i = 0; wide && i < dmtrace_key_method_count(key); i++)
		input->wide |= dmtrace_key_method_get(key, i)->id > UINT32_MAX;
}

enum dmtrace_status
dmt_merge_input_open(struct dmt_merge_input *input,
    struct dmt_indexes *indexes, bool again)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	input->reader = reader;
	if (reader == NULL)
		return dmt_error_memory(&input->op->error);
	const enum dmtrace_status status =
	    dmt_reader_open_file(reader, &input->asked->file);
	if (again)
		input->reported = dmt_reader_finding_count(reader);
	dmt_merge_input_report(input);
	if (status != DMTRACE_OK)
		return dmt_merge_input_fail(input,
		    dmtrace_reader_error(reader));
	input->layout = *dmt_reader_layout(reader);
	input->header = *dmt_reader_header(reader);
	dmt_reader_format(reader, &input->format);
	input->start_ns = dmt_reader_start_rest(reader);
	input->is_file = dmt_reader_is_file(reader);
	input->size = dmt_reader_size(reader);
	take_key_facts(input, dmtrace_reader_key(reader));

	input->source = dmt_input_source(reader,
	    reader->definitions.redefined_count == 0 ? indexes : NULL);
	if (input->source == NULL)
		return dmt_error_memory(&input->op->error);
	input->indexes = input->source->indexes;
	return DMTRACE_OK;
}

void
dmt_merge_input_report(struct dmt_merge_input *input)
{
	struct dmtrace_reader *const reader = input->reader;
	struct dmt_findings *const to =
	    dmt_op_findings(input->op, &input->asked->file);

	for (; input->reported < dmt_reader_finding_count(reader);
	    input->reported++)
		if (to->report != NULL)
			to->report(to->context, dmtrace_reader_finding_get(
			    reader, input->reported));
}

void
dmt_merge_input_fini(struct dmt_merge_input *input)
{
	dmtrace_source_free(input->source);
	dmtrace_reader_free(input->reader);
	free(input->threads.to);
	dmt_merge_methods_leave(input);
}

static enum dmtrace_status
fail_time(const struct adopted *adopted, const struct dmt_batch *batch,
    size_t at)
{
	const struct dmt_merge_input *const input = adopted->input;
	const int64_t offset_us = input->asked->offset_ns / 1000;
	const bool has_wall = dmt_layout_has_wall(adopted->source.layout);
	const uint64_t wall_us = batch->wall_ns[at] / 1000;
	const bool wall_fits =
	    (wall_us + (uint64_t)input->shift_us) >> 32 == 0;
	/* It would fit if the start times were ignored. */
	const bool by_start = has_wall && !wall_fits &&
	    input->shift_us != offset_us &&
	    (wall_us + (uint64_t)offset_us) >> 32 == 0;
	const uint64_t time_us = has_wall && !wall_fits ? wall_us :
	    batch->cpu_ns[at] / 1000;
	struct dmtrace_error error = { .status = DMTRACE_OK };

	dmt_error_at(&error, DMTRACE_ERR_RANGE, DMTRACE_PLACE_OFFSET,
	    dmt_batch_offset(adopted->source.from, batch, at), "the event at %"
	    PRIu64 " us would be at %" PRId64 " us in the output, which has "
	    "times from 0 to 4294967295 us (71 minutes)%s", time_us,
	    (int64_t)time_us + input->shift_us, by_start ?
	    "; \"dmtrace merge --align=zero\" ignores when the inputs began" :
	    "");
	return dmt_merge_input_fail(input, &error);
}

/*
 * Encodes a record for each event. The sort key of an event is its wall time,
 * or the highest earlier one of the input if that is later. Without comparable
 * times all are equal, and inputs follow each other. The sort keys replace the
 * wall times, which are in the unit of the output.
 */
static enum dmtrace_status
make_adopted_records(struct adopted *adopted, struct dmt_batch *batch)
{
	struct dmt_merge_input *const input = adopted->input;
	struct dmt_merge_output *const output = adopted->output;
	const struct dmt_layout *const layout = adopted->source.layout;
	const struct dmt_indexes *const indexes = input->indexes;
	const bool by_time = output->result.by_time;
	uint8_t *const records = dmt_array_grow(adopted->records,
	    &adopted->capacity, (size_t)dmt_records_len(layout, batch->count),
	    1);

	if (records != NULL)
		adopted->records = records;
	if (records == NULL ||
	    !dmt_merge_map_grow(&input->threads, indexes->thread_count) ||
	    !dmt_merge_map_grow(input->methods, indexes->method_count))
		return dmt_error_memory(&input->op->error);
	for (size_t next = 0;;) {
		struct dmt_translation translation = {
			.threads = input->threads.to,
			.methods = input->methods->to,
			.shift_us = (uint64_t)input->shift_us,
			.order = batch->wall_ns,
			.last = adopted->last
		};

		next = dmt_columns_translate(records, layout, batch, next,
		    &translation);
		adopted->last = translation.last;
		output->result.late += by_time ? translation.late : 0;
		if (next == batch->count)
			break;

		/* This event could not be encoded: its thread or method is in
		 * no key, or its time does not fit. */
		const uint32_t thread = batch->thread[next];
		const uint32_t method = batch->method[next];
		const bool lists_thread = input->threads.to[thread] != 0;
		const bool lists_method = input->methods->to[method] != 0;
		if (lists_thread && lists_method)
			return fail_time(adopted, batch, next);
		if ((!lists_thread && dmt_merge_threads_extend(
		    &output->threads, input, thread) != DMTRACE_OK) ||
		    (!lists_method && dmt_merge_methods_extend(
		    &output->methods, input, method) != DMTRACE_OK))
			return input->op->error.status;
	}
	batch->records = records;
	batch->order = batch->wall_ns;
	if (!by_time)
		memset(batch->wall_ns, 0, batch->count *
		    sizeof(*batch->wall_ns));
	return DMTRACE_OK;
}

/* Returns how many events have a time that is not in whole microseconds. */
static uint64_t
count_rounded(const struct dmt_batch *batch, const struct dmt_layout *layout)
{
	const bool has_cpu = dmt_layout_has_cpu(layout);
	const bool has_wall = dmt_layout_has_wall(layout);
	uint64_t count = 0;

	for (size_t i = 0; i < batch->count; i++)
		count += (has_cpu && batch->cpu_ns[i] % 1000 != 0) ||
		    (has_wall && batch->wall_ns[i] % 1000 != 0);
	return count;
}

static enum dmtrace_status
pull_adopted(struct dmtrace_source *source, struct dmt_batch **out)
{
	struct adopted *const adopted = (struct adopted *)source;
	struct dmt_merge_input *const input = adopted->input;
	const struct dmt_layout *const from = &input->layout;
	struct dmtrace_merge_result *const result = &adopted->output->result;

	if (dmt_pull(source->from, out) != DMTRACE_OK)
		return dmt_merge_input_fail(input, &source->from->error);
	if (*out == NULL)
		return DMTRACE_OK;

	/* The output may lack a clock. */
	if (dmt_layout_has_cpu(from) && !dmt_layout_has_cpu(source->layout))
		result->cpu_dropped += (*out)->count;
	if (dmt_layout_has_wall(from) && !dmt_layout_has_wall(source->layout))
		result->wall_dropped += (*out)->count;
	if (dmt_layout_has_ns(from) && !dmt_layout_has_ns(source->layout))
		result->rounded += count_rounded(*out, source->layout);
	result->events += (*out)->count;

	if (make_adopted_records(adopted, *out) == DMTRACE_OK)
		return DMTRACE_OK;
	source->error = input->op->error;
	return source->error.status;
}

/* Asks for all columns that the records have, even if the caller needs none:
 * findings in each of them are reported. */
static void
want_adopted(struct dmtrace_source *source, unsigned columns)
{
	const struct dmt_layout *const layout = source->from->layout;

	(void)columns;
	dmt_want(source->from, DMT_COLUMN_THREAD | DMT_COLUMN_METHOD |
	    DMT_COLUMN_ACTION |
	    (dmt_layout_has_cpu(layout) ? DMT_COLUMN_CPU : 0) |
	    (dmt_layout_has_wall(layout) ? DMT_COLUMN_WALL : 0));
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
dmt_merge_input_adopt(struct dmt_merge_input *input,
    struct dmt_merge_output *output)
{
	struct adopted *const adopted = calloc(1, sizeof(*adopted));

	if (adopted == NULL)
		return false;
	dmt_stage_init(&adopted->source, &adopted_kind, input->source);
	adopted->source.layout = &output->layout;
	adopted->input = input;
	adopted->output = output;
	input->source = &adopted->source;
	return true;
}
