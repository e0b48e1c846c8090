/* sums_put.h - checksums as text, and as rows for machines */
#ifndef SUMS_PUT_H
#define SUMS_PUT_H

#include "form.h"
#include "sums.h"

/* The line of column names, of TSV and CSV. */
void
sums_put_names(struct buffer *buffer, enum form form);

/* One report. brief: in text, nothing but its total. */
void
sums_put(struct buffer *buffer, enum form form, const char *file,
    const struct sums *sums, bool brief);

/* Of an operand that could not be read, and why: also if brief. */
void
sums_put_unreadable(struct buffer *buffer, enum form form, const char *file,
    const char *why);

/* In text: which threads of a, as file, are not those of b, as other. */
void
sums_put_difference(struct buffer *buffer, const char *file,
    const struct sums *a, const char *other, const struct sums *b);

#endif
