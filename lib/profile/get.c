/* get.c - what is asked of the totals */

#include "base/real.h"
#include "profile/profile.h"

void
dmtrace_profile_summary_get(const struct dmtrace_profile *profile,
    struct dmtrace_profile_summary *summary)
{
	*summary = profile->summary;
}

static const struct dmt_table *
table_get(const struct dmtrace_profile *profile, size_t table)
{
	return table == 0 ? &profile->all : &profile->rows[table - 1]->table;
}

size_t
dmtrace_profile_method_count(const struct dmtrace_profile *profile)
{
	return profile->method_count;
}

void
dmtrace_profile_method_get(const struct dmtrace_profile *profile,
    size_t table, size_t index, struct dmtrace_profile_method *method)
{
	const struct dmt_method *model = &profile->methods[index];
	const struct dmt_cell *cell =
	    &table_get(profile, table)->cells[index];

	*method = (struct dmtrace_profile_method){
		.class_name = model->class_name, .name = model->name,
		.signature = model->signature,
		.id = model->id, .listed = model->listed,
		.calls = cell->calls[0], .recursive_calls = cell->calls[1]
	};
	for (int clock = 0; clock < DMT_CLOCKS; clock++) {
		const uint64_t *exclusive = cell->exclusive[clock];

		method->inclusive_ns[clock] =
		    (int64_t)cell->inclusive[clock];
		method->exclusive_ns[clock] =
		    (int64_t)(exclusive[0] + exclusive[1]);
		method->outer_ns[clock] = (int64_t)exclusive[0];
	}
}

size_t
dmtrace_profile_edge_count(const struct dmtrace_profile *profile,
    size_t table)
{
	return table_get(profile, table)->edges.sorted_count;
}

void
dmtrace_profile_edge_get(const struct dmtrace_profile *profile, size_t table,
    size_t index, struct dmtrace_profile_edge *edge)
{
	const struct dmt_edge *item =
	    &table_get(profile, table)->edges.sorted[index];

	*edge = (struct dmtrace_profile_edge){
		.caller = dmt_edge_caller(item->key),
		.callee = dmt_edge_callee(item->key),
		.caller_recursive = (int)(item->key >> 1 & 1),
		.callee_recursive = (int)(item->key & 1),
		.calls = item->calls,
		.inclusive_ns = { (int64_t)item->inclusive[0],
		    (int64_t)item->inclusive[1] }
	};
}

size_t
dmtrace_profile_node_count(const struct dmtrace_profile *profile,
    size_t table)
{
	return table_get(profile, table)->nodes.count;
}

void
dmtrace_profile_node_get(const struct dmtrace_profile *profile, size_t table,
    size_t index, struct dmtrace_profile_node *node)
{
	const struct dmt_nodes *nodes = &table_get(profile, table)->nodes;
	const struct dmt_node *item = &nodes->items[index];

	*node = (struct dmtrace_profile_node){
		.parent = item->parent,
		.method = item->method,
		.first_child = nodes->kin[index].first,
		.next_sibling = nodes->kin[index].next,
		.calls = item->calls,
	};
	for (int clock = 0; clock < DMT_CLOCKS; clock++) {
		if (!nodes->has_clock[clock])
			continue;
		node->inclusive_ns[clock] =
		    (int64_t)nodes->times[clock][index];
		node->exclusive_ns[clock] =
		    (int64_t)dmt_nodes_exclusive(nodes, clock, index);
	}
}

void
dmtrace_profile_calls_get(const struct dmtrace_profile *profile, size_t table,
    size_t index, struct dmtrace_profile_calls *calls)
{
	const struct dmt_calls *item =
	    &table_get(profile, table)->calls[index];

	*calls = (struct dmtrace_profile_calls){
		.calls = item->count,
		.min_ns = item->min_ns, .max_ns = item->max_ns,
		.mean_ns = item->mean_ns,
		.deviation_ns = item->count == 0 ? 0 :
		    dmt_square_root(item->squares / (double)item->count)
	};
}

int64_t
dmtrace_profile_percentile(const struct dmtrace_profile *profile,
    size_t table, size_t index, double percent)
{
	return dmt_calls_percentile(
	    &table_get(profile, table)->calls[index], percent);
}

size_t
dmtrace_profile_thread_count(const struct dmtrace_profile *profile)
{
	return profile->row_count;
}

void
dmtrace_profile_thread_get(const struct dmtrace_profile *profile,
    size_t index, struct dmtrace_profile_thread *thread)
{
	*thread = profile->rows[index]->thread;
}
