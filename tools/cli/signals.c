/* signals.c - handlers of signals that end the program */

#include "cli/signals.h"

#include <dmtrace.h>

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

#include "cli/jobs.h"
#include "private/status.h"

static const int deadly[] = { SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM };

static void (*too_long)(int);		/* earlier handler of SIGXFSZ */
static pid_t helper;			/* see signals_helper */

pid_t *
signals_helper(void)
{
	return &helper;
}

/* Ends workers, removes temporary files, and raises the signal again: it is
 * blocked while its handler runs, and then has its default effect. SA_RESETHAND
 * would restore that before the signal is blocked: if a program sends it twice,
 * as timeout(1) does, the second one could end this before the handler ran. */
static void
die_of_signal(int number)
{
	jobs_kill();
	if (helper > 0)
		kill(helper, SIGTERM);
	dmt_temporaries_remove();
	signal(number, SIG_DFL);
	raise(number);
}

/* Signals that are ignored stay ignored. */
void
signals_catch(void)
{
	struct sigaction action = { .sa_handler = die_of_signal };
	struct sigaction old;

	too_long = signal(SIGXFSZ, SIG_IGN);
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++)
		if (sigaction(deadly[i], NULL, &old) == 0 &&
		    old.sa_handler == SIG_DFL)
			sigaction(deadly[i], &action, NULL);
}

void
signals_hand_on(void)
{
	signal(SIGXFSZ, too_long);
}
