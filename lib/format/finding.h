/* finding.h - every finding there is, by name; and how many of each came */
#ifndef DMT_FORMAT_FINDING_H
#define DMT_FORMAT_FINDING_H

#include <dmtrace/finding.h>

#include "base/error.h"

/* The rows of finding.c, in their order. */
enum dmt_finding {
	/* key: its lines */
	DMT_KEY_BOM,
	DMT_KEY_LEADING_BLANK,
	DMT_KEY_CRLF,
	DMT_KEY_VERSION_BAD,
	DMT_KEY_BLANK_LINE,
	DMT_KEY_SECTION_UNKNOWN,
	DMT_KEY_SECTION_REPEATED,
	DMT_KEY_SECTION_MISSING,
	DMT_KEY_SECTION_ORDER,
	DMT_KEY_SECTION_BLANKS,
	DMT_KEY_END_EXTRA,
	DMT_KEY_END_NO_LF,
	DMT_KEY_NOT_UTF8,
	DMT_KEY_DAMAGED,
	/* key: options */
	DMT_OPTION_MALFORMED,
	DMT_OPTION_UNKNOWN,
	DMT_OPTION_REPEATED,
	DMT_CLOCK_MISSING,
	DMT_CLOCK_UNKNOWN,
	DMT_CLOCK_DIFFERS,
	DMT_OVERFLOW,
	DMT_COUNT_DIFFERS,
	/* key: tables */
	DMT_THREAD_NONE,
	DMT_THREAD_BLANKS,
	DMT_THREAD_ID_BAD,
	DMT_THREAD_ID_ODD,
	DMT_THREAD_NAME_TAB,
	DMT_THREAD_NAME_EMPTY,
	DMT_THREAD_REPEATED,
	DMT_METHOD_NONE,
	DMT_METHOD_BLANKS,
	DMT_METHOD_ID_BAD,
	DMT_METHOD_ID_ODD,
	DMT_METHOD_ID_LOW_BITS,
	DMT_METHOD_ID_HIGH,
	DMT_METHOD_COLUMNS,
	DMT_METHOD_NAME_EMPTY,
	DMT_METHOD_LINE_BAD,
	DMT_METHOD_REPEATED,
	/* data */
	DMT_DATA_GAP,
	DMT_DATA_MISSING,
	DMT_DATA_UNREADABLE,
	DMT_VERSION_DIFFERS,
	DMT_VERSION_UNKNOWN,
	DMT_PAIR_FOREIGN,
	DMT_HEADER_PADDING,
	DMT_RECORD_SIZE_MISSING,
	DMT_RECORD_SIZE_ODD,
	DMT_RECORD_IDS_WIDE,
	DMT_RECORD_RESERVED,
	DMT_RECORD_PARTIAL,
	DMT_TIME_BACK,
	DMT_TIME_WRAPPED,
	DMT_TIME_ACROSS,
	DMT_TIME_HIGH,
	DMT_CPU_AHEAD,
	DMT_THREAD_HIGH,
	DMT_DATA_TEXT,
	/* calls */
	DMT_EXIT_BEFORE,
	DMT_EXIT_MISMATCH,
	DMT_EXIT_STRAY,
	DMT_CALL_OPEN,
	DMT_CALL_DEEP,
	DMT_THREAD_UNLISTED,
	DMT_METHOD_UNLISTED,
	DMT_FINDING_COUNT
};

/*
 * Where the findings of one trace go: tallied, and told to report if it is
 * not NULL. Zero is a valid, empty tally. There is room for each, so that no
 * finding is lost for want of memory.
 */
struct dmt_findings {
	dmtrace_finding_fn *report;
	void *context;
	struct dmt_tally {
		uint64_t count;
		enum dmtrace_place place;	/* of the first */
		uint64_t at;
		char words[DMTRACE_WORDS_MAX];
	} tallies[DMT_FINDING_COUNT];
	enum dmt_finding order[DMT_FINDING_COUNT];	/* as they came */
	size_t used;
	struct dmtrace_finding handed_out;
};

/*
 * Makes a finding. The row's words come first, then, unless format is NULL,
 * ": " and what was found.
 */
void
dmt_finding_add(struct dmt_findings *findings, enum dmt_finding which,
    enum dmtrace_place place, uint64_t at, const char *format, ...)
    DMT_PRINTF(5, 6);

/* How many came, of all. */
uint64_t
dmt_findings_sum(const struct dmt_findings *findings);

/* The index-th name that came, in the order of the first ones; index is
 * below used. Lives until the next call. */
const struct dmtrace_finding *
dmt_finding_get(struct dmt_findings *findings, size_t index);

#endif
