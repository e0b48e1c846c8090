/* hooks.c - threads that sort: a program for hooks, which knows of no traces */

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, NUMBERS = 400 };

static int numbers[THREADS][NUMBERS];

static int
compare(int a, int b)
{
	return a < b ? -1 : a > b;
}

static void
swap(int *a, int *b)
{
	const int old = *a;

	*a = *b;
	*b = old;
}

static int
partition(int *from, int count)
{
	int low = 0;

	for (int i = 0; i < count - 1; i++)
		if (compare(from[i], from[count - 1]) < 0)
			swap(&from[i], &from[low++]);
	swap(&from[low], &from[count - 1]);
	return low;
}

static void
sort(int *from, int count)
{
	if (count < 2)
		return;
	const int middle = partition(from, count);
	sort(from, middle);
	sort(from + middle + 1, count - middle - 1);
}

static void
fill(int *to)
{
	unsigned state = 1;

	for (int i = 0; i < NUMBERS; i++) {
		state = state * 1103515245 + 12345;
		to[i] = (int)(state >> 16 & 1023);
	}
}

static void *
work(void *mine)
{
	fill(mine);
	sort(mine, NUMBERS);
	return NULL;
}

int
main(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, numbers[i]) != 0)
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%d to %d\n", numbers[0][0], numbers[0][NUMBERS - 1]);
	return 0;
}
