/* trace_writer.c - which program wrote a trace, as far as it shows */

/*
 * No field names the writer. What does show is which options, columns and
 * dialects a trace has, for each was written by some releases only. The rows
 * are tried in turn, the most telling one first; its evidence says what was
 * seen, so that who reads it can judge. An operation of this library leaves
 * most of a trace as it was: then the writer is still the one of the events.
 */

#include "info/trace_info.h"
#include "private/key.h"

#include <string.h>

#include "private/text.h"

#define STREAMING 0xf0u		/* added to a version */

struct writer_rule {
	bool (*fits)(const struct trace_info *info);
	struct trace_writer writer;
};

static bool
key_has_option(const struct trace_info *info, const char *name)
{
	return dmtrace_key_option_find(info->key, name) != NULL;
}

static bool
has_finding(const struct trace_info *info, const char *name)
{
	for (size_t i = 0; i < dmt_reader_finding_count(info->reader); i++)
		if (strcmp(dmtrace_reader_finding_get(info->reader, i)->name,
		    name) == 0)
			return true;
	return false;
}

static bool
is_vm(const struct trace_info *info, const char *vm)
{
	return dmt_text_is(trace_info_option(info, "vm"), vm);
}

static enum dmtrace_start_kind
start_kind(const struct trace_info *info)
{
	return dmt_header_start_kind(info->header);
}

static bool
is_stage(const struct trace_info *info, const char *stage)
{
	const char *const found = dmt_reader_stage(info->reader);

	return found != NULL && strcmp(found, stage) == 0;
}

static bool
is_create_test_trace(const struct trace_info *info)
{
	return info->header != NULL &&
	    start_kind(info) == DMTRACE_START_SEC_USEC;
}

static bool
is_recorder(const struct trace_info *info)
{
	static const char *const options[] = {
		"dmtrace-recorder-closed", "dmtrace-dropped",
		"dmtrace-mismatched", "dmtrace-stepped-back"
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (key_has_option(info, options[i]))
			return true;
	return false;
}

static bool
is_base64(const struct trace_info *info)
{
	return has_finding(info, "data-base64");
}

static bool
is_stage_b(const struct trace_info *info)
{
	return is_stage(info, "B");
}

static bool
is_stage_c(const struct trace_info *info)
{
	return is_stage(info, "C");
}

static bool
is_stage_e(const struct trace_info *info)
{
	return is_stage(info, "E");
}

static bool
is_long_running(const struct trace_info *info)
{
	return is_stage(info, "long-running");
}

static bool
is_stage_f(const struct trace_info *info)
{
	return is_stage(info, "F");
}

static bool
is_dalvik_1(const struct trace_info *info)
{
	return is_vm(info, "dalvik") && info->header != NULL &&
	    info->header->version == 1;
}

static bool
is_dalvik_2(const struct trace_info *info)
{
	return is_vm(info, "dalvik") && info->header != NULL &&
	    (info->header->version == 2 || info->header->version == 3);
}

static bool
is_dalvik(const struct trace_info *info)
{
	return is_vm(info, "dalvik");
}

/* ART counts from boot. */
static bool
is_art_of_epoch(const struct trace_info *info)
{
	return is_vm(info, "art") && info->header != NULL &&
	    start_kind(info) == DMTRACE_START_EPOCH;
}

static bool
is_padded_stream(const struct trace_info *info)
{
	return has_finding(info, "stream-record-size");
}

static bool
is_summary_apart(const struct trace_info *info)
{
	return has_finding(info, "stream-summary-apart");
}

static bool
is_art_stream(const struct trace_info *info)
{
	return info->header != NULL && info->header->version > STREAMING &&
	    (is_vm(info, "art") ||
	    start_kind(info) == DMTRACE_START_BOOT);
}

static bool
is_art_6(const struct trace_info *info)
{
	return is_vm(info, "art") && key_has_option(info, "pid");
}

static bool
is_art(const struct trace_info *info)
{
	return is_vm(info, "art");
}

static bool
is_before_android(const struct trace_info *info)
{
	return dmt_key_clock(info->key) == DMTRACE_CLOCK_GLOBAL &&
	    !key_has_option(info, "vm") && !key_has_option(info,
	    "num-method-calls");
}

static bool
is_any(const struct trace_info *info)
{
	(void)info;
	return true;
}

static const struct writer_rule rules[] = {
	{ is_recorder, { "this library's recorder",
	    "an option that only it writes" } },
	{ is_create_test_trace, { "CreateTestTrace",
	    "a start time of seconds and microseconds in one number" } },
	{ is_base64, { "a library for measuring apps",
	    "data as base64 text, after a key" } },
	{ is_stage_b, { "ART, Android 15 (2024)",
	    "format V2, blocks that hold their first record in the header" } },
	{ is_stage_c, { "ART, Android 15 and its updates (2024-2025)",
	    "format V2, blocks of differences in microseconds" } },
	{ is_stage_e, { "ART since March 2025",
	    "format V2, blocks of differences in nanoseconds" } },
	{ is_long_running, { "ART since 2025, a dump of long-running methods",
	    "packets of format V2 without a header" } },
	{ is_stage_f, { "unknown",
	    "format V2 in the form that Perfetto reads; no known ART writes "
	    "it" } },
	{ is_dalvik_1, { "Dalvik, Android 1.0 to 2.3 (2008-2010)",
	    "vm=dalvik, version 1" } },
	{ is_dalvik_2, { "Dalvik, Android 4.0 to 4.4 (2011-2013)",
	    "vm=dalvik, version 2 or 3" } },
	{ is_dalvik, { "Dalvik", "vm=dalvik" } },
	{ is_art_of_epoch, { "this library, or another program that is not "
	    "ART", "vm=art, but a start time since 1970; ART counts from boot" }
	    },
	{ is_summary_apart, { "ART, Android 6 or 7 (2015-2016)",
	    "a stream whose summary is another file" } },
	{ is_padded_stream, { "ART, Android 6 to 13 (2015-2022)",
	    "a stream of one clock with records of 14 bytes" } },
	{ is_art_stream, { "ART, Android 6 or later (since 2015)",
	    "a stream that counts from boot" } },
	{ is_art_6, { "ART, Android 6 or later (since 2015)",
	    "vm=art and a pid" } },
	{ is_art, { "ART, Android 4.4 to 5.1 (2013-2015)",
	    "vm=art without a pid" } },
	{ is_before_android, { "Dalvik before Android 1.0",
	    "clock=global, no vm and no counts" } },
	{ is_any, { "unknown", NULL } },
};

const struct trace_writer *
trace_info_writer(const struct trace_info *info)
{
	size_t i = 0;

	while (!rules[i].fits(info))
		i++;
	return &rules[i].writer;
}
