/* msg.c - all that goes to standard error */

#include "cli/msg.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/escapes.h"
#include "cmd.h"
#include "private/trace.h"

#define LINE_BYTES 4096		/* of a line; longer ones are truncated */
#define NAME_BYTES 32		/* of a name, enough to find it in words */

static const char *command;

void
msg_set_command(const char *name)
{
	command = name;
}

bool
msg_may_colour(void)
{
	const char *const none = getenv("NO_COLOR");
	const char *const terminal = getenv("TERM");

	return (none == NULL || none[0] == '\0') &&
	    (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

void
msg_error(const char *format, ...)
{
	char line[LINE_BYTES];
	char escaped[LINE_BYTES * ESCAPE_GROWTH + 2];
	const int prefix = snprintf(line, sizeof(line), "dmtrace%s%s: ",
	    command == NULL ? "" : " ", command == NULL ? "" : command);
	va_list args;

	va_start(args, format);
	vsnprintf(line + prefix, sizeof(line) - (size_t)prefix, format, args);
	va_end(args);
	char *end = escape_message(escaped, line, strlen(line));
	*end++ = '\n';
	const char *rest = escaped;
	if (isatty(STDERR_FILENO) && msg_may_colour()) {
		rest += prefix;
		fprintf(stderr, "\033[1m%.*s\033[0m", prefix, escaped);
		if (strncmp(rest, "warning:", 8) == 0) {
			fputs("\033[33mwarning:\033[0m", stderr);
			rest += 8;
		}
	}
	fwrite(rest, 1, (size_t)(end - rest), stderr);
}

void
msg_progress(const char *words)
{
	if (words[0] == '\0')
		fputs("\r\033[K", stderr);
	else
		fprintf(stderr, "\r\033[Kdmtrace %s: %s", command, words);
}

/* file, then the place in it as compilers write it. */
static void
print_place_message(const char *file, enum dmtrace_place place, uint64_t at,
    const char *words)
{
	switch (place) {
	case DMTRACE_PLACE_LINE:
		msg_error("%s:%" PRIu64 ": %s", file, at, words);
		break;
	case DMTRACE_PLACE_OFFSET:
		msg_error("%s: byte %" PRIu64 ": %s", file, at, words);
		break;
	case DMTRACE_PLACE_NONE:
		msg_error("%s: %s", file, words);
		break;
	}
}

void
msg_memory(void)
{
	msg_error("out of memory");
}

int
msg_fail_memory(void)
{
	msg_memory();
	return CMD_TROUBLE;
}

/* As many bytes of a name as it is looked for by; no character is split. */
static size_t
measure_shown_name(const char *name)
{
	size_t len = strnlen(name, NAME_BYTES);

	while (len > 0 && ((unsigned char)name[len] & 0xc0) == 0x80)
		len--;
	return len;
}

/* Messages of the system's failures name the file if it has a name, but
 * truncate a long one. */
void
msg_failure(const char *file, const struct dmtrace_error *error)
{
	char name[NAME_BYTES * ESCAPE_GROWTH + 2];

	*escape_plain(name, file, measure_shown_name(file)) = '\0';
	if (error->sys_errno != 0 && strstr(error->message, name) != NULL)
		msg_error("%s", error->message);
	else
		print_place_message(file, error->place, error->at,
		    error->message);
}

void
msg_finding(const char *file, const struct dmtrace_finding *finding)
{
	char words[DMTRACE_MESSAGE_MAX + 64];

	snprintf(words, sizeof(words), finding->count > 1 ?
	    "%s (the first of %" PRIu64 ")" : "%s", finding->message,
	    finding->count);
	print_place_message(file, finding->place, finding->at, words);
}

bool
msg_findings(const char *file, struct dmtrace_reader *reader, bool quiet)
{
	bool any = false;

	for (size_t i = 0; i < dmt_reader_finding_count(reader); i++) {
		const struct dmtrace_finding *const finding =
		    dmtrace_reader_finding_get(reader, i);
		const bool error = finding->severity == DMTRACE_ERROR;

		if (error || !quiet)
			msg_finding(file, finding);
		any |= error;
	}
	return any;
}

bool
msg_errors(const char *file, struct dmtrace_reader *reader, bool quiet)
{
	bool any = false;

	for (size_t i = 0; i < dmt_reader_finding_count(reader); i++) {
		const struct dmtrace_finding *const finding =
		    dmtrace_reader_finding_get(reader, i);
		const bool error = finding->severity == DMTRACE_ERROR;

		if (error && !quiet)
			msg_finding(file, finding);
		any |= error;
	}
	return any;
}
