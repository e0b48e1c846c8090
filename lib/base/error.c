/* error.c - the first failure of an object, in words */

#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/words.h"

static void DMT_PRINTF(5, 0)
keep(struct dmtrace_error *error, enum dmtrace_status status,
    enum dmtrace_place place, uint64_t at, const char *format, va_list args)
{
	if (error->status != DMTRACE_OK)
		return;
	*error = (struct dmtrace_error){
		.status = status,
		.place = place,
		.at = at
	};
	dmt_words_add(error->words, format, args);
}

enum dmtrace_status
dmt_error_set(struct dmtrace_error *error, enum dmtrace_status status,
    const char *format, ...)
{
	va_list args;

	va_start(args, format);
	keep(error, status, DMTRACE_PLACE_NONE, 0, format, args);
	va_end(args);
	return error->status;
}

enum dmtrace_status
dmt_error_at(struct dmtrace_error *error, enum dmtrace_status status,
    enum dmtrace_place place, uint64_t at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	keep(error, status, place, at, format, args);
	va_end(args);
	return error->status;
}

enum dmtrace_status
dmt_error_system(struct dmtrace_error *error, const char *what)
{
	const int number = errno;
	char reason[DMTRACE_WORDS_MAX / 2];

	if (error->status != DMTRACE_OK)
		return error->status;
	if (strerror_r(number, reason, sizeof(reason)) != 0)
		snprintf(reason, sizeof(reason), "error %d", number);
	dmt_error_set(error, DMTRACE_ERR_IO, "%s: %s", what, reason);
	error->sys_errno = number;
	return error->status;
}

enum dmtrace_status
dmt_error_memory(struct dmtrace_error *error)
{
	return dmt_error_set(error, DMTRACE_ERR_MEMORY, "%s",
	    dmtrace_status_words(DMTRACE_ERR_MEMORY));
}

void
dmt_error_clear(struct dmtrace_error *error)
{
	*error = (struct dmtrace_error){ 0 };
}
