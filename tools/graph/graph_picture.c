/* graph_picture.c - pictures of graphs, by the program dot */

#include "graph/graph_picture.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/msg.h"
#include "cmd.h"

#define BLOCK 65536

extern char **environ;

static int
fail_picture(const char *what, int error)
{
	msg_error("%s: %s", what, strerror(error));
	return CMD_TROUBLE;
}

static int
fail_to_start(int error)
{
	if (error != ENOENT)
		return fail_picture("dot cannot be run", error);
	msg_error("there is no program dot, which makes pictures of graphs "
	    "(Debian package graphviz); -f dot needs none");
	return CMD_TROUBLE;
}

/* Its three streams; the other ends of the pipe stay here. */
static int
redirect_dot(posix_spawn_file_actions_t *actions, int in, const int pipe[2],
    int errors)
{
	int error = posix_spawn_file_actions_adddup2(actions, in,
	    STDIN_FILENO);

	if (error == 0)
		error = posix_spawn_file_actions_adddup2(actions, pipe[1],
		    STDOUT_FILENO);
	if (error == 0)
		error = posix_spawn_file_actions_adddup2(actions, errors,
		    STDERR_FILENO);
	if (error == 0)
		error = posix_spawn_file_actions_addclose(actions, pipe[0]);
	return error != 0 ? error :
	    posix_spawn_file_actions_addclose(actions, pipe[1]);
}

/* An argument list: no shell sees a name. Returns 0 or an error number. */
static int
start_dot(pid_t *child, const char *form, int in, const int pipe[2], int errors)
{
	char name[] = "dot", option[16];
	char *arguments[] = { name, option, NULL };
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error != 0)
		return error;
	snprintf(option, sizeof(option), "-T%s", form);
	error = redirect_dot(&actions, in, pipe, errors);
	if (error == 0)
		error = posix_spawnp(child, "dot", &actions, NULL, arguments,
		    environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

static int
copy_picture(struct out *out, int from)
{
	char *const block = malloc(BLOCK);
	ssize_t count = 1;

	if (block == NULL)
		return msg_fail_memory();
	while (count > 0 || (count < 0 && errno == EINTR)) {
		count = read(from, block, BLOCK);
		if (count > 0)
			out_put(out, block, (size_t)count);
	}
	free(block);
	return count == 0 ? CMD_OK : fail_picture("dot cannot be read", errno);
}

static int
await_dot(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return fail_picture("dot cannot be waited for", errno);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return CMD_OK;
	if (WIFSIGNALED(status))
		msg_error("dot was killed by signal %d", WTERMSIG(status));
	else
		msg_error("dot failed with exit status %d",
		    WEXITSTATUS(status));
	return CMD_TROUBLE;
}

static void
report_dot_messages(FILE *errors)
{
	char line[512];

	rewind(errors);
	while (fgets(line, sizeof(line), errors) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0] != '\0')
			msg_error("dot: %s", line);
	}
}

static int
run_dot(struct out *out, const char *form, int graph, FILE *errors)
{
	int ends[2];
	pid_t child;

	if (pipe(ends) != 0)
		return fail_picture("dot cannot be run", errno);
	const int error = start_dot(&child, form, graph, ends, fileno(errors));
	close(ends[1]);
	int status = error != 0 ? fail_to_start(error) : copy_picture(out,
	    ends[0]);
	close(ends[0]);
	if (error == 0 && await_dot(child) != CMD_OK)
		status = CMD_TROUBLE;
	return status;
}

int
graph_picture_print(struct out *out, const char *form, FILE *graph, bool quiet)
{
	FILE *const errors = tmpfile();

	if (errors == NULL || lseek(fileno(graph), 0, SEEK_SET) != 0) {
		const int status = fail_picture("a temporary file", errno);

		if (errors != NULL)
			fclose(errors);
		return status;
	}
	const int status = run_dot(out, form, fileno(graph), errors);
	if (status != CMD_OK || !quiet)
		report_dot_messages(errors);
	fclose(errors);
	return status;
}
