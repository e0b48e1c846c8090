/* traits.h - what readers stumble over, beyond what is a finding */
#ifndef DMT_VERIFY_TRAITS_H
#define DMT_VERIFY_TRAITS_H

#include <dmtrace/key.h>

#include "format/finding.h"
#include "trace/reader.h"

/* Findings are traits too; these are those that no finding is. */
enum dmt_trait {
	DMT_TRAIT_NOT_TRACE = DMT_FINDING_COUNT,
	DMT_TRAIT_DATA_ALONE,
	DMT_TRAIT_NO_END,
	DMT_TRAIT_PAIR,
	DMT_TRAIT_STREAM,
	DMT_TRAIT_STREAM_NO_SUMMARY,
	DMT_TRAIT_STREAM_CUT,
	DMT_TRAIT_PACKETS,
	DMT_TRAIT_VERSION_1,
	DMT_TRAIT_VERSION_OTHER,
	DMT_TRAIT_MAGIC_BAD,
	DMT_TRAIT_HEADER_CUT,
	DMT_TRAIT_OFFSET_BACK,
	DMT_TRAIT_OFFSET_BACK_ODD,
	DMT_TRAIT_OFFSET_NOT_32,
	DMT_TRAIT_OFFSET_UNEVEN,
	DMT_TRAIT_SIZE_0,
	DMT_TRAIT_SIZE_SMALL,
	DMT_TRAIT_CLOCK_CPU,
	DMT_TRAIT_CLOCK_GLOBAL,
	DMT_TRAIT_CLOCK_LOST,
	DMT_TRAIT_OPTION_ODD,
	DMT_TRAIT_OPTION_BLANK,
	DMT_TRAIT_SECTION_ROWS,
	DMT_TRAIT_THREAD_NO_LINE,
	DMT_TRAIT_THREAD_ID_HEX,
	DMT_TRAIT_THREAD_ID_OTHER,
	DMT_TRAIT_NAME_NUL,
	DMT_TRAIT_THREAD_BLANK,
	DMT_TRAIT_METHOD_BLANK,
	DMT_TRAIT_NOT_ASCII,
	DMT_TRAIT_COLUMNS_1,
	DMT_TRAIT_COLUMNS_2,
	DMT_TRAIT_COLUMNS_3,
	DMT_TRAIT_COLUMNS_5,
	DMT_TRAIT_COLUMN_EMPTY,
	DMT_TRAIT_SIGNATURE_LAST,
	DMT_TRAIT_SIGNATURE_ODD,
	DMT_TRAIT_SIGNATURE_EMPTY,
	DMT_TRAIT_ID_DECIMAL,
	DMT_TRAIT_ID_OCTAL,
	DMT_TRAIT_ID_HEX,
	DMT_TRAIT_ID_NIL,
	DMT_TRAIT_ID_HIGH_DUAL,
	DMT_TRAIT_PARTIAL_ONLY,
	DMT_TRAIT_RESERVED_OTHER,
	DMT_TRAIT_THREAD_BEYOND,
	DMT_TRAIT_THREAD_MODULO,
	DMT_TRAIT_DEPTH_BEYOND,
	DMT_TRAIT_COUNT
};

struct dmt_traits {
	bool has[DMT_TRAIT_COUNT];
};

/* What the text of a key has; len bytes at text. */
void
dmt_traits_of_key(struct dmt_traits *traits, const char *text, size_t len);

/* What a reader was opened with, or why it was not; before its records are
 * read. */
void
dmt_traits_of_open(struct dmt_traits *traits, struct dmtrace_reader *reader,
    enum dmtrace_status opened);

#endif
