/* session.c - sessions of a recorder: start, rotation, stop, forks */

#include "private/recorder.h"
#include "record/thread_state.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/path.h"
#include "data/header_encode.h"
#include "format/header.h"
#include "record/any_event.h"

/*
 * A session lasts from start to stop. It has one file, or several in sequence:
 * if a file cannot hold later times, it is closed and the next one is opened
 * (a rotation). While a file is open the threads record without
 * synchronisation; see event_path.h. To close it: the epoch is changed, so
 * that no new event begins; the thread waits for threads that are busy with an
 * event; now no other thread writes to the states of the threads: their
 * buffers are written, open frames get exits, and the key is written. After a
 * rotation the open frames get enters in the next file. Each thread notices
 * the new epoch at its next event, and joins it.
 *
 * If a thread stays busy, a handler has jumped out of its event. It is then
 * treated as gone: its records are saved, and its state is abandoned. So a
 * stop never waits forever.
 *
 * Recording can end by itself: no memory is left, max_time_us has passed, or a
 * write has failed. From then on events are counted as lost, until the stop.
 *
 * In the child of a fork the recorder is reset as if it had never been
 * started: the files belong to the parent, and the other threads do not exist.
 * Locks are held during the fork, so that what they protect is consistent. A
 * child that was made without fork handlers (by clone or _Fork) is recognised
 * by a page that the system clears in the copy.
 */

#define WAIT_NS 20000		/* pause before busy threads are checked
				   again */
#define LOOKS_TO_STOP 1000	/* checks when stopping: a tenth of a second or
				   more */
#define LOOKS_TO_ROTATE 20000	/* when rotating: more, as a thread that is
				   given up loses its open frames */

int dmtrace_recording;

static void
set_epoch(struct dmtrace_recorder *recorder, uint32_t epoch)
{
	atomic_store(&recorder->epoch, epoch);
	if (recorder == &dmt_recorder_default)
		__atomic_store_n(&dmtrace_recording, epoch != DMT_EPOCH_OFF,
		    __ATOMIC_RELAXED);
}

static void
set_recorder_state(struct dmtrace_recorder *recorder, enum dmt_state state)
{
	recorder->state = state;
	pthread_cond_broadcast(&recorder->changed);
}

static void
begin_epoch(struct dmtrace_recorder *recorder)
{
	recorder->last_epoch += 8;
	set_epoch(recorder, recorder->last_epoch | DMT_EPOCH_ON);
	set_recorder_state(recorder, DMT_STATE_ON);
}

static bool
is_any_thread_busy(const struct dmtrace_recorder *recorder)
{
	for (struct dmt_thread_state *thread =
	    recorder->thread_states; thread != NULL;
	    thread = thread->next)
		if (!thread->gone && atomic_load(&thread->busy))
			return true;
	return false;
}

/*
 * Ends all events: when it returns, no thread is in an event, and none can
 * begin one. While it waits it releases the lock, since a busy thread may need
 * it. Signals stay blocked, so that no handler waits for what it has
 * interrupted. An event takes microseconds, unless it waits for the lock,
 * which is never held for long at this time; so a thread that stays busy is
 * gone.
 */
static void
quiesce_threads(struct dmtrace_recorder *recorder, uint32_t epoch)
{
	const struct timespec wait = { 0, WAIT_NS };
	const unsigned max = epoch == DMT_EPOCH_OFF ? LOOKS_TO_STOP :
	    LOOKS_TO_ROTATE;

	recorder->state = DMT_STATE_BUSY;
	set_epoch(recorder, epoch);
	dmt_barrier();
	for (unsigned looks = 0; is_any_thread_busy(recorder); looks++) {
		if (looks == max) {
			for (struct dmt_thread_state *thread =
			    recorder->thread_states; thread != NULL;
			    thread = thread->next)
				if (atomic_load(&thread->busy))
					thread->gone = true;
			break;
		}
		pthread_mutex_unlock(&recorder->mutex);
		nanosleep(&wait, NULL);
		pthread_mutex_lock(&recorder->mutex);
	}
}

void
dmt_recorder_end(struct dmtrace_recorder *recorder,
    enum dmtrace_recorder_end why)
{
	if (recorder->ended != 0)
		return;
	recorder->ended = why;
	if (recorder->state == DMT_STATE_ON) {
		set_epoch(recorder, DMT_EPOCH_ENDED);
		set_recorder_state(recorder, DMT_STATE_ENDED);
	}
	if (recorder->options.ended != NULL)
		recorder->options.ended(recorder->options.context, why);
}

static enum dmtrace_status
open_next_file(struct dmtrace_recorder *recorder)
{
	uint8_t bytes[DMT_HEADER_SIZE];
	const uint64_t real_time_us = dmt_clock_read(CLOCK_REALTIME) / 1000;
	const struct dmt_header header = {
		.version = (uint16_t)(recorder->layout->version +
		    (recorder->options.streaming ? DMT_VERSION_STREAMING : 0)),
		.data_offset = sizeof(bytes),
		.record_size = recorder->layout->record_size,
		.start = real_time_us
	};
	const struct dmt_files_plan plan = {
		.path = recorder->path,
		.number = recorder->file_count + 1,
		.journal = recorder->options.journal,
		.streaming = recorder->options.streaming,
		.header = bytes
	};

	dmt_header_encode(bytes, sizeof(bytes), &header);
	recorder->file = (struct dmt_counts){ 0 };
	recorder->journal_begun = false;
	recorder->written_methods = recorder->written_threads = 0;
	for (uint32_t i = 0; i < recorder->thread_count; i++)
		recorder->threads[i].announced = false;
	if (dmt_files_open(&recorder->files, &plan) != DMTRACE_OK) {
		recorder->error = recorder->files.error;
		return recorder->error.status;
	}
	recorder->file_count++;
	recorder->start_us = dmt_recorder_clock_us();
	return DMTRACE_OK;
}

static void
add_counts(struct dmt_counts *sum, const struct dmt_counts *counts)
{
	sum->events += counts->events;
	sum->dropped += counts->dropped;
	sum->opened += counts->opened;
	sum->closed += counts->closed;
	sum->ended += counts->ended;
	sum->mismatched += counts->mismatched;
	sum->stepped_back += counts->stepped_back;
}

/* Records the exits of a thread that is gone. */
static void
close_gone_frames(struct dmtrace_recorder *recorder,
    const struct dmt_thread_state *thread)
{
	const struct dmt_layout *layout = recorder->layout;
	const size_t size = layout->record_size;
	uint8_t record[DMT_RECORD_MAX];

	dmt_field_put(layout->thread, record, thread->number);
	dmt_field_put(layout->cpu, record, thread->last.cpu_us);
	dmt_field_put(layout->wall, record, thread->last.wall_us);
	if (thread->at > thread->buffer)
		memcpy(record, thread->at - size, size);
	uint32_t method = dmt_thread_half_open_method(recorder, thread);
	for (uint32_t i = thread->depth; method != 0 || i > 0; method = 0) {
		if (method == 0)
			method = thread->frames[--i].method;
		dmt_field_put(layout->method, record, method | DMTRACE_EXIT);
		dmt_buffer_write_records(recorder, record, size);
	}
}

/* Threads that are gone keep their states, and get other ones. */
static void
abandon_gone_threads(struct dmtrace_recorder *recorder)
{
	struct dmt_thread_state *thread, *next;

	for (thread = recorder->thread_states; thread != NULL; thread = next) {
		next = thread->next;
		if (!thread->gone)
			continue;
		if (thread->session == recorder->session)
			dmt_thread_collect_counts(recorder, thread);
		dmt_thread_abandon(recorder, thread);
	}
}

/* Completes the file while no event is in progress. The state of a thread that
 * is gone is read but not changed: the thread may merely be slow. */
static void
close_file(struct dmtrace_recorder *recorder)
{
	struct dmt_counts *counts = &recorder->file;
	struct dmt_thread_state *thread;

	recorder->elapsed_us = dmt_recorder_clock_us() - recorder->start_us;
	counts->dropped += atomic_exchange(&recorder->dropped_alone, 0);
	dmt_buffers_drain(recorder);
	for (thread = recorder->thread_states; thread != NULL;
	    thread = thread->next) {
		if (dmt_thread_takes_part(recorder, thread)) {
			dmt_thread_update_name(recorder, thread);
			if (thread->gone)
				dmt_buffer_write_records(recorder,
				    thread->buffer,
				    (size_t)(thread->at - thread->buffer));
			else
				dmt_buffer_write(recorder, thread);
		}
		if (thread->session == recorder->session)
			dmt_thread_collect_counts(recorder, thread);
	}

	/* Write the last records, exits of frames that stay open in the
	 * threads. The recorder added them: they are not lost if they cannot
	 * be written. */
	const uint64_t events = counts->events, dropped = counts->dropped;
	for (thread = recorder->thread_states; thread != NULL;
	    thread = thread->next) {
		if (!dmt_thread_takes_part(recorder, thread))
			continue;
		if (thread->gone) {
			close_gone_frames(recorder, thread);
			continue;
		}
		dmt_thread_close_frames(recorder, thread);
		dmt_buffer_write(recorder, thread);
	}
	counts->closed = counts->events - events;
	counts->dropped = dropped;
	recorder->draining = false;

	if (dmt_recorder_write_key(recorder) != DMTRACE_OK &&
	    recorder->error.status == DMTRACE_OK)
		recorder->error = recorder->files.error;
	add_counts(&recorder->total, counts);
	*counts = (struct dmt_counts){ 0 };
	abandon_gone_threads(recorder);
}

/* Writes the first records of the file: enters of the open frames. For buffers
 * that stay in memory this is done when they are written. */
static void
reopen_threads(struct dmtrace_recorder *recorder)
{
	for (uint32_t i = 0; i < recorder->thread_count; i++)
		recorder->threads[i].lost = recorder->threads[i].carried =
		    false;
	for (struct dmt_thread_state *thread = recorder->thread_states;
	    thread != NULL; thread = thread->next) {
		if (!dmt_thread_takes_part(recorder, thread))
			continue;
		dmt_thread_begin_file(recorder, thread);
		recorder->threads[thread->number - 1].carried =
		    thread->depth > 0;
		if (dmt_buffers_stay(recorder))
			continue;
		dmt_thread_reopen_frames(recorder, thread);
		dmt_buffer_write(recorder, thread);
	}
	recorder->file.opened = recorder->file.events;
	recorder->file.dropped = 0;	/* the same as in close_file */
}

void
dmt_recorder_rotate(struct dmtrace_recorder *recorder, uint64_t own_ns)
{
	quiesce_threads(recorder, DMT_EPOCH_PAUSED);
	close_file(recorder);
	if (own_ns != 0)
		recorder->own_start_us = own_ns / 1000;
	if (recorder->ended == 0 && open_next_file(recorder) == DMTRACE_OK) {
		reopen_threads(recorder);
		begin_epoch(recorder);
		return;
	}
	set_epoch(recorder, DMT_EPOCH_ENDED);
	set_recorder_state(recorder, DMT_STATE_ENDED);
	dmt_recorder_end(recorder, DMTRACE_RECORDER_FAILED);
}

/* Makes path absolute, since the program may change its working directory; if
 * that has no name, path is unchanged. false with errno set: it is too
 * long. */
static bool
set_absolute_path(struct dmtrace_recorder *recorder, const char *path)
{
	const size_t size = sizeof(recorder->path), len = strlen(path);
	size_t folder = 0;

	if (path[0] != '/' && path[0] != '\0' &&
	    getcwd(recorder->path, size) != NULL)
		folder = strlen(recorder->path);
	if (folder + len + 2 > size)
		folder = 0;
	if (len >= size) {
		errno = ENAMETOOLONG;
		return false;
	}
	if (folder > 0)
		recorder->path[folder++] = '/';
	memcpy(recorder->path + folder, path, len + 1);
	return true;
}

static enum dmtrace_status
start_recording(struct dmtrace_recorder *recorder, const char *path,
    bool has_key)
{
	dmt_error_clear(&recorder->refused);
	if (recorder->state != DMT_STATE_OFF)
		return dmt_error_set(&recorder->refused, DMTRACE_ERR_STATE,
		    "dmtrace_recorder_start: the recorder was not stopped");
	dmt_error_clear(&recorder->error);
	if (!has_key)
		return dmt_error_set(&recorder->error, DMTRACE_ERR_LIMIT,
		    "no thread-specific key is left (pthread_key_create)");
	if (!dmt_fork_init())
		return dmt_error_memory(&recorder->error);
	recorder->file_count = 0;
	recorder->own_start_us = 0;
	recorder->thread_count = 0;
	if (recorder->threads == NULL)
		recorder->threads = dmt_mapped_new(DMT_THREADS_MAX *
		    sizeof(*recorder->threads));
	if (recorder->threads == NULL ||
	    dmt_method_prepare_keys(&recorder->methods) != DMTRACE_OK)
		return dmt_error_memory(&recorder->error);
	if (recorder->options.streaming && dmt_files_is_pair(path))
		return dmt_error_set(&recorder->error, DMTRACE_ERR_RANGE,
		    "%s: a stream is one file, not a key and data", path);
	if (!set_absolute_path(recorder, path))
		return dmt_path_failed(&recorder->error, "cannot create",
		    path);

	const enum dmtrace_clock clock = recorder->options.clock;
	const bool ticks = !recorder->options.system_clock &&
	    clock == DMTRACE_CLOCK_WALL && dmt_ticks_init();
	recorder->source = clock == DMTRACE_CLOCK_THREAD_CPU ? DMT_TIME_CPU :
	    clock == DMTRACE_CLOCK_DUAL ? DMT_TIME_DUAL :
	    ticks ? DMT_TIME_TICKS : DMT_TIME_MONOTONIC;
	recorder->overhead_ns = dmt_clock_overhead_ns(ticks);
	recorder->fences = !dmt_barrier_init();
	recorder->blocks.limit = recorder->options.memory_limit;
	if (open_next_file(recorder) != DMTRACE_OK)
		return recorder->error.status;
	recorder->total = (struct dmt_counts){ 0 };
	recorder->ended = 0;
	atomic_store(&recorder->dropped_alone, 0);
	recorder->session++;
	begin_epoch(recorder);
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_recorder_start(struct dmtrace_recorder *recorder, const char *path,
    const struct dmtrace_recorder_options *options)
{
	struct dmtrace_error error = { 0 };
	struct dmt_guard guard;

	if (dmt_recorder_check_caller(recorder, __func__) != DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	const enum dmtrace_status given = options == NULL ? DMTRACE_OK :
	    dmt_recorder_set_options(recorder, options);
	if (given != DMTRACE_OK)
		return given;
	recorder = dmt_recorder_get(recorder);
	dmt_recorder_configure(recorder);
	if (path == NULL) {
		dmt_error_null_given(&error, __func__);
		return dmt_recorder_refuse(recorder, &error);
	}
	const bool has_key = dmt_threads_init();
	dmt_lock(&recorder->mutex, &guard);
	const enum dmtrace_status status = start_recording(recorder, path,
	    has_key);
	dmt_unlock(&recorder->mutex, &guard);
	return status;
}

/* If the calling thread is busy, the caller is a signal handler that has
 * interrupted an event, or a handler has jumped out of one: that event cannot
 * end while this waits, so the thread counts as gone. */
static enum dmtrace_status
stop_recording(struct dmtrace_recorder *recorder,
    struct dmtrace_recorder_result *result)
{
	struct dmt_thread_state *own = dmt_thread_find_own(recorder);

	while (recorder->state == DMT_STATE_BUSY)
		pthread_cond_wait(&recorder->changed, &recorder->mutex);
	dmt_error_clear(&recorder->refused);
	if (recorder->state == DMT_STATE_OFF)
		return dmt_error_set(&recorder->refused, DMTRACE_ERR_STATE,
		    "dmtrace_recorder_stop: the recorder was not started");
	if (own != NULL && atomic_load(&own->busy))
		own->gone = true;
	quiesce_threads(recorder, DMT_EPOCH_OFF);
	if (recorder->files.open) {
		close_file(recorder);
	} else {			/* a rotation has failed */
		abandon_gone_threads(recorder);
		(void)dmt_method_name_keys(&recorder->methods);
	}
	for (struct dmt_thread_state *thread = recorder->thread_states;
	    thread != NULL; thread = thread->next)
		if (thread->session == recorder->session)
			dmt_thread_leave_session(recorder, thread);

	/* After a failed rotation, all events since then are lost. */
	recorder->file.dropped += atomic_exchange(&recorder->dropped_alone, 0);
	add_counts(&recorder->total, &recorder->file);
	set_recorder_state(recorder, DMT_STATE_OFF);
	if (recorder->error.status == DMTRACE_OK)
		recorder->error = recorder->misused;
	if (recorder->options.mismatch == DMTRACE_MISMATCH_ERROR &&
	    recorder->total.mismatched > 0)
		dmt_error_set(&recorder->error, DMTRACE_ERR_CORRUPT,
		    "%" PRIu64 " exits do not match the open calls",
		    recorder->total.mismatched);
	if (result != NULL)
		*result = (struct dmtrace_recorder_result){
			.events = recorder->total.events,
			.dropped = recorder->total.dropped,
			.closed = recorder->total.closed +
			    recorder->total.ended,
			.mismatched = recorder->total.mismatched,
			.stepped_back = recorder->total.stepped_back,
			.refused = recorder->misuses,
			.threads = recorder->thread_count,
			.methods = (uint32_t)recorder->methods.count,
			.files = recorder->file_count,
			.ended = recorder->ended,
			.error = recorder->error
		};
	dmt_error_clear(&recorder->misused);
	recorder->misuses = 0;
	return recorder->error.status;
}

enum dmtrace_status
dmtrace_recorder_stop(struct dmtrace_recorder *recorder,
    struct dmtrace_recorder_result *result)
{
	struct dmt_guard guard;

	if (dmt_recorder_check_caller(recorder, __func__) != DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	recorder = dmt_recorder_get(recorder);
	dmt_lock(&recorder->mutex, &guard);
	const enum dmtrace_status status = stop_recording(recorder, result);
	dmt_unlock(&recorder->mutex, &guard);
	return status;
}

/* At exit, after all destructors with a priority, since these may still
 * record. It does nothing if a call-back of the host has called exit:
 * call-backs are called with the lock. */
static void __attribute__((destructor(101)))
stop_in_destructor(void)
{
	struct dmtrace_recorder *recorder = &dmt_recorder_default;
	struct dmt_guard guard;

	if (recorder->host_stops || dmt_lock_signals() != NULL)
		return;
	dmt_fork_check();
	dmt_lock(&recorder->mutex, &guard);
	stop_recording(recorder, NULL);
	dmt_unlock(&recorder->mutex, &guard);
}

/* Handling forks. */

/* Held from before a fork until after it, together with dmt_registry. */
static struct dmt_guard fork_guard;

/* A call-back forks: it is called with a lock, so that no other is taken. The
 * child is recognised as a copy that was made without fork handlers. */
static _Thread_local bool forks_in_call_back;

static void
lock_before_fork(void)
{
	struct dmt_guard guard;

	forks_in_call_back = dmt_lock_signals() != NULL;
	if (forks_in_call_back)
		return;
	dmt_lock(&dmt_registry, &guard);
	fork_guard = guard;
	for (struct dmtrace_recorder *recorder = dmt_recorders;
	    recorder != NULL; recorder = recorder->next)
		pthread_mutex_lock(&recorder->mutex);
}

static void
unlock_in_parent(void)
{
	const struct dmt_guard guard = fork_guard;

	if (forks_in_call_back)
		return;
	for (struct dmtrace_recorder *recorder = dmt_recorders;
	    recorder != NULL; recorder = recorder->next)
		pthread_mutex_unlock(&recorder->mutex);
	dmt_unlock(&dmt_registry, &guard);
}

/* Resets the recorder as if it had never been started. The other threads do
 * not exist any more. */
static void
reset_recorder(struct dmtrace_recorder *recorder)
{
	atomic_store(&recorder->epoch, DMT_EPOCH_OFF);
	if (recorder == &dmt_recorder_default)
		dmtrace_recording = 0;
	recorder->state = DMT_STATE_OFF;
	dmt_threads_reset_in_child(recorder);
	dmt_buffers_free(recorder);
	dmt_files_abandon(&recorder->files);
	recorder->draining = false;
	dmt_error_clear(&recorder->misused);
	recorder->misuses = 0;
	pthread_cond_init(&recorder->changed, NULL);
}

static void
reset_recorders_in_child(void)
{
	if (forks_in_call_back)
		return;
	dmt_process_mark();
	for (struct dmtrace_recorder *recorder = dmt_recorders;
	    recorder != NULL; recorder = recorder->next)
		reset_recorder(recorder);
	unlock_in_parent();
}

/* Other holders of a lock do not exist any more. */
void
dmt_fork_check(void)
{
	if (!dmt_process_is_copy())
		return;
	pthread_mutex_init(&dmt_registry, NULL);
	pthread_mutex_init(&dmt_files_lock, NULL);
	for (struct dmtrace_recorder *recorder = dmt_recorders;
	    recorder != NULL; recorder = recorder->next) {
		pthread_mutex_init(&recorder->mutex, NULL);
		reset_recorder(recorder);
	}
}

static bool has_fork_handlers;

static void
register_fork_handlers(void)
{
	dmt_process_mark();
	has_fork_handlers = pthread_atfork(lock_before_fork,
	    unlock_in_parent, reset_recorders_in_child) == 0;
}

bool
dmt_fork_init(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, register_fork_handlers);
	return has_fork_handlers;
}
