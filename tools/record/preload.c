/* preload.c - libdmtrace-instrument: where it is, and what it has reported */

#include "record/preload.h"

#include <dmtrace.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/msg.h"

#define SHIM "libdmtrace-instrument.so"

static char report[PATH_MAX];

/* Beside the program, in a build and where both were moved together. */
static const char *const beside[] = {
	"/../../lib/.libs/" SHIM,
	"/../lib/.libs/" SHIM,
	"/../lib/" SHIM
};

enum { BESIDE = sizeof(beside) / sizeof(beside[0]) };

static bool
find_library_beside(char path[PATH_MAX])
{
	char folder[PATH_MAX];
	const ssize_t len = readlink("/proc/self/exe", folder,
	    sizeof(folder) - 1);

	folder[len > 0 ? len : 0] = '\0';
	char *const slash = strrchr(folder, '/');
	if (slash == NULL)
		return false;
	*slash = '\0';
	for (size_t i = 0; i < BESIDE; i++) {
		char name[PATH_MAX + 64];
		snprintf(name, sizeof(name), "%s%s", folder, beside[i]);
		if (access(name, R_OK) == 0 && realpath(name, path) != NULL)
			return true;
	}
	return false;
}

/* False, which is reported if the environment has named one. */
static bool
find_library(char path[PATH_MAX])
{
	const char *named = getenv("DMTRACE_INSTRUMENT");

	if (named != NULL && named[0] != '\0') {
		if (realpath(named, path) != NULL)
			return true;
		msg_error("DMTRACE_INSTRUMENT=%s: %s", named,
		    strerror(errno));
		return false;
	}
	if (find_library_beside(path) || realpath(LIBDIR "/" SHIM,
	    path) != NULL)
		return true;
	msg_error("cannot find %s, in %s or beside dmtrace; "
	    "DMTRACE_INSTRUMENT can name it", SHIM, LIBDIR);
	return false;
}

bool
preload_hooks(void)
{
	const char *old = getenv("LD_PRELOAD");
	char path[PATH_MAX];

	if (!find_library(path))
		return false;
	if (strpbrk(path, " :") != NULL) {
		msg_error("%s: a library to be loaded first can have no blank "
		    "or colon in its name", path);
		return false;
	}
	const size_t room = strlen(path) + (old == NULL ? 0 : strlen(old)) + 2;
	char *const list = malloc(room);
	if (list == NULL) {
		msg_memory();
		return false;
	}
	snprintf(list, room, "%s%s%s", path,
	    old == NULL || old[0] == '\0' ? "" : ":", old == NULL ? "" : old);
	setenv("LD_PRELOAD", list, 1);
	free(list);
	return true;
}

bool
preload_report_init(void)
{
	const char *folder = getenv("TMPDIR");

	snprintf(report, sizeof(report), "%s/dmtrace-record.XXXXXX",
	    folder == NULL || folder[0] == '\0' ? "/tmp" : folder);
	const int fd = mkstemp(report);
	if (fd < 0) {
		msg_error("cannot create %s: %s", report, strerror(errno));
		report[0] = '\0';
		return false;
	}
	close(fd);
	setenv("DMTRACE_REPORT", report, 1);
	return true;
}

void
preload_report_fini(struct preload_report *told)
{
	if (report[0] != '\0')
		unlink(report);
	report[0] = '\0';
	free(told->path);
	told->path = NULL;
}

/* The columns of a line, which is split at its TABs. */
enum { WORDS = 9 };

static size_t
split_report_line(char *line, char *words[WORDS])
{
	size_t n = 0;

	line[strcspn(line, "\n")] = '\0';
	for (char *at = line; at != NULL && n < WORDS; n++) {
		words[n] = at;
		at = strchr(at, '\t');
		if (at != NULL)
			*at++ = '\0';
	}
	return n;
}

/* As the user would name it. */
static const char *
shown_path(const char *path)
{
	char folder[PATH_MAX];

	if (getcwd(folder, sizeof(folder)) == NULL)
		return path;
	const size_t len = strlen(folder);
	return strncmp(path, folder, len) == 0 && path[len] == '/' ?
	    path + len + 1 : path;
}

/* By the number of an enum dmtrace_recorder_end, and what to do about it. */
static const char *const reasons[] = {
	[DMTRACE_RECORDER_FULL] =
	    "memory was full; --memory gives it more, or --full=flush",
	[DMTRACE_RECORDER_FAILED] = "the trace could not be written",
	[DMTRACE_RECORDER_TIMEOUT] =
	    "--max-time was over; without --no-rotate it goes on"
};

enum { REASONS = sizeof(reasons) / sizeof(reasons[0]) };

/* "stop PID EVENTS DROPPED METHODS THREADS FILES ENDED PATH" */
static void
print_stop_line(char *const words[WORDS], bool quiet)
{
	const char *const path = shown_path(words[8]);
	const size_t ended = strtoul(words[7], NULL, 10);

	if (!quiet)
		msg_error("%s: %s records of %s functions and %s thread%s%s",
		    path, words[2], words[4], words[5],
		    strcmp(words[5], "1") == 0 ? "" : "s",
		    strcmp(words[6], "1") == 0 ? "" : ", in several files");
	if (ended != 0 && ended < REASONS)
		msg_error("%s: warning: recording ended early: %s", path,
		    reasons[ended]);
	if (strcmp(words[3], "0") != 0)
		msg_error("%s: %s events are lost", path, words[3]);
}

static void
add_report_line(struct preload_report *told, char *line, bool quiet)
{
	char *words[WORDS];
	const size_t n = split_report_line(line, words);

	if (n >= 3 && strcmp(words[0], "start") == 0) {
		if (told->started++ == 0)
			told->path = strdup(shown_path(words[2]));
	} else if (n == WORDS && strcmp(words[0], "stop") == 0) {
		told->stopped++;
		print_stop_line(words, quiet);
	} else if (n >= 3 && strcmp(words[0], "fail") == 0) {
		told->failed++;
		msg_error("%s", words[2]);
	}
}

void
preload_report_print(struct preload_report *told, bool quiet)
{
	char line[PATH_MAX + 256];
	FILE *const file = fopen(report, "r");

	if (file == NULL)
		return;
	while (fgets(line, sizeof(line), file) != NULL)
		add_report_line(told, line, quiet);
	fclose(file);
}
