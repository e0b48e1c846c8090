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

/* Returns true if every reader accepts the value of an option line. */
static bool
is_option_value(const char *text)
{
	return text != NULL && text[0] != '\0' &&
	    strpbrk(text, "=\t\n\r") == NULL &&
	    strlen(text) < sizeof(dmt_recorder_default.vm);
}

static enum dmtrace_status
check_recorder_options(struct dmtrace_error *error,
    const struct dmtrace_recorder_options *options)
{
	const unsigned stream_version =
	    options->clock == DMTRACE_CLOCK_DUAL ? 3 : 2;
	const struct {
		bool holds;
		const char *otherwise;
	} rules[] = {
		{ options->clock == DMTRACE_CLOCK_WALL ||
		    options->clock == DMTRACE_CLOCK_THREAD_CPU ||
		    options->clock == DMTRACE_CLOCK_DUAL,
		    "clock is not WALL, THREAD_CPU or DUAL" },
		{ dmt_layout_find(options->version, options->clock) != NULL,
		    "version is not 1 to 3, or has no room for the clock" },
		{ (unsigned)options->full <= DMTRACE_FULL_RING,
		    "full is not FLUSH, STOP or RING" },
		{ (unsigned)options->mismatch <= DMTRACE_MISMATCH_AS_IS,
		    "mismatch is not REPAIR, ERROR or AS_IS" },
		{ options->buffer_size >= BUFFER_MIN,
		    "buffer_size is less than 4,096 bytes" },
		{ options->buffer_size <= options->memory_limit &&
		    options->buffer_size <= SIZE_MAX / 4,
		    "buffer_size is more than memory_limit" },
		{ options->max_keys <= MAX_KEYS_MAX,
		    "max_keys is more than 2^26" },
		{ options->max_depth <= MAX_DEPTH_MAX,
		    "max_depth is more than 2^24" },
		{ options->max_time_us <= UINT32_MAX,
		    "max_time_us is more than 2^32 - 1" },
		{ !options->streaming || !options->journal,
		    "streaming and journal exclude each other" },
		{ !options->streaming || options->version == stream_version,
		    "a stream has version 2, or 3 for DUAL" },
		{ is_option_value(options->vm),
		    "vm is empty, has more than 31 bytes, or \"=\", TAB, LF"
		    " or CR" },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (!rules[i].holds)
			return dmt_error_set(error, DMTRACE_ERR_RANGE,
			    "dmtrace_recorder_start: %s", rules[i].otherwise);
	return DMTRACE_OK;
}

static enum dmt_record_form
form_of_layout(const struct dmt_layout *layout)
{
	if (layout->clock == DMTRACE_CLOCK_DUAL)
		return DMT_FORM_DUAL;
	const bool cpu = layout->clock == DMTRACE_CLOCK_THREAD_CPU;
	if (layout->version == 1)
		return cpu ? DMT_FORM_1_CPU : DMT_FORM_1;
	return cpu ? DMT_FORM_2_CPU : DMT_FORM_2;
}

/* false: the table of keys exists with another size. */
static bool
apply_options(struct dmtrace_recorder *recorder,
    const struct dmtrace_recorder_options *options)
{
	if (!dmt_method_configure(&recorder->methods, options))
		return false;
	recorder->options = *options;
	snprintf(recorder->vm, sizeof(recorder->vm), "%s", options->vm);
	recorder->options.vm = recorder->vm;
	recorder->layout = dmt_layout_find(options->version,
	    options->clock);
	recorder->form = form_of_layout(recorder->layout);
	recorder->max_threads = recorder->layout->thread.width == 1 ?
	    UINT8_MAX : DMT_THREADS_MAX;
	recorder->configured = true;
	return true;
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
	(void)dmt_fork_init();	/* the start calls it again */
}

struct dmtrace_recorder *
dmtrace_recorder_new(void)
{
	struct dmtrace_recorder *recorder = calloc(1, sizeof(*recorder));

	if (recorder == NULL)
		return NULL;
	dmt_fork_check();
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

	if (recorder == NULL ||
	    dmt_recorder_check_caller(recorder, __func__) != DMTRACE_OK)
		return;
	dmtrace_recorder_stop(recorder, NULL);
	dmt_lock(&dmt_registry, &guard);
	while (*link != recorder)
		link = &(*link)->next;
	*link = recorder->next;
	/* The threads free their states. */
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
	struct dmtrace_error error = { 0 };
	struct dmt_guard guard;

	recorder = dmt_recorder_get(recorder);
	dmt_recorder_configure(recorder);
	check_recorder_options(&error, &full);
	dmt_lock(&recorder->mutex, &guard);
	if (recorder->state != DMT_STATE_OFF)
		dmt_error_set(&error, DMTRACE_ERR_STATE,
		    "dmtrace_recorder_start: the recorder was not stopped");
	else if (error.status == DMTRACE_OK && !apply_options(recorder, &full))
		dmt_error_set(&error, DMTRACE_ERR_RANGE,
		    "dmtrace_recorder_start: max_keys is not that of an"
		    " earlier start");
	if (error.status != DMTRACE_OK)
		recorder->refused = error;
	dmt_unlock(&recorder->mutex, &guard);
	return error.status;
}

/* A function of the options may call this, too, under the lock. */
const struct dmtrace_error *
dmtrace_recorder_error(const struct dmtrace_recorder *given)
{
	struct dmtrace_recorder *const recorder = given == NULL ?
	    &dmt_recorder_default :
	    (struct dmtrace_recorder *)(uintptr_t)given;
	const struct dmtrace_error *error = &recorder->misused;
	const bool called = dmt_lock_signals() != NULL;
	struct dmt_guard guard;

	if (!called) {
		dmt_fork_check();
		dmt_lock(&recorder->mutex, &guard);
	}
	if (recorder->refused.status != DMTRACE_OK)
		error = &recorder->refused;
	else if (recorder->error.status != DMTRACE_OK)
		error = &recorder->error;
	if (!called)
		dmt_unlock(&recorder->mutex, &guard);
	return error;
}

enum dmtrace_status
dmt_recorder_check_caller(struct dmtrace_recorder *given, const char *call)
{
	struct dmtrace_recorder *const recorder = dmt_recorder_get(given);

	if (dmt_lock_signals() == NULL) {
		dmt_fork_check();
		return DMTRACE_OK;
	}
	dmt_error_clear(&recorder->refused);
	return dmt_error_set(&recorder->refused, DMTRACE_ERR_STATE,
	    "%s: a function of the options must not call the recorder", call);
}

enum dmtrace_status
dmt_recorder_refuse(struct dmtrace_recorder *recorder,
    const struct dmtrace_error *error)
{
	struct dmt_guard guard;

	dmt_lock(&recorder->mutex, &guard);
	recorder->refused = *error;
	dmt_unlock(&recorder->mutex, &guard);
	return error->status;
}

void
dmt_recorder_count_misuse(struct dmtrace_recorder *recorder, const char *format,
    ...)
{
	struct dmtrace_error error = { .status = DMTRACE_ERR_RANGE };
	struct dmt_guard guard;
	va_list args;

	va_start(args, format);
	dmt_message_append(error.message, format, args);
	va_end(args);
	dmt_fork_check();
	dmt_lock(&recorder->mutex, &guard);
	if (recorder->misuses++ == 0)
		recorder->misused = error;
	dmt_unlock(&recorder->mutex, &guard);
}

/* Sets *error, with the name of the public function, if it fails. */
static enum dmtrace_status
intern_described(struct dmtrace_recorder *recorder, const char *call,
    const struct dmtrace_recorder_method *described, uint32_t *method,
    struct dmtrace_error *error)
{
	struct dmt_guard guard;

	dmt_recorder_configure(recorder);
	dmt_lock(&recorder->mutex, &guard);
	const enum dmtrace_status status =
	    dmt_method_intern(&recorder->methods, described, method);
	dmt_unlock(&recorder->mutex, &guard);
	if (status == DMTRACE_ERR_RANGE)
		return dmt_error_set(error, status, described->name == NULL ||
		    described->name[0] == '\0' ? "%s: a method has no name" :
		    "%s: the key cannot hold the name of a method; the option "
		    "escape writes it escaped", call);
	return status == DMTRACE_OK ? DMTRACE_OK : dmt_error_set(error, status,
	    "%s: %s", call, dmtrace_strerror(status));
}

enum dmtrace_status
dmtrace_recorder_intern(struct dmtrace_recorder *given,
    const struct dmtrace_recorder_method *described, uint32_t *method)
{
	struct dmtrace_recorder *const recorder = dmt_recorder_get(given);
	struct dmtrace_error error = { 0 };

	if (dmt_recorder_check_caller(recorder, __func__) != DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (described == NULL || method == NULL)
		dmt_error_null_given(&error, __func__);
	else
		intern_described(recorder, __func__, described, method,
		    &error);
	return dmt_recorder_refuse(recorder, &error);
}

void
dmtrace_recorder_forget_keys(struct dmtrace_recorder *recorder,
    uint64_t first, uint64_t last)
{
	struct dmt_guard guard;

	recorder = dmt_recorder_get(recorder);
	if (dmt_recorder_check_caller(recorder, __func__) != DMTRACE_OK)
		return;
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

	recorder = dmt_recorder_get(recorder);
	if (dmt_recorder_check_caller(recorder, __func__) != DMTRACE_OK)
		return;
	dmt_recorder_configure(recorder);
	if (name == NULL) {
		dmt_recorder_count_misuse(recorder, "%s was called with NULL",
		    __func__);
		return;
	}
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
dmtrace_intern(const char *class_name, const char *name)
{
	const struct dmtrace_recorder_method described = {
		.class_name = class_name,
		.name = name
	};
	struct dmtrace_error error = { 0 };
	uint32_t method = 0;

	if (dmt_recorder_check_caller(NULL, __func__) != DMTRACE_OK)
		return 0;
	if (intern_described(&dmt_recorder_default, __func__, &described,
	    &method, &error) != DMTRACE_OK)
		dmt_recorder_count_misuse(&dmt_recorder_default, "%s",
		    error.message);
	return method;
}
