/* shim.c - a program compiled with hooks, from its first event to its end */

#define _GNU_SOURCE		/* RTLD_NEXT */

#include "instrument/shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "instrument/filter.h"
#include "instrument/frames.h"
#include "instrument/names.h"
#include "instrument/objects.h"
#include "instrument/report.h"
#include "instrument/settings.h"
#include "instrument/signals.h"
#include "instrument/thread.h"
#include "instrument/wrap.h"

/* Of the C library: with no object, it runs behind all destructors. */
extern int
__cxa_atexit(void (*function)(void *), void *argument, void *object);

enum { FRESH, STARTING, ON, OVER };

/* While the program runs, who asks for a name may be in a handler or not. */
enum { NAMES_ANYWHERE, NAMES_FULL, NAMES_PLAIN };

static atomic_int state;
static atomic_int loaded;
static atomic_int names;
static pid_t owner;		/* the process that is recorded */
static bool own_name;		/* the next trace needs one */
static struct dmt_settings settings;
static char path[PATH_MAX];
static struct dmt_hook_name method_name, wanted_name;
static pthread_mutex_t wanting = PTHREAD_MUTEX_INITIALIZER;

DMT_SHIM_THREAD const unsigned *dmt_shim_uncaught;

void *
dmt_shim_next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

/* The count stands behind the pointer to what is caught, says the ABI. */
struct cxx_globals {
	void *caught;
	unsigned uncaught;
};

typedef struct cxx_globals *
globals_fn(void);

static const unsigned none;

void
dmt_shim_use_globals(void *symbol)
{
	globals_fn *function;

	memcpy(&function, &symbol, sizeof(function));
	if (dmt_shim_uncaught == NULL || dmt_shim_uncaught == &none)
		dmt_shim_uncaught = function == NULL ? &none :
		    &function()->uncaught;
}

void
dmt_shim_find_uncaught(void)
{
	void *const symbol = dlsym(RTLD_DEFAULT, "__cxa_get_globals");

	if (symbol == NULL)
		(void)dlerror();	/* no failure of the program */
	dmt_shim_use_globals(symbol);
}

static void
at_exit(void *unused)
{
	(void)unused;
	dmt_shim_stop(false);
}

static void
at_quick_exit_stop(void)
{
	dmt_shim_stop(false);
}

/* Before the program's own code, unless hooks of other objects come first. */
static void __attribute__((constructor))
load(void)
{
	if (atomic_exchange(&loaded, 1) != 0)
		return;
	dmt_settings_read(&settings);
	__cxa_atexit(at_exit, NULL, NULL);
	at_quick_exit(at_quick_exit_stop);
}

/* A journal, and the end of a file, want names in the middle of the program:
 * perhaps in a handler that has interrupted malloc. */
static int
supply(void *context, uint64_t key, struct dmtrace_method_words *words)
{
	const int kind = atomic_load(&names);

	(void)context;
	method_name.plain = kind == NAMES_PLAIN || (kind == NAMES_ANYWHERE &&
	    dmt_signals_may_handle(dmt_lock_signals()));
	return dmt_name_supply(&method_name, key, words);
}

static int
wants(void *context, uint64_t key)
{
	struct dmt_guard guard;

	(void)context;
	dmt_lock(&wanting, &guard);
	const int wanted = !dmt_name_find(&wanted_name, (uintptr_t)key) ||
	    dmt_filter_wants(settings.filter, &wanted_name.words);
	dmt_unlock(&wanting, &guard);
	return wanted;
}

static bool
failed(const char *words)
{
	dmt_report_failure(settings.report, words);
	return false;
}

static bool
choose_path(void)
{
	const bool own = own_name || !dmt_report_claim(settings.report);

	return dmt_settings_path(settings.output, own, path) ||
	    failed("the name of the trace is too long");
}

/* What this process starts has another name for its trace. */
static void
bequeath(void)
{
	char heritage[PATH_MAX];

	if (dmt_settings_heritage(settings.output, heritage))
		setenv("DMTRACE_OUTPUT", heritage, 1);
}

static bool
record(void)
{
	struct dmtrace_recorder_options *options = &settings.options;

	DMT_SHIM_RECORDER->host_stops = true;
	options->name = supply;
	options->want = settings.filter != NULL ? wants : NULL;
	if (dmtrace_recorder_set_options(DMT_SHIM_RECORDER, options) !=
	    DMTRACE_OK)
		return failed("the settings do not go together");
	if (dmtrace_recorder_start(DMT_SHIM_RECORDER, path) == DMTRACE_OK)
		return true;
	return failed(dmtrace_recorder_error(DMT_SHIM_RECORDER)->words);
}

static void
after_fork(void)
{
	pthread_mutex_init(&wanting, NULL);
	dmt_objects_after_fork();
	own_name = true;
	if (atomic_load(&state) == ON)
		atomic_store(&state, settings.fork ? FRESH : OVER);
}

/* Behind the recorder's own, which has let go of the parent's files. */
static void
watch(void)
{
	static atomic_int watched;

	if (atomic_exchange(&watched, 1) == 0)
		pthread_atfork(NULL, NULL, after_fork);
	if (settings.signals)
		dmt_signals_catch();
}

static bool
start(void)
{
	if (settings.output[0] == '\0')
		return false;
	if (settings.problem[0] != '\0') {
		dmt_report_failure(settings.report, settings.problem);
		return failed("nothing is recorded");
	}
	if (!choose_path() || !record())
		return false;
	owner = getpid();
	bequeath();
	watch();
	dmt_report_start(settings.report, path);
	return true;
}

bool
dmt_shim_start(void)
{
	int fresh = FRESH;

	if (atomic_load_explicit(&state, memory_order_relaxed) != FRESH ||
	    !atomic_compare_exchange_strong(&state, &fresh, STARTING))
		return false;
	const int error = errno;
	load();
	const bool started = start();
	atomic_store(&state, started ? ON : OVER);
	errno = error;
	return started;
}

bool
dmt_shim_is_on(void)
{
	return atomic_load(&state) == ON && getpid() == owner;
}

void
dmt_shim_rearm(void)
{
	int over = OVER;

	own_name = true;
	atomic_compare_exchange_strong(&state, &over, FRESH);
}

static void
tell(const struct dmtrace_recorder_result *result)
{
	if (result->error.status != DMTRACE_OK)
		dmt_report_failure(settings.report, result->error.words);
	dmt_report_stop(settings.report, path, result);
}

enum dmtrace_status
dmt_shim_stop(bool amid_malloc)
{
	struct dmtrace_recorder_result result;

	if (!dmt_shim_is_on())
		return DMTRACE_ERR_STATE;
	atomic_store(&names, amid_malloc ? NAMES_PLAIN : NAMES_FULL);
	const enum dmtrace_status status =
	    dmtrace_recorder_stop(DMT_SHIM_RECORDER, &result);
	atomic_store(&names, NAMES_ANYWHERE);
	if (status == DMTRACE_ERR_STATE)
		return status;
	atomic_store(&state, OVER);
	tell(&result);
	return status;
}
