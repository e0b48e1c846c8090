/* finding.c - every finding there is, by name; and how many of each came */

#include "format/finding.h"

#include <stdarg.h>
#include <string.h>

#include "base/words.h"

#define NOTE DMTRACE_NOTE
#define WARNING DMTRACE_WARNING
#define ERROR DMTRACE_ERROR

static const struct row {
	const char *name;
	enum dmtrace_severity severity;
	const char *words;
} rows[DMT_FINDING_COUNT] = {
	[DMT_KEY_BOM] = { "key-bom", WARNING,
	    "the key begins with a byte order mark" },
	[DMT_KEY_LEADING_BLANK] = { "key-leading-blank", WARNING,
	    "blanks or blank lines stand before \"*version\"" },
	[DMT_KEY_CRLF] = { "key-crlf", WARNING,
	    "lines of the key end in CR LF" },
	[DMT_KEY_VERSION_BAD] = { "key-version-bad", WARNING,
	    "no plain number below \"*version\"" },
	[DMT_KEY_BLANK_LINE] = { "key-blank-line", WARNING,
	    "blank line in the key" },
	[DMT_KEY_SECTION_UNKNOWN] = { "key-section-unknown", WARNING,
	    "unknown section" },
	[DMT_KEY_SECTION_REPEATED] = { "key-section-repeated", WARNING,
	    "section comes more than once" },
	[DMT_KEY_SECTION_MISSING] = { "key-section-missing", WARNING,
	    "section is missing" },
	[DMT_KEY_SECTION_ORDER] = { "key-section-order", WARNING,
	    "section out of order" },
	[DMT_KEY_SECTION_BLANKS] = { "key-section-blanks", WARNING,
	    "blanks behind the name of a section" },
	[DMT_KEY_END_EXTRA] = { "key-end-extra", WARNING,
	    "something stands behind \"*end\" on its line" },
	[DMT_KEY_END_NO_LF] = { "key-end-no-lf", WARNING,
	    "no LF behind \"*end\"" },
	[DMT_KEY_NOT_UTF8] = { "key-not-utf8", WARNING,
	    "line is not UTF-8" },
	[DMT_KEY_DAMAGED] = { "key-damaged", ERROR,
	    "replacement characters (EF BF BD): an editor destroyed bytes" },
	[DMT_OPTION_MALFORMED] = { "option-malformed", WARNING,
	    "option is not of the form name=value" },
	[DMT_OPTION_UNKNOWN] = { "option-unknown", NOTE,
	    "option that no virtual machine writes" },
	[DMT_OPTION_REPEATED] = { "option-repeated", WARNING,
	    "option comes more than once" },
	[DMT_CLOCK_MISSING] = { "clock-missing", WARNING,
	    "no clock is named" },
	[DMT_CLOCK_UNKNOWN] = { "clock-unknown", WARNING,
	    "clock is not thread-cpu, wall, global or dual" },
	[DMT_CLOCK_DIFFERS] = { "clock-differs", WARNING,
	    "clock does not agree with the records" },
	[DMT_OVERFLOW] = { "overflow", WARNING,
	    "the buffer was full, the end of the trace is lost" },
	[DMT_COUNT_DIFFERS] = { "count-differs", NOTE,
	    "num-method-calls is not the number of records" },
	[DMT_THREAD_NONE] = { "thread-none", WARNING,
	    "no thread is listed" },
	[DMT_THREAD_BLANKS] = { "thread-blanks", WARNING,
	    "blanks instead of a TAB in a thread's line" },
	[DMT_THREAD_ID_BAD] = { "thread-id-bad", ERROR,
	    "thread id is no number below 2^32, its line is left out" },
	[DMT_THREAD_ID_ODD] = { "thread-id-odd", WARNING,
	    "thread id is not plain decimal" },
	[DMT_THREAD_NAME_TAB] = { "thread-name-tab", WARNING,
	    "TAB in a thread's name" },
	[DMT_THREAD_NAME_EMPTY] = { "thread-name-empty", WARNING,
	    "thread without a name" },
	[DMT_THREAD_REPEATED] = { "thread-repeated", WARNING,
	    "thread id is listed more than once" },
	[DMT_METHOD_NONE] = { "method-none", WARNING,
	    "no method is listed" },
	[DMT_METHOD_BLANKS] = { "method-blanks", WARNING,
	    "blanks instead of TABs in a method's line" },
	[DMT_METHOD_ID_BAD] = { "method-id-bad", ERROR,
	    "method id is no number below 2^64, its line is left out" },
	[DMT_METHOD_ID_ODD] = { "method-id-odd", WARNING,
	    "method id is not hexadecimal with 0x" },
	[DMT_METHOD_ID_LOW_BITS] = { "method-id-low-bits", WARNING,
	    "method id has its two low bits set" },
	[DMT_METHOD_ID_HIGH] = { "method-id-high", NOTE,
	    "method id is 2^31 or more" },
	[DMT_METHOD_COLUMNS] = { "method-columns", WARNING,
	    "method's line does not have 4 to 6 columns" },
	[DMT_METHOD_NAME_EMPTY] = { "method-name-empty", WARNING,
	    "method without a class or a name" },
	[DMT_METHOD_LINE_BAD] = { "method-line-bad", WARNING,
	    "line number of a method is no number" },
	[DMT_METHOD_REPEATED] = { "method-repeated", WARNING,
	    "method id is listed more than once" },
	[DMT_DATA_GAP] = { "data-gap", WARNING,
	    "bytes between the key and the magic" },
	[DMT_DATA_MISSING] = { "data-missing", ERROR,
	    "nothing behind the key" },
	[DMT_DATA_UNREADABLE] = { "data-unreadable", ERROR,
	    "the records cannot be read" },
	[DMT_VERSION_DIFFERS] = { "version-differs", WARNING,
	    "key and data name different versions" },
	[DMT_VERSION_UNKNOWN] = { "version-unknown", WARNING,
	    "the data has a version that is not known here" },
	[DMT_PAIR_FOREIGN] = { "pair-foreign", WARNING,
	    "key and data do not look like a pair" },
	[DMT_HEADER_PADDING] = { "header-padding", NOTE,
	    "unused bytes of the data header are not 0" },
	[DMT_RECORD_SIZE_MISSING] = { "record-size-missing", WARNING,
	    "the data header names no record size" },
	[DMT_RECORD_SIZE_ODD] = { "record-size-odd", WARNING,
	    "the record size is larger than the fields" },
	[DMT_RECORD_IDS_WIDE] = { "record-ids-wide", WARNING,
	    "method ids are 8 bytes wide, as in the preview of 2015" },
	[DMT_RECORD_RESERVED] = { "record-reserved", ERROR,
	    "record with the reserved action 3" },
	[DMT_RECORD_PARTIAL] = { "record-partial", ERROR,
	    "the last record is cut short" },
	[DMT_TIME_BACK] = { "time-back", ERROR,
	    "time goes back within a thread" },
	[DMT_TIME_WRAPPED] = { "time-wrapped", NOTE,
	    "a thread's time passed 2^32 microseconds" },
	[DMT_TIME_ACROSS] = { "time-across", NOTE,
	    "time goes back from one thread to another" },
	[DMT_TIME_HIGH] = { "time-high", NOTE,
	    "a thread's time is 2^31 microseconds or more" },
	[DMT_CPU_AHEAD] = { "cpu-ahead", WARNING,
	    "a thread has more CPU time than wall time" },
	[DMT_THREAD_HIGH] = { "thread-high", NOTE,
	    "thread number has the highest bit of its field set" },
	[DMT_DATA_TEXT] = { "data-text", ERROR,
	    "the data was copied as text" },
	[DMT_EXIT_BEFORE] = { "exit-before", NOTE,
	    "exit with no call open" },
	[DMT_EXIT_MISMATCH] = { "exit-mismatch", ERROR,
	    "exit of a call while calls that it made are open" },
	[DMT_EXIT_STRAY] = { "exit-stray", ERROR,
	    "exit of a method that is not open" },
	[DMT_CALL_OPEN] = { "call-open", NOTE,
	    "call that has no end in the trace" },
	[DMT_CALL_DEEP] = { "call-deep", NOTE,
	    "calls nest deeper than 512" },
	[DMT_THREAD_UNLISTED] = { "thread-unlisted", WARNING,
	    "thread that is not listed" },
	[DMT_METHOD_UNLISTED] = { "method-unlisted", WARNING,
	    "method that is not listed" },
};

const char *
dmtrace_severity_name(enum dmtrace_severity severity)
{
	static const char *const names[] = {
		[DMTRACE_NOTE] = "note",
		[DMTRACE_WARNING] = "warning",
		[DMTRACE_ERROR] = "error",
	};

	return (size_t)severity < sizeof(names) / sizeof(names[0]) ?
	    names[severity] : "";
}

int
dmtrace_finding_row(size_t index, struct dmtrace_finding *row)
{
	if (index >= DMT_FINDING_COUNT)
		return 1;
	*row = (struct dmtrace_finding){
		.name = rows[index].name,
		.severity = rows[index].severity,
		.words = rows[index].words
	};
	return 0;
}

static void DMT_PRINTF(3, 0)
fill(struct dmt_tally *tally, enum dmt_finding which, const char *format,
    va_list args)
{
	strcpy(tally->words, rows[which].words);
	if (format == NULL)
		return;
	strcat(tally->words, ": ");
	dmt_words_add(tally->words, format, args);
}

static struct dmtrace_finding
describe(const struct dmt_tally *tally, enum dmt_finding which)
{
	return (struct dmtrace_finding){
		.name = rows[which].name,
		.severity = rows[which].severity,
		.place = tally->place,
		.at = tally->at,
		.count = tally->count,
		.words = tally->words
	};
}

void
dmt_finding_add(struct dmt_findings *findings, enum dmt_finding which,
    enum dmtrace_place place, uint64_t at, const char *format, ...)
{
	struct dmt_tally *kept = &findings->tallies[which];
	struct dmt_tally tally = { .count = 1, .place = place, .at = at };
	va_list args;

	if (++kept->count > 1 && findings->report == NULL)
		return;
	va_start(args, format);
	fill(&tally, which, format, args);
	va_end(args);
	if (kept->count == 1) {
		*kept = tally;
		findings->order[findings->used++] = which;
	}
	if (findings->report == NULL)
		return;
	const struct dmtrace_finding finding = describe(&tally, which);
	findings->report(findings->context, &finding);
}

uint64_t
dmt_findings_sum(const struct dmt_findings *findings)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < DMT_FINDING_COUNT; i++)
		sum += findings->tallies[i].count;
	return sum;
}

const struct dmtrace_finding *
dmt_finding_get(struct dmt_findings *findings, size_t index)
{
	const enum dmt_finding which = findings->order[index];

	findings->handed_out = describe(&findings->tallies[which], which);
	return &findings->handed_out;
}
