/* preload.c - finds libdmtrace-instrument, and prints what it reports */

#include "record/preload.h"

#include <dmtrace.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/decimal.h"
#include "cli/msg.h"
#include "private/array.h"
#include "private/output.h"

/* By the name that a system without headers has, too. */
#define SHIM "libdmtrace-instrument.so.0"

static char report_path[PATH_MAX];

/* Where to look relative to the program, in a build tree and in a moved
 * installation. */
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

/* false: not found, which was reported if the environment names it. */
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
preload_setting(const char *name, const char *value)
{
	if (setenv(name, value, 1) == 0)
		return true;
	msg_memory();
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
	const bool is_set = preload_setting("LD_PRELOAD", list);
	free(list);
	return is_set;
}

/* Tries with a page. false with errno set: the disk is full. */
static bool
has_room_for_report(int fd)
{
	static const char page[4096];

	errno = ENOSPC;			/* if only a part is written */
	return write(fd, page, sizeof(page)) == (ssize_t)sizeof(page) &&
	    ftruncate(fd, 0) == 0;
}

bool
preload_report_init(void)
{
	const char *folder = getenv("TMPDIR");
	char absolute[PATH_MAX];

	snprintf(report_path, sizeof(report_path), "%s/dmtrace-record.XXXXXX",
	    folder == NULL || folder[0] == '\0' ? "/tmp" : folder);
	const int fd = mkstemp(report_path);
	if (fd < 0) {
		msg_error("cannot create %s: %s", report_path, strerror(errno));
		report_path[0] = '\0';
		return false;
	}
	/* The program may run in another folder. */
	if (realpath(report_path, absolute) != NULL)
		strcpy(report_path, absolute);
	const bool has_room = has_room_for_report(fd);
	if (!has_room)
		msg_error("cannot write %s: %s", report_path, strerror(errno));
	close(fd);
	if (has_room && preload_setting("DMTRACE_REPORT", report_path))
		return true;
	unlink(report_path);
	report_path[0] = '\0';
	return false;
}

void
preload_report_fini(struct preload_report *report)
{
	if (report_path[0] != '\0')
		unlink(report_path);
	report_path[0] = '\0';
	for (size_t i = 0; i < report->unfinished_count; i++)
		free(report->unfinished[i]);
	free(report->unfinished);
	free(report->path);
	*report = (struct preload_report){ .path = NULL };
}

enum { COLUMNS = 9 };		/* fields of a line, separated by TABs */

/* Prints "stop PID EVENTS DROPPED METHODS THREADS FILES ENDED PATH". */
static void
print_stop_line(char *const cells[COLUMNS], bool quiet)
{
	/* Why a recording ended, and what to do, by enum
	 * dmtrace_recorder_end. */
	static const char *const reasons[] = {
		[DMTRACE_RECORDER_FULL] = "memory was full; --memory gives it "
		    "more, or --full=flush",
		[DMTRACE_RECORDER_FAILED] = "the trace could not be written",
		[DMTRACE_RECORDER_TIMEOUT] =
		    "--max-time was over; without --no-rotate it goes on"
	};
	const char *const path = dmt_path_shown(cells[8]);
	const size_t ended = strtoul(cells[7], NULL, 10);
	char records[COUNT_MAX], functions[COUNT_MAX];

	if (!quiet)
		msg_note("%s: %s events of %s function%s and %s thread%s%s",
		    path, count_format(records, strtoull(cells[2], NULL, 10)),
		    count_format(functions, strtoull(cells[4], NULL, 10)),
		    strcmp(cells[4], "1") == 0 ? "" : "s", cells[5],
		    strcmp(cells[5], "1") == 0 ? "" : "s",
		    strcmp(cells[6], "1") == 0 ? "" : ", in several files");
	if (ended != 0 && ended < sizeof(reasons) / sizeof(reasons[0]))
		msg_warning("%s: warning: recording ended early: %s", path,
		    reasons[ended]);
	if (strcmp(cells[3], "0") != 0)
		msg_warning("%s: %s events are lost", path, cells[3]);
}

/* Without memory it is left out. */
static void
add_unfinished(struct preload_report *report, const char *path)
{
	char **const paths = dmt_array_grow(report->unfinished,
	    &report->unfinished_room, report->unfinished_count + 1,
	    sizeof(*paths));

	if (paths == NULL)
		return;
	report->unfinished = paths;
	paths[report->unfinished_count] = strdup(path);
	if (paths[report->unfinished_count] != NULL)
		report->unfinished_count++;
}

static void
remove_unfinished(struct preload_report *report, const char *path)
{
	char **const paths = report->unfinished;
	size_t i = 0;

	while (i < report->unfinished_count && strcmp(paths[i], path) != 0)
		i++;
	if (i == report->unfinished_count)
		return;
	free(paths[i]);
	report->unfinished_count--;
	memmove(&paths[i], &paths[i + 1],
	    (report->unfinished_count - i) * sizeof(*paths));
}

void
preload_report_read(struct preload_report *report, bool quiet)
{
	char line[PATH_MAX + 256];
	FILE *const file = fopen(report_path, "r");

	if (file == NULL)
		return;
	while (fgets(line, sizeof(line), file) != NULL) {
		char *cells[COLUMNS], *at = line;
		size_t n = 0;

		line[strcspn(line, "\n")] = '\0';
		for (; at != NULL && n < COLUMNS; n++) {
			cells[n] = at;
			at = strchr(at, '\t');
			if (at != NULL)
				*at++ = '\0';
		}
		if (n >= 3 && strcmp(cells[0], "start") == 0) {
			if (report->started++ == 0)
				report->path =
				    strdup(dmt_path_shown(cells[2]));
			add_unfinished(report, cells[2]);
		} else if (n == COLUMNS && strcmp(cells[0], "stop") == 0) {
			report->stopped++;
			remove_unfinished(report, cells[8]);
			report->records += strtoull(cells[2], NULL, 10);
			print_stop_line(cells, quiet);
		} else if (n >= 3 && strcmp(cells[0], "fail") == 0) {
			report->failed++;
			msg_error("%s", cells[2]);
		}
	}
	fclose(file);
}
