/* import_lines.c - reads lines that a regular expression describes */

/*
 * For logs of interpreters and for tracing by printf. Each line that matches is
 * an event, whose fields are the groups of the expression: a time, and an
 * action, or the duration of a whole call. Lines that do not match are
 * counted, as logs have others.
 */

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "events/pattern.h"
#include "import/import.h"
#include "key/line_text.h"
#include "private/text.h"

enum { MATCHED_MAX = 65536 };		/* bytes of a line that may match */

enum field {
	FIELD_TIME, FIELD_THREAD, FIELD_ACTION, FIELD_METHOD, FIELD_CLASS,
	FIELD_SIGNATURE, FIELD_DURATION, FIELDS
};

static const char *const field_names[FIELDS] = {
	"time", "thread", "action", "method", "class", "signature", "duration"
};

static const char usual_enter[] =
    "enter,entry,entering,begin,start,call,called,B,>,->,>>,+,{";
static const char usual_exit[] =
    "exit,exiting,leave,leaving,end,return,returned,ret,E,<,<-,<<,-,}";

struct lines_import {
	struct dmt_import *import;
	regex_t pattern;
	size_t groups[FIELDS];		/* 0: none */
	uint64_t unit_ns;
	char *text;			/* the line, ended by NUL */
	size_t capacity;
	regmatch_t matches[FIELDS + 1];
	bool matched;			/* some line does */
};

static bool
fail_option(struct lines_import *self, const char *what,
    struct dmtrace_text value)
{
	char shown[DMT_ESCAPED_MAX];

	dmt_error_set(&self->import->error, DMTRACE_ERR_RANGE, "%s%s", what,
	    dmt_escape(shown, sizeof(shown), value.bytes, value.len));
	return false;
}

/* Compiles the pattern, and sets which of its groups is which field. */
static bool
read_pattern(struct lines_import *self)
{
	const struct dmtrace_import_options *const options =
	    &self->import->options;
	struct dmtrace_text names = dmt_text_of(options->fields);
	struct dmtrace_error error = { .status = DMTRACE_OK };
	size_t count = 0;

	if (dmt_regex_compile(&self->pattern, options->lines, 0, &error) !=
	    DMTRACE_OK) {
		dmt_error_set(&self->import->error, error.status,
		    "the pattern of lines: %s", error.message);
		return false;
	}
	while (names.bytes != NULL) {
		const struct dmtrace_text name =
		    dmt_text_trim(dmt_import_part(&names, ','));
		size_t i = 0;

		while (i < FIELDS && !dmt_text_is(name, field_names[i]))
			i++;
		if (i == FIELDS || self->groups[i] != 0) {
			fail_option(self, i == FIELDS ? "no such field: " :
			    "a field is named twice: ", name);
			break;
		}
		self->groups[i] = ++count;
	}
	if (self->import->error.status == DMTRACE_OK &&
	    count != self->pattern.re_nsub)
		dmt_error_set(&self->import->error, DMTRACE_ERR_RANGE,
		    "the pattern of lines has %zu groups, for %zu fields",
		    self->pattern.re_nsub, count);
	if (self->import->error.status == DMTRACE_OK &&
	    (self->groups[FIELD_TIME] == 0 ||
	    self->groups[FIELD_METHOD] == 0 ||
	    self->groups[FIELD_ACTION] + self->groups[FIELD_DURATION] == 0))
		dmt_error_set(&self->import->error, DMTRACE_ERR_RANGE,
		    "lines need the fields time and method, and action or "
		    "duration");
	if (self->import->error.status == DMTRACE_OK)
		return true;
	regfree(&self->pattern);
	return false;
}

/* Returns the text of a field; bytes is NULL: none. */
static struct dmtrace_text
field_of(const struct lines_import *self, enum field field)
{
	const regmatch_t *const match = &self->matches[self->groups[field]];

	return self->groups[field] == 0 || match->rm_so < 0 ?
	    (struct dmtrace_text){ NULL, 0 } : (struct dmtrace_text){
	    self->text + match->rm_so, (size_t)(match->rm_eo - match->rm_so) };
}

static bool
has_word(const char *words, const char *usual, struct dmtrace_text word)
{
	struct dmtrace_text rest = dmt_text_of(words == NULL ? usual : words);

	while (rest.bytes != NULL)
		if (dmt_text_equal(dmt_import_part(&rest, ','), word))
			return true;
	return false;
}

/* Reads a time with its unit, or as hours, minutes and seconds: "12:34:56.7".
 * false: it is none. */
static bool
read_line_time(const struct lines_import *self, struct dmtrace_text text,
    int64_t *ns)
{
	static const char *const names[] = { "ns", "us", "ms", "s" };
	uint64_t unit_ns = self->unit_ns, known_ns = 1;
	int64_t part, sum = 0;

	text = dmt_text_trim(text);
	if (dmt_text_holds(text, ':')) {
		while (text.bytes != NULL) {
			if (!dmt_import_time(dmt_import_part(&text, ':'),
			    1000000000, &part) || part < 0 ||
			    sum > INT64_MAX / 240)
				return false;
			sum = sum * 60 + part;
		}
		*ns = sum;
		return sum < INT64_MAX / 4;
	}
	for (size_t i = 0; i < 4; i++, known_ns *= 1000) {
		const size_t len = strlen(names[i]);

		if (text.len <= len || memcmp(text.bytes + text.len - len,
		    names[i], len) != 0)
			continue;
		unit_ns = known_ns;
		text = dmt_text_trim((struct dmtrace_text){
			text.bytes, text.len - len });
		break;
	}
	return dmt_import_time(text, unit_ns, ns) &&
	    *ns < INT64_MAX / 4 && *ns > -INT64_MAX / 4;
}

/* Returns the method of the line; DMT_NO_NAME with no error: it has none. */
static uint32_t
find_line_method(struct lines_import *self)
{
	const struct dmtrace_text name = field_of(self, FIELD_METHOD);
	const struct dmtrace_text class_name = field_of(self, FIELD_CLASS);
	const struct dmtrace_text given = field_of(self, FIELD_SIGNATURE);
	const struct dmtrace_text signature = { given.bytes == NULL ? "" :
	    given.bytes, given.len };

	if (name.bytes == NULL || name.len == 0)
		return DMT_NO_NAME;
	return class_name.len > 0 ? dmt_import_method_split(self->import,
	    DMT_NO_ID, class_name, name, signature.len > 0 ? signature :
	    dmt_text_of("()V")) : dmt_import_method_find(self->import, name,
	    signature);
}

/* Makes an event of a line that matches. A duration of an exit is that of the
 * call before it, otherwise of the one that begins. */
static bool
read_match(struct lines_import *self)
{
	struct dmt_import *const import = self->import;
	const struct dmtrace_text action = field_of(self, FIELD_ACTION);
	const struct dmtrace_text duration = field_of(self, FIELD_DURATION);
	const struct dmtrace_text thread = field_of(self, FIELD_THREAD);
	struct dmt_import_event event = { .cpu_ns = DMT_NO_CPU };
	int64_t duration_ns = 0;
	char shown[DMT_ESCAPED_MAX];

	const struct dmtrace_text time = field_of(self, FIELD_TIME);
	if (time.bytes == NULL || !read_line_time(self, time, &event.time_ns))
		return dmt_import_fail(import, "a time that is not a number: "
		    "%s", dmt_escape(shown, sizeof(shown), time.bytes,
		    time.len));
	if (duration.len > 0 &&
	    (!read_line_time(self, duration, &duration_ns) || duration_ns < 0))
		return dmt_import_fail(import, "a duration that is not a "
		    "number: %s", dmt_escape(shown, sizeof(shown),
		    duration.bytes, duration.len));
	const bool enters = has_word(import->options.enter_words, usual_enter,
	    action);
	/* A word of enter_words is not an exit by default. */
	const bool exits = !(enters && import->options.exit_words == NULL) &&
	    has_word(import->options.exit_words, usual_exit, action);
	if (action.len > 0 && !enters && !exits) {
		dmt_import_drop(import, "lines with another action", 1);
		return true;
	}
	event.method = find_line_method(self);
	if (import->error.status != DMTRACE_OK)
		return false;
	if ((action.len == 0 && duration.len == 0) ||
	    (event.method == DMT_NO_NAME && !exits)) {
		dmt_import_drop(import,
		    "lines without an action or a method", 1);
		return true;
	}
	event.kind = duration.len > 0 && event.method != DMT_NO_NAME ?
	    DMT_IMPORT_CALL : exits ? DMT_IMPORT_END : DMT_IMPORT_BEGIN;
	if (event.kind == DMT_IMPORT_CALL && exits)
		event.time_ns -= duration_ns;
	event.end_ns = event.time_ns + duration_ns;
	event.end_cpu_ns = DMT_NO_CPU;
	event.thread = dmt_import_thread_named(import,
	    (struct dmtrace_text){ "", 0 }, thread.len == 0 ?
	    dmt_text_of("main") : thread);
	return event.thread != DMT_NO_NAME && dmt_import_add(import, &event);
}

/* Reads a line. false: it failed. */
static bool
match_line(struct lines_import *self, struct dmtrace_text line)
{
	struct dmt_import *const import = self->import;

	if (line.len > MATCHED_MAX || dmt_text_holds(line, '\0')) {
		dmt_import_drop(import, line.len > MATCHED_MAX ?
		    "lines of more than 65,536 bytes" : "lines with a NUL", 1);
		return true;
	}
	char *const text = dmt_array_grow(self->text, &self->capacity,
	    line.len + 1, 1);
	if (text == NULL)
		return dmt_import_fail_memory(import);
	self->text = text;
	memcpy(text, line.bytes, line.len);
	text[line.len] = '\0';
	bool found;
	if (!dmt_regex_search(&self->pattern, text, FIELDS + 1,
	    self->matches, &found))
		return dmt_import_fail_memory(import);
	self->matched |= found;
	if (found)
		return read_match(self);
	dmt_import_drop(import, "lines that do not match", 1);
	return true;
}

static enum dmtrace_status
read_matches(struct dmt_import *import)
{
	struct lines_import self = {
		.import = import, .unit_ns = import->options.unit_ns == 0 ?
		    1000000000 : import->options.unit_ns
	};
	struct dmtrace_text line;
	bool fine = true;

	if (!read_pattern(&self))
		return import->error.status;
	while (fine && dmt_import_line(import, false, &line))
		fine = match_line(&self, line);
	if (import->error.status == DMTRACE_OK && import->count == 0)
		dmt_error_set(&import->error, DMTRACE_ERR_CORRUPT,
		    self.matched ? "no line that matches has a call: see "
		    "--fields, --enter and --exit" : "no line matches the "
		    "pattern of --lines");
	regfree(&self.pattern);
	free(self.text);
	return import->error.status;
}

const struct dmt_import_row dmt_import_lines = { .read = read_matches };
