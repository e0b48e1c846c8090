/* interleave.c - runs of records to one, by time: the kernel of merge */

#include "ops/interleave.h"

#include <stdlib.h>
#include <string.h>

#include "data/record.h"

enum {
	SPAN_MAX = 65536,		/* keys that are counted at once */
	DIGIT_BITS = 11,		/* of a larger span */
	DIGITS = 1 << DIGIT_BITS
};

/* Where a record is, and its key above that of the first. */
struct item {
	uint32_t key;
	uint32_t index;
};

/* Counters are at most DMT_INTERLEAVE_MAX. */
struct dmt_sorter {
	uint16_t counts[SPAN_MAX];
	struct item items[2][DMT_INTERLEAVE_MAX];
	const uint8_t *places[DMT_INTERLEAVE_MAX];	/* by index */
};

struct dmt_sorter *
dmt_sorter_new(void)
{
	return malloc(sizeof(struct dmt_sorter));
}

void
dmt_sorter_free(struct dmt_sorter *sorter)
{
	free(sorter);
}

/* Four counters as one number, the first in its low bits. */
static uint64_t
get_four(const uint16_t *counts)
{
	return counts[0] | (uint64_t)counts[1] << 16 |
	    (uint64_t)counts[2] << 32 | (uint64_t)counts[3] << 48;
}

static void
put_four(uint16_t *counts, uint64_t four)
{
	counts[0] = (uint16_t)four;
	counts[1] = (uint16_t)(four >> 16);
	counts[2] = (uint16_t)(four >> 32);
	counts[3] = (uint16_t)(four >> 48);
}

#define FOUR_ONES UINT64_C(0x0001000100010001)

/*
 * From how many there are of each to where the first of them goes. The product
 * of four with FOUR_ONES has in each the sum up to it. The last four may end
 * behind len: counts has room for it, and what lies there changes no sum
 * before it.
 */
static void
add_up(uint16_t *counts, size_t len)
{
	uint64_t before = 0;		/* the sum of all, four times */

	for (size_t i = 0; i < len; i += 4) {
		const uint64_t sums = get_four(counts + i) * FOUR_ONES;

		put_four(counts + i, (sums << 16) + before);
		before += (sums >> 48) * FOUR_ONES;
	}
}

DMT_INLINE uint32_t
key_at(const struct dmt_strand *run, const struct dmtrace_layout *layout,
    size_t index)
{
	return (uint32_t)dmt_field_get(layout->wall,
	    run->records + index * layout->record_size) + run->shift_us;
}

struct counting {
	const struct dmt_strand *run;
	struct dmt_places places;
};

DMT_INLINE size_t
count_times(const void *context, const struct dmtrace_layout *layout)
{
	const struct counting *const counting = context;
	const struct dmt_strand *const run = counting->run;
	const size_t count = run->count;
	const uint32_t shift_us = run->shift_us - counting->places.first;
	uint16_t *const counts = counting->places.by_key;
	const uint8_t *in = run->records;

	for (size_t i = 0; i < count; i++, in += layout->record_size)
		counts[(uint32_t)dmt_field_get(layout->wall, in) +
		    shift_us]++;
	return count;
}

static void
count_run(const struct dmt_places *places, const struct dmt_strand *run)
{
	const struct counting counting = { run, *places };

	if (run->keys == NULL) {
		dmt_loop(count_times, &counting, run->layout);
		return;
	}
	for (size_t i = 0; i < run->count; i++)
		places->by_key[run->keys[i] - places->first]++;
}

struct putting {
	const struct dmt_strand *run;
	struct dmt_places places;
	uint8_t *out;
};

/* Each record to the place that its key's counter says. */
DMT_INLINE size_t
scatter(const void *context, const struct dmtrace_layout *layout)
{
	const struct putting *const putting = context;
	const struct dmt_strand *const run = putting->run;
	const size_t size = layout->record_size;
	const size_t count = run->count;
	const uint32_t *const keys = run->keys;
	const uint32_t first = putting->places.first;
	uint16_t *const counts = putting->places.by_key;
	const uint8_t *in = run->records;

	for (size_t i = 0; i < count; i++, in += size)
		memcpy(putting->out + counts[keys[i] - first]++ * size, in,
		    size);
	return count;
}

void
dmt_interleave_put(const struct dmt_places *places, uint8_t *out,
    const struct dmtrace_layout *layout, const struct dmt_strand *run)
{
	const struct putting putting = { run, *places, out };

	dmt_loop(scatter, &putting, layout);
}

struct job {
	struct dmt_sorter *sorter;
	uint8_t *out;
	const struct dmt_strand *runs;
	size_t count;
	uint32_t first;			/* the lowest key */
};

/* The items of all runs; how many there are. */
static size_t
list(const struct job *job, size_t size)
{
	struct item *const items = job->sorter->items[0];
	size_t count = 0;

	for (size_t i = 0; i < job->count; i++) {
		const struct dmt_strand *const run = &job->runs[i];

		for (size_t j = 0; j < run->count; j++, count++) {
			job->sorter->places[count] = run->records + j * size;
			items[count] = (struct item){
				run->keys[j] - job->first, (uint32_t)count
			};
		}
	}
	return count;
}

/* One digit of the keys, the lower ones being sorted already. */
static void
sort_digit(struct dmt_sorter *sorter, const struct item *from,
    struct item *to, size_t count, unsigned shift)
{
	uint16_t *const counts = sorter->counts;

	memset(counts, 0, DIGITS * sizeof(*counts));
	for (size_t i = 0; i < count; i++)
		counts[from[i].key >> shift & (DIGITS - 1)]++;
	add_up(counts, DIGITS);
	for (size_t i = 0; i < count; i++)
		to[counts[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
}

struct picked {
	const struct job *job;
	const struct item *items;
	size_t count;
};

DMT_INLINE size_t
pick(const void *context, const struct dmtrace_layout *layout)
{
	const struct picked *const picked = context;
	const uint8_t *const *const places = picked->job->sorter->places;
	uint8_t *out = picked->job->out;

	for (size_t i = 0; i < picked->count; i++) {
		memcpy(out, places[picked->items[i].index],
		    layout->record_size);
		out += layout->record_size;
	}
	return picked->count;
}

/* Digit by digit, for keys that lie far from each other. */
static void
sort_sparse(const struct job *job, const struct dmtrace_layout *layout,
    uint32_t span)
{
	struct dmt_sorter *const sorter = job->sorter;
	const size_t count = list(job, layout->record_size);
	unsigned shift = 0, turn = 0;

	for (; shift < 32 && span >> shift != 0; shift += DIGIT_BITS) {
		sort_digit(sorter, sorter->items[turn],
		    sorter->items[1 - turn], count, shift);
		turn = 1 - turn;
	}
	const struct picked picked = { job, sorter->items[turn], count };
	dmt_loop(pick, &picked, layout);
}

static uint32_t
first_key(const struct dmt_strand *run)
{
	return run->keys != NULL ? run->keys[0] :
	    key_at(run, run->layout, 0);
}

static uint32_t
last_key(const struct dmt_strand *run)
{
	return run->keys != NULL ? run->keys[run->count - 1] :
	    key_at(run, run->layout, run->count - 1);
}

/* The lowest key, and how far the highest lies above it. */
static uint32_t
measure(const struct dmt_strand *runs, size_t count, uint32_t *lowest)
{
	uint32_t first = UINT32_MAX, last = 0;

	for (size_t i = 0; i < count; i++) {
		if (runs[i].count == 0)
			continue;
		if (first_key(&runs[i]) < first)
			first = first_key(&runs[i]);
		if (last_key(&runs[i]) > last)
			last = last_key(&runs[i]);
	}
	*lowest = first;
	return last < first ? 0 : last - first;
}

bool
dmt_interleave_begin(struct dmt_sorter *sorter,
    const struct dmt_strand *runs, size_t count, struct dmt_places *places)
{
	const uint32_t span = measure(runs, count, &places->first);

	places->by_key = sorter->counts;
	if (span >= SPAN_MAX)
		return false;
	memset(sorter->counts, 0, (span + 1) * sizeof(*sorter->counts));
	for (size_t i = 0; i < count; i++)
		count_run(places, &runs[i]);
	add_up(sorter->counts, (size_t)span + 1);
	return true;
}

void
dmt_interleave(struct dmt_sorter *sorter, uint8_t *out,
    const struct dmtrace_layout *layout, const struct dmt_strand *runs,
    size_t count)
{
	struct dmt_places places;

	if (dmt_interleave_begin(sorter, runs, count, &places)) {
		for (size_t i = 0; i < count; i++)
			dmt_interleave_put(&places, out, layout, &runs[i]);
		return;
	}
	struct job job = { sorter, out, runs, count, 0 };
	const uint32_t span = measure(runs, count, &job.first);
	sort_sparse(&job, layout, span);
}
