/* shim.c - starts and ends the trace of a process: settings, signals, report */

#define _GNU_SOURCE		/* SA_ONSTACK */

#include "instrument/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "instrument/hook_filter.h"
#include "instrument/hook_names.h"
#include "instrument/objects.h"
#include "instrument/settings.h"
#include "private/recorder.h"
#include "record/system.h"

/*
 * A process starts FRESH. Its first event starts the recording, in any thread:
 * starting in main would miss the constructors, and starting in the
 * constructor of this library would miss those that run before it. If the
 * settings ask for no trace, or it cannot be started, the process is OVER at
 * once, and later events return after a few loads.
 *
 * The trace ends with the process: after all destructors (__cxa_atexit without
 * an object), in quick_exit and _exit, before exec, and in a handler for each
 * deadly signal that the program neither handles nor ignores. The child of a
 * fork is FRESH again if DMTRACE_FORK=1, otherwise OVER.
 *
 * Functions are identified in the recorder by their addresses. The recorder
 * asks for names when it writes a key, which may be in a signal handler that
 * has interrupted malloc. So nothing on that path calls malloc except the
 * demangler, which is not used when the thread may be in a handler.
 *
 * "dmtrace record" reads what happened from a report file, see below; without
 * a report file, failures and losses are printed to standard error.
 */

/* In the C library: without an object, it runs after all destructors. */
extern int
__cxa_atexit(void (*function)(void *), void *argument, void *object);

enum { FRESH, STARTING, ON, OVER };

/* How names can be looked up; while the program runs, that may be in a signal
 * handler. */
enum { NAMES_ANYWHERE, NAMES_FULL, NAMES_PLAIN };

#define LINE_MAX_BYTES (PATH_MAX + 256)

static atomic_int trace_state = FRESH;
static atomic_ulong lost_early;	/* events while the trace was started */
static atomic_int is_loaded;
static atomic_int names_kind = NAMES_ANYWHERE;
static pid_t owner;		/* the process that is recorded */
static bool needs_own_name;	/* true for the second and later traces */
static struct dmt_settings settings;
static char trace_path[PATH_MAX];
static struct dmt_hook_name method_name, wanted_name;
static pthread_mutex_t wanted_mutex = PTHREAD_MUTEX_INITIALIZER;

/*
 * The report for "dmtrace record" has lines of all processes, with fields
 * separated by TABs. "claim PID" is the first line, by the process that gets
 * the name of the trace unchanged; then "start PID PATH", "fail PID MESSAGE",
 * and "stop PID EVENTS DROPPED METHODS THREADS FILES ENDED PATH", where ENDED
 * is the number of an enum dmtrace_recorder_end, or 0.
 */

/* Each line is a single write, so that the lines of several processes do not
 * mix. */
static bool
append_to_report(const char *line)
{
	const int fd = settings.report[0] == '\0' ? -1 :
	    open(settings.report, O_WRONLY | O_APPEND | O_CLOEXEC);

	if (fd < 0)
		return false;
	const size_t len = strlen(line);
	const bool done = write(fd, line, len) == (ssize_t)len;
	close(fd);
	return done;
}

static void
print_to_stderr(const char *line)
{
	(void)!write(STDERR_FILENO, line, strlen(line));
}

/* Returns true in the first process that asks: under a lock on the file, if its
 * file system has locks, an empty report gets its first line. */
static bool
claim_trace_name(void)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct stat about;
	char line[32];

	const int fd = settings.report[0] == '\0' ? -1 :
	    open(settings.report, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)	/* ENOENT: "dmtrace record" has ended, and the name
			   may be that of a whole trace */
		return settings.report[0] == '\0' || errno != ENOENT;
	while (fcntl(fd, F_SETLKW, &lock) != 0 && errno == EINTR)
		;
	snprintf(line, sizeof(line), "claim\t%ld\n", (long)getpid());
	const bool is_first = fstat(fd, &about) == 0 && about.st_size == 0 &&
	    write(fd, line, strlen(line)) > 0;
	close(fd);
	return is_first;
}

/* Always false. */
static bool
report_failure(const char *message)
{
	char line[LINE_MAX_BYTES];

	snprintf(line, sizeof(line), "fail\t%ld\t%s\n", (long)getpid(),
	    message);
	if (append_to_report(line))
		return false;
	snprintf(line, sizeof(line), "dmtrace: %s\n", message);
	print_to_stderr(line);
	return false;
}

static void
report_result(const struct dmtrace_recorder_result *result)
{
	static const char *const reasons[] = {
		NULL,
		"memory was full",
		"the trace could not be written",
		"the maximum time was reached"
	};
	char line[LINE_MAX_BYTES];

	if (result->error.status != DMTRACE_OK)
		report_failure(result->error.message);
	snprintf(line, sizeof(line), "stop\t%ld\t%" PRIu64 "\t%" PRIu64
	    "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%u\t%s\n",
	    (long)getpid(), result->events, result->dropped, result->methods,
	    result->threads, result->files, (unsigned)result->ended,
	    trace_path);
	if (append_to_report(line))
		return;
	if (result->ended != 0) {
		snprintf(line, sizeof(line), "dmtrace: %s: warning: "
		    "recording ended early: %s\n", trace_path,
		    reasons[result->ended]);
		print_to_stderr(line);
	}
	if (result->dropped > 0) {
		snprintf(line, sizeof(line), "dmtrace: %s: %" PRIu64
		    " events are lost\n", trace_path, result->dropped);
		print_to_stderr(line);
	}
}

/* The recorder's call-back for names. It is also called while the program
 * runs, for a journal, or when a file ends. */
static int
supply_name(void *context, uint64_t key, struct dmtrace_recorder_method *method)
{
	const int kind = atomic_load(&names_kind);

	(void)context;
	method_name.plain = kind == NAMES_PLAIN || (kind == NAMES_ANYWHERE &&
	    dmt_shim_may_be_in_handler(dmt_lock_signals()));
	return dmt_name_supply(&method_name, key, method);
}

/* The recorder's call-back for new functions. regexec calls malloc: in a
 * signal handler that may have interrupted malloc, it cannot be called. */
static int
is_function_wanted(void *context, uint64_t key)
{
	struct dmt_guard guard;

	(void)context;
	if (settings.filter.has_expression &&
	    dmt_shim_may_be_in_handler(dmt_lock_signals()))
		return -1;
	dmt_lock(&wanted_mutex, &guard);
	const int wanted = !dmt_name_find(&wanted_name, (uintptr_t)key) ||
	    dmt_hook_filter_wants(&settings.filter, &wanted_name.method);
	dmt_unlock(&wanted_mutex, &guard);
	return wanted;
}

/* Real-time signals are left out, as their numbers are not constants. */
static const int deadly_signals[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE,
	SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU,
	SIGXFSZ, SIGVTALRM, SIGPROF, SIGSYS, SIGPOLL,
#ifdef SIGSTKFLT
	SIGSTKFLT,
#endif
#ifdef SIGPWR
	SIGPWR,
#endif
};

enum { DEADLY = sizeof(deadly_signals) / sizeof(deadly_signals[0]) };

/*
 * Ends the trace, and lets the process die of the signal. For a fault it is
 * enough to return, as the instruction is executed again; any other signal is
 * raised again, including those that the system sent, such as alarms.
 */
static void
end_trace_and_die(int signal, siginfo_t *about, void *context)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	const int error = errno;
	const bool is_fault = about->si_code > 0 &&
	    (signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE ||
	    signal == SIGILL);

	(void)context;	/* Faults may be inside malloc, which also calls
			   abort. */
	dmt_shim_stop(is_fault || signal == SIGABRT);
	sigemptyset(&action.sa_mask);
	sigaction(signal, &action, NULL);
	if (!is_fault)
		raise(signal);
	errno = error;
}

/* Installs the handler, unless the program handles or ignores the signal. */
static void
catch_signal(int signal)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };
	struct sigaction old;

	action.sa_sigaction = end_trace_and_die;
	sigfillset(&action.sa_mask);
	if (sigaction(signal, NULL, &old) == 0 &&
	    (old.sa_flags & SA_SIGINFO) == 0 && old.sa_handler == SIG_DFL)
		sigaction(signal, &action, NULL);
}

static bool
has_program_handler(int signal)
{
	struct sigaction action;

	if (sigaction(signal, NULL, &action) != 0)
		return false;
	if ((action.sa_flags & SA_SIGINFO) != 0)
		return action.sa_sigaction != end_trace_and_die;
	return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

bool
dmt_shim_may_be_in_handler(const sigset_t *blocked)
{
	sigset_t now;

	pthread_sigmask(SIG_BLOCK, NULL, &now);
	for (int i = 1; i <= SIGRTMAX; i++)
		if (sigismember(blocked != NULL ? blocked : &now, i) == 1 &&
		    has_program_handler(i))
			return true;
	return false;
}

static void
stop_at_exit(void *unused)
{
	(void)unused;
	dmt_shim_stop(false);
}

static void
stop_at_quick_exit(void)
{
	dmt_shim_stop(false);
}

/* Runs before the program's own code, except for hooks in objects that are
 * initialised earlier. */
static void __attribute__((constructor))
load_shim(void)
{
	if (atomic_exchange(&is_loaded, 1) != 0)
		return;
	dmt_settings_read(&settings);
	/* The start does it, too. But once there are several threads, it takes
	 * 10 ms, and events of the others are lost. */
	if (settings.output[0] != '\0')
		dmt_barrier_init();
	__cxa_atexit(stop_at_exit, NULL, NULL);
	at_quick_exit(stop_at_quick_exit);
}

/* Compiles the expressions again in the child of a fork: another thread may
 * have been in regexec, which locks them. */
static void
renew_filter(void)
{
	const struct dmt_hook_filter old = settings.filter;
	struct dmtrace_error error = { 0 };

	if (dmt_hook_filter_init(&settings.filter, old.patterns, &error) !=
	    DMTRACE_OK)
		snprintf(settings.problem, sizeof(settings.problem), "%s",
		    error.message);
}

/* Called in the child of a fork, after the recorder's own handler has reset
 * the recorder. */
static void
reset_shim_in_child(void)
{
	pthread_mutex_init(&wanted_mutex, NULL);
	dmt_objects_after_fork();
	if (settings.fork && settings.filter.has_expression)
		renew_filter();
	needs_own_name = true;
	if (atomic_load(&trace_state) == ON)
		atomic_store(&trace_state, settings.fork ? FRESH : OVER);
}

static bool
start_trace(void)
{
	static atomic_int watches_forks;
	struct dmtrace_recorder_options *options = &settings.options;
	char heritage[PATH_MAX], line[LINE_MAX_BYTES];

	if (settings.output[0] == '\0')
		return false;
	if (settings.problem[0] != '\0') {
		report_failure(settings.problem);
		return report_failure("nothing is recorded");
	}
	const bool own = needs_own_name || !claim_trace_name();
	if (!dmt_settings_path(settings.output, own, trace_path))
		return report_failure("the name of the trace is too long");

	DMT_SHIM_RECORDER->host_stops = true;
	options->name = supply_name;
	options->want = settings.filter.patterns != NULL ? is_function_wanted :
	    NULL;
	if (dmtrace_recorder_start(DMT_SHIM_RECORDER, trace_path, options) !=
	    DMTRACE_OK)
		return report_failure(
		    dmtrace_recorder_error(DMT_SHIM_RECORDER)->message);
	owner = getpid();

	/* Child processes need another name for their traces. */
	if (dmt_settings_heritage(settings.output, heritage))
		setenv("DMTRACE_OUTPUT", heritage, 1);

	if (atomic_exchange(&watches_forks, 1) == 0)
		pthread_atfork(NULL, NULL, reset_shim_in_child);
	if (settings.signals) {
		for (size_t i = 0; i < DEADLY; i++)
			catch_signal(deadly_signals[i]);
		for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++)
			catch_signal(signal);
	}
	snprintf(line, sizeof(line), "start\t%ld\t%s\n", (long)getpid(),
	    trace_path);
	append_to_report(line);
	return true;
}

bool
dmt_shim_start(void)
{
	int state = atomic_load_explicit(&trace_state, memory_order_relaxed);

	if (state == OVER)
		return false;
	state = FRESH;
	if (!atomic_compare_exchange_strong(&trace_state, &state, STARTING)) {
		atomic_fetch_add(&lost_early, state != OVER);
		return false;
	}
	const int error = errno;
	atomic_store(&lost_early, 0);
	load_shim();
	const bool started = start_trace();
	atomic_store(&trace_state, started ? ON : OVER);
	errno = error;
	return started;
}

bool
dmt_shim_is_on(void)
{
	return atomic_load(&trace_state) == ON && getpid() == owner;
}

enum dmtrace_status
dmt_shim_stop(bool amid_malloc)
{
	struct dmtrace_recorder_result result;

	if (!dmt_shim_is_on())
		return DMTRACE_ERR_STATE;
	atomic_store(&names_kind, amid_malloc ? NAMES_PLAIN : NAMES_FULL);
	/* A filter was not read yet: nobody knows which were wanted. */
	if (settings.filter.patterns == NULL)
		atomic_fetch_add(&DMT_SHIM_RECORDER->dropped_alone,
		    atomic_exchange(&lost_early, 0));
	const enum dmtrace_status status =
	    dmtrace_recorder_stop(DMT_SHIM_RECORDER, &result);
	atomic_store(&names_kind, NAMES_ANYWHERE);
	if (status == DMTRACE_ERR_STATE)
		return status;
	atomic_store(&trace_state, OVER);
	report_result(&result);
	return status;
}

void
dmt_shim_rearm(void)
{
	int over = OVER;

	needs_own_name = true;
	atomic_compare_exchange_strong(&trace_state, &over, FRESH);
}
