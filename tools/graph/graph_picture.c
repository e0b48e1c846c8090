/* graph_picture.c - makes pictures of graphs with the program dot */

#include "graph/graph_picture.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/msg.h"
#include "cli/signals.h"
#include "cmd.h"
#include "private/export.h"

#define BLOCK 65536

extern char **environ;

static int
fail_picture(const char *what, int error)
{
	msg_error("%s: %s", what, strerror(error));
	return CMD_TROUBLE;
}

/* Starts dot with an argument list, without a shell. Returns 0 or an error
 * number. */
static int
start_dot(pid_t *child, const char *form, int in, const int pipe[2],
    int errors)
{
	const int streams[] = { in, pipe[1], errors };
	char name[] = "dot", option[16];
	char *arguments[] = { name, option, NULL };
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error != 0)
		return error;
	for (int fd = 0; fd < 3 && error == 0; fd++)
		error = posix_spawn_file_actions_adddup2(&actions,
		    streams[fd], fd);
	for (int i = 0; i < 2 && error == 0; i++)
		error = posix_spawn_file_actions_addclose(&actions, pipe[i]);
	snprintf(option, sizeof(option), "-T%s", form);
	if (error == 0)
		error = posix_spawnp(child, name, &actions, NULL, arguments,
		    environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* Writes the beginning of an SVG picture up to the end of its opening tag: as
 * large as its window, with what moves and zooms it. Returns how many bytes it
 * took; 0: it is not as dot writes it. */
static size_t
put_svg_begin(struct out *out, char *block, size_t count)
{
	static const char size[] = "<svg width=\"100%\" height=\"100%\"";

	block[count] = '\0';
	char *const begin = strstr(block, "<svg ");
	char *const box = begin == NULL ? NULL : strstr(begin, " viewBox=");
	char *const end = box == NULL ? NULL : strchr(box, '>');
	if (end == NULL)
		return 0;
	dmt_output_write(&out->output, block, (size_t)(begin - block));
	dmt_output_write(&out->output, size, sizeof(size) - 1);
	dmt_output_write(&out->output, box, (size_t)(end + 1 - box));
	dmt_export_dot_put_parts(&out->output);
	return (size_t)(end + 1 - block);
}

static int
copy_picture(struct out *out, int from, bool is_svg)
{
	char *const block = malloc(BLOCK + 1);
	ssize_t count = 1;
	size_t len = 0;
	bool begun = !is_svg;

	if (block == NULL)
		return msg_fail_memory();
	while (count > 0 || (count < 0 && errno == EINTR)) {
		count = read(from, block + len, BLOCK - len);
		len += count > 0 ? (size_t)count : 0;
		const size_t used = begun ? 0 : put_svg_begin(out, block, len);
		begun |= used > 0 || len == BLOCK || count == 0;
		if (begun) {
			dmt_output_write(&out->output, block + used,
			    len - used);
			len = 0;
		}
	}
	free(block);
	return count == 0 ? CMD_OK : fail_picture("dot cannot be read", errno);
}

/* Waits until dot has ended. Returns an exit status; a failure is reported. */
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

FILE *
graph_picture_temporary(void)
{
	struct dmt_output output;
	FILE *file = NULL;

	if (dmt_output_open_temporary(&output, NULL) != DMTRACE_OK) {
		msg_error("%s", output.error.message);
	} else {
		file = fdopen(output.fd, "w+");
		if (file == NULL)
			fail_picture("a temporary file", errno);
		else
			output.fd = -1;
	}
	dmt_output_fini(&output);
	return file;
}

int
graph_picture_print(struct out *out, const char *form, FILE *graph, bool quiet)
{
	FILE *const errors = graph_picture_temporary();
	pid_t *const helper = signals_helper();
	int status = CMD_TROUBLE, ends[2];

	if (errors == NULL)
		return CMD_TROUBLE;
	if (lseek(fileno(graph), 0, SEEK_SET) != 0) {
		fail_picture("a temporary file", errno);
		goto end;
	}
	if (pipe(ends) != 0) {
		fail_picture("dot cannot be run", errno);
		goto end;
	}
	const int error = start_dot(helper, form, fileno(graph), ends,
	    fileno(errors));
	const pid_t child = *helper;
	close(ends[1]);
	if (error == 0) {
		status = copy_picture(out, ends[0], strcmp(form, "svg") == 0);
	} else if (error == ENOENT) {
		msg_error("there is no program dot, which makes pictures of "
		    "graphs (Debian package graphviz); -f dot needs none");
	} else {
		fail_picture("dot cannot be run", error);
	}
	*helper = 0;
	close(ends[0]);
	if (error == 0 && await_dot(child) != CMD_OK)
		status = CMD_TROUBLE;
	if (status != CMD_OK || !quiet)
		report_dot_messages(errors);
end:
	fclose(errors);
	return status;
}
