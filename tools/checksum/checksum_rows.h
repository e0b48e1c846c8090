/* checksum_rows.h - checksums by the names of threads */
#ifndef CHECKSUM_ROWS_H
#define CHECKSUM_ROWS_H

#include <dmtrace.h>
#include <stdbool.h>

/* All threads of one name; or one that no row lists. */
struct checksum_row {
	char *name;			/* NULL: not listed */
	size_t len;
	uint32_t thread;		/* if it is not listed */
	uint64_t threads;
	uint64_t records;
	struct dmtrace_sum sum;
};

/* Zero is valid, and empty. */
struct checksum_rows {
	struct checksum_row *rows;	/* by name, those without one behind */
	size_t count;
	struct dmtrace_sum sum;
	uint64_t records;
	uint64_t added;
};

/* False, which is said: no memory. */
bool
checksum_rows_add(struct checksum_rows *sums,
    const struct dmtrace_checksum *checksum);

/* Negative, 0 or positive, by the order of rows. */
int
checksum_row_compare(const struct checksum_row *a,
    const struct checksum_row *b);

bool
sum_is_same(const struct dmtrace_sum *a, const struct dmtrace_sum *b);

void
checksum_rows_fini(struct checksum_rows *sums);

#endif
