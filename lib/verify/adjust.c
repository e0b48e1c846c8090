/* adjust.c - what a p is worth among many */

#include "verify/diff.h"

#include <stdlib.h>

static int
compare(const void *left, const void *right)
{
	const struct dmt_adjusted *a = left, *b = right;

	return (a->p > b->p) - (a->p < b->p);
}

/* Benjamini and Hochberg: of the k least, the largest p times all by k; and
 * no more than that of the next. */
void
dmt_adjust(struct dmt_adjusted *all, size_t count)
{
	double least = 1;

	if (count > 1)
		qsort(all, count, sizeof(*all), compare);
	for (size_t k = count; k > 0; k--) {
		const double p = all[k - 1].p * (double)count / (double)k;

		if (p < least)
			least = p;
		*all[k - 1].to = least;
	}
}
