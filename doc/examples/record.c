/* record.c - record the calls of this program */

#include <dmtrace.h>
#include <stdio.h>

static unsigned
fibonacci(unsigned n)
{
	DMTRACE_FUNCTION();
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int
main(void)
{
	dmtrace_start("record.trace", NULL);
	printf("%u\n", fibonacci(10));
	return dmtrace_stop(NULL) == DMTRACE_OK ? 0 : 1;
}
