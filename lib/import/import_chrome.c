/* import_chrome.c - reads JSON of Chrome's trace viewer: B, E and X events */

/*
 * The text is an array of events, or an object whose member traceEvents is
 * such an array. Members may be in any order, so a name and a signature are
 * kept until the end of their event; unknown ones are skipped. Events of other
 * phases (asynchronous, counters, instants, flows, ...) are counted; metadata
 * events give the names of processes and threads.
 */

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/json.h"
#include "import/import.h"
#include "private/text.h"

#define TIME_MAX_US 2.3e15		/* four fit in 63 bits of nanoseconds */
enum { ID_MAX = 64 };

/* "pid" or "tid": a number or a string. */
struct chrome_id {
	char text[ID_MAX];
	size_t len;
	int64_t number;			/* -1: not a number */
};

/* A string of the event that is being read. */
struct chrome_text {
	char *bytes;
	size_t len, capacity;
};

/* The members of an event; its strings are in struct chrome_import. */
struct chrome_event {
	char phase;
	bool has_name;
	bool is_thread_name, is_process_name;
	double ts, dur, tts, tdur;	/* NAN: missing */
	struct chrome_id pid, tid;
	struct dmtrace_text label;	/* args.name, copied */
	bool has_args;			/* other than those of export */
};

struct chrome_import {
	struct dmt_import *import;
	struct dmt_json json;
	struct chrome_text name, category, signature;
	uint64_t count;			/* events that were read */
};

static bool
fail_chrome(struct chrome_import *self, const char *what)
{
	const struct dmt_json *const json = &self->json;

	if (json->error.status != DMTRACE_OK)
		self->import->error = json->error;
	else
		dmt_error_at(&self->import->error, DMTRACE_ERR_CORRUPT,
		    DMTRACE_PLACE_OFFSET, json->at, "%s", what);
	return false;
}

/* Skips the rest of a value, whose first token was read. */
static bool
skip_json_value(struct chrome_import *self, enum dmt_json_token token)
{
	size_t depth = 0;

	for (;;) {
		if (token == DMT_JSON_OBJECT || token == DMT_JSON_ARRAY)
			depth++;
		else if (token == DMT_JSON_OBJECT_END ||
		    token == DMT_JSON_ARRAY_END)
			depth--;
		else if (token == DMT_JSON_END)
			return fail_chrome(self, "the text ends in a value");
		if (depth == 0)
			return true;
		token = dmt_json_next(&self->json);
	}
}

static bool
read_time(struct chrome_import *self, enum dmt_json_token token, double *time)
{
	if (token != DMT_JSON_INTEGER && token != DMT_JSON_REAL)
		return fail_chrome(self, "a time that is not a number");
	if (!(fabs(self->json.real) < TIME_MAX_US))
		return fail_chrome(self,
		    "a time that is not below 2.3e15 microseconds");
	*time = self->json.real;
	return true;
}

static bool
read_id(struct chrome_import *self, enum dmt_json_token token,
    struct chrome_id *id)
{
	const struct dmt_json *const json = &self->json;

	if (token == DMT_JSON_INTEGER) {
		id->number = json->integer < 0 ? -1 : json->integer;
		id->len = (size_t)snprintf(id->text, sizeof(id->text),
		    "%" PRId64, json->integer);
		return true;
	}
	/* Some are hashes of 64 bits, which are no integers of C. */
	if (token != DMT_JSON_STRING && token != DMT_JSON_REAL)
		return fail_chrome(self,
		    "a pid or tid that is neither a number nor a string");
	id->number = -1;
	id->len = json->len < ID_MAX ? json->len : ID_MAX;
	memcpy(id->text, json->text, id->len);
	return true;
}

static bool
has_text(const struct dmt_json *json, const char *text)
{
	return dmt_text_is((struct dmtrace_text){ json->text, json->len },
	    text);
}

/* Copies the string that was read last. */
static bool
keep_json_text(struct chrome_import *self, struct chrome_text *text)
{
	char *const bytes = dmt_array_grow(text->bytes, &text->capacity,
	    self->json.len + 1, 1);

	if (bytes == NULL)
		return dmt_import_fail_memory(self->import);
	text->bytes = bytes;
	text->len = self->json.len;
	memcpy(bytes, self->json.text, text->len);
	return true;
}

static bool
read_event_name(struct chrome_import *self, enum dmt_json_token token,
    struct chrome_event *event)
{
	const struct dmt_json *const json = &self->json;

	if (token != DMT_JSON_STRING)
		return skip_json_value(self, token);
	event->is_thread_name = has_text(json, "thread_name");
	event->is_process_name = has_text(json, "process_name");
	event->has_name = true;
	return keep_json_text(self, &self->name);
}

/* Reads "args"; its member "name" in metadata is the name of a thread or
 * process, "signature" what export writes. */
static bool
read_args(struct chrome_import *self, enum dmt_json_token token,
    struct chrome_event *event)
{
	struct dmt_json *const json = &self->json;

	if (token != DMT_JSON_OBJECT) {
		event->has_args = true;
		return skip_json_value(self, token);
	}
	while ((token = dmt_json_next(json)) == DMT_JSON_NAME) {
		const bool name = has_text(json, "name");
		const bool signature = has_text(json, "signature");

		token = dmt_json_next(json);
		if (signature && token == DMT_JSON_STRING) {
			if (!keep_json_text(self, &self->signature))
				return false;
			continue;
		}
		event->has_args = true;
		if (name && token == DMT_JSON_STRING) {
			if (!dmt_import_name(self->import, &event->label,
			    (struct dmtrace_text){ json->text, json->len }))
				return false;
			continue;
		}
		if (!skip_json_value(self, token))
			return false;
	}
	return token == DMT_JSON_OBJECT_END ||
	    fail_chrome(self, "the text ends in an object");
}

static bool
read_member(struct chrome_import *self, struct chrome_event *event)
{
	struct dmt_json *const json = &self->json;
	const struct {
		const char *name;
		double *time;
	} times[] = {
		{ "ts", &event->ts }, { "dur", &event->dur },
		{ "tts", &event->tts }, { "tdur", &event->tdur },
	};

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		if (has_text(json, times[i].name))
			return read_time(self, dmt_json_next(json),
			    times[i].time);
	if (has_text(json, "pid"))
		return read_id(self, dmt_json_next(json), &event->pid);
	if (has_text(json, "tid"))
		return read_id(self, dmt_json_next(json), &event->tid);
	if (has_text(json, "name"))
		return read_event_name(self, dmt_json_next(json), event);
	if (has_text(json, "args"))
		return read_args(self, dmt_json_next(json), event);
	if (has_text(json, "cat")) {
		const enum dmt_json_token token = dmt_json_next(json);

		return token == DMT_JSON_STRING ?
		    keep_json_text(self, &self->category) :
		    skip_json_value(self, token);
	}
	if (!has_text(json, "ph"))
		return skip_json_value(self, dmt_json_next(json));
	if (dmt_json_next(json) != DMT_JSON_STRING || json->len != 1)
		return fail_chrome(self, "a \"ph\" that is not one letter");
	event->phase = json->text[0];
	return true;
}

/* Converts to nanoseconds, rounded to the nearest; NAN gives other. */
static int64_t
time_of(double us, int64_t other)
{
	return isnan(us) ? other : (int64_t)llround(us * 1000);
}

static bool
add_event(struct chrome_import *self, const struct chrome_event *event)
{
	struct dmt_import *const import = self->import;
	const bool is_call = event->phase == 'X';

	if (isnan(event->ts))
		return fail_chrome(self, "an event without \"ts\"");
	if (event->phase != 'E' && !event->has_name)
		return fail_chrome(self, "a call without \"name\"");
	const struct dmtrace_text none = { "", 0 };
	const struct dmtrace_text signature =
	    { self->signature.bytes, self->signature.len };
	/* The E of export has the name alone. */
	const struct dmtrace_text category = event->phase == 'E' &&
	    signature.len == 0 ? none : (struct dmtrace_text){
	    self->category.bytes, self->category.len };
	uint32_t method = !event->has_name ? DMT_NO_NAME :
	    dmt_import_method_find(import, (struct dmtrace_text){
	    self->name.bytes, self->name.len }, none);
	if (method != DMT_NO_NAME)
		method = dmt_import_method_full(import, method, category,
		    signature);
	const uint32_t thread = dmt_import_thread_find(import,
	    (struct dmtrace_text){ event->pid.text, event->pid.len },
	    (struct dmtrace_text){ event->tid.text, event->tid.len },
	    event->tid.number);
	struct dmt_import_event added = {
		.time_ns = time_of(event->ts, 0),
		.cpu_ns = time_of(event->tts, DMT_NO_CPU),
		.thread = thread, .method = method,
		.kind = is_call ? DMT_IMPORT_CALL : event->phase == 'B' ?
		    DMT_IMPORT_BEGIN : DMT_IMPORT_END
	};

	if (is_call && event->dur < 0)
		return fail_chrome(self, "a call with a negative duration");
	added.end_ns = added.time_ns + time_of(event->dur, 0);
	added.end_cpu_ns = isnan(event->tts) || isnan(event->tdur) ?
	    DMT_NO_CPU : added.cpu_ns + time_of(event->tdur, 0);
	import->result.arguments += event->has_args;
	return thread != DMT_NO_NAME &&
	    import->error.status == DMTRACE_OK &&
	    dmt_import_add(import, &added);
}

static bool
name_owner(struct chrome_import *self, const struct chrome_event *event)
{
	struct dmt_import *const import = self->import;
	const struct dmtrace_text pid = { event->pid.text, event->pid.len };
	const struct dmtrace_text tid = { event->tid.text, event->tid.len };
	const uint32_t index = event->is_process_name ?
	    dmt_import_process_find(import, pid) :
	    dmt_import_thread_find(import, pid, tid, event->tid.number);

	if (index == DMT_NO_NAME)
		return false;
	if (event->is_process_name)
		import->process_names[index] = event->label;
	else
		import->threads[index].name = event->label;
	return true;
}

static bool
read_event(struct chrome_import *self)
{
	struct chrome_event event = {
		.ts = NAN, .dur = NAN, .tts = NAN, .tdur = NAN,
		.pid.number = -1, .tid.number = -1
	};
	enum dmt_json_token token;

	self->name.len = self->category.len = self->signature.len = 0;
	while ((token = dmt_json_next(&self->json)) == DMT_JSON_NAME)
		if (!read_member(self, &event))
			return false;
	if (token != DMT_JSON_OBJECT_END)
		return fail_chrome(self, "the text ends in an event");
	if (event.tid.len == 0)		/* uftrace writes threads as pids */
		event.tid = event.pid;
	switch (event.phase) {
	case 'B':
	case 'E':
	case 'X':
		return add_event(self, &event);
	case 'M':
		if (event.is_thread_name || event.is_process_name)
			return name_owner(self, &event);
		return true;
	case '\0':
		return fail_chrome(self, "an event without \"ph\"");
	default:
		dmt_import_drop_phase(self->import, event.phase);
		return true;
	}
}

/* If the traced program was killed, the text may end within the array, even
 * within an event, which is then left out. Only a text that is an array may
 * lack its end: in an object, more must follow. */
static bool
read_events(struct chrome_import *self, bool in_object)
{
	struct dmt_import *const import = self->import;
	enum dmt_json_token token;

	while ((token = dmt_json_next(&self->json)) == DMT_JSON_OBJECT) {
		const uint64_t begin = self->json.at;

		if (!read_event(self)) {
			if (self->json.error.status != DMTRACE_ERR_TRUNCATED ||
			    self->count == 0)
				return false;
			import->error = (struct dmtrace_error){ 0 };
			dmt_import_cut(import, begin);
			break;
		}
		if (++self->count % 1024 == 0 && !dmt_import_progress(import))
			return false;
	}
	if (self->json.error.status == DMTRACE_ERR_TRUNCATED &&
	    self->count > 0) {
		import->result.truncated = 1;
		if (in_object && !import->result.cut)
			dmt_import_cut(import, import->input.offset);
		return true;
	}
	return token == DMT_JSON_ARRAY_END ||
	    fail_chrome(self, "an event that is not an object");
}

/* Leaves out what follows a whole list of events and is not as it should be:
 * the rest of the object is cut or damaged, or more follows the text. */
static bool
leave_rest(struct chrome_import *self)
{
	struct dmt_import *const import = self->import;
	const struct dmt_json *const json = &self->json;

	if (import->input.error.status != DMTRACE_OK ||
	    json->error.status == DMTRACE_ERR_MEMORY)
		return fail_chrome(self, "");
	import->error = (struct dmtrace_error){ 0 };
	if (json->error.status == DMTRACE_ERR_TRUNCATED && json->depth > 0)
		dmt_import_cut(import, import->input.offset);
	else
		dmt_import_follows(import, json->at);
	return true;
}

/* Skips the list of samples beside the events, and counts them. */
static bool
skip_samples(struct chrome_import *self)
{
	enum dmt_json_token token = dmt_json_next(&self->json);

	if (token != DMT_JSON_ARRAY)
		return skip_json_value(self, token);
	while ((token = dmt_json_next(&self->json)) != DMT_JSON_ARRAY_END) {
		if (!skip_json_value(self, token))
			return false;
		dmt_import_drop_phase(self->import, 'P');
	}
	return true;
}

/* Reads the members of the object; each traceEvents has events. */
static bool
read_trace_members(struct chrome_import *self)
{
	struct dmt_json *const json = &self->json;
	enum dmt_json_token token;
	bool found = false;

	while ((token = dmt_json_next(json)) == DMT_JSON_NAME) {
		if (has_text(json, "samples")) {
			if (!skip_samples(self))
				break;
			continue;
		}
		if (!has_text(json, "traceEvents")) {
			if (!skip_json_value(self, dmt_json_next(json)))
				break;
			continue;
		}
		if (dmt_json_next(json) != DMT_JSON_ARRAY)
			break;
		if (!read_events(self, true))
			return false;
		if (self->import->result.truncated)
			return true;
		found = true;
	}
	if (token == DMT_JSON_OBJECT_END)
		return found || fail_chrome(self, "no \"traceEvents\"");
	if (!found || json->error.status == DMTRACE_OK)
		return fail_chrome(self, "\"traceEvents\" is not an array");
	return leave_rest(self);
}

static bool
read_trace_events(struct chrome_import *self)
{
	const enum dmt_json_token token = dmt_json_next(&self->json);

	if (token != DMT_JSON_ARRAY && token != DMT_JSON_OBJECT)
		return fail_chrome(self, "neither an object nor an array");
	if (token == DMT_JSON_ARRAY ? !read_events(self, false) :
	    !read_trace_members(self))
		return false;
	if (self->import->result.truncated || self->import->result.followed)
		return true;
	return (dmt_json_next(&self->json) == DMT_JSON_END &&
	    self->json.error.status == DMTRACE_OK) || leave_rest(self);
}

static enum dmtrace_status
read_chrome(struct dmt_import *import)
{
	struct chrome_import self = {
		.import = import, .json.input = &import->input
	};

	read_trace_events(&self);
	dmt_json_fini(&self.json);
	free(self.name.bytes);
	free(self.category.bytes);
	free(self.signature.bytes);
	return import->error.status;
}

/* Any object, or array that does not begin with a number, as "[ 23380] |" of
 * uftrace does: what it lacks is said in a message. */
static bool
recognises_chrome(const uint8_t *bytes, size_t len)
{
	size_t at = 0;

	while (at < len && strchr(" \t\r\n", bytes[at]) != NULL &&
	    bytes[at] != '\0')
		at++;
	if (at == len || (bytes[at] != '{' && bytes[at] != '['))
		return false;
	for (at++; at < len && bytes[at] == ' ';)
		at++;
	return at == len || !isdigit(bytes[at]);
}

const struct dmt_import_row dmt_import_chrome = {
	.recognises = recognises_chrome, .read = read_chrome
};
