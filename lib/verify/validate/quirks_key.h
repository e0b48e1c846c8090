/* quirks_key.h - the lines of a key, as each reader takes them */
#ifndef DMT_VERIFY_QUIRKS_KEY_H
#define DMT_VERIFY_QUIRKS_KEY_H

#include "verify/validate/quirks.h"

/* What an event of a method would bring to light: bits of the uses of
 * struct dmt_quirk_search. */
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

/* The lines that the Java readers take the next one for. */
enum dmt_java_mode {
	DMT_JAVA_VERSION,
	DMT_JAVA_OPTIONS,
	DMT_JAVA_THREADS,
	DMT_JAVA_METHODS
};

/* Adds uses of a method. */
void
dmt_note_use(struct dmt_quirk_search *search, uint64_t method, uint32_t uses);

/* String.trim() of Java. */
struct dmtrace_text
dmt_trim_like_java(struct dmtrace_text text);

/* A line of options, also of a stream's summary. */
void
dmt_search_option(struct dmt_quirk_search *search, struct dmtrace_text line);

/* What a line says to this program: the row that the readers are to
 * show, if any. */
struct dmt_expected {
	enum { DMT_NO_ROW, DMT_A_NUMBER, DMT_A_THREAD, DMT_A_METHOD } kind;
	struct dmtrace_thread thread;
	struct dmtrace_method method;
	unsigned misread;		/* the quirk, where Java differs */
};

/* Sets *expected for a line of a section, whose row is NULL if there is
 * none. */
void
dmt_expect_thread(struct dmt_expected *expected, struct dmtrace_text line,
    const struct dmtrace_thread *row);
void
dmt_expect_method(struct dmt_expected *expected, struct dmtrace_text line,
    const struct dmtrace_method *row);

/* A line without its LF; the Java readers are judged by dmt_search_java. */
void
dmt_search_thread(struct dmt_quirk_search *search, struct dmtrace_text line,
    const struct dmt_expected *expected);
void
dmt_search_method(struct dmt_quirk_search *search, struct dmtrace_text line,
    const struct dmt_expected *expected);

/* A piece of a line, up to a CR, in a mode. */
void
dmt_search_java(struct dmt_quirk_search *search, enum dmt_java_mode mode,
    struct dmtrace_text piece, const struct dmt_expected *expected);

#endif
