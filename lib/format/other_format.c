/* other_format.c - names formats that people mistake for a trace */

/*
 * A file that is not a trace may be made from one, or have the same ending, as
 * samples of simpleperf have. Then a message names its format, and a program
 * that reads it.
 */

#include "format/other_format.h"

#include <string.h>

#include "base/error.h"
#include "base/leb128.h"
#include "base/packing.h"
#include "base/proto_decode.h"

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

bool
dmt_is_perfetto(const uint8_t *bytes, size_t len)
{
	struct dmt_proto_field field;
	uint64_t size;

	if (len == 0 || bytes[0] != 0x0a)
		return false;
	const int used = dmt_uleb_get(bytes + 1, len - 1, &size);
	if (used <= 0 || size == 0)
		return false;
	const size_t rest = len - 1 - (size_t)used;
	const bool whole = size <= rest;
	struct dmt_proto packet = dmt_proto_of((struct dmtrace_text){
		(const char *)bytes + 1 + used, whole ? (size_t)size : rest });
	while (dmt_proto_next(&packet, &field))
		if (field.number > 10000)
			return false;
	return whole ? !packet.damaged &&
	    (size == rest || bytes[1 + (size_t)used + size] == 0x0a) :
	    used > 1;
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

bool
dmt_other_format_name(struct dmtrace_error *error, const uint8_t *bytes,
    size_t len)
{
	const struct dmt_packing *const packing =
	    dmt_packing_of_bytes(bytes, len);

	if (packing != NULL) {
		dmt_error_set(error, DMTRACE_ERR_NOT_TRACE, "this is "
		    "compressed with %s; \"%s -dc\" unpacks it",
		    packing->name, packing->name);
		return true;
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		const size_t size = strlen(others[i].bytes);

		if (len >= size && memcmp(bytes, others[i].bytes, size) == 0) {
			dmt_error_set(error, DMTRACE_ERR_NOT_TRACE,
			    "this is %s; %s", others[i].what,
			    others[i].advice);
			return true;
		}
	}
	if (is_chrome(bytes, len)) {
		dmt_error_set(error, DMTRACE_ERR_NOT_TRACE, "this is JSON,"
		    " perhaps a Chrome JSON trace; Perfetto's trace viewer"
		    " opens it, and \"dmtrace import\" makes a trace of it");
		return true;
	}
	if (dmt_is_perfetto(bytes, len)) {
		dmt_error_set(error, DMTRACE_ERR_NOT_TRACE,
		    "this is a Perfetto trace; Perfetto's trace viewer opens"
		    " it, and \"dmtrace import\" makes a trace of its slices");
		return true;
	}
	return false;
}
