/* sort.c - a trace's events in the order of their times */

#include "ops/sort.h"

#include <dmtrace/sort.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/options.h"
#include "events/select.h"
#include "key/added.h"
#include "ops/chunk.h"
#include "ops/sort_copy.h"
#include "ops/weave.h"

enum {
	OWN_MEMORY = 9 << 20,	/* of the program, its buffers and threads, */
	KEY_COPIES = 7,		/* and for each byte of a key; what is left */
	LEFT_MIN = 1 << 20,	/* is for records */
	RUN_MEMORY = 128,	/* bytes for a run, with its place in order */
	RUN_MIN = 16,		/* records of a run that is worth it, in mean */
	BUFFER_MIN = 4096	/* bytes of each run that overlaps others */
};

void
dmtrace_sort_options_init(struct dmtrace_sort_options *options)
{
	*options = (struct dmtrace_sort_options){
		.size = sizeof(*options),
		.memory = UINT64_C(256) << 20,
	};
}

static struct dmtrace_sort_options
with_defaults(const struct dmtrace_sort_options *options)
{
	struct dmtrace_sort_options all;

	dmtrace_sort_options_init(&all);
	dmt_options_take(&all, sizeof(all), options);
	return all;
}

/* Of that memory, what is for records. */
static uint64_t
left_for_records(const struct dmtrace_reader *reader, uint64_t memory)
{
	const uint64_t taken = OWN_MEMORY + KEY_COPIES *
	    (uint64_t)dmtrace_key_encoded_size(dmtrace_reader_key(reader));

	return memory < taken + LEFT_MIN ? LEFT_MIN : memory - taken;
}

enum dmtrace_status
dmt_sort_read_fail(struct dmt_sort *sort)
{
	return dmt_op_fail(sort->op, NULL, &sort->reader->error);
}

enum dmtrace_status
dmt_sort_write_fail(struct dmt_sort *sort)
{
	return dmt_op_fail(sort->op, NULL, &sort->writer->error);
}

uint64_t
dmt_sort_total(const struct dmt_sort *sort)
{
	return dmt_source_size(sort->reader->source) *
	    (sort->copies ? 1 : 2);
}

/* The temporary that holds what memory does not. */
static enum dmtrace_status
spill(struct dmt_sort *sort, struct dmt_replay *sorted, struct dmt_runs *runs,
    const struct dmt_chunk *chunk)
{
	const size_t size = chunk->layout->record_size;
	const struct dmt_run run = {
		.at = sorted->len / (size + DMT_KEY_SIZE),
		.count = chunk->count,
		.first = chunk->items[0].key,
		.last = chunk->items[chunk->count - 1].key,
	};
	uint8_t key[DMT_KEY_SIZE];

	for (size_t i = 0; i < chunk->count; i++) {
		dmt_put_le64(key, chunk->items[i].key);
		dmt_replay_add(sorted, key, sizeof(key));
		dmt_replay_add(sorted, dmt_chunk_record(chunk, i), size);
	}
	if (!dmt_runs_add(runs, &run))
		return dmt_error_memory(&sort->op->error);
	return dmt_op_fail(sort->op, NULL, &sorted->spool.error);
}

static enum dmtrace_status
write_chunk(struct dmt_sort *sort, const struct dmt_chunk *chunk)
{
	for (size_t i = 0; i < chunk->count; i++)
		dmt_sink_write(&sort->writer->sink,
		    dmt_chunk_record(chunk, i), chunk->layout->record_size);
	dmt_writer_check(sort->writer);
	return dmt_sort_write_fail(sort);
}

static enum dmtrace_status
weave(struct dmt_sort *sort, struct dmt_weave *weave)
{
	size_t overlap;
	size_t *const order = dmt_runs_order(weave->runs, &overlap);

	if (order == NULL)
		return dmt_error_memory(&sort->op->error);
	weave->layout = &sort->reader->layout;
	weave->writer = sort->writer;
	weave->total = dmt_sort_total(sort);
	weave->done = weave->total / 2;
	weave->memory = sort->memory / 2;
	dmt_weave(sort->op, weave, order, overlap);
	free(order);
	return sort->op->error.status;
}

/* Writes count records as they stand, from the at-th on. The chunk reads them,
 * for it has to know the times of their threads. */
static enum dmtrace_status
write_as_they_are(struct dmt_sort *sort, struct dmt_chunk *chunk, uint64_t at,
    uint64_t count)
{
	const uint64_t end = at + count;

	for (; at < end; at += chunk->count) {
		if (dmt_chunk_read(chunk, &sort->replay, at,
		    end - at < chunk->capacity ? (size_t)(end - at) :
		    chunk->capacity) != DMTRACE_OK)
			return dmt_op_fail(sort->op, NULL,
			    &sort->replay.error);
		dmt_sink_write(&sort->writer->sink, chunk->records,
		    chunk->count * chunk->layout->record_size);
	}
	dmt_writer_check(sort->writer);
	return dmt_sort_write_fail(sort);
}

/* What did not fit into memory, and which runs that is. */
struct spilled {
	struct dmt_replay sorted;
	struct dmt_runs runs;
};

/* Chunk by chunk to runs in the temporary; those of one chunk at once. */
static enum dmtrace_status
sort_chunks(struct dmt_sort *sort, struct dmt_chunk *chunk,
    struct spilled *spilled)
{
	const uint64_t end = sort->reader->position - sort->closed;

	for (uint64_t at = sort->opened; at < end; at += chunk->count) {
		const size_t count = end - at < chunk->capacity ?
		    (size_t)(end - at) : chunk->capacity;

		if (dmt_chunk_read(chunk, &sort->replay, at, count) !=
		    DMTRACE_OK)
			return dmt_op_fail(sort->op, NULL,
			    &sort->replay.error);
		if (count == end - sort->opened)
			return write_chunk(sort, chunk);
		if (spill(sort, &spilled->sorted, &spilled->runs, chunk) !=
		    DMTRACE_OK ||
		    dmt_op_progress(sort->op, 0, 0) != DMTRACE_OK)
			return sort->op->error.status;
	}
	dmt_replay_finish(&spilled->sorted);
	return dmt_op_fail(sort->op, NULL, &spilled->sorted.error);
}

static bool
begin_chunk(struct dmt_sort *sort, struct dmt_chunk *chunk, uint64_t records)
{
	const bool begun = dmt_chunk_init(chunk, &sort->reader->layout,
	    sort->memory / 8 * 7, records);

	if (!begun)
		dmt_error_memory(&sort->op->error);
	return begun;
}

/* The opened ones stay as they are; the closed ones are left for later. */
static enum dmtrace_status
write_opened_and_sort(struct dmt_sort *sort, struct spilled *spilled)
{
	struct dmt_chunk chunk;

	if (begin_chunk(sort, &chunk, sort->reader->position) &&
	    write_as_they_are(sort, &chunk, 0, sort->opened) == DMTRACE_OK)
		sort_chunks(sort, &chunk, spilled);
	dmt_chunk_fini(&chunk);
	return sort->op->error.status;
}

static enum dmtrace_status
write_closed(struct dmt_sort *sort)
{
	struct dmt_chunk chunk;

	if (begin_chunk(sort, &chunk, sort->closed))
		write_as_they_are(sort, &chunk,
		    sort->reader->position - sort->closed, sort->closed);
	dmt_chunk_fini(&chunk);
	return sort->op->error.status;
}

/* Whatever the order: in memory, or by way of a temporary. */
static enum dmtrace_status
sort_any(struct dmt_sort *sort)
{
	struct spilled spilled = { .runs = { 0 } };

	dmt_replay_open_temporary(&spilled.sorted,
	    dmt_writer_folder(sort->writer));
	dmt_op_fail(sort->op, NULL, &spilled.sorted.error);
	dmt_runs_fini(&sort->runs);
	if (sort->op->error.status == DMTRACE_OK)
		write_opened_and_sort(sort, &spilled);
	if (sort->op->error.status == DMTRACE_OK && spilled.runs.count > 0)
		weave(sort, &(struct dmt_weave){ .replay = &spilled.sorted,
		    .runs = &spilled.runs, .keyed = true });
	if (sort->op->error.status == DMTRACE_OK && sort->closed > 0)
		write_closed(sort);
	dmt_runs_fini(&spilled.runs);
	dmt_replay_fini(&spilled.sorted);
	return sort->op->error.status;
}

/* The counts of a key that was made by hand may be more than there are. */
static void
find_added(struct dmt_sort *sort)
{
	const struct dmtrace_key *const key = sort->reader->key;
	const uint64_t records = sort->reader->position;

	sort->opened = dmt_added(key, "dmtrace-opened");
	sort->closed = dmt_added(key, "dmtrace-closed");
	if (sort->opened > records)
		sort->opened = records;
	if (sort->closed > records - sort->opened)
		sort->closed = records - sort->opened;
}

/* Whether the runs of the file itself are woven. */
static bool
runs_will_do(const struct dmt_sort *sort)
{
	size_t overlap;

	if (sort->keys.back || sort->many ||
	    sort->opened + sort->closed > 0 ||
	    sort->reader->position / sort->runs.count < RUN_MIN)
		return false;
	size_t *const order = dmt_runs_order(&sort->runs, &overlap);
	free(order);
	return order != NULL &&
	    overlap <= sort->memory / 2 / BUFFER_MIN;
}

static enum dmtrace_status
run(struct dmt_sort *sort)
{
	if (dmt_sort_scan(sort) != DMTRACE_OK || sort->copies ||
	    sort->reader->position == 0)
		return sort->op->error.status;
	find_added(sort);
	if (!runs_will_do(sort))
		return sort_any(sort);
	return weave(sort, &(struct dmt_weave){ .replay = &sort->replay,
	    .runs = &sort->runs });
}

static enum dmtrace_status
check_clock(const struct dmt_sort *sort)
{
	const struct dmtrace_key *const key =
	    dmtrace_reader_key(sort->reader);
	const char *const word = dmtrace_clock_word(dmtrace_key_clock(key));

	if (dmt_times_comparable(key, &sort->reader->layout))
		return DMTRACE_OK;
	return dmt_error_set(&sort->op->error, DMTRACE_ERR_UNSUPPORTED,
	    "times of different threads cannot be compared:"
	    " clock \"%s\", version %u", word[0] != '\0' ? word :
	    "thread-cpu", sort->reader->layout.version);
}

static enum dmtrace_status
check(const struct dmt_sort *sort, const struct dmtrace_sort_options *options)
{
	if (dmt_op_check_like(sort->op, sort->reader, sort->writer) !=
	    DMTRACE_OK)
		return sort->op->error.status;
	if (options->memory < DMTRACE_SORT_MEMORY_MIN)
		return dmt_error_set(&sort->op->error, DMTRACE_ERR_RANGE,
		    "memory of %" PRIu64 " bytes: sort takes %d or more",
		    options->memory, DMTRACE_SORT_MEMORY_MIN);
	return options->any_clock ? DMTRACE_OK : check_clock(sort);
}

static enum dmtrace_status
prepare(struct dmt_sort *sort, const struct dmtrace_sort_options *options)
{
	struct dmtrace_reader *const reader = sort->reader;

	if (sort->writer->state == DMT_WRITER_OPEN &&
	    dmtrace_writer_complete(sort->writer) != DMTRACE_OK)
		return dmt_sort_write_fail(sort);
	sort->memory = left_for_records(reader, options->memory);
	sort->runs_max = (size_t)(sort->memory / 4 / RUN_MEMORY);
	sort->copies = dmt_writer_can_rewind(sort->writer);
	sort->keys.clocks = reader->clocks;
	sort->keys.tops = dmt_array_new(
	    dmt_layout_thread_numbers(&reader->layout), sizeof(uint64_t));
	if (sort->keys.tops == NULL)
		return dmt_error_memory(&sort->op->error);
	dmt_replay_open(&sort->replay, reader);
	return dmt_op_fail(sort->op, NULL, &sort->replay.error);
}

enum dmtrace_status
dmtrace_sort(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer,
    const struct dmtrace_sort_options *options)
{
	const struct dmtrace_sort_options all = with_defaults(options);
	struct dmt_sort sort = {
		.op = op,
		.reader = reader,
		.writer = writer,
		.replay.fd = -1,
		.replay.spool.fd = -1,
	};

	dmt_op_begin(op);
	if (check(&sort, &all) == DMTRACE_OK &&
	    prepare(&sort, &all) == DMTRACE_OK &&
	    !dmt_sort_copy(op, reader, writer))
		run(&sort);
	dmt_runs_fini(&sort.runs);
	dmt_replay_fini(&sort.replay);
	free(sort.keys.tops);
	return op->error.status;
}
