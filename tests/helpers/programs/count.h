/* count.h - programs count their calls themselves, and print them at the end */
#ifndef COUNT_H
#define COUNT_H

#include <stdio.h>

#define BARE __attribute__((no_instrument_function))
#define KEPT __attribute__((noinline))

enum { COUNTS = 32 };

static struct {
	const char *name;
	unsigned long calls;
} counts[COUNTS];

/* Of the function that it is in, in a row of its own. */
#define COUNT(row) (counts[row].name = __func__, \
    (void)__atomic_fetch_add(&counts[row].calls, 1, __ATOMIC_RELAXED))

/* "CALLS NAME" for each. */
BARE static void
print_counts(void)
{
	for (int i = 0; i < COUNTS; i++)
		if (counts[i].name != NULL)
			printf("%lu %s\n", counts[i].calls, counts[i].name);
	fflush(stdout);
}

#endif
