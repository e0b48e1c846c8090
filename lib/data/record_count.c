/* record_count.c - counts records without decoding events */

/*
 * For its summary, the info command needs no events, only the number of
 * records of each action in each thread, and the first and the last time of
 * the thread. Each record is added to the tally of its thread number, which is
 * an array element if numbers have at most 16 bits, and found by a hash map if
 * they have more. The loop is compiled for each layout; times are unwrapped as
 * they are for events. One bit per thread number says if it has records, so
 * that only these tallies are summed at the end.
 */

#include "data/record_count.h"

#include <stdlib.h>

#include "base/array.h"

#define WORD_BITS 64		/* bits per element of seen */

/*
 * The counts of one thread number. Records at even and odd positions are
 * counted separately: adjacent records often have the same thread and action,
 * and the second addition would have to wait for the result of the first.
 */
struct dmt_thread_tally {
	uint64_t counts[2][4];		/* by position, even or odd, and
					   action */
	struct dmt_clocks clocks;
	uint64_t first;			/* us, or ns if the layout has them: */
	uint64_t last_ns;
	uint32_t number;
};

/* Returns the size of the array by thread number. */
static size_t
tallies_len(const struct dmt_layout *layout)
{
	return dmt_layout_thread_numbers(layout) *
	    sizeof(struct dmt_thread_tally);
}

/* The array is mapped, as calloc would clear megabytes that an earlier trace
 * has used, which took half the time of info for many short traces. */
bool
dmt_tallies_init(struct dmt_tallies *tallies,
    const struct dmt_layout *layout)
{
	const size_t numbers = dmt_layout_thread_numbers(layout);

	*tallies = (struct dmt_tallies){ .layout = layout };
	if (dmt_layout_has_ns(layout))
		return true;
	*tallies = (struct dmt_tallies){
		.layout = layout,
		.threads = dmt_mapped_new(tallies_len(layout)),
		.seen = dmt_array_new(numbers / WORD_BITS,
		    sizeof(*tallies->seen)),
	};
	if (tallies->threads != NULL && tallies->seen != NULL)
		return true;
	dmt_tallies_fini(tallies);
	return false;
}

void
dmt_tallies_fini(struct dmt_tallies *tallies)
{
	if (dmt_layout_has_ns(tallies->layout))
		free(tallies->threads);
	else
		dmt_mapped_free(tallies->threads,
		    tallies_len(tallies->layout));
	free(tallies->seen);
	dmt_idmap_fini(&tallies->by_number);
}

static uint64_t
action_records(const struct dmt_thread_tally *tally, int action)
{
	return tally->counts[0][action] + tally->counts[1][action];
}

static uint64_t
tally_records(const struct dmt_thread_tally *tally)
{
	uint64_t sum = 0;

	for (int action = 0; action < 4; action++)
		sum += action_records(tally, action);
	return sum;
}

/* Returns the clock of the thread's first and last time: wall if it has one. */
static inline const struct dmt_clock *
preferred_clock(const struct dmt_thread_tally *tally,
    const struct dmt_layout *layout)
{
	return layout->wall.width != 0
	    ? &tally->clocks.wall : &tally->clocks.cpu;
}

/* The first record of a position and an action may be the first of the
 * thread. */
DMT_COLD static void
note_first(struct dmt_tallies *tallies, size_t number)
{
	struct dmt_thread_tally *tally = &tallies->threads[number];

	if (tally_records(tally) > 1)
		return;
	tally->first = dmt_clock_us(preferred_clock(tally, tallies->layout));
	tallies->seen[number / WORD_BITS] |=
	    UINT64_C(1) << number % WORD_BITS;
	tallies->thread_count++;
}

/* Finds a tally by hash map, for layouts with too many thread numbers for an
 * array. NULL: no memory. */
static struct dmt_thread_tally *
find_tally(struct dmt_tallies *tallies, uint32_t number, uint64_t time_ns)
{
	const uint32_t *const place =
	    dmt_idmap_find(&tallies->by_number, number);

	if (place != NULL)
		return &tallies->threads[*place];
	struct dmt_thread_tally *const threads = dmt_array_grow(
	    tallies->threads, &tallies->capacity, tallies->thread_count + 1,
	    sizeof(*threads));
	if (threads != NULL)
		tallies->threads = threads;
	if (threads == NULL || !dmt_idmap_add(&tallies->by_number, number,
	    (uint32_t)tallies->thread_count)) {
		tallies->failed = true;
		return NULL;
	}
	threads[tallies->thread_count] = (struct dmt_thread_tally){
		.number = number, .first = time_ns
	};
	return &threads[tallies->thread_count++];
}

struct run {
	struct dmt_tallies *tallies;
	struct dmt_thread_tally *threads;
	const uint8_t *in;
	size_t count;
	const struct dmt_watch *watch;
};

DMT_INLINE void
count_one(const struct run *run, const struct dmt_layout *layout,
    const uint8_t *in, size_t index, unsigned parity)
{
	const enum dmtrace_action action = dmt_action_get(layout, in);
	const size_t number = dmt_field_get(layout->thread, in);
	struct dmt_thread_tally *tally = &run->threads[number];

	dmt_clocks_take(&tally->clocks, layout, in, index, run->watch);
	if (tally->counts[parity][action]++ == 0)
		note_first(run->tallies, number);
}

DMT_INLINE size_t
count_run(const void *context, const struct dmt_layout *layout)
{
	const struct run *run = context;
	const uint8_t *in = run->in;
	size_t i;

	for (i = 0; i + 2 <= run->count; i += 2) {
		count_one(run, layout, in, i, 0);
		in += layout->record_size;
		count_one(run, layout, in, i + 1, 1);
		in += layout->record_size;
	}
	if (i < run->count)
		count_one(run, layout, in, i++, 0);
	return i;
}

void
dmt_records_count(struct dmt_tallies *tallies, const uint8_t *in,
    size_t count, const struct dmt_watch *watch)
{
	const struct run run = {
		tallies, tallies->threads, in, count, watch
	};

	dmt_loop(count_run, &run, tallies->layout);
}

void
dmt_tallies_add(struct dmt_tallies *tallies, uint32_t thread,
    const uint64_t *words, const uint64_t *times_ns, size_t count)
{
	struct dmt_thread_tally *const tally =
	    find_tally(tallies, thread, times_ns[0]);

	if (tally == NULL)
		return;
	for (size_t i = 0; i < count; i++)
		tally->counts[i & 1][words[i] & 3]++;
	tally->last_ns = times_ns[count - 1];
}

static void
add_thread_count(struct dmt_count *count, const struct dmt_tallies *tallies,
    uint32_t thread, const struct dmt_thread_tally *tally)
{
	const bool ns = dmt_layout_has_ns(tallies->layout);

	count->threads[count->thread_count++] = (struct dmt_thread_count){
		.thread = thread,
		.records = tally_records(tally),
		.first_ns = ns ? tally->first : tally->first * 1000,
		.last_ns = ns ? tally->last_ns :
		    dmt_clock_us(preferred_clock(tally,
		    tallies->layout)) * 1000,
	};
	count->records += tally_records(tally);
	for (int action = 0; action < 4; action++)
		count->actions[action] += action_records(tally, action);
}

static int
compare_threads(const void *a, const void *b)
{
	const struct dmt_thread_count *const first = a;
	const struct dmt_thread_count *const second = b;

	return (first->thread > second->thread) -
	    (first->thread < second->thread);
}

/* Visits only the numbers whose bit says that they have records. */
bool
dmt_tallies_sum(struct dmt_count *count,
    const struct dmt_tallies *tallies)
{
	const size_t numbers = dmt_layout_thread_numbers(tallies->layout);

	*count = (struct dmt_count){
		.threads = dmt_array_new(tallies->thread_count,
		    sizeof(*count->threads)),
	};
	if (count->threads == NULL || tallies->failed) {
		dmt_count_fini(count);
		return false;
	}
	if (dmt_layout_has_ns(tallies->layout)) {
		for (size_t i = 0; i < tallies->thread_count; i++)
			add_thread_count(count, tallies,
			    tallies->threads[i].number,
			    &tallies->threads[i]);
		qsort(count->threads, count->thread_count,
		    sizeof(*count->threads), compare_threads);
		return true;
	}
	for (uint32_t i = 0; i < numbers; i++)
		if (tallies->seen[i / WORD_BITS] == 0)
			i += WORD_BITS - 1;
		else if (tallies->seen[i / WORD_BITS] >> i % WORD_BITS & 1)
			add_thread_count(count, tallies, i,
			    &tallies->threads[i]);
	return true;
}
