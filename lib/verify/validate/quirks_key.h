/* quirks_key.h - the lines of a key, as each reader reads them */
#ifndef DMT_VERIFY_QUIRKS_KEY_H
#define DMT_VERIFY_QUIRKS_KEY_H

#include "verify/validate/quirks.h"

/* Properties of a method's line that matter only if the method has an event:
 * bits of the uses of struct dmt_quirk_search. */
enum dmt_use {
	DMT_USE_LOW_BITS = 1,
	DMT_USE_COLUMNS_2 = 2,
	DMT_USE_COLUMNS_3 = 4,
	DMT_USE_COLUMNS_5 = 8,
	DMT_USE_COLUMN_EMPTY = 16,
	DMT_USE_NAME_EMPTY = 32,
	DMT_USE_SIGNATURE_LAST = 64,
	DMT_USE_FILE_LINE = 128,
	DMT_USE_NAMES_OTHER = 256,
	DMT_USE_ID_DECIMAL = 512,
	DMT_USE_ID_WIDE = 1024,
	DMT_USE_REPEATED = 2048
};

/* The section to which the next line belongs for the Java readers. */
enum dmt_java_mode {
	DMT_JAVA_VERSION,
	DMT_JAVA_OPTIONS,
	DMT_JAVA_THREADS,
	DMT_JAVA_METHODS
};

/* Adds uses of a method. */
void
dmt_note_use(struct dmt_quirk_search *search, uint64_t method, uint32_t uses);

/* Searches an option line, of a key or of a stream's summary. */
void
dmt_search_option(struct dmt_quirk_search *search, struct dmtrace_text line);

/* What dmtrace reads in a line: the row that the readers should show, if
 * any. */
struct dmt_expected {
	enum { DMT_NO_ROW, DMT_A_NUMBER, DMT_A_THREAD, DMT_A_METHOD } kind;
	struct dmtrace_thread thread;
	struct dmtrace_method method;
	unsigned misread;		/* the quirk if a Java reader differs */
};

/* Set *expected for a line of a section. row is its row, or NULL if it has
 * none. */
void
dmt_expect_thread(struct dmt_expected *expected, struct dmtrace_text line,
    const struct dmtrace_thread *row);
void
dmt_expect_method(struct dmt_expected *expected, struct dmtrace_text line,
    const struct dmtrace_method *row);

/* Search a line without its LF, for all readers except those in Java, for which
 * dmt_search_java does it. */
void
dmt_search_thread(struct dmt_quirk_search *search, struct dmtrace_text line,
    const struct dmt_expected *expected);
void
dmt_search_method(struct dmt_quirk_search *search, struct dmtrace_text line,
    const struct dmt_expected *expected);

/* Searches a piece of a line, up to a CR, for the Java readers. */
void
dmt_search_java(struct dmt_quirk_search *search, enum dmt_java_mode mode,
    struct dmtrace_text piece, const struct dmt_expected *expected);

#endif
