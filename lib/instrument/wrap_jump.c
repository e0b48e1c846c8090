/* wrap_jump.c - longjmp, and where exceptions are caught: frames that go */

#define _GNU_SOURCE		/* dladdr, RTLD_DEFAULT */

#include "instrument/wrap.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "instrument/frames.h"
#include "instrument/shim.h"
#include "instrument/thread.h"

/*
 * The stack pointer behind the jump: as setjmp has stored it, which glibc
 * mangles. 0: not known on this machine; then frames that have gone are found
 * at the next events.
 */
static uintptr_t
target_of(const void *env)
{
	const uintptr_t *words = env;

	(void)words;
#if defined(__x86_64__) && defined(__LP64__) && defined(__GLIBC__)
	uintptr_t place = words[6];
	__asm__("rorq $17, %0\n\txorq %%fs:48, %0" : "+r" (place) : : "cc");
	return place;
#elif defined(__i386__) && defined(__GLIBC__)
	uintptr_t place = words[4];
	__asm__("rorl $9, %0\n\txorl %%gs:24, %0" : "+r" (place) : : "cc");
	return place;
#elif defined(__x86_64__) && defined(__LP64__)
	return words[6];
#elif defined(__i386__)
	return words[4];
#else
	return 0;
#endif
}

enum { LONGJMP, LONGJMP_BSD, SIGLONGJMP, LONGJMP_CHK, JUMPS };

static const char *const names[JUMPS] = {
	"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"
};

static _Atomic(void *) nexts[JUMPS];

typedef void
jump_fn(void *env, int value);

/* To look one up later would do away with what dlerror has to say. */
void
dmt_jumps_find(void)
{
	for (size_t i = 0; i < JUMPS; i++)
		atomic_store(&nexts[i], dmt_shim_next(names[i]));
	(void)dlerror();		/* not all are everywhere */
}

static _Noreturn void
jump(size_t which, void *env, int value)
{
	void *symbol = atomic_load(&nexts[which]);
	jump_fn *next;

	if (symbol == NULL)
		symbol = dmt_shim_next(names[which]);
	memcpy(&next, &symbol, sizeof(next));
	dmt_frames_jump(target_of(env));
	next(env, value);
	abort();
}

void
longjmp(void *env, int value)
{
	jump(LONGJMP, env, value);
}

void
_longjmp(void *env, int value)
{
	jump(LONGJMP_BSD, env, value);
}

void
siglongjmp(void *env, int value)
{
	jump(SIGLONGJMP, env, value);
}

void
__longjmp_chk(void *env, int value)
{
	jump(LONGJMP_CHK, env, value);
}

/*
 * A runtime that came with dlopen is not among what comes next; the caller's
 * object knows it. Without one there is no exception.
 */
static void *
find_runtime(const char *name, const void *caller)
{
	void *const next = dmt_shim_next(name);
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

/* Called by the function that catches. */
void *
__cxa_begin_catch(void *exception)
{
	void *const symbol = find_runtime("__cxa_begin_catch",
	    __builtin_return_address(0));
	catch_fn *next;

	memcpy(&next, &symbol, sizeof(next));
	dmt_frames_jump(DMT_FRAMES_PLACE());
	return next(exception);
}

typedef void
throw_fn(void *exception, void *type, void (*destroy)(void *));

void
__cxa_throw(void *exception, void *type, void (*destroy)(void *))
{
	const void *const caller = __builtin_return_address(0);
	void *const symbol = find_runtime("__cxa_throw", caller);
	throw_fn *next;

	memcpy(&next, &symbol, sizeof(next));
	dmt_shim_use_globals(find_runtime("__cxa_get_globals", caller));
	next(exception, type, destroy);
	abort();
}
