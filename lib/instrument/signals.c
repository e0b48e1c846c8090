/* signals.c - the trace of a process that a signal ends */

#define _GNU_SOURCE		/* SA_ONSTACK, syscall */

#include "instrument/signals.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "instrument/shim.h"

#define SECONDS_TO_STOP 5
#define RETRY_NS 1000000

/* Without those of real time, whose numbers are not constants. */
static const int deadly[] = {
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

enum { DEADLY = sizeof(deadly) / sizeof(deadly[0]) };

static int bomb;			/* a timer's id */
static volatile sig_atomic_t armed;

/*
 * A timer that sends a signal to the process, once. The C library's own calls
 * may allocate; the system's takes times of two longs, which on the 32-bit
 * side of x86-64 are not that.
 */
static int
set_timer(int *id, int signal, long seconds, long ns)
{
#if defined(SYS_timer_create) && defined(SYS_timer_settime) && \
    defined(__linux__) && (!defined(__x86_64__) || defined(__LP64__))
	const struct {
		long interval[2];
		long value[2];
	} when = { { 0, 0 }, { seconds, ns } };
	struct sigevent event;

	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_SIGNAL;
	event.sigev_signo = signal;
	return syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, id) == 0 &&
	    syscall(SYS_timer_settime, *id, 0, &when, NULL) == 0;
#else
	(void)id;
	(void)signal;
	(void)seconds;
	(void)ns;
	return 0;
#endif
}

void
dmt_signals_arm(void)
{
	armed = set_timer(&bomb, SIGKILL, SECONDS_TO_STOP, 0);
}

void
dmt_signals_disarm(void)
{
#ifdef SYS_timer_delete
	if (armed)
		syscall(SYS_timer_delete, bomb);
#endif
	armed = 0;
}

static void
set_default(int signal)
{
	struct sigaction action = { .sa_handler = SIG_DFL };

	sigemptyset(&action.sa_mask);
	sigaction(signal, &action, NULL);
}

/* Of an instruction that is done again behind the handler. The other signals
 * that the system sends by itself, as for an alarm, come once. */
static bool
is_fault(const siginfo_t *about)
{
	return about->si_code > 0 && (about->si_signo == SIGSEGV ||
	    about->si_signo == SIGBUS || about->si_signo == SIGFPE ||
	    about->si_signo == SIGILL);
}

/*
 * An event that was interrupted must end before the trace can: the signal
 * comes again a little later. Of faults there is none later; behind the
 * handler they happen again.
 */
static void
handle(int signal, siginfo_t *about, void *context)
{
	const int error = errno;
	const bool sent = !is_fault(about);
	int retry;

	(void)context;
	dmt_signals_arm();
	const bool later = dmt_shim_is_on() &&
	    dmt_shim_stop() == DMTRACE_ERR_STATE;
	dmt_signals_disarm();
	if (!later || !sent || !set_timer(&retry, signal, 0, RETRY_NS)) {
		set_default(signal);
		if (sent)
			raise(signal);
	}
	errno = error;
}

static void
catch(int signal)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };
	struct sigaction old;

	action.sa_sigaction = handle;
	sigfillset(&action.sa_mask);
	if (sigaction(signal, NULL, &old) == 0 &&
	    (old.sa_flags & SA_SIGINFO) == 0 && old.sa_handler == SIG_DFL)
		sigaction(signal, &action, NULL);
}

void
dmt_signals_catch(void)
{
	for (size_t i = 0; i < DEADLY; i++)
		catch(deadly[i]);
	for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++)
		catch(signal);
}

static bool
has_handler(int signal)
{
	struct sigaction action;

	if (sigaction(signal, NULL, &action) != 0)
		return false;
	if ((action.sa_flags & SA_SIGINFO) != 0)
		return action.sa_sigaction != handle;
	return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

int
dmt_signals_may_handle(const sigset_t *blocked)
{
	sigset_t now;

	pthread_sigmask(SIG_BLOCK, NULL, &now);
	for (int i = 1; i <= SIGRTMAX; i++)
		if (sigismember(blocked != NULL ? blocked : &now, i) == 1 &&
		    has_handler(i))
			return 1;
	return 0;
}
