/* readers.c - what other programs make of a trace that has some traits */

#include "verify/readers.h"

#include <string.h>

#include "verify/plain.h"

/* What a row stands on: files like that, or what is known of the reader. */
enum basis { SEEN, KNOWN };

/*
 * As measured with files of one property or defect each. The letters are
 * those of letters[], one for each reader: dmtracedump, Traceview, perflib
 * of 2016, Android Studio, Firefox, Perfetto. Of several rows the worst
 * counts. A finding that no reader minds has no row.
 */
static const struct row {
	unsigned trait;			/* a finding or an enum dmt_trait */
	const char *receptions;
	enum basis basis;
	unsigned cures;			/* enum dmt_cure, where the plain form
					   alone will not do */
	const char *name;		/* NULL: that of the finding */
	const char *words;		/* NULL: those of the finding */
} rows[] = {
	{ DMT_TRAIT_NOT_TRACE, "rrrrrr", SEEN, 0,
	    "not-trace", "does not begin with \"*version\"" },
	{ DMT_TRAIT_DATA_ALONE, "rrrrrr", SEEN, 0,
	    "data-alone", "data without its key" },
	{ DMT_TRAIT_NO_END, "rrrrrr", SEEN, 0,
	    "key-no-end", "the key has no \"*end\"" },
	{ DMT_TRAIT_PAIR, "r.rrrr", SEEN, 0,
	    "pair", "key and data are two files" },
	{ DMT_TRAIT_STREAM, "rrr...", SEEN, 0,
	    "stream", "ART streaming" },
	{ DMT_TRAIT_STREAM_NO_SUMMARY, "rrrrmr", SEEN, 0,
	    "stream-no-summary",
	    "ART streaming without the summary at its end" },
	{ DMT_TRAIT_STREAM_CUT, "rrrrrr", SEEN, 0,
	    "stream-cut", "ART streaming that is cut within a packet" },
	{ DMT_TRAIT_PACKETS, "rrrrr.", KNOWN, 0,
	    "packets", "ART trace format V2" },
	{ DMT_KEY_BOM, "rrrrrr", SEEN, 0, NULL, NULL },
	{ DMT_KEY_LEADING_BLANK, "rrrrrr", SEEN, 0, NULL, NULL },
	{ DMT_KEY_CRLF, ".rrrrr", SEEN, 0, NULL, NULL },
	{ DMT_KEY_VERSION_BAD, ".rrrrr", KNOWN, 0, NULL, NULL },
	{ DMT_KEY_SECTION_BLANKS, ".mmmrr", KNOWN, 0, NULL, NULL },
	{ DMT_KEY_SECTION_MISSING, "m...r.", KNOWN, 0, NULL, NULL },
	{ DMT_KEY_SECTION_REPEATED, "r...r.", KNOWN, 0, NULL, NULL },
	{ DMT_KEY_SECTION_ORDER, "r...r.", SEEN, 0, NULL, NULL },
	{ DMT_KEY_SECTION_UNKNOWN, "r...rr", KNOWN, 0, NULL, NULL },
	{ DMT_TRAIT_SECTION_ROWS, "rmmmrr", SEEN, 0,
	    "key-section-rows", "an unknown section has lines" },
	{ DMT_KEY_END_EXTRA, "mrrrrr", SEEN, 0, NULL, NULL },
	{ DMT_KEY_END_NO_LF, "rrrrrr", SEEN, 0, NULL, NULL },
	{ DMT_KEY_NOT_UTF8, "mmmrr.", SEEN, DMT_CURE_UTF8, NULL, NULL },
	{ DMT_TRAIT_NOT_ASCII, ".mm...", SEEN, DMT_CURE_ASCII,
	    "key-not-ascii", "names have characters that are not ASCII" },
	{ DMT_TRAIT_NAME_NUL, "m.....", SEEN, 0,
	    "key-nul", "a name holds a NUL" },
	{ DMT_OPTION_MALFORMED, ".....r", SEEN, DMT_CURE_OPTIONS, NULL, NULL },
	{ DMT_TRAIT_OPTION_ODD, ".....r", SEEN, DMT_CURE_OPTIONS,
	    "option-odd", "option without a value, or with two \"=\"" },
	{ DMT_TRAIT_OPTION_BLANK, "....rc", SEEN, 0,
	    "option-blank", "blank line among the options" },
	{ DMT_TRAIT_THREAD_BLANK, "m...rc", SEEN, 0,
	    "thread-blank", "blank line among the threads" },
	{ DMT_TRAIT_METHOD_BLANK, "rr..rc", SEEN, 0,
	    "method-blank", "blank line among the methods" },
	{ DMT_CLOCK_MISSING, "...r..", SEEN, 0, NULL, NULL },
	{ DMT_CLOCK_UNKNOWN, "...r.r", SEEN, 0, NULL, NULL },
	{ DMT_CLOCK_DIFFERS, ".mmmmm", KNOWN, 0, NULL, NULL },
	{ DMT_TRAIT_CLOCK_LOST, ".mm.mm", SEEN, 0,
	    "clock-lost", "two times, and no clock that says so" },
	{ DMT_TRAIT_CLOCK_CPU, ".....r", SEEN, DMT_CURE_DUAL,
	    "clock-thread-cpu", "the clock is thread-cpu" },
	{ DMT_TRAIT_CLOCK_GLOBAL, "...r.r", SEEN, 0,
	    "clock-global", "the clock is global" },
	{ DMT_TRAIT_THREAD_NO_LINE, "r.....", SEEN, 0,
	    "thread-none", "the section of threads has no line" },
	{ DMT_THREAD_BLANKS, "mmmmmr", SEEN, 0, NULL, NULL },
	{ DMT_THREAD_ID_BAD, "mmmmmr", KNOWN, 0, NULL, NULL },
	{ DMT_TRAIT_THREAD_ID_HEX, "mmmmmr", SEEN, 0,
	    "thread-id-hex", "thread id is hexadecimal" },
	{ DMT_TRAIT_THREAD_ID_OTHER, ".mmm.r", KNOWN, 0,
	    "thread-id-blank", "blanks before the id of a thread" },
	{ DMT_THREAD_NAME_TAB, "....mr", SEEN, 0, NULL, NULL },
	{ DMT_THREAD_NAME_EMPTY, ".....r", SEEN, 0, NULL, NULL },
	{ DMT_TRAIT_METHOD_NO_LINE, "r.....", SEEN, 0,
	    "method-none", "no line is about a method" },
	{ DMT_METHOD_BLANKS, "rrmmmr", SEEN, 0, NULL, NULL },
	{ DMT_METHOD_ID_BAD, "mrmmmr", KNOWN, 0, NULL, NULL },
	{ DMT_METHOD_ID_LOW_BITS, "mmm...", SEEN, 0, NULL, NULL },
	{ DMT_TRAIT_ID_HIGH_DUAL, "....m.", SEEN, DMT_CURE_METHODS,
	    "method-id-high", "method ids of 2^31 or more, and two times" },
	{ DMT_METHOD_NAME_EMPTY, "m....r", SEEN, 0, NULL, NULL },
	{ DMT_METHOD_REPEATED, "m.....", SEEN, 0, NULL, NULL },
	{ DMT_TRAIT_COLUMNS_1, "rrrrmr", SEEN, 0,
	    "method-columns-1", "method's line has nothing but an id" },
	{ DMT_TRAIT_COLUMNS_2, "m.....", SEEN, 0,
	    "method-columns-2", "method's line has 2 columns" },
	{ DMT_TRAIT_COLUMNS_3, "mrrr.r", SEEN, 0,
	    "method-columns-3", "method's line has 3 columns" },
	{ DMT_TRAIT_COLUMNS_5, "m.....", SEEN, DMT_CURE_FILE,
	    "method-columns-5", "method's line has 5 columns, as ART writes" },
	{ DMT_TRAIT_SIGNATURE_LAST, "mrrrmr", SEEN, 0,
	    "method-signature-last",
	    "method's line ends in an empty signature" },
	{ DMT_TRAIT_SIGNATURE_ODD, ".....m", KNOWN, 0,
	    "method-signature-odd",
	    "signature, of 4 columns, does not begin with \"(\"" },
	{ DMT_TRAIT_COLUMN_EMPTY, "m.....", SEEN, DMT_CURE_FILE,
	    "method-column-empty",
	    "empty column among the last ones of 6 or more" },
	{ DMT_TRAIT_SIGNATURE_EMPTY, ".....m", KNOWN, 0,
	    "method-signature-empty",
	    "method without a signature, with a file" },
	{ DMT_TRAIT_ID_DECIMAL, ".....m", KNOWN, 0,
	    "method-id-decimal", "method id is decimal" },
	{ DMT_TRAIT_ID_OCTAL, "mmmmm.", SEEN, 0,
	    "method-id-octal",
	    "method id begins with 0, and is octal to some" },
	{ DMT_TRAIT_ID_HEX, "rrmmm.", SEEN, 0,
	    "method-id-hex", "method id is hexadecimal without 0x" },
	{ DMT_TRAIT_ID_NIL, "rrmmmr", KNOWN, 0,
	    "method-id-nil", "method id is (nil)" },
	{ DMT_TRAIT_ID_NOT_C, "r.....", KNOWN, 0,
	    "method-id-not-c", "method id is no number to strtoul()" },
	{ DMT_DATA_GAP, "rrrrrr", SEEN, 0, NULL, NULL },
	{ DMT_DATA_MISSING, "rrrrrr", SEEN, 0, NULL, NULL },
	{ DMT_VERSION_DIFFERS, ".rrrrr", SEEN, 0, NULL, NULL },
	{ DMT_TRAIT_VERSION_1, ".....m", SEEN, DMT_CURE_VERSION,
	    "version-1", "records of version 1" },
	{ DMT_TRAIT_VERSION_OTHER, "rrrrrr", SEEN, 0,
	    "version-other", "the data has a version other than 1 to 3" },
	{ DMT_TRAIT_MAGIC_BAD, ".rrrrr", SEEN, 0,
	    "magic-bad", "the data does not begin with \"SLOW\"" },
	{ DMT_TRAIT_HEADER_CUT, "rrrrrr", SEEN, 0,
	    "header-cut", "the data header is cut short" },
	{ DMT_TRAIT_OFFSET_BACK, "mrrr.m", SEEN, 0,
	    "offset-outside",
	    "the data offset is within the header or behind the end" },
	{ DMT_TRAIT_OFFSET_BACK_ODD, "....r.", SEEN, 0,
	    "offset-back",
	    "the data offset is within the header, which is no records" },
	{ DMT_TRAIT_OFFSET_NOT_32, ".....m", SEEN, 0,
	    "offset-not-32", "the data offset is not 32" },
	{ DMT_TRAIT_OFFSET_UNEVEN, ".....r", SEEN, 0,
	    "offset-uneven", "the data offset is not 32 plus whole records" },
	{ DMT_RECORD_SIZE_MISSING, "mmrrrr", KNOWN, 0, NULL, NULL },
	{ DMT_TRAIT_SIZE_0, "m..mcr", SEEN, 0,
	    "record-size-0", "the record size is 0" },
	{ DMT_TRAIT_SIZE_TINY, "mmmmmr", KNOWN, 0,
	    "record-size-tiny",
	    "the record size is less than 10, and not 0" },
	{ DMT_TRAIT_SIZE_HIGH, "m.....", KNOWN, 0,
	    "record-size-high", "the record size is 32,768 or more" },
	{ DMT_TRAIT_SIZE_SMALL, ".....r", SEEN, 0,
	    "record-size-small",
	    "version 3 with records of less than 14 bytes" },
	{ DMT_RECORD_IDS_WIDE, "mmmmmm", KNOWN, DMT_CURE_METHODS, NULL, NULL },
	{ DMT_RECORD_RESERVED, ".rrrrm", SEEN, 0, NULL, NULL },
	{ DMT_TRAIT_RESERVED_OTHER, "d.....", KNOWN, 0,
	    "record-reserved-other",
	    "reserved action on another method than the innermost" },
	{ DMT_TRAIT_PARTIAL_ONLY, "r.....", SEEN, 0,
	    "record-partial-only", "a part of a record, and no whole one" },
	{ DMT_RECORD_PARTIAL, "..rrrr", SEEN, 0, NULL, NULL },
	{ DMT_TIME_HIGH, ".mmm..", SEEN, DMT_CURE_TIMES, NULL, NULL },
	{ DMT_THREAD_HIGH, ".mmm..", SEEN, DMT_CURE_THREADS, NULL, NULL },
	{ DMT_TRAIT_THREAD_BEYOND, "c.....", SEEN, DMT_CURE_THREADS,
	    "thread-beyond", "thread number is above 49,152" },
	{ DMT_EXIT_MISMATCH, "drr...", SEEN, 0, NULL, NULL },
	{ DMT_EXIT_STRAY, "drr...", SEEN, 0, NULL, NULL },
	{ DMT_CALL_DEEP, ".....m", SEEN, DMT_CURE_DEPTH, NULL, NULL },
	{ DMT_TRAIT_DEPTH_BEYOND, "d.....", SEEN, DMT_CURE_DEPTH_MORE,
	    "call-deeper", "calls nest deeper than 10,000" },
	{ DMT_THREAD_UNLISTED, ".mm...", SEEN, 0, NULL, NULL },
	{ DMT_TRAIT_THREAD_MODULO, ".mm...", KNOWN, 0,
	    "thread-modulo",
	    "thread is listed by a number that its records cannot hold" },
	{ DMT_METHOD_UNLISTED, "mmm...", SEEN, 0, NULL, NULL },
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* By enum dmtrace_reception. */
static const char letters[] = ".dmrc";

const char *
dmtrace_other_reader_name(enum dmtrace_other_reader reader)
{
	static const char *const names[DMTRACE_READERS] = { "dmtracedump",
	    "traceview", "perflib2016", "studio", "firefox", "perfetto" };

	return (unsigned)reader < DMTRACE_READERS ? names[reader] : "";
}

const char *
dmtrace_reception_name(enum dmtrace_reception reception)
{
	static const char *const names[] =
	    { "reads", "dump-only", "misreads", "refuses", "crashes" };

	return (size_t)reception < sizeof(names) / sizeof(names[0]) ?
	    names[reception] : "";
}

static enum dmtrace_reception
reception_of(const struct row *row, unsigned reader)
{
	return (enum dmtrace_reception)
	    (strchr(letters, row->receptions[reader]) - letters);
}

static void
describe(const struct row *row, const char **name, const char **words)
{
	struct dmtrace_finding finding;

	*name = row->name;
	*words = row->words;
	if (row->name != NULL)
		return;
	dmtrace_finding_row(row->trait, &finding);
	*name = finding.name;
	*words = finding.words;
}

int
dmtrace_reader_rule_get(size_t index, struct dmtrace_reader_rule *rule)
{
	if (index >= ROWS)
		return 1;
	describe(&rows[index], &rule->name, &rule->words);
	rule->measured = rows[index].basis == SEEN;
	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		rule->receptions[i] = reception_of(&rows[index], i);
	return 0;
}

static void
judge(struct dmtrace_verdict *verdict, const struct dmt_traits *traits,
    unsigned reader)
{
	const struct row *worst = NULL;

	*verdict = (struct dmtrace_verdict){ .reception = DMTRACE_READS };
	for (unsigned i = 0; i < ROWS; i++) {
		const enum dmtrace_reception reception =
		    reception_of(&rows[i], reader);

		if (!traits->has[rows[i].trait] ||
		    reception <= verdict->reception)
			continue;
		verdict->reception = reception;
		worst = &rows[i];
	}
	if (worst != NULL)
		describe(worst, &verdict->rule, &verdict->words);
}

void
dmt_readers_judge(struct dmtrace_verdict verdicts[DMTRACE_READERS],
    const struct dmt_traits *traits)
{
	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		judge(&verdicts[i], traits, i);
}

unsigned
dmt_readers_cures(const struct dmt_traits *traits, unsigned readers)
{
	unsigned cures = 0;

	for (unsigned i = 0; i < ROWS; i++)
		for (unsigned reader = 0; reader < DMTRACE_READERS; reader++)
			if (traits->has[rows[i].trait] &&
			    (readers & 1u << reader) != 0 &&
			    reception_of(&rows[i], reader) != DMTRACE_READS)
				cures |= rows[i].cures;
	return cures;
}
