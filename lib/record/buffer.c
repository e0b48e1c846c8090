/* buffer.c - the buffers of threads: written to the file or kept in memory */

#include "record/buffer.h"

#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "record/thread_state.h"

/*
 * Each thread writes its records to its own buffer. When a buffer is full,
 * full=flush writes it to the file, in large blocks that end at the end of a
 * page of the file; the thread continues with the same buffer. With full=stop
 * and full=ring, full blocks are appended to a queue, and the thread gets
 * another block, while the limit on memory allows; then either recording ends,
 * or the oldest block of all threads is reused and its records are dropped. A
 * thread for which there is no memory at all has a small buffer in its state.
 * After recording has ended for lack of memory, the exits at the end of a
 * thread may exceed the limit: there are only as many as open frames, and no
 * other thread joins.
 *
 * Blocks that stayed in memory are written to the file when it is closed. An
 * exit whose enter was dropped would have no enter in the file: a pass over
 * the remaining records of each thread finds such exits, and their enters are
 * written first. A stack of the dropped calls would do, too, but it would cost
 * time for each event, and memory for each stack.
 *
 * A block is written to the file by the thread whose event filled it. A writer
 * thread with a queue would relieve that thread, but would have to be stopped
 * around each fork, and would be an additional thread in the host program.
 */

#define SMALLEST_BLOCK 4096
#define FIRST_CAPACITY 16

/* Maps a block of that size. NULL: no memory, or the total would exceed the
 * limit. */
static struct dmt_block *
new_block(struct dmt_blocks *blocks, size_t size, size_t limit)
{
	if (size > limit || blocks->total > limit - size)
		return NULL;
	struct dmt_block *block = dmt_mapped_new(size);
	if (block == NULL)
		return NULL;
	block->size = size;
	blocks->total += size;
	return block;
}

/* block may be NULL. */
static void
unmap_block(struct dmt_blocks *blocks, struct dmt_block *block)
{
	if (block == NULL)
		return;
	blocks->total -= block->size;
	dmt_mapped_free(block, block->size);
}

/* Removes the oldest block from the queue and returns it; NULL: it is empty. */
static struct dmt_block *
dequeue_block(struct dmt_blocks *blocks)
{
	struct dmt_block *block = blocks->first;

	if (block == NULL)
		return NULL;
	blocks->first = block->next;
	if (blocks->first == NULL)
		blocks->last = NULL;
	return block;
}

static uint8_t *
block_records(struct dmt_block *block)
{
	return (uint8_t *)block + DMT_BLOCK_HEAD;
}

/* Returns how many bytes of a buffer hold whole records. If a large buffer
 * begins at a page of the file, it also ends at one: such writes cost a third
 * less. */
static size_t
usable_bytes(size_t size, size_t record_size)
{
	size_t unit = record_size;

	while (unit % DMT_FILE_PAGE != 0)
		unit *= 2;
	if (size < 2 * unit)
		unit = record_size;
	return size - size % unit;
}

static size_t
used_bytes(const struct dmt_thread_state *thread)
{
	return (size_t)(thread->at - thread->buffer);
}

/* Makes the thread's block, or small buffer, empty. */
static void
rewind_buffer(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread)
{
	struct dmt_block *block = thread->block;
	const size_t size = block == NULL ? sizeof(thread->small_buffer) :
	    block->size - DMT_BLOCK_HEAD;

	thread->buffer = block == NULL ? thread->small_buffer :
	    block_records(block);
	thread->at = thread->buffer;
	thread->end = thread->at + usable_bytes(size,
	    recorder->layout->record_size);
	thread->added = 0;
}

void
dmt_buffer_assign(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread)
{
	struct dmt_blocks *blocks = &recorder->blocks;
	size_t size = recorder->options.buffer_size;

	thread->block = new_block(blocks, size, blocks->limit);
	while (thread->block == NULL && (size /= 2) >= SMALLEST_BLOCK)
		thread->block = new_block(blocks, size, blocks->limit);
	rewind_buffer(recorder, thread);
}

void
dmt_buffer_remove(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread)
{
	unmap_block(&recorder->blocks, thread->block);
	thread->block = NULL;
	thread->buffer = thread->small_buffer;
	thread->at = thread->end = thread->buffer;
}

/* Buffers that are written to the file. */

void
dmt_buffer_write_records(struct dmtrace_recorder *recorder,
    const uint8_t *records, size_t len)
{
	const size_t size = recorder->layout->record_size;
	size_t done = 0;

	if (len == 0)
		return;
	dmt_recorder_reserve(recorder);
	if (recorder->options.journal)
		dmt_recorder_journal(recorder);
	if (recorder->options.streaming)
		dmt_recorder_put_packets(recorder);
	if (recorder->files.error.status == DMTRACE_OK)
		done = dmt_files_write(&recorder->files, records, len, size);
	recorder->file.events += done / size;
	recorder->file.dropped += (len - done) / size;
	if (recorder->files.error.status == DMTRACE_OK)
		return;
	if (recorder->error.status == DMTRACE_OK)
		recorder->error = recorder->files.error;
	dmt_recorder_end(recorder, DMTRACE_RECORDER_FAILED);
}

/* Writes the first len bytes, and moves the rest to the front. */
static void
write_first_bytes(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, size_t len)
{
	const size_t rest = used_bytes(thread) - len;

	dmt_buffer_write_records(recorder, thread->buffer, len);
	memmove(thread->buffer, thread->buffer + len, rest);
	rewind_buffer(recorder, thread);
	thread->at += rest;
}

void
dmt_buffer_write(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread)
{
	write_first_bytes(recorder, thread, used_bytes(thread));
}

/* Buffers that stay in memory. */

bool
dmt_buffers_stay(const struct dmtrace_recorder *recorder)
{
	return recorder->options.full != DMTRACE_FULL_FLUSH;
}

/* Exits that the recorder added itself are not lost, but not there either. */
static void
take_back_added(struct dmtrace_recorder *recorder, uint64_t added)
{
	recorder->file.dropped -= added;
	recorder->file.ended -= added;
}

static void
drop_records(struct dmtrace_recorder *recorder, uint32_t number, size_t len,
    uint32_t added)
{
	recorder->file.dropped += len / recorder->layout->record_size;
	take_back_added(recorder, added);
	if (len > 0)
		recorder->threads[number - 1].lost = true;
}

/* Makes a block of at least that size. In ring mode the oldest blocks are
 * freed for it, and their records are dropped. NULL: there is no memory. */
static struct dmt_block *
make_block(struct dmtrace_recorder *recorder, size_t size)
{
	struct dmt_blocks *blocks = &recorder->blocks;
	struct dmt_block *block = new_block(blocks, size, blocks->limit);

	while (block == NULL &&
	    recorder->options.full == DMTRACE_FULL_RING) {
		block = dequeue_block(blocks);
		if (block == NULL)
			return NULL;
		drop_records(recorder, block->thread_number, block->used,
		    block->added);
		if (block->size == size)
			return block;
		unmap_block(blocks, block);
		block = new_block(blocks, size, blocks->limit);
	}
	return block;
}

/* Appends the thread's block to the queue; the thread has none then. */
static void
enqueue_block(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread)
{
	struct dmt_blocks *blocks = &recorder->blocks;
	struct dmt_block *block = thread->block;

	block->used = used_bytes(thread);
	block->thread_number = thread->number;
	block->added = thread->added;
	block->next = NULL;
	if (blocks->last == NULL)
		blocks->first = block;
	else
		blocks->last->next = block;
	blocks->last = block;
	thread->block = NULL;
}

/* Gives the thread another block, and moves the records in the small buffer
 * there. */
static void
change_block(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, struct dmt_block *block)
{
	const size_t small = thread->block == NULL ? used_bytes(thread) : 0;
	const uint32_t added = small == 0 ? 0 : thread->added;

	if (thread->block != NULL)
		enqueue_block(recorder, thread);
	thread->block = block;
	rewind_buffer(recorder, thread);
	memcpy(thread->at, thread->small_buffer, small);
	thread->at += small;
	thread->added = added;
}

bool
dmt_buffer_make_room(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, bool beyond_limit)
{
	if (!dmt_buffers_stay(recorder) || recorder->draining) {
		write_first_bytes(recorder, thread,
		    dmt_files_fit(&recorder->files, used_bytes(thread),
		    recorder->layout->record_size));
		return true;
	}

	const size_t size = recorder->options.buffer_size;
	const bool stops = recorder->options.full == DMTRACE_FULL_STOP;
	struct dmt_block *block = make_block(recorder, size);
	if (block == NULL && stops) {
		dmt_recorder_end(recorder, DMTRACE_RECORDER_FULL);
		if (beyond_limit)
			block = new_block(&recorder->blocks, size, SIZE_MAX);
	}
	if (block != NULL) {
		change_block(recorder, thread, block);
		return true;
	}
	if (stops)
		return false;
	drop_records(recorder, thread->number, used_bytes(thread),
	    thread->added);
	rewind_buffer(recorder, thread);
	return true;
}

bool
dmt_buffer_flush(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread)
{
	struct dmt_guard guard;

	if (thread->number == 0)
		return false;
	dmt_fork_check();
	dmt_lock(&recorder->mutex, &guard);
	const bool done = recorder->state != DMT_STATE_ENDED &&
	    dmt_thread_takes_part(recorder, thread) &&
	    dmt_buffer_make_room(recorder, thread, false);
	dmt_unlock(&recorder->mutex, &guard);
	if (done && thread->source == DMT_TIME_TICKS)
		dmt_anchor_set(&thread->anchor, thread->start_us,
		    thread->limit_us);
	return done;
}

void
dmt_buffer_keep(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread)
{
	const size_t used = used_bytes(thread);

	if (used == 0)
		return;
	if (thread->block == NULL) {
		struct dmt_block *own = make_block(recorder, SMALLEST_BLOCK);
		if (own == NULL) {
			drop_records(recorder, thread->number, used,
			    thread->added);
			if (recorder->options.full == DMTRACE_FULL_STOP)
				dmt_recorder_end(recorder,
				    DMTRACE_RECORDER_FULL);
			return;
		}
		change_block(recorder, thread, own);
	}
	struct dmt_block *block = thread->block;
	enqueue_block(recorder, thread);

	/* Unmap the pages without records. */
	const size_t size = dmt_mapped_trim(block, block->size,
	    DMT_BLOCK_HEAD + block->used);
	recorder->blocks.total -= block->size - size;
	block->size = size;
}

void
dmt_buffers_free(struct dmtrace_recorder *recorder)
{
	struct dmt_block *block;

	while ((block = dequeue_block(&recorder->blocks)) != NULL)
		unmap_block(&recorder->blocks, block);
}

/*
 * Writing from memory to the file. In ring mode the oldest records of each
 * thread were dropped. As all frames of a thread are closed at the end, an
 * exit without an enter among the remaining records is of a frame that was
 * open before the first of them; the last such exit is of the outermost frame.
 */
struct lost_enters {
	uint32_t *methods;	/* the innermost first */
	size_t count;
	size_t capacity;
	uint64_t open;		/* enters among the records without an exit so
				   far */
	uint8_t first[DMT_RECORD_MAX];
	bool has_first;
};

/* Adds an exit, unless its enter is among the records. false: no memory; the
 * old methods stay in the arena. */
static bool
add_lost_exit(struct lost_enters *lost, struct dmt_arena *arena,
    uint32_t method)
{
	if (lost->open > 0) {
		lost->open--;
		return true;
	}
	if (lost->count == lost->capacity) {
		const size_t capacity = lost->capacity == 0 ?
		    FIRST_CAPACITY : lost->capacity * 2;
		uint32_t *methods = dmt_arena_alloc(arena,
		    capacity * sizeof(*methods));
		if (methods == NULL)
			return false;
		if (lost->count > 0)
			memcpy(methods, lost->methods,
			    lost->count * sizeof(*methods));
		lost->methods = methods;
		lost->capacity = capacity;
	}
	lost->methods[lost->count++] = method;
	return true;
}

/* Adds the exits in the next records whose enters were lost. false: no
 * memory. */
static bool
find_unentered_exits(struct lost_enters *lost, struct dmt_arena *arena,
    const struct dmt_layout *layout, const uint8_t *records, size_t len)
{
	if (len > 0 && !lost->has_first)
		memcpy(lost->first, records, layout->record_size);
	lost->has_first = lost->has_first || len > 0;
	for (size_t at = 0; at < len; at += layout->record_size) {
		const uint32_t word = (uint32_t)dmt_field_get(layout->method,
		    records + at);
		if ((word & 3) == DMTRACE_ENTER)
			lost->open++;
		else if (!add_lost_exit(lost, arena, word & ~UINT32_C(3)))
			return false;
	}
	return true;
}

/* Returns true if enters of the thread may have been lost: its first records
 * were dropped, or its frames come from an earlier file. */
static bool
lacks_enters(const struct dmtrace_recorder *recorder, uint32_t number)
{
	const struct dmt_thread_row *row = &recorder->threads[number - 1];

	return row->lost || row->carried;
}

/* Fills the array, by thread number - 1: goes through the queued blocks, the
 * buffers, and the frames, which will be closed. false: no memory. */
static bool
find_lost_enters(struct dmtrace_recorder *recorder, struct lost_enters *all,
    struct dmt_arena *arena)
{
	for (struct dmt_block *block = recorder->blocks.first; block != NULL;
	    block = block->next)
		if (lacks_enters(recorder, block->thread_number) &&
		    !find_unentered_exits(&all[block->thread_number - 1], arena,
		    recorder->layout, block_records(block), block->used))
			return false;
	for (struct dmt_thread_state *thread = recorder->thread_states;
	    thread != NULL; thread = thread->next) {
		if (!dmt_thread_takes_part(recorder, thread) ||
		    !lacks_enters(recorder, thread->number))
			continue;
		struct lost_enters *lost = &all[thread->number - 1];
		if (!find_unentered_exits(lost, arena, recorder->layout,
		    thread->buffer, used_bytes(thread)))
			return false;
		for (uint32_t i = thread->depth; i > 0; i--)
			if (!add_lost_exit(lost, arena,
			    thread->frames[i - 1].method))
				return false;
	}
	return true;
}

/* Frames that were carried over from the previous file are open from the start
 * of the file, others from the thread's first record. */
static void
write_lost_enters(struct dmtrace_recorder *recorder, uint32_t number,
    const struct lost_enters *lost)
{
	const struct dmt_layout *layout = recorder->layout;
	uint8_t record[DMT_RECORD_MAX] = { 0 };

	if (recorder->threads[number - 1].lost && lost->has_first)
		memcpy(record, lost->first, sizeof(record));
	dmt_field_put(layout->thread, record, number);
	for (size_t i = lost->count; i > 0; i--) {
		dmt_field_put(layout->method, record, lost->methods[i - 1]);
		dmt_buffer_write_records(recorder, record,
		    layout->record_size);
	}
}

void
dmt_buffers_drain(struct dmtrace_recorder *recorder)
{
	const uint32_t count = dmt_buffers_stay(recorder) ?
	    recorder->thread_count : 0;
	struct dmt_block *block;

	recorder->draining = true;
	if (count > 0) {
		const uint64_t dropped = recorder->file.dropped;
		const size_t size = count * sizeof(struct lost_enters);
		struct lost_enters *all = dmt_mapped_new(size);
		struct dmt_arena arena = { .mapped = true };

		if (all == NULL || !find_lost_enters(recorder, all, &arena))
			dmt_error_memory(&recorder->error);
		for (uint32_t i = 0; all != NULL && i < count; i++)
			write_lost_enters(recorder, i + 1, &all[i]);
		recorder->file.opened = recorder->file.events;
		recorder->file.dropped = dropped;	/* these records do not
							   count as lost */
		dmt_arena_fini(&arena);
		dmt_mapped_free(all, size);
	}
	while ((block = dequeue_block(&recorder->blocks)) != NULL) {
		const uint64_t before = recorder->file.dropped;

		dmt_buffer_write_records(recorder, block_records(block),
		    block->used);
		const uint64_t lost = recorder->file.dropped - before;
		take_back_added(recorder, lost < block->added ? lost :
		    block->added);
		unmap_block(&recorder->blocks, block);
	}
}
