/* merger.c - a source that merges several sources by time */

/*
 * Each input has a cursor: its batch, and the sort key of its next event, the
 * head. The heads are in a tree of losers: there is a leaf for each input; a
 * node stores the head that lost the comparison there, and the winner is at
 * the top. After the winner's event is copied, its next head climbs from its
 * leaf and is compared once in each node: log2 of the number of inputs, half
 * as many comparisons as in a heap. If sort keys are equal, the input with the
 * lower number comes first. A whole batch that precedes all other heads is
 * copied at once.
 *
 * If events are close to each other, as in traces that were recorded at the
 * same time, the winner changes with nearly every event, and half of the
 * comparisons are mispredicted. For this case there is a scatter loop. Its
 * window ends at the first of those events that are a few ahead of the head in
 * their input, or at the end of a batch. It counts the events for each sort
 * key in the window; the prefix sums of the counts are the positions in the
 * output; then, input by input, each record is copied to its position. This
 * takes no comparisons, and the same work for 2 inputs as for 64; it makes a
 * merge of 8 inputs twice as fast. The window is small, so that the counters
 * and the output stay in the first level of the CPU's cache. It needs about as
 * many counters as events; if events are farther apart, the tree is used.
 *
 * Only records are copied: inputs have already made all changes in them, so
 * that columns need not be moved. The loops are compiled for each layout, so
 * that copying a record is a few moves of constant size. There is one batch in
 * memory for each input: callers with many inputs make the batches small.
 */

#include "ops/merge/merger.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/input.h"
#include "data/record_columns.h"

enum {
	LOADED_MAX = 32768,		/* events in the batches of all
					   inputs, */
	LOADED_MIN = 64,		/* in one batch */
	AHEAD = 1024,			/* events that a window looks ahead,
					   in all inputs */
	PLACES_EACH = 8,		/* different sort keys per event of a
					   window, */
	PLACES_MAX = PLACES_EACH * DMT_BATCH_EVENTS	/* in all */
};

struct cursor {
	struct dmtrace_source *source;
	const struct dmt_batch *batch;	/* NULL: the end of the input */
	const uint8_t *records;		/* of the batch */
	const uint64_t *order;
	const uint16_t *keep;
	uint64_t last;			/* highest sort key in the batch;
					   UINT64_MAX: the end */
	size_t next;			/* position of the head in the batch's
					   keep */
	size_t end;			/* of the window, in keep */
};

struct head {
	uint64_t order;			/* sort key; UINT64_MAX: the end of the
					   input */
	size_t input;
};

struct merger {
	struct dmtrace_source source;
	struct cursor *cursors;
	struct head *losers;		/* from 1 on: the children of node i
					   are 2i and 2i + 1 */
	struct head first;
	size_t count;
	size_t most;			/* events per batch: the capacity of
					   records */
	bool begun;
	bool played;			/* the tree is filled */
	unsigned columns;
	struct dmt_clocks *clocks;	/* to decode columns of times */
	uint8_t *records;		/* merged, of the batch */
	size_t filled;			/* how many */
	uint16_t *places;		/* by sort key, from the window's first
					   on: where the next record goes */
	struct dmt_batch batch;
};

static inline bool
is_before(const struct head *a, const struct head *b)
{
	return (a->order < b->order) |
	    ((a->order == b->order) & (a->input < b->input));
}

/* Moves a new head up the tree; returns the winner. */
static inline struct head
climb_tree(struct head *losers, size_t count, struct head head)
{
	for (size_t node = (count + head.input) / 2; node > 0; node /= 2) {
		const struct head other = losers[node];
		const bool loses = is_before(&other, &head);

		losers[node] = loses ? head : other;
		head = loses ? other : head;
	}
	return head;
}

/* Gets the next batch of an input that has events; NULL at the end. */
static enum dmtrace_status
load_batch(struct merger *merger, size_t input)
{
	struct cursor *const cursor = &merger->cursors[input];
	struct dmt_batch *batch;

	do {
		if (dmt_pull(cursor->source, &batch) != DMTRACE_OK) {
			merger->source.error = cursor->source->error;
			return merger->source.error.status;
		}
	} while (batch != NULL && batch->kept == 0);
	cursor->batch = batch;
	cursor->next = 0;
	cursor->last = UINT64_MAX;
	if (batch != NULL) {
		cursor->records = batch->records;
		cursor->order = batch->order;
		cursor->keep = batch->keep;
		cursor->last = batch->order[batch->keep[batch->kept - 1]];
	}
	return DMTRACE_OK;
}

static struct head
head_of(const struct merger *merger, size_t input)
{
	const struct cursor *const cursor = &merger->cursors[input];

	return (struct head){
		cursor->batch == NULL ? UINT64_MAX :
		    cursor->order[cursor->batch->keep[cursor->next]], input
	};
}

/*
 * Fills the tree: a head waits in the first empty node on its way up; the next
 * head that arrives there is compared with it, and the winner moves up.
 */
static void
play_heads(struct merger *merger)
{
	const size_t count = merger->count;

	for (size_t i = 0; i < count; i++)
		merger->losers[i].input = SIZE_MAX;
	for (size_t i = 0; i < count; i++) {
		struct head head = head_of(merger, i);
		size_t node = (count + i) / 2;

		for (; node > 0; node /= 2) {
			struct head *const other = &merger->losers[node];
			const struct head waits = *other;

			if (waits.input == SIZE_MAX) {
				*other = head;
				break;
			}
			if (is_before(&waits, &head)) {
				*other = head;
				head = waits;
			}
		}
		if (node == 0)
			merger->first = head;
	}
	merger->played = true;
}

/* Returns true if the rest of the winner's batch precedes all other heads, the
 * best of which is on the winner's path. */
static bool
leads_whole_batch(const struct merger *merger)
{
	const struct head last = {
		merger->cursors[merger->first.input].last,
		merger->first.input
	};

	for (size_t node = (merger->count + last.input) / 2; node > 0;
	    node /= 2)
		if (is_before(&merger->losers[node], &last))
			return false;
	return true;
}

struct scatter {
	struct merger *merger;
	uint8_t *out;
	size_t room;			/* how many records still fit */
};

/* Copies the rest of the winner's batch, as far as it fits. */
DMT_INLINE size_t
copy_rest(const void *context, const struct dmt_layout *layout)
{
	const struct scatter *const run = context;
	const size_t size = layout->record_size;
	struct cursor *const cursor =
	    &run->merger->cursors[run->merger->first.input];
	const uint16_t *const keep = cursor->batch->keep + cursor->next;
	const size_t left = cursor->batch->kept - cursor->next;
	const size_t count = left < run->room ? left : run->room;
	uint8_t *out = run->out;

	for (size_t i = 0; i < count; i++, out += size)
		memcpy(out, cursor->records + keep[i] * size, size);
	cursor->next += count;
	return count;
}

/* Copies event by event until the output is full or a batch has been used
 * up. */
DMT_INLINE size_t
copy_events(const void *context, const struct dmt_layout *layout)
{
	const struct scatter *const run = context;
	const size_t size = layout->record_size;
	struct cursor *const cursors = run->merger->cursors;
	struct head *const losers = run->merger->losers;
	const size_t count = run->merger->count;
	struct head first = run->merger->first;
	uint8_t *out = run->out;
	uint8_t *const end = out + run->room * size;

	while (out < end) {
		struct cursor *const cursor = &cursors[first.input];
		const struct dmt_batch *const batch = cursor->batch;

		memcpy(out, cursor->records + batch->keep[cursor->next] * size,
		    size);
		out += size;
		if (++cursor->next == batch->kept)
			break;
		first.order = cursor->order[batch->keep[cursor->next]];
		first = climb_tree(losers, count, first);
	}
	run->merger->first = first;
	return (size_t)(out - run->out) / size;
}

/* Fills up to a batch of records using the tree. */
static enum dmtrace_status
fill_by_tree(struct merger *merger)
{
	const struct dmt_layout *const layout = merger->source.layout;

	if (!merger->played)
		play_heads(merger);
	while (merger->filled < merger->most &&
	    merger->first.order != UINT64_MAX) {
		const struct scatter run = {
			merger,
			merger->records +
			    dmt_records_len(layout, merger->filled),
			merger->most - merger->filled
		};

		if (leads_whole_batch(merger))
			merger->filled += dmt_loop(copy_rest, &run, layout);
		else
			merger->filled += dmt_loop(copy_events, &run, layout);
		const size_t input = merger->first.input;
		const struct cursor *const cursor = &merger->cursors[input];
		if (cursor->next == cursor->batch->kept &&
		    load_batch(merger, input) != DMTRACE_OK)
			return merger->source.error.status;
		merger->first = climb_tree(merger->losers, merger->count,
		    head_of(merger, input));
	}
	return DMTRACE_OK;
}

/*
 * Finds the window, which begins at sort key *first, and counts the events for
 * each sort key: where the window ends in each batch, and where the records
 * for each sort key go. Returns how many events it has; 0: the scatter loop
 * does not pay.
 */
static size_t
find_window(struct merger *merger, uint64_t *first)
{
	uint16_t *const places = merger->places;
	const size_t ahead = merger->count < AHEAD ? AHEAD / merger->count : 1;
	struct head bound = { UINT64_MAX, merger->count };
	size_t events = 0, place = 0;

	/* It ends with the batch that ends first. */
	*first = UINT64_MAX;
	for (size_t i = 0; i < merger->count; i++) {
		const struct cursor *const cursor = &merger->cursors[i];
		const struct head head = head_of(merger, i);
		struct head last = { cursor->last, i };

		if (cursor->batch != NULL &&
		    cursor->next + ahead < cursor->batch->kept)
			last.order = cursor->order[
			    cursor->batch->keep[cursor->next + ahead]];
		if (head.order < *first)
			*first = head.order;
		if (is_before(&last, &bound))
			bound = last;
	}
	if (bound.order - *first >= PLACES_MAX)
		return 0;

	/* Count the events of each sort key. */
	memset(places, 0, (size_t)(bound.order - *first + 1) *
	    sizeof(*places));
	for (size_t i = 0; i < merger->count; i++) {
		struct cursor *const cursor = &merger->cursors[i];
		const struct dmt_batch *const batch = cursor->batch;
		const uint64_t end = bound.order + (i <= bound.input);
		size_t next = cursor->next;

		if (batch == NULL)
			continue;
		for (; next < batch->kept; next++) {
			const uint64_t order =
			    cursor->order[batch->keep[next]];

			if (order >= end)
				break;
			places[order - *first]++;
		}
		cursor->end = next;
		events += next - cursor->next;
	}
	if (events > merger->most ||
	    bound.order - *first >= PLACES_EACH * events)
		return 0;

	/* From how many there are before a sort key follows its place. */
	for (size_t i = 0; i <= bound.order - *first; i++) {
		const size_t count = places[i];

		places[i] = (uint16_t)place;
		place += count;
	}
	return events;
}

struct window {
	struct merger *merger;
	uint64_t first;
};

DMT_INLINE size_t
scatter_records(const void *context, const struct dmt_layout *layout)
{
	const struct window *const window = context;
	const size_t size = layout->record_size;
	const size_t inputs = window->merger->count;
	const uint64_t first = window->first;
	uint16_t *const places = window->merger->places;
	uint8_t *const out = window->merger->records;

	for (size_t input = 0; input < inputs; input++) {
		const struct cursor *const cursor =
		    &window->merger->cursors[input];
		const uint64_t *const order = cursor->order;
		const uint8_t *const in = cursor->records;
		const uint16_t *const keep = cursor->keep;
		const size_t end = cursor->batch == NULL ? 0 : cursor->end;

		for (size_t i = cursor->next; i < end; i++) {
			const size_t at = keep[i];

			memcpy(out + places[order[at] - first]++ * size,
			    in + at * size, size);
		}
	}
	return 0;
}

static enum dmtrace_status
fill_by_window(struct merger *merger, uint64_t first, size_t events)
{
	const struct window window = { merger, first };

	dmt_loop(scatter_records, &window, merger->source.layout);
	for (size_t i = 0; i < merger->count; i++) {
		struct cursor *const cursor = &merger->cursors[i];

		if (cursor->batch == NULL)
			continue;
		cursor->next = cursor->end;
		if (cursor->next == cursor->batch->kept &&
		    load_batch(merger, i) != DMTRACE_OK)
			return merger->source.error.status;
	}
	merger->filled = events;
	merger->played = false;
	return DMTRACE_OK;
}

static enum dmtrace_status
fill_records(struct merger *merger)
{
	uint64_t first;

	for (size_t i = 0; i < merger->count && !merger->begun; i++)
		if (load_batch(merger, i) != DMTRACE_OK)
			return merger->source.error.status;
	merger->begun = true;
	merger->filled = 0;
	const size_t events = find_window(merger, &first);
	return events > 0 ? fill_by_window(merger, first, events) :
	    fill_by_tree(merger);
}

static enum dmtrace_status
fill_columns(struct merger *merger)
{
	const struct dmtrace_source *const source = &merger->source;

	if (merger->clocks == NULL)
		merger->clocks = dmt_clocks_new(source->layout);
	if (merger->clocks != NULL)
		dmt_columns_decode(&merger->batch, merger->columns,
		    source->indexes, source->layout, merger->clocks,
		    &dmt_watch_nothing);
	if (merger->clocks == NULL || source->indexes->failed)
		return dmt_error_memory(&merger->source.error);
	return DMTRACE_OK;
}

static enum dmtrace_status
pull_merged(struct dmtrace_source *source, struct dmt_batch **out)
{
	struct merger *const merger = (struct merger *)source;
	struct dmt_batch *const batch = &merger->batch;

	if (fill_records(merger) != DMTRACE_OK)
		return source->error.status;
	batch->first += batch->count;
	dmt_batch_begin(batch, merger->filled);
	batch->records = merger->records;
	*out = merger->filled == 0 ? NULL : batch;
	return merger->columns == 0 ? DMTRACE_OK : fill_columns(merger);
}

static enum dmtrace_status
refuse_rewind(struct dmtrace_source *source)
{
	return dmt_error_set(&source->error, DMTRACE_ERR_STATE,
	    "merged events cannot be read again");
}

static void
want_merged(struct dmtrace_source *source, unsigned columns)
{
	struct merger *const merger = (struct merger *)source;

	merger->columns = columns;
	for (size_t i = 0; i < merger->count; i++)
		dmt_want(merger->cursors[i].source, DMT_COLUMN_RECORDS);
}

static void
fini_merger(struct dmtrace_source *source)
{
	struct merger *const merger = (struct merger *)source;

	for (size_t i = 0; i < merger->count; i++)
		dmtrace_source_free(merger->cursors[i].source);
	free(merger->cursors);
	free(merger->losers);
	free(merger->records);
	free(merger->places);
	dmt_clocks_free(merger->clocks);
}

static const struct dmt_input_kind merger_kind = {
	pull_merged, refuse_rewind, want_merged, fini_merger
};

struct dmtrace_source *
dmt_merger_new(struct dmtrace_source *const *inputs, size_t count,
    const struct dmtrace_key *key, const struct dmt_layout *layout,
    struct dmt_indexes *indexes)
{
	struct merger *const merger = calloc(1, sizeof(*merger));
	struct cursor *const cursors =
	    dmt_array_new(count, sizeof(*cursors));
	struct head *const losers = dmt_array_new(count, sizeof(*losers));
	const size_t fit =
	    (size_t)dmt_records_in(layout, DMT_BLOCKS_SIZE);
	const size_t most = fit < DMT_BATCH_EVENTS ? fit : DMT_BATCH_EVENTS;
	uint8_t *const records =
	    dmt_array_new((size_t)dmt_records_len(layout, most), 1);
	uint16_t *const places = dmt_array_new(PLACES_MAX, sizeof(*places));

	if (merger == NULL || cursors == NULL || losers == NULL ||
	    records == NULL || places == NULL) {
		for (size_t i = 0; i < count; i++)
			dmtrace_source_free(inputs[i]);
		free(merger);
		free(cursors);
		free(losers);
		free(records);
		free(places);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		cursors[i].source = inputs[i];
	*merger = (struct merger){
		.source = {
			.kind = &merger_kind,
			.key = key,
			.layout = layout,
			.indexes = indexes,
			.passes = 1,
		},
		.cursors = cursors,
		.losers = losers,
		.first.order = UINT64_MAX,
		.count = count,
		.most = most,
		.places = places,
		.records = records,
	};
	return &merger->source;
}

size_t
dmt_merger_events(size_t inputs)
{
	const size_t events = LOADED_MAX / inputs;

	return events < LOADED_MIN ? LOADED_MIN :
	    events > DMT_BATCH_EVENTS ? DMT_BATCH_EVENTS : events;
}
