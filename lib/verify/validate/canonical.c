/* canonical.c - writes a valid trace in a form that every reader accepts */

/*
 * A stage after the trace's reader changes the events, and a writer with a
 * layout that every reader accepts encodes them. The stage has its own indexes:
 * an index stands for the same thread or method as in the reader, but with the
 * number or id of the output. Calls that are too deep for a reader are dropped,
 * with all calls that they make. If times are too high, the least time of their
 * thread and clock is subtracted. A separate pass finds these least times
 * before the header is written, because the start time changes, too.
 *
 * Only what the cures ask for is changed, because a cure for one reader is
 * often a loss for all others.
 */

#include "verify/validate/canonical.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "events/select.h"
#include "format/header.h"
#include "private/key.h"
#include "verify/validate/check_events.h"

#define HIGHEST_NS ((UINT64_C(1) << 31) - 1) * 1000
#define WRAP_NS ((UINT64_C(1) << 32) * 1000)	/* times in records wrap */

struct canonical_thread {
	uint64_t cpu_base_ns;		/* subtracted from its times */
	uint64_t wall_base_ns;
	uint32_t depth;			/* open calls that are kept */
	uint32_t skipped;		/* open calls in these that are
					   dropped */
};

struct canonical_stage {
	struct dmtrace_source source;
	struct dmt_canonical *canonical;
	struct dmt_indexes indexes;	/* of the output */
	struct canonical_thread *threads;	/* by index */
	size_t thread_capacity;
	uint32_t most;			/* limit of open calls of a thread */
	bool moves;			/* subtract the bases from times */
};

/* Chooses a layout with one time or two, by the times of the records and the
 * cures. */
static void
choose_canonical_layout(struct dmt_canonical *canonical)
{
	const struct dmtrace_reader *const reader = canonical->reader;
	const struct dmt_layout *const from = &reader->layout;
	const enum dmtrace_clock named = dmt_key_clock(reader->key);
	const bool adds = from->clock == DMTRACE_CLOCK_THREAD_CPU &&
	    (canonical->cures & DMT_CURE_DUAL) != 0;
	const bool keeps_1 = from->version == 1 && (canonical->cures &
	    (DMT_CURE_VERSION | DMT_CURE_THREADS)) == 0;
	const enum dmtrace_clock clock = adds ? DMTRACE_CLOCK_DUAL :
	    from->clock;
	const unsigned version = clock == DMTRACE_CLOCK_DUAL ? 3 :
	    keeps_1 ? 1 : 2;

	canonical->layout = *dmt_layout_find(version, clock);
	const size_t size = dmt_layout_record_size(&canonical->layout);
	if (adds)
		dmt_change_add(canonical->changes, DMT_CLOCK_THREAD_CPU, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
	else if (named != clock)
		dmt_change_add(canonical->changes, dmt_clock_finding(named),
		    1, DMTRACE_PLACE_NONE, 0, "\"%s\"",
		    dmtrace_clock_name(clock));
	if (from->version != version ||
	    dmt_layout_record_size(from) != size)
		dmt_change_add(canonical->changes, DMT_RECORD_LAYOUT, 1,
		    DMTRACE_PLACE_NONE, 0, "version %u, %zu bytes", version,
		    size);
	if (reader->header.data_offset != DMT_HEADER_SIZE)
		dmt_change_add(canonical->changes, DMT_OFFSET_NOT_32, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
}

/* Adds the threads and methods that the last batch is the first to have. false:
 * no memory. */
static bool
follow_canonical_indexes(struct canonical_stage *stage)
{
	const struct dmt_canonical *const canonical = stage->canonical;
	const struct dmt_indexes *const from = stage->source.from->indexes;
	struct dmt_indexes *const to = &stage->indexes;

	while (to->thread_count < from->thread_count) {
		const struct dmt_indexed_thread *const old =
		    &from->threads[to->thread_count];
		const uint32_t *const number =
		    dmt_idmap_find(&canonical->threads, old->number);
		struct dmt_indexed_thread *const items = dmt_array_grow(
		    to->threads, &to->thread_capacity, to->thread_count + 1,
		    sizeof(*items));
		if (items == NULL)
			return false;
		to->threads = items;
		struct canonical_thread *const threads = dmt_array_grow(
		    stage->threads, &stage->thread_capacity,
		    to->thread_count + 1, sizeof(*threads));
		if (threads == NULL)
			return false;
		stage->threads = threads;
		threads[to->thread_count] = (struct canonical_thread){
			.cpu_base_ns = UINT64_MAX, .wall_base_ns = UINT64_MAX
		};
		items[to->thread_count++] = (struct dmt_indexed_thread){
			.number = number != NULL ? *number : old->number
		};
	}
	while (to->method_count < from->method_count) {
		const uint64_t id = from->methods[to->method_count].id;
		const struct dmtrace_method *const row =
		    from->methods[to->method_count].row;
		const uint64_t listed = row == NULL ? DMT_NO_ID :
		    canonical->method_ids[row - dmtrace_key_method_get(
		    canonical->reader->key, 0)];
		struct dmt_indexed_method *const items = dmt_array_grow(
		    to->methods, &to->method_capacity, to->method_count + 1,
		    sizeof(*items));
		if (items == NULL)
			return false;
		to->methods = items;
		items[to->method_count++] = (struct dmt_indexed_method){
			.id = listed != DMT_NO_ID ? listed : id
		};
	}
	return true;
}

/* Returns true if an event is kept, and updates the depths. */
static bool
follow_depth(struct canonical_thread *thread, unsigned action, uint32_t most)
{
	if (action == DMTRACE_ENTER && thread->depth >= most)
		thread->skipped++;
	else if (action == DMTRACE_ENTER)
		thread->depth++;
	else if (thread->skipped > 0)
		thread->skipped--;
	else {
		thread->depth -= thread->depth > 0;
		return true;
	}
	return thread->skipped == 0;
}

static void
drop_deep_calls(struct canonical_stage *stage, struct dmt_batch *batch)
{
	struct dmt_canonical *const canonical = stage->canonical;
	size_t kept = 0;

	for (size_t i = 0; i < batch->kept; i++) {
		const uint16_t at = batch->keep[i];

		if (follow_depth(&stage->threads[batch->thread[at]],
		    batch->action[at], stage->most)) {
			batch->keep[kept++] = at;
			continue;
		}
		canonical->dropped++;
		canonical->opened_dropped +=
		    (batch->flags[at] & DMT_EVENT_OPENED) != 0;
		canonical->closed_dropped +=
		    (batch->flags[at] & DMT_EVENT_CLOSED) != 0;
		dmt_change_add(canonical->changes, DMT_CALL_DEEP, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
	}
	batch->kept = kept;
}

/* Returns the time of an event in the output: minus the base, or wrapped as in
 * the input. DMTRACE_NO_TIME is kept. */
static uint64_t
get_canonical_time(const struct canonical_stage *stage, uint64_t time_ns,
    uint64_t base_ns)
{
	if (time_ns == DMTRACE_NO_TIME)
		return time_ns;
	if (!stage->moves)
		return time_ns % WRAP_NS;
	if (time_ns - base_ns <= HIGHEST_NS)
		return time_ns - base_ns;
	dmt_change_add(stage->canonical->changes, DMT_TIME_HIGH_LOST, 1,
	    DMTRACE_PLACE_NONE, 0, NULL);
	return HIGHEST_NS;
}

static enum dmtrace_status
pull_canonical(struct dmtrace_source *source, struct dmt_batch **out)
{
	struct canonical_stage *const stage = (struct canonical_stage *)source;

	if (dmt_pull(source->from, out) != DMTRACE_OK)
		return source->from->error.status;
	struct dmt_batch *const batch = *out;
	if (batch == NULL)
		return DMTRACE_OK;
	if (!follow_canonical_indexes(stage))
		return dmt_error_memory(&source->error);
	if (stage->most < UINT32_MAX)
		drop_deep_calls(stage, batch);
	for (size_t i = 0; i < batch->kept; i++) {
		const size_t at = batch->keep[i];
		const struct canonical_thread *const thread =
		    &stage->threads[batch->thread[at]];

		batch->cpu_ns[at] = get_canonical_time(stage, batch->cpu_ns[at],
		    thread->cpu_base_ns);
		batch->wall_ns[at] = get_canonical_time(stage,
		    batch->wall_ns[at],
		    thread->wall_base_ns);
		if (batch->wall_ns[at] == DMTRACE_NO_TIME)
			batch->wall_ns[at] = batch->cpu_ns[at];
	}
	batch->records = NULL;	/* they have another layout */
	return DMTRACE_OK;
}

static enum dmtrace_status
rewind_canonical(struct dmtrace_source *source)
{
	return dmt_source_rewind(source->from);
}

static void
want_canonical(struct dmtrace_source *source, unsigned columns)
{
	const struct canonical_stage *const stage =
	    (struct canonical_stage *)source;

	(void)columns;		/* all are needed to encode the records */
	dmt_want(source->from, stage->most < UINT32_MAX ? DMT_COLUMN_ALL :
	    DMT_COLUMN_ALL & ~DMT_COLUMN_FLAGS);
}

static void
fini_canonical(struct dmtrace_source *source)
{
	struct canonical_stage *const stage = (struct canonical_stage *)source;

	dmt_indexes_fini(&stage->indexes);
	free(stage->threads);
}

static const struct dmt_input_kind canonical_kind = {
	pull_canonical, rewind_canonical, want_canonical, fini_canonical
};

/* NULL: no memory. */
static struct canonical_stage *
new_stage(struct dmt_canonical *canonical)
{
	struct dmtrace_source *const from =
	    dmtrace_source_new(canonical->reader);
	struct canonical_stage *const stage = from == NULL ? NULL :
	    calloc(1, sizeof(*stage));

	if (stage == NULL) {
		dmtrace_source_free(from);
		return NULL;
	}
	dmt_stage_init(&stage->source, &canonical_kind, from);
	stage->source.layout = &canonical->layout;
	stage->source.indexes = &stage->indexes;
	stage->canonical = canonical;
	stage->moves = (canonical->cures & DMT_CURE_TIMES) != 0;
	stage->most = (canonical->cures & DMT_CURE_DEPTH) != 0 ? DMT_DEEP :
	    (canonical->cures & DMT_CURE_DEPTH_MORE) != 0 ? DMT_DEEPER :
	    UINT32_MAX;
	dmt_source_set_progress(from, canonical->op->progress,
	    canonical->op->progress_context);
	return stage;
}

/* Finds what to subtract from the times of each thread, by a pass over all
 * events: the least time of the thread or, of wall times that can be compared,
 * the least of all threads. */
static enum dmtrace_status
learn_canonical_bases(struct canonical_stage *stage)
{
	struct dmt_canonical *const canonical = stage->canonical;
	struct dmtrace_source *const from = stage->source.from;
	const struct dmt_indexes *const indexes = &stage->indexes;
	uint64_t least_ns = UINT64_MAX;
	struct dmt_batch *batch;

	dmt_want_pass(from, 1);
	dmt_want(from, DMT_COLUMN_THREAD | DMT_COLUMN_CPU | DMT_COLUMN_WALL);
	do {
		if (dmt_pull(from, &batch) != DMTRACE_OK)
			return dmt_op_fail(canonical->op, NULL, &from->error);
		if (!follow_canonical_indexes(stage))
			return dmt_error_memory(&canonical->op->error);
		for (size_t i = 0; batch != NULL && i < batch->kept; i++) {
			const size_t at = batch->keep[i];
			struct canonical_thread *const thread =
			    &stage->threads[batch->thread[at]];

			if (batch->cpu_ns[at] < thread->cpu_base_ns)
				thread->cpu_base_ns = batch->cpu_ns[at];
			if (batch->wall_ns[at] < thread->wall_base_ns)
				thread->wall_base_ns = batch->wall_ns[at];
			if (batch->wall_ns[at] < least_ns)
				least_ns = batch->wall_ns[at];
		}
	} while (batch != NULL);
	if (dmt_times_comparable(canonical->reader->key,
	    &canonical->reader->layout)) {
		for (size_t i = 0; i < indexes->thread_count; i++)
			stage->threads[i].wall_base_ns = least_ns;
		canonical->moved_us =
		    least_ns == UINT64_MAX ? 0 : least_ns / 1000;
	}
	dmt_change_add(canonical->changes, DMT_TIME_HIGH, 1,
	    DMTRACE_PLACE_NONE, 0, "wall times by %" PRIu64 " us",
	    canonical->moved_us);
	dmt_source_rewind(from);
	return dmt_op_fail(canonical->op, NULL, &from->error);
}

/* Returns the start time of the output. What was subtracted from the times is
 * added to it if it is in microseconds. For a reader that converts it to
 * nanoseconds, a start time in seconds is written in microseconds, and one that
 * is too late as 0. */
static uint64_t
get_canonical_start(struct dmt_canonical *canonical)
{
	const struct dmt_header *const header = &canonical->reader->header;
	const bool seconds = dmt_header_start_kind(header) ==
	    DMTRACE_START_SEC_USEC;
	uint64_t start = header->start;

	if ((canonical->cures & DMT_CURE_START) == 0)
		return seconds ? start : start + canonical->moved_us;
	if (seconds) {
		start = (start >> 32) * 1000000 + (start & UINT32_MAX);
		dmt_change_add(canonical->changes, DMT_START_HIGH, 1,
		    DMTRACE_PLACE_NONE, 0, "%" PRIu64 " us", start);
		return start + canonical->moved_us;
	}
	dmt_change_add(canonical->changes, DMT_START_HIGH_LOST, 1,
	    DMTRACE_PLACE_NONE, 0, "%" PRIu64 " us", start);
	return 0;
}

static enum dmtrace_status
write_canonical_events(struct canonical_stage *stage)
{
	struct dmt_canonical *const canonical = stage->canonical;
	struct dmtrace_writer *const writer = canonical->writer;
	struct dmt_batch *batch;

	dmt_want(&stage->source, 0);
	for (;;) {
		if (dmt_pull(&stage->source, &batch) != DMTRACE_OK)
			return dmt_op_fail(canonical->op, NULL,
			    dmtrace_source_error(&stage->source));
		if (batch == NULL)
			return DMTRACE_OK;
		canonical->written += batch->kept;
		if (dmt_writer_put(writer, &stage->source, batch) !=
		    DMTRACE_OK)
			return dmt_op_fail(canonical->op, NULL,
			    dmtrace_writer_error(writer));
	}
}

static enum dmtrace_status
write_canonical_trace(struct canonical_stage *stage, int fd)
{
	struct dmt_canonical *const canonical = stage->canonical;
	struct dmtrace_writer *const writer = canonical->writer;

	/* The key is first: it decides the numbers and ids of events. */
	choose_canonical_layout(canonical);
	if (dmt_writer_set_layout(writer, &canonical->layout) !=
	    DMTRACE_OK)
		return dmt_op_fail(canonical->op, NULL,
		    dmtrace_writer_error(writer));
	if (dmt_canonical_put_key(canonical) != DMTRACE_OK ||
	    (stage->moves && learn_canonical_bases(stage) != DMTRACE_OK))
		return canonical->op->error.status;

	dmtrace_writer_set_start(writer, get_canonical_start(canonical));
	if (dmtrace_writer_open_fd(writer, fd) != DMTRACE_OK)
		return dmt_op_fail(canonical->op, NULL,
		    dmtrace_writer_error(writer));
	if (write_canonical_events(stage) != DMTRACE_OK ||
	    dmt_canonical_put_counts(canonical) != DMTRACE_OK)
		return canonical->op->error.status;
	dmtrace_writer_close(writer);
	return dmt_op_fail(canonical->op, NULL, dmtrace_writer_error(writer));
}

enum dmtrace_status
dmt_canonical_write(struct dmt_canonical *canonical, int fd)
{
	struct canonical_stage *const stage = new_stage(canonical);

	if (stage == NULL)
		return dmt_error_memory(&canonical->op->error);
	write_canonical_trace(stage, fd);
	dmtrace_source_free(&stage->source);
	return canonical->op->error.status;
}

void
dmt_canonical_fini(struct dmt_canonical *canonical)
{
	dmt_idmap_fini(&canonical->threads);
	free(canonical->method_ids);
	dmt_name_table_fini(&canonical->thread_names);
	dmt_arena_fini(&canonical->names);
}
