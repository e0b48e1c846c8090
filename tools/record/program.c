/* program.c - runs another program, and checks if it has hooks */

#include "record/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/signals.h"

#define HOOK "__cyg_profile_func_enter"
#define BLOCK (256 * 1024)

static int
open_executable(const char *path)
{
	struct stat about;
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0 && (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) ||
	    access(path, X_OK) != 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Opens the program that execvp would run. -1: there is none. */
static int
open_program(const char *name)
{
	const char *folders = getenv("PATH");
	char path[4096];
	int fd = -1;

	if (strchr(name, '/') != NULL)
		return open_executable(name);
	while (fd < 0 && folders != NULL) {
		const size_t len = strcspn(folders, ":");
		snprintf(path, sizeof(path), "%.*s%s%s", (int)len, folders,
		    len > 0 ? "/" : "", name);
		fd = open_executable(path);
		folders = folders[len] == ':' ? folders + len + 1 : NULL;
	}
	return fd;
}

/* Blocks overlap, as the name may cross the end of a block. */
static bool
find_hook(int fd, char *block)
{
	const size_t overlap = strlen(HOOK) - 1;
	size_t kept = 0;
	ssize_t n;

	while ((n = read(fd, block + kept, BLOCK - kept)) > 0) {
		const size_t len = kept + (size_t)n;
		const char *at = block;

		while ((size_t)(block + len - at) > overlap &&
		    (at = memchr(at, '_', (size_t)(block + len - at) -
		    overlap)) != NULL)
			if (memcmp(at++, HOOK, overlap + 1) == 0)
				return true;
		kept = len < overlap ? len : overlap;
		memmove(block, block + len - kept, kept);
	}
	return false;
}

/* Returns true if it names an interpreter, which loads its libraries. Program
 * headers begin with the type in both ELF classes. */
static bool
is_dynamic(int fd, const unsigned char *head)
{
	const bool wide = head[EI_CLASS] == ELFCLASS64;
	Elf64_Ehdr large;
	Elf32_Ehdr small;
	uint32_t type;

	memcpy(&large, head, sizeof(large));
	memcpy(&small, head, sizeof(small));
	const uint64_t at = wide ? large.e_phoff : small.e_phoff;
	const unsigned count = wide ? large.e_phnum : small.e_phnum;
	const unsigned size = wide ? large.e_phentsize : small.e_phentsize;
	for (unsigned i = 0; i < count; i++)
		if (pread(fd, &type, sizeof(type),
		    (off_t)(at + (uint64_t)i * size)) != sizeof(type) ||
		    type == PT_INTERP)
			return true;
	return false;
}

enum program_hooks
program_hooks(const char *name)
{
	unsigned char head[sizeof(Elf64_Ehdr)];
	char *const block = malloc(BLOCK);
	enum program_hooks hooks = PROGRAM_UNKNOWN;
	const int fd = open_program(name);

	if (block != NULL && fd >= 0 &&
	    pread(fd, head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
	    memcmp(head, ELFMAG, SELFMAG) == 0)
		hooks = !find_hook(fd, block) ? PROGRAM_BARE :
		    is_dynamic(fd, head) ? PROGRAM_HOOKED : PROGRAM_STATIC;
	if (fd >= 0)
		close(fd);
	free(block);
	return hooks;
}

enum { SIGNALED = 128 };

static volatile sig_atomic_t child;

/* Signals that the terminal also sends to the program. */
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

/* Blocks the signals that are forwarded, until it is known where to. */
static void
block_forwarded(sigset_t *before)
{
	sigset_t forwarded;

	sigemptyset(&forwarded);
	for (size_t i = 0; i < SIGNALS; i++)
		if (signals[i].forward)
			sigaddset(&forwarded, signals[i].signal);
	sigprocmask(SIG_BLOCK, &forwarded, before);
}

/* Catches the signals, except those that are ignored: these stay ignored, here
 * and in the program. */
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
 * The child writes to a pipe why it cannot run the program. If the program
 * starts, the pipe is closed, and this waits for its end.
 */
static int
fork_program(char *const argv[], const int fds[2], bool *killed,
    const struct sigaction old[SIGNALS])
{
	int status = 0, error = 0;
	sigset_t before;
	ssize_t len;

	fcntl(fds[0], F_SETFD, FD_CLOEXEC);
	fcntl(fds[1], F_SETFD, FD_CLOEXEC);
	block_forwarded(&before);
	const pid_t id = fork();
	if (id == 0) {
		restore_signals(old);
		sigprocmask(SIG_SETMASK, &before, NULL);
		signals_hand_on();
		execvp(argv[0], argv);
		error = errno;
		len = write(fds[1], &error, sizeof(error));
		(void)len;
		_exit(127);
	}
	child = (sig_atomic_t)id;
	sigprocmask(SIG_SETMASK, &before, NULL);
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
	*killed = WIFSIGNALED(status);
	return *killed ? SIGNALED + WTERMSIG(status) :
	    WEXITSTATUS(status);
}

int
program_run(char *const argv[], bool *killed)
{
	struct sigaction old[SIGNALS];
	int fds[2];

	if (pipe(fds) != 0)
		return -1;
	catch_signals(old);
	const int status = fork_program(argv, fds, killed, old);
	const int error = errno;
	child = 0;
	restore_signals(old);
	close(fds[0]);
	errno = error;
	return status;
}
