/* wrap_exit.c - calls that end the process, or unload its code */

#define _GNU_SOURCE		/* _Exit, syscall */

#include "instrument/wrap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "instrument/objects.h"
#include "instrument/shim.h"
#include "instrument/signals.h"

#define GONE_MAX 64		/* objects that one dlclose unloads */

void
_exit(int status)
{
	dmt_shim_stop(dmt_signals_may_handle(NULL));
	for (;;)
		syscall(SYS_exit_group, status);
}

void
_Exit(int status)
{
	_exit(status);
}

/* Functions of code that has gone are named now: what is loaded in its place
 * has the same addresses. */
static void
forget_gone(void)
{
	struct dmt_range gone[GONE_MAX];
	const size_t count = dmt_objects_gone(gone, GONE_MAX);

	for (size_t i = 0; i < count; i++) {
		dmtrace_recorder_forget_keys(DMT_SHIM_RECORDER,
		    gone[i].first, gone[i].last);
		dmt_objects_forget(&gone[i]);
	}
}

int
dlclose(void *object)
{
	static int (*next)(void *);
	const bool on = dmt_shim_is_on();

	if (next == NULL) {
		void *const symbol = dmt_shim_next("dlclose");
		memcpy(&next, &symbol, sizeof(next));
	}
	if (on)
		dmt_objects_note();
	const int status = next(object);
	if (on)
		forget_gone();
	return status;
}
