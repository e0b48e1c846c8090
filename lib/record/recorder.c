/* recorder.c - recorders, their options and their methods */

#include "record/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "private/recorder.h"
#include "record/thread_state.h"

enum {
	BUFFER_SIZE = 256 * 1024,
	BUFFER_MIN = 4096,
	MEMORY_LIMIT = 64 * 1024 * 1024,
	MAX_KEYS = 65536,
	MAX_KEYS_MAX = 1 << 26,
	MAX_DEPTH = 131072,
	MAX_DEPTH_MAX = 1 << 24
};

struct dmtrace_recorder dmt_recorder_default = {
	.mutex = PTHREAD_MUTEX_INITIALIZER,
	.changed = PTHREAD_COND_INITIALIZER
};
struct dmtrace_recorder *dmt_recorders;

static struct dmtrace_recorder_options
complete_options(const struct dmtrace_recorder_options *options)
{
	struct dmtrace_recorder_options full = { 0 };

	if (options != NULL)
		full = *options;
	if (full.clock == DMTRACE_CLOCK_MISSING)
		full.clock = DMTRACE_CLOCK_WALL;
	if (full.version == 0)
		full.version = full.clock == DMTRACE_CLOCK_DUAL ? 3 : 2;
	if (full.buffer_size == 0)
		full.buffer_size = BUFFER_SIZE;
	if (full.memory_limit == 0)
		full.memory_limit = MEMORY_LIMIT;
	if (full.max_keys == 0)
		full.max_keys = MAX_KEYS;
	if (full.max_depth == 0)
		full.max_depth = MAX_DEPTH;
	if (full.max_time_us == 0)
		full.max_time_us = UINT32_MAX;
	if (full.vm == NULL)
		full.vm = "art";
	return full;
}

/* Of an option line that every reader takes. */
static bool
is_option_value(const char *text)
{
	return text != NULL && text[0] != '\0' &&
	    strpbrk(text, "=\t\n\r") == NULL &&
	    strlen(text) < sizeof(dmt_recorder_default.vm);
}

static bool
are_options_in_range(const struct dmtrace_recorder_options *options)
{
	return (options->clock == DMTRACE_CLOCK_WALL ||
	    options->clock == DMTRACE_CLOCK_THREAD_CPU ||
	    options->clock == DMTRACE_CLOCK_DUAL) &&
	    dmt_layout_find(options->version, options->clock) != NULL &&
	    (unsigned)options->full <= DMTRACE_FULL_RING &&
	    (unsigned)options->mismatch <= DMTRACE_MISMATCH_AS_IS &&
	    options->buffer_size >= BUFFER_MIN &&
	    options->buffer_size <= SIZE_MAX / 4 &&
	    options->max_keys <= MAX_KEYS_MAX &&
	    options->max_depth <= MAX_DEPTH_MAX &&
	    options->max_time_us <= UINT32_MAX &&
	    options->buffer_size <= options->memory_limit &&
	    (!options->streaming || (!options->journal && options->version ==
	    (options->clock == DMTRACE_CLOCK_DUAL ? 3 : 2))) &&
	    is_option_value(options->vm);
}

static enum dmt_record_form
form_of_layout(const struct dmtrace_layout *layout)
{
	if (layout->clock == DMTRACE_CLOCK_DUAL)
		return DMT_FORM_DUAL;
	const bool cpu = layout->clock == DMTRACE_CLOCK_THREAD_CPU;
	if (layout->version == 1)
		return cpu ? DMT_FORM_1_CPU : DMT_FORM_1;
	return cpu ? DMT_FORM_2_CPU : DMT_FORM_2;
}

static enum dmtrace_status
apply_options(struct dmtrace_recorder *recorder,
    const struct dmtrace_recorder_options *options)
{
	const enum dmtrace_status status =
	    dmt_method_configure(&recorder->methods, options);

	if (status != DMTRACE_OK)
		return status;
	recorder->options = *options;
	snprintf(recorder->vm, sizeof(recorder->vm), "%s", options->vm);
	recorder->options.vm = recorder->vm;
	recorder->layout = dmt_layout_find(options->version,
	    options->clock);
	recorder->form = form_of_layout(recorder->layout);
	recorder->max_threads = recorder->layout->thread.width == 1 ?
	    UINT8_MAX : DMT_THREADS_MAX;
	recorder->configured = true;
	return DMTRACE_OK;
}

void
dmt_recorder_configure(struct dmtrace_recorder *recorder)
{
	const struct dmtrace_recorder_options options = complete_options(NULL);
	struct dmt_guard guard;

	dmt_lock(&recorder->mutex, &guard);
	const bool fresh = !recorder->configured;
	if (fresh)
		apply_options(recorder, &options);
	dmt_unlock(&recorder->mutex, &guard);
	if (!fresh)
		return;
	dmt_lock(&dmt_registry, &guard);
	recorder->next = dmt_recorders;
	dmt_recorders = recorder;
	dmt_unlock(&dmt_registry, &guard);
	(void)dmt_fork_init();	/* start asks again */
}

struct dmtrace_recorder *
dmtrace_recorder_new(void)
{
	struct dmtrace_recorder *recorder = calloc(1, sizeof(*recorder));

	if (recorder == NULL)
		return NULL;
	pthread_mutex_init(&recorder->mutex, NULL);
	pthread_cond_init(&recorder->changed, NULL);
	dmt_recorder_configure(recorder);
	return recorder;
}

void
dmtrace_recorder_free(struct dmtrace_recorder *recorder)
{
	struct dmtrace_recorder **link = &dmt_recorders;
	struct dmt_guard guard;

	if (recorder == NULL)
		return;
	dmtrace_recorder_stop(recorder, NULL);
	dmt_lock(&dmt_registry, &guard);
	while (*link != recorder)
		link = &(*link)->next;
	*link = recorder->next;
	/* The states are their threads' to free. */
	for (struct dmt_thread_state *thread = recorder->thread_states;
	    thread != NULL; thread = thread->next)
		atomic_store(&thread->recorder, NULL);
	dmt_unlock(&dmt_registry, &guard);
	dmt_method_fini(&recorder->methods);
	dmt_mapped_free(recorder->threads,
	    DMT_THREADS_MAX * sizeof(*recorder->threads));
	pthread_cond_destroy(&recorder->changed);
	pthread_mutex_destroy(&recorder->mutex);
	free(recorder);
}

enum dmtrace_status
dmt_recorder_set_options(struct dmtrace_recorder *recorder,
    const struct dmtrace_recorder_options *options)
{
	const struct dmtrace_recorder_options full = complete_options(options);
	struct dmt_guard guard;

	recorder = dmt_recorder_get(recorder);
	dmt_recorder_configure(recorder);
	if (!are_options_in_range(&full))
		return DMTRACE_ERR_RANGE;
	dmt_lock(&recorder->mutex, &guard);
	const enum dmtrace_status status = recorder->state != DMT_STATE_OFF ?
	    DMTRACE_ERR_STATE : apply_options(recorder, &full);
	dmt_unlock(&recorder->mutex, &guard);
	return status;
}

const struct dmtrace_error *
dmtrace_recorder_error(const struct dmtrace_recorder *recorder)
{
	return recorder != NULL ? &recorder->error :
	    &dmt_recorder_default.error;
}

enum dmtrace_status
dmtrace_recorder_intern(struct dmtrace_recorder *recorder,
    const struct dmtrace_recorder_method *words, uint32_t *method)
{
	struct dmt_guard guard;

	if (words == NULL || method == NULL)
		return DMTRACE_ERR_STATE;
	if (recorder == NULL)
		dmt_recorder_configure(&dmt_recorder_default);
	recorder = dmt_recorder_get(recorder);
	dmt_lock(&recorder->mutex, &guard);
	const enum dmtrace_status status =
	    dmt_method_intern(&recorder->methods, words, method);
	dmt_unlock(&recorder->mutex, &guard);
	return status;
}

void
dmtrace_recorder_forget_keys(struct dmtrace_recorder *recorder,
    uint64_t first, uint64_t last)
{
	struct dmt_guard guard;

	recorder = dmt_recorder_get(recorder);
	dmt_lock(&recorder->mutex, &guard);
	dmt_method_name_keys(&recorder->methods);
	dmt_method_forget_keys(&recorder->methods, first, last);
	dmt_unlock(&recorder->mutex, &guard);
}

void
dmtrace_recorder_name_thread(struct dmtrace_recorder *recorder,
    const char *name)
{
	struct dmt_guard guard;

	if (name == NULL)
		return;
	recorder = dmt_recorder_get(recorder);
	dmt_recorder_configure(recorder);
	struct dmt_thread_state *thread = dmt_threads_init() ?
	    dmt_thread_find(recorder) : NULL;
	if (thread == NULL)
		return;
	dmt_lock(&recorder->mutex, &guard);
	snprintf(thread->name, sizeof(thread->name), "%s", name);
	thread->named = true;
	if (recorder->state != DMT_STATE_OFF &&
	    dmt_thread_takes_part(recorder, thread))
		dmt_thread_update_name(recorder, thread);
	dmt_unlock(&recorder->mutex, &guard);
}

uint32_t
dmtrace_method(const char *class_name, const char *name)
{
	const struct dmtrace_recorder_method words = {
		.class_name = class_name,
		.name = name
	};
	uint32_t method = 0;

	dmtrace_recorder_intern(NULL, &words, &method);
	return method;
}
