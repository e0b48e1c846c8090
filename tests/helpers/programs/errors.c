/* errors.c - what the C library keeps of a failure, over calls and a jump */

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

static jmp_buf env;

static void
jump(void)
{
	longjmp(env, 1);
}

static void *
begin(void *unused)
{
	return dlerror() == NULL ? unused : NULL;
}

int
main(void)
{
	pthread_t thread;
	void *clean = NULL;

	dlopen("./nosuch.so", RTLD_NOW);
	errno = ERANGE;
	if (setjmp(env) == 0)
		jump();
	if (errno != ERANGE || dlerror() == NULL)
		return 1;
	pthread_create(&thread, NULL, begin, &env);
	pthread_join(thread, &clean);
	return clean == NULL ? 2 : 0;
}
