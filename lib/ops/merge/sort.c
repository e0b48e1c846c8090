/* sort.c - sorts the events of a trace by time */

/*
 * An event is sorted by the highest time of its thread so far, so that the
 * events of a thread keep their order even if its clock stepped back. Events
 * that earlier filters inserted (options dmtrace-opened and dmtrace-closed)
 * stay first and last.
 *
 * A first pass checks if the events are in order already, as in most traces.
 * If so, the second pass returns them as they come, or the bytes of a stream
 * are copied with its packets. Otherwise it fills blocks
 * of memory with records and their sort keys, and sorts each block by radix
 * sort: the number of steps depends on the digits of the times, not on the
 * initial order. A block that holds the whole trace is returned from memory.
 * For a larger trace, each sorted block is written to the spool as a run, and
 * the merger merges the runs; equal times stay in the order of the blocks.
 *
 * If packets between the records redefine the ids of methods or rename threads,
 * a record alone does not determine its method and its thread's name: then
 * numbers for these are stored after it.
 *
 * Unsorted events are read twice, and written and read once more if memory is
 * too small. Using the runs that a trace already contains would save some of
 * that, but only for one kind of disorder, and with a second algorithm.
 */

#include <dmtrace/ops.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "data/record.h"
#include "data/record_list.h"
#include "events/select.h"
#include "key/key.h"
#include "ops/merge/merger.h"
#include "ops/op.h"
#include "private/key.h"
#include "private/trace.h"
#include "trace/reader.h"
#include "trace/spool.h"
#include "trace/writer.h"

#define MEMORY (UINT64_C(256) << 20)	/* the default limit */

enum {
	OWN_MEMORY = 9 << 20,	/* used by buffers and threads of the
				   program, */
	KEYS = 2,		/* and by the keys of reader and writer; the */
	LEFT_MIN = 1 << 20,	/* rest, but no less than this, is for
				   records */
	DIGIT_BITS = 11,
	DIGITS = 1 << DIGIT_BITS
};

/* A record of the block. */
struct item {
	uint64_t order;
	uint32_t index;
};

struct block {
	struct dmt_record_list records;	/* in input order */
	struct item *items;		/* one per record; sorted at the end */
	struct item *spare;
};

/* Some events of a sorted block or run, in order. */
struct portion {
	uint64_t *order;
	struct dmt_record_list records;
};

struct sort_stage {
	struct dmtrace_source source;
	uint64_t memory;
	const char *beside;		/* the spool is in the same directory */
	unsigned columns;		/* that the stage above asked for */
	bool learned;			/* ordered is known */
	bool begun;			/* the last pass has begun */
	bool ordered;
	bool has_edges;			/* some events were inserted by a
					   filter */
	uint64_t total;			/* number of events */
	uint64_t *tops;			/* the highest time, by thread index */
	uint64_t last;			/* sort key of the last event */
	uint64_t order[DMT_BATCH_EVENTS];	/* sort keys of the batch */
	struct dmt_layout kept;	/* layout of the sorted records: */
	bool redefines;			/* true: numbers follow each record */
	uint32_t names[DMT_BATCH_EVENTS];	/* of the batch */
	uint8_t *records;		/* of the batch, in that layout */
	struct block block;
	size_t runs;			/* number of blocks of the trace */
	struct portion portion;		/* of a block, to append it to the
					   spool */
	struct dmt_spool spool;
	struct dmtrace_source *merger;
};

/* An input of the merger: a sorted block, or a run in the spool. */
struct run {
	struct dmtrace_source source;
	const struct block *block;	/* NULL: the run is in the spool */
	struct dmt_spool *spool;
	uint64_t at;			/* position in the spool or the block */
	uint64_t left;			/* number of events */
	struct portion portion;
	struct dmt_batch batch;
};

/* Computes the sort keys of the events of a batch. Returns false if one is
 * less than the one before it. */
static bool
find_sort_order(struct sort_stage *stage, const struct dmt_batch *batch)
{
	const uint64_t *const times_ns =
	    dmt_clock_times(&stage->source, batch);
	const uint8_t *const flags = stage->has_edges ? batch->flags : NULL;
	const size_t count = batch->count;
	uint64_t *const tops = stage->tops, *const order = stage->order;
	uint64_t before = stage->last;
	unsigned back = 0;

	DMT_UNROLL
	for (size_t i = 0; i < count; i++) {
		uint64_t *const top = &tops[batch->thread[i]];
		uint64_t key = times_ns[i];

		if (DMT_UNLIKELY(key < *top))
			key = *top;
		else
			*top = key;
		if (flags != NULL && (flags[i] & DMT_EVENT_OPENED))
			key = 0;
		else if (flags != NULL && (flags[i] & DMT_EVENT_CLOSED))
			key = DMT_ORDER_LAST;
		back |= key < before;
		before = key;
		order[i] = key;
	}
	stage->last = before;
	return back == 0;
}

/* Returns to the first event, and sets the columns to fill. */
static enum dmtrace_status
begin_pass(struct sort_stage *stage, unsigned columns)
{
	if (dmt_source_rewind(stage->source.from) != DMTRACE_OK)
		return stage->source.from->error.status;
	for (size_t i = 0; i < stage->source.indexes->thread_count; i++)
		stage->tops[i] = 0;
	stage->last = 0;
	dmt_want(stage->source.from, columns);
	return DMTRACE_OK;
}

/* Runs the first pass. It reads the columns that are asked for, too, since
 * findings are only reported in the first pass. */
static enum dmtrace_status
learn_order(struct sort_stage *stage)
{
	struct dmtrace_source *const from = stage->source.from;
	bool ordered = true;
	struct dmt_batch *batch;

	dmt_want(from, DMT_COLUMN_THREAD | DMT_COLUMN_FLAGS | stage->columns |
	    dmt_clock_column(&stage->source));
	for (;;) {
		if (dmt_pull(from, &batch) != DMTRACE_OK)
			return from->error.status;
		if (batch == NULL)
			break;
		ordered &= find_sort_order(stage, batch);
		stage->total += batch->count;
	}
	stage->ordered = ordered;
	stage->learned = true;
	if (stage->ordered)	/* the second pass is the last one */
		dmt_drop_pass(from);
	return DMTRACE_OK;
}

/* Moves the items to the spare array, sorted by one digit of their sort key. */
static void
sort_digit(struct block *block, uint64_t least, unsigned shift)
{
	struct item *const from = block->items;
	struct item *const to = block->spare;
	size_t places[DIGITS] = { 0 };
	size_t place = 0;

	for (size_t i = 0; i < block->records.count; i++)
		places[(from[i].order - least) >> shift & (DIGITS - 1)]++;
	for (size_t digit = 0; digit < DIGITS; digit++) {
		const size_t count = places[digit];

		places[digit] = place;
		place += count;
	}
	for (size_t i = 0; i < block->records.count; i++)
		to[places[(from[i].order - least) >> shift & (DIGITS - 1)]++] =
		    from[i];
	block->items = to;
	block->spare = from;
}

/* Sorts by each digit in which sort keys differ, from the lowest on; each pass
 * is stable. */
static void
sort_block(struct block *block)
{
	const size_t count = block->records.count;
	uint64_t least = UINT64_MAX, most = 0;

	for (size_t i = 0; i < count; i++) {
		if (block->items[i].order < least)
			least = block->items[i].order;
		if (block->items[i].order > most)
			most = block->items[i].order;
	}
	for (unsigned shift = 0; shift < 64 && count > 0 &&
	    (most - least) >> shift > 0; shift += DIGIT_BITS)
		sort_digit(block, least, shift);
}

static void
free_block(struct block *block)
{
	dmt_record_list_fini(&block->records);
	free(block->items);
	free(block->spare);
	*block = (struct block){ .items = NULL };
}

/* Initialises a portion for up to count events. false: no memory. */
static bool
init_portion(struct portion *portion, const struct dmt_layout *layout,
    size_t count)
{
	portion->order = dmt_array_new(count, sizeof(*portion->order));
	return dmt_record_list_init(&portion->records, layout, count) &&
	    portion->order != NULL;
}

static void
free_portion(struct portion *portion)
{
	free(portion->order);
	dmt_record_list_fini(&portion->records);
	*portion = (struct portion){ .order = NULL };
}

/* Fills a portion with count events of a sorted block. */
static void
copy_sorted(struct portion *portion, const struct block *block, size_t at,
    size_t count)
{
	const struct item *const items = block->items + at;
	const uint8_t *const from = block->records.bytes;
	struct dmt_record_list records = portion->records;
	uint64_t *const order = portion->order;

	records.count = 0;
	for (size_t i = 0; i < count; i++) {
		order[i] = items[i].order;
		dmt_record_list_append(&records, from, items[i].index, 1);
	}
	portion->records = records;
}

static enum dmtrace_status
pull_run(struct dmtrace_source *source, struct dmt_batch **out)
{
	struct run *const run = (struct run *)source;
	struct portion *const portion = &run->portion;
	const size_t most = portion->records.capacity;
	const size_t count = run->left < most ? (size_t)run->left : most;

	if (count == 0)
		return DMTRACE_OK;
	if (run->block != NULL) {
		copy_sorted(portion, run->block, (size_t)run->at, count);
		run->at += count;
	} else if (dmt_spool_read_run(run->spool, &run->at, portion->order,
	    &portion->records, count) != DMTRACE_OK) {
		source->error = run->spool->error;
		return source->error.status;
	}
	run->left -= count;
	dmt_batch_begin(&run->batch, count);
	run->batch.records = portion->records.bytes;
	run->batch.order = portion->order;
	*out = &run->batch;
	return DMTRACE_OK;
}

/* The merger asks for no columns of a run. */
static void
want_nothing(struct dmtrace_source *source, unsigned columns)
{
	(void)source;
	(void)columns;
}

static void
fini_run(struct dmtrace_source *source)
{
	free_portion(&((struct run *)source)->portion);
}

/* The merger reads its inputs once. */
static const struct dmt_input_kind run_kind = {
	pull_run, NULL, want_nothing, fini_run
};

static struct dmtrace_source *
new_run(struct sort_stage *stage, uint64_t at, uint64_t count)
{
	const struct dmt_layout *const layout = &stage->kept;
	struct run *const run = calloc(1, sizeof(*run));

	if (run == NULL)
		return NULL;
	*run = (struct run){
		.source = { .kind = &run_kind, .layout = layout },
		.block = stage->block.items == NULL ? NULL : &stage->block,
		.spool = &stage->spool,
		.at = at,
		.left = count,
	};
	if (init_portion(&run->portion, layout,
	    stage->portion.records.capacity))
		return &run->source;
	dmtrace_source_free(&run->source);
	return NULL;
}

/*
 * Allocates a block, as large as memory and the trace allow, and a portion.
 * While runs are merged, each has a portion, and all portions together use
 * half of the memory.
 */
static enum dmtrace_status
begin_blocks(struct sort_stage *stage)
{
	const struct dmt_layout *const layout = &stage->kept;
	const uint64_t size = dmt_spool_run_len(layout, 1);
	struct block *const block = &stage->block;
	uint64_t capacity = stage->memory / 8 * 7 /
	    (dmt_records_len(layout, 1) + 2 * sizeof(struct item));

	if (capacity > stage->total)
		capacity = stage->total;
	if (capacity > UINT32_MAX)
		capacity = UINT32_MAX;
	if (capacity == 0)
		capacity = 1;
	block->items = dmt_array_new((size_t)capacity, sizeof(struct item));
	block->spare = dmt_array_new((size_t)capacity, sizeof(struct item));
	stage->records = dmt_array_new(DMT_BATCH_EVENTS,
	    (size_t)dmt_records_len(layout, 1));
	stage->runs = (size_t)((stage->total - 1) / capacity + 1);

	uint64_t most = stage->memory / 2 / stage->runs / size;
	if (most > DMT_BLOCK_SIZE / size)
		most = DMT_BLOCK_SIZE / size;
	if (most > DMT_BATCH_EVENTS)
		most = DMT_BATCH_EVENTS;
	if (!dmt_record_list_init(&block->records, layout, (size_t)capacity) ||
	    !init_portion(&stage->portion, layout,
	    most < 1 ? 1 : (size_t)most) || block->items == NULL ||
	    block->spare == NULL || stage->records == NULL)
		return dmt_error_memory(&stage->source.error);

	if (stage->runs > 1 &&
	    dmt_spool_open(&stage->spool, stage->beside) != DMTRACE_OK)
		stage->source.error = stage->spool.error;
	return stage->source.error.status;
}

/* Sorts the block; unless it has the whole trace, appends it to the spool and
 * empties it. */
static enum dmtrace_status
end_block(struct sort_stage *stage)
{
	struct block *const block = &stage->block;
	struct portion *const portion = &stage->portion;
	const size_t most = portion->records.capacity;

	sort_block(block);
	if (stage->runs == 1)
		return DMTRACE_OK;
	for (size_t at = 0; at < block->records.count; at += most) {
		const size_t left = block->records.count - at;

		copy_sorted(portion, block, at, left < most ? left : most);
		dmt_spool_append_run(&stage->spool, portion->order,
		    &portion->records);
	}
	block->records.count = 0;
	stage->source.error = stage->spool.output.error;
	return stage->source.error.status;
}

/* Runs the second pass, which fills block after block. */
static enum dmtrace_status
sort_blocks(struct sort_stage *stage)
{
	struct dmtrace_source *const from = stage->source.from;
	struct block *const block = &stage->block;
	uint64_t left = stage->total;
	struct dmt_batch *batch;

	for (;;) {
		if (dmt_pull(from, &batch) != DMTRACE_OK)
			return from->error.status;
		if (batch == NULL ? left > 0 : batch->count > left)
			return dmt_error_set(&stage->source.error,
			    DMTRACE_ERR_IO, "the input changed while it was "
			    "read");
		if (batch == NULL)
			return end_block(stage);
		left -= batch->count;
		find_sort_order(stage, batch);
		const uint8_t *records = batch->records;
		if (stage->redefines) {
			dmt_records_add_numbers(stage->records, from->layout,
			    records, batch->method, batch->names,
			    batch->count);
			records = stage->records;
		}
		for (size_t next = 0, count; next < batch->count;
		    next += count) {
			if (block->records.count == block->records.capacity &&
			    end_block(stage) != DMTRACE_OK)
				return stage->source.error.status;
			const size_t first = block->records.count;
			const size_t room = block->records.capacity - first;
			count = batch->count - next;
			if (count > room)
				count = room;
			dmt_record_list_append(&block->records, records, next,
			    count);
			for (size_t i = 0; i < count; i++)
				block->items[first + i] = (struct item){
					stage->order[next + i],
					(uint32_t)(first + i)
				};
		}
	}
}

/* Makes the merger, of the block or of the runs in the spool. */
static enum dmtrace_status
merge_runs(struct sort_stage *stage)
{
	const size_t count = stage->runs;
	const uint64_t length = stage->block.records.capacity;
	struct dmtrace_source **const runs =
	    dmt_array_new(count, sizeof(struct dmtrace_source *));
	size_t made = 0;

	if (count > 1) {
		free_block(&stage->block);
		if (dmt_spool_finish(&stage->spool) != DMTRACE_OK) {
			free(runs);
			stage->source.error = stage->spool.error;
			return stage->source.error.status;
		}
	}
	for (; runs != NULL && made < count; made++) {
		const uint64_t first = made * length;
		const uint64_t left = stage->total - first;

		runs[made] = new_run(stage,
		    dmt_spool_run_len(&stage->kept, first),
		    left < length ? left : length);
		if (runs[made] == NULL)
			break;
	}
	if (runs != NULL && made == count)
		stage->merger = dmt_merger_new(runs, count, stage->source.key,
		    &stage->kept, stage->source.indexes);
	else
		while (made > 0)
			dmtrace_source_free(runs[--made]);
	free(runs);
	if (stage->merger == NULL)
		return dmt_error_memory(&stage->source.error);
	dmt_want(stage->merger, stage->columns);
	return DMTRACE_OK;
}

/* Prepares the first batch: finds if the events are in order and, if not,
 * sorts them into runs. */
static enum dmtrace_status
begin_sort(struct sort_stage *stage)
{
	enum dmtrace_status status =
	    stage->learned ? DMTRACE_OK : learn_order(stage);

	if (status != DMTRACE_OK)
		return status;
	stage->begun = true;
	if (stage->ordered)
		return begin_pass(stage, stage->columns);
	status = begin_blocks(stage);
	if (status == DMTRACE_OK)
		status = begin_pass(stage, DMT_COLUMN_THREAD |
		    (stage->redefines ? DMT_COLUMN_METHOD : 0) |
		    DMT_COLUMN_FLAGS | DMT_COLUMN_RECORDS |
		    dmt_clock_column(&stage->source));
	if (status == DMTRACE_OK)
		status = sort_blocks(stage);
	return status == DMTRACE_OK ? merge_runs(stage) : status;
}

static enum dmtrace_status
pull_sorted(struct dmtrace_source *source, struct dmt_batch **batch)
{
	struct sort_stage *const stage = (struct sort_stage *)source;

	if (!stage->begun) {
		const enum dmtrace_status status = begin_sort(stage);

		if (status != DMTRACE_OK)
			return status;
	}
	if (stage->ordered)
		return dmt_pull(source->from, batch);
	if (dmt_pull(stage->merger, batch) != DMTRACE_OK) {
		source->error = stage->merger->error;
		return source->error.status;
	}
	if (*batch == NULL)
		return DMTRACE_OK;
	if (stage->redefines) {
		dmt_records_take_numbers(stage->records, (*batch)->method,
		    stage->names, source->layout, (*batch)->records,
		    (*batch)->count);
		(*batch)->records = stage->records;
		(*batch)->names = stage->names;
	}
	return dmt_report_last_pass(source,
	    dmt_records_len(source->layout, (*batch)->first + (*batch)->count),
	    dmt_records_len(source->layout, stage->total));
}

/* Frees all state. */
static void
fini_sort(struct dmtrace_source *source)
{
	struct sort_stage *const stage = (struct sort_stage *)source;

	dmtrace_source_free(stage->merger);
	stage->merger = NULL;
	free_block(&stage->block);
	free_portion(&stage->portion);
	dmt_spool_fini(&stage->spool);
	free(stage->records);
	stage->records = NULL;
	stage->learned = false;
	stage->begun = false;
	stage->total = 0;
}

static enum dmtrace_status
rewind_sorted(struct dmtrace_source *source)
{
	struct sort_stage *const stage = (struct sort_stage *)source;

	fini_sort(source);
	return begin_pass(stage, stage->columns);
}

static void
want_sorted(struct dmtrace_source *source, unsigned columns)
{
	struct sort_stage *const stage = (struct sort_stage *)source;

	stage->columns = columns;
	if (stage->merger != NULL)
		dmt_want(stage->merger, columns);
	else if (stage->begun)
		dmt_want(source->from, columns);
}

static const struct dmt_input_kind sort_kind = {
	pull_sorted, rewind_sorted, want_sorted, fini_sort
};

/* NULL: no memory; then from is freed. */
static struct dmtrace_source *
new_sort_stage(struct dmtrace_source *from, bool redefines, uint64_t memory,
    const char *beside)
{
	struct sort_stage *const stage = from == NULL ? NULL :
	    calloc(1, sizeof(*stage));

	if (stage == NULL) {
		dmtrace_source_free(from);
		return NULL;
	}
	dmt_stage_init(&stage->source, &sort_kind, from);
	stage->memory = memory;
	stage->beside = beside;
	stage->kept = *from->layout;
	stage->redefines = redefines;
	if (redefines)
		dmt_layout_add_numbers(&stage->kept);
	const struct dmt_key_counts counts = dmt_key_counts(from->key);
	stage->has_edges = counts.opened > 0 || counts.closed > 0;
	dmt_spool_init(&stage->spool);
	dmt_attach(from, &stage->tops, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*stage->tops) });
	dmt_want_pass(from, 1);	/* to sort */
	dmt_want_pass(from, 1);	/* and for what merging reports as progress */
	return &stage->source;
}

int
dmt_reader_is_sortable(const struct dmtrace_reader *reader)
{
	return dmt_times_comparable(dmtrace_reader_key(reader),
	    dmt_reader_layout(reader));
}

struct dmtrace_source *
dmt_source_sort(struct dmtrace_source *from, uint64_t memory)
{
	/* The reader is unknown here: it may redefine ids. */
	return new_sort_stage(from, true, memory == 0 ? MEMORY :
	    memory < LEFT_MIN ? LEFT_MIN : memory, NULL);
}

enum dmtrace_status
dmtrace_sort(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer,
    const struct dmtrace_sort_options *given)
{
	struct dmtrace_sort_options options = { 0 };

	if (dmt_op_begin_call(op, __func__, reader == NULL || writer == NULL) !=
	    DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (given != NULL)
		options = *given;
	if (options.memory == 0)
		options.memory = MEMORY;
	if (dmt_op_check_like(op, __func__, reader, writer) != DMTRACE_OK)
		return op->error.status;
	if (options.memory < DMTRACE_SORT_MEMORY_MIN)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "%" PRIu64 " bytes of memory are too few: sorting takes "
		    "at least %d MiB", options.memory,
		    DMTRACE_SORT_MEMORY_MIN >> 20);
	const struct dmtrace_key *const key = dmtrace_reader_key(reader);
	const char *const clock = dmtrace_clock_name(dmt_key_clock(key));
	if (!options.any_clock && !dmt_reader_is_sortable(reader))
		return dmt_error_set(&op->error, DMTRACE_ERR_UNSUPPORTED,
		    "times of different threads cannot be compared:"
		    " clock \"%s\", version %u", clock[0] != '\0' ? clock :
		    "thread-cpu", dmt_reader_header(reader)->version);

	const uint64_t taken =
	    OWN_MEMORY + KEYS * (uint64_t)dmt_key_memory(key) +
	    dmt_key_encoded_size(key);
	struct dmtrace_source *const source = new_sort_stage(
	    dmtrace_source_new(reader),
	    reader->definitions.redefined_count > 0 ||
	    reader->definitions.named_count > 0,
	    options.memory < taken + LEFT_MIN ? LEFT_MIN :
	    options.memory - taken, dmt_writer_target(writer));
	if (source == NULL)
		return dmt_error_memory(&op->error);
	dmt_source_set_progress(source, op->progress, op->progress_context);
	dmt_want(source, dmt_writer_columns(writer));
	struct sort_stage *const stage = (struct sort_stage *)source;
	if (learn_order(stage) != DMTRACE_OK)
		dmt_op_fail(op, NULL, source->error.status != DMTRACE_OK ?
		    &source->error : &source->from->error);
	else if (stage->ordered)
		dmt_op_copy_whole(op, reader, source, writer, NULL);
	else
		dmt_op_copy(op, source, writer, NULL);
	dmtrace_source_free(source);
	return op->error.status;
}
