/* error.c - texts of statuses, and the first failure of an object */

#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const status_texts[] = {
	[DMTRACE_OK] = "done",
	[DMTRACE_END] = "no more records",
	[DMTRACE_ERR_MEMORY] = "out of memory",
	[DMTRACE_ERR_IO] = "input/output error",
	[DMTRACE_ERR_NOT_TRACE] = "not a trace",
	[DMTRACE_ERR_VERSION] = "unknown version",
	[DMTRACE_ERR_UNSUPPORTED] = "not supported",
	[DMTRACE_ERR_CORRUPT] = "corrupt",
	[DMTRACE_ERR_TRUNCATED] = "truncated",
	[DMTRACE_ERR_RANGE] = "does not fit",
	[DMTRACE_ERR_LIMIT] = "over a limit",
	[DMTRACE_ERR_FOREIGN] = "key and data do not belong together",
	[DMTRACE_ERR_STATE] = "call out of order",
	[DMTRACE_ERR_CANCELLED] = "cancelled",
	[DMTRACE_ERR_EVENT] = "impossible event",
};

const struct dmtrace_error dmt_error_null = {
	.status = DMTRACE_ERR_STATE,
	.message = "NULL was given in place of an object"
};

const char *
dmtrace_version(void)
{
	return DMTRACE_VERSION_STRING;
}

const char *
dmtrace_strerror(enum dmtrace_status status)
{
	if ((size_t)status >= sizeof(status_texts) / sizeof(status_texts[0]))
		return "unknown status";
	return status_texts[status];
}

void
dmt_message_append(char message[DMTRACE_MESSAGE_MAX], const char *format,
    va_list args)
{
	static const char cut[] = "...";
	const size_t used = strlen(message), room = DMTRACE_MESSAGE_MAX - used;
	const int len = vsnprintf(message + used, room, format, args);

	if (len < 0 || (size_t)len < room)
		return;
	size_t at = DMTRACE_MESSAGE_MAX - sizeof(cut);
	while (at > 0 && (message[at] & 0xc0) == 0x80)
		at--;
	memcpy(message + at, cut, sizeof(cut));
}

static void DMT_PRINTF(5, 0)
keep_first_error(struct dmtrace_error *error, enum dmtrace_status status,
    enum dmtrace_place place, uint64_t at, const char *format, va_list args)
{
	if (error->status != DMTRACE_OK)
		return;
	*error = (struct dmtrace_error){
		.status = status,
		.place = place,
		.at = at
	};
	dmt_message_append(error->message, format, args);
}

enum dmtrace_status
dmt_error_set(struct dmtrace_error *error, enum dmtrace_status status,
    const char *format, ...)
{
	va_list args;

	va_start(args, format);
	keep_first_error(error, status, DMTRACE_PLACE_NONE, 0, format, args);
	va_end(args);
	return error->status;
}

enum dmtrace_status
dmt_error_at(struct dmtrace_error *error, enum dmtrace_status status,
    enum dmtrace_place place, uint64_t at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	keep_first_error(error, status, place, at, format, args);
	va_end(args);
	return error->status;
}

/* Takes what strerror_r returned: in POSIX a number, in GNU libc a pointer to
 * the text, which may be in buffer. With _GNU_SOURCE, as in the amalgamation,
 * it is the GNU function. */
static const char *
posix_reason(int failed, const char *buffer)
{
	return failed == 0 ? buffer : "unknown error";
}

static const char *
gnu_reason(const char *text, const char *buffer)
{
	(void)buffer;
	return text;
}

enum dmtrace_status
dmt_error_system(struct dmtrace_error *error, const char *what)
{
	const int number = errno;
	char buffer[DMTRACE_MESSAGE_MAX / 2];

	if (error->status != DMTRACE_OK)
		return error->status;
	dmt_error_set(error, DMTRACE_ERR_IO, "%s: %s", what,
	    _Generic(strerror_r(number, buffer, sizeof(buffer)),
	    int: posix_reason, default: gnu_reason)
	    (strerror_r(number, buffer, sizeof(buffer)), buffer));
	error->sys_errno = number;
	return error->status;
}

enum dmtrace_status
dmt_error_memory(struct dmtrace_error *error)
{
	return dmt_error_set(error, DMTRACE_ERR_MEMORY, "%s",
	    dmtrace_strerror(DMTRACE_ERR_MEMORY));
}

enum dmtrace_status
dmt_error_null_given(struct dmtrace_error *error, const char *call)
{
	return dmt_error_set(error, DMTRACE_ERR_STATE,
	    "%s was called with NULL", call);
}

void
dmt_error_clear(struct dmtrace_error *error)
{
	*error = (struct dmtrace_error){ 0 };
}
