/* profile.c - the public functions of profiles: add traces, get totals */

/*
 * A profile has totals by method and, if the options ask for them, by pair of
 * caller and callee, by path, and all of these for each thread. Traces are
 * added one after the other: the engine (engine.c) follows the calls of a trace
 * and adds them to the totals (totals.c). Methods and threads of several traces
 * are the same if their names are (profile_names.c). This file adds a trace,
 * with the overhead per event that its key may give, and returns the totals as
 * public rows.
 */

#include "profile/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/layout.h"
#include "private/key.h"
#include "private/profile.h"
#include "private/select.h"


static const unsigned keep_all = DMTRACE_PROFILE_EDGES |
    DMTRACE_PROFILE_TREE | DMTRACE_PROFILE_CALLS | DMTRACE_PROFILE_THREADS |
    DMTRACE_PROFILE_COMPENSATE | DMTRACE_PROFILE_AS_DMTRACEDUMP;

struct dmtrace_profile *
dmtrace_profile_new(const struct dmtrace_profile_options *options)
{
	struct dmtrace_profile *profile = dmt_array_new(1, sizeof(*profile));

	if (profile == NULL)
		return NULL;
	profile->all = dmt_array_new(1, sizeof(*profile->all));
	if (profile->all == NULL) {
		free(profile);
		return NULL;
	}
	if (options != NULL)
		profile->options = *options;
	if (profile->options.max_depth == 0)
		profile->options.max_depth = DMT_OPEN_CALLS_MAX;
	if ((profile->options.keep & ~keep_all) != 0 ||
	    (unsigned)profile->options.by > DMTRACE_PROFILE_BY_PACKAGE ||
	    (unsigned)profile->options.clock > DMTRACE_CLOCK_UNKNOWN)
		dmt_error_set(&profile->error, DMTRACE_ERR_RANGE,
		    "%s: unknown bit of keep, or value of by or clock",
		    __func__);
	profile->keep = profile->options.keep;
	profile->names.dots = true;
	profile->clock = dmt_profile_clock(profile->options.clock);
	return profile;
}

void
dmtrace_profile_free(struct dmtrace_profile *profile)
{
	if (profile == NULL)
		return;
	for (size_t i = 0; i < profile->thread_count; i++) {
		dmt_totals_fini(&profile->threads[i]->totals);
		free(profile->threads[i]);
	}
	free(profile->threads);
	dmt_idmap_fini(&profile->by_number);
	dmt_totals_fini(profile->all);
	free(profile->all);
	free(profile->methods);
	dmt_name_table_fini(&profile->names);
	free(profile);
}

const struct dmtrace_error *
dmtrace_profile_error(const struct dmtrace_profile *profile)
{
	return profile == NULL ? &dmt_error_null : &profile->error;
}

/* Returns the overhead per event that the key gives, in nanoseconds; 0 if there
 * is none or if it is not a number without a sign. */
static uint64_t
find_overhead(const struct dmtrace_key *key)
{
	const struct dmtrace_option *const option =
	    dmtrace_key_option_find(key, "clock-call-overhead-nsec");
	uint64_t number = 0;

	for (size_t i = 0; option != NULL && i < option->value.len; i++) {
		const char digit = option->value.bytes[i];

		if (digit < '0' || digit > '9' || number > UINT32_MAX)
			return 0;
		number = number * 10 + (uint64_t)(digit - '0');
	}
	return number;
}

enum dmtrace_status
dmt_profile_add(struct dmtrace_profile *profile,
    struct dmtrace_source *source)
{
	struct dmtrace_profile_summary *const summary = &profile->summary;
	const int has_clock[DMT_CLOCKS] = {
		dmt_layout_has_cpu(source->layout),
		dmt_layout_has_wall(source->layout)
	};

	if (profile->error.status != DMTRACE_OK)
		return profile->error.status;
	if (summary->traces > 0 &&
	    profile->options.by == DMTRACE_PROFILE_BY_ROW)
		return dmt_error_set(&profile->error, DMTRACE_ERR_STATE,
		    "dmtrace_profile_add: a second trace by rows of the key");

	/* Which clocks all traces have, and the clock of durations. */
	for (int clock = 0; clock < DMT_CLOCKS; clock++)
		summary->has_clock[clock] = has_clock[clock] &&
		    (summary->traces == 0 || summary->has_clock[clock]);
	if (summary->traces == 0 && !has_clock[profile->clock])
		profile->clock = (enum dmtrace_profile_clock)
		    (DMTRACE_PROFILE_WALL - profile->clock);

	summary->lower_bounds |= dmt_key_overflowed(source->key);
	return dmt_profile_add_events(profile, source,
	    profile->keep & DMTRACE_PROFILE_COMPENSATE ?
	    find_overhead(source->key) : 0);
}

enum dmtrace_status
dmtrace_profile_add(struct dmtrace_profile *profile,
    struct dmtrace_source *source)
{
	if (profile == NULL)
		return DMTRACE_ERR_STATE;
	if (source == NULL)
		return dmt_error_null_given(&profile->error, __func__);
	const enum dmtrace_status status = dmt_source_take(source, __func__);
	if (status != DMTRACE_OK)
		return status;
	dmt_source_keep(source, 2);
	return dmt_profile_add(profile, source);
}

enum dmtrace_status
dmt_profile_end_trace(struct dmtrace_profile *profile)
{
	bool done = true;

	for (size_t i = 0; i <= profile->thread_count && done &&
	    (i == 0 || (profile->keep & DMTRACE_PROFILE_THREADS)); i++) {
		struct dmt_totals *const totals = i == 0 ? profile->all :
		    &profile->threads[i - 1]->totals;

		done = dmt_totals_reserve(totals, profile->names.count) &&
		    (!(profile->keep & DMTRACE_PROFILE_TREE) ||
		    dmt_paths_begin(&totals->paths));
	}
	return done ? DMTRACE_OK : dmt_error_memory(&profile->error);
}

/* The totals. */

void
dmtrace_profile_summary_get(const struct dmtrace_profile *profile,
    struct dmtrace_profile_summary *summary)
{
	*summary = (struct dmtrace_profile_summary){ 0 };
	if (profile != NULL)
		*summary = profile->summary;
}

/* Settles the totals that are read first after a trace: of thousands of traces
 * only the sums are sorted. NULL: there is no such table. */
static const struct dmt_totals *
get_totals(const struct dmtrace_profile *profile, size_t table)
{
	if (profile == NULL || table > profile->thread_count)
		return NULL;
	struct dmt_totals *const totals = table == 0 ? profile->all :
	    &profile->threads[table - 1]->totals;
	dmt_totals_settle(totals);
	return totals;
}

/* Returns true if the table has totals of the method. A trace that failed
 * leaves methods without totals. */
static bool
has_method(const struct dmtrace_profile *profile, size_t table, size_t index)
{
	const struct dmt_totals *const totals = get_totals(profile, table);

	return totals != NULL && index < profile->names.count &&
	    index < totals->method_count;
}

size_t
dmtrace_profile_method_count(const struct dmtrace_profile *profile)
{
	return profile == NULL ? 0 : profile->names.count;
}

void
dmtrace_profile_method_get(const struct dmtrace_profile *profile,
    size_t table, size_t index, struct dmtrace_profile_method *method)
{
	*method = (struct dmtrace_profile_method){ .id = 0 };
	if (!has_method(profile, table, index))
		return;
	const struct dmt_name *const name = &profile->names.items[index];
	const struct dmt_profile_method *const row = &profile->methods[index];
	const struct dmt_cell *cell =
	    &get_totals(profile, table)->cells[index];

	*method = (struct dmtrace_profile_method){
		.class_name = name->class_name, .name = name->name,
		.signature = name->signature, .listed = name->listed,
		.file = row->file, .line = row->line, .id = row->id,
		.calls = cell->calls[0], .recursive_calls = cell->calls[1]
	};
	for (int clock = 0; clock < DMT_CLOCKS; clock++) {
		method->inclusive_ns[clock] =
		    (int64_t)cell->inclusive[clock];
		method->exclusive_ns[clock] =
		    (int64_t)(cell->exclusive[0][clock] +
		    cell->exclusive[1][clock]);
		method->outer_ns[clock] =
		    (int64_t)cell->exclusive[0][clock];
	}
	method->inclusive_partial = cell->inclusive_partial > 0;
	method->exclusive_partial = cell->exclusive_partial > 0;
}

size_t
dmtrace_profile_edge_count(const struct dmtrace_profile *profile,
    size_t table)
{
	const struct dmt_totals *const totals = get_totals(profile, table);

	return totals == NULL || totals->edges.count == 0 ? 0 :
	    totals->edges.count - 1;
}

void
dmtrace_profile_edge_get(const struct dmtrace_profile *profile, size_t table,
    size_t index, struct dmtrace_profile_edge *edge)
{
	*edge = (struct dmtrace_profile_edge){ .calls = 0 };
	if (index >= dmtrace_profile_edge_count(profile, table))
		return;
	const struct dmt_edge *item =
	    &get_totals(profile, table)->edges.items[index + 1];

	*edge = (struct dmtrace_profile_edge){
		.caller = dmt_edge_caller(item->key),
		.callee = dmt_edge_callee(item->key),
		.caller_recursive = (int)(item->key >> 32 & 1),
		.callee_recursive = (int)(item->key & 1),
		.calls = item->calls & ~DMT_EDGE_PARTIAL,
		.inclusive_ns = { (int64_t)item->inclusive[0],
		    (int64_t)item->inclusive[1] },
		.inclusive_partial = (item->calls & DMT_EDGE_PARTIAL) != 0
	};
}

size_t
dmtrace_profile_node_count(const struct dmtrace_profile *profile,
    size_t table)
{
	const struct dmt_totals *const totals = get_totals(profile, table);

	return totals == NULL ? 0 : totals->paths.count;
}

void
dmtrace_profile_node_get(const struct dmtrace_profile *profile, size_t table,
    size_t index, struct dmtrace_profile_node *node)
{
	*node = (struct dmtrace_profile_node){ .calls = 0 };
	if (index >= dmtrace_profile_node_count(profile, table))
		return;
	const struct dmt_path *item =
	    &get_totals(profile, table)->paths.items[index];

	*node = (struct dmtrace_profile_node){
		.parent = item->parent,
		.method = item->method,
		.first_child = item->first_child,
		.next_sibling = item->next_sibling,
		.calls = item->calls,
		.inclusive_partial = item->inclusive_partial,
		.exclusive_partial = item->exclusive_partial,
	};
	for (int clock = 0; clock < DMT_CLOCKS; clock++) {
		node->inclusive_ns[clock] = (int64_t)item->inclusive[clock];
		node->exclusive_ns[clock] = (int64_t)item->exclusive[clock];
	}
}

/* NULL: the method has no calls, or durations are not kept, or not known. */
static const struct dmt_durations *
find_durations(const struct dmtrace_profile *profile, size_t table,
    size_t index)
{
	const struct dmt_totals *const totals = get_totals(profile, table);

	return !has_method(profile, table, index) ||
	    totals->durations == NULL ||
	    (profile->clock == DMTRACE_PROFILE_CPU &&
	    totals->cells[index].inclusive_partial > 0) ? NULL :
	    totals->durations[index];
}

void
dmtrace_profile_calls_get(const struct dmtrace_profile *profile, size_t table,
    size_t index, struct dmtrace_profile_calls *calls)
{
	const struct dmt_durations *const item =
	    find_durations(profile, table, index);

	*calls = (struct dmtrace_profile_calls){ 0 };
	if (item != NULL)
		*calls = (struct dmtrace_profile_calls){
			.calls = item->count,
			.min_ns = item->min_ns, .max_ns = item->max_ns,
			.mean_ns = item->mean_ns,
			.deviation_ns = sqrt(
			    item->squares / (double)item->count)
		};
}

int64_t
dmtrace_profile_percentile(const struct dmtrace_profile *profile,
    size_t table, size_t index, double percent)
{
	const struct dmt_durations *const item =
	    find_durations(profile, table, index);

	return item == NULL ? 0 : dmt_durations_percentile(item, percent);
}

size_t
dmtrace_profile_thread_count(const struct dmtrace_profile *profile)
{
	return profile == NULL ? 0 : profile->thread_count;
}

void
dmtrace_profile_thread_get(const struct dmtrace_profile *profile,
    size_t index, struct dmtrace_profile_thread *thread)
{
	*thread = index < dmtrace_profile_thread_count(profile) ?
	    profile->threads[index]->thread :
	    (struct dmtrace_profile_thread){ .number = 0 };
}
