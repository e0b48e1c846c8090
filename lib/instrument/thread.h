/* thread.h - what the shim knows of the calling thread */
#ifndef DMT_INSTRUMENT_THREAD_H
#define DMT_INSTRUMENT_THREAD_H

#include <stdint.h>

/* In the thread's own block from the beginning: a hook must not allocate. */
#define DMT_SHIM_THREAD \
	_Thread_local __attribute__((tls_model("initial-exec")))

/* C++ exceptions that are thrown and not yet caught; NULL: not asked yet. */
extern DMT_SHIM_THREAD const unsigned *dmt_shim_uncaught;

/* Finds out where the thread's count is; 0 stands for it without C++. */
void
dmt_shim_find_uncaught(void);

/* The same, where __cxa_get_globals is known; NULL: there is none. */
void
dmt_shim_use_globals(void *symbol);

static inline uint32_t
dmt_shim_exceptions(void)
{
	if (__builtin_expect(dmt_shim_uncaught == NULL, 0))
		dmt_shim_find_uncaught();
	return *(const volatile unsigned *)dmt_shim_uncaught;
}

#endif
