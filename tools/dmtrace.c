/* dmtrace.c - the program */

#include <dmtrace.h>

#include <stdio.h>
#include <string.h>

int
main(int argc, char **argv)
{
	if (argc != 2 || strcmp(argv[1], "--version") != 0) {
		fputs("dmtrace: usage: dmtrace --version\n", stderr);
		return 2;
	}
	printf("dmtrace %s\n", dmtrace_version());
	return 0;
}
