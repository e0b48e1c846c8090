/* signals.c - the trace of a process that a signal ends */

#define _GNU_SOURCE		/* SA_ONSTACK */

#include "instrument/signals.h"

#include <errno.h>
#include <signal.h>

#include "instrument/shim.h"

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

static void
handle(int signal, siginfo_t *about, void *context)
{
	const int error = errno;
	const bool sent = !is_fault(about);

	(void)context;	/* malloc itself has faults, and calls abort */
	dmt_shim_stop(!sent || signal == SIGABRT);
	set_default(signal);
	if (sent)
		raise(signal);
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
