/* wrap_exec.c - a process that becomes another program ends its trace */

#define _GNU_SOURCE		/* execvpe, fexecve */

#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "instrument/shim.h"
#include "instrument/signals.h"

#include <dmtrace/status.h>

extern char **environ;

#define NEXT(name) \
	void *const symbol = dmt_shim_next(name); \
	memcpy(&next, &symbol, sizeof(next))

/* Whether a failure, behind which the program goes on, has it record again. */
static bool
before(void)
{
	return dmt_shim_is_on() && dmt_shim_stop(
	    dmt_signals_may_handle(NULL)) != DMTRACE_ERR_STATE;
}

static int
after(bool stopped, int status)
{
	if (stopped)
		dmt_shim_rearm();
	return status;
}

DMTRACE_API int
execve(const char *path, char *const argv[], char *const envp[])
{
	int (*next)(const char *, char *const[], char *const[]);

	NEXT("execve");
	const bool stopped = before();
	return after(stopped, next(path, argv, envp));
}

DMTRACE_API int
execvpe(const char *file, char *const argv[], char *const envp[])
{
	int (*next)(const char *, char *const[], char *const[]);

	NEXT("execvpe");
	const bool stopped = before();
	return after(stopped, next(file, argv, envp));
}

DMTRACE_API int
fexecve(int fd, char *const argv[], char *const envp[])
{
	int (*next)(int, char *const[], char *const[]);

	NEXT("fexecve");
	const bool stopped = before();
	return after(stopped, next(fd, argv, envp));
}

DMTRACE_API int
execv(const char *path, char *const argv[])
{
	return execve(path, argv, environ);
}

DMTRACE_API int
execvp(const char *file, char *const argv[])
{
	return execvpe(file, argv, environ);
}

/* Those with the arguments one by one, and NULL behind them. */

static size_t
count(const char *first, va_list list)
{
	size_t n = 0;

	for (const char *at = first; at != NULL; at = va_arg(list, char *))
		n++;
	return n;
}

/* The list goes on behind them, which by value it would not do everywhere. */
static void
collect(char **argv, size_t n, const char *first, va_list *list)
{
	memcpy(&argv[0], &first, sizeof(first));
	for (size_t i = 1; i <= n; i++)
		argv[i] = va_arg(*list, char *);
}

#define COLLECT(argv, first) \
	va_list list; \
	va_start(list, first); \
	const size_t n = count(first, list); \
	va_end(list); \
	char **argv = __builtin_alloca((n + 1) * sizeof(*argv)); \
	va_start(list, first); \
	collect(argv, n, first, &list)

DMTRACE_API int
execl(const char *path, const char *first, ...)
{
	COLLECT(argv, first);
	va_end(list);
	return execv(path, argv);
}

DMTRACE_API int
execlp(const char *file, const char *first, ...)
{
	COLLECT(argv, first);
	va_end(list);
	return execvp(file, argv);
}

DMTRACE_API int
execle(const char *path, const char *first, ...)
{
	COLLECT(argv, first);
	char *const *const envp = va_arg(list, char *const *);
	va_end(list);
	return execve(path, argv, (char *const *)envp);
}
