/* threads.c - which lanes a thread has, and what becomes of them at its end */

#include "record/threads.h"

#include <limits.h>
#include <signal.h>

#include "record/lane.h"

_Thread_local struct dmt_lane *dmt_lane_cached DMT_NEAR;

static _Thread_local struct dmt_lane *own_lanes DMT_NEAR;
static _Thread_local unsigned rounds DMT_NEAR;
static _Thread_local volatile sig_atomic_t searching DMT_NEAR;
static pthread_key_t at_end;
static bool has_key;		/* under dmt_registry */

pthread_mutex_t dmt_registry = PTHREAD_MUTEX_INITIALIZER;

static void
free_lane(struct dmt_lane *lane)
{
	dmt_pages_free(lane->frames, lane->max_depth *
	    sizeof(*lane->frames));
	if (lane->block != NULL)	/* it was left behind with it */
		dmt_pages_free(lane->block, lane->block->size);
	dmt_pages_free(lane, sizeof(*lane));
}

static void
unlink_lane(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	struct dmt_lane **link = &recorder->lanes;

	while (*link != lane)
		link = &(*link)->next;
	*link = lane->next;
}

/* What a thread has recorded when it ends is not lost, and its frames do not
 * stay open. Its last event, if a handler has jumped out of it, is over. */
static void
retire(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	struct dmt_guard guard;

	dmt_lock(&recorder->mutex, &guard);
	while (recorder->state == DMT_STATE_BUSY)
		pthread_cond_wait(&recorder->changed, &recorder->mutex);
	if (recorder->state != DMT_STATE_OFF &&
	    dmt_lane_takes_part(recorder, lane)) {
		const uint32_t method = atomic_load(&lane->busy) ?
		    dmt_lane_half_open(recorder, lane) : 0;
		if (method != 0)
			lane->frames[lane->depth++].method = method;
		dmt_lane_finish(recorder, lane);
	}
	if (recorder->state != DMT_STATE_OFF &&
	    lane->session == recorder->session)
		dmt_lane_leave_session(recorder, lane);
	if (atomic_load(&lane->recorder) != NULL)	/* not left behind */
		unlink_lane(recorder, lane);
	dmt_unlock(&recorder->mutex, &guard);
}

static void
end_lane(struct dmt_lane *lane)
{
	struct dmt_guard guard;

	dmt_lock(&dmt_registry, &guard);
	struct dmtrace_recorder *recorder = atomic_load(&lane->recorder);
	if (recorder != NULL)
		retire(recorder, lane);
	dmt_unlock(&dmt_registry, &guard);
	free_lane(lane);
}

/* Other destructors may still record, and are waited for. The very last round
 * is for lanes that were made after that. */
static void
end_thread(void *lanes)
{
	if (++rounds < PTHREAD_DESTRUCTOR_ITERATIONS - 1) {
		pthread_setspecific(at_end, lanes);
		return;
	}
	dmt_lane_cached = NULL;
	dmt_fork_check();
	while (own_lanes != NULL) {
		struct dmt_lane *lane = own_lanes;
		own_lanes = lane->thread_next;
		end_lane(lane);
	}
}

bool
dmt_threads_init(void)
{
	struct dmt_guard guard;

	dmt_lock(&dmt_registry, &guard);
	has_key = has_key || pthread_key_create(&at_end, end_thread) == 0;
	const bool done = has_key;
	dmt_unlock(&dmt_registry, &guard);
	return done;
}

static struct dmt_lane *
new_lane(struct dmtrace_recorder *recorder)
{
	struct dmt_lane *lane = dmt_pages_new(sizeof(*lane));

	if (lane == NULL)
		return NULL;
	atomic_store(&lane->recorder, recorder);
	return lane;
}

static struct dmt_lane *
add_lane(struct dmtrace_recorder *recorder)
{
	struct dmt_guard guard;

	dmt_lock(&recorder->mutex, &guard);
	struct dmt_lane *lane = dmt_lane_own(recorder);	/* a handler's */
	if (lane == NULL && (lane = new_lane(recorder)) != NULL) {
		lane->next = recorder->lanes;
		recorder->lanes = lane;
		lane->thread_next = own_lanes;
		own_lanes = lane;
		pthread_setspecific(at_end, lane);
	}
	dmt_unlock(&recorder->mutex, &guard);
	return lane;
}

/* Lanes of recorders that were freed, or have left them behind. An event that
 * this call comes amid goes on to use its own. */
static void
prune(void)
{
	struct dmt_lane **link = &own_lanes;
	struct dmt_guard guard;

	dmt_lock(&dmt_registry, &guard);
	while (*link != NULL) {
		struct dmt_lane *lane = *link;
		if (atomic_load(&lane->recorder) != NULL ||
		    atomic_load(&lane->busy)) {
			link = &lane->thread_next;
			continue;
		}
		*link = lane->thread_next;
		free_lane(lane);
	}
	dmt_unlock(&dmt_registry, &guard);
}

struct dmt_lane *
dmt_lane_own(const struct dmtrace_recorder *recorder)
{
	struct dmt_lane *lane = own_lanes;

	while (lane != NULL && atomic_load(&lane->recorder) != recorder)
		lane = lane->thread_next;
	return lane;
}

struct dmt_lane *
dmt_lane_find(struct dmtrace_recorder *recorder)
{
	const sig_atomic_t interrupted = searching;

	searching = 1;
	struct dmt_lane *lane = dmt_lane_own(recorder);
	if (lane == NULL) {
		dmt_lane_cached = NULL;
		if (!interrupted)	/* else that search is at one of them */
			prune();
		lane = add_lane(recorder);
	}
	dmt_lane_cached = lane;
	searching = interrupted;
	return lane;
}

void
dmt_lane_leave_behind(struct dmtrace_recorder *recorder,
    struct dmt_lane *lane)
{
	atomic_store(&lane->recorder, NULL);
	lane->session = 0;
	lane->epoch = DMT_EPOCH_OFF;
	recorder->blocks.total -= lane->block == NULL ? 0 :
	    lane->block->size;
	unlink_lane(recorder, lane);
}

void
dmt_lanes_orphan(struct dmtrace_recorder *recorder)
{
	struct dmt_lane *own = dmt_lane_own(recorder);

	/* An event that a handler has interrupted to fork goes on here. */
	if (own != NULL && atomic_load(&own->busy)) {
		dmt_lane_leave_behind(recorder, own);
		own = NULL;
	}
	while (recorder->lanes != NULL) {
		struct dmt_lane *lane = recorder->lanes;
		recorder->lanes = lane->next;
		if (lane->session == recorder->session)
			dmt_lane_leave_session(recorder, lane);
		if (lane != own)
			free_lane(lane);
	}
	recorder->lanes = own;
	if (own == NULL)
		return;
	own->next = NULL;
	own->session = 0;
}
