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

/* From how many there are of each to where the first of them goes. */
static void
add_up(uint16_t *counts, size_t len)
{
	uint16_t sum = 0;

	for (size_t i = 0; i < len; i++) {
		const uint16_t count = counts[i];

		counts[i] = sum;
		sum = (uint16_t)(sum + count);
	}
}

struct job {
	struct dmt_sorter *sorter;
	uint8_t *out;
	const struct dmt_strand *runs;
	size_t count;
	uint32_t first;			/* the lowest key */
};

/* A counter for each key of the span. */
static void
count_keys(const struct job *job, size_t span)
{
	uint16_t *const counts = job->sorter->counts;

	memset(counts, 0, span * sizeof(*counts));
	for (size_t i = 0; i < job->count; i++) {
		const struct dmt_strand *const run = &job->runs[i];

		for (size_t j = 0; j < run->count; j++)
			counts[run->keys[j] - job->first]++;
	}
	add_up(counts, span);
}

/* Each record to the place that its key's counter says. */
DMT_INLINE size_t
scatter(const void *context, const struct dmtrace_layout *layout)
{
	const struct job *const job = context;
	const size_t size = layout->record_size;
	uint16_t *const counts = job->sorter->counts;

	for (size_t i = 0; i < job->count; i++) {
		const uint8_t *in = job->runs[i].records;
		const uint32_t *const keys = job->runs[i].keys;
		const size_t count = job->runs[i].count;

		for (size_t j = 0; j < count; j++, in += size)
			memcpy(job->out +
			    counts[keys[j] - job->first]++ * size, in, size);
	}
	return 0;
}

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

/* The lowest key, and how far the highest lies above it. */
static uint32_t
measure(struct job *job)
{
	uint32_t first = UINT32_MAX, last = 0;

	for (size_t i = 0; i < job->count; i++) {
		const struct dmt_strand *const run = &job->runs[i];

		if (run->count == 0)
			continue;
		if (run->keys[0] < first)
			first = run->keys[0];
		if (run->keys[run->count - 1] > last)
			last = run->keys[run->count - 1];
	}
	job->first = first;
	return last < first ? 0 : last - first;
}

void
dmt_interleave(struct dmt_sorter *sorter, uint8_t *out,
    const struct dmtrace_layout *layout, const struct dmt_strand *runs,
    size_t count)
{
	struct job job = { sorter, out, runs, count, 0 };
	const uint32_t span = measure(&job);

	if (span >= SPAN_MAX) {
		sort_sparse(&job, layout, span);
		return;
	}
	count_keys(&job, (size_t)span + 1);
	dmt_loop(scatter, &job, layout);
}
