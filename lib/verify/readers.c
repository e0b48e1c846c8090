/* readers.c - what other programs make of a trace that has some traits */

#include "verify/readers.h"

#include <string.h>

/*
 * As measured with files of one property or defect each. The letters are
 * those of letters[], one for each reader: dmtracedump, Traceview, perflib
 * of 2016, Android Studio, Firefox, Perfetto. Of several rows the worst
 * counts. A finding that no reader minds has no row.
 */
static const struct row {
	unsigned trait;			/* a finding or an enum dmt_trait */
	const char *receptions;
	const char *name;		/* NULL: that of the finding */
	const char *words;		/* NULL: those of the finding */
} rows[] = {
	{ DMT_TRAIT_NOT_TRACE, "rrrrrr", "not-trace",
	    "does not begin with \"*version\"" },
	{ DMT_TRAIT_DATA_ALONE, "rrrrrr", "data-alone",
	    "data without its key" },
	{ DMT_TRAIT_NO_END, "rrrrrr", "key-no-end",
	    "the key has no \"*end\"" },
	{ DMT_TRAIT_PAIR, "r.rrrr", "pair",
	    "key and data are two files" },
	{ DMT_TRAIT_STREAM, "rrr...", "stream",
	    "ART streaming" },
	{ DMT_TRAIT_STREAM_NO_SUMMARY, "rrrrmr", "stream-no-summary",
	    "ART streaming without the summary at its end" },
	{ DMT_TRAIT_STREAM_CUT, "rrrrrr", "stream-cut",
	    "ART streaming that is cut within a packet" },
	{ DMT_TRAIT_PACKETS, "rrrrr.", "packets",
	    "ART trace format V2" },
	{ DMT_KEY_BOM, "rrrrrr", NULL, NULL },
	{ DMT_KEY_LEADING_BLANK, "rrrrrr", NULL, NULL },
	{ DMT_KEY_CRLF, ".rrrrr", NULL, NULL },
	{ DMT_KEY_VERSION_BAD, ".rrrrr", NULL, NULL },
	{ DMT_KEY_SECTION_BLANKS, ".mmmrr", NULL, NULL },
	{ DMT_KEY_SECTION_MISSING, "r...r.", NULL, NULL },
	{ DMT_KEY_SECTION_REPEATED, "r...r.", NULL, NULL },
	{ DMT_KEY_SECTION_ORDER, "r...r.", NULL, NULL },
	{ DMT_KEY_SECTION_UNKNOWN, "r...rr", NULL, NULL },
	{ DMT_TRAIT_SECTION_ROWS, "rmmmrr", "key-section-rows",
	    "an unknown section has lines" },
	{ DMT_KEY_END_EXTRA, "mrrrrr", NULL, NULL },
	{ DMT_KEY_END_NO_LF, "rrrrrr", NULL, NULL },
	{ DMT_KEY_NOT_UTF8, "mmmrr.", NULL, NULL },
	{ DMT_TRAIT_NOT_ASCII, ".mm...", "key-not-ascii",
	    "names have characters that are not ASCII" },
	{ DMT_OPTION_MALFORMED, ".....r", NULL, NULL },
	{ DMT_TRAIT_OPTION_ODD, ".....r", "option-odd",
	    "option without a value, or with two \"=\"" },
	{ DMT_TRAIT_OPTION_BLANK, "....rc", "option-blank",
	    "blank line among the options" },
	{ DMT_TRAIT_THREAD_BLANK, "m...rc", "thread-blank",
	    "blank line among the threads" },
	{ DMT_TRAIT_METHOD_BLANK, "rr..rc", "method-blank",
	    "blank line among the methods" },
	{ DMT_CLOCK_MISSING, "...r..", NULL, NULL },
	{ DMT_CLOCK_UNKNOWN, "...r.r", NULL, NULL },
	{ DMT_CLOCK_DIFFERS, ".mmmmm", NULL, NULL },
	{ DMT_TRAIT_CLOCK_LOST, ".mm.mm", "clock-lost",
	    "two times, and no clock that says so" },
	{ DMT_TRAIT_CLOCK_CPU, ".....r", "clock-thread-cpu",
	    "the clock is thread-cpu" },
	{ DMT_TRAIT_CLOCK_GLOBAL, "...r.r", "clock-global",
	    "the clock is global" },
	{ DMT_THREAD_NONE, "r.....", NULL, NULL },
	{ DMT_THREAD_BLANKS, "mmmmmr", NULL, NULL },
	{ DMT_THREAD_ID_BAD, "mmmmmr", NULL, NULL },
	{ DMT_THREAD_ID_ODD, "mmmmmr", NULL, NULL },
	{ DMT_THREAD_NAME_TAB, "....mr", NULL, NULL },
	{ DMT_THREAD_NAME_EMPTY, ".....r", NULL, NULL },
	{ DMT_METHOD_NONE, "r.....", NULL, NULL },
	{ DMT_METHOD_BLANKS, "rrmmmr", NULL, NULL },
	{ DMT_METHOD_ID_BAD, "rrmmmr", NULL, NULL },
	{ DMT_METHOD_ID_LOW_BITS, "mmm...", NULL, NULL },
	{ DMT_METHOD_ID_HIGH, "....m.", NULL, NULL },
	{ DMT_METHOD_NAME_EMPTY, "m....r", NULL, NULL },
	{ DMT_METHOD_REPEATED, "m.....", NULL, NULL },
	{ DMT_TRAIT_COLUMNS_1, "rrrrmr", "method-columns-1",
	    "method's line has nothing but an id" },
	{ DMT_TRAIT_COLUMNS_2, "m.....", "method-columns-2",
	    "method's line has 2 columns" },
	{ DMT_TRAIT_COLUMNS_3, "mrrr.r", "method-columns-3",
	    "method's line has 3 columns" },
	{ DMT_TRAIT_COLUMNS_5, "m.....", "method-columns-5",
	    "method's line has 5 columns, as ART writes" },
	{ DMT_TRAIT_SIGNATURE_LAST, "mrrrmr", "method-signature-last",
	    "method's line ends in an empty signature" },
	{ DMT_TRAIT_SIGNATURE_EMPTY, ".....m", "method-signature-empty",
	    "method without a signature, with a file" },
	{ DMT_TRAIT_ID_DECIMAL, ".....m", "method-id-decimal",
	    "method id is decimal" },
	{ DMT_TRAIT_ID_OCTAL, "mmmmm.", "method-id-octal",
	    "method id begins with 0, and is octal to some" },
	{ DMT_TRAIT_ID_HEX, "rrmmm.", "method-id-hex",
	    "method id is hexadecimal without 0x" },
	{ DMT_TRAIT_ID_NIL, "rrmmmr", "method-id-nil",
	    "method id is (nil)" },
	{ DMT_DATA_GAP, "rrrrrr", NULL, NULL },
	{ DMT_DATA_MISSING, "rrrrrr", NULL, NULL },
	{ DMT_VERSION_DIFFERS, ".rrrrr", NULL, NULL },
	{ DMT_TRAIT_VERSION_1, ".....m", "version-1",
	    "records of version 1" },
	{ DMT_TRAIT_VERSION_OTHER, "rrrrrr", "version-other",
	    "the data has a version other than 1 to 3" },
	{ DMT_TRAIT_MAGIC_BAD, ".rrrrr", "magic-bad",
	    "the data does not begin with \"SLOW\"" },
	{ DMT_TRAIT_HEADER_CUT, "rrrrrr", "header-cut",
	    "the data header is cut short" },
	{ DMT_TRAIT_OFFSET_BACK, "mrrr.m", "offset-outside",
	    "the data offset is within the header or behind the end" },
	{ DMT_TRAIT_OFFSET_BACK_ODD, "....r.", "offset-back",
	    "the data offset is within the header, which is no records" },
	{ DMT_TRAIT_OFFSET_NOT_32, ".....m", "offset-not-32",
	    "the data offset is not 32" },
	{ DMT_TRAIT_OFFSET_UNEVEN, ".....r", "offset-uneven",
	    "the data offset is not 32 plus whole records" },
	{ DMT_RECORD_SIZE_MISSING, "mmrrrr", NULL, NULL },
	{ DMT_TRAIT_SIZE_0, "m..mcr", "record-size-0",
	    "the record size is 0" },
	{ DMT_TRAIT_SIZE_SMALL, ".....r", "record-size-small",
	    "version 3 with records of less than 14 bytes" },
	{ DMT_RECORD_IDS_WIDE, "mmmmmm", NULL, NULL },
	{ DMT_RECORD_RESERVED, ".rrrrm", NULL, NULL },
	{ DMT_TRAIT_RESERVED_OTHER, "d.....", "record-reserved-other",
	    "reserved action on another method than the innermost" },
	{ DMT_RECORD_PARTIAL, "..rrrr", NULL, NULL },
	{ DMT_TIME_HIGH, ".mmm..", NULL, NULL },
	{ DMT_THREAD_HIGH, ".mmm..", NULL, NULL },
	{ DMT_TRAIT_THREAD_BEYOND, "c.....", "thread-beyond",
	    "thread number is above 50,000" },
	{ DMT_EXIT_MISMATCH, "drr...", NULL, NULL },
	{ DMT_EXIT_STRAY, "drr...", NULL, NULL },
	{ DMT_CALL_DEEP, ".....m", NULL, NULL },
	{ DMT_TRAIT_DEPTH_BEYOND, "d.....", "call-deeper",
	    "calls nest deeper than 10,000" },
	{ DMT_THREAD_UNLISTED, ".mm...", NULL, NULL },
	{ DMT_METHOD_UNLISTED, "mmm...", NULL, NULL },
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
describe(const struct row *row, const char **rule, const char **words)
{
	struct dmtrace_finding finding;

	*rule = row->name;
	*words = row->words;
	if (row->name != NULL)
		return;
	dmtrace_finding_row(row->trait, &finding);
	*rule = finding.name;
	*words = finding.words;
}

int
dmtrace_reader_rule_get(size_t index, const char **rule, const char **words,
    enum dmtrace_reception receptions[DMTRACE_READERS])
{
	if (index >= ROWS)
		return 1;
	describe(&rows[index], rule, words);
	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		receptions[i] = reception_of(&rows[index], i);
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
