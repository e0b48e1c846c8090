/* threads.c - the threads of a trace, and those of several as rows */

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "key/key.h"
#include "profile/profile.h"

#define FIRST_FRAMES 64

static bool
same_row(const struct dmtrace_profile_thread *row, uint32_t number,
    const struct dmtrace_thread *listed)
{
	const size_t len = listed == NULL ? 0 : listed->name.len;

	return row->number == number && row->listed == (listed != NULL) &&
	    row->name.len == len && (len == 0 ||
	    memcmp(row->name.bytes, listed->name.bytes, len) == 0);
}

static bool
fill_row(struct dmtrace_profile *profile, struct dmt_profile_row *row,
    uint32_t number, const struct dmtrace_thread *listed)
{
	row->thread.number = number;
	row->thread.listed = listed != NULL;
	if (listed == NULL || listed->name.len == 0) {
		row->thread.name = (struct dmtrace_text){ "", 0 };
	} else {
		char *name = dmt_arena_alloc(&profile->names,
		    listed->name.len);
		if (name == NULL)
			return false;
		memcpy(name, listed->name.bytes, listed->name.len);
		row->thread.name =
		    (struct dmtrace_text){ name, listed->name.len };
	}
	if (!(profile->keep & DMTRACE_PROFILE_THREADS))
		return true;
	row->table.cells = dmt_array_new(profile->method_room,
	    sizeof(*row->table.cells));
	if (profile->keep & DMTRACE_PROFILE_CALLS)
		row->table.calls = dmt_array_new(profile->method_room,
		    sizeof(*row->table.calls));
	if ((profile->keep & DMTRACE_PROFILE_EDGES) &&
	    !dmt_edges_init(&row->table.edges))
		return false;
	return row->table.cells != NULL && (row->table.calls != NULL ||
	    !(profile->keep & DMTRACE_PROFILE_CALLS));
}

static bool
append_row(struct dmtrace_profile *profile, struct dmt_profile_row *row)
{
	const uint32_t index = (uint32_t)profile->row_count;
	uint32_t *first = dmt_idmap_find(&profile->by_row,
	    row->thread.number);

	struct dmt_profile_row **rows = dmt_array_grow(profile->rows,
	    &profile->row_capacity, profile->row_count + 1, sizeof(*rows));
	if (rows == NULL)
		return false;
	profile->rows = rows;
	row->next = first == NULL ? UINT32_MAX : *first;
	if (first == NULL) {
		if (!dmt_idmap_add(&profile->by_row, row->thread.number,
		    index))
			return false;
	} else {
		*first = index;
	}
	rows[profile->row_count++] = row;
	return true;
}

/* The row of a thread, an old one or a new one; UINT32_MAX: no memory. */
static uint32_t
get_row(struct dmtrace_profile *profile, uint32_t number)
{
	const struct dmtrace_thread *listed = profile->layout == NULL ?
	    dmtrace_key_thread_find(profile->key, number) :
	    dmtrace_key_thread_match(profile->key, profile->layout, number);
	const uint32_t *first = dmt_idmap_find(&profile->by_row, number);

	for (uint32_t i = first == NULL ? UINT32_MAX : *first;
	    i != UINT32_MAX; i = profile->rows[i]->next)
		if (same_row(&profile->rows[i]->thread, number, listed))
			return i;
	struct dmt_profile_row *row = dmt_array_new(1, sizeof(*row));
	if (row == NULL)
		return UINT32_MAX;
	if (!fill_row(profile, row, number, listed) ||
	    !append_row(profile, row)) {
		dmt_table_fini(&row->table);
		free(row);
		return UINT32_MAX;
	}
	return (uint32_t)profile->row_count - 1;
}

static void
free_thread(struct dmt_thread *thread)
{
	free(thread->frames);
	free(thread->left);
	free(thread->open);
	free(thread->tops);
	dmt_nodes_fini(&thread->nodes);
	dmt_idmap_fini(&thread->around);
	dmt_edges_fini(&thread->from_top);
	free(thread);
}

bool
dmt_thread_rename_top(struct dmtrace_profile *profile,
    struct dmt_thread *thread)
{
	if (profile->tops >= DMT_CALLER_TOP - 1) {
		dmt_error_set(&profile->error, DMTRACE_ERR_LIMIT,
		    "%u exits without entry, which is the limit",
		    (unsigned)profile->tops);
		return false;
	}
	thread->frames->caller = DMT_CALLER_TOP | profile->tops++;
	return true;
}

/* A root. The clocks are those that the trace has. */
static bool
begin_nodes(const struct dmtrace_profile *profile, struct dmt_thread *thread)
{
	if (!(profile->keep & DMTRACE_PROFILE_TREE))
		return true;
	for (int clock = 0; clock < DMT_CLOCKS; clock++)
		thread->nodes.has_clock[clock] =
		    profile->summary.has_clock[clock];
	return dmt_nodes_begin(&thread->nodes);
}

static bool
make_thread(struct dmtrace_profile *profile, struct dmt_thread *thread,
    const uint64_t now[DMT_CLOCKS])
{
	thread->capacity = FIRST_FRAMES;
	thread->frames = dmt_array_new(FIRST_FRAMES, sizeof(*thread->frames));
	thread->open = dmt_array_new(profile->method_room / 64 + 1,
	    sizeof(*thread->open));
	if (profile->keep & DMTRACE_PROFILE_EDGES)
		thread->left = dmt_array_new(DMT_LEFT, sizeof(*thread->left));
	if (thread->frames == NULL || thread->open == NULL ||
	    (thread->left == NULL && (profile->keep & DMTRACE_PROFILE_EDGES)) ||
	    !begin_nodes(profile, thread))
		return false;
	dmt_thread_set_room(profile, thread);
	thread->top = thread->frames;
	thread->table = profile->keep & DMTRACE_PROFILE_THREADS ?
	    &profile->rows[thread->row]->table : &profile->all;
	memcpy(thread->first, now, sizeof(thread->first));
	memcpy(thread->last, now, sizeof(thread->last));
	return dmt_thread_rename_top(profile, thread);
}

static bool
append(struct dmtrace_profile *profile, struct dmt_thread *thread,
    uint32_t number)
{
	struct dmt_thread **threads = dmt_array_grow(profile->threads,
	    &profile->thread_capacity, profile->thread_count + 1,
	    sizeof(*threads));

	if (threads == NULL)
		return false;
	profile->threads = threads;
	if (number < DMT_DIRECT_THREADS)
		profile->direct[number] = (uint32_t)profile->thread_count + 1;
	else if (!dmt_idmap_add(&profile->by_thread, number,
	    (uint32_t)profile->thread_count))
		return false;
	threads[profile->thread_count++] = thread;
	return true;
}

struct dmt_thread *
dmt_thread_add(struct dmtrace_profile *profile, uint32_t number,
    const uint64_t now[DMT_CLOCKS])
{
	struct dmt_thread *thread = dmt_array_new(1, sizeof(*thread));

	if (thread != NULL) {
		thread->row = get_row(profile, number);
		if (thread->row != UINT32_MAX &&
		    make_thread(profile, thread, now) &&
		    append(profile, thread, number))
			return thread;
		free_thread(thread);
	}
	dmt_profile_no_memory(profile);
	return NULL;
}

struct dmt_thread *
dmt_thread_find_far(const struct dmtrace_profile *profile, uint32_t number)
{
	const uint32_t *index = dmt_idmap_find(&profile->by_thread, number);

	return index == NULL ? NULL : profile->threads[*index];
}

void
dmt_threads_clear(struct dmtrace_profile *profile)
{
	for (size_t i = 0; i < profile->thread_count; i++)
		free_thread(profile->threads[i]);
	profile->thread_count = 0;
	if (profile->direct != NULL)
		memset(profile->direct, 0,
		    DMT_DIRECT_THREADS * sizeof(*profile->direct));
	dmt_idmap_fini(&profile->by_thread);
}
