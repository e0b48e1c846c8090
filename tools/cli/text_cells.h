/* text_cells.h - numbers in columns, their ends below each other */
#ifndef TEXT_CELLS_H
#define TEXT_CELLS_H

#include <stdint.h>

#include "cli/strbuf.h"

/*
 * Each puts as many bytes as width says or, where these do not hold the
 * number and a blank before it, more. Whole microseconds are cut, decimals
 * are rounded: a half goes away from zero.
 */

void
column_blank(struct strbuf *buffer, size_t width);

void
column_count(struct strbuf *buffer, size_t width, uint64_t number);

/* Nanoseconds as whole microseconds. */
void
column_us(struct strbuf *buffer, size_t width, int64_t ns);

/* The same between brackets. */
void
column_bracketed_us(struct strbuf *buffer, size_t width, int64_t ns);

/* Nanoseconds as microseconds with one decimal. */
void
column_mean_us(struct strbuf *buffer, size_t width, double ns);

/* Percent with two decimals; of nothing, 0. */
void
column_percent(struct strbuf *buffer, size_t width, int64_t part,
    int64_t whole);

#endif
