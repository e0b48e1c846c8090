/* view_durations.c - how long the calls of each method took */

#include "export/view_durations.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "export/view_page.h"

#define SLOW_CALLS_MAX 100000		/* of all methods */

bool
dmt_view_methods_begin(struct dmt_view_methods *methods, size_t count)
{
	const size_t most = count == 0 ? 0 : SLOW_CALLS_MAX / count;

	dmt_view_methods_fini(methods);
	methods->items = dmt_array_new(count, sizeof(*methods->items));
	if (methods->items == NULL)
		return count == 0;
	for (size_t i = 0; i < count; i++)
		methods->items[i] = NULL;
	methods->count = count;
	methods->most = most < 1 ? 1 : most > DMT_SLOWEST ? DMT_SLOWEST : most;
	return true;
}

/* Puts a call in place of the fastest of the slow calls. */
static void
replace_fastest(struct dmt_view_durations *item,
    const struct dmt_slow_call *call)
{
	struct dmt_slow_call *const heap = item->slow;
	uint32_t at = 0;

	for (;;) {
		uint32_t next = 2 * at + 1;

		if (next + 1 < item->slow_count &&
		    heap[next + 1].took_ns < heap[next].took_ns)
			next++;
		if (next >= item->slow_count ||
		    heap[next].took_ns >= call->took_ns)
			break;
		heap[at] = heap[next];
		at = next;
	}
	heap[at] = *call;
}

bool
dmt_view_methods_add(struct dmt_view_methods *methods, uint32_t method,
    const struct dmt_slow_call *call, bool shown)
{
	struct dmt_view_durations *item = methods->items[method];

	if (item == NULL) {
		const size_t size = sizeof(*item) +
		    methods->most * sizeof(item->slow[0]);

		item = malloc(size);
		if (item == NULL)
			return false;
		memset(item, 0, size);
		methods->items[method] = item;
	}
	unsigned bits = 0;
	while (bits < 64 && call->took_ns >> bits > 0)
		bits++;
	if (item->by_bits[bits] < UINT32_MAX)
		item->by_bits[bits]++;
	if (shown) {
		item->shown += item->shown < UINT32_MAX;
		return true;
	}
	if (item->slow_count < methods->most) {
		/* Until it is full, the heap is sorted. */
		uint32_t at = item->slow_count++;

		for (; at > 0 &&
		    item->slow[at - 1].took_ns > call->took_ns; at--)
			item->slow[at] = item->slow[at - 1];
		item->slow[at] = *call;
	} else if (call->took_ns > item->slow[0].took_ns) {
		replace_fastest(item, call);
	}
	return true;
}

static char *
code_signed(char *at, uint64_t ns, uint64_t scale_ns)
{
	return dmt_view_code(at, dmt_view_fold(
	    (uint64_t)((int64_t)ns / (int64_t)scale_ns)));
}

void
dmt_view_methods_put(const struct dmt_view_methods *methods,
    struct dmt_output *out, const uint32_t *places, uint64_t from_ns,
    uint64_t scale_ns)
{
	for (size_t i = 0; i < methods->count; i++) {
		const struct dmt_view_durations *const item =
		    methods->items[i];
		char text[4 * DMT_VIEW_NUMBER_MAX];
		unsigned used = 0;

		if (item == NULL)
			continue;
		for (unsigned bits = 0; bits <= 64; bits++)
			used += item->by_bits[bits] > 0;
		char *at = dmt_view_code(text, i);
		at = dmt_view_code(at, used);
		dmt_output_write(out, text, (size_t)(at - text));
		for (unsigned bits = 0; bits <= 64; bits++) {
			if (item->by_bits[bits] == 0)
				continue;
			at = dmt_view_code(text, bits);
			at = dmt_view_code(at, item->by_bits[bits]);
			dmt_output_write(out, text, (size_t)(at - text));
		}

		/* Those that are shown are slower. */
		const uint32_t slow = item->shown >= DMT_SLOWEST ? 0 :
		    item->slow_count;
		at = dmt_view_code(text, slow);
		dmt_output_write(out, text, (size_t)(at - text));
		for (uint32_t n = 0; n < slow; n++) {
			at = dmt_view_code(text, places[item->slow[n].thread]);
			at = code_signed(at, item->slow[n].start_ns - from_ns,
			    scale_ns);
			at = code_signed(at, item->slow[n].took_ns, scale_ns);
			dmt_output_write(out, text, (size_t)(at - text));
		}
	}
}

void
dmt_view_methods_fini(struct dmt_view_methods *methods)
{
	for (size_t i = 0; i < methods->count; i++)
		free(methods->items[i]);
	free(methods->items);
	*methods = (struct dmt_view_methods){ .items = NULL };
}
