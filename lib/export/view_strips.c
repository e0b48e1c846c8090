/* view_strips.c - what threads did over time, at a glance */

/*
 * The time of the trace is divided into bins. The events of a thread are in the
 * order of time, so that it has one bin that is not complete: sums of CPU time
 * and of the time in calls, and the package that has used most so far. What
 * packages use is in an array by thread and package, where each weight has the
 * bin for which it counts, so that nothing needs to be cleared for the next
 * bin. A bin is 4 bytes in memory, and a weight 16; there are at most 16 MB of
 * either, for which bins become wider, and packages share a weight.
 */

#include "export/view_strips.h"

#include "base/array.h"
#include "export/view_page.h"

#define BINS_MAX 200			/* of a thread */
#define BINS_LEAST 5
#define CELLS_MAX 200000		/* of all threads */
#define WEIGHTS_MAX (1 << 20)
#define METHOD_BITS 26			/* of a cell */

struct dmt_strip_thread {
	uint64_t cpu_ns;		/* of its bin */
	uint64_t open_ns;
	uint32_t bin;
	uint32_t most;			/* the package of the largest weight */
};

struct dmt_strip_weight {
	uint64_t ns;
	uint32_t bin;			/* for which it counts, plus 1 */
	uint32_t method;
};

bool
dmt_strips_begin(struct dmt_strips *strips, uint64_t from_ns, uint64_t to_ns,
    size_t threads, size_t packages)
{
	size_t bins = threads > 0 ? CELLS_MAX / threads : BINS_MAX;

	bins = bins > BINS_MAX ? BINS_MAX : bins < BINS_LEAST ? BINS_LEAST :
	    bins;
	if (threads > 0 && packages > WEIGHTS_MAX / threads)
		packages = WEIGHTS_MAX / threads;
	if (packages == 0)
		packages = 1;
	*strips = (struct dmt_strips){
		.from_ns = from_ns, .width_ns = (to_ns - from_ns) / bins + 1,
		.bins = bins, .packages = packages, .thread_count = threads,
		.threads = dmt_array_new(threads, sizeof(*strips->threads)),
		.weights = dmt_array_new(threads * packages,
		    sizeof(*strips->weights)),
		.cells = dmt_array_new(threads * bins,
		    sizeof(*strips->cells)),
	};
	return strips->threads != NULL && strips->weights != NULL &&
	    strips->cells != NULL;
}

/* Completes the bin of a thread. */
static void
end_bin(const struct dmt_strips *strips, size_t index)
{
	struct dmt_strip_thread *const thread = &strips->threads[index];
	const uint64_t width = strips->width_ns;
	uint64_t level = (thread->cpu_ns * DMT_STRIP_LEVELS + width / 2) /
	    width;

	if (level > DMT_STRIP_LEVELS)
		level = DMT_STRIP_LEVELS;
	if (level == 0 && thread->cpu_ns * 100 >= width)
		level = 1;
	const uint32_t method = strips->weights[index * strips->packages +
	    thread->most].method % (1 << METHOD_BITS);
	strips->cells[index * strips->bins + thread->bin] =
	    (uint32_t)level << 1 | (thread->open_ns * 2 >= width) |
	    (level > 0 ? method << (32 - METHOD_BITS) : 0);
	thread->cpu_ns = thread->open_ns = 0;
}

void
dmt_strips_add(struct dmt_strips *strips, size_t index,
    const struct dmt_strip_part *part)
{
	struct dmt_strip_thread *const thread = &strips->threads[index];
	const uint64_t took = part->to_ns - part->from_ns;
	uint64_t from = part->from_ns - strips->from_ns;
	const uint64_t to = part->to_ns - strips->from_ns;
	uint64_t left = part->cpu_ns;

	if (part->from_ns < strips->from_ns || part->to_ns < part->from_ns)
		return;
	const uint64_t slot = part->package % strips->packages;
	/* CPU time may pass where wall time does not, as clocks have steps. */
	do {
		uint32_t bin = thread->bin;

		/* Most parts are in the bin of the one before. */
		if (from - bin * strips->width_ns >= strips->width_ns) {
			if (from / strips->width_ns >= strips->bins)
				break;
			bin = (uint32_t)(from / strips->width_ns);
		}
		const uint64_t begin = bin * strips->width_ns;
		const bool ends = to - begin <= strips->width_ns;
		const uint64_t end = ends ? to : begin + strips->width_ns;
		const uint64_t ns = end - from;

		if (bin > thread->bin) {
			end_bin(strips, index);
			thread->bin = bin;
			thread->most = (uint32_t)slot;
		}

		/* CPU time is spread evenly over a part. */
		const uint64_t cpu = ends ? left : (uint64_t)
		    ((double)part->cpu_ns * (double)ns / (double)took);
		struct dmt_strip_weight *const weights =
		    &strips->weights[index * strips->packages];
		struct dmt_strip_weight *const weight = &weights[slot];

		left -= cpu < left ? cpu : left;
		if (weight->bin != bin + 1)
			*weight = (struct dmt_strip_weight){ .bin = bin + 1,
			    .method = part->method };
		weight->ns += cpu;
		thread->cpu_ns += cpu;
		thread->open_ns += ns;
		if (weights[thread->most].bin != bin + 1 ||
		    weight->ns > weights[thread->most].ns)
			thread->most = (uint32_t)slot;
		from = end;
	} while (from < to);
}

void
dmt_strips_put(struct dmt_strips *strips, struct dmt_output *out,
    size_t thread)
{
	const uint32_t *const cells = &strips->cells[thread * strips->bins];

	end_bin(strips, thread);
	for (size_t i = 0, run; i < strips->bins; i += run) {
		char text[3 * DMT_VIEW_NUMBER_MAX];
		char *at = text;

		for (run = 1; i + run < strips->bins &&
		    cells[i + run] == cells[i]; )
			run++;
		at = dmt_view_code(at, run);
		const uint32_t code = cells[i] % (1 << (32 - METHOD_BITS));
		at = dmt_view_code(at, code);
		if (code > 1)
			at = dmt_view_code(at, cells[i] >>
			    (32 - METHOD_BITS));
		dmt_output_write(out, text, (size_t)(at - text));
	}
}

void
dmt_strips_fini(struct dmt_strips *strips)
{
	free(strips->threads);
	free(strips->weights);
	free(strips->cells);
	*strips = (struct dmt_strips){ .bins = 0 };
}
