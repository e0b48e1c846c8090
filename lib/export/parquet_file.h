/* parquet_file.h - a table as a Parquet file */
#ifndef DMT_EXPORT_PARQUET_FILE_H
#define DMT_EXPORT_PARQUET_FILE_H

#include <stdbool.h>

#include "base/name_table.h"
#include "base/output.h"

enum { DMT_PARQUET_ROWS = 393216 };	/* of a row group */

enum dmt_parquet_type {
	DMT_PARQUET_TEXT,		/* of dmt_parquet_text */
	DMT_PARQUET_BOOL,
	DMT_PARQUET_INT,		/* 64 bits, with a sign */
	DMT_PARQUET_TIME		/* microseconds since 1970, UTC */
};

struct dmt_parquet_column {
	const char *name;
	enum dmt_parquet_type type;
	bool optional;			/* values may be NULL */
};

/* The values of a column, by row. */
struct dmt_parquet_values {
	uint32_t *small;		/* of TEXT and BOOL, else NULL */
	uint64_t *large;		/* of INT and TIME, else NULL */
	uint8_t *there;			/* of an optional column: not NULL */
};

/* Where a row is in its group: by part, then by series, then by rank, and in
 * the order they were put in if these are equal. A part begins a new page,
 * unless it is small. */
struct dmt_parquet_place {
	unsigned part;
	uint32_t series;
	uint32_t row;
	uint64_t rank;
};

/*
 * A table of rows, which are written when a row group is full. Texts are stored
 * once for the whole file. In this order: init, then for each row a put to each
 * column and end_row, end, fini. Failures of the output stay in it; the
 * functions that may run out of memory say so, and fini must follow.
 */
struct dmt_parquet {
	struct dmt_output *out;
	const struct dmt_parquet_column *columns;	/* of the caller */
	struct dmt_parquet_values *values;	/* by column */
	size_t column_count;
	size_t rows;			/* in the current row group */
	size_t capacity;
	struct dmt_parquet_place *places;	/* by row */
	struct dmt_name_table texts;
	struct dmt_parquet_scratch *scratch;
	struct dmt_output groups;	/* metadata of the row groups */
	size_t group_count;
	uint64_t all_rows;
	uint64_t written;		/* bytes of the file */
};

/* Writes the first bytes. columns must stay where they are. false: no
 * memory. */
bool
dmt_parquet_init(struct dmt_parquet *file,
    const struct dmt_parquet_column *columns, size_t count,
    struct dmt_output *out);

/* Returns the number of a text, which is escaped as in other exports;
 * DMT_NO_NAME: no memory. */
uint32_t
dmt_parquet_text(struct dmt_parquet *file, struct dmtrace_text text);

static inline void
dmt_parquet_put(struct dmt_parquet *file, size_t column, uint64_t value)
{
	const struct dmt_parquet_values *const to = &file->values[column];

	if (to->small != NULL)
		to->small[file->rows] = (uint32_t)value;
	else
		to->large[file->rows] = value;
	if (to->there != NULL)
		to->there[file->rows] = 1;
}

/* Puts a value, or NULL, in an optional column. */
static inline void
dmt_parquet_put_if(struct dmt_parquet *file, size_t column, bool there,
    uint64_t value)
{
	dmt_parquet_put(file, column, there ? value : 0);
	file->values[column].there[file->rows] = there;
}

/* Ends a row; see dmt_parquet_place. false: no memory. */
bool
dmt_parquet_end_row(struct dmt_parquet *file, unsigned part, uint32_t series,
    uint64_t rank);

/* Writes what follows the last row: pairs of a key and a value are the metadata
 * of the file, up to a NULL. false: no memory. */
bool
dmt_parquet_end(struct dmt_parquet *file, const char *const *pairs);

/* Also of a struct that is zeroed. */
void
dmt_parquet_fini(struct dmt_parquet *file);

#endif
