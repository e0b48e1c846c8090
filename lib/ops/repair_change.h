/* repair_change.h - every change that repair makes, by name, and the tally */
#ifndef DMT_OPS_REPAIR_CHANGE_H
#define DMT_OPS_REPAIR_CHANGE_H

#include "base/error.h"

#include <dmtrace/repair.h>
#include <stdbool.h>

/* The rows of repair_change.c, in their order. */
enum dmt_change {
	/* key: its lines */
	DMT_FIX_KEY_MISSING,
	DMT_FIX_BOM,
	DMT_FIX_LEADING_BLANK,
	DMT_FIX_CRLF,
	DMT_FIX_DAMAGED,
	DMT_FIX_BLANK_LINE,
	DMT_FIX_LINE_CUT,
	DMT_FIX_LINE_ZEROED,
	DMT_FIX_VERSION_BAD,
	DMT_FIX_SECTION_UNKNOWN,
	DMT_FIX_SECTION_REPEATED,
	DMT_FIX_SECTION_MISSING,
	DMT_FIX_SECTION_ORDER,
	DMT_FIX_SECTION_BLANKS,
	DMT_FIX_END_MISSING,
	DMT_FIX_END_EXTRA,
	DMT_FIX_END_NO_LF,
	/* key: options and tables */
	DMT_FIX_CLOCK,
	DMT_FIX_OVERFLOW,
	DMT_FIX_COUNT,
	DMT_FIX_THREAD_BLANKS,
	DMT_FIX_THREAD_ID_BAD,
	DMT_FIX_THREAD_ID_ODD,
	DMT_FIX_THREAD_REPEATED,
	DMT_FIX_THREAD_UNLISTED,
	DMT_FIX_THREAD_NONE,
	DMT_FIX_METHOD_BLANKS,
	DMT_FIX_METHOD_ID_BAD,
	DMT_FIX_METHOD_ID_ODD,
	DMT_FIX_METHOD_LOW_BITS,
	DMT_FIX_METHOD_COLUMNS,
	DMT_FIX_METHOD_REPEATED,
	DMT_FIX_METHOD_UNLISTED,
	DMT_FIX_METHOD_NONE,
	/* data: what stands before the records */
	DMT_FIX_SWAPPED,
	DMT_FIX_GAP,
	DMT_FIX_DATA_MISSING,
	DMT_FIX_DATA_UNREADABLE,
	DMT_FIX_DATA_CRLF,
	DMT_FIX_DATA_MANGLED,
	DMT_FIX_RECORD_DAMAGED,
	DMT_FIX_MAGIC,
	DMT_FIX_HEADER_CUT,
	DMT_FIX_VERSION,
	DMT_FIX_OFFSET,
	DMT_FIX_RECORD_SIZE,
	/* data: records */
	DMT_FIX_PARTIAL,
	DMT_FIX_TAIL,
	DMT_FIX_RECORD_BLANK,
	DMT_FIX_RESERVED,
	DMT_FIX_RESERVED_DROPPED,
	DMT_FIX_TIME_BACK,
	DMT_FIX_TIME_DROPPED,
	DMT_FIX_EXIT_BEFORE,
	DMT_FIX_EXIT_STRAY,
	DMT_FIX_EXIT_MISMATCH,
	DMT_FIX_CALL_OPEN,
	/* what other readers do not take: lib/verify/plain.h */
	DMT_FIX_PAIR,
	DMT_FIX_OPTION,
	DMT_FIX_OPTION_REPEATED,
	DMT_FIX_NAME_BYTES,
	DMT_FIX_NAME_ASCII,
	DMT_FIX_NAME_TAB,
	DMT_FIX_NAME_EMPTY,
	DMT_FIX_THREAD_NUMBER,
	DMT_FIX_METHOD_NAME,
	DMT_FIX_METHOD_SIGNATURE,
	DMT_FIX_METHOD_FILE,
	DMT_FIX_METHOD_LINE,
	DMT_FIX_METHOD_NUMBER,
	DMT_FIX_HEADER,
	DMT_FIX_LAYOUT,
	DMT_FIX_CLOCK_NAMED,
	DMT_FIX_CLOCK_DUAL,
	DMT_FIX_TIME_MOVED,
	DMT_FIX_TIME_HIGH,
	DMT_FIX_CALL_DEEP,
	DMT_FIX_COUNT_OF
};

/* Zero is an empty tally. */
struct dmt_changes {
	struct dmt_change_tally {
		uint64_t count;
		enum dmtrace_place place;	/* of the first */
		uint64_t at;
		char words[DMTRACE_WORDS_MAX];
	} tallies[DMT_FIX_COUNT_OF];
};

/* Counts n changes. The first one's place is kept, and what format says of
 * it unless it is NULL: behind the row's words and ": ". */
void
dmt_change_add(struct dmt_changes *changes, enum dmt_change which,
    uint64_t n, enum dmtrace_place place, uint64_t at, const char *format,
    ...) DMT_PRINTF(6, 7);

/* How many there are but for those that are only told. */
uint64_t
dmt_changes_count(const struct dmt_changes *changes);

/* Tells them all, in the order of the rows. */
void
dmt_changes_tell(const struct dmt_changes *changes,
    dmtrace_change_fn *change, void *context);

/* Adds those of more. */
void
dmt_changes_merge(struct dmt_changes *changes,
    const struct dmt_changes *more);

/*
 * What was invented, dropped and lost as the value of an option line, with
 * the counts of an earlier value (NULL: none) added: "exit-stray:2,...". To
 * be freed; NULL: no memory. Empty: nothing.
 */
char *
dmt_changes_option(const struct dmt_changes *changes,
    const struct dmtrace_option *old);

#endif
