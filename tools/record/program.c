/* program.c - another program: run it, and its end */

#include "record/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/signals.h"

enum { SIGNALED = 128 };

static volatile sig_atomic_t child;

/* Of the terminal's signals the program gets its own. */
static const struct {
	int signal;
	bool forward;
} signals[] = {
	{ SIGINT, false },
	{ SIGQUIT, false },
	{ SIGHUP, true },
	{ SIGTERM, true }
};

enum { SIGNALS = sizeof(signals) / sizeof(signals[0]) };

static void
forward_signal(int signal)
{
	if (child > 0)
		kill((pid_t)child, signal);
}

/* What is ignored stays so, here and in the program. */
static void
catch_signals(struct sigaction old[SIGNALS])
{
	struct sigaction action = { .sa_flags = SA_RESTART };

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < SIGNALS; i++) {
		sigaction(signals[i].signal, NULL, &old[i]);
		action.sa_handler = signals[i].forward ?
		    forward_signal : SIG_IGN;
		if (old[i].sa_handler != SIG_IGN)
			sigaction(signals[i].signal, &action, NULL);
	}
}

static void
restore_signals(const struct sigaction old[SIGNALS])
{
	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(signals[i].signal, &old[i], NULL);
}

/*
 * The child writes to a pipe what keeps it from becoming the program. The pipe
 * closes by itself when the program has begun, and then its end is waited for.
 */
static int
fork_program(char *const argv[], const int fds[2],
    const struct sigaction old[SIGNALS])
{
	int status = 0, error = 0;
	ssize_t len;

	fcntl(fds[0], F_SETFD, FD_CLOEXEC);
	fcntl(fds[1], F_SETFD, FD_CLOEXEC);
	const pid_t id = fork();
	if (id == 0) {
		restore_signals(old);
		signals_hand_on();
		execvp(argv[0], argv);
		error = errno;
		len = write(fds[1], &error, sizeof(error));
		(void)len;
		_exit(127);
	}
	child = (sig_atomic_t)id;
	close(fds[1]);
	if (id < 0)
		return -1;
	while ((len = read(fds[0], &error, sizeof(error))) < 0 &&
	    errno == EINTR)
		;
	while (waitpid(id, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	if (len == (ssize_t)sizeof(error)) {
		errno = error;
		return -1;
	}
	return WIFSIGNALED(status) ? SIGNALED + WTERMSIG(status) :
	    WEXITSTATUS(status);
}

int
program_run(char *const argv[])
{
	struct sigaction old[SIGNALS];
	int fds[2];

	if (pipe(fds) != 0)
		return -1;
	catch_signals(old);
	const int status = fork_program(argv, fds, old);
	const int error = errno;
	child = 0;
	restore_signals(old);
	close(fds[0]);
	errno = error;
	return status;
}
