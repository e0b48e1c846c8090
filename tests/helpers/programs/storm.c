/* storm.c - a timer's handler jumps out of whatever it has interrupted */

#define _XOPEN_SOURCE 700

#include "count.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

enum { JUMPS = 40 };

static sigjmp_buf env;
static volatile sig_atomic_t jumps;

KEPT static void
leaf(void)
{
	for (volatile int i = 0; i < 50; i++)
		;
}

static void
handle(int signal)
{
	(void)signal;
	leaf();
	jumps++;
	siglongjmp(env, 1);
}

KEPT static void
work(void)
{
	for (;;)
		leaf();
}

int
main(void)
{
	const struct sigaction action = { .sa_handler = handle };
	const struct itimerval often = { { 0, 500 }, { 0, 500 } };
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };

	sigaction(SIGPROF, &action, NULL);
	sigsetjmp(env, 1);
	if (jumps == 0)
		setitimer(ITIMER_PROF, &often, NULL);
	if (jumps < JUMPS)
		work();
	setitimer(ITIMER_PROF, &never, NULL);
	printf("%d jumps\n", (int)jumps);
	return 0;
}
