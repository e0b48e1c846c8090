/* v2_read.c - reads the events of ART trace format V2, block by block */

/*
 * There are no records. The events of one block are decoded to columns, a batch
 * at a time, and all have the offset of their block. Then 32-bit times
 * in microseconds are unwrapped for each thread, and an exit without a method
 * gets the method of the thread's innermost call; so there is some state per
 * thread. The block stays in the window of the input until its last event is
 * decoded. Callers that need records get them in a layout with nanoseconds.
 */

#include "trace/v2_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "data/record.h"
#include "data/record_count.h"
#include "data/unwrap.h"
#include "data/v2_decode.h"
#include "events/batch.h"
#include "events/indexes.h"
#include "trace/packets.h"

#define DEPTH_MAX 1048576	/* open calls per thread */
#define ID_TEXT_MAX 24

struct v2_clock {
	struct dmt_clock us;		/* of stages B to D */
	uint64_t last_ns;		/* of the others */
};

struct v2_thread {
	struct v2_clock cpu;
	struct v2_clock wall;
	uint64_t *open;			/* of stage F: methods of open calls */
	size_t depth;
	size_t capacity;
};

struct dmt_v2_reading {
	struct dmt_v2_block block;
	bool in_block;
	size_t block_len;		/* including its header */
	struct dmt_idmap by_number;	/* there are no indexes yet: the source
					   makes them of what is read here */
	struct v2_thread *threads;
	size_t thread_count;
	size_t thread_capacity;
	/* The columns of the last read, with the methods of exits, and times
	 * in ns or DMTRACE_NO_TIME; and the same as records. */
	uint64_t words[DMT_BATCH_EVENTS];
	uint64_t cpu[DMT_BATCH_EVENTS];
	uint64_t wall[DMT_BATCH_EVENTS];
	uint8_t records[];
};

static void
forget_threads(struct dmt_v2_reading *v2)
{
	for (size_t i = 0; i < v2->thread_count; i++)
		free(v2->threads[i].open);
	v2->thread_count = 0;
	dmt_idmap_fini(&v2->by_number);
	v2->by_number = (struct dmt_idmap){ 0 };
}

void
dmt_v2_free(struct dmt_v2_reading *v2)
{
	if (v2 == NULL)
		return;
	forget_threads(v2);
	free(v2->threads);
	free(v2);
}

struct dmt_v2_reading *
dmt_v2_reading_new(const struct dmt_v2_form *form,
    const struct dmt_layout *layout)
{
	struct dmt_v2_reading *const v2 = calloc(1, sizeof(*v2) +
	    DMT_BATCH_EVENTS * (size_t)layout->record_size);

	if (v2 == NULL)
		return NULL;
	for (size_t i = 0; i < DMT_BATCH_EVENTS; i++)
		v2->cpu[i] = v2->wall[i] = DMTRACE_NO_TIME;
	v2->block.form = *form;
	return v2;
}

const struct dmt_v2_form *
dmt_v2_reading_form(const struct dmt_v2_reading *v2)
{
	return &v2->block.form;
}

/* Returns the state of a thread; NULL: no memory. */
static struct v2_thread *
find_thread(struct dmt_v2_reading *v2, uint32_t number)
{
	const uint32_t *const place = dmt_idmap_find(&v2->by_number, number);

	if (place != NULL)
		return &v2->threads[*place];
	struct v2_thread *const threads = dmt_array_grow(v2->threads,
	    &v2->thread_capacity, v2->thread_count + 1, sizeof(*threads));
	if (threads != NULL)
		v2->threads = threads;
	if (threads == NULL || !dmt_idmap_add(&v2->by_number, number,
	    (uint32_t)v2->thread_count))
		return NULL;
	threads[v2->thread_count] = (struct v2_thread){ .depth = 0 };
	return &threads[v2->thread_count++];
}

enum dmtrace_status
dmt_v2_find_block(struct dmt_input *input, const struct dmt_v2_form *form,
    const struct dmt_v2_packet *packet, size_t used, const uint8_t **bytes,
    size_t *size)
{
	size_t want = used + packet->size;

	if (packet->thread >= DMT_V2_THREADS_MAX)
		return DMTRACE_ERR_CORRUPT;
	for (;;) {
		if (want > DMT_V2_BLOCK_MAX)
			return DMTRACE_ERR_LIMIT;
		const size_t len = dmt_input_peek(input, want, bytes);
		const enum dmtrace_status status = dmt_v2_block_measure(size,
		    form, packet, *bytes + used, len - used, input->ended);
		if (status != DMTRACE_ERR_TRUNCATED || len < want ||
		    input->ended) {
			if (status == DMTRACE_ERR_TRUNCATED)
				*size = len - used;
			return status;
		}
		want = 2 * len;
	}
}

char *
dmt_v2_method_line(const struct dmt_v2_packet *packet, size_t *len)
{
	char *const line = dmt_array_new(ID_TEXT_MAX + packet->text_len, 1);

	if (line == NULL)
		return NULL;
	const size_t id_len = (size_t)snprintf(line, ID_TEXT_MAX, "0x%" PRIx64
	    "\t", packet->method);
	dmt_put_bytes((uint8_t *)line + id_len, packet->text,
	    packet->text_len);
	*len = id_len + packet->text_len;
	return line;
}

/* Returns the next time of a clock in nanoseconds. Times that are in
 * microseconds in the file have 32 bits and wrap; of others only a step back
 * is unusual. */
DMT_INLINE uint64_t
resolve_time(struct v2_clock *clock, uint64_t time, bool us, unsigned *odd)
{
	if (us) {
		if (DMT_UNLIKELY(time < clock->us.low_us))
			*odd |= dmt_clock_turn(&clock->us, (uint32_t)time);
		clock->us.low_us = (uint32_t)time;
		return dmt_clock_us(&clock->us) * 1000;
	}
	if (DMT_UNLIKELY(time < clock->last_ns))
		*odd |= DMT_ODD_BACK;
	clock->last_ns = time;
	return time == DMTRACE_NO_TIME ? time - 1 : time;
}

/* Returns true if the first of the next times is not lower than the clock's
 * last one. */
DMT_INLINE bool
goes_on(const struct v2_clock *clock, const uint64_t *times, bool us)
{
	return times[0] >= (us ? clock->us.low_us : clock->last_ns);
}

/* Resolves a column in which no time is lower than the one before it. */
DMT_INLINE void
resolve_column(struct v2_clock *clock, uint64_t *times, size_t count, bool us)
{
	const uint64_t base_us = dmt_clock_us(&clock->us) - clock->us.low_us;

	if (us)
		clock->us.low_us = (uint32_t)times[count - 1];
	else
		clock->last_ns = times[count - 1];
	if (!us)
		return;
	DMT_UNROLL
	for (size_t i = 0; i < count; i++)
		times[i] = (base_us + times[i]) * 1000;
}

/* Resolves the times of a block. If no event is unusual, as is normal, a whole
 * column at a time; otherwise event by event, with findings. */
DMT_INLINE void
resolve_times(struct dmtrace_reader *reader, struct v2_thread *thread,
    size_t count, bool us)
{
	struct dmt_v2_reading *const v2 = reader->v2;
	const bool has_cpu = v2->block.form.cpu, has_wall = v2->block.form.wall;
	struct v2_clock cpu = thread->cpu, wall = thread->wall;

	if (!v2->block.unusual &&
	    (!has_cpu || goes_on(&cpu, v2->cpu, us)) &&
	    (!has_wall || goes_on(&wall, v2->wall, us))) {
		if (has_cpu)
			resolve_column(&thread->cpu, v2->cpu, count, us);
		if (has_wall)
			resolve_column(&thread->wall, v2->wall, count, us);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		unsigned odd = 0;

		if (has_cpu)
			v2->cpu[i] = resolve_time(&cpu, v2->cpu[i], us, &odd);
		if (has_wall)
			v2->wall[i] =
			    resolve_time(&wall, v2->wall[i], us, &odd);
		if ((v2->words[i] & 3) == DMTRACE_RESERVED)
			odd |= DMT_ODD_RESERVED;
		if (DMT_UNLIKELY(odd != 0))
			dmt_reader_note_odd(reader, odd, v2->block.thread,
			    reader->input->offset);
	}
	thread->cpu = cpu;
	thread->wall = wall;
}

/*
 * In stage F: sets the method of each exit to that of the innermost call, and
 * follows enters. Returns DMTRACE_OK, or DMTRACE_ERR_MEMORY or
 * DMTRACE_ERR_LIMIT with error set.
 *
 * There is no branch on the action, which cannot be predicted: each word is
 * stored above the innermost call, where it stays if it is an enter, and the
 * innermost call is added to the word of an exit, which has no method of its
 * own. open[0] is below the outermost call.
 */
static enum dmtrace_status
find_methods(struct v2_thread *thread, uint64_t *words, size_t count,
    uint32_t number, struct dmtrace_error *error)
{
	/* by action: how the depth changes; all bits if the word has no
	 * method */
	static const int64_t steps[4] = { 1, -1, -1, 0 };
	static const uint64_t lacks[4] = { 0, UINT64_MAX, UINT64_MAX,
	    UINT64_MAX };
	size_t depth = thread->depth;

	if (depth + count + 1 > thread->capacity) {
		uint64_t *const grown = dmt_array_grow(thread->open,
		    &thread->capacity, depth + count + 1, sizeof(*grown));
		if (grown == NULL)
			return dmt_error_memory(error);
		thread->open = grown;
		grown[0] = 0;
	}
	uint64_t *const open = thread->open;
	for (size_t i = 0; i < count; i++) {
		const uint64_t word = words[i], action = word & 3;
		const int64_t next = (int64_t)depth + steps[action];

		open[depth + 1] = word;
		words[i] = word | (open[depth] & lacks[action]);
		depth = next < 0 ? 0 : (size_t)next;
	}
	thread->depth = depth;
	return depth <= DEPTH_MAX ? DMTRACE_OK : dmt_error_set(error,
	    DMTRACE_ERR_LIMIT, "thread %" PRIu32 " has more than %d open calls",
	    number, DEPTH_MAX);
}

/* Completes the first count events of a block: resolves their times and, in
 * stage F, the methods of exits. */
static enum dmtrace_status
resolve_events(struct dmtrace_reader *reader, size_t count)
{
	struct dmt_v2_reading *const v2 = reader->v2;
	const enum dmt_v2_stage stage = v2->block.form.stage;
	struct dmtrace_error *const error = &reader->input->error;
	struct v2_thread *const thread =
	    find_thread(v2, v2->block.thread);

	if (thread == NULL)
		return dmt_error_memory(error);
	if (!dmt_v2_has_ns(stage))
		resolve_times(reader, thread, count, true);
	else
		resolve_times(reader, thread, count, false);
	return !dmt_v2_has_bare_exits(stage) ? DMTRACE_OK :
	    find_methods(thread, v2->words, count, v2->block.thread, error);
}

/*
 * Begins the block of an item, or goes on. At the end of the block, the input
 * is skipped to it. If the rest of the block cannot be decoded, that is a
 * finding, and the reader ends there.
 */
static size_t
take_block_events(struct dmtrace_reader *reader,
    const struct dmt_packet_item *item, size_t capacity)
{
	/* In a trace that grows, the form is known from the first block on. */
	if (reader->v2 == NULL && item != NULL) {
		reader->v2 = dmt_v2_reading_new(&reader->cursor->form,
		    &reader->layout);
		if (reader->v2 == NULL)
			dmt_error_memory(&reader->input->error);
	}
	struct dmt_v2_reading *const v2 = reader->v2;
	if (v2 == NULL)
		return 0;
	if (item != NULL) {
		const struct dmt_packet_cursor *const cursor = reader->cursor;

		dmt_v2_block_begin(&v2->block, &cursor->packet,
		    item->bytes + cursor->used, item->size - cursor->used,
		    item->cut);
		v2->in_block = true;
		v2->block_len = item->size;
	}
	const struct dmt_v2_columns to = { v2->words, v2->cpu, v2->wall };
	struct dmt_input *const input = reader->input;
	size_t count;

	if (!v2->in_block)
		return 0;
	if (capacity > DMT_BATCH_EVENTS)
		capacity = DMT_BATCH_EVENTS;
	const enum dmtrace_status status =
	    dmt_v2_block_decode(&v2->block, &to, capacity, &count);
	if (count > 0)
		return resolve_events(reader, count) == DMTRACE_OK ? count : 0;
	if (status != DMTRACE_OK) {
		/* A truncated block was reported by the pass at the open. */
		if (!v2->block.cut && !reader->noted)
			dmt_finding_add(&reader->findings,
			    DMT_STREAM_PACKET_UNKNOWN, DMTRACE_PLACE_OFFSET,
			    input->offset, "no event in byte %zu of the block",
			    v2->block_len -
			    (size_t)(v2->block.end - v2->block.in));
		reader->ends_at = input->offset + v2->block_len;
	}
	v2->in_block = false;
	dmt_input_skip(input, v2->block_len);
	return 0;
}

static const uint8_t *
encode_as_records(const struct dmtrace_reader *reader, size_t count)
{
	const struct dmt_layout *const layout = &reader->layout;
	struct dmt_v2_reading *const v2 = reader->v2;
	uint8_t *out = v2->records;

	for (size_t i = 0; i < count; i++, out += layout->record_size) {
		dmt_field_put(layout->thread, out, v2->block.thread);
		dmt_field_put(layout->method, out, v2->words[i]);
		dmt_field_put(layout->cpu, out, v2->cpu[i]);
		dmt_field_put(layout->wall, out, v2->wall[i]);
	}
	return v2->records;
}

static void
fill_from_block(struct dmtrace_reader *reader, struct dmt_batch *batch,
    unsigned columns, struct dmt_indexes *indexes)
{
	const struct dmt_v2_reading *const v2 = reader->v2;
	const size_t count = batch->count, size = count * sizeof(v2->cpu[0]);

	if (columns & DMT_COLUMN_THREAD) {
		const uint32_t thread =
		    dmt_thread_index(indexes, v2->block.thread);

		/* Eight at a time, as in dmt_batch_begin. */
		for (size_t i = 0; i < count; i += 8)
			for (size_t j = 0; j < 8; j++)
				batch->thread[i + j] = thread;
	}
	if (columns & DMT_COLUMN_METHOD) {
		DMT_UNROLL
		for (size_t i = 0; i < count; i++)
			batch->method[i] = dmt_method_index(indexes,
			    v2->words[i] & ~UINT64_C(3));
	}
	if (columns & DMT_COLUMN_ACTION) {
		DMT_UNROLL
		for (size_t i = 0; i < count; i++)
			batch->action[i] = (uint8_t)(v2->words[i] & 3);
	}
	if (columns & DMT_COLUMN_CPU)
		memcpy(batch->cpu_ns, v2->cpu, size);
	if (columns & DMT_COLUMN_WALL)
		memcpy(batch->wall_ns, v2->wall, size);
	batch->records = columns & DMT_COLUMN_RECORDS ?
	    encode_as_records(reader, count) : NULL;
}

static void
get_from_block(struct dmtrace_reader *reader, struct dmtrace_event *events,
    size_t count)
{
	const struct dmt_v2_reading *const v2 = reader->v2;

	for (size_t i = 0; i < count; i++)
		events[i] = (struct dmtrace_event){
			.method = v2->words[i] & ~UINT64_C(3),
			.cpu_ns = v2->cpu[i],
			.wall_ns = v2->wall[i],
			.thread = v2->block.thread,
			.action = (enum dmtrace_action)(v2->words[i] & 3)
		};
}

static void
count_from_block(struct dmtrace_reader *reader, struct dmt_tallies *tallies,
    size_t count)
{
	const struct dmt_v2_reading *const v2 = reader->v2;

	dmt_tallies_add(tallies, v2->block.thread, v2->words,
	    v2->block.form.wall ? v2->wall : v2->cpu, count);
}

static bool
reset_blocks(struct dmtrace_reader *reader)
{
	struct dmt_v2_reading *const v2 = reader->v2;

	forget_threads(v2);
	v2->block = (struct dmt_v2_block){ .form = v2->block.form };
	v2->in_block = false;
	return true;
}

const struct dmt_events_kind dmt_events_of_blocks = {
	take_block_events,
	fill_from_block, get_from_block, count_from_block, encode_as_records,
	reset_blocks
};
