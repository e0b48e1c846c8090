/* thread_state.c - the state of a thread in a recorder: buffer, clock, stack */

#include "record/thread_state.h"

#include <limits.h>
#include <signal.h>
#include <string.h>

#include "record/any_event.h"
#include "record/event_path.h"

/*
 * A thread has one state for each recorder that it has recorded to: the last
 * one used is cached, the others are in a list. A state is made at the
 * thread's first event, and freed by a destructor when the thread ends; then
 * the records of the thread are written to the file, and its open frames are
 * closed. A state survives stop and start: the next event of the thread joins
 * the new session or file (another epoch), which resets the state.
 *
 * This file has what joins a thread to a session, counts its lost events, and
 * writes its records when the thread ends.
 *
 * A signal handler can interrupt any of it, and can record, fork or exit. So
 * memory is mapped and not allocated by malloc, locks block signals
 * (system.h), and a state that an interrupted event uses is not freed but
 * abandoned: the recorder removes it from its list, and the thread keeps it
 * until it looks for another one.
 */

_Thread_local struct dmt_thread_state *dmt_thread_cached DMT_NEAR;

static _Thread_local struct dmt_thread_state *own_states DMT_NEAR;
static _Thread_local unsigned destructor_rounds DMT_NEAR;
static _Thread_local volatile sig_atomic_t is_searching DMT_NEAR;
static pthread_key_t end_key;
static bool has_end_key;		/* protected by dmt_registry */

pthread_mutex_t dmt_registry = PTHREAD_MUTEX_INITIALIZER;

/* Joining. */

void
dmt_thread_begin_file(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread)
{
	if (thread->own_times)
		thread->own_cpu_start_us += thread->last.cpu_us;
	else
		thread->cpu_start_ns += (uint64_t)thread->last.cpu_us * 1000;
	thread->last = (struct dmt_times){ 0, 0 };
	thread->start_us = recorder->start_us;
	thread->limit_us = recorder->options.max_time_us;
	thread->source = recorder->source;
	thread->anchor.limit = 0;	/* made at the next event */
	thread->anchor.ticks = 0;
}

/* Handles the thread's first event of a session. */
static void
join_session(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread)
{
	const uint32_t max_depth = recorder->options.max_depth;

	thread->session = recorder->session;
	thread->depth = 0;
	thread->too_deep = thread->dropped = thread->mismatched = 0;
	thread->stepped_back = 0;
	atomic_store(&thread->reentered, 0);
	thread->own_times = false;
	thread->form = recorder->form;
	thread->own_cpu_start_us = 0;
	thread->buffer = thread->at = thread->end = thread->small_buffer;
	thread->limit_us = UINT64_MAX;
	thread->source = DMT_TIME_MONOTONIC;

	/* The n-th thread gets the number n; if there are too many, it records
	 * nothing. */
	thread->number = 0;
	if (recorder->thread_count >= recorder->max_threads)
		return;
	thread->number = ++recorder->thread_count;
	thread->system_id = dmt_thread_id();
	memset(&recorder->threads[thread->number - 1], 0,
	    sizeof(*recorder->threads));
	dmt_thread_update_name(recorder, thread);

	/* Allocate as many frames as the options allow now; none without
	 * memory. */
	if (thread->max_depth != max_depth) {
		dmt_mapped_free(thread->frames, thread->max_depth *
		    sizeof(*thread->frames));
		thread->frames = dmt_mapped_new(max_depth *
		    sizeof(*thread->frames));
		thread->max_depth = thread->frames == NULL ? 0 : max_depth;
	}
	dmt_buffer_assign(recorder, thread);
	thread->last = (struct dmt_times){ 0, 0 };
	thread->cpu_start_ns = dmt_clock_cpu_ns();
	dmt_thread_begin_file(recorder, thread);
}

bool
dmt_thread_join(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread)
{
	struct dmt_guard guard;

	dmt_thread_end_event(thread);
	if (dmt_recorder_has_ended(recorder))
		return false;
	dmt_fork_check();
	dmt_lock(&recorder->mutex, &guard);
	while (recorder->state == DMT_STATE_BUSY)
		pthread_cond_wait(&recorder->changed, &recorder->mutex);
	const bool on = recorder->state == DMT_STATE_ON &&
	    atomic_load(&thread->recorder) == recorder;
	if (on && thread->session != recorder->session)
		join_session(recorder, thread);
	if (on) {
		thread->epoch = atomic_load(&recorder->epoch);
		atomic_store(&thread->busy, true);
	}
	dmt_unlock(&recorder->mutex, &guard);
	return on;
}

void
dmt_thread_count_lost(struct dmtrace_recorder *recorder, uint64_t key)
{
	struct dmt_thread_state *const thread = dmt_thread_cached;

	if (dmt_recorder_is_off(recorder))
		return;
	/* There was no memory for its state, even if there is some now; or a
	 * handler has interrupted its first event, which resets its counts. */
	if (thread == NULL || atomic_load(&thread->recorder) != recorder ||
	    (atomic_load(&thread->busy) &&
	    thread->session != recorder->session)) {
		atomic_fetch_add(&recorder->dropped_alone, 1);
		return;
	}
	if (atomic_load(&thread->busy)) {
		atomic_fetch_add(&thread->reentered, 1);
		return;
	}
	if (dmt_thread_set_busy(recorder, thread) == DMT_EPOCH_ENDED &&
	    (key == 0 || dmt_method_find_key(&recorder->methods, key) !=
	    DMT_METHOD_UNWANTED)) {
		if (thread->session == recorder->session)
			thread->dropped++;
		else
			atomic_fetch_add(&recorder->dropped_alone, 1);
	}
	dmt_thread_end_event(thread);
}

/* An enter writes its record, then its frame; an exit removes its frame, then
 * writes its record. So the last record and the top of the frames show what
 * was interrupted; a removed frame can still be read above the top. */
uint32_t
dmt_thread_half_open_method(const struct dmtrace_recorder *recorder,
    const struct dmt_thread_state *thread)
{
	const struct dmt_layout *layout = recorder->layout;
	const struct dmt_frame *top = thread->frames + thread->depth;

	if (thread->at == thread->buffer || thread->depth >=
	    thread->max_depth ||
	    recorder->options.mismatch == DMTRACE_MISMATCH_AS_IS)
		return 0;
	const uint32_t word = (uint32_t)dmt_field_get(layout->method,
	    thread->at - layout->record_size);
	const uint32_t method = word & ~UINT32_C(3);
	if ((word & 3) != DMTRACE_ENTER)
		return top->method == method ? 0 : top->method;
	return thread->depth > 0 && top[-1].method == method ? 0 : method;
}

/* A thread in a session. */

void
dmt_thread_collect_counts(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread)
{
	recorder->file.dropped += thread->dropped +
	    atomic_exchange(&thread->reentered, 0);
	recorder->file.mismatched += thread->mismatched;
	recorder->file.stepped_back += thread->stepped_back;
	thread->dropped = thread->mismatched = thread->stepped_back = 0;
}

void
dmt_thread_update_name(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread)
{
	const uint32_t index = thread->number - 1;
	struct dmt_thread_row *const row = &recorder->threads[index];
	char old[DMT_THREAD_NAME_MAX];

	memcpy(old, row->name, sizeof(old));
	if (thread->named)
		memcpy(row->name, thread->name, DMT_THREAD_NAME_MAX);
	else
		dmt_thread_name(thread->system_id, row->name);
	if (!recorder->options.streaming || strcmp(old, row->name) == 0)
		return;
	row->announced = false;
	if (recorder->written_threads > index)
		recorder->written_threads = index;
}

void
dmt_thread_leave_session(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread)
{
	dmt_thread_collect_counts(recorder, thread);
	dmt_buffer_remove(recorder, thread);
	thread->epoch = DMT_EPOCH_OFF;
}

static void
unlink_state(struct dmtrace_recorder *recorder, struct dmt_thread_state *thread)
{
	struct dmt_thread_state **link = &recorder->thread_states;

	while (*link != thread)
		link = &(*link)->next;
	*link = thread->next;
}

void
dmt_thread_abandon(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread)
{
	atomic_store(&thread->recorder, NULL);
	thread->session = 0;
	thread->epoch = DMT_EPOCH_OFF;
	recorder->blocks.total -= thread->block == NULL ? 0 :
	    thread->block->size;
	unlink_state(recorder, thread);
}

/* The end of a thread. */

static void
free_state(struct dmt_thread_state *thread)
{
	dmt_mapped_free(thread->frames, thread->max_depth *
	    sizeof(*thread->frames));
	if (thread->block != NULL)	/* the block was abandoned with it */
		dmt_mapped_free(thread->block, thread->block->size);
	dmt_mapped_free(thread, sizeof(*thread));
}

/* Exits that the recorder adds itself are not lost if they cannot be
 * written. */
static void
record_end_of_thread(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread)
{
	struct dmt_counts *counts = &recorder->file;
	const uint32_t method = atomic_load(&thread->busy) ?
	    dmt_thread_half_open_method(recorder, thread) : 0;

	/* If a handler has jumped out of the last event, that event is over. */
	if (method != 0)
		thread->frames[thread->depth++].method = method;
	dmt_thread_update_name(recorder, thread);
	dmt_thread_collect_counts(recorder, thread);
	if (dmt_buffers_stay(recorder)) {
		counts->ended += dmt_thread_close_frames(recorder, thread);
		thread->dropped = 0;
		dmt_buffer_keep(recorder, thread);
		return;
	}
	dmt_buffer_write(recorder, thread);
	const uint64_t events = counts->events, dropped = counts->dropped;
	dmt_thread_close_frames(recorder, thread);
	dmt_buffer_write(recorder, thread);
	counts->ended += counts->events - events;
	counts->dropped = dropped;
}

/* At the end of a thread: saves its records, closes its frames, and frees its
 * state. */
static void
end_state(struct dmt_thread_state *thread)
{
	struct dmt_guard registry_guard, guard;

	dmt_lock(&dmt_registry, &registry_guard);
	struct dmtrace_recorder *recorder = atomic_load(&thread->recorder);
	if (recorder != NULL) {
		dmt_lock(&recorder->mutex, &guard);
		while (recorder->state == DMT_STATE_BUSY)
			pthread_cond_wait(&recorder->changed,
			    &recorder->mutex);
		/* No file is open after a failed rotation, or a stop. */
		if (recorder->files.open &&
		    dmt_thread_takes_part(recorder, thread))
			record_end_of_thread(recorder, thread);
		if (recorder->state != DMT_STATE_OFF &&
		    thread->session == recorder->session)
			dmt_thread_leave_session(recorder, thread);
		if (atomic_load(&thread->recorder) != NULL)
			unlink_state(recorder, thread);	/* unless it was
							   abandoned */
		dmt_unlock(&recorder->mutex, &guard);
	}
	dmt_unlock(&dmt_registry, &registry_guard);
	free_state(thread);
}

/* Waits for other destructors, which may still record. The very last round is
 * for states that were made after that. */
static void
end_all_states(void *states)
{
	if (++destructor_rounds < PTHREAD_DESTRUCTOR_ITERATIONS - 1) {
		pthread_setspecific(end_key, states);
		return;
	}
	dmt_thread_cached = NULL;
	dmt_fork_check();
	while (own_states != NULL) {
		struct dmt_thread_state *thread = own_states;
		own_states = thread->own_next;
		end_state(thread);
	}
}

bool
dmt_threads_init(void)
{
	struct dmt_guard guard;

	dmt_lock(&dmt_registry, &guard);
	has_end_key = has_end_key || pthread_key_create(&end_key,
	    end_all_states) == 0;
	const bool done = has_end_key;
	dmt_unlock(&dmt_registry, &guard);
	return done;
}

/* Finding a state. */

struct dmt_thread_state *
dmt_thread_find_own(const struct dmtrace_recorder *recorder)
{
	struct dmt_thread_state *thread = own_states;

	while (thread != NULL && atomic_load(&thread->recorder) != recorder)
		thread = thread->own_next;
	return thread;
}

/* A signal handler may have made it in the meantime. */
static struct dmt_thread_state *
add_state(struct dmtrace_recorder *recorder)
{
	struct dmt_guard guard;

	dmt_lock(&recorder->mutex, &guard);
	struct dmt_thread_state *thread = dmt_thread_find_own(recorder);
	if (thread == NULL &&
	    (thread = dmt_mapped_new(sizeof(*thread))) != NULL) {
		atomic_store(&thread->recorder, recorder);
		thread->next = recorder->thread_states;
		recorder->thread_states = thread;
		thread->own_next = own_states;
		own_states = thread;
		pthread_setspecific(end_key, thread);
	}
	dmt_unlock(&recorder->mutex, &guard);
	return thread;
}

/* Frees states of recorders that were freed or have abandoned them, but not
 * one that an interrupted event of this thread is using. */
static void
free_abandoned_states(void)
{
	struct dmt_thread_state **link = &own_states;
	struct dmt_guard guard;

	dmt_lock(&dmt_registry, &guard);
	while (*link != NULL) {
		struct dmt_thread_state *thread = *link;
		if (atomic_load(&thread->recorder) != NULL ||
		    atomic_load(&thread->busy)) {
			link = &thread->own_next;
			continue;
		}
		*link = thread->own_next;
		free_state(thread);
	}
	dmt_unlock(&dmt_registry, &guard);
}

struct dmt_thread_state *
dmt_thread_find(struct dmtrace_recorder *recorder)
{
	const sig_atomic_t interrupted = is_searching;

	is_searching = 1;
	struct dmt_thread_state *thread = dmt_thread_find_own(recorder);
	if (thread == NULL) {
		dmt_thread_cached = NULL;
		dmt_fork_check();
		if (!interrupted)	/* otherwise that search is at one of
					   them */
			free_abandoned_states();
		thread = add_state(recorder);
	}
	dmt_thread_cached = thread;
	is_searching = interrupted;
	return thread;
}

void
dmt_threads_reset_in_child(struct dmtrace_recorder *recorder)
{
	struct dmt_thread_state *own = dmt_thread_find_own(recorder);

	/* If the fork happened in a handler, the interrupted event continues
	 * here. */
	if (own != NULL && atomic_load(&own->busy)) {
		dmt_thread_abandon(recorder, own);
		own = NULL;
	}
	while (recorder->thread_states != NULL) {
		struct dmt_thread_state *thread = recorder->thread_states;
		recorder->thread_states = thread->next;
		if (thread->session == recorder->session)
			dmt_thread_leave_session(recorder, thread);
		if (thread != own)
			free_state(thread);
	}
	recorder->thread_states = own;
	if (own == NULL)
		return;
	own->next = NULL;
	own->session = 0;
}
