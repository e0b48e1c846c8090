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
forward(int signal)
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
		action.sa_handler = signals[i].forward ? forward : SIG_IGN;
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

/* In the child: what keeps it from becoming the program goes to fd. */
static void
exec_program(char *const argv[], int fd)
{
	execvp(argv[0], argv);
	const int error = errno;
	const ssize_t ignored = write(fd, &error, sizeof(error));
	(void)ignored;
	_exit(127);
}

static int
wait_for(pid_t id)
{
	int status;

	while (waitpid(id, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFSIGNALED(status) ? SIGNALED + WTERMSIG(status) :
	    WEXITSTATUS(status);
}

/* The pipe closes by itself when the program has begun. */
static int
await_program(pid_t id, int fd)
{
	int error = 0;
	ssize_t len;

	while ((len = read(fd, &error, sizeof(error))) < 0 && errno == EINTR)
		;
	const int status = wait_for(id);
	if (len != (ssize_t)sizeof(error))
		return status;
	errno = error;
	return -1;
}

static int
fork_program(char *const argv[], const int fds[2])
{
	struct sigaction old[SIGNALS];

	fcntl(fds[0], F_SETFD, FD_CLOEXEC);
	fcntl(fds[1], F_SETFD, FD_CLOEXEC);
	catch_signals(old);
	const pid_t id = fork();
	if (id == 0) {
		restore_signals(old);
		signals_hand_on();
		exec_program(argv, fds[1]);
	}
	child = (sig_atomic_t)id;
	close(fds[1]);
	const int status = id < 0 ? -1 : await_program(id, fds[0]);
	const int error = errno;
	child = 0;
	restore_signals(old);
	errno = error;
	return status;
}

int
program_run(char *const argv[])
{
	int fds[2];

	if (pipe(fds) != 0)
		return -1;
	const int status = fork_program(argv, fds);
	const int error = errno;
	close(fds[0]);
	errno = error;
	return status;
}
