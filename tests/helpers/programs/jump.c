/* jump.c - longjmp out of nested calls, out of recursion, out of handlers */

#define _XOPEN_SOURCE 700

#include "count.h"

#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

static jmp_buf env, inner;
static sigjmp_buf handled;
static volatile int sink;

KEPT static void
dive(int n)
{
	COUNT(0);
	if (n == 0)
		longjmp(env, 1);
	dive(n - 1);
	sink++;
}

/* Called from the place that dive was called from. */
KEPT static void
stay(int n)
{
	char room[400];

	COUNT(1);
	memset(room, n, sizeof(room));
	sink += room[n];
}

/* One of its frames catches what a deeper one throws. */
KEPT static void
recurse(int n)
{
	COUNT(2);
	if (n == 0)
		longjmp(inner, 1);
	if (n == 3 && setjmp(inner) != 0) {
		stay(n);
		return;
	}
	memset(alloca((size_t)n * 64), 0, 64);
	recurse(n - 1);
	sink++;
}

KEPT static void
handle(int signal)
{
	COUNT(3);
	siglongjmp(handled, signal);
}

KEPT static void
provoke(void)
{
	COUNT(4);
	raise(SIGUSR1);
	sink++;
}

static void (*const calls[])(int) = { dive, stay, dive, stay };

int
main(void)
{
	const struct sigaction action = { .sa_handler = handle };

	COUNT(5);
	for (volatile int i = 0; i < 4; i++)
		if (setjmp(env) == 0)
			calls[i](i + 2);
	recurse(6);
	sigaction(SIGUSR1, &action, NULL);
	for (volatile int i = 0; i < 3; i++)
		if (sigsetjmp(handled, 1) == 0)
			provoke();
	stay(1);
	print_counts();
	return 0;
}
