/* traits_key.h - the lines of a key, as each reader takes them */
#ifndef DMT_VERIFY_TRAITS_KEY_H
#define DMT_VERIFY_TRAITS_KEY_H

#include "verify/traits.h"

/* What an event of a method would bring to light: bits of the uses of
 * struct dmt_look. */
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
dmt_look_use(struct dmt_look *look, uint64_t method, uint32_t uses);

/* A line of options, also of a stream's summary. */
void
dmt_look_option(struct dmt_look *look, struct dmtrace_text line);

/* What readers make of a data header, in source, that leads nowhere; key is
 * the text before it. */
void
dmt_look_elsewhere(struct dmt_look *look,
    const struct dmtrace_reader *reader, struct dmt_input *input,
    struct dmtrace_text key);

/* What stands in a line for this program: the row that the readers are to
 * show, if any. */
struct dmt_expected {
	enum { DMT_NO_ROW, DMT_A_NUMBER, DMT_A_THREAD, DMT_A_METHOD } kind;
	struct dmtrace_thread thread;
	struct dmtrace_method method;
	unsigned misread;		/* the trait, where Java differs */
};

/* Sets *expected for a line of a section, whose row is NULL if there is
 * none. */
void
dmt_expect_thread(struct dmt_expected *expected, struct dmtrace_text line,
    const struct dmtrace_thread *row);
void
dmt_expect_method(struct dmt_expected *expected, struct dmtrace_text line,
    const struct dmtrace_method *row);

/* A line without its LF; what Java makes of it is judged apart. */
void
dmt_look_thread(struct dmt_look *look, struct dmtrace_text line,
    const struct dmt_expected *expected);
void
dmt_look_method(struct dmt_look *look, struct dmtrace_text line,
    const struct dmt_expected *expected);

/* A piece of a line, up to a CR, in a mode. */
void
dmt_look_java(struct dmt_look *look, enum dmt_java_mode mode,
    struct dmtrace_text piece, const struct dmt_expected *expected);

#endif
