/* container.c - recognises a trace by the first bytes of the file */

/*
 * A table of containers, the ways to store a trace in files. Each has a
 * function that recognises its first bytes and one that reads up to the first
 * record; the first row that recognises the bytes is used. File names do not
 * matter, except for finding the other file of a pair. A file that is not a
 * trace may be one that people mistake for it: then the message names its
 * format and a program that reads it. This file also has the functions that
 * search an input for a key and for the magic.
 */

#include "trace/container.h"

#include <errno.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/leb128.h"
#include "base/packing.h"
#include "base/path.h"
#include "data/header_decode.h"
#include "eventlog/entry.h"
#include "format/header.h"
#include "key/key.h"
#include "private/key.h"
#include "trace/dialect.h"
#include "trace/packets.h"

static bool
has_magic(const uint8_t *bytes, size_t len)
{
	return len >= DMT_MAGIC_SIZE &&
	    memcmp(bytes, DMT_MAGIC, DMT_MAGIC_SIZE) == 0;
}

static bool
is_version_of(enum dmtrace_container container, const uint8_t *bytes,
    size_t len)
{
	const struct dmt_header_fields fields = dmt_header_look(bytes, len);

	return fields.has_magic &&
	    dmt_version_container(fields.version) == container;
}

static bool
is_stream(const uint8_t *bytes, size_t len)
{
	return is_version_of(DMTRACE_CONTAINER_STREAM, bytes, len);
}

static bool
is_v2(const uint8_t *bytes, size_t len)
{
	return is_version_of(DMTRACE_CONTAINER_PACKETS, bytes, len);
}

/* To support a new container, add a row. */
static const struct dmt_container containers[] = {
	{ DMTRACE_CONTAINER_JOINED, &dmt_dialect_records, NULL,
	    dmt_key_recognises, dmt_joined_open },
	{ DMTRACE_CONTAINER_STREAM, &dmt_dialect_stream,
	    &dmt_packets_of_stream, is_stream, dmt_stream_open },
	{ DMTRACE_CONTAINER_PACKETS, &dmt_dialect_v2,
	    &dmt_packets_of_v2, is_v2, dmt_v2_open },
	{ DMTRACE_CONTAINER_DATA, &dmt_dialect_records, NULL,
	    has_magic, dmt_data_open },
	{ DMTRACE_CONTAINER_PACKETS, &dmt_dialect_v2,
	    &dmt_packets_of_v2, dmt_v2_dump_recognises, dmt_v2_open_dump },
};

/* Files that are not traces but may be made from one, or mistaken for one. */
static const struct {
	const char *bytes;
	const char *what;
	const char *advice;
} others[] = {
	{ "dmtrace text ", "a trace in another version of its text form",
	    "version 1 is read" },
	{ "PK\3\4", "a zip archive", "\"unzip -p\" unpacks it" },
	{ "PK\5\6", "a zip archive", "it is empty" },
	{ "\xff\xfe", "UTF-16 text", "an editor destroyed the bytes" },
	{ "\xfe\xff", "UTF-16 text", "an editor destroyed the bytes" },
	{ "U0xPVw", "data as base64 text, without its key",
	    "\"cat X.key X.data\" makes one file, which is decoded" },
	{ "PERFILE2", "a recording of perf or simpleperf",
	    "\"simpleperf report\" reads it" },
	{ "SIMPLEPERF", "a file of samples, as simpleperf and Android Studio "
	    "write", "\"dmtrace import\" makes a trace of it" },
	{ "<!DOCTYPE html", "a page of HTML, perhaps of systrace",
	    "a browser opens it" },
	{ "<!doctype html", "a page of HTML, perhaps of systrace",
	    "a browser opens it" },
	{ "<html", "a page of HTML, perhaps of systrace",
	    "a browser opens it" },
	{ "# tracer: function_graph", "an ftrace log of calls",
	    "\"dmtrace import\" makes a trace of it" },
	{ "# DURATION ", "what \"uftrace replay\" prints",
	    "\"dmtrace import\" makes a trace of it" },
	{ "# tracer: ", "an ftrace or systrace log",
	    "Perfetto's trace viewer opens it" },
	{ "TRACE:\n", "an ftrace or systrace log",
	    "Perfetto's trace viewer opens it" },
	{ "----- pid ", "stack traces of an ANR", "a text editor opens it" },
	{ "\n\n----- pid ", "stack traces of an ANR", "a text editor opens "
	    "it" },
	{ "Subject: ", "stack traces of an ANR", "a text editor opens it" },
	{ "JAVA PROFILE ", "a heap dump", "Android Studio opens it" },
	{ "\x7f" "ELF", "an ELF program or library",
	    "\"dmtrace record\" records what it does" },
	{ "\xd4\xc3\xb2\xa1", "a capture of network packets",
	    "Wireshark opens it" },
	{ "\xa1\xb2\xc3\xd4", "a capture of network packets",
	    "Wireshark opens it" },
	{ "\x4d\x3c\xb2\xa1", "a capture of network packets",
	    "Wireshark opens it" },
	{ "\x0a\x0d\x0d\x0a", "a capture of network packets",
	    "Wireshark opens it" },
};

/* Returns true if the bytes look like protobuf packets: field 1 with its
 * length, in it a field of a known type, and then, as far as the bytes show,
 * another field 1. */
static bool
is_perfetto(const uint8_t *bytes, size_t len)
{
	uint64_t size;

	if (len < 3 || bytes[0] != 0x0a)
		return false;
	const int got = dmt_uleb_get(bytes + 1, len - 1, &size);
	if (got <= 0 || size == 0 || 1 + (size_t)got >= len)
		return false;
	const size_t used = (size_t)got;
	const unsigned type = bytes[1 + used] & 7;
	const size_t rest = len - 1 - used;
	return bytes[1 + used] >= 8 && type != 3 && type != 4 && type < 6 &&
	    (size < rest ? bytes[1 + used + size] == 0x0a : used > 1);
}

/* Skips the white space of JSON. */
static size_t
skip_space(const uint8_t *bytes, size_t len, size_t at)
{
	while (at < len && (bytes[at] == ' ' || bytes[at] == '\n' ||
	    bytes[at] == '\r' || bytes[at] == '\t'))
		at++;
	return at;
}

/* Whether a list of objects begins, or an object with a member of Chrome's
 * format as far as the bytes go. */
static bool
is_chrome(const uint8_t *bytes, size_t len)
{
	static const char *const names[] = {
		"\"traceEvents\"", "\"displayTimeUnit\""
	};
	size_t at = skip_space(bytes, len, 0);

	if (at < len && bytes[at] == '[') {
		at = skip_space(bytes, len, at + 1);
		return at < len && bytes[at] == '{';
	}
	if (at == len || bytes[at] != '{')
		return false;
	for (; at < len; at++)
		for (size_t i = 0; i < 2; i++)
			if (len - at >= strlen(names[i]) &&
			    memcmp(bytes + at, names[i],
			    strlen(names[i])) == 0)
				return true;
	return false;
}

static void
name_other(struct dmtrace_error *error, const uint8_t *bytes, size_t len)
{
	const struct dmt_packing *const packing =
	    dmt_packing_of_bytes(bytes, len);
	char shown[DMT_FRONT_MAX];

	if (packing != NULL) {
		dmt_error_set(error, DMTRACE_ERR_NOT_TRACE, "this is "
		    "compressed with %s; \"%s -dc\" unpacks it",
		    packing->name, packing->name);
		return;
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		const size_t size = strlen(others[i].bytes);
		if (len >= size && memcmp(bytes, others[i].bytes, size) == 0) {
			dmt_error_set(error, DMTRACE_ERR_NOT_TRACE,
			    "this is %s; %s", others[i].what,
			    others[i].advice);
			return;
		}
	}
	if (is_chrome(bytes, len)) {
		dmt_error_set(error, DMTRACE_ERR_NOT_TRACE, "this is JSON,"
		    " perhaps a Chrome JSON trace; Perfetto's trace viewer"
		    " opens it, and \"dmtrace import\" makes a trace of it");
		return;
	}
	if (is_perfetto(bytes, len)) {
		dmt_error_set(error, DMTRACE_ERR_NOT_TRACE,
		    "this is a Perfetto trace; Perfetto's trace viewer opens"
		    " it, and \"dmtrace import\" makes a trace of its slices");
		return;
	}
	dmt_error_set(error, DMTRACE_ERR_NOT_TRACE,
	    "begins with \"%s\"; a trace begins with \"*version\" or \""
	    DMT_MAGIC "\"",
	    dmt_escape_front(shown, bytes, len));
}

const struct dmt_container *
dmt_container_of(const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < sizeof(containers) / sizeof(containers[0]); i++)
		if (containers[i].recognises(bytes, len))
			return &containers[i];
	return NULL;
}

const struct dmt_container *
dmt_container_find(struct dmt_input *input, struct dmtrace_error *error)
{
	const uint8_t *bytes;

	if (dmt_input_undump(input, error) != DMTRACE_OK)
		return NULL;
	size_t len = dmt_input_peek(input, DMT_CONTAINER_PROBE, &bytes);
	const struct dmt_container *const found =
	    dmt_container_of(bytes, len);
	if (found != NULL)
		return found;
	const bool eventlog = dmt_input_has_eventlog(input);
	len = dmt_input_peek(input, DMT_CONTAINER_PROBE, &bytes);
	if (input->error.status != DMTRACE_OK)
		*error = input->error;
	else if (len == 0)
		dmt_error_set(error, DMTRACE_ERR_NOT_TRACE,
		    "empty; a trace begins with \"*version\"");
	else if (eventlog)
		dmt_error_set(error, DMTRACE_ERR_NOT_TRACE, "this is an "
		    "Android event log; \"dmtrace eventlog\" prints it");
	else
		name_other(error, bytes, len);
	return NULL;
}

bool
dmt_input_has_eventlog(struct dmt_input *input)
{
	const uint8_t *bytes;
	const size_t len =
	    dmt_input_peek(input, DMT_EVENTLOG_WINDOW, &bytes);

	return dmt_is_eventlog(bytes, len, input->ended);
}

enum dmtrace_status
dmt_input_open_base(struct dmt_input *input, const char *path,
    struct dmtrace_error *error)
{
	for (unsigned i = 0; i < DMT_PATH_NAMES; i++) {
		char *const name = dmt_path_name(path, i);

		if (name == NULL)
			return dmt_error_memory(error);
		dmt_input_fini(input);
		dmt_input_open_path(input, name);
		free(name);
		if (input->error.status == DMTRACE_OK)
			return DMTRACE_OK;
		if (input->error.sys_errno != ENOENT) {
			*error = input->error;
			return error->status;
		}
	}
	errno = ENOENT;
	return dmt_path_failed(error, "cannot open", path);
}

enum dmtrace_status
dmt_input_open_partner(struct dmt_input *other, const char *path,
    struct dmtrace_error *error)
{
	if (!dmt_path_ends(path, ".key") && !dmt_path_ends(path, ".data"))
		return DMTRACE_END;
	for (unsigned i = 0; i < DMT_PATH_PARTNERS; i++) {
		char *const name = dmt_path_partner(path, i);

		if (name == NULL)
			return dmt_error_memory(error);
		dmt_input_open_path(other, name);
		free(name);
		if (other->error.sys_errno != ENOENT) {
			*error = other->error;
			return error->status;
		}
		dmt_input_fini(other);
	}
	return DMTRACE_END;
}

bool
dmt_input_has_key(struct dmt_input *input)
{
	const uint8_t *bytes;
	const size_t len = dmt_input_peek(input, DMT_CONTAINER_PROBE,
	    &bytes);

	return dmt_key_recognises(bytes, len);
}

bool
dmt_input_has_magic(struct dmt_input *input)
{
	const uint8_t *bytes;
	const size_t len = dmt_input_peek(input, DMT_MAGIC_SIZE, &bytes);

	return has_magic(bytes, len);
}

enum dmtrace_status
dmt_input_find_key(struct dmt_input *input, struct dmtrace_key *key,
    const uint8_t **bytes, size_t *size, struct dmtrace_error *error)
{
	enum dmtrace_status status;
	size_t scanned = 0, len = 0;

	dmt_error_clear(&key->error);
	do {
		len = dmt_input_peek(input, len + 1, bytes);
		status = dmt_key_find_end(key, *bytes, len, input->ended,
		    &scanned, size);
	} while (status == DMTRACE_END);
	if (status != DMTRACE_OK)
		*error = input->error.status != DMTRACE_OK ?
		    input->error : *dmt_key_error(key);
	return error->status;
}

int
dmt_input_find_magic(struct dmt_input *input, size_t after)
{
	const uint8_t *bytes;
	const size_t len = dmt_input_peek(input,
	    after + DMT_GAP_MAX + DMT_MAGIC_SIZE, &bytes);

	for (size_t gap = 0; gap <= DMT_GAP_MAX; gap++)
		if (after + gap <= len &&
		    has_magic(bytes + after + gap, len - after - gap))
			return (int)gap;
	return -1;
}
