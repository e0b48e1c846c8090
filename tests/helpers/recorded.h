/* recorded.h - short calls to record and to read back */

#ifndef RECORDED_H
#define RECORDED_H

#include <dmtrace.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "helpers/files.h"
#include "helpers/unit.h"
#include "private/recorder.h"
#include "private/trace.h"

#define STEP_NS 10000		/* from one event of a play to the next */

static inline struct dmtrace_recorder_options
default_options(void)
{
	struct dmtrace_recorder_options options = { 0 };

	return options;
}

/* NULL options: as they are. The caller frees it. */
static inline struct dmtrace_recorder *
started(const char *path, const struct dmtrace_recorder_options *options)
{
	struct dmtrace_recorder *recorder = dmtrace_recorder_new();

	ck_assert_ptr_nonnull(recorder);
	if (options != NULL)
		ck_assert_int_eq(dmt_recorder_set_options(recorder,
		    options), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_recorder_start(recorder, path, NULL),
	    DMTRACE_OK);
	return recorder;
}

static inline uint32_t
method_of(struct dmtrace_recorder *recorder, char letter)
{
	const char name[] = { letter, '\0' };
	const struct dmtrace_recorder_method names = { "T", name, 0, 0, 0 };
	uint32_t method;

	ck_assert_int_eq(dmtrace_recorder_intern(recorder, &names, &method),
	    DMTRACE_OK);
	return method;
}

static inline enum dmtrace_action
action_of(char sign)
{
	return sign == '+' ? DMTRACE_ENTER :
	    sign == '-' ? DMTRACE_EXIT : DMTRACE_UNROLL;
}

/* Events such as "+a+b-b!a": enter, enter, exit and unroll; the first at
 * from_ns, on a clock of our own. */
static inline void
play_from(struct dmtrace_recorder *recorder, const char *script,
    uint64_t from_ns)
{
	for (; *script != '\0'; script += 2, from_ns += STEP_NS) {
		const struct dmtrace_event event = {
			.method = method_of(recorder, script[1]),
			.cpu_ns = from_ns,
			.wall_ns = from_ns,
			.action = action_of(script[0])
		};
		dmtrace_recorder_event(recorder, &event);
	}
}

static inline void
play(struct dmtrace_recorder *recorder, const char *script)
{
	play_from(recorder, script, 0);
}

static inline struct dmtrace_recorder_result
stopped(struct dmtrace_recorder *recorder)
{
	struct dmtrace_recorder_result result;

	ck_assert_int_eq(dmtrace_recorder_stop(recorder, &result),
	    DMTRACE_OK);
	return result;
}

/* The caller frees it. */
static inline struct dmtrace_reader *
opened(const char *path)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();

	ck_assert_ptr_nonnull(reader);
	ck_assert_msg(dmtrace_reader_open_path(reader, path) == DMTRACE_OK,
	    "%s: %s", path, dmtrace_reader_error(reader)->message);
	return reader;
}

static inline uint64_t
time_us(const struct dmtrace_event *event)
{
	return (event->wall_ns != DMTRACE_NO_TIME ? event->wall_ns :
	    event->cpu_ns) / 1000;
}

/* Events of a trace such as "1+a0 1-a10": thread, action, first letter of the
 * method, microseconds. The caller frees it. */
static inline char *
events_of(const char *path)
{
	struct dmtrace_reader *reader = opened(path);
	struct dmtrace_event event;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	ck_assert_ptr_nonnull(out);
	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK) {
		const struct dmtrace_method *method =
		    dmtrace_key_method_find(dmtrace_reader_key(reader),
		    event.method);
		fprintf(out, "%s%u%c%c%" PRIu64, ftell(out) > 0 ? " " : "",
		    event.thread, "+-!?"[event.action],
		    method == NULL ? '?' : method->name.bytes[0],
		    time_us(&event));
	}
	ck_assert_int_eq(dmtrace_reader_error(reader)->status, DMTRACE_OK);
	fclose(out);
	dmtrace_reader_free(reader);
	return text;
}

static inline void
assert_events(const char *path, const char *expected)
{
	char *events = events_of(path);

	ck_assert_str_eq(events, expected);
	free(events);
}

/* NULL: it has none. */
static inline void
assert_option(const char *path, const char *name, const char *value)
{
	struct dmtrace_reader *reader = opened(path);
	const struct dmtrace_option *option =
	    dmtrace_key_option_find(dmtrace_reader_key(reader), name);

	if (value == NULL)
		ck_assert_msg(option == NULL, "%s has %s", path, name);
	else
		ck_assert_msg(option != NULL &&
		    option->value.len == strlen(value) &&
		    memcmp(option->value.bytes, value, strlen(value)) == 0,
		    "%s: %s is not %s", path, name, value);
	dmtrace_reader_free(reader);
}

/* As ck_assert, which takes a write, for what is looked at a million times. */
static inline void
demand(bool so, const char *what)
{
	if (!so)
		ck_abort_msg("not so: %s", what);
}

#define SOUND_DEPTH 64
#define SOUND_THREADS 1200

/* Reads to the end of a trace whose exits all match, frames are all closed and
 * times go up in each thread; its thread numbers and depths are small. Returns
 * the number of its records. */
static inline uint64_t
read_sound(struct dmtrace_reader *reader)
{
	static struct {
		uint64_t frames[SOUND_DEPTH];
		unsigned depth;
		uint64_t last_us;
	} threads[SOUND_THREADS];
	struct dmtrace_event event;
	uint64_t count = 0;

	memset(threads, 0, sizeof(threads));
	for (; dmtrace_reader_next(reader, &event) == DMTRACE_OK; count++) {
		demand(event.thread < SOUND_THREADS, "few threads");
		unsigned *depth = &threads[event.thread].depth;
		uint64_t *frames = threads[event.thread].frames;
		demand(time_us(&event) >= threads[event.thread].last_us,
		    "time goes on");
		threads[event.thread].last_us = time_us(&event);
		demand(dmtrace_key_method_find(dmtrace_reader_key(reader),
		    event.method) != NULL, "the method is listed");
		demand(dmtrace_key_thread_find(dmtrace_reader_key(reader),
		    event.thread) != NULL, "the thread is listed");
		if (event.action == DMTRACE_ENTER) {
			demand(*depth < SOUND_DEPTH, "few frames");
			frames[(*depth)++] = event.method;
			continue;
		}
		demand(*depth > 0 && frames[--*depth] == event.method,
		    "an exit is that of the innermost frame");
	}
	ck_assert_int_eq(dmtrace_reader_error(reader)->status, DMTRACE_OK);
	for (size_t i = 0; i < SOUND_THREADS; i++)
		demand(threads[i].depth == 0, "all frames are closed");
	return count;
}

/* The same of a file, whatever else is to be reported of it. */
static inline uint64_t
assert_calls(const char *path)
{
	struct dmtrace_reader *reader = opened(path);
	const uint64_t count = read_sound(reader);

	dmtrace_reader_free(reader);
	return count;
}

/* It may tell of an overflow, but of nothing else unless it is empty. */
static inline uint64_t
assert_sound(const char *path)
{
	struct dmtrace_reader *reader = opened(path);
	const uint64_t count = read_sound(reader);

	for (size_t i = 0; count > 0 &&
	    i < dmt_reader_finding_count(reader); i++)
		ck_assert_str_eq(dmtrace_reader_finding_get(reader, i)->name,
		    "overflow");
	dmtrace_reader_free(reader);
	return count;
}

#endif
