/* busy.c - a handler with hooks of its own, amid malloc most of the time */

#define _DEFAULT_SOURCE		/* setitimer */

#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

static volatile unsigned sum;
static volatile sig_atomic_t ticks;

static void
leaf(void)
{
	sum++;
}

static void
handle(int signal)
{
	for (int i = 0; i < 500; i++)
		leaf();
	ticks += signal != 0;
}

static void
churn(void **blocks, unsigned i)
{
	free(blocks[i % 64]);
	blocks[i % 64] = malloc(i * 37 % 5000);
}

int
main(void)
{
	const struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };
	static void *blocks[64];

	signal(SIGALRM, handle);
	setitimer(ITIMER_REAL, &often, NULL);
	for (unsigned i = 0; ticks < 80; i++)
		churn(blocks, i);
	setitimer(ITIMER_REAL, &never, NULL);
	return 6;
}
