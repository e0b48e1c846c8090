/* text_cells.c - numbers in columns, their ends below each other */

#include "cli/text_cells.h"

#include <string.h>

#include "cli/decimal.h"

#define CELL_ROOM (2 * DECIMAL_ROOM)
#define PARTS_MAX 1e15			/* more is no share of anything */

void
column_blank(struct strbuf *buffer, size_t width)
{
	static const char blanks[] = "                                ";
	const size_t most = sizeof(blanks) - 1;

	for (; width > most; width -= most)
		strbuf_put(buffer, blanks, most);
	strbuf_put(buffer, blanks, width);
}

static void
put(struct strbuf *buffer, size_t width, const char *cell, const char *end)
{
	const size_t len = (size_t)(end - cell);

	column_blank(buffer, len < width ? width - len : 1);
	strbuf_put(buffer, cell, len);
}

/* The digits of a number, behind its sign. */
static char *
put_signed(char *out, int64_t number)
{
	if (number < 0)
		*out++ = '-';
	return decimal_put(out, number < 0 ? -(uint64_t)number :
	    (uint64_t)number);
}

void
column_count(struct strbuf *buffer, size_t width, uint64_t number)
{
	char cell[CELL_ROOM];

	put(buffer, width, cell, decimal_put(cell, number));
}

void
column_us(struct strbuf *buffer, size_t width, int64_t ns)
{
	char cell[CELL_ROOM];

	put(buffer, width, cell, put_signed(cell, ns / 1000));
}

void
column_bracketed_us(struct strbuf *buffer, size_t width, int64_t ns)
{
	char cell[CELL_ROOM] = "(";
	char *const end = put_signed(cell + 1, ns / 1000);

	*end = ')';
	put(buffer, width, cell, end + 1);
}

/* So many tenths, or hundredths, rounded. */
static void
put_parts(struct strbuf *buffer, size_t width, double parts, unsigned in_one)
{
	const double size = parts < 0 ? -parts : parts;
	const uint64_t whole =
	    (uint64_t)((size < PARTS_MAX ? size : PARTS_MAX) + 0.5);
	char cell[CELL_ROOM] = "-";
	char *end = decimal_put(cell + 1, whole / in_one);

	*end++ = '.';
	for (unsigned unit = in_one / 10; unit > 0; unit /= 10)
		*end++ = (char)('0' + whole / unit % 10);
	put(buffer, width, parts < 0 && whole > 0 ? cell : cell + 1, end);
}

void
column_mean_us(struct strbuf *buffer, size_t width, double ns)
{
	put_parts(buffer, width, ns / 100, 10);
}

void
column_percent(struct strbuf *buffer, size_t width, int64_t part,
    int64_t whole)
{
	put_parts(buffer, width, whole == 0 ? 0 :
	    10000.0 * (double)part / (double)whole, 100);
}
