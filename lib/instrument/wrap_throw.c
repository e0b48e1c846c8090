/* wrap_throw.c - where exceptions of C++ begin and are caught */

#define _GNU_SOURCE		/* dladdr, RTLD_DEFAULT */

#include "instrument/wrap.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "instrument/frames.h"
#include "instrument/shim.h"
#include "instrument/thread.h"

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
