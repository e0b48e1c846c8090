/* finding.h - all findings, by name; a tally of the findings of a trace */
#ifndef DMT_FORMAT_FINDING_H
#define DMT_FORMAT_FINDING_H

#include <dmtrace/event.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"

/* The rows of finding.c, in their order. */
enum dmt_finding {
	/* the file as a whole */
	DMT_KEY_MISSING,
	DMT_NOT_TRACE,
	DMT_KEY_NO_VERSION,
	DMT_DATA_ALONE,
	DMT_KEY_NO_END,
	DMT_PAIR,
	DMT_PAIR_SWAPPED,
	DMT_STREAM,
	DMT_STREAM_NO_SUMMARY,
	DMT_STREAM_SUMMARY_TRUNCATED,
	DMT_STREAM_TRUNCATED,
	DMT_STREAM_SUMMARY_APART,
	DMT_STREAM_TAIL,
	DMT_STREAM_PACKET_UNKNOWN,
	DMT_STREAM_METHOD_BAD,
	DMT_STREAM_METHOD_LINE,
	DMT_STREAM_METHOD_REDEFINED,
	DMT_STREAM_THREAD_RENAMED,
	DMT_STREAM_RECORD_SIZE,
	DMT_STREAM_UNIT_GUESSED,
	DMT_STREAM_BLOCK_DAMAGED,
	DMT_STREAM_BLOCK_SIZE,
	DMT_PACKETS,
	DMT_PACKETS_NONE,
	DMT_PACKETS_UNLISTED,
	DMT_PACKETS_TICKS,
	/* the lines of the key */
	DMT_KEY_BOM,
	DMT_KEY_LEADING_BLANK,
	DMT_KEY_CRLF,
	DMT_KEY_VERSION_MALFORMED,
	DMT_KEY_VERSION_BAD,
	DMT_KEY_BLANK_LINE,
	DMT_KEY_LINE_TRUNCATED,
	DMT_KEY_LINE_ZEROED,
	DMT_KEY_SECTION_UNKNOWN,
	DMT_KEY_SECTION_ROWS,
	DMT_KEY_LINE_ELSEWHERE,
	DMT_KEY_LINE_REFUSED,
	DMT_KEY_CR,
	DMT_KEY_CR_KEPT,
	DMT_KEY_SECTION_REPEATED,
	DMT_KEY_SECTION_MISSING,
	DMT_KEY_SECTION_ORDER,
	DMT_KEY_SECTION_BLANKS,
	DMT_KEY_END_MISSING,
	DMT_KEY_END_EXTRA,
	DMT_KEY_END_NO_LF,
	DMT_KEY_NOT_UTF8,
	DMT_PACKET_NOT_UTF8,
	DMT_KEY_NOT_ASCII,
	DMT_KEY_NUL,
	DMT_KEY_DAMAGED,
	/* key: options */
	DMT_OPTION_MALFORMED,
	DMT_OPTION_VALUE,
	DMT_OPTION_EMPTY,
	DMT_OPTION_BLANK,
	DMT_OPTION_UNKNOWN,
	DMT_OPTION_REPEATED,
	DMT_CLOCK_MISSING,
	DMT_CLOCK_UNKNOWN,
	DMT_CLOCK_DIFFERS,
	DMT_CLOCK_REPEATED,
	DMT_CLOCK_LOST,
	DMT_CLOCK_THREAD_CPU,
	DMT_CLOCK_GLOBAL,
	DMT_OVERFLOW,
	DMT_COUNT_DIFFERS,
	/* key: tables */
	DMT_THREAD_NONE,
	DMT_THREAD_EMPTY,
	DMT_THREAD_BLANK,
	DMT_THREAD_NO_LINE,
	DMT_THREAD_BLANKS,
	DMT_THREAD_ID_BAD,
	DMT_THREAD_ID_HEX,
	DMT_THREAD_ID_OCTAL,
	DMT_THREAD_ID_BLANK,
	DMT_THREAD_ID_JAVA,
	DMT_THREAD_NAME_BLANK,
	DMT_THREAD_NAME_SHARED,
	DMT_THREAD_OTHER_NAME,
	DMT_THREAD_ID_FORM,
	DMT_THREAD_COLUMNS,
	DMT_THREAD_NAME_TAB,
	DMT_THREAD_NAME_EMPTY,
	DMT_THREAD_REPEATED,
	DMT_METHOD_NONE,
	DMT_METHOD_EMPTY,
	DMT_METHOD_BLANK,
	DMT_METHOD_TABS,
	DMT_METHOD_NO_LINE,
	DMT_METHOD_BLANKS,
	DMT_METHOD_ID_BAD,
	DMT_METHOD_ID_FORM,
	DMT_METHOD_ID_LOW_BITS,
	DMT_METHOD_ID_HIGH,
	DMT_METHOD_COLUMNS,
	DMT_METHOD_NAME_EMPTY,
	DMT_METHOD_SIGNATURE,
	DMT_METHOD_CLASS_EMPTY,
	DMT_METHOD_LINE_BAD,
	DMT_METHOD_FILE_LINE,
	DMT_METHOD_NAMES_OTHER,
	DMT_METHOD_ID_BLANK,
	DMT_METHOD_ID_WIDE,
	DMT_METHOD_ID_DECIMAL,
	DMT_METHOD_ID_OCTAL,
	DMT_METHOD_ID_HEX,
	DMT_METHOD_ID_NIL,
	DMT_METHOD_REPEATED,
	DMT_METHOD_COLUMNS_1,
	DMT_METHOD_COLUMNS_2,
	DMT_METHOD_COLUMNS_3,
	DMT_METHOD_COLUMNS_5,
	DMT_METHOD_COLUMNS_FEW,
	DMT_METHOD_SIGNATURE_LAST,
	DMT_METHOD_SIGNATURE_FORM,
	DMT_METHOD_COLUMN_EMPTY,
	DMT_METHOD_SIGNATURE_EMPTY,
	/* data */
	DMT_DATA_GAP,
	DMT_DATA_BASE64,
	DMT_DATA_MISSING,
	DMT_DATA_UNREADABLE,
	DMT_DATA_CRLF,
	DMT_DATA_CONVERTED,
	DMT_RECORD_DAMAGED,
	DMT_HEADER_MAGIC,
	DMT_VERSION_DIFFERS,
	DMT_HEADER_OFFSET_BAD,
	DMT_HEADER_RECORD_SIZE_BAD,
	DMT_VERSION_1,
	DMT_VERSION_OTHER,
	DMT_MAGIC_BAD,
	DMT_HEADER_TRUNCATED,
	DMT_OFFSET_BEYOND,
	DMT_RECORDS_ELSEWHERE,
	DMT_RECORDS_REFUSED,
	DMT_RECORDS_CRASH,
	DMT_OFFSET_NOT_32,
	DMT_RECORD_LAYOUT,
	DMT_OFFSET_UNEVEN,
	DMT_START_HIGH,
	DMT_START_HIGH_LOST,
	DMT_VERSION_UNKNOWN,
	DMT_PAIR_FOREIGN,
	DMT_HEADER_PADDING,
	DMT_RECORD_SIZE_MISSING,
	DMT_RECORD_SIZE_0,
	DMT_RECORD_SIZE_TINY,
	DMT_RECORD_SIZE_HIGH,
	DMT_RECORD_SIZE_SMALL,
	DMT_RECORD_SIZE_LARGE,
	DMT_RECORD_IDS_WIDE,
	DMT_RECORD_RESERVED,
	DMT_RECORD_RESERVED_DROPPED,
	DMT_RECORD_RESERVED_OTHER,
	DMT_RECORD_PARTIAL_ONLY,
	DMT_RECORD_PARTIAL,
	DMT_RECORD_TAIL,
	DMT_TIME_BACK,
	DMT_TIME_BACK_DROPPED,
	DMT_TIME_WRAPPED,
	DMT_TIME_ACROSS,
	DMT_TIME_HIGH,
	DMT_TIME_HIGH_LOST,
	DMT_CPU_AHEAD,
	DMT_THREAD_HIGH,
	DMT_THREAD_BEYOND,
	DMT_DATA_TEXT,
	/* calls */
	DMT_EXIT_BEFORE,
	DMT_EXIT_MISMATCH,
	DMT_EXIT_STRAY,
	DMT_CALL_OPEN,
	DMT_CALL_DEEP,
	DMT_CALL_DEEPER,
	DMT_THREAD_UNLISTED,
	DMT_THREAD_MODULO,
	DMT_METHOD_UNLISTED,
	DMT_RECORD_BLANK,
	/* event logs */
	DMT_LOG_ENTRY_TRUNCATED,
	DMT_LOG_HEADER_BAD,
	DMT_LOG_HEADER_AMBIGUOUS,
	DMT_LOG_NANOSECONDS,
	DMT_LOG_PAYLOAD_LONG,
	DMT_LOG_PAYLOAD_SHORT,
	DMT_LOG_TYPE_UNKNOWN,
	DMT_LOG_VALUE_TRUNCATED,
	DMT_LOG_REST_LF,
	DMT_LOG_REST,
	DMT_LOG_TEXT_BAD,
	DMT_LOG_TEXT_NO_NUL,
	DMT_LOG_TAG_UNKNOWN,
	DMT_LOG_TAG_DIFFERS,
	/* tag files */
	DMT_TAGS_LINE,
	DMT_TAGS_DESCRIPTION,
	DMT_TAGS_REPEATED,
	DMT_TAGS_NO_LF,
	DMT_ROW_COUNT
};

/* Severities of rows that validate does not report as findings. */
enum {
	DMT_QUIRK = -1,			/* reported only for a reader that
					   fails on it */
	DMT_REPAIR = -2			/* a change without a finding, or a
					   second kind of change of a finding */
};

/* Cures that are applied only for a reader that needs them; the rest of the
 * canonical form is the same for all readers:
 * lib/ops/convert/convert_key.c. */
enum dmt_cure {
	DMT_CURE_UTF8 = 1,		/* escape bytes in names that are not
					   UTF-8, */
	DMT_CURE_ASCII = 2,		/* and all that are not ASCII */
	DMT_CURE_OPTIONS = 4,		/* keep only options with a single
					   plain value */
	DMT_CURE_FILE = 8,		/* give no method 5 columns */
	DMT_CURE_METHODS = 16,		/* use method ids from 4 on */
	DMT_CURE_THREADS = 32,		/* use thread numbers below 2^15 */
	DMT_CURE_VERSION = 64,		/* do not write version 1 */
	DMT_CURE_DUAL = 128,		/* add a wall time to each CPU time */
	DMT_CURE_TIMES = 256,		/* keep times below 2^31 us */
	DMT_CURE_DEPTH = 512,		/* keep calls at most 512 deep, */
	DMT_CURE_DEPTH_MORE = 1024,	/* or 10,000 */
	DMT_CURE_NAMES = 2048,		/* make the names of threads unique */
	DMT_CURE_START = 4096,		/* write a start that fits in
					   nanoseconds */
	DMT_CURE_TRIM = 8192		/* remove blanks around thread names */
};

/* How many open calls of a thread Perfetto and dmtracedump show. */
enum { DMT_DEEP = 512, DMT_DEEPER = 10000 };

/* Times that are negative in 32 bits. */
#define DMT_HIGH_NS ((UINT64_C(1) << 31) * 1000)

/* Returns true if a start in microseconds, and the latest time as far as a
 * record can hold it, are more than 63 bits of nanoseconds. */
static inline bool
dmt_start_is_high(uint64_t start, uint64_t latest_ns)
{
	const uint64_t most = (UINT64_C(1) << 63) / 1000;
	const uint64_t latest_us = latest_ns / 1000;

	return start > most ||
	    start + (latest_us < UINT32_MAX ? latest_us : UINT32_MAX) > most;
}

/* What a row is about. */
enum dmt_part {
	DMT_PART_KEY,			/* the file as a whole, and the key */
	DMT_PART_DATA,			/* the header and the form of records */
	DMT_PART_RECORDS,
	DMT_PART_CALLS,
	DMT_PART_ENTRIES,		/* of an event log */
	DMT_PART_TAGS,			/* a file of tags, or a log beside it */
	DMT_PART_FILES			/* two files that join and split
					   compare */
};

struct dmt_finding_row {
	const char *name;
	enum dmt_part part;
	int severity;			/* enum dmtrace_severity, or DMT_QUIRK,
					   DMT_REPAIR */
	const char *message;
	const char *readers;		/* one letter per reader */
	bool measured;
	unsigned cures;			/* enum dmt_cure: what the reader needs
					   besides the canonical form */
	unsigned kind;			/* enum dmtrace_change_kind of the
					   cure */
	const char *cured;		/* the message for the cure; NULL:
					   none */
	bool apart;			/* for which readers it is a quirk is
					   decided where it is searched for,
					   not by its being found */
};

extern const struct dmt_finding_row dmt_finding_rows[DMT_ROW_COUNT];

/* The finding for a clock line that does not name the clock of the records. */
static inline enum dmt_finding
dmt_clock_finding(enum dmtrace_clock named)
{
	return named == DMTRACE_CLOCK_MISSING ? DMT_CLOCK_MISSING :
	    named == DMTRACE_CLOCK_UNKNOWN ? DMT_CLOCK_UNKNOWN :
	    DMT_CLOCK_DIFFERS;
}

static inline bool
dmt_is_finding(unsigned row)
{
	return dmt_finding_rows[row].severity >= 0;
}

/* Returns true if a reader fails on it, or it is an error, or a change of
 * something that nobody could read. */
static inline bool
dmt_is_minded(unsigned row)
{
	return dmt_finding_rows[row].severity == DMTRACE_ERROR ||
	    dmt_finding_rows[row].severity == DMT_REPAIR ||
	    dmt_finding_rows[row].readers[strspn(
	    dmt_finding_rows[row].readers, ".")] != '\0';
}

/* Receives a finding inside of the library, where its identity is which. */
typedef void dmt_finding_fn(void *context, enum dmt_finding which,
    const struct dmtrace_finding *finding);

/* How often a row was found, or its change made. */
struct dmt_tally {
	uint64_t count;
	enum dmtrace_place place;	/* of the first one */
	uint64_t at;
	char message[DMTRACE_MESSAGE_MAX];
};

/* Sets the message: that of the row and, unless format is NULL, ": " and the
 * formatted text. */
void
dmt_tally_describe(struct dmt_tally *tally, const char *message,
    const char *format, va_list args) DMT_PRINTF(3, 0);

/*
 * The findings of one trace: counted, and passed to take or else to report,
 * unless they are NULL. A zeroed struct is a valid, empty tally. It has space
 * for every row, so that no finding is lost when memory runs out.
 */
struct dmt_findings {
	dmt_finding_fn *take;
	dmtrace_finding_fn *report;
	void *context;
	struct dmt_tally tallies[DMT_ROW_COUNT];
	enum dmt_finding order[DMT_ROW_COUNT];	/* in order of first
						   appearance */
	size_t used;
	struct dmtrace_finding handed_out;
};

/*
 * Adds a finding. Its message is that of the row and, unless format is NULL,
 * ": " and the formatted text.
 */
void
dmt_finding_add(struct dmt_findings *findings, enum dmt_finding which,
    enum dmtrace_place place, uint64_t at, const char *format, ...)
    DMT_PRINTF(5, 6);

/* Passes on a finding that is counted elsewhere. */
void
dmt_finding_pass(const struct dmt_findings *findings, enum dmt_finding which,
    const struct dmtrace_finding *finding);

/* Returns the index-th name that was found, in order of first appearance;
 * index is less than used. Valid until the next call. */
const struct dmtrace_finding *
dmt_finding_get(struct dmt_findings *findings, size_t index);

/*
 * Gets the rows of all findings, by index from 0 on: name, severity and
 * message, which are valid as long as the program runs. Returns 0, or 1 if
 * index is past the last row; then *row is unchanged. Thread-safe.
 */
int
dmt_finding_row_get(size_t index, struct dmtrace_finding *row);

#endif
