/* profile.c - the life of a profile, trace by trace */

#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/options.h"
#include "key/number.h"
#include "profile/again.h"

#define DEFAULT_DEPTH 1048576
#define TIMES_MAX 9.2e18	/* below 2^63: see dmt_ns_of */

void
dmtrace_profile_options_init(struct dmtrace_profile_options *options)
{
	*options = (struct dmtrace_profile_options){
		.size = sizeof(*options),
		.clock = DMTRACE_PROFILE_WALL,
		.max_depth = DEFAULT_DEPTH
	};
}

struct dmtrace_profile *
dmtrace_profile_new(const struct dmtrace_profile_options *options)
{
	struct dmtrace_profile *profile = dmt_array_new(1, sizeof(*profile));

	if (profile == NULL)
		return NULL;
	dmtrace_profile_options_init(&profile->options);
	if (options != NULL)
		dmt_options_take(&profile->options, sizeof(*options), options);
	profile->keep = profile->options.keep;
	return profile;
}

void
dmt_table_fini(struct dmt_table *table)
{
	free(table->cells);
	free(table->calls);
	dmt_edges_fini(&table->edges);
	dmt_nodes_fini(&table->nodes);
}

void
dmtrace_profile_free(struct dmtrace_profile *profile)
{
	if (profile == NULL)
		return;
	dmt_threads_clear(profile);
	dmtrace_stacks_free(profile->stacks);
	free(profile->threads);
	free(profile->direct);
	dmt_ids_fini(&profile->ids);
	for (size_t i = 0; i < profile->row_count; i++) {
		dmt_table_fini(&profile->rows[i]->table);
		free(profile->rows[i]);
	}
	free(profile->rows);
	dmt_idmap_fini(&profile->by_row);
	dmt_table_fini(&profile->all);
	free(profile->methods);
	dmt_idmap_fini(&profile->by_name);
	dmt_arena_fini(&profile->names);
	free(profile);
}

const struct dmtrace_error *
dmtrace_profile_error(const struct dmtrace_profile *profile)
{
	return &profile->error;
}

bool
dmt_profile_no_memory(struct dmtrace_profile *profile)
{
	dmt_error_memory(&profile->error);
	return false;
}

bool
dmt_profile_too_long(struct dmtrace_profile *profile)
{
	dmt_error_set(&profile->error, DMTRACE_ERR_LIMIT,
	    "times add up to more than 2^63 ns (292 years)");
	return false;
}

/* Makes *items count items long; what is new is zero. */
static bool
lengthen(void *items, size_t old, size_t count, size_t item_size)
{
	void *const *from = items;
	char *to = count > SIZE_MAX / item_size ? NULL :
	    realloc(*from, count * item_size);

	if (to == NULL)
		return false;
	memset(to + old * item_size, 0, (count - old) * item_size);
	memcpy(items, &to, sizeof(to));
	return true;
}

static bool
lengthen_table(const struct dmtrace_profile *profile,
    struct dmt_table *table, size_t room)
{
	const size_t old = profile->method_room;

	if (!lengthen(&table->cells, old, room, sizeof(*table->cells)))
		return false;
	return !(profile->keep & DMTRACE_PROFILE_CALLS) ||
	    lengthen(&table->calls, old, room, sizeof(*table->calls));
}

/* After a failure, what has become longer is no trouble. */
static bool
lengthen_all(struct dmtrace_profile *profile, size_t room)
{
	const size_t words = profile->method_room / 64 + 1;

	if (!lengthen_table(profile, &profile->all, room))
		return false;
	for (size_t i = 0; i < profile->row_count &&
	    (profile->keep & DMTRACE_PROFILE_THREADS); i++)
		if (!lengthen_table(profile, &profile->rows[i]->table, room))
			return false;
	for (size_t i = 0; i < profile->thread_count; i++)
		if (!lengthen(&profile->threads[i]->open, words,
		    room / 64 + 1, sizeof(*profile->threads[i]->open)))
			return false;
	profile->method_room = room;
	return true;
}

bool
dmt_profile_room(struct dmtrace_profile *profile, size_t methods)
{
	if (methods <= profile->method_room)
		return true;
	if (methods < profile->method_room + profile->method_room / 4)
		methods = profile->method_room + profile->method_room / 4;
	return lengthen_all(profile, methods);
}

static const struct dmtrace_option *
find_option(const struct dmtrace_profile *profile, const char *name)
{
	const struct dmtrace_option *option =
	    dmtrace_key_option_find(profile->key, name);

	return option == NULL || option->value.bytes == NULL ? NULL : option;
}

/* A number of nanoseconds without a sign; 0 for what is none. */
static uint64_t
call_overhead(const struct dmtrace_profile *profile)
{
	const struct dmtrace_option *option =
	    find_option(profile, "clock-call-overhead-nsec");
	uint64_t number = 0;

	if (option == NULL || !(profile->keep & DMTRACE_PROFILE_COMPENSATE))
		return 0;
	for (size_t i = 0; i < option->value.len; i++) {
		const char digit = option->value.bytes[i];

		if (digit < '0' || digit > '9' || number > UINT32_MAX)
			return 0;
		number = number * 10 + (uint64_t)(digit - '0');
	}
	return number;
}

static bool
overflowed(const struct dmtrace_profile *profile)
{
	const struct dmtrace_option *option =
	    find_option(profile, "data-file-overflow");

	return option != NULL && option->value.len == 4 &&
	    memcmp(option->value.bytes, "true", 4) == 0;
}

static void
note_clocks(struct dmtrace_profile *profile)
{
	const struct dmtrace_layout *layout = profile->layout;
	const int has[DMT_CLOCKS] = {
		layout == NULL || layout->cpu.width != 0,
		layout == NULL || layout->wall.width != 0
	};

	for (int clock = 0; clock < DMT_CLOCKS; clock++)
		profile->summary.has_clock[clock] = has[clock] &&
		    (profile->summary.traces == 0 ||
		    profile->summary.has_clock[clock]);
}

enum dmtrace_status
dmtrace_profile_begin(struct dmtrace_profile *profile,
    const struct dmtrace_key *key, const struct dmtrace_layout *layout)
{
	if (profile->error.status != DMTRACE_OK)
		return profile->error.status;
	if (profile->under_way || (profile->summary.traces > 0 &&
	    profile->options.by == DMTRACE_PROFILE_BY_ROW))
		return DMTRACE_ERR_STATE;
	profile->key = key;
	profile->layout = layout;
	dmt_ids_fini(&profile->ids);
	if (profile->direct == NULL)
		profile->direct = dmt_array_new(DMT_DIRECT_THREADS,
		    sizeof(*profile->direct));
	if (profile->direct == NULL || !dmt_ids_init(&profile->ids, key) ||
	    !dmt_profile_room(profile, profile->method_count +
	    dmtrace_key_method_count(key) + 64) ||
	    !dmt_methods_list(profile) || !dmt_profile_make_stacks(profile))
		dmt_profile_no_memory(profile);
	if ((profile->keep & DMTRACE_PROFILE_EDGES) &&
	    !dmt_edges_init(&profile->all.edges))
		dmt_profile_no_memory(profile);
	note_clocks(profile);
	if (profile->summary.traces == 0 &&
	    !profile->summary.has_clock[profile->options.clock])
		profile->options.clock = (enum dmtrace_profile_clock)
		    (DMTRACE_PROFILE_WALL - profile->options.clock);
	profile->call_overhead = call_overhead(profile);
	profile->summary.lower_bounds |= overflowed(profile);
	profile->under_way = true;
	profile->ended = false;
	profile->is_again = false;
	return profile->error.status;
}

/* Whether all sums of times still fit their 64 bits. */
static bool
add_times(struct dmtrace_profile *profile, const struct dmt_thread *thread)
{
	for (int clock = 0; clock < DMT_CLOCKS; clock++) {
		profile->calls[clock] += thread->calls[clock];
		profile->steps[clock] += 2 * thread->back[clock] +
		    (double)(int64_t)(thread->last[clock] -
		    thread->first[clock]);
		if (profile->steps[clock] > TIMES_MAX ||
		    profile->calls[clock] > TIMES_MAX)
			return dmt_profile_too_long(profile);
	}
	return true;
}

static bool
end_thread(struct dmtrace_profile *profile, struct dmt_thread *thread)
{
	struct dmtrace_profile_thread *row;

	if (!dmt_thread_close(profile, thread) ||
	    !dmt_thread_move_tops(profile, thread, DMTRACE_PROFILE_TOP) ||
	    !add_times(profile, thread))
		return false;
	if (profile->keep & DMTRACE_PROFILE_TREE &&
	    !dmt_nodes_merge(&thread->table->nodes, &thread->nodes))
		return dmt_profile_no_memory(profile);
	dmt_nodes_fini(&thread->nodes);
	row = &profile->rows[thread->row]->thread;
	row->records += thread->records;
	row->calls += thread->enters + thread->before;
	profile->summary.records += thread->records;
	for (int clock = 0; clock < DMT_CLOCKS; clock++) {
		const uint64_t total =
		    thread->last[clock] - thread->first[clock];

		row->total_ns[clock] += (int64_t)total;
		row->top_ns[clock] += (int64_t)thread->outside[clock];
		profile->summary.total_ns[clock] += (int64_t)total;
		profile->summary.overhead_ns[clock] +=
		    (int64_t)thread->overhead[clock];
		thread->table->cells[0].inclusive[clock] += total;
	}
	return true;
}

bool
dmt_table_add(struct dmtrace_profile *profile, struct dmt_table *to,
    struct dmt_table *from)
{
	for (size_t i = 0; i < profile->method_count; i++) {
		const uint64_t *source = (const uint64_t *)&from->cells[i];
		uint64_t *sum = (uint64_t *)&to->cells[i];

		for (size_t n = 0; n < sizeof(*to->cells) / 8; n++)
			sum[n] += source[n];
		if (to->calls != NULL)
			dmt_calls_add(&to->calls[i], &from->calls[i]);
	}
	return dmt_edges_merge(&to->edges, &from->edges) &&
	    dmt_nodes_add(&to->nodes, &from->nodes);
}

static bool
finish_table(const struct dmtrace_profile *profile, struct dmt_table *table)
{
	return dmt_edges_sort(&table->edges) &&
	    (!(profile->keep & DMTRACE_PROFILE_TREE) ||
	    ((table->nodes.count > 0 || dmt_nodes_begin(&table->nodes)) &&
	    dmt_nodes_sum(&table->nodes)));
}

/* All of them together, anew. */
static bool
sum_rows(struct dmtrace_profile *profile)
{
	struct dmt_table *all = &profile->all;

	memset(all->cells, 0, profile->method_room * sizeof(*all->cells));
	if (all->calls != NULL)
		memset(all->calls, 0,
		    profile->method_room * sizeof(*all->calls));
	dmt_edges_fini(&all->edges);
	dmt_nodes_fini(&all->nodes);
	if ((profile->keep & DMTRACE_PROFILE_EDGES) &&
	    !dmt_edges_init(&all->edges))
		return false;
	for (size_t i = 0; i < profile->row_count; i++)
		if (!dmt_table_add(profile, all, &profile->rows[i]->table) ||
		    !finish_table(profile, &profile->rows[i]->table))
			return false;
	return true;
}

/* Calls that are open end, and what is known of the threads is added. */
static bool
end_threads(struct dmtrace_profile *profile)
{
	for (size_t i = 0; i < profile->thread_count && !profile->ended; i++)
		if (!end_thread(profile, profile->threads[i]))
			return false;
	profile->ended = true;
	return true;
}

int
dmtrace_profile_again(struct dmtrace_profile *profile)
{
	bool needed = false;

	for (size_t i = 0; i < profile->thread_count; i++)
		needed |= profile->threads[i]->around_end > 0;
	if (!needed || !profile->under_way || profile->is_again ||
	    profile->error.status != DMTRACE_OK || !end_threads(profile))
		return 0;
	dmt_again_begin(profile);
	profile->is_again = true;
	return dmt_profile_make_stacks(profile);
}

enum dmtrace_status
dmtrace_profile_end(struct dmtrace_profile *profile)
{
	if (profile->error.status != DMTRACE_OK)
		return profile->error.status;
	if (!profile->under_way)
		return DMTRACE_ERR_STATE;
	if (!end_threads(profile))
		return profile->error.status;
	dmt_threads_clear(profile);
	profile->under_way = false;
	profile->summary.traces++;
	if (((profile->keep & DMTRACE_PROFILE_THREADS) &&
	    !sum_rows(profile)) || !finish_table(profile, &profile->all))
		dmt_profile_no_memory(profile);
	return profile->error.status;
}
