/* fork.c - the child of a fork does not write to its parent's files */

#include <pthread.h>

#include "record/lane.h"
#include "record/threads.h"

/* From before a fork to behind it, under dmt_registry. */
static struct dmt_guard forking;

static void
before(void)
{
	struct dmt_guard guard;

	dmt_lock(&dmt_registry, &guard);
	forking = guard;
	for (struct dmtrace_recorder *recorder = dmt_recorders;
	    recorder != NULL; recorder = recorder->next)
		pthread_mutex_lock(&recorder->mutex);
}

static void
in_parent(void)
{
	const struct dmt_guard guard = forking;

	for (struct dmtrace_recorder *recorder = dmt_recorders;
	    recorder != NULL; recorder = recorder->next)
		pthread_mutex_unlock(&recorder->mutex);
	dmt_unlock(&dmt_registry, &guard);
}

/* As if it had never been started. Other threads are not there any more. */
static void
reset(struct dmtrace_recorder *recorder)
{
	struct dmt_block *block;

	atomic_store(&recorder->epoch, DMT_EPOCH_OFF);
	if (recorder == &dmt_recorder_default)
		dmtrace_recording = 0;
	recorder->state = DMT_STATE_OFF;
	dmt_lanes_orphan(recorder);
	while ((block = dmt_blocks_shift(&recorder->blocks)) != NULL)
		dmt_block_free(&recorder->blocks, block);
	dmt_files_abandon(&recorder->files);
	recorder->draining = false;
	pthread_cond_init(&recorder->changed, NULL);
}

static void
in_child(void)
{
	dmt_process_mark();
	for (struct dmtrace_recorder *recorder = dmt_recorders;
	    recorder != NULL; recorder = recorder->next)
		reset(recorder);
	in_parent();
}

/* Whoever else had a lock is not there any more. */
void
dmt_fork_check(void)
{
	if (!dmt_process_is_copy())
		return;
	pthread_mutex_init(&dmt_registry, NULL);
	for (struct dmtrace_recorder *recorder = dmt_recorders;
	    recorder != NULL; recorder = recorder->next) {
		pthread_mutex_init(&recorder->mutex, NULL);
		reset(recorder);
	}
}

static bool registered;

static void
register_handlers(void)
{
	dmt_process_mark();
	registered = pthread_atfork(before, in_parent, in_child) == 0;
}

bool
dmt_fork_init(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, register_handlers);
	return registered;
}
