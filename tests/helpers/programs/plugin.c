/* plugin.c - what opens.c opens; NAME is its function's */

#ifndef NAME
#define NAME first
#endif

static int
helper(int n)
{
	return n + 1;
}

int
NAME(int n);

int
NAME(int n)
{
	return helper(n) + helper(n);
}
