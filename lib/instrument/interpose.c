/* interpose.c - replacements of functions of other libraries */

#define _GNU_SOURCE		/* execvpe, fexecve, RTLD_NEXT, syscall */

#include "instrument/interpose.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "instrument/hooks.h"
#include "instrument/objects.h"
#include "instrument/shim.h"

/*
 * The library is loaded before the C library and the C++ runtime, so that
 * these definitions are found first; each does what the hooks need and calls
 * the next definition of its name. After the original call it would be too
 * late: _exit runs no exit handlers, exec replaces the process, dlclose
 * unloads code whose functions have no names yet, and an exception that is
 * caught has left frames without calling their exit hooks.
 */

#define GONE_MAX 64		/* objects that one dlclose unloads */

extern char **environ;

/* Finds the next definition of the name, in a local variable of its type. */
#define FIND_NEXT(name) \
	void *const symbol = dlsym(RTLD_NEXT, name); \
	memcpy(&next, &symbol, sizeof(next))

void
_exit(int status)
{
	dmt_shim_stop(dmt_shim_may_be_in_handler(NULL));
	for (;;)
		syscall(SYS_exit_group, status);
}

void
_Exit(int status)
{
	_exit(status);
}

/* Ends the trace of the process, as the new program will have its own. Returns
 * true if there was a trace to end. */
static bool
stop_before_exec(void)
{
	return dmt_shim_is_on() && dmt_shim_stop(
	    dmt_shim_may_be_in_handler(NULL)) != DMTRACE_ERR_STATE;
}

/* Called after exec failed: the program continues and is recorded again.
 * Returns status. */
static int
rearm_after_exec(bool stopped, int status)
{
	if (stopped)
		dmt_shim_rearm();
	return status;
}

DMTRACE_API int
execve(const char *path, char *const argv[], char *const envp[])
{
	int (*next)(const char *, char *const[], char *const[]);

	FIND_NEXT("execve");
	const bool stopped = stop_before_exec();
	return rearm_after_exec(stopped, next(path, argv, envp));
}

DMTRACE_API int
execvpe(const char *file, char *const argv[], char *const envp[])
{
	int (*next)(const char *, char *const[], char *const[]);

	FIND_NEXT("execvpe");
	const bool stopped = stop_before_exec();
	return rearm_after_exec(stopped, next(file, argv, envp));
}

DMTRACE_API int
fexecve(int fd, char *const argv[], char *const envp[])
{
	int (*next)(int, char *const[], char *const[]);

	FIND_NEXT("fexecve");
	const bool stopped = stop_before_exec();
	return rearm_after_exec(stopped, next(fd, argv, envp));
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

/* For functions that take the arguments one by one, followed by NULL. */

static size_t
count_arguments(const char *first, va_list list)
{
	size_t n = 0;

	for (const char *at = first; at != NULL; at = va_arg(list, char *))
		n++;
	return n;
}

/* list is a pointer so that the caller can continue after the arguments, which
 * is not portable with a va_list by value. */
static void
collect_arguments(char **argv, size_t n, const char *first, va_list *list)
{
	memcpy(&argv[0], &first, sizeof(first));
	for (size_t i = 1; i <= n; i++)
		argv[i] = va_arg(*list, char *);
}

#define COLLECT(argv, first) \
	va_list list; \
	va_start(list, first); \
	const size_t n = count_arguments(first, list); \
	va_end(list); \
	char **argv = __builtin_alloca((n + 1) * sizeof(*argv)); \
	va_start(list, first); \
	collect_arguments(argv, n, first, &list)

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

/* Looks up the names of functions in unloaded code now, since other code may
 * be loaded at the same addresses. */
int
dlclose(void *object)
{
	static int (*next)(void *);
	const bool on = dmt_shim_is_on();
	struct dmt_range gone[GONE_MAX];

	if (next == NULL) {
		FIND_NEXT("dlclose");
	}
	if (on)
		dmt_objects_note();
	const int status = next(object);
	if (!on)
		return status;
	const size_t count = dmt_objects_gone(gone, GONE_MAX);
	for (size_t i = 0; i < count; i++) {
		dmtrace_recorder_forget_keys(DMT_SHIM_RECORDER,
		    gone[i].first, gone[i].last);
		dmt_objects_forget(&gone[i]);
	}
	return status;
}

/*
 * RTLD_NEXT does not find a C++ runtime that was loaded by dlopen: it is
 * looked up through the object of the caller. Without a runtime there are no
 * exceptions.
 */
static void *
find_in_runtime(const char *name, const void *caller)
{
	void *const next = dlsym(RTLD_NEXT, name);
	Dl_info info;

	if (next != NULL)
		return next;
	void *const object = dladdr(caller, &info) == 0 ? NULL :
	    dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	void *const symbol = object == NULL ? NULL : dlsym(object, name);
	if (symbol == NULL)
		abort();
	return symbol;
}

typedef void *
catch_fn(void *exception);

/* Called by a function that catches an exception. */
void *
__cxa_begin_catch(void *exception)
{
	void *const symbol = find_in_runtime("__cxa_begin_catch",
	    __builtin_return_address(0));
	catch_fn *next;

	memcpy(&next, &symbol, sizeof(next));
	dmt_hooks_unwind_to(DMT_HOOKS_PLACE());
	return next(exception);
}

typedef void
throw_fn(void *exception, void *type, void (*destroy)(void *));

void
__cxa_throw(void *exception, void *type, void (*destroy)(void *))
{
	const void *const caller = __builtin_return_address(0);
	void *const symbol = find_in_runtime("__cxa_throw", caller);
	throw_fn *next;

	memcpy(&next, &symbol, sizeof(next));
	dmt_hooks_use_globals(find_in_runtime("__cxa_get_globals", caller));
	next(exception, type, destroy);
	abort();
}
