/* calls.c - calls the functions of the library in any order */

#include "fuzz/targets.h"

#include <dmtrace.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "private/select.h"
#include "private/trace.h"

/* Objects of the library, some of which use others. */
struct objects {
	struct dmtrace_writer *writer;
	struct dmtrace_reader *reader;	/* reads image */
	struct dmtrace_source *source;	/* of reader */
	struct dmt_selection *selection;	/* of source */
	void *image;
	bool resolved;
};

static void
drop_reader(struct objects *objects)
{
	dmtrace_writer_free(objects->writer);	/* it may be like the reader */
	objects->writer = NULL;
	dmtrace_source_free(objects->source);
	objects->source = NULL;
	dmtrace_reader_free(objects->reader);
	objects->reader = NULL;
	free(objects->image);
	objects->image = NULL;
}

/* What the writer wrote, in a new reader. */
static void
open_written(struct objects *objects)
{
	size_t len;
	const void *const bytes = dmtrace_writer_memory(objects->writer, &len);
	void *const image = bytes == NULL ? NULL : malloc(len);

	if (image != NULL)
		memcpy(image, bytes, len);
	drop_reader(objects);
	objects->image = image;
	objects->reader = dmtrace_reader_new();
	dmtrace_reader_open_memory(objects->reader, image,
	    image == NULL ? 0 : len);
}

static void
call_writer(struct objects *objects, unsigned call, unsigned number)
{
	struct dmtrace_writer *const writer = objects->writer;
	static const char *const names[] = { NULL, "", "a", "b\tc" };

	switch (call) {
	case 0:
		dmtrace_writer_free(writer);
		objects->writer = dmtrace_writer_new();
		break;
	case 1: dmtrace_writer_open_memory(writer); break;
	case 2:
		dmtrace_writer_add_thread(writer, number, names[number % 4]);
		break;
	case 3:
		dmtrace_writer_add_method(writer, number,
		    names[number / 4 % 4], names[number / 16 % 4]);
		break;
	case 4: dmtrace_writer_enter(writer, 1, number, number * 1000); break;
	case 5: dmtrace_writer_exit(writer, 1, number, number * 1000); break;
	case 6: dmtrace_writer_complete(writer); break;
	case 7: dmtrace_writer_close(writer); break;
	case 8:
		dmtrace_writer_set_layout(writer, number % 4,
		    (enum dmtrace_clock)(number / 4 % 6));
		break;
	case 9: dmtrace_writer_set_like(writer, objects->reader); break;
	case 10: dmtrace_writer_write(writer, NULL, number); break;
	default: dmtrace_writer_open_path(writer, NULL); break;
	}
}

static void
call_reader(struct objects *objects, unsigned call, unsigned number)
{
	struct dmtrace_reader *const reader = objects->reader;
	struct dmtrace_event events[8];
	struct dmt_count count;
	size_t read;

	switch (call) {
	case 0: open_written(objects); break;
	case 1: dmtrace_reader_next(reader, events); break;
	case 2: dmtrace_reader_read(reader, events, number % 9, &read); break;
	case 3:
		dmt_reader_count(reader, &count);
		dmt_count_fini(&count);
		break;
	case 4: dmt_reader_hold(reader); break;
	case 5: dmt_reader_rewind(reader); break;
	case 6: dmtrace_reader_open_path(reader, NULL); break;
	case 7:
		dmtrace_reader_method_name(reader, number);
		dmtrace_reader_thread_name(reader, number);
		break;
	default: drop_reader(objects); break;
	}
}

static void
call_source(struct objects *objects, unsigned call, unsigned number)
{
	struct dmtrace_event event;
	const bool is_open = dmt_reader_layout(objects->reader) != NULL;

	switch (call) {
	case 0:
		dmtrace_source_free(objects->source);
		objects->source = is_open ?
		    dmtrace_source_new(objects->reader) : NULL;
		break;
	case 1:
		if (objects->source != NULL)
			dmtrace_source_next(objects->source, &event);
		break;
	case 2:
		if (objects->source != NULL && objects->resolved)
			objects->source = dmt_source_select(objects->source,
			    objects->selection);
		break;
	case 3:
		if (objects->source == NULL && is_open)
			objects->resolved = dmt_selection_resolve(
			    objects->selection,
			    dmtrace_reader_key(objects->reader),
			    dmt_reader_layout(objects->reader)) ==
			    DMTRACE_OK;
		break;
	default:
		if (objects->source == NULL) {
			dmt_selection_set_depth(objects->selection,
			    number % 4, number % 5);
			objects->resolved = false;
		}
		break;
	}
}

/* Pairs of bytes are calls in any order, on objects in any state. */
void
run_calls(const uint8_t *bytes, size_t len)
{
	struct objects objects = { .selection = dmt_selection_new() };

	for (size_t i = 0; i + 1 < len && i < 1000; i += 2) {
		const unsigned call = bytes[i] / 3;

		if (bytes[i] % 3 == 0)
			call_writer(&objects, call % 12, bytes[i + 1]);
		else if (bytes[i] % 3 == 1)
			call_reader(&objects, call % 9, bytes[i + 1]);
		else
			call_source(&objects, call % 5, bytes[i + 1]);
		demand(dmtrace_writer_error(objects.writer) != NULL &&
		    dmtrace_reader_error(objects.reader) != NULL,
		    "there is an error to ask for");
	}
	drop_reader(&objects);
	dmt_selection_free(objects.selection);
}

/* Recording */

static char trace_path[SCRATCH_PATH];

/* Small limits, so that a few calls get there. */
static void
start_recorder(struct dmtrace_recorder *recorder, unsigned number)
{
	const struct dmtrace_recorder_options options = {
		.version = number % 4,
		.clock = number / 4 % 2 == 0 ? DMTRACE_CLOCK_WALL :
		    DMTRACE_CLOCK_DUAL,
		.full = (enum dmtrace_recorder_full)(number / 8 % 3),
		.mismatch = (enum dmtrace_recorder_mismatch)(number % 3),
		.buffer_size = 4096,
		.memory_limit = 8192,
		.max_keys = 4,
		.max_depth = 8,
		.max_time_us = 1000000,
		.no_rotate = number / 16 % 2 == 0,
		.journal = number / 32 % 4 == 0,
		.streaming = number / 32 % 4 == 1,
		.escape = number / 128
	};

	dmtrace_recorder_start(recorder, trace_path,
	    number == 255 ? NULL : &options);
}

/* What was recorded can be read, to the last event, unless the disk was
 * full. */
static void
stop_recorder(struct dmtrace_recorder *recorder)
{
	struct dmtrace_recorder_result result;
	const enum dmtrace_status status =
	    dmtrace_recorder_stop(recorder, &result);
	struct dmtrace_event event;
	uint64_t events = 0;

	demand((status == DMTRACE_OK) == (dmtrace_recorder_error(
	    recorder)->status == DMTRACE_OK), "a failure has a message");
	if (status == DMTRACE_ERR_STATE || status == DMTRACE_ERR_IO ||
	    result.files != 1)
		return;
	demand(status != DMTRACE_ERR_RANGE || result.refused > 0,
	    "what was refused is counted");
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	demand(dmtrace_reader_open_path(reader, trace_path) == DMTRACE_OK,
	    "a recorded trace opens");
	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK) {
		demand(dmtrace_key_method_find(dmtrace_reader_key(reader),
		    event.method) != NULL, "every method is listed");
		events++;
	}
	demand(dmtrace_reader_error(reader)->status == DMTRACE_OK &&
	    events == result.events, "every event comes back");
	dmtrace_reader_free(reader);
}

static void
record_call(struct dmtrace_recorder *recorder, unsigned call, unsigned number)
{
	static const char *const names[] = { NULL, "", "a", "b\tc", "d" };
	static const uint32_t stack[] = { 4, 8, 4, 12, 7 };
	const struct dmtrace_recorder_method described = {
		.class_name = names[number % 5],
		.name = names[number / 5 % 5],
		.signature = names[number / 25 % 5]
	};
	const uint64_t time_ns = number * UINT64_C(10000000);
	const struct dmtrace_event event = {
		.method = number / 4,
		.action = (enum dmtrace_action)(number % 4),
		.cpu_ns = DMTRACE_NO_TIME,
		.wall_ns = time_ns
	};
	uint32_t method;

	switch (call) {
	case 0: start_recorder(recorder, number); break;
	case 1: stop_recorder(recorder); break;
	case 2: dmtrace_recorder_intern(recorder, &described, &method); break;
	case 3: dmtrace_recorder_name_thread(recorder, names[number % 5]);
		break;
	case 4: case 5: dmtrace_recorder_enter(recorder, number); break;
	case 6: case 7: dmtrace_recorder_exit(recorder, number); break;
	case 8: dmtrace_recorder_unroll(recorder, number); break;
	case 9: dmtrace_recorder_enter_key(recorder, number); break;
	case 10: dmtrace_recorder_exit_key(recorder, number); break;
	case 11: dmtrace_recorder_unroll_key(recorder, number); break;
	case 12: dmtrace_recorder_forget_keys(recorder, number, 100); break;
	case 13: dmtrace_recorder_enter_at(recorder, 4, time_ns); break;
	case 14: dmtrace_recorder_exit_at(recorder, 4, time_ns); break;
	case 15:
		dmtrace_recorder_event(recorder, number == 0 ? NULL : &event);
		break;
	default:
		dmtrace_recorder_sample(recorder, stack, number % 6,
		    number < 128 ? DMTRACE_NO_TIME : time_ns);
		break;
	}
}

/* Nothing can be recorded to the second file of a rotation: folders have its
 * names. */
static void
block_second_file(bool blocked)
{
	static const char *const names[] = {
		"fuzz-0002.trace", "fuzz-0002.trace.data"
	};
	char path[SCRATCH_PATH];

	for (int i = 0; i < 2; i++) {
		scratch_path(path, names[i]);
		if (!blocked) {
			rmdir(path);
			continue;
		}
		unlink(path);
		mkdir(path, 0777);
	}
}

/* A disk that gets full, or has room again. */
static void
limit_files(unsigned which)
{
	static const rlim_t sizes[] = { RLIM_INFINITY, 31, 2000, 9001 };
	const struct rlimit limit = { sizes[which], RLIM_INFINITY };

	demand(setrlimit(RLIMIT_FSIZE, &limit) == 0, "files can be limited");
}

struct calls {
	struct dmtrace_recorder *recorder;
	const uint8_t *bytes;
	size_t len;
};

/* Some are made 500 times, which fills a buffer, some by a thread that ends
 * then. */
static void *
make_calls(void *given)
{
	const struct calls *const calls = given;

	for (size_t i = 0; i + 1 < calls->len; i += 2) {
		const unsigned call = calls->bytes[i] % 19;
		const unsigned number = calls->bytes[i + 1];
		const unsigned times = call < 4 || call > 16 ||
		    calls->bytes[i] < 238 ? 1 : 500;
		const size_t left = calls->len - i - 2;
		struct calls own = { calls->recorder, calls->bytes + i + 2,
		    number < left ? number : left };
		pthread_t thread;

		if (call == 18) {
			limit_files(number % 4);
			block_second_file(number / 4 % 2 == 1);
		} else if (call == 17) {
			demand(pthread_create(&thread, NULL, make_calls,
			    &own) == 0 && pthread_join(thread, NULL) == 0,
			    "there is room for a thread");
			i += own.len - own.len % 2;
		} else {
			for (unsigned n = 0; n < times; n++)
				record_call(calls->recorder, call, number);
		}
	}
	return given;
}

/* Pairs of bytes are calls. */
void
run_recorder(const uint8_t *bytes, size_t len)
{
	struct calls calls = {
		dmtrace_recorder_new(), bytes, len < 200 ? len : 200
	};

	scratch_path(trace_path, "fuzz.trace");
	make_calls(&calls);
	stop_recorder(calls.recorder);
	dmtrace_recorder_free(calls.recorder);
	limit_files(0);
	block_second_file(false);
}
