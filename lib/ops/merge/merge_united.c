/* merge_united.c - the times of threads that several inputs share */

/*
 * If threads are united, one thread has events of several inputs. Its times
 * must not go back, unless they go back in an input: the output's events are
 * followed, and the steps back in it are compared with those of the inputs.
 */

#include "ops/merge/merge_united.h"

#include <inttypes.h>

#include "base/error.h"
#include "format/layout.h"

/* The merger has unwrapped times of 32 bits, but those of the output do not
 * wrap: what looks like a wrap is a step back by more than half of them. */
void
dmt_merge_united_init(struct dmt_merge_united *united,
    struct dmtrace_source *merger)
{
	united->merger = merger;
	united->wrap_ns = dmt_layout_has_ns(merger->layout) ? UINT64_MAX :
	    UINT64_C(1000) << 32;
	dmt_attach(merger, &united->lasts, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*united->lasts) });
}

void
dmt_merge_united_follow(struct dmt_merge_united *united,
    const struct dmt_batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct dmt_merge_last *const last =
		    &united->lasts[batch->thread[i]];
		const struct dmt_merge_last now = {
			.cpu_ns = batch->cpu_ns[i] % united->wrap_ns,
			.wall_ns = batch->wall_ns[i] % united->wrap_ns
		};
		const bool wall_back = now.wall_ns < last->wall_ns;

		if ((wall_back || now.cpu_ns < last->cpu_ns) &&
		    united->backs++ == 0) {
			united->thread = united->merger->indexes->threads[
			    batch->thread[i]].number;
			united->is_wall = wall_back;
			united->from_ns = wall_back ? last->wall_ns :
			    last->cpu_ns;
			united->to_ns = wall_back ? now.wall_ns : now.cpu_ns;
		}
		*last = now;
	}
}

enum dmtrace_status
dmt_merge_united_check(const struct dmt_merge_united *united, uint64_t own,
    bool by_time, struct dmtrace_error *error)
{
	if (united->backs <= own)
		return DMTRACE_OK;
	const bool has_ns = dmt_layout_has_ns(united->merger->layout);
	const char *const unit = has_ns ? "ns" : "us";
	const unsigned unit_ns = has_ns ? 1 : 1000;
	return dmt_error_set(error, DMTRACE_ERR_RANGE,
	    "thread %" PRIu32 " of several inputs: its %s times go back from"
	    " %" PRIu64 " %s to %" PRIu64 " %s%s; the mode \"keep\" keeps"
	    " the threads apart", united->thread,
	    united->is_wall ? "wall" : "CPU", united->from_ns / unit_ns, unit,
	    united->to_ns / unit_ns, unit, united->is_wall && by_time ?
	    ", as the events of an input are not in the order of time, which "
	    "\"dmtrace sort\" puts them in" : "");
}
