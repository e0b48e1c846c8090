/* cmd_view.c - show traces as a page in a browser */

#include <dmtrace.h>

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/msg.h"
#include "cli/progress.h"
#include "cli/selection.h"
#include "cli/table.h"
#include "eventlog/log_marks.h"
#include "export/export_run.h"

extern char **environ;

static int
fail_open(const char *what, int error)
{
	msg_error("%s: %s", what, strerror(error));
	return CMD_TROUBLE;
}

/* Opens the page with the program that desktops open files with, which finds a
 * browser. */
static int
open_page(const char *page)
{
	char name[] = "xdg-open";
	char *const copy = strdup(page);
	char *arguments[] = { name, copy, NULL };
	pid_t child;
	int status = 0;

	if (copy == NULL)
		return msg_fail_memory();
	const int error = posix_spawnp(&child, name, NULL, NULL, arguments,
	    environ);
	free(copy);
	if (error == ENOENT) {
		msg_error("there is no program xdg-open (Debian package "
		    "xdg-utils); open %s in a browser", page);
		return CMD_TROUBLE;
	}
	if (error != 0)
		return fail_open("xdg-open cannot be run", error);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return fail_open("xdg-open cannot be waited for",
			    errno);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return CMD_OK;
	msg_error("xdg-open failed; open %s in a browser", page);
	return CMD_TROUBLE;
}

/* Makes the name of a page that is not removed, in a new directory that other
 * users cannot write to; to be freed. NULL: it failed, which was reported. */
static char *
make_page_name(void)
{
	const char *const asked = getenv("TMPDIR");
	const char *const folder = asked != NULL && asked[0] != '\0' ? asked :
	    "/tmp";
	static const char made[] = "/dmtrace-XXXXXX", file[] = "/page.html";
	const size_t len = strlen(folder);
	char *const name = malloc(len + sizeof(made) + sizeof(file));

	if (name == NULL) {
		msg_memory();
		return NULL;
	}
	memcpy(name, folder, len);
	memcpy(name + len, made, sizeof(made));
	if (mkdtemp(name) == NULL) {
		fail_open(folder, errno);
		free(name);
		return NULL;
	}
	memcpy(name + len + sizeof(made) - 1, file, sizeof(file));
	return name;
}

static int
write_and_open(struct export_run *run, char **files)
{
	char *const name = make_page_name();

	if (name == NULL)
		return CMD_TROUBLE;
	run->io->output = name;
	int status = export_run(run, files);
	if (status != CMD_TROUBLE) {
		status = cmd_worse(status, open_page(name));
	} else {
		*strrchr(name, '/') = '\0';
		rmdir(name);
	}
	free(name);
	return status;
}

static int
run_view(const struct cmd *cmd, int argc, char **argv)
{
	struct selection selection = SELECTION;
	struct log_marks marks = { 0 };
	struct job io = { .output = NULL };
	struct export_run run = {
		.format = dmt_export_format_find("html"),
		.selection = &selection,
		.no_terminal = true, .io = &io
	};
	bool opens = false, compares = false;
	const struct opt options[] = {
		OPT_FLAG(0, "open", &opens,
		    "open the page in a browser with xdg-open"),
		OPT_FLAG(0, "compare", &compares,
		    "compare the second trace with the first"),
		OPT_LOG_MARKS(&marks),
		OPT_SELECTION(&selection),
		OPT_GROUP("Output"),
		OPT_OUTPUT_FILE(&io.output, "write to FILE", ".html"),
		OPT_JOB(&io),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO && argc == 0)
		status = opt_usage(cmd, "no file is named");
	if (status == OPT_GO && compares && argc != 2)
		status = opt_usage(cmd, "--compare needs two traces");
	run.options.compare = compares;
	if (status == OPT_GO && opens && io.output != NULL &&
	    strcmp(io.output, "-") == 0)
		status = opt_usage(cmd, "--open needs a file: no -o -");
	if (status == OPT_GO)
		status = log_marks_load(&marks, cmd, io.output, io.quiet);
	if (status == OPT_GO) {
		run.marks = marks.log == NULL ? NULL : &marks;
		argv[argc] = NULL;
		selection.several = argc > 1;
		status = selection_begin(&selection);
	}
	if (status == OPT_GO) {
		if (opens && io.output == NULL) {
			status = write_and_open(&run, argv);
		} else {
			status = export_run(&run, argv);
			if (opens && status != CMD_TROUBLE)
				status = cmd_worse(status,
				    open_page(io.output));
		}
	}
	selection_end(&selection);
	log_marks_fini(&marks);
	job_fini(&io);
	return status;
}

const struct cmd cmd_view = {
	.name = "view",
	.group = "profile",
	.synopsis = "[-o PAGE | --open] [OPTION]... TRACE...",
	.summary = "show traces in a browser: timeline, profile, flame graph",
	.examples = {
		"dmtrace view --open app.trace",
		"dmtrace view --compare -o diff.html before.trace after.trace",
	},
	.run = run_view,
};
