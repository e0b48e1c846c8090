/* record_census.c - the threads and methods that records are of */

#include "data/record_census.h"

#include <stdlib.h>

#include "base/array.h"

#define PLACES_MAX (UINT64_C(1) << 23)	/* bits: 1 MiB of them */

/* Ids stand here without the two bits of the action. */
static void
find_range(struct dmt_census *census, const struct dmtrace_key *key)
{
	const size_t count = dmtrace_key_method_count(key);
	uint64_t most = 0;

	census->least = UINT64_MAX;
	for (size_t i = 0; i < count; i++) {
		const uint64_t place = dmtrace_key_method_get(key, i)->id >> 2;

		census->least = place < census->least ? place : census->least;
		most = place > most ? place : most;
	}
	if (most < census->least)
		census->least = most;
	census->places = most - census->least + 1;
}

DMT_INLINE uint64_t
find_place(const struct dmt_census *census, uint64_t word)
{
	const uint64_t place = (word >> 2) - census->least;

	return place < census->places ? place : census->places;
}

/* What the key does not list seems to have come. */
static bool
init_bits(struct dmt_census *census, const struct dmtrace_key *key)
{
	const size_t count = dmtrace_key_method_count(key);
	const size_t len = (size_t)census->places / 8 + 1;

	census->bits = dmt_array_new(len, 1);
	if (census->bits == NULL)
		return false;
	memset(census->bits, 0xff, len);
	for (size_t i = 0; i < count; i++) {
		const uint64_t place = find_place(census,
		    dmtrace_key_method_get(key, i)->id);

		census->left += census->bits[place / 8] >> place % 8 & 1;
		census->bits[place / 8] &= (uint8_t)~(1U << place % 8);
	}
	return true;
}

static bool
init_methods(struct dmt_census *census, const struct dmtrace_key *key)
{
	find_range(census, key);
	if (census->places < PLACES_MAX)
		return init_bits(census, key);
	census->recent = dmt_array_new(DMT_CENSUS_RECENT + 1,
	    sizeof(uint64_t));
	return census->recent != NULL;
}

bool
dmt_census_init(struct dmt_census *census,
    const struct dmtrace_layout *layout, const struct dmtrace_key *key)
{
	const size_t numbers = dmt_layout_thread_numbers(layout);

	*census = (struct dmt_census){
		.seen = dmt_array_new(numbers, 1),
		.meant = dmt_array_new(numbers + 1, 1),
	};
	return init_methods(census, key) && census->seen != NULL &&
	    census->meant != NULL;
}

void
dmt_census_fini(struct dmt_census *census)
{
	free(census->seen);
	free(census->meant);
	free(census->bits);
	free(census->recent);
	dmt_idmap_fini(&census->methods);
}

static DMT_COLD void
add_method(struct dmt_census *census, uint64_t id)
{
	if (dmt_idmap_find(&census->methods, id) == NULL &&
	    !dmt_idmap_add(&census->methods, id, 0))
		census->failed = true;
}

/* Stored seldom, so that no record waits for the one before it. */
DMT_INLINE void
note_place(const struct dmt_census *copy, uint64_t word, size_t flag,
    struct dmt_census *census)
{
	const uint64_t place = find_place(copy, word);
	const unsigned bit = place & 7;

	if (~(unsigned)copy->bits[place >> 3] >> bit & (unsigned)flag) {
		census->bits[place >> 3] |= (uint8_t)(1 << bit);
		census->left--;
	}
}

/* An id stands here with its lowest bit set, so that none is 0. What is not
 * meant looks at the entry before all others, which stays 0. */
DMT_INLINE void
note_recent(struct dmt_census *census, uint64_t word, size_t flag)
{
	const uint64_t mask = 0 - (uint64_t)flag;
	const uint64_t id = (word & ~UINT64_C(3)) | 1;
	const uint64_t hash = id * UINT64_C(0x9e3779b97f4a7c15) >> 50;
	uint64_t *const recent = &census->recent[(hash + 1) & mask];

	if (*recent == (id & mask))
		return;
	*recent = id;
	add_method(census, id & ~UINT64_C(3));
}

/* How methods are noted. */
enum methods {
	BY_PLACE,
	RECENT,
	NONE				/* all have come */
};

struct run {
	struct dmt_census *census;
	const uint8_t *in;
	size_t count;
	struct dmt_keep keep;
};

/* Run and census are copied, since what is stored could change the caller's:
 * all of it but what note_recent changes stays as it is. */
DMT_INLINE size_t
note_run(const struct run *given, const struct dmtrace_layout *layout,
    bool by_thread, enum methods methods)
{
	const struct run run = *given;
	const struct dmt_census census = *run.census;
	const uint8_t *in = run.in;
	size_t kept = 0;

	for (size_t i = 0; i < run.count; i++, in += layout->record_size) {
		const size_t thread = (size_t)dmt_field_get(layout->thread, in);
		const uint64_t word = dmt_field_get(layout->method, in);
		const size_t flag = by_thread ? run.keep.threads[thread] :
		    run.keep.records[i];

		kept += flag;
		census.seen[thread] = 1;
		census.meant[(thread + 1) & (0 - flag)] = 1;
		if (methods == BY_PLACE)
			note_place(&census, word, flag, run.census);
		else if (methods == RECENT)
			note_recent(run.census, word, flag);
	}
	return kept;
}

DMT_INLINE size_t
places_of_threads(const void *context, const struct dmtrace_layout *layout)
{
	return note_run(context, layout, true, BY_PLACE);
}

DMT_INLINE size_t
places_of_records(const void *context, const struct dmtrace_layout *layout)
{
	return note_run(context, layout, false, BY_PLACE);
}

DMT_INLINE size_t
recent_of_threads(const void *context, const struct dmtrace_layout *layout)
{
	return note_run(context, layout, true, RECENT);
}

DMT_INLINE size_t
recent_of_records(const void *context, const struct dmtrace_layout *layout)
{
	return note_run(context, layout, false, RECENT);
}

DMT_INLINE size_t
none_of_threads(const void *context, const struct dmtrace_layout *layout)
{
	return note_run(context, layout, true, NONE);
}

DMT_INLINE size_t
none_of_records(const void *context, const struct dmtrace_layout *layout)
{
	return note_run(context, layout, false, NONE);
}

size_t
dmt_records_note(struct dmt_census *census,
    const struct dmtrace_layout *layout, const uint8_t *in, size_t count,
    const struct dmt_keep *keep)
{
	const struct run run = {
		.census = census, .in = in, .count = count, .keep = *keep
	};

	const bool by_thread = keep->records == NULL;

	if (census->bits == NULL)
		return by_thread ? dmt_loop(recent_of_threads, &run, layout) :
		    dmt_loop(recent_of_records, &run, layout);
	if (census->left == 0)
		return by_thread ? dmt_loop(none_of_threads, &run, layout) :
		    dmt_loop(none_of_records, &run, layout);
	return by_thread ? dmt_loop(places_of_threads, &run, layout) :
	    dmt_loop(places_of_records, &run, layout);
}

DMT_INLINE size_t
see_threads(const void *context, const struct dmtrace_layout *layout)
{
	const struct run run = *(const struct run *)context;
	uint8_t *const seen = run.census->seen;
	const uint8_t *in = run.in;

	for (size_t i = 0; i < run.count; i++, in += layout->record_size)
		seen[dmt_field_get(layout->thread, in)] = 1;
	return run.count;
}

void
dmt_records_note_threads(struct dmt_census *census,
    const struct dmtrace_layout *layout, const uint8_t *in, size_t count)
{
	const struct run run = { .census = census, .in = in, .count = count };

	dmt_loop(see_threads, &run, layout);
}

void
dmt_census_add(struct dmt_census *census, uint32_t thread, uint64_t method)
{
	census->seen[thread] = 1;
	census->meant[thread + (size_t)1] = 1;
	if (census->bits != NULL)
		note_place(census, method, 1, census);
	else
		note_recent(census, method, 1);
}

bool
dmt_census_has_thread(const struct dmt_census *census, uint32_t thread)
{
	return census->meant[thread + (size_t)1] != 0;
}

bool
dmt_census_has_method(const struct dmt_census *census, uint64_t method)
{
	if (census->bits == NULL)
		return dmt_idmap_find(&census->methods,
		    method & ~UINT64_C(3)) != NULL;
	const uint64_t place = find_place(census, method);

	return census->bits[place / 8] >> place % 8 & 1;
}
