/* record_keep.c - some of a run of records, and what they are of */

#include "data/record_keep.h"

#include <stdlib.h>

#include "base/array.h"

struct run {
	uint8_t *out;
	struct dmt_census *census;
	const uint8_t *in;
	size_t count;
	const struct dmt_keep *keep;
};

/* Each record is stored, and the next one over it unless it is meant: a
 * branch would be guessed wrong half of the time. */
DMT_INLINE size_t
keep_run(const struct run *run, const struct dmtrace_layout *layout,
    bool by_thread)
{
	const uint8_t *const threads = run->keep->threads;
	const uint8_t *const records = run->keep->records;
	const size_t size = layout->record_size;
	const uint8_t *in = run->in;
	uint8_t *out = run->out;

	for (size_t i = 0; i < run->count; i++, in += size) {
		const size_t flag = by_thread ?
		    threads[dmt_field_get(layout->thread, in)] : records[i];

		memcpy(out, in, size);
		out += size & (0 - flag);
	}
	return (size_t)(out - run->out);
}

DMT_INLINE size_t
keep_threads(const void *context, const struct dmtrace_layout *layout)
{
	return keep_run(context, layout, true);
}

DMT_INLINE size_t
keep_records(const void *context, const struct dmtrace_layout *layout)
{
	return keep_run(context, layout, false);
}

size_t
dmt_records_keep(uint8_t *out, const struct dmtrace_layout *layout,
    const uint8_t *in, size_t count, const struct dmt_keep *keep)
{
	const struct run run = {
		.out = out, .in = in, .count = count, .keep = keep
	};
	const size_t len = keep->threads != NULL ?
	    dmt_loop(keep_threads, &run, layout) :
	    dmt_loop(keep_records, &run, layout);

	return len / layout->record_size;
}

bool
dmt_census_init(struct dmt_census *census,
    const struct dmtrace_layout *layout)
{
	*census = (struct dmt_census){
		.threads =
		    dmt_array_new(dmt_layout_thread_numbers(layout), 1),
		.recent = dmt_array_new(DMT_CENSUS_RECENT + 1,
		    sizeof(uint64_t)),
	};
	return census->threads != NULL && census->recent != NULL;
}

void
dmt_census_fini(struct dmt_census *census)
{
	free(census->threads);
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

/* A word is an id with its lowest bit set, so that none is 0. */
DMT_INLINE void
note_method(struct dmt_census *census, uint64_t word, size_t flag)
{
	const uint64_t hash = word * UINT64_C(0x9e3779b97f4a7c15) >> 50;
	uint64_t *const recent =
	    &census->recent[(hash + 1) & (0 - (uint64_t)flag)];

	if (*recent == (word & (0 - (uint64_t)flag)))
		return;
	*recent = word;
	add_method(census, word & ~UINT64_C(3));
}

/* What is not meant looks at the entry before all others, which stays 0. */
DMT_INLINE size_t
note_run(const struct run *run, const struct dmtrace_layout *layout,
    bool by_thread, bool methods)
{
	struct dmt_census *const census = run->census;
	const uint8_t *in = run->in;
	size_t kept = 0;

	for (size_t i = 0; i < run->count; i++) {
		const uint64_t thread = dmt_field_get(layout->thread, in);
		const size_t flag = by_thread ? run->keep->threads[thread] :
		    run->keep->records[i];

		kept += flag;
		census->threads[thread] = (uint8_t)((by_thread ? 1 :
		    census->threads[thread]) | 1 | flag << 1);
		if (methods)
			note_method(census, (dmt_field_get(layout->method,
			    in) & ~UINT64_C(3)) | 1, flag);
		in += layout->record_size;
	}
	return kept;
}

DMT_INLINE size_t
note_threads(const void *context, const struct dmtrace_layout *layout)
{
	return note_run(context, layout, true, true);
}

DMT_INLINE size_t
note_records(const void *context, const struct dmtrace_layout *layout)
{
	return note_run(context, layout, false, true);
}

DMT_INLINE size_t
count_threads(const void *context, const struct dmtrace_layout *layout)
{
	return note_run(context, layout, true, false);
}

size_t
dmt_records_note(struct dmt_census *census,
    const struct dmtrace_layout *layout, const uint8_t *in, size_t count,
    const struct dmt_keep *keep)
{
	const struct run run = {
		.census = census, .in = in, .count = count, .keep = keep
	};

	return keep->threads != NULL ?
	    dmt_loop(note_threads, &run, layout) :
	    dmt_loop(note_records, &run, layout);
}

size_t
dmt_records_note_threads(struct dmt_census *census,
    const struct dmtrace_layout *layout, const uint8_t *in, size_t count,
    const uint8_t *threads)
{
	const struct dmt_keep keep = { .threads = threads };
	const struct run run = {
		.census = census, .in = in, .count = count, .keep = &keep
	};

	return dmt_loop(count_threads, &run, layout);
}

void
dmt_census_add(struct dmt_census *census, uint32_t thread, uint64_t method)
{
	census->threads[thread] |= 3;
	note_method(census, (method & ~UINT64_C(3)) | 1, 1);
}
