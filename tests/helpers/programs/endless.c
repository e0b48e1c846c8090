/* endless.c - calls until it is killed, or 5 minutes are over */

#define _DEFAULT_SOURCE		/* usleep */

#include <stdio.h>
#include <unistd.h>

static volatile unsigned sum;

static void
leaf(unsigned number)
{
	sum += number;
}

static void
middle(unsigned number)
{
	leaf(number);
	leaf(number + 1);
}

int
main(void)
{
	FILE *const file = fopen("pid", "w");

	alarm(300);
	fprintf(file, "%ld\n", (long)getpid());
	fclose(file);
	for (unsigned i = 0;; i++) {
		middle(i);
		if (i % 100 == 0)
			usleep(1);
	}
}
