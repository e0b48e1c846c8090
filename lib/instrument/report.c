/* report.c - what the shim tells: "dmtrace record", or whoever reads stderr */

#include "instrument/report.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_MAX_BYTES (PATH_MAX + 256)

/* The lines of several processes do not mix: each is one write. */
static bool
append(const char *report, const char *line)
{
	const int fd = report[0] == '\0' ? -1 :
	    open(report, O_WRONLY | O_APPEND | O_CLOEXEC);

	if (fd < 0)
		return false;
	const size_t len = strlen(line);
	const bool done = write(fd, line, len) == (ssize_t)len;
	close(fd);
	return done;
}

static void
say(const char *line)
{
	const ssize_t ignored = write(STDERR_FILENO, line, strlen(line));

	(void)ignored;
}

/* Under the lock, an empty file gets its first line. */
static bool
claim(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct stat about;
	char line[32];

	while (fcntl(fd, F_SETLKW, &lock) != 0)
		;
	if (fstat(fd, &about) != 0 || about.st_size != 0)
		return false;
	snprintf(line, sizeof(line), "claim\t%ld\n", (long)getpid());
	return write(fd, line, strlen(line)) > 0;
}

bool
dmt_report_claim(const char *report)
{
	if (report[0] == '\0')
		return true;
	const int fd = open(report, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return true;
	const bool first = claim(fd);
	close(fd);
	return first;
}

void
dmt_report_start(const char *report, const char *path)
{
	char line[LINE_MAX_BYTES];

	snprintf(line, sizeof(line), "start\t%ld\t%s\n", (long)getpid(), path);
	append(report, line);
}

static void
warn(const char *path, const struct dmtrace_recorder_result *result)
{
	static const char *const reasons[] = {
		NULL,
		"memory was full",
		"the trace could not be written",
		"the time for it was over"
	};
	char line[LINE_MAX_BYTES];

	if (result->ended != 0) {
		snprintf(line, sizeof(line), "dmtrace: %s: warning: "
		    "recording ended early: %s\n", path,
		    reasons[result->ended]);
		say(line);
	}
	if (result->dropped == 0)
		return;
	snprintf(line, sizeof(line), "dmtrace: %s: %" PRIu64
	    " events are lost\n", path, result->dropped);
	say(line);
}

void
dmt_report_stop(const char *report, const char *path,
    const struct dmtrace_recorder_result *result)
{
	char line[LINE_MAX_BYTES];

	snprintf(line, sizeof(line), "stop\t%ld\t%" PRIu64 "\t%" PRIu64
	    "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%u\t%s\n",
	    (long)getpid(), result->events, result->dropped, result->methods,
	    result->threads, result->files, (unsigned)result->ended, path);
	if (!append(report, line))
		warn(path, result);
}

void
dmt_report_failure(const char *report, const char *words)
{
	char line[LINE_MAX_BYTES];

	snprintf(line, sizeof(line), "fail\t%ld\t%s\n", (long)getpid(), words);
	if (append(report, line))
		return;
	snprintf(line, sizeof(line), "dmtrace: %s\n", words);
	say(line);
}
