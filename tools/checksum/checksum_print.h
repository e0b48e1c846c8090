/* checksum_print.h - checksums as text, and as rows for machines */
#ifndef CHECKSUM_PRINT_H
#define CHECKSUM_PRINT_H

#include "checksum/checksum_rows.h"
#include "cli/table.h"

/* The line of column names, of TSV and CSV. */
void
checksum_print_names(struct strbuf *buffer, enum form form);

/* One report. brief: in text, nothing but its total. */
void
checksum_print(struct strbuf *buffer, enum form form, const char *file,
    const struct checksum_rows *sums, bool brief);

/* Of an operand that could not be read, and why: also if brief. */
void
checksum_print_unreadable(struct strbuf *buffer, enum form form,
    const char *file,
    const char *why);

/* In text: which threads of a, as file, are not those of b, as other. */
void
checksum_print_difference(struct strbuf *buffer, const char *file,
    const struct checksum_rows *a, const char *other,
    const struct checksum_rows *b);

#endif
