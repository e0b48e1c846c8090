/* session.c - start, stop, and what lies between: files, rotation, ends */

#include "record/lane.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/path.h"
#include "data/header_encode.h"
#include "format/header.h"
#include "record/threads.h"

#define WAIT_NS 20000		/* between looks at a lane that is busy */
#define LOOKS_TO_STOP 1000	/* about a tenth of a second of them, or more */
#define LOOKS_TO_ROTATE 20000	/* a lane that is given up loses its frames */
#define RECORD_MAX 14

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
set_state(struct dmtrace_recorder *recorder, enum dmt_state state)
{
	recorder->state = state;
	pthread_cond_broadcast(&recorder->changed);
}

static void
go_on(struct dmtrace_recorder *recorder)
{
	recorder->last_epoch += 8;
	set_epoch(recorder, recorder->last_epoch | DMT_EPOCH_ON);
	set_state(recorder, DMT_STATE_ON);
}

static bool
is_any_busy(const struct dmtrace_recorder *recorder)
{
	for (struct dmt_lane *lane = recorder->lanes; lane != NULL;
	    lane = lane->next)
		if (!lane->gone && atomic_load(&lane->busy))
			return true;
	return false;
}

/* An event takes microseconds unless it waits for the lock, and nobody has
 * that for long who waits here. */
static void
give_up_busy(struct dmtrace_recorder *recorder)
{
	for (struct dmt_lane *lane = recorder->lanes; lane != NULL;
	    lane = lane->next)
		if (atomic_load(&lane->busy))
			lane->gone = true;
}

/*
 * From here on no event is under way, and none begins. The lock is given away
 * meanwhile, but signals stay blocked: what a handler asks for may have to
 * wait for what it has interrupted. A lane that stays busy is gone: a handler
 * has jumped out of its event.
 */
static void
quiesce(struct dmtrace_recorder *recorder, uint32_t epoch)
{
	const struct timespec wait = { 0, WAIT_NS };
	const unsigned max = epoch == DMT_EPOCH_OFF ? LOOKS_TO_STOP :
	    LOOKS_TO_ROTATE;

	recorder->state = DMT_STATE_BUSY;
	set_epoch(recorder, epoch);
	dmt_barrier();
	for (unsigned looks = 0; is_any_busy(recorder); looks++) {
		if (looks == max) {
			give_up_busy(recorder);
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
		set_state(recorder, DMT_STATE_ENDED);
	}
	if (recorder->options.ended != NULL)
		recorder->options.ended(recorder->options.context, why);
}

void
dmt_recorder_write(struct dmtrace_recorder *recorder, const uint8_t *records,
    size_t len)
{
	const size_t size = recorder->layout->record_size;
	size_t done = 0;

	if (len == 0)
		return;
	if (recorder->options.journal)
		dmt_recorder_journal(recorder);
	if (recorder->files.error.status == DMTRACE_OK)
		done = dmt_files_write(&recorder->files, records, len, size);
	recorder->file.events += done / size;
	recorder->file.dropped += (len - done) / size;
	if (recorder->files.error.status == DMTRACE_OK)
		return;
	if (recorder->error.status == DMTRACE_OK)
		recorder->error = recorder->files.error;
	dmt_recorder_end(recorder, DMTRACE_RECORDER_FAILED);
}

static uint64_t
epoch_us(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	return (uint64_t)time.tv_sec * 1000000 +
	    (uint64_t)time.tv_nsec / 1000;
}

static enum dmtrace_status
open_file(struct dmtrace_recorder *recorder)
{
	uint8_t bytes[DMT_HEADER_SIZE];
	const struct dmtrace_header header = {
		.version = recorder->layout->version,
		.data_offset = sizeof(bytes),
		.record_size = recorder->layout->record_size,
		.start = epoch_us()
	};
	const struct dmt_files_plan plan = {
		.path = recorder->path,
		.number = recorder->file_count + 1,
		.journal = recorder->options.journal,
		.header = bytes,
		.header_size = sizeof(bytes)
	};

	dmt_header_encode(bytes, sizeof(bytes), &header);
	recorder->file = (struct dmt_counts){ 0 };
	recorder->journal_begun = false;
	recorder->journaled_methods = recorder->journaled_threads = 0;
	if (dmt_files_open(&recorder->files, &plan) != DMTRACE_OK) {
		recorder->error = recorder->files.error;
		return recorder->error.status;
	}
	recorder->file_count++;
	if (recorder->options.journal)
		dmt_recorder_journal(recorder);
	recorder->start_us = dmt_clock_us();
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

/* From here on no lane has records of its own. One that is gone is only read:
 * its thread may be but very slow. */
static void
empty_lane(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	if (dmt_lane_takes_part(recorder, lane)) {
		dmt_lane_learn_name(recorder, lane);
		if (lane->gone)
			dmt_recorder_write(recorder, lane->buffer,
			    (size_t)(lane->at - lane->buffer));
		else
			dmt_lane_hand_over(recorder, lane);
	}
	if (lane->session == recorder->session)
		dmt_lane_collect(recorder, lane);
}

/* The exits of a lane that is gone. */
static void
close_gone(struct dmtrace_recorder *recorder, const struct dmt_lane *lane)
{
	const struct dmtrace_layout *layout = recorder->layout;
	const size_t size = layout->record_size;
	uint8_t record[RECORD_MAX];

	dmt_field_put(layout->thread, record, lane->thread);
	dmt_field_put(layout->cpu, record, lane->last.cpu_us);
	dmt_field_put(layout->wall, record, lane->last.wall_us);
	if (lane->at > lane->buffer)
		memcpy(record, lane->at - size, size);
	uint32_t method = dmt_lane_half_open(recorder, lane);
	for (uint32_t i = lane->depth; method != 0 || i > 0; method = 0) {
		if (method == 0)
			method = lane->frames[--i].method;
		dmt_field_put(layout->method, record, method | DMTRACE_EXIT);
		dmt_recorder_write(recorder, record, size);
	}
}

/* The last records of the file, of frames that stay open in the lanes. They
 * are the recorder's own: none of them is lost if it cannot be written. */
static void
close_lanes(struct dmtrace_recorder *recorder)
{
	const uint64_t before = recorder->file.events;
	const uint64_t dropped = recorder->file.dropped;

	for (struct dmt_lane *lane = recorder->lanes; lane != NULL;
	    lane = lane->next) {
		if (!dmt_lane_takes_part(recorder, lane))
			continue;
		if (lane->gone) {
			close_gone(recorder, lane);
			continue;
		}
		dmt_lane_close(recorder, lane);
		dmt_lane_hand_over(recorder, lane);
	}
	recorder->file.closed = recorder->file.events - before;
	recorder->file.dropped = dropped;
}

static void
leave_gone_behind(struct dmtrace_recorder *recorder)
{
	for (struct dmt_lane *lane = recorder->lanes, *next; lane != NULL;
	    lane = next) {
		next = lane->next;
		if (lane->gone)
			dmt_lane_leave_behind(recorder, lane);
	}
}

/* Nothing is under way. */
static void
close_file(struct dmtrace_recorder *recorder)
{
	recorder->elapsed_us = dmt_clock_us() - recorder->start_us;
	recorder->file.dropped += atomic_exchange(&recorder->laneless, 0);
	dmt_recorder_drain(recorder);
	for (struct dmt_lane *lane = recorder->lanes; lane != NULL;
	    lane = lane->next)
		empty_lane(recorder, lane);
	close_lanes(recorder);
	dmt_recorder_undrain(recorder);
	if (dmt_recorder_write_key(recorder) != DMTRACE_OK &&
	    recorder->error.status == DMTRACE_OK)
		recorder->error = recorder->files.error;
	add_counts(&recorder->total, &recorder->file);
	recorder->file = (struct dmt_counts){ 0 };
	leave_gone_behind(recorder);
}

/* What stays in memory gets its enters when it is written. */
static void
reopen(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	struct dmt_thread_row *row = &recorder->threads[lane->thread - 1];

	dmt_lane_begin_file(recorder, lane);
	row->carried = lane->depth > 0;
	if (dmt_recorder_keeps(recorder))
		return;
	dmt_lane_reopen(recorder, lane);
	dmt_lane_hand_over(recorder, lane);
}

/* The first records of the file, of frames that are open. */
static void
reopen_lanes(struct dmtrace_recorder *recorder)
{
	for (uint32_t i = 0; i < recorder->thread_count; i++)
		recorder->threads[i].lost = recorder->threads[i].carried =
		    false;
	for (struct dmt_lane *lane = recorder->lanes; lane != NULL;
	    lane = lane->next)
		if (dmt_lane_takes_part(recorder, lane))
			reopen(recorder, lane);
	recorder->file.opened = recorder->file.events;
	recorder->file.dropped = 0;	/* as in close_lanes */
}

void
dmt_recorder_rotate(struct dmtrace_recorder *recorder, uint64_t own_ns)
{
	quiesce(recorder, DMT_EPOCH_PAUSED);
	close_file(recorder);
	if (own_ns != 0)
		recorder->own_start_us = own_ns / 1000;
	if (recorder->ended == 0 && open_file(recorder) == DMTRACE_OK) {
		reopen_lanes(recorder);
		go_on(recorder);
		return;
	}
	set_epoch(recorder, DMT_EPOCH_ENDED);
	set_state(recorder, DMT_STATE_ENDED);
	dmt_recorder_end(recorder, DMTRACE_RECORDER_FAILED);
}

/* The program may change its folder: a relative name is of the one that is the
 * current one now, if it has a name. false with errno set: there is no room. */
static bool
set_path(struct dmtrace_recorder *recorder, const char *path)
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
prepare(struct dmtrace_recorder *recorder, const char *path)
{
	if (recorder->threads == NULL)
		recorder->threads = dmt_pages_new(DMT_THREADS_MAX *
		    sizeof(*recorder->threads));
	if (recorder->threads == NULL ||
	    dmt_method_prepare_keys(&recorder->methods) != DMTRACE_OK)
		return dmt_error_memory(&recorder->error);
	if (!set_path(recorder, path))
		return dmt_path_failed(&recorder->error, "cannot create",
		    path);
	recorder->fences = !dmt_barrier_init();
	recorder->blocks.limit = recorder->options.memory_limit;
	return DMTRACE_OK;
}

static void
choose_clock(struct dmtrace_recorder *recorder)
{
	const bool ticks = !recorder->options.system_clock &&
	    recorder->options.clock == DMTRACE_CLOCK_WALL && dmt_ticks_init();

	recorder->source =
	    recorder->options.clock == DMTRACE_CLOCK_THREAD_CPU ? DMT_TIME_CPU :
	    recorder->options.clock == DMTRACE_CLOCK_DUAL ? DMT_TIME_DUAL :
	    ticks ? DMT_TIME_TICKS : DMT_TIME_MONOTONIC;
	recorder->overhead_ns = dmt_clock_overhead_ns(ticks);
}

static enum dmtrace_status
start(struct dmtrace_recorder *recorder, const char *path, bool has_key)
{
	if (recorder->state != DMT_STATE_OFF)
		return DMTRACE_ERR_STATE;
	recorder->error = (struct dmtrace_error){ 0 };
	if (!has_key)
		return dmt_error_set(&recorder->error, DMTRACE_ERR_LIMIT,
		    "there is no key for data of threads left");
	if (!dmt_fork_init())
		return dmt_error_memory(&recorder->error);
	recorder->file_count = 0;
	recorder->own_start_us = 0;
	recorder->thread_count = 0;
	if (prepare(recorder, path) != DMTRACE_OK ||
	    open_file(recorder) != DMTRACE_OK)
		return recorder->error.status;
	recorder->total = (struct dmt_counts){ 0 };
	recorder->ended = 0;
	atomic_store(&recorder->laneless, 0);
	recorder->session++;
	go_on(recorder);
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_recorder_start(struct dmtrace_recorder *recorder, const char *path)
{
	struct dmt_guard guard;

	recorder = dmt_recorder_get(recorder);
	dmt_recorder_configure(recorder);
	dmt_fork_check();
	const bool has_key = dmt_threads_init();
	dmt_lock(&recorder->mutex, &guard);
	if (recorder->state == DMT_STATE_OFF)
		choose_clock(recorder);
	const enum dmtrace_status status = start(recorder, path,
	    has_key);
	dmt_unlock(&recorder->mutex, &guard);
	return status;
}

/* Behind the last file. There is none if a rotation has failed; then all that
 * came since is lost. */
static void
leave_lanes(struct dmtrace_recorder *recorder)
{
	for (struct dmt_lane *lane = recorder->lanes; lane != NULL;
	    lane = lane->next)
		if (lane->session == recorder->session)
			dmt_lane_leave_session(recorder, lane);
	recorder->file.dropped += atomic_exchange(&recorder->laneless, 0);
	add_counts(&recorder->total, &recorder->file);
}

static void
fill_result(const struct dmtrace_recorder *recorder,
    struct dmtrace_recorder_result *result)
{
	*result = (struct dmtrace_recorder_result){
		.events = recorder->total.events,
		.dropped = recorder->total.dropped,
		.closed = recorder->total.closed +
		    recorder->total.ended,
		.mismatched = recorder->total.mismatched,
		.stepped_back = recorder->total.stepped_back,
		.threads = recorder->thread_count,
		.methods = (uint32_t)recorder->methods.count,
		.files = recorder->file_count,
		.ended = recorder->ended,
		.error = recorder->error
	};
}

/* Nobody waits for an event that the calling thread has interrupted, or has
 * jumped out of: it is done, or it is not, and its lane is left to it. */
static enum dmtrace_status
stop(struct dmtrace_recorder *recorder,
    struct dmtrace_recorder_result *result)
{
	struct dmt_lane *own = dmt_lane_own(recorder);

	while (recorder->state == DMT_STATE_BUSY)
		pthread_cond_wait(&recorder->changed, &recorder->mutex);
	if (recorder->state == DMT_STATE_OFF)
		return DMTRACE_ERR_STATE;
	if (own != NULL && atomic_load(&own->busy))
		own->gone = true;
	quiesce(recorder, DMT_EPOCH_OFF);
	if (recorder->files.open)	/* not if a rotation has failed */
		close_file(recorder);
	leave_lanes(recorder);
	set_state(recorder, DMT_STATE_OFF);
	if (result != NULL)
		fill_result(recorder, result);
	if (recorder->error.status == DMTRACE_OK &&
	    recorder->options.mismatch == DMTRACE_MISMATCH_ERROR &&
	    recorder->total.mismatched > 0)
		return DMTRACE_ERR_CORRUPT;
	return recorder->error.status;
}

enum dmtrace_status
dmtrace_recorder_stop(struct dmtrace_recorder *recorder,
    struct dmtrace_recorder_result *result)
{
	struct dmt_guard guard;

	recorder = dmt_recorder_get(recorder);
	dmt_fork_check();
	dmt_lock(&recorder->mutex, &guard);
	const enum dmtrace_status status = stop(recorder, result);
	dmt_unlock(&recorder->mutex, &guard);
	return status;
}

/* Behind the destructors of all others, as far as those have an order: they
 * may still record. Not where a call-back of the host's exits, which has the
 * lock. */
static void __attribute__((destructor(101)))
stop_at_exit(void)
{
	struct dmtrace_recorder *recorder = &dmt_recorder_default;
	struct dmt_guard guard;

	if (recorder->host_stops || dmt_lock_signals() != NULL)
		return;
	dmt_fork_check();
	dmt_lock(&recorder->mutex, &guard);
	stop(recorder, NULL);
	dmt_unlock(&recorder->mutex, &guard);
}
