/* record_keep.c - some of a run of records */

#include "data/record_keep.h"

struct run {
	uint8_t *out;
	const uint8_t *in;
	size_t count;
	struct dmt_keep keep;
};

enum way {
	BY_THREAD,
	BY_RECORD,
	BY_WINDOW
};

/* Whether a record is meant, without a branch. */
DMT_INLINE size_t
is_meant(const struct run *run, const struct dmtrace_layout *layout,
    size_t index, const uint8_t *in, enum way way)
{
	if (way == BY_RECORD)
		return run->keep.records[index];
	const uint64_t thread = dmt_field_get(layout->thread, in);
	if (way == BY_THREAD)
		return run->keep.threads[thread];
	const uint64_t time_us = dmt_field_get(
	    layout->wall.width != 0 ? layout->wall : layout->cpu, in);
	return run->keep.threads[thread] & (size_t)(time_us -
	    run->keep.from_us < run->keep.to_us - run->keep.from_us);
}

/* Each record is stored, and the next one over it unless it is meant: a
 * branch would be guessed wrong half of the time. The run is copied, since
 * what is stored could change the caller's. */
DMT_INLINE size_t
keep_run(const struct run *given, const struct dmtrace_layout *layout,
    enum way way)
{
	const struct run run = *given;
	const size_t size = layout->record_size;
	const uint8_t *in = run.in;
	uint8_t *out = run.out;

	for (size_t i = 0; i < run.count; i++, in += size) {
		const size_t flag = is_meant(&run, layout, i, in, way);

		memcpy(out, in, size);
		out += size & (0 - flag);
	}
	return (size_t)(out - run.out);
}

DMT_INLINE size_t
keep_threads(const void *context, const struct dmtrace_layout *layout)
{
	return keep_run(context, layout, BY_THREAD);
}

DMT_INLINE size_t
keep_records(const void *context, const struct dmtrace_layout *layout)
{
	return keep_run(context, layout, BY_RECORD);
}

DMT_INLINE size_t
keep_window(const void *context, const struct dmtrace_layout *layout)
{
	return keep_run(context, layout, BY_WINDOW);
}

size_t
dmt_records_keep(uint8_t *out, const struct dmtrace_layout *layout,
    const uint8_t *in, size_t count, const struct dmt_keep *keep)
{
	const struct run run = {
		.out = out, .in = in, .count = count, .keep = *keep
	};
	const size_t len = keep->records != NULL ?
	    dmt_loop(keep_records, &run, layout) : keep->limited ?
	    dmt_loop(keep_window, &run, layout) :
	    dmt_loop(keep_threads, &run, layout);

	return len / layout->record_size;
}
