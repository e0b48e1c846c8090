/* packer.c - runs the programs that pack and unpack files */

/*
 * A program runs between a file and a pipe, without a shell, and knows no file
 * name. What it prints on standard error goes to a second pipe, whose first
 * line becomes part of our message; its other end does not block, so that the
 * program cannot wait for us there while we wait for it. Whoever closes the
 * first pipe early kills the program, which would otherwise only notice at its
 * next write. A program that packs may end before it has read all: SIGPIPE is
 * ignored then, so that the write fails instead, and the exit status says why.
 */

#include "cli/packer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/msg.h"
#include "private/packing.h"

#define SAID_MAX 200		/* bytes of its message in ours */

extern char **environ;

struct program {
	pid_t pid;
	int said;			/* what it prints on standard error */
	char name[16];
	char option[8];
};

static void DMT_PRINTF(2, 3)
set_packer_error(struct dmtrace_error *error, const char *format, ...)
{
	va_list args;

	if (error->status != DMTRACE_OK)
		return;
	va_start(args, format);
	error->status = DMTRACE_ERR_IO;
	vsnprintf(error->message, sizeof(error->message), format, args);
	va_end(args);
}

/* Both ends are closed in other programs. */
static bool
open_pipe(int fds[2])
{
	if (pipe(fds) != 0)
		return false;
	fcntl(fds[0], F_SETFD, FD_CLOEXEC);
	fcntl(fds[1], F_SETFD, FD_CLOEXEC);
	return true;
}

static void
close_pipe(const int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

/* Returns 0, or the number of the error. */
static int
spawn_program(struct program *program, int in, int out, int said)
{
	char *const argv[] = { program->name, program->option, NULL };
	posix_spawn_file_actions_t files;
	int failed = posix_spawn_file_actions_init(&files);

	if (failed != 0)
		return failed;
	failed = posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	if (failed == 0)
		failed = posix_spawn_file_actions_adddup2(&files, out,
		    STDOUT_FILENO);
	if (failed == 0)
		failed = posix_spawn_file_actions_adddup2(&files, said,
		    STDERR_FILENO);
	if (failed == 0)
		failed = posix_spawnp(&program->pid, program->name, &files,
		    NULL, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	return failed;
}

static void *
start_program(const struct dmt_packing *packing, bool unpack, int file,
    int *pipe_fd, struct dmtrace_error *error)
{
	struct program *const program = malloc(sizeof(*program));
	int bytes[2], said[2];

	if (program == NULL || !open_pipe(bytes)) {
		set_packer_error(error, "cannot run %s: %s", packing->name,
		    strerror(errno));
		free(program);
		return NULL;
	}
	if (!open_pipe(said)) {
		set_packer_error(error, "cannot run %s: %s", packing->name,
		    strerror(errno));
		close_pipe(bytes);
		free(program);
		return NULL;
	}
	fcntl(said[1], F_SETFL, O_NONBLOCK);
	program->said = said[0];
	snprintf(program->name, sizeof(program->name), "%s", packing->name);
	snprintf(program->option, sizeof(program->option), "%s",
	    unpack ? "-dc" : packing->pack);
	const int failed = unpack ?
	    spawn_program(program, file, bytes[1], said[1]) :
	    spawn_program(program, bytes[0], file, said[1]);
	close(said[1]);
	if (failed != 0) {
		if (failed == ENOENT)
			set_packer_error(error, "%s needs the program "
			    "\"%s\", which is not installed; it is in Debian's"
			    " package %s", unpack ? "this file" :
			    "a file of this name", packing->name,
			    packing->package);
		else
			set_packer_error(error, "cannot run %s: %s",
			    packing->name, strerror(failed));
		close_pipe(bytes);
		close(said[0]);
		free(program);
		return NULL;
	}
	if (!unpack)
		signal(SIGPIPE, SIG_IGN);
	close(bytes[unpack ? 1 : 0]);
	*pipe_fd = bytes[unpack ? 0 : 1];
	return program;
}

/* Reads the first line of what the program printed. The program has ended, but
 * others may have its standard error. */
static void
read_first_line(const struct program *program, char line[SAID_MAX])
{
	size_t len = 0;

	fcntl(program->said, F_SETFL, O_NONBLOCK);
	while (len < SAID_MAX - 1) {
		const ssize_t got = read(program->said, line + len,
		    SAID_MAX - 1 - len);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		len += (size_t)got;
	}
	line[len] = '\0';

	/* gzip begins with an empty line. */
	const size_t empty = strspn(line, "\r\n");
	memmove(line, line + empty, len - empty + 1);
	line[strcspn(line, "\r\n")] = '\0';
}

static int
wait_for_program(const struct program *program)
{
	int status;

	while (waitpid(program->pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

static enum dmtrace_status
finish_program(void *handle, struct dmtrace_error *error)
{
	struct program *const program = handle;
	const int status = wait_for_program(program);
	char line[SAID_MAX] = "";

	if (status != 0)
		read_first_line(program, line);
	const char *const colon = line[0] == '\0' ? "" : ": ";
	if (status != 0 && WIFSIGNALED(status))
		set_packer_error(error, "\"%s %s\" was ended by signal %d%s%s",
		    program->name, program->option, WTERMSIG(status), colon,
		    line);
	else if (status != 0)
		set_packer_error(error, "\"%s %s\" failed with exit status "
		    "%d%s%s", program->name, program->option,
		    WEXITSTATUS(status), colon, line);
	close(program->said);
	free(program);
	return error->status;
}

static void
stop_program(void *handle)
{
	struct program *const program = handle;

	kill(program->pid, SIGKILL);
	wait_for_program(program);
	close(program->said);
	free(program);
}

void
packer_use(void)
{
	static const struct dmt_packer packer = {
		start_program, finish_program, stop_program
	};

	dmt_packer_set(&packer);
}
