/* repair_change.c - every change that repair makes, by name, and the tally */

#include "ops/repair_change.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"

#define MENDED DMTRACE_CHANGE_MENDED
#define INVENTED DMTRACE_CHANGE_INVENTED
#define DROPPED DMTRACE_CHANGE_DROPPED
#define LOST DMTRACE_CHANGE_LOST
#define KEPT DMTRACE_CHANGE_KEPT

/* Names are those of findings where there is such a finding. */
static const struct row {
	const char *name;
	enum dmtrace_change_kind kind;
	const char *words;
} rows[DMT_FIX_COUNT_OF] = {
	[DMT_FIX_KEY_MISSING] = { "key-missing", INVENTED,
	    "there is no key, one was made of what the records say" },
	[DMT_FIX_BOM] = { "key-bom", MENDED,
	    "the byte order mark was left out" },
	[DMT_FIX_LEADING_BLANK] = { "key-leading-blank", MENDED,
	    "what stood before \"*version\" was left out" },
	[DMT_FIX_CRLF] = { "key-crlf", MENDED,
	    "CR LF at the end of a line became LF" },
	[DMT_FIX_DAMAGED] = { "key-damaged", LOST,
	    "EF BF BD, which stands for destroyed bytes, became \"?\"" },
	[DMT_FIX_BLANK_LINE] = { "key-blank-line", MENDED,
	    "blank line was left out" },
	[DMT_FIX_LINE_CUT] = { "key-line-cut", DROPPED,
	    "the key ends within a line, which was left out" },
	[DMT_FIX_LINE_ZEROED] = { "key-line-zeroed", LOST,
	    "line with bytes that were destroyed, now NUL, was left out" },
	[DMT_FIX_VERSION_BAD] = { "key-version-bad", MENDED,
	    "a plain number was put below \"*version\"" },
	[DMT_FIX_SECTION_UNKNOWN] = { "key-section-unknown", DROPPED,
	    "unknown section was left out, with its lines" },
	[DMT_FIX_SECTION_REPEATED] = { "key-section-repeated", MENDED,
	    "section that comes more than once was put together" },
	[DMT_FIX_SECTION_MISSING] = { "key-section-missing", INVENTED,
	    "section was added" },
	[DMT_FIX_SECTION_ORDER] = { "key-section-order", MENDED,
	    "section out of order was put in its place" },
	[DMT_FIX_SECTION_BLANKS] = { "key-section-blanks", MENDED,
	    "blanks behind the name of a section were left out" },
	[DMT_FIX_END_MISSING] = { "key-end-missing", INVENTED,
	    "\"*end\" was added" },
	[DMT_FIX_END_EXTRA] = { "key-end-extra", DROPPED,
	    "what stood behind \"*end\" on its line was left out" },
	[DMT_FIX_END_NO_LF] = { "key-end-no-lf", MENDED,
	    "LF was put behind \"*end\"" },
	[DMT_FIX_CLOCK] = { "clock-differs", MENDED,
	    "the clock line was set to what the records hold" },
	[DMT_FIX_OVERFLOW] = { "overflow", KEPT,
	    "the buffer was full: the end of the trace is lost, and times of"
	    " calls open at its end are lower bounds" },
	[DMT_FIX_COUNT] = { "count-differs", MENDED,
	    "num-method-calls was set to the number of records" },
	[DMT_FIX_THREAD_BLANKS] = { "thread-blanks", MENDED,
	    "blanks in a thread's line became a TAB" },
	[DMT_FIX_THREAD_ID_BAD] = { "thread-id-bad", DROPPED,
	    "thread without a number was left out" },
	[DMT_FIX_THREAD_ID_ODD] = { "thread-id-odd", MENDED,
	    "thread id was written as plain decimal" },
	[DMT_FIX_THREAD_REPEATED] = { "thread-repeated", DROPPED,
	    "line of a thread id that is listed before was left out" },
	[DMT_FIX_THREAD_UNLISTED] = { "thread-unlisted", INVENTED,
	    "thread that records name was listed" },
	[DMT_FIX_THREAD_NONE] = { "thread-none", INVENTED,
	    "no thread is listed or occurs, one was made up" },
	[DMT_FIX_METHOD_BLANKS] = { "method-blanks", MENDED,
	    "blanks in a method's line became TABs" },
	[DMT_FIX_METHOD_ID_BAD] = { "method-id-bad", DROPPED,
	    "method without a number was left out" },
	[DMT_FIX_METHOD_ID_ODD] = { "method-id-odd", MENDED,
	    "method id was written in hexadecimal with 0x" },
	[DMT_FIX_METHOD_LOW_BITS] = { "method-id-low-bits", MENDED,
	    "the two low bits of a method's id were cleared" },
	[DMT_FIX_METHOD_COLUMNS] = { "method-columns", INVENTED,
	    "columns were added to a method's line" },
	[DMT_FIX_METHOD_REPEATED] = { "method-repeated", DROPPED,
	    "line of a method id that is listed before was left out" },
	[DMT_FIX_METHOD_UNLISTED] = { "method-unlisted", INVENTED,
	    "method that records name was listed" },
	[DMT_FIX_METHOD_NONE] = { "method-none", INVENTED,
	    "no method is listed or occurs, one was made up" },
	[DMT_FIX_SWAPPED] = { "pair-swapped", MENDED,
	    "key and data that had each other's names were put right" },
	[DMT_FIX_GAP] = { "data-gap", DROPPED,
	    "bytes between the key and the magic were left out" },
	[DMT_FIX_DATA_MISSING] = { "data-missing", INVENTED,
	    "there is no data, a header was added" },
	[DMT_FIX_DATA_UNREADABLE] = { "data-unreadable", LOST,
	    "no records can be made out, the data was left out" },
	[DMT_FIX_DATA_CRLF] = { "data-crlf", MENDED,
	    "CR LF in the data, as a copy in text mode makes it, became LF" },
	[DMT_FIX_DATA_MANGLED] = { "data-mangled", MENDED,
	    "data that was taken for text and written as UTF-8 was put back" },
	[DMT_FIX_RECORD_DAMAGED] = { "record-damaged", LOST,
	    "record with EF BF BD, which stands for destroyed bytes, was left"
	    " out" },
	[DMT_FIX_MAGIC] = { "header-magic", MENDED,
	    "the magic was put where it belongs" },
	[DMT_FIX_HEADER_CUT] = { "header-cut", INVENTED,
	    "the data header ends too early, the rest was added" },
	[DMT_FIX_VERSION] = { "version-differs", MENDED,
	    "the versions of key and data were made to agree" },
	[DMT_FIX_OFFSET] = { "header-offset", MENDED,
	    "the data offset was set to where the records begin" },
	[DMT_FIX_RECORD_SIZE] = { "header-record-size", MENDED,
	    "the record size was set to that of the records" },
	[DMT_FIX_PARTIAL] = { "record-partial", DROPPED,
	    "the last record, which is cut short, was left out" },
	[DMT_FIX_TAIL] = { "record-tail", DROPPED,
	    "what stands behind the records and is none was left out" },
	[DMT_FIX_RECORD_BLANK] = { "record-blank", DROPPED,
	    "record of zeros was left out" },
	[DMT_FIX_RESERVED] = { "record-reserved", MENDED,
	    "record with the reserved action 3 became the exit that was due" },
	[DMT_FIX_RESERVED_DROPPED] = { "record-reserved", DROPPED,
	    "record with the reserved action 3 was left out" },
	[DMT_FIX_TIME_BACK] = { "time-back", MENDED,
	    "time that goes back within a thread was changed" },
	[DMT_FIX_TIME_DROPPED] = { "time-back", DROPPED,
	    "record whose time goes back within its thread was left out" },
	[DMT_FIX_EXIT_BEFORE] = { "exit-before", INVENTED,
	    "enter was added at the beginning for an exit without one" },
	[DMT_FIX_EXIT_STRAY] = { "exit-stray", DROPPED,
	    "exit of a method that is not open was left out" },
	[DMT_FIX_EXIT_MISMATCH] = { "exit-mismatch", INVENTED,
	    "exit was added for a frame that an outer exit leaves open" },
	[DMT_FIX_CALL_OPEN] = { "call-open", INVENTED,
	    "exit was added at the end for a call that is still open" },
	[DMT_FIX_PAIR] = { "pair", MENDED,
	    "key and data were put into one file" },
	[DMT_FIX_OPTION] = { "option-malformed", DROPPED,
	    "option line that is not name=value was left out" },
	[DMT_FIX_OPTION_REPEATED] = { "option-repeated", DROPPED,
	    "option that came before was left out" },
	[DMT_FIX_NAME_BYTES] = { "key-not-utf8", MENDED,
	    "bytes that are no characters were written as \\xNN" },
	[DMT_FIX_NAME_ASCII] = { "key-not-ascii", MENDED,
	    "characters that are not ASCII were written as \\uNNNN" },
	[DMT_FIX_NAME_TAB] = { "thread-name-tab", MENDED,
	    "TAB in the name of a thread became a blank" },
	[DMT_FIX_NAME_EMPTY] = { "thread-name-empty", INVENTED,
	    "thread without a name was given one" },
	[DMT_FIX_THREAD_NUMBER] = { "thread-high", MENDED,
	    "thread was given another number" },
	[DMT_FIX_METHOD_NAME] = { "method-name-empty", INVENTED,
	    "method without a class or a name was given one" },
	[DMT_FIX_METHOD_SIGNATURE] = { "method-signature", INVENTED,
	    "signature of a method was made one" },
	[DMT_FIX_METHOD_FILE] = { "method-columns-5", MENDED,
	    "-1, for none, was put where a method lacks its line number" },
	[DMT_FIX_METHOD_LINE] = { "method-line-bad", DROPPED,
	    "line number of a method without a file was left out" },
	[DMT_FIX_METHOD_NUMBER] = { "method-id-high", MENDED,
	    "method was given another id" },
	[DMT_FIX_HEADER] = { "offset-not-32", MENDED,
	    "the data header was written with 32 bytes" },
	[DMT_FIX_LAYOUT] = { "record-layout", MENDED,
	    "records were written in another layout" },
	[DMT_FIX_CLOCK_NAMED] = { "clock-missing", MENDED,
	    "the clock line was set to what readers take the times for" },
	[DMT_FIX_CLOCK_DUAL] = { "clock-thread-cpu", INVENTED,
	    "records were given a wall time, the same as their CPU time" },
	[DMT_FIX_TIME_MOVED] = { "time-high", MENDED,
	    "times were moved, to begin at 0" },
	[DMT_FIX_TIME_HIGH] = { "time-high", LOST,
	    "time of 2^31 microseconds or more was set to the highest below"
	    " it" },
	[DMT_FIX_CALL_DEEP] = { "call-deep", DROPPED,
	    "record of a call deeper than readers show was left out" },
};

const char *
dmtrace_change_kind_name(enum dmtrace_change_kind kind)
{
	static const char *const names[] = {
		[MENDED] = "mended",
		[INVENTED] = "invented",
		[DROPPED] = "dropped",
		[LOST] = "lost",
		[KEPT] = "kept",
	};

	return (size_t)kind < sizeof(names) / sizeof(names[0]) ?
	    names[kind] : "";
}

void
dmt_change_add(struct dmt_changes *changes, enum dmt_change which,
    uint64_t n, enum dmtrace_place place, uint64_t at, const char *format,
    ...)
{
	struct dmt_change_tally *const tally = &changes->tallies[which];
	va_list args;

	if (n == 0)
		return;
	tally->count += n;
	if (tally->count > n)
		return;
	tally->place = place;
	tally->at = at;
	strcpy(tally->words, rows[which].words);
	if (format == NULL)
		return;
	strcat(tally->words, ": ");
	va_start(args, format);
	dmt_words_add(tally->words, format, args);
	va_end(args);
}

uint64_t
dmt_changes_count(const struct dmt_changes *changes)
{
	uint64_t count = 0;

	for (size_t i = 0; i < DMT_FIX_COUNT_OF; i++)
		if (rows[i].kind != KEPT)
			count += changes->tallies[i].count;
	return count;
}

void
dmt_changes_tell(const struct dmt_changes *changes,
    dmtrace_change_fn *change, void *context)
{
	for (size_t i = 0; i < DMT_FIX_COUNT_OF; i++) {
		const struct dmt_change_tally *const tally =
		    &changes->tallies[i];
		const struct dmtrace_change made = {
			.name = rows[i].name,
			.kind = rows[i].kind,
			.place = tally->place,
			.at = tally->at,
			.count = tally->count,
			.words = tally->words
		};

		if (tally->count > 0 && change != NULL)
			change(context, &made);
	}
}

void
dmt_changes_merge(struct dmt_changes *changes, const struct dmt_changes *more)
{
	for (size_t i = 0; i < DMT_FIX_COUNT_OF; i++) {
		struct dmt_change_tally *const tally = &changes->tallies[i];
		const uint64_t count = tally->count;

		if (count == 0)
			*tally = more->tallies[i];
		else
			tally->count += more->tallies[i].count;
	}
}

/* The count of a name in an older value, "name:count,..."; 0: none. */
static uint64_t
old_count(const struct dmtrace_option *old, const char *name)
{
	const size_t len = strlen(name);
	const char *at = old == NULL ? NULL : old->value.bytes;
	const char *const end = at == NULL ? NULL : at + old->value.len;
	uint64_t count = 0;

	while (at != NULL && (size_t)(end - at) > len &&
	    (memcmp(at, name, len) != 0 || at[len] != ':')) {
		at = memchr(at, ',', (size_t)(end - at));
		at = at == NULL ? NULL : at + 1;
	}
	if (at == NULL || (size_t)(end - at) <= len)
		return 0;
	for (at += len + 1; at < end && *at >= '0' && *at <= '9' &&
	    count < UINT64_MAX / 100; at++)
		count = count * 10 + (uint64_t)(*at - '0');
	return count;
}

/* Two rows of one name are told together, by the first of them. */
static uint64_t
sum(const struct dmt_changes *changes, size_t row)
{
	uint64_t count = 0;

	if (row > 0 && strcmp(rows[row - 1].name, rows[row].name) == 0)
		return 0;
	for (size_t i = row; i < DMT_FIX_COUNT_OF &&
	    strcmp(rows[i].name, rows[row].name) == 0; i++)
		if (rows[i].kind != MENDED && rows[i].kind != KEPT)
			count += changes->tallies[i].count;
	return count;
}

char *
dmt_changes_option(const struct dmt_changes *changes,
    const struct dmtrace_option *old)
{
	const size_t room = DMT_FIX_COUNT_OF * 48;
	char *const value = malloc(room);
	size_t len = 0;

	if (value == NULL)
		return NULL;
	value[0] = '\0';
	for (size_t i = 0; i < DMT_FIX_COUNT_OF; i++) {
		uint64_t count = sum(changes, i);

		if (i == 0 || strcmp(rows[i - 1].name, rows[i].name) != 0)
			count += old_count(old, rows[i].name);
		if (count > 0)
			len += (size_t)snprintf(value + len, room - len,
			    "%s%s:%" PRIu64, len > 0 ? "," : "",
			    rows[i].name, count);
	}
	return value;
}
