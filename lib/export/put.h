/* put.h - words, numbers and names of any bytes, to a sink */
#ifndef DMT_EXPORT_PUT_H
#define DMT_EXPORT_PUT_H

#include <dmtrace/profile.h>
#include <dmtrace/sink.h>

#include "base/error.h"

/* What a name stands in. */
enum dmt_put_form {
	DMT_PUT_DOT,			/* a label between quotes */
	DMT_PUT_HTML,			/* text */
	DMT_PUT_JSON			/* a string between quotes, in HTML */
};

void
dmt_put(struct dmtrace_sink *sink, const char *string);

/* At most 127 bytes; no floating point, which depends on the locale. */
void
dmt_put_format(struct dmtrace_sink *sink, const char *format, ...)
    DMT_PRINTF(2, 3);

/* As many characters as max bytes hold, then "..." if these are not all. */
void
dmt_put_name(struct dmtrace_sink *sink, enum dmt_put_form form,
    struct dmtrace_text name, size_t max);

/* class.name, each of at most max bytes. */
void
dmt_put_method(struct dmtrace_sink *sink, enum dmt_put_form form,
    const struct dmtrace_profile_method *method, size_t max);

/* So many tenths or hundredths as a number with decimals, rounded: a half goes
 * away from zero. in_one is 10 or 100. */
void
dmt_put_parts(struct dmtrace_sink *sink, double parts, unsigned in_one);

/* "1 thread", "2 threads". */
void
dmt_put_count(struct dmtrace_sink *sink, uint64_t count, const char *what);

/* Milliseconds, three decimals, cut. */
void
dmt_put_ms(struct dmtrace_sink *sink, int64_t ns);

#endif
