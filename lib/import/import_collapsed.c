/* import_collapsed.c - reads collapsed stacks, one per line: a;b;c 12 */

/*
 * Each line is a period of time; the periods follow each other. Frames that
 * the previous line also has stay open; the others end, and new ones begin. So
 * a frame in consecutive lines is a single call. "(toplevel)", which export
 * writes, is time outside of calls. It is put at the end, before a last call
 * of no duration, since a trace only lasts until its last event.
 */

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "events/callstacks.h"
#include "import/import.h"
#include "private/text.h"

#define VALUE_MAX 9.0e18		/* nanoseconds that fit in 63 bits */

static const char toplevel[] = "(toplevel)";

/* The frames of a thread that are open: all of its last line. */
struct collapsed_thread {
	uint32_t *frames;
	size_t depth, capacity;
	int64_t now_ns, outside_ns;
};

struct collapsed_import {
	struct dmt_import *import;
	struct collapsed_thread *threads;
	size_t thread_count, thread_capacity;
	uint64_t unit_ns;
};

/* The last word of a line is its value: digits, perhaps with a fraction. */
static bool
read_value_at_end(struct collapsed_import *self, struct dmtrace_text *line,
    int64_t *value_ns)
{
	double value = 0, place = 1;
	size_t at = line->len;

	while (at > 0 && line->bytes[at - 1] != ' ')
		at--;
	if (at == 0 || at == line->len)
		return dmt_import_fail(self->import, "not a path of frames, "
		    "a blank and a number");
	for (size_t i = at; i < line->len; i++) {
		const char digit = line->bytes[i];

		if (digit == '.' && place == 1 && i > at) {
			place = 0.1;
		} else if (!isdigit((unsigned char)digit)) {
			return dmt_import_fail(self->import,
			    "the last word is not a number");
		} else if (place == 1) {
			value = value * 10 + (digit - '0');
		} else {
			value += place * (digit - '0');
			place /= 10;
		}
	}
	value *= (double)self->unit_ns;
	if (value >= VALUE_MAX)
		return dmt_import_fail(self->import,
		    "the value is 9e18 ns or more");
	*value_ns = (int64_t)llround(value);
	line->len = at - 1;
	return true;
}

/* With options.per_thread the first frame is the name of the thread: "main
 * (1)". */
static uint32_t
find_collapsed_thread(struct collapsed_import *self, struct dmtrace_text *line)
{
	struct dmt_import *const import = self->import;
	const struct dmtrace_text process = { "", 0 };
	struct dmtrace_text name = { "main", 4 }, frame = name;
	int64_t number = 1;

	if (import->options.per_thread) {
		frame = dmt_import_part(line, ';');
		size_t at = frame.len;

		name = frame;
		number = -1;
		while (at > 0 && frame.bytes[at - 1] != '(')
			at--;
		if (at >= 2 && frame.bytes[at - 2] == ' ' &&
		    frame.bytes[frame.len - 1] == ')' &&
		    isdigit((unsigned char)frame.bytes[at])) {
			char *end;

			number = strtoll(frame.bytes + at, &end, 10);
			if (end == frame.bytes + frame.len - 1)
				name.len = at - 2;
			else
				number = -1;
		}
	}
	const uint32_t thread = dmt_import_thread_find(import, process, frame,
	    number);
	if (thread == DMT_NO_NAME)
		return thread;
	if (thread >= self->thread_count) {
		struct collapsed_thread *const threads = dmt_array_grow(
		    self->threads, &self->thread_capacity, thread + 1,
		    sizeof(*threads));

		if (threads == NULL) {
			dmt_error_memory(&import->error);
			return DMT_NO_NAME;
		}
		self->threads = threads;
		if (!dmt_import_name(import, &import->threads[thread].name,
		    name))
			return DMT_NO_NAME;
		threads[thread] = (struct collapsed_thread){ .depth = 0 };
		self->thread_count = thread + 1;
	}
	return thread;
}

static bool
put_frame_event(struct collapsed_import *self, uint32_t thread,
    uint32_t method, enum dmt_import_kind kind)
{
	const struct dmt_import_event event = {
		.time_ns = self->threads[thread].now_ns,
		.cpu_ns = DMT_NO_CPU, .thread = thread, .method = method,
		.kind = kind
	};

	return dmt_import_add(self->import, &event);
}

static bool
end_frames(struct collapsed_import *self, uint32_t thread, size_t depth)
{
	struct collapsed_thread *const own = &self->threads[thread];

	while (own->depth > depth)
		if (!put_frame_event(self, thread,
		    own->frames[--own->depth], DMT_IMPORT_END))
			return false;
	return true;
}

/* Frames that are already open stay open. */
static bool
read_path(struct collapsed_import *self, struct dmtrace_text line)
{
	int64_t value_ns = 0;

	if (!read_value_at_end(self, &line, &value_ns))
		return false;
	const uint32_t thread = find_collapsed_thread(self, &line);
	if (thread == DMT_NO_NAME)
		return false;
	struct collapsed_thread *const own = &self->threads[thread];
	if (value_ns > (int64_t)VALUE_MAX - own->now_ns - own->outside_ns)
		return dmt_import_fail(self->import,
		    "values add up to 9e18 ns");
	if (dmt_text_is(line, toplevel)) {
		own->outside_ns += value_ns;
		return true;
	}
	if (line.len == 0)
		return dmt_import_fail(self->import, "a path without frames");
	bool same = true;
	for (size_t depth = 0; line.len > 0; depth++) {
		const uint32_t method = dmt_import_method_find(self->import,
		    dmt_import_part(&line, ';'),
		    (struct dmtrace_text){ NULL, 0 });

		if (method == DMT_NO_NAME)
			return false;
		same = same && depth < own->depth &&
		    own->frames[depth] == method;
		if (same && line.len > 0)
			continue;
		if (!end_frames(self, thread, same ? depth + 1 : depth))
			return false;
		if (same)
			continue;
		if (depth == DMT_OPEN_CALLS_MAX) {
			dmt_error_at(&self->import->error, DMTRACE_ERR_LIMIT,
			    DMTRACE_PLACE_LINE, self->import->line,
			    "more than %d frames", DMT_OPEN_CALLS_MAX);
			return false;
		}
		uint32_t *const frames = dmt_array_grow(own->frames,
		    &own->capacity, depth + 1, sizeof(*frames));
		if (frames == NULL)
			return dmt_import_fail_memory(self->import);
		own->frames = frames;
		if (!put_frame_event(self, thread, method, DMT_IMPORT_BEGIN))
			return false;
		frames[own->depth++] = method;
	}
	own->now_ns += value_ns;
	return true;
}

/* Ends the open calls, and adds the time outside of calls. */
static bool
end_threads(struct collapsed_import *self)
{
	for (uint32_t i = 0; i < self->thread_count; i++) {
		struct collapsed_thread *const own = &self->threads[i];
		const uint32_t outermost =
		    own->depth == 0 ? 0 : own->frames[0];
		const bool any = own->depth > 0;

		if (!end_frames(self, i, 0))
			return false;
		self->import->result.outside_ns += any ? 0 :
		    (uint64_t)own->outside_ns;
		own->now_ns += own->outside_ns;
		if (any && own->outside_ns > 0 &&
		    (!put_frame_event(self, i, outermost,
		    DMT_IMPORT_BEGIN) ||
		    !put_frame_event(self, i, outermost, DMT_IMPORT_END)))
			return false;
	}
	return true;
}

static enum dmtrace_status
read_collapsed(struct dmt_import *import)
{
	struct collapsed_import self = {
		.import = import, .unit_ns = import->options.unit_ns == 0 ?
		    1 : import->options.unit_ns
	};
	struct dmtrace_text line;
	bool fine = true;

	while (fine && dmt_import_line(import, false, &line))
		fine = line.len == 0 || read_path(&self, line);
	if (import->error.status == DMTRACE_OK)
		end_threads(&self);
	for (size_t i = 0; i < self.thread_count; i++)
		free(self.threads[i].frames);
	free(self.threads);
	return import->error.status;
}

/* The first line is text, and ends in a blank and a number; of a long line, a
 * separator must do. */
static bool
recognises_collapsed(const uint8_t *bytes, size_t len)
{
	size_t end = 0, at;

	while (end < len && bytes[end] != '\n' && bytes[end] != '\0')
		end++;
	if (end < len && bytes[end] == '\0')
		return false;
	if (end == len && len > 1024 && memchr(bytes, ';', len) != NULL)
		return true;
	end -= end > 0 && bytes[end - 1] == '\r';
	for (at = end; at > 0 && (isdigit(bytes[at - 1]) ||
	    bytes[at - 1] == '.');)
		at--;
	return at > 1 && at < end && bytes[at - 1] == ' ';
}

const struct dmt_import_row dmt_import_collapsed = {
	.recognises = recognises_collapsed, .read = read_collapsed
};
