/* msg.c - messages: everything that is printed on standard error */

#include "cli/msg.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/decimal.h"
#include "cli/escapes.h"
#include "cmd.h"
#include "private/trace.h"

#define LINE_BYTES 4096		/* of a line; of longer ones, the beginning and
				   the end are printed */
#define NAME_BYTES 32		/* of a name in a message */

static const char *command;
static struct dmt_output *copies;	/* of errors; NULL: none */

void
msg_set_command(const char *name)
{
	command = name;
}

void
msg_copy_errors(struct dmt_output *lines)
{
	copies = lines;
}

bool
msg_may_colour(void)
{
	const char *const none = getenv("NO_COLOR");
	const char *const terminal = getenv("TERM");

	return (none == NULL || none[0] == '\0') &&
	    (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

/* Formats a message. Of one that is too long, as it repeats a long argument,
 * the middle is left out: its end is the reason. */
static void DMT_PRINTF(3, 0)
format_message(char *out, size_t size, const char *format, va_list args)
{
	static const char gap[] = " ... ";
	va_list again;

	va_copy(again, args);
	const int len = vsnprintf(out, size, format, args);
	char *const whole = len < (int)size ? NULL : malloc((size_t)len + 1);
	if (whole != NULL) {
		const char *rest = whole + len - size / 2 + sizeof(gap);

		vsnprintf(whole, (size_t)len + 1, format, again);
		while (((unsigned char)*rest & 0xc0) == 0x80)
			rest++;
		snprintf(out + size / 2, size - size / 2, "%s%s", gap, rest);
	}
	free(whole);
	va_end(again);
}

/* Prints a line; on a terminal, its first part, "dmtrace dump: ", has the
 * colour of the severity. */
static void DMT_PRINTF(2, 0)
print_message(enum dmtrace_severity severity, const char *format, va_list args)
{
	static const char *const colours[] = {
		[DMTRACE_NOTE] = "1",		/* bold */
		[DMTRACE_WARNING] = "1;33",	/* yellow */
		[DMTRACE_ERROR] = "1;31",	/* red */
	};
	char line[LINE_BYTES];
	char escaped[LINE_BYTES * ESCAPE_GROWTH + 2];
	const int prefix = snprintf(line, sizeof(line), "dmtrace%s%s: ",
	    command == NULL ? "" : " ", command == NULL ? "" : command);

	format_message(line + prefix, sizeof(line) - (size_t)prefix, format,
	    args);
	char *end = escape_message(escaped, line, strlen(line));
	*end++ = '\n';
	const char *rest = escaped;
	if (isatty(STDERR_FILENO) && msg_may_colour()) {
		rest += prefix;
		fprintf(stderr, "\033[%sm%.*s\033[0m", colours[severity],
		    prefix, escaped);
	}
	fwrite(rest, 1, (size_t)(end - rest), stderr);
	if (copies != NULL && severity == DMTRACE_ERROR)
		dmt_output_write(copies, escaped + prefix,
		    (size_t)(end - escaped) - (size_t)prefix);
}

void
msg_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message(DMTRACE_ERROR, format, args);
	va_end(args);
}

void
msg_warning(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message(DMTRACE_WARNING, format, args);
	va_end(args);
}

void
msg_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message(DMTRACE_NOTE, format, args);
	va_end(args);
}

void
msg_progress(const char *text)
{
	if (text[0] == '\0')
		fputs("\r\033[K", stderr);
	else
		fprintf(stderr, "\r\033[Kdmtrace %s: %s", command, text);
}

const char *
place_format(char out[PLACE_MAX], enum dmtrace_place place, uint64_t at)
{
	out[0] = '\0';
	if (place != DMTRACE_PLACE_NONE)
		snprintf(out, PLACE_MAX, "%s %" PRIu64 ": ",
		    place == DMTRACE_PLACE_LINE ? "line" : "byte", at);
	return out;
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

/* Returns how many bytes of a name to print; no character is split. */
static size_t
measure_shown_name(const char *name)
{
	size_t len = strnlen(name, NAME_BYTES);

	while (len > 0 && ((unsigned char)name[len] & 0xc0) == 0x80)
		len--;
	return len;
}

/* Messages of the system's failures contain the name of the file; in messages,
 * a long name is truncated. */
void
msg_failure(const char *file, const struct dmtrace_error *error)
{
	char name[NAME_BYTES * ESCAPE_GROWTH + 2], place[PLACE_MAX];

	*escape_plain(name, file, measure_shown_name(file)) = '\0';
	if (error->sys_errno != 0 && strstr(error->message, name) != NULL)
		msg_error("%s", error->message);
	else
		msg_error("%s: %s%s", file, place_format(place, error->place,
		    error->at), error->message);
}

void
msg_finding(const char *file, const struct dmtrace_finding *finding)
{
	static msg_fn *const prints[] = {
		[DMTRACE_NOTE] = msg_note,
		[DMTRACE_WARNING] = msg_warning,
		[DMTRACE_ERROR] = msg_error,
	};
	char place[PLACE_MAX], count[COUNT_MAX];
	char message[DMTRACE_MESSAGE_MAX + 64];

	snprintf(message, sizeof(message), finding->count > 1 ?
	    "%s (the first of %s)" : "%s", finding->message,
	    count_format(count, finding->count));
	prints[finding->severity]("%s: %s%s", file, place_format(place,
	    finding->place, finding->at), message);
}

/* Prints the findings of at least that severity. Returns true if one is an
 * error. */
static bool
print_findings(const char *file, struct dmtrace_reader *reader, unsigned least)
{
	bool any = false;

	for (size_t i = 0; i < dmt_reader_finding_count(reader); i++) {
		const struct dmtrace_finding *const finding =
		    dmtrace_reader_finding_get(reader, i);

		if (finding->severity >= least)
			msg_finding(file, finding);
		any |= finding->severity == DMTRACE_ERROR;
	}
	return any;
}

bool
msg_findings(const char *file, struct dmtrace_reader *reader, bool quiet)
{
	return print_findings(file, reader,
	    quiet ? DMTRACE_ERROR : DMTRACE_NOTE);
}

bool
msg_errors(const char *file, struct dmtrace_reader *reader, bool quiet)
{
	return print_findings(file, reader,
	    quiet ? DMTRACE_ERROR + 1 : DMTRACE_ERROR);
}
