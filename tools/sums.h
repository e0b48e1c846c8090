/* sums.h - checksums by the names of threads */
#ifndef SUMS_H
#define SUMS_H

#include <dmtrace.h>
#include <stdbool.h>

/* All threads of one name; or one that no row lists. */
struct sum_row {
	char *name;			/* NULL: not listed */
	size_t len;
	uint32_t thread;		/* if it is not listed */
	uint64_t threads;
	uint64_t records;
	struct dmtrace_sum sum;
};

/* Zero is valid, and empty. */
struct sums {
	struct sum_row *rows;		/* by name, those without one behind */
	size_t count;
	struct dmtrace_sum sum;
	uint64_t records;
	uint64_t added;
};

/* False, which is said: no memory. */
bool
sums_add(struct sums *sums, const struct dmtrace_checksum *checksum);

/* Negative, 0 or positive, by the order of rows. */
int
sum_row_compare(const struct sum_row *a, const struct sum_row *b);

bool
sum_is_same(const struct dmtrace_sum *a, const struct dmtrace_sum *b);

void
sums_fini(struct sums *sums);

#endif
