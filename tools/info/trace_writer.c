/* trace_writer.c - guesses which program wrote a trace */

/*
 * No field names the writer. But certain options, columns and versions of a
 * trace were written only by some releases of a program. The rows are tried in
 * order, the most specific one first; the evidence says what was found, so
 * that users can judge it. Operations of this library leave most of a trace
 * unchanged: then the writer is the program that recorded the events.
 */

#include "info/trace_info.h"

#include <limits.h>
#include <string.h>

#include "private/key.h"
#include "private/text.h"

#define FIRST_STREAM 0xf1u		/* of the versions of streams */

/* A row fits if each of its members that is set matches, and fits, unless
 * NULL, returns true. */
struct writer_rule {
	struct trace_writer writer;
	const char *vm;
	const char *stage;		/* of format V2 */
	const char *finding;
	const char *option;		/* the key has it */
	const char *start;		/* kind of the start time */
	unsigned first_version, last_version;	/* of the data; 0: any */
	bool (*fits)(const struct trace_info *info);
};

static bool
is_clock_global_alone(const struct trace_info *info)
{
	return dmt_key_clock(info->key) == DMTRACE_CLOCK_GLOBAL &&
	    dmtrace_key_option_find(info->key, DMT_OPTION_VM) == NULL &&
	    dmtrace_key_option_find(info->key, DMT_OPTION_CALLS) == NULL;
}

/* The header of such a stream says 10. */
static bool
has_records_of_14_bytes(const struct trace_info *info)
{
	const struct dmt_layout *const layout =
	    dmt_reader_layout(info->reader);

	return layout != NULL && dmt_layout_record_size(layout) == 14;
}

#define RECORDER { "this library's recorder", \
	"an option that only it writes" }
#define ART_STREAM { "ART, Android 6 or later (since 2015)", \
	"a stream that counts from boot" }

static const struct writer_rule rules[] = {
	{ .writer = RECORDER, .option = "dmtrace-recorder-closed" },
	{ .writer = RECORDER, .option = "dmtrace-dropped" },
	{ .writer = RECORDER, .option = "dmtrace-mismatched" },
	{ .writer = RECORDER, .option = "dmtrace-stepped-back" },
	{ .writer = { "CreateTestTrace",
	    "a start time of seconds and microseconds in one number" },
	    .start = "sec_usec" },
	{ .writer = { "a library for measuring apps",
	    "data as base64 text, after a key" }, .finding = "data-base64" },
	{ .writer = { "ART, Android 15 (2024)",
	    "format V2, blocks that hold their first record in the header" },
	    .stage = "B" },
	{ .writer = { "ART, Android 15 and its updates (2024-2025)",
	    "format V2, blocks of differences in microseconds" },
	    .stage = "C" },
	{ .writer = { "ART since March 2025",
	    "format V2, blocks of differences in nanoseconds" },
	    .stage = "E" },
	{ .writer = { "ART since 2025, a dump of long-running methods",
	    "packets of format V2 without a header" },
	    .stage = "long-running" },
	{ .writer = { "unknown",
	    "format V2 in the form that Perfetto reads; no known ART writes "
	    "it" }, .stage = "F" },
	{ .writer = { "Dalvik, Android 1.0 to 2.3 (2008-2010)",
	    "vm=dalvik, version 1" },
	    .vm = "dalvik", .first_version = 1, .last_version = 1 },
	{ .writer = { "Dalvik, Android 4.0 to 4.4 (2011-2013)",
	    "vm=dalvik, version 2 or 3" },
	    .vm = "dalvik", .first_version = 2, .last_version = 3 },
	{ .writer = { "Dalvik", "vm=dalvik" }, .vm = "dalvik" },
	/* ART counts from boot. */
	{ .writer = { "this library, or another program that is not ART",
	    "vm=art, but a start time since 1970; ART counts from boot" },
	    .vm = "art", .start = "epoch" },
	{ .writer = { "ART, Android 6 or 7 (2015-2016)",
	    "a stream whose summary is another file" },
	    .finding = "stream-summary-apart" },
	{ .writer = { "ART, Android 6 to 13 (2015-2022)",
	    "a stream of one clock with records of 14 bytes" },
	    .finding = "stream-record-size", .fits = has_records_of_14_bytes },
	{ .writer = ART_STREAM, .vm = "art",
	    .first_version = FIRST_STREAM, .last_version = UINT_MAX },
	{ .writer = ART_STREAM, .start = "boot",
	    .first_version = FIRST_STREAM, .last_version = UINT_MAX },
	{ .writer = { "ART, Android 6 or later (since 2015)",
	    "vm=art and a pid" },
	    .vm = "art", .option = "pid" },
	{ .writer = { "ART, Android 4.4 to 5.1 (2013-2015)",
	    "vm=art without a pid" },
	    .vm = "art" },
	{ .writer = { "Dalvik before Android 1.0",
	    "clock=global, no vm and no counts" },
	    .fits = is_clock_global_alone },
	{ .writer = { "unknown", NULL } },
};

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
fits_writer_rule(const struct trace_info *info, const struct writer_rule *rule)
{
	const struct dmt_header *const header = info->header;
	const char *const stage = dmt_reader_stage(info->reader);

	if (rule->vm != NULL &&
	    !dmt_text_is(trace_info_option(info, DMT_OPTION_VM), rule->vm))
		return false;
	if (rule->stage != NULL &&
	    (stage == NULL || strcmp(stage, rule->stage) != 0))
		return false;
	if (rule->finding != NULL && !has_finding(info, rule->finding))
		return false;
	if (rule->option != NULL &&
	    dmtrace_key_option_find(info->key, rule->option) == NULL)
		return false;
	if (rule->start != NULL && (header == NULL ||
	    strcmp(dmt_start_kind_name(dmt_header_start_kind(header)),
	    rule->start) != 0))
		return false;
	if (rule->last_version != 0 && (header == NULL ||
	    header->version < rule->first_version ||
	    header->version > rule->last_version))
		return false;
	return rule->fits == NULL || rule->fits(info);
}

const struct trace_writer *
trace_info_writer(const struct trace_info *info)
{
	size_t i = 0;

	while (!fits_writer_rule(info, &rules[i]))
		i++;
	return &rules[i].writer;
}
