/* threads.c - static functions in eight threads, which end at their own time */

#include "count.h"

#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 2000		/* of nine calls in each thread */
#endif

#ifndef MAIN
#define MAIN			/* BARE: main has no hooks */
#endif

enum { THREADS = 8 };

KEPT static unsigned
leaf(unsigned n)
{
	COUNT(0);
	return n * 3 + 1;
}

KEPT static unsigned
branch(unsigned n)
{
	COUNT(1);
	return leaf(n) + leaf(n + 1);
}

KEPT static unsigned
grow(unsigned n)
{
	COUNT(2);
	return n == 0 ? 0 : branch(n) + grow(n - 1);
}

static void *
run(void *argument)
{
	unsigned sum = 0;

	COUNT(3);
	for (unsigned i = 0; i < ROUNDS; i++)
		sum += grow(i % 5);
	*(unsigned *)argument = sum;
	return NULL;
}

MAIN int
main(void)
{
	pthread_t threads[THREADS];
	unsigned sums[THREADS];

	COUNT(4);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run, &sums[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	print_counts();
	return 5;
}
