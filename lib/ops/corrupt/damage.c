/* damage.c - the kinds of damage, and the findings that each may cause */

#include "ops/corrupt/corrupt.h"

#include "private/ops.h"

const char *const dmt_damage_names[] = {
	[DMTRACE_DAMAGE_BITS] = "bits",
	[DMTRACE_DAMAGE_LOST] = "lost",
	[DMTRACE_DAMAGE_DOUBLED] = "doubled",
	[DMTRACE_DAMAGE_TRUNCATED] = "truncated",
	[DMTRACE_DAMAGE_ZEROS] = "zeros",
	[DMTRACE_DAMAGE_FILL] = "fill",
	[DMTRACE_DAMAGE_CRLF] = "crlf",
	[DMTRACE_DAMAGE_UTF8] = "utf8",
	[DMTRACE_DAMAGE_LOSSY] = "lossy",
	[DMTRACE_DAMAGE_BLANKS] = "blanks",
	[DMTRACE_DAMAGE_COUNT] = "count",
	[DMTRACE_DAMAGE_NO_END] = "no-end",
	[DMTRACE_DAMAGE_SAME_ID] = "same-id",
	[DMTRACE_DAMAGE_OVERFLOW] = "overflow",
	[DMTRACE_DAMAGE_OFFSET] = "offset",
	[DMTRACE_DAMAGE_RECORD_SIZE] = "record-size",
	[DMTRACE_DAMAGE_SWAPPED] = "swapped",
	[DMTRACE_DAMAGE_NO_EXIT] = "no-exit",
	[DMTRACE_DAMAGE_TIME_STEP] = "time-step",
	[DMTRACE_DAMAGE_PACKET] = "packet",
	[DMTRACE_DAMAGE_BLOCK] = "block",
	[DMT_DAMAGE_KINDS] = NULL
};

#define ANY NULL
#define NONE (const enum dmt_finding[]){ DMT_ROW_COUNT }
#define FINDINGS(...) \
	(const enum dmt_finding[]){ __VA_ARGS__, DMT_ROW_COUNT }

const struct dmt_damage_row dmt_damage_rows[DMT_DAMAGE_KINDS] = {
	[DMTRACE_DAMAGE_BITS] = { "bits of a byte are flipped", true, ANY },
	[DMTRACE_DAMAGE_LOST] = { "1 to 4,096 bytes are lost", true, ANY },
	[DMTRACE_DAMAGE_DOUBLED] = { "1 to 4,096 bytes are there twice",
	    true, ANY },
	[DMTRACE_DAMAGE_TRUNCATED] = { "the file ends early", true, ANY },
	[DMTRACE_DAMAGE_ZEROS] = { "1 to 4,096 bytes are 0", true, ANY },
	[DMTRACE_DAMAGE_FILL] = { "1 to 4,096 bytes are 0xEE", true, ANY },
	[DMTRACE_DAMAGE_CRLF] = { "copied as text: each LF is CR LF", true,
	    ANY },
	[DMTRACE_DAMAGE_UTF8] = { "copied as text: from Latin-1 to UTF-8",
	    true, ANY },
	[DMTRACE_DAMAGE_LOSSY] = { "copied as text: bytes that are not UTF-8 "
	    "are U+FFFD", true, ANY },
	[DMTRACE_DAMAGE_BLANKS] = { "a row of the key has blanks for TABs",
	    false, FINDINGS(DMT_THREAD_BLANKS, DMT_METHOD_BLANKS) },
	[DMTRACE_DAMAGE_COUNT] = { "num-method-calls is another number",
	    false, FINDINGS(DMT_COUNT_DIFFERS) },
	[DMTRACE_DAMAGE_NO_END] = { "the key has no \"*end\"", true, NONE },
	[DMTRACE_DAMAGE_SAME_ID] = { "a thread or method has the id of the "
	    "one before", false, FINDINGS(DMT_THREAD_REPEATED,
	    DMT_THREAD_UNLISTED, DMT_METHOD_REPEATED, DMT_METHOD_UNLISTED,
	    DMT_STREAM_THREAD_RENAMED, DMT_STREAM_METHOD_REDEFINED,
	    DMT_EXIT_STRAY, DMT_EXIT_MISMATCH, DMT_CALL_OPEN) },
	[DMTRACE_DAMAGE_OVERFLOW] = { "the buffer was full: the last records "
	    "are lost", false, FINDINGS(DMT_OVERFLOW, DMT_COUNT_DIFFERS,
	    DMT_CALL_OPEN) },
	[DMTRACE_DAMAGE_OFFSET] = { "the data offset is another number", true,
	    ANY },
	[DMTRACE_DAMAGE_RECORD_SIZE] = { "the record size is another number",
	    true, ANY },
	[DMTRACE_DAMAGE_SWAPPED] = { "two records, or packets, change places",
	    false, FINDINGS(DMT_TIME_BACK, DMT_TIME_ACROSS, DMT_CPU_AHEAD,
	    DMT_EXIT_BEFORE, DMT_EXIT_STRAY, DMT_EXIT_MISMATCH,
	    DMT_CALL_OPEN, DMT_CALL_DEEP) },
	[DMTRACE_DAMAGE_NO_EXIT] = { "an exit is missing", false,
	    FINDINGS(DMT_EXIT_MISMATCH, DMT_EXIT_STRAY, DMT_CALL_OPEN,
	    DMT_CALL_DEEP, DMT_CPU_AHEAD, DMT_COUNT_DIFFERS) },
	[DMTRACE_DAMAGE_TIME_STEP] = { "a thread's time goes back", false,
	    FINDINGS(DMT_TIME_BACK, DMT_TIME_ACROSS, DMT_CPU_AHEAD) },
	[DMTRACE_DAMAGE_PACKET] = { "a bit of a packet is flipped", true,
	    ANY },
	[DMTRACE_DAMAGE_BLOCK] = { "a bit of a block of events is flipped",
	    true, ANY }
};

const char *
dmtrace_damage_name(enum dmtrace_damage_kind kind)
{
	return (unsigned)kind < DMT_DAMAGE_KINDS ? dmt_damage_names[kind] : "";
}

const char *
dmt_damage_text(enum dmtrace_damage_kind kind, int *refused)
{
	*refused = dmt_damage_rows[kind].refused;
	return dmt_damage_rows[kind].text;
}

const char *
dmt_damage_finding(enum dmtrace_damage_kind kind, size_t index)
{
	const enum dmt_finding *const findings =
	    dmt_damage_rows[kind].findings;

	if (findings == ANY)
		return index == 0 ? "" : NULL;
	for (size_t i = 0; i < index; i++)
		if (findings[i] == DMT_ROW_COUNT)
			return NULL;
	return findings[index] == DMT_ROW_COUNT ? NULL :
	    dmt_finding_rows[findings[index]].name;
}
