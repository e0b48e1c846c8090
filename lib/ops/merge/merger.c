/* merger.c - several sources of events to one, in order */

/*
 * Each input has a cursor: its batch, and the place in the order of its next
 * event, the head. The heads are kept in a tree of losers: a leaf for each
 * input, in each node above the one that came second there, and on top the
 * first of all. When it has handed out its event, its next head climbs from
 * its leaf and is compared once in each node: log2 of the number of inputs,
 * half of what a heap takes. Ties go to the input with the lower number. Where
 * a whole batch comes before all other heads, it is copied at once.
 *
 * The scatter loop is the one trick, for events that are close to each other,
 * as in traces that were recorded side by side: there the winner changes with
 * every event, and processors guess half of the comparisons wrong. A window is
 * all that the inputs hold up to where the first batch of them ends. Its
 * events are counted by their place in the order, the sums of the counts say
 * where those of each place begin in the output, and input by input each record
 * is copied to where it belongs: no comparison, and the same work for 2 inputs
 * as for 64. It makes a merge of 8 twice as fast. It needs about as many places
 * as events; where events are rarer, the tree is right.
 *
 * Only records are copied: inputs put into them whatever has to change, so
 * that the columns of a batch need not move. The loops are compiled for each
 * layout, so that a record is a few moves of constant size. Memory is a batch
 * for each input: who has many makes their batches small.
 */

#include "ops/merge/merger.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/input.h"
#include "data/record_columns.h"

enum {
	WINDOW_MAX = 32768,		/* events of a window, */
	PLACES_MAX = 65536,		/* and places in the order, */
	PLACES_EACH = 8,		/* for each event */
	EVENTS_MIN = 64			/* of a batch of an input */
};

struct cursor {
	struct dmtrace_source *source;
	const struct dmt_batch *batch;	/* NULL: the input has ended */
	const uint8_t *records;		/* of the batch */
	const uint64_t *order;
	uint64_t last;			/* in it; UINT64_MAX: it has ended */
	size_t next;			/* the head, in the batch's keep */
	size_t end;			/* of the window */
};

struct head {
	uint64_t order;			/* UINT64_MAX: the input has ended */
	size_t input;
};

struct merger {
	struct dmtrace_source source;
	struct cursor *cursors;
	struct head *losers;		/* from 1 on: the children of a node
					   are at twice its index */
	struct head first;
	size_t count;
	size_t most;			/* events in a batch */
	size_t room;			/* records that there is room for */
	bool begun;
	bool played;			/* the tree has the heads */
	unsigned columns;
	struct dmt_clocks *clocks;	/* for the columns of times */
	uint8_t *records;		/* that are in order, of which some */
	size_t filled;			/* were handed out */
	size_t handed_out;
	uint16_t *places;		/* where the next record goes, by its
					   place from the window's first on */
	struct dmt_batch batch;
};

static inline bool
is_before(const struct head *a, const struct head *b)
{
	return (a->order < b->order) |
	    ((a->order == b->order) & (a->input < b->input));
}

/* The head of an input climbs; the first of all is what comes out on top. */
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
 * Fills the tree: a head waits in the first free node on its way up, and the
 * next that comes there takes the better one on.
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

/* Whether all that is left of the first one's batch comes before the other
 * heads: the best of these lost against it on its way. */
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
	size_t room;			/* for so many records */
};

/* Copies what is left of the first input's batch, as far as there is room. */
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

/* Copies event by event, until there is no room or the batch of an input is
 * used up. */
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

/* Fills up to a batch of records by the tree. */
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
 * Finds the window, from *first on, and counts the events of each place: where
 * it ends in each batch, and where the records of each place begin. Returns how
 * many events it has; 0: it is not for the scatter loop.
 */
static size_t
find_window(struct merger *merger, uint64_t *first)
{
	uint16_t *const places = merger->places;
	struct head bound = { UINT64_MAX, merger->count };
	size_t events = 0, place = 0;

	*first = UINT64_MAX;
	for (size_t i = 0; i < merger->count; i++) {
		const struct head head = head_of(merger, i);
		const struct head last = { merger->cursors[i].last, i };

		if (head.order < *first)
			*first = head.order;
		if (is_before(&last, &bound))
			bound = last;
	}
	if (bound.order - *first >= PLACES_MAX)
		return 0;

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
	if (events > merger->room ||
	    bound.order - *first >= PLACES_EACH * events)
		return 0;

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
		const size_t end = cursor->batch == NULL ? 0 : cursor->end;

		for (size_t i = cursor->next; i < end; i++) {
			const size_t at = cursor->batch->keep[i];

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
	merger->handed_out = 0;
	const size_t events = find_window(merger, &first);
	return events > 0 ? fill_by_window(merger, first, events) :
	    fill_by_tree(merger);
}

/* For struct dmt_watch: the inputs have reported what is unusual. */
static void
ignore_merged_oddity(void *context, unsigned oddities, size_t index)
{
	(void)context;
	(void)oddities;
	(void)index;
}

static enum dmtrace_status
fill_columns(struct merger *merger)
{
	const struct dmtrace_source *const source = &merger->source;
	const struct dmt_watch watch = { ignore_merged_oddity, NULL };

	if (merger->clocks == NULL)
		merger->clocks = dmt_clocks_new(source->layout);
	if (merger->clocks != NULL)
		dmt_columns_decode(&merger->batch, merger->columns,
		    source->indexes, source->layout, merger->clocks, &watch);
	if (merger->clocks == NULL || source->indexes->failed)
		return dmt_error_memory(&merger->source.error);
	return DMTRACE_OK;
}

static enum dmtrace_status
pull_merged(struct dmtrace_source *source, struct dmt_batch **out)
{
	struct merger *const merger = (struct merger *)source;
	struct dmt_batch *const batch = &merger->batch;
	if (merger->handed_out == merger->filled &&
	    fill_records(merger) != DMTRACE_OK)
		return source->error.status;
	const size_t left = merger->filled - merger->handed_out;
	batch->first += batch->count;
	dmt_batch_begin(batch, left < merger->most ? left : merger->most);
	batch->records = merger->records +
	    dmt_records_len(source->layout, merger->handed_out);
	merger->handed_out += batch->count;
	*out = left == 0 ? NULL : batch;
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
		dmt_want(merger->cursors[i].source,
		    DMT_COLUMN_RECORDS);
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
	const size_t room = fit < WINDOW_MAX ? fit : WINDOW_MAX;
	uint8_t *const records =
	    dmt_array_new((size_t)dmt_records_len(layout, room), 1);
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
		.room = room,
		.places = places,
		.records = records,
	};
	return &merger->source;
}

size_t
dmt_merger_events(size_t inputs)
{
	const size_t events = WINDOW_MAX / inputs;

	return events < EVENTS_MIN ? EVENTS_MIN :
	    events > DMT_BATCH_EVENTS ? DMT_BATCH_EVENTS : events;
}
